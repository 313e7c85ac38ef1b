/* Requests of several SMs that become one, against what was measured (benchmarks/measured/meeting-h200.csv). */
#include "model/cost/full/traffic/traffic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define SECTORS 0xf
#define REQUESTS 2000

/* A launch of blocks of one warp, so many on an SM, of one instruction. */
struct lone {
	struct full_machine machine;
	struct full_share share;
	struct full_traffic traffic;
	struct ptx_function function;
	struct full_work work;
	struct evaluation evaluation;
	struct full_insn_run runs[2];
	struct full_run run;
};

static void lone_fill(struct arena *arena, struct lone *lone, unsigned resident, double joined, double dram)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	const struct machine *read = machine_load(arena, "h200", &diagnostics);
	assert_non_null(read);
	*lone = (struct lone){.share = {.first = dram, .joined = joined}};
	full_machine_read(read, &(struct full_streams){2048, 1}, &lone->machine);
	lone->function.insn_count = 1;
	lone->traffic.shares[0] = lone->traffic.shares[1] = &lone->share;
	lone->run = (struct full_run){.insns = lone->runs, .issued = 1};
	lone->work = (struct full_work){.machine = &lone->machine,
	                                .function = &lone->function,
	                                .evaluation = &lone->evaluation,
	                                .traffic = &lone->traffic,
	                                .warps = 1,
	                                .resident = resident,
	                                .step = 1,
	                                .active = lone->machine.sms};
}

static void assert_close(double value, double expected, double margin)
{
	if (fabs(value - expected) > margin)
		fail_msg("%g instead of %g", value, expected);
}

/* Requests of so many SMs, each so many before the next one, of which block 66's is one: what all of them together
 * send, as a share. */
static double sent_by(unsigned count, unsigned apart, struct full_share *share)
{
	struct arena *arena = arena_create();
	struct lone lone;
	uint64_t sms[FULL_SMS / 64] = {0};
	lone_fill(arena, &lone, 1, 0, 0);
	for (unsigned i = 0; i < count; i++) {
		unsigned sm = 66 + i / 2 * apart;
		if (i % 2)
			sm = 66 - (i + 1) / 2 * apart;
		sms[sm / 64] |= UINT64_C(1) << sm % 64;
	}
	*share = (struct full_share){0};
	full_merging_share(&lone.work, 66, sms, sms, share);
	arena_release(arena);
	return 1 - share->joined;
}

/* All SMs send 34 to 36 requests of 132; one alone sends its own, and so do those of different GPCs. */
static void test_groups(void **state)
{
	struct full_share share;
	(void)state;
	assert_close(sent_by(1, 1, &share), 1, 0);
	assert_close(share.both, 0, 0);
	assert_close(sent_by(131, 1, &share), 34.7 / 132, 0.02);
	assert_close(share.both, 1 - exp2(-8), 0.01);
	assert_close(sent_by(7, 17, &share), 1, 0);
	assert_close(share.both, 1 - exp2(-6), 0.02);
	assert_true(sent_by(4, 1, &share) < 0.5);
}

/* What two SMs send together, the second one so much later, over what one does. */
static double sent_late(double delay, double dram)
{
	struct arena *arena = arena_create();
	struct lone lone;
	lone_fill(arena, &lone, 2, 0.5, dram);
	struct full_merging *meeting = full_merging_make(arena, &lone.work);
	for (unsigned i = 0; i < REQUESTS; i++) {
		full_merging_step(meeting, 0, i, i * 3000.0);
		full_merging_step(meeting, 1, i, i * 3000.0 + delay);
		full_merging_ask(meeting, 0, i, SECTORS, i * 3000.0);
	}
	lone.runs[0].missed = 4.0 * REQUESTS;
	full_merging_finish(meeting, &lone.run);
	double sent = 2 * lone.runs[0].sent / lone.runs[0].missed;
	arena_release(arena);
	return sent;
}

static void test_late(void **state)
{
	static const struct {
		double delay, in_l2, in_dram;
	} measured[] = {{0, 1, 1},      {40, 1.02, 1},  {140, 1.51, 1}, {220, 1.55, 1},
	                {300, 2, 1.02}, {450, 2, 1.46}, {700, 2, 1.95}};
	(void)state;
	for (unsigned i = 0; i < ARRAY_COUNT(measured); i++) {
		assert_close(sent_late(measured[i].delay, 0), measured[i].in_l2, 0.06);
		assert_close(sent_late(measured[i].delay, 1), measured[i].in_dram, 0.06);
	}
}

/* Of a line that is read in so many parts, so many cycles after each other, what four SMs send over what they ask for;
 * every so many requests one for data of its own. */
static double sent_in_parts(unsigned parts, double apart, double dram, unsigned own)
{
	struct arena *arena = arena_create();
	struct lone lone;
	struct full_share shares[2] = {{.first = dram, .joined = 0.75}, {.first = dram}};
	lone_fill(arena, &lone, 1, 0, 0);
	lone.traffic.shares[0] = shares;
	lone.function.insn_count = 2;
	struct full_merging *meeting = full_merging_make(arena, &lone.work);
	for (unsigned i = 0; i < REQUESTS; i++) {
		full_merging_step(meeting, 0, i, i * apart);
		full_merging_ask(meeting, 0, i / parts, (uint8_t)(1u << i % parts), i * apart);
		if (own && i % own == 0)
			full_merging_ask(meeting, 1, REQUESTS + i, SECTORS, i * apart);
	}
	lone.runs[0].missed = REQUESTS;
	full_merging_finish(meeting, &lone.run);
	double sent = lone.runs[0].sent / lone.runs[0].missed;
	arena_release(arena);
	return sent;
}

static void test_parts(void **state)
{
	(void)state;
	assert_close(sent_in_parts(1, 1600, 1, 0), 0.262, 0.02);
	assert_close(sent_in_parts(1, 1600, 0, 0), 0.259, 0.02);
	assert_close(sent_in_parts(4, 1600, 1, 0), 0.262, 0.02);
	assert_close(sent_in_parts(4, 1600, 0, 0), 0.6, 0.1);
	assert_close(sent_in_parts(4, 4, 1, 0), 1, 0);
	assert_close(sent_in_parts(1, 1600, 0, 1), 1, 0.02);
	assert_close(sent_in_parts(1, 1600, 0, 64), 0.95, 0.06);
	assert_close(sent_in_parts(1, 1600, 1, 16), 0.28, 0.03);
}

/* Two blocks that are further apart the longer they run: what is left of the joining in a launch that is so many times
 * as long as the run. */
static double sent_drifting(double longer)
{
	struct arena *arena = arena_create();
	struct lone lone;
	lone_fill(arena, &lone, 2, 0.5, 1);
	lone.evaluation.warp_instructions = longer * lone.work.active;
	struct full_merging *meeting = full_merging_make(arena, &lone.work);
	for (unsigned i = 0; i < REQUESTS; i++) {
		full_merging_step(meeting, 0, i, i * 3000.0);
		full_merging_step(meeting, 1, i, i * 3000.0 + (i < REQUESTS / 2 ? 450 : 600));
		full_merging_ask(meeting, 0, i, SECTORS, i * 3000.0);
	}
	lone.runs[0].missed = 4.0 * REQUESTS;
	full_merging_finish(meeting, &lone.run);
	double sent = lone.runs[0].sent / lone.runs[0].missed;
	arena_release(arena);
	return sent;
}

static void test_drift(void **state)
{
	const double run = (0.54 + 0.13) / 2;
	(void)state;
	assert_close(sent_drifting(1), 1 - 0.5 * run, 0.01);
	assert_close(sent_drifting(16), 1 - 0.5 * run / 4, 0.01);
}

/* Where nobody has measured what joins, nothing does. */
static void test_not_measured(void **state)
{
	struct arena *arena = arena_create();
	struct lone lone;
	(void)state;
	lone_fill(arena, &lone, 2, 0.75, 1);
	lone.machine.meeting_l2 = NULL;
	struct full_merging *meeting = full_merging_make(arena, &lone.work);
	full_merging_step(meeting, 0, 0, 0);
	full_merging_ask(meeting, 0, 0, SECTORS, 0);
	lone.runs[0].missed = 4;
	full_merging_finish(meeting, &lone.run);
	assert_close(lone.runs[0].sent, 4, 0);
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_groups), cmocka_unit_test(test_late),         cmocka_unit_test(test_parts),
		cmocka_unit_test(test_drift),  cmocka_unit_test(test_not_measured),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
