/*
 * Elements of containers that are set by themselves: v[i] = x, v[i].m = x, map[key] = x.
 */
#include "analyzer/host/library/library.h"

#include <string.h>

bool host_is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (strcmp(name, *names) == 0)
			return true;
	return false;
}

/* Whether a call names an element of a container that is known where it lies: v[i], v.at(i), v.front(), v.back(). */
static bool is_element(const struct node *node)
{
	static const char *const names[] = {"operator[]", "at", "front", "back", NULL};
	const struct node *object = node && node->kind == NODE_CALL ? node_strip_casts(node->children[0]) : NULL;

	return object && node->declaration &&
	       (host_library_type(object->type) == TYPE_CONTAINER || host_library_type(object->type) == TYPE_ARRAY ||
	        host_library_type(object->type) == TYPE_MAP) &&
	       host_is_one_of(node->declaration->name, names);
}

/* The map with the value of a key set; of a key that is not known, a map of which nothing is. */
static const struct host_constant *map_set(struct host *host, const struct node *node, const struct host_constant *map,
                                           const struct host_constant *value)
{
	uint64_t slot;

	return value && node->child_count == 2 && host_map_slot(host_evaluate(host, node->children[1]), &slot)
	               ? host_member_set(host, map, slot, value)
	               : host_unknown(host, "a map of what is not known");
}

/* The container with the element that a call names set; of those behind the first ones nothing is followed. */
static const struct host_constant *container_set(struct host *host, const struct node *node,
                                                 const struct host_constant *container,
                                                 const struct host_constant *value)
{
	const struct host_constant *index =
		node->child_count == 2 && value ? host_evaluate(host, node->children[1]) : NULL;

	if (!index || index->kind != CONSTANT_INTEGER || index->assumed || container->value)
		return host_container_exposed(host, container);
	return index->value < ELEMENTS_MAX || host_member(container, (uint64_t)index->value)
	               ? host_member_set(host, container, (uint64_t)index->value, value)
	               : container;
}

/* Sets the element that a call names. */
static void element_set(struct host *host, const struct node *node, const struct host_constant *value)
{
	const struct source_type *type = node_strip_casts(node->children[0])->type;
	struct host_place place = host_object(host, node);
	const struct host_constant *container = place.variable && place.is_exact ? host_read(host, place, type) : NULL;

	if (!container || container->kind != CONSTANT_CONTAINER)
		return;
	host_write(host, place, type,
	           host_library_type(type) == TYPE_MAP ? map_set(host, node, container, value)
	                                               : container_set(host, node, container, value));
}

/* The object that a node names a part of; what is no member of it, but an element of one, has no offset that is known.
 */
static const struct node *object_around(const struct node *part, uint64_t *offset, bool *is_known)
{
	const struct node *object = part;

	*offset = 0;
	*is_known = true;
	while (object && ((object->kind == NODE_MEMBER && !object->is_arrow) || object->kind == NODE_SUBSCRIPT)) {
		*is_known = *is_known && object->kind == NODE_MEMBER;
		*offset += object->kind == NODE_MEMBER ? (uint64_t)object->value : 0;
		object = node_strip_casts(object->children[0]);
	}
	return object;
}

void host_store_element(struct host *host, const struct node *node, const struct host_constant *value)
{
	const struct node *part = node_strip_casts(node), *element;
	uint64_t offset;
	bool is_known;

	element = object_around(part, &offset, &is_known);
	if (!is_element(element))
		return;
	if (element != part && value && part->type && is_known)
		value = host_record_set(host, host_evaluate(host, element), offset, type_strip_reference(part->type),
		                        host_convert(host, value, type_strip_reference(part->type)));
	else if (element != part)
		value = NULL;
	element_set(host, element, value);
}
