/*
 * What requests touch, counted over all positions along the axes.
 *
 * All lanes of an access move together along an axis, so what it touches depends on the shift modulo a line alone.
 * Where no axis shifts it by parts of a line, one count stands for all positions; elsewhere the access becomes an
 * event: a table of what it touches by shift. Summing over the positions of an axis turns one table into another,
 * exactly.
 */
#include "model/execute/count/count.h"

#include <string.h>

static struct touched touch_shifted(const struct touch_event *event, uint64_t shift)
{
	uint64_t address[WARP_LANES];
	struct touched touched;

	if (event->space == SPACE_GLOBAL && event->line && event->bytes <= LINE_BYTES &&
	    touch_line(event->base + shift, event->step, event->mask, event->bytes, SECTOR_SHIFT, &touched.first) &&
	    touch_line(event->base + shift, event->step, event->mask, event->bytes, LINE_SHIFT, &touched.second))
		return touched;
	if (!event->line && !shift)
		return touch_request(event->lanes, event->mask, event->bytes, event->space);
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		address[lane] = (event->line ? event->base + (uint64_t)event->step * lane : event->lanes[lane]) + shift;
	return touch_request(address, event->mask, event->bytes, event->space);
}

/* Memory for the event's table. */
static void event_reserve(struct counting *counting, struct touch_event *event)
{
	if (event->first)
		return;
	event->first = arena_array(counting->arena, 2 * (size_t)LINE_BYTES, sizeof(double));
	event->second = event->first + LINE_BYTES;
}

static void event_keep_lanes(struct counting *counting, struct touch_event *event, const uint64_t lanes[WARP_LANES])
{
	if (!event->lanes)
		event->lanes = arena_array(counting->arena, WARP_LANES, sizeof(*event->lanes));
	memcpy(event->lanes, lanes, WARP_LANES * sizeof(*event->lanes));
}

static bool is_table_of(const struct touch_table *table, const struct touch_event *event)
{
	return table->mask == event->mask && table->bytes == event->bytes && table->grain == event->grain &&
	       table->base == event->base % LINE_BYTES && table->step == event->step;
}

/* What an event whose lanes lie on a line touches at each shift. */
static const struct touched *line_table(struct counting *counting, const struct touch_event *event)
{
	uint64_t key =
		event->base % LINE_BYTES + (uint64_t)event->step * 31 + event->bytes * UINT64_C(131) + event->mask;
	struct touch_table **place = &counting->tables[key * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (TABLES_KEPT - 1)];

	if (*place && is_table_of(*place, event))
		return (*place)->rows;
	if (!*place) {
		*place = arena_alloc(counting->arena, sizeof(**place));
		(*place)->rows = arena_array(counting->arena, LINE_BYTES, sizeof(*(*place)->rows));
	}
	(*place)->mask = event->mask;
	(*place)->bytes = event->bytes;
	(*place)->grain = event->grain;
	(*place)->base = (unsigned)(event->base % LINE_BYTES);
	(*place)->step = event->step;
	for (unsigned row = 0; row < event->shifts; row++)
		(*place)->rows[row] = touch_shifted(event, (uint64_t)row * event->grain);
	return (*place)->rows;
}

/* Positions of the event's table: what it touches at each shift, as often as it was met there. */
static void event_table(struct counting *counting, struct touch_event *event)
{
	const struct touched *known = NULL;

	if (event->tabled)
		return;
	event_reserve(counting, event);
	event->tabled = true;
	if (event->line && event->space == SPACE_GLOBAL)
		known = line_table(counting, event);
	for (unsigned row = 0; row < event->shifts; row++) {
		struct touched touched = known ? known[row] : touch_shifted(event, (uint64_t)row * event->grain);

		event->first[row] = touched.first * event->times;
		event->second[row] = touched.second * event->times;
	}
}

/* Adds what the event touches without shift to the counts, or to the gradient that it is part of. */
static void event_count(struct counting *counting, const struct touch_event *event)
{
	const struct tally *counts =
		event->gradient == NO_AXIS ? &counting->counts : counting_gradient(counting, event->gradient);
	struct insn_counts *slot = counts_insn(counts, event->slot);
	struct touched touched;

	if (event->tabled) {
		touched.first = event->first[0];
		touched.second = event->second[0];
	} else {
		touched = touch_shifted(event, 0);
		touched.first *= event->times;
		touched.second *= event->times;
	}
	*(event->space == SPACE_SHARED ? &slot->wavefronts : &slot->sectors) += touched.first * event->sign;
	*(event->space == SPACE_SHARED ? &slot->conflicts : &slot->lines) += touched.second * event->sign;
}

/* Bytes after which what an access touches repeats: a power of two, and so are grains and shifts. */
static unsigned repeat_bytes(enum ptx_space space)
{
	return space == SPACE_GLOBAL ? LINE_BYTES : BANK_BYTES;
}

static bool same_kind(const struct touch_event *a, const struct touch_event *b)
{
	return a->slot == b->slot && a->grain == b->grain && a->space == b->space && a->gradient == b->gradient &&
	       a->sign == b->sign && !memcmp(a->slope, b->slope, sizeof(a->slope));
}

static bool same_lanes(const struct touch_event *a, const struct touch_event *b)
{
	return a->line && b->line && a->mask == b->mask && a->step == b->step && (a->base - b->base) % LINE_BYTES == 0;
}

/* Adds the rows of one table to those of another. */
static void table_add(double *restrict to, const double *restrict from, unsigned rows)
{
	for (unsigned row = 0; row < rows; row++)
		to[row] += from[row];
}

/* Adds an event to an older one of its kind and trip, if there is one; tells whether there was. */
static bool event_merge(struct counting *counting, size_t index)
{
	size_t first = counting->axes->count > counting->axes->launch_count
	                       ? counting->axes->list[counting->axes->count - 1].first_event
	                       : 0;
	struct touch_event *event = &counting->events[index];

	for (size_t i = index; i-- > first;) {
		struct touch_event *old = &counting->events[i];

		if (!same_kind(old, event))
			continue;
		if (!old->tabled && !event->tabled && same_lanes(old, event)) {
			old->times += event->times;
			return true;
		}
		event_table(counting, old);
		event_table(counting, event);
		table_add(old->first, event->first, event->shifts);
		table_add(old->second, event->second, event->shifts);
		return true;
	}
	return false;
}

/* Puts an event in the place of one that is not needed any more, which gets its memory. */
static void event_replace(struct touch_event *to, struct touch_event *from)
{
	struct touch_event gone = *to;

	*to = *from;
	from->first = gone.first;
	from->second = gone.second;
	from->lanes = gone.lanes;
}

/* A loop is over: its events join those of the trip that it was part of. */
static void events_settle(struct counting *counting, size_t from)
{
	size_t kept = from;

	for (size_t i = from; i < counting->event_count; i++) {
		if (i != kept)
			event_replace(&counting->events[kept], &counting->events[i]);
		kept += !event_merge(counting, kept);
	}
	counting->event_count = kept;
}

static struct touch_event *event_new(struct counting *counting)
{
	if (counting->event_count == counting->event_capacity) {
		size_t capacity = counting->event_capacity ? 2 * counting->event_capacity : 32;
		struct touch_event *grown = arena_array(counting->arena, capacity, sizeof(*grown));

		if (counting->event_count)
			memcpy(grown, counting->events, counting->event_count * sizeof(*grown));
		counting->events = grown;
		counting->event_capacity = capacity;
	}
	return &counting->events[counting->event_count++];
}

/* The greatest common divisor of a power of two and a number. */
static unsigned divisor_of_power(unsigned power, unsigned number)
{
	unsigned divisor = 1;

	while (divisor < power && !(number & divisor))
		divisor *= 2;
	return divisor;
}

/* Slopes modulo what the access repeats after, and the steps by which it can be shifted. */
static void event_slopes(const struct counting *counting, struct touch_event *event, const int64_t *slope)
{
	unsigned repeat = repeat_bytes(event->space), grain = repeat;

	memset(event->slope, 0, sizeof(event->slope));
	for (uint32_t axis = 0; axis < counting->axes->count; axis++) {
		if (!(counting->axes->active >> axis & 1))
			continue;
		event->slope[axis] = (uint8_t)((uint64_t)slope[axis] & (repeat - 1));
		grain = divisor_of_power(grain, event->slope[axis]);
	}
	event->grain = grain;
	event->shifts = repeat / grain;
}

/* Counts the event as if all shifts were equally frequent. */
static void event_average(struct counting *counting, struct touch_event *event)
{
	counting->inexact = true;
	event_table(counting, event);
	for (unsigned row = 1; row < event->shifts; row++) {
		event->first[0] += event->first[row];
		event->second[0] += event->second[row];
	}
	event->first[0] /= event->shifts;
	event->second[0] /= event->shifts;
	event_count(counting, event);
}

void events_add(struct counting *counting, uint32_t slot, const struct warp_value *address, uint32_t mask,
                const struct step *step, enum ptx_space space)
{
	struct touch_event *event = event_new(counting);
	bool line = address->form == FORM_LINE;

	event->slot = slot;
	event->space = space;
	event->bytes = step->bytes;
	event->mask = mask;
	event->times = counting->weight;
	event->tabled = false;
	event->gradient = NO_AXIS;
	event->sign = 1;
	event->line = line;
	event->step = address->step;
	event->base = address->base;
	if (!line)
		event_keep_lanes(counting, event, address->lane);
	event_slopes(counting, event, address->slope);
	if (event->shifts == 1) {
		event_count(counting, event);
		counting->event_count--;
	} else if (counting->rough || counting->event_count > EVENTS_MOST) {
		event_average(counting, event);
		counting->event_count--;
	} else if (event_merge(counting, counting->event_count - 1)) {
		counting->event_count--;
	}
}

/* Adds the rows of one table, times something, to those of another. */
static void table_add_times(double *restrict to, const double *restrict from, unsigned rows, double times)
{
	for (unsigned row = 0; row < rows; row++)
		to[row] += from[row] * times;
}

/* table[j] becomes the sum over i < count of table[j + i * stride], indices modulo shifts, which is more than stride.
 */
static void table_repeat(double *table, unsigned shifts, unsigned stride, double whole, unsigned rest)
{
	double sums[LINE_BYTES] = {0};
	unsigned cycle = shifts / divisor_of_power(shifts, stride), from = 0;

	for (unsigned i = 0; i < cycle; i++) {
		table_add_times(sums, table + from, shifts - from, whole + (i < rest));
		table_add_times(sums + (shifts - from), table, from, whole + (i < rest));
		from = from + stride < shifts ? from + stride : from + stride - shifts;
	}
	memcpy(table, sums, shifts * sizeof(*table));
}

/* Positions after which the event is shifted by whole repeats along the axis. */
static uint64_t event_cycle(const struct touch_event *event, uint32_t axis)
{
	unsigned repeat = event->grain * event->shifts;

	return repeat / divisor_of_power(repeat, event->slope[axis]);
}

/* Positions of one axis are summed into the event. */
static void event_repeat(struct counting *counting, struct touch_event *event, uint32_t axis, int64_t count)
{
	uint64_t cycle = event_cycle(event, axis), cycles = (uint64_t)count / cycle;
	unsigned stride = event->slope[axis] / event->grain, rest = (unsigned)((uint64_t)count % cycle);
	double whole = (double)cycles;

	if (count == 1)
		return;
	if (cycle > 1) {
		event_table(counting, event);
		table_repeat(event->first, event->shifts, stride, whole, rest);
		table_repeat(event->second, event->shifts, stride, whole, rest);
	} else if (event->tabled) {
		for (unsigned row = 0; row < event->shifts; row++) {
			event->first[row] *= (double)count;
			event->second[row] *= (double)count;
		}
	} else {
		event->times *= (double)count;
	}
	event->slope[axis] = 0;
}

/* A copy of an event at the end of the list. */
static struct touch_event *event_copy(struct counting *counting, size_t index)
{
	struct touch_event *copy = event_new(counting);
	const struct touch_event *event = &counting->events[index];
	struct touch_event place = *copy;

	*copy = *event;
	copy->first = place.first;
	copy->second = place.second;
	copy->lanes = place.lanes;
	if (event->tabled) {
		event_reserve(counting, copy);
		memcpy(copy->first, event->first, event->shifts * sizeof(double));
		memcpy(copy->second, event->second, event->shifts * sizeof(double));
	} else if (!event->line) {
		event_keep_lanes(counting, copy, event->lanes);
	}
	return copy;
}

/* The trips change along a launch axis: so does what the event touches, by its trips over one position. */
static void event_gradient(struct counting *counting, size_t index, uint32_t axis, uint32_t outer, int64_t slope)
{
	struct touch_event *copy;

	if (counting->events[index].gradient != NO_AXIS) {
		counting->bent = true;
		return;
	}
	copy = event_copy(counting, index);
	copy->gradient = outer;
	copy->sign = slope < 0 ? -1 : 1;
	event_repeat(counting, copy, axis, slope < 0 ? -slope : slope);
	copy->slope[axis] = 0;
}

void events_repeat(struct counting *counting, uint32_t axis, const struct trips *trips)
{
	size_t count = counting->event_count;

	for (size_t i = counting->axes->list[axis].first_event; i < count; i++) {
		uint64_t cycle = event_cycle(&counting->events[i], axis);

		for (uint32_t outer = 0; outer < axis; outer++) {
			uint64_t slope =
				(uint64_t)(trips->slope[outer] < 0 ? -trips->slope[outer] : trips->slope[outer]);

			if (!slope || !(counting->axes->active >> outer & 1))
				continue;
			if (slope % cycle)
				axes_period(counting->axes, outer, cycle / axes_divisor(cycle, slope % cycle));
			else if (outer < counting->axes->launch_count)
				event_gradient(counting, i, axis, outer, trips->slope[outer]);
		}
		event_repeat(counting, &counting->events[i], axis, trips->count);
		counting->events[i].slope[axis] = 0;
	}
	events_settle(counting, counting->axes->list[axis].first_event);
}

void events_forget(struct counting *counting, uint32_t axis)
{
	for (size_t i = counting->axes->list[axis].first_event; i < counting->event_count; i++)
		counting->events[i].slope[axis] = 0;
	events_settle(counting, counting->axes->list[axis].first_event);
}

void events_align(struct counting *counting, size_t first, uint32_t axes)
{
	for (size_t i = first; i < counting->event_count; i++)
		for (uint32_t axis = 0; axis < counting->axes->count; axis++)
			if (axes & counting->axes->active & 1u << axis)
				axes_period(counting->axes, axis, event_cycle(&counting->events[i], axis));
}

void events_flush(struct counting *counting, size_t first)
{
	for (size_t i = first; i < counting->event_count; i++)
		event_count(counting, &counting->events[i]);
	counting->event_count = first;
}

void events_finish(struct counting *counting)
{
	for (size_t i = 0; i < counting->event_count; i++) {
		struct touch_event *event = &counting->events[i];

		for (uint32_t axis = 0; axis < counting->axes->launch_count; axis++)
			if (counting->axes->active >> axis & 1)
				event_repeat(counting, event, axis, counting->axes->list[axis].count);
		event_count(counting, event);
	}
	counting->event_count = 0;
}
