/*
 * Products and shifted sums: IMAD in its forms, LEA, and what extends them to 64 bits.
 */
#include "ptxparse/sass/handlers/handlers.h"

/* hi(a * b + c), the summand a pair of registers. */
static struct sass_value *product_high(struct sass_translation *t, const struct sass_sum_shape *shape, bool is_signed)
{
	unsigned first = shape->first_source;
	struct sass_value *a = sass_source(t, first), *b = sass_source(t, first + 1),
			  *c = sass_source_wide(t, first + 2, true), *wide;
	struct sass_value *quotient = is_signed ? NULL : sass_division_quotient(t, a, b, c), *high;
	const struct sass_operand *addend = &t->insn->operands[first + 2];

	if (quotient)
		return quotient;
	if (sass_value_is(c, 0) && c->kind == VALUE_CONSTANT)
		return sass_emit_mode(t, OP_mul, is_signed ? PTX_s32 : PTX_u32, MODE_HI, 32, a, b, NULL);
	wide = sass_emit_mode(t, OP_mad, is_signed ? PTX_s32 : PTX_u32, MODE_WIDE, 64, a, b, c);
	if (shape->carry_count)
		sass_result(t, shape->first_carry, sass_emit_compare(t, COMPARE_LT, PTX_u64, wide, c));
	high = sass_value_high(t, wide);
	if (addend->kind == SASS_REGISTER && addend->key < KEY_UNIFORMS + 254)
		sass_division_inverse(high, a, b, sass_key_read(t, addend->key),
		                      sass_key_read(t, (uint16_t)(addend->key + 1)));
	return high;
}

static void product_wide(struct sass_translation *t, const struct sass_sum_shape *shape, bool is_signed)
{
	enum ptx_type type = is_signed ? PTX_s32 : PTX_u32;
	unsigned first = shape->first_source;
	struct sass_value *a = sass_source(t, first), *b = sass_source(t, first + 1),
			  *c = sass_source_wide(t, first + 2, is_signed);
	struct sass_value *wide, *carry;

	if (sass_value_is(c, 0))
		wide = sass_emit_mode(t, OP_mul, type, MODE_WIDE, 64, a, b, NULL);
	else
		wide = sass_emit_mode(t, OP_mad, type, MODE_WIDE, 64, a, b, c);
	if (sass_source_is_predicate(t, first + 3)) {
		carry = sass_value_select(t, sass_source_predicate(t, first + 3), false, sass_value_constant(t, 64, 1),
		                          sass_value_constant(t, 64, 0));
		wide = sass_emit(t, OP_add, PTX_s64, 64, wide, carry, NULL);
	}
	sass_result_wide(t, shape->destination, wide);
	if (shape->carry_count)
		sass_result(t, shape->first_carry, sass_emit_compare(t, COMPARE_LT, PTX_u64, wide, c));
}

/* a * b, without the sign of -a or -b, which is in *negated. */
static struct sass_value *factors(struct sass_translation *t, unsigned first, bool *negated, struct sass_value **b)
{
	const struct sass_operand *operands = t->insn->operands;
	struct sass_value *a = sass_source_plain(t, first);

	*b = sass_source_plain(t, first + 1);
	*negated = (operands[first].negated && operands[first].kind != SASS_INTEGER) !=
	           (operands[first + 1].negated && operands[first + 1].kind != SASS_INTEGER);
	return a;
}

static void product_low(struct sass_translation *t, const struct sass_sum_shape *shape)
{
	struct sass_summand terms[MOST_TERMS];
	struct sass_value *a, *b, *value;
	unsigned count = 0;
	bool negated;

	a = factors(t, shape->first_source, &negated, &b);
	sass_sum_term_add(t, shape->first_source + 2, terms, &count);
	if (!sass_value_is(a, 0) && !sass_value_is(b, 0)) {
		bool folds = sass_value_is(a, 1) || sass_value_is(b, 1) || negated || count == 0 || terms[0].negated;

		if (!folds) {
			sass_result(t, shape->destination, sass_emit(t, OP_mad, PTX_s32, 32, a, b, terms[0].value));
			return;
		}
		terms[count++] = (struct sass_summand){.value = sass_emit(t, OP_mul, PTX_s32, 32, a, b, NULL),
		                                       .negated = negated};
	}
	value = sass_sum_terms_add(t, terms, count);
	sass_division_sum(value, terms, count);
	if (count == 1 && !terms[0].negated)
		sass_division_product(value, a, b);
	sass_result(t, shape->destination, value);
	sass_sum_carries_set(t, shape, terms, count, value, NULL);
}

static void product_x(struct sass_translation *t, const struct sass_sum_shape *shape)
{
	struct sass_high highs[MOST_TERMS];
	struct sass_value *a, *b;
	unsigned count = 0;
	bool negated;

	a = factors(t, shape->first_source, &negated, &b);
	if (!sass_value_is(a, 0) && !sass_value_is(b, 0)) {
		const struct sass_operand *operands = t->insn->operands;
		bool inverted = operands[shape->first_source].inverted && sass_value_is(b, 1);
		struct sass_value *product = sass_emit(t, OP_mul, PTX_s32, 32, a, b, NULL);

		if (negated)
			product = sass_emit(t, OP_sub, PTX_s32, 32, sass_value_constant(t, 32, 0), product, NULL);
		highs[count++] = (struct sass_high){.value = product, .inverted = inverted};
	}
	sass_sum_high_add(t, shape->first_source + 2, highs, &count);
	sass_sum_highs_finish(t, shape, highs, count, shape->first_source + 3);
}

void sass_handle_product(struct sass_translation *t, const struct sass_insn *insn)
{
	struct sass_sum_shape shape = sass_sum_shape(t);
	bool is_signed = !sass_has(insn, "U32");

	if (shape.first_source + 3 > SASS_OPERANDS)
		return;
	if (sass_has(insn, "WIDE"))
		product_wide(t, &shape, is_signed);
	else if (sass_has(insn, "HI"))
		sass_result(t, shape.destination, product_high(t, &shape, is_signed));
	else if (sass_has(insn, "X"))
		product_x(t, &shape);
	else
		product_low(t, &shape);
}

/* ---- LEA: a shifted summand ------------------------------------------------------------------- */

/* The high half that belongs to the shifted summand. */
static struct sass_value *scaled_high(struct sass_translation *t, const struct sass_sum_shape *shape,
                                      struct sass_value *a)
{
	struct sass_value *sign;

	if (!sass_has(t->insn, "SX32"))
		return sass_source(t, shape->first_source + 2);
	sign = sass_emit(t, OP_shr, PTX_s32, 32, a, sass_value_constant(t, 32, 31), NULL);
	if (sign->fact == FACT_NONE) {
		sign->fact = FACT_SIGN;
		sign->fact_value = a;
	}
	return sign;
}

/* ((high:a) << shift) + (b's pair), as the low sum begun it; NULL where it did not. */
static struct sass_value *scaled_wide(struct sass_translation *t, const struct sass_sum *sum, struct sass_value *a,
                                      struct sass_value *high, struct sass_value *b, unsigned shift)
{
	struct sass_value *wide, *low = NULL;

	for (unsigned i = 0; i < sum->count; i++)
		if (sum->terms[i].negated)
			return NULL;
	if (sum->count == 0 || sum->count > 2 || sum->terms[0].shift != shift ||
	    !sass_value_same(sum->terms[0].value, a))
		return NULL;
	if (sum->count == 2)
		low = sum->terms[1].value;
	wide = sass_emit(t, OP_shl, PTX_b64, 64, sass_value_pair(t, a, high), sass_value_constant(t, 32, shift), NULL);
	return sass_emit(t, OP_add, PTX_s64, 64, wide, sass_value_pair(t, low ? low : sass_value_constant(t, 32, 0), b),
	                 NULL);
}

static void scaled_x(struct sass_translation *t, const struct sass_sum_shape *shape)
{
	unsigned last = shape->first_source + (sass_has(t->insn, "SX32") ? 2 : 3);
	unsigned shift = (unsigned)sass_source_number(t, last, 0) & 31;
	struct sass_value *a = sass_source_plain(t, shape->first_source), *b = sass_source(t, shape->first_source + 1),
			  *carries[2], *wide;
	struct sass_value *high = scaled_high(t, shape, a);
	struct sass_high highs[MOST_TERMS] = {{0}};
	struct sass_sum *sum;

	sass_sum_carries_read(t, last + 1, carries);
	sum = sass_sum_carried(carries);
	if (sum && shape->carry_count == 0) {
		wide = scaled_wide(t, sum, a, high, b, shift);
		if (wide) {
			sass_sum_low_mark(sum->low, wide);
			sass_result(t, shape->destination, sass_value_high(t, wide));
			return;
		}
	}
	highs[0].value = high;
	if (!sass_has(t->insn, "SX32") || shift != 1)
		highs[0].value = sass_value_high(t, sass_emit(t, OP_shl, PTX_b64, 64, sass_value_pair(t, a, high),
		                                              sass_value_constant(t, 32, shift), NULL));
	highs[1].value = b;
	sass_sum_highs_finish(t, shape, highs, 2, last + 1);
}

/* (high:a) >> (32 - shift) + b */
static void scaled_hi(struct sass_translation *t, const struct sass_sum_shape *shape)
{
	bool sign = sass_has(t->insn, "SX32");
	unsigned shift = (unsigned)sass_source_number(t, shape->first_source + (sign ? 2 : 3), 0) & 31;
	struct sass_value *a = sass_source(t, shape->first_source), *high = scaled_high(t, shape, a), *top;
	struct sass_value *down = sass_value_constant(t, 32, 32 - shift);
	struct sass_summand terms[MOST_TERMS];
	unsigned count = 0;

	if (sign)
		top = sass_emit(t, OP_shr, PTX_s32, 32, a, shift ? down : sass_value_constant(t, 32, 31), NULL);
	else if (sass_value_is(high, 0))
		top = shift ? sass_emit(t, OP_shr, PTX_u32, 32, a, down, NULL) : sass_value_constant(t, 32, 0);
	else
		top = sass_value_high(t, sass_emit(t, OP_shl, PTX_b64, 64, sass_value_pair(t, a, high),
		                                   sass_value_constant(t, 32, shift), NULL));
	terms[count++] = (struct sass_summand){.value = top};
	sass_sum_term_add(t, shape->first_source + 1, terms, &count);
	sass_result(t, shape->destination, sass_sum_terms_add(t, terms, count));
}

void sass_handle_scaled(struct sass_translation *t, const struct sass_insn *insn)
{
	struct sass_sum_shape shape = sass_sum_shape(t);
	struct sass_summand terms[MOST_TERMS];
	struct sass_value *sum;
	unsigned count = 0;

	if (sass_has(insn, "HI") && sass_has(insn, "X")) {
		scaled_x(t, &shape);
		return;
	}
	if (sass_has(insn, "HI")) {
		scaled_hi(t, &shape);
		return;
	}
	sass_sum_term_add(t, shape.first_source, terms, &count);
	if (count)
		terms[0].shift = (uint8_t)(sass_source_number(t, shape.first_source + 2, 0) & 31);
	sass_sum_term_add(t, shape.first_source + 1, terms, &count);
	sum = sass_sum_terms_add(t, terms, count);
	sass_result(t, shape.destination, sum);
	sass_sum_carries_set(t, &shape, terms, count, sum, NULL);
}
