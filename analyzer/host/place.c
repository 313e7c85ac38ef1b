/*
 * Places of the host: which variable, or which part of one, an expression names; reading and setting it.
 */
#include "analyzer/host/library/library.h"

#include <string.h>

static const struct host_place nowhere = {NULL, 0, false};

/* ---- from expressions to places ----------------------------------------------------------- */

static struct host_place place_behind(const struct host_constant *pointer)
{
	return pointer->kind == CONSTANT_ADDRESS || pointer->kind == CONSTANT_BINDING
	               ? (struct host_place){pointer->variable, (uint64_t)pointer->value, true}
	               : nowhere;
}

static struct host_place place_moved(struct host_place place, int64_t bytes)
{
	place.offset += (uint64_t)bytes;
	return place;
}

/* A variable itself, or what it is a reference to. */
static struct host_place variable_place(struct host *host, const struct node *node)
{
	struct source_declaration *variable = node_variable(node);
	const struct host_constant *value = variable ? host->environment[variable->slot] : NULL;

	if (value && value->kind == CONSTANT_BINDING)
		return place_behind(value);
	return (struct host_place){variable, 0, true};
}

static struct host_place member_place(struct host *host, const struct node *node)
{
	const struct node *object = node->children[0];
	struct host_place place;

	if (object->kind == NODE_THIS)
		place = host->object;
	else if (node->is_arrow)
		place = place_behind(host_evaluate(host, object));
	else
		place = host_place_of(host, object);
	return place_moved(place, node->value);
}

/* a[i] of an array, or of a pointer that is known. */
static struct host_place element_place(struct host *host, const struct node *node)
{
	const struct node *base = node_strip_casts(node->children[0]);
	const struct source_declaration *named = node_variable(base);
	bool is_array = base->type && type_strip_reference(base->type)->shape == SHAPE_ARRAY &&
	                !(named && named->type->shape == SHAPE_POINTER);
	struct host_place place = is_array ? host_place_of(host, base) : place_behind(host_evaluate(host, base));
	const struct host_constant *index;

	if (!place.variable)
		return nowhere;
	index = host_evaluate(host, node->children[1]);
	if (index->kind != CONSTANT_INTEGER || !node->type)
		place.is_exact = false;
	return place_moved(place, place.is_exact ? index->value * (int64_t)node->type->type.size_bytes : 0);
}

struct host_place host_place_of(struct host *host, const struct node *node)
{
	int64_t bytes = 0;
	bool truth;

	for (; node && node->kind == NODE_CAST && node->child_count == 1; node = node->children[0])
		if (node->type && node->type->shape == SHAPE_RECORD)
			bytes += node->value;
	if (!node)
		return nowhere;
	switch (node->kind) {
	case NODE_REFERENCE:
		return place_moved(variable_place(host, node), bytes);
	case NODE_MEMBER:
		return place_moved(member_place(host, node), bytes);
	case NODE_SUBSCRIPT:
		return place_moved(element_place(host, node), bytes);
	case NODE_UNARY:
		if (node->op != OPERATOR_DEREFERENCE)
			return nowhere;
		if (node->children[0]->kind == NODE_THIS)
			return place_moved(host->object, bytes);
		return place_moved(place_behind(host_evaluate(host, node->children[0])), bytes);
	case NODE_CONDITIONAL:
		if (host_truth(host_evaluate(host, node->children[0]), &truth))
			return place_moved(host_place_of(host, node->children[truth ? 1 : 2]), bytes);
		return nowhere;
	default:
		return nowhere;
	}
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Tables of more bytes are not looked into: each element would be searched for in all of them. */
#define TABLE_BYTES 16384u

static bool is_long_table(const struct source_type *type)
{
	return type->shape == SHAPE_ARRAY && type->target && type->count * type->target->type.size_bytes > TABLE_BYTES;
}

/* Globals begin with their initializer. */
static const struct host_constant *variable_value(struct host *host, struct source_declaration *variable)
{
	const struct host_constant *value = host->environment[variable->slot];

	if (value)
		return value;
	if (variable->is_global && variable->initializer && !is_long_table(variable->type)) {
		value = host_convert(host, host_evaluate(host, variable->initializer), variable->type);
		host->environment[variable->slot] = value;
		return value;
	}
	return host_unknown_name(host, "'", variable->name, "' is not known");
}

/* Whether what lies at a place is all of its variable. */
static bool is_whole(struct host_place place, const struct source_type *type)
{
	const struct source_type *whole = type_strip_reference(place.variable->type);

	if (place.offset)
		return false;
	return (whole->shape != SHAPE_RECORD && whole->shape != SHAPE_ARRAY) ||
	       (whole->shape == type->shape && whole->type.size_bytes == type->type.size_bytes);
}

const struct host_constant *host_read(struct host *host, struct host_place place, const struct source_type *type)
{
	const struct host_constant *whole = variable_value(host, place.variable), *part = NULL;

	type = type_strip_reference(type);
	if (!place.is_exact)
		return host_unknown_name(host, "an element of '", place.variable->name, "'");
	if (is_whole(place, type))
		return whole;
	if (whole->kind == CONSTANT_TRIPLE && place.offset / 4 < ARRAY_COUNT(whole->parts))
		return whole->parts[place.offset / 4];
	if (whole->kind == CONSTANT_RECORD)
		part = host_record_part(host, whole, place.offset, type);
	return part ? part : host_unknown_name(host, "a part of '", place.variable->name, "' is not known");
}

const struct host_constant *host_variable(struct host *host, struct source_declaration *variable)
{
	const struct host_constant *value = variable_value(host, variable);

	return value->kind == CONSTANT_BINDING ? host_read(host, place_behind(value), variable->type) : value;
}

const struct host_constant *host_part(struct host *host, const struct node *node)
{
	struct host_place place = host_place_of(host, node);
	const struct host_constant *object = place.variable   ? variable_value(host, place.variable)
	                                     : node->is_arrow ? host_unknown(host, "an object behind a pointer")
	                                                      : host_evaluate(host, node->children[0]),
				   *part = NULL;

	if (!place.variable)
		place.offset = (uint64_t)node->value;
	if (place.variable && !place.is_exact)
		return host_read(host, place, node->type);
	if (object->kind == CONSTANT_TRIPLE && place.offset / 4 < ARRAY_COUNT(object->parts))
		return object->parts[place.offset / 4];
	if (object->kind == CONSTANT_RECORD)
		part = host_record_part(host, object, place.offset, node->type);
	if (!part)
		part = host_device_property(host, node);
	return part ? part : host_unknown_name(host, "member '", node->declaration->name, "' is not known");
}

/* ---- setting ---------------------------------------------------------------------------------- */

void host_set(struct host *host, struct source_declaration *variable, const struct host_constant *value)
{
	ARENA_PUSH(host->arena, host->trail, host->trail_count,
	           (struct host_change){variable, host->environment[variable->slot]});
	host->environment[variable->slot] = value;
}

/* A dim3 with one of its numbers set. */
static const struct host_constant *triple_set(struct host *host, const struct host_constant *whole, uint64_t offset,
                                              const struct host_constant *value)
{
	const struct host_constant *parts[3];

	if (whole->kind != CONSTANT_TRIPLE || offset / 4 >= ARRAY_COUNT(parts))
		return host_unknown(host, "a part of it is changed");
	memcpy(parts, whole->parts, sizeof(parts));
	parts[offset / 4] = value;
	return host_triple(host, parts);
}

void host_write(struct host *host, struct host_place place, const struct source_type *type,
                const struct host_constant *value)
{
	struct source_declaration *variable = place.variable;
	const struct host_constant *whole;

	if (!variable)
		return;
	type = type_strip_reference(type);
	if (!place.is_exact) {
		host_set(host, variable, host_unknown(host, "an element of it is changed"));
		return;
	}
	value = host_convert(host, value, type);
	if (is_whole(place, type)) {
		host_set(host, variable, value);
		return;
	}
	whole = variable_value(host, variable);
	if (host_is_dim3(type_strip_reference(variable->type)))
		host_set(host, variable, triple_set(host, whole, place.offset, value));
	else
		host_set(host, variable, host_record_set(host, whole, place.offset, type, value));
}

void host_store(struct host *host, const struct node *node, const struct host_constant *value)
{
	struct host_place place = host_place_of(host, node);
	bool is_base = node->kind == NODE_CAST && node->type && node->type->shape == SHAPE_RECORD;
	const struct source_type *type;

	type = is_base ? node->type : node_strip_casts(node)->type;
	node = node_strip_casts(node);
	if (place.variable)
		host_write(host, place, type ? type : place.variable->type, value);
	else
		host_store_element(host, node, value);
}

const struct host_constant *host_decay(struct host *host, const struct node *node, const struct host_constant *value)
{
	const struct node *array = node_strip_casts(node);
	struct host_place place;

	if (!array || !array->type || type_strip_reference(array->type)->shape != SHAPE_ARRAY || host_is_pointer(value))
		return value;
	place = host_place_of(host, array);
	return place.variable && place.is_exact ? host_address(host, CONSTANT_ADDRESS, place) : value;
}

void host_bind(struct host *host, struct source_declaration *reference, const struct node *node,
               const struct host_constant *value)
{
	struct host_place place = node ? host_place_of(host, node) : nowhere;
	const struct node *named = node ? node_strip_casts(node) : NULL;

	if (node && !place.variable && !reference->type->target->is_const)
		host_store_element(host, node, NULL);
	for (unsigned i = 1;
	     named && named->kind == NODE_CONDITIONAL && !place.variable && !reference->type->target->is_const && i < 3;
	     i++)
		host_store(host, named->children[i], host_unknown(host, "it depends on a branch"));
	if (place.variable && place.is_exact && place.variable != reference)
		value = host_address(host, CONSTANT_BINDING, place);
	else
		value = host_convert(host, value, type_strip_reference(reference->type));
	host_set(host, reference, value);
}
