/*
 * What the L2 holds of a launch's data when the launch comes to it again.
 *
 * Where all blocks start at once, they come to it by turns, after
 *
 *   cycle(buffer) = sum of min(touched(other), touched(buffer) * fetched(other) / fetched(buffer))
 *   kept          = full_random_held(cycle), even
 *
 * else at any time: min(1, L2 / touched). The block that comes first fetches what is lost, and
 * those that follow wait for it; where the block before is too long ago, each fetches for itself
 * (window.c).
 */
#include "model/cost/full/launch/launch.h"
#include "model/cost/full/traffic/traffic.h"

#include <math.h>

/* By buffer. run: in which all was new. */
static double *kept_find(struct arena *arena, const struct full_work *work, const struct full_traffic *traffic,
                         const struct full_run *run)
{
	const unsigned count = work->buffer_count + 1;
	double *fetched = arena_array(arena, count, sizeof *fetched), *kept = arena_array(arena, count, sizeof *kept);
	for (uint32_t i = 0; i < work->function->insn_count; i++)
		fetched[full_buffer_of(work, i)] += run->insns[i].far;
	for (unsigned b = 0; b < count; b++) {
		double cycle = 0;
		for (unsigned c = 0; c < count && fetched[b] > 0; c++)
			cycle += fmin(traffic->touched[c], traffic->touched[b] * fetched[c] / fetched[b]);
		kept[b] = work->blocks <= work->resident
		                  ? full_random_held(work->machine, cycle, 0, true)
		                  : fmin(1, work->machine->l2_bytes / fmax(1, traffic->touched_bytes));
	}
	return kept;
}

bool full_l2_reuse_shares(struct arena *arena, const struct full_work *work, double block_bytes,
                          const struct full_run *run, struct full_traffic *traffic)
{
	const double *kept = kept_find(arena, work, traffic, run);
	double wave = work->resident * work->active, reach = work->machine->l2_bytes;
	bool all = true;
	for (size_t i = 0; i < work->function->insn_count; i++) {
		const struct full_share *cold = &traffic->shares[0][i];
		struct full_share *warm = &traffic->shares[1][i];
		double lost = 1 - kept[full_buffer_of(work, (uint32_t)i)];
		all &= !(lost > 0);
		*warm = *cold;
		warm->set = 0;
		warm->first = cold->set > 0 ? cold->least : cold->first * lost;
		warm->wait *= lost;
		if (work->blocks <= work->resident || cold->near <= 0)
			continue;
		double near = fmin(1, reach / fmax(1, block_bytes * fmin(1, cold->near / wave)));
		warm->first = fmax(1 - near, warm->first);
		warm->wait = fmin(warm->wait, 1 - warm->first);
	}
	return all;
}
