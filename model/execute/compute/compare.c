/*
 * Comparisons, predicates and choices.
 *
 * A comparison of numbers that change along the axes comes out the same as long as the sign of their difference does:
 * one bound for the lanes where it holds, one for those where it does not.
 */
#include "model/execute/compute/compute.h"

#include <math.h>
#include <string.h>

/* Slack by which a comparison comes out as it does in one lane: g is how far b is above a. */
static int128 compare_slack(enum ptx_compare compare, int128 g, bool holds)
{
	switch (compare) {
	case COMPARE_LT:
		return holds ? g - 1 : -g;
	case COMPARE_LE:
		return holds ? g : -g - 1;
	case COMPARE_GT:
		return holds ? -g - 1 : g;
	default:
		return holds ? -g : g - 1;
	}
}

static int128 number_of(const struct warp_value *value, unsigned lane, bool is_signed)
{
	uint64_t raw = value_lane(value, lane);

	return is_signed ? (int128)value_signed(raw, value->bits) : (int128)raw;
}

static void require_slopes(struct execution *x, int128 slack, const struct warp_value *up,
                           const struct warp_value *down)
{
	struct bound bound;

	bound.slack = slack;
	bound.owner = x->alike ? x->axes->comparisons : NO_INDEX;
	bound.equality = x->step->insn->compare == COMPARE_EQ || x->step->insn->compare == COMPARE_NE;
	for (uint32_t axis = 0; axis < x->axes->count; axis++) {
		int64_t rises = up ? up->slope[axis] : 0, falls = down ? down->slope[axis] : 0;

		if (__builtin_sub_overflow(rises, falls, &bound.slope[axis]))
			axes_pin(x->axes, 1u << axis);
	}
	axes_require(x->axes, &bound);
}

/* <, <=, >, >= must come out the same along the axes. */
static void require_order(struct execution *x, const struct warp_value *a, const struct warp_value *b, uint32_t holds)
{
	enum ptx_compare compare = (enum ptx_compare)x->step->insn->compare;
	bool rising = compare == COMPARE_LT || compare == COMPARE_LE;
	int128 least[2] = {0, 0};
	bool seen[2] = {false, false};

	value_require_number(x->axes, a, x->mask, x->is_signed);
	value_require_number(x->axes, b, x->mask, x->is_signed);
	for (uint32_t rest = x->mask; rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);
		bool yes = holds >> lane & 1;
		int128 slack = compare_slack(compare,
		                             number_of(b, lane, x->is_signed) - number_of(a, lane, x->is_signed), yes);

		if (!seen[yes] || slack < least[yes])
			least[yes] = slack;
		seen[yes] = true;
	}
	for (int yes = 0; yes < 2; yes++)
		if (seen[yes])
			require_slopes(x, least[yes], rising == (yes == 1) ? b : a, rising == (yes == 1) ? a : b);
}

/* A difference that changes along one axis alone, in steps that do not divide it, never becomes zero. */
static bool misses_zero(const struct execution *x, const struct warp_value *difference, unsigned lane)
{
	uint32_t varies = value_varies(x->axes, difference);
	int64_t slope;

	if (!varies || varies & (varies - 1))
		return false;
	slope = difference->slope[__builtin_ctz(varies)];
	return slope != 0 && slope != -1 && number_of(difference, lane, true) % slope != 0;
}

/* ==, != must come out the same along the axes: differences keep their sign. */
static void require_equality(struct execution *x, const struct warp_value *a, const struct warp_value *b)
{
	struct warp_value difference;
	int128 least[2] = {0, 0};
	bool seen[2] = {false, false}, zero = false;

	value_combine(x->axes, &difference, a, 1, b, UINT64_MAX, 0, x->bits);
	if (!value_varies(x->axes, &difference))
		return;
	value_require_number(x->axes, &difference, x->mask, true);
	for (uint32_t rest = x->mask; rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);
		int128 number = number_of(&difference, lane, true);
		bool positive = number > 0;

		zero |= number == 0;
		if (number == 0 || misses_zero(x, &difference, lane))
			continue;
		number = (positive ? number : -number) - 1;
		if (!seen[positive] || number < least[positive])
			least[positive] = number;
		seen[positive] = true;
	}
	if (seen[1] || zero)
		require_slopes(x, zero ? 0 : least[1], &difference, NULL);
	if (seen[0] || zero)
		require_slopes(x, zero ? 0 : least[0], NULL, &difference);
}

/* Of unknown numbers: no special cases of arithmetic. Returns false where the comparison does not look for such. */
static bool compare_usual(struct execution *x)
{
	if (x->step->usual == USUAL_NONE)
		return false;
	value_set_predicate(&x->result, x->step->usual == USUAL_HOLDS ? ALL_LANES : 0, 0, KNOWN, NO_INDEX);
	*x->place->usual = true;
	return true;
}

static uint32_t compare_lanes(const struct execution *x, enum ptx_type type)
{
	uint64_t a[WARP_LANES], b[WARP_LANES];

	value_lanes(x->sources[0], a);
	value_lanes(x->sources[1], b);
	return scalar_compare_lanes(x->step->insn, type, a, b, WARP_LANES);
}

/* Whether an unknown number that is common to all lanes seldom comes between them. */
static bool seldom_parts(const struct execution *x)
{
	return x->step->spans_warps && x->step->insn->compare >= COMPARE_LT && x->step->insn->compare <= COMPARE_GE;
}

/* Lanes where the comparison holds, as a predicate in result. */
static void compute_comparison(struct execution *x, enum ptx_type type)
{
	const struct warp_value *a = x->sources[0], *b = x->sources[1];
	uint32_t varies = value_varies(x->axes, a) | value_varies(x->axes, b), lanes = 0;
	bool uniform = a->form == FORM_LINE && b->form == FORM_LINE && a->step == 0 && b->step == 0;

	if ((a->doubt || b->doubt) && compare_usual(x))
		return;
	if (a->doubt || b->doubt) {
		bool uniform_sides = value_is_uniform(a, x->mask) && value_is_uniform(b, x->mask);
		bool same = a->doubt != UNKNOWN && b->doubt != UNKNOWN && (uniform_sides || seldom_parts(x));

		value_set_predicate(&x->result, 0, ALL_LANES, same ? SHIFTED : UNKNOWN,
		                    a->doubt ? a->origin : b->origin);
		return;
	}
	x->axes->comparisons++;
	x->alike = uniform && x->step->insn->operation == OP_setp && !x->step->insn->guarded;
	if (uniform)
		lanes = scalar_compare(x->step->insn, type, value_lane(a, 0), value_lane(b, 0)) ? ALL_LANES : 0;
	else
		lanes = compare_lanes(x, type);
	if (varies) {
		bool order = x->step->insn->compare >= COMPARE_LT && x->step->insn->compare <= COMPARE_GE;

		axes_pin(x->axes, ptx_type_is_float(type) ? varies : a->curved | b->curved);
		if (!ptx_type_is_float(type) && order)
			require_order(x, a, b, lanes);
		else if (!ptx_type_is_float(type))
			require_equality(x, a, b);
	}
	value_set_predicate(&x->result, lanes, 0, KNOWN, x->alike ? x->axes->comparisons : NO_INDEX);
}

/* Logic of predicates with lanes that are not known. */
static void predicate_logic(struct warp_value *out, int operator, uint32_t true_a, uint32_t unknown_a, uint32_t true_b,
                            uint32_t unknown_b, enum value_doubt doubt, uint32_t origin)
{
	uint32_t false_a = ~(true_a | unknown_a), false_b = ~(true_b | unknown_b), unknown = unknown_a | unknown_b;

	switch (operator) {
	case '&':
		value_set_predicate(out, true_a & true_b, unknown & ~(false_a | false_b), doubt, origin);
		break;
	case '|':
		value_set_predicate(out, true_a | true_b, unknown & ~(true_a | true_b), doubt, origin);
		break;
	default:
		value_set_predicate(out, (true_a ^ true_b) & ~unknown, unknown, doubt, origin);
		break;
	}
}

static void combine_predicates(struct execution *x, int operator, const struct warp_value * a, bool not_a,
                               const struct warp_value *b, bool not_b)
{
	enum value_doubt doubt = a->doubt > b->doubt ? a->doubt : b->doubt;
	struct warp_value out;

	if (doubt == SHIFTED && operator== '^')
		doubt = UNKNOWN;
	predicate_logic(&out, operator, value_holds(a, not_a), (uint32_t)a->step, value_holds(b, not_b),
	                (uint32_t)b->step, doubt,
	                a->doubt   ? a->origin
	                : b->doubt ? b->origin
	                           : NO_INDEX);
	value_copy(x->axes, &x->result, &out);
}

/* Operations on predicates: and, or, xor, not, mov. */
void compute_predicates(struct execution *x)
{
	const struct warp_value *a = compute_source(x->place, &x->step->sources[0]);
	const struct warp_value *b = x->step->source_count > 1 ? compute_source(x->place, &x->step->sources[1]) : a;
	bool not_a = x->step->sources[0].negated, not_b = x->step->source_count > 1 && x->step->sources[1].negated;

	switch (x->step->rule->operator) {
	case '&':
	case '|':
	case '^':
		combine_predicates(x, x->step->rule->operator, a, not_a, b, not_b);
		break;
	case '!':
		combine_predicates(x, '&', a, !not_a, a, !not_a);
		break;
	default:
		combine_predicates(x, '&', a, not_a, a, not_a);
		break;
	}
}

/* How far apart the sides of a loop's deciding comparison are. */
static void note_distance(const struct execution *x)
{
	double *distance = &x->place->distance[x->step->decides], sum = 0;

	*distance = 0;
	for (uint32_t rest = x->mask; rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);
		int128 apart =
			number_of(x->sources[0], lane, x->is_signed) - number_of(x->sources[1], lane, x->is_signed);

		*distance = fmax(*distance, fabs((double)apart));
		sum += fabs((double)apart);
	}
	x->place->mean[x->step->decides] = x->mask ? sum / value_count(x->mask) : 0;
}

void compute_setp(struct execution *x)
{
	const struct ptx_insn *insn = x->step->insn;
	const struct step_source *third = x->step->source_count > 2 ? &x->step->sources[2] : NULL;
	int operator= insn->boolean == BOOLEAN_AND ? '&' : insn->boolean == BOOLEAN_OR ? '|' : '^';
	struct warp_value compared;

	x->count = 2;
	compute_comparison(x, (enum ptx_type)insn->type);
	if (x->step->decides != PTX_NO_LOOP && x->place->distance)
		note_distance(x);
	value_copy(x->axes, &compared, &x->result);
	for (unsigned i = 0; i < x->step->target_count; i++) {
		struct warp_value result;

		value_set_predicate(&result, value_holds(&compared, i == 1), (uint32_t)compared.step, compared.doubt,
		                    compared.origin);
		value_copy(x->axes, &x->result, &result);
		if (third && insn->boolean != BOOLEAN_NONE)
			combine_predicates(x, operator, & result, false, compute_source(x->place, third),
			                   third->negated);
		compute_target(x, i, &x->result);
	}
}

/* a where the lanes hold, else b. */
static void select_lanes(struct execution *x, uint32_t lanes, const struct warp_value *a, const struct warp_value *b)
{
	struct warp_value out;

	if ((lanes & x->mask) == x->mask) {
		value_copy(x->axes, &out, a);
	} else {
		value_copy(x->axes, &out, b);
		if (lanes & x->mask)
			value_blend(x->axes, &out, a, lanes & x->mask);
		value_compact(&out, x->mask);
	}
	value_copy(x->axes, &x->result, &out);
}

void compute_selp(struct execution *x)
{
	const struct step_source *source = &x->step->sources[2];
	const struct warp_value *predicate = compute_source(x->place, source);
	bool same = predicate->doubt == SHIFTED && value_is_uniform(x->sources[0], x->mask) &&
	            value_is_uniform(x->sources[1], x->mask);

	if ((uint32_t)predicate->step & x->mask)
		value_set_unknown(&x->result, x->bits, same ? SHIFTED : UNKNOWN, predicate->origin);
	else
		select_lanes(x, value_holds(predicate, source->negated), x->sources[0], x->sources[1]);
}

/* min, max, abs of integers: a comparison and a choice. */
void compute_extreme(struct execution *x)
{
	struct ptx_insn insn = *x->step->insn;
	struct step step = *x->step;
	const struct step *whole = x->step;
	struct warp_value zero, negated;
	const struct warp_value *a = x->sources[0];

	if (compute_doubtful(x, x->bits))
		return;
	if (insn.operation == OP_abs) {
		value_set(&zero, x->bits, 0);
		value_combine(x->axes, &negated, a, UINT64_MAX, NULL, 0, 0, x->bits);
		x->sources[1] = &zero;
	}
	insn.compare = insn.operation == OP_max ? COMPARE_GT : COMPARE_LT;
	step.insn = &insn;
	x->step = &step;
	compute_comparison(x, (enum ptx_type)insn.type);
	x->step = whole;
	select_lanes(x, (uint32_t)x->result.base, insn.operation == OP_abs ? &negated : a,
	             insn.operation == OP_abs ? a : x->sources[1]);
}

/* set: all ones or 1.0 where the comparison holds. */
void compute_set(struct execution *x)
{
	enum ptx_type type = (enum ptx_type)x->step->insn->type;
	uint64_t yes = type == PTX_f32 ? UINT64_C(0x3f800000) : UINT64_MAX;
	unsigned bits = plan_type_bits(type);
	struct warp_value truth, zero;

	if (x->step->insn->boolean != BOOLEAN_NONE || (ptx_type_is_float(type) && type != PTX_f32)) {
		value_set_unknown(&x->result, bits, UNKNOWN, x->step->index);
		return;
	}
	compute_comparison(x, (enum ptx_type)(x->step->insn->source_type ? x->step->insn->source_type : type));
	if (x->result.doubt) {
		value_set_unknown(&x->result, bits, (enum value_doubt)x->result.doubt, x->result.origin);
		return;
	}
	value_set(&truth, bits, yes);
	value_set(&zero, bits, 0);
	select_lanes(x, (uint32_t)x->result.base, &truth, &zero);
}
