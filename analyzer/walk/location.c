/*
 * Places during a walk: where the things lie that expressions name.
 */
#include "analyzer/walk/walk.h"

bool walk_is_place(const struct node *node)
{
	switch (node->kind) {
	case NODE_REFERENCE:
		return node->declaration && node->declaration->kind != DECLARATION_FUNCTION &&
		       node->declaration->builtin == BUILTIN_NONE;
	case NODE_SUBSCRIPT:
		return true;
	case NODE_MEMBER:
		return node->is_arrow || walk_is_place(node->children[0]);
	case NODE_UNARY:
		return node->op == OPERATOR_DEREFERENCE || node->op == OPERATOR_INCREMENT_BEFORE ||
		       node->op == OPERATOR_DECREMENT_BEFORE;
	case NODE_CAST:
		return node->type->shape == node->children[0]->type->shape && node->type->shape == SHAPE_RECORD &&
		       walk_is_place(node->children[0]);
	case NODE_CONDITIONAL:
		return walk_is_place(node->children[1]) && walk_is_place(node->children[2]);
	default:
		return false;
	}
}

/* ---- places ------------------------------------------------------------------------------ */

/* A variable: what a reference is bound to, an array's first element, or the variable itself, which a reference to a
 * temporary is too. */
struct walk_location walk_variable_location(struct walk_state *walk, struct source_declaration *variable)
{
	const struct source_type *type = variable->type;
	const struct walk_value *bound = type->shape == SHAPE_REFERENCE ? walk_get(walk, variable) : NULL;

	if (bound && bound->kind == VALUE_POINTER)
		return walk_target(walk, bound, type->target);
	if (bound)
		return (struct walk_location){.kind = LOCATION_VARIABLE, .type = type->target, .variable = variable};
	if (type->shape == SHAPE_ARRAY || variable->storage != STORAGE_PLAIN)
		return (struct walk_location){.kind = LOCATION_MEMORY,
		                              .type = type,
		                              .array = walk_array(walk, variable),
		                              .element = expr_constant(&walk->pool, 0, 32, true)};
	return (struct walk_location){.kind = LOCATION_VARIABLE, .type = type, .variable = variable};
}

static struct walk_location subscript_location(struct walk_state *walk, const struct node *node)
{
	const struct walk_value *base = walk_evaluate(walk, node->children[0]);
	const struct expr *index = walk_integer(walk, node->children[1]);

	return walk_retype(walk_advance(walk, walk_target(walk, base, node->type), index), node->type);
}

struct walk_location walk_member_location(struct walk_state *walk, const struct node *node)
{
	const struct node *object = node->children[0];
	struct walk_location at;

	if (node->is_arrow)
		at = walk_target(walk, walk_evaluate(walk, object), type_strip_reference(object->type)->target);
	else
		at = walk_locate(walk, object);
	if (at.kind == LOCATION_UNKNOWN)
		return walk_retype(at, node->type);
	at = walk_part(at, (uint64_t)node->value, node->declaration->type);
	at.member = node->declaration->name;
	if (at.type->shape == SHAPE_REFERENCE)
		return walk_nowhere(at.type->target, "a reference that is a member");
	return at;
}

/* Assignments and increments as places: their effect, then the place of what they changed. */
static struct walk_location changed_location(struct walk_state *walk, const struct node *node)
{
	walk_evaluate(walk, node);
	walk->silent++;
	struct walk_location at = walk_locate(walk, node->children[0]);
	walk->silent--;
	return at;
}

static struct walk_location unary_location(struct walk_state *walk, const struct node *node)
{
	switch (node->op) {
	case OPERATOR_DEREFERENCE:
		return walk_retype(walk_target(walk, walk_evaluate(walk, node->children[0]), node->type), node->type);
	case OPERATOR_INCREMENT_BEFORE:
	case OPERATOR_DECREMENT_BEFORE:
		return changed_location(walk, node);
	default:
		walk_evaluate(walk, node);
		return walk_nowhere(node->type, "an expression that is no place");
	}
}

static struct walk_location conditional_location(struct walk_state *walk, const struct node *node)
{
	const struct expr *condition = walk_condition(walk, node->children[0]);
	int64_t value;

	if (expr_is_constant(condition, &value))
		return walk_locate(walk, node->children[value ? 1 : 2]);
	walk_locate(walk, node->children[1]);
	walk_locate(walk, node->children[2]);
	return walk_nowhere(node->type, "a place that depends on a condition");
}

/* Expressions that are references: calls, casts. */
static struct walk_location reference_location(struct walk_state *walk, const struct node *node)
{
	const struct walk_value *value = walk_evaluate(walk, node);

	if (value->kind == VALUE_POINTER && node->type && node->type->shape != SHAPE_POINTER)
		return walk_target(walk, value, node->type);
	return walk_nowhere(node->type, "an expression that is no place");
}

struct walk_location walk_locate(struct walk_state *walk, const struct node *node)
{
	struct walk_location at = walk_nowhere(node->type, "code that is left out");

	if (!walk_may_go_on(walk))
		return at;
	walk->depth++;
	switch (node->kind) {
	case NODE_REFERENCE:
		at = node->declaration->kind == DECLARATION_FUNCTION ? walk_nowhere(node->type, "a function")
		                                                     : walk_variable_location(walk, node->declaration);
		break;
	case NODE_SUBSCRIPT:
		at = subscript_location(walk, node);
		break;
	case NODE_MEMBER:
		at = walk_member_location(walk, node);
		break;
	case NODE_UNARY:
		at = unary_location(walk, node);
		break;
	case NODE_ASSIGN:
		at = changed_location(walk, node);
		break;
	case NODE_CONDITIONAL:
		at = conditional_location(walk, node);
		break;
	case NODE_BINARY:
		walk_evaluate(walk, node->children[0]);
		at = walk_locate(walk, node->children[1]);
		break;
	case NODE_CAST:
		if (type_strip_reference(node->type)->shape == type_strip_reference(node->children[0]->type)->shape) {
			at = walk_part(walk_locate(walk, node->children[0]), (uint64_t)node->value,
			               type_strip_reference(node->type));
			break;
		}
		at = reference_location(walk, node);
		break;
	default:
		at = reference_location(walk, node);
		break;
	}
	walk->depth--;
	return at;
}

const struct walk_value *walk_bound(struct walk_state *walk, const struct node *node)
{
	struct walk_location at;
	const struct walk_value *value;

	if (node->type->shape == SHAPE_REFERENCE || node->kind == NODE_CALL)
		return walk_evaluate(walk, node);
	at = walk_locate(walk, node);
	if (at.kind != LOCATION_UNKNOWN || walk_is_place(node))
		return walk_pointer(walk, at);
	walk->silent++;
	value = walk_evaluate(walk, node);
	walk->silent--;
	return value;
}
