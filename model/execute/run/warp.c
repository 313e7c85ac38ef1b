/*
 * One warp from entry to exit.
 *
 * A stack of masks: at a branch whose lanes part, both sides are run one after the other and meet at the branch's immediate
 * post-dominator. Where a condition is not known, it is assumed and said so:
 *   - the same for all lanes: both sides are run, with the probability given and its complement as weights;
 *   - of each lane: that share of the lanes takes the branch, always the same ones;
 *   - whether a loop goes on: the number of trips given; once, where it waits for an atomic operation to succeed.
 * What one side wrote is unknown afterwards to those that meet there.
 */
#include "model/execute/internal.h"

#include <math.h>
#include <string.h>

#define MOST_CALLS 8
#define LEAST_WEIGHT 1e-6

const struct ptx_insn *kernel_insn(const struct run *run, uint32_t index)
{
	const struct ptx_function *function = run->evaluator->plan->function;

	return index < function->insn_count ? &function->insns[index] : NULL;
}

const char *origin_text(const struct run *run, uint32_t origin)
{
	const struct evaluate_input *input = run->evaluator->input;
	const struct ptx_insn *insn = kernel_insn(run, origin);
	uint32_t buffer;

	if (!insn)
		return "a value that is not known";
	buffer = run->evaluator->result->insns[origin].buffer;
	if (ptx_insn_flags(insn) & FLAG_ATOMIC)
		return "the result of an atomic operation";
	if (insn->space == SPACE_PARAM)
		return "an argument that is not known";
	if (!(ptx_insn_flags(insn) & FLAG_LOAD))
		return arena_printf(run->evaluator->arena, "the result of %s", insn->spelling);
	if (insn->space == SPACE_SHARED)
		return "data in shared memory";
	if (buffer < input->buffer_count && input->buffers[buffer].name && run->evaluator->result->insns[origin].sample_mask)
		return arena_printf(run->evaluator->arena, "data loaded from %s", input->buffers[buffer].name);
	return "loaded data";
}

void warp_assume(struct run *run, uint32_t insn, const char *format, const char *detail)
{
	struct evaluator *evaluator = run->evaluator;
	struct evaluation *result = evaluator->result;
	struct assumption assumption = {.insn = run->call_depth ? run->call_insn : insn};

	run->inexact = true;
	if (evaluator->assumed[assumption.insn])
		return;
	evaluator->assumed[assumption.insn] = true;
	assumption.text = arena_printf(evaluator->arena, format, detail);
	ARENA_PUSH(evaluator->arena, result->assumptions, result->assumption_count, assumption);
}

void warp_cut(struct run *run, const struct activation *activation, const char *why)
{
	const struct entry *entry = &activation->stack[activation->depth - 1];

	run->end = RUN_CUT;
	run->cut_at = activation->plan->function->cfg->blocks[entry->block].first;
	run->why = why;
}

/* Registers that lanes waiting below the top of the stack will read. */
void activation_update(struct activation *activation)
{
	const struct plan *plan = activation->plan;

	memset(activation->pending, 0, plan->live_words * sizeof(uint64_t));
	for (uint32_t i = 0; i + 1 < activation->depth; i++) {
		uint32_t block = activation->stack[i].block;

		for (uint32_t word = 0; block != PTX_NO_BASIC_BLOCK && word < plan->live_words; word++)
			activation->pending[word] |= plan->blocks[block].live[word];
	}
}

void activation_push(struct run *run, struct activation *activation, struct entry entry)
{
	if (activation->depth == activation->capacity) {
		uint32_t capacity = 2 * activation->capacity;
		struct entry *grown = arena_array(run->evaluator->scratch, capacity, sizeof(*grown));

		memcpy(grown, activation->stack, activation->depth * sizeof(*grown));
		activation->stack = grown;
		activation->capacity = capacity;
	}
	activation->stack[activation->depth++] = entry;
}

/* Lanes leave the function: they are waited for no longer, except by the other side of a branch that was weighed. */
static void leave_lanes(struct activation *activation, uint32_t lanes)
{
	uint32_t first = activation_top(activation)->fence ? activation_top(activation)->fence - 1 : 0;

	for (uint32_t i = first; i < activation->depth; i++)
		activation->stack[i].mask &= ~lanes;
}

struct activation *activation_make(struct run *run, const struct plan *plan, struct activation *caller)
{
	struct arena *arena = run->evaluator->scratch;
	struct activation *activation = run->spare;

	while (activation && (activation->plan != plan || activation->busy))
		activation = activation->next;
	if (activation) {
		activation->depth = 0;
	} else {
		activation = arena_alloc(arena, sizeof(*activation));
		activation->plan = plan;
		activation->registers = arena_array(arena, plan->register_count + 1, sizeof(struct value));
		activation->pending = arena_array(arena, plan->live_words, sizeof(uint64_t));
		activation->capacity = 16;
		activation->stack = arena_array(arena, activation->capacity, sizeof(struct entry));
		activation->next = run->spare;
		run->spare = activation;
	}
	activation->busy = true;
	activation->caller = caller;
	for (uint32_t reg = 0; reg < plan->register_count; reg++) {
		value_set(&activation->registers[reg], plan->bits[reg], 0);
		activation->registers[reg].unset = true;
	}
	return activation;
}

/* Copies the bytes of one .param variable between two functions' registers. */
static void pass_parameter(struct run *run, struct activation *to, const char *to_symbol, const struct activation *from,
                           const char *from_symbol, uint32_t mask, uint32_t live)
{
	for (size_t i = 0; i < to->plan->parameter_count; i++) {
		const struct parameter_slot *slot = &to->plan->parameters[i];
		uint32_t reg;

		if (strcmp(slot->symbol, to_symbol))
			continue;
		reg = plan_parameter(from->plan, from_symbol, slot->offset);
		if (reg != NO_INDEX)
			register_write(run, to, slot->reg, &from->registers[reg], mask, live);
	}
}

/* Runs the called function for the lanes of mask. */
static void call(struct run *run, struct activation *activation, const struct step *step, uint32_t mask, uint32_t live)
{
	const struct ptx_insn *insn = step->insn;
	const struct ptx_function *function = step->callee->function;
	struct activation *callee = activation_make(run, step->callee, activation);
	double weight = run->weight;
	bool uncertain = run->uncertain;

	if (!activation->caller)
		run->call_insn = step->index;
	callee->slot = activation->caller ? activation->slot : step->slot;
	for (size_t i = 0; i < function->parameter_count; i++) {
		size_t operand = insn->destinations + 1 + i;

		if (operand < insn->operand_count && insn->operands[operand].kind == OPERAND_SYMBOL)
			pass_parameter(run, callee, function->parameters[i].name, activation, insn->operands[operand].symbol, mask,
			               mask);
	}
	run->call_depth++;
	warp_run(run, callee, mask, weight);
	run->call_depth--;
	run->weight = weight;
	run->uncertain = uncertain;
	for (size_t i = 0; i < function->result_count && i < insn->destinations; i++)
		if (insn->operands[i].kind == OPERAND_SYMBOL)
			pass_parameter(run, activation, insn->operands[i].symbol, callee, function->results[i].name, mask, live);
	callee->busy = false;
}

/* Results of a function that is not followed. */
static void call_unknown(struct run *run, struct activation *activation, const struct step *step, uint32_t mask, uint32_t live)
{
	struct value result;

	for (unsigned i = 0; i < step->target_count; i++) {
		value_set_unknown(&result, 64, UNKNOWN, step->index);
		register_write(run, activation, step->targets[i], &result, mask, live);
	}
}

static void perform(struct run *run, struct activation *activation, const struct step *step, uint32_t mask, uint32_t live)
{
	unsigned flags = step->flags;

	count_step(run, activation, step, mask);
	if (!mask)
		return;
	if (flags & FLAG_EXIT || (flags & FLAG_CALL && step->insn->no_return)) {
		loop_leave(run, activation, PTX_NO_BASIC_BLOCK);
		leave_lanes(activation, mask);
	} else if (flags & FLAG_CALL) {
		if (step->callee && run->call_depth < MOST_CALLS)
			call(run, activation, step, mask, live);
		else
			call_unknown(run, activation, step, mask, live);
	} else if (step->is_memory) {
		memory_access(run, activation, step, mask, live);
	} else if (step->target_count) {
		step_compute(run, activation, step, mask, live);
	}
}

/* A guard that is not known: some lanes pass, or all with a probability. */
static void perform_guessed(struct run *run, struct activation *activation, const struct step *step, const struct outcome *outcome,
                            uint32_t live)
{
	double share = run->evaluator->input->branch_probability, weight = run->weight;
	bool uncertain = run->uncertain;

	if (step->insn->guard_negated)
		share = 1 - share;
	warp_assume(run, step->index, "executed depending on %s: taken to be half of the time", origin_text(run, outcome->origin));
	if (!outcome->common || step->flags & FLAG_EXIT) {
		perform(run, activation, step, outcome->yes | some_lanes(outcome->unknown, share, step->index), live);
		return;
	}
	run->weight *= share;
	run->uncertain = true;
	perform(run, activation, step, outcome->unknown, live);
	run->weight = weight;
	run->uncertain = uncertain;
}

static void perform_steps(struct run *run, struct activation *activation, const struct plan_block *block)
{
	for (uint32_t i = 0; i < block->step_count && run->end == RUN_GOES_ON; i++) {
		const struct step *step = &block->steps[i];
		uint32_t mask = activation_top(activation)->mask;
		struct outcome outcome = guard_outcome(activation, step, mask);

		if (!mask)
			return;
		if (outcome.unknown)
			perform_guessed(run, activation, step, &outcome, mask);
		else
			perform(run, activation, step, outcome.yes, mask);
	}
}

static void count_block(struct run *run, const struct activation *activation, uint32_t index, uint32_t mask)
{
	const struct plan_block *block = &activation->plan->blocks[index];
	double *counts = run->counts;

	if (activation->caller) {
		counts[run->evaluator->layout.instructions] += run->weight * block->insn_count;
		return;
	}
	counts[run->evaluator->layout.blocks + 2 * (size_t)index] += run->weight;
	counts[run->evaluator->layout.blocks + 2 * (size_t)index + 1] += run->weight * __builtin_popcount(mask);
}

/* Runs the block at the top of the stack, and goes to the next. */
static void run_block(struct run *run, struct activation *activation)
{
	struct entry *entry = activation_top(activation);
	uint32_t index = entry->block;
	const struct plan_block *block = &activation->plan->blocks[index];

	run->weight = entry->weight;
	run->uncertain = entry->fence != 0;
	if (block->heads != PTX_NO_LOOP && loop_arrive(run, activation, entry))
		return;
	count_block(run, activation, index, entry->mask);
	run->steps += block->step_count + 1;
	if (run->steps > run->step_limit)
		warp_cut(run, activation, "too many instructions to follow: cut short");
	perform_steps(run, activation, block);
	if (run->end == RUN_GOES_ON)
		branch_transfer(run, activation, block);
}

void warp_run(struct run *run, struct activation *activation, uint32_t mask, double weight)
{
	struct entry first = {.block = 0, .stop = PTX_NO_BASIC_BLOCK, .from = PTX_NO_BASIC_BLOCK, .mask = mask, .weight = weight};

	activation->depth = 0;
	activation_push(run, activation, first);
	activation_update(activation);
	while (activation->depth && run->end == RUN_GOES_ON) {
		struct entry *entry = activation_top(activation);

		if (entry->mask && entry->weight > LEAST_WEIGHT && entry->block != PTX_NO_BASIC_BLOCK && entry->block != entry->stop) {
			run_block(run, activation);
			continue;
		}
		activation->depth--;
		activation_update(activation);
	}
	loop_leave(run, activation, PTX_NO_BASIC_BLOCK);
}
