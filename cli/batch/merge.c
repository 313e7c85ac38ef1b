/*
 * Results of shards become those of the whole suite.
 */
#include "cli/batch/batch.h"

#include <jansson.h>
#include <string.h>

#define FAILED_MOST 1000000

struct merge {
	struct arena *arena;
	struct diagnostics *diagnostics;
	struct comparisons comparisons;
	const char *machine;
	unsigned failed;
};

static bool merge_refuse(struct merge *merge, const char *path, const char *what)
{
	diagnostics_report(merge->diagnostics, SEVERITY_ERROR, (struct place){path, 0, 0}, "%s", what);
	return false;
}

static bool has_models(const json_t *models, const struct comparisons *comparisons)
{
	bool all = json_object_size(models) == comparisons->model_count;
	for (unsigned m = 0; m < comparisons->model_count; m++)
		all = all && json_object_get(models, comparisons->models[m]);
	return all;
}

/* Takes machine and models of the first file; those of the others must be the same. */
static bool merge_head(struct merge *merge, const char *path, json_t *root)
{
	const char *machine = json_string_value(json_object_get(root, "machine")), *name;
	const json_int_t failed = json_integer_value(json_object_get(root, "failed"));
	json_t *models = json_object_get(root, "models"), *value;
	if (!machine || json_object_size(models) == 0)
		return merge_refuse(merge, path, "\"machine\" or \"models\" is missing");
	if (!merge->machine) {
		merge->machine = arena_strdup(merge->arena, machine);
		json_object_foreach(models, name, value)
		{
			const char *own_name = arena_strdup(merge->arena, name);
			ARENA_PUSH(merge->arena, merge->comparisons.models, merge->comparisons.model_count, own_name);
		}
	}
	if (strcmp(machine, merge->machine) != 0)
		return merge_refuse(merge, path,
		                    arena_printf(merge->arena, "predicted for %s, the files before it for %s", machine,
		                                 merge->machine));
	if (!has_models(models, &merge->comparisons))
		return merge_refuse(merge, path, "not the models of the files before it");
	if (!json_is_integer(json_object_get(root, "failed")) || failed < 0 || failed > FAILED_MOST)
		return merge_refuse(merge, path, "\"failed\" must be a number of cases");
	merge->failed += (unsigned)failed;
	return true;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool merge_case(struct merge *merge, const char *path, json_t *value, unsigned own_first)
{
	struct comparison comparison;
	const char *wrong = batch_comparison_read(merge->arena, &merge->comparisons, value, &comparison);
	if (wrong)
		return merge_refuse(merge, path, arena_printf(merge->arena, "\"cases\": %s", wrong));
	for (unsigned i = 0; i < own_first; i++)
		if (same_text(merge->comparisons.list[i].id, comparison.id))
			return merge_refuse(merge, path,
			                    arena_printf(merge->arena, "case \"%s\" is in a file before it as well",
			                                 comparison.id));
	ARENA_PUSH(merge->arena, merge->comparisons.list, merge->comparisons.count, comparison);
	return true;
}

static bool merge_file(struct merge *merge, const char *path)
{
	json_t *root = json_file_read(merge->arena, path, BATCH_SCHEMA, merge->diagnostics), *value;
	bool good = root && merge_head(merge, path, root);
	unsigned own_first = merge->comparisons.count;
	size_t index;
	json_array_foreach(json_object_get(root, "cases"), index, value) good =
		good && merge_case(merge, path, value, own_first);
	json_decref(root);
	return good;
}

/* In the suite's order. A case's comparisons come from one file, where they stand in order; insertion keeps that. */
static void comparisons_sort(struct comparisons *comparisons)
{
	for (unsigned i = 1; i < comparisons->count; i++) {
		struct comparison moved = comparisons->list[i];
		unsigned j = i;
		for (; j > 0 && comparisons->list[j - 1].position > moved.position; j--)
			comparisons->list[j] = comparisons->list[j - 1];
		comparisons->list[j] = moved;
	}
}

bool batch_merge(struct arena *arena, const char *const *paths, unsigned count, struct batch_results *results,
                 struct diagnostics *diagnostics)
{
	struct merge *merge = arena_alloc(arena, sizeof *merge);
	merge->arena = arena;
	merge->diagnostics = diagnostics;
	for (unsigned f = 0; f < count; f++)
		if (!merge_file(merge, paths[f]))
			return false;
	if (merge->failed)
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0},
		                   "%u case%s failed when the files were made; the figures are those of the others",
		                   merge->failed, merge->failed == 1 ? "" : "s");
	comparisons_sort(&merge->comparisons);
	*results = (struct batch_results){&merge->comparisons, NULL, merge->machine, merge->failed, NULL};
	return true;
}
