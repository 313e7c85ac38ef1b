/*
 * memcpy() and memset() between variables of the host.
 */
#include "analyzer/host/library/library.h"

#include <string.h>

/* Where a pointer among the arguments of a call points to, in a variable; nowhere where that is not known. */
static struct host_place argument_place(struct host *host, const struct node *node, unsigned position,
                                        const struct host_constant *const *arguments)
{
	const struct host_constant *pointer = host_decay(host, node_argument(node, position), arguments[position]);

	return pointer->kind == CONSTANT_ADDRESS
	               ? (struct host_place){pointer->variable, (uint64_t)pointer->value, true}
	               : (struct host_place){NULL, 0, false};
}

/* The whole variable, where `bytes` are all of it; else its type is that of a piece of memory. */
static const struct source_type *piece_type(const struct host_place *place, uint64_t bytes, struct source_type *piece)
{
	const struct source_type *whole = type_strip_reference(place->variable->type);

	*piece = (struct source_type){.shape = SHAPE_ARRAY, .type = {.size_bytes = bytes}};
	return place->offset == 0 && whole->type.size_bytes == bytes ? whole : piece;
}

const struct host_constant *host_copy_bytes(struct host *host, const struct node *node,
                                            const struct host_constant *const *arguments)
{
	const char *name = node->declaration->name;
	bool is_set = strcmp(name, "memset") == 0,
	     is_copy = strcmp(name, "memcpy") == 0 || strcmp(name, "memmove") == 0;
	struct host_place to, from;
	struct source_type piece;
	const struct source_type *type;
	const struct host_constant *value;
	uint64_t bytes;

	if (!(is_set || is_copy) || node_argument_count(node) != 3 || arguments[2]->kind != CONSTANT_INTEGER)
		return NULL;
	bytes = (uint64_t)arguments[2]->value;
	to = argument_place(host, node, 0, arguments);
	if (!to.variable)
		return NULL;
	type = piece_type(&to, bytes, &piece);
	value = host_unknown_name(host, "set by '", name, "'");
	from = is_copy ? argument_place(host, node, 1, arguments) : to;
	if (is_copy && from.variable)
		value = host_read(host, from, type);
	else if (is_set && arguments[1]->kind == CONSTANT_INTEGER && arguments[1]->value == 0)
		value = host_zero(host, type);
	host_write(host, to, type, value);
	return arguments[0];
}
