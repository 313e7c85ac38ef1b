/*
 * What a kernel is called with in a layout: the values of its parameters, a buffer of global memory for each array, and what integers are declared to stand in
 * it. A member that --index declares lies where the layout puts it.
 *
 * Requires: launch, groups, placements, kernel of the view. Fills: its buffers and owners.
 */
#include "model/code/code.h"

#include <string.h>

uint64_t code_group_elements(const struct launch_case *launch, const struct layout_groups *groups,
                             const struct variant_parameter *parameter)
{
	uint64_t elements = launch->extents[parameter->original->index];
	for (unsigned b = 0; b < groups->binding_count; b++) {
		const struct layout_binding *binding = &groups->bindings[b];
		bool same = binding->kernel == launch->kernel && binding->group == parameter->group &&
		            parameter->group->form == FORM_ARRAYS;
		if (same && launch->extents[binding->parameter->index] > elements)
			elements = launch->extents[binding->parameter->index];
	}
	return elements;
}

/* ---- declared contents of members --------------------------------------------------- */

/* A declared member as it lies in a buffer that holds records of this form: at `place`, or as the record has it. */
static struct content member_placed(const struct member_content *member, const struct field_place *place)
{
	struct content content = member->content;
	if (!place) {
		content.stride_bytes = (unsigned)member->parameter->type.size_bytes;
		content.offset_bytes = (unsigned)member->leaf->offset_bytes;
		return content;
	}
	content.offset_bytes = (unsigned)place->offset_bytes;
	if (place->tile > 1) {
		content.tile = (unsigned)place->tile;
		content.tile_bytes = (unsigned)place->tile_bytes;
	} else {
		content.stride_bytes = (unsigned)place->tile_bytes;
	}
	return content;
}

/* Where a layout puts a member, or NULL where it has none of that name. */
static const struct field_place *member_place(const struct placement *placement, const struct member_content *member)
{
	const struct field_place *place = NULL;
	for (unsigned f = 0; placement && f < placement->group->field_count; f++)
		if (strcmp(placement->group->fields[f].path, member->leaf->path) == 0)
			place = &placement->fields[f];
	return place;
}

/* The declared contents of the members that lie in a buffer, as a list: the first by value. */
static struct content members_content(struct arena *arena, const struct launch_case *launch,
                                      const struct variant_parameter *parameter, const struct placement *placement)
{
	struct content list = {.kind = CONTENT_UNKNOWN};
	for (unsigned m = 0; m < launch->member_count; m++) {
		const struct member_content *member = &launch->members[m];
		if (member->parameter != parameter->original || member->leaf->count > 1)
			continue;
		const struct field_place *place = member_place(placement, member);
		if (placement && (!place || place->buffer != parameter->buffer))
			continue;
		struct content placed = member_placed(member, place);
		if (list.kind != CONTENT_UNKNOWN) {
			struct content *rest = arena_alloc(arena, sizeof *rest);
			*rest = list;
			placed.next = rest;
		}
		list = placed;
	}
	return list;
}

/* ---- parameters ------------------------------------------------------------------------ */

/* The buffer that a pointer parameter points to, and whose it is. */
static struct memory_buffer buffer_of(struct arena *arena, const struct launch_view *view,
                                      const struct variant_parameter *parameter, struct buffer_owner *owner)
{
	const struct launch_case *launch = view->launch;
	struct memory_buffer buffer = {.name = parameter->original->name};
	*owner = (struct buffer_owner){.parameter = parameter->original,
	                               .group = parameter->group,
	                               .array = parameter->array,
	                               .buffer = parameter->buffer};
	if (parameter->group) {
		owner->placement = code_placement_of(view->groups, view->placements, parameter->group);
		buffer.bytes = placement_buffer_bytes(owner->placement, parameter->buffer,
		                                      code_group_elements(launch, view->groups, parameter));
	} else {
		buffer.bytes = launch->extents[parameter->original->index] * parameter->original->type.size_bytes;
		buffer.content = launch->contents[parameter->original->index];
	}
	if (buffer.content.kind == CONTENT_UNKNOWN)
		buffer.content = members_content(arena, launch, parameter, owner->placement);
	return buffer;
}

/* A record passed by value: its bytes, with the addresses of buffers of their own where its members are pointers. */
static struct argument record_argument(struct arena *arena, struct launch_view *view, const struct parameter *parameter,
                                       struct memory_buffer *buffers, struct buffer_owner *owners)
{
	const struct launch_case *launch = view->launch;
	uint64_t size = parameter->type.size_bytes;
	uint8_t *bytes = arena_array(arena, size + 1, 1);
	bool *known = arena_array(arena, size + 1, sizeof *known);
	memcpy(bytes, launch->bytes[parameter->index], size);
	memcpy(known, launch->bytes_known[parameter->index], size * sizeof *known);
	for (unsigned i = 0; i < launch->pointee_count; i++) {
		const struct pointee *pointee = &launch->pointees[i];
		uint64_t address = content_address(view->buffer_count), offset = pointee->array->leaf->offset_bytes;
		if (pointee->array->parameter != parameter || offset + sizeof address > size)
			continue;
		memcpy(bytes + offset, &address, sizeof address);
		memset(known + offset, true, sizeof address);
		buffers[view->buffer_count] = (struct memory_buffer){.name = pointee->array->name,
		                                                     .bytes = pointee->extent * pointee->array->element.size_bytes,
		                                                     .content = pointee->content};
		owners[view->buffer_count++] = (struct buffer_owner){.parameter = parameter, .array_pointed = pointee->array};
	}
	return (struct argument){.kind = ARGUMENT_BYTES, .bytes = bytes, .known = known};
}

const struct argument *code_arguments(struct arena *arena, struct launch_view *view)
{
	unsigned count = view->kernel->parameter_count, most = count + view->launch->pointee_count + 1;
	struct argument *list = arena_array(arena, count + view->ptx.function->parameter_count + 1, sizeof *list);
	struct memory_buffer *buffers = arena_array(arena, most, sizeof *buffers);
	struct buffer_owner *owners = arena_array(arena, most, sizeof *owners);
	for (unsigned p = 0; p < count; p++) {
		const struct parameter *original = view->kernel->parameters[p].original;
		unsigned next = view->buffer_count;
		if (original->is_pointer) {
			list[p] = (struct argument){.kind = ARGUMENT_POINTER, .buffer = next};
			buffers[next] = buffer_of(arena, view, &view->kernel->parameters[p], &owners[next]);
			view->buffer_count++;
		} else if (view->launch->known[original->index]) {
			list[p] = (struct argument){.kind = ARGUMENT_VALUE, .value = view->launch->values[original->index]};
		} else if (view->launch->bytes[original->index]) {
			list[p] = record_argument(arena, view, original, buffers, owners);
		}
	}
	view->buffers = buffers;
	view->owners = owners;
	return list;
}
