/*
 * Where control goes at the end of a block: lanes that part, branches that are weighed, loops whose end is assumed,
 * indexed branches.
 */
#include "model/execute/run/loops.h"

#include <math.h>

struct lane_draw branch_way(unsigned drawn, unsigned certain, double chance)
{
	struct lane_draw way = {.weight = certain ? 1 : 1 - pow(1 - chance, drawn)};

	if (way.weight > 1 - WARP_LEAST_WEIGHT)
		way.weight = 1;
	if (way.weight < WARP_LEAST_WEIGHT)
		return (struct lane_draw){0};
	way.lanes = (unsigned)lround(chance * drawn / way.weight);
	if (way.lanes == 0 && !certain)
		way.lanes = 1;
	return way;
}

uint32_t branch_lanes(uint32_t lanes, unsigned wanted, uint32_t seed)
{
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

struct outcome branch_outcome(const struct run *run, const struct activation *activation, const struct step *step,
                              uint32_t mask)
{
	const struct warp_value *guard;
	struct outcome outcome = {.yes = mask, .origin = NO_INDEX};
	enum guard_doubt doubt = plan_guard_doubt(run->evaluator->input, activation->plan, step);

	if (step->guard == NO_INDEX)
		return outcome;
	if (doubt != GUARD_FREE)
		return (struct outcome){.unknown = mask, .origin = NO_INDEX, .common = doubt == GUARD_COMMON};
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
 * Where sides of a branch go on together: where the code says that lanes meet. Machine code does not where all lanes
 * take the same side; of those that were weighed it is where all paths come together, unless the block that they stop
 * at comes before.
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
static uint32_t guess_loop(struct run *run, struct activation *activation, const struct plan_block *block,
                           uint32_t loop, const struct outcome *outcome)
{
	const struct evaluate_input *input = run->evaluator->input;
	const struct ptx_insn *origin = activation->caller ? NULL : warp_insn(run, outcome->origin);
	bool atomic = origin && ptx_insn_flags(origin) & FLAG_ATOMIC;
	bool stay = !atomic && loop_goes_on(run, activation, loop, plan_unknown_trips(input, activation->plan, loop));
	bool taken_stays = plan_in_loop(activation->plan, block->target, loop);

	if (atomic) {
		loop_refuse(run, activation, loop);
		warp_assume(
			run, block->branch->index,
			"a loop until %s is as wanted: taken to be so at the first trip; check it with compare --ncu",
			warp_origin(run, outcome->origin));
	} else {
		warp_guess_trips(run, block->branch->index, outcome, plan_loop_range(input, activation->plan, loop));
	}
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

/* Lanes part: those that take the branch, and the others. */
static void branch_part(struct run *run, struct activation *activation, const struct plan_block *block,
                        struct side taken, struct side rest)
{
	struct side sides[2] = {rest, taken};

	run->counting.weight = taken.weight;
	branch_count(run, activation, block->branch, taken.mask);
	if (!taken.mask || !rest.mask) {
		go_to(run, activation, taken.mask ? block->target : block->fall);
		return;
	}
	if (block->fall != block->target)
		*counts_divergent(&run->counting.counts) +=
			activation->caller ? 0 : taken.weight + rest.weight - activation_top(activation)->weight;
	part(run, activation, sides, 2);
}

/* A condition that is not known for some lanes, of which each may take the branch by itself. */
static void branch_drawn(struct run *run, struct activation *activation, const struct plan_block *block,
                         const struct outcome *outcome, double pass)
{
	const struct entry *entry = activation_top(activation);
	uint32_t no = entry->mask & ~outcome->yes & ~outcome->unknown;
	unsigned drawn = value_count(outcome->unknown);
	struct lane_draw taken = branch_way(drawn, outcome->yes ? value_count(outcome->yes) : 0, pass),
			 rest = branch_way(drawn, no ? value_count(no) : 0, 1 - pass);

	if (drawn == 1 && taken.weight < 1 && rest.weight < 1 && taken.weight > 0 && rest.weight > 0) {
		weigh(run, activation, block, pass);
		return;
	}
	if (rest.weight < 1 && taken.lanes == drawn && rest.weight > 0)
		taken.lanes--;
	uint32_t mask =
		taken.weight > 0 ? outcome->yes | branch_lanes(outcome->unknown, taken.lanes, block->branch->index) : 0;
	branch_part(run, activation, block, (struct side){block->target, mask, entry->weight * taken.weight, false},
	            (struct side){block->fall, entry->mask & ~mask, entry->weight * rest.weight, false});
}

static void branch_conditional(struct run *run, struct activation *activation, const struct plan_block *block)
{
	struct entry *entry = activation_top(activation);
	struct outcome outcome = branch_outcome(run, activation, block->branch, entry->mask);
	uint32_t taken = outcome.yes, loop = outcome.unknown ? plan_decided_loop(activation->plan, block) : PTX_NO_LOOP;
	struct guard_share share = plan_share(run->evaluator->input, activation->plan, block->branch);

	if (outcome.unknown && loop == PTX_NO_LOOP) {
		warp_guess_condition(run, block->branch->index, &outcome, &share);
		if (outcome.common)
			weigh(run, activation, block, plan_pass(&share));
		else
			branch_drawn(run, activation, block, &outcome, plan_pass(&share));
		return;
	}
	if (outcome.unknown)
		taken = guess_loop(run, activation, block, loop, &outcome);
	branch_part(run, activation, block, (struct side){block->target, taken, entry->weight, false},
	            (struct side){block->fall, entry->mask & ~taken, entry->weight, false});
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
