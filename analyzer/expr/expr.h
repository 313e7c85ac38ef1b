/*
 * analyzer/expr: symbolic numbers. An integer of a kernel is an expression of the kernel's symbols; the normal form of
 * an index is affine.
 *
 * Expressions are built bottom up through a pool, which folds constants and makes equal expressions one object
 * (build.c), are taken apart again (linear.c, affine.c), evaluated for given symbols (evaluate.c) and written out
 * (text.c). What has no expression is EXPR_UNKNOWN, a value with its reason.
 *
 * Names begin with expr_, those of the normal form with affine_.
 */
#ifndef COALESCE_ANALYZER_EXPR_EXPR_H
#define COALESCE_ANALYZER_EXPR_EXPR_H

#include "analyzer/types/types.h"

/*
 * Evaluates with symbol values values[symbol->index]; loads come from load() (NULL: loads are unknown). Returns false
 * where the value depends on something unknown. Wraps as C on the GPU does; division by zero is unknown.
 */
typedef bool expr_load_function(void *context, const struct access *access, const int64_t *values, int64_t *result);
bool expr_evaluate(const struct expr *expr, const int64_t *values, expr_load_function *load, void *context,
                   int64_t *result);
/* Fully parenthesised, stable text. */
void expr_print(struct text *out, const struct expr *expr);

/* The normal form of an expression; assumes that no operation overflows (C++ says so for signed integers). */
struct affine affine_from_expr(struct arena *arena, const struct expr *expr);
/* Value for given symbol values; only for affine ones. */
int64_t affine_evaluate(const struct affine *affine, const int64_t *values);
/* Coefficient of a symbol's linear term with the other symbols' values given: the thesis's C_t and C_l. */
int64_t affine_coefficient(const struct affine *affine, const struct symbol *symbol, const int64_t *values);
/* "blockDim.x*blockIdx.x + threadIdx.x + 3*k + 5", or "not affine: REASON". */
void affine_print(struct text *out, const struct affine *affine);

/* ---- building expressions ---------------------------------------------------- */

/* Makes equal expressions one object: two are equal if their pointers are. Each UNKNOWN is equal to itself only. */
struct expr_pool {
	struct arena *arena;
	const struct expr **table;
	size_t capacity, count;
};
const struct expr *expr_constant(struct expr_pool *pool, int64_t value, unsigned bits, bool is_signed);
const struct expr *expr_symbol(struct expr_pool *pool, const struct symbol *symbol, unsigned bits, bool is_signed);
/* The integer that an access reads, at that offset in the element. */
const struct expr *expr_load(struct expr_pool *pool, const struct access *access, int64_t offset, unsigned bits,
                             bool is_signed);
const struct expr *expr_unknown(struct expr_pool *pool, const char *reason, struct place place);
/* Operators, with folding and the simplifications that hold for wrapping arithmetic. The result has the given type;
 * conditions have 1 bit. */
const struct expr *expr_unary(struct expr_pool *pool, enum expr_op op, const struct expr *operand, unsigned bits,
                              bool is_signed);
const struct expr *expr_binary(struct expr_pool *pool, enum expr_op op, const struct expr *left,
                               const struct expr *right, unsigned bits, bool is_signed);
const struct expr *expr_select(struct expr_pool *pool, const struct expr *condition, const struct expr *yes,
                               const struct expr *no);
const struct expr *expr_cast(struct expr_pool *pool, const struct expr *operand, unsigned bits, bool is_signed);
/* The condition `expr != 0`, and the opposite of a condition. */
const struct expr *expr_truth(struct expr_pool *pool, const struct expr *expr);
const struct expr *expr_not(struct expr_pool *pool, const struct expr *condition);
bool expr_is_constant(const struct expr *expr, int64_t *value);
/* The first UNKNOWN in it from the left, or NULL. */
const struct expr *expr_find_unknown(const struct expr *expr);
/* Whether a symbol occurs in it, also inside the index of a load. */
bool expr_mentions(const struct expr *expr, const struct symbol *symbol);
/*
 * Writes expr as rest + slope * symbol, neither of which mentions the symbol. Returns false where it is not of that
 * form. Assumes that nothing overflows.
 */
bool expr_linear(struct expr_pool *pool, const struct expr *expr, const struct symbol *symbol,
                 const struct expr **slope, const struct expr **rest);
/* A value as b bits hold it; and a binary operator on such values of the operands' type, false where the result is
 * undefined. */
int64_t expr_normalise(int64_t value, unsigned bits, bool is_signed);
bool expr_apply(enum expr_op op, int64_t a, int64_t b, unsigned bits, bool is_signed, int64_t *result);
/* Number of operands of an operator; 0 for CONSTANT, SYMBOL, LOAD, UNKNOWN. */
unsigned expr_operand_count(enum expr_op op);

#endif
