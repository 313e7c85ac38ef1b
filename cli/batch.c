/*
 * coalesce batch SUITE.json: predicts a benchmark set with several models and holds it against its stored measurements.
 * A cluster's scheduler may spread it: each task runs one shard with --json, and --merge makes one summary of their
 * files.
 */
#include "cli/batch/batch.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- options --------------------------------------------------------------------------- */

/* The models asked for: all of them without --model. */
static bool models_parse(struct arena *arena, const struct option_values *values, struct comparisons *comparisons)
{
	for (unsigned m = 0; !values->count && m < cost_model_count; m++)
		ARENA_PUSH(arena, comparisons->models, comparisons->model_count, cost_models[m].name);
	for (unsigned i = 0; i < values->count; i++) {
		for (const char *next = values->list[i]; *next; next += *next == ',') {
			size_t length = strcspn(next, ",");
			const char *name = arena_strndup(arena, next, length);
			if (!cost_model_find(name)) {
				cli_usage_error("%s", cost_model_unknown(arena, name));
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
	cli_usage_error("--jobs takes a positive number, not '%s'", text);
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
		cli_usage_error("--shard takes I/N with I from 1 to N, not '%s'", text);
	return good;
}

/* ---- bundles ------------------------------------------------------------------------------------ */

static enum exit_code case_bundle(struct arena *arena, const struct command_line *line, const struct suite_case *entry,
                                  const char *machine, const char *folder)
{
	struct command_line own;
	enum exit_code code;
	if (!batch_suite_line(arena, entry, machine, &own))
		return EXIT_USAGE;
	own.quiet = line->quiet;
	own.limit_seconds = own.limit_seconds.count ? own.limit_seconds : line->limit_seconds;
	own.limit_memory = own.limit_memory.count ? own.limit_memory : line->limit_memory;
	const struct bundle *bundle = cli_bundle_make(arena, &own, entry->measured, &code);
	return bundle && !cli_bundle_save(arena, bundle, folder) ? EXIT_INPUT : code;
}

/* Writes DIR/ID/ for every case; several cases may share one measurement. */
static enum exit_code bundles_write(const struct command_line *line, const struct batch_request *request)
{
	const struct suite *suite = request->suite;
	const char *machine = request->machine ? request->machine : suite->machine;
	enum exit_code code = EXIT_VERDICT;
	for (unsigned i = request->shard; i < suite->case_count; i += request->shard_count) {
		struct arena *arena = arena_create();
		enum exit_code own = case_bundle(
			arena, line, &suite->cases[i], machine,
			arena_printf(arena, "%s/%s", option_text(&line->bundles, "."), suite->cases[i].measured));
		if (own != EXIT_VERDICT) {
			cli_error("no bundle for %s", suite->cases[i].id);
			code = own;
		}
		arena_release(arena);
	}
	return code;
}

/* ---- merging ------------------------------------------------------------------------------------ */

static enum exit_code merge_run(struct arena *arena, const struct command_line *line, struct diagnostics *diagnostics)
{
	struct batch_results results;
	if (!batch_merge(arena, line->files, line->file_count, &results, diagnostics))
		return EXIT_INPUT;
	return batch_results_print(arena, line, &results);
}

/* ---- resuming ----------------------------------------------------------------------------------- */

static bool keep_open(struct arena *arena, const char *folder, struct batch_request *request)
{
	request->keep = batch_keep_open(arena, folder);
	if (!request->keep)
		cli_error("cannot keep results in %s: %s", folder, strerror(errno));
	return request->keep != NULL;
}

/* ---- the command ---------------------------------------------------------------------------------- */

static enum exit_code suite_run(struct arena *arena, const struct command_line *line, struct batch_request *request,
                                struct comparisons *comparisons, struct diagnostics *diagnostics)
{
	request->suite = batch_suite_load(arena, line->file, diagnostics);
	request->machine = option_text(&line->machine, NULL);
	if (!request->suite)
		return EXIT_INPUT;
	if (line->bundles.count)
		return bundles_write(line, request);
	if (line->resume.count && !keep_open(arena, option_text(&line->resume, NULL), request))
		return EXIT_INPUT;
	const struct machine *machine =
		machine_load(arena, request->machine ? request->machine : request->suite->machine, diagnostics);
	const char *measured = request->suite->measured;
	if (!machine)
		return machine_failure(diagnostics);
	if (measured && file_exists(measured)) {
		request->measurement = measure_load(arena, measured, diagnostics);
		if (!request->measurement)
			return EXIT_INPUT;
	} else if (measured || !batch_is_published(request->suite)) {
		diagnostics_report(diagnostics, SEVERITY_NOTE, (struct place){measured, 0, 0},
		                   "no measurements: predictions only; `coalesce measure` makes some");
	}
	comparisons->counted = line->counters.count > 0;
	struct batch_results results = {comparisons, request->suite, machine->name, 0, NULL};
	unsigned kept = 0;
	results.failed = batch_run(arena, request, comparisons, &kept);
	if (request->keep)
		diagnostics_report(diagnostics, SEVERITY_NOTE, (struct place){option_text(&line->resume, NULL), 0, 0},
		                   "%u cases were finished before: remove the folder to predict them again", kept);
	struct batch_ladder ladder = {0};
	for (unsigned i = 0; i < line->counters.count; i++)
		if (!batch_counters_load(arena, comparisons, request->suite, line->counters.list[i], &ladder,
		                         diagnostics))
			return EXIT_INPUT;
	results.ladder = line->counters.count ? &ladder : NULL;
	return batch_results_print(arena, line, &results);
}

enum exit_code command_batch(struct arena *arena, const struct command_line *line)
{
	struct comparisons comparisons = {0};
	struct batch_request request = {0};
	struct diagnostics diagnostics;
	enum exit_code code;
	if (!line->file)
		return cli_usage_error(line->merge.count ? "--merge needs the files of shards" : "batch needs a suite");
	if (line->merge.count && line->counters.count)
		return cli_usage_error("--counters needs the suite, not the results of shards");
	if (!line->merge.count && line->file_count > 1)
		return cli_usage_error("one suite at a time: '%s' and '%s'", line->files[0], line->files[1]);
	if (!cli_format_check(line, "jsonl") || !models_parse(arena, &line->model, &comparisons) ||
	    !jobs_parse(line, &request.jobs) || !shard_parse(arena, line, &request) ||
	    !options_limits(line, &request.limits))
		return EXIT_USAGE;
	if (!options_readings(&line->reading, &request.readings))
		return EXIT_USAGE;
	diagnostics_init(&diagnostics, arena);
	if (line->merge.count)
		code = merge_run(arena, line, &diagnostics);
	else
		code = suite_run(arena, line, &request, &comparisons, &diagnostics);
	cli_diagnostics(&diagnostics, line, code);
	return code;
}
