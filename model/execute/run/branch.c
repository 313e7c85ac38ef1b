/*
 * Where control goes at the end of a block: lanes that part, branches that are weighed, loops whose end is assumed, indexed branches.
 */
#include "model/execute/internal.h"

#include <math.h>

#define DEFAULT_TRIPS 8

/* `share` of the lanes, in a fixed order that looks random. */
uint32_t some_lanes(uint32_t lanes, double share, uint32_t seed)
{
	unsigned wanted = (unsigned)lround(share * __builtin_popcount(lanes));
	uint32_t chosen = 0;

	for (unsigned i = 0; i < WARP_LANES && wanted; i++) {
		uint32_t lane = (i * 13 + seed * 7) % WARP_LANES;

		if (!(lanes >> lane & 1))
			continue;
		chosen |= UINT32_C(1) << lane;
		wanted--;
	}
	return chosen;
}

struct outcome guard_outcome(const struct activation *activation, const struct step *step, uint32_t mask)
{
	const struct value *guard;
	struct outcome outcome = {.yes = mask, .origin = NO_INDEX};

	if (step->guard == NO_INDEX)
		return outcome;
	guard = &activation->registers[step->guard];
	outcome.yes = predicate_lanes(guard, step->insn->guard_negated) & mask;
	outcome.unknown = (uint32_t)guard->step & mask;
	outcome.common = guard->doubt == SHIFTED && outcome.unknown == mask;
	outcome.origin = guard->origin;
	return outcome;
}

void count_step(struct run *run, const struct activation *activation, const struct step *step, uint32_t mask)
{
	double *counts;

	if (step->slot == NO_SLOT || activation->caller || !mask)
		return;
	counts = &run->counts[run->evaluator->layout.slots + (size_t)step->slot * SLOT_COUNTS];
	counts[SLOT_EXECUTIONS] += run->weight;
	counts[SLOT_LANES] += run->weight * __builtin_popcount(mask);
}

/* One side of a branch whose lanes part, or that was weighed. */
struct side {
	uint32_t block, mask;
	double weight;
	bool fenced;
};

/* The block at the top of the stack was run: that is a trip of the loop it heads where it leads into the loop. */
static void count_trip(struct run *run, const struct activation *activation, const struct side *sides, unsigned count)
{
	const struct entry *entry = &activation->stack[activation->depth - 1];
	const struct plan_block *block = &activation->plan->blocks[entry->block];
	bool stays = block->always_trip;

	if (block->heads == PTX_NO_LOOP || activation->caller)
		return;
	for (unsigned i = 0; i < count; i++)
		stays |= plan_in_loop(activation->plan, sides[i].block, block->heads);
	if (stays)
		run->counts[run->evaluator->layout.loops + 2 * (size_t)block->heads + 1] += entry->weight;
}

static void go_to(struct run *run, struct activation *activation, uint32_t block)
{
	struct entry *entry = activation_top(activation);
	struct side side = {block, entry->mask, entry->weight, false};

	count_trip(run, activation, &side, 1);
	loop_leave(run, activation, block);
	entry->from = entry->block;
	entry->block = block;
}

/* Runs the sides one after the other, the last one first; all meet at the reconvergence block. */
static void part(struct run *run, struct activation *activation, const struct side *sides, unsigned count)
{
	struct entry base = *activation_top(activation);
	uint32_t meet = activation->plan->blocks[base.block].reconverge;

	count_trip(run, activation, sides, count);
	for (unsigned i = 0; i < count; i++)
		loop_leave(run, activation, sides[i].block);
	if (meet == base.stop) {
		activation->depth--;
	} else {
		activation_top(activation)->block = meet;
		activation_top(activation)->from = base.block;
	}
	for (unsigned i = 0; i < count; i++) {
		struct entry entry = {.block = sides[i].block,
		                      .stop = meet,
		                      .from = base.block,
		                      .mask = sides[i].mask,
		                      .fence = base.fence,
		                      .weight = sides[i].weight};

		if (sides[i].block == meet)
			continue;
		if (sides[i].fenced)
			entry.fence = activation->depth + 1;
		activation_push(run, activation, entry);
	}
	activation_update(activation);
}

/* Lanes that take a branch that decides about a loop, where that is not known. */
static uint32_t guess_loop(struct run *run, struct activation *activation, const struct plan_block *block, uint32_t loop,
                           const struct outcome *outcome)
{
	double trips = run->evaluator->input->unknown_trips > 0 ? run->evaluator->input->unknown_trips : DEFAULT_TRIPS;
	const struct ptx_insn *origin = activation->caller ? NULL : kernel_insn(run, outcome->origin);
	bool atomic = origin && ptx_insn_flags(origin) & FLAG_ATOMIC;
	bool stay = !atomic && (double)loop_trips(run, activation, loop) + 1 < trips;
	bool taken_stays = plan_in_loop(activation->plan, block->target, loop);

	loop_refuse(run, activation, loop);
	if (atomic)
		warp_assume(run, block->branch->index, "a loop until %s is as wanted: taken to be so at the first trip",
		            origin_text(run, outcome->origin));
	else
		warp_assume(run, block->branch->index,
		            arena_printf(run->evaluator->arena, "trips of the loop depend on %%s: taken to be %g", trips),
		            origin_text(run, outcome->origin));
	return outcome->yes | (stay == taken_stays ? outcome->unknown : 0);
}

/* A condition common to all lanes that is not known: both sides, with weights. */
static void weigh(struct run *run, struct activation *activation, const struct plan_block *block, double share)
{
	struct entry *entry = activation_top(activation);
	struct side sides[2] = {{block->fall, entry->mask, entry->weight * (1 - share), true},
	                        {block->target, entry->mask, entry->weight * share, true}};

	run->weight = entry->weight * share;
	count_step(run, activation, block->branch, entry->mask);
	part(run, activation, sides, 2);
}

static void branch_conditional(struct run *run, struct activation *activation, const struct plan_block *block)
{
	struct entry *entry = activation_top(activation);
	struct outcome outcome = guard_outcome(activation, block->branch, entry->mask);
	uint32_t taken = outcome.yes, loop = outcome.unknown ? plan_decided_loop(activation->plan, block) : PTX_NO_LOOP;
	double share = run->evaluator->input->branch_probability;

	if (outcome.unknown && loop != PTX_NO_LOOP) {
		taken = guess_loop(run, activation, block, loop, &outcome);
	} else if (outcome.unknown) {
		warp_assume(run, block->branch->index,
		            outcome.common ? "branch on %s: weighed by its probability"
		                           : "branch on %s: taken by a share of the lanes",
		            origin_text(run, outcome.origin));
		if (outcome.common) {
			weigh(run, activation, block, share);
			return;
		}
		taken |= some_lanes(outcome.unknown, share, block->branch->index);
	}
	count_step(run, activation, block->branch, taken);
	if (taken == entry->mask || taken == 0) {
		go_to(run, activation, taken ? block->target : block->fall);
	} else {
		struct side sides[2] = {{block->fall, entry->mask & ~taken, entry->weight, false},
		                        {block->target, taken, entry->weight, false}};

		if (block->fall != block->target)
			run->counts[run->evaluator->layout.divergent] += activation->caller ? 0 : entry->weight;
		part(run, activation, sides, 2);
	}
}

/* brx.idx: lanes go where their index says. */
static void branch_indexed(struct run *run, struct activation *activation, const struct plan_block *block)
{
	const struct value *index;
	uint32_t rest = activation_top(activation)->mask;
	struct side sides[WARP_LANES] = {{0}};
	unsigned count = 0;

	if (!block->branch->source_count) {
		go_to(run, activation, plan_indexed_target(activation->plan, block, 0));
		return;
	}
	index = source_value(run, activation, &block->branch->sources[0]);
	if (index->doubt)
		warp_assume(run, block->branch->index, "indexed branch on %s: the first target is taken",
		            origin_text(run, index->origin));
	axes_pin(run, value_varies(run, index));
	while (rest) {
		uint64_t number = index->doubt ? 0 : value_lane(index, (unsigned)__builtin_ctz(rest));
		uint32_t lanes = 0;

		for (unsigned lane = 0; lane < WARP_LANES; lane++)
			if (rest >> lane & 1 && (index->doubt || value_lane(index, lane) == number))
				lanes |= UINT32_C(1) << lane;
		sides[count++] = (struct side){plan_indexed_target(activation->plan, block, number), lanes,
		                               activation_top(activation)->weight, false};
		rest &= ~lanes;
	}
	if (count == 1)
		go_to(run, activation, sides[0].block);
	else
		part(run, activation, sides, count);
	if (count > 1 && !activation->caller)
		run->counts[run->evaluator->layout.divergent] += sides[0].weight;
}

/* Leaves the block that was just run. */
void branch_transfer(struct run *run, struct activation *activation, const struct plan_block *block)
{
	if (!activation_top(activation)->mask)
		return;
	if (!block->branch)
		go_to(run, activation, block->fall);
	else if (block->branch->insn->operation == OP_brx_idx)
		branch_indexed(run, activation, block);
	else if (block->branch->insn->guarded)
		branch_conditional(run, activation, block);
	else
		go_to(run, activation, block->target);
}
