/*
 * Which bytes of global memory an instruction touches, over a whole box of warps: a footprint is an access repeated
 * along axes.
 *
 * Lanes are rows of equal steps, so they are axes too. An axis of the launch, or of a loop that is followed, stays open
 * until its number of positions is known. Accesses of an instruction that continue each other, as trips that are run
 * one by one do, are joined. What fits none of that, or is not linear, is untracked.
 */
#include "model/execute/count/count.h"

#include <string.h>

static void untrack(struct counting *counting, uint32_t insn)
{
	counting->footprints.untracked[insn] = true;
}

/* Bytes from the first position to one behind the last, modulo 2^64 as addresses are. */
static int64_t axis_bytes(const struct footprint_axis *axis)
{
	return (int64_t)((uint64_t)axis->slope * (uint64_t)axis->count);
}

static bool axis_add(struct footprint *print, int64_t slope, int64_t count)
{
	if (count <= 1 || slope == 0)
		return true;
	if (print->axis_count == FOOTPRINT_AXES || slope == INT64_MIN)
		return false;
	print->axes[print->axis_count++] = (struct footprint_axis){slope, count};
	return true;
}

/* ---- joining --------------------------------------------------------------------------------------- */

static bool same_open(const struct counting *counting, const struct footprint_open *a, const struct footprint_open *b)
{
	for (uint32_t axis = 0; axis < counting->axes->count; axis++)
		if (counting->axes->active >> axis & 1 && a->slope[axis] != b->slope[axis])
			return false;
	return a->curved == b->curved && a->closed.insn == b->closed.insn && a->closed.bytes == b->closed.bytes &&
	       a->closed.weight == b->closed.weight;
}

/* Axes that both begin with. */
static uint32_t axes_shared(const struct footprint *a, const struct footprint *b)
{
	uint32_t shared = 0;

	while (shared < a->axis_count && shared < b->axis_count && a->axes[shared].slope == b->axes[shared].slope &&
	       a->axes[shared].count == b->axes[shared].count)
		shared++;
	return shared;
}

/* Whether b goes on where a ends, along a's last axis or a new one: then a is both. */
static bool print_join(struct footprint *a, const struct footprint *b)
{
	uint32_t shared = axes_shared(a, b);
	int64_t apart = (int64_t)(b->base - a->base);
	struct footprint_axis *last = a->axis_count ? &a->axes[a->axis_count - 1] : NULL;
	bool alike = shared == a->axis_count && shared == b->axis_count;

	if (alike && !apart)
		return true;
	if (last && shared + 1 == a->axis_count && apart == axis_bytes(last)) {
		bool single = b->axis_count == shared,
		     row = b->axis_count == a->axis_count && b->axes[shared].slope == last->slope;

		if (single || row) {
			last->count += single ? 1 : b->axes[shared].count;
			return true;
		}
	}
	if (shared == a->axis_count && b->axis_count == shared + 1 && apart == b->axes[shared].slope) {
		return axis_add(a, apart, b->axes[shared].count + 1);
	}
	return alike && axis_add(a, apart, 2);
}

/* Joins a footprint to one of the last before it, from `first` on; returns whether it could. */
static bool open_join(struct counting *counting, size_t first, const struct footprint_open *open)
{
	struct footprints *prints = &counting->footprints;
	size_t begin = first + FOOTPRINTS_BACK < prints->count ? prints->count - FOOTPRINTS_BACK : first;

	for (size_t i = prints->count; i-- > begin;)
		if (same_open(counting, &prints->list[i], open) && print_join(&prints->list[i].closed, &open->closed))
			return true;
	return false;
}

/* Where the trip under way began. */
static size_t trip_first(const struct counting *counting)
{
	const struct axes *axes = counting->axes;

	return axes->count > axes->launch_count ? axes->list[axes->count - 1].first_footprint : 0;
}

static void open_push(struct counting *counting, size_t first, const struct footprint_open *open)
{
	struct footprints *prints = &counting->footprints;

	if (open_join(counting, first, open))
		return;
	if (prints->count == FOOTPRINTS_MOST) {
		untrack(counting, open->closed.insn);
		return;
	}
	prints->list[prints->count++] = *open;
}

/* A loop is over: its footprints join those of the trip that it was part of. */
static void settle(struct counting *counting, size_t from)
{
	struct footprints *prints = &counting->footprints;
	size_t count = prints->count;

	prints->count = from;
	for (size_t i = from; i < count; i++)
		open_push(counting, trip_first(counting), &prints->list[i]);
}

/* ---- lanes ----------------------------------------------------------------------------------------- */

/* Lanes in rows of `row` with the same steps within a row, and from row to row. */
static bool rows_fit(const uint64_t *lanes, unsigned count, unsigned row, struct footprint_axis axes[2])
{
	axes[0] = (struct footprint_axis){row > 1 ? (int64_t)(lanes[1] - lanes[0]) : 0, row};
	axes[1] = (struct footprint_axis){row < count ? (int64_t)(lanes[row] - lanes[0]) : 0, count / row};
	for (unsigned i = 0; i < count; i++)
		if (lanes[i] != lanes[0] + (uint64_t)axes[0].slope * (i % row) + (uint64_t)axes[1].slope * (i / row))
			return false;
	return true;
}

/* The lanes that begin the list and lie in equal steps. */
static unsigned row_length(const uint64_t *lanes, unsigned count)
{
	unsigned length = count < 2 ? count : 2;

	while (length < count && lanes[length] - lanes[length - 1] == lanes[1] - lanes[0])
		length++;
	return length;
}

static void rows_push(struct counting *counting, const struct footprint_open *open, const uint64_t *lanes,
                      unsigned count)
{
	for (unsigned pieces = 0; count; pieces++) {
		unsigned length = row_length(lanes, count);
		struct footprint_open row = *open;

		if (pieces == FOOTPRINT_PIECES) {
			untrack(counting, open->closed.insn);
			return;
		}
		row.closed.base = lanes[0];
		axis_add(&row.closed, length > 1 ? (int64_t)(lanes[1] - lanes[0]) : 0, length);
		open_push(counting, trip_first(counting), &row);
		lanes += length;
		count -= length;
	}
}

/* Lanes of an access as axes of one footprint, or of a few. */
static void lanes_push(struct counting *counting, struct footprint_open *open, const struct warp_value *address,
                       uint32_t mask)
{
	uint64_t lanes[WARP_LANES];
	unsigned count = 0;
	struct footprint_axis axes[2];

	for (uint32_t rest = mask; rest; rest &= rest - 1)
		lanes[count++] = value_lane(address, (unsigned)__builtin_ctz(rest));
	for (unsigned row = count; row; row /= 2)
		if (count % row == 0 && rows_fit(lanes, count, row, axes)) {
			open->closed.base = lanes[0];
			axis_add(&open->closed, axes[0].slope, axes[0].count);
			axis_add(&open->closed, axes[1].slope, axes[1].count);
			open_push(counting, trip_first(counting), open);
			return;
		}
	rows_push(counting, open, lanes, count);
}

void footprints_add(struct counting *counting, uint32_t insn, const struct warp_value *address, uint32_t mask,
                    unsigned bytes)
{
	const struct axes *axes = counting->axes;
	struct footprint_open open = {.closed = {.insn = insn, .bytes = bytes, .weight = (float)counting->weight}};

	if (counting->footprints.off || counting->footprints.untracked[insn])
		return;
	if (!address || address->doubt != KNOWN) {
		untrack(counting, insn);
		return;
	}
	open.curved = address->curved & axes->active;
	for (uint32_t axis = 0; axis < axes->count; axis++)
		open.slope[axis] = axes->active >> axis & 1 ? address->slope[axis] : 0;
	lanes_push(counting, &open, address, mask);
}

/* ---- axes that end --------------------------------------------------------------------------------- */

void footprints_repeat(struct counting *counting, uint32_t axis, const struct trips *trips)
{
	const struct axes *axes = counting->axes;
	struct footprints *prints = &counting->footprints;
	size_t first = axes->list[axis].first_footprint;
	int64_t count = trips->count;
	bool varies = false;

	for (uint32_t outer = 0; outer < axis; outer++) {
		int64_t slope = axes->active >> outer & 1 ? trips->slope[outer] : 0, more = 0;

		varies |= slope && outer >= axes->launch_count;
		if (slope > 0 && outer < axes->launch_count)
			varies |= __builtin_mul_overflow(slope, axes->list[outer].count - 1, &more) ||
			          __builtin_add_overflow(count, more, &count);
	}
	for (size_t i = first; i < prints->count; i++) {
		struct footprint_open *open = &prints->list[i];

		if (varies || open->curved >> axis & 1 || !axis_add(&open->closed, open->slope[axis], count))
			untrack(counting, open->closed.insn);
		open->slope[axis] = 0;
	}
	settle(counting, first);
}

void footprints_forget(struct counting *counting, uint32_t axis)
{
	size_t first = counting->axes->list[axis].first_footprint;

	for (size_t i = first; i < counting->footprints.count; i++) {
		counting->footprints.list[i].slope[axis] = 0;
		counting->footprints.list[i].curved &= ~(1u << axis);
	}
	settle(counting, first);
}

/* Slopes rise, the largest axis comes first, and axes that continue each other are one. */
static void print_order(struct footprint *print)
{
	struct footprint_axis *axes = print->axes;

	for (uint32_t i = 0; i < print->axis_count; i++) {
		if (axes[i].slope < 0) {
			print->base += (uint64_t)axes[i].slope * (uint64_t)(axes[i].count - 1);
			axes[i].slope = -axes[i].slope;
		}
		for (uint32_t k = i; k > 0 && axes[k].slope > axes[k - 1].slope; k--) {
			struct footprint_axis moved = axes[k];

			axes[k] = axes[k - 1];
			axes[k - 1] = moved;
		}
	}
	for (uint32_t i = print->axis_count; i-- > 1;) {
		int64_t count;

		if (axis_bytes(&axes[i]) == axes[i - 1].slope &&
		    !__builtin_mul_overflow(axes[i].count, axes[i - 1].count, &count)) {
			axes[i - 1] = (struct footprint_axis){axes[i].slope, count};
			memmove(&axes[i], &axes[i + 1], (--print->axis_count - i) * sizeof(*axes));
		}
	}
}

/* Adds a footprint of a whole box to those of the launch, or to one of the same instruction that it continues. */
static void print_push(struct arena *arena, struct evaluation *result, const struct footprint *print)
{
	for (size_t i = result->footprint_count; i-- > 0;) {
		struct footprint *before = &result->footprints[i];

		if (before->insn == print->insn && before->bytes == print->bytes && before->weight == print->weight &&
		    print_join(before, print)) {
			print_order(before);
			return;
		}
	}
	ARENA_PUSH(arena, result->footprints, result->footprint_count, *print);
}

void footprints_finish(struct counting *counting, struct arena *arena, struct evaluation *result)
{
	const struct axes *axes = counting->axes;
	struct footprints *prints = &counting->footprints;

	for (size_t i = 0; i < prints->count && !prints->off; i++) {
		struct footprint print = prints->list[i].closed;
		bool fits = result->footprint_count < FOOTPRINTS_KEPT && !(prints->list[i].curved & axes->active);

		for (uint32_t axis = 0; axis < axes->launch_count; axis++)
			if (axes->active >> axis & 1)
				fits = axis_add(&print, prints->list[i].slope[axis], axes->list[axis].count) && fits;
		print_order(&print);
		if (fits)
			print_push(arena, result, &print);
		else
			untrack(counting, print.insn);
	}
	prints->count = 0;
}
