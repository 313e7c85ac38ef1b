/* What the slowest of many takes: sums of exponential numbers against draws of them; loads while DRAM is busy; lines
 * near each other. */
#include "model/cost/full/launch/launch.h"
#include "model/cost/full/dram_latency.h"
#include "model/cost/full/traffic/traffic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define DRAWS 400

static const struct machine *load(struct arena *arena)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	const struct machine *machine = machine_load(arena, "h200", &diagnostics);
	assert_non_null(machine);
	return machine;
}

static void assert_near(double got, double expected, double share)
{
	if (!(fabs(got - expected) <= share * fabs(expected)))
		fail_msg("%g, not %g", got, expected);
}

/* Of (0, 1). */
static double drawn(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return ((double)(*seed >> 11) + 0.5) / 9007199254740992.0;
}

static double largest_by_hand(unsigned count, unsigned n)
{
	uint64_t seed = count * 1000003u + n;
	double mean = 0;
	for (unsigned d = 0; d < DRAWS; d++) {
		double most = 0;
		for (unsigned i = 0; i < n; i++) {
			double sum = 0;
			for (unsigned k = 0; k < count; k++)
				sum -= log(drawn(&seed));
			most = fmax(most, sum);
		}
		mean += most / DRAWS;
	}
	return mean;
}

static void test_largest_sum(void **state)
{
	static const unsigned counts[] = {1, 2, 5, 20, 100}, numbers[] = {8, 64, 132, 528};
	(void)state;
	for (unsigned c = 0; c < ARRAY_COUNT(counts); c++)
		for (unsigned n = 0; n < ARRAY_COUNT(numbers); n++)
			assert_near(full_largest_sum(counts[c], numbers[n]), largest_by_hand(counts[c], numbers[n]),
			            0.06);
	assert_near(full_largest_sum(1, 132 * 64) - full_largest_sum(1, 64), log(132), 0.12);
}

/* As measured beside what only reads, copies and writes, and between them. */
static void test_busy(void **state)
{
	struct arena *arena = arena_create();
	const struct machine *machine = load(arena);
	struct full_machine numbers;
	struct full_busy_table busy;
	full_machine_read(machine, &(struct full_streams){2048, 4}, &numbers);
	full_busy_make(&numbers, &busy);
	(void)state;
	const struct machine_table *wait = machine_table_find(machine, "loaded.copy_wait_cycles"),
				   *spread = machine_table_find(machine, "loaded.copy_spread_cycles");
	double most = numbers.dram_rate[2][FULL_WIDTHS - 1] * numbers.clock_hz;
	for (double loaded = 0.1; loaded < 0.9; loaded += 0.1) {
		struct full_busy copy = full_busy_at(&busy, loaded, 0.5), more = full_busy_at(&busy, loaded, 0.75),
				 write = full_busy_at(&busy, loaded, 1), read = full_busy_at(&busy, loaded, 0);
		assert_near(copy.wait, machine_table_at(wait, loaded * most), 0.05);
		assert_near(copy.spread, machine_table_at(spread, loaded * most), 0.05);
		assert_near(more.wait, (copy.wait + write.wait) / 2, 1e-6);
		assert_true(read.wait < copy.wait && read.spread < copy.spread && read.apart < copy.apart);
	}
	assert_near(full_busy_at(&busy, 0, 0).wait, 0, 1e-9);
	assert_near(full_busy_at(&busy, 7, 0.5).wait, full_busy_at(&busy, 1, 0.5).wait, 1e-9);
	arena_release(arena);
}

/* By how much the later of two lines so far apart comes after either. */
static double pair_longer(struct arena *arena, uint64_t apart_lines, double apart)
{
	enum { PAIRS = 20000 };
	struct full_dram_latency *slower = full_dram_latency_make(arena, 100);
	double sum = 0;
	for (uint64_t i = 0; i < PAIRS; i++) {
		double time = (double)i * 1e6, first = full_dram_latency_line(slower, i * 4096, time, apart);
		sum += fmax(first, full_dram_latency_line(slower, i * 4096 + apart_lines, time, apart)) - first;
	}
	return sum / PAIRS;
}

/* Lines of 256 bytes are slow together; two blocks of them as often as was measured, by what apart_share was derived
 * from; lines far apart never. */
static void test_near_lines(void **state)
{
	struct arena *arena = arena_create();
	(void)state;
	assert_true(pair_longer(arena, 1, 0.5) == 0);
	for (double apart = 0.1; apart < 1; apart += 0.2)
		assert_near(pair_longer(arena, 2, apart), 0.5 * (1 - (1 - apart) * (1 - apart)), 0.08);
	assert_near(pair_longer(arena, 1000, 0), 0.5, 0.05);
	assert_true(pair_longer(arena, 8, 0.3) > 0 && pair_longer(arena, 8, 0.3) < 0.5);
	arena_release(arena);
}

/*
 * A launch of one block on each SM, whose warps wait so often for DRAM: what the largest of all warps' sums exceeds the
 * largest of an SM's by. None of it where DRAM is busy all the time, and no more than the last wait where blocks are
 * handed out.
 */
static void test_slowest(void **state)
{
	enum { WARPS = 8, WAITS = 100, TRIP = 700 };
	struct arena *arena = arena_create();
	const struct machine *machine = load(arena);
	struct full_machine numbers;
	(void)state;
	full_machine_read(machine, &(struct full_streams){2048, 4}, &numbers);
	struct ptx_function function = {.insn_count = 1};
	struct full_insn_run waited = {
		.sectors = 400, .missed = 400, .cycles = (double)WAITS * TRIP * WARPS * numbers.sms};
	struct full_work work = {
		.machine = &numbers, .function = &function, .active = numbers.sms, .resident = 1, .warps = WARPS};
	struct full_launch launch = {.insns = &waited};
	launch.run.cycles = WAITS * TRIP;
	launch.run.path = (struct full_path_counts){.trips = 1000, .far_trips = 1000, .trip_cycles = 1000.0 * TRIP};
	double sums = largest_by_hand(WAITS, WARPS * numbers.sms) - largest_by_hand(WAITS, WARPS);
	assert_near(full_imbalance_cycles(&work, &launch, 1, 3), numbers.dram_spread * sums, 0.1);
	launch.run.path.far_trips = 0;
	assert_true(full_imbalance_cycles(&work, &launch, 1, 3) == 0);
	launch.run.path.last = launch.run.cycles;
	assert_near(full_imbalance_cycles(&work, &launch, 4, 3), numbers.dram_spread * log(numbers.sms), 1e-9);
	launch.run.path.dram_busy = launch.run.cycles;
	assert_true(full_imbalance_cycles(&work, &launch, 1, 3) == 0);
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_largest_sum), cmocka_unit_test(test_busy),
	                                   cmocka_unit_test(test_near_lines), cmocka_unit_test(test_slowest)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
