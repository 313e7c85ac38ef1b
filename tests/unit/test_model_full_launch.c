/* Whole launches of random loops: runs that are made shorter because they stand for little of the launch hardly change
 * its time. */
#include "model/cost/full/launch/launch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define LAUNCHES 120
#define LEAST_SHORTER 4   /* of them that something was made shorter in */
#define LEAST_DIFFERENT 6 /* and whose time it changed */

struct trial {
	struct arena *arena;
	struct full_machine machine;
	struct evaluate_input input;
	struct memory_buffer buffer;
	struct argument argument;
	unsigned warps, registers;
};

static unsigned pick(uint64_t seed, unsigned which, unsigned low, unsigned high)
{
	return low + (unsigned)(content_scramble(seed * 64 + which) % (high - low + 1));
}

/* A loop whose threads read some words of a record each, with some arithmetic, further on in each trip. */
static void text_make(struct text *text, uint64_t seed)
{
	unsigned loads = pick(seed, 0, 1, 3), sums = pick(seed, 1, 0, 12), record = 4u << pick(seed, 2, 0, 4);
	bool stored = pick(seed, 3, 0, 2) == 0, rewinds = pick(seed, 4, 0, 1);
	unsigned step = rewinds ? 0 : record * pick(seed, 5, 32, 4096);
	text_printf(text,
	            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg .b32 "
	            "%%r<40>;\n"
	            ".reg .b64 %%rd<10>;\n.reg .pred %%p<2>;\nld.param.u64 %%rd1, [p];\nmov.u32 %%r1, %%tid.x;\n"
	            "mov.u32 %%r2, %%ctaid.x;\nmov.u32 %%r3, %%ntid.x;\nmad.lo.u32 %%r4, %%r2, %%r3, %%r1;\n"
	            "mul.wide.u32 %%rd2, %%r4, %u;\nadd.s64 %%rd3, %%rd1, %%rd2;\nmov.u32 %%r5, 0;\nLOOP:\n",
	            record);
	for (unsigned i = 0; i < loads; i++)
		text_printf(text, "ld.global.u32 %%r%u, [%%rd3+%u];\n", 10 + i, i * 4 % record);
	for (unsigned i = 0; i < sums; i++)
		text_printf(text, "add.u32 %%r%u, %%r%u, %%r10;\n", 20 + i, 20 + i);
	if (stored)
		text_puts(text, "st.global.u32 [%rd3], %r20;\n");
	text_printf(text,
	            "add.s64 %%rd3, %%rd3, %u;\nadd.u32 %%r5, %%r5, 1;\nsetp.lt.u32 %%p1, %%r5, %u;\n@%%p1 bra "
	            "LOOP;\nret;\n}\n",
	            step, pick(seed, 6, 1, 3) == 1 ? pick(seed, 7, 2, 12) : pick(seed, 7, 40, 1500));
}

/* As ptxas would have it: loads set scoreboards, of which the first one is waited for after the last. */
static void schedule(struct arena *arena, struct ptx_function *function, uint8_t stall)
{
	struct sass_code *code = arena_alloc(arena, sizeof *code);
	struct sass_control *controls = arena_array(arena, function->insn_count, sizeof *controls);
	bool loaded = false;
	for (size_t i = 0; i < function->insn_count; i++) {
		bool global = function->insns[i].space == SPACE_GLOBAL;
		controls[i] = (struct sass_control){.address = (uint32_t)(SASS_INSN_BYTES * i),
		                                    .unit = global ? UNIT_LOAD_STORE : UNIT_INT,
		                                    .stall = stall,
		                                    .write_barrier = global ? 0 : 7,
		                                    .read_barrier = 7,
		                                    .wait_mask = loaded && !global ? 1 : 0,
		                                    .source = {SASS_NO_REGISTER, SASS_NO_REGISTER, SASS_NO_REGISTER}};
		loaded = global;
	}
	code->control = controls;
	function->sass = code;
}

static void trial_make_stalled(struct trial *trial, struct text *text, uint64_t seed, uint8_t stall)
{
	struct diagnostics diagnostics;
	*trial = (struct trial){.arena = arena_create()};
	diagnostics_init(&diagnostics, trial->arena);
	full_machine_read(machine_load(trial->arena, "h200", &diagnostics), &(struct full_streams){2048, 1},
	                  &trial->machine);
	struct ptx_module *module = ptx_parse(trial->arena, "trial", text->data, text->length, &diagnostics);
	assert_non_null(module);
	text_release(text);
	struct ptx_function *function = ptx_module_find(module, "k");
	ptx_function_analyse(trial->arena, function);
	schedule(trial->arena, function, stall);
	trial->warps = 1u << pick(seed, 8, 1, 3);
	trial->buffer = (struct memory_buffer){.name = "p", .bytes = UINT64_C(1) << 40};
	trial->argument = (struct argument){.kind = ARGUMENT_POINTER};
	trial->input = (struct evaluate_input){.module = module,
	                                       .function = function,
	                                       .grid = {132 * pick(seed, 10, 1, 60), 1, 1},
	                                       .block = {trial->warps * WARP_LANES, 1, 1},
	                                       .arguments = &trial->argument,
	                                       .buffers = &trial->buffer,
	                                       .buffer_count = 1};
}

static void trial_make(struct trial *trial, struct text *text, uint64_t seed)
{
	trial_make_stalled(trial, text, seed, 2);
}

static struct full_launch trial_run_resident(struct trial *trial, unsigned resident, bool unhurried)
{
	struct full_launch launch = {.scale = 0};
	struct full_traffic traffic = {.read_bytes = 0};
	struct full_work work = {.machine = &trial->machine,
	                         .code = full_code_make(trial->arena, &trial->machine, trial->input.function),
	                         .function = trial->input.function,
	                         .input = &trial->input,
	                         .evaluation = exec_evaluate(trial->arena, &trial->input),
	                         .buffers = &trial->buffer,
	                         .buffer_count = 1,
	                         .tracer = tracer_make(trial->arena, &trial->input),
	                         .grid = {trial->input.grid[0], 1, 1},
	                         .warps = trial->warps,
	                         .resident = resident,
	                         .l1_bytes = trial->machine.l1_bytes,
	                         .unhurried = unhurried};
	full_launch_run(trial->arena, &work, &traffic, &launch);
	return launch;
}

static struct full_launch trial_run(struct trial *trial, uint64_t seed, bool unhurried)
{
	return trial_run_resident(trial, pick(seed, 11, 1, 64 / trial->warps), unhurried);
}

/* The array: for two launches of three about as large as what they fetch, so that little of them is left when all has
 * been fetched; for others much smaller. */
static void buffer_set(struct trial *trial, uint64_t seed)
{
	double fetched = trial_run(trial, seed, false).dram_bytes;
	unsigned share = pick(seed, 9, 0, 2) ? pick(seed, 12, 95, 100) : pick(seed, 12, 1, 4);
	trial->buffer.bytes = (uint64_t)fmax(LINE_BYTES, fetched * share / 100);
}

static void test_shorter_runs(void **state)
{
	unsigned shorter = 0, different = 0;
	(void)state;
	for (uint64_t seed = 1; seed <= LAUNCHES; seed++) {
		struct text text = {0};
		struct trial trial;
		text_make(&text, seed);
		trial_make(&trial, &text, seed);
		buffer_set(&trial, seed);
		struct full_launch quick = trial_run(&trial, seed, false), whole = trial_run(&trial, seed, true);
		if (fabs(quick.cycles / whole.cycles - 1) > 0.01)
			fail_msg("launch %u: %g cycles instead of %g", (unsigned)seed, quick.cycles, whole.cycles);
		shorter += quick.run.issued < whole.run.issued;
		different += quick.cycles != whole.cycles;
		arena_release(trial.arena);
	}
	if (shorter < LEAST_SHORTER || different < LEAST_DIFFERENT)
		fail_msg("%u shorter, %u different", shorter, different);
}

#define BLOCKS (132 * 200)
#define STREAMED 4 /* words of each thread */

/* Each thread reads some words that follow those of its neighbours, and a thread of each warp adds one to a word that
 * all share: by red, or by an atom whose result is waited for. */
static void sum_make(struct text *text, bool waits)
{
	text_puts(
		text,
		".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg .b32 %r<40>;\n"
		".reg .b64 %rd<10>;\n.reg .pred %p<2>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n"
		"mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmad.lo.u32 %r4, %r2, %r3, %r1;\n"
		"mul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n");
	for (unsigned i = 0; i < STREAMED; i++)
		text_printf(text, "ld.global.u32 %%r%u, [%%rd3+%llu];\n", 10 + i,
		            (unsigned long long)i * BLOCKS * 256 * 4);
	text_puts(text, "and.b32 %r5, %r1, 31;\nsetp.ne.u32 %p1, %r5, 0;\n@%p1 bra DONE;\n");
	text_puts(text, waits ? "atom.global.add.u32 %r6, [%rd1+1073741824], 1;\nadd.u32 %r7, %r6, 1;\n"
	                      : "red.global.add.f32 [%rd1+1073741824], 0f3F800000;\n");
	text_puts(text, "DONE:\nret;\n}\n");
}

/* Additions to one word hide what else the launch does, but for a share of what DRAM takes for it; where their results
 * are waited for the simulation has it all. */
static void test_exposed(void **state)
{
	(void)state;
	for (unsigned waits = 0; waits < 2; waits++) {
		struct text text = {0};
		struct trial trial;
		double cycles[2];
		sum_make(&text, waits);
		trial_make(&trial, &text, 1);
		trial.input.grid[0] = BLOCKS;
		trial.input.block[0] = 256;
		trial.warps = 8;
		for (unsigned i = 0; i < 2; i++) {
			trial.machine.exposed_dram = i;
			cycles[i] = trial_run(&trial, 1, false).total;
		}
		double floor = STREAMED * 4.0 * BLOCKS * 256 / trial.machine.dram_most;
		double least = waits ? 0 : 0.8 * floor, most = waits ? 0 : 2 * floor;
		if (cycles[1] - cycles[0] < least || cycles[1] - cycles[0] > most)
			fail_msg("%g cycles more, not %g to %g", cycles[1] - cycles[0], least, most);
		arena_release(trial.arena);
	}
}

/* What DRAM has to do for all blocks is what a launch takes that it holds up, also where a few SMs have a block more
 * than others. */
static void test_uneven(void **state)
{
	static const unsigned blocks[] = {2 * 132, 2 * 132 + 6, 3 * 132};
	double cycles[ARRAY_COUNT(blocks)];
	(void)state;
	for (unsigned i = 0; i < ARRAY_COUNT(blocks); i++) {
		struct text text = {0};
		struct trial trial;
		text_puts(&text,
		          ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg "
		          ".b32 %r<40>;\n"
		          ".reg .b64 %rd<10>;\n.reg .pred %p<2>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n"
		          "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmad.lo.u32 %r4, %r2, %r3, %r1;\n"
		          "mul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\nmov.u32 %r5, 0;\nLOOP:\n"
		          "ld.global.u32 %r10, [%rd3];\nld.global.u32 %r11, [%rd3+536870912];\n"
		          "ld.global.u32 %r12, [%rd3+1073741824];\nld.global.u32 %r13, [%rd3+1610612736];\nadd.u32 "
		          "%r20, %r10, "
		          "%r11;\n"
		          "add.s64 %rd3, %rd3, 4194304;\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 16;\n@%p1 bra "
		          "LOOP;\nret;\n}\n");
		trial_make(&trial, &text, 1);
		trial.input.grid[0] = blocks[i];
		trial.input.block[0] = 512;
		trial.warps = 16;
		struct full_traffic traffic = {.read_bytes = 0};
		struct full_launch launch = {.scale = 0};
		struct full_work work = {.machine = &trial.machine,
		                         .code = full_code_make(trial.arena, &trial.machine, trial.input.function),
		                         .function = trial.input.function,
		                         .input = &trial.input,
		                         .evaluation = exec_evaluate(trial.arena, &trial.input),
		                         .buffers = &trial.buffer,
		                         .buffer_count = 1,
		                         .tracer = tracer_make(trial.arena, &trial.input),
		                         .grid = {trial.input.grid[0], 1, 1},
		                         .warps = trial.warps,
		                         .resident = 4,
		                         .l1_bytes = trial.machine.l1_bytes};
		full_launch_run(trial.arena, &work, &traffic, &launch);
		cycles[i] = launch.cycles;
		arena_release(trial.arena);
	}
	if (cycles[1] > 1.1 * cycles[0] || cycles[2] < 1.2 * cycles[0])
		fail_msg("%g, %g, %g cycles", cycles[0], cycles[1], cycles[2]);
}

#define SET_BITS 24 /* of the bytes of a random set that the L2 has room for */
#define SET_BLOCKS (132 * 16)
#define SET_SUMS 72 /* between two loads */

/* Each lane reads words of the set in an order without pattern, so many of them. */
static void gather_make(struct text *text, unsigned trips)
{
	text_printf(text,
	            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg .b32 "
	            "%%r<20>;\n"
	            ".reg .b64 %%rd<10>;\n.reg .pred %%p<2>;\nld.param.u64 %%rd1, [p];\nmov.u32 %%r1, %%tid.x;\n"
	            "mov.u32 %%r2, %%ctaid.x;\nmov.u32 %%r3, %%ntid.x;\nmad.lo.u32 %%r4, %%r2, %%r3, %%r1;\n"
	            "mul.lo.u32 %%r5, %%r4, 747796405;\nmov.u32 %%r9, 0;\nLOOP:\nmad.lo.u32 %%r5, %%r5, 1664525, "
	            "1013904223;\n"
	            "shr.u32 %%r6, %%r5, 15;\nxor.b32 %%r6, %%r6, %%r5;\nmul.lo.u32 %%r6, %%r6, 739982445;\n"
	            "shr.u32 %%r7, %%r6, 12;\nxor.b32 %%r6, %%r6, %%r7;\nshr.u32 %%r6, %%r6, %u;\nmul.wide.u32 %%rd2, "
	            "%%r6, 4;\n"
	            "add.s64 %%rd3, %%rd1, %%rd2;\nld.global.u32 %%r8, [%%rd3];\n",
	            32 - SET_BITS + 2);
	for (unsigned i = 0; i < SET_SUMS; i++)
		text_printf(text, "add.u32 %%r%u, %%r%u, %%r8;\n", 10 + i % 8, 10 + i % 8);
	text_printf(text, "add.u32 %%r9, %%r9, 1;\nsetp.lt.u32 %%p1, %%r9, %u;\n@%%p1 bra LOOP;\nret;\n}\n", trips);
}

/*
 * A random set that the L2 keeps comes from DRAM once, however often it is gone through: half as many loads more fetch
 * no byte more, and take what the L2 takes for random sectors of such a set, and half as long again as those of a block
 * alone, which is less than the mean of those before, some of which waited for DRAM.
 */
static void test_ebbed(void **state)
{
	static const unsigned trips[] = {12, 18};
	double bytes[ARRAY_COUNT(trips)], cycles[ARRAY_COUNT(trips)], lanes = SET_BLOCKS * 256.0, rate = 0, clock = 0;
	const double set = (double)(UINT64_C(1) << SET_BITS);
	(void)state;
	for (unsigned i = 0; i < ARRAY_COUNT(trips); i++) {
		struct text text = {0};
		struct trial trial;
		gather_make(&text, trips[i]);
		trial_make(&trial, &text, 1);
		trial.buffer.bytes = (uint64_t)set;
		trial.input.grid[0] = SET_BLOCKS;
		trial.input.block[0] = 256;
		trial.warps = 8;
		struct full_launch launch = trial_run(&trial, 1, false);
		bytes[i] = launch.dram_bytes;
		cycles[i] = launch.cycles;
		rate = machine_table_at(trial.machine.random, set);
		clock = trial.machine.clock_hz;
		arena_release(trial.arena);
		assert_false(launch.run.complete);
		if (bytes[i] < 0.97 * set || bytes[i] > set)
			fail_msg("%g bytes of a set of %g", bytes[i], set);
	}
	double more = cycles[1] - cycles[0], wanted = lanes * (trips[1] - trips[0]) / rate * clock;
	if (fabs(more / wanted - 1) > 0.07 || cycles[0] < 1.02 * wanted * trips[0] / (trips[1] - trips[0]))
		fail_msg("%g cycles, and %g more, not %g", cycles[0], more, wanted);
}

#define TABLE_WORDS 2048 /* that all warps of an SM come to in a pass */
#define PASSES_FEW 2
#define PASSES_MORE 4
#define PASSES_MANY 64

/* Every thread of a warp reads the same words, one a trip: of a table, again and again, or of one for each warp; or on
 * and on. */
static void passes_make(struct text *text, unsigned words, unsigned passes, bool own, bool again)
{
	text_printf(text,
	            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg .b32 "
	            "%%r<20>;\n"
	            ".reg .b64 %%rd<10>;\n.reg .pred %%p<2>;\nld.param.u64 %%rd1, [p];\nmov.u32 %%r1, %%tid.x;\n"
	            "shr.u32 %%r2, %%r1, 5;\nmul.wide.u32 %%rd2, %%r2, %u;\nadd.s64 %%rd3, %%rd1, %%rd2;\nmov.u32 "
	            "%%r5, 0;\n"
	            "LOOP:\nand.b32 %%r6, %%r5, %u;\nmul.wide.u32 %%rd4, %%r6, 4;\nadd.s64 %%rd5, %%rd3, %%rd4;\n"
	            "ld.global.u32 %%r8, [%%rd5];\nadd.u32 %%r9, %%r9, %%r8;\nadd.u32 %%r5, %%r5, 1;\n"
	            "setp.lt.u32 %%p1, %%r5, %u;\n@%%p1 bra LOOP;\nret;\n}\n",
	            own ? words * 4 : 0, again ? words - 1 : UINT32_MAX / 2, words * passes);
}

static struct full_launch passes_run(unsigned warps, unsigned passes, bool own, bool again)
{
	struct text text = {0};
	struct trial trial;
	passes_make(&text, TABLE_WORDS / warps, passes, own, again);
	trial_make(&trial, &text, 1);
	trial.input.grid[0] = 132;
	trial.input.block[0] = warps * WARP_LANES;
	trial.warps = warps;
	struct full_launch launch = trial_run_resident(&trial, 1, false);
	arena_release(trial.arena);
	return launch;
}

/* What the L1 has from the second pass on: launches that are simulated whole show what a pass takes then, and longer
 * ones take as much for each further one. What is never come to again goes on as it began. */
static void test_again(void **state)
{
	(void)state;
	for (unsigned warps = 1; warps <= 2; warps++)
		for (unsigned own = 0; own < warps; own++) {
			struct full_launch few = passes_run(warps, PASSES_FEW, own, true),
					   more = passes_run(warps, PASSES_MORE, own, true),
					   many = passes_run(warps, PASSES_MANY, own, true);
			double pass = (more.cycles - few.cycles) / (PASSES_MORE - PASSES_FEW),
			       first = few.cycles - pass;
			double wanted = more.cycles + (PASSES_MANY - PASSES_MORE) * pass;
			assert_true(few.run.complete && more.run.complete && !many.run.complete && first > 1.5 * pass);
			if (fabs(many.cycles / wanted - 1) > 0.03)
				fail_msg("%u warps: %g cycles, not %g", warps, many.cycles, wanted);
		}
	struct full_launch begun = passes_run(1, PASSES_MORE, false, false),
			   on = passes_run(1, PASSES_MANY, false, false);
	if (fabs(on.cycles / begun.cycles * PASSES_MORE / PASSES_MANY - 1) > 0.05)
		fail_msg("going on: %g cycles, and %g", begun.cycles, on.cycles);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_shorter_runs), cmocka_unit_test(test_exposed),
	                                   cmocka_unit_test(test_uneven), cmocka_unit_test(test_ebbed),
	                                   cmocka_unit_test(test_again)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
