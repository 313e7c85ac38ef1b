/* What becomes of sectors that stores leave incomplete: what DRAM reads for them, and writes, and what they take the
 * L2. */
#include "model/cost/full/path.h"
#include "model/cost/full/run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#define LINES 5000

static void assert_near(double value, double expected, double share)
{
	if (fabs(value - expected) > share * fabs(expected))
		fail_msg("%g instead of %g", value, expected);
}

struct setting {
	struct arena *arena;
	struct full_machine machine;
	struct full_traffic traffic;
	struct full_path *path;
	unsigned most; /* lines that an SM's part of the L2 holds incomplete */
};

static void setting_make(struct setting *setting)
{
	struct diagnostics diagnostics;
	*setting = (struct setting){.arena = arena_create()};
	diagnostics_init(&diagnostics, setting->arena);
	full_machine_read(machine_load(setting->arena, "h200", &diagnostics), &(struct full_streams){2048, 1},
	                  &setting->machine);
	for (unsigned w = 0; w < FULL_WIDTHS; w++)
		setting->traffic.read_cycles[w] = setting->traffic.write_cycles[w] =
			setting->machine.sms / setting->machine.dram_rate[0][FULL_WIDTHS - 1];
	setting->path = full_path_make(setting->arena, &setting->machine, &setting->traffic, setting->machine.sms, 1);
	setting->most = (unsigned)(setting->machine.incomplete_bytes / setting->machine.sms / LINE_BYTES);
}

static struct full_write store(struct setting *setting, uint64_t line, uint64_t low, uint64_t high)
{
	struct full_write more;
	full_path_write(setting->path, line, &(struct full_bytes){{low, high}}, 0, 0, &more);
	return more;
}

/* Sectors that stores write whole in the end are not read from DRAM; of those that stay incomplete all but the last
 * are, whatever their number in a line. */
static void test_completion(void **state)
{
	static const struct {
		uint64_t low, high;
		unsigned sectors;
		bool later; /* the other half of each sector follows */
	} cases[] = {{0x0000ffff0000ffff, 0x0000ffff0000ffff, 4, false},
	             {0x0000ffff0000ffff, 0x0000ffff0000ffff, 4, true},
	             {0xf, 0xf, 2, false},
	             {0xf, 0, 1, false}};
	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct setting setting;
		double again = 0;
		setting_make(&setting);
		for (uint64_t l = 0; l < LINES; l++) {
			store(&setting, l, cases[i].low, cases[i].high);
			if (cases[i].later)
				again += store(&setting, l, cases[i].low << 16, cases[i].high << 16).again;
		}
		double completed = cases[i].later ? 0 : cases[i].sectors * 32.0 * (LINES - setting.most);
		assert_near(full_path_counted(setting.path)->filled_bytes, completed, 0.001);
		assert_near(again, cases[i].later ? 4.0 * LINES : 0, 0);
		assert_near(full_path_close(setting.path), cases[i].later ? 0 : cases[i].sectors * 32.0 * LINES, 0);
		arena_release(setting.arena);
	}
}

/* DRAM writes each sector once: whole ones at once, what is left incomplete as it is completed; a store after that is a
 * matter of the L2. */
static void test_written_once(void **state)
{
	struct setting setting;
	(void)state;
	for (unsigned whole = 0; whole < 2; whole++) {
		setting_make(&setting);
		setting.machine.store_part_dram = setting.machine.again_whole = 0;
		for (uint64_t l = 0; l < LINES; l++)
			for (unsigned times = 0; times < 2; times++)
				store(&setting, l, whole ? UINT64_MAX : 0x0000ffff0000ffff,
				      whole ? UINT64_MAX : 0x0000ffff0000ffff);
		double bytes = whole ? 128.0 * LINES : 2 * 128.0 * (LINES - setting.most);
		assert_near(full_path_counted(setting.path)->dram_busy, bytes * setting.traffic.write_cycles[0], 0.001);
		arena_release(setting.arena);
	}
}

/* A store that leaves something lacking costs the L2 its time from the line on that is one too many; DRAM, if it is a
 * further one. */
static void test_lacks(void **state)
{
	struct setting setting;
	(void)state;
	setting_make(&setting);
	double part = setting.machine.store_part_dram * setting.machine.store_part * setting.machine.clock_hz *
	              setting.machine.sms;
	for (uint64_t l = 0; l < LINES; l++)
		assert_int_equal(store(&setting, l, 0xf, 0).lacks, l >= setting.most);
	double busy = full_path_counted(setting.path)->dram_busy;
	assert_true(store(&setting, LINES - 1, 0xf0, 0).lacks);
	assert_near(full_path_counted(setting.path)->dram_busy - busy, part, 0.001);
	assert_false(store(&setting, 2 * LINES, UINT64_MAX, UINT64_MAX).lacks);
	arena_release(setting.arena);
}

/* Ends of what is written whole are never read; half of their lines come a second time, once the L2 holds many. */
static void test_ends(void **state)
{
	static const bool parted[1] = {false};
	struct setting setting;
	(void)state;
	setting_make(&setting);
	setting.traffic.parted = parted;
	setting.traffic.buffer_count = 1;
	uint64_t first = content_address(0) / LINE_BYTES;
	assert_false(store(&setting, first, UINT64_MAX << 16, UINT64_MAX).lacks);
	for (uint64_t l = 1; l < LINES; l++)
		store(&setting, first + l, UINT64_MAX << 16, UINT64_MAX);
	assert_true(store(&setting, first + LINES, UINT64_MAX << 16, UINT64_MAX).lacks);
	assert_false(store(&setting, first + LINES + 1, 0xf, 0).lacks);
	assert_near(full_path_close(setting.path), 0, 0);
	arena_release(setting.arena);
}

/* Where one SM is at work alone the whole L2 is its own: lines of which all SMs' would have been completed stay as they
 * are. */
static void test_alone(void **state)
{
	struct setting setting;
	(void)state;
	setting_make(&setting);
	setting.path = full_path_make(setting.arena, &setting.machine, &setting.traffic, 1, 1);
	for (uint64_t l = 0; l < FULL_OPEN_LINES; l++)
		assert_false(store(&setting, l, 0xf, 0).lacks);
	assert_near(full_path_counted(setting.path)->filled_bytes, 0, 0);
	arena_release(setting.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_completion), cmocka_unit_test(test_written_once),
	                                   cmocka_unit_test(test_lacks), cmocka_unit_test(test_ends),
	                                   cmocka_unit_test(test_alone)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
