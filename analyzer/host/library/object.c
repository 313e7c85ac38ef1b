/*
 * Objects of the system's headers: which types are followed, and what their constructors make. A container is a record
 * whose first part is the number of its elements; an owning pointer is the pointer; a stream is the text that it has
 * still to read.
 */
#include "analyzer/host/library/library.h"

#include <stdlib.h>
#include <string.h>

/* ---- types --------------------------------------------------------------------------------------- */

/* Types whose name has no template arguments. */
static enum library_type named_type_of(const char *spelling)
{
	if (strcmp(spelling, "std::string") == 0)
		return TYPE_STRING;
	return strcmp(spelling, "std::istringstream") == 0 || strcmp(spelling, "std::stringstream") == 0 ? TYPE_STREAM
	                                                                                                 : TYPE_OTHER;
}

enum library_type host_library_type(const struct source_type *type)
{
	static const struct {
		const char *end;
		enum library_type type;
	} names[] = {{"vector", TYPE_CONTAINER},
	             {"deque", TYPE_CONTAINER},
	             {"::array", TYPE_ARRAY},
	             {"basic_string", TYPE_STRING},
	             {"unique_ptr", TYPE_POINTER},
	             {"shared_ptr", TYPE_POINTER},
	             {"::function", TYPE_FUNCTION},
	             {"basic_string_view", TYPE_STRING},
	             {"initializer_list", TYPE_CONTAINER},
	             {"unordered_map", TYPE_MAP},
	             {"::map", TYPE_MAP},
	             {"basic_istringstream", TYPE_STREAM},
	             {"basic_stringstream", TYPE_STREAM}};
	const char *spelling = type ? type_strip_reference(type)->type.spelling : NULL;
	size_t length = spelling ? strcspn(spelling, "<") : 0;

	if (!spelling || !spelling[length] || type_strip_reference(type)->type.record)
		return named_type_of(spelling ? spelling : "");
	for (unsigned i = 0; i < ARRAY_COUNT(names); i++) {
		size_t end = strlen(names[i].end);

		if (length >= end && strncmp(spelling + length - end, names[i].end, end) == 0)
			return names[i].type;
	}
	return TYPE_OTHER;
}

/* ---- objects ---------------------------------------------------------------------------------------- */

static bool is_given(const struct node *node)
{
	return node && (node->kind != NODE_OPAQUE || node->text || node->declaration);
}

/* From two iterators of one container. */
static const struct host_constant *construct_range(struct host *host, const struct node *node)
{
	const struct node *from = node_strip_casts(node->children[0]), *to = node_strip_casts(node_child(node, 1));
	const struct host_constant *whole;

	if (!from || !to || from->kind != NODE_CALL || to->kind != NODE_CALL || !from->children[0] ||
	    !from->declaration || strstr(from->declaration->name, "begin") == NULL)
		return host_unknown(host, "an object");
	whole = host_evaluate(host, node_strip_casts(from->children[0]));
	return whole->kind == CONSTANT_CONTAINER ? host_container(host, whole->parts[0])
	                                         : host_unknown(host, "an object");
}

/* What lies between two pointers into one variable. */
static const struct host_constant *construct_copy(struct host *host, const struct source_type *pointer,
                                                  const struct host_constant *first, const struct host_constant *last)
{
	int64_t size = pointer && pointer->shape == SHAPE_POINTER ? (int64_t)pointer->target->type.size_bytes : 0,
		count;
	const struct host_constant *made;

	if (last->kind != CONSTANT_ADDRESS || last->variable != first->variable || size == 0 ||
	    last->value < first->value)
		return host_unknown(host, "an object");
	count = (last->value - first->value) / size;
	made = host_container(host, host_integer(host, count));
	for (int64_t i = 0; i < count && i < ELEMENTS_MAX; i++)
		made = host_member_set(
			host, made, (uint64_t)i,
			host_read(host, (struct host_place){first->variable, (uint64_t)(first->value + i * size), true},
		                  pointer->target));
	return made;
}

/* The elements that braces give. */
static const struct host_constant *container_of_list(struct host *host, const struct node *list)
{
	const struct host_constant *made = host_container(host, host_integer(host, list->child_count));

	for (unsigned i = 0; i < list->child_count; i++)
		made = host_member_set(host, made, i, host_evaluate(host, list->children[i]));
	return made;
}

static const struct host_constant *construct_container(struct host *host, const struct node *node)
{
	const struct node *first = node_child(node, 0), *list = node_strip_casts(first);
	const struct host_constant *value;

	if (!is_given(first))
		return host_container(host, host_integer(host, 0));
	if (list->kind == NODE_LIST)
		return container_of_list(host, list);
	value = host_evaluate(host, first);
	if (value->kind == CONSTANT_CONTAINER)
		return host_container_copy(host, value);
	if (first->type && type_is_integral(type_strip_reference(first->type)))
		return host_container(host, value);
	return value->kind == CONSTANT_ADDRESS && is_given(node_child(node, 1))
	               ? construct_copy(host, first->type, value, host_evaluate(host, node->children[1]))
	               : construct_range(host, node);
}

/* std::array's elements: given by braces, within which there may be others for the array inside. */
static const struct host_constant *construct_array(struct host *host, const struct node *node)
{
	const char *count = strrchr(node->type->type.spelling, ',');
	const struct node *inner = node->child_count == 1 ? node_strip_casts(node->children[0]) : NULL;
	const struct host_constant *given, *whole;
	struct host_constant *made;

	while (inner && inner->kind == NODE_LIST) {
		node = inner;
		inner = node->child_count == 1 ? node_strip_casts(node->children[0]) : NULL;
	}
	if (node->kind == NODE_CONSTRUCT && inner && (whole = host_evaluate(host, inner))->kind == CONSTANT_CONTAINER)
		return whole;
	if (!count)
		return host_unknown(host, "an object");
	given = container_of_list(host, node);
	made = arena_alloc(host->arena, sizeof(*made));
	*made = *host_container(host, host_integer(host, strtoll(count + 1, NULL, 10)));
	made->members = given->members;
	return made;
}

/* Keys are told apart by a hash: two that share one are one in a thousand million million. */
bool host_map_slot(const struct host_constant *key, uint64_t *slot)
{
	if (key->kind == CONSTANT_INTEGER && !key->assumed)
		*slot = (uint64_t)key->value;
	else if (key->kind == CONSTANT_STRING)
		*slot = UINT64_C(0xcbf29ce484222325);
	else
		return false;
	for (const char *c = key->kind == CONSTANT_STRING ? key->text : ""; *c; c++)
		*slot = (*slot ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
	return true;
}

/* The key and the value that braces around both give. */
static const struct node *pair_of(const struct node *node)
{
	node = node_strip_casts(node);
	while (node && (node->kind == NODE_CONSTRUCT || node->kind == NODE_LIST) && node->child_count == 1)
		node = node_strip_casts(node->children[0]);
	return node && (node->kind == NODE_CONSTRUCT || node->kind == NODE_LIST) && node->child_count == 2 ? node
	                                                                                                   : NULL;
}

/* A map of the pairs that braces give; where one is not known nothing is. */
static const struct host_constant *construct_map(struct host *host, const struct node *node)
{
	const struct host_constant *made = host_container(host, host_integer(host, 0));
	const struct node *list = node_strip_casts(node_child(node, 0));

	if (node->kind == NODE_LIST)
		list = node;
	for (unsigned i = 0; is_given(list) && i < list->child_count; i++) {
		const struct node *pair = list->kind == NODE_LIST ? pair_of(list->children[i]) : NULL;
		uint64_t slot;

		if (!pair || !host_map_slot(host_evaluate(host, pair->children[0]), &slot))
			return host_unknown(host, "a map of what is not known");
		made = host_member_set(host, made, slot, host_evaluate(host, pair->children[1]));
	}
	return made;
}

const struct host_constant *host_library_object(struct host *host, const struct node *node)
{
	const struct host_constant *value;

	switch (node->kind == NODE_CONSTRUCT || node->kind == NODE_LIST ? host_library_type(node->type) : TYPE_OTHER) {
	case TYPE_CONTAINER:
		return node->kind == NODE_LIST ? container_of_list(host, node) : construct_container(host, node);
	case TYPE_ARRAY:
		return construct_array(host, node);
	case TYPE_MAP:
		return construct_map(host, node);
	case TYPE_STREAM:
	case TYPE_STRING:
		value = is_given(node_child(node, 0)) ? host_evaluate(host, node->children[0]) : host_string(host, "");
		return value->kind == CONSTANT_STRING ? value : host_unknown(host, "a string");
	case TYPE_POINTER:
	case TYPE_FUNCTION:
		return is_given(node_child(node, 0)) ? host_evaluate(host, node->children[0]) : host_integer(host, 0);
	default:
		return NULL;
	}
}
