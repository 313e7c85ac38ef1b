/*
 * One configuration for several machines: what it loses on each against the fastest one there.
 */
#include "cli/tables/tables.h"

#include <jansson.h>
#include <string.h>

enum { RANK, LABEL, WORST, OF_MACHINE };
enum { TIME, LOSS, PER_MACHINE };

static const char *label_of(struct arena *arena, const struct tune_machines *machines, unsigned index)
{
	const struct tune_result *first = machines->results[0];
	return tables_tune_label(arena, first, &first->candidates[machines->list[index].candidates[0]]);
}

static const char *best_label(struct arena *arena, const struct tune_machines *machines, unsigned m)
{
	const struct tune_result *result = machines->results[m];
	return tables_tune_label(arena, result, &result->candidates[0]);
}

/* ---- what to do ---------------------------------------------------------------------------- */

static void verdict_print(struct text *out, struct arena *arena, const struct tune_machines *machines,
                          const struct report_style *style)
{
	const struct tune_common *best = &machines->list[machines->recommended];
	unsigned count;
	text_puts(out, "\nwhat to do:\n");
	tables_paragraph(out, style,
	                 arena_printf(arena,
	                              "%s%s on all: it loses %.1f %% at most against the fastest of each machine.",
	                              machines->recommended == machines->written ? "keep it " : "",
	                              label_of(arena, machines, machines->recommended), 100 * best->worst));
	const char **steps = tables_tune_steps(arena, machines->results[0], best->candidates[0], &count);
	for (unsigned i = 0; i < count && machines->recommended != machines->written; i++)
		tables_paragraph(out, style, arena_printf(arena, "%u. %s", i + 1, steps[i]));
	for (unsigned m = 0; m < machines->count; m++)
		tables_paragraph(out, style,
		                 arena_printf(arena, "on %s alone: %s, %.4g us", machines->names[m],
		                              best_label(arena, machines, m),
		                              1e6 * machines->results[m]->candidates[0].time_seconds));
}

/* ---- the table ------------------------------------------------------------------------------- */

static void common_cells(struct arena *arena, const struct tune_machines *machines, unsigned index,
                         struct tables_grid *grid, unsigned row)
{
	const struct tune_common *one = &machines->list[index];
	tables_cell(arena, grid, row, RANK, "%u", index + 1);
	tables_cell(arena, grid, row, LABEL, "%s", label_of(arena, machines, index));
	tables_cell(arena, grid, row, WORST, "%.1f%%", 100 * one->worst);
	for (unsigned m = 0; m < machines->count; m++) {
		unsigned column = OF_MACHINE + PER_MACHINE * m;
		tables_cell(arena, grid, row, column + TIME, "%.4g",
		            1e6 * machines->results[m]->candidates[one->candidates[m]].time_seconds);
		tables_cell(arena, grid, row, column + LOSS, "%.1f%%", 100 * one->losses[m]);
	}
}

static void table_print(struct text *out, struct arena *arena, const struct tune_machines *machines, unsigned most,
                        const struct report_style *style)
{
	unsigned rows = machines->list_count < most ? machines->list_count : most;
	bool further = machines->written != UINT32_MAX && machines->written >= rows;
	struct tables_grid grid =
		tables_grid_make(arena, rows + 1 + further, OF_MACHINE + PER_MACHINE * machines->count);
	tables_cell(arena, &grid, 0, RANK, "%s", "");
	tables_cell(arena, &grid, 0, LABEL, "configuration");
	tables_cell(arena, &grid, 0, WORST, "worst loss");
	for (unsigned m = 0; m < machines->count; m++) {
		tables_cell(arena, &grid, 0, OF_MACHINE + PER_MACHINE * m + TIME, "%s us", machines->names[m]);
		tables_cell(arena, &grid, 0, OF_MACHINE + PER_MACHINE * m + LOSS, "loss");
	}
	for (unsigned i = 0; i < rows; i++)
		common_cells(arena, machines, i, &grid, i + 1);
	if (further)
		common_cells(arena, machines, machines->written, &grid, rows + 1);
	grid.needed = WORST + 1;
	grid.left = LABEL + 1;
	text_puts(out, "\n");
	tables_grid_print(out, &grid, style);
}

void tables_tune_machines(struct text *out, struct arena *arena, const struct tune_machines *machines, unsigned most,
                          const struct report_style *style)
{
	const struct tune_result *first = machines->results[0];
	text_printf(out, "%s on %u machines, model %s: %u configurations have a time on all of them\n",
	            report_program_name(arena, first->first), machines->count, first->first->model->name,
	            machines->list_count);
	verdict_print(out, arena, machines, style);
	table_print(out, arena, machines, most, style);
}

/* ---- JSON ------------------------------------------------------------------------------------- */

static json_t *common_json(struct arena *arena, const struct tune_machines *machines, unsigned index)
{
	const struct tune_common *one = &machines->list[index];
	json_t *times = json_array(), *losses = json_array();
	for (unsigned m = 0; m < machines->count; m++) {
		json_array_append_new(
			times, json_real(1e6 * machines->results[m]->candidates[one->candidates[m]].time_seconds));
		json_array_append_new(losses, json_real(one->losses[m]));
	}
	return json_pack("{s:s, s:f, s:o, s:o}", "configuration", label_of(arena, machines, index), "worst_loss",
	                 one->worst, "times_us", times, "losses", losses);
}

json_t *tables_tune_machines_json(struct arena *arena, const struct tune_machines *machines)
{
	json_t *list = json_array(), *results = json_array();
	for (unsigned i = 0; i < machines->list_count; i++)
		json_array_append_new(list, common_json(arena, machines, i));
	for (unsigned m = 0; m < machines->count; m++)
		json_array_append_new(results, tables_tune_json(arena, machines->results[m]));
	return json_pack("{s:s, s:s, s:I, s:o, s:o, s:o}", "schema", "coalesce/tune-machines/1", "file",
	                 machines->results[0]->first->analysis->path, "recommended", (json_int_t)machines->recommended,
	                 "written", machines->written == UINT32_MAX ? json_null() : json_integer(machines->written),
	                 "configurations", list, "machines", results);
}
