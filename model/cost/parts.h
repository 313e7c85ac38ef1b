/*
 * What the files of cost/ share: the thesis's equations, and what all estimates fill in.
 */
#ifndef COALESCE_MODEL_COST_PARTS_H
#define COALESCE_MODEL_COST_PARTS_H

#include "model/cost/cost.h"

/* A memory access of a warp: T transactions and its probability of an L2 hit. */
struct warp_access {
	double transactions, hit_rate;
};
/*
 * Latency in cycles of an access; previous is the memory access just before it when both overlap (independent and not
 * waited for between), else NULL.
 */
double cost_access_latency(const struct machine *machine, const struct warp_access *access,
                           const struct warp_access *previous);
/* T of Fig. 3.10, by enumeration: distinct L2 lines that the lanes touch, the lowest address beginning one; 1 to 32. */
double cost_warp_transactions(const struct machine *machine, const uint64_t addresses[WARP_LANES], uint32_t mask,
                              unsigned bytes);

/* ---- hits.c: L2 hit rates (thesis section 3.5.1) ------------------------------------- */

/* hit_rates[access->index] for every access of the kernel in this layout, from its normal form and loop nest. */
double *cost_source_hit_rates(struct arena *arena, const struct launch_view *view);
/* Transactions of an access whose lanes touch that many lines, by the reading of accesses that no loop moves. */
double cost_access_transactions(const struct launch_view *view, const struct access *access, double lines);

/* ---- report.c: what all estimates fill in -------------------------------------------- */

/* Fills estimate->shared from the launch's PTX. */
void cost_shared_fill(struct arena *arena, const struct launch_view *view, struct estimate *estimate);

/* Sectors that the loads and stores of one warp move, and those of them that hit the L2. */
struct l2_traffic {
	double read_sectors, read_hits, write_sectors, write_hits;
};
void cost_l2_add(struct l2_traffic *traffic, const struct access_estimate *access);
/* The L2's and DRAM's counts of a method that ignores L1: every sector goes to the L2, what misses there is read from
 * DRAM, what is written goes to DRAM. */
void cost_l2_counts(const struct l2_traffic *traffic, struct counts *counts);
/*
 * Time in seconds of a launch whose warps take that many cycles each. The thesis predicts cycles per warp only and
 * ranks by them; the time is that of all warps in the waves that the block size alone allows (registers would change
 * the thesis's ranking).
 */
double cost_latency_bound_time(const struct launch_view *view, double cycles_per_warp);

/* ---- sorter.c ------------------------------------------------------------------------ */

/* Sorts items of `size` bytes, at most so many as it was made for. */
struct cost_sorter {
	uint64_t *keys[3]; /* to be filled in before: of each item, what decides first, then, last */
	uint32_t *order[2];
	char *items;
	size_t size;
};
struct cost_sorter *cost_sorter_make(struct arena *arena, size_t most, size_t size);
/* By the first so many keys; items of equal ones stay in their order. */
void cost_sort(struct cost_sorter *sorter, void *items, size_t count, unsigned keys);

#endif
