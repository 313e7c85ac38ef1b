/*
 * From where to where a launch touches its buffers, by the blocks at the corners of its grid.
 *
 *   extent = last byte - first byte, over the first and last warp at work of the corner blocks
 *
 * Assumed: addresses rise or fall along the axes. Warps drawn by a hash check it and widen it;
 * where further ones still lie outside, where atomics leave it, or where it is most of the buffer,
 * nothing is known.
 */
#include "model/cost/full/traffic/traffic.h"

#include <math.h>

#define MOST_INSTRUCTIONS 2500 /* of a warp: launches of longer ones are not looked at, their addresses go by loops */
#define MOST_EVENTS 8000       /* of one: where it goes on, as a single warp of a launch may, nothing is known */
#define DRAWN 8                /* warps that check it; as many more where these come elsewhere */
#define PART 4                 /* of a buffer, one in so many: only less is an extent of places that are scattered */
#define SLACK 16               /* part of what is known by then, beyond which the others may not come */
#define AXES_SETS 8            /* of three axes, as bits */
#define KINDS 2                /* loads and atomics; stores and atomics */

/* Of each buffer, by kind: bytes from first to end; none where first is beyond. */
struct reached {
	uint64_t first, end;
};
struct extents {
	const struct full_work *work;
	struct reached (*reached)[KINDS];
	bool *unknown, *scattered,
		*added; /* of each buffer: nothing is known; drawn warps came to what the corners did not; by atomics */
};
enum look { CORNER, DRAW, CHECK };

static void unknown_set(struct extents *extents, unsigned buffer)
{
	for (unsigned b = 0; b < extents->work->buffer_count; b++)
		if (b == buffer || buffer >= extents->work->buffer_count)
			extents->unknown[b] = true;
}

static void reach(struct extents *extents, unsigned buffer, unsigned kind, struct reached range, enum look look)
{
	struct reached *own = &extents->reached[buffer][kind];
	bool outside = range.first < own->first || range.end > own->end;
	if (look == CHECK) {
		uint64_t slack = own->end > own->first ? (own->end - own->first) / SLACK : 0;
		extents->unknown[buffer] |= outside && (own->first > slack + range.first || range.end > own->end + slack);
		return;
	}
	extents->scattered[buffer] |= outside && look == DRAW;
	own->first = range.first < own->first ? range.first : own->first;
	own->end = range.end > own->end ? range.end : own->end;
}

static void request_add(struct extents *extents, const struct trace_event *event, enum look look)
{
	const unsigned flags = ptx_insn_flags(&extents->work->function->insns[event->insn]);
	struct reached range = {UINT64_MAX, 0};
	uint64_t address[WARP_LANES];
	int64_t offset;
	unsigned buffer = UINT32_MAX;
	if (event->address != TRACE_KNOWN ||
	    !content_locate(full_first_address(event), extents->work->buffer_count, &buffer, &offset)) {
		unknown_set(extents, extents->work->evaluation->insns[event->insn].buffer);
		return;
	}
	trace_lanes(event, address);
	extents->added[buffer] |= (flags & FLAG_ATOMIC) != 0;
	for (uint32_t mask = event->mask; mask; mask &= mask - 1) {
		uint64_t at = address[__builtin_ctz(mask)];
		range.first = at < range.first ? at : range.first;
		range.end = at + event->bytes > range.end ? at + event->bytes : range.end;
	}
	if (flags & (FLAG_LOAD | FLAG_ATOMIC))
		reach(extents, buffer, 0, range, look);
	if (flags & (FLAG_STORE | FLAG_ATOMIC))
		reach(extents, buffer, 1, range, look);
}

/* All that a warp touches; returns whether that is anything. */
static bool warp_add(struct extents *extents, const uint32_t block[3], uint32_t warp, enum look look)
{
	struct trace *trace = trace_open(extents->work->tracer, block, warp);
	struct trace_event event;
	bool any = false;
	for (unsigned events = 0; trace_next(trace, &event); events++) {
		if (events >= MOST_EVENTS) {
			unknown_set(extents, UINT32_MAX);
			break;
		}
		if (event.kind != TRACE_REQUEST || event.space != SPACE_GLOBAL || !event.mask)
			continue;
		any = true;
		request_add(extents, &event, look);
	}
	trace_close(trace);
	return any;
}

/* The first warp of a block that has work, and the last one: borders of a grid have none. Returns whether there is any. */
static bool block_add(struct extents *extents, const uint32_t block[3])
{
	uint32_t warps = extents->work->warps, first = 0, last = warps;
	while (first < warps && !warp_add(extents, block, first, CORNER))
		first++;
	while (last > first + 1 && !warp_add(extents, block, last - 1, CORNER))
		last--;
	return first < warps;
}

/* A corner of the grid, as bits, or the block nearest to it that has work where whole blocks are a border: beside it along x, y, both, z and so on. */
static void corner_add(struct extents *extents, unsigned corner)
{
	const uint32_t *grid = extents->work->grid;
	bool any = false;
	for (unsigned beside = 0; beside < AXES_SETS && !any; beside++) {
		uint32_t block[3];
		bool inside = true;
		for (unsigned axis = 0; axis < 3; axis++) {
			uint32_t inward = beside >> axis & 1;
			inside &= !inward || grid[axis] > 2;
			block[axis] = corner >> axis & 1 ? grid[axis] - 1 - inward : inward;
		}
		any = inside && block_add(extents, block);
	}
}

static void corners_add(struct extents *extents)
{
	const uint32_t *grid = extents->work->grid;
	for (unsigned corner = 0; corner < AXES_SETS; corner++) {
		bool again = false;
		for (unsigned axis = 0; axis < 3; axis++)
			again |= (corner >> axis & 1) && grid[axis] == 1;
		if (!again)
			corner_add(extents, corner);
	}
}

static void drawn_add(struct extents *extents, unsigned from, enum look look)
{
	const struct full_work *work = extents->work;
	for (unsigned n = from; n < from + DRAWN; n++) {
		uint32_t block[3], warp = (uint32_t)(content_scramble(4 * n) % work->warps);
		for (unsigned axis = 0; axis < 3; axis++)
			block[axis] = (uint32_t)(content_scramble(4 * n + axis + 1) % work->grid[axis]);
		warp_add(extents, block, warp, look);
	}
}

static bool any_scattered(const struct extents *extents)
{
	for (unsigned b = 0; b < extents->work->buffer_count; b++)
		if (extents->scattered[b])
			return true;
	return false;
}

/* At most so many; all where none of the warps came there: others may. */
static double bytes_of(const struct reached *reached, double most)
{
	return reached->end > reached->first ? fmin(most, (double)(reached->end - reached->first)) : most;
}

struct full_extent *full_extents_find(struct arena *arena, const struct full_work *work)
{
	struct full_extent *result = arena_array(arena, work->buffer_count + 1, sizeof *result);
	struct extents extents = {.work = work,
	                          .reached = arena_array(arena, work->buffer_count + 1, sizeof *extents.reached),
	                          .unknown = arena_array(arena, work->buffer_count + 1, sizeof *extents.unknown),
	                          .scattered = arena_array(arena, work->buffer_count + 1, sizeof *extents.scattered),
	                          .added = arena_array(arena, work->buffer_count + 1, sizeof *extents.added)};
	bool known = work->tracer && work->evaluation->warp_instructions <= MOST_INSTRUCTIONS * work->evaluation->warps;
	for (unsigned b = 0; b < work->buffer_count; b++)
		for (unsigned kind = 0; kind < KINDS; kind++)
			extents.reached[b][kind].first = UINT64_MAX;
	if (known) {
		corners_add(&extents);
		drawn_add(&extents, 0, DRAW);
		if (any_scattered(&extents))
			drawn_add(&extents, DRAWN, CHECK);
	}
	for (unsigned b = 0; b < work->buffer_count; b++) {
		const struct reached *own = extents.reached[b];
		struct reached either = {own[0].first < own[1].first ? own[0].first : own[1].first,
		                         own[0].end > own[1].end ? own[0].end : own[1].end};
		double bytes = (double)work->buffers[b].bytes, most = bytes > 0 ? bytes : INFINITY;
		bool most_of_it = extents.scattered[b] && (!extents.added[b] || PART * (double)(either.end - either.first) > bytes);
		bool all = !known || extents.unknown[b] || most_of_it;
		result[b].read = all ? most : bytes_of(&own[0], most);
		result[b].written = all ? most : bytes_of(&own[1], most);
		result[b].either = all ? most : bytes_of(&either, most);
	}
	result[work->buffer_count] = (struct full_extent){INFINITY, INFINITY, INFINITY};
	return result;
}
