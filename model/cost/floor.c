/*
 * What no launch can be faster than, by an estimate's own counts:
 *
 *   t >= bytes of DRAM / bandwidth            theoretical, reading and writing together
 *   t >= warp instructions / (SMs * schedulers * instructions a cycle * clock)
 *   t >= t_empty                              GPU time of an empty kernel
 *
 * Counts that a model does not have set no floor. A model of ours is raised to its floor; one that is published
 * elsewhere stays as it is published, with a note.
 */
#include "model/cost/cost.h"

#include <math.h>

/* A floor that is known of a launch. */
struct floor {
	const char *bound; /* struct estimate */
	const char *what;
	double seconds;
};

static double known(double count)
{
	return isnan(count) ? 0 : count;
}

/* The highest of the floors. */
static struct floor floor_of(const struct machine *machine, const struct counts *counts)
{
	double bytes = known(counts->dram_read_bytes) + known(counts->dram_write_bytes);
	double rate = machine->sm_count.value * machine->sm_schedulers.value * machine->sm_issue_per_scheduler.value *
	              machine->sm_clock_hz.value;
	const struct floor floors[] = {
		{"launch", "an empty kernel takes", machine->launch_overhead_seconds.value},
		{"dram", "DRAM takes for the bytes that it counts",
	         bytes / machine->dram_bandwidth_bytes_per_second.value},
		{"issue", "the schedulers take for the instructions that run", known(counts->warp_instructions) / rate},
	};
	struct floor highest = floors[0];
	for (size_t i = 1; i < ARRAY_COUNT(floors); i++)
		if (floors[i].seconds > highest.seconds)
			highest = floors[i];
	return highest;
}

void cost_floor_apply(const struct machine *machine, struct estimate *estimate)
{
	struct floor floor = floor_of(machine, &estimate->counts);
	if (estimate->time_seconds >= floor.seconds)
		return;
	if (estimate->time_seconds > 0)
		estimate->cycles_per_warp *= floor.seconds / estimate->time_seconds;
	estimate->time_seconds = floor.seconds;
	estimate->bound = floor.bound;
}

void cost_floor_note(struct arena *arena, const struct machine *machine, const char *model, struct estimate *estimate)
{
	struct floor floor = floor_of(machine, &estimate->counts);
	if (estimate->time_seconds < floor.seconds)
		cost_note(arena, estimate,
		          arena_printf(arena, "a time of model %s is impossible: it is below what %s; use --model full",
		                       model, floor.what));
}
