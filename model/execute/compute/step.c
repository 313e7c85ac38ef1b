/*
 * Executes one instruction of the slice for the lanes of a warp.
 *
 * Linear operations keep their slopes; comparisons bound the axes by how long they come out the same; the rest is computed
 * lane by lane and is curved along every axis that its sources change on. Unknown sources make unknown results; linear
 * operations on a number that is unknown but common to all lanes keep the differences between lanes.
 */
#include "model/execute/internal.h"

#include <string.h>

#define LEAST_PIECE 8 /* bits of an element that vectors are made of */

const struct value *source_value(const struct run *run, const struct activation *activation, const struct source *source)
{
	switch (source->kind) {
	case SOURCE_REGISTER:
		return &activation->registers[source->reg];
	case SOURCE_SPECIAL:
		return &run->specials[source->reg < SPECIAL_OTHER ? source->reg : SPECIAL_OTHER];
	default:
		return source->constant;
	}
}

/* Lanes written where a branch was taken with some probability only are unknown to those who meet there. */
static void doubt_written(struct run *run, struct value *old, const struct value *value, uint32_t mask)
{
	struct value before;

	value_copy(run, &before, old);
	value_blend(run, old, value, mask);
	for (unsigned lane = 0; lane < WARP_LANES && !value_is_predicate(old); lane++)
		if (value_lane(&before, lane) != value_lane(old, lane))
			old->doubt = UNKNOWN;
	if (value_is_predicate(old) && before.base != old->base)
		value_set_predicate(old, (uint32_t)old->base, (uint32_t)(old->step | (int64_t)(before.base ^ old->base)), UNKNOWN,
		                    value->origin);
}

void register_write(struct run *run, struct activation *activation, uint32_t reg, const struct value *value, uint32_t mask,
                    uint32_t live)
{
	struct value *old = &activation->registers[reg];
	unsigned bits = activation->plan->bits[reg];
	bool awaited = set_has(activation->pending, reg);
	struct value sized;

	if (value->bits != bits) {
		if (value->bits == 1 || bits == 1)
			value_set_unknown(&sized, bits, UNKNOWN, value->origin);
		else
			value_convert(run, &sized, value, mask, false, bits);
		value = &sized;
	}
	if (run->uncertain && awaited)
		doubt_written(run, old, value, mask);
	else if (mask == live && !awaited)
		value_copy(run, old, value);
	else
		value_blend(run, old, value, mask);
}

void execution_write(struct execution *x, unsigned which, const struct value *value)
{
	if (which < x->step->target_count && x->step->targets[which] != NO_INDEX)
		register_write(x->run, x->activation, x->step->targets[which], value, x->mask, x->live);
}

/* The source's value in `bits` bits, in scratch where it has another width. */
static const struct value *read_source(struct execution *x, unsigned which, unsigned bits)
{
	const struct value *value = source_value(x->run, x->activation, &x->step->sources[which]);
	struct value *scratch = &x->scratch[which];

	if (value->bits == bits || value_is_predicate(value) || bits == 1)
		return value;
	if (value->bits > bits)
		value_combine(x->run, scratch, value, 1, NULL, 0, 0, bits);
	else
		value_convert(x->run, scratch, value, x->mask, false, bits);
	return scratch;
}

bool source_is_plain(const struct execution *x, const struct value *value)
{
	return value->doubt == KNOWN && value->form == FORM_LINE && value->step == 0 && !value_varies(x->run, value);
}

/* Whether a source is unknown; then the result is unknown too, and the same in all lanes where the sources are. */
bool execution_doubtful(struct execution *x, unsigned bits)
{
	uint32_t origin = NO_INDEX;
	bool shifted = true, any = false;

	for (unsigned i = 0; i < x->count; i++) {
		const struct value *value = x->sources[i];

		any |= value->doubt != KNOWN;
		if (value->doubt)
			origin = value->origin;
		if (value->doubt == UNKNOWN || !value_is_uniform(value, x->mask))
			shifted = false;
	}
	if (any)
		value_set_unknown(&x->result, bits, shifted ? SHIFTED : UNKNOWN, origin);
	return any;
}

static void compute_unknown(struct execution *x)
{
	for (unsigned i = 0; i < x->step->target_count; i++) {
		unsigned bits = x->step->targets[i] == NO_INDEX ? 64 : x->activation->plan->bits[x->step->targets[i]];

		if (bits == 1)
			value_set_predicate(&x->result, 0, ALL_LANES, UNKNOWN, x->step->index);
		else
			value_set_unknown(&x->result, bits, UNKNOWN, x->step->index);
		execution_write(x, i, &x->result);
	}
}

/* Lane by lane; once where all sources are the same in all lanes. */
void compute_lanes(struct execution *x)
{
	const struct ptx_insn *insn = x->step->insn;
	unsigned bits = insn->mode == MODE_WIDE ? 2 * x->bits : x->bits;
	uint64_t sources[MOST_SOURCES];
	uint32_t curved = 0;
	bool uniform = true, done = true;

	if (insn->operation == OP_popc || insn->operation == OP_clz || insn->operation == OP_bfind)
		bits = 32;
	if (execution_doubtful(x, bits))
		return;
	for (unsigned i = 0; i < x->count; i++) {
		uniform &= x->sources[i]->form == FORM_LINE && x->sources[i]->step == 0;
		curved |= value_varies(x->run, x->sources[i]);
	}
	value_set(&x->result, bits, 0);
	for (unsigned lane = 0; lane < (uniform ? 1u : WARP_LANES); lane++) {
		for (unsigned i = 0; i < x->count; i++)
			sources[i] = value_lane(x->sources[i], lane);
		done &= scalar_apply(insn, sources, x->count, &x->result.lane[lane]);
		x->result.lane[lane] &= bits_mask(bits);
	}
	x->result.base = x->result.lane[0];
	x->result.form = uniform ? FORM_LINE : FORM_LANES;
	value_compact(&x->result, x->mask);
	x->result.curved = curved;
	if (!done)
		value_set_unknown(&x->result, bits, UNKNOWN, x->step->index);
}

static void compute_logic(struct execution *x)
{
	int operator= x->step->insn->operation == OP_and ? '&' : x->step->insn->operation == OP_or ? '|' : '^';

	if (!value_varies(x->run, x->sources[0]) && !value_varies(x->run, x->sources[1]))
		compute_lanes(x);
	else if (!execution_doubtful(x, x->bits))
		value_logic(x->run, &x->result, operator, x->sources[0], x->sources[1], x->mask, x->bits);
}

static void compute_field(struct execution *x)
{
	if (x->count < 3 || x->is_signed || !source_is_plain(x, x->sources[1]) || !source_is_plain(x, x->sources[2]) ||
	    x->sources[0]->doubt || !value_varies(x->run, x->sources[0]))
		compute_lanes(x);
	else
		value_field(x->run, &x->result, x->sources[0], x->sources[1]->base & 0xff, x->sources[2]->base & 0xff, x->mask);
}

static void compute_conversion(struct execution *x)
{
	const struct ptx_insn *insn = x->step->insn;
	enum ptx_type from = (enum ptx_type)insn->source_type, to = (enum ptx_type)insn->type;
	unsigned to_bits = plan_type_bits(to);
	uint32_t reg = x->step->target_count ? x->step->targets[0] : NO_INDEX;

	if (ptx_type_is_float(from) || ptx_type_is_float(to) || insn->saturate || x->sources[0]->doubt == UNKNOWN) {
		x->bits = to_bits;
		compute_lanes(x);
	} else {
		value_convert(x->run, &x->result, x->sources[0], x->mask, ptx_type_is_signed(from), to_bits);
	}
	if (reg != NO_INDEX && ptx_type_is_signed(to) && x->activation->plan->bits[reg] > to_bits)
		value_convert(x->run, &x->result, &x->result, x->mask, true, x->activation->plan->bits[reg]);
}

static void compute_sum(struct execution *x)
{
	switch (x->step->insn->operation) {
	case OP_add:
		value_combine(x->run, &x->result, x->sources[0], 1, x->sources[1], 1, 0, x->bits);
		break;
	case OP_sub:
		value_combine(x->run, &x->result, x->sources[0], 1, x->sources[1], UINT64_MAX, 0, x->bits);
		break;
	case OP_neg:
		value_combine(x->run, &x->result, x->sources[0], UINT64_MAX, NULL, 0, 0, x->bits);
		break;
	default:
		value_combine(x->run, &x->result, x->sources[0], UINT64_MAX, NULL, 0, UINT64_MAX, x->bits);
		break;
	}
}

/* Window of generic addresses that a space is seen through. */
static uint64_t space_window(enum ptx_space space)
{
	return space == SPACE_SHARED ? SHARED_WINDOW : space == SPACE_LOCAL ? LOCAL_WINDOW : 0;
}

static void compute_address(struct execution *x)
{
	uint64_t window = space_window((enum ptx_space)x->step->space);

	if (x->step->insn->operation == OP_cvta_to)
		window = -window;
	value_combine(x->run, &x->result, x->sources[0], 1, NULL, 0, window, x->bits);
}

static void compute_isspacep(struct execution *x)
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

/* mov {a, b}, c: pieces from the low end up. */
static void compute_unpack(struct execution *x)
{
	unsigned pieces = x->step->target_count, width = x->bits / pieces;

	if (width < LEAST_PIECE) {
		compute_unknown(x);
		return;
	}
	for (unsigned i = 0; i < pieces; i++) {
		struct value piece;

		if (x->sources[0]->doubt)
			value_set_unknown(&piece, x->bits, (enum value_doubt)x->sources[0]->doubt, x->sources[0]->origin);
		else if (i == 0)
			value_copy(x->run, &piece, x->sources[0]);
		else
			value_divide(x->run, x->sources[0], UINT64_C(1) << (i * width), x->mask, false, &piece, NULL);
		value_combine(x->run, &x->result, &piece, 1, NULL, 0, 0, width);
		execution_write(x, i, &x->result);
	}
}

/* mov c, {a, b} */
static void compute_pack(struct execution *x)
{
	unsigned width = x->bits / x->count;
	struct value piece;

	if (width < LEAST_PIECE || x->step->source_count > MOST_SOURCES) {
		value_set_unknown(&x->result, x->bits, UNKNOWN, x->step->index);
		return;
	}
	if (execution_doubtful(x, x->bits))
		return;
	value_set(&x->result, x->bits, 0);
	for (unsigned i = 0; i < x->count; i++) {
		const struct value *source = x->sources[i];

		value_convert(x->run, &piece, source, x->mask, false, x->bits);
		value_combine(x->run, &x->result, &x->result, 1, &piece, UINT64_C(1) << (i * width), 0, x->bits);
	}
}

/* Operations on predicates: and, or, xor, not, mov. */
static void compute_predicates(struct execution *x)
{
	const struct value *a = source_value(x->run, x->activation, &x->step->sources[0]);
	const struct value *b = x->step->source_count > 1 ? source_value(x->run, x->activation, &x->step->sources[1]) : a;
	bool not_a = x->step->sources[0].negated, not_b = x->step->source_count > 1 && x->step->sources[1].negated;

	switch (x->step->insn->operation) {
	case OP_and:
		combine_predicates(x, '&', a, not_a, b, not_b);
		break;
	case OP_or:
		combine_predicates(x, '|', a, not_a, b, not_b);
		break;
	case OP_xor:
		combine_predicates(x, '^', a, not_a, b, not_b);
		break;
	case OP_not:
		combine_predicates(x, '&', a, !not_a, a, !not_a);
		break;
	case OP_mov:
		combine_predicates(x, '&', a, not_a, a, not_a);
		break;
	default:
		value_set_predicate(&x->result, 0, ALL_LANES, UNKNOWN, x->step->index);
		break;
	}
}

static void compute_moves(struct execution *x)
{
	for (unsigned i = 0; i < x->step->target_count && i < x->step->source_count; i++)
		execution_write(x, i, source_value(x->run, x->activation, &x->step->sources[i]));
}

/* Operations with one plain result, in result. Returns false for those not computed. */
static bool compute_result(struct execution *x)
{
	const struct ptx_insn *insn = x->step->insn;
	bool real = ptx_type_is_float((enum ptx_type)insn->type);

	switch (insn->operation) {
	case OP_add:
	case OP_sub:
	case OP_neg:
	case OP_not:
		if (real || insn->saturate)
			compute_lanes(x);
		else
			compute_sum(x);
		return true;
	case OP_mul:
	case OP_mad:
		if (real || insn->saturate)
			compute_lanes(x);
		else
			compute_product(x);
		return true;
	case OP_shl:
	case OP_shr:
		if (!compute_magic(x))
			compute_shift(x);
		return true;
	case OP_div:
	case OP_rem:
		if (real)
			compute_lanes(x);
		else
			compute_division(x);
		return true;
	case OP_and:
	case OP_or:
	case OP_xor:
		compute_logic(x);
		return true;
	case OP_bfe:
		compute_field(x);
		return true;
	case OP_min:
	case OP_max:
	case OP_abs:
		if (real)
			compute_lanes(x);
		else
			compute_extreme(x);
		return true;
	case OP_selp:
		compute_selp(x);
		return true;
	case OP_set:
		compute_set(x);
		return true;
	case OP_cvt:
		compute_conversion(x);
		return true;
	case OP_cvta:
	case OP_cvta_to:
		compute_address(x);
		return true;
	case OP_isspacep:
		compute_isspacep(x);
		return true;
	case OP_mad24:
	case OP_mul24:
	case OP_sad:
	case OP_fma:
	case OP_rcp:
	case OP_sqrt:
	case OP_div_approx:
	case OP_rcp_approx:
	case OP_sqrt_approx:
	case OP_rsqrt_approx:
	case OP_copysign:
	case OP_popc:
	case OP_clz:
	case OP_bfind:
	case OP_brev:
	case OP_bfi:
	case OP_cnot:
	case OP_lop3:
	case OP_shf_l:
	case OP_shf_r:
	case OP_prmt:
		compute_lanes(x);
		return true;
	default:
		return compute_exchange(x);
	}
}

static void read_sources(struct execution *x)
{
	x->count = x->step->source_count < MOST_SOURCES ? x->step->source_count : MOST_SOURCES;
	for (unsigned i = 0; i < x->count; i++)
		x->sources[i] = read_source(x, i, x->step->sources[i].bits);
}

static bool is_predicate_operation(const struct ptx_insn *insn)
{
	switch (insn->operation) {
	case OP_and:
	case OP_or:
	case OP_xor:
	case OP_not:
	case OP_mov:
		return insn->type == PTX_pred;
	default:
		return false;
	}
}

/* Sources without which the operation cannot be computed; what the text gives may be anything. */
static unsigned least_sources(const struct ptx_insn *insn)
{
	switch (insn->operation) {
	case OP_add:
	case OP_sub:
	case OP_mul:
	case OP_mul24:
	case OP_div:
	case OP_div_approx:
	case OP_rem:
	case OP_min:
	case OP_max:
	case OP_shl:
	case OP_shr:
	case OP_setp:
	case OP_set:
	case OP_copysign:
		return 2;
	case OP_and:
	case OP_or:
	case OP_xor:
		return 2;
	case OP_mad:
	case OP_mad24:
	case OP_fma:
	case OP_sad:
	case OP_selp:
	case OP_bfe:
	case OP_prmt:
	case OP_shf_l:
	case OP_shf_r:
	case OP_shfl_up:
	case OP_shfl_down:
	case OP_shfl_bfly:
	case OP_shfl_idx:
		return 3;
	case OP_bfi:
	case OP_lop3:
		return 4;
	case OP_activemask:
		return 0;
	default:
		return 1;
	}
}

void step_compute(struct run *run, struct activation *activation, const struct step *step, uint32_t mask, uint32_t live)
{
	const struct ptx_insn *insn = step->insn;
	struct execution x;

	x.run = run;
	x.activation = activation;
	x.step = step;
	x.mask = mask;
	x.live = live;
	x.bits = step->bits;
	x.is_signed = step->is_signed;
	if (step->source_count < least_sources(insn)) {
		compute_unknown(&x);
		return;
	}
	if ((insn->operation == OP_ld || insn->operation == OP_st) && insn->space == SPACE_PARAM) {
		compute_moves(&x);
		return;
	}
	if (is_predicate_operation(insn)) {
		compute_predicates(&x);
		execution_write(&x, 0, &x.result);
		return;
	}
	read_sources(&x);
	if (insn->operation == OP_setp)
		compute_setp(&x);
	else if (insn->operation == OP_mov && step->target_count > 1 && step->source_count == 1)
		compute_unpack(&x);
	else if (insn->operation == OP_mov && step->target_count == 1 && step->source_count > 1) {
		compute_pack(&x);
		execution_write(&x, 0, &x.result);
	} else if (insn->operation == OP_mov) {
		compute_moves(&x);
	} else if (compute_result(&x)) {
		execution_write(&x, 0, &x.result);
	} else {
		compute_unknown(&x);
	}
}
