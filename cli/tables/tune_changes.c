/*
 * What is another in a configuration, and what to type for it.
 */
#include "cli/tables/tables.h"

#include <string.h>

static const struct sweep_cell *cell_of(const struct tune_result *result, const struct tune_candidate *candidate)
{
	return &result->sweep->points[candidate->point].cells[candidate->series];
}

/* "kernel advance (line 12)" of the launch that takes the largest share. */
static const char *launch_text(struct arena *arena, const struct tune_result *result,
                               const struct tune_candidate *candidate)
{
	const struct sweep_series *series = &result->sweep->series[candidate->series];
	for (unsigned c = 0; c < result->first->case_count; c++) {
		const struct launch_case *launch = result->first->cases[c].launch;
		if (strcmp(launch->kernel->name, series->kernel) == 0 &&
		    sweep_launch_index(result->first, c) == series->launch && launch->found)
			return arena_printf(arena, "%s (line %u)", series->kernel, launch->found->place.line);
	}
	return series->kernel;
}

/* Lines of the text at which edits stand: "lines 12, 20". */
static const char *edit_lines(struct arena *arena, const char *source, const struct sweep_edit *edits, unsigned count)
{
	const char *text = "";
	unsigned lines = 0, last = 0;
	for (unsigned e = 0; e < count; e++) {
		unsigned line = 1;
		for (size_t i = 0; i < edits[e].at; i++)
			line += source[i] == '\n';
		if (line == last)
			continue;
		last = line;
		text = arena_printf(arena, "%s%s %u", text, lines++ ? "," : "", line);
	}
	return arena_printf(arena, "line%s%s", lines > 1 ? "s" : "", text);
}

static const char *edited_lines(struct arena *arena, const struct tune_result *result, const struct sweep_axis *axis)
{
	const char *source = result->first->analysis->source->main_text;
	unsigned count;
	bool guarded;
	const struct sweep_edit *edits =
		axis->kind == SWEEP_UNROLL ? sweep_unroll_edits(arena, result->first->analysis, NULL, 2, &count)
					   : sweep_definition_edits(arena, source, axis->name, NULL, &count, &guarded);
	return edit_lines(arena, source, edits, count);
}

/* "put __launch_bounds__(256, 2) before the name at line 12; ...": each kernel's own. */
static const char *bounds_todo(struct arena *arena, const struct tune_result *result,
                               const struct tune_candidate *candidate, int64_t value)
{
	const char *source = result->first->analysis->source->main_text, *text = "";
	unsigned count;
	const struct sweep_edit *edits = sweep_bounds_edits(
		arena, result->first, result->sweep, &result->sweep->points[candidate->point], (unsigned)value, &count);
	for (unsigned e = 0; e < count; e++)
		text = arena_printf(arena, "%s%s %sbefore the kernel's name at %s", text, e ? "," : "put",
		                    edits[e].text, edit_lines(arena, source, &edits[e], 1));
	return text;
}

static const char *launch_todo(struct arena *arena, const struct tune_result *result,
                               const struct tune_candidate *candidate)
{
	const struct sweep_cell *cell = cell_of(result, candidate);
	return arena_printf(arena, "launch %s with grid %s and block %s", launch_text(arena, result, candidate),
	                    report_dimensions(arena, cell->grid), report_dimensions(arena, cell->block));
}

static struct tables_change change_of(struct arena *arena, const struct tune_result *result,
                                      const struct tune_candidate *candidate, const struct sweep_axis *axis,
                                      int64_t value)
{
	struct tables_change change = {
		sweep_kind_name(axis->kind), axis->name, sweep_value(arena, axis, value), NULL, NULL, NULL};
	change.what = arena_printf(arena, "%s=%s", axis->name, change.value);
	switch (axis->kind) {
	case SWEEP_MACRO:
		change.flag = arena_printf(arena, "-D%s=%s", axis->name, change.value);
		break;
	case SWEEP_REGISTERS:
		change.flag = value ? arena_printf(arena, "-maxrregcount=%s", change.value) : NULL;
		change.what = arena_printf(arena, "registers %s", value ? change.value : "free");
		break;
	case SWEEP_UNROLL:
		change.todo = arena_printf(arena, "put #pragma unroll %s before the loops at %s", change.value,
		                           edited_lines(arena, result, axis));
		change.what = arena_printf(arena, "unroll %s", value ? change.value : "as written");
		break;
	case SWEEP_BOUNDS:
		change.todo = value ? bounds_todo(arena, result, candidate, value) : NULL;
		change.what = arena_printf(arena, "launch bounds %s", value ? change.value : "as written");
		break;
	case SWEEP_DEFINITION:
		change.todo = arena_printf(arena, "set %s to %s (%s)", axis->name, change.value,
		                           edited_lines(arena, result, axis));
		break;
	default:
		change.todo = launch_todo(arena, result, candidate);
		change.what = arena_printf(arena, "%s %s", axis->name, change.value);
	}
	return change;
}

static struct tables_change layout_change(struct arena *arena, const struct tune_option *option)
{
	const char *label = report_layout_label(arena, option->layout, option->tile);
	return (struct tables_change){"layout", option->record, label, label, NULL, NULL};
}

struct tables_change *tables_tune_changes(struct arena *arena, const struct tune_result *result,
                                          const struct tune_candidate *candidate, bool all, unsigned *count)
{
	const struct sweep *sweep = result->sweep;
	const struct sweep_point *point = &sweep->points[candidate->point];
	const struct tune_option *option = &result->options[candidate->option];
	struct tables_change *changes = NULL;
	*count = 0;
	if (option->record)
		ARENA_PUSH(arena, changes, *count, layout_change(arena, option));
	for (unsigned a = 0; a < sweep->axis_count; a++) {
		const struct sweep_axis *axis = &sweep->axes[a];
		bool said = axis->kind == SWEEP_SAID_BLOCK || axis->kind == SWEEP_SAID_GRID;
		bool own = axis->has_own && axis->own == point->at[a];
		bool named = axis->kind == SWEEP_MACRO || axis->kind == SWEEP_DEFINITION;
		if (!said && (!own || (all && named)))
			ARENA_PUSH(arena, changes, *count, change_of(arena, result, candidate, axis, point->at[a]));
	}
	return changes;
}

const char *tables_tune_label(struct arena *arena, const struct tune_result *result,
                              const struct tune_candidate *candidate)
{
	unsigned count;
	const struct tables_change *changes =
		tables_tune_changes(arena, result, candidate, !result->is_written, &count);
	const char *label = "";
	for (unsigned i = 0; i < count; i++)
		label = arena_printf(arena, "%s%s%s", label, i ? ", " : "", changes[i].what);
	return *label ? label : "as written";
}

const char *tables_tune_flags(struct arena *arena, const struct tables_change *changes, unsigned count)
{
	const char *flags = "";
	for (unsigned i = 0; i < count; i++)
		if (changes[i].flag)
			flags = arena_printf(arena, "%s%s%s", flags, *flags ? " " : "",
			                     report_shell_word(arena, changes[i].flag));
	return flags;
}
