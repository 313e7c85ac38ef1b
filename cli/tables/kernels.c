/*
 * Kernels that do the same job: the table that tutorials end in, time, bandwidth, speed-up step by step and in all, and
 * what stands behind it.
 */
#include "cli/tables/tables.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#define SAME_TIME 1.02

enum { KERNEL, TIME, RATE, PEAK, STEP, TOTAL, LIMITER, CONFLICTS, LANES, SECTORS, OCCUPANCY, COLUMNS };

static const char *const heads[COLUMNS] = {"kernel",  "time us",   "GB/s",  "peak",     "step",  "total",
                                           "limiter", "conflicts", "lanes", "sect/req", "occup."};

static unsigned fastest_of(const struct kernel_comparison *comparison)
{
	unsigned fastest = 0;
	for (unsigned i = 1; i < comparison->count; i++)
		if (comparison->variants[i].row->estimate->time_seconds <
		    comparison->variants[fastest].row->estimate->time_seconds)
			fastest = i;
	return fastest;
}

/* ---- text ------------------------------------------------------------------------------- */

static void speed_cell(struct arena *arena, struct tables_grid *grid, unsigned row, unsigned column, double times)
{
	if (isfinite(times))
		tables_cell(arena, grid, row, column, "%.2fx", times);
}

static void number_cell(struct arena *arena, struct tables_grid *grid, unsigned row, unsigned column,
                        const char *format, double value)
{
	char text[32];
	snprintf(text, sizeof text, "%.*f%s", format[0] - '0', value, format + 1);
	tables_cell(arena, grid, row, column, "%s", isfinite(value) ? text : "-");
}

static void variant_cells(struct arena *arena, struct tables_grid *grid, unsigned row,
                          const struct kernel_variant *variant)
{
	const struct estimate *estimate = variant->row->estimate;
	tables_cell(arena, grid, row, KERNEL, "%s", variant->result->launch->kernel->name);
	number_cell(arena, grid, row, TIME, "3", 1e6 * estimate->time_seconds);
	number_cell(arena, grid, row, RATE, "0", 1e-9 * variant->bytes_per_second);
	number_cell(arena, grid, row, PEAK, "0%", 100 * variant->peak_share);
	speed_cell(arena, grid, row, STEP, variant->step);
	speed_cell(arena, grid, row, TOTAL, variant->total);
	tables_cell(arena, grid, row, LIMITER, "%s", estimate->bound);
	tables_cell(arena, grid, row, CONFLICTS, "%s", tables_short(arena, estimate->counts.shared_bank_conflicts));
	number_cell(arena, grid, row, LANES, "1", variant->active_lanes);
	number_cell(arena, grid, row, SECTORS, "1", variant->sectors_per_request);
	number_cell(arena, grid, row, OCCUPANCY, "0%", 100 * estimate->occupancy);
}

/* "kernels, variants of reduce (2 of 4)". */
static void comparison_head(struct text *out, struct arena *arena, const struct prediction *prediction, unsigned index,
                            const struct report_style *style)
{
	const char *word = prediction->comparisons[index].word;
	const char *what = word ? arena_printf(arena, "that begin with %s, as variants of one job", word)
	                        : "as variants of one job";
	text_printf(out, "\n%skernels%s %s", style->colour ? "\x1b[1m" : "", style->colour ? "\x1b[0m" : "", what);
	if (prediction->comparison_count > 1)
		text_printf(out, " (%u of %u)", index + 1, prediction->comparison_count);
	text_puts(out, "\n");
}

static const char *answer_text(struct arena *arena, const struct kernel_comparison *comparison)
{
	const unsigned fastest = fastest_of(comparison);
	const char *name = comparison->variants[fastest].result->launch->kernel->name;
	double slowest = 0, best = comparison->variants[fastest].row->estimate->time_seconds;
	for (unsigned i = 0; i < comparison->count; i++)
		slowest = fmax(slowest, comparison->variants[i].row->estimate->time_seconds);
	if (slowest < SAME_TIME * best)
		return "none of them is predicted to differ by more than 2 % from the fastest";
	if (fastest == 0)
		return arena_printf(arena, "fastest: %s, the first", name);
	return arena_printf(arena, "fastest: %s, %.2f times as fast as %s", name, comparison->variants[fastest].total,
	                    comparison->variants[0].result->launch->kernel->name);
}

/* What is said where variants have different bytes to move; NULL where they hardly do. */
static const char *job_note(struct arena *arena, const struct kernel_comparison *comparison)
{
	if (!(comparison->bytes_ratio > 1.1))
		return NULL;
	return arena_printf(
		arena,
		"note: the bytes to move differ by a factor of %.2f, so that the jobs differ: give each kernel its "
		"sizes with --arg",
		comparison->bytes_ratio);
}

static void comparison_print(struct text *out, struct arena *arena, const struct prediction *prediction, unsigned index,
                             const struct report_style *style)
{
	const struct kernel_comparison *comparison = &prediction->comparisons[index];
	struct tables_grid grid = tables_grid_make(arena, comparison->count + 1, COLUMNS);
	unsigned fastest = fastest_of(comparison);
	for (unsigned column = 0; column < COLUMNS; column++)
		tables_cell(arena, &grid, 0, column, "%s", heads[column]);
	for (unsigned i = 0; i < comparison->count; i++)
		variant_cells(arena, &grid, i + 1, &comparison->variants[i]);
	grid.needed = TOTAL + 1;
	grid.chosen = fastest + 1;
	comparison_head(out, arena, prediction, index, style);
	tables_grid_print(out, &grid, style);
	const char *note = job_note(arena, comparison), *before = index ? job_note(arena, comparison - 1) : NULL;
	if (note && !(before && strcmp(note, before) == 0))
		tables_paragraph(out, style, note);
	tables_paragraph(out, style, answer_text(arena, comparison));
}

void tables_kernels(struct text *out, struct arena *arena, const struct prediction *prediction,
                    const struct report_style *style)
{
	for (unsigned i = 0; i < prediction->comparison_count; i++)
		comparison_print(out, arena, prediction, i, style);
	if (prediction->comparison_count)
		tables_paragraph(
			out, style,
			"GB/s: of the bytes that the job has to move at least; peak: of DRAM's bandwidth; step, total: "
			"times as fast as "
			"the kernel before, as the first; conflicts: passes of shared memory for its banks; lanes: "
			"active "
			"ones of 32 in an executed "
			"instruction; sect/req: sectors per request of global memory");
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *variant_json(struct arena *arena, const struct kernel_variant *variant)
{
	const struct launch_case *launch = variant->result->launch;
	const struct estimate *estimate = variant->row->estimate;
	const char *layout =
		report_layout_label(arena, variant->row->group ? variant->row->layout : NULL, variant->row->tile);
	return json_pack("{s:s, s:s, s:[I,I,I], s:[I,I,I], s:f, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:f}",
	                 "kernel", launch->kernel->name, "layout", layout, "grid", (json_int_t)launch->grid[0],
	                 (json_int_t)launch->grid[1], (json_int_t)launch->grid[2], "block",
	                 (json_int_t)launch->block[0], (json_int_t)launch->block[1], (json_int_t)launch->block[2],
	                 "time_us", 1e6 * estimate->time_seconds, "bytes", number(variant->bytes), "bytes_per_second",
	                 number(variant->bytes_per_second), "peak_share", number(variant->peak_share), "step",
	                 number(variant->step), "total", number(variant->total), "bound", estimate->bound,
	                 "shared_bank_conflicts", number(estimate->counts.shared_bank_conflicts), "active_lanes",
	                 number(variant->active_lanes), "divergent_branches", number(variant->divergent_branches),
	                 "sectors_per_request", number(variant->sectors_per_request), "occupancy", estimate->occupancy);
}

struct json_t *tables_kernels_json(struct arena *arena, const struct prediction *prediction)
{
	json_t *list = json_array();
	for (unsigned i = 0; i < prediction->comparison_count; i++) {
		const struct kernel_comparison *comparison = &prediction->comparisons[i];
		json_t *variants = json_array();
		for (unsigned v = 0; v < comparison->count; v++)
			json_array_append_new(variants, variant_json(arena, &comparison->variants[v]));
		json_array_append_new(
			list, json_pack("{s:s?, s:s, s:o}", "word", comparison->word, "fastest",
		                        comparison->variants[fastest_of(comparison)].result->launch->kernel->name,
		                        "variants", variants));
	}
	return list;
}
