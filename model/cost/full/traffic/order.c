/*
 * Who comes first to a granule that a few blocks share, in a launch of many waves.
 *
 *   asked(block) = start(block) + age(n) + spread(n) u(block, granule)
 *
 * n: the block's first load that asks for it. The block with the least fetches from DRAM; others
 * find it in the L2, or wait for the rest of DRAM's latency (memory.c).
 *   start        as this SM's blocks start, in proportion to block numbers between them
 *   age, spread  how old blocks are at their n-th load: mean and deviation in the run so far
 *   u            uniform, drawn once for each block and granule
 * Assumed: all SMs' blocks start as this one's do. Loads whose lanes lie here and there are left
 * out.
 */
#include "model/cost/full/traffic/order.h"

#include <math.h>
#include <string.h>

#define CANDIDATES 96 /* blocks that may share with one */
#define OTHERS 32     /* of them such that lie further away */
#define FAR 3         /* blocks along an axis that are asked whether they share */
#define ASKERS 7      /* of a granule: those that start first */
#define FIRST_SLOTS 512
#define FIRST_STARTS 64
#define NOBODY UINT8_MAX

/* A block, as seen from another one. */
struct candidate {
	int64_t apart[3], far; /* along each axis, and by number */
};

struct full_order {
	const struct full_window *window;
	struct candidate candidates[CANDIDATES]; /* by number */
	unsigned count;
	bool full; /* there are more */
};

static void block_beside(const int64_t at[3], const struct candidate *candidate, int64_t other[3])
{
	for (unsigned axis = 0; axis < 3; axis++)
		other[axis] = at[axis] + candidate->apart[axis];
}

static bool is_block(const struct full_window *window, const int64_t at[3])
{
	for (unsigned axis = 0; axis < 3; axis++)
		if (at[axis] < 0 || at[axis] >= window->grid[axis])
			return false;
	return true;
}

/* Whether it asks for any granule of a window's block. */
static bool shares_any(const struct full_window *window, const struct candidate *candidate)
{
	for (size_t slot = full_window_filled(window, 0); slot < window->slots; slot = full_window_filled(window, slot + 1)) {
		const struct full_window_touch *touch = &window->touches[slot];
		int64_t other[3];
		block_beside(window->origin[full_window_place_of(touch->key)], candidate, other);
		if (is_block(window, other) && full_window_asks(window, other, full_window_granule_of(touch->key)))
			return true;
	}
	return false;
}

static bool is_candidate(const struct full_order *order, int64_t far)
{
	for (unsigned i = 0; i < order->count; i++)
		if (order->candidates[i].far == far)
			return true;
	return false;
}

/* Adds a block so far away, by number. */
static void candidate_insert(struct full_order *order, const struct candidate *candidate)
{
	unsigned at = order->count;
	if (is_candidate(order, candidate->far))
		return;
	order->full = order->full || at == CANDIDATES;
	if (order->full)
		return;
	order->count++;
	for (; at && order->candidates[at - 1].far > candidate->far; at--)
		order->candidates[at] = order->candidates[at - 1];
	order->candidates[at] = *candidate;
}

/* Adds a block that shares granules, and the one as far on the other side, which shares some with those blocks that lie otherwise within a granule. */
static void candidates_add(struct full_order *order, const int64_t apart[3], bool known_to_share)
{
	const int64_t *grid = order->window->grid, far = apart[0] + grid[0] * (apart[1] + grid[1] * apart[2]);
	const struct candidate candidate = {{apart[0], apart[1], apart[2]}, far}, back = {{-apart[0], -apart[1], -apart[2]}, -far};
	if (order->full || !far || is_candidate(order, far) || !(known_to_share || shares_any(order->window, &candidate)))
		return;
	candidate_insert(order, &candidate);
	candidate_insert(order, &back);
}

/* Blocks beside it, along one axis or diagonally. */
static void neighbours_add(struct full_order *order)
{
	const int64_t *grid = order->window->grid;
	for (unsigned axis = 0; axis < 3; axis++)
		for (int64_t far = -FAR; far <= FAR && grid[axis] > 1; far++) {
			int64_t apart[3] = {0};
			apart[axis] = far;
			candidates_add(order, apart, false);
		}
	for (int n = 0; n < 27; n++) {
		const int64_t apart[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
		unsigned axes = 0;
		bool inside = true;
		for (unsigned axis = 0; axis < 3; axis++) {
			axes += apart[axis] != 0;
			inside = inside && (!apart[axis] || grid[axis] > 1);
		}
		if (inside && axes > 1)
			candidates_add(order, apart, false);
	}
}

const struct full_order *full_order_make(struct arena *arena, const struct full_window *window, uint64_t own,
                                         const uint64_t *others, unsigned count)
{
	int64_t at[3], other[3];
	if (window->count >= FULL_WINDOW || !window->count || count > OTHERS)
		return NULL;
	struct full_order *order = arena_alloc(arena, sizeof *order);
	order->window = window;
	full_window_block(window, own, at);
	for (unsigned i = 0; i < count; i++) {
		full_window_block(window, others[i], other);
		candidates_add(order, (const int64_t[3]){other[0] - at[0], other[1] - at[1], other[2] - at[2]}, true);
	}
	neighbours_add(order);
	return order->count && !order->full ? order : NULL;
}

/* ---- in a run ------------------------------------------------------------------------------------- */

/* Blocks that ask for a granule of one: which candidates, and by which of their loads first. */
struct granule_askers {
	uint64_t key; /* where the granule lies in the block's window, its place and class; 0: empty */
	uint8_t count, own;
	struct {
		uint8_t candidate, number;
	} ask[ASKERS];
};

struct ages {
	double count, sum, squares;
};

struct full_asks {
	struct arena *arena;
	const struct full_order *order;
	const struct full_work *work;
	double *starts; /* of this SM's blocks */
	size_t started, start_room;
	struct ages ages[FULL_WINDOW];
	struct granule_askers *askers; /* by key, with open addressing */
	size_t asker_count, asker_slots;
};

struct full_asks *full_asks_make(struct arena *arena, const struct full_work *work)
{
	if (!work->traffic->order || work->warm)
		return NULL;
	struct full_asks *asks = arena_alloc(arena, sizeof *asks);
	asks->arena = arena;
	asks->order = work->traffic->order;
	asks->work = work;
	asks->start_room = FIRST_STARTS;
	asks->starts = arena_array(arena, FIRST_STARTS, sizeof *asks->starts);
	asks->asker_slots = FIRST_SLOTS;
	asks->askers = arena_array(arena, FIRST_SLOTS, sizeof *asks->askers);
	return asks;
}

void full_asks_start(struct full_asks *asks, double time)
{
	if (asks->started == asks->start_room) {
		double *starts = arena_array(asks->arena, 2 * asks->start_room, sizeof *starts);
		memcpy(starts, asks->starts, asks->started * sizeof *starts);
		asks->starts = starts;
		asks->start_room *= 2;
	}
	asks->starts[asks->started++] = time;
}

/* Cycles from one of the SM's blocks that start to the next, of late. */
static double start_interval(const struct full_asks *asks)
{
	const size_t last = asks->started - 1, before = last < asks->work->resident ? last : asks->work->resident;
	return before ? (asks->starts[last] - asks->starts[last - before]) / (double)before : 0;
}

/* When a block starts, on whatever SM; INFINITY: after others of the first wave have ended, which none has. */
static double start_of(const struct full_asks *asks, uint64_t block)
{
	const struct full_work *work = asks->work;
	const double place = ((double)block - (double)work->first) / (double)work->step;
	if (place < 0)
		return place > -1 ? asks->starts[0] : -INFINITY;
	const size_t before = (size_t)place, last = asks->started - 1;
	if (before < last)
		return asks->starts[before] + (place - (double)before) * (asks->starts[before + 1] - asks->starts[before]);
	if (asks->started <= work->resident && place >= work->resident)
		return INFINITY;
	return asks->starts[last] + (place - (double)last) * start_interval(asks);
}

void full_asks_note(struct full_asks *asks, const struct full_request *load, double time)
{
	struct ages *ages = &asks->ages[load->number];
	double age = time - start_of(asks, load->block);
	ages->count++;
	ages->sum += age;
	ages->squares += age * age;
}

/* When a block asks for a granule by one of its loads; INFINITY: no block has made that. */
static double asked_at(const struct full_asks *asks, uint64_t block, unsigned number, uint64_t granule)
{
	const struct ages *ages = &asks->ages[number];
	if (!(ages->count > 0))
		return INFINITY;
	double mean = ages->sum / ages->count, deviation = sqrt(full_later(0, ages->squares / ages->count - mean * mean)),
	       drawn = content_fraction(content_scramble(granule * UINT64_C(0x9e3779b97f4a7c15) + block));
	return start_of(asks, block) + mean + full_sooner(mean, deviation * sqrt(3)) * (2 * drawn - 1);
}

/* The place of a key, or the one where it would be. */
static struct granule_askers *askers_place(const struct full_asks *asks, uint64_t key)
{
	size_t slot = (size_t)content_scramble(key) & (asks->asker_slots - 1);
	while (asks->askers[slot].key && asks->askers[slot].key != key)
		slot = (slot + 1) & (asks->asker_slots - 1);
	return &asks->askers[slot];
}

static void askers_grow(struct full_asks *asks)
{
	const struct granule_askers *old = asks->askers;
	const size_t slots = asks->asker_slots;
	asks->asker_slots *= 2;
	asks->askers = arena_array(asks->arena, asks->asker_slots, sizeof *asks->askers);
	for (size_t i = 0; i < slots; i++)
		if (old[i].key)
			*askers_place(asks, old[i].key) = old[i];
}

static void askers_find(const struct full_order *order, const int64_t at[3], uint64_t granule, struct granule_askers *askers)
{
	const struct full_window_touch *own = full_window_asks(order->window, at, granule);
	askers->own = own ? own->order : NOBODY;
	for (unsigned i = 0; i < order->count && askers->count < ASKERS && own; i++) {
		int64_t other[3];
		block_beside(at, &order->candidates[i], other);
		const struct full_window_touch *touch = full_window_asks(order->window, other, granule);
		if (!touch)
			continue;
		askers->ask[askers->count].candidate = (uint8_t)i;
		askers->ask[askers->count++].number = touch->order;
	}
}

/* Who asks for a granule that a block asks for, in the order in which they start: the same of all blocks in whose window it lies there. NULL: by its window that block does not. */
static const struct granule_askers *askers_of(struct full_asks *asks, const int64_t at[3], uint64_t granule, uint64_t key)
{
	struct granule_askers *askers = askers_place(asks, key);
	if (!askers->key) {
		if (++asks->asker_count > asks->asker_slots / 2) {
			askers_grow(asks);
			askers = askers_place(asks, key);
		}
		askers->key = key;
		askers_find(asks->order, at, granule, askers);
	}
	return askers->own == NOBODY ? NULL : askers;
}

bool full_asks_know(const struct full_asks *asks, uint32_t insn, const struct full_request *load)
{
	const struct full_window *window = asks->order->window;
	if (load->number >= window->count)
		return false;
	const struct full_window_request *request = &window->requests[load->number];
	return request->insn == insn && !request->irregular && !request->scattered;
}

bool full_asks_first(struct full_asks *asks, const struct full_request *load, uint64_t granule, double *first)
{
	const struct full_window *window = asks->order->window;
	const unsigned class = window->requests[load->number].class;
	int64_t at[3], other[3];
	full_window_block(window, load->block, at);
	const uint64_t inside = granule * (uint64_t)asks->work->machine->granule - (uint64_t)full_window_apart(window, class, at);
	const struct granule_askers *askers =
		askers_of(asks, at, granule, full_window_key(inside, full_window_place(window, at), class));
	if (!askers)
		return false;
	double own = asked_at(asks, load->block, askers->own, granule), least = INFINITY;
	for (unsigned i = 0; i < askers->count; i++) {
		const struct candidate *candidate = &asks->order->candidates[askers->ask[i].candidate];
		block_beside(at, candidate, other);
		if (is_block(window, other) && candidate->far % (int64_t)asks->work->step != 0)
			least = full_sooner(least,
			                    asked_at(asks, load->block + (uint64_t)candidate->far, askers->ask[i].number, granule));
	}
	*first = least < own ? least : -INFINITY;
	return true;
}
