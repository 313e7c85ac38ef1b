/*
 * Small questions about the syntax tree.
 */
#include "analyzer/tree.h"

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

struct node *node_argument(const struct node *node, unsigned position)
{
	return node_child(node, first_argument(node) + position);
}

unsigned node_argument_count(const struct node *node)
{
	return node->child_count - first_argument(node);
}
