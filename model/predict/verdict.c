/*
 * Ranking: the best layout is the one with the lowest predicted time; those within TIE_SHARE of it are ties; the
 * recommendation is the layout as written when it is the best or a tie (nobody should rewrite code for nothing), or
 * where times are lower bounds, else the best. What the sentence and the interval compare it with is the layout as
 * written, or, where that is recommended, the slowest.
 */
#include "model/predict/predict.h"

#include <limits.h>

/* The row to compare the recommended one with: the layout as written, or, when that is recommended, the slowest. */
static unsigned contrast_row(const double *times, const unsigned *rows, unsigned count, const struct verdict *verdict)
{
	unsigned slowest = verdict->recommended;
	if (verdict->written != UINT_MAX && verdict->written != verdict->recommended)
		return verdict->written;
	for (unsigned i = 0; i < count; i++)
		if (times[rows[i]] > times[slowest])
			slowest = rows[i];
	return slowest;
}

void verdict_recommend(const double *times, const unsigned *rows, unsigned count, unsigned recommended,
                       struct verdict *verdict)
{
	verdict->recommended = recommended;
	verdict->contrast = contrast_row(times, rows, count, verdict);
}

void verdict_rank(struct arena *arena, const double *times, const unsigned *rows, unsigned count, unsigned written,
                  struct verdict *verdict)
{
	verdict->written = written;
	if (verdict->unranked && written != UINT_MAX) {
		verdict->best = verdict->recommended = verdict->contrast = written;
		return;
	}
	verdict->best = rows[0];
	for (unsigned i = 1; i < count; i++)
		if (times[rows[i]] < times[verdict->best])
			verdict->best = rows[i];
	double limit = times[verdict->best] * (1 + TIE_SHARE);
	for (unsigned i = 0; i < count; i++)
		if (rows[i] != verdict->best && times[rows[i]] <= limit)
			ARENA_PUSH(arena, verdict->ties, verdict->tie_count, rows[i]);
	bool keep = written != UINT_MAX && times[written] <= limit;
	verdict->may_gain = UINT_MAX;
	verdict_recommend(times, rows, count, keep ? written : verdict->best, verdict);
}
