/*
 * The table of fixed latencies: no dependence in the kept cubins is shorter than it says, and one that is made shorter
 * is noticed.
 */
#include "tests/tools/latency/latency.h"
#include "ptxparse/sass/cubin/cubin.h"
#include "ptxparse/sass/decode/decode.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

struct tally {
	uint64_t counts[SASS_PRODUCER_COUNT][SASS_READER_COUNT];
	uint64_t all, tight, wrong; /* tight: as long as the table says */
	struct sass_dependence last_tight;
	const struct sass_listing *listing, *tight_in;
};

static void count(void *context, const struct sass_dependence *dependence)
{
	struct tally *tally = context;
	unsigned least = sass_latency(dependence->producer, dependence->reader);

	tally->all++;
	tally->counts[dependence->producer][dependence->reader]++;
	tally->wrong += dependence->cycles < least;
	if (dependence->cycles != least || dependence->to != dependence->from + 1)
		return;
	tally->tight++;
	tally->last_tight = *dependence;
	tally->tight_in = tally->listing;
}

static void count_listings(struct tally *tally, const struct sass_listings *listings)
{
	for (size_t i = 0; i < listings->count; i++) {
		tally->listing = &listings->list[i];
		sass_dependences_each(tally->listing, count, tally);
	}
}

static void read_cubin(struct arena *arena, const char *path, struct sass_listings *listings)
{
	struct ptx_module *module = arena_alloc(arena, sizeof *module);
	struct cubin *cubin = arena_alloc(arena, sizeof *cubin);
	size_t length;
	const char *bytes = file_read(arena, path, &length);

	module->arena = arena;
	assert_non_null(bytes);
	assert_null(cubin_open(arena, bytes, length, cubin));
	assert_null(decode_cubin(module, cubin, listings));
}

static void test_kept_cubins(void **state)
{
	struct tally tally = {0};
	unsigned pairs = 0;
	glob_t files;

	(void)state;
	assert_int_equal(glob("tests/inputs/sass/*.sm_90.cubin", 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		struct arena *arena = arena_create();
		struct sass_listings listings = {0};

		read_cubin(arena, files.gl_pathv[i], &listings);
		count_listings(&tally, &listings);
		arena_release(arena);
	}
	globfree(&files);
	for (unsigned p = 0; p < SASS_PRODUCER_COUNT; p++)
		for (unsigned r = 0; r < SASS_READER_COUNT; r++) {
			if (!tally.counts[p][r])
				continue;
			pairs += sass_latency((enum sass_producer)p, (enum sass_reader)r) > 0;
			printf("%7llu  at least %2u  %s -> %s\n", (unsigned long long)tally.counts[p][r],
			       sass_latency((enum sass_producer)p, (enum sass_reader)r),
			       sass_producer_name((enum sass_producer)p), sass_reader_name((enum sass_reader)r));
		}
	assert_int_equal(tally.wrong, 0);
	assert_true(tally.all > 2000 && tally.tight > 300 && pairs >= 20);
}

/* The stall count of a producer that is read as soon as may be, one cycle less. */
static void test_shorter_is_noticed(void **state)
{
	struct arena *arena = arena_create();
	struct sass_listings listings = {0};
	struct tally before = {0}, after = {0};
	uint8_t *code;
	unsigned stall;

	(void)state;
	read_cubin(arena, "tests/inputs/sass/corr.sm_90.cubin", &listings);
	count_listings(&before, &listings);
	assert_true(before.tight > 0 && before.wrong == 0);
	code = (uint8_t *)before.tight_in->code + (size_t)before.last_tight.from * SASS_INSN_BYTES;
	stall = decode_control(code).stall;
	assert_int_equal(stall, before.last_tight.cycles);
	code[13] = (uint8_t)((code[13] & ~0x1e) | (stall - 1) << 1);
	assert_int_equal(decode_control(code).stall, stall - 1);
	count_listings(&after, &listings);
	assert_true(after.wrong > 0);
	arena_release(arena);
}

/* Straight code alone, and nothing that waits on a scoreboard. */
static void test_what_is_counted(void **state)
{
	(void)state;
	assert_int_equal(sass_latency(SASS_PRODUCER_FMA, SASS_READER_FMA), 4);
	assert_int_equal(sass_latency(SASS_PRODUCER_PREDICATE, SASS_READER_GUARD), 13);
	for (unsigned r = 0; r < SASS_READER_COUNT; r++)
		assert_int_equal(sass_latency(SASS_PRODUCER_NONE, (enum sass_reader)r), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kept_cubins),
		cmocka_unit_test(test_shorter_is_noticed),
		cmocka_unit_test(test_what_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
