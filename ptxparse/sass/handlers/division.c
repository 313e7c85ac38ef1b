/*
 * Division of integers by a number that is no constant is a sequence: convert the divisor to floating point, rounding
 * up; approximate its reciprocal; lower it by two units in the last place so that it is never too large; convert to an
 * integer scaled by 2^32; refine once with the error of that; multiply high. What comes out is the quotient or one or
 * two less, and predicated instructions correct it.
 *
 * Here the steps are recognised, and the product gives the exact quotient: the corrections then find nothing to do,
 * and results stay linear in what is divided. Where a step is not recognised, the instructions are computed as they
 * are, which comes to the same numbers: the sequence corrects any admissible approximation.
 */
#include "ptxparse/sass/handlers/handlers.h"

#define LOWER_BY 0xffffffe

static void mark(struct sass_value *value, enum sass_value_fact fact, struct sass_value *divisor)
{
	if (value->fact != FACT_NONE || value->kind == VALUE_CONSTANT)
		return;
	value->fact = (uint8_t)fact;
	value->fact_value = divisor;
}

void sass_division_sum(struct sass_value *value, const struct sass_summand *terms, unsigned count)
{
	if (count == 1 && terms[0].negated && terms[0].value->fact == FACT_GUESS)
		mark(value, FACT_GUESS_NEGATED, terms[0].value->fact_value);
	for (unsigned i = 0; count == 2 && i < 2; i++)
		if (terms[i].value->fact == FACT_RECIPROCAL && sass_value_is(terms[1 - i].value, LOWER_BY))
			mark(value, FACT_LOWERED, terms[i].value->fact_value);
}

void sass_division_product(struct sass_value *value, const struct sass_value *a, const struct sass_value *b)
{
	if (a->fact == FACT_GUESS_NEGATED && sass_value_same(a->fact_value, b))
		mark(value, FACT_ERROR, a->fact_value);
	else if (b->fact == FACT_GUESS_NEGATED && sass_value_same(b->fact_value, a))
		mark(value, FACT_ERROR, b->fact_value);
}

void sass_division_inverse(struct sass_value *value, const struct sass_value *a, const struct sass_value *b,
                           const struct sass_value *low, const struct sass_value *high)
{
	bool refines = a->fact == FACT_GUESS && b->fact == FACT_ERROR && sass_value_same(a->fact_value, b->fact_value);

	if (refines && high == a && sass_value_is(low, 0))
		mark(value, FACT_INVERSE, a->fact_value);
}

/* The divisor whose inverse the value is, or NULL. What a block is given may be one: blocks before say of what. */
static struct sass_value *divisor_of(struct sass_translation *t, const struct sass_value *value)
{
	uint16_t key;

	if (value->fact == FACT_INVERSE)
		return value->fact_value;
	if (value->kind != VALUE_ENTRY || value->bits != 32)
		return NULL;
	key = sass_derived_key(t, value->key, KEY_NONE);
	return key == KEY_NONE || sass_set_holds(t->block->bad_in, key) ? NULL : sass_value_entry(t, key);
}

struct sass_value *sass_division_quotient(struct sass_translation *t, struct sass_value *a, struct sass_value *b,
                                          struct sass_value *c)
{
	struct sass_value *divisor;

	if (!sass_value_is(c, 0))
		return NULL;
	divisor = divisor_of(t, a);
	if (divisor)
		return sass_emit(t, OP_div, PTX_u32, 32, b, divisor, NULL);
	divisor = divisor_of(t, b);
	return divisor ? sass_emit(t, OP_div, PTX_u32, 32, a, divisor, NULL) : NULL;
}

/*
 * cvt.rp, said by what the evaluator knows: round to nearest, and where that is below the integer, take the next
 * number. The bits of a positive floating-point number count its neighbours up.
 */
struct sass_value *sass_division_round_up(struct sass_translation *t, enum ptx_type from, struct sass_value *a)
{
	struct sass_value *nearest = sass_emit_convert(t, PTX_f32, from, MODE_RN, a);
	struct sass_value *back = sass_emit_convert(t, PTX_u64, PTX_f32, MODE_RZI, nearest);
	struct sass_value *wide = a->bits == 64 ? a : sass_emit_convert(t, PTX_u64, PTX_u32, MODE_NONE, a);
	struct sass_value *below = sass_emit_compare(t, COMPARE_LT, PTX_u64, back, wide);
	struct sass_value *next = sass_emit(t, OP_add, PTX_s32, 32, nearest, sass_value_constant(t, 32, 1), NULL);
	struct sass_value *up = sass_value_select(t, below, false, next, nearest);

	mark(up, FACT_ESTIMATE, a);
	return up;
}
