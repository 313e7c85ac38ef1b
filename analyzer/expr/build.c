/*
 * Expressions: the constructors, which fold and share.
 *
 * Equal expressions are one object, so that comparing two is comparing pointers, and an expression that doubles at each
 * assignment stays small in memory. Its size as a tree is bounded: walks over trees need no table of what they have
 * seen.
 */
#include "analyzer/expr/expr.h"

#include <string.h>

unsigned expr_operand_count(enum expr_op op)
{
	switch (op) {
#define X(name, spelling, operands)                                                                                    \
	case EXPR_##name:                                                                                              \
		return operands;
		EXPR_OPERATORS(X)
#undef X
	default:
		return 0;
	}
}

/* ---- sharing --------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ (hash >> 29);
}

static size_t expr_hash(const struct expr *expr)
{
	uint64_t hash = mix(expr->op, (uint64_t)expr->bits << 1 | expr->is_signed);

	hash = mix(hash, (uint64_t)expr->value);
	hash = mix(hash, (uintptr_t)expr->symbol);
	hash = mix(hash, (uintptr_t)expr->load);
	for (unsigned i = 0; i < ARRAY_COUNT(expr->operands); i++)
		hash = mix(hash, (uintptr_t)expr->operands[i]);
	return (size_t)hash;
}

static bool expr_same(const struct expr *a, const struct expr *b)
{
	return a->op == b->op && a->bits == b->bits && a->is_signed == b->is_signed && a->value == b->value &&
	       a->symbol == b->symbol && a->load == b->load &&
	       memcmp(a->operands, b->operands, sizeof(a->operands)) == 0;
}

static const struct expr **pool_find(const struct expr **table, size_t capacity, const struct expr *expr)
{
	size_t at = expr_hash(expr) & (capacity - 1);

	while (table[at] && !expr_same(table[at], expr))
		at = (at + 1) & (capacity - 1);
	return &table[at];
}

static void pool_grow(struct expr_pool *pool)
{
	size_t capacity = pool->capacity ? 2 * pool->capacity : 256;
	const struct expr **table = arena_array(pool->arena, capacity, sizeof(*table));

	for (size_t i = 0; i < pool->capacity; i++)
		if (pool->table[i])
			*pool_find(table, capacity, pool->table[i]) = pool->table[i];
	pool->table = table;
	pool->capacity = capacity;
}

static const struct expr *expr_copy(struct expr_pool *pool, const struct expr *expr)
{
	struct expr *copy = arena_alloc(pool->arena, sizeof(*copy));

	*copy = *expr;
	return copy;
}

/* The one object equal to expr, whose tree_size is filled in here. */
static const struct expr *expr_share(struct expr_pool *pool, struct expr expr)
{
	const struct expr **slot;

	expr.tree_size = 1;
	for (unsigned i = 0; i < expr_operand_count(expr.op); i++)
		expr.tree_size += expr.operands[i] ? expr.operands[i]->tree_size : 0;
	if (expr.tree_size > EXPR_TREE_SIZE_MAX)
		return expr_unknown(pool, "an expression too large to follow", (struct place){0});
	if (2 * (pool->count + 1) > pool->capacity)
		pool_grow(pool);
	slot = pool_find(pool->table, pool->capacity, &expr);
	if (!*slot) {
		*slot = expr_copy(pool, &expr);
		pool->count++;
	}
	return *slot;
}

const struct expr *expr_constant(struct expr_pool *pool, int64_t value, unsigned bits, bool is_signed)
{
	return expr_share(pool, (struct expr){.op = EXPR_CONSTANT,
	                                      .bits = (uint8_t)bits,
	                                      .is_signed = is_signed,
	                                      .value = expr_normalise(value, bits, is_signed)});
}

const struct expr *expr_symbol(struct expr_pool *pool, const struct symbol *symbol, unsigned bits, bool is_signed)
{
	return expr_share(
		pool,
		(struct expr){.op = EXPR_SYMBOL, .bits = (uint8_t)bits, .is_signed = is_signed, .symbol = symbol});
}

const struct expr *expr_load(struct expr_pool *pool, const struct access *access, int64_t offset, unsigned bits,
                             bool is_signed)
{
	return expr_share(pool, (struct expr){.op = EXPR_LOAD,
	                                      .bits = (uint8_t)bits,
	                                      .is_signed = is_signed,
	                                      .load = access,
	                                      .value = offset,
	                                      .place = access->place});
}

const struct expr *expr_unknown(struct expr_pool *pool, const char *reason, struct place place)
{
	struct expr expr = {
		.op = EXPR_UNKNOWN, .bits = 64, .is_signed = true, .reason = reason, .place = place, .tree_size = 1};

	return expr_copy(pool, &expr);
}

/* ---- questions ---------------------------------------------------------------------------------- */

bool expr_is_constant(const struct expr *expr, int64_t *value)
{
	if (expr->op == EXPR_CONSTANT && value)
		*value = expr->value;
	return expr->op == EXPR_CONSTANT;
}

static bool is_value(const struct expr *expr, int64_t value)
{
	return expr->op == EXPR_CONSTANT && expr->value == value;
}

const struct expr *expr_find_unknown(const struct expr *expr)
{
	const struct expr *found = expr->op == EXPR_UNKNOWN ? expr : NULL;

	for (unsigned i = 0; i < expr_operand_count(expr->op) && !found; i++)
		found = expr_find_unknown(expr->operands[i]);
	return found;
}

bool expr_mentions(const struct expr *expr, const struct symbol *symbol)
{
	bool found = expr->op == EXPR_SYMBOL && expr->symbol == symbol;

	if (expr->op == EXPR_LOAD)
		found = expr_mentions(expr->load->element, symbol) ||
		        (expr->load->inner && expr_mentions(expr->load->inner, symbol));
	for (unsigned i = 0; i < expr_operand_count(expr->op) && !found; i++)
		found = expr_mentions(expr->operands[i], symbol);
	return found;
}

/* ---- constructors ----------------------------------------------------------------------------------- */

static const struct expr *expr_make(struct expr_pool *pool, enum expr_op op, const struct expr *a, const struct expr *b,
                                    const struct expr *c, unsigned bits, bool is_signed)
{
	return expr_share(
		pool, (struct expr){.op = op, .bits = (uint8_t)bits, .is_signed = is_signed, .operands = {a, b, c}});
}

const struct expr *expr_unary(struct expr_pool *pool, enum expr_op op, const struct expr *operand, unsigned bits,
                              bool is_signed)
{
	int64_t value;

	if (operand->op == EXPR_UNKNOWN)
		return operand;
	if (op == EXPR_LOGICAL_NOT)
		return expr_not(pool, expr_truth(pool, operand));
	if (operand->op == op && operand->bits == bits)
		return operand->operands[0];
	if (expr_is_constant(operand, &value))
		return expr_constant(pool, op == EXPR_NEG ? (int64_t)(0 - (uint64_t)value) : (int64_t) ~(uint64_t)value,
		                     bits, is_signed);
	return expr_make(pool, op, operand, NULL, NULL, bits, is_signed);
}

static bool is_comparison(enum expr_op op)
{
	return op >= EXPR_LT && op <= EXPR_NE;
}

static bool commutes(enum expr_op op)
{
	return op == EXPR_ADD || op == EXPR_MUL;
}

/* x + 0, x * 1 and their like: one of the operands; NULL where nothing can be simplified. */
static const struct expr *simplify_identity(const struct expr *left, const struct expr *right, enum expr_op op)
{
	switch (op) {
	case EXPR_ADD:
	case EXPR_SUB:
	case EXPR_SHL:
	case EXPR_SHR:
	case EXPR_OR:
	case EXPR_XOR:
		return is_value(right, 0) ? left : NULL;
	case EXPR_MUL:
		return is_value(right, 1) ? left : is_value(right, 0) ? right : NULL;
	case EXPR_DIV:
		return is_value(right, 1) ? left : NULL;
	case EXPR_MIN:
	case EXPR_MAX:
		return left == right ? left : NULL;
	default:
		return NULL;
	}
}

/* && and || with a constant on one side. */
static const struct expr *simplify_logical(const struct expr *left, const struct expr *right, enum expr_op op)
{
	bool deciding = op == EXPR_LOGICAL_OR;
	const struct expr *const sides[] = {left, right};

	for (unsigned i = 0; i < ARRAY_COUNT(sides); i++)
		if (sides[i]->op == EXPR_CONSTANT)
			return (sides[i]->value != 0) == deciding ? sides[i] : sides[1 - i];
	return left == right ? left : NULL;
}

static const struct expr *binary_logical(struct expr_pool *pool, enum expr_op op, const struct expr *left,
                                         const struct expr *right)
{
	const struct expr *simple;

	left = expr_truth(pool, left);
	right = expr_truth(pool, right);
	simple = simplify_logical(left, right, op);
	return simple ? simple : expr_make(pool, op, left, right, NULL, 1, false);
}

/* (x + c) + d becomes x + (c + d). */
static const struct expr *reassociate(struct expr_pool *pool, const struct expr *left, const struct expr *right,
                                      unsigned bits, bool is_signed)
{
	int64_t inner, outer;

	if (left->op != EXPR_ADD || left->bits != bits || !expr_is_constant(right, &outer) ||
	    !expr_is_constant(left->operands[1], &inner))
		return NULL;
	return expr_binary(pool, EXPR_ADD, left->operands[0],
	                   expr_constant(pool, (int64_t)((uint64_t)inner + (uint64_t)outer), bits, is_signed), bits,
	                   is_signed);
}

const struct expr *expr_binary(struct expr_pool *pool, enum expr_op op, const struct expr *left,
                               const struct expr *right, unsigned bits, bool is_signed)
{
	const struct expr *simple;
	int64_t a, b, value;

	if (op == EXPR_LOGICAL_AND || op == EXPR_LOGICAL_OR)
		return binary_logical(pool, op, left, right);
	if (commutes(op) && left->op == EXPR_CONSTANT && right->op != EXPR_CONSTANT)
		return expr_binary(pool, op, right, left, bits, is_signed);
	if (is_comparison(op))
		bits = 1;
	if (expr_is_constant(left, &a) && expr_is_constant(right, &b) &&
	    expr_apply(op, a, b, left->bits, left->is_signed, &value))
		return expr_constant(pool, value, bits, is_signed);
	simple = simplify_identity(left, right, op);
	if (simple && (simple->bits == bits || simple->op == EXPR_CONSTANT))
		return simple->op == EXPR_CONSTANT ? expr_constant(pool, simple->value, bits, is_signed) : simple;
	if (left->op == EXPR_UNKNOWN || right->op == EXPR_UNKNOWN)
		return left->op == EXPR_UNKNOWN ? left : right;
	if (op == EXPR_SUB && is_signed && expr_is_constant(right, &b) && b != INT64_MIN)
		return expr_binary(pool, EXPR_ADD, left, expr_constant(pool, -b, bits, is_signed), bits, is_signed);
	if ((op == EXPR_SUB && is_value(left, 0)) || (op == EXPR_MUL && is_signed && is_value(right, -1)))
		return expr_unary(pool, EXPR_NEG, op == EXPR_SUB ? right : left, bits, is_signed);
	simple = op == EXPR_ADD ? reassociate(pool, left, right, bits, is_signed) : NULL;
	if (simple)
		return simple;
	if (left == right && (op == EXPR_SUB || op == EXPR_XOR))
		return expr_constant(pool, 0, bits, is_signed);
	return expr_make(pool, op, left, right, NULL, bits, is_comparison(op) ? false : is_signed);
}

const struct expr *expr_select(struct expr_pool *pool, const struct expr *condition, const struct expr *yes,
                               const struct expr *no)
{
	if (yes == no)
		return yes;
	if (condition->op == EXPR_CONSTANT)
		return condition->value ? yes : no;
	if (condition->op == EXPR_UNKNOWN || yes->op == EXPR_UNKNOWN || no->op == EXPR_UNKNOWN)
		return condition->op == EXPR_UNKNOWN ? condition : yes->op == EXPR_UNKNOWN ? yes : no;
	return expr_make(pool, EXPR_SELECT, condition, yes, expr_cast(pool, no, yes->bits, yes->is_signed), yes->bits,
	                 yes->is_signed);
}

const struct expr *expr_cast(struct expr_pool *pool, const struct expr *operand, unsigned bits, bool is_signed)
{
	int64_t value;

	if (operand->op == EXPR_UNKNOWN || (operand->bits == bits && operand->is_signed == is_signed))
		return operand;
	if (expr_is_constant(operand, &value))
		return expr_constant(pool, value, bits, is_signed);
	if (operand->op == EXPR_CAST && operand->bits >= bits && operand->bits >= operand->operands[0]->bits &&
	    operand->operands[0]->bits >= bits)
		return expr_cast(pool, operand->operands[0], bits, is_signed);
	return expr_make(pool, EXPR_CAST, operand, NULL, NULL, bits, is_signed);
}

const struct expr *expr_truth(struct expr_pool *pool, const struct expr *expr)
{
	if (expr->bits == 1 || expr->op == EXPR_UNKNOWN)
		return expr;
	if (expr->op == EXPR_CAST && expr->operands[0]->bits == 1)
		return expr->operands[0];
	return expr_binary(pool, EXPR_NE, expr, expr_constant(pool, 0, expr->bits, expr->is_signed), 1, false);
}

const struct expr *expr_not(struct expr_pool *pool, const struct expr *condition)
{
	static const enum expr_op opposites[][2] = {{EXPR_LT, EXPR_GE}, {EXPR_GE, EXPR_LT}, {EXPR_GT, EXPR_LE},
	                                            {EXPR_LE, EXPR_GT}, {EXPR_EQ, EXPR_NE}, {EXPR_NE, EXPR_EQ}};

	if (condition->op == EXPR_UNKNOWN)
		return condition;
	if (condition->op == EXPR_CONSTANT)
		return expr_constant(pool, !condition->value, 1, false);
	if (condition->op == EXPR_LOGICAL_NOT)
		return condition->operands[0];
	for (unsigned i = 0; i < ARRAY_COUNT(opposites); i++)
		if (condition->op == opposites[i][0])
			return expr_make(pool, opposites[i][1], condition->operands[0], condition->operands[1], NULL, 1,
			                 false);
	return expr_make(pool, EXPR_LOGICAL_NOT, condition, NULL, NULL, 1, false);
}
