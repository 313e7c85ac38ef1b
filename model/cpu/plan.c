/*
 * A function as cases and segments. A case begins where a branch leads, at what lanes wait for each other at, and
 * behind a barrier; within a case a segment ends where lanes see each other: between loads and stores of memory that
 * they share, and at what they execute together.
 */
#include "model/cpu/internal.h"

#include <string.h>

bool cpu_is_together(const struct ptx_insn *insn)
{
	switch (insn->operation) {
	case OP_shfl_up:
	case OP_shfl_down:
	case OP_shfl_bfly:
	case OP_shfl_idx:
	case OP_vote_all:
	case OP_vote_any:
	case OP_vote_uni:
	case OP_vote_ballot:
	case OP_match_any:
	case OP_match_all:
	case OP_redux:
		return true;
	default:
		return false;
	}
}

bool cpu_is_builtin(const struct ptx_insn *insn)
{
	static const char *const names[] = {"vprintf", "malloc", "free", "__assertfail"};
	const struct ptx_operand *callee = &insn->operands[insn->destinations];

	for (unsigned i = 0; i < ARRAY_COUNT(names); i++)
		if (insn->operation == OP_call && callee->kind == OPERAND_SYMBOL &&
		    strcmp(callee->symbol, names[i]) == 0)
			return true;
	return false;
}

const struct ptx_operand *cpu_members(const struct ptx_insn *insn)
{
	bool waits = insn->operation == OP_bar_warp_sync || (cpu_is_together(insn) && cpu_says(insn, "sync"));

	return waits && insn->operand_count ? &insn->operands[insn->operand_count - 1] : NULL;
}

static bool is_barrier(const struct ptx_insn *insn)
{
	return insn->operation == OP_bar_sync || insn->operation == OP_bar_arrive || insn->operation == OP_bar_red;
}

static bool is_branch(const struct ptx_insn *insn)
{
	return insn->operation == OP_bra || insn->operation == OP_brx_idx;
}

static bool is_return(const struct ptx_insn *insn)
{
	return insn->operation == OP_ret || insn->operation == OP_exit || insn->operation == OP_trap;
}

bool cpu_is_nothing(const struct ptx_insn *insn)
{
	switch (insn->operation) {
	case OP_fence:
	case OP_nanosleep:
	case OP_pmevent:
	case OP_brkpt:
	case OP_prefetch:
	case OP_discard:
	case OP_cp_async_wait:
	case OP_setmaxnreg:
	case OP_griddepcontrol:
		return true;
	default:
		return false;
	}
}

/* ---- segments ------------------------------------------------------------------------------ */

static struct cpu_segment *segment_begin(struct cpu_translation *t, bool is_case)
{
	struct cpu_function *function = t->function;
	struct cpu_segment segment = {.number = is_case ? function->case_count++ : CPU_NO_CASE};
	struct cpu_segment *last = function->segment_count ? &function->segments[function->segment_count - 1] : NULL;

	if (last && is_case && last->end == END_NONE)
		last->end = END_CASE;
	ARENA_PUSH(t->arena, function->segments, function->segment_count, segment);
	return &function->segments[function->segment_count - 1];
}

static struct cpu_segment *segment_last(struct cpu_translation *t)
{
	return &t->function->segments[t->function->segment_count - 1];
}

static void item_add(struct cpu_translation *t, enum cpu_item_kind kind, uint32_t insn)
{
	struct cpu_segment *segment = segment_last(t);
	struct cpu_item item = {kind, insn};

	ARENA_PUSH(t->arena, segment->items, segment->item_count, item);
}

static void segment_end(struct cpu_translation *t, enum cpu_end end, uint32_t insn)
{
	segment_last(t)->end = end;
	segment_last(t)->insn = insn;
}

/* Whether lanes may see each other by an access; their own memory and what nobody writes they may access at any time.
 */
static bool is_common(const struct ptx_insn *insn)
{
	return insn->space != SPACE_LOCAL && insn->space != SPACE_PARAM && insn->space != SPACE_CONST &&
	       !insn->noncoherent;
}

static void access_add(struct cpu_translation *t, const struct ptx_insn *insn, uint32_t index)
{
	bool loads = insn->operation == OP_ld, alone = insn->operation != OP_ld && insn->operation != OP_st;
	struct cpu_segment *segment = segment_last(t);

	if (is_common(insn) && (alone ? segment->loads || segment->stores : loads ? segment->stores : segment->loads))
		segment = segment_begin(t, false);
	item_add(t, ITEM_WHOLE, index);
	if (!is_common(insn))
		return;
	segment->loads |= loads || alone;
	segment->stores |= !loads;
}

static void together_add(struct cpu_translation *t, const struct ptx_insn *insn, uint32_t index)
{
	if (cpu_members(insn)) {
		item_add(t, ITEM_MEMBERS, index);
		segment_end(t, END_JOIN, index);
		segment_begin(t, false);
	}
	if (!cpu_is_together(insn))
		return;
	item_add(t, ITEM_SOURCES, index);
	segment_end(t, END_TOGETHER, index);
	segment_begin(t, false);
	item_add(t, ITEM_RESULTS, index);
}

static void barrier_add(struct cpu_translation *t, const struct ptx_insn *insn, uint32_t index)
{
	if (!t->function->ptx->is_kernel)
		cpu_refuse(t, insn, "a called function has a barrier");
	item_add(t, ITEM_BARRIER, index);
	segment_end(t, END_BARRIER, index);
	segment_begin(t, true);
	if (insn->operation == OP_bar_red)
		item_add(t, ITEM_REDUCED, index);
}

static void control_add(struct cpu_translation *t, const struct ptx_insn *insn, uint32_t index)
{
	item_add(t, ITEM_GUARD, index);
	segment_end(t, is_branch(insn) ? END_BRANCH : is_return(insn) ? END_RETURN : END_CALL, index);
	if (insn->operation == OP_call)
		segment_begin(t, false);
}

static void insn_add(struct cpu_translation *t, uint32_t index)
{
	const struct ptx_insn *insn = &t->function->ptx->insns[index];

	if (cpu_is_nothing(insn))
		return;
	if (is_barrier(insn))
		barrier_add(t, insn, index);
	else if (cpu_members(insn) || cpu_is_together(insn))
		together_add(t, insn, index);
	else if (is_branch(insn) || is_return(insn) || (insn->operation == OP_call && !cpu_is_builtin(insn)))
		control_add(t, insn, index);
	else if (cpu_accesses(insn))
		access_add(t, insn, index);
	else
		item_add(t, ITEM_WHOLE, index);
}

/* ---- cases ------------------------------------------------------------------------------------ */

static void targets_mark(const struct ptx_insn *insn, bool *leader, size_t count)
{
	const struct ptx_operand *labels = insn->operation == OP_bra ? insn->operands : insn->operands[1].elements;
	unsigned label_count = insn->operation == OP_bra ? 1 : insn->operands[1].count;

	for (unsigned i = 0; i < label_count; i++)
		if (labels[i].kind == OPERAND_LABEL && (uint64_t)labels[i].value <= count)
			leader[labels[i].value] = true;
}

static bool *leaders_find(struct cpu_translation *t)
{
	const struct ptx_function *function = t->function->ptx;
	bool *leader = arena_array(t->arena, function->insn_count + 2, sizeof *leader);

	leader[0] = leader[function->insn_count] = true;
	for (size_t i = 0; i < function->insn_count; i++) {
		const struct ptx_insn *insn = &function->insns[i];

		if (is_branch(insn) && insn->operand_count > (insn->operation == OP_brx_idx))
			targets_mark(insn, leader, function->insn_count);
		if (is_branch(insn) || is_return(insn))
			leader[i + 1] = true;
		if (cpu_members(insn))
			leader[i] = true;
	}
	return leader;
}

static void segments_make(struct cpu_translation *t)
{
	struct cpu_function *function = t->function;
	const bool *leader = leaders_find(t);
	size_t count = function->ptx->insn_count;

	function->case_at = arena_array(t->arena, count + 1, sizeof *function->case_at);
	for (size_t i = 0; i <= count; i++) {
		if (leader[i])
			function->case_at[i] = segment_begin(t, true)->number;
		if (i < count)
			insn_add(t, (uint32_t)i);
	}
	segment_end(t, END_RETURN, CPU_NO_CASE);
}

/* ---- registers ------------------------------------------------------------------------------------ */

static void operand_see(const struct cpu_function *function, const struct ptx_operand *operand, bool written, bool sure,
                        cpu_see *see, void *context)
{
	if (operand->kind == OPERAND_VECTOR) {
		for (unsigned i = 0; i < operand->count; i++)
			operand_see(function, &operand->elements[i], written, sure, see, context);
	} else if (operand->kind == OPERAND_ADDRESS && operand->reg != PTX_NO_REGISTER) {
		see(context, operand->reg, false, false);
	} else if (operand->kind == OPERAND_REGISTER && (written || !function->constant[operand->reg])) {
		see(context, operand->reg, written, sure);
	}
}

static bool reads_carry(const struct ptx_insn *insn)
{
	return insn->operation == OP_addc || insn->operation == OP_subc || insn->operation == OP_madc;
}

void cpu_item_registers(const struct cpu_function *function, const struct cpu_item *item, cpu_see *see, void *context)
{
	const struct ptx_insn *insn = &function->ptx->insns[item->insn];
	uint32_t carry = (uint32_t)function->ptx->register_count;
	bool sources = item->kind == ITEM_WHOLE || item->kind == ITEM_SOURCES || item->kind == ITEM_BARRIER;

	if (insn->guarded && item->kind != ITEM_MEMBERS && item->kind != ITEM_RESULTS && item->kind != ITEM_REDUCED)
		see(context, insn->guard, false, false);
	if (item->kind == ITEM_MEMBERS)
		operand_see(function, cpu_members(insn), false, false, see, context);
	if (item->kind == ITEM_GUARD && insn->operation == OP_brx_idx)
		operand_see(function, &insn->operands[0], false, false, see, context);
	if (sources && reads_carry(insn))
		see(context, carry, false, false);
	for (unsigned i = insn->destinations; sources && i < insn->operand_count; i++)
		operand_see(function, &insn->operands[i], false, false, see, context);
	if (item->kind != ITEM_WHOLE && item->kind != ITEM_RESULTS && item->kind != ITEM_REDUCED)
		return;
	for (unsigned i = 0; i < insn->destinations; i++)
		operand_see(function, &insn->operands[i], true, !insn->guarded, see, context);
	if (insn->carry && item->kind == ITEM_WHOLE)
		see(context, carry, true, !insn->guarded);
}

/* Where registers are named, in the order of the text. */
struct homes {
	struct cpu_function *function;
	uint32_t segment;
	uint32_t *written; /* by register: the last segment that surely wrote it, plus one */
};

static void home_see(void *context, uint32_t reg, bool written, bool sure)
{
	struct homes *homes = context;
	uint32_t *home = &homes->function->home[reg], here = homes->segment;

	if (*home == 0)
		*home = here + 1;
	if (*home != here + 1 || (homes->written[reg] != here + 1 && !(written && sure)))
		*home = CPU_MANY;
	if (written && sure)
		homes->written[reg] = here + 1;
}

static void homes_find(struct cpu_translation *t)
{
	struct cpu_function *function = t->function;
	size_t count = function->ptx->register_count + 1;
	struct homes homes = {.function = function, .written = arena_array(t->arena, count, sizeof(uint32_t))};

	function->home = arena_array(t->arena, count, sizeof *function->home);
	for (uint32_t s = 0; s < function->segment_count; s++) {
		homes.segment = s;
		for (size_t i = 0; i < function->segments[s].item_count; i++)
			cpu_item_registers(function, &function->segments[s].items[i], home_see, &homes);
	}
}

static void constant_see(void *context, uint32_t reg, bool written, bool sure)
{
	uint32_t *writes = context;

	(void)sure;
	writes[reg] += written;
}

/* Registers that one instruction alone writes, a move of a number. */
static void constants_find(struct cpu_translation *t)
{
	struct cpu_function *function = t->function;
	const struct ptx_function *ptx = function->ptx;
	uint32_t *writes = arena_array(t->arena, ptx->register_count + 1, sizeof *writes);

	function->constant = arena_array(t->arena, ptx->register_count + 1, sizeof *function->constant);
	for (uint32_t i = 0; i < ptx->insn_count; i++) {
		cpu_item_registers(function, &(struct cpu_item){ITEM_WHOLE, i}, constant_see, writes);
	}
	for (size_t i = 0; i < ptx->insn_count; i++) {
		const struct ptx_insn *insn = &ptx->insns[i];

		if (insn->operation == OP_mov && !insn->guarded && insn->operands[0].kind == OPERAND_REGISTER &&
		    insn->operands[1].kind == OPERAND_IMMEDIATE && writes[insn->operands[0].reg] == 1)
			function->constant[insn->operands[0].reg] = &insn->operands[1];
	}
}

void cpu_plan(struct cpu_translation *t)
{
	constants_find(t);
	segments_make(t);
	homes_find(t);
	cpu_frame_plan(t);
}
