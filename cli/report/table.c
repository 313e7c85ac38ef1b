/*
 * The text view of a prediction: per kernel a row per layout, the recommendation and why; then the program as a whole.
 */
#include "cli/report/report.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

const char *report_layout_label(struct arena *arena, const struct layout *layout, unsigned tile)
{
	if (!layout)
		return "as-written";
	return tile && tile != LAYOUT_TILE_DEFAULT ? arena_printf(arena, "%s/%u", layout->name, tile) : layout->name;
}

static const char *dimensions_text(struct arena *arena, const uint32_t value[3])
{
	if (value[2] > 1)
		return arena_printf(arena, "%u x %u x %u", value[0], value[1], value[2]);
	return value[1] > 1 ? arena_printf(arena, "%u x %u", value[0], value[1]) : arena_printf(arena, "%u", value[0]);
}

static void group_print(struct text *out, const struct layout_group *group, const struct layout_groups *groups,
                        const struct kernel *kernel)
{
	text_printf(out, "record %s {", group->name);
	for (unsigned f = 0; f < group->field_count; f++)
		text_printf(out, "%s%s", f ? ", " : "", group->fields[f].path);
	text_puts(out, group->form == FORM_STRUCT ? "}, array" : "}, from arrays");
	for (unsigned b = 0, n = 0; b < groups->binding_count; b++)
		if (groups->bindings[b].group == group && groups->bindings[b].kernel == kernel)
			text_printf(out, "%s %s", n++ ? "," : "", groups->bindings[b].parameter->name);
	text_printf(out, "; written as %s\n", group->written->name);
}

static int compare_rows(const void *a, const void *b)
{
	const struct ranked_layout *const *left = a, *const *right = b;
	double x = (*left)->estimate->time_seconds, y = (*right)->estimate->time_seconds;
	return x < y ? -1 : x > y ? 1 : *left < *right ? -1 : 1;
}

static void row_print(struct text *out, struct arena *arena, const struct ranked_layout *row, double best)
{
	const struct estimate *estimate = row->estimate;
	text_printf(out, "  %-10s %14.3f %8.2f %16.6g  %-8s", report_layout_label(arena, row->layout, row->tile),
	            estimate->time_seconds * 1e6, best > 0 ? estimate->time_seconds / best : 1.0, estimate->cycles_per_warp,
	            estimate->bound);
	if (estimate->registers)
		text_printf(out, " %9u", estimate->registers);
	else
		text_printf(out, " %9s", "-");
	text_printf(out, " %9.0f%%\n", 100 * estimate->occupancy);
}

static void rows_print(struct text *out, struct arena *arena, const struct case_result *result, const struct layout_group *group)
{
	const struct ranked_layout **sorted = NULL;
	unsigned count = 0;
	for (unsigned r = 0; r < result->row_count; r++)
		if (result->rows[r].group == group)
			ARENA_PUSH(arena, sorted, count, &result->rows[r]);
	if (count == 0)
		return;
	qsort(sorted, count, sizeof *sorted, compare_rows);
	text_printf(out, "  %-10s %14s %8s %16s  %-8s %9s %10s\n", "layout", "time us", "vs best", "cycles per warp", "bound",
	            "registers", "occupancy");
	for (unsigned r = 0; r < count; r++)
		row_print(out, arena, sorted[r], sorted[0]->estimate->time_seconds);
}

static void verdict_print(struct text *out, struct arena *arena, const struct case_result *result, const struct verdict *verdict)
{
	const struct ranked_layout *chosen = &result->rows[verdict->recommended];
	text_printf(out, "  recommendation: %s%s. %s.\n", report_layout_label(arena, chosen->layout, chosen->tile),
	            verdict->recommended == verdict->written ? " (as written)" : "", verdict->why);
}

static const char *confidence_name(enum confidence confidence)
{
	static const char *const names[] = {"high", "medium", "low"};
	return names[confidence];
}

static void case_print(struct text *out, struct arena *arena, const struct prediction *prediction, const struct case_result *result)
{
	const struct launch_case *launch = result->launch;
	text_printf(out, "\nkernel %s (line %u), grid %s, block %s, launched %llu time%s\n", launch->kernel->name,
	            launch->kernel->place.line, dimensions_text(arena, launch->grid), dimensions_text(arena, launch->block),
	            (unsigned long long)launch->launches, launch->launches == 1 ? "" : "s");
	if (result->verdict_count == 0)
		rows_print(out, arena, result, NULL);
	for (unsigned v = 0; v < result->verdict_count; v++) {
		text_puts(out, "  ");
		group_print(out, result->verdicts[v].group, &prediction->groups, launch->kernel);
		rows_print(out, arena, result, result->verdicts[v].group);
		verdict_print(out, arena, result, &result->verdicts[v]);
	}
	text_printf(out, "  confidence: %s\n", confidence_name(result->confidence));
	for (unsigned n = 0; n < result->note_count; n++)
		text_printf(out, "  note: %s\n", result->notes[n]);
}

static void program_verdict_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                                  const struct verdict *verdict)
{
	double best = prediction->program[verdict->best].time_seconds;
	for (unsigned r = 0; r < prediction->program_count; r++) {
		const struct program_row *row = &prediction->program[r];
		if (row->group == verdict->group)
			text_printf(out, "  %-10s %14.3f %8.2f\n", report_layout_label(arena, row->layout, row->tile),
			            row->time_seconds * 1e6, row->time_seconds / best);
	}
	const struct program_row *chosen = &prediction->program[verdict->recommended];
	text_printf(out, "  recommendation: %s%s\n", report_layout_label(arena, chosen->layout, chosen->tile),
	            verdict->recommended == verdict->written ? " (as written)" : "");
}

void report_table(struct text *out, struct arena *arena, const struct prediction *prediction)
{
	text_printf(out, "%s on %s, model %s", prediction->analysis->path, prediction->machine->name, prediction->model->name);
	if (prediction->model->stands_for)
		text_printf(out, " (computed as %s)", prediction->model->stands_for);
	text_puts(out, "\n");
	for (unsigned c = 0; c < prediction->case_count; c++)
		case_print(out, arena, prediction, &prediction->cases[c]);
	if (prediction->case_count < 2)
		return;
	for (unsigned v = 0; v < prediction->program_verdict_count; v++) {
		text_printf(out, "\nprogram, record %s: all launches together\n", prediction->program_verdicts[v].group->name);
		program_verdict_print(out, arena, prediction, &prediction->program_verdicts[v]);
	}
}
