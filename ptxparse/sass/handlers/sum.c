/*
 * Sums: IADD3, LEA, IMAD and what extends them to 64 bits.
 *
 * Machine code adds 64-bit numbers in two steps: the low halves with a carry into a predicate, then the high halves
 * and the carry. The first step keeps its summands with the value; the second pairs its own with them and is the
 * 64-bit sum, of which the first one's result is the low half. The order of summands differs between the steps, but
 * the sum does not depend on which high half goes with which low one; pairs that are known to be one number are
 * preferred. -b has ~b as its high half.
 */
#include "ptxparse/sass/handlers/handlers.h"

#include <string.h>

struct sass_sum_shape sass_sum_shape(struct sass_translation *t)
{
	struct sass_sum_shape shape = {0};

	while (sass_source_is_predicate(t, shape.destination))
		shape.destination++;
	shape.first_carry = shape.first_source = shape.destination + 1;
	while (sass_source_is_predicate(t, shape.first_source))
		shape.first_source++;
	shape.carry_count = shape.first_source - shape.first_carry;
	return shape;
}

static bool term_is_zero(const struct sass_summand *term)
{
	return sass_value_is(term->value, 0) && !term->negated;
}

void sass_sum_term_add(struct sass_translation *t, unsigned i, struct sass_summand *terms, unsigned *count)
{
	const struct sass_operand *operand = &t->insn->operands[i];
	struct sass_summand term = {.value = sass_source_plain(t, i)};

	if (i >= t->insn->operand_count)
		return;
	if (operand->inverted)
		term.value = sass_source(t, i);
	else if (operand->negated && operand->kind != SASS_INTEGER)
		term.negated = true;
	if (!term_is_zero(&term) && *count < MOST_TERMS)
		terms[(*count)++] = term;
}

/* ---- low halves ------------------------------------------------------------------------- */

static struct sass_value *term_value(struct sass_translation *t, const struct sass_summand *term)
{
	if (!term->shift)
		return term->value;
	return sass_emit(t, OP_shl, PTX_b32, 32, term->value, sass_value_constant(t, 32, term->shift), NULL);
}

struct sass_value *sass_sum_terms_add(struct sass_translation *t, const struct sass_summand *terms, unsigned count)
{
	struct sass_value *sum = NULL;

	for (unsigned i = 0; i < count; i++)
		if (!terms[i].negated) {
			struct sass_value *value = term_value(t, &terms[i]);

			sum = sum ? sass_emit(t, OP_add, PTX_s32, 32, sum, value, NULL) : value;
		}
	for (unsigned i = 0; i < count; i++)
		if (terms[i].negated)
			sum = sass_emit(t, OP_sub, PTX_s32, 32, sum ? sum : sass_value_constant(t, 32, 0),
			                term_value(t, &terms[i]), NULL);
	return sum ? sum : sass_value_constant(t, 32, 0);
}

void sass_sum_carries_set(struct sass_translation *t, const struct sass_sum_shape *shape,
                          const struct sass_summand *terms, unsigned count, struct sass_value *low,
                          struct sass_value *carry_in)
{
	struct sass_sum *sum;

	if (shape->carry_count == 0)
		return;
	sum = arena_alloc(t->scratch, sizeof(*sum));
	memcpy(sum->terms, terms, count * sizeof(*terms));
	sum->count = count;
	sum->low = low;
	sum->carry_in = carry_in;
	for (unsigned i = 0; i < shape->carry_count; i++) {
		struct sass_value *carry = arena_alloc(t->scratch, sizeof(*carry));

		*carry = (struct sass_value){.kind = VALUE_CARRY,
		                             .bits = 1,
		                             .key = KEY_NONE,
		                             .reg = PTX_NO_REGISTER,
		                             .number = i,
		                             .sum = sum};
		sass_result(t, shape->first_carry + i, carry);
	}
}

/* ---- high halves --------------------------------------------------------------------------- */

/* How well two halves fit: 0: nothing is known of them together. */
static unsigned pair_score(const struct sass_value *low, const struct sass_value *high)
{
	const struct sass_value *wide = low->kind == VALUE_LOW     ? low->a
	                                : low->fact == FACT_LOW_OF ? low->fact_value
	                                                           : NULL;

	if (high->kind == VALUE_HIGH && wide == high->a)
		return 4;
	if (high->fact == FACT_SIGN && sass_value_same(high->fact_value, low))
		return 4;
	if (low->kind == VALUE_BANK && high->kind == VALUE_BANK && high->number == low->number + 4)
		return 4;
	if (low->kind == VALUE_CONSTANT && high->kind == VALUE_CONSTANT)
		return 3;
	if (low->kind == VALUE_ENTRY && high->kind == VALUE_ENTRY && high->key == low->key + 1)
		return 2;
	if (low->kind == VALUE_SELECT && high->kind == VALUE_SELECT && low->predicate == high->predicate)
		return 2;
	return 0;
}

static struct sass_high *partner_find(const struct sass_summand *term, struct sass_high *highs, unsigned count,
                                      unsigned least)
{
	struct sass_high *best = NULL;

	for (unsigned i = 0; i < count; i++) {
		unsigned score = pair_score(term->value, highs[i].value);

		if (highs[i].used || highs[i].inverted != term->negated || score < least)
			continue;
		least = score + 1;
		best = &highs[i];
	}
	return best;
}

static struct sass_value *wide_add(struct sass_translation *t, struct sass_value *sum, struct sass_value *value,
                                   bool negated)
{
	if (negated)
		return sass_emit(t, OP_sub, PTX_s64, 64, sum ? sum : sass_value_constant(t, 64, 0), value, NULL);
	return sum ? sass_emit(t, OP_add, PTX_s64, 64, sum, value, NULL) : value;
}

/* A constant high half ~0 of a number that is subtracted is the inverse of 0. */
static bool inverses_find(const struct sass_sum *sum, struct sass_translation *t, struct sass_high *highs,
                          unsigned count)
{
	unsigned negated = 0, inverted = 0;

	for (unsigned i = 0; i < sum->count; i++)
		negated += sum->terms[i].negated;
	for (unsigned i = 0; i < count; i++)
		inverted += highs[i].inverted;
	for (unsigned i = 0; i < count && inverted < negated; i++)
		if (!highs[i].inverted && highs[i].value->kind == VALUE_CONSTANT) {
			highs[i].value = sass_value_constant(t, 32, ~(uint64_t)highs[i].value->number);
			highs[i].inverted = true;
			inverted++;
		}
	return inverted == negated;
}

/* One summand with the high half that fits best, or NULL where none fits well enough; least 0: any, or zero. */
static struct sass_value *term_pair(struct sass_translation *t, const struct sass_summand *term,
                                    struct sass_high *highs, unsigned count, unsigned least)
{
	struct sass_high *partner = term->shift ? NULL : partner_find(term, highs, count, least);
	struct sass_value *wide;

	if (!partner && least)
		return NULL;
	if (partner)
		partner->used = true;
	wide = sass_value_pair(t, term->value, partner ? partner->value : sass_value_constant(t, 32, 0));
	return term->shift ? sass_emit(t, OP_shl, PTX_b64, 64, wide, sass_value_constant(t, 32, term->shift), NULL)
	                   : wide;
}

/* High halves that no low half was found for. */
static struct sass_value *rest_add(struct sass_translation *t, struct sass_value *wide, const struct sass_high *highs,
                                   unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (!highs[i].used && !sass_value_is(highs[i].value, 0))
			wide = wide_add(t, wide, sass_value_pair(t, sass_value_constant(t, 32, 0), highs[i].value),
			                false);
	return wide ? wide : sass_value_constant(t, 64, 0);
}

/* The 64-bit sum of a low sum's terms and these high halves, or NULL where it cannot be said. */
static struct sass_value *sum_wide(struct sass_translation *t, const struct sass_sum *sum, struct sass_high *highs,
                                   unsigned count)
{
	struct sass_value *pairs[MOST_TERMS] = {NULL}, *wide = NULL;

	if (sum->carry_in || !inverses_find(sum, t, highs, count))
		return NULL;
	for (unsigned least = 2; least-- > 0;)
		for (unsigned i = 0; i < sum->count; i++)
			if (!pairs[i])
				pairs[i] = term_pair(t, &sum->terms[i], highs, count, least);
	for (unsigned negated = 0; negated < 2; negated++)
		for (unsigned i = 0; i < sum->count; i++)
			if (sum->terms[i].negated == (negated == 1))
				wide = wide_add(t, wide, pairs[i], negated == 1);
	return rest_add(t, wide, highs, count);
}

/* The sum whose carry the predicate is, or NULL. */
static struct sass_sum *carry_of(const struct sass_value *predicate)
{
	return predicate->kind == VALUE_CARRY ? predicate->sum : NULL;
}

void sass_sum_low_mark(struct sass_value *low, struct sass_value *wide)
{
	if (low->fact == FACT_NONE) {
		low->fact = FACT_LOW_OF;
		low->fact_value = wide;
	}
}

/* High halves and carries added as they are. */
static struct sass_value *highs_add(struct sass_translation *t, const struct sass_high *highs, unsigned count,
                                    struct sass_value *const carries[2], struct sass_summand *terms)
{
	struct sass_value *sum;

	for (unsigned i = 0; i < count; i++) {
		terms[i] = (struct sass_summand){.value = highs[i].value};
		if (highs[i].inverted)
			terms[i].value = sass_emit(t, OP_sub, PTX_s32, 32, sass_value_constant(t, 32, UINT32_MAX),
			                           highs[i].value, NULL);
	}
	sum = sass_sum_terms_add(t, terms, count);
	for (unsigned i = 0; i < 2; i++) {
		struct sass_value *one = sass_value_select(t, carries[i], false, sass_value_constant(t, 32, 1),
		                                           sass_value_constant(t, 32, 0));

		sum = sass_emit(t, OP_add, PTX_s32, 32, sum, one, NULL);
	}
	return sum;
}

void sass_sum_carries_read(struct sass_translation *t, unsigned first, struct sass_value *carries[2])
{
	for (unsigned i = 0; i < 2; i++)
		carries[i] = sass_source_is_predicate(t, first + i) ? sass_source_predicate(t, first + i)
		                                                    : sass_value_constant(t, 1, 0);
}

struct sass_sum *sass_sum_carried(struct sass_value *const carries[2])
{
	struct sass_sum *first = carry_of(carries[0]), *second = carry_of(carries[1]);

	if (first && second)
		return first == second ? first : NULL;
	if (!sass_value_is(carries[first ? 1 : 0], 0))
		return NULL;
	first = first ? first : second;
	return first && first->count <= 2 ? first : NULL;
}

void sass_sum_highs_finish(struct sass_translation *t, const struct sass_sum_shape *shape, struct sass_high *highs,
                           unsigned count, unsigned first)
{
	struct sass_value *carries[2], *wide = NULL, *high;
	struct sass_summand terms[MOST_TERMS];
	struct sass_sum *sum;

	sass_sum_carries_read(t, first, carries);
	sum = sass_sum_carried(carries);
	if (sum && shape->carry_count == 0)
		wide = sum_wide(t, sum, highs, count);
	if (wide) {
		sass_sum_low_mark(sum->low, wide);
		sass_result(t, shape->destination, sass_value_high(t, wide));
		return;
	}
	high = highs_add(t, highs, count, carries, terms);
	sass_result(t, shape->destination, high);
	sass_sum_carries_set(t, shape, terms, count, high, sass_value_is(carries[1], 0) ? carries[0] : carries[1]);
}

void sass_sum_high_add(struct sass_translation *t, unsigned i, struct sass_high *highs, unsigned *count)
{
	bool inverted = i < t->insn->operand_count && t->insn->operands[i].inverted;
	struct sass_high high = {.value = inverted ? sass_source_plain(t, i) : sass_source(t, i), .inverted = inverted};

	if ((inverted || !sass_value_is(high.value, 0)) && *count < MOST_TERMS)
		highs[(*count)++] = high;
}

/* ---- handlers -------------------------------------------------------------------------------- */

static void sum_64(struct sass_translation *t, const struct sass_sum_shape *shape)
{
	struct sass_value *sum = NULL;

	for (unsigned i = shape->first_source; i < t->insn->operand_count && !sass_source_is_predicate(t, i); i++)
		sum = wide_add(t, sum, sass_source_wide(t, i, true), false);
	sass_result_wide(t, shape->destination, sum ? sum : sass_value_constant(t, 64, 0));
}

void sass_handle_sum(struct sass_translation *t, const struct sass_insn *insn)
{
	struct sass_sum_shape shape = sass_sum_shape(t);
	struct sass_summand terms[MOST_TERMS];
	struct sass_high highs[MOST_TERMS];
	struct sass_value *sum;
	unsigned count = 0, i = shape.first_source;

	if (sass_has(insn, "64")) {
		sum_64(t, &shape);
		return;
	}
	if (sass_has(insn, "X")) {
		for (; i < insn->operand_count && !sass_source_is_predicate(t, i); i++)
			sass_sum_high_add(t, i, highs, &count);
		sass_sum_highs_finish(t, &shape, highs, count, i);
		return;
	}
	for (; i < insn->operand_count && !sass_source_is_predicate(t, i); i++)
		sass_sum_term_add(t, i, terms, &count);
	sum = sass_sum_terms_add(t, terms, count);
	sass_division_sum(sum, terms, count);
	sass_result(t, shape.destination, sum);
	sass_sum_carries_set(t, &shape, terms, count, sum, NULL);
}
