/* The baselines' equations, by hand on machines of round numbers. */
#include "model/cost/baselines/baselines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

/* 10 SMs of 4 schedulers at 1 GHz: 40 instructions a cycle; 1000 bytes a cycle from L2, 100 from DRAM read, 50 written.
 */
static struct machine round_machine(void)
{
	struct machine machine = {0};
	machine.sm_count.value = 10;
	machine.sm_clock_hz.value = 1e9;
	machine.sm_schedulers.value = 4;
	machine.sm_issue_per_scheduler.value = 1;
	machine.lanes_fp32.value = 128;
	machine.lanes_fp64.value = 2;
	machine.lanes_int_add.value = machine.lanes_int_multiply.value = machine.lanes_int_shift_compare.value = 64;
	machine.lanes_sfu.value = machine.lanes_conversion.value = 16;
	machine.lanes_shuffle.value = machine.lanes_load_store.value = 32;
	machine.l2_bandwidth_bytes_per_second.value = 1000e9;
	machine.dram_read_bandwidth_bytes_per_second.value = 100e9;
	machine.dram_write_bandwidth_bytes_per_second.value = 50e9;
	return machine;
}

static double limit_of(const struct estimate *estimate, const char *name)
{
	for (unsigned l = 0; l < estimate->limit_count; l++)
		if (strcmp(estimate->limits[l].name, name) == 0)
			return estimate->limits[l].cycles;
	fail_msg("no limit %s", name);
	return 0;
}

static void assert_near(double value, double wanted)
{
	if (value < wanted * (1 - 1e-9) || value > wanted * (1 + 1e-9))
		fail_msg("%.12g is not %.12g", value, wanted);
}

/* Reading takes 2000 cycles and writing 1000: 3000. 5120 flops at 2560 a cycle: 2; 80 at 40: 2. */
static void test_roofline(void **state)
{
	struct arena *arena = arena_create();
	struct machine machine = round_machine();
	struct baseline_tally tally = {
		.flops_single = 5120, .flops_double = 80, .dram_read_bytes = 200000, .dram_write_bytes = 50000};
	struct estimate estimate = {0};
	(void)state;
	baseline_roofline_limits(arena, &machine, &tally, &estimate);
	assert_near(limit_of(&estimate, "dram"), 3000);
	assert_near(limit_of(&estimate, "fp32"), 2);
	assert_near(limit_of(&estimate, "fp64"), 2);
	arena_release(arena);
}

/* Each resource alone. */
static void test_bounds(void **state)
{
	struct arena *arena = arena_create();
	struct machine machine = round_machine();
	struct baseline_tally tally = {
		.instructions = 4000, .l1_cycles = 700, .l2_sectors = 1000, .dram_read_bytes = 100};
	struct estimate estimate = {0};
	(void)state;
	tally.units[UNIT_FP32] = 400;
	tally.units[UNIT_SFU] = 50;
	tally.units[UNIT_LOAD_STORE] = 20;
	tally.units[UNIT_MOVE] = 1e6;
	baseline_bounds_limits(arena, &machine, &tally, &estimate);
	assert_near(limit_of(&estimate, "issue"), 100);
	assert_near(limit_of(&estimate, "fp32"), 10);
	assert_near(limit_of(&estimate, "special"), 10);
	assert_near(limit_of(&estimate, "lsu"), 2);
	assert_true(limit_of(&estimate, "fp64") == 0);
	assert_near(limit_of(&estimate, "l1"), 70);
	assert_near(limit_of(&estimate, "l2"), 32);
	assert_near(limit_of(&estimate, "dram"), 1);
	arena_release(arena);
}

/* 8 warps an SM, 2 times 10 SMs of 2 blocks; memory 400 cycles, a coalesced access leaves each 4, an uncoalesced one's
 * transactions each 1. */
static struct baseline_hong_kim hong_kim_example(void)
{
	return (struct baseline_hong_kim){.active_warps = 8,
	                                  .blocks = 40,
	                                  .active_blocks = 2,
	                                  .active_sms = 10,
	                                  .instructions = 40,
	                                  .coalesced = 2,
	                                  .transactions = 1,
	                                  .load_bytes = 128,
	                                  .issue_cycles = 0.25,
	                                  .memory_latency = 400,
	                                  .departure_coalesced = 4,
	                                  .departure_uncoalesced = 1,
	                                  .bytes_per_cycle = 1000};
}

/*
 * Comp 10, Mem 800, CWP min(81, 8) = 8; MWP min(100, 8, 1000 / (0.32 * 10) = 312) = 8: equation 22: 800 + 10 + 10 / 2 *
 * 7 = 845, twice.
 */
static void test_hong_kim_enough_of_both(void **state)
{
	struct baseline_hong_kim model = hong_kim_example();
	(void)state;
	assert_near(baseline_hong_kim_cycles(&model), 2 * 845);
}

/* 6.4 bytes a cycle: MWP = 6.4 / 3.2 = 2 < CWP = 8: equation 23: 800 * 8 / 2 + 10 / 2 * 1 = 3205, twice; with a barrier
 * 4 * 1 * 1 * 2 more. */
static void test_hong_kim_bandwidth(void **state)
{
	struct baseline_hong_kim model = hong_kim_example();
	(void)state;
	model.bytes_per_cycle = 6.4;
	assert_near(baseline_hong_kim_cycles(&model), 2 * 3205);
	model.barriers = 1;
	assert_near(baseline_hong_kim_cycles(&model), 2 * 3213);
}

/* 1600 instructions: Comp 400, CWP (800 + 400) / 400 = 3 < MWP 8, Comp < Mem: equation 24: 400 + 400 * 8 = 3600, twice.
 */
static void test_hong_kim_computing(void **state)
{
	struct baseline_hong_kim model = hong_kim_example();
	(void)state;
	model.instructions = 1600;
	assert_near(baseline_hong_kim_cycles(&model), 2 * 3600);
}

/*
 * Two uncoalesced accesses of 32 transactions: Mem_L 431, departure 32, MWP min(431 / 32, 8) = 8; Mem 862, Comp 10, CWP
 * 8: 862 + 10 + 5 * 7 = 907, twice.
 */
static void test_hong_kim_uncoalesced(void **state)
{
	struct baseline_hong_kim model = hong_kim_example();
	(void)state;
	model.coalesced = 0;
	model.uncoalesced = 2;
	model.transactions = 32;
	assert_near(baseline_hong_kim_cycles(&model), 2 * 907);
}

/* No memory instruction: 10 cycles of each of 8 warps, twice; and no launch repeats less than once. */
static void test_hong_kim_edges(void **state)
{
	struct baseline_hong_kim model = hong_kim_example();
	(void)state;
	model.coalesced = 0;
	assert_near(baseline_hong_kim_cycles(&model), 2 * 80);
	model.blocks = 3;
	assert_near(baseline_hong_kim_cycles(&model), 80);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_roofline),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_hong_kim_enough_of_both),
		cmocka_unit_test(test_hong_kim_bandwidth),
		cmocka_unit_test(test_hong_kim_computing),
		cmocka_unit_test(test_hong_kim_uncoalesced),
		cmocka_unit_test(test_hong_kim_edges),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
