/*
 * aosa: an array of structures that are aligned so that the compiler can merge neighbouring members into one access
 * of 8 or 16 bytes. Sizes up to 16 bytes are padded to the next power of two, which is also the alignment; larger
 * ones to a multiple of 16, aligned to 16.
 */
#include "layouts/internal.h"

#define WIDEST_ACCESS_BYTES 16

/* The smallest power of two not below bytes, at most the widest access of one thread. */
static uint64_t aosa_align(uint64_t bytes)
{
	uint64_t align = 1;

	while (align < bytes && align < WIDEST_ACCESS_BYTES)
		align *= 2;
	return align;
}

static void aosa_place(struct arena *arena, struct placement *placement)
{
	const struct layout_group *group = placement->group;
	uint64_t align = aosa_align(group->size_bytes);

	layout_aos.place(arena, placement);
	if (align > placement->align_bytes)
		placement->align_bytes = align;
	placement->bytes_per_tile[0] = bytes_round_up(group->size_bytes, placement->align_bytes);
	for (unsigned f = 0; f < group->field_count; f++) {
		placement->fields[f].tile_bytes = placement->bytes_per_tile[0];
		placement->fields[f].stride_bytes = placement->bytes_per_tile[0];
	}
}

static void aosa_declare(struct text *out, const struct placement *placement, const char *type_name)
{
	record_declare(out, placement, type_name, placement->align_bytes, 0);
}

static void aosa_access(struct text *out, const struct placement *placement, const struct rewrite_site *site)
{
	layout_aos.access(out, placement, site);
}

const struct layout layout_aosa = {
	.name = "aosa",
	.summary = "array of aligned structures",
	.type_suffix = "aligned",
	.keeps_record = true,
	.place = aosa_place,
	.declare = aosa_declare,
	.pointer = pointer_declare_record,
	.access = aosa_access,
};
