/*
 * Values of a warp's registers, and arithmetic that keeps their slopes.
 *
 * Sums and multiples are linear modulo 2^bits whatever the numbers are. Reading a value as a number (to compare, divide
 * or widen it) is linear only as long as it does not wrap: that is required of the axes.
 */
#include "model/execute/value/value.h"

#include <string.h>

uint32_t value_varies(const struct axes *axes, const struct warp_value *value)
{
	uint32_t which = value->curved;

	for (uint32_t axis = 0; axis < axes->count; axis++)
		which |= (uint32_t)(value->slope[axis] != 0) << axis;
	return which & axes->active;
}

bool value_is_uniform(const struct warp_value *value, uint32_t mask)
{
	unsigned first = mask ? (unsigned)__builtin_ctz(mask) : 0;

	if (value->form == FORM_LINE)
		return (value->step & (int64_t)value_mask(value->bits)) == 0;
	for (unsigned lane = first; lane < WARP_LANES; lane++)
		if (mask >> lane & 1 && value->lane[lane] != value->lane[first])
			return false;
	return true;
}

void value_lanes(const struct warp_value *value, uint64_t lanes[WARP_LANES])
{
	uint64_t mask = value_mask(value->bits);

	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		lanes[lane] =
			(value->form == FORM_LINE ? value->base + (uint64_t)value->step * lane : value->lane[lane]) &
			mask;
}

void value_set(struct warp_value *value, unsigned bits, uint64_t number)
{
	value->form = FORM_LINE;
	value->doubt = KNOWN;
	value->unset = false;
	value->bits = (uint8_t)bits;
	value->origin = NO_INDEX;
	value->curved = 0;
	value->shift = 0;
	value->base = number & value_mask(bits);
	value->step = 0;
	memset(value->slope, 0, sizeof(value->slope));
}

void value_set_unknown(struct warp_value *value, unsigned bits, enum value_doubt doubt, uint32_t origin)
{
	value_set(value, bits, 0);
	value->doubt = (uint8_t)doubt;
	value->origin = origin;
}

void value_set_predicate(struct warp_value *value, uint32_t lanes, uint32_t unknown, enum value_doubt doubt,
                         uint32_t origin)
{
	value_set(value, 1, 0);
	value->base = lanes & ~unknown;
	value->step = unknown;
	value->doubt = (uint8_t)(unknown ? doubt : KNOWN);
	value->origin = origin;
}

void value_copy(const struct axes *axes, struct warp_value *to, const struct warp_value *from)
{
	if (to == from)
		return;
	to->form = from->form;
	to->doubt = from->doubt;
	to->unset = from->unset;
	to->bits = from->bits;
	to->origin = from->origin;
	to->curved = from->curved;
	to->shift = from->shift;
	to->base = from->base;
	to->step = from->step;
	memcpy(to->slope, from->slope, axes->count * sizeof(to->slope[0]));
	if (from->form == FORM_LANES)
		memcpy(to->lane, from->lane, sizeof(to->lane));
}

/* Adds a * factor to the lanes of out. */
static void add_lanes(uint64_t out[WARP_LANES], const struct warp_value *a, uint64_t factor)
{
	if (a->form == FORM_LINE) {
		uint64_t base = a->base * factor, step = (uint64_t)a->step * factor;

		for (unsigned lane = 0; lane < WARP_LANES; lane++, base += step)
			out[lane] += base;
	} else if (factor == 1) {
		for (unsigned lane = 0; lane < WARP_LANES; lane++)
			out[lane] += a->lane[lane];
	} else {
		for (unsigned lane = 0; lane < WARP_LANES; lane++)
			out[lane] += a->lane[lane] * factor;
	}
}

/* Lanes of a * factor_a + b * factor_b + constant; out may be a or b. */
static void combine_lanes(struct warp_value *out, const struct warp_value *a, uint64_t factor_a,
                          const struct warp_value *b, uint64_t factor_b, uint64_t constant, unsigned bits)
{
	uint64_t mask = value_mask(bits), sums[WARP_LANES];

	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		sums[lane] = constant;
	add_lanes(sums, a, factor_a);
	if (b)
		add_lanes(sums, b, factor_b);
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		out->lane[lane] = sums[lane] & mask;
}

void value_combine(const struct axes *axes, struct warp_value *out, const struct warp_value *a, uint64_t factor_a,
                   const struct warp_value *b, uint64_t factor_b, uint64_t constant, unsigned bits)
{
	uint8_t doubt = b && b->doubt > a->doubt ? b->doubt : a->doubt;
	uint32_t origin = a->doubt || !b ? a->origin : b->origin;
	uint32_t shift = value_shift((enum value_doubt)a->doubt, a->shift, factor_a,
	                             b ? (enum value_doubt)b->doubt : KNOWN, b ? b->shift : 0, factor_b);

	for (uint32_t axis = 0; axis < axes->count; axis++) {
		uint64_t slope = (uint64_t)a->slope[axis] * factor_a + (b ? (uint64_t)b->slope[axis] * factor_b : 0);

		out->slope[axis] = value_signed(slope, bits);
	}
	if (a->form == FORM_LINE && (!b || b->form == FORM_LINE)) {
		uint64_t step = (uint64_t)a->step * factor_a + (b ? (uint64_t)b->step * factor_b : 0);

		out->base = (a->base * factor_a + (b ? b->base * factor_b : 0) + constant) & value_mask(bits);
		out->step = value_signed(step, bits);
		out->form = FORM_LINE;
	} else {
		combine_lanes(out, a, factor_a, b, factor_b, constant, bits);
		out->form = FORM_LANES;
	}
	out->curved = a->curved | (b ? b->curved : 0);
	out->origin = origin;
	out->shift = shift;
	out->doubt = doubt;
	out->unset = false;
	out->bits = (uint8_t)bits;
}

/* A predicate's lanes of mask become those of `from`. */
static void blend_predicate(struct warp_value *to, const struct warp_value *from, uint32_t mask)
{
	uint32_t lanes = ((uint32_t)to->base & ~mask) | ((uint32_t)from->base & mask);
	uint32_t unknown = ((uint32_t)to->step & ~mask) | ((uint32_t)from->step & mask);
	enum value_doubt doubt = from->doubt > to->doubt ? from->doubt : to->doubt;

	if (to->doubt && from->doubt)
		doubt = UNKNOWN;
	value_set_predicate(to, lanes, unknown, doubt, from->doubt ? from->origin : to->doubt ? to->origin : NO_INDEX);
}

void value_blend(const struct axes *axes, struct warp_value *to, const struct warp_value *from, uint32_t mask)
{
	if (to->unset || to->bits != from->bits) {
		value_copy(axes, to, from);
		return;
	}
	if (value_is_predicate(to)) {
		blend_predicate(to, from, mask);
		return;
	}
	if (to->form != FORM_LINE || from->form != FORM_LINE || to->base != from->base || to->step != from->step) {
		for (unsigned lane = 0; lane < WARP_LANES; lane++)
			to->lane[lane] = mask >> lane & 1 ? value_lane(from, lane) : value_lane(to, lane);
		to->form = FORM_LANES;
	}
	for (uint32_t axis = 0; axis < axes->count; axis++)
		if (to->slope[axis] != from->slope[axis])
			to->curved |= 1u << axis;
	to->curved |= from->curved;
	if ((from->doubt || to->doubt) &&
	    !(from->doubt == SHIFTED && to->doubt == SHIFTED && from->shift && from->shift == to->shift))
		to->doubt = UNKNOWN;
	if (from->doubt)
		to->origin = from->origin;
}

void value_compact(struct warp_value *value, uint32_t mask)
{
	unsigned first = mask ? (unsigned)__builtin_ctz(mask) : 0;
	uint32_t rest = mask & (mask - 1);
	unsigned second = rest ? (unsigned)__builtin_ctz(rest) : first;
	int64_t step = 0;

	if (value->form == FORM_LINE)
		return;
	if (second != first) {
		int64_t distance = value_signed(value->lane[second] - value->lane[first], value->bits);

		if (distance % (int64_t)(second - first))
			return;
		step = distance / (int64_t)(second - first);
	}
	for (unsigned lane = second; lane < WARP_LANES; lane++) {
		uint64_t expected = value->lane[first] + (uint64_t)step * (lane - first);

		if (mask >> lane & 1 && (expected & value_mask(value->bits)) != value->lane[lane])
			return;
	}
	value->base = (value->lane[first] - (uint64_t)step * first) & value_mask(value->bits);
	value->step = step;
	value->form = FORM_LINE;
}

uint32_t value_holds(const struct warp_value *value, bool negated)
{
	uint32_t lanes = (uint32_t)value->base & ~(uint32_t)value->step;

	return negated ? ~lanes & ~(uint32_t)value->step : lanes;
}

static int128 lane_number(const struct warp_value *value, unsigned lane, bool is_signed)
{
	uint64_t raw = value_lane(value, lane);

	return is_signed ? (int128)value_signed(raw, value->bits) : (int128)raw;
}

/* A line stays one when its numbers do not wrap between the first and the last lane of mask. */
static bool line_is_straight(const struct warp_value *value, uint32_t mask, bool is_signed)
{
	unsigned first, last;
	int128 expected;

	if (!mask || value->step == 0)
		return true;
	first = (unsigned)__builtin_ctz(mask);
	last = 31u - (unsigned)__builtin_clz(mask);
	expected = lane_number(value, first, is_signed) + (int128)value->step * (last - first);
	return expected == lane_number(value, last, is_signed);
}

static void range_of_lanes(const struct warp_value *value, uint32_t mask, bool is_signed, int128 *least,
                           int128 *greatest)
{
	bool first = true;

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int128 number = lane_number(value, (unsigned)__builtin_ctz(rest), is_signed);

		if (first || number < *least)
			*least = number;
		if (first || number > *greatest)
			*greatest = number;
		first = false;
	}
}

void value_range(const struct warp_value *value, uint32_t mask, bool is_signed, int128 *least, int128 *greatest)
{
	*least = *greatest = 0;
	if (mask && value->form == FORM_LINE && line_is_straight(value, mask, is_signed)) {
		bool rising = value->step >= 0;
		unsigned first = (unsigned)__builtin_ctz(mask), last = 31u - (unsigned)__builtin_clz(mask);

		*least = lane_number(value, rising ? first : last, is_signed);
		*greatest = lane_number(value, rising ? last : first, is_signed);
	} else {
		range_of_lanes(value, mask, is_signed, least, greatest);
	}
}

/* The slope turned round; the one that has no opposite is too steep to be followed anyway. */
static int64_t opposite(int64_t slope)
{
	return slope == INT64_MIN ? INT64_MAX : -slope;
}

void value_require_within(struct axes *axes, const struct warp_value *value, uint32_t mask, bool is_signed,
                          int128 least, int128 greatest)
{
	struct bound bound;
	int128 low, high;

	if (value->doubt || !value_varies(axes, value))
		return;
	axes_pin(axes, value->curved);
	value_range(value, mask, is_signed, &low, &high);
	bound.owner = NO_INDEX;
	bound.equality = false;
	bound.slack = low - least;
	memcpy(bound.slope, value->slope, axes->count * sizeof(*bound.slope));
	axes_require(axes, &bound);
	bound.slack = greatest - high;
	for (uint32_t axis = 0; axis < axes->count; axis++)
		bound.slope[axis] = opposite(value->slope[axis]);
	axes_require(axes, &bound);
}

void value_require_number(struct axes *axes, const struct warp_value *value, uint32_t mask, bool is_signed)
{
	int128 span = (int128)1 << value->bits;

	if (is_signed)
		value_require_within(axes, value, mask, true, -(span / 2), span / 2 - 1);
	else
		value_require_within(axes, value, mask, false, 0, span - 1);
}

void value_convert(struct axes *axes, struct warp_value *out, const struct warp_value *value, uint32_t mask,
                   bool is_signed, unsigned bits)
{
	uint32_t bent = value->doubt || !(value->curved & axes->active) ? 0 : value_varies(axes, value);

	if (bits <= value->bits) {
		value_combine(axes, out, value, 1, NULL, 0, 0, bits);
		return;
	}
	if (!bent)
		value_require_number(axes, value, mask, is_signed);
	if (value->form == FORM_LINE && line_is_straight(value, mask, is_signed)) {
		unsigned first = mask ? (unsigned)__builtin_ctz(mask) : 0;
		uint64_t number = (uint64_t)lane_number(value, first, is_signed);
		int64_t step = value->step;

		value_copy(axes, out, value);
		out->step = step;
		out->base = (number - (uint64_t)step * first) & value_mask(bits);
		out->bits = (uint8_t)bits;
		out->curved |= bent;
		return;
	}
	if (out != value)
		value_copy(axes, out, value);
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		out->lane[lane] = (uint64_t)lane_number(value, lane, is_signed) & value_mask(bits);
	out->form = FORM_LANES;
	out->bits = (uint8_t)bits;
	out->curved |= bent;
}
