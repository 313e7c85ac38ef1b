/*
 * The text view of a batch: the five figures per model and group, the targets, which picks are missed, and where times
 * are worst.
 */
#include "cli/batch/page.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORST_SHOWN 5

/* ---- figures ------------------------------------------------------------------------ */

static void figures_print(struct text *out, const char *model, const char *group, const struct accuracy *accuracy)
{
	text_printf(out, "%-13s %-12s %5u", model, group, accuracy->cases);
	if (accuracy->cases == 0)
		text_printf(out, " %7s %8s %8s %7s %11s %10s\n", "-", "-", "-", "-", "-", "-");
	else
		text_printf(out, " %7.3f %8.4f %8.4f %7.3f %11.4f %10.4f\n", accuracy->pick, accuracy->regret,
		            accuracy->worst_regret, accuracy->rank, accuracy->ratio_error, accuracy->time_error);
}

/* The groups in order of appearance. */
static const char **groups_of(struct arena *arena, const struct comparisons *comparisons, unsigned *count)
{
	const char **groups = NULL;
	*count = 0;
	for (unsigned c = 0; c < comparisons->count; c++) {
		unsigned g = 0;
		while (g < *count && strcmp(groups[g], comparisons->list[c].group) != 0)
			g++;
		if (g == *count)
			ARENA_PUSH(arena, groups, *count, comparisons->list[c].group);
	}
	return groups;
}

static void model_print(struct text *out, struct arena *arena, const struct comparisons *comparisons, unsigned m)
{
	unsigned count;
	const char **groups = groups_of(arena, comparisons, &count);
	struct accuracy all = batch_accuracy(arena, comparisons, m, NULL);
	figures_print(out, comparisons->models[m], "all", &all);
	for (unsigned g = 0; g < count && count > 1; g++) {
		struct accuracy part = batch_accuracy(arena, comparisons, m, groups[g]);
		if (part.cases > 0 || all.cases == 0)
			figures_print(out, comparisons->models[m], groups[g], &part);
	}
}

/* ---- misses ---------------------------------------------------------------------------- */

static void place_print(struct text *out, const struct comparison *comparison)
{
	text_printf(out, "  %s: %s%s%s", comparison->id, comparison->kernel, comparison->record ? ", " : "",
	            comparison->record ? comparison->record : "");
}

static void misses_print(struct text *out, struct arena *arena, const struct comparisons *comparisons, unsigned m)
{
	unsigned shown = 0;
	for (unsigned c = 0; c < comparisons->count; c++) {
		const struct comparison *comparison = &comparisons->list[c];
		struct judged_case judged;
		if (!batch_judge(arena, comparison, m, &judged) || measure_pick_is_right(&judged))
			continue;
		unsigned fastest = batch_fastest(comparison), pick = comparison->picks[m];
		if (shown++ == 0)
			text_printf(out, "\nmissed by %s:\n", comparisons->models[m]);
		place_print(out, comparison);
		text_printf(out, ": %s takes %.3f us, %s %.3f us: regret %.1f %%\n", comparison->layouts[pick],
		            comparison->measured[pick], comparison->layouts[fastest], comparison->measured[fastest],
		            100 * measure_regret(&judged));
	}
}

static int compare_worst(const void *a, const void *b)
{
	const struct worst_time *left = a, *right = b;
	if (left->error != right->error)
		return left->error > right->error ? -1 : 1;
	return left->comparison < right->comparison ? -1 : left->comparison > right->comparison;
}

/* The worst layout of a comparison. Returns false where none was measured. */
static bool worst_of(const struct comparison *comparison, unsigned m, struct worst_time *worst)
{
	*worst = (struct worst_time){.comparison = comparison, .error = -1};
	for (unsigned l = 0; l < comparison->layout_count; l++) {
		double error = fabs(log(comparison->predicted[m][l] / comparison->measured[l]));
		if (comparison->measured[l] > 0 && error > worst->error) {
			worst->error = error;
			worst->layout = l;
		}
	}
	return worst->error >= 0;
}

struct worst_time *batch_worst(struct arena *arena, const struct comparisons *comparisons, unsigned model,
                               unsigned *count)
{
	struct worst_time *list = NULL, one;
	*count = 0;
	for (unsigned c = 0; c < comparisons->count; c++)
		if (worst_of(&comparisons->list[c], model, &one))
			ARENA_PUSH(arena, list, *count, one);
	if (*count)
		qsort(list, *count, sizeof *list, compare_worst);
	return list;
}

static void worst_print(struct text *out, struct arena *arena, const struct comparisons *comparisons, unsigned m)
{
	unsigned count;
	const struct worst_time *list = batch_worst(arena, comparisons, m, &count);
	if (count == 0)
		return;
	text_printf(out, "\nworst times of %s:\n", comparisons->models[m]);
	for (unsigned i = 0; i < count && i < WORST_SHOWN; i++) {
		double predicted = list[i].comparison->predicted[m][list[i].layout],
		       measured = list[i].comparison->measured[list[i].layout];
		place_print(out, list[i].comparison);
		text_printf(out, ", %s: predicted %.3f us, measured %.3f us\n",
		            list[i].comparison->layouts[list[i].layout], predicted, measured);
	}
}

void batch_report(struct text *out, struct arena *arena, const struct comparisons *comparisons, const char *title)
{
	const char **groups;
	unsigned count;
	text_printf(out, "%s\n\n%-13s %-12s %5s %7s %8s %8s %7s %11s %10s\n", title, "model", "group", "cases", "pick",
	            "regret", "worst", "rank", "ratio error", "time error");
	for (unsigned m = 0; m < comparisons->model_count; m++)
		model_print(out, arena, comparisons, m);
	text_printf(out, "%-13s %-12s %5s %7.3f %8.4f %8s %7.3f %11.4f %10.4f\n", "target", "", "", 1.0, 0.005, "",
	            0.95, 0.05, 0.1);
	for (unsigned m = 0; m < comparisons->model_count; m++)
		misses_print(out, arena, comparisons, m);
	if (comparisons->model_count > 0)
		worst_print(out, arena, comparisons, 0);
	groups = groups_of(arena, comparisons, &count);
	batch_variants_report(out, arena, comparisons, groups, count);
}
