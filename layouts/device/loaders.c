/*
 * Loaders: functions that read a record out of the buffers that hold its members, for records that no list in braces makes because
 * they have constructors. `Vec3 v = a[i];` becomes `Vec3 v = Vec3_load(a_x, a_y, a_z, i);`.
 */
#include "layouts/device/internal.h"

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
	*loader = (struct device_loader){.plan = plan, .record = record, .path = path, .position = kernel->definition.begin};
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
		if (placement->fields[f].buffer == buffer && device_field_belongs(&placement->group->fields[f], path, &rest))
			return true;
	return false;
}

void device_loader_arguments(struct text *out, const struct group_plan *plan, const char *path, const char *const *pointers)
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
		names[b] = placement->buffer_count == 1 ? "records" : arena_printf(arena, "%s_values", placement->buffers[b].name);
	return names;
}

static void loader_write(struct text *out, const struct rewriter *rewriter, const struct device_loader *loader)
{
	const struct placement *placement = loader->plan->placement;
	const char *type = edit_spelling(rewriter->arena, loader->record->type.spelling), *rest;
	const char *const *names = parameter_names(rewriter->arena, placement);

	text_printf(out, "/* One %s, out of where its members lie. */\nstatic inline __device__ %s %s(", type, type, loader->name);
	for (unsigned b = 0; b < placement->buffer_count; b++) {
		struct row_pointer spelling = {"const ", "", names[b]};

		if (!buffer_is_needed(placement, loader->path, b))
			continue;
		placement->layout->pointer(out, placement, b, loader->plan->type_name, &spelling);
		text_puts(out, ", ");
	}
	text_printf(out, "long long index)\n{\n\t%s value;\n\n", type);
	for (unsigned f = 0; f < placement->group->field_count; f++) {
		struct row_site site = {names, f, "index", "index", ""};

		if (!device_field_belongs(&placement->group->fields[f], loader->path, &rest))
			continue;
		text_printf(out, "\tvalue.%s = ", rest);
		placement->layout->access(out, placement, &site);
		text_puts(out, ";\n");
	}
	text_puts(out, "\treturn value;\n}\n\n");
}

void device_loaders_edit(struct rewriter *rewriter)
{
	for (unsigned l = 0; l < rewriter->loader_count; l++) {
		unsigned place = edit_before_declaration(rewriter->source, rewriter->loaders[l]->position);
		struct text out = {0};

		loader_write(&out, rewriter, rewriter->loaders[l]);
		edit_add(&rewriter->edits, (struct range){place, place}, rewriter_block(rewriter, &out, place));
	}
}
