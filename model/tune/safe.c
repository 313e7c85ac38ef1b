/*
 * What may be changed without asking: what keeps the program's result.
 *
 * A block may have another size where its kernel computes nothing but positions blockIdx * blockDim + threadIdx from
 * where a thread is, and threads do not meet: no shared memory, no barrier, no exchange in a warp. The code shows that:
 * registers are marked with what they hold, and any other use of them binds the block.
 */
#include "model/tune/tune.h"

#include <string.h>

/* What a register holds along an axis. */
enum launch_value {
	HELD_NOTHING,
	HELD_THREAD,
	HELD_SIZE,
	HELD_BLOCK,
	HELD_BLOCKS,
	HELD_FIRST,
	HELD_POSITION,
	HELD_STRIDE
};
struct mark {
	uint8_t held, axis;
};
struct marks {
	const struct ptx_function *function;
	struct mark *of; /* per register */
	bool formed[3];  /* positions along the axis */
	bool alone[3];   /* something is used otherwise */
	bool meets;      /* threads meet, or the code is not understood */
};

static struct mark mark_of(const struct marks *marks, const struct ptx_operand *operand)
{
	return operand->kind == OPERAND_REGISTER ? marks->of[operand->reg] : (struct mark){0};
}

static struct mark special_mark(const struct ptx_operand *operand)
{
	static const struct {
		int first;
		uint8_t held;
	} kinds[] = {{SPECIAL_TID_X, HELD_THREAD},
	             {SPECIAL_NTID_X, HELD_SIZE},
	             {SPECIAL_CTAID_X, HELD_BLOCK},
	             {SPECIAL_NCTAID_X, HELD_BLOCKS}};
	for (size_t k = 0; k < ARRAY_COUNT(kinds); k++)
		if (operand->value >= kinds[k].first && operand->value < kinds[k].first + 3)
			return (struct mark){kinds[k].held, (uint8_t)(operand->value - kinds[k].first)};
	return (struct mark){0};
}

static bool pair_is(struct mark a, struct mark b, enum launch_value one, enum launch_value other)
{
	return a.axis == b.axis && ((a.held == one && b.held == other) || (a.held == other && b.held == one));
}

/* What the result of an instruction holds; *understood: its operands are used as they may. */
static struct mark result_of(const struct marks *marks, const struct ptx_insn *insn, bool *understood)
{
	const struct ptx_operand *from = insn->operands + insn->destinations;
	struct mark a = mark_of(marks, &from[0]),
		    b = insn->operand_count > 2 ? mark_of(marks, &from[1]) : (struct mark){0};
	struct mark c = insn->operand_count > 3 ? mark_of(marks, &from[2]) : (struct mark){0};
	*understood = true;
	if (insn->operation == OP_mov && from[0].kind == OPERAND_SPECIAL)
		return special_mark(&from[0]);
	if (insn->operation == OP_mov || insn->operation == OP_cvt)
		return a;
	if (insn->operation == OP_mul && insn->mode != MODE_HI && pair_is(a, b, HELD_BLOCK, HELD_SIZE))
		return (struct mark){HELD_FIRST, a.axis};
	if (insn->operation == OP_mul && insn->mode != MODE_HI && pair_is(a, b, HELD_BLOCKS, HELD_SIZE))
		return (struct mark){HELD_STRIDE, a.axis};
	if (insn->operation == OP_mad && insn->mode != MODE_HI && pair_is(a, b, HELD_BLOCK, HELD_SIZE) &&
	    c.held == HELD_THREAD && c.axis == a.axis)
		return (struct mark){HELD_POSITION, a.axis};
	if (insn->operation == OP_add && pair_is(a, b, HELD_FIRST, HELD_THREAD))
		return (struct mark){HELD_POSITION, a.axis};
	*understood = false;
	return (struct mark){0};
}

static void use_note(struct marks *marks, const struct ptx_operand *operand)
{
	struct mark mark = {0};
	if (operand->kind == OPERAND_VECTOR) {
		for (unsigned i = 0; i < operand->count; i++)
			use_note(marks, &operand->elements[i]);
		return;
	}
	if ((operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_ADDRESS) && operand->reg != PTX_NO_REGISTER)
		mark = marks->of[operand->reg];
	if (operand->kind == OPERAND_SPECIAL)
		marks->meets = true;
	if (mark.held && mark.held != HELD_POSITION && mark.held != HELD_STRIDE)
		marks->alone[mark.axis] = true;
}

static bool threads_meet(const struct ptx_insn *insn)
{
	const unsigned operation = insn->operation;
	bool exchanges = operation >= OP_shfl_up && operation < OP_video;
	bool waits = operation >= OP_bar_sync && operation <= OP_mbarrier && operation != OP_bar_warp_sync &&
	             operation != OP_fence;
	return exchanges || waits || operation == OP_OPAQUE || operation == OP_call || operation == OP_cp_async ||
	       insn->space == SPACE_SHARED;
}

static void insn_read(struct marks *marks, const struct ptx_insn *insn)
{
	bool understood = false;
	struct mark result = {0};
	marks->meets = marks->meets || threads_meet(insn);
	if (insn->operand_count > insn->destinations && insn->destinations == 1)
		result = result_of(marks, insn, &understood);
	for (unsigned o = insn->destinations; o < insn->operand_count && !understood; o++)
		use_note(marks, &insn->operands[o]);
	if (understood && insn->operation == OP_mov && insn->operands[1].kind == OPERAND_SPECIAL && !result.held)
		marks->meets = true;
	for (unsigned d = 0; d < insn->destinations; d++) {
		const struct ptx_operand *to = &insn->operands[d];
		struct mark *of = to->kind == OPERAND_REGISTER ? &marks->of[to->reg] : NULL;
		if (!of)
			continue;
		if (of->held && of->held != HELD_POSITION && (of->held != result.held || of->axis != result.axis))
			marks->meets = true;
		*of = result;
	}
	if (result.held == HELD_POSITION)
		marks->formed[result.axis] = true;
}

/* Two rounds: what a loop brings back is seen in the second. */
static struct marks marks_find(struct arena *arena, const struct ptx_function *function)
{
	struct marks marks = {.function = function};
	marks.of = arena_array(arena, function->register_count + 1, sizeof *marks.of);
	for (size_t i = 0; i < 2 * function->insn_count; i++)
		insn_read(&marks, &function->insns[i % function->insn_count]);
	return marks;
}

static bool mentions_grid(const struct kernel *kernel)
{
	for (unsigned i = 0; i < kernel->symbol_count; i++)
		if (kernel->symbols[i]->kind == SYMBOL_GRID_SIZE && case_kernel_mentions(kernel, kernel->symbols[i]))
			return true;
	return false;
}

static bool loop_strides(const struct kernel *kernel, const struct loop *loop)
{
	for (unsigned i = 0; i < kernel->symbol_count; i++)
		if (kernel->symbols[i]->kind == SYMBOL_GRID_SIZE && loop->trips &&
		    expr_mentions(loop->trips, kernel->symbols[i]))
			return true;
	return false;
}

bool tune_grid_strides(const struct case_result *result)
{
	const struct kernel *kernel = result->launch->kernel;
	unsigned stores = 0;
	for (unsigned a = 0; a < kernel->access_count; a++) {
		const struct loop *loop = kernel->accesses[a]->loop;
		if (kernel->accesses[a]->kind == ACCESS_LOAD)
			continue;
		while (loop && !loop_strides(kernel, loop))
			loop = loop->parent;
		if (!loop)
			return false;
		stores++;
	}
	return stores > 0;
}

bool tune_block_covers(const struct launch_case *launch, const uint32_t block[3])
{
	bool even = true, guarded = true;
	for (unsigned axis = 0; axis < 3; axis++)
		even = even && (uint64_t)launch->grid[axis] * launch->block[axis] % block[axis] == 0;
	for (unsigned a = 0; a < launch->kernel->access_count; a++) {
		const struct access *access = launch->kernel->accesses[a];
		bool strides = false;
		for (const struct loop *loop = access->loop; loop; loop = loop->parent)
			strides = strides || loop_strides(launch->kernel, loop);
		guarded = guarded && (access->guard || strides || access->array->space == ARRAY_LOCAL);
	}
	return even || guarded;
}

const char *tune_block_is_bound(struct arena *arena, const struct case_result *result, bool along[3])
{
	const struct launch_view *view = result->row_count ? result->rows[0].view : NULL;
	const struct ptx_function *function = view ? view->ptx.function : NULL;
	const struct launch_case *launch = result->launch;
	if (!function || function->insn_count == 0)
		return "its code is not known";
	const struct marks marks = marks_find(arena, function);
	if (marks.meets || function->shared_bytes || launch->dynamic_shared_bytes)
		return "its threads share data or wait for each other";
	for (unsigned axis = 0; axis < 3; axis++) {
		along[axis] = marks.formed[axis] && !marks.alone[axis];
		if (launch->block[axis] > 1 && !along[axis])
			return "it uses threadIdx, blockIdx or blockDim otherwise than as blockIdx * blockDim + "
			       "threadIdx";
	}
	if (mentions_grid(launch->kernel) && !tune_grid_strides(result))
		return "what it stores depends on gridDim";
	return along[0] || along[1] || along[2] ? NULL : "it computes no position";
}
