/*
 * slower: how much longer than the mean DRAM takes for a line, and how far a line lies in the L2.
 * Distances come from l2.latency_distribution; the caller scales the rest by
 * loaded.*_spread_cycles. Prefix: full_.
 */
#ifndef COALESCE_MODEL_COST_FULL_DRAM_LATENCY_H
#define COALESCE_MODEL_COST_FULL_DRAM_LATENCY_H

#include "model/cost/full/full.h"

struct full_dram_latency;
/* cycles: for how long what is drawn of lines holds: as long as a load takes. */
struct full_dram_latency *full_dram_latency_make(struct arena *arena, double cycles);
/*
 * How much later than the mean a line comes, in units of the mean's distance from the fastest. Lines
 * of the same 256 bytes share a draw while it holds; those of a kilobyte share it but for the share
 * `apart` of them; kilobytes of the same four likewise.
 */
double full_dram_latency_line(struct full_dram_latency *slower, uint64_t line, double time, double apart);
/* The same draw as that of a wait that the longest one bounds, in units of that: 1/3 in the mean, fewer the longer they
 * are. */
double full_dram_latency_bounded(double slower);
/* How many were drawn. */
unsigned full_dram_latency_drawn(const struct full_dram_latency *slower);

/* How much further than others the line lies in the L2, in cycles: as far as any of its places, by a hash of its number
 * (l2.latency_distribution). */
double full_further(const struct full_machine *machine, uint64_t line);

#endif
