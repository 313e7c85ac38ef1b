/*
 * Configurations, the fastest first: what to do, their times, what could not be predicted.
 */
#include "cli/tables/tables.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define MOST_REFUSALS 6 /* reasons that are shown */

enum { RANK, LABEL, TIME, LOW, HIGH, GAIN, LIMITER, OCCUPANCY, REGISTERS, GRID, BLOCK, COLUMNS };
static const char *const heads[COLUMNS] = {"",      "configuration", "time us", "from", "to",   "times as fast",
                                           "bound", "occup.",        "regs",    "grid", "block"};

static const struct sweep_cell *cell_of(const struct tune_result *result, const struct tune_candidate *candidate)
{
	return &result->sweep->points[candidate->point].cells[candidate->series];
}

static const struct tune_candidate *written_of(const struct tune_result *result)
{
	return result->written == UINT_MAX ? NULL : &result->candidates[result->written];
}

/* "as written", or what the first configuration of a space is called. */
static const char *written_name(struct arena *arena, const struct tune_result *result)
{
	return result->is_written ? "as written" : tables_tune_label(arena, result, written_of(result));
}

/* ---- what to do ---------------------------------------------------------------------------- */

const char *tables_tune_verdict(struct arena *arena, const struct tune_result *result)
{
	const struct tune_candidate *best = &result->candidates[result->recommended], *written = written_of(result);
	const char *text = arena_printf(arena, "fastest: %s, %.4g us.", tables_tune_label(arena, result, best),
	                                1e6 * best->time_seconds);
	if (best == written && !result->is_written)
		return arena_printf(arena, "%s Nothing else is predicted to be faster by more than %.0f %%.", text,
		                    100 * TUNE_TIE_SHARE);
	if (written && result->is_written && written->is_tie)
		return arena_printf(
			arena,
			"keep it as written: %.4g us. Nothing else is predicted to be faster by more than %.0f %%.",
			1e6 * written->time_seconds, 100 * TUNE_TIE_SHARE);
	if (written)
		return arena_printf(arena, "%s: %.4g us instead of %.4g us (%s), %.2f times as fast.",
		                    tables_tune_label(arena, result, best), 1e6 * best->time_seconds,
		                    1e6 * written->time_seconds, written_name(arena, result),
		                    written->time_seconds / best->time_seconds);
	return text;
}

static void verdict_print(struct text *out, struct arena *arena, const struct tune_result *result,
                          const struct report_style *style)
{
	const struct tune_candidate *written = written_of(result);
	text_printf(out, "\nwhat to do:\n");
	tables_paragraph(out, style, tables_tune_verdict(arena, result));
	if (written && !written->is_tie && written->is_close)
		tables_paragraph(out, style,
		                 "Each of both times lies within the interval of the other: measure both before you "
		                 "change anything.");
}

static void ties_print(struct text *out, struct arena *arena, const struct tune_result *result,
                       const struct report_style *style)
{
	unsigned ties = 0, close = 0;
	for (unsigned i = 0; i < result->candidate_count; i++) {
		ties += result->candidates[i].is_tie && i != result->recommended;
		close += result->candidates[i].is_close && !result->candidates[i].is_tie;
	}
	if (ties)
		tables_paragraph(out, style,
		                 arena_printf(arena, "%u other%s within %.0f %% of the fastest (=): %s as good.", ties,
		                              ties == 1 ? " is" : "s are", 100 * TUNE_TIE_SHARE,
		                              ties == 1 ? "it is" : "any of them is"));
	if (close)
		tables_paragraph(out, style,
		                 arena_printf(arena,
		                              "%u more %s too close to call (~): the interval of each holds the "
		                              "fastest time, and the other "
		                              "way round.",
		                              close, close == 1 ? "is" : "are"));
}

/* Whether a change says what to do, and none before it the same. */
static bool is_new(const struct tables_change *changes, unsigned index)
{
	for (unsigned i = 0; i < index && changes[index].todo; i++)
		if (changes[i].todo && strcmp(changes[i].todo, changes[index].todo) == 0)
			return false;
	return changes[index].todo != NULL;
}

const char **tables_tune_steps(struct arena *arena, const struct tune_result *result, unsigned index,
                               unsigned *step_count)
{
	const struct tune_candidate *best = &result->candidates[index], *written = written_of(result);
	const struct tune_option *option = &result->options[best->option];
	const char **steps = NULL;
	unsigned count;
	const struct tables_change *changes = tables_tune_changes(arena, result, best, !result->is_written, &count);
	const char *flags = tables_tune_flags(arena, changes, count);
	*step_count = 0;
	if (best == written && result->is_written)
		return NULL;
	if (option->record)
		ARENA_PUSH(arena, steps, *step_count,
		           arena_printf(arena, "coalesce rewrite %s --struct %s --layout %s%s -o OUT.cu",
		                        report_shell_word(arena, result->first->analysis->path), option->record,
		                        option->layout->name,
		                        option->tile && option->tile != LAYOUT_TILE_DEFAULT
		                                ? arena_printf(arena, " --tile %u", option->tile)
		                                : ""));
	if (*flags)
		ARENA_PUSH(arena, steps, *step_count, arena_printf(arena, "compile with %s", flags));
	for (unsigned i = 0; i < count; i++)
		if (is_new(changes, i))
			ARENA_PUSH(arena, steps, *step_count, changes[i].todo);
	return steps;
}

/* What to type, and why it is faster. */
static void steps_print(struct text *out, struct arena *arena, const struct tune_result *result,
                        const struct report_style *style)
{
	const struct tune_candidate *written = written_of(result);
	const char *why = cell_of(result, &result->candidates[result->recommended])->why;
	unsigned count;
	const char **steps = tables_tune_steps(arena, result, result->recommended, &count);
	if (written && written->is_tie && result->is_written)
		return;
	for (unsigned i = 0; i < count; i++)
		tables_paragraph(out, style, arena_printf(arena, "%u. %s", i + 1, steps[i]));
	if (*why)
		tables_paragraph(out, style, arena_printf(arena, "why: %s.", why));
}

/* ---- the table ------------------------------------------------------------------------------- */

static void candidate_cells(struct arena *arena, const struct tune_result *result, unsigned index,
                            struct tables_grid *grid, unsigned row)
{
	const struct tune_candidate *candidate = &result->candidates[index], *written = written_of(result);
	const struct sweep_cell *cell = cell_of(result, candidate);
	double time = 1e6 * candidate->time_seconds;
	tables_cell(arena, grid, row, RANK, "%u%s", index + 1,
	            index == 0            ? ""
	            : candidate->is_tie   ? "="
	            : candidate->is_close ? "~"
	                                  : "");
	tables_cell(arena, grid, row, LABEL, "%s", tables_tune_label(arena, result, candidate));
	tables_cell(arena, grid, row, TIME, "%.4g", time);
	tables_cell(arena, grid, row, LOW, candidate->low > 0 ? "%.3g" : "-", time * candidate->low);
	tables_cell(arena, grid, row, HIGH, candidate->low > 0 ? "%.3g" : "-", time * candidate->high);
	tables_cell(arena, grid, row, GAIN, written ? "%.2f" : "-",
	            written ? written->time_seconds / candidate->time_seconds : 0);
	tables_cell(arena, grid, row, LIMITER, "%s", cell->bound);
	tables_cell(arena, grid, row, OCCUPANCY, isfinite(cell->occupancy) ? "%.0f%%" : "-", 100 * cell->occupancy);
	tables_cell(arena, grid, row, REGISTERS, cell->registers ? "%u" : "-", cell->registers);
	tables_cell(arena, grid, row, GRID, "%s", report_dimensions(arena, cell->grid));
	tables_cell(arena, grid, row, BLOCK, "%s", report_dimensions(arena, cell->block));
}

static void table_print(struct text *out, struct arena *arena, const struct tune_result *result, unsigned most,
                        const struct report_style *style)
{
	unsigned rows = result->candidate_count < most ? result->candidate_count : most;
	bool further = result->written != UINT_MAX && result->written >= rows;
	struct tables_grid grid = tables_grid_make(arena, rows + 1 + further, COLUMNS);
	for (unsigned column = 0; column < COLUMNS; column++)
		tables_cell(arena, &grid, 0, column, "%s", heads[column]);
	for (unsigned i = 0; i < rows; i++)
		candidate_cells(arena, result, i, &grid, i + 1);
	if (further)
		candidate_cells(arena, result, result->written, &grid, rows + 1);
	grid.needed = GAIN + 1;
	grid.left = LABEL + 1;
	text_puts(out, "\n");
	tables_grid_print(out, &grid, style);
}

/* ---- what has no time --------------------------------------------------------------------------- */

static void refusals_print(struct text *out, struct arena *arena, const struct tune_result *result,
                           const struct report_style *style)
{
	unsigned further = 0;
	for (unsigned r = 0; r < result->refusal_count && r < MOST_REFUSALS; r++) {
		const struct tune_refusal *refusal = &result->refusals[r];
		struct tune_candidate first = {.point = refusal->point};
		tables_paragraph(out, style,
		                 arena_printf(arena, "%u configuration%s no time: %s (%s)", refusal->count,
		                              refusal->count == 1 ? " has" : "s have", refusal->reason,
		                              tables_tune_label(arena, result, &first)));
	}
	for (unsigned r = MOST_REFUSALS; r < result->refusal_count; r++)
		further += result->refusals[r].count;
	if (further)
		tables_paragraph(
			out, style,
			arena_printf(arena, "%u more have no time for other reasons: --json lists all", further));
	for (unsigned n = 0; n < result->note_count; n++)
		tables_paragraph(out, style, arena_printf(arena, "note: %s", result->notes[n]));
	if (result->time_was_over)
		tables_paragraph(out, style,
		                 "The time was over before all was predicted: what was found depends on how fast this "
		                 "computer is.");
}

void tables_tune(struct text *out, struct arena *arena, const struct tune_result *result, unsigned most,
                 const struct report_style *style)
{
	const char *layouts =
		result->option_count > 1 ? arena_printf(arena, ", each in %u layouts", result->option_count) : "";
	text_wrap(out,
	          arena_printf(arena, "%s on %s, model %s: %u of %llu configuration%s predicted%s",
	                       report_program_name(arena, result->first), result->first->machine->name,
	                       result->first->model->name, result->predicted, (unsigned long long)result->space_size,
	                       result->space_size == 1 ? "" : "s", layouts),
	          0, 2, style->width);
	text_puts(out, "\n");
	verdict_print(out, arena, result, style);
	steps_print(out, arena, result, style);
	ties_print(out, arena, result, style);
	table_print(out, arena, result, most, style);
	refusals_print(out, arena, result, style);
}
