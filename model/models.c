/*
 * The cost models: one row each. To add one, write its estimate function and add its row.
 */
#include "model/model.h"

#include <string.h>

const struct cost_model cost_models[] = {
	{"full", "the most accurate there is", true, estimate_thesis, "thesis"},
	{"thesis", "the thesis's proposed method: source and PTX", true, estimate_thesis, NULL},
	{"source", "the thesis's conventional method: CUDA source alone", false, estimate_source, NULL},
};
const unsigned cost_model_count = ARRAY_COUNT(cost_models);

const struct cost_model *cost_model_find(const char *name)
{
	for (unsigned i = 0; i < cost_model_count; i++)
		if (strcmp(cost_models[i].name, name) == 0)
			return &cost_models[i];
	return NULL;
}
