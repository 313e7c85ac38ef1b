/*
 * aos: an array of structures, as C lays them out.
 */
#include "layouts/internal.h"

/* Places the fields at their offsets in elements of size bytes. */
static void aos_place(struct arena *arena, struct placement *placement)
{
	const struct layout_group *group = placement->group;

	placement->buffer_count = 1;
	placement->bytes_per_tile = arena_array(arena, 1, sizeof(*placement->bytes_per_tile));
	placement->bytes_per_tile[0] = group->size_bytes;
	placement->align_bytes = group->align_bytes;
	for (unsigned f = 0; f < group->field_count; f++)
		placement->fields[f] = (struct field_place){.tile = 1,
		                                            .tile_bytes = group->size_bytes,
		                                            .offset_bytes = group->fields[f].offset_bytes,
		                                            .inner_bytes = group->fields[f].inner_bytes,
		                                            .stride_bytes = group->size_bytes};
}

static void aos_declare(struct text *out, const struct placement *placement, const char *type_name)
{
	record_declare(out, placement, type_name, 0, 0);
}

static void aos_access(struct text *out, const struct placement *placement, const struct rewrite_site *site)
{
	text_printf(out, "%s[%s].%s%s", site->pointers[0], site->index, placement->group->fields[site->field].name, site->inner);
}

const struct layout layout_aos = {
	.name = "aos",
	.summary = "array of structures",
	.type_suffix = "packed",
	.keeps_record = true,
	.place = aos_place,
	.declare = aos_declare,
	.pointer = pointer_declare_record,
	.access = aos_access,
};
