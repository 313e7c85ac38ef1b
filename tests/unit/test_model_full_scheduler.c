/* Which warp of a scheduler goes first, and the queue of its memory instructions, with instructions made up here. */
#include "model/cost/full/sm/sm.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

static const struct full_insn add = {.pipe = FULL_ALU}, store = {.pipe = FULL_GLOBAL, .memory = FULL_STORE},
			      load = {.pipe = FULL_GLOBAL, .memory = FULL_LOAD};

/* Six warps, two of each of three blocks, which started in another order than their places have. */
static void scheduler_fill(struct full_scheduler *scheduler)
{
	static const unsigned blocks[] = {7, 7, 3, 3, 11, 11};
	static const struct full_machine machine = {.register_reads = 1};
	full_scheduler_make(scheduler, &machine, 6, 2);
	for (unsigned i = 0; i < 6; i++)
		full_scheduler_start(scheduler, i, blocks[i], i % 2);
}

static void assert_next(struct full_scheduler *scheduler, unsigned warp, double time)
{
	full_scheduler_refresh(scheduler);
	assert_int_equal(scheduler->chosen, warp);
	assert_float_equal(scheduler->next, time, 0);
}

/* The oldest block's, and in it the higher number, unless the last warp is ready. */
static void test_arithmetic(void **state)
{
	(void)state;
	struct full_scheduler scheduler;
	scheduler_fill(&scheduler);
	full_scheduler_refresh(&scheduler);
	assert_true(isinf(scheduler.next));
	for (unsigned i = 0; i < 6; i++)
		full_scheduler_post(&scheduler, i, &add, 10);
	scheduler.greedy = 5;
	assert_next(&scheduler, 5, 10);
	full_scheduler_post(&scheduler, 5, &add, 12);
	assert_next(&scheduler, 3, 10);
	full_scheduler_post(&scheduler, 3, &add, 14);
	assert_next(&scheduler, 2, 10);
	full_scheduler_post(&scheduler, 2, NULL, 0);
	assert_next(&scheduler, 1, 10);
}

/* After a warp that yields all others go first that are ready by then, it alone where none is, and before those that
 * come later. */
static void test_yields(void **state)
{
	(void)state;
	struct full_scheduler scheduler;
	scheduler_fill(&scheduler);
	for (unsigned i = 0; i < 6; i++)
		full_scheduler_post(&scheduler, i, &add, i < 4 ? 10 : 20);
	scheduler.greedy = 3;
	scheduler.yields = true;
	assert_next(&scheduler, 2, 10);
	full_scheduler_post(&scheduler, 2, &add, 20);
	assert_next(&scheduler, 1, 10);
	for (unsigned i = 0; i < 2; i++)
		full_scheduler_post(&scheduler, i, &add, 20);
	assert_next(&scheduler, 3, 10);
	full_scheduler_post(&scheduler, 3, &add, 20);
	assert_next(&scheduler, 2, 20);
	scheduler.yields = false;
	assert_next(&scheduler, 3, 20);
}

/* A place of a block that has ended is a younger one's: it goes behind all others. */
static void test_restart(void **state)
{
	(void)state;
	struct full_scheduler scheduler;
	scheduler_fill(&scheduler);
	full_scheduler_start(&scheduler, 3, 12, 1);
	for (unsigned i = 0; i < 6; i++)
		full_scheduler_post(&scheduler, i, i == 2 ? NULL : &add, 10);
	scheduler.greedy = 2;
	assert_next(&scheduler, 1, 10);
	for (unsigned i = 0; i < 2; i++)
		full_scheduler_post(&scheduler, i, NULL, 0);
	assert_next(&scheduler, 5, 10);
	for (unsigned i = 4; i < 6; i++)
		full_scheduler_post(&scheduler, i, NULL, 0);
	assert_next(&scheduler, 3, 10);
}

/* Accesses: of the oldest block the one that has waited longest, and not the last warp again. */
static void test_accesses(void **state)
{
	const struct full_insn *const kinds[] = {&store, &load};
	(void)state;
	for (unsigned k = 0; k < ARRAY_COUNT(kinds); k++) {
		struct full_scheduler scheduler;
		scheduler_fill(&scheduler);
		for (unsigned i = 0; i < 6; i++)
			full_scheduler_post(&scheduler, i, kinds[k], 10 - i);
		scheduler.free = 20;
		scheduler.greedy = 2;
		assert_next(&scheduler, 3, 20);
		full_scheduler_post(&scheduler, 3, kinds[k], 15);
		assert_next(&scheduler, 2, 20);
		full_scheduler_post(&scheduler, 2, kinds[k], 30);
		full_scheduler_post(&scheduler, 3, kinds[k], 30);
		assert_next(&scheduler, 1, 20);
	}
}

/* The queue: instructions arrive some cycles apart, the third one waits until the LSU has taken the first; what it has
 * not taken has no end. */
static void test_queue(void **state)
{
	(void)state;
	struct full_scheduler scheduler;
	scheduler_fill(&scheduler);
	assert_true(isinf(scheduler.arrival));
	struct full_queued *first = full_scheduler_queue(&scheduler, FULL_LSU, 100, 4),
			   *second = full_scheduler_queue(&scheduler, FULL_LSU, 102, 4);
	assert_float_equal(first->arrival, 100, 0);
	assert_float_equal(second->arrival, 104, 0);
	assert_true(isinf(scheduler.pipe[FULL_GLOBAL]) && isinf(scheduler.pipe[FULL_LSU]));
	assert_ptr_equal(&scheduler.queue[scheduler.head], first);
	assert_float_equal(scheduler.arrival, 100, 0);
	full_scheduler_take(&scheduler, 130);
	assert_float_equal(scheduler.pipe[FULL_GLOBAL], 130, 0);
	assert_ptr_equal(&scheduler.queue[scheduler.head], second);
	assert_float_equal(scheduler.arrival, 104, 0);
	full_scheduler_hold(&scheduler, FULL_LSU, 150);
	assert_float_equal(scheduler.pipe[FULL_GLOBAL], 130, 0);
	assert_float_equal(scheduler.pipe[FULL_LSU], 150, 0);
	full_scheduler_take(&scheduler, 140);
	assert_true(isinf(scheduler.arrival));
	full_scheduler_turn(&scheduler, 160, 4);
	assert_float_equal(full_scheduler_queue(&scheduler, FULL_LSU, 161, 4)->arrival, 161, 0);
	full_scheduler_take(&scheduler, 162);
	assert_float_equal(full_scheduler_queue(&scheduler, FULL_GLOBAL, 162, 4)->arrival, 165, 0);
	full_scheduler_turn(&scheduler, 163, 4);
	full_scheduler_take(&scheduler, 170);
	assert_float_equal(full_scheduler_queue(&scheduler, FULL_GLOBAL, 164, 4)->arrival, 173, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_yields), cmocka_unit_test(test_restart),
		cmocka_unit_test(test_accesses),   cmocka_unit_test(test_queue),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
