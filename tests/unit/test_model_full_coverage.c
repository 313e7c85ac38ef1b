/* What a launch touches of an array of records, against all threads of all blocks: granules read, sectors written,
 * those of them that stay incomplete. */
#include "model/cost/full/traffic/traffic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define LAUNCHES 80
#define MOST_WORDS 4
#define ROOM_WORDS 32
#define BLOCKS 24
#define THREADS 128
#define GRANULE 64
#define FAR 1024 /* records, to the furthest neighbour and beyond */

struct trial {
	struct arena *arena;
	unsigned record, loads, stores, load[ROOM_WORDS],
		store[ROOM_WORDS]; /* bytes; words, of the record or further ones */
	unsigned apart;            /* from block to block, in blocks */
	bool adds;                 /* to a word, instead of storing it */
};

static unsigned pick(uint64_t seed, unsigned which, unsigned low, unsigned high)
{
	return low + (unsigned)(content_scramble(seed * 64 + which) % (high - low + 1));
}

static void text_make(struct text *text, const struct trial *trial)
{
	text_printf(text,
	            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg .b32 "
	            "%%r<60>;\n"
	            ".reg .b64 %%rd<10>;\nld.param.u64 %%rd1, [p];\nmov.u32 %%r1, %%tid.x;\nmov.u32 %%r2, %%ctaid.x;\n"
	            "mov.u32 %%r3, %u;\nmad.lo.u32 %%r4, %%r2, %%r3, %%r1;\nmul.wide.u32 %%rd2, %%r4, %u;\n"
	            "add.s64 %%rd3, %%rd1, %%rd2;\n",
	            trial->apart * THREADS, trial->record);
	for (unsigned i = 0; i < trial->loads; i++)
		text_printf(text, "ld.global.u32 %%r%u, [%%rd3+%u];\n", 10 + i, trial->load[i] * 4);
	for (unsigned i = 0; i < trial->stores; i++)
		text_printf(text,
		            trial->adds ? "red.global.add.u32 [%%rd3+%u], %%r4;\n"
		                        : "st.global.u32 [%%rd3+%u], %%r4;\n",
		            trial->store[i] * 4);
	text_puts(text, "ret;\n}\n");
}

static void trial_make(struct trial *trial, uint64_t seed)
{
	*trial = (struct trial){.arena = arena_create(), .apart = 1};
	trial->record = 4 * pick(seed, 0, 1, 80);
	trial->loads = pick(seed, 1, 1, MOST_WORDS);
	trial->stores = pick(seed, 2, 0, MOST_WORDS);
	for (unsigned i = 0; i < MOST_WORDS; i++) {
		trial->load[i] = pick(seed, 3 + i, 0, trial->record / 4 - 1);
		trial->store[i] = pick(seed, 3 + MOST_WORDS + i, 0, trial->record / 4 - 1);
	}
}

/* A launch of the trial's kernel, over an array of which it is a small part. */
static struct full_work *work_make(const struct trial *trial)
{
	struct diagnostics diagnostics;
	struct text text = {0};
	struct full_machine *machine = arena_alloc(trial->arena, sizeof *machine);
	struct memory_buffer *buffer = arena_alloc(trial->arena, sizeof *buffer);
	struct argument *argument = arena_alloc(trial->arena, sizeof *argument);
	struct evaluate_input *input = arena_alloc(trial->arena, sizeof *input);
	struct full_work *work = arena_alloc(trial->arena, sizeof *work);
	*buffer = (struct memory_buffer){.name = "p", .bytes = UINT64_C(1) << 36};
	*argument = (struct argument){.kind = ARGUMENT_POINTER};
	text_make(&text, trial);
	diagnostics_init(&diagnostics, trial->arena);
	full_machine_read(machine_load(trial->arena, "h200", &diagnostics), &(struct full_streams){2048, 1}, machine);
	assert_true(machine->granule == GRANULE);
	struct ptx_module *module = ptx_parse(trial->arena, "trial", text.data, text.length, &diagnostics);
	assert_non_null(module);
	text_release(&text);
	struct ptx_function *function = ptx_module_find(module, "k");
	ptx_function_analyse(trial->arena, function);
	*input = (struct evaluate_input){.module = module,
	                                 .function = function,
	                                 .grid = {BLOCKS, 1, 1},
	                                 .block = {THREADS, 1, 1},
	                                 .arguments = argument,
	                                 .buffers = buffer,
	                                 .buffer_count = 1};
	*work = (struct full_work){.machine = machine,
	                           .function = function,
	                           .input = input,
	                           .evaluation = exec_evaluate(trial->arena, input),
	                           .buffers = buffer,
	                           .buffer_count = 1,
	                           .grid = {BLOCKS, 1, 1},
	                           .warps = THREADS / WARP_LANES,
	                           .resident = 16,
	                           .active = BLOCKS};
	return work;
}

static struct full_coverage coverage_taken(const struct trial *trial)
{
	return full_coverage_find(trial->arena, work_make(trial))[0];
}

/* Bytes of the units that these words of all records lie in. */
static double bytes_counted(const struct trial *trial, const unsigned *words, unsigned count, unsigned unit)
{
	size_t units = (size_t)(BLOCKS * THREADS * trial->apart + FAR) * trial->record / unit + 2;
	bool *touched = arena_array(trial->arena, units, sizeof *touched);
	double bytes = 0;
	for (unsigned thread = 0; thread < BLOCKS * THREADS; thread++)
		for (unsigned i = 0; i < count; i++) {
			unsigned record = thread / THREADS * THREADS * trial->apart + thread % THREADS;
			unsigned at = (record * trial->record + words[i] * 4) / unit;
			bytes += touched[at] ? 0 : unit;
			touched[at] = true;
		}
	return bytes;
}

static void test_touched(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= LAUNCHES; seed++) {
		struct trial trial;
		trial_make(&trial, seed);
		struct full_coverage taken = coverage_taken(&trial);
		double read = bytes_counted(&trial, trial.load, trial.loads, GRANULE),
		       written = bytes_counted(&trial, trial.store, trial.stores, SECTOR_BYTES);
		if (fabs(taken.read - read) > 0.005 * read || fabs(taken.written - written) > 0.005 * written)
			fail_msg("records of %u bytes: read %g, not %g; written %g, not %g", trial.record, taken.read,
			         read, taken.written, written);
		arena_release(trial.arena);
	}
}

/* Neighbours in a grid are the same memory, but those of blocks with others between them may not be: as much as there
 * is, and no more where there are no gaps. */
static void test_neighbours(void **state)
{
	static const unsigned shifts[] = {0, 1, 2, 32, THREADS, THREADS + 1, 1000};
	(void)state;
	for (uint64_t seed = 1; seed <= LAUNCHES; seed++) {
		struct trial trial;
		trial_make(&trial, seed);
		trial.apart = pick(seed, 20, 1, 2);
		trial.record = 4 * pick(seed, 21, 1, GRANULE / 4);
		trial.stores = 0;
		for (unsigned i = 0; i < trial.loads; i++)
			trial.load[i] = shifts[pick(seed, 22 + i, 0, ARRAY_COUNT(shifts) - 1)] * trial.record / 4 +
			                pick(seed, 30 + i, 0, trial.record / 4 - 1);
		struct full_coverage taken = coverage_taken(&trial);
		double read = bytes_counted(&trial, trial.load, trial.loads, GRANULE);
		if (taken.read < 0.99 * read || (trial.apart == 1 && taken.read > 1.01 * read))
			fail_msg("neighbours %llu, records of %u bytes: read %g, not %g", (unsigned long long)seed,
			         trial.record, taken.read, read);
		arena_release(trial.arena);
	}
}

/* Of the sectors that hold a word that is stored the share that has others which are not, and no word that is loaded in
 * its granule: word by word. */
static double incomplete_counted(const struct trial *trial)
{
	size_t words = (size_t)BLOCKS * THREADS * trial->record / 4, written = 0, incomplete = 0;
	bool *stored = arena_array(trial->arena, words + GRANULE, sizeof *stored),
	     *loaded = arena_array(trial->arena, words + GRANULE, sizeof *loaded);
	for (size_t first = 0; first < words; first += trial->record / 4) {
		for (unsigned i = 0; i < trial->stores; i++)
			stored[first + trial->store[i]] = true;
		for (unsigned i = 0; i < trial->loads; i++)
			loaded[first + trial->load[i]] = true;
	}
	for (size_t sector = 0; sector < words; sector += SECTOR_BYTES / 4) {
		unsigned own = 0, read = 0;
		for (size_t w = sector; w < sector + SECTOR_BYTES / 4; w++)
			own += stored[w];
		for (size_t w = sector / (GRANULE / 4) * (GRANULE / 4), end = w + GRANULE / 4; w < end; w++)
			read += loaded[w];
		written += own > 0;
		incomplete += own > 0 && own < SECTOR_BYTES / 4 && !read;
	}
	return written ? (double)incomplete / (double)written : 0;
}

static void test_incomplete(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= LAUNCHES; seed++) {
		struct trial trial;
		trial_make(&trial, seed);
		double taken = coverage_taken(&trial).incomplete, truth = incomplete_counted(&trial);
		if (fabs(taken - truth) > 0.005)
			fail_msg("records of %u bytes: %g incomplete, not %g", trial.record, taken, truth);
		arena_release(trial.arena);
	}
}

/* Of records of four lines of which one is stored whole, word by word, DRAM takes as long as was measured for such
 * lines. */
static void test_runs(void **state)
{
	struct trial trial = {.arena = arena_create(), .apart = 1, .record = 4 * LINE_BYTES, .stores = LINE_BYTES / 4};
	(void)state;
	for (unsigned i = 0; i < trial.stores; i++)
		trial.store[i] = i;
	struct full_work *work = work_make(&trial);
	const struct machine_table *single = work->machine->runs_write[0];
	double longer = full_coverage_find(trial.arena, work)[0].write_longer;
	assert_true(fabs(longer - machine_table_at(single, 4) / machine_table_at(single, 1)) < 1e-9 && longer > 1.1);
	for (unsigned i = 0; i < trial.stores; i++)
		trial.store[i] = 2 * i;
	longer = full_coverage_find(trial.arena, work_make(&trial))[0].write_longer;
	assert_true(longer == 1);
	arena_release(trial.arena);
}

/* Additions read what they write. */
static void test_added(void **state)
{
	struct trial trial = {.arena = arena_create(), .apart = 1, .record = 4, .stores = 1, .adds = true};
	(void)state;
	struct full_coverage taken = coverage_taken(&trial);
	double read = bytes_counted(&trial, trial.store, 1, GRANULE);
	assert_true(fabs(taken.read - read) < 0.01 * read && fabs(taken.written - read) < 0.01 * read);
	arena_release(trial.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_touched), cmocka_unit_test(test_neighbours),
	                                   cmocka_unit_test(test_incomplete), cmocka_unit_test(test_runs),
	                                   cmocka_unit_test(test_added)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
