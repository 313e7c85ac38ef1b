/*
 * Normal form (thesis section 3.1): an index as constant + sum of coefficient * product of symbols, linear in threads,
 * blocks and iterators.
 *
 * The method: multiply the expression out into a polynomial over all symbols, then demand that no term has two targets
 * or a square of one. It assumes that no operation overflows (unsigned constants beyond 2^31 stand for negative ones)
 * and that a value cast to 32 or 64 bits fits; narrower casts are not affine. Division, modulo, shifts right, masks and
 * selections are not affine, except where a constant divides every coefficient.
 */
#include "analyzer/expr/expr.h"

#include <string.h>

/* A polynomial while it is built: terms sorted by symbols, the empty product (constant) first; no zero coefficients. */
struct polynomial {
	struct affine_term *terms;
	unsigned count;
};

#define TERMS_MAX 64

struct affine_conversion {
	struct arena *arena;
	const char *reason;
	struct place place;
};

static bool fail(struct affine_conversion *conversion, const char *reason, const struct expr *expr)
{
	if (!conversion->reason) {
		conversion->reason = reason;
		conversion->place = expr->place;
	}
	return false;
}

/* Order of terms: by symbols' indices, shorter products first where one is the beginning of the other. */
static int term_compare(const struct affine_term *a, const struct affine_term *b)
{
	unsigned least = a->symbol_count < b->symbol_count ? a->symbol_count : b->symbol_count;

	for (unsigned i = 0; i < least; i++)
		if (a->symbols[i] != b->symbols[i])
			return a->symbols[i]->index < b->symbols[i]->index ? -1 : 1;
	return a->symbol_count < b->symbol_count ? -1 : a->symbol_count > b->symbol_count;
}

/* Most polynomials have one term: room for twice as many as there are. */
static void polynomial_push(struct affine_conversion *conversion, struct polynomial *sum, struct affine_term term)
{
	if (term.coefficient == 0)
		return;
	if ((sum->count & (sum->count - 1)) == 0) {
		struct affine_term *terms =
			arena_array(conversion->arena, sum->count ? 2 * (size_t)sum->count : 1, sizeof(*terms));

		if (sum->count)
			memcpy(terms, sum->terms, sum->count * sizeof(*terms));
		sum->terms = terms;
	}
	sum->terms[sum->count++] = term;
}

/* a + factor * b, by merging. */
static struct polynomial polynomial_add(struct affine_conversion *conversion, struct polynomial a, struct polynomial b,
                                        int64_t factor)
{
	struct polynomial sum = {NULL, 0};
	unsigned i = 0, j = 0;

	while (i < a.count || j < b.count) {
		int order = i == a.count ? 1 : j == b.count ? -1 : term_compare(&a.terms[i], &b.terms[j]);
		struct affine_term term = order <= 0 ? a.terms[i] : b.terms[j];

		term.coefficient = order <= 0 ? term.coefficient : 0;
		if (order >= 0)
			term.coefficient = (int64_t)((uint64_t)term.coefficient +
			                             (uint64_t)factor * (uint64_t)b.terms[j].coefficient);
		polynomial_push(conversion, &sum, term);
		i += order <= 0;
		j += order >= 0;
	}
	return sum;
}

/* The product of two terms: symbols merged in order. */
static struct affine_term term_multiply(struct affine_conversion *conversion, const struct affine_term *a,
                                        const struct affine_term *b)
{
	struct affine_term term = {.coefficient = (int64_t)((uint64_t)a->coefficient * (uint64_t)b->coefficient),
	                           .symbol_count = a->symbol_count + b->symbol_count};
	unsigned i = 0, j = 0;

	term.symbols = arena_array(conversion->arena, term.symbol_count, sizeof(struct symbol *));
	for (unsigned k = 0; k < term.symbol_count; k++)
		if (j == b->symbol_count || (i < a->symbol_count && a->symbols[i]->index <= b->symbols[j]->index))
			term.symbols[k] = a->symbols[i++];
		else
			term.symbols[k] = b->symbols[j++];
	return term;
}

static struct polynomial polynomial_multiply(struct affine_conversion *conversion, struct polynomial a,
                                             struct polynomial b)
{
	struct polynomial product = {NULL, 0};

	for (unsigned i = 0; i < a.count; i++)
		for (unsigned j = 0; j < b.count; j++) {
			struct affine_term term = term_multiply(conversion, &a.terms[i], &b.terms[j]);

			product = polynomial_add(conversion, product, (struct polynomial){&term, 1}, 1);
		}
	return product;
}

static bool polynomial_constant(struct polynomial polynomial, int64_t *value)
{
	if (polynomial.count > 1 || (polynomial.count == 1 && polynomial.terms[0].symbol_count > 0))
		return false;
	*value = polynomial.count ? polynomial.terms[0].coefficient : 0;
	return true;
}

static struct polynomial polynomial_of(struct affine_conversion *conversion, int64_t value, const struct symbol *symbol)
{
	struct polynomial polynomial = {NULL, 0};
	struct affine_term term = {.coefficient = value};

	if (symbol) {
		term.symbols = arena_alloc(conversion->arena, sizeof(struct symbol *));
		term.symbols[term.symbol_count++] = symbol;
	}
	polynomial_push(conversion, &polynomial, term);
	return polynomial;
}

/* Divides all coefficients; false where one is not a multiple. */
static bool polynomial_divide(struct affine_conversion *conversion, struct polynomial *polynomial, int64_t divisor)
{
	struct polynomial quotient = {NULL, 0};

	if (divisor == 0 || divisor == -1)
		return false;
	for (unsigned i = 0; i < polynomial->count; i++) {
		struct affine_term term = polynomial->terms[i];

		if (term.coefficient % divisor != 0)
			return false;
		term.coefficient /= divisor;
		polynomial_push(conversion, &quotient, term);
	}
	*polynomial = quotient;
	return true;
}

static bool convert(struct affine_conversion *conversion, const struct expr *expr, struct polynomial *result);

static const char *operator_reason(enum expr_op op)
{
	switch (op) {
	case EXPR_DIV:
		return "a division";
	case EXPR_MOD:
		return "a remainder";
	case EXPR_SHL:
	case EXPR_SHR:
		return "a shift";
	case EXPR_AND:
	case EXPR_OR:
	case EXPR_XOR:
		return "an operation on bits";
	case EXPR_SELECT:
		return "a value that depends on a condition";
	case EXPR_MIN:
	case EXPR_MAX:
		return "a minimum or maximum";
	case EXPR_LOAD:
		return "a value loaded from memory";
	case EXPR_CAST:
		return "a cast to a narrow type";
	default:
		return "a condition used as a number";
	}
}

/* Division and shifts by constants. An unsigned divisor is as large as its highest bit says, not negative. */
static bool convert_scaled(struct affine_conversion *conversion, const struct expr *expr, struct polynomial *result)
{
	struct polynomial right = {NULL, 0};
	int64_t amount;

	if (!convert(conversion, expr->operands[0], result) || !convert(conversion, expr->operands[1], &right))
		return false;
	if (!polynomial_constant(right, &amount) || (amount < 0 && (expr->op != EXPR_DIV || !expr->is_signed)) ||
	    (expr->op != EXPR_DIV && amount > 62))
		return fail(conversion, operator_reason(expr->op), expr);
	if (expr->op == EXPR_SHL)
		*result =
			polynomial_multiply(conversion, *result, polynomial_of(conversion, INT64_C(1) << amount, NULL));
	else if (!polynomial_divide(conversion, result, expr->op == EXPR_DIV ? amount : INT64_C(1) << amount))
		return fail(conversion, operator_reason(expr->op), expr);
	return true;
}

static bool convert_arithmetic(struct affine_conversion *conversion, const struct expr *expr, struct polynomial *result)
{
	struct polynomial left = {NULL, 0}, right = {NULL, 0};

	if (!convert(conversion, expr->operands[0], &left) || !convert(conversion, expr->operands[1], &right))
		return false;
	if (expr->op == EXPR_MUL && left.count * right.count > TERMS_MAX)
		return fail(conversion, "a product of too many terms", expr);
	*result = expr->op == EXPR_MUL ? polynomial_multiply(conversion, left, right)
	                               : polynomial_add(conversion, left, right, expr->op == EXPR_ADD ? 1 : -1);
	return result->count <= TERMS_MAX || fail(conversion, "a sum of too many terms", expr);
}

/* A constant; unsigned ones of 32 bits with the highest bit set are negative: `i + (unsigned)-1`. */
static int64_t constant_of(const struct expr *expr)
{
	return !expr->is_signed && expr->bits == 32 ? (int32_t)expr->value : expr->value;
}

static bool convert(struct affine_conversion *conversion, const struct expr *expr, struct polynomial *result)
{
	switch (expr->op) {
	case EXPR_CONSTANT:
		*result = polynomial_of(conversion, constant_of(expr), NULL);
		return true;
	case EXPR_SYMBOL:
		*result = polynomial_of(conversion, 1, expr->symbol);
		return true;
	case EXPR_UNKNOWN:
		return fail(conversion, expr->reason, expr);
	case EXPR_ADD:
	case EXPR_SUB:
	case EXPR_MUL:
		return convert_arithmetic(conversion, expr, result);
	case EXPR_DIV:
	case EXPR_SHL:
	case EXPR_SHR:
		return convert_scaled(conversion, expr, result);
	case EXPR_NEG:
	case EXPR_NOT:
		if (!convert(conversion, expr->operands[0], result))
			return false;
		*result = polynomial_add(conversion, polynomial_of(conversion, expr->op == EXPR_NOT ? -1 : 0, NULL),
		                         *result, -1);
		return true;
	case EXPR_CAST:
		if (expr->bits < 32)
			return fail(conversion, operator_reason(EXPR_CAST), expr);
		return convert(conversion, expr->operands[0], result);
	default:
		return fail(conversion, operator_reason(expr->op), expr);
	}
}

/* ---- the entry ---------------------------------------------------------------------------- */

static bool is_target(const struct symbol *symbol)
{
	return symbol->kind == SYMBOL_THREAD || symbol->kind == SYMBOL_BLOCK || symbol->kind == SYMBOL_ITERATOR;
}

/* The reason why a term is not linear in the targets, or NULL. */
static const char *term_reason(struct affine_conversion *conversion, const struct affine_term *term)
{
	const struct symbol *target = NULL;

	for (unsigned i = 0; i < term->symbol_count; i++) {
		if (!is_target(term->symbols[i]))
			continue;
		if (target)
			return arena_printf(conversion->arena, "the product of %s and %s", target->name,
			                    term->symbols[i]->name);
		target = term->symbols[i];
	}
	return NULL;
}

struct affine affine_from_expr(struct arena *arena, const struct expr *expr)
{
	struct affine_conversion conversion = {.arena = arena};
	struct polynomial polynomial = {NULL, 0};
	struct affine affine = {0};

	if (convert(&conversion, expr, &polynomial))
		for (unsigned i = 0; i < polynomial.count && !conversion.reason; i++)
			conversion.reason = term_reason(&conversion, &polynomial.terms[i]);
	if (conversion.reason) {
		affine.reason = conversion.reason;
		affine.place = conversion.place;
		return affine;
	}
	if (polynomial.count && polynomial.terms[0].symbol_count == 0) {
		affine.constant = polynomial.terms[0].coefficient;
		polynomial.terms++;
		polynomial.count--;
	}
	affine.terms = polynomial.terms;
	affine.term_count = polynomial.count;
	return affine;
}

/* The product of a term's symbols' values, leaving one symbol out where given. */
static int64_t term_value(const struct affine_term *term, const int64_t *values, const struct symbol *without)
{
	uint64_t product = (uint64_t)term->coefficient;

	for (unsigned i = 0; i < term->symbol_count; i++)
		if (term->symbols[i] != without)
			product *= (uint64_t)values[term->symbols[i]->index];
	return (int64_t)product;
}

int64_t affine_evaluate(const struct affine *affine, const int64_t *values)
{
	uint64_t sum = (uint64_t)affine->constant;

	for (unsigned i = 0; i < affine->term_count; i++)
		sum += (uint64_t)term_value(&affine->terms[i], values, NULL);
	return (int64_t)sum;
}

int64_t affine_coefficient(const struct affine *affine, const struct symbol *symbol, const int64_t *values)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < affine->term_count; i++)
		for (unsigned j = 0; j < affine->terms[i].symbol_count; j++)
			if (affine->terms[i].symbols[j] == symbol) {
				sum += (uint64_t)term_value(&affine->terms[i], values, symbol);
				break;
			}
	return (int64_t)sum;
}

static void print_term(struct text *out, const struct affine_term *term)
{
	uint64_t magnitude = term->coefficient < 0 ? 0 - (uint64_t)term->coefficient : (uint64_t)term->coefficient;

	if (magnitude != 1)
		text_printf(out, "%llu*", (unsigned long long)magnitude);
	for (unsigned i = 0; i < term->symbol_count; i++)
		text_printf(out, "%s%s", i ? "*" : "", term->symbols[i]->name);
}

void affine_print(struct text *out, const struct affine *affine)
{
	uint64_t magnitude = affine->constant < 0 ? 0 - (uint64_t)affine->constant : (uint64_t)affine->constant;

	if (affine->reason) {
		text_printf(out, "not affine: %s", affine->reason);
		return;
	}
	for (unsigned i = 0; i < affine->term_count; i++) {
		bool negative = affine->terms[i].coefficient < 0;

		text_puts(out, i ? (negative ? " - " : " + ") : (negative ? "-" : ""));
		print_term(out, &affine->terms[i]);
	}
	if (affine->term_count == 0)
		text_printf(out, "%lld", (long long)affine->constant);
	else if (affine->constant)
		text_printf(out, " %c %llu", affine->constant < 0 ? '-' : '+', (unsigned long long)magnitude);
}
