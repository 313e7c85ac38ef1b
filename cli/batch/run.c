/*
 * The cases of a suite, several at a time. Each is predicted in a process of its own, which leaves its comparisons and
 * its messages in two files; they are read in the suite's order. So the result does not depend on the number of jobs,
 * and a case that fails does not take others with it.
 */
#include "cli/batch/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define RESULT_SCHEMA "coalesce/batch-case/1"

struct batch_run {
	struct arena *arena;
	const struct batch_request *request;
	struct comparisons *comparisons;
	const char *folder;
	pid_t *workers;    /* by case; 0: none */
	int *statuses;     /* wait status by case */
	const char **kept; /* by case: where its result is kept, without its ending; NULL: nowhere */
	bool *found;       /* by case: it was kept by another run */
	unsigned running, finished, wanted;
};

static const char *result_path(struct arena *arena, const struct batch_run *run, unsigned index, const char *kind)
{
	if (run->found[index])
		return arena_printf(arena, "%s.%s", run->kept[index], kind);
	return arena_printf(arena, "%s/%u.%s", run->folder, index, kind);
}

/* ---- in the worker ------------------------------------------------------------------- */

/* The model to predict with, so that the others can estimate from the same input. */
static const char *leading_model(const struct comparisons *comparisons)
{
	for (unsigned m = 0; m < comparisons->model_count; m++)
		if (cost_model_find(comparisons->models[m])->reads_ptx)
			return comparisons->models[m];
	return comparisons->models[0];
}

static bool result_write(struct arena *arena, const struct comparisons *comparisons, const char *path)
{
	json_t *list = json_array();
	for (unsigned i = 0; i < comparisons->count; i++)
		json_array_append_new(list, batch_comparison_json(arena, comparisons, &comparisons->list[i]));
	json_t *root = json_pack("{s:s, s:o}", "schema", RESULT_SCHEMA, "cases", list);
	char *text = json_dumps(root, JSON_REAL_PRECISION(10));
	bool good = text && file_write(path, text, strlen(text)) == 0;
	free(text);
	json_decref(root);
	return good;
}

/* The case's measurement, unless it was made with other options (reported). */
static const struct measured_case *measured_for(struct arena *arena, const struct batch_run *run,
                                                const struct suite_case *entry, const struct command_line *line,
                                                struct diagnostics *diagnostics)
{
	const struct measurement *measurement = run->request->measurement;
	const struct measured_case *measured = measurement ? measure_case_find(measurement, entry->measured) : NULL;
	unsigned count;
	const char **words = command_line_words(arena, line, &count);
	if (!measured || measure_case_with(measured, words, count))
		return measured;
	diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){measurement->path, 0, 0},
	                   "case \"%s\" was measured with other options than the suite's; it counts as not measured",
	                   measured->id);
	return NULL;
}

/* Sets the limits that a case does not have. */
static void limits_take(struct process_limits *limits, const struct process_limits *given)
{
	limits->seconds = limits->seconds > 0 ? limits->seconds : given->seconds;
	limits->bytes = limits->bytes ? limits->bytes : given->bytes;
}

static bool case_predict(struct arena *arena, const struct batch_run *run, unsigned index)
{
	const struct suite_case *entry = &run->request->suite->cases[index];
	struct comparisons own = {.models = run->comparisons->models,
	                          .model_count = run->comparisons->model_count,
	                          .counted = run->comparisons->counted};
	struct command_line line = {0};
	struct predict_options options = {0};
	struct diagnostics diagnostics;
	enum exit_code code = EXIT_USAGE;
	const char *machine = run->request->machine ? run->request->machine : run->request->suite->machine;
	if (!batch_suite_line(arena, entry, machine, &line) || !options_fill(arena, &line, &options))
		return false;
	limits_take(&options.analyzer.limits, &run->request->limits);
	options.model = leading_model(&own);
	options.readings = run->request->readings;
	diagnostics_init(&diagnostics, arena);
	struct prediction *prediction = predict(arena, &options, STAGE_ESTIMATE, &diagnostics, &code);
	if (prediction)
		batch_comparisons_add(arena, &own, prediction, measured_for(arena, run, entry, &line, &diagnostics),
		                      entry, index);
	diagnostics_print(&diagnostics, 0, SEVERITY_ERROR, stderr);
	if (!prediction)
		return false;
	return result_write(arena, &own, result_path(arena, run, index, "json"));
}

/* Keeps a finished case for another run: what it said, then its result, which says that it is whole. */
static void result_keep(struct arena *arena, const struct batch_run *run, unsigned index)
{
	static const char *const kinds[] = {"err", "json"};
	for (size_t i = 0; run->kept[index] && i < ARRAY_COUNT(kinds); i++) {
		size_t length = 0;
		const char *text = file_read(arena, result_path(arena, run, index, kinds[i]), &length);
		const char *path = arena_printf(arena, "%s.%s", run->kept[index], kinds[i]);
		if (text && file_write(path, text, length) != 0)
			cli_error("cannot write %s: %s", path, strerror(errno));
	}
}

/* Predicts a case with messages going to a file, and ends the process. */
static void worker_work(const struct batch_run *run, unsigned index)
{
	struct arena *arena = arena_create();
	int messages = open(result_path(arena, run, index, "err"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (messages >= 0)
		dup2(messages, STDERR_FILENO);
	bool good = case_predict(arena, run, index);
	fflush(stderr);
	if (good)
		result_keep(arena, run, index);
	arena_release(arena);
	_exit(good ? EXIT_VERDICT : EXIT_INPUT);
}

/* ---- in the parent ---------------------------------------------------------------------- */

static void progress_print(const struct batch_run *run)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r%u of %u cases%s", run->finished, run->wanted,
		        run->finished == run->wanted ? "\n" : "");
}

static void worker_start(struct batch_run *run, unsigned index)
{
	fflush(NULL);
	pid_t worker = process_fork_worker();
	if (worker == 0)
		worker_work(run, index);
	if (worker < 0) {
		cli_error("cannot start a process: %s", strerror(errno));
		run->statuses[index] = -1;
		run->finished++;
		return;
	}
	run->workers[index] = worker;
	run->running++;
}

static void worker_await(struct batch_run *run)
{
	int status;
	pid_t worker = waitpid(-1, &status, 0);
	if (worker < 0 && errno == EINTR)
		return;
	if (worker < 0)
		bug("a worker got lost");
	ending_drop_child(worker);
	for (unsigned i = 0; i < run->request->suite->case_count; i++) {
		if (run->workers[i] != worker)
			continue;
		run->workers[i] = 0;
		run->statuses[i] = status;
		run->running--;
		run->finished++;
		progress_print(run);
	}
}

static bool is_wanted(const struct batch_request *request, unsigned index)
{
	return index % request->shard_count == request->shard;
}

static void messages_print(const struct batch_run *run, unsigned index)
{
	size_t length = 0;
	const char *text = file_read(run->arena, result_path(run->arena, run, index, "err"), &length);
	if (text && length)
		fprintf(stderr, "%s: %s", run->request->suite->cases[index].id, text);
	if (run->statuses[index] > 0 && WIFSIGNALED(run->statuses[index]))
		fprintf(stderr, "%s: ended by signal %d\n", run->request->suite->cases[index].id,
		        WTERMSIG(run->statuses[index]));
}

/* Reads the comparisons of a case's result into `comparisons`. Returns what is wrong with it, or NULL. */
static const char *result_read(const struct batch_run *run, unsigned index, struct comparisons *comparisons)
{
	struct diagnostics diagnostics;
	json_t *value;
	size_t i;
	diagnostics_init(&diagnostics, run->arena);
	json_t *root =
		json_file_read(run->arena, result_path(run->arena, run, index, "json"), RESULT_SCHEMA, &diagnostics);
	const char *wrong = root ? NULL : "it cannot be read";
	json_array_foreach(json_object_get(root, "cases"), i, value)
	{
		struct comparison comparison;
		wrong = wrong ? wrong : batch_comparison_read(run->arena, comparisons, value, &comparison);
		if (wrong)
			break;
		comparison.position = index;
		ARENA_PUSH(run->arena, comparisons->list, comparisons->count, comparison);
	}
	json_decref(root);
	return wrong;
}

/* Takes a finished case's comparisons. Returns false where there are none. */
static bool result_take(struct batch_run *run, unsigned index)
{
	messages_print(run, index);
	if (run->statuses[index] != 0)
		return false;
	const char *wrong = result_read(run, index, run->comparisons);
	if (wrong)
		bug("a worker's result: %s", wrong);
	return true;
}

/* Whether another run has kept a case's result, whole. */
static bool result_find(struct batch_run *run, unsigned index)
{
	struct comparisons tried = {.models = run->comparisons->models, .model_count = run->comparisons->model_count};
	run->kept[index] = batch_keep_path(run->arena, run->request, run->comparisons, index);
	run->found[index] = run->kept[index] && file_exists(arena_printf(run->arena, "%s.json", run->kept[index]));
	run->found[index] = run->found[index] && !result_read(run, index, &tried);
	return run->found[index];
}

static bool run_begin(struct batch_run *run)
{
	unsigned count = run->request->suite->case_count;
	run->folder = directory_temporary(run->arena);
	run->workers = arena_array(run->arena, count, sizeof *run->workers);
	run->statuses = arena_array(run->arena, count, sizeof *run->statuses);
	run->kept = arena_array(run->arena, count, sizeof *run->kept);
	run->found = arena_array(run->arena, count, sizeof *run->found);
	if (!run->folder) {
		cli_error("no temporary folder: %s", strerror(errno));
		return false;
	}
	for (unsigned i = 0; i < count; i++) {
		run->wanted += is_wanted(run->request, i);
		run->finished += is_wanted(run->request, i) && result_find(run, i);
	}
	return true;
}

unsigned batch_run(struct arena *arena, const struct batch_request *request, struct comparisons *comparisons,
                   unsigned *kept)
{
	unsigned count = request->suite->case_count, failed = 0;
	struct batch_run run = {.arena = arena, .request = request, .comparisons = comparisons};
	if (!run_begin(&run))
		return count;
	*kept = run.finished;
	progress_print(&run);
	for (unsigned i = 0; i < count; i++) {
		if (!is_wanted(request, i) || run.found[i])
			continue;
		while (run.running >= request->jobs)
			worker_await(&run);
		worker_start(&run, i);
	}
	while (run.running > 0)
		worker_await(&run);
	for (unsigned i = 0; i < count; i++)
		if (is_wanted(request, i))
			failed += !result_take(&run, i);
	directory_remove(run.folder);
	return failed;
}
