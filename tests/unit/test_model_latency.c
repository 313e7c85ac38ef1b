/* Eqs. 4 to 8 against numbers that Table 4.2 of the thesis gives away. */
#include "model/cost/parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>

static struct machine thesis_machine(void)
{
	struct machine machine = {0};
	machine.l2_hit_latency_cycles.value = 194;
	machine.dram_latency_added_cycles.value = 285;
	machine.l2_transaction_delay_cycles.value = 8;
	machine.dram_transaction_delay_cycles.value = 3;
	machine.l2_line_bytes.value = 128;
	return machine;
}

static void near(double value, double expected, double tolerance)
{
	if (fabs(value - expected) > tolerance)
		fail_msg("%.10g is not %.10g", value, expected);
}

/* IDW: three broadcast reads that do not overlap; the hit rate is 1 - 4/128 apart and 1 - 12/128 together. Table 4.2
 * has the whole kernel: 0.01 % more. */
static void test_idw_columns(void **state)
{
	struct machine machine = thesis_machine();
	struct warp_access soa = {1, 1 - 4 / 128.0}, aos = {1, 1 - 12 / 128.0};
	(void)state;
	near(3 * cost_access_latency(&machine, &soa, NULL), 638328387 / (1024.0 * 1024), 0.07);
	near(3 * cost_access_latency(&machine, &aos, NULL), 694375246 / (1024.0 * 1024), 0.07);
}

/* SYR2K: two reads and writes of C that hit, and a chain with T = 1, 32, 1, 32: 857.594 cycles. */
static void test_syr2k_body(void **state)
{
	struct machine machine = thesis_machine();
	struct warp_access c = {1, 1};
	struct warp_access near_row = {1, 1 - 4 / 128.0}, far_row = {32, 1 - 4 / 128.0};
	const struct warp_access *chain[] = {&near_row, &far_row, &near_row, &far_row}, *previous = NULL;
	double cycles = 2 * cost_access_latency(&machine, &c, NULL);
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		cycles += cost_access_latency(&machine, chain[i], previous);
		previous = chain[i];
	}
	near(cycles, 857.594, 0.001);
}

/* 2MM: A and B in a chain, C read and written. */
static void test_2mm_body(void **state)
{
	struct machine machine = thesis_machine();
	struct warp_access c = {1, 1}, a = {1, 1 - 4 / 128.0};
	double cycles = 2 * cost_access_latency(&machine, &c, NULL) + cost_access_latency(&machine, &a, NULL) +
	                cost_access_latency(&machine, &a, &a);
	(void)state;
	near(cycles, 3 * 194 + 8 + (285 - 5) / 32.0, 0.001);
}

static void test_transactions(void **state)
{
	struct machine machine = thesis_machine();
	uint64_t address[WARP_LANES];
	static const struct {
		unsigned stride, bytes, expected;
	} rows[] = {
		{0, 4, 1}, {4, 4, 1}, {8, 4, 2}, {12, 4, 3}, {16, 16, 4}, {128, 4, 32}, {4096, 4, 32}, {20, 4, 5},
	};
	(void)state;
	for (unsigned r = 0; r < ARRAY_COUNT(rows); r++) {
		for (unsigned lane = 0; lane < WARP_LANES; lane++)
			address[lane] = 4096 + (uint64_t)lane * rows[r].stride;
		assert_int_equal((int)cost_warp_transactions(&machine, address, UINT32_MAX, rows[r].bytes),
		                 (int)rows[r].expected);
		for (unsigned lane = 0; lane < WARP_LANES; lane++)
			address[lane] += 60;
		assert_int_equal((int)cost_warp_transactions(&machine, address, UINT32_MAX, rows[r].bytes),
		                 (int)rows[r].expected);
	}
	assert_int_equal((int)cost_warp_transactions(&machine, address, 0, 4), 1);
	assert_int_equal((int)cost_warp_transactions(&machine, address, 5, 4), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_idw_columns),
		cmocka_unit_test(test_syr2k_body),
		cmocka_unit_test(test_2mm_body),
		cmocka_unit_test(test_transactions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
