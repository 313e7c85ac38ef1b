/*
 * Divisions by constants in disguise, found in plan/magic.c: taken as the quotients that they are wherever that is
 * right for these numbers.
 */
#include "model/execute/compute/compute.h"

bool compute_magic(struct execution *x)
{
	const struct magic *magic = &x->step->magic;
	const struct warp_value *number;
	struct warp_value sized;
	uint128 power, divisor;
	int128 excess, greatest, least, limit;

	if (!magic->shift || magic->shift > 127)
		return false;
	number = compute_source(x->place, &magic->x);
	if (number->doubt || number->bits != magic->bits || number->curved & x->axes->active ||
	    !value_varies(x->axes, number))
		return false;
	power = (uint128)1 << magic->shift;
	divisor = (power + magic->multiplier / 2) / magic->multiplier;
	value_range(number, x->mask, magic->is_signed, &least, &greatest);
	limit = magic->is_signed ? ((int128)1 << (magic->bits - 1)) - 1 : ((int128)1 << magic->bits) - 1;
	if (least < 0 || divisor < 2)
		return false;
	if (divisor > (uint128)limit) {
		excess = 0;
		divisor = (uint128)limit;
		limit = (int128)((power - 1) / magic->multiplier) < limit - 1
		                ? (int128)((power - 1) / magic->multiplier)
		                : limit - 1;
	} else {
		excess = (int128)(divisor * magic->multiplier - power);
	}
	if (excess < 0)
		return false;
	if (excess > 0 && (int128)((power - 1) / (uint128)excess) < limit)
		limit = (int128)((power - 1) / (uint128)excess);
	if (greatest > limit)
		return false;
	value_require_within(x->axes, number, x->mask, magic->is_signed, 0, limit);
	value_divide(x->axes, number, (uint64_t)divisor, x->mask, magic->is_signed, &sized, NULL);
	value_convert(x->axes, &x->result, &sized, x->mask, false, x->bits);
	return true;
}
