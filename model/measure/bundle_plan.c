/*
 * What the measuring program does with one launch: its arrays, whatever their layout, and the variants of the kernel
 * that are timed.
 */
#include "model/measure/bundle_plan.h"

#include <string.h>

static bool refuse(const struct bundle_request *request, const struct launch_case *launch, struct place place,
                   const char *what)
{
	diagnostics_report(request->diagnostics, SEVERITY_WARNING, place, "kernel %s cannot be measured: %s",
	                   launch->kernel->name, what);
	return false;
}

/* ---- scalars ------------------------------------------------------------------------- */

static char scalar_kind(const struct type *type)
{
	return type->scalar == SCALAR_FLOAT ? 'f' : type->scalar == SCALAR_SIGNED ? 'i' : 'u';
}

static struct bundle_scalar scalar_make(const struct bundle_request *request, const struct launch_case *launch,
                                        const char *name, const struct scalar_source *source)
{
	struct bundle_scalar scalar = {.name = name,
	                               .kind = scalar_kind(source->type),
	                               .size_bytes = (unsigned)source->type->size_bytes,
	                               .count = source->leaf ? source->leaf->count : 1};
	if (source->array)
		scalar.content = bundle_content(request, launch, source);
	return scalar;
}

static void scalar_add(const struct bundle_request *request, struct bundle_array *array, struct bundle_scalar scalar)
{
	ARENA_PUSH(request->arena, array->scalars, array->scalar_count, scalar);
}

/* The scalars of an array that keeps its form: the leaves of its record, or its elements. */
static void scalars_as_written(const struct bundle_request *request, const struct launch_case *launch,
                               const struct array *source, struct bundle_array *array)
{
	const struct record *record = source->element.record;
	array->element_bytes = source->element.size_bytes;
	for (unsigned l = 0; record && l < record->leaf_count; l++) {
		const struct leaf *leaf = &record->leaves[l];
		struct bundle_scalar scalar =
			scalar_make(request, launch, leaf->path, &(struct scalar_source){source, leaf, &leaf->type});
		scalar.place = (struct field_place){.tile = 1,
		                                    .tile_bytes = array->element_bytes,
		                                    .offset_bytes = leaf->offset_bytes,
		                                    .inner_bytes = leaf->count > 1 ? leaf->stride_bytes : 0};
		scalar_add(request, array, scalar);
	}
	if (!record) {
		struct bundle_scalar scalar =
			scalar_make(request, launch, "", &(struct scalar_source){source, NULL, &source->element});
		scalar.place = (struct field_place){.tile = 1, .tile_bytes = array->element_bytes};
		scalar_add(request, array, scalar);
	}
}

/* The kernel's parameter that carries a member of a --group, or NULL. */
static const struct layout_binding *member_binding(const struct bundle_request *request, const struct kernel *kernel,
                                                   const struct layout_group *group, unsigned field)
{
	const struct layout_groups *groups = &request->prediction->groups;
	for (unsigned b = 0; b < groups->binding_count; b++)
		if (groups->bindings[b].kernel == kernel && groups->bindings[b].group == group &&
		    groups->bindings[b].field == field)
			return &groups->bindings[b];
	return NULL;
}

static char kind_of_name(const char *type)
{
	return strstr(type, "float") || strstr(type, "double")    ? 'f'
	       : strstr(type, "unsigned") || strstr(type, "bool") ? 'u'
	                                                          : 'i';
}

/* The scalars of a group's array: its fields, in order. */
static void scalars_of_group(const struct bundle_request *request, const struct launch_case *launch,
                             const struct parameter *parameter, struct bundle_array *array)
{
	const struct layout_group *group = array->group;
	for (unsigned f = 0; f < group->field_count; f++) {
		const struct layout_field *field = &group->fields[f];
		const struct layout_binding *member =
			group->form == FORM_ARRAYS ? member_binding(request, launch->kernel, group, f) : NULL;
		struct bundle_scalar scalar = {.name = field->path,
		                               .size_bytes = (unsigned)field->size_bytes,
		                               .count = field->count,
		                               .kind = kind_of_name(field->type)};
		if (field->leaf)
			scalar =
				scalar_make(request, launch, field->path,
			                    &(struct scalar_source){parameter->array, field->leaf, &field->leaf->type});
		else if (member)
			scalar = scalar_make(
				request, launch, field->path,
				&(struct scalar_source){member->parameter->array, NULL, &member->parameter->type});
		scalar_add(request, array, scalar);
	}
}

/* ---- arrays ----------------------------------------------------------------------------- */

static struct bundle_array *array_of_group(struct bundle_launch *plan, const struct layout_group *group,
                                           unsigned group_array)
{
	for (unsigned a = 0; a < plan->array_count; a++)
		if (plan->arrays[a].group == group && plan->arrays[a].group_array == group_array)
			return &plan->arrays[a];
	return NULL;
}

static bool kernel_accesses(const struct kernel *kernel, const struct parameter *parameter)
{
	for (unsigned a = 0; a < kernel->access_count; a++)
		if (kernel->accesses[a]->array == parameter->array)
			return true;
	return false;
}

static bool pointers_inside(const struct record *record)
{
	for (unsigned l = 0; record && l < record->leaf_count; l++)
		if (record->leaves[l].type.scalar == SCALAR_POINTER)
			return true;
	return false;
}

/* Adds the array that a pointer parameter of the kernel as written points to. */
static bool array_add(const struct bundle_request *request, struct bundle_launch *plan,
                      const struct variant_parameter *parameter)
{
	const struct parameter *original = parameter->original;
	struct bundle_array *known = parameter->group ? array_of_group(plan, parameter->group, parameter->array) : NULL;
	struct bundle_array array = {.name = original->name,
	                             .output = !original->is_const,
	                             .group = parameter->group,
	                             .group_array = parameter->array,
	                             .parameter = original};
	array.elements = parameter->group ? code_group_elements(plan->launch, &request->prediction->groups, parameter)
	                                  : plan->launch->extents[original->index];
	if (known) {
		known->output |= array.output;
		return true;
	}
	if (pointers_inside(original->type.record) || original->type.scalar == SCALAR_POINTER)
		return refuse(request, plan->launch, original->place,
		              arena_printf(request->arena, "%s holds pointers", original->name));
	if (array.elements == 0 && kernel_accesses(plan->launch->kernel, original))
		return refuse(request, plan->launch, original->place,
		              arena_printf(request->arena,
		                           "how many elements %s has is not known: give --extent %s=COUNT",
		                           original->name, original->name));
	if (parameter->group)
		scalars_of_group(request, plan->launch, original, &array);
	else
		scalars_as_written(request, plan->launch, original->array, &array);
	ARENA_PUSH(request->arena, plan->arrays, plan->array_count, array);
	return true;
}

static bool kernel_writes(const struct kernel *kernel, const struct array *array)
{
	for (unsigned a = 0; a < kernel->access_count; a++)
		if (kernel->accesses[a]->array == array && kernel->accesses[a]->kind != ACCESS_LOAD)
			return true;
	return false;
}

/* What the file itself puts into constant memory stays there. */
static bool is_left_alone(const struct bundle_request *request, const struct array *source)
{
	return source->space == ARRAY_CONSTANT && source->is_initialised && !bundle_copied(request, source);
}

static void variables_add(const struct bundle_request *request, struct bundle_launch *plan)
{
	const struct kernel *kernel = plan->launch->kernel;
	for (unsigned a = 0; a < kernel->array_count; a++) {
		const struct array *source = kernel->arrays[a];
		if (source->parameter || source->count == 0 ||
		    (source->space != ARRAY_GLOBAL && source->space != ARRAY_CONSTANT) ||
		    source->element.scalar == SCALAR_POINTER || pointers_inside(source->element.record) ||
		    is_left_alone(request, source))
			continue;
		struct bundle_array array = {.name = source->name,
		                             .elements = source->count,
		                             .variable = source,
		                             .output = kernel_writes(kernel, source)};
		scalars_as_written(request, plan->launch, source, &array);
		ARENA_PUSH(request->arena, plan->arrays, plan->array_count, array);
	}
}

unsigned bundle_parameter_array(const struct bundle_launch *plan, const struct variant_parameter *parameter,
                                unsigned *buffer)
{
	*buffer = parameter->group ? parameter->buffer : 0;
	for (unsigned a = 0; a < plan->array_count; a++) {
		const struct bundle_array *array = &plan->arrays[a];
		if (parameter->group ? array->group == parameter->group && array->group_array == parameter->array
		                     : !array->group && array->parameter == parameter->original)
			return a;
	}
	bug("a pointer parameter without an array");
}

/* ---- variants and rows ------------------------------------------------------------------- */

static const char *variant_name(struct arena *arena, const struct variant *variant, const struct layout_group *group)
{
	if (!group)
		return "as written";
	if (variant->tile == 0 || variant->tile == LAYOUT_TILE_DEFAULT)
		return arena_printf(arena, "%s as %s", group->name, variant->layout->name);
	return arena_printf(arena, "%s as %s/%u", group->name, variant->layout->name, variant->tile);
}

static unsigned variant_index(const struct bundle_request *request, struct bundle_launch *plan,
                              const struct variant *variant, const struct layout_group *group)
{
	struct bundle_variant added = {.unit = variant->unit,
	                               .rewritten = variant->rewritten,
	                               .name = variant_name(request->arena, variant, group)};
	for (unsigned v = 0; v < plan->variant_count; v++)
		if (plan->variants[v].unit == variant->unit)
			return v;
	ARENA_PUSH(request->arena, plan->variants, plan->variant_count, added);
	return plan->variant_count - 1;
}

static void rows_add(const struct bundle_request *request, struct bundle_launch *plan)
{
	const struct variants *variants = request->variants;
	variant_index(request, plan, &variants->list[0], NULL);
	for (unsigned v = 0; v < variants->count; v++) {
		const struct variant *variant = &variants->list[v];
		struct bundle_row row = {.layout = variant->layout, .tile = variant->tile};
		if (!code_variant_wanted(&request->prediction->groups, variants, plan->launch->kernel, variant))
			continue;
		if (variant->group != UINT32_MAX)
			row.group = request->prediction->groups.list[variant->group];
		row.variant = variant_index(request, plan, variant, row.group);
		plan->variants[row.variant].timed = true;
		ARENA_PUSH(request->arena, plan->rows, plan->row_count, row);
	}
}

bool bundle_launch_plan(const struct bundle_request *request, const struct launch_case *launch,
                        struct bundle_launch *plan)
{
	const struct kernel *kernel = launch->kernel;
	*plan = (struct bundle_launch){.launch = launch};
	plan->function = layout_variant_kernel(request->arena, request->prediction->analysis, kernel);
	if (!plan->function)
		return refuse(request, launch, kernel->place, "another kernel has the same name");
	rows_add(request, plan);
	if (plan->row_count == 0)
		return refuse(request, launch, kernel->place, "it could not be rewritten into any of the layouts");
	const struct variant_kernel *written = code_kernel_in(plan->variants[0].rewritten, kernel);
	for (unsigned p = 0; p < written->parameter_count; p++) {
		const struct parameter *parameter = written->parameters[p].original;
		if (parameter->is_pointer && !array_add(request, plan, &written->parameters[p]))
			return false;
		if (!parameter->is_pointer && pointers_inside(parameter->type.record))
			return refuse(request, launch, parameter->place,
			              arena_printf(request->arena, "%s holds pointers", parameter->name));
	}
	variables_add(request, plan);
	return true;
}
