/*
 * soa: one array for each scalar, also for each of a member array: p_w0[e], and p_w[k][e] where k is no number, p_w
 * being the array of their pointers. Where that cannot be, a member array stays together in its element: p_w[e][k].
 */
#include "layouts/row/row.h"

#include <stdlib.h>
#include <string.h>

#define BUFFERS_MOST 64

/* Buffers where every member array is split. */
static uint64_t scalars_count(const struct layout_group *group)
{
	uint64_t count = 0;

	for (unsigned f = 0; f < group->field_count; f++)
		count += group->fields[f].count;
	return count;
}

static void soa_place(struct arena *arena, struct placement *placement)
{
	const struct layout_group *group = placement->group;
	bool splits = group->form == FORM_STRUCT && !placement->keeps_arrays && scalars_count(group) <= BUFFERS_MOST;

	placement->bytes_per_tile = arena_array(arena, splits ? scalars_count(group) : group->field_count,
	                                        sizeof(*placement->bytes_per_tile));
	placement->align_bytes = 1;
	for (unsigned f = 0; f < group->field_count; f++) {
		const struct layout_field *field = &group->fields[f];
		bool is_split = splits && field->count > 1;
		uint64_t bytes = field->size_bytes * (is_split ? 1 : field->count);

		if (field->align_bytes > placement->align_bytes)
			placement->align_bytes = field->align_bytes;
		placement->fields[f] =
			(struct field_place){.buffer = placement->buffer_count,
		                             .is_split = is_split,
		                             .tile = 1,
		                             .tile_bytes = bytes,
		                             .inner_bytes = field->count > 1 && !is_split ? field->size_bytes : 0,
		                             .stride_bytes = bytes};
		for (uint64_t k = 0; k < (is_split ? field->count : 1); k++)
			placement->bytes_per_tile[placement->buffer_count++] = bytes;
	}
}

/* The type of what a pointer points to: `const float `; of pointers, which const is said behind: `float *const `. */
static void pointee_write(struct text *out, const char *before, const char *type)
{
	size_t length = strlen(type);

	if (*before && length > 0 && type[length - 1] == '*')
		text_printf(out, "%s%s", type, before);
	else
		text_printf(out, "%s%s ", before, type);
}

static void soa_pointer(struct text *out, const struct placement *placement, unsigned buffer, const char *type_name,
                        const struct row_pointer *spelling)
{
	const struct layout_field *field = &placement->group->fields[placement->buffers[buffer].field];

	(void)type_name;
	if (field->dimension_count == 0 || placement->fields[placement->buffers[buffer].field].is_split) {
		pointee_write(out, spelling->before, field->type);
		text_printf(out, "*%s%s", spelling->after, spelling->name);
		return;
	}
	pointee_write(out, spelling->before, field->type);
	text_printf(out, "(*%s%s)", spelling->after, spelling->name);
	for (unsigned d = 0; d < field->dimension_count; d++)
		text_printf(out, "[%u]", field->dimensions[d]);
}

/* Reads "[1][2]" as the number of a scalar; false where an index is no number, or too large. */
static bool inner_read(const struct layout_field *field, const char *inner, uint64_t *number)
{
	*number = 0;
	for (unsigned d = 0; d < field->dimension_count; d++) {
		char *end;
		uint64_t index = *inner == '[' ? strtoull(inner + 1, &end, 10) : 0;

		if (*inner != '[' || end == inner + 1 || *end != ']' || index >= field->dimensions[d] ||
		    inner[1] == '-')
			return false;
		*number = *number * field->dimensions[d] + index;
		inner = end + 1;
	}
	return *inner == '\0';
}

static void soa_access(struct text *out, const struct placement *placement, const struct row_site *site)
{
	const struct field_place *place = &placement->fields[site->field];
	uint64_t number;

	if (!place->is_split)
		text_printf(out, "%s[%s]%s", site->pointers[place->buffer], site->index, site->inner);
	else if (inner_read(&placement->group->fields[site->field], site->inner, &number))
		text_printf(out, "%s[%s]", site->pointers[place->buffer + number], site->index);
	else
		text_printf(out, "%s%s[%s]", site->pointers[placement->buffer_count + site->field], site->inner,
		            site->index);
}

const struct layout layout_soa = {
	.name = "soa",
	.summary = "structure of arrays",
	.type_suffix = "arrays",
	.place = soa_place,
	.pointer = soa_pointer,
	.access = soa_access,
};
