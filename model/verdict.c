/*
 * Ranking: the best layout is the one with the lowest predicted time; those within TIE_SHARE of it are ties; the recommendation is the layout as written when it
 * is the best or a tie (nobody should rewrite code for nothing), else the best.
 */
#include "model/internal.h"

#include <limits.h>

void verdict_rank(struct arena *arena, const double *times, const unsigned *rows, unsigned count, unsigned written,
                  struct verdict *verdict)
{
	verdict->best = rows[0];
	verdict->written = written;
	for (unsigned i = 1; i < count; i++)
		if (times[rows[i]] < times[verdict->best])
			verdict->best = rows[i];
	double limit = times[verdict->best] * (1 + TIE_SHARE);
	for (unsigned i = 0; i < count; i++)
		if (rows[i] != verdict->best && times[rows[i]] <= limit)
			ARENA_PUSH(arena, verdict->ties, verdict->tie_count, rows[i]);
	bool keep = written != UINT_MAX && times[written] <= limit;
	verdict->recommended = keep ? written : verdict->best;
}

/* ---- the sentence that says why -------------------------------------------------------- */

/* What the accesses of one source line cost a warp in one layout. */
struct line_cost {
	double cycles, instructions, sectors;
	unsigned width_bytes;              /* the widest access */
};

static struct line_cost line_cost_of(const struct estimate *estimate, unsigned line)
{
	struct line_cost cost = {0};
	for (unsigned a = 0; a < estimate->access_count; a++) {
		const struct access_estimate *access = &estimate->accesses[a];
		if (access->place.line != line)
			continue;
		cost.cycles += access->cycles;
		cost.instructions += access->executions;
		cost.sectors += access->executions * access->sectors_per_request;
		if (access->width_bytes > cost.width_bytes)
			cost.width_bytes = access->width_bytes;
	}
	return cost;
}

/* The line where `slow` loses most cycles against `fast`. */
static unsigned line_of_difference(const struct estimate *fast, const struct estimate *slow)
{
	unsigned line = 0;
	double most = 0;
	for (unsigned a = 0; a < slow->access_count; a++) {
		unsigned candidate = slow->accesses[a].place.line;
		double lost = line_cost_of(slow, candidate).cycles - line_cost_of(fast, candidate).cycles;
		if (lost > most) {
			most = lost;
			line = candidate;
		}
	}
	return line;
}

static const char *row_name(struct arena *arena, const struct ranked_layout *row)
{
	return row->tile ? arena_printf(arena, "%s (tile %u)", row->layout->name, row->tile) : row->layout->name;
}

static const char *width_phrase(struct arena *arena, const struct line_cost *fast, const struct line_cost *slow)
{
	if (fast->width_bytes == slow->width_bytes)
		return "";
	return arena_printf(arena, " (accesses of %u bytes per lane instead of %u)", fast->width_bytes, slow->width_bytes);
}

static const char *difference_phrase(struct arena *arena, const struct estimate *fast, const struct estimate *slow)
{
	unsigned line = line_of_difference(fast, slow);
	if (line == 0)
		return "the difference is not in one line";
	struct line_cost a = line_cost_of(fast, line), b = line_cost_of(slow, line);
	return arena_printf(arena, "per warp, line %u takes %.6g memory instructions and %.6g sectors instead of %.6g and %.6g%s", line,
	                    a.instructions, a.sectors, b.instructions, b.sectors, width_phrase(arena, &a, &b));
}

/* The row to compare the recommended one with: the layout as written, or, when that is recommended, the slowest. */
static unsigned contrast_row(const struct case_result *result, const struct verdict *verdict)
{
	unsigned slowest = verdict->recommended;
	if (verdict->written != UINT_MAX && verdict->written != verdict->recommended)
		return verdict->written;
	for (unsigned r = 0; r < result->row_count; r++)
		if (result->rows[r].group == verdict->group &&
		    result->rows[r].estimate->time_seconds > result->rows[slowest].estimate->time_seconds)
			slowest = r;
	return slowest;
}

const char *verdict_why(struct arena *arena, const struct case_result *result, const struct verdict *verdict)
{
	const struct ranked_layout *chosen = &result->rows[verdict->recommended];
	const struct ranked_layout *other = &result->rows[contrast_row(result, verdict)];
	double ratio = other->estimate->time_seconds / chosen->estimate->time_seconds;
	if (other == chosen || ratio <= 1 + TIE_SHARE)
		return arena_printf(arena, "all layouts of %s are predicted within %.0f %% of each other", verdict->group->name,
		                    100 * TIE_SHARE);
	return arena_printf(arena, "%s is %.2f times as fast as %s: %s", row_name(arena, chosen), ratio, row_name(arena, other),
	                    difference_phrase(arena, chosen->estimate, other->estimate));
}
