/*
 * The L1 of one SM: lines of 128 bytes in sectors of 32, LRU within hashed sets.
 *
 *   set(line) = (line + scramble(line / sets)) mod sets
 *
 * so that neighbouring lines fill all sets evenly (l1.data_bytes of the machine file: as many neighbouring lines as the L1 has bytes for stay), and
 * scattered ones unevenly (l1.places_kept). A sector that is on its way hits, and has to be waited for (a load of a pending line costs no more
 * than a hit: measured). Loads allocate; stores write through and allocate nothing (write_policy.store_allocates_in_l1), so they are not seen here.
 * Assumed: LRU, and the number of ways.
 */
#include "model/cost/full/run.h"

__extension__ typedef unsigned __int128 wide;

#define MARK_BYTES 8 /* of a word */
#define MARK_ONES UINT64_C(0x0101010101010101)

/* Lines of set s are places s * ways to (s + 1) * ways - 1; their marks are the bytes of words s * words to (s + 1) * words - 1. */
struct full_l1 {
	uint64_t *tags;  /* line + 1; 0: empty */
	uint64_t *marks; /* a byte of each line, by which it is looked for: several may have the same */
	uint32_t *used;  /* by the clock */
	float (*ready)[LINE_BYTES / SECTOR_BYTES];
	uint8_t *sectors;
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
	l1->tags = arena_array(arena, count, sizeof *l1->tags);
	l1->marks = arena_array(arena, (size_t)l1->sets * l1->words, sizeof *l1->marks);
	l1->used = arena_array(arena, count, sizeof *l1->used);
	l1->ready = arena_array(arena, count, sizeof *l1->ready);
	l1->sectors = arena_array(arena, count, sizeof *l1->sectors);
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

/* The line's way in its set; as many as there are: none. */
static uint32_t l1_way(const struct full_l1 *l1, uint32_t set, uint64_t line)
{
	const uint64_t *tags = &l1->tags[(size_t)set * l1->ways], sought = mark_of(line) * MARK_ONES;
	for (uint32_t word = 0; word < l1->words; word++) {
		uint64_t other = l1->marks[(size_t)set * l1->words + word] ^ sought;
		for (uint64_t same = (other - MARK_ONES) & ~other & MARK_ONES << 7; same; same &= same - 1) {
			uint32_t way = word * MARK_BYTES + (uint32_t)__builtin_ctzll(same) / 8;
			if (way < l1->ways && tags[way] == line + 1)
				return way;
		}
	}
	return l1->ways;
}

/* The way whose line is replaced. */
static uint32_t l1_oldest(const struct full_l1 *l1, uint32_t set)
{
	const uint32_t *used = &l1->used[(size_t)set * l1->ways];
	uint32_t oldest = 0, least = used[0];
	for (uint32_t way = 1; way < l1->ways; way++) {
		oldest = used[way] < least ? way : oldest;
		least = used[way] < least ? used[way] : least;
	}
	return oldest;
}

static void l1_put(struct full_l1 *l1, uint32_t set, uint32_t way, uint64_t line)
{
	uint64_t *marks = &l1->marks[(size_t)set * l1->words + way / MARK_BYTES];
	unsigned at = way % MARK_BYTES * 8;
	*marks = (*marks & ~(UINT64_C(0xff) << at)) | (uint64_t)mark_of(line) << at;
	l1->tags[(size_t)set * l1->ways + way] = line + 1;
	l1->sectors[(size_t)set * l1->ways + way] = 0;
}

uint8_t full_l1_load(struct full_l1 *l1, uint64_t line, uint8_t sectors, uint32_t *set, double *ready)
{
	*set = l1_set(l1, line);
	uint32_t way = l1_way(l1, *set, line);
	if (way == l1->ways)
		return sectors;
	size_t place = (size_t)*set * l1->ways + way;
	const float *there = l1->ready[place];
	unsigned hits = sectors & l1->sectors[place];
	float last = 0;
	l1->used[place] = ++l1->clock;
	for (unsigned s = 0; s < LINE_BYTES / SECTOR_BYTES; s++) {
		float own = hits >> s & 1 ? there[s] : 0;
		last = own > last ? own : last;
	}
	*ready = full_later(*ready, (double)last);
	return sectors & (uint8_t)~hits;
}

uint8_t full_l1_held(const struct full_l1 *l1, uint64_t line)
{
	uint32_t set = l1_set(l1, line), way = l1_way(l1, set, line);
	return way == l1->ways ? 0 : l1->sectors[(size_t)set * l1->ways + way];
}

void full_l1_fill(struct full_l1 *l1, uint64_t line, uint8_t sectors, uint32_t set, double ready)
{
	uint32_t way = l1_way(l1, set, line);
	if (way == l1->ways) {
		way = l1_oldest(l1, set);
		l1_put(l1, set, way, line);
	}
	size_t place = (size_t)set * l1->ways + way;
	float *there = l1->ready[place];
	l1->used[place] = ++l1->clock;
	l1->sectors[place] |= sectors;
	for (unsigned s = 0; s < LINE_BYTES / SECTOR_BYTES; s++)
		there[s] = sectors >> s & 1 ? (float)ready : there[s];
}
