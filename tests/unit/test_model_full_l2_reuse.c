/* What a launch that has fetched all once finds in the L2: sets that it walks by turns, as Nsight Compute counts them;
 * what comes by the way; what many waves fetch again, and wait for. */
#include "model/cost/full/launch/launch.h"
#include "model/cost/full/traffic/traffic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define BUFFERS 2
#define MIB (1 << 20)

/* Two loads, each of a buffer of its own. */
struct walk {
	struct arena *arena;
	struct full_machine machine;
	struct ptx_function function;
	struct insn_totals totals[BUFFERS];
	struct evaluation evaluation;
	struct full_work work;
	struct full_share shares[2][BUFFERS];
	double touched[BUFFERS + 1];
	struct full_traffic traffic;
	struct full_insn_run insns[BUFFERS];
	struct full_run run;
};

/* Of so many bytes each, fetched in that proportion by the first run; all blocks of the SM are there from the
 * beginning, or not. */
static void walk_make(struct walk *walk, double first, double second, double first_far, double second_far,
                      uint64_t blocks)
{
	struct diagnostics diagnostics;
	*walk = (struct walk){.arena = arena_create()};
	diagnostics_init(&diagnostics, walk->arena);
	full_machine_read(machine_load(walk->arena, "h200", &diagnostics), &(struct full_streams){2048, 1},
	                  &walk->machine);
	walk->function.insn_count = BUFFERS;
	walk->evaluation.insns = walk->totals;
	walk->totals[1].buffer = 1;
	walk->work = (struct full_work){.machine = &walk->machine,
	                                .function = &walk->function,
	                                .evaluation = &walk->evaluation,
	                                .buffer_count = BUFFERS,
	                                .resident = 8,
	                                .blocks = blocks,
	                                .active = 132};
	for (unsigned i = 0; i < BUFFERS; i++)
		walk->shares[0][i] = (struct full_share){.first = 0.125, .wait = 0.875};
	walk->touched[0] = first;
	walk->touched[1] = second;
	walk->traffic = (struct full_traffic){.shares = {walk->shares[0], walk->shares[1]},
	                                      .touched = walk->touched,
	                                      .touched_bytes = first + second,
	                                      .buffer_count = BUFFERS};
	walk->insns[0].far = first_far;
	walk->insns[1].far = second_far;
	walk->run.insns = walk->insns;
}

/* Share of the first buffer that is lost, by what is fetched and by what is waited for, which must agree. */
static double lost_of(struct walk *walk, double block_bytes)
{
	bool all = full_l2_reuse_shares(walk->arena, &walk->work, block_bytes, &walk->run, &walk->traffic);
	const struct full_share *cold = &walk->shares[0][0], *warm = &walk->shares[1][0];
	double lost = warm->first / cold->first;
	assert_true(fabs(warm->wait / cold->wait - lost) < 1e-9);
	assert_true(!all || lost == 0);
	return lost;
}

/* benchmarks/measured/again-h200.csv, by another SM each time. */
static void test_turns(void **state)
{
	static const double counted[][2] = {{16, 0},    {28, 0},    {40, 0.21}, {48, 0.42},
	                                    {52, 0.54}, {60, 0.79}, {64, 0.86}, {80, 0.97}};
	(void)state;
	for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
		struct walk walk;
		walk_make(&walk, counted[i][0] * MIB, 0, 1, 0, 8);
		double lost = lost_of(&walk, 0);
		if (fabs(lost - counted[i][1]) > 0.06)
			fail_msg("%g MiB: %g lost, %g counted", counted[i][0], lost, counted[i][1]);
		arena_release(walk.arena);
	}
}

/* Another buffer takes as much of the L2 as is fetched of it while this one is gone through once. */
static void test_beside(void **state)
{
	struct walk walk;
	(void)state;
	walk_make(&walk, 26 * MIB, 26 * MIB, 1000, 1, 8);
	assert_true(lost_of(&walk, 0) == 0);
	arena_release(walk.arena);
	walk_make(&walk, 26 * MIB, 26 * MIB, 1, 1, 8);
	assert_true(fabs(lost_of(&walk, 0) - 0.5) < 0.06);
	arena_release(walk.arena);
}

/* Many waves: the share of the L2 is kept; what is lost is waited for by all that follow while it is still there for
 * them, and fetched by each where it is not. */
static void test_waves(void **state)
{
	struct walk walk;
	(void)state;
	walk_make(&walk, 4 * 60.0 * MIB, 0, 1, 0, 1000);
	walk.shares[0][0].near = 132;
	assert_true(fabs(lost_of(&walk, 60.0 * MIB) - 0.75) < 1e-6);
	full_l2_reuse_shares(walk.arena, &walk.work, 1e12, &walk.run, &walk.traffic);
	assert_true(walk.shares[1][0].first > 0.99 && walk.shares[1][0].first + walk.shares[1][0].wait <= 1);
	arena_release(walk.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_turns), cmocka_unit_test(test_beside),
	                                   cmocka_unit_test(test_waves)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
