/*
 * Calls during a walk: what the toolkit's functions do to memory, and device functions of the file, which are walked
 * where they are called.
 */
#include "analyzer/walk.h"

#include <string.h>

#define CALL_DEPTH_MAX 16
/* The value of a function with more is too large an expression anyway: each return's condition says that those before it were not taken. */
#define RETURNS_MAX 60

/*
 * Functions of the toolkit that matter, X(name, effect): LOAD and STORE go through their first argument; MIN, MAX, ABS
 * and MUL are arithmetic on integers. Names that end in `*` are prefixes. All other functions of system headers only
 * compute.
 */
#define KNOWN_FUNCTIONS(X)                                                                                             \
	X("atomic*", ATOMIC)                                                                                           \
	X("__ldg", LOAD) X("__ldca", LOAD) X("__ldcg", LOAD) X("__ldcs", LOAD) X("__ldlu", LOAD) X("__ldcv", LOAD)     \
		X("__stcg", STORE) X("__stcs", STORE) X("__stwb", STORE) X("__stwt", STORE) X("min", MIN)              \
			X("max", MAX) X("umin", MIN) X("umax", MAX) X("llmin", MIN) X("llmax", MAX) X("ullmin", MIN)   \
				X("ullmax", MAX) X("__mul24", MUL) X("__umul24", MUL) X("abs", ABS) X("labs", ABS)     \
					X("llabs", ABS) X("memcpy", COPY) X("memset", FILL) X("__sincosf", OUTPUTS)    \
						X("sincosf", OUTPUTS) X("sincos", OUTPUTS) X("sincospi*", OUTPUTS)     \
							X("modf*", OUTPUTS) X("frexp*", OUTPUTS) X("remquo*", OUTPUTS) \
								X("make_*", MAKE) X("tex1D*", TEXTURE)                 \
									X("tex2D*", TEXTURE) X("tex3D*", TEXTURE)      \
										X("texCubemap*", TEXTURE)              \
											X("surf*", TEXTURE)

enum effect {
	EFFECT_NONE,
	EFFECT_ATOMIC,
	EFFECT_LOAD,
	EFFECT_STORE,
	EFFECT_MIN,
	EFFECT_MAX,
	EFFECT_MUL,
	EFFECT_ABS,
	EFFECT_COPY,
	EFFECT_FILL,
	EFFECT_OUTPUTS,
	EFFECT_MAKE,
	EFFECT_TEXTURE
};

static enum effect effect_of(const char *name)
{
	static const struct {
		const char *name;
		enum effect effect;
	} table[] = {
#define X(name, effect) {name, EFFECT_##effect},
		KNOWN_FUNCTIONS(X)
#undef X
	};

	for (unsigned i = 0; i < ARRAY_COUNT(table); i++) {
		size_t length = strlen(table[i].name);
		bool is_prefix = table[i].name[length - 1] == '*';

		if (is_prefix ? strncmp(name, table[i].name, length - 1) == 0 : strcmp(name, table[i].name) == 0)
			return table[i].effect;
	}
	return EFFECT_NONE;
}

/* Calls have the object they are called on, or NULL, before their arguments. */
static unsigned first_argument(const struct node *node)
{
	return node->kind == NODE_CONSTRUCT ? 0 : 1;
}

static struct node *argument(const struct node *node, unsigned position)
{
	return node_child(node, first_argument(node) + position);
}

static unsigned argument_count(const struct node *node)
{
	return node->child_count - first_argument(node);
}

/* What a pointer argument points to. */
static struct location argument_target(struct walk *walk, const struct node *argument)
{
	const struct value *value = walk_value(walk, argument);

	return location_target(walk, value, argument->type->target);
}

/* ---- the toolkit's functions ------------------------------------------------------------ */

static const struct value *call_arithmetic(struct walk *walk, const struct node *node, enum expr_op op)
{
	const struct expr *a = walk_integer(walk, argument(node, 0)), *b = walk_integer(walk, argument(node, 1));
	const struct source_type *type = type_strip_reference(node->type);

	if (!type_is_integral(type))
		return value_unknown(walk, type, "data that is no integer", node->place);
	a = expr_cast(&walk->pool, a, type->bits, type->is_signed);
	b = expr_cast(&walk->pool, b, type->bits, type->is_signed);
	return value_scalar(walk, expr_binary(&walk->pool, op, a, b, type->bits, type->is_signed));
}

static const struct value *call_abs(struct walk *walk, const struct node *node)
{
	const struct expr *a = walk_integer(walk, argument(node, 0));

	if (!type_is_integral(node->type))
		return value_unknown(walk, node->type, "data that is no integer", node->place);
	return value_scalar(walk, expr_binary(&walk->pool, EXPR_MAX, a,
	                                      expr_unary(&walk->pool, EXPR_NEG, a, node->type->bits, true),
	                                      node->type->bits, true));
}

static void walk_arguments(struct walk *walk, const struct node *node, unsigned from)
{
	for (unsigned i = from; i < argument_count(node); i++)
		walk_value(walk, argument(node, i));
}

static const struct value *call_atomic(struct walk *walk, const struct node *node)
{
	struct location at = argument_target(walk, argument(node, 0));

	walk_arguments(walk, node, 1);
	return location_atomic(walk, at, node->place);
}

static const struct value *call_load(struct walk *walk, const struct node *node)
{
	const struct value *value = location_load(walk, argument_target(walk, argument(node, 0)), node->place);

	walk_arguments(walk, node, 1);
	return value;
}

static const struct value *call_store(struct walk *walk, const struct node *node)
{
	struct location at = argument_target(walk, argument(node, 0));

	walk_arguments(walk, node, 1);
	location_store(walk, at, value_unknown(walk, at.type, "data that is no integer", node->place), node->place);
	return value_unknown(walk, node->type, "no value", node->place);
}

/* memcpy and memset: bytes of unknown number; reported. */
static const struct value *call_copy(struct walk *walk, const struct node *node)
{
	walk_arguments(walk, node, 0);
	walk_note(walk, node->place, "what '%s' reads and writes is left out", node->declaration->name);
	return value_unknown(walk, node->type, "the result of a copy", node->place);
}

/* Values behind pointers to locals become unknown; memory is written. */
static void argument_output(struct walk *walk, const struct node *argument, const char *reason)
{
	struct location at = argument_target(walk, argument);

	if (at.kind != LOCATION_UNKNOWN)
		location_store(walk, at, value_unknown(walk, at.type, reason, argument->place), argument->place);
}

static const struct value *call_outputs(struct walk *walk, const struct node *node)
{
	for (unsigned i = 0; i < argument_count(node); i++) {
		if (argument(node, i)->type->shape == SHAPE_POINTER)
			argument_output(walk, argument(node, i), "data that is no integer");
		else
			walk_value(walk, argument(node, i));
	}
	return value_unknown(walk, node->type, "data that is no integer", node->place);
}

/* make_int2(a, b): a vector of its arguments. */
static const struct value *call_make(struct walk *walk, const struct node *node)
{
	const struct record *record = node->type->type.record;
	struct value *value;

	if (!record || record->leaf_count != argument_count(node)) {
		walk_arguments(walk, node, 0);
		return value_unknown(walk, node->type, "a made value", node->place);
	}
	value = value_record(walk, record);
	for (unsigned i = 0; i < record->leaf_count; i++)
		value->leaves[i] = walk_value(walk, argument(node, i));
	return value;
}

/* surf2Dread(&v, ...) sets v. */
static const struct value *call_texture(struct walk *walk, const struct node *node)
{
	for (unsigned i = 0; i < argument_count(node); i++) {
		if (i == 0 && argument(node, i)->type && argument(node, i)->type->shape == SHAPE_POINTER)
			argument_output(walk, argument(node, i), "a value read from a surface");
		else
			walk_value(walk, argument(node, i));
	}
	walk_note(walk, node->place, "'%s' goes through a texture or surface, which is left out",
	          node->declaration->name);
	return value_unknown(walk, node->type, "a value read from a texture", node->place);
}

static const struct value *call_known(struct walk *walk, const struct node *node, enum effect effect)
{
	switch (effect) {
	case EFFECT_ATOMIC: return call_atomic(walk, node);
	case EFFECT_LOAD: return call_load(walk, node);
	case EFFECT_STORE: return call_store(walk, node);
	case EFFECT_MIN: return call_arithmetic(walk, node, EXPR_MIN);
	case EFFECT_MAX: return call_arithmetic(walk, node, EXPR_MAX);
	case EFFECT_MUL: return call_arithmetic(walk, node, EXPR_MUL);
	case EFFECT_ABS: return call_abs(walk, node);
	case EFFECT_COPY:
	case EFFECT_FILL: return call_copy(walk, node);
	case EFFECT_OUTPUTS: return call_outputs(walk, node);
	case EFFECT_MAKE: return call_make(walk, node);
	case EFFECT_TEXTURE: return call_texture(walk, node);
	default:
		walk_arguments(walk, node, 0);
		return value_unknown(walk, node->type,
		                     arena_printf(walk->arena, "the result of '%s'", node->declaration->name),
		                     node->place);
	}
}

/* Arguments that a known function needs. */
static unsigned arguments_needed(enum effect effect)
{
	switch (effect) {
	case EFFECT_MIN:
	case EFFECT_MAX:
	case EFFECT_MUL:
	case EFFECT_STORE: return 2;
	case EFFECT_ATOMIC:
	case EFFECT_LOAD:
	case EFFECT_ABS: return 1;
	default: return 0;
	}
}

/* ---- functions that cannot be walked -------------------------------------------------------- */

/* Everything that the function could change through its arguments is unknown afterwards. */
static const struct value *call_opaque(struct walk *walk, const struct node *node, const char *why)
{
	const char *name = node->declaration ? node->declaration->name : "a function pointer";
	bool takes_memory = false;

	for (unsigned i = 0; i < argument_count(node); i++) {
		struct node *child = argument(node, i);
		const struct value *value;

		value = walk_value(walk, child);
		if (value->kind != VALUE_POINTER)
			continue;
		takes_memory = takes_memory || value->at.kind == LOCATION_MEMORY;
		if (value->at.kind == LOCATION_VARIABLE)
			location_store(walk, value->at,
			               value_unknown(walk, value->at.type, "changed by a function that is not known",
			                             child->place),
			               child->place);
	}
	if (takes_memory)
		walk_note(walk, node->place, "what '%s' does to memory is left out: %s", name, why);
	return value_unknown(walk, node->type, arena_printf(walk->arena, "the result of '%s'", name), node->place);
}

/* ---- device functions --------------------------------------------------------------------------- */

/* Binds a parameter: references to the argument's place, all else to its value. */
static const struct value *bind_argument(struct walk *walk, const struct declaration *parameter,
                                         const struct node *node)
{
	if (!node)
		return value_unknown(walk, parameter->type, "an argument that is not given", parameter->place);
	return parameter->type->shape == SHAPE_REFERENCE ? walk_bound(walk, node) : walk_value(walk, node);
}

static bool is_on_stack(const struct walk *walk, const struct source_function *function)
{
	for (const struct frame *frame = walk->frame; frame; frame = frame->caller)
		if (frame->function == function)
			return true;
	return false;
}

static bool may_walk(const struct walk *walk, const struct source_function *function)
{
	return function->body && walk->call_depth < CALL_DEPTH_MAX && !is_on_stack(walk, function);
}

/* The value of a call from its returns: the last one holds where none before it was taken. */
static const struct value *join_returns(struct walk *walk, const struct frame *frame, const struct source_type *type,
                                        struct place place)
{
	const struct value *value;
	unsigned last = frame->return_count;

	if (last == 0)
		return value_unknown(walk, type, "no value", place);
	if (last > RETURNS_MAX)
		return value_unknown(walk, type, "the result of a function with very many returns", place);
	value = frame->returns[last - 1].value;
	for (unsigned i = 0; i < frame->return_count; i++)
		if (frame->returns[i].in_loop && frame->return_count > 1)
			return value_unknown(walk, type, "a value returned from inside a loop", place);
	for (unsigned i = last - 1; i-- > 0;)
		value = value_join(walk, guard_condition(walk, frame->returns[i].guard, frame->guard),
		                   frame->returns[i].value, value, type, place);
	return value;
}

static const struct inlined_call *push_inlined(struct walk *walk, const struct node *node)
{
	struct inlined_call *call = arena_alloc(walk->arena, sizeof(*call));

	call->outer = walk->inlined;
	call->function = node->declaration->function->name;
	call->place = node->place;
	return call;
}

/* Walks the body with its parameters bound; the caller has checked that there is one. */
static const struct value *call_body(struct walk *walk, const struct node *node, struct location object)
{
	const struct source_function *function = node->declaration->function;
	struct frame frame = {.caller = walk->frame, .function = function, .guard = walk->guard, .object = object};
	const struct inlined_call *outer = walk->inlined;
	unsigned mark = walk->leave_count;
	const struct value **arguments = arena_array(walk->arena, function->parameter_count + 1, sizeof(*arguments));

	for (unsigned i = 0; i < function->parameter_count; i++)
		arguments[i] = bind_argument(walk, function->parameters[i], argument(node, i));
	for (unsigned i = 0; i < function->parameter_count; i++)
		environment_set(walk, function->parameters[i], arguments[i]);
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
static struct location call_object(struct walk *walk, const struct node *node)
{
	const struct node *object = node->kind == NODE_CALL ? node_child(node, 0) : NULL;

	if (!object)
		return location_unknown(NULL, "no object");
	if (object->kind == NODE_THIS || object->type->shape == SHAPE_POINTER)
		return location_target(walk, walk_value(walk, object), object->type->target);
	return walk_location(walk, object);
}

/* Conversions of the toolkit: threadIdx as uint3 or dim3; the value of others is not known. */
static const struct value *walk_converted(struct walk *walk, const struct node *node)
{
	const struct value *value = walk_value(walk, node->children[0]);
	const struct record *record = node->type->type.record;
	struct value *converted;

	if (value->kind != VALUE_RECORD || !record || record->leaf_count != value->record->leaf_count)
		return value_unknown(walk, node->type, "a conversion of the toolkit", node->place);
	converted = value_record(walk, record);
	for (unsigned i = 0; i < record->leaf_count; i++)
		converted->leaves[i] = value->leaves[i];
	return converted;
}

/* A function of the toolkit, or one of its methods. */
static const struct value *call_toolkit(struct walk *walk, const struct node *node)
{
	const struct source_function *function = node->declaration->function;
	enum effect effect = function->is_method ? EFFECT_NONE : effect_of(node->declaration->name);
	const struct value *value;

	if (function->is_conversion && node->children[0])
		return walk_converted(walk, node);
	value = function->is_method ? walk_group_call(walk, node) : NULL;
	if (value)
		return value;
	if (function->is_method || argument_count(node) < arguments_needed(effect)) {
		call_object(walk, node);
		return call_opaque(walk, node, "it is a function of the toolkit");
	}
	return call_known(walk, node, effect);
}

/* An assignment that copies member by member. */
static const struct value *call_assignment(struct walk *walk, const struct node *node)
{
	const struct value *value = walk_value(walk, argument(node, 0));
	struct location object = call_object(walk, node);

	location_store(walk, object, value, node->place);
	return value;
}

const struct value *walk_call(struct walk *walk, const struct node *node)
{
	const struct source_function *function = node->declaration ? node->declaration->function : NULL;
	struct location object;

	if (node->kind == NODE_LAUNCH)
		return call_opaque(walk, node, "it is a kernel launched by a kernel");
	if (!function)
		return call_opaque(walk, node, "it is called through a pointer");
	if (function->is_copy && argument_count(node) == 1)
		return call_assignment(walk, node);
	if (function->in_system_header)
		return call_toolkit(walk, node);
	object = call_object(walk, node);
	if (!function->body)
		return call_opaque(walk, node, "its body is not in this file");
	if (!may_walk(walk, function))
		return call_opaque(walk, node, "it calls itself, or calls are nested too deeply");
	return call_body(walk, node, object);
}

/* ---- constructors ------------------------------------------------------------------------------------ */

/* A constructor of the file: its object is a variable while it is made. */
static const struct value *construct_body(struct walk *walk, const struct node *node)
{
	struct declaration *variable = node->declaration->function->constructed;
	struct location object = {.kind = LOCATION_VARIABLE, .type = variable->type, .variable = variable};

	environment_set(walk, variable, value_unknown(walk, variable->type, "a member that is not initialised", node->place));
	call_body(walk, node, object);
	return environment_get(walk, variable);
}

/* A copy is its argument; constructors of the file are walked; of others' values nothing is known, except of dim3's and its like. */
const struct value *walk_construct(struct walk *walk, const struct node *node)
{
	const struct source_function *function = node->declaration ? node->declaration->function : NULL;

	if (node->child_count == 1 && (!function || function->is_copy))
		return walk_value(walk, node->children[0]);
	if (node->type->type.record && node->type->type.record->is_vector_type &&
	    node->child_count == node->type->type.record->leaf_count)
		return call_make(walk, node);
	if (function && function->constructed && may_walk(walk, function))
		return construct_body(walk, node);
	for (unsigned i = 0; i < node->child_count; i++)
		walk_value(walk, node->children[i]);
	return value_unknown(walk, node->type, "a constructed value", node->place);
}
