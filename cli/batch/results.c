/*
 * What a batch prints: the object of schema coalesce/batch/1, or the tables; and its page.
 */
#include "cli/batch/page.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Of kernels without records: of all, and by group. */
static json_t *variants_json(struct arena *arena, const struct comparisons *comparisons, unsigned m)
{
	struct batch_variants all = batch_variants_of(arena, comparisons, m, NULL);
	json_t *object = batch_variants_json(&all), *groups = json_object();
	for (unsigned c = 0; c < comparisons->count; c++) {
		const char *group = comparisons->list[c].group;
		struct batch_variants part = batch_variants_of(arena, comparisons, m, group);
		if (part.rows > 0 && !json_object_get(groups, group))
			json_object_set_new(groups, group, batch_variants_json(&part));
	}
	json_object_set_new(object, "groups", groups);
	return object;
}

static json_t *model_json(struct arena *arena, const struct comparisons *comparisons, unsigned m)
{
	struct accuracy all = batch_accuracy(arena, comparisons, m, NULL);
	json_t *object = batch_accuracy_json(&all), *groups = json_object();
	for (unsigned c = 0; c < comparisons->count; c++) {
		const char *group = comparisons->list[c].group;
		if (json_object_get(groups, group))
			continue;
		struct accuracy part = batch_accuracy(arena, comparisons, m, group);
		json_object_set_new(groups, group, batch_accuracy_json(&part));
	}
	json_object_set_new(object, "groups", groups);
	json_object_set_new(object, "variants", variants_json(arena, comparisons, m));
	return object;
}

static json_t *results_json(struct arena *arena, const struct batch_results *results)
{
	const struct comparisons *comparisons = results->comparisons;
	json_t *models = json_object(), *cases = json_array();
	for (unsigned m = 0; m < comparisons->model_count; m++)
		json_object_set_new(models, comparisons->models[m], model_json(arena, comparisons, m));
	for (unsigned c = 0; c < comparisons->count; c++)
		json_array_append_new(cases, batch_comparison_json(arena, comparisons, &comparisons->list[c]));
	json_t *root = json_pack("{s:s, s:s, s:i, s:o, s:o}", "schema", BATCH_SCHEMA, "machine", results->machine,
	                         "failed", (int)results->failed, "models", models, "cases", cases);
	if (results->suite && batch_is_published(results->suite))
		json_object_set_new(root, "published", batch_published_json(arena, results->suite, comparisons));
	if (results->ladder)
		json_object_set_new(root, "counters", batch_ladder_json(arena, results->ladder));
	return root;
}

/* Cases of the suite, and launched records that were measured. */
static const char *title_of(struct arena *arena, const struct comparisons *comparisons, const char *machine,
                            unsigned failed)
{
	unsigned measured = 0;
	for (unsigned c = 0; c < comparisons->count; c++)
		measured += batch_fastest(&comparisons->list[c]) < comparisons->list[c].layout_count;
	const char *models = "";
	for (unsigned m = 0; m < comparisons->model_count; m++) {
		const struct cost_model *model = cost_model_find(comparisons->models[m]);
		if (model && model->stands_for)
			models =
				arena_printf(arena, "%s; %s is computed as %s", models, model->name, model->stands_for);
	}
	return arena_printf(arena, "%u launches and records predicted for %s, %u of them measured%s%s",
	                    comparisons->count, machine, measured,
	                    failed ? arena_printf(arena, "; %u case%s failed", failed, failed == 1 ? "" : "s") : "",
	                    models);
}

static void results_text(struct text *out, struct arena *arena, const struct batch_results *results)
{
	const char *title = title_of(arena, results->comparisons, results->machine, results->failed);
	if (results->suite && batch_is_published(results->suite) && !results->suite->measured)
		text_printf(out, "%s\n", title);
	else
		batch_report(out, arena, results->comparisons, title);
	if (results->suite)
		batch_published_report(out, arena, results->suite, results->comparisons);
	if (results->ladder)
		batch_ladder_report(out, arena, results->comparisons, results->ladder);
}

/* Returns false where the page cannot be written (reported). */
static bool page_save(struct arena *arena, const char *path, const struct batch_results *results)
{
	struct text page = {0};
	batch_page(&page, arena, results->comparisons,
	           title_of(arena, results->comparisons, results->machine, results->failed),
	           results_json(arena, results));
	bool written = cli_file_save(path, page.data, page.length);
	text_release(&page);
	return written;
}

static void json_line_print(struct text *out, const json_t *value)
{
	const size_t digits = 10;
	char *line = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(digits));
	text_printf(out, "%s\n", line ? line : "null");
	free(line);
}

/* A line of JSON for each case, and a last one with all else. */
static void lines_print(struct text *out, json_t *root)
{
	json_t *cases = json_object_get(root, "cases"), *one;
	size_t i;
	json_array_foreach(cases, i, one) json_line_print(out, one);
	json_object_del(root, "cases");
	json_line_print(out, root);
	json_decref(root);
}

enum exit_code batch_results_print(struct arena *arena, const struct command_line *line,
                                   const struct batch_results *results)
{
	struct text out = {0};
	const char *path = option_text(&line->html, NULL);
	bool written = !path || page_save(arena, path, results);
	if (line->json.count)
		cli_json(&out, results_json(arena, results));
	else if (strcmp(option_text(&line->format, "text"), "jsonl") == 0)
		lines_print(&out, results_json(arena, results));
	else
		results_text(&out, arena, results);
	return cli_print(&out, results->failed || !written ? EXIT_INPUT : EXIT_VERDICT);
}
