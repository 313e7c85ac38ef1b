/* Ranking, ties and recommendation. */
#include "model/cost/parts.h"
#include "model/predict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <limits.h>

static struct verdict rank(struct arena *arena, const double *times, unsigned count, unsigned written)
{
	static const unsigned rows[] = {0, 1, 2, 3};
	struct verdict verdict = {0};
	verdict_rank(arena, times, rows, count, written, &verdict);
	return verdict;
}

static void test_best_and_ties(void **state)
{
	struct arena *arena = arena_create();
	struct verdict verdict = rank(arena, (double[]){10, 8, 8.1, 9}, 4, 0);
	(void)state;
	assert_int_equal(verdict.best, 1);
	assert_int_equal(verdict.recommended, 1);
	assert_int_equal(verdict.tie_count, 1);
	assert_int_equal(verdict.ties[0], 2);
	arena_release(arena);
}

/* Nobody should rewrite code for two per cent. */
static void test_written_is_kept_in_a_tie(void **state)
{
	struct arena *arena = arena_create();
	struct verdict verdict = rank(arena, (double[]){8.1, 8, 20, 30}, 4, 0);
	(void)state;
	assert_int_equal(verdict.best, 1);
	assert_int_equal(verdict.recommended, 0);
	verdict = rank(arena, (double[]){8.2, 8, 20, 30}, 4, 0);
	assert_int_equal(verdict.recommended, 1);
	arena_release(arena);
}

static void test_written_layout_not_ranked(void **state)
{
	struct arena *arena = arena_create();
	struct verdict verdict = rank(arena, (double[]){3, 2}, 2, UINT_MAX);
	(void)state;
	assert_int_equal(verdict.written, UINT_MAX);
	assert_int_equal(verdict.recommended, 1);
	arena_release(arena);
}

static uint32_t address_mask(uint64_t address[WARP_LANES], unsigned stride, unsigned lanes)
{
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		address[lane] = (uint64_t)lane * stride;
	return lanes == WARP_LANES ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
}

static void test_coalescing_classes(void **state)
{
	uint64_t address[WARP_LANES];
	uint32_t mask = address_mask(address, 0, 32);
	(void)state;
	assert_int_equal(cost_coalescing_of(address, mask, 4, 1), BROADCAST);
	mask = address_mask(address, 4, 32);
	assert_int_equal(cost_coalescing_of(address, mask, 4, 4), COALESCED);
	mask = address_mask(address, 12, 32);
	assert_int_equal(cost_coalescing_of(address, mask, 4, 12), PARTIAL);
	mask = address_mask(address, 128, 32);
	assert_int_equal(cost_coalescing_of(address, mask, 4, 32), UNCOALESCED);
	mask = address_mask(address, 16, 32);
	assert_int_equal(cost_coalescing_of(address, mask, 16, 16), COALESCED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_best_and_ties),
		cmocka_unit_test(test_written_is_kept_in_a_tie),
		cmocka_unit_test(test_written_layout_not_ranked),
		cmocka_unit_test(test_coalescing_classes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
