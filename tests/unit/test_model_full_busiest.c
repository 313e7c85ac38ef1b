/* What the busiest slice of the L2 gets of atomics: against the rates that were measured, and with samples that chance
 * made uneven. */
#include "model/cost/full/atomic/atomic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define LINE_SECTORS (LINE_BYTES / SECTOR_BYTES)
#define VISITS 16384

struct trial {
	struct arena *arena;
	struct full_machine machine;
	struct full_visits sample;
};

static void trial_make_on(struct trial *trial, const char *machine)
{
	struct diagnostics diagnostics;
	memset(trial, 0, sizeof *trial);
	trial->arena = arena_create();
	diagnostics_init(&diagnostics, trial->arena);
	full_machine_read(machine_load(trial->arena, machine, &diagnostics), &(struct full_streams){2048, 1},
	                  &trial->machine);
	trial->sample.visits = arena_array(trial->arena, VISITS, sizeof *trial->sample.visits);
	trial->sample.sorter = cost_sorter_make(trial->arena, VISITS, sizeof *trial->sample.visits);
}

static void trial_make(struct trial *trial)
{
	trial_make_on(trial, "h200");
}

/* One pass on a line of an array, by one warp after the other, in an order that nothing follows from. */
static void visit_add(struct trial *trial, uint64_t array, uint64_t line)
{
	size_t i = trial->sample.count++;
	trial->sample.visits[i] =
		(struct full_visit){.place = array * FULL_ARRAY_SECTORS + line * LINE_SECTORS,
	                            .warp = (uint32_t)(content_scramble(i + VISITS) % FULL_SAMPLE_WARPS),
	                            .order = (uint32_t)content_scramble(i),
	                            .weight = 1};
}

static double share_of(struct trial *trial)
{
	return full_busiest_share(trial->arena, &trial->machine, &trial->sample);
}

static void assert_near(double value, double expected, double share, const char *what)
{
	if (fabs(value - expected) > share * fabs(expected))
		fail_msg("%s: %g instead of %g", what, value, expected);
}

/* Lines side by side, all alike: passes a second as they were measured. Of 64 groups the measured page has four in a
 * slice, most others three. */
static void test_measured(void **state)
{
	static const struct {
		unsigned lines;
		double share;
	} rows[] = {{1, 0.02}, {8, 0.08}, {16, 0.1}, {64, 0.1}, {128, 0.1}, {256, 0.3}, {1024, 0.1}, {4096, 0.1}};
	(void)state;
	for (unsigned r = 0; r < ARRAY_COUNT(rows); r++) {
		struct trial trial;
		trial_make(&trial);
		for (unsigned i = 0; i < VISITS; i++)
			visit_add(&trial, 0, i % rows[r].lines);
		double rate = trial.machine.atomic_same / share_of(&trial) * trial.machine.clock_hz;
		assert_near(rate, machine_table_at(trial.machine.atomic_rate, rows[r].lines), rows[r].share, "rate");
		arena_release(trial.arena);
	}
}

/* 8192 lines side by side, or every second of as many more, ask all slices alike, every third do not: 102 and 97 G a
 * second by the times of 2^22 additions (benchmarks/measured/members-h200.csv, of which events take 2.85 us). */
static void test_many(void **state)
{
	static const double rates[] = {102e9, 102e9, 97e9}, within[] = {0.03, 0.03, 0.06};
	(void)state;
	for (unsigned apart = 1; apart <= ARRAY_COUNT(rates); apart++) {
		struct trial trial;
		trial_make(&trial);
		for (unsigned i = 0; i < VISITS; i++)
			visit_add(&trial, 1, content_scramble(i * 7 + 3) % 8192 * apart);
		double rate = trial.machine.atomic_same / share_of(&trial) * trial.machine.clock_hz;
		assert_near(rate, rates[apart - 1], within[apart - 1], "rate");
		arena_release(trial.arena);
	}
}

/* How much longer than to arrays additions to the first members of tiles of records take, of a line each. */
static double longer_in_tiles(unsigned records, unsigned members, unsigned tile)
{
	struct trial tiles, arrays;
	trial_make(&tiles);
	trial_make(&arrays);
	for (unsigned i = 0; i < VISITS; i++) {
		uint64_t line = content_scramble(i * 7 + 3) % (records / WARP_LANES * members);
		visit_add(&arrays, 0, line);
		visit_add(&tiles, 0, line / members * tile + line % members);
	}
	double longer = share_of(&tiles) / share_of(&arrays);
	arena_release(tiles.arena);
	arena_release(arrays.arena);
	return longer;
}

/*
 * Some members of records in tiles: of 1048576 records by how much longer 2^22 additions to the first third of each
 * tile take than to arrays (benchmarks/measured/members-h200.csv, less 2.85 us of events), of 65536 to the first half:
 * 4096 lines side by side are dealt out, twice as many that are far apart ask all slices alike.
 */
static void test_tiles(void **state)
{
	static const struct {
		unsigned members, tile, records;
		double longer, within;
	} rows[] = {{1, 3, 1048576, 1.018, 0.025},
	            {2, 6, 1048576, 1.05, 0.025},
	            {4, 12, 1048576, 1.036, 0.025},
	            {2, 4, 65536, 0.92, 0.03},
	            {4, 8, 65536, 1, 0.01}};
	(void)state;
	for (unsigned r = 0; r < ARRAY_COUNT(rows); r++)
		assert_near(longer_in_tiles(rows[r].records, rows[r].members, rows[r].tile), rows[r].longer,
		            rows[r].within, "longer");
}

/* One line of six left out of whole tiles makes them less uneven than it is alone, by as much as five are more. */
static void test_nearly_whole_tiles(void **state)
{
	double alone = longer_in_tiles(1048576, 1, 6) - 1, left_out = longer_in_tiles(1048576, 5, 6) - 1;
	(void)state;
	assert_true(alone > 0.02);
	assert_true(left_out >= 0 && left_out < alone / 2);
}

/* Without a table of places, but with the rates of lines (H100). The median of where a page begins: the fewest lines
 * differ by that. */
static void test_assumed(void **state)
{
	static const unsigned lines[] = {1, 8, 16, 32, 64, 128, 256, 512, 1024, 4096};
	(void)state;
	for (unsigned r = 0; r < ARRAY_COUNT(lines); r++) {
		struct trial trial;
		trial_make_on(&trial, "h100");
		trial.machine.slice_places = NULL;
		for (unsigned i = 0; i < VISITS; i++)
			visit_add(&trial, 0, i % lines[r]);
		double rate = trial.machine.atomic_same / share_of(&trial) * trial.machine.clock_hz;
		assert_near(rate, machine_table_at(trial.machine.atomic_rate, lines[r]), 0.12, "rate");
		arena_release(trial.arena);
	}
}

/* Any number of slots will do, with rates or without: a share lies between one slot's and all. */
static void test_few_slots(void **state)
{
	(void)state;
	for (unsigned slots = 1; slots < 40; slots++)
		for (unsigned rates = 0; rates < 2; rates++) {
			struct trial trial;
			trial_make_on(&trial, "h100");
			trial.machine.l2_slices = slots;
			if (!rates)
				trial.machine.atomic_rate = NULL;
			for (unsigned i = 0; i < VISITS; i++)
				visit_add(&trial, 0, i % 4096);
			double share = share_of(&trial);
			assert_true(share > 0 && share <= 1.01);
			arena_release(trial.arena);
		}
}

/* Few visits at random of the lines say what many do of each. */
static void test_chance(void **state)
{
	(void)state;
	for (unsigned lines = 128; lines <= 2048; lines *= 4) {
		struct trial few, many;
		trial_make(&few);
		trial_make(&many);
		for (unsigned i = 0; i < VISITS; i++)
			visit_add(&many, 1, i % lines);
		for (unsigned i = 0; i < 2048; i++)
			visit_add(&few, 1, content_scramble(i * 7 + 3) % lines);
		assert_near(share_of(&few), share_of(&many), 0.05, "share");
		arena_release(few.arena);
		arena_release(many.arena);
	}
}

/* A line that gets a half of all passes has its slice do that half; three of eight lines on two slices make the one
 * with two the busiest. */
static void test_uneven(void **state)
{
	struct trial hot, three;
	(void)state;
	trial_make(&hot);
	trial_make(&three);
	for (unsigned i = 0; i < 8192; i++) {
		visit_add(&hot, 0, i % 2 ? 5 : content_scramble(i) % 4096);
		visit_add(&three, 0, (const unsigned[]){0, 1, 2}[i % 3]);
	}
	assert_near(share_of(&hot), 0.5, 0.06, "half");
	assert_near(share_of(&three), 2.0 / 3, 0.02, "two of three");
	arena_release(hot.arena);
	arena_release(three.arena);
}

/* What a layout allocates beside it does not change what is said of an array. */
static void test_arrays(void **state)
{
	double shares[2];
	(void)state;
	for (unsigned a = 0; a < 2; a++) {
		struct trial trial;
		trial_make(&trial);
		for (unsigned i = 0; i < 4096; i++)
			visit_add(&trial, 1 + a * 6 + i % 2, i / 2 % 128);
		shares[a] = share_of(&trial);
		arena_release(trial.arena);
	}
	assert_true(shares[0] == shares[1]);
	assert_true(shares[0] > 1.0 / 64 && shares[0] < 1.0 / 16);
}

/* Without a map of slices, or with one that cannot be, too, a line alone takes all and many lines no less than all
 * slices let through. */
static void test_unmapped(void **state)
{
	static const double at[] = {0, 1}, impossible[] = {3, -1};
	static const struct machine_table wrong = {.at = at, .value = impossible, .count = 2};
	struct trial one, many;
	(void)state;
	trial_make(&one);
	trial_make(&many);
	one.machine.slice_places = &wrong;
	many.machine.slice_places = NULL;
	for (unsigned i = 0; i < VISITS; i++) {
		visit_add(&one, 0, 3);
		visit_add(&many, 0, i);
	}
	assert_near(share_of(&one), 1, 0.01, "one");
	assert_true(share_of(&many) >= 0.99 * many.machine.atomic_same / many.machine.atomic_most &&
	            share_of(&many) < 0.05);
	arena_release(one.arena);
	arena_release(many.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_measured), cmocka_unit_test(test_many),
	                                   cmocka_unit_test(test_tiles),    cmocka_unit_test(test_nearly_whole_tiles),
	                                   cmocka_unit_test(test_assumed),  cmocka_unit_test(test_few_slots),
	                                   cmocka_unit_test(test_chance),   cmocka_unit_test(test_uneven),
	                                   cmocka_unit_test(test_arrays),   cmocka_unit_test(test_unmapped)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
