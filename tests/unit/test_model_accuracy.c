/* The five figures: worked out by hand, and against another way to count. */
#include "model/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>

#define NEAR 1e-12

static void assert_near(double have, double want)
{
	if (!(fabs(have - want) <= NEAR * (1 + fabs(want))))
		fail_msg("%.17g instead of %.17g", have, want);
}

static struct judged_case judged(const double *predicted, const double *measured, unsigned count, unsigned recommended)
{
	return (struct judged_case){predicted, measured, count, recommended};
}

static void test_regret(void **state)
{
	const double predicted[] = {1, 2, 3, 4}, measured[] = {1.2, 1, 1.5, 4};
	struct judged_case first = judged(predicted, measured, 4, 0), best = judged(predicted, measured, 4, 1);
	(void)state;
	assert_near(measure_regret(&first), 0.2);
	assert_near(measure_regret(&best), 0);
}

/* 3 per cent, but 8 where the fastest layout takes less than 20 microseconds. */
static void test_pick(void **state)
{
	const double predicted[] = {1, 1, 1, 1};
	const double slow[] = {100e-6, 102.9e-6, 103.1e-6, 108e-6}, fast[] = {19e-6, 20.5e-6, 20.6e-6, 19.5e-6};
	const bool slow_right[] = {true, true, false, false}, fast_right[] = {true, true, false, true};
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct judged_case a = judged(predicted, slow, 4, i), b = judged(predicted, fast, 4, i);
		assert_int_equal(measure_pick_is_right(&a), slow_right[i]);
		assert_int_equal(measure_pick_is_right(&b), fast_right[i]);
	}
}

static double rank_of(const double *predicted, const double *measured, unsigned count)
{
	struct judged_case both = judged(predicted, measured, count, 0);
	return measure_rank(&both);
}

static void test_rank_without_ties(void **state)
{
	const double up[] = {1, 2, 3, 4}, down[] = {4, 3, 2, 1}, one_swap[] = {2, 1, 3, 4};
	(void)state;
	assert_near(rank_of(up, up, 4), 1);
	assert_near(rank_of(up, down, 4), -1);
	assert_near(rank_of(up, one_swap, 4), 4.0 / 6);
}

/* 100 and 102 are a tie: five pairs of six have an order, all five agree. */
static void test_rank_with_ties(void **state)
{
	const double up[] = {1, 2, 3, 4}, tied[] = {100, 102, 150, 200}, flat[] = {100, 101, 102, 103};
	(void)state;
	assert_near(rank_of(up, tied, 4), 5 / sqrt(6 * 5));
	assert_near(rank_of(tied, up, 4), 5 / sqrt(6 * 5));
	assert_near(rank_of(tied, tied, 4), 1);
	assert_near(rank_of(flat, flat, 4), 1);
	assert_near(rank_of(flat, up, 4), 0);
	assert_near(rank_of(up, flat, 4), 0);
}

static void test_tie_is_three_per_cent(void **state)
{
	const double two[] = {1, 2}, inside[] = {100, 102.99}, outside[] = {100, 103.01};
	(void)state;
	assert_near(rank_of(two, inside, 2), 0);
	assert_near(rank_of(two, outside, 2), 1);
}

/*
 * Ratios of the first case: predicted 2/3, measured 2/4, error ln(4/3); of the second: predicted 1/1, measured 1/2,
 * ln 2. Time errors: 0, 1/4, 0, 1/2.
 */
static void test_errors_are_medians(void **state)
{
	const double predicted_a[] = {2, 3}, measured_a[] = {2, 4}, predicted_b[] = {1, 1}, measured_b[] = {1, 2};
	const struct judged_case cases[] = {judged(predicted_a, measured_a, 2, 0),
	                                    judged(predicted_b, measured_b, 2, 1)};
	struct arena *arena = arena_create();
	struct accuracy accuracy = measure_accuracy(arena, cases, 2);
	(void)state;
	assert_int_equal(accuracy.cases, 2);
	assert_near(accuracy.ratio_error, (log(4.0 / 3) + log(2)) / 2);
	assert_near(accuracy.time_error, (0 + 0.25) / 2);
	assert_near(accuracy.pick, 0.5);
	assert_near(accuracy.regret, 0.5);
	assert_near(accuracy.worst_regret, 1);
	assert_near(accuracy.rank, 0.5);
	arena_release(arena);
}

static void test_ratio_rms_error(void **state)
{
	const double predicted[] = {1.03, 0.96}, published[] = {1, 1}, doubled[] = {2.06, 1.92}, two[] = {2, 2};
	(void)state;
	assert_near(measure_rms_error(predicted, published, 2), sqrt((0.03 * 0.03 + 0.04 * 0.04) / 2));
	assert_near(measure_rms_error(doubled, two, 2), measure_rms_error(predicted, published, 2));
	assert_true(isnan(measure_rms_error(predicted, published, 0)));
}

static void test_no_cases(void **state)
{
	struct arena *arena = arena_create();
	struct accuracy accuracy = measure_accuracy(arena, NULL, 0);
	(void)state;
	assert_int_equal(accuracy.cases, 0);
	assert_true(isnan(accuracy.pick) && isnan(accuracy.regret) && isnan(accuracy.worst_regret) &&
	            isnan(accuracy.rank));
	assert_true(isnan(accuracy.ratio_error) && isnan(accuracy.time_error));
	arena_release(arena);
}

/* ---- another way to count ------------------------------------------------------------- */

static double random_time(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return 1 + 0.01 * (double)(*state >> 60);
}

/* Textbook form: (concordant - discordant) / sqrt((all - tied in one) * (all - tied in the other)). */
static double rank_by_counting(const double *x, const double *y, unsigned n)
{
	int concordant = 0, discordant = 0, tied_x = 0, tied_y = 0, all = (int)(n * (n - 1) / 2);
	for (unsigned i = 0; i < n; i++) {
		for (unsigned j = 0; j < i; j++) {
			bool tie_x = fmax(x[i] / x[j], x[j] / x[i]) <= 1.03,
			     tie_y = fmax(y[i] / y[j], y[j] / y[i]) <= 1.03;
			tied_x += tie_x;
			tied_y += tie_y;
			concordant += !tie_x && !tie_y && (x[i] < x[j]) == (y[i] < y[j]);
			discordant += !tie_x && !tie_y && (x[i] < x[j]) != (y[i] < y[j]);
		}
	}
	if (tied_x == all || tied_y == all)
		return tied_x == tied_y;
	return (concordant - discordant) / sqrt((double)(all - tied_x) * (all - tied_y));
}

/* The value with as many others below as above, by counting for each. */
static double median_by_counting(const double *values, unsigned n)
{
	double low = NAN, high = NAN;
	for (unsigned i = 0; i < n; i++) {
		unsigned below = 0, equal = 0;
		for (unsigned j = 0; j < n; j++) {
			below += values[j] < values[i];
			equal += values[j] == values[i];
		}
		if (below <= (n - 1) / 2 && (n - 1) / 2 < below + equal)
			low = values[i];
		if (below <= n / 2 && n / 2 < below + equal)
			high = values[i];
	}
	return (low + high) / 2;
}

#define LAYOUTS 5
#define CASES 7

static void test_random_cases(void **state)
{
	double predicted[CASES][LAYOUTS], measured[CASES][LAYOUTS], errors[CASES * LAYOUTS];
	struct judged_case cases[CASES];
	struct arena *arena = arena_create();
	uint64_t seed = 1;
	(void)state;
	for (unsigned round = 0; round < 200; round++) {
		unsigned layouts = 2 + round % (LAYOUTS - 1), error_count = 0;
		double rank = 0;
		for (unsigned c = 0; c < CASES; c++) {
			for (unsigned l = 0; l < layouts; l++) {
				predicted[c][l] = random_time(&seed);
				measured[c][l] = random_time(&seed);
				errors[error_count++] = fabs(predicted[c][l] / measured[c][l] - 1);
			}
			cases[c] = judged(predicted[c], measured[c], layouts, c % layouts);
			rank += rank_by_counting(predicted[c], measured[c], layouts) / CASES;
		}
		struct accuracy accuracy = measure_accuracy(arena, cases, CASES);
		assert_near(accuracy.rank, rank);
		assert_near(accuracy.time_error, median_by_counting(errors, error_count));
	}
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_regret),
		cmocka_unit_test(test_pick),
		cmocka_unit_test(test_rank_without_ties),
		cmocka_unit_test(test_rank_with_ties),
		cmocka_unit_test(test_tie_is_three_per_cent),
		cmocka_unit_test(test_errors_are_medians),
		cmocka_unit_test(test_ratio_rms_error),
		cmocka_unit_test(test_no_cases),
		cmocka_unit_test(test_random_cases),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
