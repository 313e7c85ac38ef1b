/*
 * aos: an array of structures, as C lays them out.
 */
#include "layouts/row/row.h"

static void aos_declare(struct text *out, const struct placement *placement, const char *type_name)
{
	row_declare_record(out, placement, type_name, 0, 0);
}

const struct layout layout_aos = {
	.name = "aos",
	.summary = "array of structures",
	.type_suffix = "packed",
	.keeps_record = true,
	.place = row_place_records,
	.declare = aos_declare,
	.pointer = row_declare_pointer,
	.access = row_access_member,
};
