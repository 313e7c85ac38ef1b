/*
 * What a kernel is called with in a layout: the values of its parameters, a buffer of global memory for each array, and
 * what is declared or supposed to stand in it. A member's numbers lie where the layout puts it.
 *
 * Requires: launch, groups, placements, kernel of the view. Fills: its buffers and owners.
 */
#include "model/code/code.h"

#include <string.h>

/* Elements of the array that a binding is of. */
static uint64_t binding_elements(const struct launch_case *launch, const struct layout_binding *binding)
{
	if (!binding->leaf)
		return launch->extents[binding->parameter->index];
	for (unsigned i = 0; i < launch->pointee_count; i++)
		if (launch->pointees[i].array->parameter == binding->parameter &&
		    launch->pointees[i].array->leaf == binding->leaf)
			return launch->pointees[i].extent;
	return 0;
}

/* Whether it is one of the arrays that make up the parameter's group, where that is of arrays. */
static bool binding_belongs(const struct launch_case *launch, const struct layout_binding *binding,
                            const struct variant_parameter *parameter)
{
	return binding->kernel == launch->kernel && binding->group == parameter->group &&
	       parameter->group->form == FORM_ARRAYS && binding->array == parameter->array;
}

uint64_t code_group_elements(const struct launch_case *launch, const struct layout_groups *groups,
                             const struct variant_parameter *parameter)
{
	uint64_t elements = parameter->original->is_pointer ? launch->extents[parameter->original->index] : 0;
	for (unsigned b = 0; b < groups->binding_count; b++) {
		const struct layout_binding *binding = &groups->bindings[b];
		bool is_held = binding->leaf && binding->parameter == parameter->original &&
		               binding->group == parameter->group;
		if ((is_held || binding_belongs(launch, binding, parameter)) &&
		    binding_elements(launch, binding) > elements)
			elements = binding_elements(launch, binding);
	}
	return elements;
}

/* ---- contents of members ------------------------------------------------------------- */

/* A field's content as it lies in a layout's buffer. */
static struct content content_placed(struct content content, const struct field_place *place)
{
	content.offset_bytes = (unsigned)place->offset_bytes;
	if (place->tile > 1) {
		content.tile = (unsigned)place->tile;
		content.tile_bytes = (unsigned)place->tile_bytes;
	} else {
		content.stride_bytes = (unsigned)place->tile_bytes;
	}
	return content;
}

/* A member as it lies in a buffer that holds records of this form: at `place`, or as the record has it. */
static struct content member_placed(const struct member_content *member, const struct field_place *place)
{
	struct content content = member->content;
	if (place)
		return content_placed(content, place);
	content.stride_bytes = (unsigned)member->parameter->type.size_bytes;
	content.offset_bytes = (unsigned)member->leaf->offset_bytes;
	return content;
}

/* Before the others of a list, whose first is there by value. */
static struct content content_before(struct arena *arena, struct content first, const struct content *others)
{
	struct content *rest = arena_alloc(arena, sizeof *rest);
	if (others->kind == CONTENT_UNKNOWN)
		return first;
	*rest = *others;
	first.next = rest;
	return first;
}

/* Where a layout puts a member, or NULL where it has none of that name. Fields mostly stand in the order of the
 * record's leaves. */
static const struct field_place *member_place(const struct placement *placement, const struct member_content *member)
{
	if (!placement)
		return NULL;
	const struct layout_group *group = placement->group;
	const struct record *record = member->parameter->type.record;
	size_t likely = record ? (size_t)(member->leaf - record->leaves) : 0;
	if (likely < group->field_count && strcmp(group->fields[likely].path, member->leaf->path) == 0)
		return &placement->fields[likely];
	for (unsigned f = 0; f < group->field_count; f++)
		if (strcmp(group->fields[f].path, member->leaf->path) == 0)
			return &placement->fields[f];
	return NULL;
}

/* The contents of the members that lie in a buffer, as a list: the first by value. */
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
		list = content_before(arena, member_placed(member, place), &list);
	}
	return list;
}

/* The same of a group of arrays. */
static struct content arrays_content(struct arena *arena, const struct launch_view *view,
                                     const struct variant_parameter *parameter, const struct placement *placement)
{
	struct content list = {.kind = CONTENT_UNKNOWN};
	for (unsigned b = 0; b < view->groups->binding_count; b++) {
		const struct layout_binding *binding = &view->groups->bindings[b];
		if (!binding_belongs(view->launch, binding, parameter) || binding->leaf)
			continue;
		const struct content *content = &view->launch->contents[binding->parameter->index];
		const struct field_place *place = &placement->fields[binding->field];
		if (content->kind != CONTENT_UNKNOWN && place->buffer == parameter->buffer)
			list = content_before(arena, content_placed(*content, place), &list);
	}
	return list;
}

/* Where a layout puts each member in a buffer of several. */
static void parts_place(struct arena *arena, const struct placement *placement, unsigned number,
                        struct memory_buffer *buffer)
{
	const struct layout_group *group = placement->group;
	buffer->parts = arena_array(arena, group->field_count + 1, sizeof *buffer->parts);
	for (unsigned f = 0; f < group->field_count; f++) {
		const struct field_place *place = &placement->fields[f];
		if (place->buffer != number || place->is_split)
			continue;
		uint64_t size = group->fields[f].size_bytes;
		buffer->parts[buffer->part_count++] = (struct buffer_part){
			place->offset_bytes, (place->tile - 1) * place->stride_bytes +
						     (group->fields[f].count - 1) * place->inner_bytes + size};
		buffer->period = place->tile_bytes;
	}
	if (buffer->part_count < 2)
		buffer->part_count = buffer->period = 0;
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
		parts_place(arena, owner->placement, parameter->buffer, &buffer);
	} else {
		buffer.bytes = launch->extents[parameter->original->index] * parameter->original->type.size_bytes;
		buffer.content = launch->contents[parameter->original->index];
	}
	if (parameter->group && parameter->group->form == FORM_ARRAYS)
		buffer.content = arrays_content(arena, view, parameter, owner->placement);
	else if (buffer.content.kind == CONTENT_UNKNOWN)
		buffer.content = members_content(arena, launch, parameter, owner->placement);
	return buffer;
}

/* The field of a parameter's group that an array is, or the group's field_count. */
static unsigned field_of_array(const struct layout_groups *groups, const struct variant_parameter *parameter,
                               const struct array *array)
{
	for (unsigned b = 0; parameter->group && b < groups->binding_count; b++)
		if (groups->bindings[b].parameter == array->parameter && groups->bindings[b].leaf == array->leaf &&
		    groups->bindings[b].group == parameter->group)
			return groups->bindings[b].field;
	return parameter->group ? parameter->group->field_count : 0;
}

/* The bytes of a record passed by value as they are being filled. */
struct record_bytes {
	uint64_t size;
	uint8_t *bytes;
	bool *known;
};

static void address_put(const struct record_bytes *record, uint64_t offset, unsigned buffer)
{
	uint64_t address = content_address(buffer);
	if (offset + sizeof address > record->size)
		return;
	memcpy(record->bytes + offset, &address, sizeof address);
	memset(record->known + offset, true, sizeof address * sizeof *record->known);
}

/* The bytes of a record as the launch has them; of one whose pointers one pointer has replaced, each leaf where it lies
 * now. */
static struct record_bytes record_bytes_of(struct arena *arena, const struct launch_case *launch,
                                           const struct parameter *parameter, const struct holder_shape *shape)
{
	const struct record *record = parameter->type.record;
	const uint8_t *bytes = launch->bytes[parameter->index];
	const bool *known = launch->bytes_known[parameter->index];
	struct record_bytes made = {.size = shape ? shape->size_bytes : parameter->type.size_bytes};
	made.bytes = arena_array(arena, made.size + 1, 1);
	made.known = arena_array(arena, made.size + 1, sizeof *made.known);
	if (!shape) {
		memcpy(made.bytes, bytes, made.size);
		memcpy(made.known, known, made.size * sizeof *known);
	}
	for (unsigned l = 0; shape && l < record->leaf_count; l++) {
		uint64_t from = record->leaves[l].offset_bytes, to = shape->leaf_bytes[l];
		uint64_t length = record->leaves[l].type.size_bytes +
		                  (record->leaves[l].count - 1) * record->leaves[l].stride_bytes;
		if (to == UINT64_MAX || from + length > parameter->type.size_bytes || to + length > made.size)
			continue;
		memcpy(made.bytes + to, bytes + from, length);
		memcpy(made.known + to, known + from, length * sizeof *known);
	}
	return made;
}

/* Adds the buffers of an array of records that a member of a record passed by value points to: their addresses lie one
 * behind another, and an index behind them. */
static void held_put(struct arena *arena, struct launch_view *view, const struct variant_parameter *variant,
                     const struct placement *placement, const struct pointee *pointee,
                     const struct record_bytes *record, uint64_t offset, struct memory_buffer *buffers,
                     struct buffer_owner *owners)
{
	unsigned count = placement->buffer_count;
	for (unsigned b = 0; b < count; b++) {
		struct memory_buffer buffer = {.name = pointee->array->name,
		                               .bytes = placement_buffer_bytes(placement, b, pointee->extent)};
		parts_place(arena, placement, b, &buffer);
		address_put(record, offset + b * sizeof(uint64_t), view->buffer_count);
		buffers[view->buffer_count] = buffer;
		owners[view->buffer_count++] = (struct buffer_owner){.parameter = variant->original,
		                                                     .array_pointed = pointee->array,
		                                                     .group = variant->group,
		                                                     .placement = placement,
		                                                     .array = variant->array,
		                                                     .buffer = b};
	}
	if (placement->layout->keeps_record)
		return;
	offset += count * sizeof(uint64_t);
	memset(record->bytes + offset, 0, sizeof(uint64_t));
	memset(record->known + offset, true, sizeof(uint64_t) * sizeof *record->known);
}

/* Where the members of a record passed by value lie in a layout of its group; without leaf_bytes: where they are
 * declared. */
static struct holder_shape shape_of(struct arena *arena, const struct launch_view *view,
                                    const struct variant_parameter *variant, const struct placement *placement)
{
	if (!placement || placement->layout == variant->group->written)
		return (struct holder_shape){0};
	if (variant->group->holder)
		return layout_holder_shape(arena, variant->group);
	return placement->layout->keeps_record
	               ? (struct holder_shape){0}
	               : layout_held_shape(arena, view->groups, variant->original->type.record, placement);
}

/* A record passed by value, with the addresses of buffers of their own where its members are pointers; of a holder's
 * group in another layout, of one buffer. */
static struct argument record_argument(struct arena *arena, struct launch_view *view,
                                       const struct variant_parameter *variant, struct memory_buffer *buffers,
                                       struct buffer_owner *owners)
{
	const struct launch_case *launch = view->launch;
	const struct parameter *parameter = variant->original;
	const struct placement *placement =
		variant->group ? code_placement_of(view->groups, view->placements, variant->group) : NULL;
	struct holder_shape shape = shape_of(arena, view, variant, placement);
	const bool moved = shape.leaf_bytes != NULL;
	struct record_bytes record = record_bytes_of(arena, launch, parameter, moved ? &shape : NULL);
	for (unsigned i = 0; i < launch->pointee_count; i++) {
		const struct pointee *pointee = &launch->pointees[i];
		const struct leaf *leaf = pointee->array->leaf;
		unsigned field = field_of_array(view->groups, variant, pointee->array);
		bool grouped = placement && field < variant->group->field_count;
		if (pointee->array->parameter != parameter || (moved && grouped && variant->group->holder))
			continue;
		uint64_t offset = moved ? shape.leaf_bytes[leaf - parameter->type.record->leaves] : leaf->offset_bytes;
		if (grouped && !variant->group->holder) {
			held_put(arena, view, variant, placement, pointee, &record, offset, buffers, owners);
			continue;
		}
		address_put(&record, offset, view->buffer_count);
		buffers[view->buffer_count] =
			(struct memory_buffer){.name = pointee->array->name,
		                               .bytes = pointee->extent * pointee->array->element.size_bytes,
		                               .content = pointee->content};
		owners[view->buffer_count] =
			(struct buffer_owner){.parameter = parameter, .array_pointed = pointee->array};
		if (grouped) {
			owners[view->buffer_count].group = variant->group;
			owners[view->buffer_count].placement = placement;
			owners[view->buffer_count].array = variant->array;
			owners[view->buffer_count].buffer = placement->fields[field].buffer;
		}
		view->buffer_count++;
	}
	if (moved && variant->group->holder) {
		address_put(&record, shape.pointer_bytes, view->buffer_count);
		buffers[view->buffer_count] = buffer_of(arena, view, variant, &owners[view->buffer_count]);
		view->buffer_count++;
	}
	return (struct argument){.kind = ARGUMENT_BYTES, .bytes = record.bytes, .known = record.known};
}

const struct ptx_content *code_constants(struct arena *arena, const struct launch_case *launch)
{
	const struct kernel *kernel = launch->kernel;
	struct ptx_content *list = arena_array(arena, kernel->constant_count + 1, sizeof *list);
	for (unsigned c = 0; c < kernel->constant_count; c++) {
		const struct parameter *constant = kernel->constants[c];
		list[c] = (struct ptx_content){constant->name, launch->bytes[constant->index],
		                               launch->bytes_known[constant->index], constant->type.size_bytes};
	}
	return list;
}

/* Whether the host passes 0 for a pointer of no group, as programs do for what a kernel may lack. */
static bool is_null(const struct launch_view *view, const struct variant_parameter *parameter)
{
	const struct launch *found = view->launch->found;
	return found && !parameter->group && found->arguments[parameter->original->index].is_null;
}

const struct argument *code_arguments(struct arena *arena, struct launch_view *view)
{
	unsigned count = view->kernel->parameter_count, widest = 1;
	for (unsigned g = 0; g < view->groups->count; g++)
		if (view->placements[g]->buffer_count > widest)
			widest = view->placements[g]->buffer_count;
	unsigned most = count + view->launch->pointee_count * widest + 1;
	struct argument *list = arena_array(arena, count + view->ptx.function->parameter_count + 1, sizeof *list);
	struct memory_buffer *buffers = arena_array(arena, most, sizeof *buffers);
	struct buffer_owner *owners = arena_array(arena, most, sizeof *owners);
	for (unsigned p = 0; p < count; p++) {
		const struct parameter *original = view->kernel->parameters[p].original;
		unsigned next = view->buffer_count;
		if (original->is_pointer) {
			list[p] = is_null(view, &view->kernel->parameters[p])
			                  ? (struct argument){.kind = ARGUMENT_VALUE}
			                  : (struct argument){.kind = ARGUMENT_POINTER, .buffer = next};
			buffers[next] = buffer_of(arena, view, &view->kernel->parameters[p], &owners[next]);
			view->buffer_count++;
		} else if (view->launch->known[original->index]) {
			list[p] = (struct argument){.kind = ARGUMENT_VALUE,
			                            .value = view->launch->values[original->index]};
		} else if (view->launch->bytes[original->index]) {
			list[p] = record_argument(arena, view, &view->kernel->parameters[p], buffers, owners);
		}
	}
	view->buffers = buffers;
	view->owners = owners;
	return list;
}
