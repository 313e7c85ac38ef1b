/*
 * Launches of which nothing true could be said.
 */
#include "model/predict/predict.h"

#include <math.h>

/* Leaves a launch out of the cases, which it is not added to again, and keeps why. */
static void launch_refuse(struct diagnostics *diagnostics, struct prediction *prediction,
                          const struct case_result *result, const char *reason)
{
	const struct refused_launch refused = {result->launch, reason};
	ARENA_PUSH(diagnostics->arena, prediction->refused, prediction->refused_count, refused);
}

/* Reports the launches refused since there were `before`: what is left is predicted without them, and nothing left is
 * an error. */
static enum exit_code refusals_report(struct prediction *prediction, unsigned before, struct diagnostics *diagnostics)
{
	enum severity severity = prediction->case_count ? SEVERITY_WARNING : SEVERITY_ERROR;
	for (unsigned i = before; i < prediction->refused_count; i++) {
		const struct launch_case *launch = prediction->refused[i].launch;
		int64_t grid[3], block[3];
		case_dimensions_said(launch, grid, block);
		diagnostics_report(diagnostics, severity, launch->kernel->place,
		                   "kernel %s, grid %lld,%lld,%lld, block %lld,%lld,%lld: %s", launch->kernel->name,
		                   (long long)grid[0], (long long)grid[1], (long long)grid[2], (long long)block[0],
		                   (long long)block[1], (long long)block[2], prediction->refused[i].reason);
	}
	return prediction->case_count ? EXIT_VERDICT : EXIT_INPUT;
}

/* Refuses the launches for which `problem` gives a reason. */
static enum exit_code launches_refuse(struct prediction *prediction, struct diagnostics *diagnostics,
                                      const char *(*problem)(struct arena *arena, const struct case_result *result))
{
	unsigned kept = 0, before = prediction->refused_count;
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const char *reason = problem(diagnostics->arena, &prediction->cases[c]);
		if (reason)
			launch_refuse(diagnostics, prediction, &prediction->cases[c], reason);
		else
			prediction->cases[kept++] = prediction->cases[c];
	}
	prediction->case_count = kept;
	return refusals_report(prediction, before, diagnostics);
}

/* ---- what cannot run -------------------------------------------------------------------------- */

static const char *problem_of_running(struct arena *arena, const struct case_result *result)
{
	const char *problem = NULL;
	for (unsigned r = 0; r < result->row_count && !problem; r++)
		problem = cost_launch_problem(arena, result->rows[r].view);
	return problem;
}

enum exit_code predict_refuse_unable(struct arena *arena, struct prediction *prediction,
                                     struct diagnostics *diagnostics)
{
	enum exit_code code = launches_refuse(prediction, diagnostics, problem_of_running);
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const char *asks = cost_launch_asks(arena, prediction->cases[c].rows[0].view);
		if (asks)
			diagnostics_report(diagnostics, SEVERITY_NOTE, prediction->cases[c].launch->kernel->place, "%s",
			                   asks);
	}
	return code;
}

/* ---- what does nothing -------------------------------------------------------------------------- */

static bool case_is_idle(const struct case_result *result)
{
	for (unsigned r = 0; r < result->row_count; r++)
		if (!cost_launch_does_nothing(result->rows[r].view))
			return false;
	return true;
}

/* Launches that are left out where there are others: of a kernel without a body, as programs launch to wake the GPU,
 * and those of a loop that do nothing. */
static bool case_is_empty(const struct prediction *prediction, const struct case_result *result)
{
	const struct launch *found = result->launch->found;
	bool is_of_loop = found && found->stands_for;
	return prediction->case_count > 1 && (result->launch->kernel->access_count == 0 || is_of_loop) &&
	       case_is_idle(result);
}

static void empty_note(struct diagnostics *diagnostics, const struct launch_case *launch)
{
	if (launch->kernel->access_count == 0)
		diagnostics_report(diagnostics, SEVERITY_REMARK, launch->kernel->place,
		                   "%s is left out: it reads and writes no memory", launch->kernel->name);
	else
		diagnostics_report(diagnostics, SEVERITY_REMARK, launch->kernel->place,
		                   "%llu of the launches of %s are left out: no thread reads or writes memory (%s)",
		                   (unsigned long long)launch->launches, launch->kernel->name,
		                   launch->found->stands_for);
}

static void empty_leave_out(struct prediction *prediction, struct diagnostics *diagnostics)
{
	unsigned kept = 0;
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		if (case_is_empty(prediction, result))
			empty_note(diagnostics, result->launch);
		else
			prediction->cases[kept++] = *result;
	}
	prediction->case_count = kept;
}

static const char *problem_of_idling(struct arena *arena, const struct case_result *result)
{
	(void)arena;
	return case_is_idle(result) ? "no thread reads or writes memory: there is nothing to predict" : NULL;
}

enum exit_code predict_refuse_idle(struct prediction *prediction, struct diagnostics *diagnostics)
{
	empty_leave_out(prediction, diagnostics);
	if (prediction->case_count)
		return launches_refuse(prediction, diagnostics, problem_of_idling);
	diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){prediction->analysis->path, 0, 0},
	                   ANALYZER_NO_KERNEL "reads or writes memory: there is nothing to predict");
	return EXIT_INPUT;
}

/* ---- what has no time ------------------------------------------------------------------------- */

static const char *problem_of_time(struct arena *arena, const struct case_result *result)
{
	(void)arena;
	for (unsigned r = 0; r < result->row_count; r++)
		if (!isfinite(result->rows[r].estimate->time_seconds) || result->rows[r].estimate->time_seconds <= 0)
			return "it does nothing that this model counts: there is nothing to predict";
	return NULL;
}

enum exit_code predict_refuse_timeless(struct prediction *prediction, struct diagnostics *diagnostics)
{
	return launches_refuse(prediction, diagnostics, problem_of_time);
}

/* ---- what was followed unequally far ---------------------------------------------------------- */

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
		diagnostics_report(
			diagnostics, SEVERITY_WARNING, result->launch->kernel->place,
			"layout %s is left out: of it and the file as written only one could be followed to its end; "
			"a smaller launch has both",
			row->layout->name);
	}
	*result = kept;
	return kept.row_count;
}

enum exit_code predict_refuse_unlike(struct prediction *prediction, struct diagnostics *diagnostics)
{
	unsigned kept = 0, before = prediction->refused_count;
	for (unsigned c = 0; c < prediction->case_count; c++) {
		struct case_result *result = &prediction->cases[c];
		unsigned rows = result->row_count;
		if (case_compare(result, diagnostics) >= 2 || result->row_count == rows)
			prediction->cases[kept++] = *result;
		else
			launch_refuse(diagnostics, prediction, result,
			              "the layouts have too many instructions to follow all to their end: there is no "
			              "verdict; a "
			              "smaller launch has one");
	}
	prediction->case_count = kept;
	return refusals_report(prediction, before, diagnostics);
}
