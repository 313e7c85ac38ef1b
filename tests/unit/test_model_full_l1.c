/* The full model's L1 against what a GPU's replaces, line by line (benchmarks/measured/replaced-h100.csv), and by
 * sectors. */
#include "model/cost/full/run.h"

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
	full_machine_read(machine_load(arena, name, &diagnostics), &(struct full_streams){2048, 1}, &machine);
	return machine;
}

static struct full_l1 *make(struct arena *arena, const struct full_machine *machine)
{
	return full_l1_make(arena, machine, LINE_BYTES * machine_table_at(machine->l1_lines, 32768));
}

/* Whether all sectors are there. */
static bool load(struct full_l1 *l1, uint64_t line, uint8_t sectors)
{
	double ready = 0;
	uint32_t place;
	uint8_t missing = full_l1_load(l1, line, sectors, &place, &ready);
	if (missing)
		full_l1_fill(l1, line, missing, place, 0);
	return !missing;
}

static unsigned random_state;

static unsigned draw(unsigned most)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 16) % most;
}

/* ---- one set ------------------------------------------------------------------------------ */

#define ACCESSES 512

/* What replaced.cu prints of 512 accesses to the first lines of one set: which loads hit. */
static const struct {
	unsigned kind, lines; /* 0 lines loaded, 1 and stored, 2 sectors either, 3 lines loaded and a word of each
	                         sector stored */
	const char *hits;
} sets[] = {
	{0, 6,
         "29b3ffdedec7cf9f7a7be911af3cfb2c97bc7f7dfd5f6e9cf7ff56f4939f5ccf"
         "6fafff4e7a99ee2b6fdd9fadeb3ef7b9e4c73efcbd46f83eabfe9df266d9d817"},
	{1, 6,
         "4077d51f19039edf3f32c16c92258262c8fb1c4f5251d74ab515e2e61b455323"
         "871f68dd85e67a29ce92b1e9ec727b0666a2864a8511d44b5889806840471556"},
	{2, 6,
         "000008852c1fd44049140b4c00a002440018058008002a620280008a270e2a90"
         "2102004011a0000a03151dc81004201040601010017280650015283601810034"},
	{3, 6,
         "0036d50318011edf3f32c06c9225806288db1c0f1241d74ab515e2e61a415323"
         "871f688d85667a298e92b1e96c727b0666a2824a8111944b5889006800471556"},
	{0, 5,
         "4bfd697febf17d7fdfff75afff9f4bffdfef7babffdfd4fdcbffd3aff5e6af3b"
         "fffb7f7ed7bffeeb3ffbbefd7ffff7effdbff197fdffcbffffdf6d7ffdf7bdee"},
	{0, 8,
         "01ffa241d14d11c3806baf8d9833d2a5b32d65489b79b37313cf8640ed994cad"
         "a56c3eb256c375b1fd9304c6fb70c3db9a4712a794aca174e449ccd88d46444e"},
	{1, 5,
         "2ad65dc7e46f1cd83fb46b9aec91faf6dbd6d0c486fe3beefb11e7bea1016d0e"
         "45a6ae151b5d9fad94ccdf872df7a721db1d3a9b83ef4debff363500cfaef7d7"},
	{1, 8,
         "05d56a5cc940d010b063ae59019066248611910060219408071d80f0c0aa01aa"
         "2c83b3cf704580081592069263744502a010dc04bf401028a60f8585554c2201"},
	{2, 5,
         "1182414c00961b0040196ba29500a8a74443186051028c104790d0101a0a0009"
         "29491c1956aa7823c8bc9868c5eaa55242c0a02fc073e20c2b480204013ca023"},
	{2, 8,
         "0801030211432020080040043808122510002010800200c0220004110a000020"
         "8404200030001200000000400c5820001280018800008005f000206201020020"},
	{3, 5,
         "2a461dc7e06f1cd83bb46b92ec91eaf6dbd690c482de39eefb11e7bea1012d0e"
         "45a68e11134d97ad94ccdf870df7a321db1c3a9b83cf4cebbf160500cfaef7d7"},
	{3, 8,
         "0055685cc940d010b0418e49009066248611810020219408041d0060c02a01aa"
         "2c81b3cf504180081192049262744500a010dc04bf401028a207818555442201"},
};

static bool access_one(struct full_l1 *l1, unsigned kind, unsigned count)
{
	static const unsigned same[] = {57, 584, 1058, 1619, 2383, 2878, 3412, 3877};
	unsigned line = same[draw(count)];
	bool stores = kind && draw(10) < 3;
	unsigned sector = kind == 2 ? draw(4) : 0;
	if (!stores)
		return load(l1, line, (uint8_t)(kind == 2 ? 1 << sector : 0xf));
	uint64_t mask = kind == 3 ? UINT64_C(0xf0000000f) : UINT64_MAX;
	struct full_bytes bytes = {{mask, mask}};
	if (kind == 2) {
		bytes.half[1 - sector / 2] = 0;
		bytes.half[sector / 2] = UINT64_C(0xffffffff) << sector % 2 * SECTOR_BYTES;
	}
	full_l1_store(l1, line, &bytes);
	return false;
}

static void test_sets(void **state)
{
	struct arena *arena = arena_create();
	const struct full_machine machine = numbers(arena, "h200");
	(void)state;
	for (unsigned row = 0; row < sizeof sets / sizeof sets[0]; row++) {
		struct full_l1 *l1 = make(arena, &machine);
		random_state = sets[row].lines;
		assert_int_equal(strlen(sets[row].hits), ACCESSES / 4);
		for (unsigned i = 0; i < ACCESSES; i++) {
			char digit = sets[row].hits[i / 4];
			unsigned value = (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
			assert_int_equal(access_one(l1, sets[row].kind, sets[row].lines), value >> (3 - i % 4) & 1);
		}
	}
	arena_release(arena);
}

/* ---- walks --------------------------------------------------------------------------------- */

enum kind { CYCLE, SHUFFLE, SCAN, ROUNDS };

/* Loads of lines side by side, by one warp, and how many of them hit. */
static const struct walk {
	enum kind kind;
	unsigned lines, b,
		c; /* rounds; or times that they are loaded, and others then; or others each round, and rounds */
	unsigned loads, hits;
} walks[] = {
	{CYCLE, 1736, 8, 0, 13888, 12152},      {CYCLE, 1737, 8, 0, 13896, 12068},
	{CYCLE, 1792, 8, 0, 14336, 9835},       {CYCLE, 1856, 8, 0, 14848, 9097},
	{CYCLE, 2304, 8, 0, 18432, 0},          {SHUFFLE, 1792, 16, 0, 28672, 24479},
	{SHUFFLE, 2048, 16, 0, 32768, 19769},   {SHUFFLE, 3072, 16, 0, 49152, 14496},
	{SCAN, 1024, 1, 768, 2816, 808},        {SCAN, 1024, 1, 2048, 4096, 0},
	{SCAN, 1024, 2, 8192, 11264, 2038},     {SCAN, 1536, 2, 512, 5120, 2615},
	{SCAN, 1536, 2, 2048, 6656, 2560},      {ROUNDS, 512, 1536, 24, 49152, 10918},
	{ROUNDS, 1024, 1024, 24, 49152, 21781}, {ROUNDS, 1024, 1536, 24, 61440, 0},
	{ROUNDS, 1536, 256, 24, 43008, 30233},  {ROUNDS, 1536, 512, 24, 49152, 24468},
};

#define OTHERS 100000
#define BEGIN 5376 /* a whole number of all sets of most GPUs */
#define MOST_LINES 4096

static unsigned neighbours(struct full_l1 *l1, unsigned from, unsigned count, bool shuffled)
{
	unsigned order[MOST_LINES], hits = 0;
	for (unsigned i = 0; shuffled && i < count; i++)
		order[i] = i;
	for (unsigned i = count; shuffled && i > 1; i--) {
		unsigned other = draw(i), kept = order[i - 1];
		order[i - 1] = order[other];
		order[other] = kept;
	}
	for (unsigned i = 0; i < count; i++)
		hits += load(l1, from + (shuffled ? order[i] : i), 0xf);
	return hits;
}

static unsigned walk_hits(struct full_l1 *l1, const struct walk *walk)
{
	unsigned hits = 0;
	random_state = walk->lines;
	for (unsigned round = 0; round < (walk->kind == ROUNDS ? walk->c : walk->b); round++) {
		hits += neighbours(l1, 0, walk->lines, walk->kind == SHUFFLE);
		if (walk->kind == ROUNDS)
			hits += neighbours(l1, OTHERS + round * MOST_LINES, walk->b, false);
	}
	if (walk->kind == SCAN)
		hits += neighbours(l1, OTHERS, walk->c, false) + neighbours(l1, 0, walk->lines, false);
	return hits;
}

/* In which order sets lose lines is assumed, so that shares of hits are not the measured ones to the digit. */
static void test_walks(void **state)
{
	struct arena *arena = arena_create();
	const struct full_machine machine = numbers(arena, "h200");
	(void)state;
	for (unsigned i = 0; i < sizeof walks / sizeof walks[0]; i++) {
		double hits = walk_hits(make(arena, &machine), &walks[i]), loads = walks[i].loads;
		print_message("walk %u: %.3f of loads hit, measured %.3f\n", i, hits / loads, walks[i].hits / loads);
		assert_float_equal(hits / loads, walks[i].hits / loads, 0.05);
	}
	arena_release(arena);
}

/* As many neighbouring lines as it has room for stay; on GPUs whose sets are not known where they begin with the first
 * one. */
static void test_neighbours(void **state)
{
	static const char *const names[] = {"h200", "a100", "v100", "t4"};
	struct arena *arena = arena_create();
	(void)state;
	for (unsigned n = 0; n < sizeof names / sizeof names[0]; n++) {
		const struct full_machine machine = numbers(arena, names[n]);
		unsigned lines = (unsigned)(machine.l1_bytes / LINE_BYTES) / 4 * 4;
		struct full_l1 *l1 = full_l1_make(arena, &machine, machine.l1_bytes);
		assert_int_equal(neighbours(l1, BEGIN, lines, false), 0);
		assert_int_equal(neighbours(l1, BEGIN, lines, false), lines);
	}
	arena_release(arena);
}

/* Sectors are fetched one by one; one on its way hits, and has to be waited for; what stores have written of one is
 * loaded once it is all of it. */
static void test_sectors(void **state)
{
	struct arena *arena = arena_create();
	const struct full_machine machine = numbers(arena, "h200");
	struct full_l1 *l1 = make(arena, &machine);
	struct full_bytes half = {{0xffff, 0}}, other = {{0xffff0000, 0}}, none = {{0, 0}};
	double ready = 0;
	uint32_t place;
	(void)state;
	assert_int_equal(full_l1_load(l1, 7, 0x3, &place, &ready), 0x3);
	full_l1_fill(l1, 7, 0x3, place, 500);
	assert_int_equal(full_l1_load(l1, 7, 0x6, &place, &ready), 0x4);
	assert_true(ready == 500);
	assert_int_equal(full_l1_store(l1, 8, &half), 0);
	assert_int_equal(full_l1_load(l1, 8, 0x1, &place, &ready), 0x1);
	assert_int_equal(full_l1_store(l1, 8, &other), 0x1);
	assert_int_equal(full_l1_load(l1, 8, 0x1, &place, &ready), 0);
	assert_int_equal(full_l1_store(l1, 7, &none), 0x3);
	arena_release(arena);
}

/* Codes that name no set, or skip a bit, are as none: nothing is looked for beyond the L1. */
static void test_codes(void **state)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	(void)state;
	diagnostics_init(&diagnostics, arena);
	const struct machine *file = machine_load(arena, "h100", &diagnostics);
	for (unsigned wrong = 0; wrong < 3; wrong++) {
		double at[] = {9, wrong == 1 ? 11 : 10}, value[] = {113, wrong == 2 ? 512 : 27};
		struct machine machine = *file;
		struct machine_table *tables = arena_array(arena, file->table_count, sizeof *tables);
		memcpy(tables, file->tables, file->table_count * sizeof *tables);
		for (size_t i = 0; i < file->table_count; i++)
			if (strcmp(tables[i].name, "l1.set_codes") == 0)
				tables[i] = (struct machine_table){
					.name = tables[i].name, .at = at, .value = value, .count = 2};
		machine.tables = tables;
		struct full_machine read;
		full_machine_read(&machine, &(struct full_streams){2048, 1}, &read);
		assert_int_equal(read.set_bits, wrong ? 0 : 9);
		assert_int_equal(neighbours(make(arena, &read), 0, 1024, true), 0);
	}
	arena_release(arena);
}

/* ---- room ---------------------------------------------------------------------------------- */

/* Lines that stay beside the shared memory of such blocks, by the driver's choice; one in twenty may go, which adds up
 * to nine. */
static void test_room(void **state)
{
	static const struct {
		unsigned threads, shared, lines;
	} rows[] = {{32, 0, 1742},     {32, 4096, 687},   {96, 4096, 942},   {128, 0, 1742},     {128, 2048, 1199},
	            {128, 8192, 687},  {192, 12288, 942}, {256, 1024, 1742}, {256, 2048, 1486},  {256, 12288, 942},
	            {256, 20480, 269}, {384, 9216, 1199}, {512, 0, 1870},    {512, 5120, 1486},  {640, 20480, 942},
	            {768, 0, 1935},    {768, 25600, 942}, {1024, 0, 1935},   {1024, 7168, 1870}, {1024, 16384, 1486}};
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	(void)state;
	diagnostics_init(&diagnostics, arena);
	const struct machine *file = machine_load(arena, "h100", &diagnostics);
	const struct full_machine machine = numbers(arena, "h100");
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		double all,
			lines = full_l1_bytes(&machine, file, rows[i].threads, 20, rows[i].shared, &all) / LINE_BYTES;
		assert_true(lines <= rows[i].lines && rows[i].lines <= lines + 9);
		assert_true(lines < all && all <= 2048);
	}
	/* Loads that can be on their way: waiting-h200.csv, in steps of 32. */
	double all;
	full_l1_bytes(&machine, file, 1024, 20, 210000, &all);
	assert_true(all == 224);
	full_l1_bytes(&machine, file, 1024, 20, 190000, &all);
	assert_true(all == 480);
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sets),    cmocka_unit_test(test_walks), cmocka_unit_test(test_neighbours),
		cmocka_unit_test(test_sectors), cmocka_unit_test(test_codes), cmocka_unit_test(test_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
