/*
 * One step of the slice: the operation chosen by its rule (plan/operations.def).
 */
#include "model/execute/compute/compute.h"

static void compute_logic(struct execution *x)
{
	if (!value_varies(x->axes, x->sources[0]) && !value_varies(x->axes, x->sources[1]))
		compute_lanes(x);
	else if (!compute_doubtful(x, x->bits))
		value_logic(x->axes, &x->result, x->step->rule->operator, x->sources[0], x->sources[1], x->mask,
		            x->bits);
}

static void compute_field(struct execution *x)
{
	if (x->count < 3 || x->is_signed || !compute_is_plain(x, x->sources[1]) ||
	    !compute_is_plain(x, x->sources[2]) || x->sources[0]->doubt || !value_varies(x->axes, x->sources[0]))
		compute_lanes(x);
	else
		value_field(x->axes, &x->result, x->sources[0], x->sources[1]->base & 0xff, x->sources[2]->base & 0xff,
		            x->mask);
}

static void compute_sum(struct execution *x)
{
	switch (x->step->insn->operation) {
	case OP_add:
		value_combine(x->axes, &x->result, x->sources[0], 1, x->sources[1], 1, 0, x->bits);
		break;
	case OP_sub:
		value_combine(x->axes, &x->result, x->sources[0], 1, x->sources[1], UINT64_MAX, 0, x->bits);
		break;
	case OP_neg:
		value_combine(x->axes, &x->result, x->sources[0], UINT64_MAX, NULL, 0, 0, x->bits);
		break;
	default:
		value_combine(x->axes, &x->result, x->sources[0], UINT64_MAX, NULL, 0, UINT64_MAX, x->bits);
		break;
	}
}

static void compute_shifts(struct execution *x)
{
	if (!compute_magic(x))
		compute_shift(x);
}

static void compute_active(struct execution *x)
{
	value_set(&x->result, 32, x->mask);
}

/* What evaluates each kind of operation. integers: of other numbers lane by lane. writes: its targets; others leave one
 * result in x->result. */
static const struct {
	void (*compute)(struct execution *x);
	bool integers, writes;
} ways[] = {
	[HOW_UNKNOWN] = {compute_unknown, .writes = true},
	[HOW_MEMORY] = {compute_unknown, .writes = true},
	[HOW_MOVE] = {compute_mov, .writes = true},
	[HOW_SUM] = {compute_sum, .integers = true},
	[HOW_PRODUCT] = {compute_product, .integers = true},
	[HOW_SHIFT] = {compute_shifts, .integers = false},
	[HOW_DIVISION] = {compute_division, .integers = true},
	[HOW_LOGIC] = {compute_logic, .integers = false},
	[HOW_FIELD] = {compute_field, .integers = false},
	[HOW_EXTREME] = {compute_extreme, .integers = true},
	[HOW_COMPARE] = {compute_setp, .writes = true},
	[HOW_SELECT] = {compute_selp, .integers = false},
	[HOW_SET] = {compute_set, .integers = false},
	[HOW_CONVERT] = {compute_conversion, .integers = false},
	[HOW_ADDRESS] = {compute_address, .integers = false},
	[HOW_SPACE] = {compute_isspacep, .integers = false},
	[HOW_LANES] = {compute_lanes, .integers = false},
	[HOW_SHUFFLE] = {compute_shuffle, .integers = false},
	[HOW_VOTE] = {compute_vote, .integers = false},
	[HOW_ACTIVE] = {compute_active, .integers = false},
	[HOW_ELECT] = {compute_elect, .integers = false},
};

/* Operations of which a result is none of the sums and multiples that keep how far lanes are apart. */
static bool takes_apart(enum plan_how how, const struct ptx_insn *insn)
{
	return how == HOW_SHIFT || how == HOW_DIVISION || how == HOW_LOGIC || how == HOW_FIELD || how == HOW_LANES ||
	       (how == HOW_PRODUCT && insn->mode == MODE_HI);
}

/* Arithmetic on numbers that are no integers modulo 2^bits. */
static bool is_not_modular(const struct ptx_insn *insn)
{
	return ptx_type_is_float((enum ptx_type)insn->type) || insn->saturate;
}

void compute_step(const struct compute_place *place, const struct step *step, uint32_t mask, uint32_t live)
{
	const struct ptx_insn *insn = step->insn;
	enum plan_how how = step->rule->how;
	struct execution x;

	x.place = place;
	x.axes = place->axes;
	x.step = step;
	x.mask = mask;
	x.live = live;
	x.bits = step->bits;
	x.is_signed = step->is_signed;
	if (step->source_count < step->rule->least_sources) {
		compute_unknown(&x);
	} else if (how == HOW_MEMORY && !step->is_memory &&
	           (insn->space == SPACE_PARAM || insn->space == SPACE_CONST)) {
		compute_moves(&x);
	} else if (step->rule->operator&& insn->type == PTX_pred) {
		compute_predicates(&x);
		compute_target(&x, 0, &x.result);
	} else {
		compute_read(&x);
		bool row = takes_apart(how, insn) && !is_not_modular(insn) && compute_is_row(&x);
		uint32_t origin = row ? compute_row_begin(&x) : NO_INDEX;
		if (ways[how].integers && is_not_modular(insn))
			compute_lanes(&x);
		else
			ways[how].compute(&x);
		if (row)
			compute_row_end(&x, origin);
		if (!ways[how].writes)
			compute_target(&x, 0, &x.result);
	}
}
