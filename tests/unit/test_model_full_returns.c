/* Which of the loads that wait for data goes back first, and when, with loads made up here. */
#include "model/cost/full/sm/sm.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#define LATENCY 33
#define MOST 64

static void load_add(struct full_returns *returns, unsigned warp, double ready)
{
	struct full_return load = {
		.ready = ready + LATENCY, .latency = LATENCY, .passes = 1, .owner = {.warp = warp, .life = 1}};
	full_returns_add(returns, &load);
}

static void assert_goes(struct full_returns *returns, double time, unsigned warp)
{
	assert_true(full_returns_first(returns) <= time);
	assert_int_equal(full_returns_take(returns, time).owner.warp, warp);
}

/* Of those that have their data the first that was taken, whenever its data came. */
static void test_order(void **state)
{
	struct arena *arena = arena_create();
	struct full_returns *returns = full_returns_make(arena, MOST);
	(void)state;
	assert_true(isinf(full_returns_first(returns)));
	load_add(returns, 0, 100);
	load_add(returns, 1, 50);
	load_add(returns, 2, 50);
	load_add(returns, 3, 60);
	assert_float_equal(full_returns_first(returns), 50, 0);
	assert_goes(returns, 55, 1);
	assert_goes(returns, 60, 2);
	load_add(returns, 4, 60);
	assert_goes(returns, 100, 0);
	assert_goes(returns, 100, 3);
	assert_goes(returns, 100, 4);
	assert_int_equal(full_returns_count(returns), 0);
	arena_release(arena);
}

/* As many as there is room for, whose data come in any order: they go back in the order in which these come, as soon as
 * they do. */
static void test_many(void **state)
{
	struct arena *arena = arena_create();
	struct full_returns *returns = full_returns_make(arena, MOST);
	(void)state;
	for (unsigned round = 0; round < 3; round++) {
		for (unsigned i = 0; i < MOST; i++)
			load_add(returns, i, 1000 * round + i * 37 % MOST);
		for (unsigned i = 0; i < MOST; i++) {
			double first = full_returns_first(returns);
			assert_float_equal(first, 1000 * round + i, 0);
			struct full_return load = full_returns_take(returns, first);
			assert_int_equal(load.owner.warp * 37 % MOST, i);
			assert_float_equal(load.ready, first + LATENCY, 0);
		}
	}
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_many)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
