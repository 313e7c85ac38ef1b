/*
 * Verdicts of launches and of the program. A group is one choice; all its layouts are ranked with the other groups as
 * written. The program's time in a layout is that of all its launches: one layout has to serve them all.
 */
#include "model/predict/predict.h"
#include "model/trust/trust.h"

#include <limits.h>
#include <math.h>

/* The rows of one group, in order. */
struct candidates {
	unsigned *rows, count, written; /* written: UINT_MAX when that layout is no row */
};

static void candidate_add(struct arena *arena, struct candidates *candidates, const struct layout_group *group,
                          const struct layout *layout, unsigned row)
{
	if (layout == group->written)
		candidates->written = row;
	ARENA_PUSH(arena, candidates->rows, candidates->count, row);
}

#define UNRANKED "layouts are not ranked: a part of the launch was not followed, so that their times are lower bounds"

/* Whether times of the group's layouts are no more than lower bounds, in some launch. */
static bool has_lower_bound(const struct case_result *cases, unsigned count, const struct layout_group *group)
{
	for (unsigned c = 0; c < count; c++)
		for (unsigned r = 0; r < cases[c].row_count; r++)
			if (cases[c].rows[r].group == group && cases[c].rows[r].estimate->lower_bound)
				return true;
	return false;
}

/* ---- one launch ---------------------------------------------------------------------- */

static double *row_times(struct arena *arena, const struct case_result *result)
{
	double *times = arena_array(arena, result->row_count + 1, sizeof *times);
	for (unsigned r = 0; r < result->row_count; r++)
		times[r] = result->rows[r].estimate->time_seconds;
	return times;
}

void verdict_case(struct arena *arena, const struct prediction *prediction, struct case_result *result)
{
	const struct layout_groups *groups = &prediction->groups;
	double *times = row_times(arena, result);
	trust_times(prediction, result);
	for (unsigned g = 0; g < groups->count; g++) {
		struct verdict verdict = {.group = groups->list[g]};
		struct candidates candidates = {.written = UINT_MAX};
		for (unsigned r = 0; r < result->row_count; r++)
			if (result->rows[r].group == verdict.group)
				candidate_add(arena, &candidates, verdict.group, result->rows[r].layout, r);
		if (candidates.count == 0)
			continue;
		verdict.unranked = has_lower_bound(result, 1, verdict.group);
		verdict_rank(arena, times, candidates.rows, candidates.count, candidates.written, &verdict);
		trust_verdict(arena, prediction, result, &verdict);
		verdict.why = verdict.unranked ? UNRANKED : verdict_why(arena, result, &verdict);
		if (verdict.unranked)
			verdict.rival_count = 0;
		else
			verdict_convert(prediction, result, &verdict);
		ARENA_PUSH(arena, result->verdicts, result->verdict_count, verdict);
		if (verdict.confidence > result->confidence)
			result->confidence = verdict.confidence;
	}
}

/* ---- the program ---------------------------------------------------------------------- */

/*
 * Time of a case's launches with one group in one layout. Cases that do not use the group take the time of their
 * written layout; NAN for one that does and cannot be had in that one: its code does not compile there, or was not
 * followed as far.
 */
static double case_time(const struct case_result *result, const struct program_row *row)
{
	double written = NAN;
	bool used = false;
	for (unsigned r = 0; r < result->row_count; r++) {
		const struct ranked_layout *ranked = &result->rows[r];
		if (ranked->group == row->group && ranked->layout == row->layout && ranked->tile == row->tile)
			return predict_launches_seconds(result, ranked);
		if (!ranked->group || ranked->layout == ranked->group->written)
			written = predict_launches_seconds(result, ranked);
		used = used || ranked->group == row->group;
	}
	return used ? NAN : written;
}

static void program_row_add(struct arena *arena, struct prediction *result, const struct variant *variant)
{
	struct program_row row = {
		.group = result->groups.list[variant->group], .layout = variant->layout, .tile = variant->tile};
	for (unsigned c = 0; c < result->case_count; c++)
		row.time_seconds += case_time(&result->cases[c], &row);
	row.switch_seconds = verdict_switch_seconds(arena, result, &row);
	if (!isnan(row.time_seconds))
		ARENA_PUSH(arena, result->program, result->program_count, row);
}

static double *program_times(struct arena *arena, const struct prediction *result)
{
	double *times = arena_array(arena, result->program_count + 1, sizeof *times);
	for (unsigned r = 0; r < result->program_count; r++)
		times[r] = result->program[r].time_seconds;
	return times;
}

/* Whether some launch is there in layouts of the group: else there is nothing to choose. */
static bool group_is_launched(const struct prediction *result, const struct layout_group *group)
{
	for (unsigned c = 0; c < result->case_count; c++)
		for (unsigned r = 0; r < result->cases[c].row_count; r++)
			if (result->cases[c].rows[r].group == group)
				return true;
	return false;
}

/* The row with the least time, copies included; the one as written where that is within TIE_SHARE of it. */
static unsigned cheapest_row(const struct prediction *result, const struct candidates *candidates)
{
	unsigned least = candidates->rows[0];
	const struct program_row *rows = result->program;
	for (unsigned i = 1; i < candidates->count; i++) {
		unsigned r = candidates->rows[i];
		if (rows[r].time_seconds + rows[r].switch_seconds <
		    rows[least].time_seconds + rows[least].switch_seconds)
			least = r;
	}
	if (candidates->written == UINT_MAX)
		return least;
	double limit = (rows[least].time_seconds + rows[least].switch_seconds) * (1 + TIE_SHARE);
	return rows[candidates->written].time_seconds <= limit ? candidates->written : least;
}

/* Whether the recommended row is faster than the one as written also at the low end of the interval, with what it costs
 * at copies. */
static bool gain_is_sure(const struct prediction *result, const struct verdict *verdict)
{
	const struct program_row *row = &result->program[verdict->recommended];
	return verdict->ratio_low * row->time_seconds > row->time_seconds + row->switch_seconds;
}

/* Takes what is paid at copies into the recommendation and its interval, and keeps the layout as written where a gain
 * is not sure. */
static void program_recommend(struct arena *arena, const struct prediction *result, const double *times,
                              const struct candidates *candidates, struct verdict *verdict)
{
	unsigned cheapest = cheapest_row(result, candidates), written = candidates->written;
	verdict_recommend(times, candidates->rows, candidates->count, cheapest, verdict);
	trust_program(arena, result, verdict);
	if (written != UINT_MAX && cheapest == written && times[written] > times[verdict->best] * (1 + TIE_SHARE))
		verdict->may_gain = verdict->best;
	if (cheapest == written || written == UINT_MAX || !trust_known(result))
		return;
	if (gain_is_sure(result, verdict)) {
		const struct program_row *row = &result->program[cheapest];
		double share = row->time_seconds / (row->time_seconds + row->switch_seconds);
		verdict->ratio_low *= share;
		verdict->ratio_high *= share;
		return;
	}
	verdict->may_gain = cheapest;
	verdict_recommend(times, candidates->rows, candidates->count, written, verdict);
	trust_program(arena, result, verdict);
}

void verdict_program(struct arena *arena, struct prediction *result, const struct variants *variants)
{
	for (unsigned v = 0; v < variants->count; v++)
		if (variants->list[v].group != UINT_MAX &&
		    group_is_launched(result, result->groups.list[variants->list[v].group]))
			program_row_add(arena, result, &variants->list[v]);
	double *times = program_times(arena, result);
	for (unsigned g = 0; g < result->groups.count; g++) {
		struct verdict verdict = {.group = result->groups.list[g]};
		struct candidates candidates = {.written = UINT_MAX};
		for (unsigned r = 0; r < result->program_count; r++)
			if (result->program[r].group == verdict.group)
				candidate_add(arena, &candidates, verdict.group, result->program[r].layout, r);
		if (candidates.count == 0)
			continue;
		verdict.unranked = has_lower_bound(result->cases, result->case_count, verdict.group);
		verdict_rank(arena, times, candidates.rows, candidates.count, candidates.written, &verdict);
		program_recommend(arena, result, times, &candidates, &verdict);
		ARENA_PUSH(arena, result->program_verdicts, result->program_verdict_count, verdict);
	}
}
