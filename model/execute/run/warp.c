/*
 * One warp from entry to exit.
 *
 * A stack of masks: at a branch whose lanes part, both sides are run one after the other and meet at the branch's
 * immediate post-dominator. Where a condition is not known, it is assumed and said so:
 *   - the same for all lanes: both sides are run, with the probability given and its complement as weights;
 *   - of each lane: each takes the branch with that probability by itself, and a side is run as often as one lane goes
 * there at least;
 *   - whether a loop goes on: the number of trips given; once, where it waits for an atomic operation to succeed.
 * What one side wrote is unknown afterwards to those that meet there.
 */
#include "model/execute/run/loops.h"

#include <string.h>

/* Copies the bytes of one .param variable between two functions' registers. */
static void pass_parameter(struct run *run, struct activation *to, const char *to_symbol, const struct activation *from,
                           const char *from_symbol, uint32_t mask, uint32_t live)
{
	const struct compute_place place = activation_place(run, to);

	for (size_t i = 0; i < to->plan->parameter_count; i++) {
		const struct parameter_slot *slot = &to->plan->parameters[i];
		uint32_t reg;

		if (strcmp(slot->symbol, to_symbol))
			continue;
		reg = plan_parameter(from->plan, from_symbol, slot->offset);
		if (reg != NO_INDEX)
			compute_write(&place, slot->reg, &from->registers[reg], mask, live);
	}
}

/* Runs the called function for the lanes of mask. */
static void call(struct run *run, struct activation *activation, const struct step *step, uint32_t mask, uint32_t live)
{
	const struct ptx_insn *insn = step->insn;
	const struct ptx_function *function = step->callee->function;
	struct activation *callee = activation_make(run, step->callee, activation);
	double weight = run->counting.weight;
	bool uncertain = run->uncertain;

	if (!activation->caller)
		run->calls.insn = step->index;
	callee->slot = activation->caller ? activation->slot : step->slot;
	for (size_t i = 0; i < function->parameter_count; i++) {
		size_t operand = insn->destinations + 1 + i;

		if (operand < insn->operand_count && insn->operands[operand].kind == OPERAND_SYMBOL)
			pass_parameter(run, callee, function->parameters[i].name, activation,
			               insn->operands[operand].symbol, mask, mask);
	}
	run->calls.depth++;
	warp_run(run, callee, mask, weight);
	run->calls.depth--;
	run->counting.weight = weight;
	run->uncertain = uncertain;
	for (size_t i = 0; i < function->result_count && i < insn->destinations; i++)
		if (insn->operands[i].kind == OPERAND_SYMBOL)
			pass_parameter(run, activation, insn->operands[i].symbol, callee, function->results[i].name,
			               mask, live);
	callee->busy = false;
}

/* Results of a function that is not followed. */
static void call_unknown(struct run *run, struct activation *activation, const struct step *step, uint32_t mask,
                         uint32_t live)
{
	const struct compute_place place = activation_place(run, activation);
	struct warp_value result;

	for (unsigned i = 0; i < step->target_count; i++) {
		value_set_unknown(&result, 64, UNKNOWN, step->index);
		compute_write(&place, step->targets[i], &result, mask, live);
	}
}

static void perform(struct run *run, struct activation *activation, const struct step *step, uint32_t mask,
                    uint32_t live)
{
	unsigned flags = step->flags;

	branch_count(run, activation, step, mask);
	if (!mask)
		return;
	if (flags & FLAG_EXIT || (flags & FLAG_CALL && step->insn->no_return)) {
		loop_leave(run, activation, PTX_NO_BASIC_BLOCK);
		activation_leave(activation, mask);
	} else if (flags & FLAG_CALL) {
		if (step->callee && run->calls.depth < WARP_CALLS)
			call(run, activation, step, mask, live);
		else
			call_unknown(run, activation, step, mask, live);
	} else if (step->is_memory) {
		memory_access(run, activation, step, mask, live);
	} else if (step->target_count) {
		const struct compute_place place = activation_place(run, activation);

		compute_step(&place, step, mask, live);
		if (run->usual)
			warp_assume_usual(run, step->index);
	}
}

/* Some lanes leave, of which it is not known: those that stay go on as often as one of them does. */
static void exit_guessed(struct run *run, struct activation *activation, const struct step *step,
                         const struct outcome *outcome, double pass, uint32_t live)
{
	uint32_t stays = live & ~outcome->yes & ~outcome->unknown;
	unsigned drawn = value_count(outcome->unknown);
	struct lane_draw rest = branch_way(drawn, stays ? value_count(stays) : 0, 1 - pass);

	perform(run, activation, step, outcome->yes | branch_lanes(outcome->unknown, drawn - rest.lanes, step->index),
	        live);
	if (activation->depth == 1)
		activation_top(activation)->weight *= rest.weight;
}

/* A guard that is not known: some lanes pass, or all with a probability. */
static void perform_guessed(struct run *run, struct activation *activation, const struct step *step,
                            const struct outcome *outcome, uint32_t live)
{
	struct guard_share share = plan_share(run->evaluator->input, activation->plan, step);
	double pass = plan_pass(&share), weight = run->counting.weight;
	bool uncertain = run->uncertain;
	struct lane_draw way =
		branch_way(value_count(outcome->unknown), outcome->yes ? value_count(outcome->yes) : 0, pass);

	warp_guess_condition(run, step->index, outcome, &share);
	if (step->flags & FLAG_EXIT) {
		exit_guessed(run, activation, step, outcome, pass, live);
		return;
	}
	if (outcome->common) {
		run->uncertain = true;
		way = (struct lane_draw){pass, value_count(outcome->unknown)};
	}
	run->counting.weight *= way.weight;
	perform(run, activation, step, outcome->yes | branch_lanes(outcome->unknown, way.lanes, step->index), live);
	run->counting.weight = weight;
	run->uncertain = uncertain;
}

static void perform_steps(struct run *run, struct activation *activation, const struct plan_block *block)
{
	for (uint32_t i = 0; i < block->step_count && run_goes_on(run); i++) {
		const struct step *step = &block->steps[i];
		uint32_t mask = activation_top(activation)->mask;
		struct outcome outcome = branch_outcome(run, activation, step, mask);

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
	struct flow_counts *counts;

	if (activation->caller) {
		*counts_called(&run->counting.counts) += run->counting.weight * block->insn_count;
		return;
	}
	counts = counts_block(&run->counting.counts, index);
	counts->executions += run->counting.weight;
	counts->lanes += run->counting.weight * value_count(mask);
}

/* Runs the block at the top of the stack, and goes to the next. */
static void run_block(struct run *run, struct activation *activation)
{
	struct entry *entry = activation_top(activation);
	uint32_t index = entry->block;
	const struct plan_block *block = &activation->plan->blocks[index];

	run->counting.weight = entry->weight;
	run->uncertain = entry->fence != 0;
	if (block->heads != PTX_NO_LOOP && loop_arrive(run, activation, entry))
		return;
	count_block(run, activation, index, entry->mask);
	run->effort.steps += block->step_count + 1;
	if (run->effort.steps > run->effort.limit)
		warp_cut(run, activation, "too many instructions to follow: cut short");
	perform_steps(run, activation, block);
	if (run_goes_on(run))
		branch_transfer(run, activation, block);
}

void warp_run(struct run *run, struct activation *activation, uint32_t mask, double weight)
{
	struct entry first = {
		.block = 0, .stop = PTX_NO_BASIC_BLOCK, .from = PTX_NO_BASIC_BLOCK, .mask = mask, .weight = weight};

	activation->depth = 0;
	activation_push(run, activation, first);
	activation_update(activation);
	while (activation->depth && run_goes_on(run)) {
		struct entry *entry = activation_top(activation);

		if (entry->mask && entry->weight > WARP_LEAST_WEIGHT && entry->block != PTX_NO_BASIC_BLOCK &&
		    entry->block != entry->stop) {
			run_block(run, activation);
			continue;
		}
		activation->depth--;
		activation_update(activation);
	}
	loop_leave(run, activation, PTX_NO_BASIC_BLOCK);
}
