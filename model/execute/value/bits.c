/*
 * Quotients, remainders, bit fields and logic of values along the axes.
 *
 * floor((v + c t) / d) is linear in t where d divides c. Elsewhere it repeats every d / gcd(c, d) positions, so the
 * axis is taken in steps of that many; or, where that is too long, v stays within one quotient and the axis ends where
 * it leaves. Bit fields are remainders of quotients; logic with disjoint bits is a sum.
 */
#include "model/execute/value/value.h"

#include <string.h>

static uint64_t magnitude(int64_t number)
{
	return number < 0 ? -(uint64_t)number : (uint64_t)number;
}

/* floor(number / divisor) of one lane. */
static uint64_t divide_number(uint64_t raw, unsigned bits, uint64_t divisor, bool is_signed)
{
	int64_t number = value_signed(raw, bits);

	if (!is_signed || number >= 0)
		return raw / divisor;
	return ~(~(uint64_t)number / divisor);
}

static void divide_lanes(const struct warp_value *value, uint64_t divisor, bool is_signed, struct warp_value *quotient)
{
	bool power = !(divisor & (divisor - 1));
	unsigned shift = (unsigned)__builtin_ctzll(divisor), bits = value->bits;

	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		uint64_t raw = value_lane(value, lane);

		if (power)
			raw = is_signed ? (uint64_t)(value_signed(raw, bits) >> shift) : raw >> shift;
		else
			raw = divide_number(raw, bits, divisor, is_signed);
		quotient->lane[lane] = raw & value_mask(bits);
	}
	quotient->form = FORM_LANES;
}

/* The quotient of every lane; on a line that does not leave one quotient it is the same for all. */
static void divide_value(const struct warp_value *value, uint64_t divisor, bool is_signed, struct warp_value *quotient,
                         uint32_t mask)
{
	unsigned first = mask ? (unsigned)__builtin_ctz(mask) : 0,
		 last = mask ? 31u - (unsigned)__builtin_clz(mask) : 0;
	uint64_t low = divide_number(value_lane(value, first), value->bits, divisor, is_signed);
	uint64_t high = divide_number(value_lane(value, last), value->bits, divisor, is_signed);
	uint64_t reach = (value->step < 0 ? -(uint64_t)value->step : (uint64_t)value->step) * (last - first);

	if (value->form == FORM_LINE && (value->step == 0 || (low == high && reach < divisor))) {
		quotient->form = FORM_LINE;
		quotient->base = low & value_mask(value->bits);
		quotient->step = 0;
		return;
	}
	divide_lanes(value, divisor, is_signed, quotient);
	value_compact(quotient, mask);
}

/* Axes whose slope the divisor does not divide. */
static uint32_t odd_axes(const struct axes *axes, const struct warp_value *value, uint64_t divisor)
{
	uint32_t odd = 0;

	for (uint32_t axis = 0; axis < axes->count; axis++)
		if (axes->active >> axis & 1 && magnitude(value->slope[axis]) % divisor)
			odd |= 1u << axis;
	return odd;
}

/*
 * The remainder, growing along the odd axes, must stay within [0, divisor). Applies it, or only tells whether it does
 * in the whole box.
 */
static bool stays_within(struct axes *axes, const struct warp_value *value, const struct warp_value *remainder,
                         uint64_t divisor, uint32_t odd, uint32_t mask, bool apply)
{
	struct bound up = {.owner = NO_INDEX}, down = {.owner = NO_INDEX};
	int128 low, high;

	value_range(remainder, mask, false, &low, &high);
	up.slack = low;
	down.slack = (int128)divisor - 1 - high;
	for (uint32_t axis = 0; axis < axes->count; axis++) {
		int64_t slope = odd >> axis & 1 ? value->slope[axis] : 0;
		int128 reach = (int128)slope * (axes->list[axis].count - 1);

		up.slope[axis] = slope;
		down.slope[axis] = slope == INT64_MIN ? INT64_MAX : -slope;
		if (!apply && slope < 0)
			up.slack += reach;
		if (!apply && slope > 0)
			down.slack -= reach;
	}
	if (apply) {
		axes_require(axes, &up);
		axes_require(axes, &down);
	}
	return up.slack >= 0 && down.slack >= 0;
}

/*
 * Whether a launch axis is better cut where the quotient changes than taken in steps of the period after which the
 * remainder repeats: the pieces are fewer than the phases.
 */
static bool cut_is_better(const struct axes *axes, const struct warp_value *value, uint32_t axis, uint64_t divisor,
                          uint64_t period)
{
	int128 reach = (int128)magnitude(value->slope[axis]) * (axes->list[axis].count - 1);

	return axis < axes->launch_count && reach / divisor + 1 < period;
}

/* Makes the division linear along all axes that stay active. */
static void divide_axes(struct axes *axes, const struct warp_value *value, const struct warp_value *remainder,
                        uint64_t divisor, uint32_t mask)
{
	uint32_t odd = odd_axes(axes, value, divisor), loops = odd >> axes->launch_count << axes->launch_count;

	if (!odd)
		return;
	if (!loops && stays_within(axes, value, remainder, divisor, odd, mask, false))
		return;
	for (uint32_t axis = 0; axis < axes->count; axis++) {
		uint64_t period;

		if (!(odd >> axis & 1))
			continue;
		period = divisor / axes_divisor(divisor, magnitude(value->slope[axis]) % divisor);
		if (cut_is_better(axes, value, axis, divisor, period))
			continue;
		if (period <= MAX_PERIOD || axis < axes->launch_count) {
			axes_period(axes, axis, period);
			odd &= ~(1u << axis);
		}
	}
	odd &= axes->active;
	if (odd)
		stays_within(axes, value, remainder, divisor, odd, mask, true);
}

void value_divide(struct axes *axes, const struct warp_value *value, uint64_t divisor, uint32_t mask, bool is_signed,
                  struct warp_value *quotient, struct warp_value *remainder)
{
	struct warp_value source, whole, rest;
	uint32_t bent = value->curved & axes->active ? value_varies(axes, value) : 0;
	bool varies = !bent && value_varies(axes, value) != 0;

	value_copy(axes, &source, value);
	if (varies)
		value_require_number(axes, &source, mask, is_signed);
	value_copy(axes, &whole, &source);
	divide_value(&source, divisor, is_signed, &whole, mask);
	value_combine(axes, &rest, &source, 1, &whole, -divisor, 0, source.bits);
	if (varies)
		divide_axes(axes, &source, &rest, divisor, mask);
	for (uint32_t axis = 0; axis < axes->count; axis++) {
		bool even = magnitude(source.slope[axis]) % divisor == 0;
		int64_t part = divisor <= INT64_MAX ? source.slope[axis] / (int64_t)divisor : 0;

		whole.slope[axis] = even ? part : 0;
		rest.slope[axis] = even ? 0 : source.slope[axis];
	}
	whole.curved |= bent;
	rest.curved |= bent;
	if (quotient)
		value_copy(axes, quotient, &whole);
	if (remainder)
		value_copy(axes, remainder, &rest);
}

void value_field(struct axes *axes, struct warp_value *out, const struct warp_value *value, unsigned position,
                 unsigned length, uint32_t mask)
{
	unsigned bits = value->bits;

	if (position >= bits || position >= 64 || length == 0) {
		value_set(out, bits, 0);
		return;
	}
	value_copy(axes, out, value);
	if (position)
		value_divide(axes, out, UINT64_C(1) << position, mask, false, out, NULL);
	if (length < bits - position && length < 64)
		value_divide(axes, out, UINT64_C(1) << length, mask, false, NULL, out);
}

/* Bits that are zero at the low end of every lane, and of every slope. */
static unsigned trailing_zeros(const struct axes *axes, const struct warp_value *value, uint32_t mask)
{
	uint64_t any = 0;

	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		if (mask >> lane & 1)
			any |= value_lane(value, lane);
	for (uint32_t axis = 0; axis < axes->count; axis++)
		if (axes->active >> axis & 1)
			any |= (uint64_t)value->slope[axis];
	return any ? (unsigned)__builtin_ctzll(any) : value->bits;
}

/* Lane by lane; curved along the axes. */
static void logic_lanes(const struct axes *axes, struct warp_value *out, int operator, const struct warp_value * a,
                        const struct warp_value *b, uint32_t mask)
{
	uint32_t curved = value_varies(axes, a) | value_varies(axes, b);
	struct warp_value result;

	value_set(&result, a->bits, 0);
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		uint64_t x = value_lane(a, lane), y = value_lane(b, lane);

		result.lane[lane] = operator== '&' ? x & y : operator== '|' ? x | y : x ^ y;
	}
	result.form = FORM_LANES;
	value_compact(&result, mask);
	result.curved = curved;
	value_copy(axes, out, &result);
}

/* The bits of a value that varies where a mask has a run of ones, in their place. */
static void and_run(struct axes *axes, struct warp_value *out, const struct warp_value *value, unsigned position,
                    unsigned length, uint32_t mask)
{
	unsigned bits = value->bits;

	value_field(axes, out, value, position, length, mask);
	if (position)
		value_combine(axes, out, out, UINT64_C(1) << position, NULL, 0, 0, bits);
}

/* and with a constant, of a value that varies: the sum of its runs of ones. Returns false where they are too many. */
static bool and_constant(struct axes *axes, struct warp_value *out, const struct warp_value *value, uint64_t ones,
                         uint32_t mask)
{
	unsigned bits = value->bits;
	struct warp_value source, piece;

	if (__builtin_popcountll(ones & ~(ones << 1)) > BITS_RUNS)
		return false;
	value_copy(axes, &source, value);
	value_set(out, bits, 0);
	while (ones) {
		unsigned position = (unsigned)__builtin_ctzll(ones);
		uint64_t above = ~(ones >> position);
		unsigned length = above ? (unsigned)__builtin_ctzll(above) : 64 - position;

		and_run(axes, &piece, &source, position, length, mask);
		value_combine(axes, out, out, 1, &piece, 1, 0, bits);
		ones &= ~(value_mask(length) << position);
	}
	return true;
}

/* or, xor of a value whose low bits are zero with one that has no others: their sum. */
static bool logic_sum(struct axes *axes, struct warp_value *out, const struct warp_value *high,
                      const struct warp_value *low, uint32_t mask, unsigned bits)
{
	unsigned zeros = trailing_zeros(axes, high, mask);
	int128 least, greatest;

	value_range(low, mask, false, &least, &greatest);
	if (low->curved & axes->active || zeros >= bits || greatest >= (int128)1 << zeros)
		return false;
	value_require_within(axes, low, mask, false, 0, ((int128)1 << zeros) - 1);
	value_combine(axes, out, high, 1, low, 1, 0, bits);
	return true;
}

/* With a constant below 2^z where all slopes are multiples of 2^z: the low bits are the same everywhere on the axes. */
static bool logic_low(const struct axes *axes, struct warp_value *out, int operator, const struct warp_value * value,
                      const struct warp_value *constant, uint32_t mask)
{
	uint64_t slopes = 0;
	int64_t slope[MAX_AXES];
	int128 least, greatest;

	for (uint32_t axis = 0; axis < axes->count; axis++)
		if (axes->active >> axis & 1)
			slopes |= (uint64_t)value->slope[axis];
	value_range(constant, mask, false, &least, &greatest);
	if (value->curved & axes->active || operator== '&' || !slopes || greatest >=(int128) 1
	                                            << __builtin_ctzll(slopes))
		return false;
	memcpy(slope, value->slope, sizeof(slope));
	logic_lanes(axes, out, operator, value, constant, mask);
	memcpy(out->slope, slope, axes->count * sizeof(slope[0]));
	out->curved = 0;
	return true;
}

void value_logic(struct axes *axes, struct warp_value *out, int operator, const struct warp_value * a,
                 const struct warp_value *b, uint32_t mask, unsigned bits)
{
	struct warp_value narrow_a, narrow_b;
	uint32_t varies_a, varies_b;

	value_combine(axes, &narrow_a, a, 1, NULL, 0, 0, bits);
	value_combine(axes, &narrow_b, b, 1, NULL, 0, 0, bits);
	varies_a = value_varies(axes, &narrow_a);
	varies_b = value_varies(axes, &narrow_b);
	if (varies_a || varies_b) {
		if (operator== '&' && !varies_b && value_is_uniform(&narrow_b, mask) && narrow_b.form == FORM_LINE &&
		    and_constant(axes, out, &narrow_a, narrow_b.base, mask))
			return;
		if (operator== '&' && !varies_a && value_is_uniform(&narrow_a, mask) && narrow_a.form == FORM_LINE &&
		    and_constant(axes, out, &narrow_b, narrow_a.base, mask))
			return;
		if (operator!= '&' &&(logic_sum(axes, out, &narrow_a, &narrow_b, mask, bits) ||
		                      logic_sum(axes, out, &narrow_b, &narrow_a, mask, bits)))
			return;
		if (!varies_b && logic_low(axes, out, operator, & narrow_a, &narrow_b, mask))
			return;
		if (!varies_a && logic_low(axes, out, operator, & narrow_b, &narrow_a, mask))
			return;
	}
	logic_lanes(axes, out, operator, & narrow_a, &narrow_b, mask);
}
