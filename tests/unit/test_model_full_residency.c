/* What is noted of lines that an SM has asked for, against a table as large as the lines' numbers; and whose a granule
 * is. */
#include "model/cost/full/run.h"
#include "model/cost/full/residency.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define LINES 20000
#define GRANULES 2

/* Numbers stay with their lines while the table grows; lines that nobody asked for are not found. */
static void test_lines(void **state)
{
	(void)state;
	struct arena *arena = arena_create();
	struct full_residency *seen = full_residency_make(arena, GRANULES);
	float *known = arena_array(arena, LINES * GRANULES, sizeof *known);
	for (uint64_t i = 0, line = 1; i < LINES; i++, line = line * 5 % 19997) {
		full_residency_prefetch(seen, line);
		if (known[line * GRANULES] == 0) {
			assert_null(full_residency_find(seen, line));
			known[line * GRANULES] = known[line * GRANULES + 1] = FULL_NOT_ASKED;
		}
		float *numbers = full_residency_line(seen, line);
		assert_memory_equal(numbers, &known[line * GRANULES], GRANULES * sizeof *numbers);
		numbers[i % GRANULES] = known[line * GRANULES + i % GRANULES] = (float)(i + 1);
	}
	for (uint64_t line = 0; line < LINES; line++) {
		const float *numbers = full_residency_find(seen, line);
		assert_int_equal(numbers != NULL, known[line * GRANULES] != 0);
		if (numbers)
			assert_memory_equal(numbers, &known[line * GRANULES], GRANULES * sizeof *numbers);
	}
	arena_release(arena);
}

struct setting {
	struct arena *arena;
	struct full_machine machine;
	struct full_traffic traffic;
	struct full_path *path;
};

/* Two instructions: the first one waits for what other SMs fetch, the second one fetches itself. */
static void setting_make(struct setting *setting)
{
	struct full_traffic *traffic = &setting->traffic;
	struct diagnostics diagnostics;
	memset(setting, 0, sizeof *setting);
	setting->arena = arena_create();
	diagnostics_init(&diagnostics, setting->arena);
	full_machine_read(machine_load(setting->arena, "h200", &diagnostics), &(struct full_streams){2048, 1},
	                  &setting->machine);
	for (unsigned s = 0; s < 2; s++) {
		traffic->shares[s] = arena_array(setting->arena, 2, sizeof *traffic->shares[s]);
		traffic->shares[s][0] = (struct full_share){.wait = 1, .samples = 1};
		traffic->shares[s][1] = (struct full_share){.first = 1, .samples = 1};
	}
	traffic->irregular = arena_array(setting->arena, 2, sizeof *traffic->irregular);
	for (unsigned w = 0; w < FULL_WIDTHS; w++)
		traffic->read_cycles[w] = setting->machine.sms / setting->machine.dram_rate[0][w];
	setting->path = full_path_make(setting->arena, &setting->machine, traffic, setting->machine.sms, 2);
}

/* The second sector of a granule comes with the first one, which DRAM gives, where it is asked for meanwhile; later
 * from the L2, and so does what has another granule. */
static void test_pending(void **state)
{
	(void)state;
	struct setting setting;
	setting_make(&setting);
	struct full_path *path = setting.path;
	struct full_request request = {.line_count = 1, .sector_count = 1, .line = {77}, .sectors = {1}};
	const uint8_t first[FULL_LINES] = {1}, second[FULL_LINES] = {2}, third[FULL_LINES] = {4};
	const double there = full_path_fetch(path, 1, &request, first, 0, false);
	assert_true(there > setting.machine.dram_latency);
	assert_true(full_path_fetch(path, 1, &request, second, 100, false) == there);
	const double later = there + 1000;
	assert_true(full_path_fetch(path, 1, &request, second, later, false) <
	            later + setting.machine.dram_latency / 2);
	assert_true(full_path_fetch(path, 1, &request, third, later, false) >
	            later + 0.75 * setting.machine.dram_latency);
	arena_release(setting.arena);
}

/* Of sets read again and again what is lost in each pass, as Nsight Compute counts it where a line is read by the same
 * SM in each pass, and by the next one (benchmarks/measured/again-h200.csv). */
static void test_reach(void **state)
{
	static const struct {
		double mebibytes, lost;
	} sets[] = {{32, 0.00}, {40, 0.02}, {44, 0.09}, {48, 0.23}, {52, 0.40}, {56, 0.71}, {60, 0.85}, {72, 0.97}};
	(void)state;
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	struct full_machine machine;
	diagnostics_init(&diagnostics, arena);
	full_machine_read(machine_load(arena, "h200", &diagnostics), &(struct full_streams){2048, 1}, &machine);
	for (unsigned i = 0; i < sizeof sets / sizeof *sets; i++) {
		double lost = 0;
		for (unsigned line = 0; line < LINES; line++)
			lost += full_residency_reach(&machine, line, line % 7, 0) < sets[i].mebibytes * 1048576
			                ? 1.0 / LINES
			                : 0;
		if (lost < sets[i].lost - 0.09 || lost > sets[i].lost + 0.16)
			fail_msg("%g MiB: %g lost instead of %g", sets[i].mebibytes, lost, sets[i].lost);
	}
	assert_true(full_residency_reach(&machine, 77, 1, 1) == machine.l2_reach);
	machine.l2_reach = machine.l2_bytes;
	assert_true(full_residency_reach(&machine, 77, 1, 0) == machine.l2_bytes);
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_pending),
	                                   cmocka_unit_test(test_reach)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
