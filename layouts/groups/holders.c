/*
 * Records that kernels take by value and that hold the pointers to arrays: those of their arrays that have equally many
 * elements are the members of one record (FORM_ARRAYS with a holder).
 *
 * How many elements they have, the launches say; where none does, arrays that a kernel indexes by the same expression
 * are taken to have equally many.
 */
#include "layouts/groups/groups.h"

#include <stdlib.h>

/* A pointer member of a holder. */
struct held {
	const struct leaf *leaf;
	const struct array *array; /* of the first kernel that indexes it */
};
struct holder_finder {
	struct group_finder *finder;
	const struct record *record;
	struct held *list;
	unsigned count;
};

/* The parameter of a kernel that takes the holder, counted among those; NULL: none. */
static const struct parameter *holder_parameter(const struct kernel *kernel, const struct record *record,
                                                unsigned number)
{
	for (unsigned p = 0; p < kernel->parameter_count; p++)
		if (!kernel->parameters[p].is_pointer && kernel->parameters[p].type.record == record && number-- == 0)
			return &kernel->parameters[p];
	return NULL;
}

/* A kernel's array that a parameter's member points to, or NULL. */
static const struct array *array_of(const struct kernel *kernel, const struct parameter *parameter,
                                    const struct leaf *leaf)
{
	for (unsigned a = 0; a < kernel->array_count; a++)
		if (kernel->arrays[a]->parameter == parameter && kernel->arrays[a]->leaf == leaf)
			return kernel->arrays[a];
	return NULL;
}

/* Whether it can be the member of a record: an array of scalars that a kernel indexes, pointed to by a plain member. */
static bool is_held(const struct array *array, const struct record *record)
{
	return array->leaf && array->parameter && array->parameter->type.record == record && array->is_indexed &&
	       !array->element.record && array->element.size_bytes > 0 && array->element.align_bytes > 0 &&
	       array->leaf->count == 1 && !strchr(array->leaf->path, '.');
}

static void held_add(struct holder_finder *find, const struct array *array)
{
	for (unsigned h = 0; h < find->count; h++)
		if (find->list[h].leaf == array->leaf)
			return;
	ARENA_PUSH(find->finder->arena, find->list, find->count, ((struct held){array->leaf, array}));
}

static int held_compare(const void *left, const void *right)
{
	const struct held *a = left, *b = right;

	return a->leaf->offset_bytes < b->leaf->offset_bytes ? -1 : a->leaf->offset_bytes > b->leaf->offset_bytes;
}

static void held_collect(struct holder_finder *find)
{
	const struct analysis *analysis = find->finder->analysis;

	for (unsigned k = 0; k < analysis->kernel_count; k++)
		for (unsigned a = 0; a < analysis->kernels[k]->array_count; a++)
			if (is_held(analysis->kernels[k]->arrays[a], find->record))
				held_add(find, analysis->kernels[k]->arrays[a]);
	if (find->count > 0)
		qsort(find->list, find->count, sizeof(*find->list), held_compare);
}

/* ---- which of them belong together ------------------------------------------------------------- */

/* The elements that a launch passes for a member; 0: not known. */
static uint64_t elements_passed(const struct launch *launch, const struct parameter *parameter, const struct held *held)
{
	const struct host_value *value = &launch->arguments[parameter->index];

	if (!value->leaves)
		return 0;
	value = &value->leaves[held->leaf - parameter->type.record->leaves];
	if (value->bytes == 0 && value->array && value->array->bytes.known && value->array->bytes.value > 0)
		return (uint64_t)value->array->bytes.value / held->array->element.size_bytes;
	return value->bytes / held->array->element.size_bytes;
}

/* Whether a kernel indexes two members of a parameter by the same expression. */
static bool share_index(const struct kernel *kernel, const struct array *one, const struct array *other)
{
	for (unsigned a = 0; one && other && a < kernel->access_count; a++)
		for (unsigned b = 0; kernel->accesses[a]->array == one && b < kernel->access_count; b++)
			if (kernel->accesses[b]->array == other &&
			    kernel->accesses[b]->element == kernel->accesses[a]->element)
				return true;
	return false;
}

enum likeness { LIKE_UNKNOWN, LIKE_EQUAL, LIKE_DIFFERENT };

/* Whether the launches of a kernel pass equally many elements for two members. */
static enum likeness launches_compare(const struct kernel *kernel, const struct parameter *parameter,
                                      const struct held *one, const struct held *other)
{
	enum likeness found = LIKE_UNKNOWN;

	for (unsigned l = 0; l < kernel->launch_count; l++) {
		uint64_t a = elements_passed(kernel->launches[l], parameter, one),
			 b = elements_passed(kernel->launches[l], parameter, other);

		if (a && b && a != b)
			return LIKE_DIFFERENT;
		if (a && b)
			found = LIKE_EQUAL;
	}
	return found;
}

static bool belong_together(const struct holder_finder *find, const struct held *one, const struct held *other)
{
	const struct analysis *analysis = find->finder->analysis;
	bool equal = false;

	for (unsigned k = 0; k < analysis->kernel_count; k++) {
		const struct kernel *kernel = analysis->kernels[k];
		const struct parameter *parameter;

		for (unsigned n = 0; (parameter = holder_parameter(kernel, find->record, n)) != NULL; n++) {
			enum likeness like = launches_compare(kernel, parameter, one, other);

			if (like == LIKE_DIFFERENT)
				return false;
			equal |= like == LIKE_EQUAL || share_index(kernel, array_of(kernel, parameter, one->leaf),
			                                           array_of(kernel, parameter, other->leaf));
		}
	}
	return equal;
}

/* Keeps the most members of which each belongs to the first of them. */
static void held_choose(struct holder_finder *find)
{
	struct held *best = arena_array(find->finder->arena, find->count + 1, sizeof(*best));
	struct held *chosen = arena_array(find->finder->arena, find->count + 1, sizeof(*chosen));
	unsigned best_count = 0;

	for (unsigned first = 0; first < find->count; first++) {
		unsigned count = 0;

		for (unsigned h = 0; h < find->count; h++)
			if (h == first || belong_together(find, &find->list[first], &find->list[h]))
				chosen[count++] = find->list[h];
		if (count > best_count) {
			memcpy(best, chosen, count * sizeof(*best));
			best_count = count;
		}
	}
	find->list = best;
	find->count = best_count;
}

/* ---- the group ---------------------------------------------------------------------------------- */

static struct layout_group *group_make(const struct holder_finder *find)
{
	struct layout_group *group = arena_alloc(find->finder->arena, sizeof(*group));

	*group = (struct layout_group){.name = edit_spelling(find->finder->arena, find->record->name),
	                               .form = FORM_ARRAYS,
	                               .holder = find->record,
	                               .align_bytes = 1};
	for (unsigned h = 0; h < find->count; h++) {
		const struct type *type = &find->list[h].array->element;
		struct layout_field field = {.name = find->list[h].leaf->path,
		                             .path = find->list[h].leaf->path,
		                             .type = edit_spelling(find->finder->arena, type->spelling),
		                             .size_bytes = type->size_bytes,
		                             .align_bytes = type->align_bytes,
		                             .count = 1};

		field.offset_bytes = row_round_up(group->size_bytes, field.align_bytes);
		group->size_bytes = field.offset_bytes + field.size_bytes;
		group->align_bytes = field.align_bytes > group->align_bytes ? field.align_bytes : group->align_bytes;
		ARENA_PUSH(find->finder->arena, group->fields, group->field_count, field);
	}
	group->size_bytes = row_round_up(group->size_bytes, group->align_bytes);
	group->written = group_separate_layout(find->finder->arena, group);
	return group;
}

static void holder_bind(const struct holder_finder *find, const struct layout_group *group)
{
	const struct analysis *analysis = find->finder->analysis;

	for (unsigned k = 0; k < analysis->kernel_count; k++) {
		const struct kernel *kernel = analysis->kernels[k];
		const struct parameter *parameter;

		for (unsigned n = 0;
		     !kernel->is_template_pattern && (parameter = holder_parameter(kernel, find->record, n)) != NULL;
		     n++)
			for (unsigned f = 0; f < find->count; f++)
				group_bind(find->finder,
				           (struct layout_binding){kernel, parameter, group, n, f, find->list[f].leaf});
	}
}

static bool was_grouped(const struct group_finder *finder, const struct record *record)
{
	for (unsigned g = 0; g < finder->groups->count; g++)
		if (finder->groups->list[g]->holder == record)
			return true;
	for (unsigned b = 0; b < finder->groups->binding_count; b++)
		if (finder->groups->bindings[b].leaf && finder->groups->bindings[b].parameter->type.record == record)
			return true;
	return false;
}

static void holder_group(struct group_finder *finder, const struct record *record)
{
	struct holder_finder find = {.finder = finder, .record = record};
	struct layout_group *group;

	if (was_grouped(finder, record) || record->opaque_reason || strpbrk(record->name, "<("))
		return;
	held_collect(&find);
	held_choose(&find);
	if (find.count < 2)
		return;
	group = group_make(&find);
	ARENA_PUSH(finder->arena, finder->groups->list, finder->groups->count, group);
	holder_bind(&find, group);
}

void group_holders_find(struct group_finder *finder, const struct layout_options *options)
{
	for (unsigned k = 0; k < finder->analysis->kernel_count; k++) {
		const struct kernel *kernel = finder->analysis->kernels[k];

		for (unsigned a = 0; a < kernel->array_count; a++) {
			const struct array *array = kernel->arrays[a];

			if (array->leaf && array->parameter &&
			    (options->struct_count == 0 ||
			     group_record_is_asked(options, array->parameter->type.record)))
				holder_group(finder, array->parameter->type.record);
		}
	}
}
