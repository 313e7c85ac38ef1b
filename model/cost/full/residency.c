/*
 * Lines that this SM asked for, by open addressing; neighbouring lines lie side by side.
 *
 * A line that both halves of the L2 hold is lost after one half's bytes; a line of one SM alone is
 * lost between two thirds of the L2 and all of it, drawn by its number (operands/again.cu).
 */
#include "model/cost/full/residency.h"

#include <math.h>
#include <string.h>

#define FIRST_SLOTS 2048
#define SPARE 4 /* one slot in so many stays free */
/* times as many slots: to put lines in new places takes longer than to look for them in fuller ones */
#define GROWTH 4
#define GROUP 2 /* lines */

struct seen_line {
	uint64_t key; /* line + 1; 0: empty */
	float numbers[];
};

struct full_residency {
	struct arena *arena;
	char *places;               /* of `bytes` each */
	size_t slots, count, bytes; /* slots: a power of two */
	unsigned granules;
};

struct full_residency *full_residency_make(struct arena *arena, unsigned granules)
{
	struct full_residency *seen = arena_alloc(arena, sizeof *seen);
	seen->arena = arena;
	seen->granules = granules;
	seen->slots = FIRST_SLOTS;
	seen->bytes = sizeof(struct seen_line);
	while (seen->bytes < sizeof(struct seen_line) + granules * sizeof(float))
		seen->bytes *= 2;
	seen->places = arena_array(arena, seen->slots, seen->bytes);
	return seen;
}

/* Where a line is looked for first. */
static size_t slot_first(size_t slots, uint64_t line)
{
	size_t group = (size_t)((line / GROUP * UINT64_C(0x9e3779b97f4a7c15)) >> 40);
	return (group * GROUP + line % GROUP) & (slots - 1);
}

/* The line's place, or the one where it would be put. */
static struct seen_line *place_of(const struct full_residency *seen, uint64_t line)
{
	size_t slot = slot_first(seen->slots, line);
	struct seen_line *place = (void *)(seen->places + slot * seen->bytes);
	while (place->key && place->key != line + 1) {
		slot = (slot + 1) & (seen->slots - 1);
		place = (void *)(seen->places + slot * seen->bytes);
	}
	return place;
}

static void seen_grow(struct full_residency *seen)
{
	const char *old = seen->places;
	size_t slots = seen->slots;
	seen->slots *= GROWTH;
	seen->places = arena_array(seen->arena, seen->slots, seen->bytes);
	for (size_t i = 0; i < slots; i++) {
		const struct seen_line *place = (const void *)(old + i * seen->bytes);
		if (place->key)
			memcpy(place_of(seen, place->key - 1), place, seen->bytes);
	}
}

float *full_residency_line(struct full_residency *seen, uint64_t line)
{
	struct seen_line *place = place_of(seen, line);
	if (place->key)
		return place->numbers;
	if (++seen->count > seen->slots - seen->slots / SPARE) {
		seen_grow(seen);
		place = place_of(seen, line);
	}
	place->key = line + 1;
	for (unsigned g = 0; g < seen->granules; g++)
		place->numbers[g] = FULL_NOT_ASKED;
	return place->numbers;
}

const float *full_residency_find(const struct full_residency *seen, uint64_t line)
{
	const struct seen_line *place = place_of(seen, line);
	return place->key ? place->numbers : NULL;
}

void full_residency_prefetch(const struct full_residency *seen, uint64_t line)
{
	__builtin_prefetch(seen->places + slot_first(seen->slots, line) * seen->bytes);
}

/* Share of the L2's bytes after which lines begin to be given up. */
static double reach_begins(const struct full_machine *machine)
{
	return 2 / (1 + machine->l2_bytes / machine->l2_reach);
}

double full_residency_least_reach(const struct full_machine *machine)
{
	return full_sooner(machine->l2_reach, machine->l2_bytes * full_sooner(1, reach_begins(machine)));
}

double full_residency_reach(const struct full_machine *machine, uint64_t line, unsigned number, double both)
{
	double first = reach_begins(machine);
	if (both > 0 && content_fraction(content_scramble(line)) < both)
		return machine->l2_reach;
	return machine->l2_bytes * (first + (1 - first) * sqrt(content_fraction(line ^ content_scramble(number))));
}

double full_residency_held(const struct full_machine *machine, double loaded, double stored)
{
	double begins = full_sooner(1, reach_begins(machine)), taken = (loaded + begins * stored) / machine->l2_bytes;
	double drawn = begins < 1 ? (taken - begins) / (1 - begins) : taken > 1;
	return full_sooner(1, full_later(0, 1 - drawn));
}
