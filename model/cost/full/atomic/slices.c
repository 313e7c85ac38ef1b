/*
 * What a pass costs in a slice that serves one after the other, where additions of reals to the
 * sector of the last one wait: a sample of passes goes through the slices (atomic.c has the
 * equation).
 */
#include "model/cost/full/atomic/atomic.h"

#include <math.h>
#include <string.h>

#define ROUNDS 2 /* that the sample goes through the slices; the last one counts */

void full_visits_sort(const struct full_visits *sample, uint64_t (*key_of)(uint64_t))
{
	for (size_t i = 0; i < sample->count; i++)
		sample->sorter->keys[0][i] = sample->visits[i].key =
			key_of ? key_of(sample->visits[i].place) : sample->visits[i].place;
	cost_sort(sample->sorter, sample->visits, sample->count, 1);
}

static void visits_sort_order(struct cost_sorter *sorter, struct full_visit *visits, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		sorter->keys[0][i] = visits[i].order;
		sorter->keys[1][i] = visits[i].key;
		sorter->keys[2][i] = visits[i].place;
	}
	cost_sort(sorter, visits, count, 3);
}

struct slice {
	double free;
	struct {
		uint64_t place;
		double done;
	} last[4]; /* sectors, the latest first; beyond them the wait is over */
};

/* When an addition to that sector may begin. */
static double sector_free(const struct slice *slice, uint64_t place)
{
	for (unsigned i = 0; i < ARRAY_COUNT(slice->last); i++)
		if (slice->last[i].place == place)
			return slice->last[i].done;
	return 0;
}

/*
 * A request's passes on one slice, visits first .. last - 1: its sectors take turns, so that it ends with the last
 * pass, or with the last one that had to wait for those on its own word.
 */
static void slice_serve(struct slice *slice, const struct full_machine *machine, const struct full_visit *visits,
                        size_t first, size_t last)
{
	double pass = 1 / machine->atomic_same, wait = 1 / machine->atomic_float_same, free = slice->free, end = 0;
	for (size_t i = first; i < last; i++) {
		const struct full_visit *visit = &visits[i];
		double cost = visit->whole ? pass * machine->atomic_whole : pass;
		double start = visit->real ? fmax(slice->free, sector_free(slice, visit->place)) : slice->free;
		double final =
			start + visit->again * (visit->real ? wait : cost) + (visit->weight - 1 - visit->again) * cost;
		free = fmax(free, start) + visit->weight * cost;
		end = fmax(end, final + cost);
		memmove(slice->last + 1, slice->last, sizeof slice->last - sizeof *slice->last);
		slice->last[0].place = visit->place;
		slice->last[0].done = fmax(final, free - cost) + wait;
	}
	slice->free = fmax(free, end);
}

/* The visits of a request to one slice end before this one. */
static size_t visits_end(const struct full_visit *visits, size_t first, size_t count)
{
	size_t last = first + 1;
	while (last < count && visits[last].order == visits[first].order && visits[last].key == visits[first].key)
		last++;
	return last;
}

double full_pass_costs(struct arena *arena, const struct full_machine *machine, const struct full_visits *sample,
                       size_t slot_count, double *costs)
{
	struct slice *slices = arena_array(arena, slot_count, sizeof *slices);
	double *before = arena_array(arena, slot_count, sizeof *before),
	       *passes = arena_array(arena, slot_count, sizeof *passes);
	double all = 0, cycles = 0;
	const struct full_visit *visits = sample->visits;
	size_t count = sample->count;
	visits_sort_order(sample->sorter, sample->visits, count);
	for (size_t i = 0; i < count; i++)
		passes[visits[i].key] += visits[i].weight;
	for (unsigned round = 0; round < ROUNDS; round++) {
		for (size_t s = 0; s < slot_count; s++)
			before[s] = slices[s].free;
		for (size_t first = 0, last; first < count; first = last) {
			last = visits_end(visits, first, count);
			slice_serve(&slices[visits[first].key], machine, visits, first, last);
		}
	}
	for (size_t s = 0; s < slot_count; s++) {
		costs[s] = passes[s] > 0 ? (slices[s].free - before[s]) / passes[s] * machine->atomic_same : 1;
		cycles += costs[s] * passes[s];
		all += passes[s];
	}
	return all > 0 ? cycles / all : 1;
}
