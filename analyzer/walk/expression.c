/*
 * Expressions during a walk: their values, and the accesses they make, in the order in which they run.
 */
#include "analyzer/walk/walk.h"

static const struct walk_value *scalar_unknown(struct walk_state *walk, const struct node *node, const char *reason)
{
	return walk_unknown(walk, node->type, reason, node->place);
}

static const struct walk_value *scalar_constant(struct walk_state *walk, int64_t value, const struct source_type *type)
{
	return walk_scalar(walk, expr_constant(&walk->pool, value, type_is_integral(type) ? type->bits : 64,
	                                       type_is_integral(type) && type->is_signed));
}

const struct expr *walk_integer(struct walk_state *walk, const struct node *node)
{
	return walk_number(walk, walk_evaluate(walk, node));
}

const struct expr *walk_condition(struct walk_state *walk, const struct node *node)
{
	return expr_truth(&walk->pool, walk_integer(walk, node));
}

/* ---- values of names ------------------------------------------------------------------------ */

static const struct walk_value *builtin_record(struct walk_state *walk, enum builtin builtin, const struct node *node)
{
	const struct record *record = node->type->type.record;
	struct walk_value *value;

	if (!record || record->leaf_count != 3)
		return scalar_unknown(walk, node, "a built-in variable");
	value = walk_record(walk, record);
	for (unsigned axis = 0; axis < record->leaf_count; axis++)
		value->leaves[axis] = walk_scalar(
			walk, expr_symbol(&walk->pool, walk_builtin_symbol(walk, builtin, axis), 32, false));
	return value;
}

/* The declaration of threadIdx or its like that an expression names, or NULL. */
static struct source_declaration *builtin_variable(const struct node *node)
{
	node = node_strip_casts(node);
	return node && node->kind == NODE_REFERENCE && node->declaration && node->declaration->builtin != BUILTIN_NONE
	               ? node->declaration
	               : NULL;
}

/* threadIdx.x: the axis is the member's position. */
static const struct walk_value *builtin_member(struct walk_state *walk, const struct node *node)
{
	enum builtin builtin = builtin_variable(node->children[0])->builtin;
	unsigned axis = (unsigned)(node->declaration->offset_bytes / 4);

	return walk_scalar(walk, expr_symbol(&walk->pool, walk_builtin_symbol(walk, builtin, axis), 32, false));
}

/* A constant of the file: its initializer. */
static const struct walk_value *global_value(struct walk_state *walk, struct source_declaration *variable,
                                             const struct node *node)
{
	const struct walk_value *value;

	if (!variable->type->is_const || !variable->initializer)
		return scalar_unknown(walk, node, "a variable of the host");
	if (walk->environment[variable->slot])
		return walk->environment[variable->slot];
	value = walk_evaluate(walk, variable->initializer);
	if (type_is_integral(variable->type) && value->kind == VALUE_SCALAR)
		value = walk_scalar(
			walk, expr_cast(&walk->pool, value->scalar, variable->type->bits, variable->type->is_signed));
	walk_set(walk, variable, value);
	return value;
}

static const struct walk_value *reference_value(struct walk_state *walk, const struct node *node)
{
	struct source_declaration *variable = node->declaration;

	if (variable->kind == DECLARATION_FUNCTION)
		return scalar_unknown(walk, node, "the address of a function");
	if (variable->type->shape == SHAPE_ARRAY)
		return walk_pointer(walk, walk_variable_location(walk, variable));
	if (variable->is_global && variable->type->is_const && variable->initializer && !variable->type->type.record)
		return global_value(walk, variable, node);
	if (variable->is_global && variable->storage == STORAGE_PLAIN)
		return global_value(walk, variable, node);
	return walk_load(walk, walk_variable_location(walk, variable), node->place);
}

/* A member of a temporary. */
static const struct walk_value *temporary_member(struct walk_state *walk, const struct node *node)
{
	const struct walk_value *object = walk_evaluate(walk, node->children[0]);
	const struct record *record = object->kind == VALUE_RECORD ? object->record : NULL;

	for (unsigned i = 0; record && i < record->leaf_count; i++)
		if (record->leaves[i].offset_bytes == (uint64_t)node->value &&
		    record->leaves[i].type.size_bytes == node->type->type.size_bytes)
			return object->leaves[i];
	if (object->kind == VALUE_POINTER && object->at.kind != LOCATION_UNKNOWN)
		return walk_load(walk, walk_part(object->at, (uint64_t)node->value, node->declaration->type),
		                 node->place);
	return scalar_unknown(walk, node, "a member of a temporary");
}

static const struct walk_value *member_value(struct walk_state *walk, const struct node *node)
{
	if (builtin_variable(node->children[0]))
		return builtin_member(walk, node);
	if (!node->is_arrow && !walk_is_place(node->children[0]))
		return temporary_member(walk, node);
	if (node->type->shape == SHAPE_ARRAY)
		return walk_pointer(walk, walk_member_location(walk, node));
	return walk_load(walk, walk_member_location(walk, node), node->place);
}

/* ---- operators ---------------------------------------------------------------------------------- */

/* && and ||: the right operand runs under the left one. */
static const struct walk_value *logical_value(struct walk_state *walk, const struct node *node)
{
	const struct expr *left = walk_condition(walk, node->children[0]), *right;
	const struct guard *guard = walk->guard;
	bool is_or = node->op == OPERATOR_LOGICAL_OR;
	int64_t value;

	if (expr_is_constant(left, &value) && (value != 0) == is_or)
		return walk_scalar(walk, left);
	walk_guard(walk, left, is_or, node->children[0]->place);
	right = walk_condition(walk, node->children[1]);
	walk->guard = guard;
	return walk_scalar(walk, expr_binary(&walk->pool, walk_expr_op(node->op), left, right, 1, false));
}

static const struct walk_value *binary_value(struct walk_state *walk, const struct node *node)
{
	const struct walk_value *left;

	switch (node->op) {
	case OPERATOR_LOGICAL_AND:
	case OPERATOR_LOGICAL_OR:
		return logical_value(walk, node);
	case OPERATOR_LT:
	case OPERATOR_LE:
	case OPERATOR_GT:
	case OPERATOR_GE:
	case OPERATOR_EQ:
	case OPERATOR_NE:
		left = walk_evaluate(walk, node->children[0]);
		return walk_comparison(walk, node, left, walk_evaluate(walk, node->children[1]));
	case OPERATOR_COMMA:
		walk_evaluate(walk, node->children[0]);
		return walk_evaluate(walk, node->children[1]);
	default:
		left = walk_evaluate(walk, node->children[0]);
		return walk_apply(walk, node->op, left, walk_evaluate(walk, node->children[1]), node->type, node);
	}
}

/* ++ and --. */
static const struct walk_value *step_value(struct walk_state *walk, const struct node *node)
{
	bool before = node->op == OPERATOR_INCREMENT_BEFORE || node->op == OPERATOR_DECREMENT_BEFORE;
	bool up = node->op == OPERATOR_INCREMENT_BEFORE || node->op == OPERATOR_INCREMENT_AFTER;
	struct walk_location at = walk_locate(walk, node->children[0]);
	const struct walk_value *old = walk_load(walk, at, node->place), *stepped;
	const struct walk_value *one =
		walk_scalar(walk, expr_constant(&walk->pool, 1, type_is_integral(node->type) ? node->type->bits : 32,
	                                        !type_is_integral(node->type) || node->type->is_signed));

	stepped = walk_apply(walk, up ? OPERATOR_ADD : OPERATOR_SUB, old, one, node->type, node);
	walk_store(walk, at, stepped, node->place);
	return before ? stepped : old;
}

static const struct walk_value *address_value(struct walk_state *walk, const struct node *node)
{
	const struct node *operand = node->children[0];

	if (operand->kind == NODE_REFERENCE && operand->declaration->kind == DECLARATION_FUNCTION)
		return scalar_unknown(walk, node, "the address of a function");
	return walk_pointer(walk, walk_locate(walk, operand));
}

static const struct walk_value *unary_value(struct walk_state *walk, const struct node *node)
{
	const struct walk_value *operand;

	switch (node->op) {
	case OPERATOR_ADDRESS:
		return address_value(walk, node);
	case OPERATOR_DEREFERENCE:
		if (node->type->shape == SHAPE_ARRAY)
			return walk_pointer(walk, walk_locate(walk, node));
		return walk_load(walk, walk_locate(walk, node), node->place);
	case OPERATOR_INCREMENT_AFTER:
	case OPERATOR_INCREMENT_BEFORE:
	case OPERATOR_DECREMENT_AFTER:
	case OPERATOR_DECREMENT_BEFORE:
		return step_value(walk, node);
	default:
		break;
	}
	operand = walk_evaluate(walk, node->children[0]);
	if (!type_is_integral(node->type) || operand->kind != VALUE_SCALAR ||
	    !type_is_integral(node->children[0]->type))
		return scalar_unknown(walk, node, "data that is no integer");
	return walk_scalar(walk, expr_unary(&walk->pool, walk_expr_op(node->op), operand->scalar, node->type->bits,
	                                    node->type->is_signed));
}

/* ---- assignments ------------------------------------------------------------------------------------ */

/* A value as the type of the place that it is put in: integers are converted. */
static const struct walk_value *value_converted(struct walk_state *walk, const struct walk_value *value,
                                                const struct source_type *type)
{
	if (value->kind != VALUE_SCALAR || !type_is_integral(type))
		return value;
	if (type->shape == SHAPE_BOOL)
		return walk_scalar(walk,
		                   expr_cast(&walk->pool, expr_truth(&walk->pool, value->scalar), type->bits, false));
	return walk_scalar(walk, expr_cast(&walk->pool, value->scalar, type->bits, type->is_signed));
}

/* a += b is computed in the common type of the two, as C does. */
static const struct walk_value *compound_value(struct walk_state *walk, const struct node *node,
                                               const struct walk_value *old, const struct walk_value *right)
{
	const struct source_type *type = node->type, *other = node->children[1]->type;
	bool is_shift = node->op == OPERATOR_SHL || node->op == OPERATOR_SHR;
	unsigned bits;
	bool is_signed;
	const struct expr *a, *b;

	if (old->kind == VALUE_POINTER || right->kind == VALUE_POINTER)
		return walk_pointer_operator(walk, node->op, old, right, node);
	if (!type_is_integral(type) || !type_is_integral(other))
		return scalar_unknown(walk, node, "data that is no integer");
	bits = type->bits < 32 ? 32 : type->bits;
	is_signed = type->bits < 32 || type->is_signed;
	if (!is_shift && other->bits >= bits) {
		is_signed = other->bits > bits ? other->is_signed : is_signed && other->is_signed;
		bits = other->bits;
	}
	a = expr_cast(&walk->pool, walk_number(walk, old), bits, is_signed);
	b = walk_number(walk, right);
	b = is_shift ? b : expr_cast(&walk->pool, b, bits, is_signed);
	return value_converted(
		walk, walk_scalar(walk, expr_binary(&walk->pool, walk_expr_op(node->op), a, b, bits, is_signed)), type);
}

/* Setting a bit-field reads the unit that holds it first. */
static bool is_bitfield(const struct node *place)
{
	return place->kind == NODE_MEMBER && place->declaration->is_bitfield;
}

static const struct walk_value *assign_value(struct walk_state *walk, const struct node *node)
{
	const struct walk_value *value = walk_evaluate(walk, node->children[1]);
	struct walk_location at = walk_locate(walk, node->children[0]);

	if (node->op == OPERATOR_NONE && is_bitfield(node->children[0]))
		walk_load(walk, at, node->children[0]->place);

	if (node->op != OPERATOR_NONE)
		value = compound_value(walk, node, walk_load(walk, at, node->children[0]->place), value);
	else
		value = value_converted(walk, value, type_strip_reference(node->children[0]->type));
	walk_store(walk, at, value, node->children[0]->place);
	return value;
}

/* ---- casts, conditionals, lists --------------------------------------------------------------------------- */

static const struct walk_value *cast_pointer(struct walk_state *walk, const struct node *node,
                                             const struct walk_value *value)
{
	struct walk_location at;

	if (value->kind != VALUE_POINTER)
		return walk_unknown(walk, node->type, "an address that is computed as a number", node->place);
	at = value->at;
	if (node->type->target && node->type->target->shape != SHAPE_VOID &&
	    node->type->target->shape != SHAPE_FUNCTION)
		at = walk_part(at, (uint64_t)node->value, node->type->target);
	return walk_pointer(walk, at);
}

static const struct walk_value *cast_value(struct walk_state *walk, const struct node *node)
{
	const struct node *operand = node->children[0];
	const struct source_type *type = node->type;
	const struct walk_value *value;

	if (type->shape == SHAPE_REFERENCE ||
	    (type->shape == SHAPE_POINTER && operand->type->shape == SHAPE_ARRAY && walk_is_place(operand))) {
		struct walk_location at = walk_locate(walk, operand);

		if (at.kind == LOCATION_UNKNOWN)
			return walk_unknown(walk, type, at.reason, node->place);
		return walk_pointer(walk, walk_retype(at, type->target));
	}
	value = walk_evaluate(walk, operand);
	if (type->shape == SHAPE_POINTER)
		return cast_pointer(walk, node, value);
	if (type_is_integral(type) && type_is_integral(operand->type))
		return value_converted(walk, value, type);
	if (type->shape == SHAPE_BOOL && value->kind == VALUE_POINTER)
		return scalar_unknown(walk, node, "a pointer used as a condition");
	return scalar_unknown(walk, node,
	                      type_is_integral(type) ? "a number made from data that is no integer"
	                                             : "data that is no integer");
}

static const struct walk_value *conditional_value(struct walk_state *walk, const struct node *node)
{
	const struct expr *condition = walk_condition(walk, node->children[0]);
	const struct guard *guard = walk->guard;
	const struct walk_value *sides[2];
	struct walk_changes changes[2];
	int64_t constant;

	if (expr_is_constant(condition, &constant))
		return walk_evaluate(walk, node->children[constant ? 1 : 2]);
	for (unsigned i = 0; i < 2; i++) {
		size_t mark = walk->trail_count;

		walk_guard(walk, condition, i == 1, node->children[0]->place);
		sides[i] = walk_evaluate(walk, node->children[1 + i]);
		walk->guard = guard;
		changes[i] = walk_undo(walk, mark);
	}
	walk_join_changes(walk, condition, &changes[0], &changes[1], node->place);
	return walk_join(walk, condition, sides[0], sides[1], node->type, node->place);
}

/* Braces: a record's members in order, or one scalar. */
static const struct walk_value *list_value(struct walk_state *walk, const struct node *node)
{
	const struct record *record = node->type->type.record;
	struct walk_value *value;

	if (!record && node->child_count == 1 && node->type->shape != SHAPE_ARRAY)
		return value_converted(walk, walk_evaluate(walk, node->children[0]), node->type);
	value = record ? walk_record(walk, record) : NULL;
	for (unsigned i = 0; i < node->child_count; i++) {
		const struct walk_value *element = walk_evaluate(walk, node->children[i]);

		if (record && record->base_count == 0 && record->leaf_count == record->member_count &&
		    i < record->leaf_count)
			value->leaves[i] = element;
	}
	for (unsigned i = 0; record && i < record->leaf_count; i++)
		if (!value->leaves[i])
			value->leaves[i] = walk_unknown(walk, NULL, "a member of a list", node->place);
	return record ? value : scalar_unknown(walk, node, "a list");
}

static const struct walk_value *opaque_value(struct walk_state *walk, const struct node *node)
{
	if (node->child_count && node->type->shape == SHAPE_OTHER)
		walk_note(walk, node->place, "%s is left out",
		          node->reason ? node->reason : "an expression outside the model");
	for (unsigned i = 0; i < node->child_count; i++) {
		if (node->children[i]->type)
			walk_evaluate(walk, node->children[i]);
		else
			walk_statement(walk, node->children[i]);
	}
	return scalar_unknown(walk, node, node->reason ? node->reason : "an expression outside the model");
}

static const struct walk_value *this_value(struct walk_state *walk)
{
	return walk_pointer(walk, walk->frame->object);
}

static const struct walk_value *value_of_kind(struct walk_state *walk, const struct node *node)
{
	switch (node->kind) {
	case NODE_INTEGER:
		if (node->type->shape == SHAPE_POINTER)
			return walk_pointer(walk, walk_nowhere(node->type->target, "a null pointer"));
		return scalar_constant(walk, node->value, node->type);
	case NODE_FLOATING:
		return scalar_unknown(walk, node, "data that is no integer");
	case NODE_REFERENCE:
		return node->declaration->builtin != BUILTIN_NONE
		               ? builtin_record(walk, node->declaration->builtin, node)
		               : reference_value(walk, node);
	case NODE_MEMBER:
		return member_value(walk, node);
	case NODE_THIS:
		return this_value(walk);
	case NODE_SUBSCRIPT:
		if (node->type->shape == SHAPE_ARRAY)
			return walk_pointer(walk, walk_locate(walk, node));
		return walk_load(walk, walk_locate(walk, node), node->place);
	case NODE_UNARY:
		return unary_value(walk, node);
	case NODE_BINARY:
		return binary_value(walk, node);
	case NODE_ASSIGN:
		return assign_value(walk, node);
	case NODE_CONDITIONAL:
		return conditional_value(walk, node);
	case NODE_CAST:
		return cast_value(walk, node);
	case NODE_CALL:
	case NODE_LAUNCH:
		return walk_call(walk, node);
	case NODE_CONSTRUCT:
		return walk_construct(walk, node);
	case NODE_LIST:
		return list_value(walk, node);
	case NODE_LAMBDA:
		return scalar_unknown(walk, node, "a lambda");
	default:
		return opaque_value(walk, node);
	}
}

const struct walk_value *walk_evaluate(struct walk_state *walk, const struct node *node)
{
	const struct walk_value *value;

	if (!walk_may_go_on(walk))
		return walk_unknown(walk, node->type, "code that is left out", node->place);
	walk->depth++;
	value = value_of_kind(walk, node);
	walk->depth--;
	return value;
}
