/*
 * Trip counts: how often a loop's condition holds, as an expression of what is known outside the loop.
 *
 * A comparison of two linear functions of the iterator holds until their difference, which shrinks by a constant or
 * invariant amount per iteration, is used up: ceil(difference / amount) times. Amounts that are no constants (a grid's
 * width) are taken to be positive. Conditions of the iterator alone are tried out.
 */
#include "analyzer/walk/loop/loop.h"

#define TRIES_MAX 100000

/* Signed, so that a bound below the start gives none, not 2^32. */
static const struct expr *as_signed(struct walk_state *walk, const struct expr *expr)
{
	return expr_cast(&walk->pool, expr, expr->bits < 32 ? 32 : expr->bits, true);
}

static const struct expr *arithmetic(struct walk_state *walk, enum expr_op op, const struct expr *a,
                                     const struct expr *b)
{
	unsigned bits = a->bits > b->bits ? a->bits : b->bits;

	return expr_binary(&walk->pool, op, expr_cast(&walk->pool, a, bits, true),
	                   expr_cast(&walk->pool, b, bits, true), bits, true);
}

static const struct expr *number(struct walk_state *walk, int64_t value)
{
	return expr_constant(&walk->pool, value, 32, true);
}

/* ceil(distance / shrink), at least 0. */
static const struct expr *count_steps(struct walk_state *walk, const struct expr *distance, const struct expr *shrink,
                                      struct place place)
{
	const struct expr *rounded;
	int64_t amount;

	if (expr_is_constant(shrink, &amount) && amount <= 0)
		return expr_unknown(&walk->pool, "the loop variable does not move towards its bound", place);
	rounded = arithmetic(walk, EXPR_ADD, distance, arithmetic(walk, EXPR_SUB, shrink, number(walk, 1)));
	return arithmetic(walk, EXPR_MAX, arithmetic(walk, EXPR_DIV, rounded, shrink), number(walk, 0));
}

/* Iterations for which more > less, both linear in the iterator; or_equal: more >= less. */
static const struct expr *count_while_above(struct walk_state *walk, const struct expr *more, const struct expr *lesser,
                                            bool or_equal, const struct symbol *iterator, struct place place)
{
	const struct expr *slopes[2], *rests[2], *distance, *shrink;

	if (!expr_linear(&walk->pool, more, iterator, &slopes[0], &rests[0]) ||
	    !expr_linear(&walk->pool, lesser, iterator, &slopes[1], &rests[1]))
		return expr_unknown(&walk->pool, "the loop variable is not stepped by a constant amount", place);
	distance = arithmetic(walk, EXPR_SUB, as_signed(walk, rests[0]), as_signed(walk, rests[1]));
	shrink = arithmetic(walk, EXPR_SUB, as_signed(walk, slopes[1]), as_signed(walk, slopes[0]));
	if (or_equal)
		distance = arithmetic(walk, EXPR_ADD, distance, number(walk, 1));
	return count_steps(walk, distance, shrink, place);
}

/* Iterations until both are equal: their distance over the step, which is taken to divide it. */
static const struct expr *count_while_different(struct walk_state *walk, const struct expr *a, const struct expr *b,
                                                const struct symbol *iterator, struct place place)
{
	const struct expr *slopes[2], *rests[2], *distance, *shrink;
	int64_t amount;

	if (!expr_linear(&walk->pool, a, iterator, &slopes[0], &rests[0]) ||
	    !expr_linear(&walk->pool, b, iterator, &slopes[1], &rests[1]))
		return expr_unknown(&walk->pool, "the loop variable is not stepped by a constant amount", place);
	distance = arithmetic(walk, EXPR_SUB, as_signed(walk, rests[1]), as_signed(walk, rests[0]));
	shrink = arithmetic(walk, EXPR_SUB, as_signed(walk, slopes[0]), as_signed(walk, slopes[1]));
	if (expr_is_constant(shrink, &amount) && amount == 0)
		return expr_unknown(&walk->pool, "the loop variable does not move towards its bound", place);
	if (expr_is_constant(shrink, &amount) && amount < 0) {
		distance = expr_unary(&walk->pool, EXPR_NEG, distance, distance->bits, true);
		shrink = expr_constant(&walk->pool, -amount, shrink->bits, true);
	}
	return arithmetic(walk, EXPR_MAX, arithmetic(walk, EXPR_DIV, distance, shrink), number(walk, 0));
}

/* Whether an expression has no other symbol and no load or unknown. */
static bool only_mentions(const struct expr *expr, const struct symbol *symbol)
{
	bool only = expr->op != EXPR_LOAD && expr->op != EXPR_UNKNOWN &&
	            (expr->op != EXPR_SYMBOL || expr->symbol == symbol);

	for (unsigned i = 0; i < expr_operand_count(expr->op) && only; i++)
		only = only_mentions(expr->operands[i], symbol);
	return only;
}

/* Tries the iterations out; NULL where the condition holds too long or is undefined. */
static const struct expr *count_by_trying(struct walk_state *walk, const struct expr *condition,
                                          const struct symbol *iterator)
{
	int64_t *values, holds = 1;

	if (!only_mentions(condition, iterator))
		return NULL;
	values = arena_array(walk->arena, walk->kernel->symbol_count + 1, sizeof(*values));
	for (int64_t k = 0; k <= TRIES_MAX; k++) {
		values[iterator->index] = k;
		if (!expr_evaluate(condition, values, NULL, NULL, &holds))
			return NULL;
		if (!holds)
			return number(walk, k);
	}
	return NULL;
}

static const struct expr *count_and(struct walk_state *walk, const struct expr *condition,
                                    const struct symbol *iterator, struct place place, bool *exact)
{
	const struct expr *left = walk_trips(walk, condition->operands[0], iterator, place, exact);
	const struct expr *right = walk_trips(walk, condition->operands[1], iterator, place, exact);

	if (left->op == EXPR_UNKNOWN || right->op == EXPR_UNKNOWN) {
		*exact = false;
		return left->op == EXPR_UNKNOWN ? right : left;
	}
	return arithmetic(walk, EXPR_MIN, left, right);
}

static const struct expr *count_comparison(struct walk_state *walk, const struct expr *condition,
                                           const struct symbol *iterator, struct place place)
{
	const struct expr *left = condition->operands[0], *right = condition->operands[1];

	switch (condition->op) {
	case EXPR_LT:
		return count_while_above(walk, right, left, false, iterator, place);
	case EXPR_LE:
		return count_while_above(walk, right, left, true, iterator, place);
	case EXPR_GT:
		return count_while_above(walk, left, right, false, iterator, place);
	case EXPR_GE:
		return count_while_above(walk, left, right, true, iterator, place);
	default:
		return count_while_different(walk, left, right, iterator, place);
	}
}

const struct expr *walk_trips(struct walk_state *walk, const struct expr *condition, const struct symbol *iterator,
                              struct place place, bool *exact)
{
	const struct expr *tried = count_by_trying(walk, condition, iterator);

	if (tried)
		return tried;
	if (condition->op == EXPR_UNKNOWN)
		return condition;
	if (condition->op == EXPR_LOGICAL_AND)
		return count_and(walk, condition, iterator, place, exact);
	if (condition->op < EXPR_LT || condition->op > EXPR_NE || condition->op == EXPR_EQ)
		return expr_unknown(&walk->pool, "a condition of no form that can be counted", place);
	if (!expr_mentions(condition, iterator))
		return expr_unknown(&walk->pool, "a condition that the loop variable does not decide", place);
	return count_comparison(walk, condition, iterator, place);
}
