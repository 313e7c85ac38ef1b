/*
 * Loaders: functions that read a record out of the buffers that hold its members, for records that no list in braces
 * makes because they have constructors. `Vec3 v = a[i];` becomes `Vec3 v = Vec3_load(a_x, a_y, a_z, i);`.
 */
#include "layouts/device/internal.h"

unsigned device_place_before(const struct edit_source *source, unsigned offset)
{
	unsigned first = edit_declaration_first(source, edit_token_at(source, offset));

	return edit_before_declaration(source, source->tokens[first].begin);
}

const char *device_loader(struct rewriter *rewriter, const struct group_plan *plan, const struct kernel *kernel,
                          const struct record *record, const char *path)
{
	struct device_loader *loader;

	for (unsigned l = 0; l < rewriter->loader_count; l++) {
		loader = rewriter->loaders[l];
		if (loader->plan == plan && strcmp(loader->path, path) == 0) {
			if (kernel->definition.begin < loader->position)
				loader->position = kernel->definition.begin;
			return loader->name;
		}
	}
	loader = arena_alloc(rewriter->arena, sizeof(*loader));
	*loader = (struct device_loader){
		.plan = plan, .record = record, .path = path, .position = kernel->definition.begin};
	loader->name = arena_printf(rewriter->arena, *path ? "%s_load_%s" : "%s_load", plan->base, path);
	for (char *p = strchr(loader->name, '.'); p; p = strchr(p, '.'))
		*p = '_';
	loader->name = rewriter_name(rewriter, loader->name);
	ARENA_PUSH(rewriter->arena, rewriter->loaders, rewriter->loader_count, loader);
	return loader->name;
}

/* Whether a buffer holds fields of the record of that path. */
static bool buffer_is_needed(const struct placement *placement, const char *path, unsigned buffer)
{
	const char *rest;

	for (unsigned f = 0; f < placement->group->field_count; f++)
		if (placement->fields[f].buffer <= buffer &&
		    buffer < placement->fields[f].buffer +
		                     (placement->fields[f].is_split ? placement->group->fields[f].count : 1) &&
		    device_field_belongs(&placement->group->fields[f], path, &rest))
			return true;
	return false;
}

void device_loader_arguments(struct text *out, const struct group_plan *plan, const char *path,
                             const char *const *pointers)
{
	const char *separator = "";

	for (unsigned b = 0; b < plan->placement->buffer_count; b++) {
		if (!buffer_is_needed(plan->placement, path, b))
			continue;
		text_printf(out, "%s%s", separator, pointers[b]);
		separator = ", ";
	}
}

/* The names of the function's parameters, one for each buffer: "x_values", or "records". */
static const char *const *parameter_names(struct arena *arena, const struct placement *placement)
{
	const char **names = arena_array(arena, placement->buffer_count, sizeof(*names));

	for (unsigned b = 0; b < placement->buffer_count; b++)
		names[b] = placement->buffer_count == 1 ? "records"
		                                        : arena_printf(arena, "%s_values", placement->buffers[b].name);
	return names;
}

/* ---- fields ------------------------------------------------------------------------------------ */

/* The member of a value that a path names, with an index for each dimension on the way: "corners[i0].x". */
static const char *value_member(struct arena *arena, const struct record *record, const char *path,
                                const char *const *indices)
{
	const char *text = "";

	while (*path) {
		size_t length = strcspn(path, ".");
		const struct member *member = record ? device_member(record, path, length) : NULL;

		text = arena_printf(arena, "%s.%.*s", text, (int)length, path);
		for (unsigned d = 0; member && d < member->dimension_count; d++)
			text = arena_printf(arena, "%s[%s]", text, *indices++);
		record = member ? record_inside(member) : NULL;
		path += length + (path[length] == '.');
	}
	return text;
}

/* Writes the copy of one scalar. */
static void scalar_copy(struct text *out, struct arena *arena, const struct device_copy *copy, unsigned field,
                        const char *const *indices)
{
	const struct layout_field *of = &copy->plan->group->fields[field];
	struct row_site site = {copy->pointers, field, copy->index, edit_single_line(arena, copy->index), copy->inner};
	const char *rest, *member;

	device_field_belongs(of, copy->path, &rest);
	member = value_member(arena, copy->record, rest, indices);
	for (unsigned d = copy->inner_count; d < of->dimension_count; d++)
		site.inner = arena_printf(arena, "%s[%s]", site.inner, *indices++);
	if (!copy->stores)
		text_printf(out, "%s%s = ", copy->value, member);
	copy->plan->placement->layout->access(out, copy->plan->placement, &site);
	text_printf(out, copy->stores ? " = %s%s; " : "; ", copy->value, member);
}

void device_field_copy(struct text *out, struct arena *arena, const struct device_copy *copy, unsigned field)
{
	const struct layout_field *of = &copy->plan->group->fields[field];
	const char *indices[ARRAY_COUNT(of->dimensions)] = {0};
	bool is_split = copy->plan->placement->fields[field].is_split;
	unsigned first = copy->inner_count, count = 1;

	for (unsigned d = first; d < of->dimension_count; d++) {
		indices[d - first] = copy->counters[d - first];
		count *= is_split ? of->dimensions[d] : 1;
		if (!is_split)
			text_printf(out, "for (int %s = 0; %s < %u; %s++) ", indices[d - first], indices[d - first],
			            of->dimensions[d], indices[d - first]);
	}
	for (unsigned n = 0; n < count; n++) {
		for (unsigned d = of->dimension_count, rest = n; is_split && d-- > first; rest /= of->dimensions[d])
			indices[d - first] = arena_printf(arena, "%u", rest % of->dimensions[d]);
		scalar_copy(out, arena, copy, field, indices);
	}
}

/* ---- functions --------------------------------------------------------------------------------- */

static void loader_write(struct text *out, const struct rewriter *rewriter, const struct device_loader *loader)
{
	const struct placement *placement = loader->plan->placement;
	const char *type = rewriter_record_name(rewriter, loader->record), *rest;
	const char *const *names = parameter_names(rewriter->arena, placement);
	static const char *const counters[] = {"i0", "i1", "i2", "i3"};
	struct device_copy copy = {.plan = loader->plan,
	                           .pointers = names,
	                           .index = "index",
	                           .inner = "",
	                           .record = loader->record,
	                           .value = "value",
	                           .path = loader->path,
	                           .counters = counters};

	text_printf(out, "/* One %s, out of where its members lie. */\nstatic inline __device__ %s %s(", type, type,
	            loader->name);
	for (unsigned b = 0; b < placement->buffer_count; b++) {
		struct row_pointer spelling = {"const ", "", names[b]};

		if (!buffer_is_needed(placement, loader->path, b))
			continue;
		placement->layout->pointer(out, placement, b, loader->plan->type_name, &spelling);
		text_puts(out, ", ");
	}
	text_printf(out, "long long index)\n{\n\t%s\n\n", device_record_variable(rewriter, loader->record, "value"));
	for (unsigned f = 0; f < placement->group->field_count; f++) {
		if (!device_field_belongs(&placement->group->fields[f], loader->path, &rest))
			continue;
		text_puts(out, "\t");
		device_field_copy(out, rewriter->arena, &copy, f);
		out->data[--out->length] = '\0';
		text_puts(out, "\n");
	}
	text_puts(out, "\treturn value;\n}\n\n");
}

void device_loaders_edit(struct rewriter *rewriter)
{
	for (unsigned l = 0; l < rewriter->loader_count; l++) {
		unsigned place = device_place_before(rewriter->source, rewriter->loaders[l]->position);
		struct text out = {0};

		loader_write(&out, rewriter, rewriter->loaders[l]);
		edit_add(&rewriter->edits, (struct range){place, place}, rewriter_block(rewriter, &out, place));
	}
}
