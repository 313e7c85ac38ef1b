/*
 * aosa: an array of structures that are aligned so that the compiler can merge neighbouring members into one access
 * of 8 or 16 bytes. Sizes up to 16 bytes are padded to the next power of two, which is also the alignment; larger
 * ones to a multiple of 16, aligned to 16.
 */
#include "layouts/row/row.h"

#include <string.h>

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

	row_place_records(arena, placement);
	if (align > placement->align_bytes)
		placement->align_bytes = align;
	placement->bytes_per_tile[0] = row_round_up(group->size_bytes, placement->align_bytes);
	for (unsigned f = 0; f < group->field_count; f++) {
		placement->fields[f].tile_bytes = placement->bytes_per_tile[0];
		placement->fields[f].stride_bytes = placement->bytes_per_tile[0];
	}
}

/* Declares what several instances of a template become, where not all of them have the widest alignment. */
static void family_declare(struct text *out, const struct placement *placement, const char *type_name)
{
	struct text record = {0};

	row_declare_record(&record, placement, type_name, 0, 0);
	text_puts(out, "struct alignas(");
	for (uint64_t align = WIDEST_ACCESS_BYTES; align > aosa_align(placement->group->family->least_bytes);
	     align /= 2)
		text_printf(out, "sizeof(%s) > %u ? %u : ", placement->group->name, (unsigned)(align / 2),
		            (unsigned)align);
	text_printf(out, "%u)%s", (unsigned)aosa_align(placement->group->family->least_bytes),
	            record.data + strlen("struct"));
	text_release(&record);
}

static void aosa_declare(struct text *out, const struct placement *placement, const char *type_name)
{
	if (placement->group->family && placement->group->family->least_bytes <= WIDEST_ACCESS_BYTES / 2) {
		family_declare(out, placement, type_name);
		return;
	}
	row_declare_record(out, placement, type_name, placement->align_bytes, 0);
}

const struct layout layout_aosa = {
	.name = "aosa",
	.summary = "array of aligned structures",
	.type_suffix = "aligned",
	.keeps_record = true,
	.place = aosa_place,
	.declare = aosa_declare,
	.pointer = row_declare_pointer,
	.access = row_access_member,
};
