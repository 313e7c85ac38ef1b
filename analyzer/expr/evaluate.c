/*
 * Expressions: evaluation, in C's arithmetic as the GPU does it.
 *
 * Values are kept normalised: an expression of b bits evaluates to a number that b bits hold, sign- or zero-extended to
 * 64.
 */
#include "analyzer/expr/expr.h"

/* ---- arithmetic ---------------------------------------------------------------------- */

int64_t expr_normalise(int64_t value, unsigned bits, bool is_signed)
{
	uint64_t mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
	uint64_t low = (uint64_t)value & mask;

	if (bits == 1)
		return value != 0;
	if (is_signed && bits < 64 && (low >> (bits - 1)) != 0)
		low |= ~mask;
	return (int64_t)low;
}

/* a / b or a % b; false where C leaves it undefined. */
static bool divide(int64_t a, int64_t b, bool is_signed, bool remainder, int64_t *result)
{
	if (b == 0)
		return false;
	if (!is_signed)
		*result = (int64_t)(remainder ? (uint64_t)a % (uint64_t)b : (uint64_t)a / (uint64_t)b);
	else if (b == -1)
		*result = remainder ? 0 : (int64_t)(0 - (uint64_t)a);
	else
		*result = remainder ? a % b : a / b;
	return true;
}

static bool shift(int64_t a, int64_t b, unsigned bits, bool is_signed, bool left, int64_t *result)
{
	if (b < 0 || b >= (int64_t)bits)
		return false;
	if (left)
		*result = (int64_t)((uint64_t)a << b);
	else if (is_signed && a < 0)
		*result = (int64_t) ~(~(uint64_t)a >> b);
	else
		*result = (int64_t)((uint64_t)a >> b);
	return true;
}

static bool less(int64_t a, int64_t b, bool is_signed)
{
	return is_signed ? a < b : (uint64_t)a < (uint64_t)b;
}

/* Comparisons and connectives: 0 or 1. */
static bool apply_condition(enum expr_op op, int64_t a, int64_t b, bool is_signed, int64_t *result)
{
	switch (op) {
	case EXPR_LT:
		*result = less(a, b, is_signed);
		return true;
	case EXPR_LE:
		*result = !less(b, a, is_signed);
		return true;
	case EXPR_GT:
		*result = less(b, a, is_signed);
		return true;
	case EXPR_GE:
		*result = !less(a, b, is_signed);
		return true;
	case EXPR_EQ:
		*result = a == b;
		return true;
	case EXPR_NE:
		*result = a != b;
		return true;
	case EXPR_LOGICAL_AND:
		*result = a && b;
		return true;
	case EXPR_LOGICAL_OR:
		*result = a || b;
		return true;
	default:
		return false;
	}
}

bool expr_apply(enum expr_op op, int64_t a, int64_t b, unsigned bits, bool is_signed, int64_t *result)
{
	uint64_t x = (uint64_t)a, y = (uint64_t)b;

	switch (op) {
	case EXPR_ADD:
		*result = (int64_t)(x + y);
		return true;
	case EXPR_SUB:
		*result = (int64_t)(x - y);
		return true;
	case EXPR_MUL:
		*result = (int64_t)(x * y);
		return true;
	case EXPR_DIV:
		return divide(a, b, is_signed, false, result);
	case EXPR_MOD:
		return divide(a, b, is_signed, true, result);
	case EXPR_SHL:
		return shift(a, b, bits, is_signed, true, result);
	case EXPR_SHR:
		return shift(a, b, bits, is_signed, false, result);
	case EXPR_AND:
		*result = (int64_t)(x & y);
		return true;
	case EXPR_OR:
		*result = (int64_t)(x | y);
		return true;
	case EXPR_XOR:
		*result = (int64_t)(x ^ y);
		return true;
	case EXPR_MIN:
		*result = less(a, b, is_signed) ? a : b;
		return true;
	case EXPR_MAX:
		*result = less(a, b, is_signed) ? b : a;
		return true;
	default:
		return apply_condition(op, a, b, is_signed, result);
	}
}

/* ---- evaluation -------------------------------------------------------------------------- */

struct expr_evaluation {
	const int64_t *values;
	expr_load_function *load;
	void *context;
};

static bool evaluate(const struct expr_evaluation *evaluation, const struct expr *expr, int64_t *result);

/* && and || need one operand only where it decides. */
static bool evaluate_logical(const struct expr_evaluation *evaluation, const struct expr *expr, int64_t *result)
{
	int64_t left = 0, right = 0, deciding = expr->op == EXPR_LOGICAL_OR;
	bool left_known = evaluate(evaluation, expr->operands[0], &left), right_known;

	if (left_known && (left != 0) == deciding) {
		*result = deciding;
		return true;
	}
	right_known = evaluate(evaluation, expr->operands[1], &right);
	*result = right != 0;
	return right_known && (left_known || (right != 0) == deciding);
}

static bool evaluate_select(const struct expr_evaluation *evaluation, const struct expr *expr, int64_t *result)
{
	int64_t condition, yes, no;

	if (evaluate(evaluation, expr->operands[0], &condition))
		return evaluate(evaluation, expr->operands[condition ? 1 : 2], result);
	if (!evaluate(evaluation, expr->operands[1], &yes) || !evaluate(evaluation, expr->operands[2], &no) ||
	    yes != no)
		return false;
	*result = yes;
	return true;
}

static bool evaluate_load(const struct expr_evaluation *evaluation, const struct expr *expr, int64_t *result)
{
	return evaluation->load && expr->value == 0 &&
	       evaluation->load(evaluation->context, expr->load, evaluation->values, result);
}

static bool evaluate_operator(const struct expr_evaluation *evaluation, const struct expr *expr, int64_t *result)
{
	int64_t a, b;
	const struct expr *left = expr->operands[0];

	if (!evaluate(evaluation, left, &a))
		return false;
	switch (expr->op) {
	case EXPR_CAST:
		*result = a;
		return true;
	case EXPR_NEG:
		*result = (int64_t)(0 - (uint64_t)a);
		return true;
	case EXPR_NOT:
		*result = (int64_t) ~(uint64_t)a;
		return true;
	case EXPR_LOGICAL_NOT:
		*result = !a;
		return true;
	default:
		return evaluate(evaluation, expr->operands[1], &b) &&
		       expr_apply(expr->op, a, b, left->bits, left->is_signed, result);
	}
}

static bool evaluate(const struct expr_evaluation *evaluation, const struct expr *expr, int64_t *result)
{
	bool known;

	switch (expr->op) {
	case EXPR_CONSTANT:
		*result = expr->value;
		return true;
	case EXPR_UNKNOWN:
		return false;
	case EXPR_SYMBOL:
		*result = evaluation->values[expr->symbol->index];
		known = true;
		break;
	case EXPR_LOAD:
		known = evaluate_load(evaluation, expr, result);
		break;
	case EXPR_LOGICAL_AND:
	case EXPR_LOGICAL_OR:
		known = evaluate_logical(evaluation, expr, result);
		break;
	case EXPR_SELECT:
		known = evaluate_select(evaluation, expr, result);
		break;
	default:
		known = evaluate_operator(evaluation, expr, result);
		break;
	}
	if (known)
		*result = expr_normalise(*result, expr->bits, expr->is_signed);
	return known;
}

bool expr_evaluate(const struct expr *expr, const int64_t *values, expr_load_function *load, void *context,
                   int64_t *result)
{
	struct expr_evaluation evaluation = {values, load, context};

	return evaluate(&evaluation, expr, result);
}
