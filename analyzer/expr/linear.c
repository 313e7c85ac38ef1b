/*
 * Expressions as functions of one symbol: the form rest + slope * symbol.
 */
#include "analyzer/expr/expr.h"

/* The parts of a sum or difference from those of its operands. */
static void linear_sum(struct expr_pool *pool, const struct expr *expr, const struct expr *const parts[2],
                       const struct expr **part)
{
	*part = expr_binary(pool, expr->op, expr_cast(pool, parts[0], expr->bits, expr->is_signed),
	                    expr_cast(pool, parts[1], expr->bits, expr->is_signed), expr->bits, expr->is_signed);
}

/* One factor mentions the symbol, the other multiplies its parts. */
static bool linear_product(struct expr_pool *pool, const struct expr *expr, const struct symbol *symbol,
                           const struct expr **slope, const struct expr **rest)
{
	unsigned inner = expr_mentions(expr->operands[0], symbol) ? 0 : 1;
	const struct expr *factor = expr->operands[1 - inner];

	if (expr_mentions(factor, symbol) || (expr->op == EXPR_SHL && inner == 1) ||
	    !expr_linear(pool, expr->operands[inner], symbol, slope, rest))
		return false;
	*slope = expr_binary(pool, expr->op, expr_cast(pool, *slope, expr->bits, expr->is_signed), factor, expr->bits,
	                     expr->is_signed);
	*rest = expr_binary(pool, expr->op, *rest, factor, expr->bits, expr->is_signed);
	return true;
}

static bool linear_operator(struct expr_pool *pool, const struct expr *expr, const struct symbol *symbol,
                            const struct expr **slope, const struct expr **rest)
{
	const struct expr *slopes[2], *rests[2];

	if (!expr_linear(pool, expr->operands[0], symbol, &slopes[0], &rests[0]) ||
	    !expr_linear(pool, expr->operands[1], symbol, &slopes[1], &rests[1]))
		return false;
	linear_sum(pool, expr, slopes, slope);
	linear_sum(pool, expr, rests, rest);
	return true;
}

bool expr_linear(struct expr_pool *pool, const struct expr *expr, const struct symbol *symbol,
                 const struct expr **slope, const struct expr **rest)
{
	if (!expr_mentions(expr, symbol)) {
		*slope = expr_constant(pool, 0, expr->bits, expr->is_signed);
		*rest = expr;
		return true;
	}
	switch (expr->op) {
	case EXPR_SYMBOL:
		*slope = expr_constant(pool, 1, expr->bits, expr->is_signed);
		*rest = expr_constant(pool, 0, expr->bits, expr->is_signed);
		return true;
	case EXPR_ADD:
	case EXPR_SUB:
		return linear_operator(pool, expr, symbol, slope, rest);
	case EXPR_MUL:
	case EXPR_SHL:
		return linear_product(pool, expr, symbol, slope, rest);
	case EXPR_NEG:
		if (!expr_linear(pool, expr->operands[0], symbol, slope, rest))
			return false;
		*slope = expr_unary(pool, EXPR_NEG, *slope, expr->bits, expr->is_signed);
		*rest = expr_unary(pool, EXPR_NEG, *rest, expr->bits, expr->is_signed);
		return true;
	case EXPR_CAST:
		if (expr->bits < 32 || !expr_linear(pool, expr->operands[0], symbol, slope, rest))
			return false;
		*slope = expr_cast(pool, *slope, expr->bits, expr->is_signed);
		*rest = expr_cast(pool, *rest, expr->bits, expr->is_signed);
		return true;
	default:
		return false;
	}
}
