/*
 * Dependences of fixed latency in cubins of sm_90, against the table.
 *
 *   sass_latency CUBIN...     for each pair of producer and reader: how many there are, the least distance, what the
 * table says
 *
 * Exit status 1 where a dependence is shorter than the table says; it is shown. -v shows the shortest one of each pair.
 */
#include "tests/tools/latency/latency.h"
#include "ptxparse/sass/cubin/cubin.h"
#include "ptxparse/sass/decode/decode.h"

#include <stdlib.h>
#include <string.h>

struct pair {
	uint64_t count;
	unsigned least;
	const char *example;
};

struct tally {
	struct arena *arena;
	const char *path;
	const struct sass_listing *listing;
	struct pair pairs[SASS_PRODUCER_COUNT][SASS_READER_COUNT];
	unsigned wrong, cubins;
};

static const char *insn_text(struct arena *arena, const struct sass_insn *insn)
{
	struct text text = {0};
	const char *copy;

	decode_print(&text, insn, false);
	copy = arena_strdup(arena, text.data);
	text_release(&text);
	return copy;
}

static const char *example_of(struct tally *tally, const struct sass_dependence *dependence)
{
	return arena_printf(
		tally->arena, "%s: %s 0x%04x: %s; 0x%04x: %s", tally->path, tally->listing->name,
		dependence->from * SASS_INSN_BYTES, insn_text(tally->arena, &tally->listing->insns[dependence->from]),
		dependence->to * SASS_INSN_BYTES, insn_text(tally->arena, &tally->listing->insns[dependence->to]));
}

static void dependence_count(void *context, const struct sass_dependence *dependence)
{
	struct tally *tally = context;
	struct pair *pair = &tally->pairs[dependence->producer][dependence->reader];

	if (pair->count++ == 0 || dependence->cycles < pair->least) {
		pair->least = dependence->cycles;
		pair->example = example_of(tally, dependence);
	}
	if (dependence->cycles < sass_latency(dependence->producer, dependence->reader) && tally->wrong++ < 20)
		printf("%u cycles: %s\n", dependence->cycles, example_of(tally, dependence));
}

static bool cubin_count(struct tally *tally, const char *path)
{
	struct ptx_module module = {.arena = tally->arena};
	struct sass_listings listings = {0};
	struct cubin cubin = {0};
	size_t length;
	const char *bytes = file_read(tally->arena, path, &length);
	const char *reason = bytes ? cubin_open(tally->arena, bytes, length, &cubin) : "cannot be read";

	if (!reason)
		reason = decode_cubin(&module, &cubin, &listings);
	if (reason) {
		fprintf(stderr, "%s: %s\n", path, reason);
		return false;
	}
	if (listings.architecture != 90)
		return true;
	tally->cubins++;
	tally->path = path;
	for (size_t i = 0; i < listings.count; i++) {
		tally->listing = &listings.list[i];
		sass_dependences_each(tally->listing, dependence_count, tally);
	}
	return true;
}

static void pairs_print(const struct tally *tally, bool verbose)
{
	printf("%u cubins of sm_90\n%9s %6s %6s  %s\n", tally->cubins, "count", "least", "table", "producer -> reader");
	for (unsigned p = 0; p < SASS_PRODUCER_COUNT; p++)
		for (unsigned r = 0; r < SASS_READER_COUNT; r++) {
			const struct pair *pair = &tally->pairs[p][r];

			if (!pair->count)
				continue;
			printf("%9llu %6u %6u  %s -> %s\n", (unsigned long long)pair->count, pair->least,
			       sass_latency((enum sass_producer)p, (enum sass_reader)r),
			       sass_producer_name((enum sass_producer)p), sass_reader_name((enum sass_reader)r));
			if (verbose)
				printf("          %s\n", pair->example);
		}
}

int main(int count, char **words)
{
	struct tally *tally = calloc(1, sizeof *tally);
	bool verbose = count > 1 && strcmp(words[1], "-v") == 0, good = true;

	tally->arena = arena_create();
	for (int i = 1 + verbose; i < count; i++)
		good &= cubin_count(tally, words[i]);
	pairs_print(tally, verbose);
	good &= tally->wrong == 0;
	arena_release(tally->arena);
	free(tally);
	return good ? 0 : 1;
}
