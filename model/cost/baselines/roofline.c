/*
 * Roofline (Williams, Waterman, Patterson: Roofline, an insightful visual performance model for multicore
 * architectures, CACM 2009).
 *
 *   t = t_empty + max(read / B_read + written / B_write, F32 / R32, F64 / R64)     R = 2 lanes * SMs * clock
 *
 * Assumptions: DRAM moves what the launch touches once (tally.c), and computation and transfer overlap wholly; integer
 * and other instructions cost nothing.
 */
#include "model/cost/baselines/baselines.h"

/* Cycles of the whole device for flops on a pipe of that many lanes: a lane makes a fused multiply-add, two flops, a
 * cycle. */
static double flop_cycles(const struct machine *machine, double flops, double lanes)
{
	return flops / (2 * lanes * machine->sm_count.value);
}

void baseline_roofline_limits(struct arena *arena, const struct machine *machine, const struct baseline_tally *tally,
                              struct estimate *estimate)
{
	cost_limit_add(arena, estimate, "dram", baseline_dram_seconds(machine, tally) * machine->sm_clock_hz.value);
	cost_limit_add(arena, estimate, "fp32", flop_cycles(machine, tally->flops_single, machine->lanes_fp32.value));
	cost_limit_add(arena, estimate, "fp64", flop_cycles(machine, tally->flops_double, machine->lanes_fp64.value));
}

struct estimate *baseline_roofline(struct arena *arena, const struct launch_view *view)
{
	struct baseline_tally tally = baseline_tally_of(arena, view);
	struct estimate *estimate = baseline_estimate_make(arena, view, &tally);
	baseline_roofline_limits(arena, view->machine, &tally, estimate);
	baseline_time_by_limits(view, estimate);
	return estimate;
}
