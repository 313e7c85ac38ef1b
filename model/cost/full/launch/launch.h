/*
 * launch: from runs of one SM to the time of the launch.
 *
 *   launch.c       which blocks are run, for how long; second runs; the equation
 *   throughput.c   the least that a launch takes, and all that is known without machine code
 *   l2_reuse.c     what the L2 holds when the launch comes to its data again
 *   l1_reuse.c     what the L1 holds then
 *   imbalance.c    how much later the slowest SM ends
 * Numbers: launch.*, lsu.lockstep_cycles, atomics.exposed_*, bandwidth.dram_loops_idle_share.
 * Prefix: full_.
 */
#ifndef COALESCE_MODEL_COST_FULL_LAUNCH_H
#define COALESCE_MODEL_COST_FULL_LAUNCH_H

#include "model/cost/full/run.h"

#define FULL_WAVES 3 /* of blocks: up to so many are run one by one, and what loops in them drifts apart */

struct full_launch {
	struct full_run run;
	double instructions;    /* warp instructions of the SM */
	double cycles;          /* that it needs for them */
	double lockstep_cycles; /* were its warps to keep step; 0 where they do */
	bool unsteady;          /* they do, and not much is missing */
	double issue_floor, dram_floor, atomics, total, seconds;
	bool awaited;                /* a warp waits for the results of those atomics */
	double spread;               /* as struct full_atomic has it */
	double far;                  /* cycles that scattered atomics add to all that */
	double scale;                /* launch over what was simulated */
	double dram_bytes;           /* that the launch reads */
	struct full_insn_run *insns; /* by instruction of the function, of the whole launch */
};

/* ---- launch.c ------------------------------------------------------------------------------------------ */

/* Completes the work (which SM, which blocks) and runs it. */
void full_launch_run(struct arena *arena, struct full_work *work, struct full_traffic *traffic,
                     struct full_launch *launch);

/* ---- throughput.c ------------------------------------------------------------------------------------------- */

/* The same by throughput alone, without the code's schedule: issue, LSU, L2, DRAM, atomics, and one latency of DRAM for
 * each wave of blocks. */
void full_launch_bound(struct arena *arena, struct full_work *work, struct full_traffic *traffic,
                       struct full_launch *launch);
/* Sets what the launch takes at least: its issue slots, DRAM at the best rate, atomics. */
void full_floors_find(const struct full_work *work, const struct full_traffic *traffic, struct full_launch *launch);

/* ---- l2_reuse.c --------------------------------------------------------------------------------------------- */

/* Sets the shares of a launch that has fetched all that it touches once. run: in which that was new; block_bytes: that
 * the L2 is asked for in the life of a block by all SMs. Returns whether the L2 keeps all of it. */
bool full_l2_reuse_shares(struct arena *arena, const struct full_work *work, double block_bytes,
                          const struct full_run *run, struct full_traffic *traffic);

/* ---- l1_reuse.c -------------------------------------------------------------------------------------------- */

/*
 * Whether warps come again and again to what their L1 keeps, of which a run that is a part of the launch has only seen
 * the first time. each: warp instructions of a block. Returns after how many instructions of a warp they have come to
 * all of it once, and what that is; 0 where the run shows all there is.
 */
double full_l1_reuse_find(struct arena *arena, struct full_work *work, const struct full_run *run, double each,
                          struct full_l1_start *again);

/* ---- imbalance.c ----------------------------------------------------------------------------------------- */

/* Cycles that the slowest of the launch's SMs takes longer than the one that was run, each with `most` blocks; up to so
 * many waves of them are not handed out as SMs become free. */
double full_imbalance_cycles(const struct full_work *work, const struct full_launch *launch, double most, double waves);
/* The largest of n sums of so many numbers that are distributed exponentially with a mean of 1, about. */
double full_largest_sum(double count, double n);

/* ---- atomic/atomic.c ----------------------------------------------------------------------------------- */

/* Cycles by which atomics that nobody waits for make the launch longer than the rest of it, or that rest longer than
 * them. */
double full_atomics_exposed(const struct full_work *work, const struct full_launch *launch, double blocks);

#endif
