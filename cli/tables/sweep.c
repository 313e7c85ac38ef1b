/*
 * Sweeps: times over the values of one number, what is picked over those of two; as text, JSON and CSV.
 */
#include "cli/tables/tables.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- names ------------------------------------------------------------------------------ */

/* A curve among those of its choice: the layout, or the kernel where kernels are compared. */
static const char *series_label(struct arena *arena, const struct sweep *sweep, const struct sweep_choice *choice,
                                unsigned series)
{
	const struct sweep_series *own = &sweep->series[series];
	return choice->of_kernels ? own->kernel : report_layout_label(arena, own->layout, own->tile);
}

static const char *pick_label(struct arena *arena, const struct sweep *sweep, unsigned choice,
                              const struct sweep_point *point)
{
	unsigned pick = point->picks[choice];
	return pick == UINT_MAX ? "-" : series_label(arena, sweep, &sweep->choices[choice], pick);
}

/* ---- text: one axis ---------------------------------------------------------------------- */

static double fastest_time(const struct sweep_choice *choice, const struct sweep_point *point)
{
	double fastest = INFINITY;
	for (unsigned i = 0; i < choice->count; i++)
		fastest = fmin(fastest, point->cells[choice->series[i]].time_seconds);
	return fastest;
}

static void curve_cells(struct arena *arena, const struct sweep *sweep, unsigned choice,
                        const struct sweep_point *point, struct tables_grid *grid, unsigned row)
{
	const struct sweep_choice *own = &sweep->choices[choice];
	unsigned column = 0;
	tables_cell(arena, grid, row, column++, "%s", sweep_value(arena, &sweep->axes[0], point->at[0]));
	if (own->count > 1)
		tables_cell(arena, grid, row, column++, "%s", pick_label(arena, sweep, choice, point));
	if (own->count > 1 && own->written != UINT_MAX) {
		double loss = 100 * (point->cells[own->written].time_seconds / fastest_time(own, point) - 1);
		tables_cell(arena, grid, row, column++, isfinite(loss) ? "%.0f%%" : "-", loss);
	}
	for (unsigned i = 0; i < own->count; i++) {
		double time = point->cells[own->series[i]].time_seconds;
		tables_cell(arena, grid, row, column++, isfinite(time) ? "%.3f" : "-", 1e6 * time);
	}
	if (sweep->axes[0].kind == SWEEP_MACHINE && own->count > 1 && !own->of_program)
		tables_cell(arena, grid, row, column++, "%s",
		            report_confidence(point->cells[own->series[0]].confidence));
	if (own->count == 1) {
		tables_cell(arena, grid, row, column++, "%s", point->cells[own->series[0]].bound);
		double occupancy = point->cells[own->series[0]].occupancy;
		tables_cell(arena, grid, row, column++, isfinite(occupancy) ? "%.0f%%" : "-", 100 * occupancy);
	}
}

static void curve_heads(struct arena *arena, const struct sweep *sweep, unsigned choice, struct tables_grid *grid)
{
	const struct sweep_choice *own = &sweep->choices[choice];
	unsigned column = 0;
	tables_cell(arena, grid, 0, column++, "%s", sweep->axes[0].name);
	if (own->count > 1)
		tables_cell(arena, grid, 0, column++, "pick");
	if (own->count > 1 && own->written != UINT_MAX)
		tables_cell(arena, grid, 0, column++, "%s loses", series_label(arena, sweep, own, own->written));
	for (unsigned i = 0; i < own->count; i++)
		tables_cell(arena, grid, 0, column++, own->count == 1 ? "time us" : "%s us",
		            series_label(arena, sweep, own, own->series[i]));
	if (sweep->axes[0].kind == SWEEP_MACHINE && own->count > 1 && !own->of_program)
		tables_cell(arena, grid, 0, column++, "confidence");
	if (own->count == 1) {
		tables_cell(arena, grid, 0, column++, "bound");
		tables_cell(arena, grid, 0, column++, "occup.");
	}
}

static void curves_print(struct text *out, struct arena *arena, const struct sweep *sweep, unsigned choice,
                         const struct report_style *style)
{
	const struct sweep_choice *own = &sweep->choices[choice];
	unsigned more = own->count == 1 ? 3 : own->written == UINT_MAX ? 2 : 3;
	struct tables_grid grid = tables_grid_make(arena, sweep->axes[0].count + 1, own->count + more + 1);
	grid.needed = own->count == 1 ? 2 : more;
	curve_heads(arena, sweep, choice, &grid);
	for (unsigned p = 0; p < sweep->axes[0].count; p++)
		curve_cells(arena, sweep, choice, &sweep->points[p], &grid, p + 1);
	tables_grid_print(out, &grid, style);
}

/* ---- text: two axes ------------------------------------------------------------------------- */

static void matrix_print(struct text *out, struct arena *arena, const struct sweep *sweep, unsigned choice,
                         const struct report_style *style)
{
	unsigned inner = sweep->axes[1].count;
	struct tables_grid grid = tables_grid_make(arena, sweep->axes[0].count + 1, inner + 1);
	tables_cell(arena, &grid, 0, 0, "%s \\ %s", sweep->axes[0].name, sweep->axes[1].name);
	for (unsigned j = 0; j < inner; j++)
		tables_cell(arena, &grid, 0, j + 1, "%s",
		            sweep_value(arena, &sweep->axes[1], sweep->axes[1].values[j]));
	for (unsigned i = 0; i < sweep->axes[0].count; i++) {
		tables_cell(arena, &grid, i + 1, 0, "%s",
		            sweep_value(arena, &sweep->axes[0], sweep->axes[0].values[i]));
		for (unsigned j = 0; j < inner; j++) {
			const struct sweep_point *point = &sweep->points[i * inner + j];
			double fastest = 1e6 * fastest_time(&sweep->choices[choice], point);
			const char *pick = sweep->choices[choice].count > 1
			                           ? arena_printf(arena, "%s ", pick_label(arena, sweep, choice, point))
			                           : "";
			tables_cell(arena, &grid, i + 1, j + 1, isfinite(fastest) ? "%s%.5g" : "-", pick, fastest);
		}
	}
	tables_grid_print(out, &grid, style);
}

/* ---- text: what it means ------------------------------------------------------------------------ */

static void crossovers_print(struct text *out, struct arena *arena, const struct sweep *sweep, unsigned choice,
                             const struct report_style *style)
{
	const struct sweep_choice *own = &sweep->choices[choice];
	unsigned count = 0;
	for (unsigned i = 0; i < sweep->crossover_count; i++) {
		const struct sweep_crossover *crossover = &sweep->crossovers[i];
		const char *beside = "";
		if (crossover->choice != choice)
			continue;
		if (sweep->axis_count > 1)
			beside = arena_printf(arena, "%s %s: ", sweep->axes[1].name,
			                      sweep_value(arena, &sweep->axes[1], crossover->beside));
		tables_paragraph(out, style,
		                 arena_printf(arena, "%sfrom %s = %lld up %s instead of %s (%s up to %lld)", beside,
		                              sweep->axes[0].name, (long long)crossover->at,
		                              series_label(arena, sweep, own, crossover->to),
		                              series_label(arena, sweep, own, crossover->from),
		                              series_label(arena, sweep, own, crossover->from),
		                              (long long)crossover->before));
		count++;
	}
	if (count == 0 && own->count > 1 && sweep->axis_count == 1 && sweep->axes[0].kind != SWEEP_MACHINE)
		tables_paragraph(out, style,
		                 arena_printf(arena, "%s at all values%s",
		                              pick_label(arena, sweep, choice, &sweep->points[0]),
		                              sweep->points[0].picks[choice] == own->written ? " (as written)" : ""));
}

/* How grid and block go with the values: of the first and of the last point that was predicted. */
static void launches_print(struct text *out, struct arena *arena, const struct sweep *sweep, unsigned choice,
                           const struct report_style *style)
{
	const struct sweep_cell *first = NULL, *last = NULL;
	for (unsigned p = 0; p < sweep->axes[0].count && sweep->axis_count == 1; p++) {
		const struct sweep_cell *cell = &sweep->points[p].cells[sweep->choices[choice].series[0]];
		if (!isfinite(cell->time_seconds) || cell->block[0] == 0)
			continue;
		first = first ? first : cell;
		last = cell;
	}
	if (!first)
		return;
	const char *grid = report_dimensions(arena, first->grid), *block = report_dimensions(arena, first->block);
	if (memcmp(first->grid, last->grid, sizeof first->grid) != 0)
		grid = arena_printf(arena, "%s to %s", grid, report_dimensions(arena, last->grid));
	if (memcmp(first->block, last->block, sizeof first->block) != 0)
		block = arena_printf(arena, "%s to %s", block, report_dimensions(arena, last->block));
	tables_paragraph(out, style, arena_printf(arena, "grid %s, block %s", grid, block));
}

static void problems_print(struct text *out, struct arena *arena, const struct sweep *sweep,
                           const struct report_style *style)
{
	const struct sweep_point *first = NULL;
	unsigned count = 0;
	for (unsigned p = 0; p < sweep->point_count; p++) {
		if (!sweep->points[p].problem)
			continue;
		first = first ? first : &sweep->points[p];
		count++;
	}
	if (first)
		tables_paragraph(out, style,
		                 arena_printf(arena, "note: %u of %u points cannot be predicted; %s %s: %s", count,
		                              sweep->point_count, sweep->axes[0].name,
		                              sweep_value(arena, &sweep->axes[0], first->at[0]), first->problem));
}

/* "NVIDIA H200", or the machines of the axis that has them. */
static const char *machines_text(struct arena *arena, const struct prediction *prediction)
{
	const struct sweep *sweep = prediction->sweep;
	const char *text = NULL;
	for (unsigned a = 0; a < sweep->axis_count; a++)
		for (unsigned i = 0; sweep->axes[a].kind == SWEEP_MACHINE && i < sweep->axes[a].count; i++)
			text = text ? arena_printf(arena, "%s, %s", text, sweep->axes[a].words[i])
			            : sweep->axes[a].words[i];
	return text ? text : prediction->machine->name;
}

/* "; n from 1024 to 4096" of each axis that is a range. */
static const char *ranges_text(struct arena *arena, const struct sweep *sweep)
{
	const char *text = "";
	for (unsigned a = 0; a < sweep->axis_count; a++) {
		const struct sweep_axis *axis = &sweep->axes[a];
		if (axis->kind != SWEEP_MACHINE)
			text = arena_printf(arena, "%s; %s%s from %lld to %lld", text,
			                    axis->kind == SWEEP_MACRO ? "macro " : "", axis->name,
			                    (long long)axis->values[0], (long long)axis->values[axis->count - 1]);
	}
	return text;
}

void tables_sweep(struct text *out, struct arena *arena, const struct prediction *prediction,
                  const struct report_style *style)
{
	const struct sweep *sweep = prediction->sweep;
	text_wrap(out,
	          arena_printf(arena, "%s on %s, model %s%s", report_program_name(arena, prediction),
	                       machines_text(arena, prediction), prediction->model->name, ranges_text(arena, sweep)),
	          0, 2, style->width);
	text_puts(out, "\n");
	for (unsigned c = 0; c < sweep->choice_count; c++) {
		const char *cells = sweep->choices[c].count > 1 ? ": what is picked, and the time of the fastest in us"
		                                                : ": time in us";
		text_printf(out, "\n%s%s%s%s\n", style->colour ? "\x1b[1m" : "", sweep->choices[c].title,
		            style->colour ? "\x1b[0m" : "", sweep->axis_count > 1 ? cells : "");
		if (sweep->axis_count == 1)
			curves_print(out, arena, sweep, c, style);
		else
			matrix_print(out, arena, sweep, c, style);
		launches_print(out, arena, sweep, c, style);
		crossovers_print(out, arena, sweep, c, style);
	}
	problems_print(out, arena, sweep, style);
}

/* ---- JSON --------------------------------------------------------------------------------------- */

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *index_or_null(unsigned index)
{
	return index == UINT_MAX ? json_null() : json_integer(index);
}

static json_t *value_json(const struct sweep_axis *axis, int64_t value)
{
	return axis->kind == SWEEP_MACHINE ? json_string(axis->words[value]) : json_integer(value);
}

static json_t *axis_json(const struct sweep_axis *axis)
{
	json_t *values = json_array();
	for (unsigned i = 0; i < axis->count; i++)
		json_array_append_new(values, value_json(axis, axis->values[i]));
	return json_pack("{s:s, s:s, s:o}", "name", axis->name, "kind", sweep_kind_name(axis->kind), "values", values);
}

static json_t *series_json(const struct sweep_series *series)
{
	return json_pack("{s:s?, s:i, s:s?, s:s, s:o}", "kernel", series->kernel, "launch", (int)series->launch,
	                 "record", series->record, "layout", series->layout ? series->layout->name : "as-written",
	                 "tile", series->tile ? json_integer(series->tile) : json_null());
}

static json_t *choice_json(const struct sweep_choice *choice)
{
	json_t *series = json_array();
	for (unsigned i = 0; i < choice->count; i++)
		json_array_append_new(series, json_integer(choice->series[i]));
	return json_pack("{s:s, s:o, s:o}", "title", choice->title, "series", series, "written",
	                 index_or_null(choice->written));
}

static json_t *point_json(const struct sweep *sweep, const struct sweep_point *point)
{
	json_t *at = json_array(), *times = json_array(), *bounds = json_array(), *occupancies = json_array(),
	       *picks = json_array();
	for (unsigned a = 0; a < sweep->axis_count; a++)
		json_array_append_new(at, value_json(&sweep->axes[a], point->at[a]));
	for (unsigned s = 0; s < sweep->series_count; s++) {
		const struct sweep_cell *cell = &point->cells[s];
		json_array_append_new(times, number(1e6 * cell->time_seconds));
		json_array_append_new(bounds, *cell->bound ? json_string(cell->bound) : json_null());
		json_array_append_new(occupancies, number(cell->occupancy));
	}
	for (unsigned c = 0; c < sweep->choice_count; c++)
		json_array_append_new(picks, index_or_null(point->picks[c]));
	return json_pack("{s:o, s:b, s:s?, s:o, s:o, s:o, s:o}", "at", at, "between", point->between, "problem",
	                 point->problem, "time_us", times, "bound", bounds, "occupancy", occupancies, "picks", picks);
}

static json_t *crossover_json(const struct sweep *sweep, const struct sweep_crossover *crossover)
{
	return json_pack("{s:i, s:o, s:I, s:I, s:i, s:i}", "choice", (int)crossover->choice, "beside",
	                 sweep->axis_count > 1 ? value_json(&sweep->axes[1], crossover->beside) : json_null(), "before",
	                 (json_int_t)crossover->before, "at", (json_int_t)crossover->at, "from", (int)crossover->from,
	                 "to", (int)crossover->to);
}

struct json_t *tables_sweep_json(const struct sweep *sweep)
{
	json_t *axes = json_array(), *series = json_array(), *choices = json_array(), *points = json_array(),
	       *crossovers = json_array();
	for (unsigned a = 0; a < sweep->axis_count; a++)
		json_array_append_new(axes, axis_json(&sweep->axes[a]));
	for (unsigned s = 0; s < sweep->series_count; s++)
		json_array_append_new(series, series_json(&sweep->series[s]));
	for (unsigned c = 0; c < sweep->choice_count; c++)
		json_array_append_new(choices, choice_json(&sweep->choices[c]));
	for (unsigned p = 0; p < sweep->point_count; p++)
		json_array_append_new(points, point_json(sweep, &sweep->points[p]));
	for (unsigned i = 0; i < sweep->crossover_count; i++)
		json_array_append_new(crossovers, crossover_json(sweep, &sweep->crossovers[i]));
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "axes", axes, "series", series, "choices", choices, "points",
	                 points, "crossovers", crossovers);
}

/* ---- CSV ------------------------------------------------------------------------------------------ */

/* A field, quoted where it holds what separates fields. */
static void field_print(struct text *out, const char *text)
{
	bool quoted = strpbrk(text, ",\"\n") != NULL;
	text_puts(out, quoted ? "\"" : "");
	for (const char *next = text; *next; next++)
		text_printf(out, *next == '"' ? "\"%c" : "%c", *next);
	text_puts(out, quoted ? "\"" : "");
}

static void cell_print(struct text *out, struct arena *arena, const struct sweep *sweep,
                       const struct sweep_point *point, unsigned index)
{
	const struct sweep_series *series = &sweep->series[index];
	const struct sweep_cell *cell = &point->cells[index];
	for (unsigned a = 0; a < sweep->axis_count; a++)
		text_printf(out, "%s,", sweep_value(arena, &sweep->axes[a], point->at[a]));
	field_print(out, series->kernel ? series->kernel : "");
	text_printf(out, ",%u,", series->launch);
	field_print(out, series->record ? series->record : "");
	text_printf(out, ",%s,", series->layout ? series->layout->name : "as-written");
	text_printf(out, series->tile ? "%u," : ",", series->tile);
	text_printf(out, isfinite(cell->time_seconds) ? "%.6g," : ",", 1e6 * cell->time_seconds);
	text_printf(out, isfinite(cell->occupancy) ? "%.4g," : ",", cell->occupancy);
	text_printf(out, cell->registers ? "%u," : ",", cell->registers);
	text_printf(out, "%s,%d\n", cell->bound, point->between);
}

void tables_sweep_csv(struct text *out, struct arena *arena, const struct sweep *sweep)
{
	for (unsigned a = 0; a < sweep->axis_count; a++) {
		field_print(out, sweep->axes[a].name);
		text_puts(out, ",");
	}
	text_puts(out, "kernel,launch,record,layout,tile,time_us,occupancy,registers,bound,between\n");
	for (unsigned p = 0; p < sweep->point_count; p++)
		for (unsigned s = 0; s < sweep->series_count; s++)
			cell_print(out, arena, sweep, &sweep->points[p], s);
}
