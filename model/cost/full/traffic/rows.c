/*
 * Rows of blocks that the code makes itself: where it takes the remainder and the quotient of blockIdx.x by a number for a column and a row, as for tiles in a grid of one dimension, blocks
 * are shifted evenly along a row, and start anew in the next one.
 *
 *   row = greatest common divisor of the numbers of the first of the blocks about the window's that lie where its shifts say, and of the first that no longer does
 *
 * which both begin a row, of the first request or of one a turn of a loop later, whose rows may begin elsewhere. What the shifts say is asked of blocks twice as far each time, and between the last that does and the first that does not
 * of those in the middle. Rows of rows are found as the next axis is. Rows that blocks all over the grid do not go by are none.
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

static int64_t divisor(int64_t a, int64_t b)
{
	while (b) {
		int64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

int64_t full_window_row(struct full_window *window, unsigned axis)
{
	const int64_t after = first_elsewhere(window, axis, 1), before = after ? first_elsewhere(window, axis, -1) : 0;
	const int64_t period = window->period[axis], own = window->at[axis] - window->at[axis] % period;
	if (!after)
		return 0;
	const int64_t row = divisor(own + after * period, before ? own - (before - 1) * period : 0);
	return row > period && row % period == 0 ? row : 0;
}

bool full_window_lies_all_over(struct full_window *window)
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
