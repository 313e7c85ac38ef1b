/*
 * slower: how much longer than others DRAM takes for a line, and, in slowest.c, the slowest of all SMs for a launch.
 *
 * Prefix: full_.
 */
#ifndef COALESCE_MODEL_COST_FULL_SLOWER_H
#define COALESCE_MODEL_COST_FULL_SLOWER_H

#include "model/cost/full/full.h"

struct full_slower;
/* cycles: for how long what is drawn of lines holds: as long as a load takes; seed: one of many orders in which it is. */
struct full_slower *full_slower_make(struct arena *arena, double cycles, unsigned seed);
/*
 * What a line takes longer than the mean, in units of what the mean takes longer than the fastest: the same for lines of 256 bytes within that time, for those of a kilobyte but for such a share of
 * them, and for kilobytes of four likewise.
 */
double full_slower_line(struct full_slower *slower, uint64_t line, double time, double apart);
/* The same draw as that of a wait that the longest one bounds, in units of that: 1/3 in the mean, fewer the longer they are. */
double full_slower_bounded(double slower);
/* How many were drawn. */
unsigned full_slower_drawn(const struct full_slower *slower);

/* How much further than others the line lies in the L2, in cycles: as far as any of its places, by a hash of its number (l2.latency_distribution). */
double full_further(const struct full_machine *machine, uint64_t line);

/* ---- slowest.c -------------------------------------------------------------------------------------------- */

struct full_work;
struct full_launch;
/* Cycles that the slowest of the launch's SMs takes longer than the one that was run, each with `most` blocks; up to so many waves of them are not handed out as SMs become free. */
double full_slowest_cycles(const struct full_work *work, const struct full_launch *launch, double most, double waves);
/* The largest of n sums of so many numbers that are distributed exponentially with a mean of 1, about. */
double full_largest_sum(double count, double n);

#endif
