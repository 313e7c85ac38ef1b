/*
 * The cost models: one row each. To add one, write its estimate function and add its row.
 */
#include "model/cost/cost.h"

#include <string.h>

/* What latency.c, hits.c and report.c take of a machine. */
#define THESIS_NUMBERS                                                                                                             \
	"sm.count sm.clock_hz sm.max_warps l2.size_bytes l2.line_bytes l2.hit_latency_cycles l2.transaction_delay_cycles "         \
	"dram.latency_added_cycles dram.transaction_delay_cycles"

const struct cost_model cost_models[] = {
	{"full", "the most accurate there is", true, cost_thesis, "thesis", THESIS_NUMBERS},
	{"thesis", "the thesis's proposed method: source and PTX", true, cost_thesis, NULL, THESIS_NUMBERS},
	{"source", "the thesis's conventional method: CUDA source alone", false, cost_source, NULL, THESIS_NUMBERS},
};
const unsigned cost_model_count = ARRAY_COUNT(cost_models);

const struct cost_model *cost_model_find(const char *name)
{
	for (unsigned i = 0; i < cost_model_count; i++)
		if (strcmp(cost_models[i].name, name) == 0)
			return &cost_models[i];
	return NULL;
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
	return model->estimate(arena, &given);
}
