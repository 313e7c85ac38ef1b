/*
 * The best block of each layout: of all that were predicted the fastest one; the launch's own where that is within
 * TIE_SHARE of it.
 */
#include "cli/tables/tables.h"

#include <math.h>
#include <string.h>

enum { LAYOUT, BEST, TIME, OCCUPANCY, LIMITER, REGISTERS, OWN, GAIN, COLUMNS };
static const char *const heads[COLUMNS] = {"layout", "block", "time us",        "occup.",
                                           "bound",  "regs",  "as launched us", "gain"};

static const struct launch_case *launch_of(const struct prediction *prediction, const struct sweep_series *series)
{
	unsigned index = 0;
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct launch_case *launch = prediction->cases[c].launch;
		if (strcmp(launch->kernel->name, series->kernel) == 0 && index++ == series->launch)
			return launch;
	}
	bug("a curve of no launch");
}

static int64_t own_block(const struct launch_case *launch)
{
	return (int64_t)launch->block[0] * launch->block[1] * launch->block[2];
}

static const struct sweep_cell *cell_at(const struct sweep *sweep, int64_t block, unsigned series)
{
	const struct sweep_point *point = sweep_point_at(sweep, block, 0);
	return point ? &point->cells[series] : NULL;
}

static int64_t best_block(const struct sweep *sweep, int64_t own, unsigned series)
{
	int64_t best = own;
	double kept = cell_at(sweep, own, series)->time_seconds;
	double least = isfinite(kept) ? kept / (1 + TIE_SHARE) : INFINITY;
	for (unsigned i = 0; i < sweep->axes[0].count; i++) {
		double time = cell_at(sweep, sweep->axes[0].values[i], series)->time_seconds;
		if (time < least) {
			best = sweep->axes[0].values[i];
			least = time;
		}
	}
	return best;
}

static void layout_cells(struct arena *arena, const struct prediction *prediction, unsigned series,
                         struct tables_grid *grid, unsigned row)
{
	const struct sweep *sweep = prediction->sweep;
	const struct sweep_series *own = &sweep->series[series];
	int64_t launched = own_block(launch_of(prediction, own)), best = best_block(sweep, launched, series);
	const struct sweep_cell *chosen = cell_at(sweep, best, series), *kept = cell_at(sweep, launched, series);
	double gain = 100 * (kept->time_seconds / chosen->time_seconds - 1);
	tables_cell(arena, grid, row, LAYOUT, "%s", report_layout_label(arena, own->layout, own->tile));
	tables_cell(arena, grid, row, BEST, "%s", report_dimensions(arena, chosen->block));
	tables_cell(arena, grid, row, TIME, "%.3f", 1e6 * chosen->time_seconds);
	tables_cell(arena, grid, row, OCCUPANCY, "%.0f%%", 100 * chosen->occupancy);
	tables_cell(arena, grid, row, LIMITER, "%s", chosen->bound);
	tables_cell(arena, grid, row, REGISTERS, chosen->registers ? "%u" : "-", chosen->registers);
	tables_cell(arena, grid, row, OWN, isfinite(kept->time_seconds) ? "%.3f" : "-", 1e6 * kept->time_seconds);
	tables_cell(arena, grid, row, GAIN, best == launched ? "as launched" : isfinite(gain) ? "%.0f%%" : "-", gain);
}

static void choice_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                         const struct sweep_choice *choice, const struct report_style *style)
{
	struct tables_grid grid = tables_grid_make(arena, choice->count + 1, COLUMNS);
	const struct launch_case *launch = launch_of(prediction, &prediction->sweep->series[choice->series[0]]);
	for (unsigned column = 0; column < COLUMNS; column++)
		tables_cell(arena, &grid, 0, column, "%s", heads[column]);
	for (unsigned i = 0; i < choice->count; i++)
		layout_cells(arena, prediction, choice->series[i], &grid, i + 1);
	grid.needed = TIME + 1;
	text_printf(out, "\n%s%s%s, launched with blocks of %s\n", style->colour ? "\x1b[1m" : "", choice->title,
	            style->colour ? "\x1b[0m" : "", report_dimensions(arena, launch->block));
	tables_grid_print(out, &grid, style);
	if (case_block_is_fixed(launch->kernel, launch->block[2] > 1 ? 2 : launch->block[1] > 1 ? 1 : 0))
		tables_paragraph(out, style,
		                 "note: the kernel's code fixes its block: use blockDim for positions to free it");
}

void tables_blocks(struct text *out, struct arena *arena, const struct prediction *prediction,
                   const struct report_style *style)
{
	const struct sweep *sweep = prediction->sweep;
	text_wrap(
		out,
		arena_printf(arena,
	                     "%s on %s, model %s: the best of %u blocks, the grid as large as to hold as many threads",
	                     report_program_name(arena, prediction), prediction->machine->name, prediction->model->name,
	                     sweep->axes[0].count),
		0, 2, style->width);
	text_puts(out, "\n");
	for (unsigned c = 0; c < sweep->choice_count; c++)
		if (!sweep->choices[c].of_program && !sweep->choices[c].of_kernels)
			choice_print(out, arena, prediction, &sweep->choices[c], style);
}
