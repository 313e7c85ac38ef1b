/*
 * Where the members of a holder lie once one pointer has taken the place of those to the arrays: C's rules, the new pointer where the first of them was.
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

/* Whether a member points to records of a group. */
static bool is_held(const struct layout_groups *groups, const struct record *holder, const struct layout_group *group,
                    const struct member *member)
{
	for (unsigned b = 0; b < groups->binding_count; b++) {
		const struct layout_binding *binding = &groups->bindings[b];

		if (binding->leaf && binding->group == group && binding->parameter->type.record == holder &&
		    strcmp(binding->leaf->path, member->name) == 0)
			return true;
	}
	return false;
}

struct holder_shape layout_held_shape(struct arena *arena, const struct layout_groups *groups, const struct record *holder,
                                      const struct placement *placement)
{
	struct holder_shape shape = {.pointer_bytes = UINT64_MAX};
	uint64_t align = 1;

	shape.leaf_bytes = arena_array(arena, holder->leaf_count + 1, sizeof(*shape.leaf_bytes));
	for (unsigned m = 0; m < holder->member_count; m++) {
		const struct member *member = &holder->members[m];
		uint64_t bytes = member->type.size_bytes * (member->count ? member->count : 1);

		if (is_held(groups, holder, placement->group, member))
			bytes = POINTER_BYTES * ((uint64_t)placement->buffer_count + 1);
		align = member->type.align_bytes > align ? member->type.align_bytes : align;
		shape.size_bytes = row_round_up(shape.size_bytes, member->type.align_bytes ? member->type.align_bytes : 1);
		leaves_move(holder, member, shape.size_bytes, shape.leaf_bytes);
		shape.size_bytes += bytes;
	}
	shape.size_bytes = row_round_up(shape.size_bytes, align);
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
		shape.size_bytes = row_round_up(shape.size_bytes, member->type.align_bytes ? member->type.align_bytes : 1);
		if (is_pointer)
			shape.pointer_bytes = shape.size_bytes;
		else
			leaves_move(holder, member, shape.size_bytes, shape.leaf_bytes);
		shape.size_bytes += member->type.size_bytes * (member->count ? member->count : 1);
	}
	shape.size_bytes = row_round_up(shape.size_bytes, align);
	return shape;
}
