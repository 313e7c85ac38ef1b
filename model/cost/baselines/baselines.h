/*
 * baselines: simple cost models that `full` must beat. Each is a published idea of a few lines, taken as it stands,
 * with constants from the machine file alone.
 *
 *   tally.c       what they count of a launch
 *   always_soa.c  every member in an array of its own is best
 *   sectors.c     the fewest 32-byte sectors are best
 *   roofline.c    bytes over bandwidth, or flops over rate
 *   hong_kim.c    memory and computation warp parallelism (ISCA 2009)
 *   bounds.c      exact counts through the limits of throughput, no latency
 *
 * Times that are not an order alone have the time of an empty kernel added. Prefix: baseline_.
 */
#ifndef COALESCE_MODEL_COST_BASELINES_BASELINES_H
#define COALESCE_MODEL_COST_BASELINES_BASELINES_H

#include "model/cost/cost.h"

/* ---- tally.c ----------------------------------------------------------------------- */

/*
 * Totals over a launch, of its machine code where that was read, else of its PTX. Requests are those to global memory.
 * No cache is simulated: of each buffer the L2 is asked for at least, and DRAM gives, what the instructions ask for,
 * but no more than the buffer holds; stores all reach the L2.
 */
struct baseline_tally {
	double warps, instructions; /* warp instructions issued */
	double units[UNIT_COUNT];   /* warp instructions that each unit executes */
	double flops_single, flops_double;
	double coalesced, uncoalesced; /* requests; uncoalesced: with more sectors than their bytes need */
	double coalesced_sectors, uncoalesced_sectors;
	double barriers;  /* warp instructions */
	double l1_cycles; /* of one SM, as if it did all: passes through banks, tags and data paths of the L1 and of
	                     shared memory */
	double l2_sectors;
	double dram_read_bytes, dram_write_bytes;
};
struct baseline_tally baseline_tally_of(struct arena *arena, const struct launch_view *view);
/* Seconds that DRAM is busy. */
double baseline_dram_seconds(const struct machine *machine, const struct baseline_tally *tally);
/* An estimate with what all baselines fill in alike: counts, accesses, registers, occupancy. */
struct estimate *baseline_estimate_make(struct arena *arena, const struct launch_view *view,
                                        const struct baseline_tally *tally);
/* Sets the time of a launch by the largest of an estimate's limits, in cycles of an SM, and the time of an empty
 * kernel. */
void baseline_time_by_limits(const struct launch_view *view, struct estimate *estimate);

/* ---- the models ------------------------------------------------------------------------ */

struct estimate *baseline_always_soa(struct arena *arena, const struct launch_view *view);
struct estimate *baseline_sectors(struct arena *arena, const struct launch_view *view);
struct estimate *baseline_roofline(struct arena *arena, const struct launch_view *view);
struct estimate *baseline_hong_kim(struct arena *arena, const struct launch_view *view);
struct estimate *baseline_bounds(struct arena *arena, const struct launch_view *view);

/* Limits of the roofline and of bounds, appended to the estimate's. */
void baseline_roofline_limits(struct arena *arena, const struct machine *machine, const struct baseline_tally *tally,
                              struct estimate *estimate);
void baseline_bounds_limits(struct arena *arena, const struct machine *machine, const struct baseline_tally *tally,
                            struct estimate *estimate);

/* What Hong and Kim's equations take of a launch and of a machine, in their words. */
struct baseline_hong_kim {
	double active_warps;                      /* N: per SM */
	double blocks, active_blocks, active_sms; /* active_blocks: per SM */
	double instructions;                      /* of a warp, memory instructions among them */
	double coalesced, uncoalesced,
		transactions; /* memory instructions of a warp; transactions of an uncoalesced one */
	double load_bytes;    /* of a memory instruction of a warp */
	double barriers;      /* of a warp */
	double issue_cycles;  /* of an instruction of a warp */
	double memory_latency, departure_coalesced, departure_uncoalesced; /* cycles */
	double bytes_per_cycle;                                            /* DRAM */
};
/* Cycles of the launch. */
double baseline_hong_kim_cycles(const struct baseline_hong_kim *model);

#endif
