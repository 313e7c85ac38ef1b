/*
 * The cost models: one row each. To add one, write its estimate function and add its row.
 */
#include "model/cost/baselines/baselines.h"
#include "model/cost/cost.h"
#include "model/cost/full/full.h"

#include <string.h>

const struct cost_model cost_models[] = {
	{"full", "one SM simulated over the machine code", true, false, full_estimate, NULL, "full", true},
	{"thesis", "the thesis's proposed method: source and PTX", true, true, cost_thesis, NULL, "thesis", false},
	{"source", "the thesis's conventional method: CUDA source alone", false, true, cost_source, NULL, "thesis",
         false},
	{"always-soa", "an array for each member is best", true, true, baseline_always_soa, NULL, "always-soa", false},
	{"sectors", "the fewest 32-byte sectors are best", true, true, baseline_sectors, NULL, "sectors", false},
	{"roofline", "bytes over bandwidth, or flops over rate", true, true, baseline_roofline, NULL, "roofline",
         false},
	{"hong-kim", "memory and computation warp parallelism (ISCA 2009)", true, true, baseline_hong_kim, NULL,
         "hong-kim", false},
	{"bounds", "exact counts through limits of throughput, no latency", true, true, baseline_bounds, NULL, "bounds",
         false},
};
const unsigned cost_model_count = ARRAY_COUNT(cost_models);

const struct cost_model *cost_model_find(const char *name)
{
	for (unsigned i = 0; i < cost_model_count; i++)
		if (strcmp(cost_models[i].name, name) == 0)
			return &cost_models[i];
	return NULL;
}

const char *cost_model_unknown(struct arena *arena, const char *name)
{
	const char **names = arena_array(arena, cost_model_count, sizeof *names);
	for (unsigned i = 0; i < cost_model_count; i++)
		names[i] = cost_models[i].name;
	return arena_printf(arena, "unknown model '%s'%s", name, text_suggestion(arena, name, names, cost_model_count));
}

#define LONGEST_SECONDS 3600.0 /* of a launch that somebody may mean; chosen */

/* Says where a time is no more than a lower bound, and where it is beyond belief. */
static void bounds_note(struct arena *arena, const struct launch_view *view, struct estimate *estimate)
{
	const struct code_view *code = cost_executed_code(view);
	estimate->lower_bound = code->evaluation && code->evaluation->cut;
	estimate->implausible = estimate->time_seconds > LONGEST_SECONDS;
	if (estimate->lower_bound && code->evaluation->misses_calls)
		cost_note(arena, estimate,
		          "calls are not followed: time and counts are lower bounds, by which no layouts are ranked; "
		          "call "
		          "the function by its name, or write a loop in place of recursion");
	else if (estimate->lower_bound)
		cost_note(arena, estimate,
		          "a part of the launch was not followed: its time and counts are lower bounds, by which no "
		          "layouts are "
		          "ranked; give a smaller --grid");
	if (estimate->implausible)
		cost_note(arena, estimate,
		          arena_printf(arena,
		                       "a launch of more than %s can hardly be meant: check sizes and loop bounds",
		                       cost_duration(arena, LONGEST_SECONDS)));
}

struct estimate *cost_estimate(struct arena *arena, const struct cost_model *model, const struct launch_view *view)
{
	struct launch_view given = *view;
	if (!model->reads_ptx) {
		given.ptx = given.machine_code = (struct code_view){0};
		given.resources = NULL;
		given.buffers = NULL;
		given.owners = NULL;
		given.buffer_count = 0;
	}
	struct estimate *estimate = model->estimate(arena, &given);
	if (model->published)
		cost_floor_note(arena, view->machine, model->stands_for ? model->stands_for : model->name, estimate);
	else {
		cost_floor_apply(view->machine, estimate);
		cost_traffic_bound(view, &estimate->counts);
	}
	cost_shared_fill(arena, &given, estimate);
	bounds_note(arena, view, estimate);
	const char *problem = cost_check(&given, estimate);
	if (problem)
		bug("estimate of %s by model %s: %s", view->launch->kernel->name, model->name, problem);
	return estimate;
}
