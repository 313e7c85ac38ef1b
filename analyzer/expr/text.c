/*
 * Expressions as text: fully parenthesised, the same for equal expressions.
 */
#include "analyzer/expr/expr.h"

static const char *expr_spelling(enum expr_op op)
{
	switch (op) {
#define X(name, spelling, operands)                                                                                    \
	case EXPR_##name:                                                                                              \
		return spelling;
		EXPR_OPERATORS(X)
#undef X
	default:
		return "?";
	}
}

/* "(a + b"; a sum with a negative constant is written as a difference. */
static void print_infix(struct text *out, const struct expr *expr)
{
	const struct expr *right = expr->operands[1];

	text_puts(out, "(");
	expr_print(out, expr->operands[0]);
	if (expr->op == EXPR_ADD && right->op == EXPR_CONSTANT && right->value < 0 && right->is_signed) {
		text_printf(out, " - %llu", (unsigned long long)(0 - (uint64_t)right->value));
		return;
	}
	text_printf(out, " %s ", expr_spelling(expr->op));
	expr_print(out, right);
}

static void print_operator(struct text *out, const struct expr *expr)
{
	const char *spelling = expr_spelling(expr->op);

	switch (expr->op) {
	case EXPR_CAST:
		text_printf(out, "%c%u(", expr->is_signed ? 'i' : 'u', expr->bits);
		expr_print(out, expr->operands[0]);
		break;
	case EXPR_NEG:
	case EXPR_NOT:
	case EXPR_LOGICAL_NOT:
		text_printf(out, "%s(", spelling);
		expr_print(out, expr->operands[0]);
		break;
	case EXPR_MIN:
	case EXPR_MAX:
		text_printf(out, "%s(", spelling);
		expr_print(out, expr->operands[0]);
		text_puts(out, ", ");
		expr_print(out, expr->operands[1]);
		break;
	case EXPR_SELECT:
		text_puts(out, "(");
		expr_print(out, expr->operands[0]);
		text_puts(out, " ? ");
		expr_print(out, expr->operands[1]);
		text_puts(out, " : ");
		expr_print(out, expr->operands[2]);
		break;
	default:
		print_infix(out, expr);
		break;
	}
	text_puts(out, ")");
}

static void print_load(struct text *out, const struct expr *expr)
{
	const struct access *load = expr->load;

	text_printf(out, "%s[", load->array->name);
	expr_print(out, load->element);
	text_puts(out, "]");
	if (load->leaf)
		text_printf(out, ".%s", load->leaf->path);
	if (load->inner) {
		text_puts(out, "[");
		expr_print(out, load->inner);
		text_puts(out, "]");
	}
	if (expr->value)
		text_printf(out, "@%lld", (long long)expr->value);
}

void expr_print(struct text *out, const struct expr *expr)
{
	switch (expr->op) {
	case EXPR_CONSTANT:
		if (!expr->is_signed && expr->bits == 64)
			text_printf(out, "%llu", (unsigned long long)expr->value);
		else
			text_printf(out, "%lld", (long long)expr->value);
		break;
	case EXPR_SYMBOL:
		text_puts(out, expr->symbol->name);
		break;
	case EXPR_LOAD:
		print_load(out, expr);
		break;
	case EXPR_UNKNOWN:
		text_printf(out, "unknown(%s)", expr->reason);
		break;
	default:
		print_operator(out, expr);
		break;
	}
}
