/*
 * A launch given to the evaluator and to the interpreter, and what they say compared; and random kernels to do that
 * with.
 */
#ifndef COALESCE_TESTS_PTX_INTERPRETER_COMPARE_H
#define COALESCE_TESTS_PTX_INTERPRETER_COMPARE_H

#include "model/execute/trace/trace.h"
#include "tests/ptx_interpreter/interpreter.h"

#define TRIAL_ARGUMENTS 24

struct trial {
	const char *name, *text, *kernel;
	uint32_t grid[3], block[3];
	uint64_t dynamic_shared_bytes;
	struct argument arguments[TRIAL_ARGUMENTS];
	struct memory_buffer buffers[TRIAL_ARGUMENTS];
	unsigned argument_count, buffer_count;
	uint64_t step_limit;   /* of the evaluator; 0: its default */
	uint64_t oracle_limit; /* warp instructions of the interpreter */
	bool estimated;        /* depends on data that are not declared: not to be compared */
};

struct trial_result {
	const struct ptx_function *function;
	struct evaluation *evaluation;
	struct interpreter_result *truth;
	double seconds;         /* that the evaluation took */
	struct text difference; /* empty where both agree in everything */
	uint64_t events;        /* of traces that were compared */
	bool skipped;           /* the interpreter gave up, for the reason in difference */
};

/* Runs both, and traces of all warps beside the interpreter. The caller releases result->difference. */
void trial_run(struct arena *arena, const struct trial *trial, struct trial_result *result);
/* Traces beside an interpretation: a context for trace_watch_see(), which puts the first difference in the text. */
struct trace_watch;
struct trace_watch *trace_watch_make(struct arena *arena, const struct evaluate_input *input, struct text *difference);
void trace_watch_see(void *context, const struct interpreter_event *event);
/* Events that were compared. A warp's are no longer once something was assumed. */
uint64_t trace_watch_events(const struct trace_watch *watch);
bool trace_watch_lost(const struct trace_watch *watch);

/* A random kernel without dependence on data, its launch and arguments; a function of the seed alone. */
void trial_generate(struct arena *arena, uint64_t seed, struct trial *trial);

/* The launches that the head of a PTX file asks for; NULL where there are none. */
struct trial *trials_read(struct arena *arena, const char *path, size_t *count);

#endif
