/*
 * Ranking: the best layout is the one with the lowest predicted time; those within TIE_SHARE of it are ties; the recommendation is the layout as written when it
 * is the best or a tie (nobody should rewrite code for nothing), else the best.
 */
#include "model/predict.h"

#include <limits.h>
#include <math.h>
#include <string.h>

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

/* An array whose accesses cost less than this more in one layout than in another does not explain the difference. */
#define DIFFERENCE_SHARE 1e-3

/* ---- the sentence that says why -------------------------------------------------------- */

/* What the reads, writes or atomics of one array cost a warp in one layout. */
struct array_cost {
	double cycles, instructions, sectors;
	double hits;          /* sectors found in the cache that the model has; NAN where it does not say */
	unsigned width_bytes; /* the widest access */
};

static bool same_array(const struct access_estimate *a, const struct access_estimate *b)
{
	return a->kind == b->kind && a->array && b->array && strcmp(a->array, b->array) == 0;
}

static struct array_cost array_cost_of(const struct estimate *estimate, const struct access_estimate *like)
{
	struct array_cost cost = {0};
	for (unsigned a = 0; a < estimate->access_count; a++) {
		const struct access_estimate *access = &estimate->accesses[a];
		if (!same_array(access, like))
			continue;
		cost.cycles += access->cycles;
		cost.instructions += access->executions;
		cost.sectors += access->executions * access->sectors_per_request;
		cost.hits += access->executions * access->sectors_per_request * access->hit_rate;
		if (access->width_bytes > cost.width_bytes)
			cost.width_bytes = access->width_bytes;
	}
	return cost;
}

/* The costliest access in `slow` of the array and kind where it loses most cycles against `fast`; NULL where it loses none. */
static const struct access_estimate *place_of_difference(const struct estimate *fast, const struct estimate *slow)
{
	const struct access_estimate *found = NULL;
	double most = 0;
	for (unsigned a = 0; a < slow->access_count; a++) {
		const struct access_estimate *access = &slow->accesses[a];
		double lost = array_cost_of(slow, access).cycles - array_cost_of(fast, access).cycles;
		if (lost > most || (found && lost == most && same_array(access, found) && access->cycles > found->cycles)) {
			most = lost;
			found = access;
		}
	}
	return found;
}

static const char *row_name(struct arena *arena, const struct ranked_layout *row)
{
	return row->tile ? arena_printf(arena, "%s (tile %u)", row->layout->name, row->tile) : row->layout->name;
}

static const char *width_phrase(struct arena *arena, const struct array_cost *fast, const struct array_cost *slow)
{
	if (fast->width_bytes == slow->width_bytes)
		return "";
	return arena_printf(arena, " (%u bytes per lane at a time instead of %u)", fast->width_bytes, slow->width_bytes);
}

/* What the two differ in, as far as the numbers shown do. */
static const char *numbers_phrase(struct arena *arena, const struct array_cost *fast, const struct array_cost *slow)
{
	const char *ours = arena_printf(arena, "%.6g and %.6g", fast->instructions, fast->sectors);
	const char *theirs = arena_printf(arena, "%.6g and %.6g", slow->instructions, slow->sectors);
	const char *our_hits = arena_printf(arena, "%.3g", 100 * fast->hits / fast->sectors);
	const char *their_hits = arena_printf(arena, "%.3g", 100 * slow->hits / slow->sectors);
	if (strcmp(ours, theirs) != 0)
		return arena_printf(arena, "takes a warp %.6g memory instructions and %.6g sectors instead of %s%s",
		                    fast->instructions, fast->sectors, theirs, width_phrase(arena, fast, slow));
	if (!isnan(fast->hits + slow->hits) && strcmp(our_hits, their_hits) != 0)
		return arena_printf(arena, "finds %s %% of the sectors in the cache instead of %s %%%s", our_hits, their_hits,
		                    width_phrase(arena, fast, slow));
	return arena_printf(arena, "takes a warp %.6g cycles instead of %.6g%s", fast->cycles, slow->cycles,
	                    width_phrase(arena, fast, slow));
}

static double limit_cycles(const struct estimate *estimate, const char *name)
{
	for (unsigned i = 0; i < estimate->limit_count; i++)
		if (strcmp(estimate->limits[i].name, name) == 0)
			return estimate->limits[i].cycles;
	return 0;
}

/* The part of the launch that takes most cycles more in `slow`, where the model says its parts. */
static const char *limit_phrase(struct arena *arena, const struct estimate *fast, const struct estimate *slow)
{
	const struct limit *found = NULL;
	double most = 0;
	for (unsigned i = 0; i < slow->limit_count; i++) {
		double lost = slow->limits[i].cycles - limit_cycles(fast, slow->limits[i].name);
		if (lost > most) {
			most = lost;
			found = &slow->limits[i];
		}
	}
	if (!found)
		return "no single array makes the difference";
	return arena_printf(arena, "%s alone would take the launch %.4g cycles instead of %.4g", found->name,
	                    limit_cycles(fast, found->name), found->cycles);
}

static const char *difference_phrase(struct arena *arena, const struct estimate *fast, const struct estimate *slow)
{
	static const char *const kinds[] = {"reading", "writing", "updating"};
	const struct access_estimate *access = place_of_difference(fast, slow);
	if (!access)
		return limit_phrase(arena, fast, slow);
	struct array_cost a = array_cost_of(fast, access), b = array_cost_of(slow, access);
	if (b.cycles - a.cycles < DIFFERENCE_SHARE * b.cycles)
		return limit_phrase(arena, fast, slow);
	return arena_printf(arena, "%s %s (line %u) %s", kinds[access->kind], access->array, access->place.line,
	                    numbers_phrase(arena, &a, &b));
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

static unsigned rows_of_group(const struct case_result *result, const struct layout_group *group)
{
	unsigned count = 0;
	for (unsigned r = 0; r < result->row_count; r++)
		count += result->rows[r].group == group;
	return count;
}

const char *verdict_why(struct arena *arena, const struct case_result *result, const struct verdict *verdict)
{
	const struct ranked_layout *chosen = &result->rows[verdict->recommended];
	const struct ranked_layout *other = &result->rows[contrast_row(result, verdict)];
	double ratio = other->estimate->time_seconds / chosen->estimate->time_seconds;
	if (rows_of_group(result, verdict->group) < 2)
		return arena_printf(arena, "no other layout of %s could be compared", verdict->group->name);
	if (other == chosen || ratio <= 1 + TIE_SHARE)
		return arena_printf(arena, "all layouts of %s are predicted within %.0f %% of each other", verdict->group->name,
		                    100 * TIE_SHARE);
	return arena_printf(arena, "%s is %.2f times as fast as %s: %s", row_name(arena, chosen), ratio, row_name(arena, other),
	                    difference_phrase(arena, chosen->estimate, other->estimate));
}
