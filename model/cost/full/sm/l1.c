/*
 * The L1 of one SM: lines of 128 bytes in sectors of 32, LRU within hashed sets.
 *
 *   set(line) = (line + scramble(line / sets)) mod sets
 *
 * so that neighbouring lines fill all sets evenly (l1.data_bytes of the machine file: as many neighbouring lines as the L1 has bytes for stay), and
 * scattered ones unevenly (l1.places_kept). A sector that is on its way hits, and has to be waited for (a load of a pending line costs no more
 * than a hit: measured). Loads allocate; stores write through and allocate nothing (write_policy.store_allocates_in_l1), so they are not seen here.
 * Assumed: LRU, and the number of ways.
 *
 * Lines are looked for in four banks of tags, one line of each in a pass, and the bank of a line is a linear code of its number (l1.tag_bank_masks):
 *
 *   bank bit b     = parity(line & mask b)
 *   passes         = max(lines of the fullest bank of tags, passes of the banks of the data)            where all of it is there
 *   missing passes = sum over passes of the tags of the lines of it that the fullest bank of the data has a word of
 *
 * The first is exact for 96 strides of a warp's lanes, of 1 to 2^13 lines, and for lines at random (benchmarks/operands/tags.cu: 0.04 cycles off in the median); the second, which is what a load takes that comes back, gives
 * 15.2, 18.5, 15.2, 23.3, 15.2, 18.6, 32.0 cycles for loads of records of 4, 8, 12, 16, 20, 24, 32 words at random places of the L2, where 14.6, 17.2, 14.8, 22.3, 14.8, 17.1, 33.4 were measured, and 3.0, 3.5, 6.0, 4.5
 * for records of 6, 10, 12, 14 words in order, all of whose words are on their way: measured 3.0, 3.5, 6.1, 4.5 (benchmarks/operands/words.cu). In a pass meet the next line of each bank of the tags, in the order of lanes.
 */
#include "model/cost/full/run.h"

#include <limits.h>

__extension__ typedef unsigned __int128 wide;

#define MARK_BYTES 8 /* of a word */
#define MARK_ONES UINT64_C(0x0101010101010101)

struct l1_line {
	uint64_t tag; /* line + 1; 0: empty */
	float ready[LINE_BYTES / SECTOR_BYTES];
	uint8_t sectors;
};

/* Lines of set s are places s * ways to (s + 1) * ways - 1; their marks are the bytes of words s * words to (s + 1) * words - 1. */
struct full_l1 {
	struct l1_line *lines;
	uint64_t *marks;  /* a byte of each line, by which it is looked for: several may have the same */
	uint32_t *used;   /* by the clock */
	uint64_t inverse; /* of sets, in units of 2^-64 */
	uint32_t sets, ways, words, clock;
};

struct full_l1 *full_l1_make(struct arena *arena, double bytes, unsigned ways)
{
	struct full_l1 *l1 = arena_alloc(arena, sizeof *l1);
	l1->ways = ways ? ways : 1;
	l1->words = (l1->ways + MARK_BYTES - 1) / MARK_BYTES;
	l1->sets = (uint32_t)(bytes / LINE_BYTES / l1->ways);
	if (!l1->sets)
		l1->sets = 1;
	l1->inverse = UINT64_MAX / l1->sets;
	size_t count = (size_t)l1->sets * l1->ways;
	l1->lines = arena_array(arena, count, sizeof *l1->lines);
	l1->marks = arena_array(arena, (size_t)l1->sets * l1->words, sizeof *l1->marks);
	l1->used = arena_array(arena, count, sizeof *l1->used);
	return l1;
}

/* number / sets: the product with the inverse is at most one too small. */
static uint64_t sets_divide(const struct full_l1 *l1, uint64_t number, uint64_t *rest)
{
	uint64_t quotient = (uint64_t)((wide)number * l1->inverse >> 64);
	*rest = number - quotient * l1->sets;
	if (*rest < l1->sets)
		return quotient;
	*rest -= l1->sets;
	return quotient + 1;
}

static uint32_t l1_set(const struct full_l1 *l1, uint64_t line)
{
	uint64_t offset, set, group = sets_divide(l1, line, &offset);
	sets_divide(l1, offset + ((group * UINT64_C(0x9e3779b97f4a7c15)) >> 40), &set);
	return (uint32_t)set;
}

static uint8_t mark_of(uint64_t line)
{
	return (uint8_t)((line * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
}

/* The line's place, or the first of its set if it is nowhere. */
static inline uint32_t l1_place(const struct full_l1 *l1, uint64_t line)
{
	uint32_t set = l1_set(l1, line), first = set * l1->ways;
	uint64_t sought = mark_of(line) * MARK_ONES;
	for (uint32_t word = 0; word < l1->words; word++) {
		uint64_t other = l1->marks[(size_t)set * l1->words + word] ^ sought;
		for (uint64_t same = (other - MARK_ONES) & ~other & MARK_ONES << 7; same; same &= same - 1) {
			uint32_t way = word * MARK_BYTES + (uint32_t)__builtin_ctzll(same) / 8;
			if (way < l1->ways && l1->lines[first + way].tag == line + 1)
				return first + way;
		}
	}
	return first;
}

/* The way whose line is replaced, of a set that begins there. */
static uint32_t l1_oldest(const struct full_l1 *l1, uint32_t first)
{
	const uint32_t *used = &l1->used[first];
	uint32_t oldest = 0, least = used[0];
	for (uint32_t way = 1; way < l1->ways; way++) {
		oldest = used[way] < least ? way : oldest;
		least = used[way] < least ? used[way] : least;
	}
	return oldest;
}

/* Replaces a line of the set that a place is of; returns its place. */
static uint32_t l1_replace(struct full_l1 *l1, uint32_t place, uint64_t line)
{
	uint32_t set = place / l1->ways, first = set * l1->ways, way = l1_oldest(l1, first);
	uint64_t *marks = &l1->marks[(size_t)set * l1->words + way / MARK_BYTES];
	unsigned at = way % MARK_BYTES * 8;
	*marks = (*marks & ~(UINT64_C(0xff) << at)) | (uint64_t)mark_of(line) << at;
	l1->lines[first + way].tag = line + 1;
	l1->lines[first + way].sectors = 0;
	return first + way;
}

uint8_t full_l1_load(struct full_l1 *l1, uint64_t line, uint8_t sectors, uint32_t *place, double *ready)
{
	*place = l1_place(l1, line);
	const struct l1_line *found = &l1->lines[*place];
	if (found->tag != line + 1)
		return sectors;
	l1->used[*place] = ++l1->clock;
	for (unsigned hits = sectors & found->sectors; hits; hits &= hits - 1)
		*ready = full_later(*ready, (double)found->ready[__builtin_ctz(hits)]);
	return sectors & (uint8_t)~found->sectors;
}

uint8_t full_l1_held(const struct full_l1 *l1, uint64_t line)
{
	const struct l1_line *found = &l1->lines[l1_place(l1, line)];
	return found->tag == line + 1 ? found->sectors : 0;
}

void full_l1_fill(struct full_l1 *l1, uint64_t line, uint8_t sectors, uint32_t place, double ready)
{
	if (l1->lines[place].tag != line + 1)
		place = l1_replace(l1, place, line);
	struct l1_line *filled = &l1->lines[place];
	l1->used[place] = ++l1->clock;
	filled->sectors |= sectors;
	for (unsigned rest = sectors; rest; rest &= rest - 1)
		filled->ready[__builtin_ctz(rest)] = (float)ready;
}

/* ---- passes ------------------------------------------------------------------------------ */

#define TAG_BANKS (1 << FULL_TAG_BITS)

/* Words of the lines of one bank of tags, in the order in which they are looked for. */
struct tag_queue {
	unsigned count;
	uint32_t words[FULL_LINES];
};

static uint8_t tag_bank(const struct full_machine *machine, uint64_t line)
{
	uint8_t bank = 0;
	line ^= line >> machine->tag_bits ^ line >> 2 * machine->tag_bits;
	for (unsigned byte = 0; byte < FULL_TAG_BYTES; byte++)
		bank ^= machine->tag_bank[byte][(uint8_t)(line >> byte * CHAR_BIT)];
	return bank;
}

/* How many lines of one pass of the tags the fullest bank of the data has a word of. */
static unsigned data_passes(const struct tag_queue *queues, unsigned pass)
{
	uint32_t more[TAG_BANKS + 1] = {UINT32_MAX};
	unsigned most = TAG_BANKS;
	for (unsigned b = 0; b < TAG_BANKS; b++)
		for (unsigned n = TAG_BANKS; n > 0 && pass < queues[b].count; n--)
			more[n] |= more[n - 1] & queues[b].words[pass];
	while (most > 1 && !more[most])
		most--;
	return most;
}

void full_l1_passes(const struct full_machine *machine, struct full_request *request)
{
	unsigned lines = request->line_count, counts[TAG_BANKS] = {0}, longest = 0;
	request->missing_passes = 0;
	request->tag_passes =
		lines <= WARP_LANES ? machine->tag_cycles[lines] : machine->tag_cycles[WARP_LANES] * lines / WARP_LANES;
	if (machine->tag_bits && lines > 1) {
		for (unsigned i = 0; i < lines; i++)
			counts[request->tag_bank[i] = tag_bank(machine, request->line[i])]++;
		for (unsigned b = 0; b < TAG_BANKS; b++)
			longest = counts[b] > longest ? counts[b] : longest;
		request->tag_passes = longest;
	}
	request->passes = full_later(request->bank_passes, request->tag_passes);
}

double full_l1_missing_passes(const struct full_machine *machine, struct full_request *request)
{
	struct tag_queue queues[TAG_BANKS];
	unsigned lines = machine->tag_bits && request->line_count > 1 ? request->line_count : 0, longest = 0, missing = 0;
	if (request->missing_passes > 0)
		return request->missing_passes;
	for (unsigned b = 0; b < TAG_BANKS; b++)
		queues[b].count = 0;
	for (unsigned i = 0; i < lines; i++) {
		struct tag_queue *queue = &queues[request->tag_bank[i]];
		queue->words[queue->count++] = request->words[i];
	}
	for (unsigned b = 0; b < TAG_BANKS; b++)
		longest = queues[b].count > longest ? queues[b].count : longest;
	for (unsigned pass = 0; pass < longest; pass++)
		missing += data_passes(queues, pass);
	request->missing_passes = full_later(request->passes, missing);
	return request->missing_passes;
}
