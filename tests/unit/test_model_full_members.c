/* What of an array of records a launch can touch, and in what runs of lines, against enumeration and against what was measured. */
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

static void assert_near(double value, double expected, double share)
{
	if (fabs(value - expected) > share * fabs(expected))
		fail_msg("%g instead of %g", value, expected);
}

/* Units of so many bytes that hold a byte of member `named`, over all units of many periods: member m has size[m] bytes in each of `tile` records of a tile. */
static double units_by_hand(const unsigned *size, unsigned count, unsigned tile, unsigned named, unsigned unit)
{
	enum { UNITS = 1 << 14 };
	static bool held[UNITS];
	unsigned period = 0, first = 0, units = 0;
	memset(held, 0, sizeof held);
	for (unsigned m = 0; m < count; m++) {
		first += m < named ? size[m] * tile : 0;
		period += size[m] * tile;
	}
	for (unsigned tiles = 0; tiles < unit; tiles++)
		for (unsigned b = 0; b < size[named] * tile; b++)
			held[(tiles * period + first + b) / unit] = true;
	for (unsigned u = 0; u < period; u++)
		units += held[u];
	return (double)units / period;
}

/* An array of records of which one member is loaded: the share of its granules, and of its lines how much longer runs of them take. */
static void test_members(void **state)
{
	static const unsigned sizes[][4] = {{4, 4, 4, 4}, {4, 8, 4, 2}, {8, 1, 4, 4}}, tiles[] = {1, 2, 8, 32, 64};
	struct arena *arena = arena_create();
	struct full_machine machine = numbers(arena, "h200");
	(void)state;
	for (unsigned s = 0; s < ARRAY_COUNT(sizes); s++)
		for (unsigned t = 0; t < ARRAY_COUNT(tiles); t++)
			for (unsigned named = 0; named < 4; named++) {
				struct buffer_part parts[4];
				uint64_t period = 0;
				for (unsigned m = 0; m < 4; m++) {
					parts[m] = (struct buffer_part){period, (uint64_t)sizes[s][m] * tiles[t]};
					period += parts[m].bytes;
				}
				struct memory_buffer buffer = {.bytes = 1 << 20, .parts = parts, .part_count = 4, .period = period};
				struct ptx_insn insn = {.operation = OP_ld, .type = PTX_u8, .space = SPACE_GLOBAL, .vector = 1};
				struct ptx_function function = {.insns = &insn, .insn_count = 1};
				struct insn_totals totals = {.executions = 1, .known = 1, .sample_mask = 1};
				totals.sample_address[0] = content_address(0) + 5 * period + parts[named].first;
				struct evaluation evaluation = {.insns = &totals};
				struct full_work work = {.machine = &machine,
				                         .function = &function,
				                         .evaluation = &evaluation,
				                         .buffers = &buffer,
				                         .buffer_count = 1};
				assert_near(full_members_share(arena, &work, 0, FLAG_LOAD, 64),
				            units_by_hand(sizes[s], 4, tiles[t], named, 64), 1e-9);
				assert_near(full_members_share(arena, &work, 0, FLAG_STORE, 64), 1, 0);
				double longer = full_runs_longer(arena, &work, 0, FLAG_LOAD);
				assert_true(longer >= 1 && longer < 1.3);
				assert_true(longer == 1 || parts[named].bytes >= LINE_BYTES);
				totals.known = 0;
				assert_near(full_members_share(arena, &work, 0, FLAG_LOAD, 64), 1, 0);
			}
	arena_release(arena);
}

/* Of the sectors that hold a byte of what is stored the share that has others and, unless nothing is loaded, no byte of what is loaded in its granule: byte by byte. */
static double incomplete_by_hand(const struct buffer_part *parts, uint64_t period, unsigned stored, unsigned loaded)
{
	enum { GRANULE = 64 };
	unsigned written = 0, incomplete = 0;
	for (uint64_t sector = 0; sector < period * GRANULE / SECTOR_BYTES; sector++) {
		unsigned own = 0;
		bool read = false;
		for (unsigned b = 0; b < SECTOR_BYTES; b++) {
			uint64_t at = (sector * SECTOR_BYTES + b) % period;
			own += at >= parts[stored].first && at < parts[stored].first + parts[stored].bytes;
		}
		for (unsigned b = 0; b < GRANULE; b++) {
			uint64_t at = (sector * SECTOR_BYTES / GRANULE * GRANULE + b) % period;
			read |= at >= parts[loaded].first && at < parts[loaded].first + parts[loaded].bytes;
		}
		written += own > 0;
		incomplete += own > 0 && own < SECTOR_BYTES && !read;
	}
	return (double)incomplete / written;
}

/* An array of which one member is stored and one is loaded. */
static void test_incomplete(void **state)
{
	static const unsigned sizes[][4] = {{4, 4, 4, 4}, {4, 32, 4, 20}, {64, 8, 4, 60}, {16, 100, 64, 12}}, tiles[] = {1, 2, 32};
	struct arena *arena = arena_create();
	struct full_machine machine = numbers(arena, "h200");
	(void)state;
	for (unsigned s = 0; s < ARRAY_COUNT(sizes); s++)
		for (unsigned t = 0; t < ARRAY_COUNT(tiles); t++)
			for (unsigned pair = 0; pair < 16; pair++) {
				struct buffer_part parts[4];
				uint64_t period = 0;
				for (unsigned m = 0; m < 4; m++) {
					parts[m] = (struct buffer_part){period, (uint64_t)sizes[s][m] * tiles[t]};
					period += parts[m].bytes;
				}
				struct memory_buffer buffer = {.bytes = 1 << 20, .parts = parts, .part_count = 4, .period = period};
				struct ptx_insn insns[] = {
					{.operation = OP_st, .type = PTX_u8, .space = SPACE_GLOBAL, .vector = 1},
					{.operation = OP_ld, .type = PTX_u8, .space = SPACE_GLOBAL, .vector = 1}};
				struct ptx_function function = {.insns = insns, .insn_count = 2};
				struct insn_totals totals[2];
				for (unsigned i = 0; i < 2; i++) {
					totals[i] = (struct insn_totals){.executions = 1, .known = 1, .sample_mask = 1};
					totals[i].sample_address[0] = content_address(0) + parts[i ? pair / 4 : pair % 4].first;
				}
				struct evaluation evaluation = {.insns = totals};
				struct full_work work = {.machine = &machine,
				                         .function = &function,
				                         .evaluation = &evaluation,
				                         .buffers = &buffer,
				                         .buffer_count = 1};
				assert_near(full_members_incomplete(arena, &work, 0),
				            incomplete_by_hand(parts, period, pair % 4, pair / 4), 1e-9);
			}
	arena_release(arena);
}

/* Single lines of which every fourth is written cost what was measured of them. */
static void test_runs(void **state)
{
	struct arena *arena = arena_create();
	struct full_machine machine = numbers(arena, "h200");
	struct buffer_part parts[] = {{0, LINE_BYTES}, {LINE_BYTES, 3 * LINE_BYTES}};
	struct memory_buffer buffer = {.bytes = 1 << 20, .parts = parts, .part_count = 2, .period = UINT64_C(4) * LINE_BYTES};
	struct ptx_insn insn = {.operation = OP_st, .type = PTX_u32, .space = SPACE_GLOBAL, .vector = 1};
	struct ptx_function function = {.insns = &insn, .insn_count = 1};
	struct insn_totals totals = {.executions = 1, .known = 1, .sample_mask = 1, .sample_address = {content_address(0)}};
	struct evaluation evaluation = {.insns = &totals};
	struct full_work work = {
		.machine = &machine, .function = &function, .evaluation = &evaluation, .buffers = &buffer, .buffer_count = 1};
	const struct machine_table *single = machine.runs_write[0];
	(void)state;
	assert_non_null(single);
	assert_near(full_runs_longer(arena, &work, 0, FLAG_STORE), machine_table_at(single, 4) / machine_table_at(single, 1), 1e-9);
	assert_true(full_runs_longer(arena, &work, 0, FLAG_STORE) > 1.1);
	totals.sample_address[0] += LINE_BYTES;
	double pairs = full_runs_longer(arena, &work, 0, FLAG_STORE);
	assert_true(pairs < 1.1 && pairs >= 1);
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_members), cmocka_unit_test(test_incomplete),
	                                   cmocka_unit_test(test_runs)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
