/*
 * Small questions about the syntax tree.
 */
#include "analyzer/tree/tree.h"

#include <string.h>

struct node *node_child(const struct node *node, unsigned position)
{
	return node && position < node->child_count ? node->children[position] : NULL;
}

void node_visit(const struct node *node, bool (*visit)(void *context, const struct node *node), void *context)
{
	if (!node || !visit(context, node))
		return;
	for (unsigned i = 0; i < node->child_count; i++)
		node_visit(node->children[i], visit, context);
}

const struct node *node_strip_casts(const struct node *node)
{
	while (node && node->kind == NODE_CAST && node->child_count == 1)
		node = node->children[0];
	return node;
}

struct source_declaration *node_variable(const struct node *node)
{
	node = node_strip_casts(node);
	if (!node || node->kind != NODE_REFERENCE || !node->declaration)
		return NULL;
	return node->declaration->kind == DECLARATION_VARIABLE || node->declaration->kind == DECLARATION_PARAMETER
	               ? node->declaration
	               : NULL;
}

const struct source_type *type_strip_reference(const struct source_type *type)
{
	return type->shape == SHAPE_REFERENCE ? type->target : type;
}

bool node_is_loop(const struct node *node)
{
	return node->kind == NODE_FOR || node->kind == NODE_WHILE || node->kind == NODE_DO;
}

bool type_is_integral(const struct source_type *type)
{
	return type && (type->shape == SHAPE_INTEGER || type->shape == SHAPE_BOOL) && type->bits <= 64;
}

/* Calls have the object they are called on, or NULL, before their arguments. */
static unsigned first_argument(const struct node *node)
{
	return node->kind == NODE_CONSTRUCT ? 0 : 1;
}

const struct node *node_object(const struct node *node)
{
	const struct node *base = node;

	if (node->kind == NODE_SUBSCRIPT && node->children[0]->kind != NODE_REFERENCE)
		base = node_strip_casts(node->children[0]);
	else if (node->kind == NODE_MEMBER && node->declaration->kind == DECLARATION_FIELD && !node->is_arrow)
		base = node->children[0];
	while (base->kind == NODE_CAST && base->type->shape == SHAPE_RECORD)
		base = base->children[0];
	return base != node && (base->kind == NODE_MEMBER || base->kind == NODE_SUBSCRIPT) ? base : NULL;
}

struct node *node_argument(const struct node *node, unsigned position)
{
	return node_child(node, first_argument(node) + position);
}

unsigned node_argument_count(const struct node *node)
{
	return node->child_count - first_argument(node);
}

/* ---- effects ------------------------------------------------------------------------------ */

static bool is_pure(struct source_function *function);

static bool changes_something(const struct node *node)
{
	return node->kind == NODE_ASSIGN || node->kind == NODE_OPAQUE ||
	       (node->kind == NODE_UNARY && node->op >= OPERATOR_INCREMENT_BEFORE &&
	        node->op <= OPERATOR_DECREMENT_AFTER);
}

static bool calls_impure(const struct node *node)
{
	struct source_function *function = node->declaration ? node->declaration->function : NULL;

	if (node->kind != NODE_CALL)
		return false;
	if (function && function->in_system_header)
		return strncmp(node->declaration->name, "atomic", 6) == 0;
	return !function || !is_pure(function);
}

static bool effect_visit(void *context, const struct node *node)
{
	bool *found = context;

	*found = *found || changes_something(node) || calls_impure(node);
	return !*found;
}

/* In a function's body, changes of its own variables do not count. */
static bool outer_effect_visit(void *context, const struct node *node)
{
	bool *found = context;
	const struct source_declaration *variable =
		changes_something(node) && node->child_count ? node_variable(node->children[0]) : NULL;
	bool is_own = variable && variable->type->shape != SHAPE_REFERENCE && !variable->is_global;

	*found = *found || (changes_something(node) && !is_own) || calls_impure(node);
	return !*found;
}

/* Whether calling a function changes nothing that its caller can see; recursive ones are taken to. */
static bool is_pure(struct source_function *function)
{
	bool found = false;

	if (function->purity == PURITY_UNKNOWN) {
		function->purity = PURITY_ASKED;
		node_visit(function->body, outer_effect_visit, &found);
		function->purity = found || !function->body ? PURITY_IMPURE : PURITY_PURE;
	}
	return function->purity == PURITY_PURE;
}

bool node_has_effects(const struct node *node)
{
	bool found = false;

	node_visit(node, effect_visit, &found);
	return found;
}

const struct record *node_member_record(const struct node *member, const struct source_type *object)
{
	const struct node *owner = member->children[0];
	const struct source_type *type = owner && owner->type ? type_strip_reference(owner->type) : NULL;

	if (owner && owner->kind == NODE_THIS)
		type = object;
	if (type && type->shape == SHAPE_POINTER)
		type = type->target;
	return type ? type->type.record : NULL;
}
