/*
 * Loads that wait for data from beyond the L1. Of those whose data are there, the one goes back
 * that the LSU took first (operands/returns.cu).
 */
#include "model/cost/full/sm/sm.h"

#include <math.h>
#include <string.h>

#define LOADS 65536 /* more than ever wait */

/* A load that waits, in a heap: the least key first. Keys are whole numbers, which are compared sooner: those of times,
 * which are not negative, are their bits. */
struct heap_place {
	uint64_t key;
	uint32_t load;
};

struct load_heap {
	struct heap_place *places;
	unsigned count;
};

struct full_returns {
	struct full_return *loads;
	uint32_t *unused;        /* the loads that do not wait, from `waiting` on */
	struct load_heap coming; /* those that wait, by when they have their data */
	uint64_t *there; /* those that have it, by their order: each is that times LOADS, and which load it is; a ring,
	                    from `first` to `end` */
	unsigned first, end, mask, waiting;
	uint64_t order;
};

struct full_returns *full_returns_make(struct arena *arena, unsigned most)
{
	struct full_returns *returns = arena_alloc(arena, sizeof *returns);
	returns->loads = arena_array(arena, most, sizeof *returns->loads);
	returns->unused = arena_array(arena, most, sizeof *returns->unused);
	returns->coming.places = arena_array(arena, most, sizeof *returns->coming.places);
	while (returns->mask < most)
		returns->mask = 2 * returns->mask + 1;
	returns->there = arena_array(arena, returns->mask + 1, sizeof *returns->there);
	for (uint32_t i = 0; i < most; i++)
		returns->unused[i] = i;
	return returns;
}

/* A place comes to where another one has left, or further up. */
static void heap_rise(struct load_heap *heap, unsigned at, struct heap_place place)
{
	for (; at && place.key < heap->places[(at - 1) / 2].key; at = (at - 1) / 2)
		heap->places[at] = heap->places[(at - 1) / 2];
	heap->places[at] = place;
}

static void heap_add(struct load_heap *heap, uint64_t key, uint32_t load)
{
	heap_rise(heap, heap->count++, (struct heap_place){key, load});
}

/* The gap goes down all the way to where the last one then fits nearly always: no branch depends on the keys. */
static uint32_t heap_take(struct load_heap *heap)
{
	uint32_t first = heap->places[0].load;
	unsigned at = 0, count = --heap->count;
	for (unsigned child = 1; child < count; child = 2 * at + 1) {
		child += heap->places[child + 1].key < heap->places[child].key;
		heap->places[at] = heap->places[child];
		at = child;
	}
	heap_rise(heap, at, heap->places[count]);
	return first;
}

/* A load has its data: most that have theirs were taken before it. */
static void there_add(struct full_returns *returns, uint32_t load)
{
	uint64_t *there = returns->there, added = returns->loads[load].order * LOADS + load;
	unsigned at = returns->end++, mask = returns->mask;
	for (; at != returns->first && there[(at - 1) & mask] > added; at--)
		there[at & mask] = there[(at - 1) & mask];
	there[at & mask] = added;
}

static uint64_t key_of(double time)
{
	uint64_t key;
	memcpy(&key, &time, sizeof key);
	return key;
}

static double time_of(uint64_t key)
{
	double time;
	memcpy(&time, &key, sizeof time);
	return time;
}

/* Whether one that still comes has its data at a time. */
static bool one_is_there(const struct full_returns *returns, double time)
{
	return returns->coming.count && time_of(returns->coming.places[0].key) <= time;
}

void full_returns_add(struct full_returns *returns, const struct full_return *load)
{
	uint32_t place = returns->unused[returns->waiting++];
	returns->loads[place] = *load;
	returns->loads[place].order = ++returns->order;
	heap_add(&returns->coming, key_of(load->ready - load->latency), place);
}

unsigned full_returns_count(const struct full_returns *returns)
{
	return returns->waiting;
}

double full_returns_first(const struct full_returns *returns)
{
	if (returns->first != returns->end)
		return 0;
	return returns->coming.count ? time_of(returns->coming.places[0].key) : INFINITY;
}

struct full_return full_returns_take(struct full_returns *returns, double time)
{
	uint32_t first = UINT32_MAX;
	while (one_is_there(returns, time)) {
		first = heap_take(&returns->coming);
		if (returns->first != returns->end || one_is_there(returns, time))
			there_add(returns, first);
	}
	if (returns->first != returns->end)
		first = (uint32_t)(returns->there[returns->first++ & returns->mask] % LOADS);
	returns->unused[--returns->waiting] = first;
	return returns->loads[first];
}

unsigned full_open_count(struct full_open *open, double now)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < open->count; i++)
		if (open->done[i] > now)
			open->done[kept++] = open->done[i];
	open->count = kept;
	return kept;
}

void full_open_add(struct full_open *open, double done, double now)
{
	if (open->count < FULL_OPEN || full_open_count(open, now) < FULL_OPEN)
		open->done[open->count++] = done;
}
