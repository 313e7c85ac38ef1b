/*
 * Objections to a verdict, which say nothing of how large the model's errors are, but that it is needed to be right:
 * simpler models that have another layout faster, and parts of the machine of which the recommended layout takes more
 * than another one. Where there are none the verdict hardly depends on the model.
 */
#include "model/trust/trust.h"

#include <math.h>
#include <string.h>

#define MODEL_TOLERANCE 0.03 /* of a simpler model's fastest time: within it, it does not object */
#define PART_TOLERANCE 0.05  /* of what another layout takes of a part of the machine */
#define PART_MATTERS 0.1     /* of the launch's cycles: a part that is busy for less does not count */

#define SAME_COUNTS 1e-3 /* within that, of all counts, and SAME_TIMES, two rows are one program */
#define SAME_TIMES 2e-3

/* Models that know less, and have been published or follow from the data sheet. */
static const char *const simpler[] = {"thesis", "sectors", "roofline", "hong-kim", "bounds"};

static void name_add(struct arena *arena, const char *name, const char ***names, unsigned *count)
{
	for (unsigned i = 0; i < *count; i++)
		if (strcmp((*names)[i], name) == 0)
			return;
	ARENA_PUSH(arena, *names, *count, name);
}

static bool model_objects(struct arena *arena, const struct cost_model *model, const struct case_result *result,
                          const struct verdict *verdict)
{
	double chosen = 0, fastest = INFINITY;
	for (unsigned r = 0; r < result->row_count; r++) {
		if (result->rows[r].group != verdict->group)
			continue;
		double time = cost_estimate(arena, model, result->rows[r].view)->time_seconds;
		chosen = r == verdict->recommended ? time : chosen;
		fastest = fmin(fastest, time);
	}
	return chosen > (1 + MODEL_TOLERANCE) * fastest;
}

/* Whether all rows of the verdict have what the simpler models read. */
static bool can_be_heard(const struct case_result *result, const struct verdict *verdict)
{
	for (unsigned r = 0; r < result->row_count; r++)
		if (result->rows[r].group == verdict->group &&
		    !(result->rows[r].view && result->rows[r].view->ptx.evaluation))
			return false;
	return true;
}

static double limit_cycles(const struct estimate *estimate, const char *name)
{
	for (unsigned l = 0; l < estimate->limit_count; l++)
		if (strcmp(estimate->limits[l].name, name) == 0)
			return estimate->limits[l].cycles;
	return 0;
}

static bool is_part(const char *name)
{
	return strcmp(name, "latency") != 0 && strcmp(name, "launch") != 0;
}

static bool within(double a, double b, double share)
{
	return fabs(a - b) <= share * fmax(fabs(a), fabs(b));
}

bool trust_rows_same(const struct ranked_layout *a, const struct ranked_layout *b)
{
	const struct counts *left = &a->estimate->counts, *right = &b->estimate->counts;
	return within(a->estimate->time_seconds, b->estimate->time_seconds, SAME_TIMES) &&
	       within(left->warp_instructions, right->warp_instructions, SAME_COUNTS) &&
	       within(left->ld_requests, right->ld_requests, SAME_COUNTS) &&
	       within(left->ld_sectors, right->ld_sectors, SAME_COUNTS) &&
	       within(left->st_requests, right->st_requests, SAME_COUNTS) &&
	       within(left->st_sectors, right->st_sectors, SAME_COUNTS);
}

static void parts_compare(struct arena *arena, const struct estimate *chosen, const struct estimate *other,
                          struct objections *objections)
{
	for (unsigned l = 0; l < chosen->limit_count; l++) {
		const struct limit *limit = &chosen->limits[l];
		if (is_part(limit->name) && limit->cycles > PART_MATTERS * chosen->cycles_per_warp &&
		    limit->cycles > (1 + PART_TOLERANCE) * limit_cycles(other, limit->name))
			name_add(arena, limit->name, &objections->parts, &objections->part_count);
	}
}

bool trust_unopposed(const struct objections *objections)
{
	return objections->heard && objections->model_count == 0 && objections->part_count == 0;
}

void trust_objections_find(struct arena *arena, const struct case_result *result, struct verdict *verdict)
{
	struct objections *objections = &verdict->objections;
	const struct ranked_layout *rows = result->rows;
	objections->heard = can_be_heard(result, verdict);
	for (unsigned m = 0; m < ARRAY_COUNT(simpler) && objections->heard; m++)
		if (model_objects(arena, cost_model_find(simpler[m]), result, verdict))
			name_add(arena, simpler[m], &objections->models, &objections->model_count);
	for (unsigned r = 0; r < result->row_count; r++)
		if (rows[r].group == verdict->group && !trust_rows_same(&rows[r], &rows[verdict->recommended]))
			parts_compare(arena, rows[verdict->recommended].estimate, rows[r].estimate, objections);
}

void trust_objections_add(struct arena *arena, const struct objections *more, struct objections *objections)
{
	objections->heard = objections->heard && more->heard;
	for (unsigned m = 0; m < more->model_count; m++)
		name_add(arena, more->models[m], &objections->models, &objections->model_count);
	for (unsigned p = 0; p < more->part_count; p++)
		name_add(arena, more->parts[p], &objections->parts, &objections->part_count);
}
