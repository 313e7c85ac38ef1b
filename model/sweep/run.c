/*
 * The points of a sweep, several at a time. Each is predicted in a process of its own, which leaves its cells in memory
 * that it shares with this one: so what a point is does not depend on which others there are, or on how many run at a
 * time.
 */
#include "model/sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_PROBLEM 240 /* characters */

/* What a process leaves: the cells of its points stand behind it. */
struct sweep_outcome {
	bool done;
	char problem[MAX_PROBLEM];
};
struct runner {
	struct arena *arena;
	const struct sweep_request *request;
	struct sweep *sweep;
	char *shared; /* an outcome for each point, then cells for each */
	unsigned begin;
	pid_t *workers; /* per point; 0: none */
	unsigned running;
	bool by_source; /* a process predicts all codes of a source; else one for each code */
};

static size_t outcomes_bytes(const struct runner *runner)
{
	size_t bytes = (runner->sweep->point_count - runner->begin) * sizeof(struct sweep_outcome);
	return (bytes + 63) / 64 * 64;
}

static struct sweep_outcome *outcome_of(const struct runner *runner, unsigned point)
{
	return (struct sweep_outcome *)(void *)runner->shared + (point - runner->begin);
}

static struct sweep_cell *cells_of(const struct runner *runner, unsigned point)
{
	struct sweep_cell *cells = (struct sweep_cell *)(void *)(runner->shared + outcomes_bytes(runner));
	return cells + (size_t)(point - runner->begin) * runner->sweep->series_count;
}

/* ---- what is predicted at a point ------------------------------------------------------------ */

static bool is_own(const struct sweep_axis *axis, const struct sweep_point *point, unsigned a)
{
	return axis->has_own && point->at[a] == axis->own;
}

/* Whether a point needs other code than the first prediction has. */
static bool other_code(const struct sweep *sweep, const struct sweep_point *point)
{
	for (unsigned a = 0; a < sweep->axis_count; a++)
		if (sweep_kind_anew(sweep->axes[a].kind) && !is_own(&sweep->axes[a], point, a))
			return true;
	return false;
}

/* Whether a point needs the file to be read again: a limit of registers matters to the compiler alone. */
static bool other_source(const struct sweep *sweep, const struct sweep_point *point)
{
	for (unsigned a = 0; a < sweep->axis_count; a++)
		if (sweep_kind_anew(sweep->axes[a].kind) && sweep->axes[a].kind != SWEEP_REGISTERS &&
		    !is_own(&sweep->axes[a], point, a))
			return true;
	return false;
}

/* Whether the text names the threads of a point's block, which is another text with another block. */
static bool names_block(const struct sweep *sweep, const struct sweep_point *point)
{
	for (unsigned a = 0; a < sweep->axis_count; a++)
		if (sweep->axes[a].kind == SWEEP_BOUNDS && !is_own(&sweep->axes[a], point, a))
			return true;
	return false;
}

/* Whether an axis has no part in the source: registers, or the block where the text does not name it. */
static bool is_beside_source(const struct sweep *sweep, const struct sweep_point *point, enum sweep_kind kind)
{
	bool block = kind == SWEEP_SHAPE || kind == SWEEP_SAID_BLOCK;
	return kind == SWEEP_REGISTERS || !(block ? names_block(sweep, point) : sweep_kind_anew(kind));
}

static bool same_source(const struct sweep *sweep, const struct sweep_point *a, const struct sweep_point *b)
{
	for (unsigned axis = 0; axis < sweep->axis_count; axis++)
		if (!is_beside_source(sweep, a, sweep->axes[axis].kind) && a->at[axis] != b->at[axis])
			return false;
	return true;
}

static bool same_code(const struct sweep *sweep, const struct sweep_point *a, const struct sweep_point *b)
{
	for (unsigned axis = 0; axis < sweep->axis_count; axis++)
		if (sweep->axes[axis].kind == SWEEP_REGISTERS && a->at[axis] != b->at[axis])
			return false;
	return same_source(sweep, a, b);
}

/* Whether one prediction serves both: they differ in the tile alone. */
static bool same_run(const struct sweep *sweep, const struct sweep_point *a, const struct sweep_point *b)
{
	for (unsigned axis = 0; axis < sweep->axis_count; axis++)
		if (sweep->axes[axis].kind != SWEEP_TILE && a->at[axis] != b->at[axis])
			return false;
	return true;
}

static const char *first_error(const struct diagnostics *diagnostics)
{
	for (size_t i = 0; i < diagnostics->count; i++)
		if (diagnostics->list[i].severity == SEVERITY_ERROR)
			return diagnostics->list[i].message;
	return "it cannot be predicted";
}

/* Whether one process predicts both where each code has one: a prediction of both, or code that only they have. */
static bool same_code_job(const struct sweep *sweep, const struct sweep_point *a, const struct sweep_point *b)
{
	return same_run(sweep, a, b) || (other_code(sweep, a) && same_code(sweep, a, b));
}

/* The same where each source has one, but for that of the first prediction, which all can go on from. */
static bool same_source_job(const struct sweep *sweep, const struct sweep_point *a, const struct sweep_point *b)
{
	return same_code_job(sweep, a, b) || (other_source(sweep, a) && same_source(sweep, a, b));
}

typedef bool likeness(const struct sweep *sweep, const struct sweep_point *a, const struct sweep_point *b);

static likeness *same_job(const struct runner *runner)
{
	return runner->by_source ? same_source_job : same_code_job;
}

/* Whether an earlier point from `begin` on is like this one. */
static bool has_leader(const struct sweep *sweep, unsigned begin, unsigned index, likeness *like)
{
	for (unsigned p = begin; p < index; p++)
		if (like(sweep, &sweep->points[p], &sweep->points[index]))
			return true;
	return false;
}

static void outcome_fill(struct runner *runner, unsigned index, const struct prediction *prediction,
                         const char *problem)
{
	struct sweep *sweep = runner->sweep;
	for (unsigned p = index; p < sweep->point_count; p++) {
		struct sweep_point point = sweep->points[p];
		if (!same_run(sweep, &sweep->points[index], &point))
			continue;
		point.cells = cells_of(runner, p);
		if (prediction)
			sweep_cells_fill(sweep, prediction, &point);
		if (prediction && runner->request->explains)
			sweep_whys_fill(runner->arena, sweep, runner->request->first, prediction, &point);
		if (!prediction)
			snprintf(outcome_of(runner, p)->problem, MAX_PROBLEM, "%s", problem);
		outcome_of(runner, p)->done = true;
	}
}

/* What a process predicts from: a prediction of the source, and one of the code; NULL: there is none yet. */
struct predicting {
	struct arena *arena;
	const struct prediction *source, *code;
	const struct sweep_point *code_point; /* that has the code */
};

/* Predicts a point, of the source and the code that were predicted where it has these. */
static void point_predict(struct predicting *job, struct runner *runner, unsigned index)
{
	struct predict_options *options = arena_alloc(job->arena, sizeof *options);
	struct diagnostics *diagnostics = arena_alloc(job->arena, sizeof *diagnostics);
	const struct sweep_point *point = &runner->sweep->points[index];
	const struct prediction *prediction;
	enum exit_code code;
	*options = *runner->request->options;
	diagnostics_init(diagnostics, job->arena);
	sweep_options_at(job->arena, runner->request, runner->sweep, point, options);
	bool has_code = job->code && (!job->code_point || same_code(runner->sweep, job->code_point, point));
	if (has_code)
		prediction = predict_again(job->arena, job->code, options, diagnostics, &code);
	else if (job->source)
		prediction = predict_recompiled(job->arena, job->source, options, diagnostics, &code);
	else
		prediction = predict(job->arena, options, STAGE_ESTIMATE, diagnostics, &code);
	if (!has_code) {
		job->code = prediction;
		job->code_point = point;
		job->source = job->source ? job->source : prediction;
	}
	if (prediction && prediction->refused_count > runner->request->first->refused_count)
		outcome_fill(runner, index, NULL, prediction->refused[0].reason);
	else
		outcome_fill(runner, index, prediction, first_error(diagnostics));
}

/* Predicts all points of a job, the first of which is `index`. */
static void job_predict(struct runner *runner, unsigned index)
{
	struct sweep *sweep = runner->sweep;
	const struct prediction *first = runner->request->first;
	struct predicting job = {.arena = arena_create()};
	job.source = other_source(sweep, &sweep->points[index]) ? NULL : first;
	job.code = other_code(sweep, &sweep->points[index]) ? NULL : first;
	for (unsigned p = index; p < sweep->point_count; p++)
		if (same_job(runner)(sweep, &sweep->points[index], &sweep->points[p]) &&
		    !has_leader(sweep, index, p, same_run))
			point_predict(&job, runner, p);
	arena_release(job.arena);
}

/* ---- several at a time --------------------------------------------------------------------------- */

static void worker_start(struct runner *runner, unsigned index)
{
	pid_t worker = process_fork_worker();
	if (worker == 0) {
		job_predict(runner, index);
		_exit(0);
	}
	if (worker < 0) {
		job_predict(runner, index);
		return;
	}
	runner->workers[index - runner->begin] = worker;
	runner->running++;
}

static void worker_wait(struct runner *runner)
{
	int status;
	pid_t worker = waitpid(-1, &status, 0);
	if (worker > 0)
		ending_drop_child(worker);
	for (unsigned p = 0; p < runner->sweep->point_count - runner->begin; p++)
		if (worker > 0 && runner->workers[p] == worker) {
			runner->workers[p] = 0;
			runner->running--;
		}
	if (worker < 0)
		runner->running = 0;
}

static bool request_is_over(const struct sweep_request *request)
{
	return request->until > 0 && clock_seconds() > request->until;
}

static void outcomes_take(struct runner *runner)
{
	struct sweep *sweep = runner->sweep;
	for (unsigned p = runner->begin; p < sweep->point_count; p++) {
		const struct sweep_outcome *outcome = outcome_of(runner, p);
		sweep->points[p].cells = arena_array(runner->arena, sweep->series_count + 1, sizeof(struct sweep_cell));
		memcpy(sweep->points[p].cells, cells_of(runner, p), sweep->series_count * sizeof(struct sweep_cell));
		if (!outcome->done)
			sweep->points[p].problem =
				request_is_over(runner->request) ? SWEEP_NOT_TRIED : "its process failed";
		else if (*outcome->problem)
			sweep->points[p].problem = arena_strdup(runner->arena, outcome->problem);
	}
}

/* Whether there are sources enough for all processes: then none is read twice. What a point is does not depend on it.
 */
static bool sources_suffice(const struct runner *runner)
{
	unsigned sources = 0;
	for (unsigned p = runner->begin; p < runner->sweep->point_count; p++)
		sources += !has_leader(runner->sweep, runner->begin, p, same_source_job);
	return sources >= 2 * runner->request->jobs;
}

void sweep_points_run(struct arena *arena, const struct sweep_request *request, struct sweep *sweep, unsigned begin)
{
	struct runner runner = {.arena = arena, .request = request, .sweep = sweep, .begin = begin};
	unsigned count = sweep->point_count - begin;
	size_t bytes = outcomes_bytes(&runner) + (size_t)count * sweep->series_count * sizeof(struct sweep_cell);
	if (count == 0)
		return;
	runner.workers = arena_array(arena, count, sizeof *runner.workers);
	runner.shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (runner.shared == MAP_FAILED)
		out_of_memory();
	runner.by_source = sources_suffice(&runner);
	for (size_t i = 0; i < (size_t)count * sweep->series_count; i++)
		cells_of(&runner, begin)[i] = (struct sweep_cell){.time_seconds = NAN, .occupancy = NAN};
	for (unsigned p = begin; p < sweep->point_count; p++) {
		if (has_leader(sweep, begin, p, same_job(&runner)))
			continue;
		while (runner.running >= request->jobs)
			worker_wait(&runner);
		if (request_is_over(request))
			break;
		worker_start(&runner, p);
	}
	while (runner.running)
		worker_wait(&runner);
	outcomes_take(&runner);
	munmap(runner.shared, bytes);
}
