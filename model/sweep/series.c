/*
 * What the curves are of: each row of each launch, and of the program where there are several; and what is chosen
 * between.
 */
#include "model/sweep/sweep.h"
#include "model/trust/trust.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- finding them ------------------------------------------------------------------------ */

static bool tile_is_swept(const struct sweep *sweep)
{
	for (unsigned a = 0; a < sweep->axis_count; a++)
		if (sweep->axes[a].kind == SWEEP_TILE)
			return true;
	return false;
}

unsigned sweep_launch_index(const struct prediction *prediction, unsigned index)
{
	unsigned count = 0;
	for (unsigned c = 0; c < index; c++)
		count += strcmp(prediction->cases[c].launch->kernel->name,
		                prediction->cases[index].launch->kernel->name) == 0;
	return count;
}

/* Whether two names are of one kernel, or of instances of one template: what a swept number stands for may be an
 * argument of it. */
static bool same_template(const char *a, const char *b)
{
	size_t length = strcspn(a, "<");
	return length == strcspn(b, "<") && strncmp(a, b, length) == 0;
}

unsigned sweep_launch_ordinal(const struct prediction *prediction, unsigned index)
{
	unsigned count = 0;
	for (unsigned c = 0; c < index; c++)
		count += same_template(prediction->cases[c].launch->kernel->name,
		                       prediction->cases[index].launch->kernel->name);
	return count;
}

static bool texts_equal(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool series_equal(const struct sweep_series *a, const struct sweep_series *b)
{
	return texts_equal(a->kernel, b->kernel) && a->launch == b->launch && texts_equal(a->record, b->record) &&
	       a->layout == b->layout && a->tile == b->tile;
}

/* The position of a series, which is added where it is new. */
static unsigned series_add(struct arena *arena, struct sweep *sweep, const struct sweep_series *series)
{
	for (unsigned i = 0; i < sweep->series_count; i++)
		if (series_equal(&sweep->series[i], series))
			return i;
	ARENA_PUSH(arena, sweep->series, sweep->series_count, *series);
	return sweep->series_count - 1;
}

static void choice_extend(struct arena *arena, struct sweep_choice *choice, unsigned series, bool written)
{
	for (unsigned i = 0; i < choice->count; i++)
		if (choice->series[i] == series)
			return;
	ARENA_PUSH(arena, choice->series, choice->count, series);
	if (written)
		choice->written = series;
}

static void choice_of_record(struct arena *arena, const struct prediction *first, unsigned index,
                             const struct layout_group *group, struct sweep *sweep)
{
	const struct case_result *result = &first->cases[index];
	const char *kernel = result->launch->kernel->name;
	unsigned launch = sweep_launch_index(first, index);
	unsigned ordinal = sweep_launch_ordinal(first, index);
	const char *which = launch ? arena_printf(arena, " (launch %u)", launch + 1) : "";
	struct sweep_choice choice = {.written = UINT_MAX};
	choice.title = group ? arena_printf(arena, "kernel %s%s, record %s", kernel, which, group->name)
	                     : arena_printf(arena, "kernel %s%s", kernel, which);
	for (unsigned r = 0; r < result->row_count; r++) {
		const struct ranked_layout *row = &result->rows[r];
		struct sweep_series series = {
			.kernel = kernel, .launch = launch, .ordinal = ordinal, .record = group ? group->name : NULL};
		if (row->group != group)
			continue;
		series.layout = group ? row->layout : NULL;
		series.tile = tile_is_swept(sweep) ? 0 : row->tile;
		choice_extend(arena, &choice, series_add(arena, sweep, &series),
		              group && row->layout == group->written);
	}
	if (choice.count)
		ARENA_PUSH(arena, sweep->choices, sweep->choice_count, choice);
}

static void choice_of_program(struct arena *arena, const struct prediction *first, const struct layout_group *group,
                              struct sweep *sweep)
{
	struct sweep_choice choice = {.written = UINT_MAX, .of_program = true};
	choice.title = arena_printf(arena, "program, record %s", group->name);
	for (unsigned r = 0; r < first->program_count; r++) {
		const struct program_row *row = &first->program[r];
		struct sweep_series series = {.record = group->name, .layout = row->layout};
		if (row->group != group)
			continue;
		series.tile = tile_is_swept(sweep) ? 0 : row->tile;
		choice_extend(arena, &choice, series_add(arena, sweep, &series), row->layout == group->written);
	}
	ARENA_PUSH(arena, sweep->choices, sweep->choice_count, choice);
}

static unsigned case_index(const struct prediction *first, const struct case_result *result)
{
	return (unsigned)(result - first->cases);
}

static void choice_of_kernels(struct arena *arena, const struct prediction *first,
                              const struct kernel_comparison *comparison, struct sweep *sweep)
{
	struct sweep_choice choice = {.written = UINT_MAX, .of_kernels = true};
	choice.title =
		comparison->word ? arena_printf(arena, "kernels that begin with %s", comparison->word) : "kernels";
	for (unsigned v = 0; v < comparison->count; v++) {
		const struct kernel_variant *variant = &comparison->variants[v];
		const struct ranked_layout *row = variant->row;
		struct sweep_series series = {.kernel = variant->result->launch->kernel->name,
		                              .launch = sweep_launch_index(first, case_index(first, variant->result)),
		                              .ordinal =
		                                      sweep_launch_ordinal(first, case_index(first, variant->result)),
		                              .record = row->group ? row->group->name : NULL,
		                              .layout = row->group ? row->layout : NULL};
		series.tile = tile_is_swept(sweep) ? 0 : row->tile;
		choice_extend(arena, &choice, series_add(arena, sweep, &series), false);
	}
	ARENA_PUSH(arena, sweep->choices, sweep->choice_count, choice);
}

void sweep_series_find(struct arena *arena, const struct prediction *first, struct sweep *sweep)
{
	for (unsigned c = 0; c < first->case_count; c++) {
		if (first->cases[c].verdict_count == 0)
			choice_of_record(arena, first, c, NULL, sweep);
		for (unsigned v = 0; v < first->cases[c].verdict_count; v++)
			choice_of_record(arena, first, c, first->cases[c].verdicts[v].group, sweep);
	}
	for (unsigned v = 0; v < first->program_verdict_count && first->case_count > 1; v++)
		choice_of_program(arena, first, first->program_verdicts[v].group, sweep);
	for (unsigned k = 0; k < first->comparison_count; k++)
		choice_of_kernels(arena, first, &first->comparisons[k], sweep);
}

/* ---- at a point ------------------------------------------------------------------------------- */

static unsigned tile_at(const struct sweep *sweep, const struct sweep_point *point, const struct sweep_series *series)
{
	for (unsigned a = 0; a < sweep->axis_count; a++)
		if (sweep->axes[a].kind == SWEEP_TILE && series->layout && series->layout->tiled)
			return (unsigned)point->at[a];
	return series->tile;
}

static void case_cell_fill(const struct prediction *prediction, unsigned index, const struct sweep_series *series,
                           unsigned tile, struct sweep_cell *cell)
{
	const struct case_result *result = &prediction->cases[index];
	if (!same_template(result->launch->kernel->name, series->kernel) ||
	    sweep_launch_ordinal(prediction, index) != series->ordinal)
		return;
	for (unsigned r = 0; r < result->row_count; r++) {
		const struct ranked_layout *row = &result->rows[r];
		if (!texts_equal(row->group ? row->group->name : NULL, series->record) ||
		    (row->group && (row->layout != series->layout || row->tile != tile)))
			continue;
		cell->time_seconds = row->estimate->time_seconds;
		cell->occupancy = row->estimate->occupancy;
		cell->confidence = trust_launch(prediction, result);
		cell->registers = row->estimate->registers;
		cell->launches = result->launch->launches;
		cell->low = row->estimate->low;
		cell->high = row->estimate->high;
		memcpy(cell->grid, result->launch->grid, sizeof cell->grid);
		memcpy(cell->block, result->launch->block, sizeof cell->block);
		snprintf(cell->bound, sizeof cell->bound, "%s", row->estimate->bound);
	}
}

static void program_cell_fill(const struct prediction *prediction, const struct sweep_series *series, unsigned tile,
                              struct sweep_cell *cell)
{
	for (unsigned r = 0; r < prediction->program_count; r++) {
		const struct program_row *row = &prediction->program[r];
		if (strcmp(row->group->name, series->record) == 0 && row->layout == series->layout && row->tile == tile)
			cell->time_seconds = row->time_seconds;
	}
}

void sweep_cells_fill(const struct sweep *sweep, const struct prediction *prediction, const struct sweep_point *point)
{
	for (unsigned s = 0; s < sweep->series_count; s++) {
		const struct sweep_series *series = &sweep->series[s];
		unsigned tile = tile_at(sweep, point, series);
		for (unsigned c = 0; series->kernel && c < prediction->case_count; c++)
			case_cell_fill(prediction, c, series, tile, &point->cells[s]);
		if (!series->kernel)
			program_cell_fill(prediction, series, tile, &point->cells[s]);
	}
}

/* ---- why -------------------------------------------------------------------------------------- */

/* The row as written of the launch that a series is of, in the first prediction; NULL: there is none. */
static const struct ranked_layout *row_as_written(const struct prediction *first, const struct sweep_series *series)
{
	for (unsigned c = 0; c < first->case_count; c++) {
		const struct case_result *result = &first->cases[c];
		if (strcmp(result->launch->kernel->name, series->kernel) != 0 ||
		    sweep_launch_index(first, c) != series->launch)
			continue;
		for (unsigned r = 0; r < result->row_count; r++)
			if (!result->rows[r].group || result->rows[r].layout == result->rows[r].group->written)
				return &result->rows[r];
	}
	return NULL;
}

static const struct ranked_layout *row_of_series(const struct prediction *prediction, const struct sweep_series *series)
{
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		if (!same_template(result->launch->kernel->name, series->kernel) ||
		    sweep_launch_ordinal(prediction, c) != series->ordinal)
			continue;
		for (unsigned r = 0; r < result->row_count; r++) {
			const struct ranked_layout *row = &result->rows[r];
			if (texts_equal(row->group ? row->group->name : NULL, series->record) &&
			    (!row->group || (row->layout == series->layout && row->tile == series->tile)))
				return row;
		}
	}
	return NULL;
}

void sweep_whys_fill(struct arena *arena, const struct sweep *sweep, const struct prediction *first,
                     const struct prediction *prediction, const struct sweep_point *point)
{
	for (unsigned s = 0; s < sweep->series_count; s++) {
		const struct sweep_series *series = &sweep->series[s];
		const struct ranked_layout *written = series->kernel ? row_as_written(first, series) : NULL;
		const struct ranked_layout *row = written ? row_of_series(prediction, series) : NULL;
		if (row)
			point->cells[s].stored_bytes = sweep_stored_bytes(arena, row->view);
		if (row && row->estimate->time_seconds * (1 + TIE_SHARE) < written->estimate->time_seconds)
			snprintf(point->cells[s].why, MAX_SWEEP_WHY, "%s",
			         verdict_difference(arena, row, written, "the code as written"));
	}
}
