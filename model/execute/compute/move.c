/*
 * Moves, also of vectors; conversions; addresses of one space seen from another.
 */
#include "model/execute/compute/compute.h"

#define LEAST_PIECE 8 /* bits of an element that vectors are made of */

void compute_conversion(struct execution *x)
{
	const struct ptx_insn *insn = x->step->insn;
	enum ptx_type from = (enum ptx_type)insn->source_type, to = (enum ptx_type)insn->type;
	unsigned to_bits = plan_type_bits(to);
	uint32_t reg = x->step->target_count ? x->step->targets[0] : NO_INDEX;

	if (ptx_type_is_float(from) || ptx_type_is_float(to) || insn->saturate || x->sources[0]->doubt == UNKNOWN) {
		x->bits = to_bits;
		compute_lanes(x);
	} else {
		value_convert(x->axes, &x->result, x->sources[0], x->mask, ptx_type_is_signed(from), to_bits);
	}
	if (reg != NO_INDEX && ptx_type_is_signed(to) && x->place->plan->bits[reg] > to_bits)
		value_convert(x->axes, &x->result, &x->result, x->mask, true, x->place->plan->bits[reg]);
}

/* Window of generic addresses that a space is seen through. */
static uint64_t space_window(enum ptx_space space)
{
	return space == SPACE_SHARED ? SHARED_WINDOW : space == SPACE_LOCAL ? LOCAL_WINDOW : 0;
}

void compute_address(struct execution *x)
{
	uint64_t window = space_window((enum ptx_space)x->step->space);

	if (x->step->insn->operation == OP_cvta_to)
		window = -window;
	value_combine(x->axes, &x->result, x->sources[0], 1, NULL, 0, window, x->bits);
}

void compute_isspacep(struct execution *x)
{
	uint64_t window = space_window((enum ptx_space)x->step->space);
	uint32_t lanes = 0;

	if (x->sources[0]->doubt) {
		value_set_predicate(&x->result, 0, ALL_LANES, UNKNOWN, x->sources[0]->origin);
		return;
	}
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		if (value_lane(x->sources[0], lane) >> 56 == window >> 56)
			lanes |= UINT32_C(1) << lane;
	value_set_predicate(&x->result, lanes, 0, KNOWN, NO_INDEX);
}

void compute_moves(struct execution *x)
{
	for (unsigned i = 0; i < x->step->target_count && i < x->step->source_count; i++)
		compute_target(x, i, compute_source(x->place, &x->step->sources[i]));
}

/* A piece of each lane of numbers in a row. */
static void row_piece(struct execution *x, unsigned from, struct warp_value *piece)
{
	const struct warp_value *source = x->sources[0];

	value_set_unknown(piece, x->bits, SHIFTED, source->origin);
	piece->shift = ++*x->place->shifts;
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		piece->lane[lane] = value_lane(source, lane) >> from;
	piece->form = FORM_LANES;
	value_compact(piece, x->mask);
}

/* mov {a, b}, c: pieces from the low end up. */
static void unpack(struct execution *x)
{
	unsigned pieces = x->step->target_count, width = x->bits / pieces;

	if (width < LEAST_PIECE) {
		compute_unknown(x);
		return;
	}
	for (unsigned i = 0; i < pieces; i++) {
		struct warp_value piece;

		if (compute_is_row(x))
			row_piece(x, i * width, &piece);
		else if (x->sources[0]->doubt)
			value_set_unknown(&piece, x->bits, (enum value_doubt)x->sources[0]->doubt,
			                  x->sources[0]->origin);
		else if (i == 0)
			value_copy(x->axes, &piece, x->sources[0]);
		else
			value_divide(x->axes, x->sources[0], UINT64_C(1) << (i * width), x->mask, false, &piece, NULL);
		value_combine(x->axes, &x->result, &piece, 1, NULL, 0, 0, width);
		compute_target(x, i, &x->result);
	}
}

/* mov c, {a, b} */
static void pack(struct execution *x)
{
	unsigned width = x->bits / x->count;
	bool row = compute_is_row(x);
	uint32_t origin = row ? compute_row_begin(x) : NO_INDEX;
	struct warp_value piece;

	if (width < LEAST_PIECE || x->step->source_count > MOST_SOURCES) {
		value_set_unknown(&x->result, x->bits, UNKNOWN, x->step->index);
		return;
	}
	if (compute_doubtful(x, x->bits))
		return;
	value_set(&x->result, x->bits, 0);
	for (unsigned i = 0; i < x->count; i++) {
		const struct warp_value *source = x->sources[i];

		value_convert(x->axes, &piece, source, x->mask, false, x->bits);
		value_combine(x->axes, &x->result, &x->result, 1, &piece, UINT64_C(1) << (i * width), 0, x->bits);
	}
	if (row)
		compute_row_end(x, origin);
}

void compute_mov(struct execution *x)
{
	if (x->step->target_count > 1 && x->step->source_count == 1) {
		unpack(x);
	} else if (x->step->target_count == 1 && x->step->source_count > 1) {
		pack(x);
		compute_target(x, 0, &x->result);
	} else {
		compute_moves(x);
	}
}
