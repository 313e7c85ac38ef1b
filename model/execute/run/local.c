/*
 * What a warp has put into its own local memory, and finds there again: local arrays, spilled registers, copies of
 * parameters.
 *
 * Memory is a set of cells, one for each number that was stored, with the lanes that stored it. A number at an address
 * that is not known, or that changes from warp to warp, may have gone anywhere: then nothing is known any more. A
 * digest of all cells tells whether a trip of a loop has left memory as it found it; a loop is advanced only then, and
 * a store whose place changes with the trip makes it run trip by trip.
 */
#include "model/execute/run/loops.h"

#include <string.h>

#define LOCAL_BYTES 32768 /* addresses are kept modulo that: frames lie on either side of 0 */
#define LOCAL_CELLS 2048

struct local_cell {
	uint32_t first, bytes, lanes;
	uint64_t hash;
	struct warp_value value;
};

struct local_memory {
	struct arena *arena;
	struct local_cell *cells[LOCAL_CELLS]; /* the first `count` are in use */
	uint32_t count, made;
	uint16_t at[LOCAL_BYTES]; /* 1 + cell that holds the byte, or 0 */
	uint64_t digest;
};

struct local_memory *local_make(struct arena *arena)
{
	struct local_memory *local = arena_alloc(arena, sizeof(*local));

	local->arena = arena;
	return local;
}

uint64_t local_digest(const struct run *run)
{
	return run->local ? run->local->digest : 0;
}

/* ---- cells ------------------------------------------------------------------------------------------ */

static void bytes_assign(struct local_memory *local, const struct local_cell *cell, uint16_t owner)
{
	for (uint32_t i = 0; i < cell->bytes; i++)
		local->at[(cell->first + i) % LOCAL_BYTES] = owner;
}

static void cell_remove(struct local_memory *local, uint32_t index)
{
	struct local_cell *cell = local->cells[index];

	local->digest -= cell->hash;
	bytes_assign(local, cell, 0);
	local->cells[index] = local->cells[--local->count];
	local->cells[local->count] = cell;
	if (index < local->count)
		bytes_assign(local, local->cells[index], (uint16_t)(index + 1));
}

void local_forget(struct local_memory *local)
{
	while (local && local->count)
		cell_remove(local, local->count - 1);
}

/* The cell that holds the byte, or NULL. */
static struct local_cell *cell_at(const struct local_memory *local, uint32_t first)
{
	uint16_t owner = local->at[first % LOCAL_BYTES];

	return owner ? local->cells[owner - 1] : NULL;
}

/* A cell for these bytes alone, in place of those that overlap them; NULL where there is no room. */
static struct local_cell *cell_make(struct local_memory *local, uint32_t first, uint32_t bytes)
{
	struct local_cell *cell;

	for (uint32_t i = 0; i < bytes; i++)
		if (local->at[(first + i) % LOCAL_BYTES])
			cell_remove(local, local->at[(first + i) % LOCAL_BYTES] - 1u);
	if (local->count == LOCAL_CELLS)
		return NULL;
	if (local->count == local->made)
		local->cells[local->made++] = arena_alloc(local->arena, sizeof(*cell));
	cell = local->cells[local->count++];
	cell->first = first % LOCAL_BYTES;
	cell->bytes = bytes;
	cell->lanes = 0;
	cell->hash = 0;
	bytes_assign(local, cell, (uint16_t)local->count);
	return cell;
}

static uint64_t cell_hash(const struct axes *axes, const struct local_cell *cell)
{
	const struct warp_value *value = &cell->value;
	uint64_t hash = content_scramble((uint64_t)cell->first << 32 | cell->lanes) ^ value->doubt;

	hash = content_scramble(hash ^ (value->curved & axes->active) ^
	                        (value->doubt == SHIFTED ? (uint64_t)value->shift << 32 : 0));
	for (uint32_t lanes = value->doubt == UNKNOWN ? 0 : cell->lanes; lanes; lanes &= lanes - 1)
		hash = content_scramble(hash ^ value_lane(value, (unsigned)__builtin_ctz(lanes)));
	for (uint32_t axis = 0; axis < axes->count && value->doubt != UNKNOWN; axis++)
		if (axes->active >> axis & 1)
			hash = content_scramble(hash ^ (uint64_t)value->slope[axis]);
	return hash;
}

/* The cell's content has changed. */
static void cell_note(const struct axes *axes, struct local_memory *local, struct local_cell *cell)
{
	local->digest -= cell->hash;
	cell->hash = cell_hash(axes, cell);
	local->digest += cell->hash;
}

void local_open_axis(struct run *run, uint32_t axis)
{
	for (uint32_t i = 0; run->local && i < run->local->count; i++) {
		run->local->cells[i]->value.slope[axis] = 0;
		run->local->cells[i]->value.curved &= ~(1u << axis);
		cell_note(&run->axes, run->local, run->local->cells[i]);
	}
}

/* ---- stores ----------------------------------------------------------------------------------------- */

static bool lanes_equal(const struct warp_value *a, const struct warp_value *b, uint32_t lanes)
{
	for (; lanes; lanes &= lanes - 1)
		if (value_lane(a, (unsigned)__builtin_ctz(lanes)) != value_lane(b, (unsigned)__builtin_ctz(lanes)))
			return false;
	return a->doubt == KNOWN && b->doubt == KNOWN;
}

/* Lanes put a number there. On one side of a branch that was weighed this may or may not be so. */
static void cell_write(struct run *run, uint32_t first, uint32_t bytes, const struct warp_value *value, uint32_t lanes)
{
	struct local_memory *local = run->local;
	struct local_cell *cell = cell_at(local, first);
	bool same = cell && cell->first == first % LOCAL_BYTES && cell->bytes == bytes;

	if (!same)
		cell = cell_make(local, first, bytes);
	if (!cell)
		return;
	if (run->uncertain && !(same && lanes_equal(&cell->value, value, lanes)))
		value_set_unknown(&cell->value, 8 * bytes, UNKNOWN, value->origin);
	else if (!same || !(cell->lanes & ~lanes))
		value_copy(&run->axes, &cell->value, value);
	else
		value_blend(&run->axes, &cell->value, value, lanes);
	cell->lanes |= lanes;
	cell_note(&run->axes, local, cell);
}

/* Lanes of mask put their numbers where each of them says. */
static void element_write(struct run *run, const struct warp_value *address, uint32_t offset, uint32_t bytes,
                          const struct warp_value *value, uint32_t mask)
{
	while (mask) {
		uint64_t place = value_lane(address, (unsigned)__builtin_ctz(mask));
		uint32_t lanes = mask;

		for (uint32_t rest = value_is_uniform(address, mask) ? 0 : mask; rest; rest &= rest - 1)
			if (value_lane(address, (unsigned)__builtin_ctz(rest)) != place)
				lanes &= ~(rest & (~rest + 1));
		cell_write(run, (uint32_t)place + offset, bytes, value, lanes);
		mask &= ~lanes;
	}
}

void local_store(struct run *run, struct activation *activation, const struct step *step,
                 const struct warp_value *address, uint32_t mask)
{
	const struct compute_place place = activation_place(run, activation);
	uint32_t varies = value_varies(&run->axes, address), bytes;
	struct warp_value value;

	if (!run->local || !mask || !step->stored_count)
		return;
	if (address->doubt != KNOWN || varies & ((1u << run->axes.launch_count) - 1)) {
		local_forget(run->local);
		return;
	}
	axes_pin(&run->axes, varies);
	bytes = step->bytes / step->stored_count;
	for (uint32_t i = 0; i < step->stored_count && bytes <= 8; i++) {
		const struct warp_value *source = compute_source(&place, &step->stored[i]);

		if (source->bits > 1 && source->bits >= 8 * bytes)
			value_combine(&run->axes, &value, source, 1, NULL, 0, 0, 8 * bytes);
		else
			value_set_unknown(&value, 8 * bytes, UNKNOWN, source->origin);
		element_write(run, address, i * bytes, bytes, &value, mask);
	}
}

/* ---- loads ------------------------------------------------------------------------------------------- */

/* One lane's number at a place, put together from the cells that hold it; false where a byte is not known. curved: axes
 * along which it varies. */
static bool lane_read(const struct run *run, uint32_t first, uint32_t bytes, unsigned lane, uint64_t *number,
                      uint32_t *curved)
{
	*number = 0;
	for (uint32_t i = 0; i < bytes;) {
		const struct local_cell *cell = cell_at(run->local, first + i);
		uint32_t within, count;

		if (!cell || !(cell->lanes >> lane & 1) || cell->value.doubt != KNOWN)
			return false;
		within = (first + i - cell->first) % LOCAL_BYTES;
		count = cell->bytes - within < bytes - i ? cell->bytes - within : bytes - i;
		*number |= (value_lane(&cell->value, lane) >> 8 * within & value_mask(8 * count)) << 8 * i;
		*curved |= value_varies(&run->axes, &cell->value);
		i += count;
	}
	return true;
}

static bool lanes_read(const struct run *run, const struct warp_value *address, uint32_t offset, uint32_t bytes,
                       uint32_t mask, struct warp_value *result)
{
	value_set(result, 8 * bytes, 0);
	result->form = FORM_LANES;
	for (; mask; mask &= mask - 1) {
		unsigned lane = (unsigned)__builtin_ctz(mask);

		if (!lane_read(run, (uint32_t)value_lane(address, lane) + offset, bytes, lane, &result->lane[lane],
		               &result->curved))
			return false;
	}
	return true;
}

bool local_load(struct run *run, const struct warp_value *address, const struct local_element *element, uint32_t mask,
                struct warp_value *result)
{
	unsigned first = mask ? (unsigned)__builtin_ctz(mask) : 0;
	struct warp_value number;
	const struct local_cell *cell;
	uint32_t bytes = element->bytes, place = (uint32_t)value_lane(address, first) + element->offset;

	if (!run->local || address->doubt != KNOWN || !mask || !bytes || bytes > 8)
		return false;
	cell = value_is_uniform(address, mask) ? cell_at(run->local, place) : NULL;
	if (cell && cell->first == place % LOCAL_BYTES && cell->bytes == bytes && !(mask & ~cell->lanes) &&
	    (cell->value.doubt == KNOWN || element->bits == 8 * bytes))
		value_copy(&run->axes, &number, &cell->value);
	else if (!lanes_read(run, address, element->offset, bytes, mask, &number))
		return false;
	value_compact(&number, mask);
	number.curved |= value_varies(&run->axes, address);
	if (number.doubt || element->bits <= 8 * bytes)
		value_copy(&run->axes, result, &number);
	else
		value_convert(&run->axes, result, &number, mask, element->is_signed, element->bits);
	return true;
}
