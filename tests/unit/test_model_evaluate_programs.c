/*
 * The five programs and further kernels in all layouts, as nvcc compiled them, at small sizes: the evaluator against
 * the brute-force interpreter. The head of each file of tests/inputs/ptx says how it is launched.
 */
#include "tests/ptx_interpreter/compare.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void compare(struct arena *arena, struct trial *trial)
{
	struct trial_result result;

	trial->oracle_limit = 20000000;
	trial->step_limit = 20000000;
	trial_run(arena, trial, &result);
	if (result.difference.length && !trial->estimated)
		fail_msg("%s: %s\n%s", trial->name, trial->kernel, result.difference.data);
	if (!result.evaluation || result.evaluation->exact == trial->estimated)
		fail_msg("%s: %s: exactness is not what the head of the file says", trial->name, trial->kernel);
	text_release(&result.difference);
}

static void test_kept_programs(void **state)
{
	glob_t files;
	size_t launches = 0;

	(void)state;
	assert_int_equal(glob("tests/inputs/ptx/*.ptx", 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		struct arena *arena = arena_create();
		size_t count;
		struct trial *trials = trials_read(arena, files.gl_pathv[i], &count);

		if (!count)
			fail_msg("%s: no launch in its head", files.gl_pathv[i]);
		for (size_t j = 0; j < count; j++)
			compare(arena, &trials[j]);
		launches += count;
		arena_release(arena);
	}
	globfree(&files);
	assert_true(launches >= 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_kept_programs)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
