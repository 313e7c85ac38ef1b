/* The simulated SM on instructions whose stalls, scoreboards and pipes are set here: cycles worked out by hand. */
#include "model/cost/full/run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define LENGTH 64

struct trial {
	struct arena *arena;
	struct full_machine machine;
	struct ptx_module *module;
	struct ptx_function *function;
	struct sass_control *controls;
	struct evaluate_input input;
	struct memory_buffer buffers[2];
	struct argument arguments[2];
	struct full_traffic traffic;
	const uint8_t *supposed;
	bool begun;
};

/* A kernel with `line` repeated LENGTH times; each instruction stalls for `stall` cycles on `unit`. */
static void trial_make(struct trial *trial, const char *before, const char *line, unsigned stall, enum ptx_unit unit)
{
	struct text text = {0};
	struct diagnostics diagnostics;
	memset(trial, 0, sizeof *trial);
	trial->arena = arena_create();
	diagnostics_init(&diagnostics, trial->arena);
	full_machine_read(machine_load(trial->arena, "h200", &diagnostics), &(struct full_streams){2048, 1},
	                  &trial->machine);
	trial->machine.cold_start = trial->machine.cold_scheduler = trial->machine.first_warp = 0;
	text_printf(&text,
	            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg .b32 "
	            "%%r<100>;\n"
	            ".reg .b64 %%rd<100>;\n%s",
	            before);
	for (unsigned i = 0; i < LENGTH; i++)
		text_puts(&text, line);
	text_puts(&text, "ret;\n}\n");
	trial->module = ptx_parse(trial->arena, "trial", text.data, text.length, &diagnostics);
	assert_non_null(trial->module);
	text_release(&text);
	trial->function = ptx_module_find(trial->module, "k");
	ptx_function_analyse(trial->arena, trial->function);
	trial->controls = arena_array(trial->arena, trial->function->insn_count, sizeof *trial->controls);
	for (size_t i = 0; i < trial->function->insn_count; i++)
		trial->controls[i] =
			(struct sass_control){.address = (uint32_t)(SASS_INSN_BYTES * i),
		                              .unit = (uint8_t)unit,
		                              .stall = (uint8_t)stall,
		                              .write_barrier = 7,
		                              .read_barrier = 7,
		                              .source = {SASS_NO_REGISTER, SASS_NO_REGISTER, SASS_NO_REGISTER},
		                              .target = SASS_NO_REGISTER};
	struct sass_code *code = arena_alloc(trial->arena, sizeof *code);
	code->control = trial->controls;
	trial->function->sass = code;
	trial->buffers[0] = (struct memory_buffer){.name = "p", .bytes = 1 << 20};
	trial->arguments[0] = (struct argument){.kind = ARGUMENT_POINTER};
	trial->input = (struct evaluate_input){.module = trial->module,
	                                       .function = trial->function,
	                                       .grid = {1, 1, 1},
	                                       .block = {32, 1, 1},
	                                       .arguments = trial->arguments,
	                                       .buffers = trial->buffers,
	                                       .buffer_count = 1};
	for (unsigned s = 0; s < 2; s++)
		trial->traffic.shares[s] =
			arena_array(trial->arena, trial->function->insn_count, sizeof *trial->traffic.shares[s]);
	trial->traffic.irregular = arena_array(trial->arena, trial->function->insn_count, sizeof(bool));
}

/* Blocks of one SM of so many, as many at a time. */
static struct full_run trial_run_blocks(struct trial *trial, uint32_t warps, uint32_t blocks, unsigned resident,
                                        double active)
{
	trial->input.grid[0] = blocks;
	trial->input.block[0] = warps * WARP_LANES;
	struct full_work work = {.machine = &trial->machine,
	                         .code = full_code_make(trial->arena, &trial->machine, trial->function),
	                         .function = trial->function,
	                         .traffic = &trial->traffic,
	                         .input = &trial->input,
	                         .evaluation = exec_evaluate(trial->arena, &trial->input),
	                         .buffers = trial->buffers,
	                         .buffer_count = 1,
	                         .tracer = tracer_make(trial->arena, &trial->input),
	                         .grid = {blocks, 1, 1},
	                         .warps = warps,
	                         .resident = resident,
	                         .blocks = blocks,
	                         .step = 1,
	                         .active = active,
	                         .l1_bytes = trial->machine.l1_bytes,
	                         .budget = 1000000,
	                         .begun = trial->begun,
	                         .supposed = trial->supposed};
	work.atomics = full_atomics_make(trial->arena, &work);
	return full_sm_run(trial->arena, &work);
}

static struct full_run trial_run(struct trial *trial, uint32_t warps)
{
	return trial_run_blocks(trial, warps, 1, 1, 1);
}

/* Loads set scoreboard 0, and the instruction after each waits for it. */
static void loads_guard(struct trial *trial)
{
	for (uint32_t i = 0; i + 1 < trial->function->insn_count; i++)
		if (trial->function->insns[i].space == SPACE_GLOBAL) {
			trial->controls[i].write_barrier = 0;
			trial->controls[i].unit = UNIT_LOAD_STORE;
			trial->controls[i + 1].wait_mask = 1;
		}
}

static void assert_cycles(const struct full_run *run, double expected, double slack)
{
	assert_true(run->complete);
	if (fabs(run->cycles - expected) > slack)
		fail_msg("%g cycles instead of %g", run->cycles, expected);
}

/* One warp's chain takes the sum of its stall counts. */
static void test_chain(void **state)
{
	(void)state;
	for (unsigned stall = 2; stall < 12; stall += 3) {
		struct trial trial;
		trial_make(&trial, "", "add.s32 %r1, %r1, %r2;\n", stall, UNIT_INT);
		struct full_run run = trial_run(&trial, 1);
		assert_int_equal(run.issued, LENGTH + 1);
		assert_cycles(&run, (LENGTH + 1) * stall, 0.5);
		arena_release(trial.arena);
	}
}

/* The first instructions of a launch are late, those of a block's last warp more, and blocks that start together do so
 * one after the other. */
static void test_starts(void **state)
{
	(void)state;
	struct trial trial;
	trial_make(&trial, "", "add.s32 %r1, %r1, %r2;\n", 4, UNIT_INT);
	trial.machine.cold_start = 150;
	trial.machine.cold_scheduler = 11;
	struct full_run run = trial_run(&trial, 1);
	assert_cycles(&run, 150 + (LENGTH + 1) * 4, 0.5);
	run = trial_run(&trial, 4);
	assert_cycles(&run, 150 + 3 * 11 + (LENGTH + 1) * 4, 0.5);
	trial.begun = true;
	run = trial_run(&trial, 4);
	assert_cycles(&run, (LENGTH + 1) * 4, 0.5);
	trial.begun = false;
	trial.machine.first_warp = 100;
	run = trial_run(&trial, 4);
	assert_cycles(&run, 3 * 100 + (LENGTH + 1) * 4, 0.5);
	trial.machine.first_warp = 0;
	trial.machine.first_block = 500;
	trial.machine.block_warp = 20;
	trial.machine.first_warps = 2;
	trial.machine.late_warp = 1000;
	run = trial_run_blocks(&trial, 1, 4, 4, 1);
	assert_cycles(&run, 3 * 520 + 1000 + (LENGTH + 1) * 4, 0.5);
	arena_release(trial.arena);
}

/* Ends of blocks are taken note of one after the other for all SMs, and the next block waits for that of the one
 * before. */
static void test_ends(void **state)
{
	(void)state;
	struct trial trial;
	trial_make(&trial, "", "add.s32 %r1, %r1, %r2;\n", 4, UNIT_INT);
	trial.machine.first_block = trial.machine.block_warp = 0;
	trial.machine.block_cycles = 10;
	trial.machine.block_turn = 77;
	struct full_run run = trial_run_blocks(&trial, 1, 4, 4, 100);
	assert_cycles(&run, 4 * 1000, 0.5);
	run = trial_run_blocks(&trial, 1, 3, 1, 1);
	assert_cycles(&run, 3 * (LENGTH + 1) * 4 + 2 * 77, 0.5);
	arena_release(trial.arena);
}

/* Each thread stores a word to each of LENGTH lines of its own. */
static void stores_make(struct trial *trial)
{
	trial_make(trial,
	           "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 128;\nadd.s64 %rd3, %rd1, "
	           "%rd2;\n",
	           "st.global.u32 [%rd3], %r1;\nadd.s64 %rd3, %rd3, 4096;\n", 1, UNIT_INT);
	for (uint32_t i = 0; i < trial->function->insn_count; i++)
		if (trial->function->insns[i].space == SPACE_GLOBAL)
			trial->controls[i].unit = UNIT_LOAD_STORE;
}

/* A launch is over when the L2 has taken its stores. */
static void test_stores_are_waited_for(void **state)
{
	(void)state;
	struct trial trial;
	stores_make(&trial);
	trial.machine.l2_store_flit = 3 * trial.machine.store_flit;
	trial.machine.store_backlog = 1e9;
	struct full_run run = trial_run_blocks(&trial, 1, 1, 1, trial.machine.sms);
	assert_true(run.stores.flits >= 2 * WARP_LANES * LENGTH);
	assert_true(run.complete && run.cycles >= run.stores.flits * trial.machine.l2_store_flit);
	arena_release(trial.arena);
}

/* The next block of a place starts after the LSU has taken all stores of the one before, of which a queue holds many.
 */
static void test_stores_are_taken(void **state)
{
	(void)state;
	struct trial trial;
	stores_make(&trial);
	trial.machine.block_turn = 1000;
	struct full_run one = trial_run_blocks(&trial, 1, 1, 1, 1), two = trial_run_blocks(&trial, 1, 2, 1, 1);
	assert_true(one.cycles > 2 * WARP_LANES * LENGTH);
	assert_cycles(&two, 2 * one.cycles + trial.machine.block_turn, 200);
	arena_release(trial.arena);
}

/* Warps of one scheduler hide each other's stalls until its pipe is full; warps of four schedulers do not touch each
 * other. */
static void test_pipe(void **state)
{
	static const uint32_t warps[] = {4, 8, 32};
	(void)state;
	for (unsigned w = 0; w < ARRAY_COUNT(warps); w++) {
		struct trial trial;
		trial_make(&trial, "", "add.s32 %r1, %r1, %r2;\n", 4, UNIT_INT);
		struct full_run run = trial_run(&trial, warps[w]);
		double each = warps[w] / 4 * trial.machine.pipe[FULL_ALU];
		assert_cycles(&run, LENGTH * fmax(4, each), 0.05 * LENGTH * 4 + warps[w]);
		arena_release(trial.arena);
	}
}

/* Additions that ptxas spells VIADD go beside logic, those that it spells IADD3 behind it. */
static void test_vector_add(void **state)
{
	static const char *const spellings[] = {"IADD3", "VIADD"};
	(void)state;
	for (unsigned s = 0; s < ARRAY_COUNT(spellings); s++) {
		struct trial trial;
		trial_make(&trial, "", "add.s32 %r1, %r1, %r2;\nxor.b32 %r3, %r3, %r4;\n", 1, UNIT_INT);
		for (uint32_t i = 0; i < trial.function->insn_count; i++)
			if (trial.function->insns[i].operation == OP_add)
				trial.function->insns[i].spelling = spellings[s];
		struct full_run run = trial_run(&trial, 32);
		double each = trial.machine.pipe[FULL_ALU] * (s == 0 ? 2 : 1);
		assert_cycles(&run, LENGTH * 8 * each, 0.05 * LENGTH * 8 * each);
		arena_release(trial.arena);
	}
}

/* Words of constant memory that a register numbers take the SM two cycles each, whichever schedulers ask; those in
 * uniform registers, or that the code names, do not (benchmarks/measured/constants-h100.csv). */
static void test_constants(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < 3; kind++) {
		struct trial trial;
		trial_make(&trial, "", "add.s32 %r1, %r1, %r2;\n", 1, UNIT_CONTROL);
		for (uint32_t i = 0; i + 1 < trial.function->insn_count; i++) {
			trial.function->insns[i].spelling = kind == 1 ? "ULDC" : "LDC";
			trial.controls[i].numbered = kind < 2;
			trial.controls[i].uniform = kind == 1;
			trial.controls[i].write_barrier = i % 8 == 7 ? 0 : 7;
			trial.controls[i].wait_mask = i % 8 == 0;
		}
		double cycles = trial_run(&trial, 16).cycles / LENGTH / 16;
		if (kind == 0 ? fabs(cycles / trial.machine.constant_word - 1) > 0.15
		              : cycles > 0.75 * trial.machine.constant_word)
			fail_msg("kind %u: %g cycles", kind, cycles);
		arena_release(trial.arena);
	}
}

/* As long for each place that lanes ask for, whatever its width (benchmarks/measured/constants-h200.csv). */
static void test_constant_places(void **state)
{
	static const unsigned places[] = {1, 2, 4, 32};
	static const char *const widths[] = {"u8", "u32", "u64"};
	(void)state;
	for (unsigned p = 0; p < ARRAY_COUNT(places); p++)
		for (unsigned w = 0; w < ARRAY_COUNT(widths); w++) {
			struct trial trial;
			char setup[128], body[64];
			snprintf(setup, sizeof setup,
			         "mov.u32 %%r1, %%tid.x;\nand.b32 %%r2, %%r1, %u;\nshl.b32 %%r3, %%r2, %u;\n",
			         places[p] - 1, w);
			snprintf(body, sizeof body, "ld.const.%s %s, [%%r3];\n", widths[w], w == 2 ? "%rd1" : "%r4");
			trial_make(&trial, setup, body, 1, UNIT_CONTROL);
			for (uint32_t i = 0; i + 1 < trial.function->insn_count; i++) {
				bool loads = trial.function->insns[i].operation == OP_ld;
				trial.function->insns[i].spelling = loads ? "LDC" : trial.function->insns[i].spelling;
				trial.controls[i].numbered = loads;
				trial.controls[i].write_barrier = loads && i % 8 == 7 ? 0 : 7;
				trial.controls[i].wait_mask = i % 8 == 0;
			}
			double cycles = trial_run(&trial, 16).cycles / LENGTH / 16;
			if (fabs(cycles / (places[p] * trial.machine.constant_word) - 1) > 0.15)
				fail_msg("%u places of %s: %g cycles", places[p], widths[w], cycles);
			arena_release(trial.arena);
		}
}

/* Two sources in one bank of the register file hold the scheduler for two cycles, one in each for one. */
static void test_banks(void **state)
{
	(void)state;
	for (unsigned second = 4; second < 6; second++) {
		struct trial trial;
		trial_make(&trial, "", "add.f32 %r1, %r1, %r2;\n", 1, UNIT_FP32);
		for (size_t i = 0; i < trial.function->insn_count; i++) {
			trial.controls[i].source[0] = 2;
			trial.controls[i].source[1] = (uint8_t)second;
		}
		struct full_run run = trial_run(&trial, 4);
		assert_cycles(&run, LENGTH * (second % 2 ? 1 : 2), 4);
		arena_release(trial.arena);
	}
}

/* An instruction of a mix: how ptxas spells it, registers it reads. */
struct mixed {
	const char *spelling;
	enum ptx_unit unit;
	uint8_t sources[3], pairs;
	bool uniform;
};

#define NONE SASS_NO_REGISTER
enum { NOP, FMUL, EVEN, ANY_ODD, WIDE, WIDE_ODD, WIDE_ZERO, SHUFFLE, ROOT, DOUBLE, UNIFORM, VECTOR, MULTIPLY, LOGIC };
static const struct mixed mixed[] = {
	[NOP] = {"NOP", UNIT_CONTROL, {NONE, NONE, NONE}, 0, false},
	[FMUL] = {"FMUL", UNIT_FP32, {6, NONE, NONE}, 0, false},
	[EVEN] = {"FFMA", UNIT_FP32, {6, 7, 10}, 0, false},
	[ANY_ODD] = {"FADD", UNIT_FP32, {6, 7, NONE}, 0, false},
	[WIDE] = {"IMAD.WIDE", UNIT_INT_MULTIPLY, {6, NONE, 8}, 4, false},
	[WIDE_ODD] = {"IMAD.WIDE", UNIT_INT_MULTIPLY, {7, NONE, 8}, 4, false},
	[WIDE_ZERO] = {"IMAD.WIDE", UNIT_INT_MULTIPLY, {6, NONE, NONE}, 0, false},
	[SHUFFLE] = {"SHFL.DOWN", UNIT_SHUFFLE, {6, NONE, NONE}, 0, false},
	[ROOT] = {"MUFU.RSQ", UNIT_SFU, {6, NONE, NONE}, 0, false},
	[DOUBLE] = {"DADD", UNIT_FP64, {8, NONE, NONE}, 1, false},
	[UNIFORM] = {"UIADD3", UNIT_INT, {NONE, NONE, NONE}, 0, true},
	[VECTOR] = {"VIADD", UNIT_INT, {6, NONE, NONE}, 0, false},
	[MULTIPLY] = {"IMAD.MOV.U32", UNIT_INT_MULTIPLY, {10, NONE, NONE}, 0, false},
	[LOGIC] = {"LOP3.LUT", UNIT_INT, {6, NONE, NONE}, 0, false},
};

/* Cycles of a scheduler with eight warps for a group of instructions: patched machine code,
 * benchmarks/measured/mixes-h200.csv. */
static void test_mixes(void **state)
{
	static const struct {
		double cycles;
		uint8_t count, insns[12];
	} mixes[] = {
		{4.0, 1, {WIDE}},
		{6.0, 4, {WIDE, NOP, NOP, NOP}},
		{10.0, 8, {WIDE, NOP, NOP, NOP, NOP, NOP, NOP, NOP}},
		{6.9, 4, {WIDE, FMUL, FMUL, FMUL}},
		{6.0, 4, {WIDE_ODD, FMUL, FMUL, FMUL}},
		{6.0, 4, {WIDE_ZERO, FMUL, FMUL, FMUL}},
		{13.9, 8, {WIDE, WIDE, ANY_ODD, ANY_ODD, ANY_ODD, ANY_ODD, ANY_ODD, ANY_ODD}},
		{10.0, 9, {SHUFFLE, FMUL, FMUL, FMUL, FMUL, FMUL, FMUL, FMUL, FMUL}},
		{10.0, 9, {ROOT, FMUL, FMUL, FMUL, FMUL, FMUL, FMUL, FMUL, FMUL}},
		{10.0, 9, {DOUBLE, FMUL, FMUL, FMUL, FMUL, FMUL, FMUL, FMUL, FMUL}},
		{11.0, 11, {ROOT, FMUL, NOP, FMUL, NOP, FMUL, NOP, FMUL, NOP, FMUL, NOP}},
		{10.9, 6, {ROOT, EVEN, EVEN, EVEN, EVEN, EVEN}},
		{2.0, 2, {UNIFORM, NOP}},
		{2.0, 2, {UNIFORM, LOGIC}},
		{5.0, 4, {UNIFORM, UNIFORM, FMUL, FMUL}},
		{3.8, 2, {VECTOR, MULTIPLY}},
		{2.0, 2, {VECTOR, LOGIC}},
	};
	(void)state;
	for (unsigned m = 0; m < ARRAY_COUNT(mixes); m++) {
		struct trial trial;
		struct text line = {0};
		for (unsigned i = 0; i < mixes[m].count; i++)
			text_puts(&line, "add.s32 %r1, %r2, %r3;\n");
		trial_make(&trial, "", line.data, 1, UNIT_INT);
		for (uint32_t i = 0; i + 1 < trial.function->insn_count; i++) {
			const struct mixed *insn = &mixed[mixes[m].insns[i % mixes[m].count]];
			trial.function->insns[i].spelling = insn->spelling;
			trial.controls[i].unit = (uint8_t)insn->unit;
			trial.controls[i].uniform = insn->uniform;
			trial.controls[i].source_pairs = insn->pairs;
			memcpy(trial.controls[i].source, insn->sources, sizeof insn->sources);
		}
		double cycles = trial_run(&trial, 32).cycles / LENGTH / 8;
		if (fabs(cycles / mixes[m].cycles - 1) > 0.06)
			fail_msg("mix %u: %g cycles, measured %g", m, cycles, mixes[m].cycles);
		text_release(&line);
		arena_release(trial.arena);
	}
}

/* A multiplication to 64 bits, a load of the L1's and a sum, by eight warps of a scheduler: 17 take 102 of the 109
 * cycles of benchmarks/measured/addresses-h100.csv. */
static void test_addresses(void **state)
{
	struct trial trial;
	(void)state;
	trial_make(&trial, "ld.param.u64 %rd1, [p];\n",
	           "add.s32 %r1, %r2, %r3;\nld.global.u32 %r4, [%rd1];\nadd.s32 %r1, %r2, %r3;\n", 1, UNIT_CONTROL);
	for (uint32_t i = 1; i + 1 < trial.function->insn_count; i++) {
		const bool load = trial.function->insns[i].space == SPACE_GLOBAL;
		const struct mixed *insn = &mixed[trial.function->insns[i + 1].space == SPACE_GLOBAL ? WIDE : FMUL];
		trial.controls[i].unit = (uint8_t)(load ? UNIT_LOAD_STORE : insn->unit);
		if (load)
			continue;
		trial.function->insns[i].spelling = insn->spelling;
		trial.controls[i].source_pairs = insn->pairs;
		memcpy(trial.controls[i].source, insn->sources, sizeof insn->sources);
	}
	double cycles = trial_run(&trial, 32).cycles / LENGTH / 8;
	if (fabs(cycles / 6 - 1) > 0.06)
		fail_msg("%g cycles, measured 6", cycles);
	arena_release(trial.arena);
}

/* One warp's cycles a round of `period` instructions: one that reads register `reads` and writes 6, NOPs, and an access
 * to shared memory with registers 8 so many places before the next round. */
static double round_cycles(const char *access, bool data, unsigned period, unsigned before, uint8_t reads)
{
	struct trial trial;
	struct text line = {0};
	for (unsigned i = 0; i < period; i++)
		text_puts(&line, i == period - before ? access : "add.s32 %r1, %r2, %r3;\n");
	trial_make(&trial, ".shared .align 4 .u32 at;\n", line.data, 1, UNIT_CONTROL);
	for (uint32_t i = 0; i + 1 < trial.function->insn_count; i++) {
		trial.controls[i].target = SASS_NO_REGISTER;
		if (trial.function->insns[i].space == SPACE_SHARED) {
			trial.controls[i].unit = UNIT_LOAD_STORE;
			trial.controls[i].source[data] = 8;
		} else {
			trial.function->insns[i].spelling = i % period ? "NOP" : "FADD";
			trial.controls[i].unit = i % period ? UNIT_CONTROL : UNIT_FP32;
			trial.controls[i].source[0] = i % period ? SASS_NO_REGISTER : reads;
			trial.controls[i].target = i % period ? SASS_NO_REGISTER : 6;
		}
	}
	double cycles = trial_run(&trial, 1).cycles / LENGTH;
	text_release(&line);
	arena_release(trial.arena);
	return cycles;
}

/* What has just been written is not read from a bank at the time that an access to shared memory reads there:
 * benchmarks/measured/fresh-h200.json, of which these are rows. */
static void test_fresh(void **state)
{
	static const struct {
		const char *access;
		bool data;
		unsigned before;
	} accesses[] = {{"ld.shared.u32 %r1, [at];\n", false, 1}, {"st.shared.u32 [at], %r1;\n", true, 2}};
	(void)state;
	for (unsigned a = 0; a < ARRAY_COUNT(accesses); a++)
		for (unsigned period = 5; period <= 8; period++)
			for (unsigned before = 1; before <= 3; before++) {
				double same = round_cycles(accesses[a].access, accesses[a].data, period, before, 6);
				double old = round_cycles(accesses[a].access, accesses[a].data, period, before, 10);
				bool waits = period <= 6 && before == accesses[a].before;
				if (fabs(same - period - waits) > 0.5 || fabs(old - period) > 0.5)
					fail_msg("access %u, period %u, %u before: %g and %g cycles", a, period, before,
					         same, old);
			}
}

/* Barriers of several blocks let their warps go one after the other: benchmarks/measured/barriers-h200.csv, 64 warps
 * 128 cycles in two blocks, 137 in sixteen, 32 in one block 88. */
static void test_barriers(void **state)
{
	static const unsigned blocks[] = {1, 2, 4, 16};
	(void)state;
	for (unsigned b = 0; b < ARRAY_COUNT(blocks); b++) {
		unsigned warps = blocks[b] == 1 ? 32 : 64 / blocks[b];
		struct trial trial;
		trial_make(&trial, "", "bar.sync 0;\n", 1, UNIT_BARRIER);
		double cycles = trial_run_blocks(&trial, warps, blocks[b], blocks[b], 1).cycles / LENGTH;
		double measured = blocks[b] == 1 ? 88 : blocks[b] == 2 ? 128 : 137;
		if (fabs(cycles / measured - 1) > 0.15)
			fail_msg("%u blocks of %u warps: %g cycles, measured %g", blocks[b], warps, cycles, measured);
		arena_release(trial.arena);
	}
}

/* Accesses to shared memory take as long with all lanes switched off as with all on, of one warp and of many
 * (benchmarks/measured/off-h200.csv). */
static void test_switched_off(void **state)
{
	static const char *const names[] = {"setp.ne.u32 %p1, 0, 0;\n", "setp.eq.u32 %p1, 0, 0;\n"};
	(void)state;
	for (uint32_t warps = 1; warps <= 16; warps *= 4) {
		double cycles[2];
		for (unsigned on = 0; on < 2; on++) {
			struct trial trial;
			char before[128];
			snprintf(before, sizeof before, ".shared .align 4 .u32 at;\n.reg .pred %%p<2>;\n%s", names[on]);
			trial_make(&trial, before, "@%p1 ld.shared.u32 %r1, [at];\n", 1, UNIT_LOAD_STORE);
			for (uint32_t i = 1; i + 1 < trial.function->insn_count; i++) {
				trial.controls[i].write_barrier = 0;
				trial.controls[i].wait_mask = 1;
			}
			cycles[on] = trial_run(&trial, warps).cycles;
			arena_release(trial.arena);
		}
		if (cycles[0] < 20 * LENGTH || fabs(cycles[0] / cycles[1] - 1) > 0.02)
			fail_msg("%u warps: %g cycles off, %g on", warps, cycles[0], cycles[1]);
	}
}

/* A special function takes a turn of what loads from global memory go through, one of those from shared memory does
 * not. */
static void test_turns(void **state)
{
	static const char *const loads[] = {"ld.global.u32 %r1, [%rd1];\n", "ld.shared.u32 %r1, [at];\n"};
	(void)state;
	for (unsigned s = 0; s < ARRAY_COUNT(loads); s++) {
		struct trial trial;
		char line[200];
		snprintf(line, sizeof line, "%s%s%sex2.approx.f32 %%r2, %%r3;\n", loads[s], loads[s], loads[s]);
		trial_make(&trial, ".shared .align 4 .u32 at;\nld.param.u64 %rd1, [p];\n", line, 1, UNIT_LOAD_STORE);
		for (uint32_t i = 0; i < trial.function->insn_count; i++)
			if (trial.function->insns[i].operation == OP_ex2_approx)
				trial.controls[i].unit = UNIT_SFU;
		struct full_run run = trial_run(&trial, 1);
		double turn = s == 0 ? trial.machine.special_turn : 0;
		assert_cycles(&run, LENGTH * (3 * trial.machine.address_cycles + turn),
		              trial.machine.queue / FULL_SCHEDULERS * (trial.machine.address_cycles + turn) + 8);
		arena_release(trial.arena);
	}
}

/* Loads that each wait for the one before: the first misses, the others hit the L1. */
static void test_loads(void **state)
{
	struct trial trial;
	(void)state;
	trial_make(&trial, "ld.param.u64 %rd1, [p];\n", "ld.global.u32 %r1, [%rd1];\n", 1, UNIT_LOAD_STORE);
	for (size_t i = 0; i < trial.function->insn_count; i++) {
		trial.controls[i].write_barrier = 0;
		trial.controls[i].wait_mask = 1;
	}
	struct full_run run = trial_run(&trial, 1);
	double hits = (LENGTH - 1) * trial.machine.l1_latency;
	assert_cycles(&run, trial.machine.l2_latency + hits, 0.02 * hits + 60);
	assert_true(run.missed_sectors == 1 && run.global_sectors == LENGTH);
	arena_release(trial.arena);
}

#define PLACED(bytes)                                                                                                  \
	"ld.param.u64 %rd1, [p];\nmov.u32 %r3, %tid.x;\nmul.wide.u32 %rd2, %r3, " bytes ";\nadd.s64 %rd3, %rd1, "      \
	"%rd2;\n"
#define STRIDED PLACED("32")
#define ALONGSIDE PLACED("4")

/* Loads that wait for nothing are served at the passes of their banks: 8 floats apart, 8 cycles each. */
static void test_strided_loads(void **state)
{
	struct trial trial;
	(void)state;
	trial_make(&trial, STRIDED, "ld.global.u32 %r1, [%rd3];\n", 1, UNIT_LOAD_STORE);
	for (size_t i = 0; i < 4; i++)
		trial.controls[i].unit = UNIT_INT;
	struct full_run run = trial_run(&trial, 16);
	double expected = 16 * LENGTH * 8;
	assert_true(run.complete && fabs(run.lsu_busy - expected) < 0.01 * expected);
	assert_true(run.cycles > 0.9 * expected && run.cycles < 1.1 * expected + trial.machine.l2_latency);
	arena_release(trial.arena);
}

/* The same four at once, which are waited for: of one warp a pass takes two cycles but for the first, of 16 one
 * (benchmarks/measured/conflicts-h100.csv: 129 cycles a round with its sums and its loop, 50 more than of words side by
 * side; 511). */
static void test_strided_rounds(void **state)
{
	static const uint32_t warps[] = {1, 16};
	(void)state;
	for (unsigned w = 0; w < ARRAY_COUNT(warps); w++) {
		double cycles[2];
		for (unsigned strided = 0; strided < 2; strided++) {
			struct trial trial;
			trial_make(
				&trial, strided ? STRIDED : ALONGSIDE,
				"ld.global.u32 %r4, [%rd3];\nld.global.u32 %r5, [%rd3];\nld.global.u32 %r6, [%rd3];\n"
				"ld.global.u32 %r7, [%rd3];\nadd.s32 %r1, %r2, %r3;\n",
				1, UNIT_LOAD_STORE);
			for (size_t i = 0; i < trial.function->insn_count; i++) {
				bool loads = trial.function->insns[i].space == SPACE_GLOBAL;
				trial.controls[i].unit = loads ? UNIT_LOAD_STORE : UNIT_INT;
				trial.controls[i].write_barrier = loads ? 0 : 7;
				trial.controls[i].wait_mask = i > 4 && !loads;
			}
			cycles[strided] = trial_run(&trial, warps[w]).cycles / LENGTH;
			arena_release(trial.arena);
		}
		double wanted = warps[w] == 1 ? cycles[0] + 50 : 16 * 4 * 8;
		if (fabs(cycles[1] / wanted - 1) > 0.06)
			fail_msg("%u warps: %g cycles, %g side by side, not %g", warps[w], cycles[1], cycles[0],
			         wanted);
	}
}

/* Asynchronous copies of one tile after the other: as long as no more than so many groups may be on their way, so many
 * more are waited for at once (benchmarks/operands/copies_async.cu). */
static void test_copy_groups(void **state)
{
	static const unsigned left[] = {0, 1, 3};
	double alone = 0;
	(void)state;
	for (unsigned l = 0; l < ARRAY_COUNT(left); l++) {
		struct trial trial;
		trial_make(
			&trial,
			"ld.param.u64 %rd1, [p];\nmov.u32 %r3, %tid.x;\nmul.wide.u32 %rd2, %r3, 16;\nadd.s64 %rd3, "
			"%rd1, %rd2;\n"
			"mov.u32 %r1, 0;\n",
			"cp.async.ca.shared.global [%r1], [%rd3], 16;\ncp.async.commit_group;\ncp.async.wait_group 0;\n"
			"add.s64 %rd3, %rd3, 512;\n",
			1, UNIT_CONTROL);
		for (uint32_t i = 5; i + 4 < trial.function->insn_count; i += 4) {
			trial.controls[i].unit = UNIT_LOAD_STORE;
			trial.function->insns[i + 1].spelling = "LDGDEPBAR";
			trial.controls[i + 2].depth = (uint8_t)(left[l] + 1);
			trial.controls[i + 3].unit = UNIT_INT;
		}
		double cycles = trial_run(&trial, 1).cycles / LENGTH;
		alone = l ? alone : cycles;
		if (cycles < trial.machine.l2_latency / (left[l] + 1) || fabs(cycles * (left[l] + 1) / alone - 1) > 0.1)
			fail_msg("%u groups on their way: %g cycles a trip, %g with none", left[l], cycles, alone);
		arena_release(trial.arena);
	}
}

/* Loads of lines that are on their way are taken at once, four floats apart, but go back in four cycles each once these
 * are there; a store after each takes as long again. */
static void test_returning_loads(void **state)
{
	static const char *const lines[] = {"ld.global.u32 %r1, [%rd3];\n",
	                                    "ld.global.u32 %r1, [%rd3];\nst.global.u32 [%rd3+262144], %r3;\n"};
	(void)state;
	for (unsigned stored = 0; stored < ARRAY_COUNT(lines); stored++) {
		struct trial trial;
		trial_make(&trial,
		           "ld.param.u64 %rd1, [p];\nmov.u32 %r3, %tid.x;\nmul.wide.u32 %rd2, %r3, 16;\nadd.s64 %rd3, "
		           "%rd1, %rd2;\n",
		           lines[stored], 1, UNIT_LOAD_STORE);
		uint32_t last = (uint32_t)trial.function->insn_count - 1;
		for (size_t i = 0; i < 4; i++)
			trial.controls[i].unit = UNIT_INT;
		for (uint32_t i = 4; i < last; i += 1 + stored)
			trial.controls[i].write_barrier = 0;
		trial.controls[last].wait_mask = 1;
		struct full_run run = trial_run(&trial, FULL_SCHEDULERS);
		double passes = FULL_SCHEDULERS * LENGTH * 4.0 * (1 + stored);
		assert_true(run.complete && fabs(run.lsu_busy - passes) < 8);
		assert_cycles(&run, passes + (stored ? 0 : trial.machine.l2_latency), passes / 12);
		arena_release(trial.arena);
	}
}

#define ADDS 8

/*
 * A branch that is taken to the place where lanes meet, as around the slow paths of roots. One warp goes on
 * taken_branch and reconvergence cycles after these; of eight warps all else is fetched in a cycle each, the branch in
 * branch_fetch, and in branch_far more where the code is long (benchmarks/measured/skips-h100.csv: roots of one warp 56
 * cycles, of eight 11.4, 12.5 in a loop of 139 KB; benchmarks/measured/jumps-h100.csv: a root of eight warps 10.9).
 */
static void test_branches(void **state)
{
	(void)state;
	for (uint32_t warps = 1; warps <= 32; warps += 31) {
		struct trial trial;
		struct text lines = {0};
		for (unsigned i = 0; i < LENGTH; i++) {
			for (unsigned add = 0; add < ADDS; add++)
				text_puts(&lines, "add.s32 %r1, %r1, 1;\n");
			text_printf(&lines,
			            "bra.uni OVER%u;\nadd.s32 %%r1, %%r1, 2;\nOVER%u:\nadd.s32 %%r1, %%r1, 1;\n", i, i);
		}
		text_puts(&lines, "add.s32 %r2, %r2, 1;\n");
		trial_make(&trial, lines.data, "", 1, UNIT_FP32);
		uint32_t each = 0;
		for (uint32_t i = 0; i < trial.function->insn_count; i++)
			if (trial.function->insns[i].operation == OP_bra) {
				trial.controls[i].unit = UNIT_CONTROL;
				trial.controls[i].stall = 5;
				trial.function->insns[i + 2].spelling = "BSYNC";
				trial.controls[i + 2].unit = UNIT_CONTROL;
				each++;
			}
		trial.machine.branch_far = NULL;
		struct full_run run = trial_run(&trial, warps);
		const struct full_machine *machine = &trial.machine;
		double alone = LENGTH * (ADDS + machine->taken_branch + machine->reconvergence);
		double fetched = LENGTH * 8 * (ADDS + 1 + machine->branch_fetch);
		assert_int_equal(each, LENGTH);
		if (warps == 1)
			assert_cycles(&run, alone, 40);
		else if (run.cycles < fetched || run.cycles > 1.12 * fetched)
			fail_msg("%g cycles, %g to fetch", run.cycles, fetched);
		double bytes = trial.function->insn_count * SASS_INSN_BYTES;
		trial.machine.branch_far = &(struct machine_table){
			.at = (double[]){bytes / 2, bytes}, .value = (double[]){0, 4}, .count = 2};
		struct full_run far = trial_run(&trial, warps);
		if (warps == 1)
			assert_cycles(&far, alone, 40);
		else if (far.cycles < run.cycles + 0.7 * LENGTH * 8 * 4 || far.cycles > run.cycles + LENGTH * 8 * 4)
			fail_msg("%g cycles where code is long, %g where it is not", far.cycles, run.cycles);
		text_release(&lines);
		arena_release(trial.arena);
	}
}

/* A short loop in a long one: the code around a block is that of the shortest loop that holds it, and of the whole
 * function outside. */
static void test_around(void **state)
{
	struct trial trial;
	(void)state;
	trial_make(&trial,
	           ".reg .pred %p<2>;\nadd.s32 %r1, %r1, 1;\nOUTER:\nadd.s32 %r1, %r1, 1;\nINNER:\nadd.s32 %r1, %r1, "
	           "1;\n@%p1 bra "
	           "INNER;\n"
	           "add.s32 %r1, %r1, 1;\n@%p1 bra OUTER;\n",
	           "add.s32 %r1, %r1, 1;\n", 1, UNIT_INT);
	trial.machine.branch_far =
		&(struct machine_table){.at = (double[]){0, 1 << 20}, .value = (double[]){0, 1 << 20}, .count = 2};
	const struct full_code *code = full_code_make(trial.arena, &trial.machine, trial.function);
	const double least = trial.machine.branch_fetch - 1;
	assert_int_equal(code->blocks[0].around, code->insn_count * SASS_INSN_BYTES);
	assert_true(code->insns[3].fetch == (float)(least + 2 * SASS_INSN_BYTES));
	assert_true(code->insns[5].fetch == (float)(least + 5 * SASS_INSN_BYTES));
	assert_true(code->insns[code->insn_count - 1].fetch == (float)(least + code->insn_count * SASS_INSN_BYTES));
	arena_release(trial.arena);
}

/* What a warp waits for at its instructions adds up to the time that it runs, and the load is what the next instruction
 * waits for. */
static void test_stalls(void **state)
{
	struct trial trial;
	double sum[COST_STALL_COUNT] = {0}, all = 0;
	(void)state;
	trial_make(&trial, "ld.param.u64 %rd1, [p];\n", "ld.global.u32 %r1, [%rd1];\nadd.s32 %r2, %r1, %r2;\n", 2,
	           UNIT_INT);
	loads_guard(&trial);
	struct full_run run = trial_run(&trial, 1);
	for (uint32_t i = 0; i < trial.function->insn_count; i++)
		for (unsigned s = 0; s < COST_STALL_COUNT; s++) {
			sum[s] += run.insns[i].stalls[s];
			all += run.insns[i].stalls[s];
		}
	assert_true(fabs(all - run.cycles) < 4);
	assert_true(sum[COST_STALL_LONG_SCOREBOARD] > 0.8 * all);
	assert_true(sum[COST_STALL_SELECTED] == (double)run.issued);
	for (uint32_t i = 1; i + 1 < trial.function->insn_count; i++)
		if (trial.function->insns[i].space == SPACE_GLOBAL)
			assert_int_equal(run.insns[i + 1].source, i);
	arena_release(trial.arena);
}

/* Lanes 128 bytes apart: 32 sectors a load; were lanes neighbours, 4; were all in the L1, none would miss; were they
 * early, nobody would wait. */
static void test_suppositions(void **state)
{
	static const double sectors[] = {32, 4, 32, 32};
	struct full_run runs[4];
	(void)state;
	for (unsigned kind = 0; kind < ARRAY_COUNT(runs); kind++) {
		struct trial trial;
		trial_make(
			&trial, "ld.param.u64 %rd1, [p];\nmov.u32 %r9, %tid.x;\nmad.wide.u32 %rd2, %r9, 128, %rd1;\n",
			"ld.global.u32 %r1, [%rd2];\nadd.s32 %r2, %r1, %r2;\nadd.s64 %rd2, %rd2, 4096;\n", 2, UNIT_INT);
		loads_guard(&trial);
		uint8_t *supposed = arena_array(trial.arena, trial.function->insn_count, sizeof *supposed);
		memset(supposed, (int)kind, trial.function->insn_count);
		trial.supposed = supposed;
		runs[kind] = trial_run(&trial, 1);
		assert_true(runs[kind].global_sectors == sectors[kind] * LENGTH);
		if (kind)
			assert_true(runs[kind].cycles < runs[0].cycles);
		arena_release(trial.arena);
	}
	assert_true(runs[1 + SUPPOSE_NEAR].missed_sectors == 0);
	assert_true(runs[1 + SUPPOSE_NEIGHBOURS].missed_sectors == 4 * LENGTH);
	assert_true(runs[1 + SUPPOSE_EARLY].cycles < 0.1 * runs[0].cycles);
}

/* The same run twice gives the same numbers. */
static void test_deterministic(void **state)
{
	struct full_run runs[2];
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct trial trial;
		trial_make(&trial, "ld.param.u64 %rd1, [p];\n", "ld.global.u32 %r1, [%rd1];\n", 3, UNIT_LOAD_STORE);
		runs[i] = trial_run(&trial, 7);
		arena_release(trial.arena);
	}
	assert_true(runs[0].cycles == runs[1].cycles && runs[0].lsu_busy == runs[1].lsu_busy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fresh),
		cmocka_unit_test(test_barriers),
		cmocka_unit_test(test_switched_off),
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_pipe),
		cmocka_unit_test(test_banks),
		cmocka_unit_test(test_mixes),
		cmocka_unit_test(test_constants),
		cmocka_unit_test(test_constant_places),
		cmocka_unit_test(test_copy_groups),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_vector_add),
		cmocka_unit_test(test_loads),
		cmocka_unit_test(test_strided_loads),
		cmocka_unit_test(test_strided_rounds),
		cmocka_unit_test(test_returning_loads),
		cmocka_unit_test(test_deterministic),
		cmocka_unit_test(test_stalls),
		cmocka_unit_test(test_branches),
		cmocka_unit_test(test_around),
		cmocka_unit_test(test_suppositions),
		cmocka_unit_test(test_starts),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_stores_are_waited_for),
		cmocka_unit_test(test_stores_are_taken),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
