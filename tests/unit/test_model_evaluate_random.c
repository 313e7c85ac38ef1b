/* Random kernels: the evaluator and its traces against the brute-force interpreter, every number exactly. */
#include "tests/ptx_interpreter/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define KERNELS 600
#define LEAST_COMPARED 500

/* Runs one kernel; returns whether both could be run. */
static bool compare(uint64_t seed)
{
	struct arena *arena = arena_create();
	struct trial trial;
	struct trial_result result;
	bool compared;

	trial_generate(arena, seed, &trial);
	trial.step_limit = 20000000;
	trial.oracle_limit = 200000;
	trial_run(arena, &trial, &result);
	compared = !result.skipped;
	if (compared && result.difference.length)
		fail_msg("%s\n%s\n%s", trial.name, trial.text, result.difference.data);
	if (compared && !result.evaluation->exact)
		fail_msg("%s: right, but not known to be exact\n%s", trial.name, trial.text);
	text_release(&result.difference);
	arena_release(arena);
	return compared;
}

static void test_random_kernels(void **state)
{
	unsigned compared = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= KERNELS; seed++)
		compared += compare(seed);
	assert_true(compared >= LEAST_COMPARED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_kernels)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
