/*
 * Expressions of the host: their constants, and what they do to variables.
 */
#include "analyzer/host/host.h"

#include <string.h>

static const struct host_constant *reference_value(struct host *host, const struct node *node)
{
	struct host_constant *constant;

	if (node->declaration->kind == DECLARATION_FUNCTION) {
		constant = arena_alloc(host->arena, sizeof(*constant));
		constant->kind = CONSTANT_FUNCTION;
		constant->function = node->declaration->function;
		return constant;
	}
	return host_variable(host, node->declaration);
}

/* ---- changes ---------------------------------------------------------------------------------- */

const struct host_constant *host_assign_copy(struct host *host, const struct node *node)
{
	const struct host_constant *value = host_evaluate(host, node->children[1]);

	host_store(host, node->children[0], value);
	return value;
}

static const struct host_constant *assign_value(struct host *host, const struct node *node)
{
	const struct host_constant *right = host_evaluate(host, node->children[1]), *left;

	if (node->op != OPERATOR_NONE) {
		left = host_evaluate(host, node->children[0]);
		right = host_binary(host, node->op, left, right, node->type, node->type);
	} else if (node_strip_casts(node->children[0])->kind != NODE_REFERENCE) {
		host_evaluate(host, node->children[0]);
	}
	host_store(host, node->children[0], right);
	return right;
}

static const struct host_constant *step_value(struct host *host, const struct node *node)
{
	bool up = node->op == OPERATOR_INCREMENT_BEFORE || node->op == OPERATOR_INCREMENT_AFTER;
	bool before = node->op == OPERATOR_INCREMENT_BEFORE || node->op == OPERATOR_DECREMENT_BEFORE;
	const struct host_constant *old = host_evaluate(host, node->children[0]);
	const struct host_constant *stepped =
		host_binary(host, up ? OPERATOR_ADD : OPERATOR_SUB, old, host_integer(host, 1), node->type, node->type);

	host_store(host, node->children[0], stepped);
	return before ? stepped : old;
}

static const struct host_constant *address_value(struct host *host, const struct node *node)
{
	struct source_declaration *variable = node_variable(node->children[0]);
	struct host_constant *constant;

	if (!variable)
		return host_evaluate(host, node->children[0]);
	constant = arena_alloc(host->arena, sizeof(*constant));
	constant->kind = CONSTANT_ADDRESS;
	constant->variable = variable;
	return constant;
}

/* The variable that *p is, where p is known to hold its address. */
static struct source_declaration *pointed_variable(struct host *host, const struct node *node)
{
	const struct host_constant *pointer = host_evaluate(host, node->children[0]);

	return pointer->kind == CONSTANT_ADDRESS ? pointer->variable : NULL;
}

static const struct host_constant *unary_value(struct host *host, const struct node *node)
{
	struct source_declaration *variable;

	switch (node->op) {
	case OPERATOR_ADDRESS:
		return address_value(host, node);
	case OPERATOR_DEREFERENCE:
		variable = pointed_variable(host, node);
		return variable ? host_variable(host, variable) : host_unknown(host, "a value in memory");
	case OPERATOR_INCREMENT_BEFORE:
	case OPERATOR_INCREMENT_AFTER:
	case OPERATOR_DECREMENT_BEFORE:
	case OPERATOR_DECREMENT_AFTER:
		return step_value(host, node);
	default:
		return host_unary(host, node->op, host_evaluate(host, node->children[0]), node->type);
	}
}

/* ---- operators ----------------------------------------------------------------------------------- */

static const struct host_constant *logical_value(struct host *host, const struct node *node)
{
	const struct host_constant *left = host_evaluate(host, node->children[0]), *right;
	bool deciding = node->op == OPERATOR_LOGICAL_OR, truth;

	if (host_truth(left, &truth) && truth == deciding)
		return host_integer(host, truth);
	right = host_evaluate(host, node->children[1]);
	if (host_truth(left, &truth) && host_truth(right, &truth))
		return host_integer(host, truth);
	return host_unknown(host, "a condition that is not known");
}

static const struct host_constant *binary_value(struct host *host, const struct node *node)
{
	const struct host_constant *left;

	if (node->op == OPERATOR_LOGICAL_AND || node->op == OPERATOR_LOGICAL_OR)
		return logical_value(host, node);
	left = host_evaluate(host, node->children[0]);
	if (node->op == OPERATOR_COMMA)
		return host_evaluate(host, node->children[1]);
	return host_binary(host, node->op, left, host_evaluate(host, node->children[1]), node->children[0]->type, node->type);
}

static const struct host_constant *conditional_value(struct host *host, const struct node *node)
{
	const struct host_constant *condition = host_evaluate(host, node->children[0]), *yes;
	bool truth;

	if (host_truth(condition, &truth))
		return host_evaluate(host, node->children[truth ? 1 : 2]);
	yes = host_evaluate(host, node->children[1]);
	return host_join(host, yes, host_evaluate(host, node->children[2]));
}

/* ---- dim3 ------------------------------------------------------------------------------------------- */

/* dim3 from one to three numbers, or from another dim3. */
static const struct host_constant *dim3_value(struct host *host, const struct node *node)
{
	const struct host_constant *parts[3], *first;

	first = node->child_count ? host_evaluate(host, node->children[0]) : NULL;
	if (first && first->kind == CONSTANT_TRIPLE)
		return first;
	if (first && host_is_dim3(type_strip_reference(node->children[0]->type)))
		return first;
	for (unsigned i = 0; i < ARRAY_COUNT(parts); i++) {
		bool is_given = i < node->child_count && node->children[i]->kind != NODE_OPAQUE;

		parts[i] = !is_given ? host_integer(host, 1) : i == 0 ? first : host_evaluate(host, node->children[i]);
	}
	return host_triple(host, parts);
}

/* The record that braces make. */
static const struct host_constant *list_value(struct host *host, const struct node *list)
{
	const struct record *record = list->type->type.record;
	const struct host_constant *made = host_unknown(host, "an object"), *value;

	for (unsigned i = 0; i < list->child_count; i++) {
		value = host_evaluate(host, list->children[i]);
		if (record && i < record->member_count && record->members[i].count == 1)
			made = host_record_set(host, made, record->members[i].offset_bytes, value);
	}
	return made;
}

static const struct host_constant *aggregate_value(struct host *host, const struct node *node)
{
	const struct host_constant *first = node->kind == NODE_CONSTRUCT ? host_construct(host, node) : NULL;

	if (first)
		return first;
	if (host_is_dim3(node->type))
		return dim3_value(host, node);
	if (node->kind == NODE_LIST && node->type && node->type->shape == SHAPE_RECORD)
		return list_value(host, node);
	if (node->kind == NODE_LIST && node->child_count == 1)
		return host_evaluate(host, node->children[0]);
	if (node->child_count == 1 && (first = host_evaluate(host, node->children[0]))->kind == CONSTANT_RECORD)
		return first;
	for (unsigned i = node->child_count == 1; i < node->child_count; i++)
		host_evaluate(host, node->children[i]);
	return host_unknown(host, "an object");
}

/* ---- the entry ---------------------------------------------------------------------------------------- */

static const struct host_constant *evaluate_children(struct host *host, const struct node *node, const char *reason)
{
	for (unsigned i = 0; i < node->child_count; i++) {
		if (!node->children[i])
			continue;
		if (node->children[i]->type)
			host_evaluate(host, node->children[i]);
		else
			host_statement(host, node->children[i]);
	}
	return host_unknown(host, reason);
}

static const struct host_constant *evaluate_kind(struct host *host, const struct node *node)
{
	struct host_constant *real;

	switch (node->kind) {
	case NODE_INTEGER:
		return host_integer(host, node->value);
	case NODE_FLOATING:
		real = arena_alloc(host->arena, sizeof(*real));
		real->kind = CONSTANT_REAL;
		real->real = node->real;
		return real;
	case NODE_REFERENCE:
		return reference_value(host, node);
	case NODE_MEMBER:
		return host_part(host, node);
	case NODE_UNARY:
		return unary_value(host, node);
	case NODE_BINARY:
		return binary_value(host, node);
	case NODE_ASSIGN:
		return assign_value(host, node);
	case NODE_CONDITIONAL:
		return conditional_value(host, node);
	case NODE_CAST:
		return host_convert(host, host_evaluate(host, node->children[0]), node->type);
	case NODE_CALL:
		return host_call(host, node);
	case NODE_LAUNCH:
		host_launch(host, node);
		return host_unknown(host, "no value");
	case NODE_CONSTRUCT:
	case NODE_LIST:
		return aggregate_value(host, node);
	case NODE_SUBSCRIPT:
		return evaluate_children(host, node, "a value in memory");
	default:
		return evaluate_children(host, node, "an expression that is no number");
	}
}

const struct host_constant *host_evaluate(struct host *host, const struct node *node)
{
	const struct host_constant *value;

	if (host->budget == 0 || host->depth > HOST_DEPTH_MAX)
		return host_unknown(host, "code that is left out");
	host->budget--;
	host->depth++;
	value = evaluate_kind(host, node);
	host->depth--;
	return value;
}
