/*
 * What the files of this room share.
 */
#ifndef COALESCE_LAYOUTS_POINTERS_INTERNAL_H
#define COALESCE_LAYOUTS_POINTERS_INTERNAL_H

#include "layouts/pointers/pointers.h"

/* ---- fields.c ------------------------------------------------------------------------------ */

/* The field that a mention names, or the group's field_count where it names none of them. */
unsigned pointers_field(const struct layout_group *group, const struct member_mention *mention);
/* The function of the file in which an offset lies, the innermost; or NULL. */
const struct function *pointers_function_at(const struct rewriter *rewriter, unsigned offset);
/* Whether what stands at an offset is compiled for the device. */
bool pointers_is_device(const struct rewriter *rewriter, unsigned offset);

/* ---- mentions.c --------------------------------------------------------------------------- */

/* Calls visit with each place that names a field of the group and is no mention that the analysis read. */
void pointers_unread_visit(struct rewriter *rewriter, const struct layout_group *group,
                           void (*visit)(void *context, unsigned offset, const char *name), void *context);

/* ---- edits.c -------------------------------------------------------------------------------- */

/* The declarations of a holder's members that are fields of the group; false with the reason where they cannot be
 * replaced. */
bool pointers_declarations_read(const struct rewriter *rewriter, const struct layout_group *group,
                                struct edit_declaration **list, unsigned *count, const char **reason);
/* Adds the edits of the holder's declaration. */
void pointers_holder_edit(struct rewriter *rewriter, const struct group_plan *plan);
/* Adds the edit of `rho[e]`. */
void pointers_element_edit(struct rewriter *rewriter, const struct group_plan *plan,
                           const struct member_mention *mention);

/* ---- uses.c ------------------------------------------------------------------------------------ */

enum pointers_action {
	POINTERS_ALLOCATE,
	POINTERS_MAKE, /* `h.rho = (float *)malloc(bytes);` */
	POINTERS_FREE,
	POINTERS_CLEAR,
	POINTERS_TO_DEVICE,
	POINTERS_TO_HOST,
	POINTERS_BETWEEN,
	POINTERS_SET
};
/* What host code does with a member. */
struct pointers_use {
	enum pointers_action action;
	const struct member_mention *mention;
	unsigned field;
	struct edit_call call; /* of POINTERS_CLEAR: the assignment */
	struct range object; /* what the member is taken from, with its point or arrow: "g."; empty inside the holder's
	                        own methods */
	struct range bytes, value;           /* value: of POINTERS_SET and POINTERS_CLEAR */
	struct range host, kind;             /* of copies */
	struct range last;                   /* a stream, or flags; or empty */
	const struct member_mention *source; /* of POINTERS_BETWEEN, where from */
	struct range source_object;
	bool is_async,
		is_source; /* is_source: of POINTERS_BETWEEN, the side that is read; the other one has the edit */
};
/* Reads what is done at a mention that is no element; false where it is nothing that can be rewritten. */
bool pointers_use_read(const struct rewriter *rewriter, const struct layout_group *group,
                       const struct member_mention *mention, struct pointers_use *use);

#endif
