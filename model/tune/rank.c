/*
 * Configurations in each layout of their records, ranked by the time of all launches together.
 */
#include "model/tune/tune.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STORED_SHARE 0.01 /* stores of so much more or less are other work */

/* ---- layouts --------------------------------------------------------------------------- */

static bool names_equal(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static void option_add(struct arena *arena, struct tune_result *result, struct tune_option option)
{
	for (unsigned o = 0; o < result->option_count; o++)
		if (names_equal(result->options[o].record, option.record) &&
		    result->options[o].layout == option.layout && result->options[o].tile == option.tile)
			return;
	ARENA_PUSH(arena, result->options, result->option_count, option);
}

static bool is_of_launch(const struct sweep_choice *choice)
{
	return !choice->of_program && !choice->of_kernels;
}

void tune_options_find(struct arena *arena, struct tune_result *result)
{
	const struct sweep *sweep = result->sweep;
	option_add(arena, result, (struct tune_option){0});
	for (unsigned c = 0; c < sweep->choice_count; c++)
		for (unsigned i = 0; is_of_launch(&sweep->choices[c]) && i < sweep->choices[c].count; i++) {
			unsigned s = sweep->choices[c].series[i];
			const struct sweep_series *series = &sweep->series[s];
			if (series->layout && s != sweep->choices[c].written)
				option_add(arena, result,
				           (struct tune_option){series->record, series->layout, series->tile});
		}
}

/* ---- the time of a configuration ----------------------------------------------------------- */

static bool same_launch(const struct sweep_series *a, const struct sweep_series *b)
{
	return strcmp(a->kernel, b->kernel) == 0 && a->launch == b->launch;
}

/* The series of a launch in a layout; UINT_MAX: it has none. choice: the first of the launch's. */
static unsigned series_of(const struct sweep *sweep, unsigned choice, const struct tune_option *option)
{
	const struct sweep_series *launch = &sweep->series[sweep->choices[choice].series[0]];
	for (unsigned c = choice; option->record && c < sweep->choice_count; c++)
		for (unsigned i = 0; is_of_launch(&sweep->choices[c]) && i < sweep->choices[c].count; i++) {
			const struct sweep_series *series = &sweep->series[sweep->choices[c].series[i]];
			if (same_launch(series, launch) && names_equal(series->record, option->record) &&
			    series->layout == option->layout && series->tile == option->tile)
				return sweep->choices[c].series[i];
		}
	for (unsigned c = choice; option->record && c < sweep->choice_count; c++)
		if (is_of_launch(&sweep->choices[c]) &&
		    same_launch(&sweep->series[sweep->choices[c].series[0]], launch) &&
		    names_equal(sweep->series[sweep->choices[c].series[0]].record, option->record))
			return UINT_MAX;
	return launch->layout ? sweep->choices[choice].written : sweep->choices[choice].series[0];
}

static bool is_first_of_launch(const struct sweep *sweep, unsigned choice)
{
	if (!is_of_launch(&sweep->choices[choice]))
		return false;
	for (unsigned c = 0; c < choice; c++)
		if (is_of_launch(&sweep->choices[c]) && same_launch(&sweep->series[sweep->choices[c].series[0]],
		                                                    &sweep->series[sweep->choices[choice].series[0]]))
			return false;
	return true;
}

/* What all launches of a point store in a layout; NAN where that is not known. */
static double stored_bytes(const struct tune_result *result, unsigned point, unsigned option)
{
	const struct sweep *sweep = result->sweep;
	double sum = 0;
	for (unsigned c = 0; c < sweep->choice_count; c++) {
		unsigned s = is_first_of_launch(sweep, c) ? series_of(sweep, c, &result->options[option]) : UINT_MAX;
		if (s != UINT_MAX)
			sum += sweep->points[point].cells[s].stored_bytes *
			       (double)sweep->points[point].cells[s].launches;
	}
	return sum;
}

/* Whether a configuration stores as much as the first one, as far as that is known: what a macro changes may be the
 * work itself. */
static bool works_alike(const struct tune_result *result, unsigned point, unsigned option)
{
	double own = stored_bytes(result, point, option), first = stored_bytes(result, 0, option);
	return !(fabs(own - first) > STORED_SHARE * first);
}

double tune_candidate_fill(const struct tune_result *result, unsigned point, unsigned option,
                           struct tune_candidate *candidate)
{
	const struct sweep *sweep = result->sweep;
	double low = 0, high = 0, largest = -1;
	bool bounded = true;
	*candidate = (struct tune_candidate){.point = point, .option = option, .series = UINT_MAX};
	for (unsigned c = 0; c < sweep->choice_count; c++) {
		if (!is_first_of_launch(sweep, c))
			continue;
		unsigned s = series_of(sweep, c, &result->options[option]);
		const struct sweep_cell *cell = s != UINT_MAX ? &sweep->points[point].cells[s] : NULL;
		double seconds = cell ? cell->time_seconds * (double)(cell->launches ? cell->launches : 1) : NAN;
		candidate->time_seconds += seconds;
		if (!isfinite(seconds))
			continue;
		bounded = bounded && cell->low > 0;
		low += seconds * cell->low;
		high += seconds * cell->high;
		if (seconds > largest) {
			largest = seconds;
			candidate->series = s;
		}
	}
	if (candidate->series == UINT_MAX || !works_alike(result, point, option))
		candidate->time_seconds = NAN;
	candidate->changes = result->options[option].record != NULL;
	for (unsigned a = 0; a < sweep->axis_count; a++)
		candidate->changes += sweep->axes[a].has_own && sweep->axes[a].own != sweep->points[point].at[a];
	if (bounded && candidate->time_seconds > 0) {
		candidate->low = low / candidate->time_seconds;
		candidate->high = high / candidate->time_seconds;
	}
	return candidate->time_seconds;
}

/* ---- ranks ------------------------------------------------------------------------------------ */

static int fractions_compare(double a, double b)
{
	return (a > b) - (a < b);
}

/* The fastest first; of equal ones those that change less, and then the order in which they were predicted. */
static int candidates_compare(const void *left, const void *right)
{
	const struct tune_candidate *a = left, *b = right;
	if (fractions_compare(a->time_seconds, b->time_seconds))
		return fractions_compare(a->time_seconds, b->time_seconds);
	if (a->changes != b->changes)
		return a->changes < b->changes ? -1 : 1;
	if (a->point != b->point)
		return a->point < b->point ? -1 : 1;
	return a->option < b->option ? -1 : a->option > b->option;
}

static void ties_find(struct tune_result *result)
{
	const struct tune_candidate *best = &result->candidates[0];
	for (unsigned i = 0; i < result->candidate_count; i++) {
		struct tune_candidate *one = &result->candidates[i];
		one->is_tie = one->time_seconds <= best->time_seconds * (1 + TUNE_TIE_SHARE);
		one->is_close = one->is_tie || (best->high > 0 && one->low > 0 &&
		                                one->time_seconds <= best->time_seconds * best->high &&
		                                best->time_seconds >= one->time_seconds * one->low);
	}
}

/* Without the launch that a message of refuse.c begins with: it is another in each configuration. */
static const char *reason_of(const char *problem)
{
	const char *block = strncmp(problem, "kernel ", strlen("kernel ")) == 0 ? strstr(problem, ", block ") : NULL;
	const char *colon = block ? strstr(block, ": ") : NULL;
	return colon ? colon + strlen(": ") : problem;
}

/* Why a configuration that was predicted has no time. */
static const char *reason_of_none(struct arena *arena, const struct tune_result *result, unsigned point)
{
	if (works_alike(result, point, 0))
		return "it does not make the launches of the first configuration";
	return arena_printf(arena, "it does other work: it stores %.4g MB, the first configuration %.4g MB",
	                    1e-6 * stored_bytes(result, point, 0), 1e-6 * stored_bytes(result, 0, 0));
}

static void refusal_add(struct arena *arena, struct tune_result *result, unsigned point, const char *reason)
{
	for (unsigned r = 0; r < result->refusal_count; r++)
		if (strcmp(result->refusals[r].reason, reason) == 0) {
			result->refusals[r].count++;
			return;
		}
	ARENA_PUSH(arena, result->refusals, result->refusal_count, (struct tune_refusal){reason, 1, point});
}

void tune_rank(struct arena *arena, struct tune_result *result)
{
	const struct sweep *sweep = result->sweep;
	result->written = UINT_MAX;
	for (unsigned p = 0; p < sweep->point_count; p++) {
		unsigned before = result->candidate_count;
		if (sweep->points[p].problem) {
			if (strcmp(sweep->points[p].problem, SWEEP_NOT_TRIED) != 0)
				refusal_add(arena, result, p, reason_of(sweep->points[p].problem));
			else
				result->time_was_over = true;
			continue;
		}
		for (unsigned o = 0; o < result->option_count; o++) {
			struct tune_candidate candidate;
			if (isfinite(tune_candidate_fill(result, p, o, &candidate)))
				ARENA_PUSH(arena, result->candidates, result->candidate_count, candidate);
		}
		result->predicted += result->candidate_count > before;
		if (result->candidate_count == before)
			refusal_add(arena, result, p, reason_of_none(arena, result, p));
	}
	if (result->candidate_count == 0)
		return;
	qsort(result->candidates, result->candidate_count, sizeof *result->candidates, candidates_compare);
	ties_find(result);
	for (unsigned i = 0; i < result->candidate_count; i++)
		if (result->candidates[i].is_tie &&
		    result->candidates[i].changes < result->candidates[result->recommended].changes)
			result->recommended = i;
	for (unsigned i = 0; i < result->candidate_count; i++)
		if (result->candidates[i].point == 0 && result->candidates[i].option == 0)
			result->written = i;
}
