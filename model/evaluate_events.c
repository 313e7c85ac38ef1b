/*
 * What requests touch, counted over all positions along the axes.
 *
 * All lanes of an access move together along an axis, so what it touches depends on the shift modulo a line alone. Where no
 * axis shifts it by parts of a line, one count stands for all positions; elsewhere the access becomes an event: a table of
 * what it touches by shift. Summing over the positions of an axis turns one table into another, exactly.
 */
#include "model/evaluate_internal.h"

#include <string.h>

#define MOST_EVENTS 4096
#define SHARED_BANKS 32
#define BANK_BYTES 4

/* Lanes of a request that are served together: all, half, a quarter of the warp, by bytes per lane. */
static unsigned lanes_together(unsigned bytes)
{
	return bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
}

/* Adds a number to a set that is kept in order; most come in order already. */
static unsigned set_insert(uint64_t *set, unsigned count, uint64_t number)
{
	unsigned place = count;

	while (place && set[place - 1] > number)
		place--;
	if (place && set[place - 1] == number)
		return count;
	memmove(set + place + 1, set + place, (count - place) * sizeof(*set));
	set[place] = number;
	return count + 1;
}

/* Distinct pieces of `piece` bytes that the lanes of mask touch. */
static unsigned distinct_pieces(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes, unsigned piece)
{
	uint64_t set[WARP_LANES * 5];
	unsigned count = 0;

	for (; mask; mask &= mask - 1) {
		uint64_t first = address[__builtin_ctz(mask)];
		uint64_t last = (first + (bytes ? bytes : 1) - 1) / piece;

		for (uint64_t number = first / piece; number <= last && count < ARRAY_COUNT(set); number++)
			count = set_insert(set, count, number);
	}
	return count;
}

void request_count(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes, double *sectors, double *lines)
{
	unsigned width = bytes > LINE_BYTES ? LINE_BYTES : bytes;

	*sectors = distinct_pieces(address, mask, width, SECTOR_BYTES);
	*lines = distinct_pieces(address, mask, width, LINE_BYTES);
}

/* Passes for lanes served together: the most distinct words that one bank holds. */
static unsigned bank_passes(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes)
{
	uint64_t words[WARP_LANES * 5];
	unsigned count = 0, most = 0, banks[SHARED_BANKS] = {0};

	for (; mask; mask &= mask - 1) {
		uint64_t first = address[__builtin_ctz(mask)];
		uint64_t last = (first + (bytes ? bytes : 1) - 1) / BANK_BYTES;

		for (uint64_t word = first / BANK_BYTES; word <= last && count < ARRAY_COUNT(words); word++)
			count = set_insert(words, count, word);
	}
	for (unsigned i = 0; i < count; i++) {
		unsigned passes = ++banks[words[i] % SHARED_BANKS];

		most = passes > most ? passes : most;
	}
	return most;
}

/* Passes, and how many parts of the warp were served. */
static unsigned shared_passes(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes, unsigned *parts)
{
	unsigned together = lanes_together(bytes), passes = 0;

	*parts = 0;
	for (unsigned first = 0; first < WARP_LANES; first += together) {
		uint32_t part = mask & (uint32_t)(bits_mask(together) << first);

		passes += bank_passes(address, part, bytes > 16 ? 16 : bytes);
		*parts += part != 0;
	}
	return passes;
}

unsigned shared_wavefronts(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes)
{
	unsigned parts;

	return shared_passes(address, mask, bytes, &parts);
}

/* Sectors and lines of an access to local memory, whose words are interleaved by lane. */
static void local_count(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes, double *sectors, double *lines)
{
	uint64_t sector_set[WARP_LANES * 5], line_set[WARP_LANES * 5];
	unsigned sector_count = 0, line_count = 0;

	for (; mask; mask &= mask - 1) {
		unsigned lane = (unsigned)__builtin_ctz(mask);
		uint64_t last = (address[lane] + (bytes ? bytes : 1) - 1) / 4;

		for (uint64_t word = address[lane] / 4; word <= last && sector_count < ARRAY_COUNT(sector_set); word++) {
			sector_count = set_insert(sector_set, sector_count, (word * LINE_BYTES + lane * 4) / SECTOR_BYTES);
			line_count = set_insert(line_set, line_count, word);
		}
	}
	*sectors = sector_count;
	*lines = line_count;
}

/* What the request touches when all its addresses are shifted. */
static void touch(struct event *event, unsigned row, const uint64_t address[WARP_LANES], uint32_t mask, uint64_t shift,
                  unsigned bytes, enum ptx_space space)
{
	uint64_t moved[WARP_LANES];
	unsigned parts = 0, passes;

	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		moved[lane] = address[lane] + shift;
	event->sectors[row] = event->lines[row] = event->wavefronts[row] = event->conflicts[row] = 0;
	if (space == SPACE_SHARED) {
		passes = shared_passes(moved, mask, bytes, &parts);
		event->wavefronts[row] = passes;
		event->conflicts[row] = passes - parts;
	} else if (space == SPACE_LOCAL) {
		local_count(moved, mask, bytes, &event->sectors[row], &event->lines[row]);
	} else {
		request_count(moved, mask, bytes, &event->sectors[row], &event->lines[row]);
	}
}

static void add_row(double *counts, const struct event *event, unsigned row, double weight)
{
	counts[SLOT_SECTORS] += event->sectors[row] * weight;
	counts[SLOT_LINES] += event->lines[row] * weight;
	counts[SLOT_WAVEFRONTS] += event->wavefronts[row] * weight;
	counts[SLOT_CONFLICTS] += event->conflicts[row] * weight;
}

static double *slot_counts(const struct run *run, double *counts, uint32_t slot)
{
	return &counts[run->evaluator->layout.slots + (size_t)slot * SLOT_COUNTS];
}

/* Bytes after which what an access touches repeats. */
static unsigned repeat_bytes(enum ptx_space space)
{
	return space == SPACE_GLOBAL ? LINE_BYTES : BANK_BYTES;
}

static bool same_event(const struct event *a, const struct event *b)
{
	return a->slot == b->slot && a->grain == b->grain && !memcmp(a->slope, b->slope, sizeof(a->slope));
}

/* Adds the tables to an event of the same kind and extent, if there is one, else keeps a new one. */
static void event_keep(struct run *run, const struct event *event)
{
	size_t first = run->axis_count > run->launch_count ? run->axes[run->axis_count - 1].first_event : 0;

	for (size_t i = run->event_count; i-- > first;) {
		struct event *old = &run->events[i];

		if (!same_event(old, event))
			continue;
		for (unsigned row = 0; row < event->shifts; row++) {
			old->sectors[row] += event->sectors[row];
			old->lines[row] += event->lines[row];
			old->wavefronts[row] += event->wavefronts[row];
			old->conflicts[row] += event->conflicts[row];
		}
		return;
	}
	if (run->event_count == run->event_capacity) {
		size_t capacity = run->event_capacity ? 2 * run->event_capacity : 16;
		struct event *grown = arena_array(run->evaluator->scratch, capacity, sizeof(*grown));

		if (run->event_count)
			memcpy(grown, run->events, run->event_count * sizeof(*grown));
		run->events = grown;
		run->event_capacity = capacity;
	}
	run->events[run->event_count++] = *event;
}

void events_add(struct run *run, uint32_t slot, const uint64_t address[WARP_LANES], uint32_t mask, const struct step *step,
                const int64_t *slope, enum ptx_space space)
{
	struct event event = {.slot = slot};
	unsigned repeat = repeat_bytes(space), grain = repeat;

	for (uint32_t axis = 0; axis < run->axis_count; axis++) {
		if (!(run->active >> axis & 1))
			continue;
		event.slope[axis] = (uint8_t)((uint64_t)slope[axis] % repeat);
		grain = (unsigned)greatest_divisor(grain, event.slope[axis]);
	}
	event.grain = grain;
	event.shifts = repeat / grain;
	for (unsigned row = 0; row < event.shifts; row++)
		touch(&event, row, address, mask, (uint64_t)row * grain, step->bytes, space);
	if (step->insn->atomic || ptx_insn_flags(step->insn) & FLAG_ATOMIC)
		slot_counts(run, run->counts, slot)[SLOT_ADDRESSES] += distinct_pieces(address, mask, 1, 1) * run->weight;
	if (event.shifts == 1 || run->event_count >= MOST_EVENTS) {
		run->inexact |= event.shifts > 1;
		add_row(slot_counts(run, run->counts, slot), &event, 0, run->weight);
		return;
	}
	for (unsigned row = 0; row < event.shifts; row++) {
		event.sectors[row] *= run->weight;
		event.lines[row] *= run->weight;
		event.wavefronts[row] *= run->weight;
		event.conflicts[row] *= run->weight;
	}
	event_keep(run, &event);
}

/* table[j] becomes the sum over i < count of table[j + i * stride], indices modulo shifts. */
static void table_repeat(double *table, unsigned shifts, unsigned stride, double count, unsigned rest_of_count)
{
	double sums[LINE_BYTES];
	unsigned cycle = shifts / (unsigned)greatest_divisor(shifts, stride);
	double whole = (count - rest_of_count) / cycle;

	for (unsigned j = 0; j < shifts; j++) {
		sums[j] = 0;
		for (unsigned i = 0; i < cycle; i++)
			sums[j] += table[(j + i * stride) % shifts] * (whole + (i < rest_of_count));
	}
	memcpy(table, sums, shifts * sizeof(*table));
}

/* Positions of one axis are summed into the event. */
static void event_repeat(struct event *event, uint32_t axis, int64_t count)
{
	unsigned stride = event->slope[axis] / event->grain;
	unsigned cycle = event->shifts / (unsigned)greatest_divisor(event->shifts, stride);
	unsigned rest = (unsigned)(count % cycle);

	table_repeat(event->sectors, event->shifts, stride, (double)count, rest);
	table_repeat(event->lines, event->shifts, stride, (double)count, rest);
	table_repeat(event->wavefronts, event->shifts, stride, (double)count, rest);
	table_repeat(event->conflicts, event->shifts, stride, (double)count, rest);
	event->slope[axis] = 0;
}

/* Positions after which the event is shifted by whole repeats along the axis. */
static uint64_t event_cycle(const struct event *event, uint32_t axis)
{
	unsigned repeat = event->grain * event->shifts;

	return repeat / greatest_divisor(repeat, event->slope[axis]);
}

void events_repeat(struct run *run, uint32_t axis, const struct trips *trips)
{
	for (size_t i = run->axes[axis].first_event; i < run->event_count; i++) {
		struct event *event = &run->events[i];
		uint64_t cycle = event_cycle(event, axis);

		for (uint32_t outer = 0; outer < axis; outer++) {
			uint64_t slope = (uint64_t)(trips->slope[outer] < 0 ? -trips->slope[outer] : trips->slope[outer]);

			if (run->active >> outer & 1 && slope % cycle)
				axes_period(run, outer, cycle / greatest_divisor(cycle, slope % cycle));
		}
		event_repeat(event, axis, trips->count);
	}
}

void events_align(struct run *run, size_t first, uint32_t axes)
{
	for (size_t i = first; i < run->event_count; i++)
		for (uint32_t axis = 0; axis < run->axis_count; axis++)
			if (axes & run->active & 1u << axis)
				axes_period(run, axis, event_cycle(&run->events[i], axis));
}

void events_flush(struct run *run, size_t first)
{
	for (size_t i = first; i < run->event_count; i++)
		add_row(slot_counts(run, run->counts, run->events[i].slot), &run->events[i], 0, 1.0);
	run->event_count = first;
}

void events_finish(struct run *run, double *totals)
{
	for (size_t i = 0; i < run->event_count; i++) {
		struct event *event = &run->events[i];

		for (uint32_t axis = 0; axis < run->launch_count; axis++)
			if (run->active >> axis & 1)
				event_repeat(event, axis, run->axes[axis].count);
		add_row(slot_counts(run, totals, event->slot), event, 0, 1.0);
	}
	run->event_count = 0;
}
