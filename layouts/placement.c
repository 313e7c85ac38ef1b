/*
 * Addresses in a layout, both ways, and the proof that a placement is one: every scalar of every element has bytes of
 * its own.
 *
 * A buffer is a sequence of tiles. In a tile, field f's scalar k of the tile's element j lies at offset_f + k *
 * inner_f + j * stride_f; layouts without tiles have tiles of one element, so one formula serves all rows of the
 * table.
 */
#include "layouts/layouts.h"

uint64_t placement_offset(const struct placement *placement, unsigned field, uint64_t element, uint64_t inner)
{
	const struct field_place *place = &placement->fields[field];

	return element / place->tile * place->tile_bytes + place->offset_bytes + inner * place->inner_bytes +
	       element % place->tile * place->stride_bytes;
}

uint64_t placement_buffer_bytes(const struct placement *placement, unsigned buffer, uint64_t elements)
{
	return row_round_up(elements, placement->tile) / placement->tile * placement->bytes_per_tile[buffer];
}

/*
 * Finds element and inner index of a field at an offset inside a tile; false where another field or padding lies
 * there.
 */
static bool field_locate(const struct layout_field *field, const struct field_place *place, uint64_t offset, uint64_t *lane,
                         uint64_t *inner)
{
	if (offset < place->offset_bytes)
		return false;
	offset -= place->offset_bytes;
	*inner = place->inner_bytes ? offset / place->inner_bytes : 0;
	if (*inner >= field->count)
		return false;
	offset -= *inner * place->inner_bytes;
	*lane = offset / place->stride_bytes;
	return *lane < place->tile && offset % place->stride_bytes < field->size_bytes;
}

bool placement_locate(const struct placement *placement, unsigned buffer, uint64_t offset, unsigned *field, uint64_t *element,
                      uint64_t *inner)
{
	for (unsigned f = 0; f < placement->group->field_count; f++) {
		const struct field_place *place = &placement->fields[f];
		uint64_t lane, k;

		if (place->buffer != buffer ||
		    !field_locate(&placement->group->fields[f], place, offset % place->tile_bytes, &lane, &k))
			continue;
		if (field)
			*field = f;
		if (element)
			*element = offset / place->tile_bytes * place->tile + lane;
		if (inner)
			*inner = k;
		return true;
	}
	return false;
}

/* Verifies one scalar: inside its buffer, aligned, and found again at its first and its last byte. */
static void scalar_check(const struct placement *placement, unsigned field, uint64_t element, uint64_t inner, uint64_t elements)
{
	const struct layout_field *described = &placement->group->fields[field];
	unsigned buffer = placement->fields[field].buffer;
	uint64_t offset = placement_offset(placement, field, element, inner);
	uint64_t ends[] = {offset, offset + described->size_bytes - 1};

	if (buffer >= placement->buffer_count || ends[1] >= placement_buffer_bytes(placement, buffer, elements))
		bug("%s: field %s lies outside its buffer", placement->layout->name, described->name);
	if (offset % described->align_bytes != 0)
		bug("%s: field %s is not aligned", placement->layout->name, described->name);
	for (unsigned i = 0; i < ARRAY_COUNT(ends); i++) {
		unsigned found;
		uint64_t found_element, found_inner;

		if (!placement_locate(placement, buffer, ends[i], &found, &found_element, &found_inner) || found != field ||
		    found_element != element || found_inner != inner)
			bug("%s: field %s shares a byte with another scalar", placement->layout->name, described->name);
	}
}

void layout_check(const struct placement *placement)
{
	uint64_t elements = 2 * (uint64_t)placement->tile + 1;

	for (unsigned f = 0; f < placement->group->field_count; f++) {
		uint64_t count = placement->group->fields[f].count;
		uint64_t step = count > 16 ? count - 1 : 1;

		for (uint64_t k = 0; k < count; k += step)
			for (uint64_t e = 0; e < elements; e++)
				scalar_check(placement, f, e, k, elements);
	}
}

struct placement *layout_place(struct arena *arena, const struct layout *layout, const struct layout_group *group, unsigned tile)
{
	struct placement *placement = arena_alloc(arena, sizeof(*placement));

	placement->group = group;
	placement->layout = layout;
	placement->tile = layout->tiled ? tile : 1;
	if (placement->tile == 0 || (placement->tile & (placement->tile - 1)) != 0)
		bug("a tile of %u elements", placement->tile);
	placement->fields = arena_array(arena, group->field_count, sizeof(*placement->fields));
	layout->place(arena, placement);
	layout_check(placement);
	return placement;
}
