/*
 * The host side of a rewriting: every mention of a device pointer whose buffers change, in allocations, copies,
 * launches, releases, declarations and the host functions that take it.
 *
 * First a plan for each group (plan.c), which either covers all mentions of the group's pointers or, with a note at
 * each place that it cannot, leaves the group's host side as written. Then the edits. Where a layout keeps the record
 * and only its alignment changes, none of that is needed: the record's own declaration gets the alignment
 * (alignment.c).
 */
#ifndef COALESCE_LAYOUTS_HOST_HOST_H
#define COALESCE_LAYOUTS_HOST_HOST_H

#include "layouts/packing/packing.h"
#include "layouts/rewriter/rewriter.h"

/* ---- alignment.c: a record's own declaration ------------------------------------------- */

/* Whether the record's alignment can be changed where it is declared. */
bool rehost_can_align(const struct edit_source *source, const struct layout_group *group);
/* Adds the edits that do it. */
void rehost_align(struct edits *edits, const struct placement *placement);
/*
 * Whether a size in bytes (a range of the source) is written with sizeof of the record, directly or through the
 * variables and macros in it.
 */
bool rehost_size_follows(const struct edit_source *source, struct range size, const struct record *record);

/* ---- helpers.c: functions that a rewritten host side may call -------------------------------- */

/* X(name, the function's name). Those of tiles copy one member, lane by lane; see their texts. */
#define HELPERS(X)                                                                                                     \
	X(LARGER, "larger")                                                                                            \
	X(FIRST_ERROR, "first_error")                                                                                  \
	X(GATHERED, "gathered")                                                                                        \
	X(SCATTERED, "scattered")                                                                                      \
	X(SET_TILES, "set_tiles")                                                                                      \
	X(SET_TILES_ASYNC, "set_tiles_async")                                                                          \
	X(BETWEEN_TILES, "copy_between_tiles")                                                                         \
	X(BETWEEN_TILES_ASYNC, "copy_between_tiles_async")                                                             \
	X(TO_TILES, "copy_to_tiles")                                                                                   \
	MORE_HELPERS(X)
#define MORE_HELPERS(X)                                                                                                \
	X(TO_TILES_ASYNC, "copy_to_tiles_async")                                                                       \
	X(FROM_TILES, "copy_from_tiles")                                                                               \
	X(FROM_TILES_ASYNC, "copy_from_tiles_async")                                                                   \
	X(TO_RECORDS, "copy_to_records")                                                                               \
	X(TO_RECORDS_ASYNC, "copy_to_records_async")                                                                   \
	X(FROM_RECORDS, "copy_from_records")                                                                           \
	X(FROM_RECORDS_ASYNC, "copy_from_records_async")
enum rehost_helper {
#define X(name, function) HELPER_##name,
	HELPERS(X)
#undef X
		HELPER_COUNT
};
struct rehost_helpers {
	const char *names[HELPER_COUNT];
	bool used[HELPER_COUNT];
};
/* Marks a helper as used; returns its name. */
const char *rehost_helper_use(struct rehost_helpers *helpers, enum rehost_helper helper);

/* Chooses names that the file does not have; nothing is used yet. */
struct rehost_helpers *rehost_helpers_create(const struct rewriter *rewriter);
/* The helper that copies one member of tiles or records between host and device, marked as used. */
const char *rehost_copy_helper(struct rehost_helpers *helpers, bool tiled, bool to_device, bool is_async);
/* Writes the definitions of those that a file calls. */
void rehost_helpers_write(struct text *out, const struct rehost_helpers *helpers, const struct rewriter_site *site);

/* ---- sizes.c: numbers of elements in host code ------------------------------------------------- */

/* What an array's elements are, as sizes spell it. */
struct rehost_element {
	const char *type;     /* "point", "float" */
	const char *spelled;  /* as the array's declaration has it: "struct point", "real" */
	const char *variable; /* sizeof(*variable) is the element's size too */
	const char *written;  /* as it can be written anywhere */
};
/*
 * Writes how many elements a size in bytes is: "n" for "n * sizeof(float)", else "bytes / sizeof(float)". Never needs
 * parentheses as the operand of +.
 */
void rehost_count_write(struct text *out, const struct edits *edits, const struct edit *edit, struct range bytes,
                        const struct rehost_element *element);

/* ---- plan.c: the host side of one group -------------------------------------------------------- */

struct rehost_member;
struct rehost_holder;
struct rehost_plan {
	struct group_plan *plan;
	struct rehost_member *members;
	unsigned member_count;
	struct rehost_holder *holders; /* objects that hold device memory of the group */
	unsigned holder_count;
	struct rehost_helpers *helpers;
	struct packing *packing; /* of whole records; NULL: they are copied member by member */
	const char *packer,
		*packed_record; /* the function that packs a vector of records, and of which; NULL: not needed */
	/* offset before which the group's types have to be declared; the file's length where nowhere */
	unsigned position;
	bool has_parameters; /* a member is the parameter of a host function */
	bool has_const;      /* a member is declared as a pointer to const, and stays one */
	bool good;           /* the host side can be rewritten */
};
/* Decides whether the host side of a group can be rewritten; reports why not. Requires device_plan(). */
struct rehost_plan rehost_plan_create(struct rewriter *rewriter, struct group_plan *plan);

/* ---- edits.c ------------------------------------------------------------------------------------ */

/* Adds the edits of the calls and launches of a group whose plan is good. */
void rehost_calls_edit(struct rewriter *rewriter, struct rehost_plan *host, struct rehost_helpers *helpers);
/* Writes the function that packs a vector of records, where one is needed. */
void rehost_packer_write(struct text *out, const struct rehost_plan *host);
/* Adds the edits of the declarations of all groups' device pointers; marks the helpers that they use. */
void rehost_declarations_edit(struct rewriter *rewriter, struct rehost_plan *hosts, unsigned count);

#endif
