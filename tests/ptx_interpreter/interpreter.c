/* Runs a launch: blocks in order, warps of a block from barrier to barrier, lanes by explicit masks. */
#include "tests/ptx_interpreter/interpreter.h"

#include <string.h>

#define LANES INTERPRETER_LANES
#define MOST_DEPTH 256
#define MOST_CALL_BYTES 512
#define MOST_CALL_VARIABLES 64
#define LOCAL_BYTES 16384 /* of a thread, for all functions that it is in */

/* Lanes that run from `block` on until they come to `meet`. */
struct pending {
	uint32_t block, meet, mask, from;
};

/* .param variables of call sequences, for all lanes. */
struct call_variable {
	const char *name;
	uint8_t bytes[LANES][MOST_CALL_BYTES];
};

/* A function that a warp is in. */
struct frame {
	const struct ptx_function *function;
	const uint32_t *meets;
	uint64_t *registers; /* [register][lane] */
	struct pending stack[MOST_DEPTH];
	unsigned depth;
	uint32_t next; /* instruction within the block at the top of the stack */
	bool entered;  /* the block's header work was done */
	struct call_variable *variables;
	unsigned variable_count;
	uint8_t *local[LANES]; /* of the threads, in which this function's variables begin at local_first */
	uint64_t local_first;
	const struct ptx_insn *called_by;
	uint32_t mask; /* lanes that are in it */
	struct frame *caller;
};

struct warp {
	uint32_t mask, index;
	uint32_t thread[LANES][3];
	struct frame *frame;        /* innermost; NULL when it has ended */
	bool waits;                 /* at a barrier */
	uint32_t basic_block, insn; /* of the kernel: where it is */
};

struct machine {
	struct arena *arena, *scratch;
	const struct interpreter_launch *launch;
	struct interpreter_result *result;
	interpreter_watch *watch;
	void *context;
	uint32_t block[3];
	uint8_t *shared;
	size_t shared_bytes;
	struct {
		const struct ptx_function *function;
		uint32_t *meets;
	} analysed[64];
	unsigned analysed_count;
};

static void fail(struct machine *machine, const struct ptx_insn *insn, const char *why)
{
	if (!machine->result->error)
		machine->result->error =
			arena_printf(machine->arena, "line %u: %s: %s", insn->line, insn->spelling, why);
}

static const uint32_t *meets_of(struct machine *machine, const struct ptx_function *function)
{
	for (unsigned i = 0; i < machine->analysed_count; i++)
		if (machine->analysed[i].function == function)
			return machine->analysed[i].meets;
	if (machine->analysed_count == ARRAY_COUNT(machine->analysed))
		return interpreter_meeting_points(machine->arena, function);
	machine->analysed[machine->analysed_count].function = function;
	machine->analysed[machine->analysed_count].meets = interpreter_meeting_points(machine->arena, function);
	return machine->analysed[machine->analysed_count++].meets;
}

/* ---- memory ------------------------------------------------------------------------------------------ */

/* Where `bytes` bytes of a space lie for a lane, or NULL. */
static uint8_t *memory_at(struct machine *machine, struct frame *frame, unsigned lane, enum ptx_space space,
                          uint64_t address, unsigned bytes)
{
	const struct interpreter_launch *launch = machine->launch;

	if (space == SPACE_SHARED)
		return address + bytes <= machine->shared_bytes ? machine->shared + address : NULL;
	if (space == SPACE_LOCAL)
		return address + bytes <= LOCAL_BYTES ? frame->local[lane] + address : NULL;
	for (unsigned i = 0; i < launch->memory_count; i++) {
		const struct interpreter_memory *memory = &launch->memory[i];

		if (address >= memory->address && address + bytes <= memory->address + memory->bytes)
			return memory->data + (address - memory->address);
	}
	return NULL;
}

static enum ptx_space resolve(enum ptx_space space, uint64_t *address)
{
	uint64_t window = *address & ~(INTERPRETER_SHARED - 1);

	if (space != SPACE_GENERIC && space != SPACE_NONE)
		return space;
	if (window == INTERPRETER_SHARED || window == INTERPRETER_LOCAL || window == INTERPRETER_PARAMETER) {
		*address -= window;
		return window == INTERPRETER_SHARED  ? SPACE_SHARED
		       : window == INTERPRETER_LOCAL ? SPACE_LOCAL
		                                     : SPACE_PARAM;
	}
	return SPACE_GLOBAL;
}

static uint64_t read_bytes(const uint8_t *at, unsigned bytes)
{
	uint64_t result = 0;

	for (unsigned i = 0; at && i < bytes; i++)
		result |= (uint64_t)at[i] << (8 * i);
	return result;
}

static void write_bytes(uint8_t *at, unsigned bytes, uint64_t value)
{
	for (unsigned i = 0; at && i < bytes; i++)
		at[i] = (uint8_t)(value >> (8 * i));
}

static struct call_variable *call_variable(struct machine *machine, struct frame *frame, const char *name)
{
	for (unsigned i = 0; i < frame->variable_count; i++)
		if (!strcmp(frame->variables[i].name, name))
			return &frame->variables[i];
	if (!frame->variables)
		frame->variables = arena_array(machine->scratch, MOST_CALL_VARIABLES, sizeof(*frame->variables));
	if (frame->variable_count == MOST_CALL_VARIABLES)
		return &frame->variables[0];
	frame->variables[frame->variable_count].name = name;
	return &frame->variables[frame->variable_count++];
}

/* ---- variables and operands ------------------------------------------------------------------------------ */

static const struct ptx_variable *variable_named(const struct ptx_variable *list, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i].name, name))
			return &list[i];
	return NULL;
}

static uint64_t symbol_address(struct machine *machine, const struct frame *frame, const char *name)
{
	const struct ptx_function *function = frame->function;
	const struct ptx_module *module = machine->launch->module;
	const struct ptx_variable *variable = variable_named(function->locals, function->local_count, name);
	uint64_t align;

	if (!variable)
		variable = variable_named(function->parameters, function->parameter_count, name);
	if (!variable)
		variable = variable_named(module->variables, module->variable_count, name);
	if (!variable)
		return 0;
	align = variable->align_bytes ? variable->align_bytes : 1;
	if (variable->space == SPACE_SHARED && variable->count == 0)
		return (function->shared_bytes + align - 1) / align * align;
	return variable->offset + (variable->space == SPACE_LOCAL ? frame->local_first : 0);
}

static uint64_t special(const struct machine *machine, const struct warp *warp, unsigned lane, int64_t which)
{
	const struct interpreter_launch *launch = machine->launch;
	uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
	uint32_t own = UINT32_C(1) << lane;

	switch (which) {
	case SPECIAL_TID_X:
	case SPECIAL_TID_Y:
	case SPECIAL_TID_Z:
		return warp->thread[lane][which - SPECIAL_TID_X];
	case SPECIAL_NTID_X:
	case SPECIAL_NTID_Y:
	case SPECIAL_NTID_Z:
		return launch->block[which - SPECIAL_NTID_X];
	case SPECIAL_CTAID_X:
	case SPECIAL_CTAID_Y:
	case SPECIAL_CTAID_Z:
		return machine->block[which - SPECIAL_CTAID_X];
	case SPECIAL_NCTAID_X:
	case SPECIAL_NCTAID_Y:
	case SPECIAL_NCTAID_Z:
		return launch->grid[which - SPECIAL_NCTAID_X];
	case SPECIAL_LANEID:
		return lane;
	case SPECIAL_WARPID:
		return warp->index;
	case SPECIAL_NWARPID:
		return (threads + LANES - 1) / LANES;
	case SPECIAL_LANEMASK_EQ:
		return own;
	case SPECIAL_LANEMASK_LT:
		return own - 1;
	case SPECIAL_LANEMASK_LE:
		return own | (own - 1);
	case SPECIAL_LANEMASK_GE:
		return (uint32_t) ~(own - 1);
	case SPECIAL_LANEMASK_GT:
		return (uint32_t) ~(own | (own - 1));
	case SPECIAL_DYNAMIC_SHARED_SIZE:
		return launch->dynamic_shared_bytes;
	default:
		return 0;
	}
}

static uint64_t operand(struct machine *machine, const struct warp *warp, const struct ptx_operand *from, unsigned lane)
{
	struct frame *frame = warp->frame;

	switch (from->kind) {
	case OPERAND_REGISTER: {
		uint64_t value = frame->registers[(size_t)from->reg * LANES + lane];

		return from->negated && frame->function->registers[from->reg].type == PTX_pred ? !value : value;
	}
	case OPERAND_IMMEDIATE:
		return (uint64_t)from->value;
	case OPERAND_SPECIAL:
		return special(machine, warp, lane, from->value);
	case OPERAND_SYMBOL:
		return symbol_address(machine, frame, from->symbol) + (uint64_t)from->value;
	default:
		return 0;
	}
}

/* Keeps as many bits as the register has. */
static void set_register(struct frame *frame, const struct ptx_operand *to, unsigned lane, uint64_t value)
{
	unsigned bytes;

	if (to->kind != OPERAND_REGISTER)
		return;
	bytes = ptx_type_bytes((enum ptx_type)frame->function->registers[to->reg].type);
	if (bytes == 0)
		value = value & 1;
	else if (bytes < 8)
		value &= (UINT64_C(1) << (8 * bytes)) - 1;
	frame->registers[(size_t)to->reg * LANES + lane] = value;
}

static uint64_t widened(enum ptx_type type, uint64_t value)
{
	unsigned bits = 8 * ptx_type_bytes(type);

	if (!ptx_type_is_signed(type) || bits >= 64 || !(value >> (bits - 1) & 1))
		return value;
	return value | ~((UINT64_C(1) << bits) - 1);
}

/* ---- memory instructions --------------------------------------------------------------------------------------- */

static uint64_t address_of(struct machine *machine, const struct warp *warp, const struct ptx_operand *at,
                           unsigned lane)
{
	uint64_t base = 0;

	if (at->reg != PTX_NO_REGISTER)
		base = warp->frame->registers[(size_t)at->reg * LANES + lane];
	else if (at->symbol)
		base = symbol_address(machine, warp->frame, at->symbol);
	return base + (uint64_t)at->value;
}

static const struct ptx_operand *address_operand(const struct ptx_insn *insn)
{
	for (unsigned i = 0; i < insn->operand_count; i++)
		if (insn->operands[i].kind == OPERAND_ADDRESS)
			return &insn->operands[i];
	return NULL;
}

/* Element i of an operand that may be a vector. */
static const struct ptx_operand *element(const struct ptx_operand *of, unsigned i)
{
	return of->kind == OPERAND_VECTOR ? &of->elements[i < of->count ? i : 0] : of;
}

/* Memory of a .param variable: of the kernel, of this function's caller, or of a call sequence here. */
static uint8_t *parameter_at(struct machine *machine, const struct warp *warp, const struct ptx_operand *at,
                             unsigned lane, unsigned bytes)
{
	const struct interpreter_launch *launch = machine->launch;
	struct frame *frame = warp->frame;
	static uint8_t copy[64];
	uint64_t offset;

	if (at->symbol && !(frame->function->is_kernel &&
	                    variable_named(frame->function->parameters, frame->function->parameter_count, at->symbol)))
		return &call_variable(machine, frame, at->symbol)
		                ->bytes[lane][(uint64_t)at->value % (MOST_CALL_BYTES - 64)];
	offset = address_of(machine, warp, at, lane) & (INTERPRETER_SHARED - 1);
	if (offset + bytes > launch->parameter_bytes || bytes > sizeof(copy))
		return NULL;
	memcpy(copy, launch->parameters + offset, bytes);
	return copy;
}

static void tell(struct machine *machine, const struct warp *warp, enum interpreter_kind kind, uint32_t mask,
                 enum ptx_space space, const uint64_t *address)
{
	struct interpreter_event event = {.kind = kind,
	                                  .block = {machine->block[0], machine->block[1], machine->block[2]},
	                                  .warp = warp->index,
	                                  .basic_block = warp->basic_block,
	                                  .insn = warp->insn,
	                                  .mask = mask,
	                                  .called = warp->frame && warp->frame->caller,
	                                  .space = space,
	                                  .address = address};

	if (machine->watch)
		machine->watch(machine->context, &event);
}

static void count_request(struct machine *machine, struct warp *warp, uint32_t index, enum ptx_space space,
                          const uint64_t *address, uint32_t mask)
{
	const struct ptx_insn *insn = &warp->frame->function->insns[index];

	if (insn->space == SPACE_PARAM || insn->space == SPACE_CONST || space == SPACE_PARAM || space == SPACE_CONST)
		return;
	tell(machine, warp, INTERPRETER_REQUEST, mask, space, address);
	if (mask && !warp->frame->caller)
		interpreter_count(&machine->result->insns[index], space, address, mask, ptx_insn_access_bytes(insn),
		                  insn->atomic != 0);
}

static void access_lane(struct machine *machine, struct warp *warp, const struct ptx_insn *insn, unsigned lane,
                        enum ptx_space space, uint64_t address)
{
	struct frame *frame = warp->frame;
	const struct ptx_operand *at = address_operand(insn);
	unsigned bytes = ptx_type_bytes((enum ptx_type)insn->type);

	for (unsigned i = 0; i < (insn->vector ? insn->vector : 1u); i++) {
		struct ptx_operand here = *at;
		uint8_t *place;
		uint64_t old, stored = 0;

		here.value += i * bytes;
		place = space == SPACE_PARAM ? parameter_at(machine, warp, &here, lane, bytes)
		                             : memory_at(machine, frame, lane, space, address + i * bytes, bytes);
		old = read_bytes(place, bytes);
		if (insn->operation == OP_ld) {
			set_register(frame, element(&insn->operands[0], i), lane,
			             widened((enum ptx_type)insn->type, old));
			continue;
		}
		if (insn->operation == OP_st) {
			write_bytes(place, bytes, operand(machine, warp, element(&insn->operands[1], i), lane));
			continue;
		}
		bool returns = insn->operation == OP_atom;
		const struct ptx_operand *first = &insn->operands[1 + returns];
		uint64_t other =
			first + 1 < insn->operands + insn->operand_count ? operand(machine, warp, first + 1, lane) : 0;

		if (!interpreter_atomic(insn, old, operand(machine, warp, first, lane), other, &stored))
			fail(machine, insn, "atomic operation");
		write_bytes(place, bytes, stored);
		if (returns)
			set_register(frame, &insn->operands[0], lane, old);
	}
}

static void access_memory(struct machine *machine, struct warp *warp, uint32_t index, uint32_t mask)
{
	const struct ptx_insn *insn = &warp->frame->function->insns[index];
	const struct ptx_operand *at = address_operand(insn);
	uint64_t address[LANES] = {0};
	enum ptx_space space = SPACE_GLOBAL;

	for (unsigned lane = 0; lane < LANES; lane++)
		if (mask >> lane & 1) {
			address[lane] = address_of(machine, warp, at, lane);
			space = resolve((enum ptx_space)insn->space, &address[lane]);
		}
	count_request(machine, warp, index, space, address, mask);
	for (unsigned lane = 0; lane < LANES; lane++)
		if (mask >> lane & 1)
			access_lane(machine, warp, insn, lane, space, address[lane]);
}

/* ---- lanes among themselves ------------------------------------------------------------------------------------- */

static void shuffle(struct machine *machine, struct warp *warp, const struct ptx_insn *insn, uint32_t mask)
{
	const struct ptx_operand *v = insn->operands + insn->destinations;
	uint64_t result[LANES] = {0}, inside[LANES] = {0};

	for (unsigned lane = 0; lane < LANES; lane++) {
		uint64_t b = operand(machine, warp, &v[1], lane) & 31, c = operand(machine, warp, &v[2], lane);
		int segment = c >> 8 & 31, clamp = c & 31, most = ((int)lane & segment) | (clamp & ~segment), from;
		bool valid;

		if (insn->operation == OP_shfl_up) {
			from = (int)lane - (int)b;
			valid = from >= most;
		} else {
			from = insn->operation == OP_shfl_down   ? (int)(lane + b)
			       : insn->operation == OP_shfl_bfly ? (int)(lane ^ b)
			                                         : (((int)lane & segment) | ((int)b & ~segment));
			valid = from <= most;
		}
		result[lane] = operand(machine, warp, &v[0], valid ? (unsigned)from : lane);
		inside[lane] = valid;
	}
	for (unsigned lane = 0; lane < LANES; lane++) {
		if (!(mask >> lane & 1))
			continue;
		set_register(warp->frame, &insn->operands[0], lane, result[lane]);
		if (insn->destinations > 1)
			set_register(warp->frame, &insn->operands[1], lane, inside[lane]);
	}
}

static void vote(struct machine *machine, struct warp *warp, const struct ptx_insn *insn, uint32_t mask)
{
	uint32_t lanes = 0;
	uint64_t result;

	for (unsigned lane = 0; lane < LANES; lane++)
		if (mask >> lane & 1 && operand(machine, warp, &insn->operands[insn->destinations], lane))
			lanes |= UINT32_C(1) << lane;
	result = insn->operation == OP_vote_ballot ? lanes
	         : insn->operation == OP_vote_all  ? lanes == mask
	         : insn->operation == OP_vote_any  ? lanes != 0
	                                           : lanes == mask || lanes == 0;
	for (unsigned lane = 0; lane < LANES; lane++)
		if (mask >> lane & 1)
			set_register(warp->frame, &insn->operands[0], lane, result);
}

/* ---- everything else, lane by lane ----------------------------------------------------------------------------------
 */

static bool combined(const struct ptx_insn *insn, bool a, bool b)
{
	switch (insn->boolean) {
	case BOOLEAN_AND:
		return a && b;
	case BOOLEAN_OR:
		return a || b;
	case BOOLEAN_XOR:
		return a != b;
	default:
		return a;
	}
}

static void compare_lane(struct machine *machine, struct warp *warp, const struct ptx_insn *insn, unsigned lane)
{
	const struct ptx_operand *v = insn->operands + insn->destinations;
	bool third = insn->destinations + 2 < insn->operand_count && operand(machine, warp, &v[2], lane);
	bool truth = interpreter_compare(insn, (enum ptx_type)insn->type, operand(machine, warp, &v[0], lane),
	                                 operand(machine, warp, &v[1], lane));

	set_register(warp->frame, &insn->operands[0], lane, combined(insn, truth, third));
	if (insn->destinations > 1)
		set_register(warp->frame, &insn->operands[1], lane, combined(insn, !truth, third));
}

/* mov between vectors and scalars. */
static void move_lane(struct machine *machine, struct warp *warp, const struct ptx_insn *insn, unsigned lane)
{
	const struct ptx_operand *to = &insn->operands[0], *from = &insn->operands[1];
	unsigned bits = 8 * ptx_type_bytes((enum ptx_type)insn->type);
	uint64_t value = 0;

	if (from->kind == OPERAND_VECTOR)
		for (unsigned i = 0; i < from->count; i++) {
			unsigned width = bits / from->count;
			uint64_t piece = operand(machine, warp, &from->elements[i], lane);

			value |= (width < 64 ? piece & ((UINT64_C(1) << width) - 1) : piece) << (i * width);
		}
	else
		value = operand(machine, warp, from, lane);
	if (to->kind != OPERAND_VECTOR)
		set_register(warp->frame, to, lane, value);
	for (unsigned i = 0; to->kind == OPERAND_VECTOR && i < to->count; i++)
		set_register(warp->frame, &to->elements[i], lane, value >> (i * (bits / to->count)));
}

static uint64_t window_of(enum ptx_space space)
{
	return space == SPACE_SHARED  ? INTERPRETER_SHARED
	       : space == SPACE_LOCAL ? INTERPRETER_LOCAL
	       : space == SPACE_PARAM ? INTERPRETER_PARAMETER
	                              : 0;
}

static void compute_lane(struct machine *machine, struct warp *warp, const struct ptx_insn *insn, unsigned lane)
{
	const struct ptx_operand *v = insn->operands + insn->destinations;
	unsigned count = insn->operand_count - insn->destinations;
	uint64_t sources[4] = {0}, result = 0;
	enum ptx_type type = (enum ptx_type)insn->type;

	for (unsigned i = 0; i < count && i < 4; i++)
		sources[i] = operand(machine, warp, &v[i], lane);
	switch (insn->operation) {
	case OP_setp:
		compare_lane(machine, warp, insn, lane);
		return;
	case OP_mov:
		move_lane(machine, warp, insn, lane);
		return;
	case OP_selp:
		result = sources[2] ? sources[0] : sources[1];
		break;
	case OP_cvta:
		result = sources[0] + window_of((enum ptx_space)insn->space);
		break;
	case OP_cvta_to:
		result = sources[0] - window_of((enum ptx_space)insn->space);
		break;
	case OP_set:
		result = interpreter_compare(insn, (enum ptx_type)insn->source_type, sources[0], sources[1])
		                 ? UINT64_MAX
		                 : 0;
		break;
	default:
		if (type == PTX_pred)
			result = insn->operation == OP_and   ? sources[0] & sources[1]
			         : insn->operation == OP_or  ? sources[0] | sources[1]
			         : insn->operation == OP_xor ? sources[0] ^ sources[1]
			                                     : !sources[0];
		else if (!interpreter_operation(insn, sources, &result))
			fail(machine, insn, "not known to the interpreter");
		result = widened(insn->operation == OP_cvt ? type : PTX_u64, result);
		break;
	}
	set_register(warp->frame, &insn->operands[0], lane, result);
}

/* ---- calls
 * -------------------------------------------------------------------------------------------------------------- */

static struct frame *frame_create(struct machine *machine, const struct ptx_function *function, uint32_t mask,
                                  struct frame *caller)
{
	struct frame *frame = arena_alloc(machine->scratch, sizeof(*frame));

	frame->function = function;
	frame->meets = meets_of(machine, function);
	frame->registers = arena_array(machine->scratch, function->register_count * LANES + 1, sizeof(uint64_t));
	for (unsigned lane = 0; lane < LANES; lane++)
		frame->local[lane] = caller ? caller->local[lane] : arena_alloc(machine->scratch, LOCAL_BYTES);
	if (caller)
		frame->local_first = caller->local_first + (caller->function->local_bytes + 15) / 16 * 16;
	frame->stack[frame->depth++] = (struct pending){0, PTX_NO_BASIC_BLOCK, mask, PTX_NO_BASIC_BLOCK};
	frame->mask = mask;
	frame->caller = caller;
	return frame;
}

static void copy_variable(struct machine *machine, struct frame *to, const char *to_name, struct frame *from,
                          const char *from_name, uint32_t mask)
{
	struct call_variable *target = call_variable(machine, to, to_name),
			     *source = call_variable(machine, from, from_name);

	for (unsigned lane = 0; lane < LANES; lane++)
		if (mask >> lane & 1)
			memcpy(target->bytes[lane], source->bytes[lane], MOST_CALL_BYTES);
}

static void call(struct machine *machine, struct warp *warp, const struct ptx_insn *insn, uint32_t mask)
{
	const struct ptx_operand *callee = &insn->operands[insn->destinations];
	const struct ptx_function *function =
		callee->kind == OPERAND_SYMBOL ? ptx_module_find(machine->launch->module, callee->symbol) : NULL;
	struct frame *frame;

	if (!function || !function->has_body) {
		fail(machine, insn, "call of a function without body");
		return;
	}
	frame = frame_create(machine, function, mask, warp->frame);
	frame->called_by = insn;
	for (size_t i = 0; i < function->parameter_count; i++)
		if (callee[1 + i].kind == OPERAND_SYMBOL)
			copy_variable(machine, frame, function->parameters[i].name, warp->frame, callee[1 + i].symbol,
			              mask);
	warp->frame = frame;
}

/* The innermost function has ended. */
static void frame_return(struct machine *machine, struct warp *warp)
{
	struct frame *done = warp->frame;

	warp->frame = done->caller;
	if (!done->caller)
		tell(machine, warp, INTERPRETER_EXIT, 0, SPACE_NONE, NULL);
	for (size_t i = 0; done->caller && i < done->function->result_count; i++)
		if (done->called_by->operands[i].kind == OPERAND_SYMBOL)
			copy_variable(machine, done->caller, done->called_by->operands[i].symbol, done,
			              done->function->results[i].name, done->mask);
}

/* ---- control
 * -------------------------------------------------------------------------------------------------------------- */

static struct pending *top(struct frame *frame)
{
	return &frame->stack[frame->depth - 1];
}

static bool in_loop(const struct ptx_function *function, uint32_t block, uint32_t loop)
{
	const struct ptx_loop *of = &function->cfg->loops[loop];

	for (uint32_t i = 0; block != PTX_NO_BASIC_BLOCK && i < of->block_count; i++)
		if (of->blocks[i] == block)
			return true;
	return false;
}

/* Counts the block, and the entry of a loop that it heads. */
static void enter_block(struct machine *machine, struct warp *warp)
{
	const struct frame *frame = warp->frame;
	const struct ptx_function *function = frame->function;
	const struct pending *here = &frame->stack[frame->depth - 1];
	const struct ptx_basic_block *block = &function->cfg->blocks[here->block];

	machine->result->warp_instructions += block->count;
	if (frame->caller)
		return;
	warp->basic_block = here->block;
	warp->insn = block->first;
	tell(machine, warp, INTERPRETER_BLOCK, here->mask, SPACE_NONE, NULL);
	for (uint32_t loop = 0; loop < function->cfg->loop_count; loop++)
		if (function->cfg->loops[loop].header == here->block && !in_loop(function, here->from, loop))
			machine->result->loops[loop].entries++;
	for (uint32_t i = 0; i < block->count; i++)
		machine->result->insns[block->first + i].issued++;
}

static bool is_latch(const struct ptx_loop *loop, uint32_t block)
{
	for (uint32_t i = 0; i < loop->latch_count; i++)
		if (loop->latches[i] == block)
			return true;
	return false;
}

/* The block was left towards `next` by some lanes; counts trips of loops that it heads, once. */
static void leave_header(struct machine *machine, const struct frame *frame, uint32_t block, const uint32_t *next,
                         unsigned count)
{
	const struct ptx_function *function = frame->function;

	for (uint32_t loop = 0; !frame->caller && loop < function->cfg->loop_count; loop++) {
		bool stays = is_latch(&function->cfg->loops[loop], block);

		if (function->cfg->loops[loop].header != block)
			continue;
		for (unsigned i = 0; i < count; i++)
			stays |= in_loop(function, next[i], loop);
		machine->result->loops[loop].trips += stays;
	}
}

static void push(struct machine *machine, struct frame *frame, struct pending pending)
{
	if (frame->depth == MOST_DEPTH)
		machine->result->error = "stack of masks too deep";
	else
		frame->stack[frame->depth++] = pending;
}

/* Lanes go to next[i] by masks[i]. */
static void go(struct machine *machine, struct frame *frame, const uint32_t *next, const uint32_t *masks,
               unsigned count)
{
	struct pending here = *top(frame);
	uint32_t meet = frame->meets[here.block];

	leave_header(machine, frame, here.block, next, count);
	frame->next = 0;
	frame->entered = false;
	frame->depth--;
	if (count == 1) {
		push(machine, frame, (struct pending){next[0], here.meet, masks[0], here.block});
		return;
	}
	if (!frame->caller)
		machine->result->divergent_branches++;
	if (meet != here.meet)
		push(machine, frame, (struct pending){meet, here.meet, here.mask, here.block});
	for (unsigned i = 0; i < count; i++)
		if (next[i] != meet)
			push(machine, frame, (struct pending){next[i], meet, masks[i], here.block});
}

static uint32_t block_starting(const struct ptx_function *function, int64_t insn)
{
	for (uint32_t i = 0; i < function->cfg->block_count; i++)
		if (function->cfg->blocks[i].first == insn)
			return i;
	return PTX_NO_BASIC_BLOCK;
}

static uint32_t following(const struct ptx_function *function, uint32_t block)
{
	return block + 1 < function->cfg->block_count ? block + 1 : PTX_NO_BASIC_BLOCK;
}

/* Lanes of a branch sorted by where they go. What falls through waits for those that branch, as nothing says and the
 * evaluator has it. */
static void branch(struct machine *machine, struct warp *warp, const struct ptx_insn *insn, uint32_t taken)
{
	struct frame *frame = warp->frame;
	uint32_t mask = top(frame)->mask, fall = following(frame->function, top(frame)->block);
	uint32_t next[LANES + 1], masks[LANES + 1];
	unsigned count = 0;

	if (insn->operation == OP_bra && mask & ~taken && taken) {
		next[0] = fall;
		masks[count++] = 0;
	}
	for (unsigned lane = 0; lane < LANES; lane++) {
		uint32_t target = fall;
		unsigned i = 0;

		if (!(mask >> lane & 1))
			continue;
		if (taken >> lane & 1 && insn->operation == OP_bra) {
			target = block_starting(frame->function, insn->operands[0].value);
		} else if (taken >> lane & 1) {
			uint64_t which = operand(machine, warp, &insn->operands[0], lane);

			target = which < insn->operands[1].count
			                 ? block_starting(frame->function, insn->operands[1].elements[which].value)
			                 : PTX_NO_BASIC_BLOCK;
		}
		while (i < count && next[i] != target)
			i++;
		if (i == count) {
			next[count] = target;
			masks[count++] = 0;
		}
		masks[i] |= UINT32_C(1) << lane;
	}
	go(machine, frame, next, masks, count);
}

static uint32_t guard_mask(struct machine *machine, const struct warp *warp, const struct ptx_insn *insn, uint32_t mask)
{
	struct ptx_operand guard = {.kind = OPERAND_REGISTER, .reg = insn->guard, .negated = insn->guard_negated};
	uint32_t passed = 0;

	if (!insn->guarded)
		return mask;
	for (unsigned lane = 0; lane < LANES; lane++)
		if (mask >> lane & 1 && operand(machine, warp, &guard, lane))
			passed |= UINT32_C(1) << lane;
	return passed;
}

static void leave_function(struct frame *frame, uint32_t mask)
{
	for (unsigned i = 0; i < frame->depth; i++)
		frame->stack[i].mask &= ~mask;
}

static bool is_memory(const struct ptx_insn *insn)
{
	return insn->operation == OP_ld || insn->operation == OP_st || insn->operation == OP_atom ||
	       insn->operation == OP_red;
}

static bool has_no_effect(const struct ptx_insn *insn)
{
	switch (insn->operation) {
	case OP_fence:
	case OP_bar_warp_sync:
	case OP_nanosleep:
	case OP_pmevent:
	case OP_prefetch:
	case OP_discard:
		return true;
	default:
		return false;
	}
}

/* Executes an instruction that is no branch for the lanes of mask. */
static void execute(struct machine *machine, struct warp *warp, uint32_t index, uint32_t mask)
{
	const struct ptx_insn *insn = &warp->frame->function->insns[index];
	unsigned flags = ptx_insn_flags(insn);

	if (flags & FLAG_EXIT) {
		leave_function(warp->frame, mask);
	} else if (flags & FLAG_BARRIER) {
		warp->waits = true;
		if (mask && !warp->frame->caller)
			tell(machine, warp, INTERPRETER_BARRIER, mask, SPACE_NONE, NULL);
	} else if (flags & FLAG_CALL) {
		if (mask)
			call(machine, warp, insn, mask);
	} else if (is_memory(insn)) {
		access_memory(machine, warp, index, mask);
	} else if (insn->operation >= OP_shfl_up && insn->operation <= OP_shfl_idx) {
		shuffle(machine, warp, insn, mask);
	} else if (insn->operation >= OP_vote_all && insn->operation <= OP_vote_ballot) {
		vote(machine, warp, insn, mask);
	} else if (!has_no_effect(insn)) {
		for (unsigned lane = 0; lane < LANES; lane++)
			if (mask >> lane & 1)
				compute_lane(machine, warp, insn, lane);
	}
}

/* Runs the next instruction of the warp, or ends the block it is in. */
static void step(struct machine *machine, struct warp *warp)
{
	struct frame *frame = warp->frame;
	const struct pending *here = &frame->stack[frame->depth - 1];
	const struct ptx_basic_block *block = &frame->function->cfg->blocks[here->block];
	const struct ptx_insn *insn;
	uint32_t index, passed;

	if (!frame->entered) {
		enter_block(machine, warp);
		frame->entered = true;
	}
	if (frame->next == block->count) {
		uint32_t fall = following(frame->function, here->block), mask = here->mask;

		go(machine, frame, &fall, &mask, 1);
		return;
	}
	index = block->first + frame->next++;
	insn = &frame->function->insns[index];
	passed = guard_mask(machine, warp, insn, here->mask);
	if (!frame->caller)
		warp->insn = index;
	machine->result->steps++;
	if (!frame->caller) {
		machine->result->insns[index].executions += passed != 0;
		machine->result->insns[index].lanes += __builtin_popcount(passed);
	}
	if (ptx_insn_flags(insn) & FLAG_BRANCH)
		branch(machine, warp, insn, passed);
	else
		execute(machine, warp, index, passed);
}

/* Runs the warp until it ends or waits. */
static void run_warp(struct machine *machine, struct warp *warp)
{
	while (warp->frame && !warp->waits && !machine->result->error) {
		struct frame *frame = warp->frame;

		if (!frame->depth) {
			frame_return(machine, warp);
		} else if (!top(frame)->mask || top(frame)->block == PTX_NO_BASIC_BLOCK ||
		           top(frame)->block == top(frame)->meet) {
			frame->depth--;
			frame->next = 0;
			frame->entered = false;
		} else {
			step(machine, warp);
		}
		if (machine->result->steps > machine->launch->step_limit)
			machine->result->error = "too many steps";
	}
}

static void run_block(struct machine *machine)
{
	const struct interpreter_launch *launch = machine->launch;
	uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2],
		 count = (threads + LANES - 1) / LANES;
	struct warp *warps;
	bool running = true;

	machine->scratch = arena_create();
	warps = arena_array(machine->scratch, count, sizeof(*warps));
	machine->shared_bytes = launch->function->shared_bytes + launch->dynamic_shared_bytes + 64;
	machine->shared = arena_alloc(machine->scratch, machine->shared_bytes);
	for (uint32_t thread = 0; thread < threads; thread++) {
		struct warp *warp = &warps[thread / LANES];

		warp->index = thread / LANES;
		warp->mask |= UINT32_C(1) << (thread % LANES);
		warp->thread[thread % LANES][0] = thread % launch->block[0];
		warp->thread[thread % LANES][1] = thread / launch->block[0] % launch->block[1];
		warp->thread[thread % LANES][2] = thread / launch->block[0] / launch->block[1];
	}
	for (uint32_t i = 0; i < count; i++)
		warps[i].frame = frame_create(machine, launch->function, warps[i].mask, NULL);
	while (running && !machine->result->error) {
		running = false;
		for (uint32_t i = 0; i < count; i++) {
			warps[i].waits = false;
			run_warp(machine, &warps[i]);
			running |= warps[i].frame != NULL;
		}
	}
	machine->result->warps += count;
	arena_release(machine->scratch);
}

struct interpreter_result *interpret(struct arena *arena, const struct interpreter_launch *launch,
                                     interpreter_watch *watch, void *context)
{
	struct interpreter_result *result = arena_alloc(arena, sizeof(*result));
	struct machine machine = {
		.arena = arena, .launch = launch, .result = result, .watch = watch, .context = context};

	result->insns = arena_array(arena, launch->function->insn_count, sizeof(*result->insns));
	result->loops = arena_array(arena, launch->function->cfg->loop_count, sizeof(*result->loops));
	for (machine.block[2] = 0; machine.block[2] < launch->grid[2]; machine.block[2]++)
		for (machine.block[1] = 0; machine.block[1] < launch->grid[1]; machine.block[1]++)
			for (machine.block[0] = 0; machine.block[0] < launch->grid[0] && !result->error;
			     machine.block[0]++)
				run_block(&machine);
	return result;
}
