/*
 * Addresses in a layout, both ways, and the proof that a placement is one: every scalar of every element has bytes of
 * its own.
 *
 * A buffer is a sequence of tiles. In a tile, field f's scalar k of the tile's element j lies at offset_f + k *
 * inner_f + j * stride_f; layouts without tiles have tiles of one element, so one formula serves all rows of the
 * table.
 */
#include "layouts/row/row.h"

#include <ctype.h>
#include <string.h>

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
static bool field_locate(const struct layout_field *field, const struct field_place *place, uint64_t offset,
                         uint64_t *lane, uint64_t *inner)
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

bool placement_locate(const struct placement *placement, unsigned buffer, uint64_t offset, unsigned *field,
                      uint64_t *element, uint64_t *inner)
{
	for (unsigned f = 0; f < placement->group->field_count; f++) {
		const struct field_place *place = &placement->fields[f];
		uint64_t lane, k, split = buffer - place->buffer;

		if (place->is_split ? buffer < place->buffer || split >= placement->group->fields[f].count
		                    : place->buffer != buffer)
			continue;
		if (!field_locate(&placement->group->fields[f], place, offset % place->tile_bytes, &lane, &k))
			continue;
		if (field)
			*field = f;
		if (element)
			*element = offset / place->tile_bytes * place->tile + lane;
		if (inner)
			*inner = place->is_split ? split : k;
		return true;
	}
	return false;
}

/* Verifies one scalar: inside its buffer, aligned, and found again at its first and its last byte. */
static void scalar_check(const struct placement *placement, unsigned field, uint64_t element, uint64_t inner,
                         uint64_t elements)
{
	const struct layout_field *described = &placement->group->fields[field];
	unsigned buffer = placement->fields[field].buffer + (placement->fields[field].is_split ? (unsigned)inner : 0);
	uint64_t offset = placement_offset(placement, field, element, inner);
	uint64_t ends[] = {offset, offset + described->size_bytes - 1};

	if (buffer >= placement->buffer_count || ends[1] >= placement_buffer_bytes(placement, buffer, elements))
		bug("%s: field %s lies outside its buffer", placement->layout->name, described->name);
	if (offset % described->align_bytes != 0)
		bug("%s: field %s is not aligned", placement->layout->name, described->name);
	for (unsigned i = 0; i < ARRAY_COUNT(ends); i++) {
		unsigned found;
		uint64_t found_element, found_inner;

		if (!placement_locate(placement, buffer, ends[i], &found, &found_element, &found_inner) ||
		    found != field || found_element != element || found_inner != inner)
			bug("%s: field %s shares a byte with another scalar", placement->layout->name, described->name);
	}
}

/*
 * A field's scalars lie in a tile at equal distances: the first two tiles' first and last elements, and the one behind,
 * stand for all.
 */
void layout_check(const struct placement *placement)
{
	const uint64_t tile = placement->tile, elements = 2 * tile + 1;
	const uint64_t probes[] = {0, tile - 1, tile, 2 * tile - 1, 2 * tile};

	for (unsigned f = 0; f < placement->group->field_count; f++) {
		uint64_t count = placement->group->fields[f].count;
		uint64_t step = count > 16 ? count - 1 : 1;

		for (uint64_t k = 0; k < count; k += step)
			for (unsigned p = 0; p < ARRAY_COUNT(probes); p++)
				scalar_check(placement, f, probes[p], k, elements);
	}
}

/* What stands behind a pointer's name for one scalar of a member array: "f3", "w1_0". */
static const char *scalar_name(struct arena *arena, const struct layout_field *field, unsigned inner)
{
	size_t length = strlen(field->name);
	const char *name = field->name, *separator = isdigit((unsigned char)name[length - 1]) ? "_" : "";
	uint64_t below = field->count;

	for (unsigned d = 0; d < field->dimension_count; d++, separator = "_") {
		below /= field->dimensions[d];
		name = arena_printf(arena, "%s%s%u", name, separator, (unsigned)(inner / below));
		inner %= (unsigned)below;
	}
	return name;
}

/* Says what lies in each buffer. */
static void buffers_fill(struct arena *arena, struct placement *placement)
{
	placement->buffers = arena_array(arena, placement->buffer_count, sizeof(*placement->buffers));
	for (unsigned f = placement->group->field_count; f-- > 0;) {
		const struct layout_field *field = &placement->group->fields[f];
		const struct field_place *place = &placement->fields[f];

		for (unsigned k = 0; k < (place->is_split ? field->count : 1); k++)
			placement->buffers[place->buffer + k] = (struct placement_buffer){
				place->is_split ? scalar_name(arena, field, k) : field->name, f, k};
	}
}

static struct placement *place(struct arena *arena, const struct layout *layout, const struct layout_group *group,
                               unsigned tile, bool keeps_arrays)
{
	struct placement *placement = arena_alloc(arena, sizeof(*placement));

	placement->group = group;
	placement->layout = layout;
	placement->keeps_arrays = keeps_arrays || group->keeps_arrays;
	placement->tile = layout->tiled ? tile : 1;
	if (placement->tile == 0 || (placement->tile & (placement->tile - 1)) != 0)
		bug("a tile of %u elements", placement->tile);
	placement->fields = arena_array(arena, group->field_count, sizeof(*placement->fields));
	layout->place(arena, placement);
	buffers_fill(arena, placement);
	layout_check(placement);
	return placement;
}

struct placement *layout_place(struct arena *arena, const struct layout *layout, const struct layout_group *group,
                               unsigned tile)
{
	return place(arena, layout, group, tile, false);
}

bool placement_splits(const struct placement *placement)
{
	for (unsigned f = 0; f < placement->group->field_count; f++)
		if (placement->fields[f].is_split)
			return true;
	return false;
}

struct placement *placement_unsplit(struct arena *arena, const struct placement *placement)
{
	struct placement *unsplit = place(arena, placement->layout, placement->group, placement->tile, true);

	unsplit->joins_pointers = placement->joins_pointers;
	return unsplit;
}
