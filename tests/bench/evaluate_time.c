/*
 * Times every evaluation of a run of the program: linked as `coalesce` with `--wrap=evaluate`, it behaves as the program does and
 * prints a line for each evaluation on stderr: `evaluate: kernel seconds steps exact`.
 */
#include <stdio.h>
#include <time.h>

#include "model/execute/evaluate.h"

struct evaluation *__real_evaluate(struct arena *arena, const struct evaluate_input *input, request_function *requests,
                                   void *context);
struct evaluation *__wrap_evaluate(struct arena *arena, const struct evaluate_input *input, request_function *requests,
                                   void *context);

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

struct evaluation *__wrap_evaluate(struct arena *arena, const struct evaluate_input *input, request_function *requests,
                                   void *context)
{
	double begin = seconds();
	struct evaluation *result = __real_evaluate(arena, input, requests, context);

	fprintf(stderr, "evaluate: %s %.6f %llu %s\n", input->function->name, seconds() - begin, (unsigned long long)result->steps,
	        result->exact ? "exact" : "inexact");
	return result;
}
