/*
 * Functions of the toolkit during a walk: what they do to memory, and the integers that some of them compute.
 */
#include "analyzer/walk/walk.h"

#include <string.h>

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
	EFFECT_TEXTURE,
	EFFECT_PURE
};

static enum effect effect_of(const char *name)
{
	static const struct {
		const char *name;
		enum effect effect;
	} table[] = {
#define X(name, effect) {name, EFFECT_##effect},
#include "analyzer/walk/functions.def"
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

/* What a pointer argument points to. */
static struct walk_location argument_target(struct walk_state *walk, const struct node *argument)
{
	const struct walk_value *value = walk_evaluate(walk, argument);

	return walk_target(walk, value, argument->type->target);
}

/* ---- the toolkit's functions ------------------------------------------------------------ */

static const struct walk_value *call_arithmetic(struct walk_state *walk, const struct node *node, enum expr_op op)
{
	const struct expr *a = walk_integer(walk, node_argument(node, 0)),
			  *b = walk_integer(walk, node_argument(node, 1));
	const struct source_type *type = type_strip_reference(node->type);

	if (!type_is_integral(type))
		return walk_unknown(walk, type, "data that is no integer", node->place);
	a = expr_cast(&walk->pool, a, type->bits, type->is_signed);
	b = expr_cast(&walk->pool, b, type->bits, type->is_signed);
	return walk_scalar(walk, expr_binary(&walk->pool, op, a, b, type->bits, type->is_signed));
}

static const struct walk_value *call_abs(struct walk_state *walk, const struct node *node)
{
	const struct expr *a = walk_integer(walk, node_argument(node, 0));

	if (!type_is_integral(node->type))
		return walk_unknown(walk, node->type, "data that is no integer", node->place);
	return walk_scalar(walk, expr_binary(&walk->pool, EXPR_MAX, a,
	                                     expr_unary(&walk->pool, EXPR_NEG, a, node->type->bits, true),
	                                     node->type->bits, true));
}

static void walk_arguments(struct walk_state *walk, const struct node *node, unsigned from)
{
	for (unsigned i = from; i < node_argument_count(node); i++)
		walk_evaluate(walk, node_argument(node, i));
}

static const struct walk_value *call_atomic(struct walk_state *walk, const struct node *node)
{
	struct walk_location at = argument_target(walk, node_argument(node, 0));

	walk_arguments(walk, node, 1);
	return walk_atomic(walk, at, node->place);
}

static const struct walk_value *call_load(struct walk_state *walk, const struct node *node)
{
	const struct walk_value *value = walk_load(walk, argument_target(walk, node_argument(node, 0)), node->place);

	walk_arguments(walk, node, 1);
	return value;
}

static const struct walk_value *call_store(struct walk_state *walk, const struct node *node)
{
	struct walk_location at = argument_target(walk, node_argument(node, 0));

	walk_arguments(walk, node, 1);
	walk_store(walk, at, walk_unknown(walk, at.type, "data that is no integer", node->place), node->place);
	return walk_unknown(walk, node->type, "no value", node->place);
}

/* Bytes that a copy moves as one access at most. */
#define COPIED_BYTES_MAX 64

/* What a pointer argument of memcpy points to, as one thing of so many bytes; false where it is no part of an array, or
 * of more or less than one record. */
static bool copied_location(struct walk_state *walk, const struct node *node, uint64_t bytes, struct walk_location *at)
{
	struct source_type *type = arena_alloc(walk->arena, sizeof(*type));

	*at = walk_target(walk, walk_evaluate(walk, node), node_strip_casts(node)->type->target);
	if (at->kind == LOCATION_MEMORY && at->type && at->type->type.size_bytes == bytes)
		return true;
	*type = (struct source_type){
		.type = {.spelling = "bytes", .size_bytes = bytes, .align_bytes = 1, .scalar = SCALAR_OTHER},
		.shape = SHAPE_OTHER};
	if (at->kind == LOCATION_MEMORY && at->type)
		*at = walk_retype(*at, type);
	return at->kind == LOCATION_VARIABLE ||
	       (at->kind == LOCATION_MEMORY && !at->array->element.record && bytes <= COPIED_BYTES_MAX);
}

/* memcpy(to, from, n) and memset(to, value, n): one access of n bytes, where that is a small constant. */
static const struct walk_value *call_copy(struct walk_state *walk, const struct node *node, bool is_fill)
{
	struct walk_location to, from;
	int64_t bytes = 0;
	bool known = node_argument_count(node) >= 3 &&
	             expr_is_constant(walk_integer(walk, node_argument(node, 2)), &bytes) && bytes > 0;
	const struct walk_value *value = NULL;

	known = known && (is_fill || copied_location(walk, node_argument(node, 1), (uint64_t)bytes, &from)) &&
	        copied_location(walk, node_argument(node, 0), (uint64_t)bytes, &to);
	if (!known) {
		walk_arguments(walk, node, 0);
		walk_note(walk, node->place, "what '%s' reads and writes is left out", node->declaration->name);
		return walk_unknown(walk, node->type, "the result of a copy", node->place);
	}
	if (!is_fill && from.kind == LOCATION_MEMORY)
		value = walk_load(walk, from, node->place);
	if (!value || to.kind == LOCATION_VARIABLE)
		value = walk_unknown(walk, to.type, "copied bytes", node->place);
	walk_store(walk, to, value, node->place);
	return walk_unknown(walk, node->type, "the result of a copy", node->place);
}

/* Values behind pointers to locals become unknown; memory is written. */
static void argument_output(struct walk_state *walk, const struct node *argument, const char *reason)
{
	struct walk_location at = argument_target(walk, argument);

	if (at.kind != LOCATION_UNKNOWN)
		walk_store(walk, at, walk_unknown(walk, at.type, reason, argument->place), argument->place);
}

static const struct walk_value *call_outputs(struct walk_state *walk, const struct node *node)
{
	for (unsigned i = 0; i < node_argument_count(node); i++) {
		if (node_argument(node, i)->type->shape == SHAPE_POINTER)
			argument_output(walk, node_argument(node, i), "data that is no integer");
		else
			walk_evaluate(walk, node_argument(node, i));
	}
	return walk_unknown(walk, node->type, "data that is no integer", node->place);
}

const struct walk_value *walk_make(struct walk_state *walk, const struct node *node)
{
	const struct record *record = node->type->type.record;
	struct walk_value *value;

	if (!record || record->leaf_count != node_argument_count(node)) {
		walk_arguments(walk, node, 0);
		return walk_unknown(walk, node->type, "a made value", node->place);
	}
	value = walk_record(walk, record);
	for (unsigned i = 0; i < record->leaf_count; i++)
		value->leaves[i] = walk_evaluate(walk, node_argument(node, i));
	return value;
}

/* surf2Dread(&v, ...) sets v. */
static const struct walk_value *call_texture(struct walk_state *walk, const struct node *node)
{
	for (unsigned i = 0; i < node_argument_count(node); i++) {
		if (i == 0 && node_argument(node, i)->type && node_argument(node, i)->type->shape == SHAPE_POINTER)
			argument_output(walk, node_argument(node, i), "a value read from a surface");
		else
			walk_evaluate(walk, node_argument(node, i));
	}
	walk_note(walk, node->place, "'%s' goes through a texture or surface, which is left out",
	          node->declaration->name);
	return walk_unknown(walk, node->type, "a value read from a texture", node->place);
}

const struct walk_value *walk_opaque_call(struct walk_state *walk, const struct node *node, const char *why)
{
	const char *name = node->declaration ? node->declaration->name : "a function pointer";
	bool takes_memory = false;

	for (unsigned i = 0; i < node_argument_count(node); i++) {
		struct node *child = node_argument(node, i);
		const struct walk_value *value;

		value = walk_evaluate(walk, child);
		if (value->kind != VALUE_POINTER)
			continue;
		takes_memory = takes_memory || value->at.kind == LOCATION_MEMORY;
		if (value->at.kind == LOCATION_VARIABLE)
			walk_store(walk, value->at,
			           walk_unknown(walk, value->at.type, "changed by a function that is not known",
			                        child->place),
			           child->place);
	}
	if (takes_memory)
		walk_note(walk, node->place, "what '%s' does to memory is left out: %s", name, why);
	return walk_unknown(walk, node->type, arena_printf(walk->arena, "the result of '%s'", name), node->place);
}

static const struct walk_value *call_known(struct walk_state *walk, const struct node *node, enum effect effect)
{
	switch (effect) {
	case EFFECT_ATOMIC:
		return call_atomic(walk, node);
	case EFFECT_LOAD:
		return call_load(walk, node);
	case EFFECT_STORE:
		return call_store(walk, node);
	case EFFECT_MIN:
		return call_arithmetic(walk, node, EXPR_MIN);
	case EFFECT_MAX:
		return call_arithmetic(walk, node, EXPR_MAX);
	case EFFECT_MUL:
		return call_arithmetic(walk, node, EXPR_MUL);
	case EFFECT_ABS:
		return call_abs(walk, node);
	case EFFECT_COPY:
	case EFFECT_FILL:
		return call_copy(walk, node, effect == EFFECT_FILL);
	case EFFECT_OUTPUTS:
		return call_outputs(walk, node);
	case EFFECT_MAKE:
		return walk_make(walk, node);
	case EFFECT_TEXTURE:
		return call_texture(walk, node);
	case EFFECT_PURE:
		walk_arguments(walk, node, 0);
		return walk_unknown(walk, node->type,
		                    arena_printf(walk->arena, "the result of '%s'", node->declaration->name),
		                    node->place);
	default:
		return walk_opaque_call(walk, node, "it is a function of the toolkit");
	}
}

/* Arguments that a known function needs. */
static unsigned arguments_needed(enum effect effect)
{
	switch (effect) {
	case EFFECT_MIN:
	case EFFECT_MAX:
	case EFFECT_MUL:
	case EFFECT_STORE:
		return 2;
	case EFFECT_ATOMIC:
	case EFFECT_LOAD:
	case EFFECT_ABS:
		return 1;
	default:
		return 0;
	}
}

const struct walk_value *walk_toolkit_function(struct walk_state *walk, const struct node *node)
{
	enum effect effect = effect_of(node->declaration->name);

	return node_argument_count(node) < arguments_needed(effect)
	               ? walk_opaque_call(walk, node, "it is a function of the toolkit")
	               : call_known(walk, node, effect);
}
