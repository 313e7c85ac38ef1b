/*
 * The L1 of one SM: lines of 128 bytes, sectors of 32, sets of few ways, room by data.
 *
 *   set(line)  = XOR of l1.set_codes over the bits of the line's number
 *   a hit      rank = hits of the set so far
 *   a new line rank = hits of the set so far - 2
 *
 * Of a full set the line of lowest rank leaves, the older of equals. Any access to a line is a hit,
 * a store too; stores take room. l1.lines says how many lines have room, in four banks; a full bank
 * takes the lowest line of another set, by turns. A sector under way hits, and is waited for. GPUs
 * without codes: neighbouring lines fill all sets evenly. Assumed: which sets share a bank.
 */
#include "model/cost/full/run.h"

#include <limits.h>

#define BANKS (1 << FULL_TAG_BITS)
#define LAST_HITS 2 /* which a new line is placed below */
#define SECTORS (LINE_BYTES / SECTOR_BYTES)
#define GOLDEN 0.618 /* of the sets apart: what lose a line one after the other */

struct l1_line {
	float ready[SECTORS];
	uint32_t stored[SECTORS]; /* bytes */
	uint8_t sectors;          /* that can be loaded */
};

/* Lines of set s are places s * ways to (s + 1) * ways - 1. */
struct full_l1 {
	const struct full_machine *machine;
	uint64_t *tags; /* line + 1; 0: empty */
	struct l1_line *lines;
	uint64_t *rank; /* of lines; the lower half: when they were asked for last */
	uint32_t *hits; /* of sets */
	uint8_t *bank;  /* of the lines of a set: those of BANKS neighbouring ones are of different banks */
	uint32_t sets, ways, accesses;
	uint32_t banks, room, held[BANKS];  /* of the data; lines of each at most, and now */
	uint32_t groups, step, turn[BANKS]; /* of as many sets as there are banks; from one that loses a line to the
	                                       next; the next one */
};

struct full_l1 *full_l1_make(struct arena *arena, const struct full_machine *machine, double bytes)
{
	struct full_l1 *l1 = arena_alloc(arena, sizeof *l1);
	l1->machine = machine;
	l1->ways = (uint32_t)full_later(1, machine->l1_ways);
	l1->sets = (uint32_t)full_later(1, machine->l1_size / LINE_BYTES / l1->ways);
	l1->banks = l1->sets % BANKS ? 1 : BANKS;
	l1->room = (uint32_t)full_later(1, bytes / LINE_BYTES / l1->banks);
	l1->groups = l1->sets / l1->banks;
	l1->step = (uint32_t)(GOLDEN * l1->groups);
	while (full_common_divisor(l1->groups, l1->step) > 1)
		l1->step++;
	size_t count = (size_t)l1->sets * l1->ways;
	l1->tags = arena_array(arena, count, sizeof *l1->tags);
	l1->lines = arena_array(arena, count, sizeof *l1->lines);
	l1->rank = arena_array(arena, count, sizeof *l1->rank);
	l1->hits = arena_array(arena, l1->sets, sizeof *l1->hits);
	l1->bank = arena_array(arena, l1->sets, sizeof *l1->bank);
	for (uint32_t set = 0; set < l1->sets; set++)
		for (uint32_t rest = set; rest && l1->banks > 1; rest /= BANKS)
			l1->bank[set] ^= rest % BANKS;
	return l1;
}

static uint32_t l1_set(const struct full_l1 *l1, uint64_t line)
{
	const struct full_machine *machine = l1->machine;
	uint64_t beyond = line >> machine->set_known;
	uint32_t set = (uint32_t)(beyond * UINT64_C(0x9e3779b97f4a7c15) >> 40) & (l1->sets - 1);
	if (!machine->set_bits || l1->sets != 1u << machine->set_bits)
		return (uint32_t)((line + ((line / l1->sets * UINT64_C(0x9e3779b97f4a7c15)) >> 40)) % l1->sets);
	for (unsigned byte = 0; byte < FULL_SET_BYTES; byte++)
		set ^= machine->set_code[byte][(uint8_t)(line >> byte * CHAR_BIT)];
	return set;
}

/* The line's place, or the first of its set if it is nowhere. */
static inline uint32_t l1_place(const struct full_l1 *l1, uint64_t line)
{
	uint32_t first = l1_set(l1, line) * l1->ways;
	for (uint32_t place = first; place < first + l1->ways; place++)
		if (l1->tags[place] == line + 1)
			return place;
	return first;
}

/* Of a set: an empty place, or else that of the lowest rank. */
static uint32_t l1_lowest(const struct full_l1 *l1, uint32_t set)
{
	uint32_t first = set * l1->ways, lowest = first;
	for (uint32_t place = first; place < first + l1->ways; place++)
		lowest = l1->rank[place] < l1->rank[lowest] ? place : lowest;
	return lowest;
}

/* A line of another set makes room for one of this set, whose bank is full. */
static void bank_drop(struct full_l1 *l1, uint32_t bank)
{
	for (;;) {
		uint32_t set = l1->turn[bank] * l1->banks;
		l1->turn[bank] += l1->step;
		l1->turn[bank] -= l1->turn[bank] < l1->groups ? 0 : l1->groups;
		while (l1->bank[set] != bank)
			set++;
		uint32_t first = set * l1->ways, lost = first;
		for (uint32_t place = first; place < first + l1->ways; place++)
			if (l1->tags[place] && (!l1->tags[lost] || l1->rank[place] < l1->rank[lost]))
				lost = place;
		if (!l1->tags[lost])
			continue;
		l1->tags[lost] = 0;
		l1->rank[lost] = 0;
		return;
	}
}

static uint64_t rank_of(struct full_l1 *l1, uint32_t hits)
{
	return (uint64_t)hits << 32 | ++l1->accesses;
}

static void l1_hit(struct full_l1 *l1, uint32_t place)
{
	l1->rank[place] = rank_of(l1, ++l1->hits[place / l1->ways] + LAST_HITS);
}

/* Makes a place for a line in the set that a place is of. */
static uint32_t l1_replace(struct full_l1 *l1, uint32_t place, uint64_t line)
{
	uint32_t set = place / l1->ways, bank = l1->bank[set];
	place = l1_lowest(l1, set);
	if (!l1->tags[place] && l1->held[bank]++ >= l1->room) {
		l1->held[bank]--;
		bank_drop(l1, bank);
		place = l1_lowest(l1, set);
	}
	l1->tags[place] = line + 1;
	l1->lines[place] = (struct l1_line){.sectors = 0};
	l1->rank[place] = rank_of(l1, l1->hits[set]);
	return place;
}

uint8_t full_l1_load(struct full_l1 *l1, uint64_t line, uint8_t sectors, uint32_t *place, double *ready)
{
	*place = l1_place(l1, line);
	if (l1->tags[*place] != line + 1)
		return sectors;
	const struct l1_line *found = &l1->lines[*place];
	l1_hit(l1, *place);
	for (unsigned hits = sectors & found->sectors; hits; hits &= hits - 1)
		*ready = full_later(*ready, (double)found->ready[__builtin_ctz(hits)]);
	return sectors & (uint8_t)~found->sectors;
}

void full_l1_fill(struct full_l1 *l1, uint64_t line, uint8_t sectors, uint32_t place, double ready)
{
	if (l1->tags[place] != line + 1)
		place = l1_replace(l1, place, line);
	struct l1_line *filled = &l1->lines[place];
	filled->sectors |= sectors;
	for (unsigned rest = sectors; rest; rest &= rest - 1)
		filled->ready[__builtin_ctz(rest)] = (float)ready;
}

void full_l1_begin(struct full_l1 *l1, const struct full_l1_start *again)
{
	for (size_t i = 0; i < 2 * again->count; i++) {
		const struct full_line *line = &again->lines[i % again->count];
		uint32_t place;
		double ready = 0;
		uint8_t missing = full_l1_load(l1, line->line, line->sectors, &place, &ready);
		full_l1_fill(l1, line->line, missing, place, 0);
	}
}

uint8_t full_l1_store(struct full_l1 *l1, uint64_t line, const struct full_bytes *bytes)
{
	uint32_t place = l1_place(l1, line);
	uint8_t before = 0;
	if (l1->tags[place] == line + 1)
		l1_hit(l1, place);
	else
		place = l1_replace(l1, place, line);
	struct l1_line *stored = &l1->lines[place];
	for (unsigned sector = 0; sector < SECTORS; sector++) {
		uint32_t some = (uint32_t)(bytes->half[sector / 2] >> sector % 2 * SECTOR_BYTES);
		before |= (uint8_t)((stored->sectors >> sector & 1 || stored->stored[sector]) << sector);
		stored->stored[sector] |= some;
		if (stored->stored[sector] == UINT32_MAX)
			stored->sectors |= (uint8_t)(1 << sector);
	}
	return before;
}
