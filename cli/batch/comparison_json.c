/*
 * Comparisons as JSON: the cases of schema coalesce/batch/1, which processes, shards and people exchange, and the
 * figures.
 */
#include "cli/batch/batch.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- writing ------------------------------------------------------------------------ */

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *dimensions_json(const uint32_t value[3])
{
	return json_pack("[I,I,I]", (json_int_t)value[0], (json_int_t)value[1], (json_int_t)value[2]);
}

/* What is known of the launch itself, behind the kernel's name. */
static void launch_json(json_t *object, const struct comparison *comparison)
{
	if (!comparison->grid[0])
		return;
	json_object_set_new(object, "grid", dimensions_json(comparison->grid));
	json_object_set_new(object, "block", dimensions_json(comparison->block));
	json_object_set_new(object, "launches", json_integer((json_int_t)comparison->launches));
	json_object_set_new(object, "job", comparison->job ? json_string(comparison->job) : json_null());
}

static json_t *counts_json(const struct comparison *comparison)
{
	json_t *object = json_object();
	for (unsigned l = 0; l < comparison->layout_count; l++)
		json_object_set_new(object, comparison->layouts[l], batch_counts_json(&comparison->counts[l]));
	return object;
}

static json_t *times_json(const struct comparison *comparison, const double *times)
{
	json_t *object = json_object();
	for (unsigned l = 0; l < comparison->layout_count; l++)
		if (isfinite(times[l]))
			json_object_set_new(object, comparison->layouts[l], json_real(times[l]));
	return object;
}

struct json_t *batch_accuracy_json(const struct accuracy *accuracy)
{
	return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "cases", (int)accuracy->cases, "pick",
	                 number(accuracy->pick), "regret", number(accuracy->regret), "worst_regret",
	                 number(accuracy->worst_regret), "rank", number(accuracy->rank), "ratio_error",
	                 number(accuracy->ratio_error), "time_error", number(accuracy->time_error));
}

struct json_t *batch_comparison_json(struct arena *arena, const struct comparisons *comparisons,
                                     const struct comparison *comparison)
{
	json_t *predicted = json_object(), *picks = json_object(), *regrets = json_object(), *cycles = json_object();
	unsigned fastest = batch_fastest(comparison);
	for (unsigned m = 0; m < comparisons->model_count; m++) {
		struct judged_case judged;
		const char *name = comparisons->models[m];
		bool is_judged = batch_judge(arena, comparison, m, &judged);
		json_object_set_new(predicted, name, times_json(comparison, comparison->predicted[m]));
		if (comparison->cycles)
			json_object_set_new(cycles, name, times_json(comparison, comparison->cycles[m]));
		json_object_set_new(picks, name, json_string(comparison->layouts[comparison->picks[m]]));
		json_object_set_new(regrets, name, is_judged ? number(measure_regret(&judged)) : json_null());
	}
	json_t *object =
		json_pack("{s:s, s:i, s:s, s:s, s:s, s:s?, s:o, s:o, s:s?, s:o, s:o}", "id", comparison->id, "position",
	                  (int)comparison->position, "group", comparison->group, "size", comparison->size, "kernel",
	                  comparison->kernel, "record", comparison->record, "measured",
	                  times_json(comparison, comparison->measured), "predicted", predicted, "best_measured",
	                  fastest == UINT_MAX ? NULL : comparison->layouts[fastest], "pick", picks, "regret", regrets);
	if (comparison->cycles)
		json_object_set(object, "cycles", cycles);
	json_decref(cycles);
	launch_json(object, comparison);
	if (comparison->counts)
		json_object_set_new(object, "counts", counts_json(comparison));
	return object;
}

/* ---- reading --------------------------------------------------------------------------- */

static unsigned layout_index(const struct comparison *comparison, const char *name)
{
	for (unsigned l = 0; name && l < comparison->layout_count; l++)
		if (strcmp(comparison->layouts[l], name) == 0)
			return l;
	return UINT_MAX;
}

/* Takes the layouts' names, in order, from the first model's times. */
static void layouts_read(struct arena *arena, json_t *times, struct comparison *comparison)
{
	const char *name;
	json_t *value;
	json_object_foreach(times, name, value)
	{
		const char *own_name = arena_strdup(arena, name);
		ARENA_PUSH(arena, comparison->layouts, comparison->layout_count, own_name);
	}
}

static double *times_read(struct arena *arena, const json_t *times, const struct comparison *comparison)
{
	double *values = arena_array(arena, comparison->layout_count + 1, sizeof *values);
	for (unsigned l = 0; l < comparison->layout_count; l++) {
		const json_t *value = json_object_get(times, comparison->layouts[l]);
		values[l] = json_is_number(value) ? json_number_value(value) : NAN;
	}
	return values;
}

static void cycles_read(struct arena *arena, const struct comparisons *models, const json_t *cycles,
                        struct comparison *comparison)
{
	if (!cycles)
		return;
	comparison->cycles = arena_array(arena, models->model_count + 1, sizeof *comparison->cycles);
	for (unsigned m = 0; m < models->model_count; m++)
		comparison->cycles[m] = times_read(arena, json_object_get(cycles, models->models[m]), comparison);
}

/* Three whole numbers from 1; all 0 where there are none. */
static bool dimensions_read(const json_t *value, uint32_t numbers[3])
{
	bool good = !value || json_array_size(value) == 3;
	for (unsigned i = 0; i < 3 && good && value; i++) {
		json_int_t number = json_integer_value(json_array_get(value, i));
		good = number >= 1 && number <= UINT32_MAX;
		numbers[i] = (uint32_t)number;
	}
	return good;
}

/* Returns what is wrong, or NULL. */
static const char *launch_read(struct arena *arena, const json_t *json, struct comparison *comparison)
{
	const json_t *job = json_object_get(json, "job"), *counts = json_object_get(json, "counts");
	const json_int_t launches = json_integer_value(json_object_get(json, "launches"));
	if (!dimensions_read(json_object_get(json, "grid"), comparison->grid) ||
	    !dimensions_read(json_object_get(json, "block"), comparison->block))
		return "\"grid\" and \"block\" must be three numbers, each 1 or more";
	if (comparison->grid[0] && launches < 1)
		return "\"launches\" must be 1 or more";
	comparison->launches = (uint64_t)launches;
	comparison->job = json_is_string(job) ? arena_strdup(arena, json_string_value(job)) : NULL;
	if (!counts)
		return NULL;
	comparison->counts = arena_array(arena, comparison->layout_count, sizeof *comparison->counts);
	for (unsigned l = 0; l < comparison->layout_count; l++)
		batch_counts_read(json_object_get(counts, comparison->layouts[l]), &comparison->counts[l]);
	return NULL;
}

static const char *models_read(struct arena *arena, const struct comparisons *models, const json_t *predicted,
                               const json_t *picks, struct comparison *comparison)
{
	comparison->predicted = arena_array(arena, models->model_count + 1, sizeof *comparison->predicted);
	comparison->picks = arena_array(arena, models->model_count + 1, sizeof *comparison->picks);
	for (unsigned m = 0; m < models->model_count; m++) {
		const json_t *times = json_object_get(predicted, models->models[m]);
		if (!times)
			return "the models differ";
		comparison->predicted[m] = times_read(arena, times, comparison);
		comparison->picks[m] =
			layout_index(comparison, json_string_value(json_object_get(picks, models->models[m])));
		if (comparison->picks[m] == UINT_MAX)
			return "a pick that is no layout";
		for (unsigned l = 0; l < comparison->layout_count; l++)
			if (comparison->predicted[m][l] != 0 && !measure_time_is_possible(comparison->predicted[m][l]))
				return "a predicted time is missing, or neither 0 nor from 1e-6 to 1e15 us";
	}
	return NULL;
}

/* A layout that was not measured has none. */
static const char *measured_problem(const struct comparison *comparison)
{
	for (unsigned l = 0; l < comparison->layout_count; l++)
		if (!isnan(comparison->measured[l]) && !measure_time_is_possible(comparison->measured[l]))
			return "a measured time is not from 1e-6 to 1e15 us";
	return NULL;
}

const char *batch_comparison_read(struct arena *arena, const struct comparisons *models, struct json_t *json,
                                  struct comparison *comparison)
{
	json_t *measured, *predicted, *picks, *record;
	int position;
	json_error_t error;
	*comparison = (struct comparison){0};
	if (json_unpack_ex(json, &error, 0, "{s:s, s:i, s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "id", &comparison->id,
	                   "position", &position, "group", &comparison->group, "size", &comparison->size, "kernel",
	                   &comparison->kernel, "record", &record, "measured", &measured, "predicted", &predicted,
	                   "pick", &picks) != 0)
		return arena_strdup(arena, error.text);
	const char **texts[] = {&comparison->id, &comparison->group, &comparison->size, &comparison->kernel};
	for (size_t i = 0; i < ARRAY_COUNT(texts); i++)
		*texts[i] = arena_strdup(arena, *texts[i]);
	comparison->record = json_is_string(record) ? arena_strdup(arena, json_string_value(record)) : NULL;
	if (position < 0)
		return "\"position\" must be 0 or more";
	comparison->position = (unsigned)position;
	layouts_read(arena, json_object_get(predicted, models->models[0]), comparison);
	if (comparison->layout_count == 0)
		return "no layouts";
	comparison->measured = times_read(arena, measured, comparison);
	cycles_read(arena, models, json_object_get(json, "cycles"), comparison);
	const char *problem = launch_read(arena, json, comparison);
	problem = problem ? problem : measured_problem(comparison);
	return problem ? problem : models_read(arena, models, predicted, picks, comparison);
}
