/*
 * How the blocks of a launch of few waves end, one after another.
 *
 *   cycles = sum over ends of (instructions left of the next block to end) / its pace
 *
 * Older blocks go first and end first; the rest then has the SM to itself. A run that is cut shows
 * the pace of each block; it goes on without those that would have ended (operands/ends.cu).
 */
#include "model/cost/full/sm/state.h"

#include <math.h>

#define TOGETHER 0.1 /* of its instructions that a block may lack when another ends, to end with it */
#define SETTLE 100   /* instructions of a warp until the rest goes at its own pace, about, */
#define SHOW 300     /* and those that show it */

struct ends {
	struct sm *sm;
	double each;                               /* instructions of a block */
	double done[FULL_WARPS], pace[FULL_WARPS]; /* of the blocks that are there, oldest first: instructions; those a cycle */
	unsigned slot[FULL_WARPS], count;
};

/* Cycles until the first of them ends, and those that do so soon after. */
static double next_end(const struct ends *ends)
{
	double first = INFINITY, lacking = 0, pace = 0;
	for (unsigned i = 0; i < ends->count; i++)
		first = full_sooner(first, (ends->each - ends->done[i]) / ends->pace[i]);
	for (unsigned i = 0; i < ends->count; i++) {
		double left = ends->each - ends->done[i] - first * ends->pace[i];
		lacking += left < TOGETHER * ends->each ? left : 0;
		pace += left < TOGETHER * ends->each ? ends->pace[i] : 0;
	}
	return first + lacking / pace;
}

static void block_drop(struct sm *sm, unsigned slot)
{
	for (unsigned w = slot * sm->work->warps; w < (slot + 1) * sm->work->warps; w++) {
		struct warp *warp = &sm->warps[w];
		sm->running -= warp->state != WARP_FREE;
		warp->state = WARP_FREE;
		full_warp_post(sm, warp);
	}
	sm->slots[slot].running = sm->slots[slot].waiting = 0;
}

/* Time goes by; blocks that have ended make room for those that have not begun. Returns whether any has ended for which there is no other one. */
static bool blocks_advance(struct ends *ends, double cycles)
{
	struct sm *sm = ends->sm;
	unsigned kept = 0, count = ends->count, free[FULL_WARPS], free_count = 0;
	for (unsigned i = 0; i < count; i++) {
		ends->done[i] += cycles * ends->pace[i];
		if (ends->done[i] >= ends->each * (1 - TOGETHER / 2)) {
			block_drop(sm, ends->slot[i]);
			free[free_count++] = ends->slot[i];
			continue;
		}
		ends->done[kept] = ends->done[i];
		ends->slot[kept++] = ends->slot[i];
	}
	for (unsigned i = 0; i < free_count && sm->next_block < sm->work->blocks; i++) {
		full_block_start(sm, free[i], sm->now);
		ends->done[kept] = 0;
		ends->slot[kept++] = free[i];
	}
	for (unsigned s = 0; s < sm->machine->schedulers; s++)
		full_scheduler_refresh(&sm->schedulers[s]);
	ends->count = kept;
	return kept < count;
}

/* Goes on for a while, and sees how fast each block gets on. Returns false where one has ended by itself. */
static bool paces_find(struct ends *ends)
{
	struct sm *sm = ends->sm;
	uint64_t finished = sm->run.finished;
	full_sm_go_on(sm, sm->run.issued + SETTLE * (uint64_t)sm->running);
	double begin = sm->now;
	for (unsigned i = 0; i < ends->count; i++)
		sm->slots[ends->slot[i]].earlier = sm->slots[ends->slot[i]].issued;
	full_sm_go_on(sm, sm->run.issued + SHOW * (uint64_t)sm->running);
	for (unsigned i = 0; i < ends->count; i++) {
		const struct warp_slot *slot = &sm->slots[ends->slot[i]];
		ends->pace[i] = full_later(1, (double)(slot->issued - slot->earlier)) / full_later(1, sm->now - begin);
	}
	full_sm_drain(sm);
	return sm->run.finished == finished;
}

double full_sm_ends(struct full_run *run, double each)
{
	struct sm *sm = run->sm;
	struct ends ends = {.sm = sm, .each = each, .count = sm->slot_count};
	double cycles = 0;
	for (unsigned i = 0; i < ends.count; i++) {
		ends.slot[i] = i;
		ends.pace[i] = full_later(1e-6, run->paces[i]);
	}
	sm->run.insns = arena_array(sm->arena, sm->work->function->insn_count + 1, sizeof *sm->run.insns);
	while (ends.count) {
		double step = next_end(&ends);
		cycles += step;
		if (blocks_advance(&ends, step) && ends.count && !paces_find(&ends))
			return 0;
	}
	return cycles;
}
