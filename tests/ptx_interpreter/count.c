/* What one request touches, by trying every byte of every lane. */
#include "tests/ptx_interpreter/interpreter.h"

#define MOST 4096

struct set {
	uint64_t members[MOST];
	unsigned count;
};

static void set_put(struct set *set, uint64_t member)
{
	for (unsigned i = 0; i < set->count; i++)
		if (set->members[i] == member)
			return;
	set->members[set->count++] = member;
}

static unsigned group_of(unsigned bytes)
{
	if (bytes <= 4)
		return 32;
	return bytes <= 8 ? 16 : 8;
}

static void count_global(struct interpreter_insn *totals, const uint64_t *address, uint32_t mask, unsigned bytes)
{
	static struct set sectors, lines;

	sectors.count = lines.count = 0;
	for (unsigned lane = 0; lane < 32; lane++)
		for (unsigned byte = 0; mask >> lane & 1 && byte < bytes; byte++) {
			set_put(&sectors, (address[lane] + byte) / 32);
			set_put(&lines, (address[lane] + byte) / 128);
		}
	totals->sectors += sectors.count;
	totals->lines += lines.count;
}

/* Word w of lane l of local memory is word 32 w + l of the warp's. */
static void count_local(struct interpreter_insn *totals, const uint64_t *address, uint32_t mask, unsigned bytes)
{
	static struct set sectors, lines;

	sectors.count = lines.count = 0;
	for (unsigned lane = 0; lane < 32; lane++)
		for (unsigned byte = 0; mask >> lane & 1 && byte < bytes; byte++) {
			uint64_t place = ((address[lane] + byte) / 4 * 32 + lane) * 4;

			set_put(&sectors, place / 32);
			set_put(&lines, place / 128);
		}
	totals->sectors += sectors.count;
	totals->lines += lines.count;
}

static void count_shared(struct interpreter_insn *totals, const uint64_t *address, uint32_t mask, unsigned bytes)
{
	unsigned group = group_of(bytes);
	static struct set words;

	for (unsigned first = 0; first < 32; first += group) {
		unsigned in_bank[32] = {0}, most = 0;

		words.count = 0;
		for (unsigned lane = first; lane < first + group; lane++)
			for (unsigned byte = 0; mask >> lane & 1 && byte < bytes; byte++)
				set_put(&words, (address[lane] + byte) / 4);
		for (unsigned i = 0; i < words.count; i++)
			in_bank[words.members[i] % 32]++;
		for (unsigned bank = 0; bank < 32; bank++)
			most = in_bank[bank] > most ? in_bank[bank] : most;
		totals->wavefronts += most;
		totals->conflicts += most ? most - 1 : 0;
	}
}

void interpreter_count(struct interpreter_insn *totals, enum ptx_space space, const uint64_t *address, uint32_t mask,
                       unsigned bytes, bool atomic)
{
	static struct set distinct;

	distinct.count = 0;
	for (unsigned lane = 0; lane < 32; lane++)
		if (mask >> lane & 1)
			set_put(&distinct, address[lane]);
	if (atomic)
		totals->addresses += distinct.count;
	if (space == SPACE_SHARED)
		count_shared(totals, address, mask, bytes);
	else if (space == SPACE_LOCAL)
		count_local(totals, address, mask, bytes);
	else
		count_global(totals, address, mask, bytes);
}
