/*
 * What the layouts' launches take: each is estimated in a thread and an arena of its own. Launches that do the same as
 * one before them come after all others, as the model takes from that one what they share.
 */
#include "model/predict/predict.h"

#include "base/lookup/lookup.h"
#include "base/threads/threads.h"

#include <stdlib.h>

struct row_job {
	struct arena *arena;
	const struct cost_model *model;
	struct ranked_layout *row;
	const struct ranked_layout *alike; /* one before it, or NULL */
};

struct row_jobs {
	struct row_job *list;
	unsigned count;
	struct lookup by_code;
};

/* The first of the jobs' rows whose launch does the same as the view, or NULL. */
static const struct ranked_layout *row_alike(const struct row_jobs *jobs, uint64_t hash, const struct launch_view *view)
{
	const struct lookup_entry *entry = lookup_first(&jobs->by_code, hash);
	while (entry && !code_same(jobs->list[entry->position].row->view, view))
		entry = lookup_next(&jobs->by_code, entry);
	return entry ? jobs->list[entry->position].row : NULL;
}

/* Adds the row to the first jobs, or to the later ones where one of the first does the same. */
static void row_add(struct arena *arena, struct row_jobs *first, struct row_jobs *later, struct row_job job)
{
	const struct launch_view *view = job.row->view;
	uint64_t hash = view->machine_code.input ? code_hash(&view->machine_code) : 0;
	job.alike = view->machine_code.input ? row_alike(first, hash, view) : NULL;
	if (job.alike) {
		ARENA_PUSH(arena, later->list, later->count, job);
		return;
	}
	if (view->machine_code.input)
		lookup_add(arena, &first->by_code, hash, first->count);
	ARENA_PUSH(arena, first->list, first->count, job);
}

static void row_job_run(void *context, unsigned index)
{
	const struct row_job *job = (const struct row_job *)context + index;
	struct launch_view *view = job->row->view;
	view->alike = job->alike ? job->alike->estimate : NULL;
	view->match = view->ptx.evaluation ? code_match_source(job->arena, view) : NULL;
	job->row->estimate = cost_estimate(job->arena, job->model, view);
}

/* The first of several launches, which finds something else in the L2. */
static void first_job_run(void *context, unsigned index)
{
	const struct row_job *job = (const struct row_job *)context + index;
	struct launch_view view = *job->row->view;
	view.start = job->row->first_start;
	view.alike = NULL;
	job->row->first_seconds = cost_estimate(job->arena, job->model, &view)->time_seconds;
}

static double launch_instructions(const struct launch_view *view)
{
	const struct evaluation *evaluation =
		view->machine_code.evaluation ? view->machine_code.evaluation : view->ptx.evaluation;
	return evaluation ? evaluation->warp_instructions : 0;
}

/* Longer launches first, which are simulated further: so threads end together. */
static int longer_first(const void *a, const void *b)
{
	const struct row_job *one = a, *other = b;
	double x = launch_instructions(one->row->view), y = launch_instructions(other->row->view);
	return (x < y) - (x > y);
}

double predict_estimate_rows(struct arena *arena, struct prediction *prediction, unsigned threads)
{
	struct row_jobs first = {0}, later = {0}, starting = {0};
	for (unsigned c = 0; c < prediction->case_count; c++)
		for (unsigned r = 0; r < prediction->cases[c].row_count; r++) {
			struct ranked_layout *row = &prediction->cases[c].rows[r];
			struct row_job job = {
				.arena = arena_create_within(arena), .model = prediction->model, .row = row};
			row_add(arena, &first, &later, job);
			if (row->first_start)
				ARENA_PUSH(arena, starting.list, starting.count, job);
		}
	if (first.count)
		qsort(first.list, first.count, sizeof *first.list, longer_first);
	double elsewhere = threads_run(threads, first.count, row_job_run, first.list);
	elsewhere += threads_run(threads, later.count, row_job_run, later.list);
	return elsewhere + threads_run(threads, starting.count, first_job_run, starting.list);
}
