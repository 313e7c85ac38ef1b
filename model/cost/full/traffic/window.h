/*
 * window: the first loads of one block's warps, and where other blocks make theirs.
 *
 * shifts.c and rows.c fill it, window.c asks it. Where a tile of a layout is longer than
 * what one block takes of it, addresses repeat every few blocks: the period along that axis. A
 * period has several places, each with a window of its own; a block's window is that of its place,
 * shifted by whole periods. Where the code itself makes rows of blocks, these are an axis of the
 * grid here. It reads traces alone, no number of a machine. Prefix: full_window_.
 */
#ifndef COALESCE_MODEL_COST_FULL_TRAFFIC_WINDOW_H
#define COALESCE_MODEL_COST_FULL_TRAFFIC_WINDOW_H

#include "model/cost/full/traffic/traffic.h"

#define FULL_WINDOW_CLASSES 8 /* different shifts */
#define FULL_WINDOW_PLACES 16 /* of blocks in a period */

struct full_window_touch {
	uint64_t key;        /* granule, place, class; 0: empty */
	uint8_t order, warp; /* of the first request that asks for it */
	uint8_t first, last; /* bytes of it that are asked for, from one to the other */
};

/* The first loads of a block. */
struct full_window {
	const struct full_work *work;
	struct full_window_request requests[FULL_WINDOW];
	unsigned count, classes;
	int64_t shifts[FULL_WINDOW_CLASSES][3]; /* bytes from one period to the next along an axis */
	int64_t period[3];                      /* blocks */
	unsigned places;
	struct full_window_touch *touches;
	uint64_t *taken;                       /* a bit for each of them: most that are looked for are not there */
	uint64_t *filled;                      /* a bit for each of them: it is not empty */
	size_t touch_count, slots;             /* slots: a power of two */
	int64_t grid[3];                       /* blocks along each axis: the launch's, or its rows */
	int64_t at[3];                         /* the block that the window is of, in that grid: the place 0 */
	int64_t origin[FULL_WINDOW_PLACES][3]; /* the block that each place's granules are of */
};

/*
 * rows.c: requires work, and all else zero. Traces a block, the one with the number own or one a few blocks further,
 * and those that make a period with it, and finds the shifts of each request, or that it is irregular. blocks: of the
 * launch. Returns the block's number.
 */
uint64_t full_window_make(struct arena *arena, struct full_window *window, uint64_t own, uint64_t blocks);
/* The block with a number, in the window's grid. */
static inline void full_window_block(const struct full_window *window, uint64_t number, int64_t at[3])
{
	const uint64_t x = (uint64_t)window->grid[0], y = (uint64_t)window->grid[1];
	at[0] = (int64_t)(number % x);
	at[1] = (int64_t)(number / x % y);
	at[2] = (int64_t)(number / x / y);
}
/* The number of a block there. */
static inline uint64_t full_window_number(const struct full_window *window, const int64_t at[3])
{
	return (uint64_t)(at[0] + window->grid[0] * (at[1] + window->grid[1] * at[2]));
}
/* shifts.c, for rows.c: the requests of the window's block. */
void full_window_requests(struct full_window *window);
/* Their shifts along one axis, by the shortest of the periods that the fewest of them fail with; those that fail are
 * irregular. */
void full_window_slopes(struct full_window *window, unsigned axis);
/* Whether a block, of the window's place, asks for what the shifts say: false where a request that goes by them lies
 * elsewhere. */
bool full_window_lies(struct full_window *window, const int64_t at[3]);
/* Checks the shifts on other blocks, and fills in all else. own: the number of the window's block. */
void full_window_fill(struct arena *arena, struct full_window *window, uint64_t own, uint64_t blocks);
/* The place that a block takes in its period. */
unsigned full_window_place(const struct full_window *window, const int64_t at[3]);
/* Bytes from what the block of the same place asks to what another one does, of one class. */
int64_t full_window_apart(const struct full_window *window, unsigned class, const int64_t at[3]);
/* The first touch by which a block asks for a granule in one class, as exactly as first and last of touches say; NULL:
 * it does not. place, apart: the block's, of that class. */
const struct full_window_touch *full_window_touch(const struct full_window *window, uint64_t granule, unsigned place,
                                                  unsigned class, int64_t apart);
/* The same in any class: the first of its loads that asks for it. */
const struct full_window_touch *full_window_asks(const struct full_window *window, const int64_t at[3],
                                                 uint64_t granule);
/* The first slot from `slot` on that is not empty; slots where there is none. */
size_t full_window_filled(const struct full_window *window, size_t slot);
/* A key of a granule, or of any address, by its place and class; and what such a key says. */
uint64_t full_window_key(uint64_t granule, unsigned place, unsigned class);
uint64_t full_window_granule_of(uint64_t key);
unsigned full_window_place_of(uint64_t key);

#endif
