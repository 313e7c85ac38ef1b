/*
 * Loads that wait for data from beyond the L1. Of those that have theirs the one goes back that the LSU has taken first (measured, benchmarks/operands/returns.cu: where 16 warps load the same lines four times,
 * all first loads come back before the second ones).
 */
#include "model/cost/full/sm/sm.h"

#include <math.h>

/* The least first. */
struct load_heap {
	struct full_return *loads;
	unsigned count;
};

struct full_returns {
	struct load_heap coming, there; /* those that wait, by when they have their data; those that have it, by their order */
	uint64_t order;
};

struct full_returns *full_returns_make(struct arena *arena, unsigned most)
{
	struct full_returns *returns = arena_alloc(arena, sizeof *returns);
	returns->coming.loads = arena_array(arena, most, sizeof *returns->coming.loads);
	returns->there.loads = arena_array(arena, most, sizeof *returns->there.loads);
	return returns;
}

static void heap_add(struct load_heap *heap, const struct full_return *load)
{
	unsigned at = heap->count++;
	for (; at && load->key < heap->loads[(at - 1) / 2].key; at = (at - 1) / 2)
		heap->loads[at] = heap->loads[(at - 1) / 2];
	heap->loads[at] = *load;
}

static struct full_return heap_take(struct load_heap *heap)
{
	struct full_return first = heap->loads[0], last = heap->loads[--heap->count];
	unsigned at = 0;
	for (unsigned child = 1; child < heap->count; child = 2 * at + 1) {
		child += child + 1 < heap->count && heap->loads[child + 1].key < heap->loads[child].key;
		if (last.key <= heap->loads[child].key)
			break;
		heap->loads[at] = heap->loads[child];
		at = child;
	}
	heap->loads[at] = last;
	return first;
}

void full_returns_add(struct full_returns *returns, struct full_return *load)
{
	load->order = ++returns->order;
	load->key = load->ready - load->latency;
	heap_add(&returns->coming, load);
}

unsigned full_returns_count(const struct full_returns *returns)
{
	return returns->coming.count + returns->there.count;
}

double full_returns_first(const struct full_returns *returns)
{
	if (returns->there.count)
		return 0;
	return returns->coming.count ? returns->coming.loads[0].key : INFINITY;
}

struct full_return full_returns_take(struct full_returns *returns, double time)
{
	while (returns->coming.count && returns->coming.loads[0].key <= time) {
		struct full_return load = heap_take(&returns->coming);
		load.key = (double)load.order;
		heap_add(&returns->there, &load);
	}
	return heap_take(&returns->there);
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
