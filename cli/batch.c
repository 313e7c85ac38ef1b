/*
 * coalesce batch SUITE.json: predicts a benchmark set with several models and holds it against its stored measurements. A cluster's scheduler may spread it:
 * each task runs one shard with --json, and --merge makes one summary of their files.
 */
#include "cli/cli.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BATCH_SCHEMA "coalesce/batch/1"

/* ---- options --------------------------------------------------------------------------- */

/* The models asked for: full, thesis and source without --model. */
static bool models_parse(struct arena *arena, const struct option_values *values, struct comparisons *comparisons)
{
	static const char *const usual[] = {"full", "thesis", "source"};
	const char *const *names = values->count ? values->list : usual;
	for (unsigned i = 0; i < (values->count ? values->count : ARRAY_COUNT(usual)); i++) {
		for (const char *next = names[i]; *next; next += *next == ',') {
			size_t length = strcspn(next, ",");
			const char *name = arena_strndup(arena, next, length);
			if (!cost_model_find(name)) {
				usage_error("unknown model '%s'", name);
				return false;
			}
			ARENA_PUSH(arena, comparisons->models, comparisons->model_count, name);
			next += length;
		}
	}
	return comparisons->model_count > 0;
}

static bool number_parse(const char *text, unsigned *value)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);
	*value = (unsigned)number;
	return *text >= '1' && *text <= '9' && *end == '\0' && number <= 100000;
}

static bool jobs_parse(const struct command_line *line, unsigned *jobs)
{
	const char *text = option_text(&line->jobs, NULL);
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	*jobs = processors > 1 ? (unsigned)processors : 1;
	if (!text || number_parse(text, jobs))
		return true;
	usage_error("--jobs takes a positive number, not '%s'", text);
	return false;
}

static bool shard_parse(struct arena *arena, const struct command_line *line, struct batch_request *request)
{
	const char *text = option_text(&line->shard, NULL);
	const char *slash = text ? strchr(text, '/') : NULL;
	unsigned part = 1;
	request->shard_count = 1;
	if (!text)
		return true;
	bool good = slash && number_parse(arena_strndup(arena, text, (size_t)(slash - text)), &part) &&
	            number_parse(slash + 1, &request->shard_count) && part <= request->shard_count;
	request->shard = part - 1;
	if (!good)
		usage_error("--shard takes I/N with I from 1 to N, not '%s'", text);
	return good;
}

static bool suite_is_published(const struct suite *suite)
{
	for (unsigned i = 0; i < suite->case_count; i++)
		if (suite->cases[i].published)
			return true;
	return false;
}

/* ---- results ------------------------------------------------------------------------------ */

static json_t *model_json(struct arena *arena, const struct comparisons *comparisons, unsigned m)
{
	struct accuracy all = comparisons_accuracy(arena, comparisons, m, NULL);
	json_t *object = accuracy_json(&all), *groups = json_object();
	for (unsigned c = 0; c < comparisons->count; c++) {
		const char *group = comparisons->list[c].group;
		if (json_object_get(groups, group))
			continue;
		struct accuracy part = comparisons_accuracy(arena, comparisons, m, group);
		json_object_set_new(groups, group, accuracy_json(&part));
	}
	json_object_set_new(object, "groups", groups);
	return object;
}

static void batch_json(struct text *out, struct arena *arena, const struct comparisons *comparisons, const struct suite *suite,
                       const char *machine, unsigned failed)
{
	json_t *models = json_object(), *cases = json_array();
	for (unsigned m = 0; m < comparisons->model_count; m++)
		json_object_set_new(models, comparisons->models[m], model_json(arena, comparisons, m));
	for (unsigned c = 0; c < comparisons->count; c++)
		json_array_append_new(cases, comparison_json(arena, comparisons, &comparisons->list[c]));
	json_t *root = json_pack("{s:s, s:s, s:i, s:o, s:o}", "schema", BATCH_SCHEMA, "machine", machine, "failed", (int)failed,
	                         "models", models, "cases", cases);
	if (suite && suite_is_published(suite))
		json_object_set_new(root, "published", published_json(arena, suite, comparisons));
	char *text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
	text_printf(out, "%s\n", text ? text : "");
	free(text);
	json_decref(root);
}

/* Cases of the suite, and launched records that were measured. */
static const char *title_of(struct arena *arena, const struct comparisons *comparisons, const char *machine, unsigned failed)
{
	unsigned measured = 0;
	for (unsigned c = 0; c < comparisons->count; c++)
		measured += comparison_fastest(&comparisons->list[c]) < comparisons->list[c].layout_count;
	const char *models = "";
	for (unsigned m = 0; m < comparisons->model_count; m++) {
		const struct cost_model *model = cost_model_find(comparisons->models[m]);
		if (model && model->stands_for)
			models = arena_printf(arena, "%s; %s is computed as %s", models, model->name, model->stands_for);
	}
	return arena_printf(arena, "%u launches and records predicted for %s, %u of them measured%s%s", comparisons->count, machine,
	                    measured, failed ? arena_printf(arena, "; %u cases failed", failed) : "", models);
}

static enum exit_code results_print(struct arena *arena, const struct command_line *line, const struct comparisons *comparisons,
                                    const struct suite *suite, const char *machine, unsigned failed)
{
	const char *title = title_of(arena, comparisons, machine, failed);
	struct text out = {0};
	if (line->json.count)
		batch_json(&out, arena, comparisons, suite, machine, failed);
	else if (suite && suite_is_published(suite) && !suite->measured)
		text_printf(&out, "%s\n", title);
	else
		report_batch(&out, arena, comparisons, title);
	if (suite && !line->json.count)
		report_published(&out, arena, suite, comparisons);
	fwrite(out.data, 1, out.length, stdout);
	text_release(&out);
	return failed ? EXIT_INPUT : EXIT_VERDICT;
}

/* ---- merging --------------------------------------------------------------------------------- */

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

/* Takes machine and models of the first file; those of the others must be the same. */
static bool merge_head(struct merge *merge, const char *path, json_t *root)
{
	const char *machine = json_string_value(json_object_get(root, "machine")), *name;
	const json_t *failed = json_object_get(root, "failed");
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
		return merge_refuse(
			merge, path,
			arena_printf(merge->arena, "predicted for %s, the files before it for %s", machine, merge->machine));
	if (json_object_size(models) != merge->comparisons.model_count)
		return merge_refuse(merge, path, "not the models of the files before it");
	merge->failed += (unsigned)json_integer_value(failed);
	return true;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool merge_case(struct merge *merge, const char *path, json_t *value, unsigned own_first)
{
	struct comparison comparison;
	const char *wrong = comparison_read(merge->arena, &merge->comparisons, value, &comparison);
	if (wrong)
		return merge_refuse(merge, path, arena_printf(merge->arena, "\"cases\": %s", wrong));
	for (unsigned i = 0; i < own_first; i++)
		if (same_text(merge->comparisons.list[i].id, comparison.id))
			return merge_refuse(
				merge, path,
				arena_printf(merge->arena, "case \"%s\" is in a file before it as well", comparison.id));
	ARENA_PUSH(merge->arena, merge->comparisons.list, merge->comparisons.count, comparison);
	return true;
}

static bool merge_file(struct merge *merge, const char *path)
{
	json_t *root = json_file_read(merge->arena, path, BATCH_SCHEMA, merge->diagnostics), *value;
	bool good = root && merge_head(merge, path, root);
	unsigned own_first = merge->comparisons.count;
	size_t index;
	json_array_foreach(json_object_get(root, "cases"), index, value) good = good && merge_case(merge, path, value, own_first);
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

static enum exit_code merge_run(struct arena *arena, const struct command_line *line, struct diagnostics *diagnostics)
{
	struct merge merge = {.arena = arena, .diagnostics = diagnostics};
	for (unsigned f = 0; f < line->file_count; f++)
		if (!merge_file(&merge, line->files[f]))
			return EXIT_INPUT;
	comparisons_sort(&merge.comparisons);
	return results_print(arena, line, &merge.comparisons, NULL, merge.machine, merge.failed);
}

/* ---- bundles ------------------------------------------------------------------------------------ */

static enum exit_code case_bundle(struct arena *arena, const struct command_line *line, const struct suite_case *entry,
                                  const char *machine, const char *folder)
{
	struct command_line own;
	enum exit_code code;
	if (!suite_case_line(arena, entry, machine, &own))
		return EXIT_USAGE;
	own.quiet = line->quiet;
	const struct bundle *bundle = bundle_for(arena, &own, entry->measured, &code);
	return bundle && !bundle_save(arena, bundle, folder) ? EXIT_INPUT : code;
}

/* Writes DIR/ID/ for every case; several cases may share one measurement. */
static enum exit_code bundles_write(const struct command_line *line, const struct batch_request *request)
{
	const struct suite *suite = request->suite;
	const char *machine = request->machine ? request->machine : suite->machine;
	enum exit_code code = EXIT_VERDICT;
	for (unsigned i = request->shard; i < suite->case_count; i += request->shard_count) {
		struct arena *arena = arena_create();
		enum exit_code own =
			case_bundle(arena, line, &suite->cases[i], machine,
		                    arena_printf(arena, "%s/%s", option_text(&line->bundles, "."), suite->cases[i].measured));
		if (own != EXIT_VERDICT) {
			fprintf(stderr, "coalesce: no bundle for %s\n", suite->cases[i].id);
			code = own;
		}
		arena_release(arena);
	}
	return code;
}

/* ---- the command ---------------------------------------------------------------------------------- */

static enum exit_code suite_run(struct arena *arena, const struct command_line *line, struct batch_request *request,
                                struct comparisons *comparisons, struct diagnostics *diagnostics)
{
	request->suite = suite_load(arena, line->file, diagnostics);
	request->machine = option_text(&line->machine, NULL);
	if (!request->suite)
		return EXIT_INPUT;
	if (line->bundles.count)
		return bundles_write(line, request);
	const struct machine *machine =
		machine_load(arena, request->machine ? request->machine : request->suite->machine, diagnostics);
	const char *measured = request->suite->measured;
	if (!machine)
		return machine_failure(diagnostics);
	if (measured && file_exists(measured)) {
		request->measurement = measure_load(arena, measured, diagnostics);
		if (!request->measurement)
			return EXIT_INPUT;
	} else if (measured || !suite_is_published(request->suite)) {
		diagnostics_report(diagnostics, SEVERITY_NOTE, (struct place){measured, 0, 0}, "no measurements: predictions only");
	}
	unsigned failed = batch_run(arena, request, comparisons);
	return results_print(arena, line, comparisons, request->suite, machine->name, failed);
}

static enum exit_code batch_command(struct arena *arena, const struct command_line *line)
{
	struct comparisons comparisons = {0};
	struct batch_request request = {0};
	struct diagnostics diagnostics;
	enum exit_code code;
	if (!line->file)
		return usage_error(line->merge.count ? "--merge needs the files of shards" : "batch needs a suite");
	if (!line->merge.count && line->file_count > 1)
		return usage_error("one suite at a time: '%s' and '%s'", line->files[0], line->files[1]);
	if (!models_parse(arena, &line->model, &comparisons) || !jobs_parse(line, &request.jobs) ||
	    !shard_parse(arena, line, &request))
		return EXIT_USAGE;
	if (!readings_parse(&line->reading, &request.readings))
		return EXIT_USAGE;
	diagnostics_init(&diagnostics, arena);
	if (line->merge.count)
		code = merge_run(arena, line, &diagnostics);
	else
		code = suite_run(arena, line, &request, &comparisons, &diagnostics);
	diagnostics_print(&diagnostics, 0, line->quiet.count ? SEVERITY_ERROR : SEVERITY_NOTE, stderr);
	return code;
}

enum exit_code command_batch(int count, char **arguments)
{
	struct arena *arena = arena_create();
	struct command_line line = {0};
	enum exit_code code = EXIT_USAGE;
	if (command_line_parse(arena, 't', count, arguments, &line))
		code = batch_command(arena, &line);
	arena_release(arena);
	return code;
}
