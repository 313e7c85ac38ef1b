/*
 * The best layouts of several records together. Verdicts change one record at a time. What two changes gain together is
 * another number where a launch uses both records. Such launches are compiled, evaluated and estimated once more with
 * all changes; of the others the row that the verdict ranked stands.
 */
#include "model/predict/predict.h"

#include <limits.h>
#include <math.h>

struct combining {
	struct arena *arena;
	struct prediction *prediction;
	const struct predict_options *options;
	const struct program_row **chosen; /* by group: the row that it changes to, or NULL */
	unsigned changed;                  /* how many */
	struct variants variants;          /* the file as written, then for each change one, all of one text */
	struct diagnostics ignored;
};

/* The row that a verdict recommends in the place of the layout as written, or that may be faster; NULL: there is none.
 */
static const struct program_row *row_better(const struct prediction *prediction, const struct verdict *verdict)
{
	if (verdict->written == UINT_MAX || verdict->unranked)
		return NULL;
	if (verdict->recommended != verdict->written)
		return &prediction->program[verdict->recommended];
	return verdict->may_gain == UINT_MAX ? NULL : &prediction->program[verdict->may_gain];
}

/* The rows of all verdicts that have one. */
static void changes_find(struct combining *combining)
{
	const struct prediction *prediction = combining->prediction;
	combining->chosen =
		arena_array(combining->arena, prediction->groups.count + 1, sizeof(const struct program_row *));
	for (unsigned v = 0; v < prediction->program_verdict_count; v++) {
		const struct verdict *verdict = &prediction->program_verdicts[v];
		const struct program_row *row = row_better(prediction, verdict);
		for (unsigned g = 0; g < prediction->groups.count && row; g++)
			if (prediction->groups.list[g] == verdict->group) {
				combining->chosen[g] = row;
				combining->changed++;
			}
	}
}

static bool case_uses(const struct case_result *result, const struct layout_group *group)
{
	for (unsigned r = 0; r < result->row_count; r++)
		if (result->rows[r].group == group)
			return true;
	return false;
}

/* How many of the changes a launch sees; *first is the group of the first of them. */
static unsigned changes_seen(const struct combining *combining, const struct case_result *result, unsigned *first)
{
	unsigned seen = 0;
	for (unsigned g = 0; g < combining->prediction->groups.count; g++)
		if (combining->chosen[g] && case_uses(result, combining->prediction->groups.list[g])) {
			*first = seen ? *first : g;
			seen++;
		}
	return seen;
}

/* ---- launches that see one change, or none ----------------------------------------------------------- */

/* The row of a launch with that layout of that group; NULL for its layout as written. */
static const struct ranked_layout *row_of(const struct case_result *result, const struct layout_group *group,
                                          const struct program_row *chosen)
{
	for (unsigned r = 0; r < result->row_count; r++) {
		const struct ranked_layout *row = &result->rows[r];
		bool written = !row->group || row->layout == row->group->written;
		if (chosen ? row->group == group && row->layout == chosen->layout && row->tile == chosen->tile
		           : written)
			return row;
	}
	return NULL;
}

/* ---- launches that see several ------------------------------------------------------------------------- */

/* Writes the kernels with all changes. Returns false where that cannot be done. */
static bool variants_write(struct combining *combining, const struct variant *written)
{
	const struct layout_groups *groups = &combining->prediction->groups;
	struct placement **placements = arena_array(combining->arena, groups->count + 1, sizeof(struct placement *));
	struct variant first = *written;
	first.has_code = true;
	ARENA_PUSH(combining->arena, combining->variants.list, combining->variants.count, first);
	for (unsigned g = 0; g < groups->count; g++) {
		const struct program_row *row = combining->chosen[g];
		if (row && groups->list[g]->family && groups->list[g]->family->is_shared)
			return false;
		placements[g] = layout_place(combining->arena, row ? row->layout : groups->list[g]->written,
		                             groups->list[g], row && row->tile ? row->tile : LAYOUT_TILE_DEFAULT);
	}
	struct rewritten *rewritten = layout_rewrite(combining->arena, combining->prediction->analysis, groups,
	                                             placements, REWRITE_COMPILE, &combining->ignored);
	for (unsigned g = 0; g < groups->count && rewritten; g++) {
		const struct program_row *row = combining->chosen[g];
		struct variant variant = {.group = g, .rewritten = rewritten};
		if (!row)
			continue;
		variant.layout = row->layout;
		variant.tile = row->tile;
		ARENA_PUSH(combining->arena, combining->variants.list, combining->variants.count, variant);
	}
	return rewritten != NULL;
}

/* The variant of a change. */
static const struct variant *variant_of(const struct combining *combining, unsigned group)
{
	const struct variant *found = NULL;
	for (unsigned v = 1; v < combining->variants.count; v++)
		if (combining->variants.list[v].group == group)
			found = &combining->variants.list[v];
	return found;
}

/* A launch's row with all changes, not yet evaluated; false where there is no code for it. */
static bool row_make(struct combining *combining, const struct case_result *result, unsigned group,
                     struct ranked_layout *row)
{
	const struct variant *variant = variant_of(combining, group);
	if (!variant || !variant->has_code || !code_kernel_in(variant->rewritten, result->launch->kernel)->changed)
		return false;
	*row = (struct ranked_layout){
		.group = combining->prediction->groups.list[group], .layout = variant->layout, .tile = variant->tile};
	row->view = predict_view(combining->arena, combining->prediction, combining->options, result->launch, variant,
	                         &combining->ignored);
	return row->view;
}

/*
 * Appends to each launch that sees several changes its row with all of them, in a copy of the cases, and estimates
 * those rows. Returns the cases; NULL where some row cannot be had.
 */
static struct case_result *cases_estimate(struct combining *combining)
{
	struct prediction fresh = *combining->prediction, all = *combining->prediction;
	fresh.cases = arena_array(combining->arena, all.case_count + 1, sizeof *fresh.cases);
	all.cases = arena_array(combining->arena, all.case_count + 1, sizeof *all.cases);
	for (unsigned c = 0; c < all.case_count; c++) {
		const struct case_result *result = &combining->prediction->cases[c];
		struct ranked_layout *rows = arena_array(combining->arena, 2, sizeof *rows);
		unsigned group = 0;
		bool several = changes_seen(combining, result, &group) > 1;
		rows[0] = result->rows[0];
		if (several && !row_make(combining, result, group, &rows[1]))
			return NULL;
		all.cases[c] = fresh.cases[c] = *result;
		all.cases[c].rows = rows;
		all.cases[c].row_count = several ? 2 : 1;
		fresh.cases[c].rows = rows + 1;
		fresh.cases[c].row_count = several;
	}
	predict_evaluate_rows(combining->arena, &fresh, combining->options, 1);
	predict_starts_find(combining->arena, &all, combining->options->start);
	predict_estimate_rows(combining->arena, &fresh, 1);
	return fresh.cases;
}

/* ---- all launches together ----------------------------------------------------------------------------- */

/* Seconds of all launches; NAN where one cannot be told. together: the rows with all changes of launches that have one.
 */
static double seconds_sum(const struct combining *combining, const struct case_result *together)
{
	double seconds = 0;
	for (unsigned c = 0; c < combining->prediction->case_count; c++) {
		const struct case_result *result = &combining->prediction->cases[c];
		unsigned group = 0, seen = changes_seen(combining, result, &group);
		const struct ranked_layout *row = seen > 1 ? together[c].rows
		                                           : row_of(result, combining->prediction->groups.list[group],
		                                                    seen ? combining->chosen[group] : NULL);
		if (!row || !row->estimate || row->estimate->lower_bound)
			return NAN;
		seconds += predict_launches_seconds(result, row);
	}
	return seconds;
}

void predict_combination(struct arena *arena, struct prediction *prediction, const struct predict_options *options,
                         const struct variant *written, struct code_build *build)
{
	struct combining combining = {.arena = arena, .prediction = prediction, .options = options};
	const struct case_result *together = NULL;
	bool several = false;
	diagnostics_init(&combining.ignored, arena);
	changes_find(&combining);
	for (unsigned c = 0, first = 0; c < prediction->case_count; c++)
		several |= changes_seen(&combining, &prediction->cases[c], &first) > 1;
	if (combining.changed < 2)
		return;
	if (several) {
		build->variants = &combining.variants;
		build->diagnostics = &combining.ignored;
		if (!variants_write(&combining, written) || !code_build(arena, build) ||
		    !(together = cases_estimate(&combining)))
			return;
	}
	struct program_combination *combination = arena_alloc(arena, sizeof *combination);
	*combination = (struct program_combination){.seconds = seconds_sum(&combining, together)};
	for (unsigned g = 0; g < prediction->groups.count; g++)
		if (combining.chosen[g]) {
			ARENA_PUSH(arena, combination->rows, combination->row_count, combining.chosen[g]);
			combination->switch_seconds += combining.chosen[g]->switch_seconds;
		}
	if (isfinite(combination->seconds))
		prediction->combination = combination;
}
