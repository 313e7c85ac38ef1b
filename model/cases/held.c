/*
 * What the program was seen to put into memory that a launch gets: integers of arrays, and integer members of records.
 * Real numbers are left to what is supposed of them, as no address is made of them.
 */
#include "model/cases/cases.h"

#include <string.h>

#define VALUES_MOST (UINT64_C(1) << 24)

static bool is_integer(const struct type *type)
{
	return !type->record && (type->scalar == SCALAR_SIGNED || type->scalar == SCALAR_UNSIGNED) &&
	       type->size_bytes >= 1 && type->size_bytes <= sizeof(int64_t);
}

static int64_t integer_at(const struct host_bytes *bytes, const struct type *type, uint64_t offset)
{
	uint8_t raw[sizeof(int64_t)];
	uint64_t bits = 0;
	unsigned unused = 64 - 8 * (unsigned)type->size_bytes;
	if (bytes->data)
		memcpy(&bits, bytes->data + offset, type->size_bytes);
	else {
		memset(raw, bytes->fill, sizeof raw);
		memcpy(&bits, raw, type->size_bytes);
	}
	return type->scalar == SCALAR_SIGNED ? (int64_t)(bits << unused) >> unused : (int64_t)bits;
}

/* The integers that lie `stride` bytes apart, as a content. */
static struct content content_make(struct arena *arena, const struct host_bytes *bytes, const struct type *type,
                                   uint64_t first, uint64_t stride)
{
	uint64_t count =
		bytes->bytes >= first + type->size_bytes ? (bytes->bytes - first - type->size_bytes) / stride + 1 : 0;
	if (count == 0 || (bytes->data && count > VALUES_MOST))
		return (struct content){0};
	int64_t *values = arena_array(arena, bytes->data ? count : 1, sizeof *values);
	for (uint64_t i = 0; i < (bytes->data ? count : 1); i++)
		values[i] = integer_at(bytes, type, first + i * stride);
	if (bytes->data)
		return (struct content){.kind = CONTENT_VALUES, .values = values, .count = count};
	return (struct content){.kind = CONTENT_UNIFORM, .low = values[0], .high = values[0] + 1};
}

static void members_take(struct arena *arena, struct launch_case *launch, const struct array *array,
                         const struct host_bytes *bytes)
{
	const struct record *record = array->element.record;
	for (unsigned l = 0; l < record->leaf_count; l++) {
		const struct leaf *leaf = &record->leaves[l];
		struct member_content member = {.parameter = array->parameter, .leaf = leaf};
		if (!is_integer(&leaf->type) || leaf->count > 1 || case_member_content(launch, array->parameter, leaf))
			continue;
		member.content = content_make(arena, bytes, &leaf->type, leaf->offset_bytes, array->element.size_bytes);
		member.content.element_bytes = (unsigned)leaf->type.size_bytes;
		if (member.content.kind != CONTENT_UNKNOWN)
			ARENA_PUSH(arena, launch->members, launch->member_count, member);
	}
}

void case_contents_take(struct arena *arena, struct launch_case *launch)
{
	for (unsigned i = 0; i < launch->kernel->array_count; i++) {
		const struct array *array = launch->kernel->arrays[i];
		const struct host_value *passed = array->parameter ? case_value_passed(launch->found, array) : NULL;
		struct content *content = passed && passed->content ? case_content(launch, array) : NULL;
		if (!content)
			continue;
		if (array->element.record && !array->leaf && array->element.size_bytes)
			members_take(arena, launch, array, passed->content);
		else if (content->kind == CONTENT_UNKNOWN && is_integer(&array->element))
			*content = content_make(arena, passed->content, &array->element, 0, array->element.size_bytes);
	}
}
