/* Arrays side by side in one buffer, of which threads read words in a hash's order: all that can be asked for. Records
 * that threads read in a permuted order within regions: which granules an SM fetches itself, and of which lines it asks
 * for halves, against all lanes of all blocks. */
#include "model/cost/full/traffic/traffic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define LAUNCHES 60
#define MOST_LOADS 3
#define FACTOR 389
#define OFFSET 71
#define GRANULE 64
#define SCATTERED 16 /* launches */

struct trial {
	struct arena *arena;
	struct full_machine machine;
	struct evaluate_input input;
	struct memory_buffer buffer;
	struct argument argument;
	unsigned record, loads, region, threads, blocks;
	unsigned word[MOST_LOADS]; /* of the record */
	unsigned long scattered;   /* words of each array that is read in a hash's order; 0: regions of records are */
};

static unsigned pick(uint64_t seed, unsigned which, unsigned low, unsigned high)
{
	return low + (unsigned)(content_scramble(seed * 64 + which) % (high - low + 1));
}

static void trial_pick(struct trial *trial, uint64_t seed)
{
	trial->record = 4 * pick(seed, 0, 1, 40);
	trial->loads = pick(seed, 1, 1, MOST_LOADS);
	trial->threads = 32u << pick(seed, 2, 0, 3);
	trial->region = trial->threads << pick(seed, 3, 2, 4);
	trial->blocks = 132 * 16 * pick(seed, 4, 1, 2);
	if (trial->scattered)
		trial->blocks = (unsigned)(trial->scattered / trial->threads);
	for (unsigned i = 0; i < trial->loads; i++)
		trial->word[i] = pick(seed, 5 + i, 0, trial->record / 4 - 1);
}

static uint64_t place_of(const struct trial *trial, unsigned thread, unsigned load)
{
	unsigned mask = trial->region - 1, record = (thread & ~mask) + ((thread * FACTOR + OFFSET) & mask);
	return (uint64_t)record * trial->record + trial->word[load] * 4;
}

static void text_make(struct text *text, const struct trial *trial)
{
	const char *hash = "mul.lo.u32 %%r5, %%r4, -1640531535;\nshr.u32 %%r6, %%r5, 5;\nand.b32 %%r8, %%r6, %u;\n"
			   "mul.wide.u32 %%rd2, %%r8, 4;\n";
	text_printf(text,
	            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg .b32 "
	            "%%r<40>;\n"
	            ".reg .b64 %%rd<10>;\nld.param.u64 %%rd1, [p];\nmov.u32 %%r1, %%tid.x;\nmov.u32 %%r2, %%ctaid.x;\n"
	            "mov.u32 %%r3, %%ntid.x;\nmad.lo.u32 %%r4, %%r2, %%r3, %%r1;\n");
	if (trial->scattered)
		text_printf(text, hash, (unsigned)(trial->scattered - 1));
	else
		text_printf(text,
		            "mad.lo.u32 %%r5, %%r4, %u, %u;\nand.b32 %%r6, %%r5, %u;\nand.b32 %%r7, %%r4, %u;\n"
		            "add.u32 %%r8, %%r6, %%r7;\nmul.wide.u32 %%rd2, %%r8, %u;\n",
		            FACTOR, OFFSET, trial->region - 1, ~(trial->region - 1), trial->record);
	text_puts(text, "add.s64 %rd3, %rd1, %rd2;\n");
	for (unsigned i = 0; i < trial->loads; i++)
		text_printf(text, "ld.global.u32 %%r%u, [%%rd3+%lu];\n", 10 + i,
		            4 * (trial->scattered ? i * trial->scattered : trial->word[i]));
	text_puts(text, "ret;\n}\n");
}

static void trial_make(struct trial *trial, uint64_t seed, unsigned long scattered)
{
	struct diagnostics diagnostics;
	struct text text = {0};
	*trial = (struct trial){.arena = arena_create(), .scattered = scattered};
	trial_pick(trial, seed);
	text_make(&text, trial);
	diagnostics_init(&diagnostics, trial->arena);
	full_machine_read(machine_load(trial->arena, "h200", &diagnostics), &(struct full_streams){2048, 1},
	                  &trial->machine);
	assert_true(trial->machine.granule == GRANULE);
	struct ptx_module *module = ptx_parse(trial->arena, "trial", text.data, text.length, &diagnostics);
	assert_non_null(module);
	text_release(&text);
	struct ptx_function *function = ptx_module_find(module, "k");
	ptx_function_analyse(trial->arena, function);
	trial->buffer =
		(struct memory_buffer){.name = "p", .bytes = (uint64_t)trial->blocks * trial->threads * trial->record};
	if (scattered)
		trial->buffer.bytes = 8 * MOST_LOADS * scattered;
	trial->argument = (struct argument){.kind = ARGUMENT_POINTER};
	trial->input = (struct evaluate_input){.module = module,
	                                       .function = function,
	                                       .grid = {trial->blocks, 1, 1},
	                                       .block = {trial->threads, 1, 1},
	                                       .arguments = &trial->argument,
	                                       .buffers = &trial->buffer,
	                                       .buffer_count = 1};
}

/* What the model takes of the launch's loads, in the mean; of sets the largest. */
static struct full_share share_taken(struct trial *trial)
{
	struct full_traffic traffic = {.read_bytes = 0};
	struct full_share sum = {.first = 0};
	double set = 0;
	struct full_work work = {.machine = &trial->machine,
	                         .function = trial->input.function,
	                         .input = &trial->input,
	                         .evaluation = exec_evaluate(trial->arena, &trial->input),
	                         .buffers = &trial->buffer,
	                         .buffer_count = 1,
	                         .tracer = tracer_make(trial->arena, &trial->input),
	                         .grid = {trial->blocks, 1, 1},
	                         .warps = trial->threads / WARP_LANES,
	                         .resident = 64 * WARP_LANES / trial->threads,
	                         .active = trial->machine.sms,
	                         .l1_bytes = trial->machine.l1_bytes};
	full_traffic_make(trial->arena, &work, &traffic);
	full_window_shares(trial->arena, &work, &traffic);
	for (uint32_t i = 0; i < trial->input.function->insn_count; i++)
		if (work.function->insns[i].space == SPACE_GLOBAL) {
			full_share_add(&sum, &traffic.shares[0][i]);
			set = fmax(set, traffic.shares[0][i].set);
		}
	sum = full_share_mean(&sum);
	sum.set = set;
	return sum;
}

/* Granules of all lanes: how many there are, of how many another SM asked for before. */
static struct full_share share_counted(const struct trial *trial)
{
	size_t granules = trial->buffer.bytes / GRANULE + 2;
	uint32_t *block = arena_array(trial->arena, granules, sizeof *block);
	double distinct = 0, asked = 0;
	for (unsigned b = 0; b < trial->blocks; b++)
		for (unsigned w = 0; w < trial->threads; w += WARP_LANES)
			for (unsigned i = 0; i < trial->loads; i++)
				for (unsigned lane = 0; lane < WARP_LANES; lane++) {
					uint64_t at = place_of(trial, b * trial->threads + w + lane, i) / GRANULE;
					distinct += !block[at];
					asked += block[at] != b + 1;
					block[at] = b + 1;
				}
	return (struct full_share){.first = distinct / asked};
}

static void test_regions(void **state)
{
	(void)state;
	double first = 0;
	for (uint64_t seed = 1; seed <= LAUNCHES; seed++) {
		struct trial trial;
		trial_make(&trial, seed, 0);
		struct full_share taken = share_taken(&trial), counted = share_counted(&trial);
		first += fabs(taken.first - counted.first) / LAUNCHES;
		arena_release(trial.arena);
	}
	if (first > 0.06)
		fail_msg("first %g off in the mean", first);
}

static void test_scattered(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SCATTERED; seed++) {
		struct trial trial;
		trial_make(&trial, seed, 1ul << (18 + seed % 6));
		double taken = share_taken(&trial).set * GRANULE, there = (double)(4 * trial.loads * trial.scattered);
		if (fabs(taken - there) > 0.10 * there)
			fail_msg("%u arrays of %lu words, blocks of %u: %g bytes, not %g", trial.loads, trial.scattered,
			         trial.threads, taken, there);
		arena_release(trial.arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_regions), cmocka_unit_test(test_scattered)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
