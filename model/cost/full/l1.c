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

struct l1_line {
	uint64_t tag; /* line + 1; 0: empty */
	float ready[LINE_BYTES / SECTOR_BYTES];
	uint32_t used;
	uint8_t sectors;
};

struct full_l1 {
	struct l1_line *lines;
	uint32_t sets, ways, clock;
};

struct full_l1 *full_l1_make(struct arena *arena, double bytes, unsigned ways)
{
	struct full_l1 *l1 = arena_alloc(arena, sizeof *l1);
	l1->ways = ways ? ways : 1;
	l1->sets = (uint32_t)(bytes / LINE_BYTES / l1->ways);
	if (!l1->sets)
		l1->sets = 1;
	l1->lines = arena_array(arena, (size_t)l1->sets * l1->ways, sizeof *l1->lines);
	return l1;
}

static struct l1_line *l1_set(const struct full_l1 *l1, uint64_t line)
{
	uint64_t group = line / l1->sets, offset = line % l1->sets;
	uint64_t mixed = group * UINT64_C(0x9e3779b97f4a7c15);
	return &l1->lines[(offset + (mixed >> 40)) % l1->sets * l1->ways];
}

/* The line's place in its set, or NULL; *oldest: the one to replace. */
static struct l1_line *l1_find(struct full_l1 *l1, uint64_t line, struct l1_line **oldest)
{
	struct l1_line *set = l1_set(l1, line);
	*oldest = set;
	for (uint32_t way = 0; way < l1->ways; way++) {
		if (set[way].tag == line + 1)
			return &set[way];
		if (set[way].used < (*oldest)->used)
			*oldest = &set[way];
	}
	return NULL;
}

uint8_t full_l1_load(struct full_l1 *l1, uint64_t line, uint8_t sectors, double *ready)
{
	struct l1_line *oldest, *found = l1_find(l1, line, &oldest);
	if (!found)
		return sectors;
	found->used = ++l1->clock;
	for (unsigned s = 0; s < LINE_BYTES / SECTOR_BYTES; s++)
		if ((sectors & found->sectors) >> s & 1 && (double)found->ready[s] > *ready)
			*ready = (double)found->ready[s];
	return sectors & (uint8_t)~found->sectors;
}

void full_l1_fill(struct full_l1 *l1, uint64_t line, uint8_t sectors, double ready)
{
	struct l1_line *place, *found = l1_find(l1, line, &place);
	if (!found) {
		*place = (struct l1_line){.tag = line + 1};
		found = place;
	}
	found->used = ++l1->clock;
	found->sectors |= sectors;
	for (unsigned s = 0; s < LINE_BYTES / SECTOR_BYTES; s++)
		if (sectors >> s & 1)
			found->ready[s] = (float)ready;
}
