/*
 * Calls during a walk: device functions of the file are walked where they are called; those of the toolkit are in
 * toolkit.c.
 */
#include "analyzer/walk/walk.h"

#include <string.h>

#define CALL_DEPTH_MAX 16
/* The value of a function with more is too large an expression anyway: each return's condition says that those before
 * it were not taken. */
#define RETURNS_MAX 60

/* ---- device functions --------------------------------------------------------------------------- */

/* Binds a parameter: references to the argument's place, all else to its value. */
static const struct walk_value *bind_argument(struct walk_state *walk, const struct source_declaration *parameter,
                                              const struct node *node)
{
	if (!node)
		return walk_unknown(walk, parameter->type, "an argument that is not given", parameter->place);
	return parameter->type->shape == SHAPE_REFERENCE ? walk_bound(walk, node) : walk_evaluate(walk, node);
}

static bool is_on_stack(const struct walk_state *walk, const struct source_function *function)
{
	for (const struct walk_frame *frame = walk->frame; frame; frame = frame->caller)
		if (frame->function == function)
			return true;
	return false;
}

static bool may_walk(const struct walk_state *walk, const struct source_function *function)
{
	return function->body && walk->call_depth < CALL_DEPTH_MAX && !is_on_stack(walk, function);
}

/* The value of a call from its returns: the last one holds where none before it was taken. */
static const struct walk_value *join_returns(struct walk_state *walk, const struct walk_frame *frame,
                                             const struct source_type *type, struct place place)
{
	const struct walk_value *value;
	unsigned last = frame->return_count;

	if (last == 0)
		return walk_unknown(walk, type, "no value", place);
	if (last > RETURNS_MAX)
		return walk_unknown(walk, type, "the result of a function with very many returns", place);
	value = frame->returns[last - 1].value;
	for (unsigned i = 0; i < frame->return_count; i++)
		if (frame->returns[i].in_loop && frame->return_count > 1)
			return walk_unknown(walk, type, "a value returned from inside a loop", place);
	for (unsigned i = last - 1; i-- > 0;)
		value = walk_join(walk, walk_guard_condition(walk, frame->returns[i].guard, frame->guard),
		                  frame->returns[i].value, value, type, place);
	return value;
}

static const struct inlined_call *push_inlined(struct walk_state *walk, const struct node *node)
{
	struct inlined_call *call = arena_alloc(walk->arena, sizeof(*call));

	call->outer = walk->inlined;
	call->function = node->declaration->function->name;
	call->place = node->place;
	return call;
}

/* Walks the body with its parameters bound; the caller has checked that there is one. */
static const struct walk_value *call_body(struct walk_state *walk, const struct node *node, struct walk_location object)
{
	const struct source_function *function = node->declaration->function;
	struct walk_frame frame = {.caller = walk->frame, .function = function, .guard = walk->guard, .object = object};
	const struct inlined_call *outer = walk->inlined;
	unsigned mark = walk->leave_count;
	const struct walk_value **arguments =
		arena_array(walk->arena, function->parameter_count + 1, sizeof(*arguments));

	for (unsigned i = 0; i < function->parameter_count; i++)
		arguments[i] = bind_argument(walk, function->parameters[i], node_argument(node, i));
	for (unsigned i = 0; i < function->parameter_count; i++)
		walk_set(walk, function->parameters[i], arguments[i]);
	walk->inlined = push_inlined(walk, node);
	walk->frame = &frame;
	walk->call_depth++;
	walk_statement(walk, function->body);
	walk->call_depth--;
	walk->frame = frame.caller;
	walk->inlined = outer;
	walk->guard = frame.guard;
	walk->leave_count = mark;
	return join_returns(walk, &frame, node->type, node->place);
}

/* The object that a method works on. */
static struct walk_location call_object(struct walk_state *walk, const struct node *node)
{
	const struct node *object = node->kind == NODE_CALL ? node_child(node, 0) : NULL;

	if (!object)
		return walk_nowhere(NULL, "no object");
	if (object->kind == NODE_THIS || object->type->shape == SHAPE_POINTER)
		return walk_target(walk, walk_evaluate(walk, object), object->type->target);
	return walk_locate(walk, object);
}

/* Conversions of the toolkit: threadIdx as uint3 or dim3; the value of others is not known. */
static const struct walk_value *walk_converted(struct walk_state *walk, const struct node *node)
{
	const struct walk_value *value = walk_evaluate(walk, node->children[0]);
	const struct record *record = node->type->type.record;
	struct walk_value *converted;

	if (value->kind != VALUE_RECORD || !record || record->leaf_count != value->record->leaf_count)
		return walk_unknown(walk, node->type, "a conversion of the toolkit", node->place);
	converted = walk_record(walk, record);
	for (unsigned i = 0; i < record->leaf_count; i++)
		converted->leaves[i] = value->leaves[i];
	return converted;
}

/* A function of the toolkit, or one of its methods. */
static const struct walk_value *call_toolkit(struct walk_state *walk, const struct node *node)
{
	const struct source_function *function = node->declaration->function;
	const struct walk_value *value;

	if (function->is_conversion && node->children[0])
		return walk_converted(walk, node);
	if (!function->is_method)
		return walk_toolkit_function(walk, node);
	value = walk_group_call(walk, node);
	if (value)
		return value;
	call_object(walk, node);
	return walk_opaque_call(walk, node, "it is a function of the toolkit");
}

/* An assignment that copies member by member. */
static const struct walk_value *call_assignment(struct walk_state *walk, const struct node *node)
{
	const struct walk_value *value = walk_evaluate(walk, node_argument(node, 0));
	struct walk_location object = call_object(walk, node);

	walk_store(walk, object, value, node->place);
	return value;
}

const struct walk_value *walk_call(struct walk_state *walk, const struct node *node)
{
	const struct source_function *function = node->declaration ? node->declaration->function : NULL;
	struct walk_location object;

	if (node->kind == NODE_LAUNCH)
		return walk_opaque_call(walk, node, "it is a kernel launched by a kernel");
	if (!function)
		return walk_opaque_call(walk, node, "it is called through a pointer");
	if (function->is_copy && node_argument_count(node) == 1)
		return call_assignment(walk, node);
	if (function->in_system_header)
		return call_toolkit(walk, node);
	object = call_object(walk, node);
	if (!function->body)
		return walk_opaque_call(walk, node, "its body is not in this file");
	if (!may_walk(walk, function))
		return walk_opaque_call(walk, node, "it calls itself, or calls are nested too deeply");
	return call_body(walk, node, object);
}

/* ---- constructors ------------------------------------------------------------------------------------ */

/* A constructor of the file: its object is a variable while it is made. */
static const struct walk_value *construct_body(struct walk_state *walk, const struct node *node)
{
	struct source_declaration *variable = node->declaration->function->constructed;
	struct walk_location object = {.kind = LOCATION_VARIABLE, .type = variable->type, .variable = variable};

	walk_set(walk, variable, walk_unknown(walk, variable->type, "a member that is not initialised", node->place));
	call_body(walk, node, object);
	return walk_get(walk, variable);
}

/* Whether a constructor of the toolkit binds a reference to an element, which it may change later. */
static bool binds_memory(struct walk_state *walk, const struct source_function *function, unsigned position,
                         const struct node *argument)
{
	const struct source_type *type =
		position < function->parameter_count ? function->parameters[position]->type : NULL;
	struct walk_location at;

	if (!function->in_system_header || !type || type->shape != SHAPE_REFERENCE || type->target->is_const ||
	    !walk_is_place(argument))
		return false;
	walk->silent++;
	at = walk_locate(walk, argument);
	walk->silent--;
	return at.kind == LOCATION_MEMORY;
}

/* A copy is its argument; constructors of the file are walked; of others' values nothing is known, except of dim3's and
 * its like. */
const struct walk_value *walk_construct(struct walk_state *walk, const struct node *node)
{
	const struct source_function *function = node->declaration ? node->declaration->function : NULL;

	if (node->child_count == 1 && (!function || function->is_copy))
		return walk_evaluate(walk, node->children[0]);
	if (node->type->type.record && node->type->type.record->is_vector_type &&
	    node->child_count == node->type->type.record->leaf_count)
		return walk_make(walk, node);
	if (function && function->constructed && may_walk(walk, function))
		return construct_body(walk, node);
	for (unsigned i = 0; i < node->child_count; i++) {
		bool is_bound = walk_evaluate(walk, node->children[i])->kind == VALUE_SCALAR && function &&
		                binds_memory(walk, function, i, node->children[i]);

		if (is_bound)
			walk_note(walk, node->place, "what '%s' does to memory is left out: it keeps a reference",
			          function->short_name);
	}
	return walk_unknown(walk, node->type, "a constructed value", node->place);
}
