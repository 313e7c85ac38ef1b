/*
 * Rows of blocks that the code makes itself, by remainder and quotient of blockIdx.x.
 *
 *   row = gcd of the numbers of the first block about the window's that lies where the shifts say,
 *         and of the first that does not
 *
 * Both begin a row. Blocks twice as far each time are asked, then those in the middle. A row of
 * rows is found as the next axis. Rows that blocks all over the grid do not follow are none.
 */
#include "model/cost/full/traffic/window.h"

#define ASKED 7 /* blocks along an axis */

/* Periods to the first block that lies elsewhere, in one direction; 0 where there is none before the axis ends. */
static int64_t first_elsewhere(struct full_window *window, unsigned axis, int64_t direction)
{
	const int64_t own = window->at[axis], period = window->period[axis] * direction,
		      most = (direction > 0 ? window->grid[axis] - 1 - own : own) / window->period[axis];
	int64_t at[3] = {window->at[0], window->at[1], window->at[2]}, lies = 0, elsewhere = 0;
	for (int64_t far = 1; far <= most && !elsewhere; far = far < most && 2 * far > most ? most : 2 * far) {
		at[axis] = own + far * period;
		if (full_window_lies(window, at))
			lies = far;
		else
			elsewhere = far;
	}
	while (elsewhere > lies + 1) {
		const int64_t middle = lies + (elsewhere - lies) / 2;
		at[axis] = own + middle * period;
		if (full_window_lies(window, at))
			lies = middle;
		else
			elsewhere = middle;
	}
	return elsewhere;
}

/* Blocks of a row of an axis, along which the shifts are known, as far as those about the window's tell; 0 where they
 * go on all along the axis, or start anew here and there. */
static int64_t row_find(struct full_window *window, unsigned axis)
{
	const int64_t after = first_elsewhere(window, axis, 1), before = after ? first_elsewhere(window, axis, -1) : 0;
	const int64_t period = window->period[axis], own = window->at[axis] - window->at[axis] % period;
	if (!after)
		return 0;
	const int64_t first = before ? own - (before - 1) * period : 0, next = own + after * period;
	const int64_t row = (int64_t)full_common_divisor((uint64_t)next, (uint64_t)first);
	return row > period && row % period == 0 ? row : 0;
}

/* Whether blocks all over the grid lie where the shifts say. */
static bool lies_all_over(struct full_window *window)
{
	for (int64_t n = 0; n < ASKED * ASKED; n++) {
		int64_t at[3] = {window->at[0], window->at[1], window->at[2]};
		const int64_t parts[2] = {n % ASKED, n / ASKED};
		for (unsigned axis = 0, part = 0; axis < 3 && part < ARRAY_COUNT(parts); axis++) {
			const int64_t period = window->period[axis], periods = window->grid[axis] / period;
			if (periods < 2)
				continue;
			at[axis] = parts[part++] * (periods - 1) / (ASKED - 1) * period + window->at[axis] % period;
		}
		if (!full_window_lies(window, at))
			return false;
	}
	return true;
}

/* Requests that go by no shifts though their addresses are known. */
static unsigned failed_count(const struct full_window *window)
{
	unsigned failed = 0;
	for (unsigned i = 0; i < window->count; i++)
		failed += window->requests[i].failed;
	return failed;
}

/* The shifts along all axes, with rows of blocks as an axis or without. */
static void axes_find(struct full_window *window, uint64_t own, bool by_rows)
{
	window->places = 1;
	for (unsigned axis = 0; axis < 3; axis++) {
		window->grid[axis] = window->work->grid[axis];
		window->period[axis] = 1;
	}
	full_window_block(window, own, window->at);
	full_window_requests(window);
	for (unsigned axis = 0; axis < 3; axis++) {
		full_window_slopes(window, axis);
		int64_t row = by_rows && axis < 2 && window->grid[axis + 1] == 1 ? row_find(window, axis) : 0;
		if (row) {
			window->grid[axis + 1] = (window->grid[axis] + row - 1) / row;
			window->grid[axis] = row;
			full_window_block(window, own, window->at);
		}
	}
}

/* The shifts of a block: of the one with that number, or, where that is at the edge of a row, of one a few blocks
 * further that is not. Returns the block's number. */
static uint64_t shifts_find(struct full_window *window, uint64_t own, uint64_t blocks)
{
	static const uint64_t further[] = {0, 6, 3, 1};
	unsigned plain = 0;
	for (unsigned n = 0; n < ARRAY_COUNT(further) && (n == 0 || plain) && own + further[n] < blocks; n++) {
		axes_find(window, own + further[n], true);
		unsigned failed = failed_count(window);
		bool rows = window->grid[0] != window->work->grid[0] || window->grid[1] != window->work->grid[1];
		const bool better = n == 0 || failed < plain;
		if (rows ? better && lies_all_over(window) : failed == 0 && n == 0)
			return own + further[n];
		plain = n == 0 ? failed : plain;
	}
	axes_find(window, own, false);
	return own;
}

uint64_t full_window_make(struct arena *arena, struct full_window *window, uint64_t own, uint64_t blocks)
{
	own = shifts_find(window, own, blocks);
	full_window_fill(arena, window, own, blocks);
	return own;
}
