/*
 * Bounds: exact counts through the limits of throughput, each as if nothing else took time, and no latency.
 *
 *   t = t_empty + max(issue, pipe_1 ... pipe_n, L1, L2, DRAM)
 *   issue  = warp instructions / (SMs * schedulers * instructions a cycle)
 *   pipe_u = 32 * warp instructions of unit u / (lanes_u * SMs)
 *   L1     = cycles of banks, tags and data paths, of shared memory too, / SMs                    (tally.c)
 *   L2     = 32 bytes * (sectors read once for each that is touched + all that are stored) / B_L2
 *   DRAM   = read / B_read + written / B_write
 *
 * Assumptions: work is spread evenly over the SMs; caches keep whatever was fetched, so that each bound is a lower one;
 * moves, branches and barriers take an issue slot and no pipe.
 */
#include "model/cost/baselines/baselines.h"

/* The pipes that a machine file has rates of. */
static void pipes_add(struct arena *arena, const struct machine *machine, const struct baseline_tally *tally,
                      struct estimate *estimate)
{
	const struct {
		enum ptx_unit unit;
		const char *name;
		const struct quantity *lanes;
	} pipes[] = {
		{UNIT_FP32, "fp32", &machine->lanes_fp32},
		{UNIT_FP64, "fp64", &machine->lanes_fp64},
		{UNIT_INT, "integer", &machine->lanes_int_add},
		{UNIT_INT_MULTIPLY, "multiply", &machine->lanes_int_multiply},
		{UNIT_SHIFT_COMPARE, "shift", &machine->lanes_int_shift_compare},
		{UNIT_SFU, "special", &machine->lanes_sfu},
		{UNIT_CONVERT, "convert", &machine->lanes_conversion},
		{UNIT_SHUFFLE, "shuffle", &machine->lanes_shuffle},
		{UNIT_LOAD_STORE, "lsu", &machine->lanes_load_store},
	};
	for (size_t p = 0; p < ARRAY_COUNT(pipes); p++)
		cost_limit_add(arena, estimate, pipes[p].name,
		               tally->units[pipes[p].unit] * WARP_LANES /
		                       (pipes[p].lanes->value * machine->sm_count.value));
}

void baseline_bounds_limits(struct arena *arena, const struct machine *machine, const struct baseline_tally *tally,
                            struct estimate *estimate)
{
	double slots = machine->sm_count.value * machine->sm_schedulers.value * machine->sm_issue_per_scheduler.value;
	double l2_seconds = tally->l2_sectors * SECTOR_BYTES / machine->l2_bandwidth_bytes_per_second.value;
	cost_limit_add(arena, estimate, "issue", tally->instructions / slots);
	pipes_add(arena, machine, tally, estimate);
	cost_limit_add(arena, estimate, "l1", tally->l1_cycles / machine->sm_count.value);
	cost_limit_add(arena, estimate, "l2", l2_seconds * machine->sm_clock_hz.value);
	cost_limit_add(arena, estimate, "dram", baseline_dram_seconds(machine, tally) * machine->sm_clock_hz.value);
}

struct estimate *baseline_bounds(struct arena *arena, const struct launch_view *view)
{
	struct baseline_tally tally = baseline_tally_of(arena, view);
	struct estimate *estimate = baseline_estimate_make(arena, view, &tally);
	baseline_bounds_limits(arena, view->machine, &tally, estimate);
	estimate->counts.dram_read_bytes = tally.dram_read_bytes;
	estimate->counts.dram_write_bytes = tally.dram_write_bytes;
	baseline_time_by_limits(view, estimate);
	return estimate;
}
