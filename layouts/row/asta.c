/*
 * asta: an array of structures of tiled arrays. Each member of a tile's elements lies together; tiles follow one
 * another. Tiles are powers of two, so that an element's tile and place in it are a shift and a mask.
 */
#include "layouts/row/row.h"
#include "layouts/text/text.h"

static void asta_place(struct arena *arena, struct placement *placement)
{
	const struct layout_group *group = placement->group;
	uint64_t offset = 0;

	placement->buffer_count = 1;
	placement->bytes_per_tile = arena_array(arena, 1, sizeof(*placement->bytes_per_tile));
	placement->align_bytes = 1;
	for (unsigned f = 0; f < group->field_count; f++) {
		const struct layout_field *field = &group->fields[f];
		struct field_place *place = &placement->fields[f];

		offset = row_round_up(offset, field->align_bytes);
		place->tile = placement->tile;
		place->offset_bytes = offset;
		place->stride_bytes = field->size_bytes;
		place->inner_bytes = field->count > 1 ? placement->tile * field->size_bytes : 0;
		offset += placement->tile * field->size_bytes * field->count;
		if (field->align_bytes > placement->align_bytes)
			placement->align_bytes = field->align_bytes;
	}
	placement->bytes_per_tile[0] = row_round_up(offset, placement->align_bytes);
	for (unsigned f = 0; f < group->field_count; f++)
		placement->fields[f].tile_bytes = placement->bytes_per_tile[0];
}

static void asta_declare(struct text *out, const struct placement *placement, const char *type_name)
{
	row_declare_record(out, placement, type_name, 0, placement->tile);
}

/* Writes an index as the operand of an operator that binds less tightly than a primary expression. */
static void asta_operand(struct text *out, const char *index)
{
	text_printf(out, edit_is_primary(index) ? "%s" : "(%s)", index);
}

static void asta_access(struct text *out, const struct placement *placement, const struct row_site *site)
{
	unsigned shift = 0;

	while (1u << shift < placement->tile)
		shift++;
	text_printf(out, "%s[", site->pointers[0]);
	asta_operand(out, site->index);
	text_printf(out, " >> %u].%s%s[", shift, placement->group->fields[site->field].name, site->inner);
	asta_operand(out, site->index_again);
	text_printf(out, " & %u]", placement->tile - 1);
}

const struct layout layout_asta = {
	.name = "asta",
	.summary = "array of structures of tiled arrays",
	.type_suffix = "tile",
	.tiled = true,
	.repeats_index = true,
	.place = asta_place,
	.declare = asta_declare,
	.pointer = row_declare_pointer,
	.access = asta_access,
};
