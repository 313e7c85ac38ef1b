/*
 * Products, shifts, quotients and remainders of what a warp holds, with their slopes along the axes.
 */
#include "model/execute/compute/compute.h"

/* Slopes of a product where both factors change: linear along the axes of one factor while those of the other stand
 * still. */
static void product_slopes(struct execution *x, const struct warp_value *a, const struct warp_value *b,
                           struct warp_value *out)
{
	uint32_t varies_a = value_varies(x->axes, a), varies_b = value_varies(x->axes, b);
	uint32_t curved = varies_a > varies_b ? varies_a : varies_b;

	if (!varies_a || !varies_b)
		curved = 0;
	for (uint32_t axis = 0; axis < x->axes->count; axis++) {
		bool in_a = varies_a >> axis & 1, in_b = varies_b >> axis & 1;
		const struct warp_value *steady = in_a ? b : a, *moving = in_a ? a : b;

		out->slope[axis] = 0;
		if ((!in_a && !in_b) || curved >> axis & 1)
			continue;
		if (steady->form != FORM_LINE || steady->step != 0 || (moving->curved >> axis & 1))
			curved |= 1u << axis;
		else
			out->slope[axis] = value_signed((uint64_t)moving->slope[axis] * steady->base, out->bits);
	}
	out->curved = curved;
}

/* a * b in `bits` bits, both already that wide. */
static void multiply(struct execution *x, const struct warp_value *a, const struct warp_value *b, unsigned bits,
                     struct warp_value *out)
{
	struct warp_value product;

	if (compute_is_plain(x, b)) {
		value_combine(x->axes, out, a, b->base, NULL, 0, 0, bits);
		return;
	}
	if (compute_is_plain(x, a)) {
		value_combine(x->axes, out, b, a->base, NULL, 0, 0, bits);
		return;
	}
	if (a->doubt || b->doubt) {
		bool same = a->doubt != UNKNOWN && b->doubt != UNKNOWN && value_is_uniform(a, x->mask) &&
		            value_is_uniform(b, x->mask);

		value_set_unknown(out, bits, same ? SHIFTED : UNKNOWN, a->doubt ? a->origin : b->origin);
		return;
	}
	value_set(&product, bits, 0);
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		product.lane[lane] = value_lane(a, lane) * value_lane(b, lane) & value_mask(bits);
	product.form = FORM_LANES;
	value_compact(&product, x->mask);
	product_slopes(x, a, b, &product);
	value_copy(x->axes, out, &product);
}

void compute_product(struct execution *x)
{
	const struct ptx_insn *insn = x->step->insn;
	bool add = insn->operation == OP_mad;
	unsigned bits = x->bits;
	struct warp_value wide_a, wide_b;
	const struct warp_value *a = x->sources[0], *b = x->sources[1];

	if (compute_magic(x))
		return;
	if (insn->mode == MODE_HI || x->count < (add ? 3u : 2u)) {
		compute_lanes(x);
		return;
	}
	if (insn->mode == MODE_WIDE) {
		bits *= 2;
		value_convert(x->axes, &wide_a, a, x->mask, x->is_signed, bits);
		value_convert(x->axes, &wide_b, b, x->mask, x->is_signed, bits);
		a = &wide_a;
		b = &wide_b;
	}
	multiply(x, a, b, bits, &x->result);
	if (add)
		value_combine(x->axes, &x->result, &x->result, 1, x->sources[2], 1, 0, bits);
}

void compute_shift(struct execution *x)
{
	const struct warp_value *amount = x->sources[1];
	bool left = x->step->insn->operation == OP_shl, varies = value_varies(x->axes, x->sources[0]) != 0;
	uint64_t bits = x->bits;

	if (!compute_is_plain(x, amount) || (!left && (!varies || x->sources[0]->doubt)))
		compute_lanes(x);
	else if (left)
		value_combine(x->axes, &x->result, x->sources[0],
		              amount->base >= bits ? 0 : UINT64_C(1) << amount->base, NULL, 0, 0, x->bits);
	else if (amount->base >= bits && !x->is_signed)
		value_set(&x->result, x->bits, 0);
	else
		value_divide(x->axes, x->sources[0], UINT64_C(1) << (amount->base >= bits ? bits - 1 : amount->base),
		             x->mask, x->is_signed, &x->result, NULL);
}

/* div and rem by a positive number that is the same everywhere, of numbers that are and stay non-negative. */
void compute_division(struct execution *x)
{
	const struct warp_value *number = x->sources[0], *divisor = x->sources[1];
	bool remainder = x->step->insn->operation == OP_rem;
	int128 least, greatest;

	if (number->doubt || number->curved & x->axes->active || !compute_is_plain(x, divisor) ||
	    !value_varies(x->axes, number) || value_signed(divisor->base, x->bits) <= 0) {
		compute_lanes(x);
		return;
	}
	value_range(number, x->mask, x->is_signed, &least, &greatest);
	if (least < 0) {
		compute_lanes(x);
		return;
	}
	if (x->is_signed)
		value_require_within(x->axes, number, x->mask, true, 0, ((int128)1 << (x->bits - 1)) - 1);
	value_divide(x->axes, number, divisor->base, x->mask, x->is_signed, remainder ? NULL : &x->result,
	             remainder ? &x->result : NULL);
}
