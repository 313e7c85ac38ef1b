/*
 * soa: one array for each scalar member. A member array stays together in its element: p_w[e][k].
 */
#include "layouts/row.h"

static void soa_place(struct arena *arena, struct placement *placement)
{
	const struct layout_group *group = placement->group;

	placement->buffer_count = group->field_count;
	placement->bytes_per_tile = arena_array(arena, group->field_count, sizeof(*placement->bytes_per_tile));
	placement->align_bytes = 1;
	for (unsigned f = 0; f < group->field_count; f++) {
		const struct layout_field *field = &group->fields[f];
		uint64_t bytes = field->size_bytes * field->count;

		placement->bytes_per_tile[f] = bytes;
		if (field->align_bytes > placement->align_bytes)
			placement->align_bytes = field->align_bytes;
		placement->fields[f] = (struct field_place){.buffer = f,
		                                            .tile = 1,
		                                            .tile_bytes = bytes,
		                                            .inner_bytes = field->count > 1 ? field->size_bytes : 0,
		                                            .stride_bytes = bytes};
	}
}

static void soa_pointer(struct text *out, const struct placement *placement, unsigned buffer, const char *type_name,
                        const struct row_pointer *spelling)
{
	const struct layout_field *field = &placement->group->fields[buffer];

	(void)type_name;
	if (field->dimension_count == 0) {
		text_printf(out, "%s%s *%s%s", spelling->before, field->type, spelling->after, spelling->name);
		return;
	}
	text_printf(out, "%s%s (*%s%s)", spelling->before, field->type, spelling->after, spelling->name);
	for (unsigned d = 0; d < field->dimension_count; d++)
		text_printf(out, "[%u]", field->dimensions[d]);
}

static void soa_access(struct text *out, const struct placement *placement, const struct row_site *site)
{
	text_printf(out, "%s[%s]%s", site->pointers[placement->fields[site->field].buffer], site->index, site->inner);
}

const struct layout layout_soa = {
	.name = "soa",
	.summary = "structure of arrays",
	.type_suffix = "arrays",
	.place = soa_place,
	.pointer = soa_pointer,
	.access = soa_access,
};
