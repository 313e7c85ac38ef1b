/*
 * Where arrays lie in device memory, as the stand-in for the CUDA runtime takes it (model/observe/shapes.h). A
 * parameter of the rewritten program has the number of the one that it comes from, and members have the same numbers in
 * both.
 */
#include "model/observe/shapes.h"
#include "model/observe/check/check.h"

#include <string.h>

/* The shapes of one program that are being written. */
struct shaping {
	struct arena *arena;
	const struct check_subject *subject;
	const struct rewritten *rewritten; /* NULL: the original */
	struct text *out;
};
/* A pointer of one kernel: the argument and byte that it is passed in, and the parameter that it stands for. */
struct shape_pointer {
	unsigned argument, at, parameter;
};

static unsigned shift_of(uint64_t tile)
{
	unsigned shift = 0;
	while (UINT64_C(1) << shift < tile)
		shift++;
	return shift;
}

/* One scalar of each element. */
static void scalar_write(const struct shaping *shaping, struct shape_pointer pointer, unsigned field, unsigned inner,
                         const struct field_place *place, uint64_t size)
{
	const uint64_t within = place->is_split ? 0 : inner * place->inner_bytes;
	text_printf(shaping->out, SHAPES_FIELD, pointer.argument, pointer.at, pointer.parameter, field, inner,
	            shift_of(place->tile), place->tile_bytes, place->offset_bytes + within, place->stride_bytes, size);
}

/* ---- records that are laid out ------------------------------------------------------------------ */

/* The parameter that passes a field of a group's arrays to a kernel, or the pointer to its records; NULL: there is
 * none. */
static const struct parameter *parameter_of(const struct shaping *shaping, const struct kernel *kernel,
                                            const struct layout_group *group, unsigned array, unsigned field)
{
	const struct layout_groups *groups = shaping->subject->groups;
	for (unsigned b = 0; b < groups->binding_count; b++) {
		const struct layout_binding *binding = &groups->bindings[b];
		if (binding->kernel == kernel && binding->group == group && !binding->leaf && binding->array == array &&
		    (group->form == FORM_STRUCT || binding->field == field))
			return binding->parameter;
	}
	return NULL;
}

/* What lies behind the pointer to a buffer. */
static void buffer_write(const struct shaping *shaping, const struct kernel *kernel, struct shape_pointer pointer,
                         const struct placement *placement, unsigned array, unsigned buffer)
{
	const struct layout_group *group = placement->group;
	for (unsigned f = 0; f < group->field_count; f++) {
		const struct field_place *place = &placement->fields[f];
		const struct parameter *parameter = parameter_of(shaping, kernel, group, array, f);
		for (unsigned k = 0; parameter && k < group->fields[f].count; k++) {
			pointer.parameter = parameter->index;
			if (place->buffer + (place->is_split ? k : 0) == buffer)
				scalar_write(shaping, pointer, f, k, place, group->fields[f].size_bytes);
		}
	}
}

static const struct placement *placement_written(const struct shaping *shaping, const struct layout_group *group)
{
	return layout_place(shaping->arena, group->written, group,
	                    group->written_tile ? group->written_tile : LAYOUT_TILE_DEFAULT);
}

static const struct placement *placement_of(const struct shaping *shaping, const struct layout_group *group)
{
	const struct layout_groups *groups = shaping->subject->groups;
	for (unsigned g = 0; shaping->rewritten && g < groups->count; g++)
		if (groups->list[g] == group)
			return shaping->rewritten->placements[g];
	return placement_written(shaping, group);
}

/* ---- what is passed as the source says it -------------------------------------------------------- */

static const struct layout_binding *binding_of(const struct shaping *shaping, const struct kernel *kernel, unsigned p)
{
	const struct layout_groups *groups = shaping->subject->groups;
	for (unsigned b = 0; b < groups->binding_count; b++)
		if (groups->bindings[b].kernel == kernel && groups->bindings[b].parameter == &kernel->parameters[p])
			return &groups->bindings[b];
	return NULL;
}

/* Records that are not laid out, but whose members are known: padding is left out. */
static void record_write(const struct shaping *shaping, struct shape_pointer pointer, const struct record *record)
{
	for (unsigned l = 0; l < record->leaf_count; l++) {
		const struct leaf *leaf = &record->leaves[l];
		const struct field_place place = {.tile = 1,
		                                  .tile_bytes = record->type.size_bytes,
		                                  .offset_bytes = leaf->offset_bytes,
		                                  .inner_bytes = leaf->stride_bytes};
		for (unsigned k = 0; k < leaf->count; k++)
			scalar_write(shaping, pointer, l, k, &place, leaf->type.size_bytes);
	}
}

static void plain_write(const struct shaping *shaping, const struct kernel *kernel, unsigned argument, unsigned p)
{
	const struct parameter *parameter = &kernel->parameters[p];
	const struct record *record = parameter->is_pointer ? parameter->type.record : NULL;
	if (record && !record->opaque_reason && record->leaf_count)
		record_write(shaping, (struct shape_pointer){argument, 0, p}, record);
	else
		text_printf(shaping->out, SHAPES_WHOLE, argument, p);
}

static void kernel_as_written(const struct shaping *shaping, const struct kernel *kernel)
{
	for (unsigned p = 0; p < kernel->parameter_count; p++) {
		const struct layout_binding *binding = binding_of(shaping, kernel, p);
		if (!binding)
			plain_write(shaping, kernel, p, p);
		else if (!binding->leaf)
			buffer_write(shaping, kernel, (struct shape_pointer){p, 0, p},
			             placement_written(shaping, binding->group), binding->array,
			             binding->group->form == FORM_ARRAYS ? binding->field : 0);
	}
}

/* Whether a parameter's pointer lies in the argument of the one before it: pointers to buffers are members of one
 * struct. */
static bool joins_last(const struct shaping *shaping, const struct variant_kernel *variant, unsigned i)
{
	const struct variant_parameter *parameter = &variant->parameters[i], *last = i ? parameter - 1 : NULL;
	return last && parameter->group && last->group == parameter->group && last->array == parameter->array &&
	       last->original == parameter->original && placement_of(shaping, parameter->group)->joins_pointers;
}

static void kernel_rewritten(const struct shaping *shaping, const struct variant_kernel *variant)
{
	unsigned arguments = 0, at = 0;
	for (unsigned i = 0; i < variant->parameter_count; i++) {
		const struct variant_parameter *parameter = &variant->parameters[i];
		const bool joins = joins_last(shaping, variant, i);
		const unsigned p = parameter->original->index;
		const struct layout_binding *binding = binding_of(shaping, variant->kernel, p);
		at = joins ? at + (unsigned)sizeof(void *) : 0;
		arguments += !joins;
		if (!parameter->group)
			plain_write(shaping, variant->kernel, arguments - 1, p);
		else if (binding && !binding->leaf)
			buffer_write(shaping, variant->kernel, (struct shape_pointer){arguments - 1, at, p},
			             placement_of(shaping, parameter->group), parameter->array, parameter->buffer);
	}
}

/* ---- kernels ------------------------------------------------------------------------------------- */

static size_t common_prefix(const char *a, const char *b)
{
	size_t length = 0;
	while (a[length] && a[length] == b[length])
		length++;
	return length;
}

/* The kernel whose parameters were rewritten so that it is called that now; -1: none is, or several may be. */
static int kernel_renamed(const struct shaping *shaping, const char *name)
{
	const struct rewritten *rewritten = shaping->rewritten;
	const char *own = observe_name(shaping->arena, name);
	size_t best_length = 0;
	int best = -1;
	for (unsigned k = 0; shaping->rewritten && k < rewritten->kernel_count; k++) {
		const struct variant_kernel *variant = &rewritten->kernels[k];
		if (!variant->changed || !variant->kernel->mangled ||
		    strcmp(observe_name(shaping->arena, variant->kernel->mangled), own) != 0)
			continue;
		const size_t length = common_prefix(variant->kernel->mangled, name);
		if (length >= best_length)
			best = length > best_length ? (int)k : -1;
		best_length = length > best_length ? length : best_length;
	}
	return best;
}

static int kernel_of(const struct shaping *shaping, const char *name)
{
	const struct analysis *analysis = shaping->subject->analysis;
	for (unsigned k = 0; k < analysis->kernel_count; k++)
		if (!analysis->kernels[k]->is_template_pattern && analysis->kernels[k]->mangled &&
		    observe_names_equal(analysis->kernels[k]->mangled, name))
			return (int)k;
	return kernel_renamed(shaping, name);
}

void check_shapes(struct arena *arena, const struct check_subject *subject, const struct rewritten *rewritten,
                  const char *const *names, unsigned name_count, struct text *out)
{
	const struct shaping shaping = {arena, subject, rewritten, out};
	for (unsigned n = 0; n < name_count; n++) {
		const int k = kernel_of(&shaping, names[n]);
		if (k < 0 || strlen(names[n]) > SHAPES_NAME_MOST)
			continue;
		text_printf(out, SHAPES_KERNEL, (unsigned)k, names[n]);
		if (rewritten && rewritten->kernels[k].changed)
			kernel_rewritten(&shaping, &rewritten->kernels[k]);
		else
			kernel_as_written(&shaping, subject->analysis->kernels[k]);
	}
}
