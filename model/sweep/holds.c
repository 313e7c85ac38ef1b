/*
 * How far a verdict holds whose sizes nobody said: it is predicted once more for a sixteenth of the blocks that were
 * assumed, and for sixteen times as many. What follows from the grid, as the number that threads are held against, is
 * assumed anew with it.
 */
#include "model/sweep/sweep.h"

#include <math.h>
#include <string.h>

#define SIZES 2
static const int64_t sizes[SIZES] = {-1, 1}; /* as of struct case_change */

static bool any_assumed(const struct prediction *prediction)
{
	for (unsigned c = 0; c < prediction->case_count; c++)
		if (prediction->cases[c].launch->assumed && prediction->cases[c].verdict_count)
			return true;
	return false;
}

/* ---- which sizes these are ------------------------------------------------------------------ */

/* The launches at a size; NULL where there are none. */
static const struct launch_case *launches_at(struct arena *arena, const struct sweep_request *request, int64_t size,
                                             unsigned *count)
{
	const struct case_change change = {.assumed_size = size};
	struct case_options options = request->options->cases;
	struct launch_case *launches = NULL;
	struct diagnostics ignored;
	diagnostics_init(&ignored, arena);
	options.changes = &change;
	options.change_count = 1;
	*count = 0;
	return case_find_all(arena, request->first->analysis, &options, &launches, count, &ignored) ? launches : NULL;
}

static const struct launch_case *same_launch(const struct launch_case *launches, unsigned count,
                                             const struct launch_case *launch)
{
	for (unsigned i = 0; i < count; i++)
		if (launches[i].kernel == launch->kernel && launches[i].found == launch->found)
			return &launches[i];
	return NULL;
}

/* The integer that is assumed with the grid, or NULL. */
static const struct symbol *assumed_number(const struct launch_case *small, const struct launch_case *large)
{
	for (unsigned i = 0; i < small->kernel->symbol_count; i++)
		if (small->kernel->symbols[i]->kind == SYMBOL_PARAMETER && small->symbols[i] < large->symbols[i])
			return small->kernel->symbols[i];
	return NULL;
}

static unsigned long long blocks_of(const struct launch_case *launch)
{
	return (unsigned long long)launch->grid[0] * launch->grid[1] * launch->grid[2];
}

/* "n = 16384" of that launch. */
static const char *size_text(struct arena *arena, const struct launch_case *launch, const struct symbol *number)
{
	return number ? arena_printf(arena, "%s = %lld", number->name, (long long)launch->symbols[number->index])
	              : arena_printf(arena, "%llu blocks", blocks_of(launch));
}

/* ---- what holds ------------------------------------------------------------------------------- */

static const struct sweep_choice *choice_of(const struct sweep *sweep, const char *kernel, unsigned launch,
                                            const char *record)
{
	for (unsigned c = 0; c < sweep->choice_count; c++) {
		const struct sweep_series *series = &sweep->series[sweep->choices[c].series[0]];
		if (series->kernel && series->record && strcmp(series->kernel, kernel) == 0 &&
		    series->launch == launch && strcmp(series->record, record) == 0 && !sweep->choices[c].of_kernels)
			return &sweep->choices[c];
	}
	return NULL;
}

/* The layout that is picked at a point; the recommended one where that is within TIE_SHARE of the fastest. NULL: not
 * predicted. */
static const struct layout *pick_at(const struct sweep *sweep, const struct sweep_choice *choice,
                                    const struct sweep_point *point, const struct layout *recommended)
{
	double least = INFINITY, kept = INFINITY;
	const struct layout *fastest = NULL;
	for (unsigned i = 0; i < choice->count; i++) {
		const struct sweep_series *series = &sweep->series[choice->series[i]];
		double time = point->cells[choice->series[i]].time_seconds;
		if (time < least) {
			least = time;
			fastest = series->layout;
		}
		kept = series->layout == recommended ? fmin(kept, time) : kept;
	}
	return kept <= least * (1 + TIE_SHARE) ? recommended : fastest;
}

static const char *holds_text(struct arena *arena, const struct layout *recommended,
                              const struct layout *const picks[SIZES], const char *const at[SIZES])
{
	if (!picks[0] || !picks[1])
		return NULL;
	if (picks[0] == recommended && picks[1] == recommended)
		return arena_printf(arena, "holds from %s to %s: both were predicted too", at[0], at[1]);
	if (picks[0] == recommended)
		return arena_printf(arena, "holds down to %s, but at %s %s is predicted", at[0], at[1], picks[1]->name);
	if (picks[1] == recommended)
		return arena_printf(arena, "holds up to %s, but at %s %s is predicted", at[1], at[0], picks[0]->name);
	return arena_printf(arena, "holds near that size only: %s is predicted at %s, %s at %s", picks[0]->name, at[0],
	                    picks[1]->name, at[1]);
}

static void verdict_holds(struct arena *arena, const struct sweep *sweep, const struct case_result *result,
                          unsigned launch, const struct launch_case *const launches[SIZES], struct verdict *verdict)
{
	const struct layout *picks[SIZES], *recommended = result->rows[verdict->recommended].layout;
	const struct sweep_choice *choice =
		choice_of(sweep, result->launch->kernel->name, launch, verdict->group->name);
	const struct symbol *number = assumed_number(launches[0], launches[1]);
	const char *at[SIZES];
	for (unsigned i = 0; choice && i < SIZES; i++) {
		picks[i] = pick_at(sweep, choice, &sweep->points[i], recommended);
		at[i] = size_text(arena, launches[i], number);
	}
	verdict->holds = choice ? holds_text(arena, recommended, picks, at) : NULL;
}

void sweep_holds(struct arena *arena, const struct sweep_request *request, struct prediction *prediction)
{
	struct sweep_axis axis = {.kind = SWEEP_ASSUMED, .name = "assumed"};
	const struct launch_case *launches[SIZES];
	unsigned counts[SIZES];
	if (!any_assumed(prediction))
		return;
	for (unsigned i = 0; i < SIZES; i++) {
		ARENA_PUSH(arena, axis.values, axis.count, sizes[i]);
		launches[i] = launches_at(arena, request, sizes[i], &counts[i]);
	}
	const struct sweep *sweep = sweep_points_make(arena, request, &axis, 1);
	for (unsigned c = 0; c < prediction->case_count; c++) {
		struct case_result *result = &prediction->cases[c];
		const struct launch_case *own[SIZES];
		for (unsigned i = 0; i < SIZES; i++)
			own[i] = launches[i] ? same_launch(launches[i], counts[i], result->launch) : NULL;
		for (unsigned v = 0; v < result->verdict_count && result->launch->assumed && own[0] && own[1]; v++)
			verdict_holds(arena, sweep, result, sweep_launch_index(prediction, c), own,
			              &result->verdicts[v]);
	}
}
