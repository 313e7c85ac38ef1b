/*
 * Whether a place that sets a member of an element is reached for each element, as far as its text says: the element is
 * numbered by a variable that the function steps by one (h[i].m, h[y * width + x].m, list->items[list->count].m), or
 * the place stands in the constructor.
 */
#include "analyzer/host/content/content.h"

#include <string.h>

/* ---- changes of a variable --------------------------------------------------------------- */

struct change_count {
	const struct source_declaration *variable;
	unsigned *steps, *others;
};

/* Whether a node is the variable, or names a member that is. */
static bool names(const struct node *node, const struct source_declaration *variable)
{
	node = node_strip_casts(node);
	return node && (node->kind == NODE_REFERENCE || node->kind == NODE_MEMBER) && node->declaration == variable;
}

static bool is_step(const struct node *node)
{
	const struct node *by =
		node->kind == NODE_ASSIGN && node->op == OPERATOR_ADD ? node_strip_casts(node->children[1]) : NULL;

	return (node->kind == NODE_UNARY &&
	        (node->op == OPERATOR_INCREMENT_BEFORE || node->op == OPERATOR_INCREMENT_AFTER)) ||
	       (by && by->kind == NODE_INTEGER && by->value == 1);
}

/* Whether a call may change what its argument names. */
static bool takes_reference(const struct node *call, unsigned position)
{
	const struct source_function *function = call->declaration ? call->declaration->function : NULL;
	const struct source_type *type;

	if (!function)
		return true;
	if (function->in_system_header)
		return position < 32 && (function->changed_parameters >> position & 1);
	type = position < function->parameter_count ? function->parameters[position]->type : NULL;
	return type && type->shape == SHAPE_REFERENCE && !type->target->is_const;
}

static bool changes_visit(void *context, const struct node *node)
{
	struct change_count *count = context;
	const struct node *operand = node_child(node, 0);
	bool is_change =
		node->kind == NODE_ASSIGN || (node->kind == NODE_UNARY && node->op >= OPERATOR_INCREMENT_BEFORE &&
	                                      node->op <= OPERATOR_DECREMENT_AFTER);

	if (is_change && names(operand, count->variable))
		++*(is_step(node) ? count->steps : count->others);
	if (node->kind == NODE_UNARY && node->op == OPERATOR_ADDRESS && names(operand, count->variable))
		++*count->others;
	if (node->kind == NODE_DECLARE && node->declaration->type->shape == SHAPE_REFERENCE &&
	    names(operand, count->variable))
		++*count->others;
	for (unsigned i = 1; node->kind == NODE_CALL && i < node->child_count; i++)
		if (names(node->children[i], count->variable) && takes_reference(node, i - 1))
			++*count->others;
	return true;
}

void host_content_changes(const struct node *node, const struct source_declaration *variable, unsigned *steps,
                          unsigned *others)
{
	struct change_count count = {variable, steps, others};

	*steps = *others = 0;
	node_visit(node, changes_visit, &count);
}

/* ---- elements ------------------------------------------------------------------------------ */

static bool is_stepped(const struct source_function *function, const struct node *node)
{
	unsigned steps = 0, others = 0;

	node = node_strip_casts(node);
	if (!node || (node->kind != NODE_REFERENCE && node->kind != NODE_MEMBER) || !node->declaration)
		return node && node->kind == NODE_UNARY && is_step(node);
	host_content_changes(function->body, node->declaration, &steps, &others);
	return steps > 0;
}

/* Whether one of the terms of a sum is a variable that is stepped by one. */
static bool is_numbered(const struct source_function *function, const struct node *index)
{
	index = node_strip_casts(index);
	if (index && index->kind == NODE_BINARY && index->op == OPERATOR_ADD)
		return is_numbered(function, index->children[0]) || is_numbered(function, index->children[1]);
	return is_stepped(function, index);
}

/* The index of v[i], also where that is a call of a container's; NULL for others. */
static const struct node *index_of(const struct node *element, const struct node **base)
{
	bool is_call = element->kind == NODE_CALL && element->declaration && element->child_count == 2 &&
	               (strcmp(element->declaration->name, "operator[]") == 0 ||
	                strcmp(element->declaration->name, "at") == 0);

	*base = node_strip_casts(node_child(element, 0));
	return element->kind == NODE_SUBSCRIPT || is_call ? element->children[1] : NULL;
}

/* An array that a variable is, or a member of one. */
static bool is_named(const struct node *base)
{
	const struct node *object = base && base->kind == NODE_MEMBER ? node_strip_casts(base->children[0]) : base;

	return object && (object->kind == NODE_REFERENCE || object->kind == NODE_THIS);
}

/* h[i], *(h + i), and what a pointer or reference to one of these begins with. */
static bool element_cover(struct content_setting *setting, const struct node *element, bool follows)
{
	const struct node *base, *index;
	const struct source_declaration *variable;

	element = node_strip_casts(element);
	if (element && element->kind == NODE_UNARY &&
	    (element->op == OPERATOR_ADDRESS || element->op == OPERATOR_DEREFERENCE))
		element = node_strip_casts(element->children[0]);
	if (!element)
		return false;
	index = index_of(element, &base);
	if (index) {
		variable = node_variable(index);
		if (variable && follows && is_named(base))
			setting->index = variable;
		return is_numbered(setting->function, index);
	}
	if (element->kind == NODE_BINARY)
		return is_numbered(setting->function, element);
	variable = node_variable(element);
	if (!variable || !follows)
		return false;
	if (variable->type->shape == SHAPE_POINTER && is_stepped(setting->function, element))
		return true;
	return (variable->type->shape == SHAPE_POINTER || variable->type->shape == SHAPE_REFERENCE) &&
	       variable->initializer && element_cover(setting, variable->initializer, false);
}

/* ---- the entry ------------------------------------------------------------------------------- */

static bool jump_visit(void *context, const struct node *node)
{
	bool *found = context;

	*found = *found || node->kind == NODE_CONTINUE || node->kind == NODE_BREAK || node->kind == NODE_GOTO;
	return !*found;
}

void host_content_cover(struct content_setting *setting, const struct node *object)
{
	bool jumps = false;

	if (setting->outermost)
		node_visit(setting->outermost, jump_visit, &jumps);
	if (jumps)
		return;
	if (object && object->kind == NODE_THIS)
		setting->covers = setting->function->is_constructor;
	else
		setting->covers = element_cover(setting, object, true);
}
