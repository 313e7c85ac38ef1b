/*
 * What is to be laid out: record types that kernels index, and separate arrays that the user calls one record.
 *
 * layout_groups_find() asks records.c for groups of the form FORM_STRUCT and arrays.c for those of FORM_ARRAYS. Each
 * describes its group's fields as C lays them out, says which layout the file has, and binds the kernels' parameters to
 * it.
 */
#ifndef COALESCE_LAYOUTS_GROUPS_GROUPS_H
#define COALESCE_LAYOUTS_GROUPS_GROUPS_H

#include "layouts/types/types.h"
#include "layouts/text/text.h"

/* The search for the groups of one file. */
struct group_finder {
	struct arena *arena;
	const struct analysis *analysis;
	struct layout_groups *groups;
	struct diagnostics *diagnostics;
	const struct edit_source *source; /* the file's tokens where they are to be rewritten, else NULL */
};
static inline void group_bind(struct group_finder *finder, struct layout_binding binding)
{
	ARENA_PUSH(finder->arena, finder->groups->bindings, finder->groups->binding_count, binding);
}
/* Makes the groups of all records that the options ask for; false with errors for names of no record. */
bool group_records_find(struct group_finder *finder, const struct layout_options *options);
/* Makes the groups of arrays that records passed by value point to. */
void group_holders_find(struct group_finder *finder, const struct layout_options *options);
/* Whether --struct names the record. */
bool group_record_is_asked(const struct layout_options *options, const struct record *record);
/* The layout that separate arrays have. */
const struct layout *group_separate_layout(struct arena *arena, const struct layout_group *group);
/* Makes the group that a --group "A,B,C" spells; false with an error where it cannot be one. */
bool group_arrays_find(struct group_finder *finder, const char *spelling);
/*
 * Whether a field's scalars are members of an array of records inside the record: no one pitch leads from each to the
 * next.
 */
bool group_field_is_scattered(const struct layout_group *group, unsigned field);

/* ---- families.c: instances of one class template --------------------------------------- */

/* Says of each group whether it is one of a family. */
void group_families_find(struct group_finder *finder);
/*
 * The placement of one of a family as it is spelled where the record is spelled so, "Vec3<T>": its fields have the
 * types that stand there. NULL where the spelling is no name with the arguments of the template.
 */
const struct placement *group_family_placement(struct arena *arena, const struct placement *placement,
                                               const char *spelling);
/* A type's name, "Vec3_tile<float>", with the arguments of that spelling. */
const char *group_family_type(struct arena *arena, const char *type_name, const char *spelling);
/* The record's name with its arguments as one identifier: "Vec3_float". */
const char *group_family_base(struct arena *arena, const struct layout_group *group);

/* ---- spellings.c: types as a record's text has them ------------------------------------- */

/*
 * A field's type as the member is declared with it, a macro or typedef that means the same wherever the record is
 * named, or with `enum` where its name may be hidden; NULL where it is none of these, or may mean something else.
 */
const char *group_field_spelling(struct arena *arena, const struct edit_source *source, const struct record *record,
                                 const struct layout_field *field);

/* ---- tiles.c: records that are tiles already ---------------------------------------- */

/* The parts of p[e >> 5].x[e & 31]. */
struct group_tile_reference {
	struct range element; /* e */
	unsigned lane;        /* token of the last bracket */
};
/* Reads a reference into tiles of that many elements; false where it has another form. */
bool group_tile_reference_read(const struct edit_source *source, const struct reference *reference, unsigned tile,
                               struct group_tile_reference *parts);
/* The elements of a tile if the record is one and all references are of that form, else 0. */
unsigned group_tiles_recognise(const struct analysis *analysis, const struct edit_source *source,
                               const struct record *record);

#endif
