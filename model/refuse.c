/*
 * Launches of which nothing true could be said.
 */
#include "model/predict.h"

#include <math.h>

static void launch_refuse(struct diagnostics *diagnostics, const struct launch_case *launch, const char *problem)
{
	diagnostics_report(diagnostics, SEVERITY_ERROR, launch->kernel->place, "kernel %s, grid %u,%u,%u, block %u,%u,%u: %s",
	                   launch->kernel->name, launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0],
	                   launch->block[1], launch->block[2], problem);
}

enum exit_code predict_refuse_unable(struct arena *arena, const struct prediction *prediction, struct diagnostics *diagnostics)
{
	enum exit_code code = EXIT_VERDICT;
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		const char *problem = NULL;
		for (unsigned r = 0; r < result->row_count && !problem; r++)
			problem = cost_launch_problem(arena, result->rows[r].view);
		if (!problem)
			continue;
		launch_refuse(diagnostics, result->launch, problem);
		code = EXIT_INPUT;
	}
	return code;
}

static bool case_is_idle(const struct case_result *result)
{
	for (unsigned r = 0; r < result->row_count; r++)
		if (!cost_launch_does_nothing(result->rows[r].view))
			return false;
	return true;
}

/* A kernel without a body, as programs launch to wake the GPU, is left out where there are others. */
static bool case_is_empty(const struct prediction *prediction, const struct case_result *result)
{
	return prediction->case_count > 1 && result->launch->kernel->access_count == 0 && case_is_idle(result);
}

enum exit_code predict_refuse_idle(struct prediction *prediction, struct diagnostics *diagnostics)
{
	enum exit_code code = EXIT_VERDICT;
	unsigned kept = 0;
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		if (case_is_empty(prediction, result)) {
			diagnostics_report(diagnostics, SEVERITY_NOTE, result->launch->kernel->place,
			                   "%s is left out: it reads and writes no memory", result->launch->kernel->name);
			continue;
		}
		if (case_is_idle(result)) {
			launch_refuse(diagnostics, result->launch, "no thread reads or writes memory: there is nothing to predict");
			code = EXIT_INPUT;
		}
		prediction->cases[kept++] = *result;
	}
	prediction->case_count = kept;
	if (kept)
		return code;
	diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){prediction->analysis->path, 0, 0},
	                   "no kernel reads or writes memory: there is nothing to predict");
	return EXIT_INPUT;
}

enum exit_code predict_refuse_timeless(const struct prediction *prediction, struct diagnostics *diagnostics)
{
	enum exit_code code = EXIT_VERDICT;
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		unsigned timed = 0;
		while (timed < result->row_count && isfinite(result->rows[timed].estimate->time_seconds) &&
		       result->rows[timed].estimate->time_seconds > 0)
			timed++;
		if (timed == result->row_count)
			continue;
		launch_refuse(diagnostics, result->launch, "it does nothing that this model counts: there is nothing to predict");
		code = EXIT_INPUT;
	}
	return code;
}

static bool row_is_cut(const struct ranked_layout *row)
{
	const struct evaluation *evaluation = cost_executed_code(row->view)->evaluation;
	return evaluation && evaluation->cut;
}

static bool rows_are_alike(const struct case_result *result)
{
	for (unsigned r = 1; r < result->row_count; r++)
		if (row_is_cut(&result->rows[r]) != row_is_cut(&result->rows[0]))
			return false;
	return true;
}

void predict_follow_further(struct arena *arena, struct prediction *prediction)
{
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		if (rows_are_alike(result))
			continue;
		for (unsigned r = 0; r < result->row_count; r++)
			if (row_is_cut(&result->rows[r]))
				predict_view_follow(arena, result->rows[r].view, EXEC_STEPS_FURTHEST);
	}
}

static bool row_is_written(const struct ranked_layout *row)
{
	return !row->group || row->layout == row->group->written;
}

/* Whether the row was followed to its end as the file as written was. */
static bool row_is_comparable(const struct case_result *result, const struct ranked_layout *row)
{
	for (unsigned r = 0; r < result->row_count; r++)
		if (row_is_written(&result->rows[r]) && result->rows[r].group == row->group)
			return row_is_cut(&result->rows[r]) == row_is_cut(row);
	return true;
}

/* Leaves out what is not comparable; returns how many rows are left. */
static unsigned case_compare(struct case_result *result, struct diagnostics *diagnostics)
{
	struct case_result kept = *result;
	kept.rows = NULL;
	kept.row_count = 0;
	for (unsigned r = 0; r < result->row_count; r++) {
		const struct ranked_layout *row = &result->rows[r];
		if (row_is_comparable(result, row)) {
			ARENA_PUSH(diagnostics->arena, kept.rows, kept.row_count, *row);
			continue;
		}
		diagnostics_report(diagnostics, SEVERITY_WARNING, result->launch->kernel->place,
		                   "layout %s is left out: of it and the file as written only one could be followed to its end; "
		                   "a smaller launch has both",
		                   row->layout->name);
	}
	*result = kept;
	return kept.row_count;
}

enum exit_code predict_refuse_unlike(struct prediction *prediction, struct diagnostics *diagnostics)
{
	enum exit_code code = EXIT_VERDICT;
	for (unsigned c = 0; c < prediction->case_count; c++) {
		struct case_result *result = &prediction->cases[c];
		unsigned before = result->row_count;
		if (case_compare(result, diagnostics) >= 2 || result->row_count == before)
			continue;
		launch_refuse(diagnostics, result->launch,
		              "the layouts have too many instructions to follow all to their end: there is no verdict; a smaller "
		              "launch has one");
		code = EXIT_INPUT;
	}
	return code;
}
