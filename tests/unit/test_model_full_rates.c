/* DRAM's rate by the share of its bytes that is written: the corners of the machine file, lines between them, and what
 * was measured where more is written than read; what is read to complete sectors is part of what is read. */
#include "model/cost/full/traffic/traffic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define THREADS 256
#define RECORDS (1u << 22)
#define RECORD 32

static void machine_read(struct arena *arena, const char *name, double arrays, struct full_machine *machine)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	full_machine_read(machine_load(arena, name, &diagnostics), &(struct full_streams){2048, arrays}, machine);
}

static void test_corners(void **state)
{
	(void)state;
	static const double shares[FULL_MIXES] = {0, 1 / 3.0, 0.5, 1};
	static const char *const names[] = {"h200", "a100"};
	struct arena *arena = arena_create();
	for (unsigned k = 0; k < ARRAY_COUNT(names); k++) {
		struct full_machine machine;
		machine_read(arena, names[k], 4, &machine);
		for (unsigned w = 0; w < FULL_WIDTHS; w++) {
			for (unsigned m = 0; m < FULL_MIXES; m++)
				assert_true(fabs(full_dram_rate(&machine, w, shares[m]) / machine.dram_rate[m][w] - 1) <
				            1e-12);
			double middle = (machine.dram_rate[0][w] + machine.dram_rate[1][w]) / 2;
			assert_true(fabs(full_dram_rate(&machine, w, 1 / 6.0) / middle - 1) < 1e-12);
		}
	}
	arena_release(arena);
}

/* Of a machine that nobody measured so: the line from a copy to writing alone. */
static void test_not_measured(void **state)
{
	(void)state;
	struct arena *arena = arena_create();
	struct full_machine machine;
	machine_read(arena, "a100", 4, &machine);
	assert_null(machine.turning);
	for (unsigned w = 0; w < FULL_WIDTHS; w++)
		assert_true(fabs(full_dram_rate(&machine, w, 0.75) * 2 /
		                         (machine.dram_rate[2][w] + machine.dram_rate[3][w]) -
		                 1) < 1e-12);
	arena_release(arena);
}

/* benchmarks/measured/streams-mixes-h200.csv, arrays: bytes of a word, arrays written, share written, bytes a second.
 */
static void test_valley(void **state)
{
	(void)state;
	static const struct {
		unsigned width, arrays;
		double share, rate;
	} launches[] = {{1, 4, 2 / 3.0, 4.07e12}, {2, 4, 2 / 3.0, 4.05e12},  {1, 8, 0.8, 3.92e12},
	                {2, 8, 0.8, 3.91e12},     {1, 8, 8 / 13.0, 4.03e12}, {2, 8, 8 / 13.0, 4.02e12}};
	struct arena *arena = arena_create();
	for (unsigned i = 0; i < ARRAY_COUNT(launches); i++) {
		struct full_machine machine;
		machine_read(arena, "h200", launches[i].arrays, &machine);
		double rate = full_dram_rate(&machine, launches[i].width, launches[i].share);
		if (fabs(rate * machine.clock_hz / launches[i].rate - 1) > 0.04)
			fail_msg("%u arrays written, %.2f of all: %.3g bytes a second, not %.3g", launches[i].arrays,
			         launches[i].share, rate * machine.clock_hz, launches[i].rate);
		assert_true(rate < machine.dram_rate[2][launches[i].width] &&
		            rate < machine.dram_rate[3][launches[i].width]);
	}
	arena_release(arena);
}

/* Cycles of a byte that a launch writes which stores so many words of each record of 32 bytes. */
static double written_cycles(unsigned words)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	struct text text = {0};
	struct full_machine machine;
	struct full_traffic traffic = {.read_bytes = 0};
	struct memory_buffer buffer = {.name = "p", .bytes = (uint64_t)RECORDS * RECORD};
	struct argument argument = {.kind = ARGUMENT_POINTER};
	diagnostics_init(&diagnostics, arena);
	machine_read(arena, "h200", 1, &machine);
	text_printf(
		&text,
		".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg .b32 "
		"%%r<8>;\n.reg "
		".b64 %%rd<4>;\n"
		"ld.param.u64 %%rd1, [p];\nmov.u32 %%r1, %%tid.x;\nmov.u32 %%r2, %%ctaid.x;\nmov.u32 %%r3, %%ntid.x;\n"
		"mad.lo.u32 %%r4, %%r2, %%r3, %%r1;\nmul.wide.u32 %%rd2, %%r4, %u;\nadd.s64 %%rd3, %%rd1, %%rd2;\n",
		RECORD);
	for (unsigned i = 0; i < words; i++)
		text_printf(&text, "st.global.u32 [%%rd3+%u], %%r4;\n", 4 * i);
	text_puts(&text, "ret;\n}\n");
	struct ptx_module *module = ptx_parse(arena, "trial", text.data, text.length, &diagnostics);
	assert_non_null(module);
	text_release(&text);
	struct ptx_function *function = ptx_module_find(module, "k");
	ptx_function_analyse(arena, function);
	struct evaluate_input input = {.module = module,
	                               .function = function,
	                               .grid = {RECORDS / THREADS, 1, 1},
	                               .block = {THREADS, 1, 1},
	                               .arguments = &argument,
	                               .buffers = &buffer,
	                               .buffer_count = 1};
	struct full_work work = {.machine = &machine,
	                         .function = function,
	                         .input = &input,
	                         .evaluation = exec_evaluate(arena, &input),
	                         .buffers = &buffer,
	                         .buffer_count = 1,
	                         .grid = {RECORDS / THREADS, 1, 1},
	                         .warps = THREADS / WARP_LANES,
	                         .resident = 8,
	                         .active = machine.sms};
	full_traffic_make(arena, &work, &traffic);
	double cycles = traffic.write_cycles[FULL_WIDTHS - 1] / (1 + traffic.parts_driven) / machine.sms,
	       alone = full_dram_rate(&machine, FULL_WIDTHS - 1, 1);
	arena_release(arena);
	return cycles * alone;
}

/* Of words of each record DRAM has to read the rest, which is a mix as a copy is; of whole records nothing. */
static void test_completed(void **state)
{
	(void)state;
	double part = written_cycles(1), whole = written_cycles(RECORD / 4);
	if (!(part > 1.05 && part < 1.2) || fabs(whole - 1) > 0.02)
		fail_msg("a word of each record %g, all %g times as long as writing alone", part, whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_corners), cmocka_unit_test(test_not_measured),
	                                   cmocka_unit_test(test_valley), cmocka_unit_test(test_completed)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
