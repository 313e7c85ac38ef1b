/*
 * A sweep: the points of its axes, what is picked at each, and where that changes.
 *
 * A crossover is bisected: the value in the middle is predicted, and the half is taken in which the old pick falls
 * behind, until the two ends are next to each other or within 1/RESOLUTION. All of a sweep are bisected together, so
 * that their points run at the same time.
 */
#include "model/sweep/sweep.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define RESOLUTION 64
#define RESOLUTION_COMPILED 16 /* where points have to be compiled */

/* ---- points ---------------------------------------------------------------------------------- */

const struct sweep_point *sweep_point_at(const struct sweep *sweep, int64_t first, int64_t second)
{
	for (unsigned p = 0; p < sweep->point_count; p++)
		if (sweep->points[p].at[0] == first && (sweep->axis_count == 1 || sweep->points[p].at[1] == second))
			return &sweep->points[p];
	return NULL;
}

static void points_make(struct arena *arena, struct sweep *sweep)
{
	unsigned inner = sweep->axis_count > 1 ? sweep->axes[1].count : 1;
	for (unsigned i = 0; i < sweep->axes[0].count; i++)
		for (unsigned j = 0; j < inner; j++) {
			struct sweep_point point = {.at = {sweep->axes[0].values[i]}};
			if (sweep->axis_count > 1)
				point.at[1] = sweep->axes[1].values[j];
			ARENA_PUSH(arena, sweep->points, sweep->point_count, point);
		}
}

/* ---- picks -------------------------------------------------------------------------------------- */

static double time_at(const struct sweep_point *point, unsigned series)
{
	return series == UINT_MAX ? NAN : point->cells[series].time_seconds;
}

static unsigned fastest_at(const struct sweep_point *point, const struct sweep_choice *choice)
{
	unsigned fastest = UINT_MAX;
	for (unsigned i = 0; i < choice->count; i++)
		if (isfinite(time_at(point, choice->series[i])) &&
		    (fastest == UINT_MAX || time_at(point, choice->series[i]) < time_at(point, fastest)))
			fastest = choice->series[i];
	return fastest;
}

/* before: picked at the value before, UINT_MAX: nothing. */
static unsigned pick_at(const struct sweep_point *point, const struct sweep_choice *choice, unsigned before)
{
	unsigned fastest = fastest_at(point, choice);
	double limit = time_at(point, fastest) * (1 + TIE_SHARE);
	if (time_at(point, before) <= limit)
		return before;
	return time_at(point, choice->written) <= limit ? choice->written : fastest;
}

static void picks_make(struct arena *arena, struct sweep *sweep)
{
	unsigned inner = sweep->axis_count > 1 ? sweep->axes[1].count : 1;
	for (unsigned p = 0; p < sweep->point_count; p++) {
		struct sweep_point *point = &sweep->points[p];
		point->picks = arena_array(arena, sweep->choice_count + 1, sizeof *point->picks);
		for (unsigned c = 0; c < sweep->choice_count; c++)
			point->picks[c] = pick_at(point, &sweep->choices[c],
			                          p >= inner ? sweep->points[p - inner].picks[c] : UINT_MAX);
	}
}

/* ---- crossovers ----------------------------------------------------------------------------------- */

static void crossovers_find(struct arena *arena, struct sweep *sweep)
{
	unsigned inner = sweep->axis_count > 1 ? sweep->axes[1].count : 1, count = sweep->point_count;
	for (unsigned c = 0; c < sweep->choice_count; c++)
		for (unsigned j = 0; j < inner; j++)
			for (unsigned p = inner + j; p < count; p += inner) {
				const struct sweep_point *before = &sweep->points[p - inner],
							 *point = &sweep->points[p];
				struct sweep_crossover crossover = {c,
				                                    point->at[1],
				                                    before->at[0],
				                                    point->at[0],
				                                    before->picks[c],
				                                    point->picks[c]};
				if (crossover.from != crossover.to && crossover.from != UINT_MAX &&
				    crossover.to != UINT_MAX)
					ARENA_PUSH(arena, sweep->crossovers, sweep->crossover_count, crossover);
			}
}

/* The value to predict next, or that of `before` where the ends are close. */
static int64_t middle_of(const struct sweep *sweep, const struct sweep_crossover *crossover)
{
	enum sweep_kind kind = sweep->axes[0].kind;
	int64_t gap = crossover->at - crossover->before, close;
	bool compiled = sweep_kind_anew(kind);
	if (kind == SWEEP_BLOCK || kind == SWEEP_TILE)
		return crossover->before;
	for (unsigned a = 1; a < sweep->axis_count; a++)
		compiled = compiled || sweep_kind_anew(sweep->axes[a].kind);
	close = crossover->before / (compiled ? RESOLUTION_COMPILED : RESOLUTION);
	return gap <= 1 || gap <= close ? crossover->before : crossover->before + gap / 2;
}

/* Adds the points in the middles that are not there. Returns whether there is any middle. */
static bool middles_add(struct arena *arena, struct sweep *sweep)
{
	bool any = false;
	for (unsigned i = 0; i < sweep->crossover_count; i++) {
		const struct sweep_crossover *crossover = &sweep->crossovers[i];
		int64_t middle = middle_of(sweep, crossover);
		struct sweep_point point = {.at = {middle, crossover->beside}, .between = true};
		any = any || middle != crossover->before;
		if (!sweep_point_at(sweep, middle, crossover->beside))
			ARENA_PUSH(arena, sweep->points, sweep->point_count, point);
	}
	return any;
}

static void crossover_narrow(struct sweep *sweep, struct sweep_crossover *crossover)
{
	int64_t middle = middle_of(sweep, crossover);
	const struct sweep_point *point = sweep_point_at(sweep, middle, crossover->beside);
	const struct sweep_choice *choice = &sweep->choices[crossover->choice];
	if (middle == crossover->before)
		return;
	unsigned pick = pick_at(point, choice, crossover->from);
	if (pick == crossover->from) {
		crossover->before = middle;
		return;
	}
	crossover->at = middle;
	crossover->to = pick == UINT_MAX ? crossover->to : pick;
}

/* Whether a point could not be predicted: nothing is known between the ends of a crossover then. */
static bool middles_known(const struct sweep *sweep, unsigned begin)
{
	for (unsigned p = begin; p < sweep->point_count; p++)
		if (sweep->points[p].problem)
			return false;
	return true;
}

static void crossovers_bisect(struct arena *arena, const struct sweep_request *request, struct sweep *sweep)
{
	for (;;) {
		unsigned begin = sweep->point_count;
		bool any = middles_add(arena, sweep);
		sweep_points_run(arena, request, sweep, begin);
		for (unsigned p = begin; p < sweep->point_count; p++) {
			struct sweep_point *point = &sweep->points[p];
			point->picks = arena_array(arena, sweep->choice_count + 1, sizeof *point->picks);
			for (unsigned c = 0; c < sweep->choice_count; c++)
				point->picks[c] = pick_at(point, &sweep->choices[c], UINT_MAX);
		}
		if (!any || !middles_known(sweep, begin))
			return;
		for (unsigned i = 0; i < sweep->crossover_count; i++)
			crossover_narrow(sweep, &sweep->crossovers[i]);
	}
}

/* ---- all of it ----------------------------------------------------------------------------------------- */

static bool any_predicted(const struct sweep *sweep)
{
	for (unsigned p = 0; p < sweep->point_count; p++)
		for (unsigned s = 0; s < sweep->series_count; s++)
			if (isfinite(sweep->points[p].cells[s].time_seconds))
				return true;
	return false;
}

/* Whether the block that is swept is that of some launch. */
static bool launches_change(const struct sweep *sweep)
{
	const struct sweep_point *last = &sweep->points[sweep->point_count - 1];
	bool swept = sweep->axes[0].kind == SWEEP_BLOCK && sweep->axis_count == 1 && sweep->axes[0].count > 1;
	for (unsigned s = 0; swept && s < sweep->series_count; s++)
		if (memcmp(sweep->points[0].cells[s].block, last->cells[s].block, sizeof last->cells[s].block) != 0)
			return true;
	return !swept;
}

static bool axes_resolve(struct arena *arena, const struct sweep_request *request, struct sweep_axis *axes,
                         unsigned axis_count, struct diagnostics *diagnostics)
{
	for (unsigned a = 0; a < axis_count; a++) {
		const char *problem =
			sweep_axis_resolve(arena, request->first, request->options->analyzer.argument_count, &axes[a]);
		if (!problem)
			continue;
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0}, "--sweep %s: %s",
		                   axes[a].name, problem);
		return false;
	}
	return true;
}

struct sweep *sweep_points_make(struct arena *arena, const struct sweep_request *request, const struct sweep_axis *axes,
                                unsigned axis_count)
{
	struct sweep *sweep = arena_alloc(arena, sizeof *sweep);
	for (unsigned a = 0; a < axis_count; a++)
		sweep->axes[a] = axes[a];
	sweep->axis_count = axis_count;
	sweep_series_find(arena, request->first, sweep);
	points_make(arena, sweep);
	sweep_points_run(arena, request, sweep, 0);
	return sweep;
}

struct sweep *sweep_make(struct arena *arena, const struct sweep_request *request, const struct sweep_axis *axes,
                         unsigned axis_count, struct diagnostics *diagnostics)
{
	struct sweep_axis resolved[SWEEP_AXES];
	memcpy(resolved, axes, axis_count * sizeof *axes);
	if (!axes_resolve(arena, request, resolved, axis_count, diagnostics))
		return NULL;
	struct sweep *sweep = sweep_points_make(arena, request, resolved, axis_count);
	if (!any_predicted(sweep)) {
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0},
		                   "--sweep %s: no value can be predicted: %s", sweep->axes[0].name,
		                   sweep->points[0].problem ? sweep->points[0].problem : "no launch changes");
		return NULL;
	}
	if (!launches_change(sweep)) {
		diagnostics_report(
			diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0},
			"--sweep %s: no launch can change: the code of its kernel computes positions without blockDim",
			sweep->axes[0].name);
		return NULL;
	}
	picks_make(arena, sweep);
	if (sweep->axes[0].kind != SWEEP_MACHINE)
		crossovers_find(arena, sweep);
	if (!request->no_bisect)
		crossovers_bisect(arena, request, sweep);
	return sweep;
}
