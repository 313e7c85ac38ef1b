/*
 * The requests of chosen warps, one by one: the interpreter without axes, every trip of every loop run.
 */
#include "model/execute/internal.h"

#include <string.h>

#define SAMPLE_WARPS 8
#define SAMPLE_REQUESTS 2000 /* of one warp */
#define TRACE_STEPS 5000000  /* of one warp, unless told */

struct tracer {
	struct evaluator evaluator;
	struct evaluate_input input;
	struct run *run;
};

/* The box that holds one warp of one block alone. */
static bool warp_box(const struct evaluator *evaluator, const uint32_t block[3], uint32_t warp, struct box *box)
{
	for (uint32_t i = 0; i < evaluator->group_count; i++) {
		const struct warp_group *group = &evaluator->groups[i];
		int64_t count = group->count[0] * group->count[1] * group->count[2];

		for (int64_t position = 0; position < count; position++) {
			int64_t at[3] = {position % group->count[0], position / group->count[0] % group->count[1],
			                 position / group->count[0] / group->count[1]};

			if (group->first_warp + at[0] * group->warp_slope[0] + at[1] * group->warp_slope[1] +
			            at[2] * group->warp_slope[2] !=
			    (int64_t)warp)
				continue;
			*box = (struct box){.group = i,
			                    .start = {block[0], block[1], block[2], at[0], at[1], at[2]},
			                    .step = {1, 1, 1, 1, 1, 1},
			                    .count = {1, 1, 1, 1, 1, 1}};
			return true;
		}
	}
	return false;
}

/* Runs one warp, sending its requests. */
static uint64_t trace_warp(struct run *run, const struct box *box, uint64_t limit, request_function *requests, void *context)
{
	run->tracing = true;
	run->step_limit = run->evaluator->input->step_limit ? run->evaluator->input->step_limit : TRACE_STEPS;
	run->requests = requests;
	run->context = context;
	run->requests_left = limit;
	run->requests_sent = 0;
	if (limit)
		run_box(run, box);
	return run->requests_sent;
}

struct tracer *tracer_create(struct arena *arena, const struct evaluate_input *input)
{
	struct tracer *tracer = arena_alloc(arena, sizeof(*tracer));

	tracer->input = *input;
	tracer->evaluator = (struct evaluator){.arena = arena, .scratch = arena, .input = &tracer->input};
	tracer->evaluator.result = evaluation_make(arena, input->function);
	launch_prepare(&tracer->evaluator);
	tracer->run = run_make(&tracer->evaluator);
	return tracer;
}

uint64_t tracer_run(struct tracer *tracer, const uint32_t block[3], uint32_t warp, uint64_t limit, request_function *requests,
                    void *context)
{
	struct box box;

	if (!warp_box(&tracer->evaluator, block, warp, &box))
		return 0;
	return trace_warp(tracer->run, &box, limit, requests, context);
}

static void count_request(void *context, const struct request *request)
{
	double *counts = context;

	counts[request->insn]++;
}

/* Runs warps spread evenly over the launch. */
static void trace_some(struct run *run, request_function *requests, void *context)
{
	const struct evaluate_input *input = run->evaluator->input;
	uint64_t blocks = (uint64_t)input->grid[0] * input->grid[1] * input->grid[2];
	uint64_t threads = (uint64_t)input->block[0] * input->block[1] * input->block[2];
	uint64_t warps = (threads + WARP_LANES - 1) / WARP_LANES,
		 count = blocks * warps < SAMPLE_WARPS ? blocks * warps : SAMPLE_WARPS;

	for (uint64_t i = 0; i < count; i++) {
		uint64_t number = (blocks * warps - 1) / (count > 1 ? count - 1 : 1) * i, block = number / warps;
		const uint32_t at[3] = {(uint32_t)(block % input->grid[0]), (uint32_t)(block / input->grid[0] % input->grid[1]),
		                        (uint32_t)(block / input->grid[0] / input->grid[1])};
		struct box box;

		if (warp_box(run->evaluator, at, (uint32_t)(number % warps), &box))
			trace_warp(run, &box, SAMPLE_REQUESTS, requests, context);
	}
}

void trace_sample(struct evaluator *evaluator, request_function *requests, void *context)
{
	size_t count = evaluator->plan->function->insn_count;
	double *weight = arena_array(evaluator->scratch, count, sizeof(double));
	struct evaluation totals = *evaluator->result;
	struct run *run;

	evaluator->result = evaluation_make(evaluator->scratch, evaluator->plan->function);
	run = run_make(evaluator);
	trace_some(run, count_request, weight);
	for (size_t i = 0; i < count; i++)
		weight[i] = weight[i] > 0 ? totals.insns[i].executions / weight[i] : 0;
	run->request_weight = weight;
	trace_some(run, requests, context);
}
