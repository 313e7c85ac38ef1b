/*
 * One configuration for several machines. Each machine is searched by itself; a configuration is the same one on two of
 * them where it has the same values and the same layout. Of those that have a time on all machines, the best loses
 * least on the machine where it loses most.
 */
#include "model/tune/tune.h"

#include <stdlib.h>
#include <string.h>

/* What a candidate is, in a form that all machines share: its values that are not the file's own, and its layout. */
static const char *candidate_key(struct arena *arena, const struct tune_result *result,
                                 const struct tune_candidate *candidate)
{
	const struct tune_option *option = &result->options[candidate->option];
	const struct sweep_point *point = &result->sweep->points[candidate->point];
	const char *key = option->record
	                          ? arena_printf(arena, "%s %s %u;", option->record, option->layout->name, option->tile)
	                          : "";
	for (unsigned a = 0; a < result->sweep->axis_count; a++) {
		const struct sweep_axis *axis = &result->sweep->axes[a];
		if (!axis->has_own || axis->own != point->at[a])
			key = arena_printf(arena, "%s%s=%s;", key, axis->name, sweep_value(arena, axis, point->at[a]));
	}
	return key;
}

struct keyed {
	const char *key;
	unsigned candidate;
};

static int keyed_compare(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;
	return strcmp(a->key, b->key);
}

static struct keyed *candidates_sorted(struct arena *arena, const struct tune_result *result)
{
	struct keyed *sorted = arena_array(arena, result->candidate_count + 1, sizeof *sorted);
	for (unsigned i = 0; i < result->candidate_count; i++)
		sorted[i] = (struct keyed){candidate_key(arena, result, &result->candidates[i]), i};
	qsort(sorted, result->candidate_count, sizeof *sorted, keyed_compare);
	return sorted;
}

static double loss_of(const struct tune_result *result, unsigned candidate)
{
	return result->candidates[candidate].time_seconds / result->candidates[0].time_seconds - 1;
}

/* Adds a configuration of the first machine, where all have a time for it. */
static void common_add(struct arena *arena, struct tune_machines *machines, struct keyed **sorted,
                       const struct keyed *one)
{
	struct tune_common common = {.worst = loss_of(machines->results[0], one->candidate)};
	common.candidates = arena_array(arena, machines->count, sizeof *common.candidates);
	common.losses = arena_array(arena, machines->count, sizeof *common.losses);
	common.candidates[0] = one->candidate;
	for (unsigned m = 1; m < machines->count; m++) {
		const struct keyed *found =
			bsearch(one, sorted[m], machines->results[m]->candidate_count, sizeof *found, keyed_compare);
		if (!found)
			return;
		common.candidates[m] = found->candidate;
	}
	for (unsigned m = 0; m < machines->count; m++) {
		common.losses[m] = loss_of(machines->results[m], common.candidates[m]);
		common.worst = common.losses[m] > common.worst ? common.losses[m] : common.worst;
	}
	common.changes = machines->results[0]->candidates[one->candidate].changes;
	ARENA_PUSH(arena, machines->list, machines->list_count, common);
}

/* The least loss first; of equal ones that which changes less, and then the order of the first machine. */
static int common_compare(const void *left, const void *right)
{
	const struct tune_common *a = left, *b = right;
	if (a->worst != b->worst)
		return a->worst < b->worst ? -1 : 1;
	if (a->changes != b->changes)
		return a->changes < b->changes ? -1 : 1;
	return a->candidates[0] < b->candidates[0] ? -1 : a->candidates[0] > b->candidates[0];
}

static void common_rank(struct arena *arena, struct tune_machines *machines)
{
	struct keyed **sorted = arena_array(arena, machines->count, sizeof(struct keyed *));
	for (unsigned m = 0; m < machines->count; m++)
		sorted[m] = candidates_sorted(arena, machines->results[m]);
	for (unsigned i = 0; i < machines->results[0]->candidate_count; i++)
		common_add(arena, machines, sorted, &sorted[0][i]);
	if (machines->list_count == 0)
		return;
	qsort(machines->list, machines->list_count, sizeof *machines->list, common_compare);
	for (unsigned i = 0; i < machines->list_count; i++) {
		const struct tune_common *one = &machines->list[i];
		if (one->worst <= machines->list[0].worst + TUNE_TIE_SHARE &&
		    one->changes < machines->list[machines->recommended].changes)
			machines->recommended = i;
		if (one->candidates[0] == machines->results[0]->written)
			machines->written = i;
	}
}

struct tune_machines *tune_machines_search(struct arena *arena, const struct tune_request *request,
                                           const char *const *names, unsigned count, struct diagnostics *diagnostics,
                                           enum exit_code *code)
{
	struct tune_machines *machines = arena_alloc(arena, sizeof *machines);
	*machines = (struct tune_machines){.names = names, .count = count, .written = UINT32_MAX};
	machines->results = arena_array(arena, count, sizeof(const struct tune_result *));
	struct compile_store *store = compile_store_create(arena);
	for (unsigned m = 0; m < count; m++) {
		struct tune_request *one = arena_alloc(arena, sizeof *one);
		struct predict_options *options = arena_alloc(arena, sizeof *options);
		*one = *request;
		*options = *request->options;
		options->machine = names[m];
		options->store = store;
		one->options = options;
		machines->results[m] = tune_search(arena, one, diagnostics, code);
		if (!machines->results[m])
			return NULL;
	}
	common_rank(arena, machines);
	if (machines->list_count)
		return machines;
	diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0},
	                   "no configuration has a time on all machines: a larger --budget predicts more of them");
	*code = EXIT_INPUT;
	return NULL;
}
