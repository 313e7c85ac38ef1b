/*
 * Where the lanes of a traced warp go: as in branch.c and warp.c, but that every branch goes one way or parts lanes;
 * none is weighed.
 */
#include "model/execute/trace/state.h"

#include <string.h>

/* ---- functions --------------------------------------------------------------------------------- */

/* Registers that lanes waiting below the top of the stack will read. */
static void pending_update(struct level *level)
{
	const struct plan *plan = level->code->plan;

	memset(level->pending, 0, plan->live_words * sizeof(uint64_t));
	for (uint32_t i = 0; i + 1 < level->depth; i++) {
		uint32_t block = level->stack[i].block;

		for (uint32_t word = 0; block != PTX_NO_BASIC_BLOCK && word < plan->live_words; word++)
			level->pending[word] |= plan->blocks[block].live[word];
	}
}

static void stack_push(struct trace *trace, struct level *level, struct waiting waiting)
{
	if (level->depth == level->capacity) {
		uint32_t capacity = 2 * level->capacity;
		struct waiting *grown = arena_array(trace->tracer->arena, capacity, sizeof(*grown));

		memcpy(grown, level->stack, level->depth * sizeof(*grown));
		level->stack = grown;
		level->capacity = capacity;
	}
	level->stack[level->depth++] = waiting;
}

static struct level *level_new(struct trace *trace, struct trace_code *code)
{
	struct arena *arena = trace->tracer->arena;
	struct level *level = arena_alloc(arena, sizeof(*level));

	level->code = code;
	level->registers = arena_array(arena, code->plan->register_count + 1, sizeof(*level->registers));
	level->pending = arena_array(arena, code->plan->live_words, sizeof(*level->pending));
	level->trips = arena_array(arena, code->plan->function->cfg->loop_count + 1, sizeof(*level->trips));
	level->capacity = 4;
	level->stack = arena_array(arena, level->capacity, sizeof(*level->stack));
	return level;
}

struct level *trace_level_push(struct trace *trace, const struct plan *plan, uint32_t mask)
{
	struct trace_code *code = trace_code_make(trace->tracer, plan);
	struct level *level = code->spare;

	if (level)
		code->spare = level->caller;
	else
		level = level_new(trace, code);
	for (uint32_t reg = 0; reg < plan->register_count; reg++) {
		packed_line(&level->registers[reg], plan->bits[reg], 0, 0);
		level->registers[reg].unset = true;
	}
	level->depth = 0;
	level->act = level->end = NULL;
	level->caller = trace->level;
	stack_push(trace, level,
	           (struct waiting){.block = 0, .stop = PTX_NO_BASIC_BLOCK, .from = PTX_NO_BASIC_BLOCK, .mask = mask});
	pending_update(level);
	trace->level = level;
	return level;
}

/* Copies the bytes of one .param variable between two functions' registers. */
static void pass_parameter(struct trace *trace, struct level *to, const char *to_symbol, const struct level *from,
                           const char *from_symbol, uint32_t mask, uint32_t live)
{
	const struct plan *plan = to->code->plan;

	for (size_t i = 0; i < plan->parameter_count; i++) {
		const struct parameter_slot *slot = &plan->parameters[i];
		uint32_t reg;

		if (strcmp(slot->symbol, to_symbol))
			continue;
		reg = plan_parameter(from->code->plan, from_symbol, slot->offset);
		if (reg != NO_INDEX)
			trace_packed_write(trace, to, slot->reg, &from->registers[reg], mask, live);
	}
}

/* Results of a function that is not followed. */
static void call_unknown(struct trace *trace, struct level *level, const struct step *step, uint32_t mask,
                         uint32_t live)
{
	struct packed result = {.lanes = NULL};

	packed_line(&result, 64, 0, 0);
	result.doubt = UNKNOWN;
	result.origin = step->index;
	for (unsigned i = 0; i < step->target_count; i++)
		if (step->targets[i] != NO_INDEX)
			trace_packed_write(trace, level, step->targets[i], &result, mask, live);
}

void trace_level_call(struct trace *trace, const struct step *step, uint32_t mask, uint32_t live)
{
	const struct ptx_insn *insn = step->insn;
	struct level *caller = trace->level, *callee;

	if (!step->callee || trace->calls == WARP_CALLS) {
		call_unknown(trace, caller, step, mask, live);
		return;
	}
	callee = trace_level_push(trace, step->callee, mask);
	callee->called_by = step;
	callee->called_mask = mask;
	callee->called_live = live;
	trace->calls++;
	for (size_t i = 0; i < step->callee->function->parameter_count; i++) {
		size_t operand = insn->destinations + 1 + i;

		if (operand < insn->operand_count && insn->operands[operand].kind == OPERAND_SYMBOL)
			pass_parameter(trace, callee, step->callee->function->parameters[i].name, caller,
			               insn->operands[operand].symbol, mask, mask);
	}
}

void trace_level_pop(struct trace *trace)
{
	struct level *done = trace->level, *caller = done->caller;
	const struct ptx_function *function = done->code->plan->function;

	if (caller) {
		const struct ptx_insn *insn = done->called_by->insn;

		for (size_t i = 0; i < function->result_count && i < insn->destinations; i++)
			if (insn->operands[i].kind == OPERAND_SYMBOL)
				pass_parameter(trace, caller, insn->operands[i].symbol, done, function->results[i].name,
				               done->called_mask, done->called_live);
		trace->calls--;
	}
	trace->level = caller;
	done->caller = done->code->spare;
	done->code->spare = done;
}

void trace_level_leave(struct level *level, uint32_t lanes)
{
	for (uint32_t i = 0; i < level->depth; i++)
		level->stack[i].mask &= ~lanes;
}

/* ---- what is not known --------------------------------------------------------------------------- */

bool trace_draw(struct trace *trace, uint32_t line, double share)
{
	trace->assumed = true;
	return content_fraction(content_scramble(trace->number << 32 ^ line) + trace->draws++) < share;
}

/* How a guard comes out: lanes known to pass, and lanes of which it is not known. */
static struct outcome packed_outcome(const struct trace *trace, const struct level *level, const struct step *step,
                                     uint32_t mask)
{
	const struct packed *guard = &level->registers[step->guard];
	uint32_t lanes = (uint32_t)guard->base & ~(uint32_t)guard->step;
	enum guard_doubt doubt = plan_guard_doubt(&trace->tracer->input, level->code->plan, step);

	if (doubt != GUARD_FREE)
		return (struct outcome){.unknown = mask, .origin = NO_INDEX, .common = doubt == GUARD_COMMON};
	if (step->insn->guard_negated)
		lanes = ~lanes & ~(uint32_t)guard->step;
	return (struct outcome){.yes = lanes & mask,
	                        .unknown = (uint32_t)guard->step & mask,
	                        .origin = guard->origin,
	                        .common = guard->doubt == SHIFTED && ((uint32_t)guard->step & mask) == mask};
}

/* Lanes taken to pass: all or none where it is the same for all of them, else each by itself. Of one line of the
 * source, the same ones whatever the code is. */
static uint32_t assume_lanes(struct trace *trace, const struct level *level, const struct step *step,
                             const struct outcome *outcome)
{
	const struct plan *plan = level->code->plan;
	struct guard_share share = plan_share(&trace->tracer->input, plan, step);
	uint32_t line = plan->module->places[step->insn->place].place.line, passing = 0;
	double pass = plan_pass(&share);
	uint64_t seed;

	if (outcome->common)
		return trace_draw(trace, line, pass) ? outcome->unknown : 0;
	trace->assumed = true;
	seed = content_scramble(content_scramble(trace->number << 32 ^ line) + trace->draws++);
	for (uint32_t rest = outcome->unknown; rest; rest &= rest - 1)
		if (content_fraction(seed + (uint64_t)__builtin_ctz(rest)) < pass)
			passing |= rest & -rest;
	return passing;
}

uint32_t trace_guard_pass(struct trace *trace, const struct level *level, const struct step *step, uint32_t mask)
{
	struct outcome outcome = packed_outcome(trace, level, step, mask);

	return outcome.unknown ? outcome.yes | assume_lanes(trace, level, step, &outcome) : outcome.yes;
}

/* Lanes that take a branch that decides about a loop, where that is not known. */
static uint32_t guess_loop(struct trace *trace, const struct level *level, const struct plan_block *block,
                           uint32_t loop, const struct outcome *outcome)
{
	const struct ptx_function *function = level->code->plan->function;
	double trips = plan_unknown_trips(&trace->tracer->input, level->code->plan, loop);
	bool atomic = outcome->origin < function->insn_count &&
	              ptx_insn_flags(&function->insns[outcome->origin]) & FLAG_ATOMIC;
	bool stay = !atomic && level->trips[loop] + 1 < trips;

	trace->assumed = true;
	return outcome->yes | (stay == plan_in_loop(level->code->plan, block->target, loop) ? outcome->unknown : 0);
}

/* ---- branches ------------------------------------------------------------------------------------ */

void trace_meet(struct level *level)
{
	level->depth--;
	pending_update(level);
}

static void go_to(struct level *level, uint32_t block)
{
	struct waiting *top = level_top(level);

	top->from = top->block;
	top->block = block;
}

/* Sides of a branch are run one after the other, the last one first; all meet where the block's lanes do. */
static void part(struct trace *trace, struct level *level, const uint32_t *blocks, const uint32_t *masks,
                 unsigned count)
{
	struct waiting base = *level_top(level);
	uint32_t meet = level->code->plan->blocks[base.block].reconverge;

	if (meet == base.stop)
		level->depth--;
	else
		go_to(level, meet);
	for (unsigned i = 0; i < count; i++)
		if (blocks[i] != meet)
			stack_push(trace, level,
			           (struct waiting){
					   .block = blocks[i], .stop = meet, .from = base.block, .mask = masks[i]});
	pending_update(level);
}

static void branch_conditional(struct trace *trace, struct level *level, const struct plan_block *block)
{
	uint32_t mask = level_top(level)->mask, taken;
	struct outcome outcome = packed_outcome(trace, level, block->branch, mask);
	uint32_t loop = outcome.unknown ? plan_decided_loop(level->code->plan, block) : PTX_NO_LOOP;

	if (outcome.unknown && loop != PTX_NO_LOOP)
		taken = guess_loop(trace, level, block, loop, &outcome);
	else if (outcome.unknown)
		taken = outcome.yes | assume_lanes(trace, level, block->branch, &outcome);
	else
		taken = outcome.yes;
	if (taken == mask || taken == 0) {
		go_to(level, taken ? block->target : block->fall);
	} else {
		const uint32_t blocks[2] = {block->fall, block->target}, masks[2] = {mask & ~taken, taken};

		part(trace, level, blocks, masks, 2);
	}
}

/* brx.idx: lanes go where their index says; all to the first target where that is not known. */
static void branch_indexed(struct trace *trace, struct level *level, const struct plan_block *block)
{
	const struct plan *plan = level->code->plan;
	uint32_t rest = level_top(level)->mask, blocks[WARP_LANES], masks[WARP_LANES];
	const struct packed *index;
	unsigned count = 0;

	if (!block->branch->source_count) {
		go_to(level, plan_indexed_target(plan, block, 0));
		return;
	}
	index = act_source(trace, level, &level->code->blocks[level_top(level)->block].index);
	trace->assumed |= index->doubt != KNOWN;
	while (rest) {
		uint64_t number = index->doubt ? 0 : packed_lane(index, (unsigned)__builtin_ctz(rest));

		masks[count] = index->doubt ? rest : 0;
		for (unsigned lane = 0; lane < WARP_LANES && !index->doubt; lane++)
			if (rest >> lane & 1 && packed_lane(index, lane) == number)
				masks[count] |= UINT32_C(1) << lane;
		rest &= ~masks[count];
		blocks[count++] = plan_indexed_target(plan, block, number);
	}
	if (count == 1)
		go_to(level, blocks[0]);
	else
		part(trace, level, blocks, masks, count);
}

void trace_transfer(struct trace *trace, struct level *level)
{
	const struct plan_block *block = &level->code->plan->blocks[level_top(level)->block];

	if (!block->branch)
		go_to(level, block->fall);
	else if (block->branch->insn->operation == OP_brx_idx)
		branch_indexed(trace, level, block);
	else if (block->branch->insn->guarded)
		branch_conditional(trace, level, block);
	else
		go_to(level, block->target);
}
