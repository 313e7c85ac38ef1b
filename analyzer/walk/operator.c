/*
 * Operators on values: arithmetic of integers, moving and comparing pointers.
 */
#include "analyzer/walk/walk.h"

static const struct walk_value *unknown(struct walk_state *walk, const struct node *node, const char *reason)
{
	return walk_unknown(walk, node->type, reason, node->place);
}

enum expr_op walk_expr_op(enum node_operator op)
{
	switch (op) {
#define X(name, spelling, operands)                                                                                    \
	case OPERATOR_##name:                                                                                          \
		return EXPR_##name;
		EXPR_OPERATORS(X)
#undef X
	default:
		return EXPR_UNKNOWN;
	}
}

static struct walk_location pointer_moved(struct walk_state *walk, const struct walk_value *pointer,
                                          const struct expr *count, bool backwards)
{
	struct walk_location at = pointer->at;

	if (backwards)
		count = expr_unary(&walk->pool, EXPR_NEG, count, count->bits, true);
	return walk_advance(walk, at, count);
}

/* Pointers into the same array: the distance of their elements. */
static const struct walk_value *pointer_difference(struct walk_state *walk, const struct walk_value *left,
                                                   const struct walk_value *right, const struct node *node)
{
	const struct walk_location *a = &left->at, *b = &right->at;
	const struct expr *difference;

	if (a->kind != LOCATION_MEMORY || b->kind != LOCATION_MEMORY || a->array != b->array || a->inner || b->inner ||
	    a->offset_bytes != b->offset_bytes)
		return unknown(walk, node, "the difference of two pointers");
	difference = expr_binary(&walk->pool, EXPR_SUB, expr_cast(&walk->pool, a->element, 64, true),
	                         expr_cast(&walk->pool, b->element, 64, true), 64, true);
	return walk_scalar(walk, difference);
}

const struct walk_value *walk_pointer_operator(struct walk_state *walk, enum node_operator op,
                                               const struct walk_value *left, const struct walk_value *right,
                                               const struct node *node)
{
	if (op == OPERATOR_SUB && left->kind == VALUE_POINTER && right->kind == VALUE_POINTER)
		return pointer_difference(walk, left, right, node);
	if (op == OPERATOR_ADD && right->kind == VALUE_POINTER && left->kind == VALUE_SCALAR)
		return walk_pointer(walk, pointer_moved(walk, right, left->scalar, false));
	if ((op == OPERATOR_ADD || op == OPERATOR_SUB) && left->kind == VALUE_POINTER && right->kind == VALUE_SCALAR)
		return walk_pointer(walk, pointer_moved(walk, left, right->scalar, op == OPERATOR_SUB));
	return unknown(walk, node, "a comparison of pointers");
}

const struct walk_value *walk_apply(struct walk_state *walk, enum node_operator op, const struct walk_value *left,
                                    const struct walk_value *right, const struct source_type *type,
                                    const struct node *node)
{
	const struct expr *a, *b;

	if (left->kind == VALUE_POINTER || right->kind == VALUE_POINTER)
		return walk_pointer_operator(walk, op, left, right, node);
	if (!type_is_integral(type))
		return unknown(walk, node, "data that is no integer");
	a = walk_number(walk, left);
	b = walk_number(walk, right);
	return walk_scalar(walk, expr_binary(&walk->pool, walk_expr_op(op), a, b, type->bits, type->is_signed));
}

/* Pointers into the same array compare as their elements do. */
static const struct walk_value *pointer_comparison(struct walk_state *walk, const struct walk_value *left,
                                                   const struct walk_value *right, const struct node *node)
{
	const struct walk_location *a = &left->at, *b = &right->at;

	if (a->kind != LOCATION_MEMORY || b->kind != LOCATION_MEMORY || a->array != b->array || a->inner || b->inner ||
	    a->offset_bytes != b->offset_bytes)
		return unknown(walk, node, "a comparison of pointers");
	return walk_scalar(walk, expr_binary(&walk->pool, walk_expr_op(node->op),
	                                     expr_cast(&walk->pool, a->element, 64, true),
	                                     expr_cast(&walk->pool, b->element, 64, true), 1, false));
}

const struct walk_value *walk_comparison(struct walk_state *walk, const struct node *node,
                                         const struct walk_value *left, const struct walk_value *right)
{
	if (left->kind == VALUE_POINTER && right->kind == VALUE_POINTER)
		return pointer_comparison(walk, left, right, node);
	if (left->kind != VALUE_SCALAR || right->kind != VALUE_SCALAR)
		return unknown(walk, node, "a comparison of pointers");
	if (!type_is_integral(node->children[0]->type) || !type_is_integral(node->children[1]->type))
		return unknown(walk, node, "a comparison of data that is no integer");
	return walk_scalar(walk,
	                   expr_binary(&walk->pool, walk_expr_op(node->op), left->scalar, right->scalar, 1, false));
}
