/*
 * Launches of which nothing true could be said.
 */
#include "model/predict.h"

static void launch_refuse(struct diagnostics *diagnostics, const struct launch_case *launch, const char *problem)
{
	diagnostics_report(diagnostics, SEVERITY_ERROR, launch->kernel->place, "kernel %s, grid %u,%u,%u, block %u,%u,%u: %s",
	                   launch->kernel->name, launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0],
	                   launch->block[1], launch->block[2], problem);
}

enum exit_code refuse_unable(struct arena *arena, const struct prediction *prediction, struct diagnostics *diagnostics)
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

enum exit_code refuse_idle(struct prediction *prediction, struct diagnostics *diagnostics)
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
	return kept ? code : EXIT_INPUT;
}

/* The first row of which warps were, or were not, followed to their end; NULL: none. */
static const struct ranked_layout *row_cut(const struct case_result *result, bool cut)
{
	for (unsigned r = 0; r < result->row_count; r++) {
		const struct evaluation *evaluation = result->rows[r].view->ptx.evaluation;
		if (evaluation && evaluation->cut == cut)
			return &result->rows[r];
	}
	return NULL;
}

enum exit_code refuse_unlike(struct arena *arena, const struct prediction *prediction, struct diagnostics *diagnostics)
{
	enum exit_code code = EXIT_VERDICT;
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		const struct ranked_layout *cut = row_cut(result, true), *whole = row_cut(result, false);
		if (!cut || !whole)
			continue;
		launch_refuse(diagnostics, result->launch,
		              arena_printf(arena,
		                           "%s has too many instructions to follow to their end, %s has not: there is no verdict; "
		                           "a smaller launch has one",
		                           cut->layout ? cut->layout->name : "the file as written",
		                           whole->layout ? whole->layout->name : "the file as written"));
		code = EXIT_INPUT;
	}
	return code;
}
