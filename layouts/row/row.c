/*
 * What several layouts do alike.
 */
#include <string.h>

#include "layouts/row/row.h"

void row_place_records(struct arena *arena, struct placement *placement)
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

void row_access_member(struct text *out, const struct placement *placement, const struct row_site *site)
{
	text_printf(out, "%s[%s].%s%s", site->pointers[0], site->index, placement->group->fields[site->field].name,
	            site->inner);
}

void row_declare_field(struct text *out, const struct layout_field *field, unsigned lanes)
{
	text_puts(out, field->name);
	for (unsigned d = 0; d < field->dimension_count; d++)
		text_printf(out, "[%u]", field->dimensions[d]);
	if (lanes > 0)
		text_printf(out, "[%u]", lanes);
}

/* "enum " where a member has the name of an enumeration that is a member's type. */
static const char *type_keyword(const struct layout_group *group, const char *type)
{
	for (unsigned f = 0; f < group->field_count; f++)
		if (strcmp(group->fields[f].name, type) == 0)
			return "enum ";
	return "";
}

/* The field that lies behind `after` bytes, the nearest; the group's field_count where none does. */
static unsigned field_behind(const struct placement *placement, uint64_t after)
{
	unsigned nearest = placement->group->field_count;

	for (unsigned f = 0; f < placement->group->field_count; f++)
		if (placement->fields[f].offset_bytes >= after &&
		    (nearest == placement->group->field_count ||
		     placement->fields[f].offset_bytes < placement->fields[nearest].offset_bytes))
			nearest = f;
	return nearest;
}

void row_declare_record(struct text *out, const struct placement *placement, const char *type_name, uint64_t alignment,
                        unsigned lanes)
{
	const struct layout_group *group = placement->group;
	const char *type = NULL;

	text_puts(out, "struct ");
	if (alignment > 0)
		text_printf(out, "__align__(%llu) ", (unsigned long long)alignment);
	text_printf(out, "%s {\n", type_name);
	for (unsigned f = field_behind(placement, 0); f < group->field_count;
	     f = field_behind(placement, placement->fields[f].offset_bytes + 1)) {
		if (type && strcmp(group->fields[f].type, type) == 0 && !strpbrk(type, "*&"))
			text_puts(out, ", ");
		else
			text_printf(out, "%s\t%s%s ", type ? ";\n" : "", type_keyword(group, group->fields[f].type),
			            group->fields[f].type);
		type = group->fields[f].type;
		row_declare_field(out, &group->fields[f], lanes);
	}
	text_puts(out, ";\n};\n");
}

void row_declare_pointer(struct text *out, const struct placement *placement, unsigned buffer, const char *type_name,
                         const struct row_pointer *spelling)
{
	(void)placement;
	(void)buffer;
	text_printf(out, "%s%s *%s%s", spelling->before, type_name, spelling->after, spelling->name);
}
