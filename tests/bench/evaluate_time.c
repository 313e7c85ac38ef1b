/*
 * Times every evaluation of a run of the program: linked as `coalesce` with `--wrap=exec_evaluate`, it behaves as the
 * program does and prints a line for each evaluation on stderr: `evaluate: kernel seconds steps exact`, and one for
 * traces of 64 warps of it, pulled in turn: `trace: kernel seconds instructions`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "model/execute/trace/trace.h"

#define WARPS 64
#define INSTRUCTIONS 100000

struct evaluation *__real_exec_evaluate(struct arena *arena, const struct evaluate_input *input);
struct evaluation *__wrap_exec_evaluate(struct arena *arena, const struct evaluate_input *input);

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A warp that begins a new block of threads after the last warp of one. */
static struct trace *open_warp(struct tracer *tracer, const struct evaluate_input *input, uint64_t number)
{
	uint64_t block = number / tracer_warps(tracer) % ((uint64_t)input->grid[0] * input->grid[1]);
	const uint32_t at[3] = {(uint32_t)(block % input->grid[0]), (uint32_t)(block / input->grid[0]), 0};

	return trace_open(tracer, at, (uint32_t)(number % tracer_warps(tracer)));
}

/* Pulls events of all warps in turn; those that end are replaced. Returns warp instructions. */
static uint64_t trace_warps(struct arena *arena, const struct evaluate_input *input)
{
	struct tracer *tracer = tracer_make(arena, input);
	struct trace *traces[WARPS];
	uint64_t instructions = 0, opened = 0;

	for (unsigned i = 0; i < WARPS; i++)
		traces[i] = open_warp(tracer, input, opened++);
	for (unsigned i = 0; instructions < INSTRUCTIONS; i = (i + 1) % WARPS) {
		struct trace_event event;

		if (trace_next(traces[i], &event)) {
			const struct ptx_basic_block *block = &input->function->cfg->blocks[event.block];

			for (uint32_t insn = block->first;
			     event.kind == TRACE_BLOCK && insn < block->first + block->count; insn++)
				instructions += !input->function->insns[insn].synthetic;
			continue;
		}
		trace_close(traces[i]);
		traces[i] = open_warp(tracer, input, opened++);
	}
	return instructions;
}

static void time_traces(const struct evaluate_input *input)
{
	struct arena *arena = arena_create();
	double begin = seconds();
	uint64_t instructions = trace_warps(arena, input);

	fprintf(stderr, "trace: %s %.6f %llu\n", input->function->name, seconds() - begin,
	        (unsigned long long)instructions);
	arena_release(arena);
}

struct evaluation *__wrap_exec_evaluate(struct arena *arena, const struct evaluate_input *input)
{
	double begin = seconds();
	struct evaluation *result = __real_exec_evaluate(arena, input);

	fprintf(stderr, "evaluate: %s %.6f %llu %s\n", input->function->name, seconds() - begin,
	        (unsigned long long)result->steps, result->exact ? "exact" : "inexact");
	if (getenv("TRACE"))
		time_traces(input);
	return result;
}
