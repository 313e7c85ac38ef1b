/*
 * Configurations read back from what `coalesce tune --json` printed, and the options that predict or measure one.
 */
#include "base/json/json.h"
#include "model/tune/tune.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CONFIGS 1000

/* ---- options ------------------------------------------------------------------------------- */

static void layout_push(struct arena *arena, struct predict_options *options, unsigned *count,
                        const struct layout *layout)
{
	const struct layout **rank = (const struct layout **)options->rank;
	for (unsigned i = 0; i < *count; i++)
		if (rank[i] == layout)
			return;
	ARENA_PUSH(arena, rank, *count, layout);
	options->rank = rank;
	options->rank_count = *count;
}

/* The layouts as written, and that of the configuration, alone. */
static void layouts_set(struct arena *arena, const struct prediction *first, const struct tune_option *option,
                        struct predict_options *options)
{
	unsigned count = 0;
	options->rank = NULL;
	if (option->layout)
		layout_push(arena, options, &count, option->layout);
	for (unsigned g = 0; g < first->groups.count && (!option->layout || first->groups.count > 1); g++)
		layout_push(arena, options, &count, first->groups.list[g]->written);
	if (count == 0)
		layout_push(arena, options, &count, layout_table[0]);
	if (option->tile) {
		unsigned *tile = arena_array(arena, 1, sizeof *tile);
		*tile = option->tile;
		options->tiles = tile;
		options->tile_count = 1;
	}
}

void tune_config_options(struct arena *arena, const struct prediction *first, const struct tune_config *config,
                         struct predict_options *options)
{
	const struct sweep_request request = {.first = first};
	sweep_options_at(arena, &request, &config->sweep, &config->point, options);
	layouts_set(arena, first, &config->option, options);
}

struct tune_config tune_config_of(const struct tune_result *result, unsigned candidate)
{
	const struct tune_candidate *one = &result->candidates[candidate];
	const struct sweep *sweep = result->sweep;
	struct tune_config config = {.option = result->options[one->option], .point = sweep->points[one->point]};
	memcpy(config.sweep.axes, sweep->axes, sizeof config.sweep.axes);
	config.sweep.axis_count = sweep->axis_count;
	config.time_seconds = one->time_seconds;
	return config;
}

/* ---- reading ------------------------------------------------------------------------------- */

struct config_reader {
	struct arena *arena;
	const char *path;
	struct diagnostics *diagnostics;
};

static bool refuse(struct config_reader *reader, const char *what)
{
	diagnostics_report(reader->diagnostics, SEVERITY_ERROR, (struct place){reader->path, 0, 0}, "%s", what);
	return false;
}

/* Only those that tune writes. */
static bool kind_read(const char *word, enum sweep_kind *kind)
{
	static const enum sweep_kind kinds[] = {SWEEP_MACRO,  SWEEP_DEFINITION, SWEEP_REGISTERS, SWEEP_UNROLL,
	                                        SWEEP_BOUNDS, SWEEP_SHARE,      SWEEP_SHAPE};
	for (size_t k = 0; word && k < ARRAY_COUNT(kinds); k++)
		if (strcmp(word, sweep_kind_name(kinds[k])) == 0) {
			*kind = kinds[k];
			return true;
		}
	return false;
}

static bool shape_read(const char *text, uint32_t shape[3])
{
	shape[0] = shape[1] = shape[2] = 1;
	for (unsigned axis = 0; axis < 3; axis++) {
		char *end;
		unsigned long size = strtoul(text, &end, 10);
		if (end == text || size < 1 || size > INT32_MAX)
			return false;
		shape[axis] = (uint32_t)size;
		if (!*end)
			return true;
		text = end + 1;
	}
	return false;
}

/* An axis with one value, 0 or the number, and what the file has: 1 or the number. Returns false where a value is none
 * that --tune takes. */
static bool axis_read(struct config_reader *reader, const json_t *json, const json_t *value, struct sweep_axis *axis,
                      int64_t *at)
{
	const json_t *own = json_object_get(json, "written");
	const json_t *pair[] = {value, own};
	const char *name = json_string_value(json_object_get(json, "name"));
	struct tune_space checked = {0};
	*axis = (struct sweep_axis){.name = name ? arena_strdup(reader->arena, name) : "", .count = 1, .has_own = true};
	if (!kind_read(json_string_value(json_object_get(json, "kind")), &axis->kind) || !value)
		return false;
	bool words = json_is_string(value) || json_is_string(own), shape = axis->kind == SWEEP_SHAPE;
	axis->words = words && !shape ? arena_array(reader->arena, 2, sizeof *axis->words) : NULL;
	axis->dimensions = shape ? arena_array(reader->arena, 2, sizeof *axis->dimensions) : NULL;
	for (unsigned i = 0; i < 2; i++) {
		const char *text = json_is_integer(pair[i])
		                           ? arena_printf(reader->arena, "%lld", (long long)json_integer_value(pair[i]))
		                   : json_is_string(pair[i]) ? arena_strdup(reader->arena, json_string_value(pair[i]))
		                                             : "";
		if (axis->words)
			axis->words[i] = text;
		if (shape && !shape_read(text, axis->dimensions[i]))
			return false;
	}
	bool numbers = !axis->words && !shape;
	*at = numbers ? json_integer_value(value) : 0;
	axis->own = numbers ? json_integer_value(own) : 1;
	if (json_equal(value, own))
		axis->own = *at;
	axis->has_own = !json_is_null(own);
	const char *text = axis->words ? axis->words[0]
	                   : numbers   ? arena_printf(reader->arena, "%lld", (long long)*at)
	                               : "1";
	bool is_own = axis->has_own && axis->own == *at;
	return is_own ||
	       !tune_parameter_add(reader->arena, &checked, arena_printf(reader->arena, "%s=%s", axis->name, text));
}

static bool dimensions_read(const json_t *json, struct dimensions *dimensions)
{
	for (size_t axis = 0; axis < 3; axis++) {
		json_int_t size = json_integer_value(json_array_get(json, axis));
		if (size < 1 || size > INT32_MAX)
			return false;
		dimensions->value[axis] = (uint32_t)size;
	}
	return true;
}

static bool config_read(struct config_reader *reader, const json_t *root, const json_t *json,
                        struct tune_config *config)
{
	const json_t *axes = json_object_get(root, "axes"), *values = json_object_get(json, "values");
	const char *layout = json_string_value(json_object_get(json, "layout"));
	const char *record = json_string_value(json_object_get(json, "record"));
	*config = (struct tune_config){.time_seconds = 1e-6 * json_number_value(json_object_get(json, "time_us"))};
	config->option = (struct tune_option){.record = record ? arena_strdup(reader->arena, record) : NULL,
	                                      .layout = layout ? layout_find(layout) : NULL,
	                                      .tile = (unsigned)json_integer_value(json_object_get(json, "tile"))};
	for (size_t a = 0; a < json_array_size(axes) && a < MOST_SWEEP_AXES; a++) {
		const json_t *axis = json_array_get(axes, a);
		const char *name = json_string_value(json_object_get(axis, "name"));
		if (!name || !axis_read(reader, axis, json_object_get(values, name), &config->sweep.axes[a],
		                        &config->point.at[a]))
			return false;
		config->sweep.axis_count++;
	}
	config->grid.given = config->block.given = json_is_true(json_object_get(root, "launch_is_said"));
	return (!layout || config->option.layout) && dimensions_read(json_object_get(json, "grid"), &config->grid) &&
	       dimensions_read(json_object_get(json, "block"), &config->block);
}

struct tune_config *tune_configs_read(struct arena *arena, const char *path, unsigned *count,
                                      struct diagnostics *diagnostics)
{
	struct config_reader reader = {arena, path, diagnostics};
	struct tune_config *configs = NULL;
	json_t *root = json_file_read(arena, path, "coalesce/tune/1", diagnostics);
	const json_t *list = json_object_get(root, "configurations");
	bool good = root != NULL;
	*count = 0;
	if (root && (json_array_size(list) == 0 || json_array_size(list) > MOST_CONFIGS))
		good = refuse(&reader, arena_printf(arena, "it has no configurations, or more than %d", MOST_CONFIGS));
	for (size_t i = 0; good && i < json_array_size(list); i++) {
		struct tune_config config;
		good = config_read(&reader, root, json_array_get(list, i), &config);
		if (!good)
			refuse(&reader, arena_printf(arena, "configuration %zu is none that coalesce tune writes", i));
		ARENA_PUSH(arena, configs, *count, config);
	}
	json_decref(root);
	return good ? configs : NULL;
}
