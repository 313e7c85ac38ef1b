/*
 * By how many bytes a block's requests are shifted from its neighbour's, along x, y and z.
 *
 * One more block an axis gives the shift, others check it. The period is the shortest of 1, 2, 4
 * ... blocks (16 along all axes) with which the fewest requests fail. A request that fails has no
 * pattern (irregular.c).
 */
#include "model/cost/full/traffic/window.h"

#include <math.h>
#include <string.h>

#define KEYS ((uint64_t)FULL_WINDOW_CLASSES * FULL_WINDOW_PLACES)
#define SLOTS 32768
#define SAME 0.5  /* two spans that share so much of what both cover are one */
#define BEYOND 4  /* further blocks that scattered lanes are checked on */
#define FURTHER 2 /* and others, all over the grid: what wraps does so somewhere */
#define FAR 3     /* periods to a block that shifts are checked on */
#define CHECKS 3  /* of them along an axis */

/* ---- what a window touches ----------------------------------------------------------------------- */

uint64_t full_window_key(uint64_t granule, unsigned place, unsigned class)
{
	return granule * KEYS + (uint64_t)place * FULL_WINDOW_CLASSES + class + 1;
}

uint64_t full_window_granule_of(uint64_t key)
{
	return (key - 1) / KEYS;
}

unsigned full_window_place_of(uint64_t key)
{
	return (unsigned)((key - 1) / FULL_WINDOW_CLASSES % FULL_WINDOW_PLACES);
}

static size_t slot_first(const struct full_window *window, uint64_t key)
{
	return (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 24) & (window->slots - 1);
}

/* The slot of a key, or the one where it would be. */
static size_t slot_of(const struct full_window *window, uint64_t key)
{
	size_t slot = slot_first(window, key);
	while (window->touches[slot].key && window->touches[slot].key != key)
		slot = (slot + 1) & (window->slots - 1);
	return slot;
}

/* The touch of a granule that the place's own block asks for. */
static const struct full_window_touch *touch_of(const struct full_window *window, uint64_t granule, unsigned place,
                                                unsigned class)
{
	uint64_t key = full_window_key(granule, place, class);
	size_t first = slot_first(window, key);
	if (!(window->taken[first / 64] >> first % 64 & 1))
		return NULL;
	const struct full_window_touch *touch = &window->touches[slot_of(window, key)];
	return touch->key ? touch : NULL;
}

const struct full_window_touch *full_window_touch(const struct full_window *window, uint64_t granule, unsigned place,
                                                  unsigned class, int64_t apart)
{
	const uint64_t size = (uint64_t)window->work->machine->granule, address = granule * size - (uint64_t)apart,
		       inside = address % size;
	const struct full_window_touch *low = touch_of(window, address / size, place, class), *high = NULL;
	if (low && low->last < inside)
		low = NULL;
	if (inside)
		high = touch_of(window, address / size + 1, place, class);
	if (high && high->first >= inside)
		high = NULL;
	return !high || (low && low->order <= high->order) ? low : high;
}

size_t full_window_filled(const struct full_window *window, size_t slot)
{
	size_t word = slot / 64;
	if (slot >= window->slots)
		return window->slots;
	uint64_t bits = window->filled[word] & UINT64_MAX << slot % 64;
	while (!bits && ++word < window->slots / 64)
		bits = window->filled[word];
	return bits ? word * 64 + (unsigned)__builtin_ctzll(bits) : window->slots;
}

static void granule_add(struct full_window *window, const struct full_window_touch *add)
{
	size_t slot = slot_of(window, add->key), first = slot_first(window, add->key);
	struct full_window_touch *touch = &window->touches[slot];
	if (touch->key) {
		if (add->order < touch->order) {
			touch->order = add->order;
			touch->warp = add->warp;
		}
		touch->first = add->first < touch->first ? add->first : touch->first;
		touch->last = add->last > touch->last ? add->last : touch->last;
	} else if (2 * window->touch_count <= window->slots) {
		*touch = *add;
		window->taken[first / 64] |= UINT64_C(1) << first % 64;
		window->filled[slot / 64] |= UINT64_C(1) << slot % 64;
		window->touch_count++;
	}
}

/* The granules of a request of a place's block. */
static void touches_add(struct full_window *window, unsigned place, unsigned order, uint32_t warp,
                        const struct trace_event *event)
{
	uint64_t address[WARP_LANES], size = (uint64_t)window->work->machine->granule;
	struct full_window_touch touch = {.order = (uint8_t)order, .warp = (uint8_t)warp};
	trace_lanes(event, address);
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		const uint64_t from = address[lane], to = from + event->bytes - 1;
		for (uint64_t g = from / size; event->mask >> lane & 1 && g <= to / size; g++) {
			const uint64_t key = full_window_key(g, place, window->requests[order].class);
			const uint8_t first = (uint8_t)(g == from / size ? from % size : 0),
				      last = (uint8_t)(g == to / size ? to % size : size - 1);
			if (touch.key && touch.key != key)
				granule_add(window, &touch);
			touch.first = touch.key == key && touch.first < first ? touch.first : first;
			touch.last = touch.key == key && touch.last > last ? touch.last : last;
			touch.key = key;
		}
	}
	if (touch.key)
		granule_add(window, &touch);
}

/* The first global loads of a warp; where requests is NULL their granules are added to the place's. Returns how many
 * there are. */
static unsigned window_trace(struct full_window *window, const int64_t at[3], uint32_t warp, unsigned place,
                             struct full_window_request *requests)
{
	const uint32_t *grid = window->work->grid;
	const uint64_t number = full_window_number(window, at);
	int64_t in_launch[3];
	struct trace_event event;
	unsigned order = 0;
	uint32_t entry = 0, steps = 0;
	if (number >= (uint64_t)grid[0] * grid[1] * grid[2])
		return 0;
	full_place(window->work, number, in_launch);
	const uint32_t block[3] = {(uint32_t)in_launch[0], (uint32_t)in_launch[1], (uint32_t)in_launch[2]};
	struct trace *trace = trace_open(window->work->tracer, block, warp);
	while (order < FULL_WINDOW && steps++ < 64 * FULL_WINDOW && trace_next(trace, &event)) {
		entry += event.kind == TRACE_BLOCK;
		if (!full_is_load(window->work, &event))
			continue;
		if (requests) {
			requests[order] = (struct full_window_request){.insn = event.insn,
			                                               .entry = entry,
			                                               .base = full_first_address(&event),
			                                               .irregular = event.address != TRACE_KNOWN,
			                                               .mask = event.mask,
			                                               .uneven = event.lanes != NULL};
			requests[order].span = full_lanes_span(window->work, &event, &requests[order].first);
			requests[order].scattered = requests[order].span > 0;
		} else if (order < window->count && window->requests[order].insn == event.insn &&
		           !window->requests[order].irregular) {
			touches_add(window, place, order, warp, &event);
		}
		order++;
	}
	trace_close(trace);
	return order;
}

void full_window_requests(struct full_window *window)
{
	window->count = window_trace(window, window->at, 0, 0, window->requests);
}

/* ---- shifts from block to block ------------------------------------------------------------------- */

/* A block so many periods further along an axis; false where that is at the grid's edge, where some lanes may have
 * nothing to do, or beyond it. */
static bool block_beside(const struct full_window *window, unsigned axis, int64_t blocks, bool edge, int64_t at[3])
{
	int64_t last = window->grid[axis] - 1;
	memcpy(at, window->at, sizeof window->at);
	at[axis] += blocks;
	return edge ? at[axis] >= 0 && at[axis] <= last : at[axis] > 0 && at[axis] < last;
}

/* The neighbour that shifts are measured on: periods to it, 1 or -1; 0 where there is none. */
static int64_t step_of(const struct full_window *window, unsigned axis, int64_t period)
{
	static const int64_t steps[] = {1, -1};
	int64_t at[3];
	for (unsigned edge = 0; edge < 2; edge++)
		for (unsigned s = 0; s < ARRAY_COUNT(steps); s++)
			if (block_beside(window, axis, steps[s] * period, edge, at))
				return steps[s];
	return 0;
}

/* The shifts along one axis where so many blocks are a period; returns how many requests do not go by them: all where
 * no block can tell. */
static unsigned slopes_try(struct full_window *window, unsigned axis, int64_t period, int64_t slopes[FULL_WINDOW],
                           bool fails[FULL_WINDOW])
{
	static const int64_t checked[] = {-1, 1, FAR, -FAR, FAR - 1, 1 - FAR};
	struct full_window_request other[FULL_WINDOW];
	int64_t at[3], step = step_of(window, axis, period);
	const unsigned requests = window->count;
	unsigned failed = 0, count = 0, checks = 0;
	if (step && block_beside(window, axis, step * period, true, at))
		count = window_trace(window, at, 0, 0, other);
	for (unsigned i = 0; i < requests; i++) {
		fails[i] = i >= count || other[i].insn != window->requests[i].insn;
		slopes[i] = fails[i] ? 0 : (int64_t)(other[i].base - window->requests[i].base) * step;
	}
	for (unsigned k = 0; k < ARRAY_COUNT(checked) && checks < CHECKS; k++) {
		if (checked[k] == step || !block_beside(window, axis, checked[k] * period, false, at))
			continue;
		checks++;
		count = window_trace(window, at, 0, 0, other);
		for (unsigned i = 0; i < requests; i++)
			fails[i] |= i >= count || other[i].insn != window->requests[i].insn ||
			            other[i].base != window->requests[i].base + (uint64_t)(slopes[i] * checked[k]);
	}
	for (unsigned i = 0; i < requests; i++)
		failed += fails[i] && !window->requests[i].irregular;
	return checks || period == 1 ? failed : requests;
}

void full_window_slopes(struct full_window *window, unsigned axis)
{
	int64_t slopes[FULL_WINDOW], grid = window->grid[axis], best = 1;
	bool fails[FULL_WINDOW];
	window->period[axis] = 1;
	if (grid < 2)
		return;
	unsigned least = slopes_try(window, axis, 1, slopes, fails);
	for (int64_t period = 2; least && period * window->places <= FULL_WINDOW_PLACES && period < grid; period *= 2) {
		unsigned failed = slopes_try(window, axis, period, slopes, fails);
		if (failed < least) {
			least = failed;
			best = period;
		}
	}
	slopes_try(window, axis, best, slopes, fails);
	for (unsigned i = 0; i < window->count; i++) {
		window->requests[i].slope[axis] = slopes[i];
		window->requests[i].failed |= fails[i] && !window->requests[i].irregular;
		window->requests[i].irregular |= fails[i];
	}
	window->period[axis] = best;
	window->places *= (unsigned)best;
}

static int64_t remainder_of(int64_t number, int64_t period)
{
	return (number % period + period) % period;
}

/* Where the shifts say that a request of a block lies that takes the window's own place. */
static uint64_t expected_base(const struct full_window *window, const struct full_window_request *request,
                              const int64_t at[3])
{
	uint64_t expected = request->base;
	for (unsigned axis = 0; axis < 3; axis++)
		expected += (uint64_t)(request->slope[axis] * ((at[axis] - window->at[axis]) / window->period[axis]));
	return expected;
}

bool full_window_lies(struct full_window *window, const int64_t at[3])
{
	struct full_window_request other[FULL_WINDOW];
	const unsigned count = window_trace(window, at, 0, 0, other);
	for (unsigned i = 0; i < window->count && i < count; i++)
		if (!window->requests[i].irregular && other[i].insn == window->requests[i].insn &&
		    other[i].base != expected_base(window, &window->requests[i], at))
			return false;
	return true;
}

/* A block some way off lies where the shifts say, or the request is irregular. */
static void slopes_check(struct full_window *window)
{
	struct full_window_request other[FULL_WINDOW];
	int64_t at[3];
	for (unsigned axis = 0; axis < 3; axis++) {
		int64_t far = FAR * window->period[axis];
		at[axis] = window->at[axis] >= far                       ? window->at[axis] - far
		           : window->at[axis] + far < window->grid[axis] ? window->at[axis] + far
		                                                         : window->at[axis];
	}
	unsigned count = window_trace(window, at, 0, 0, other);
	for (unsigned i = 0; i < window->count; i++) {
		struct full_window_request *request = &window->requests[i];
		if (i >= count || other[i].insn != request->insn || other[i].base != expected_base(window, request, at))
			request->irregular = true;
	}
}

/* The block of the window's own place nearest before the one with that number, or after it at the grid's edge. */
static void block_alike(const struct full_window *window, uint64_t number, int64_t at[3])
{
	full_window_block(window, number, at);
	for (unsigned axis = 0; axis < 3; axis++) {
		at[axis] -= remainder_of(at[axis] - window->at[axis], window->period[axis]);
		if (at[axis] < 0)
			at[axis] += window->period[axis];
	}
}

/* Lanes that are not evenly apart may go by a remainder or a hash, which a neighbour's shift does not show: so further
 * blocks are asked, near and far. */
static void uneven_check(struct full_window *window, uint64_t own, uint64_t blocks)
{
	struct full_window_request other[FULL_WINDOW];
	bool any = false;
	for (unsigned i = 0; i < window->count; i++)
		any |= window->requests[i].uneven && !window->requests[i].irregular;
	for (unsigned n = 0; n < BEYOND + FURTHER && any; n++) {
		const uint64_t back = n < BEYOND ? (n * n * 8 + 7) % blocks : blocks / (FURTHER + 1) * (n - BEYOND + 1);
		int64_t at[3];
		block_alike(window, (own + blocks - back) % blocks, at);
		unsigned count = window_trace(window, at, 0, 0, other);
		for (unsigned i = 0; i < window->count && i < count; i++) {
			struct full_window_request *request = &window->requests[i];
			request->irregular |= request->uneven && other[i].insn == request->insn &&
			                      other[i].mask == request->mask &&
			                      other[i].base != expected_base(window, request, at);
		}
	}
}

/* Lanes that lie elsewhere in a block far away, as neighbours in a list do, are not scattered over all; others are over
 * what both reach. */
static void spans_check(struct full_window *window, uint64_t far)
{
	struct full_window_request other[FULL_WINDOW];
	int64_t at[3];
	full_window_block(window, far, at);
	unsigned count = window_trace(window, at, 0, 0, other);
	for (unsigned i = 0; i < window->count; i++) {
		struct full_window_request *request = &window->requests[i];
		if (!(request->span > 0) || i >= count || other[i].insn != request->insn || !(other[i].span > 0))
			continue;
		double first = (double)request->first, beside = (double)other[i].first;
		double end = fmax(first + request->span, beside + other[i].span), start = fmin(first, beside);
		bool apart = request->span + other[i].span < (1 + SAME) * (end - start);
		request->span = apart ? 0 : end - start;
		request->first = (int64_t)start;
	}
}

static void classes_find(struct full_window *window)
{
	for (unsigned i = 0; i < window->count; i++) {
		struct full_window_request *request = &window->requests[i];
		unsigned c = 0;
		while (c < window->classes && memcmp(window->shifts[c], request->slope, sizeof request->slope) != 0)
			c++;
		if (c == FULL_WINDOW_CLASSES) {
			request->irregular = true;
			continue;
		}
		if (c == window->classes && !request->irregular)
			memcpy(window->shifts[window->classes++], request->slope, sizeof request->slope);
		request->class = (uint8_t)c;
	}
}

/* ---- places in a period ---------------------------------------------------------------------------- */

unsigned full_window_place(const struct full_window *window, const int64_t at[3])
{
	int64_t place = 0, stride = 1;
	for (unsigned axis = 0; axis < 3; stride *= window->period[axis++])
		place += remainder_of(at[axis] - window->at[axis], window->period[axis]) * stride;
	return (unsigned)place;
}

int64_t full_window_apart(const struct full_window *window, unsigned class, const int64_t at[3])
{
	const int64_t *origin = window->origin[full_window_place(window, at)];
	int64_t shift = 0;
	for (unsigned axis = 0; axis < 3; axis++)
		shift += window->shifts[class][axis] * ((at[axis] - origin[axis]) / window->period[axis]);
	return shift;
}

const struct full_window_touch *full_window_asks(const struct full_window *window, const int64_t at[3],
                                                 uint64_t granule)
{
	const unsigned place = full_window_place(window, at);
	const struct full_window_touch *first = NULL;
	for (unsigned c = 0; c < window->classes; c++) {
		const struct full_window_touch *touch =
			full_window_touch(window, granule, place, c, full_window_apart(window, c, at));
		first = !first || (touch && touch->order < first->order) ? touch : first;
	}
	return first;
}

/* The block of each place nearest to the window's. */
static void origins_find(struct full_window *window)
{
	for (unsigned place = 0; place < window->places; place++) {
		int64_t rest = place;
		for (unsigned axis = 0; axis < 3; rest /= window->period[axis++]) {
			int64_t at = window->at[axis] + rest % window->period[axis];
			window->origin[place][axis] = at < window->grid[axis] ? at : at - window->period[axis];
		}
	}
}

void full_window_fill(struct arena *arena, struct full_window *window, uint64_t own, uint64_t blocks)
{
	slopes_check(window);
	uneven_check(window, own, blocks);
	spans_check(window, (own + blocks / 2) % blocks);
	classes_find(window);
	origins_find(window);
	window->slots = (size_t)SLOTS * (window->places > 1 ? 4 : 1);
	window->touches = arena_array(arena, window->slots, sizeof *window->touches);
	window->taken = arena_array(arena, window->slots / 64, sizeof *window->taken);
	window->filled = arena_array(arena, window->slots / 64, sizeof *window->filled);
	for (unsigned place = 0; place < window->places; place++)
		for (uint32_t warp = 0; warp < window->work->warps; warp++)
			window_trace(window, window->origin[place], warp, place, NULL);
}
