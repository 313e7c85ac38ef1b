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
#include "model/cost/full/full.h"

__extension__ typedef unsigned __int128 wide;

/* Lines of set s are places s * ways to (s + 1) * ways - 1. */
struct full_l1 {
	uint64_t *tags; /* line + 1; 0: empty */
	uint32_t *used; /* by the clock */
	float (*ready)[LINE_BYTES / SECTOR_BYTES];
	uint8_t *sectors;
	uint64_t inverse; /* of sets, in units of 2^-64 */
	uint32_t sets, ways, clock;
};

struct full_l1 *full_l1_make(struct arena *arena, double bytes, unsigned ways)
{
	struct full_l1 *l1 = arena_alloc(arena, sizeof *l1);
	l1->ways = ways ? ways : 1;
	l1->sets = (uint32_t)(bytes / LINE_BYTES / l1->ways);
	if (!l1->sets)
		l1->sets = 1;
	l1->inverse = UINT64_MAX / l1->sets;
	size_t count = (size_t)l1->sets * l1->ways;
	l1->tags = arena_array(arena, count, sizeof *l1->tags);
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

/* The line's set: its first place. */
static size_t l1_set(const struct full_l1 *l1, uint64_t line)
{
	uint64_t offset, set, group = sets_divide(l1, line, &offset);
	sets_divide(l1, offset + ((group * UINT64_C(0x9e3779b97f4a7c15)) >> 40), &set);
	return set * l1->ways;
}

/* The line's place in its set; as many as there are: nowhere. */
static uint32_t l1_way(const struct full_l1 *l1, size_t set, uint64_t line)
{
	uint32_t way = 0;
	while (way < l1->ways && l1->tags[set + way] != line + 1)
		way++;
	return way;
}

/* The way whose line is replaced. */
static uint32_t l1_oldest(const struct full_l1 *l1, size_t set)
{
	uint32_t oldest = 0;
	for (uint32_t way = 1; way < l1->ways; way++)
		if (l1->used[set + way] < l1->used[set + oldest])
			oldest = way;
	return oldest;
}

uint8_t full_l1_load(struct full_l1 *l1, uint64_t line, uint8_t sectors, double *ready)
{
	size_t set = l1_set(l1, line);
	uint32_t way = l1_way(l1, set, line);
	if (way == l1->ways)
		return sectors;
	size_t place = set + way;
	l1->used[place] = ++l1->clock;
	for (unsigned hits = sectors & l1->sectors[place]; hits; hits &= hits - 1) {
		double there = (double)l1->ready[place][__builtin_ctz(hits)];
		*ready = full_later(*ready, there);
	}
	return sectors & (uint8_t)~l1->sectors[place];
}

void full_l1_fill(struct full_l1 *l1, uint64_t line, uint8_t sectors, double ready)
{
	size_t set = l1_set(l1, line);
	uint32_t way = l1_way(l1, set, line);
	if (way == l1->ways) {
		way = l1_oldest(l1, set);
		l1->tags[set + way] = line + 1;
		l1->sectors[set + way] = 0;
	}
	size_t place = set + way;
	l1->used[place] = ++l1->clock;
	l1->sectors[place] |= sectors;
	for (unsigned rest = sectors; rest; rest &= rest - 1)
		l1->ready[place][__builtin_ctz(rest)] = (float)ready;
}
