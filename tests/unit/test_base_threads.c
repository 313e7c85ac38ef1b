/* Threads take every piece of work once, and what fails in one of them fails in the caller's. */
#include "base/base.h"
#include "base/threads/threads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define PIECES 1000

struct tally {
	unsigned done[PIECES];
	unsigned threads, fails; /* fails: the piece that does; PIECES: none */
};

static void piece_work(void *context, unsigned index)
{
	struct tally *tally = context;
	if (index == tally->fails)
		bug("piece %u", index);
	tally->done[index]++;
}

static void tally_run(void *context)
{
	struct tally *tally = context;
	assert_true(threads_run(tally->threads, PIECES, piece_work, tally) >= 0);
}

static void test_each_once(void **state)
{
	(void)state;
	for (unsigned threads = 0; threads <= 200; threads = 3 * threads + 1) {
		struct tally tally = {.threads = threads, .fails = PIECES};
		tally_run(&tally);
		for (unsigned i = 0; i < PIECES; i++)
			assert_int_equal(tally.done[i], 1);
	}
}

static void test_none(void **state)
{
	(void)state;
	assert_true(threads_run(4, 0, piece_work, NULL) >= 0);
}

static void test_failure(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= 4; threads++) {
		struct tally tally = {.threads = threads, .fails = PIECES / 2};
		struct failure failure = {0};
		assert_false(failure_catch(tally_run, &tally, &failure));
		assert_int_equal(failure.code, EXIT_BUG);
		assert_string_equal(failure.text, "piece 500");
		assert_int_equal(tally.done[PIECES / 2], 0);
	}
}

static void test_idle_cores(void **state)
{
	(void)state;
	assert_true(threads_idle_cores() >= 1);
	assert_int_equal(setenv("COALESCE_IDLE_CORES", "7", 1), 0);
	assert_int_equal(threads_idle_cores(), 7);
	assert_int_equal(setenv("COALESCE_IDLE_CORES", "99999999999", 1), 0);
	assert_int_equal(threads_idle_cores(), 1024);
	assert_int_equal(unsetenv("COALESCE_IDLE_CORES"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_once), cmocka_unit_test(test_none),
	                                   cmocka_unit_test(test_failure), cmocka_unit_test(test_idle_cores)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
