/*
 * Always SoA: what guides to GPU programming say (CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory"):
 * an array for each member is best.
 *
 *   t = t_empty (1 + s)      s: share of the kernel's records that have not every member in an array of its own
 *
 * It is an order and no time. A record of one member has it in an array of its own in every layout.
 */
#include "model/cost/baselines/baselines.h"

static bool members_are_apart(const struct placement *placement)
{
	return placement->buffer_count == placement->group->field_count;
}

static bool kernel_uses(const struct launch_view *view, const struct layout_group *group)
{
	for (unsigned p = 0; p < view->kernel->parameter_count; p++)
		if (view->kernel->parameters[p].group == group)
			return true;
	return false;
}

struct estimate *baseline_always_soa(struct arena *arena, const struct launch_view *view)
{
	struct baseline_tally tally = baseline_tally_of(arena, view);
	struct estimate *estimate = baseline_estimate_make(arena, view, &tally);
	unsigned used = 0, together = 0;
	for (unsigned g = 0; g < view->groups->count; g++) {
		if (!kernel_uses(view, view->groups->list[g]))
			continue;
		used++;
		together += !members_are_apart(view->placements[g]);
	}
	double share = used ? (double)together / used : 0;
	estimate->time_seconds = view->machine->launch_overhead_seconds.value * (1 + share);
	estimate->bound = "order";
	estimate->cycles_per_warp = cost_warp_cycles(view, estimate->time_seconds);
	return estimate;
}
