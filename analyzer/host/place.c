/*
 * Places of the host: which variable, or which part of one, an expression names; reading and setting it.
 */
#include "analyzer/host/host.h"

#include <string.h>

struct source_declaration *host_root(struct host *host, const struct node *place, uint64_t *offset)
{
	const struct host_constant *pointer;

	*offset = 0;
	for (place = node_strip_casts(place); place && place->kind == NODE_MEMBER; place = node_strip_casts(place->children[0])) {
		*offset += (uint64_t)place->value;
		if (!place->is_arrow)
			continue;
		if (place->children[0]->kind == NODE_THIS)
			return host->object;
		pointer = host_evaluate(host, place->children[0]);
		return pointer->kind == CONSTANT_ADDRESS ? pointer->variable : NULL;
	}
	if (!place || place->kind != NODE_UNARY || place->op != OPERATOR_DEREFERENCE)
		return node_variable(place);
	pointer = host_evaluate(host, place->children[0]);
	return pointer->kind == CONSTANT_ADDRESS ? pointer->variable : NULL;
}

void host_set(struct host *host, struct source_declaration *variable, const struct host_constant *value)
{
	ARENA_PUSH(host->arena, host->trail, host->trail_count, (struct host_change){variable, host->environment[variable->slot]});
	host->environment[variable->slot] = value;
}

/* A variable's value; globals begin with their initializer. */
const struct host_constant *host_variable(struct host *host, struct source_declaration *variable)
{
	const struct host_constant *value = host->environment[variable->slot];

	if (value)
		return value;
	if (variable->is_global && variable->initializer) {
		value = host_convert(host, host_evaluate(host, variable->initializer), variable->type);
		host->environment[variable->slot] = value;
		return value;
	}
	return host_unknown(host, arena_printf(host->arena, "'%s' is not known", variable->name));
}

/* block.x of a dim3, or a member of a record. */
const struct host_constant *host_part(struct host *host, const struct node *node)
{
	uint64_t offset;
	struct source_declaration *variable = host_root(host, node, &offset);
	const struct host_constant *object = variable         ? host_variable(host, variable)
	                                     : node->is_arrow ? host_unknown(host, "an object behind a pointer")
	                                                      : host_evaluate(host, node->children[0]),
				   *part = NULL;

	if (!variable)
		offset = (uint64_t)node->value;
	if (object->kind == CONSTANT_TRIPLE && offset / 4 < ARRAY_COUNT(object->parts))
		return object->parts[offset / 4];
	if (object->kind == CONSTANT_RECORD)
		part = host_record_part(host, object, offset, node->type);
	return part ? part : host_unknown(host, arena_printf(host->arena, "member '%s' is not known", node->declaration->name));
}

void host_store(struct host *host, const struct node *place, const struct host_constant *value)
{
	uint64_t offset;
	struct source_declaration *variable = host_root(host, place, &offset);
	const struct host_constant *whole, *parts[3];

	if (!variable)
		return;
	place = node_strip_casts(place);
	if (place->kind != NODE_MEMBER) {
		host_set(host, variable, host_convert(host, value, type_strip_reference(variable->type)));
		return;
	}
	whole = host_variable(host, variable);
	if (!host_is_dim3(type_strip_reference(variable->type))) {
		host_set(host, variable, host_record_set(host, whole, offset, host_convert(host, value, place->type)));
	} else if (whole->kind == CONSTANT_TRIPLE && offset / 4 < ARRAY_COUNT(parts)) {
		memcpy(parts, whole->parts, sizeof(parts));
		parts[offset / 4] = value;
		host_set(host, variable, host_triple(host, parts));
	} else {
		host_set(host, variable, host_unknown(host, "a part of it is changed"));
	}
}
