/*
 * Sectors: the layout whose requests to global memory touch the fewest sectors of 32 bytes is best; what counting
 * transactions by hand or by a profiler says (CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory").
 *
 *   t = t_empty + 32 bytes * sectors / B_L2
 *
 * Assumptions: each sector passes the L2 once for each request that touches it; nothing else takes time.
 */
#include "model/cost/baselines/baselines.h"

struct estimate *baseline_sectors(struct arena *arena, const struct launch_view *view)
{
	const struct machine *machine = view->machine;
	struct baseline_tally tally = baseline_tally_of(arena, view);
	struct estimate *estimate = baseline_estimate_make(arena, view, &tally);
	double seconds = (tally.coalesced_sectors + tally.uncoalesced_sectors) * SECTOR_BYTES /
	                 machine->l2_bandwidth_bytes_per_second.value;
	cost_limit_add(arena, estimate, "l2", seconds * machine->sm_clock_hz.value);
	baseline_time_by_limits(view, estimate);
	return estimate;
}
