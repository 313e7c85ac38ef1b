/*
 * What a change at a line would be worth: the launch is estimated once more, with what the change would bring about
 * supposed of that line's memory instructions.
 *
 *   neighbours  lanes, warps and requests access neighbouring elements: worth asking where requests touch more sectors
 * than they need near        loads find all in the L1, as from shared memory:        worth asking where some of them
 * miss it early       loads are back before anybody needs them:              worth asking where warps wait for them
 *
 * It is what the change can bring at most: how it is made may cost instructions, registers or shared memory.
 */
#include "model/explain/explain.h"

#include "base/threads/threads.h"

#include <stdlib.h>

#define LINES 3            /* the costliest, that are tried */
#define LEAST_SHARE 0.05   /* of the time, that a line costs or makes others wait */
#define LEAST_GAIN 1.03    /* times as fast */
#define SECTOR_EXCESS 1.25 /* sectors over those needed */
#define MISS_SHARE 0.05

static double weight_of(const struct line_cost *line)
{
	return line->waited + line->stalls[COST_STALL_LG_THROTTLE];
}

static int weight_compare(const void *a, const void *b)
{
	const struct line_cost *left = *(const struct line_cost *const *)a,
			       *right = *(const struct line_cost *const *)b;
	double x = weight_of(left), y = weight_of(right);
	return x > y ? -1 : x < y ? 1 : left < right ? -1 : 1;
}

static bool worth_asking(const struct line_costs *lines, const struct line_cost *line, enum supposition_kind kind)
{
	switch (kind) {
	case SUPPOSE_NEIGHBOURS:
		return line->sectors > SECTOR_EXCESS * line->ideal_sectors;
	case SUPPOSE_NEAR:
		return line->missed > MISS_SHARE * line->loaded;
	case SUPPOSE_EARLY:
		return line->waited > LEAST_SHARE * lines->cycles;
	}
	return false;
}

struct advice_question {
	const struct cost_model *model;
	struct advised *launch;
	struct advice answer;
};

/* What is asked of the model. */
struct questions {
	struct advice_question *list;
	unsigned count;
};

static void question_answer(void *context, unsigned index)
{
	struct advice_question *question = (struct advice_question *)context + index;
	struct arena *scratch = arena_create();
	struct launch_view otherwise = *question->launch->view;
	otherwise.supposed = &question->answer.supposed;
	question->answer.time_seconds = cost_estimate(scratch, question->model, &otherwise)->time_seconds;
	arena_release(scratch);
}

static void questions_find(struct arena *arena, const struct cost_model *model, struct advised *launch,
                           struct questions *questions)
{
	const struct line_costs lines = explain_lines(arena, launch->view, launch->estimate);
	const struct line_cost **sorted = arena_array(arena, lines.count + 1, sizeof(const struct line_cost *));
	for (unsigned l = 0; l < lines.count; l++)
		sorted[l] = &lines.list[l];
	if (lines.count)
		qsort(sorted, lines.count, sizeof *sorted, weight_compare);
	for (unsigned l = 0; l < lines.count && l < LINES && lines.simulated; l++) {
		if (sorted[l]->place.line == 0 || weight_of(sorted[l]) < LEAST_SHARE * lines.cycles)
			continue;
		for (int kind = SUPPOSE_NEIGHBOURS; kind <= SUPPOSE_EARLY; kind++) {
			struct advice_question one = {
				model, launch, {.supposed = {(enum supposition_kind)kind, sorted[l]->place.line}}};
			if (worth_asking(&lines, sorted[l], one.answer.supposed.kind))
				ARENA_PUSH(arena, questions->list, questions->count, one);
		}
	}
}

static int advice_compare(const void *a, const void *b)
{
	const struct advice *left = a, *right = b;
	if (left->time_seconds != right->time_seconds)
		return left->time_seconds < right->time_seconds ? -1 : 1;
	if (left->supposed.line != right->supposed.line)
		return left->supposed.line < right->supposed.line ? -1 : 1;
	return left->supposed.kind < right->supposed.kind ? -1 : 1;
}

void explain_advise(struct arena *arena, const struct cost_model *model, struct advised *launches, unsigned count,
                    unsigned threads, double *elsewhere)
{
	struct questions questions = {0};
	for (unsigned l = 0; l < count; l++)
		questions_find(arena, model, &launches[l], &questions);
	*elsewhere += threads_run(threads, questions.count, question_answer, questions.list);
	for (unsigned i = 0; i < questions.count; i++) {
		const struct advice_question *question = &questions.list[i];
		struct advised *launch = question->launch;
		if (question->answer.time_seconds * LEAST_GAIN < launch->estimate->time_seconds)
			ARENA_PUSH(arena, launch->advice, launch->count, question->answer);
	}
	for (unsigned l = 0; l < count; l++)
		if (launches[l].count)
			qsort(launches[l].advice, launches[l].count, sizeof *launches[l].advice, advice_compare);
}
