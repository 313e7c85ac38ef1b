/*
 * Where control goes at the end of a block: lanes that part, branches that are weighed, loops whose end is assumed, indexed branches.
 */
#include "model/execute/run/loops.h"

#include <math.h>

/* `share` of the lanes, in a fixed order that looks random. */
uint32_t branch_lanes(uint32_t lanes, double share, uint32_t seed)
{
	unsigned wanted = (unsigned)lround(share * value_count(lanes));
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

struct outcome branch_outcome(const struct activation *activation, const struct step *step, uint32_t mask)
{
	const struct warp_value *guard;
	struct outcome outcome = {.yes = mask, .origin = NO_INDEX};

	if (step->guard == NO_INDEX)
		return outcome;
	guard = &activation->registers[step->guard];
	outcome.yes = value_holds(guard, step->insn->guard_negated) & mask;
	outcome.unknown = (uint32_t)guard->step & mask;
	outcome.common = guard->doubt == SHIFTED && outcome.unknown == mask;
	outcome.origin = guard->origin;
	return outcome;
}

void branch_count(struct run *run, const struct activation *activation, const struct step *step, uint32_t mask)
{
	struct insn_counts *counts;

	if (step->slot == NO_SLOT || activation->caller || !mask)
		return;
	counts = counts_insn(&run->counting.counts, step->slot);
	counts->executions += run->counting.weight;
	counts->lanes += run->counting.weight * value_count(mask);
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
		counts_loop(&run->counting.counts, block->heads)->trips += entry->weight;
}

/* Lanes go over an edge of the kernel's control flow. */
static void count_edge(struct run *run, const struct activation *activation, uint32_t from, const struct side *side)
{
	struct flow_counts *counts = activation->caller ? NULL : counts_edge(&run->counting.counts, from, side->block);

	if (!counts)
		return;
	counts->executions += side->weight;
	counts->lanes += side->weight * value_count(side->mask);
}

static void go_to(struct run *run, struct activation *activation, uint32_t block)
{
	struct entry *entry = activation_top(activation);
	struct side side = {block, entry->mask, entry->weight, false};

	count_trip(run, activation, &side, 1);
	count_edge(run, activation, entry->block, &side);
	loop_leave(run, activation, block);
	entry->from = entry->block;
	entry->block = block;
}

/*
 * Where sides of a branch go on together: where the code says that lanes meet. Machine code does not where all lanes take the same side; of those that were weighed it is where all
 * paths come together, unless the block that they stop at comes before.
 */
static uint32_t meeting_of(const struct plan *plan, const struct entry *base, bool weighed)
{
	const struct plan_block *block = &plan->blocks[base->block];
	uint32_t at = block->join;

	if (!weighed || block->reconverge != PTX_NO_BASIC_BLOCK)
		return block->reconverge;
	while (at != PTX_NO_BASIC_BLOCK && at != base->stop)
		at = plan->blocks[at].join;
	return at == base->stop ? block->join : PTX_NO_BASIC_BLOCK;
}

/* Runs the sides one after the other, the last one first; all meet at the reconvergence block. */
static void part(struct run *run, struct activation *activation, const struct side *sides, unsigned count)
{
	struct entry base = *activation_top(activation);
	uint32_t meet = meeting_of(activation->plan, &base, sides[0].fenced);

	count_trip(run, activation, sides, count);
	for (unsigned i = 0; i < count; i++) {
		count_edge(run, activation, base.block, &sides[i]);
		loop_leave(run, activation, sides[i].block);
	}
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
	double trips = run->evaluator->input->unknown_trips > 0 ? run->evaluator->input->unknown_trips : WARP_TRIPS;
	const struct ptx_insn *origin = activation->caller ? NULL : warp_insn(run, outcome->origin);
	bool atomic = origin && ptx_insn_flags(origin) & FLAG_ATOMIC;
	bool stay = !atomic && (double)loop_trips(run, activation, loop) + 1 < trips;
	bool taken_stays = plan_in_loop(activation->plan, block->target, loop);

	loop_refuse(run, activation, loop);
	if (atomic)
		warp_assume(run, block->branch->index, "a loop until %s is as wanted: taken to be so at the first trip",
		            warp_origin(run, outcome->origin));
	else
		warp_guess(run, block->branch->index, GUESS_TRIPS,
		           arena_printf(run->evaluator->arena, "trips of the loop depend on %%s: taken to be %g", trips),
		           warp_origin(run, outcome->origin));
	return outcome->yes | (stay == taken_stays ? outcome->unknown : 0);
}

/* A condition common to all lanes that is not known: both sides, with weights. */
static void weigh(struct run *run, struct activation *activation, const struct plan_block *block, double share)
{
	struct entry *entry = activation_top(activation);
	struct side sides[2] = {{block->fall, entry->mask, entry->weight * (1 - share), true},
	                        {block->target, entry->mask, entry->weight * share, true}};

	run->counting.weight = entry->weight * share;
	branch_count(run, activation, block->branch, entry->mask);
	part(run, activation, sides, 2);
}

static void branch_conditional(struct run *run, struct activation *activation, const struct plan_block *block)
{
	struct entry *entry = activation_top(activation);
	struct outcome outcome = branch_outcome(activation, block->branch, entry->mask);
	uint32_t taken = outcome.yes, loop = outcome.unknown ? plan_decided_loop(activation->plan, block) : PTX_NO_LOOP;
	double share = run->evaluator->input->branch_probability;

	if (outcome.unknown && loop != PTX_NO_LOOP) {
		taken = guess_loop(run, activation, block, loop, &outcome);
	} else if (outcome.unknown) {
		warp_guess(run, block->branch->index, GUESS_BRANCH,
		           arena_printf(run->evaluator->arena,
		                        outcome.common ? "branch on %%s: both sides are weighed, the one taken by %g %%%%"
		                                       : "branch on %%s: taken by %g %%%% of the lanes",
		                        100 * share),
		           warp_origin(run, outcome.origin));
		if (outcome.common) {
			weigh(run, activation, block, share);
			return;
		}
		taken |= branch_lanes(outcome.unknown, share, block->branch->index);
	}
	branch_count(run, activation, block->branch, taken);
	if (taken == entry->mask || taken == 0) {
		go_to(run, activation, taken ? block->target : block->fall);
	} else {
		struct side sides[2] = {{block->fall, entry->mask & ~taken, entry->weight, false},
		                        {block->target, taken, entry->weight, false}};

		if (block->fall != block->target)
			*counts_divergent(&run->counting.counts) += activation->caller ? 0 : entry->weight;
		part(run, activation, sides, 2);
	}
}

/* brx.idx: lanes go where their index says. */
static void branch_indexed(struct run *run, struct activation *activation, const struct plan_block *block)
{
	const struct compute_place place = activation_place(run, activation);
	const struct warp_value *index;
	uint32_t rest = activation_top(activation)->mask;
	struct side sides[WARP_LANES] = {{0}};
	unsigned count = 0;

	if (!block->branch->source_count) {
		go_to(run, activation, plan_indexed_target(activation->plan, block, 0));
		return;
	}
	index = compute_source(&place, &block->branch->sources[0]);
	if (index->doubt)
		warp_assume(run, block->branch->index, "indexed branch on %s: the first target is taken",
		            warp_origin(run, index->origin));
	axes_pin(&run->axes, value_varies(&run->axes, index));
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
		*counts_divergent(&run->counting.counts) += sides[0].weight;
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
