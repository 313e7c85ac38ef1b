/*
 * Records of the host: what is known about their members, by offset.
 */
#include "analyzer/host.h"

#include <string.h>

#define AXIS_BYTES ((uint64_t)4)

bool type_is_dim3(const struct source_type *type)
{
	return type && type->type.record && strcmp(type->type.spelling, "dim3") == 0;
}

struct declaration *host_root(struct host *host, const struct node *place, uint64_t *offset)
{
	const struct constant *pointer;

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

static const struct constant *member_find(const struct constant *record, uint64_t offset)
{
	const struct constant_member *member = record && record->kind == CONSTANT_RECORD ? record->members : NULL;

	while (member && member->offset != offset)
		member = member->next;
	return member ? member->value : NULL;
}

const struct constant *record_triple(struct host *host, const struct constant *record, uint64_t offset)
{
	const struct constant *parts[3];
	bool any = false;

	for (unsigned axis = 0; axis < ARRAY_COUNT(parts); axis++) {
		parts[axis] = member_find(record, offset + AXIS_BYTES * axis);
		any = any || parts[axis];
		parts[axis] = parts[axis] ? parts[axis] : constant_integer(host, 1);
	}
	return any ? constant_triple(host, parts) : NULL;
}

/* The members that lie inside a part, as a record of their own. */
static const struct constant *inner_record(struct host *host, const struct constant *record, uint64_t offset, uint64_t size)
{
	const struct constant *inner = constant_unknown(host, "an object");

	if (record->kind != CONSTANT_RECORD)
		return inner;
	for (const struct constant_member *member = record->members; member; member = member->next)
		if (member->offset >= offset && member->offset < offset + size &&
		    member->value == member_find(record, member->offset))
			inner = record_set(host, inner, member->offset - offset, member->value);
	return inner;
}

const struct constant *record_part(struct host *host, const struct constant *record, uint64_t offset,
                                   const struct source_type *type)
{
	if (type_is_dim3(type))
		return record_triple(host, record, offset);
	return type->shape == SHAPE_RECORD ? inner_record(host, record, offset, type->type.size_bytes)
	                                   : member_find(record, offset);
}

static const struct constant *member_push(struct host *host, const struct constant *record, uint64_t offset,
                                          const struct constant *value)
{
	struct constant_member *member = arena_alloc(host->arena, sizeof(*member));
	struct constant *changed = arena_alloc(host->arena, sizeof(*changed));

	*member = (struct constant_member){record && record->kind == CONSTANT_RECORD ? record->members : NULL, offset, value};
	*changed = (struct constant){.kind = CONSTANT_RECORD, .members = member};
	return changed;
}

const struct constant *record_set(struct host *host, const struct constant *record, uint64_t offset, const struct constant *value)
{
	if (value->kind == CONSTANT_TRIPLE)
		for (unsigned axis = 0; axis < ARRAY_COUNT(value->parts); axis++)
			record = member_push(host, record, offset + AXIS_BYTES * axis, value->parts[axis]);
	if (value->kind == CONSTANT_RECORD)
		for (const struct constant_member *member = value->members; member; member = member->next)
			if (member->value == member_find(value, member->offset))
				record = member_push(host, record, offset + member->offset, member->value);
	return value->kind == CONSTANT_TRIPLE || value->kind == CONSTANT_RECORD ? record : member_push(host, record, offset, value);
}

const struct constant *record_from_list(struct host *host, const struct node *list)
{
	const struct record *record = list->type->type.record;
	const struct constant *made = constant_unknown(host, "an object"), *value;

	for (unsigned i = 0; i < list->child_count; i++) {
		value = host_evaluate(host, list->children[i]);
		if (record && i < record->member_count && record->members[i].count == 1)
			made = record_set(host, made, record->members[i].offset_bytes, value);
	}
	return made;
}

const struct constant *record_join(struct host *host, const struct constant *a, const struct constant *b)
{
	const struct constant *sides[2] = {a, b}, *joined = constant_unknown(host, "an object");

	for (unsigned side = 0; side < ARRAY_COUNT(sides); side++)
		for (const struct constant_member *member = sides[side]->members; member; member = member->next) {
			const struct constant *other = member_find(sides[1 - side], member->offset);

			if (member->value != member_find(sides[side], member->offset) || member_find(joined, member->offset))
				continue;
			joined = member_push(host, joined, member->offset,
			                     other ? constant_join(host, member->value, other)
			                           : constant_unknown(host, "it is set on one branch only"));
		}
	return joined;
}
