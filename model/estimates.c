/*
 * What the layouts' launches take: each is estimated in a thread and an arena of its own. Launches that do the same as one before them come after all others,
 * as the model takes from that one what they share.
 */
#include "model/predict.h"

#include "base/threads/threads.h"

#include <stdlib.h>

struct row_job {
	struct arena *arena;
	const struct cost_model *model;
	struct ranked_layout *row;
	const struct ranked_layout *alike; /* one before it, or NULL */
};

/* The first of the jobs' rows whose launch does the same as the view, or NULL. */
static const struct ranked_layout *row_alike(const struct row_job *jobs, unsigned count, const struct launch_view *view)
{
	for (unsigned j = 0; j < count; j++)
		if (code_same(jobs[j].row->view, view))
			return jobs[j].row;
	return NULL;
}

static void row_job_run(void *context, unsigned index)
{
	const struct row_job *job = (const struct row_job *)context + index;
	struct launch_view *view = job->row->view;
	view->alike = job->alike ? job->alike->estimate : NULL;
	view->match = view->ptx.evaluation ? code_match_source(job->arena, view) : NULL;
	job->row->estimate = cost_estimate(job->arena, job->model, view);
}

static double launch_instructions(const struct launch_view *view)
{
	const struct evaluation *evaluation = view->machine_code.evaluation ? view->machine_code.evaluation : view->ptx.evaluation;
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
	struct row_job *first = NULL, *later = NULL;
	unsigned first_count = 0, later_count = 0;
	for (unsigned c = 0; c < prediction->case_count; c++)
		for (unsigned r = 0; r < prediction->cases[c].row_count; r++) {
			struct ranked_layout *row = &prediction->cases[c].rows[r];
			struct row_job job = {arena_create_within(arena), prediction->model, row,
			                      row_alike(first, first_count, row->view)};
			if (job.alike)
				ARENA_PUSH(arena, later, later_count, job);
			else
				ARENA_PUSH(arena, first, first_count, job);
		}
	if (first)
		qsort(first, first_count, sizeof *first, longer_first);
	double elsewhere = threads_run(threads, first_count, row_job_run, first);
	return elsewhere + threads_run(threads, later_count, row_job_run, later);
}
