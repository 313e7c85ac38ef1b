/*
 * Configurations as JSON.
 */
#include "cli/tables/tables.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <string.h>

static json_t *dimensions_json(const uint32_t value[3])
{
	return json_pack("[i, i, i]", (int)value[0], (int)value[1], (int)value[2]);
}

static json_t *text_or_null(const char *text)
{
	return text && *text ? json_string(text) : json_null();
}

static json_t *value_json(struct arena *arena, const struct sweep_axis *axis, int64_t value)
{
	return axis->words || axis->dimensions ? json_string(sweep_value(arena, axis, value)) : json_integer(value);
}

static json_t *axis_json(struct arena *arena, const struct sweep_axis *axis)
{
	json_t *values = json_array();
	for (unsigned v = 0; v < axis->count; v++)
		json_array_append_new(values, value_json(arena, axis, axis->values[v]));
	return json_pack("{s:s, s:s, s:o, s:o}", "name", axis->name, "kind", sweep_kind_name(axis->kind), "values",
	                 values, "written", axis->has_own ? value_json(arena, axis, axis->own) : json_null());
}

/* The values of the axes at a point, by their names. */
static json_t *values_json(struct arena *arena, const struct sweep *sweep, unsigned point)
{
	json_t *values = json_object();
	for (unsigned a = 0; a < sweep->axis_count; a++)
		if (sweep->axes[a].kind != SWEEP_SAID_BLOCK && sweep->axes[a].kind != SWEEP_SAID_GRID)
			json_object_set_new(values, sweep->axes[a].name,
			                    value_json(arena, &sweep->axes[a], sweep->points[point].at[a]));
	return values;
}

static json_t *changes_json(const struct tables_change *changes, unsigned count)
{
	json_t *list = json_array();
	for (unsigned i = 0; i < count; i++)
		json_array_append_new(list,
		                      json_pack("{s:s, s:s, s:s, s:o, s:o}", "kind", changes[i].kind, "name",
		                                changes[i].name, "value", changes[i].value, "flag",
		                                text_or_null(changes[i].flag), "do", text_or_null(changes[i].todo)));
	return list;
}

static json_t *candidate_json(struct arena *arena, const struct tune_result *result,
                              const struct tune_candidate *candidate)
{
	const struct sweep *sweep = result->sweep;
	const struct sweep_cell *cell = &sweep->points[candidate->point].cells[candidate->series];
	const struct tune_option *option = &result->options[candidate->option];
	unsigned count;
	const struct tables_change *changes =
		tables_tune_changes(arena, result, candidate, !result->is_written, &count);
	double time = 1e6 * candidate->time_seconds;
	json_t *root = json_pack("{s:s, s:o, s:o, s:o, s:o, s:f}", "configuration",
	                         tables_tune_label(arena, result, candidate), "record", text_or_null(option->record),
	                         "layout", text_or_null(option->layout ? option->layout->name : NULL), "tile",
	                         option->tile ? json_integer(option->tile) : json_null(), "values",
	                         values_json(arena, sweep, candidate->point), "time_us", time);
	json_object_set_new(root, "interval_us",
	                    candidate->low > 0 ? json_pack("[f, f]", time * candidate->low, time * candidate->high)
	                                       : json_null());
	json_object_set_new(root, "bound", json_string(cell->bound));
	json_object_set_new(root, "occupancy", isfinite(cell->occupancy) ? json_real(cell->occupancy) : json_null());
	json_object_set_new(root, "registers", cell->registers ? json_integer(cell->registers) : json_null());
	json_object_set_new(root, "kernel", json_string(sweep->series[candidate->series].kernel));
	json_object_set_new(root, "grid", dimensions_json(cell->grid));
	json_object_set_new(root, "block", dimensions_json(cell->block));
	json_object_set_new(root, "tie", json_boolean(candidate->is_tie));
	json_object_set_new(root, "close", json_boolean(candidate->is_close));
	json_object_set_new(root, "why", text_or_null(cell->why));
	json_object_set_new(root, "changes", changes_json(changes, count));
	return root;
}

static json_t *refused_json(struct arena *arena, const struct tune_result *result)
{
	json_t *list = json_array();
	for (unsigned p = 0; p < result->sweep->point_count; p++) {
		const char *problem = result->sweep->points[p].problem;
		if (problem && strcmp(problem, SWEEP_NOT_TRIED) != 0)
			json_array_append_new(list, json_pack("{s:o, s:s}", "values",
			                                      values_json(arena, result->sweep, p), "reason", problem));
	}
	return list;
}

static const char *verdict_name(const struct tune_result *result)
{
	const struct tune_candidate *written =
		result->written == UINT_MAX ? NULL : &result->candidates[result->written];
	if (!written)
		return "change";
	return written->is_tie ? "keep" : written->is_close ? "measure" : "change";
}

static bool launch_is_said(const struct sweep *sweep)
{
	for (unsigned a = 0; a < sweep->axis_count; a++)
		if (sweep->axes[a].kind == SWEEP_SAID_BLOCK || sweep->axes[a].kind == SWEEP_SAID_GRID)
			return true;
	return false;
}

json_t *tables_tune_json(struct arena *arena, const struct tune_result *result)
{
	json_t *axes = json_array(), *configurations = json_array(), *notes = json_array();
	for (unsigned a = 0; a < result->sweep->axis_count; a++)
		if (result->sweep->axes[a].count)
			json_array_append_new(axes, axis_json(arena, &result->sweep->axes[a]));
	for (unsigned i = 0; i < result->candidate_count; i++)
		json_array_append_new(configurations, candidate_json(arena, result, &result->candidates[i]));
	for (unsigned n = 0; n < result->note_count; n++)
		json_array_append_new(notes, json_string(result->notes[n]));
	json_t *root = json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:b}", "schema", "coalesce/tune/1", "file",
	                         result->first->analysis->path, "machine", result->first->machine->name, "model",
	                         result->first->model->name, "space_size", (json_int_t)result->space_size, "predicted",
	                         (json_int_t)result->predicted, "time_was_over", result->time_was_over);
	json_object_set_new(root, "first_is_written", json_boolean(result->is_written));
	json_object_set_new(root, "launch_is_said", json_boolean(launch_is_said(result->sweep)));
	json_object_set_new(root, "verdict", json_string(verdict_name(result)));
	json_object_set_new(root, "written", result->written == UINT_MAX ? json_null() : json_integer(result->written));
	json_object_set_new(root, "recommended", json_integer(result->recommended));
	json_object_set_new(root, "axes", axes);
	json_object_set_new(root, "configurations", configurations);
	json_object_set_new(root, "refused", refused_json(arena, result));
	json_object_set_new(root, "notes", notes);
	return root;
}
