/* What the L2 still has of sets asked for at random beside streams, and which stores become one, against brute force.
 */
#include "model/cost/full/run.h"
#include "model/cost/full/dram_latency.h"
#include "model/cost/full/traffic/traffic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static struct full_machine numbers(struct arena *arena, const char *name)
{
	struct diagnostics diagnostics;
	struct full_machine machine;
	diagnostics_init(&diagnostics, arena);
	const struct machine *read = machine_load(arena, name, &diagnostics);
	assert_non_null(read);
	full_machine_read(read, &(struct full_streams){2048, 1}, &machine);
	return machine;
}

/* ---- sets ------------------------------------------------------------------------------------- */

#define PLACES 1000 /* lines that are kept */
#define MOST_LINES 8000
#define ASKED 60000

/* Lines of a set asked for at random, and `streamed` lines that come once for each; the least recently used one goes.
 * Share of hits in the second half, by hand. */
static double hits_by_hand(unsigned lines, double streamed)
{
	static uint64_t
		stamp[MOST_LINES]; /* when last, in lines that came; a stack distance is counted in different ones */
	static uint64_t order[ASKED * 8];
	size_t length = 0;
	double owed = 0, hits = 0;
	memset(stamp, 0, sizeof stamp);
	for (unsigned i = 0; i < ASKED; i++) {
		unsigned line = (unsigned)(content_scramble(i) % lines);
		size_t distinct = 0;
		if (stamp[line])
			for (size_t at = length; at > stamp[line] && distinct <= PLACES; at--)
				distinct += order[at - 1] >= MOST_LINES || stamp[order[at - 1]] == at;
		bool hit = stamp[line] && distinct < PLACES;
		hits += hit && i >= ASKED / 2;
		order[length++] = line;
		stamp[line] = length;
		for (owed += streamed; owed >= 1; owed--)
			order[length++] = MOST_LINES + i;
	}
	return hits / (ASKED / 2.0);
}

static void test_held(void **state)
{
	static const unsigned sets[] = {400, 900, 1200, 2000, 4000};
	static const double streams[] = {0, 0.25, 1, 2};
	struct arena *arena = arena_create();
	struct full_machine machine = numbers(arena, "h200");
	(void)state;
	for (unsigned s = 0; s < ARRAY_COUNT(sets); s++)
		for (unsigned t = 0; t < ARRAY_COUNT(streams); t++) {
			double line = machine.l2_reach / PLACES, beside = streams[t] * sets[s] * line;
			double held = full_random_held(&machine, sets[s] * line, beside, false),
			       counted = hits_by_hand(sets[s], streams[t]);
			if (fabs(held - counted) > 0.02)
				fail_msg("%u lines, %g beside each: %g held, %g by hand", sets[s], streams[t], held,
				         counted);
		}
	arena_release(arena);
}

/* Of what is asked for evenly: as counted, by another SM each time (benchmarks/measured/again-h200.csv). */
static void test_even(void **state)
{
	static const double counted[][2] = {{32, 0.95}, {40, 0.79}, {52, 0.46}, {64, 0.14}};
	struct arena *arena = arena_create();
	struct full_machine machine = numbers(arena, "h200");
	(void)state;
	for (unsigned i = 0; i < ARRAY_COUNT(counted); i++) {
		double held = full_random_held(&machine, counted[i][0] * (1 << 20), 0, true);
		if (fabs(held - counted[i][1]) > 0.06)
			fail_msg("%g MiB: %g held, %g counted", counted[i][0], held, counted[i][1]);
	}
	assert_true(full_random_held(&machine, 16 << 20, 0, true) == 1 &&
	            full_random_held(&machine, 1e9, 0, true) == 0);
	arena_release(arena);
}

/* ---- stores of less than a word ----------------------------------------------------------------- */

/* Lines sent of stores to one line, one after the other: each letter is one of a word (w) or of less (b). */
static double sent_by(struct arena *arena, const struct full_machine *machine, const char *stores)
{
	struct full_stores *buffer = full_stores_make(arena, machine, 1 / machine->sms, NULL);
	for (unsigned i = 0; stores[i]; i++) {
		struct full_bytes bytes = {{UINT64_C(0xf) << 4 * i, 0}};
		full_stores_add(buffer, 7, &bytes, 0, stores[i] == 'b', i);
	}
	full_stores_finish(buffer);
	return full_stores_counts(buffer).lines;
}

/* As Nsight Compute counts them (benchmarks/measured/widths-h200.csv, one warp). */
static void test_widths(void **state)
{
	struct arena *arena = arena_create();
	struct full_machine machine = numbers(arena, "h200");
	(void)state;
	assert_true(sent_by(arena, &machine, "ww") == 1);
	assert_true(sent_by(arena, &machine, "bb") == 1);
	assert_true(sent_by(arena, &machine, "bw") == 2);
	assert_true(sent_by(arena, &machine, "wb") == 2);
	assert_true(sent_by(arena, &machine, "wbw") == 3);
	assert_true(sent_by(arena, &machine, "bwb") == 3);
	assert_true(sent_by(arena, &machine, "bbw") == 2);
	assert_true(sent_by(arena, &machine, "wwb") == 2);
	arena_release(arena);
}

/* ---- stores that are not waited for ---------------------------------------------------------------- */

/* A warp stores a word to each of so many lines, one a cycle, and again so many cycles after the last: lines that had
 * gone before. */
static double gone_before(struct arena *arena, const struct full_machine *machine, unsigned lines, unsigned pause)
{
	struct full_stores *buffer = full_stores_make(arena, machine, 1 / machine->sms, NULL);
	for (unsigned i = 0; i < 2 * lines; i++) {
		struct full_bytes bytes = {{i < lines ? 0xf : 0xf0, 0}};
		full_stores_add(buffer, i % lines, &bytes, 0, false, i + (i < lines ? 0 : pause));
	}
	full_stores_finish(buffer);
	return full_stores_counts(buffer).lines - lines;
}

/* They leave one a cycle, and later as the port takes two flits of each (benchmarks/measured/merging-h200.csv, `again`:
 * of 16 lines 1 and 9 eight cycles apart, of 28 lines 8 and 17 sixteen apart). */
static void test_leaving(void **state)
{
	struct arena *arena = arena_create();
	struct full_machine machine = numbers(arena, "h200");
	unsigned wait = (unsigned)machine.store_wait;
	(void)state;
	assert_true(gone_before(arena, &machine, 16, 2) == 0);
	assert_true(gone_before(arena, &machine, 16, wait + 8) - gone_before(arena, &machine, 16, wait) == 8);
	double first = gone_before(arena, &machine, 28, wait + 7), later = gone_before(arena, &machine, 28, wait + 23);
	if (first < 7 || first > 9 || later < first + 8 || later > first + 10)
		fail_msg("of 28 lines %g and %g", first, later);
	assert_true(gone_before(arena, &machine, 28, 200) == 28);
	arena_release(arena);
}

/* ---- how long loads wait --------------------------------------------------------------------------- */

/* What a wait is that has a longest one, of all draws: a third of that in the mean, and 1 - 1/3 ... of the longest of
 * several, by sums. */
static void test_bounded(void **state)
{
	enum { DRAWS = 256, SEVERAL = 8 };
	struct arena *arena = arena_create();
	struct full_dram_latency *slower = full_dram_latency_make(arena, 100);
	double sum = 0, longest = 0, expected = 0;
	(void)state;
	for (unsigned i = 0; i < DRAWS; i++) {
		double bounded =
			full_dram_latency_bounded(full_dram_latency_line(slower, (uint64_t)i * 1000, i * 1e6, 0));
		sum += bounded / DRAWS;
		assert_true(bounded > 0 && bounded < 1);
	}
	for (unsigned i = 0; i < 64 * DRAWS; i++) {
		double most = -1;
		for (unsigned k = 0; k < SEVERAL; k++)
			most = fmax(most, full_dram_latency_line(slower, (uint64_t)(i * SEVERAL + k) * 1000,
			                                         1e9 + i * 1e6, 0));
		longest += full_dram_latency_bounded(most) / (64 * DRAWS);
	}
	for (unsigned x = 0; x < 1000; x++)
		expected += (1 - pow(1 - pow(1 - (x + 0.5) / 1000, 2), SEVERAL)) / 1000;
	if (fabs(sum - 1 / 3.0) > 0.015 || fabs(longest - expected) > 0.03)
		fail_msg("%g in the mean, %g of several, not %g", sum, longest, expected);
	arena_release(arena);
}

/* ---- places of the L2 ----------------------------------------------------------------------------- */

/* Places are as far from each other as was measured, and in the mean nowhere. */
static void test_further(void **state)
{
	struct arena *arena = arena_create();
	struct full_machine machine = numbers(arena, "h200"), none = numbers(arena, "a100");
	double sum = 0, least = INFINITY, most = -INFINITY;
	(void)state;
	for (unsigned p = 0; p < FULL_PLACES; p++) {
		sum += machine.l2_further[p];
		least = fmin(least, machine.l2_further[p]);
		most = fmax(most, machine.l2_further[p]);
		assert_true(none.l2_further[p] == 0);
	}
	assert_true(fabs(sum / FULL_PLACES) < 1);
	assert_true(least < -20 && least > -40 && most > 20 && most < 50);
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_held),    cmocka_unit_test(test_even),    cmocka_unit_test(test_widths),
		cmocka_unit_test(test_leaving), cmocka_unit_test(test_bounded), cmocka_unit_test(test_further),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
