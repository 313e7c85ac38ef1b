/* What a launch touches of an array of records that it goes through in order: granules read and sectors written, against all threads of all blocks; of neighbours, each once. */
#include "model/cost/full/traffic/traffic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define LAUNCHES 80
#define MOST_WORDS 4
#define BLOCKS 24
#define THREADS 128
#define GRANULE 64
#define FAR 1024 /* records, to the furthest neighbour and beyond */

struct trial {
	struct arena *arena;
	unsigned record, loads, stores, load[MOST_WORDS], store[MOST_WORDS]; /* bytes; words, of the record or further ones */
	unsigned apart;                                                      /* from block to block, in blocks */
	bool adds;                                                           /* to a word, instead of storing it */
};

static unsigned pick(uint64_t seed, unsigned which, unsigned low, unsigned high)
{
	return low + (unsigned)(content_scramble(seed * 64 + which) % (high - low + 1));
}

static void text_make(struct text *text, const struct trial *trial)
{
	text_printf(text,
	            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg .b32 %%r<40>;\n"
	            ".reg .b64 %%rd<10>;\nld.param.u64 %%rd1, [p];\nmov.u32 %%r1, %%tid.x;\nmov.u32 %%r2, %%ctaid.x;\n"
	            "mov.u32 %%r3, %u;\nmad.lo.u32 %%r4, %%r2, %%r3, %%r1;\nmul.wide.u32 %%rd2, %%r4, %u;\n"
	            "add.s64 %%rd3, %%rd1, %%rd2;\n",
	            trial->apart * THREADS, trial->record);
	for (unsigned i = 0; i < trial->loads; i++)
		text_printf(text, "ld.global.u32 %%r%u, [%%rd3+%u];\n", 10 + i, trial->load[i] * 4);
	for (unsigned i = 0; i < trial->stores; i++)
		text_printf(text, trial->adds ? "red.global.add.u32 [%%rd3+%u], %%r4;\n" : "st.global.u32 [%%rd3+%u], %%r4;\n",
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

/* What the model takes to be touched; of an array of which the launch is a small part. */
static struct full_traffic traffic_taken(const struct trial *trial)
{
	struct diagnostics diagnostics;
	struct text text = {0};
	struct full_machine machine;
	struct full_traffic traffic = {.read_bytes = 0};
	struct memory_buffer buffer = {.name = "p", .bytes = UINT64_C(1) << 36};
	struct argument argument = {.kind = ARGUMENT_POINTER};
	text_make(&text, trial);
	diagnostics_init(&diagnostics, trial->arena);
	full_machine_read(machine_load(trial->arena, "h200", &diagnostics), &(struct full_streams){2048, 1}, &machine);
	assert_true(machine.granule == GRANULE);
	struct ptx_module *module = ptx_parse(trial->arena, "trial", text.data, text.length, &diagnostics);
	assert_non_null(module);
	text_release(&text);
	struct ptx_function *function = ptx_module_find(module, "k");
	ptx_function_analyse(trial->arena, function);
	struct evaluate_input input = {.module = module,
	                               .function = function,
	                               .grid = {BLOCKS, 1, 1},
	                               .block = {THREADS, 1, 1},
	                               .arguments = &argument,
	                               .buffers = &buffer,
	                               .buffer_count = 1};
	struct full_work work = {.machine = &machine,
	                         .function = function,
	                         .input = &input,
	                         .evaluation = exec_evaluate(trial->arena, &input),
	                         .buffers = &buffer,
	                         .buffer_count = 1,
	                         .grid = {BLOCKS, 1, 1},
	                         .warps = THREADS / WARP_LANES,
	                         .resident = 16,
	                         .active = BLOCKS,
	                         .tracer = tracer_make(trial->arena, &input)};
	full_traffic_make(trial->arena, &work, &traffic);
	return traffic;
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
		struct full_traffic taken = traffic_taken(&trial);
		double read = bytes_counted(&trial, trial.load, trial.loads, GRANULE),
		       written = bytes_counted(&trial, trial.store, trial.stores, SECTOR_BYTES);
		if (fabs(taken.read_bytes - read) > 0.005 * read || fabs(taken.written_bytes - written) > 0.005 * written)
			fail_msg("records of %u bytes: read %g, not %g; written %g, not %g", trial.record, taken.read_bytes, read,
			         taken.written_bytes, written);
		arena_release(trial.arena);
	}
}

/* Neighbours in a grid are the same memory, but those of blocks with others between them may not be: as much as there is, and no more where there are no gaps. */
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
		struct full_traffic taken = traffic_taken(&trial);
		double read = bytes_counted(&trial, trial.load, trial.loads, GRANULE);
		if (taken.read_bytes < 0.99 * read || (trial.apart == 1 && taken.read_bytes > 1.01 * read))
			fail_msg("neighbours %llu, records of %u bytes: read %g, not %g", (unsigned long long)seed, trial.record,
			         taken.read_bytes, read);
		arena_release(trial.arena);
	}
}

/* A word of three of a single array that is stored leaves sectors incomplete, but where loads bring them. */
static void test_parts_loaded(void **state)
{
	(void)state;
	for (unsigned loads = 0; loads <= 2; loads += 2) {
		struct trial trial = {
			.arena = arena_create(), .apart = 1, .record = 12, .loads = loads, .load = {0, 1}, .stores = 1};
		assert_int_equal(traffic_taken(&trial).parted[0], loads == 0);
		arena_release(trial.arena);
	}
}

/* Additions read what they write. */
static void test_added(void **state)
{
	struct trial trial = {.arena = arena_create(), .apart = 1, .record = 4, .stores = 1, .adds = true};
	(void)state;
	struct full_traffic taken = traffic_taken(&trial);
	double read = bytes_counted(&trial, trial.store, 1, GRANULE);
	assert_true(fabs(taken.read_bytes - read) < 0.01 * read && fabs(taken.written_bytes - read) < 0.01 * read);
	arena_release(trial.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_touched), cmocka_unit_test(test_neighbours),
	                                   cmocka_unit_test(test_parts_loaded), cmocka_unit_test(test_added)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
