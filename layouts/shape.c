/*
 * Where the members of a holder lie once one pointer has taken the place of those to the arrays: C's rules, the new
 * pointer where the first of them was.
 */
#include "layouts/layouts.h"

#include <string.h>

#define POINTER_BYTES 8

static bool is_field(const struct layout_group *group, const struct member *member)
{
	for (unsigned f = 0; f < group->field_count; f++)
		if (strcmp(group->fields[f].name, member->name) == 0)
			return true;
	return false;
}

/* Moves the leaves of a member. */
static void leaves_move(const struct record *holder, const struct member *member, uint64_t offset, uint64_t *leaf_bytes)
{
	uint64_t end = member->offset_bytes + member->type.size_bytes * (member->count ? member->count : 1);

	for (unsigned l = 0; l < holder->leaf_count; l++)
		if (holder->leaves[l].offset_bytes >= member->offset_bytes && holder->leaves[l].offset_bytes < end)
			leaf_bytes[l] = offset + holder->leaves[l].offset_bytes - member->offset_bytes;
}

/* The record whose pointers change, and where its members lie then. */
struct holder_shaping {
	struct arena *arena;
	const struct layout_groups *groups;
	const struct record *holder;
	const struct placement *placement;
	struct holder_shape *shape;
};

/* Whether the member of that path points to records of the group. */
static bool is_held(const struct holder_shaping *shaping, const char *path)
{
	for (unsigned b = 0; b < shaping->groups->binding_count; b++) {
		const struct layout_binding *binding = &shaping->groups->bindings[b];

		if (binding->leaf && binding->group == shaping->placement->group &&
		    binding->parameter->type.record == shaping->holder && strcmp(binding->leaf->path, path) == 0)
			return true;
	}
	return false;
}

/* Lays out the members of a record in the holder, which begins at byte `from` of it and at byte `to` of the changed
 * one; returns the new size. */
static uint64_t members_lay(const struct holder_shaping *shaping, const struct record *record, const char *prefix,
                            uint64_t from, uint64_t to)
{
	uint64_t size = 0, align = 1;

	for (unsigned m = 0; m < record->member_count; m++) {
		struct member member = record->members[m];
		const char *path = arena_printf(shaping->arena, "%s%s", prefix, member.name);
		const struct record *inside = member.dimension_count == 0 ? record_inside(&member) : NULL;
		uint64_t bytes = member.type.size_bytes * (member.count ? member.count : 1);

		align = member.type.align_bytes > align ? member.type.align_bytes : align;
		size = row_round_up(size, member.type.align_bytes ? member.type.align_bytes : 1);
		member.offset_bytes += from;
		leaves_move(shaping->holder, &member, to + size, shaping->shape->leaf_bytes);
		if (is_held(shaping, path))
			bytes = POINTER_BYTES * ((uint64_t)shaping->placement->buffer_count + 1);
		else if (inside)
			bytes = members_lay(shaping, inside, arena_printf(shaping->arena, "%s.", path),
			                    member.offset_bytes, to + size);
		size += bytes;
	}
	return row_round_up(size, align);
}

struct holder_shape layout_held_shape(struct arena *arena, const struct layout_groups *groups,
                                      const struct record *holder, const struct placement *placement)
{
	struct holder_shape shape = {.pointer_bytes = UINT64_MAX};
	struct holder_shaping shaping = {arena, groups, holder, placement, &shape};

	shape.leaf_bytes = arena_array(arena, holder->leaf_count + 1, sizeof(*shape.leaf_bytes));
	shape.size_bytes = members_lay(&shaping, holder, "", 0, 0);
	return shape;
}

struct holder_shape layout_holder_shape(struct arena *arena, const struct layout_group *group)
{
	const struct record *holder = group->holder;
	struct holder_shape shape = {.pointer_bytes = UINT64_MAX};
	uint64_t align = POINTER_BYTES;

	shape.leaf_bytes = arena_array(arena, holder->leaf_count + 1, sizeof(*shape.leaf_bytes));
	for (unsigned l = 0; l < holder->leaf_count; l++)
		shape.leaf_bytes[l] = UINT64_MAX;
	for (unsigned m = 0; m < holder->member_count; m++) {
		const struct member *member = &holder->members[m];
		bool is_pointer = is_field(group, member);

		if (is_pointer && shape.pointer_bytes != UINT64_MAX)
			continue;
		align = member->type.align_bytes > align ? member->type.align_bytes : align;
		shape.size_bytes =
			row_round_up(shape.size_bytes, member->type.align_bytes ? member->type.align_bytes : 1);
		if (is_pointer)
			shape.pointer_bytes = shape.size_bytes;
		else
			leaves_move(holder, member, shape.size_bytes, shape.leaf_bytes);
		shape.size_bytes += member->type.size_bytes * (member->count ? member->count : 1);
	}
	shape.size_bytes = row_round_up(shape.size_bytes, align);
	return shape;
}
