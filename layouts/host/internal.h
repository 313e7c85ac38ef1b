/*
 * What the files of this room share: the members of a group on the host, what is done with them, and the calls that
 * take the place of one. members.c -> operations.c -> plan.c decide; calls.c, parts.c, functions.c, edits.c write;
 * makers.c and holders.c do both.
 */
#ifndef COALESCE_LAYOUTS_HOST_INTERNAL_H
#define COALESCE_LAYOUTS_HOST_INTERNAL_H

#include "layouts/groups/groups.h"
#include "layouts/host/host.h"
#include "layouts/host/makers.h"

/* ---- sizes.c: numbers of elements in host code ------------------------------------------------- */

/* The same where the element is a tile: the number of elements in it, "n" for "(n + 31) / 32 * sizeof(point_tile)". */
void rehost_tiled_count_write(struct text *out, const struct edits *edits, const struct edit *edit, struct range bytes,
                              const struct rehost_element *element, unsigned tile);

/* ---- members.c: the device pointers of the host that belong to a group -------------------------- */

/* A parameter of a host function; function NULL: none. */
struct rehost_parameter {
	const struct function *function;
	unsigned index;
};
/* A device pointer of the host that belongs to a group. */
struct rehost_member {
	struct rehost_parameter parameter; /* that it is, where it is no variable */
	const struct host_array *array;
	/* the group's, with types as the declaration spells them where one text declares arrays of several instances of
	 * a template */
	const struct group_plan *plan;
	bool is_const;    /* declared as a pointer to const */
	bool is_held;     /* a member of records that kernels take by value: its declaration belongs to device code */
	bool is_repeated; /* the edits of that text are made for an instance before this one */
	unsigned field;   /* FORM_ARRAYS */
	const char *const *names; /* of the new pointers, one for each buffer */
	const char *type;         /* the element's type */
	const char *written; /* the same as it can be written anywhere: "struct point" where the name may be hidden */
	const char *spelled; /* the same as the declaration has it */
};
/* Finds the members; refuses what launches pass otherwise than as bare variables. */
void rehost_members_collect(const struct rewriter *rewriter, struct rehost_plan *host);
/* Adds a pointer to the group; refuses where it is another member already. */
void rehost_member_add(const struct rewriter *rewriter, struct rehost_plan *host, const struct host_array *named,
                       unsigned field, struct place place);
/* The member whose variable an expression is, or NULL. Other functions may have variables of the same name. */
const struct rehost_member *rehost_expression_member(const struct rewriter *rewriter, const struct rehost_plan *host,
                                                     struct range expression);
/* An element that host code reads or writes: `p[i].x`, `p->x`, `p[i] = value;`, of joined arrays `a[i]`. */
struct rehost_element_use {
	struct range whole, index; /* index empty: element 0 */
	struct range value;        /* empty: it is one field of the element */
	unsigned field;
};
bool rehost_element_read(const struct rewriter *rewriter, const struct rehost_plan *host,
                         const struct rehost_member *member, const struct host_reference *reference,
                         struct rehost_element_use *use);
void rehost_element_edit(struct rewriter *rewriter, const struct rehost_plan *host, const struct rehost_member *member,
                         const struct rehost_element_use *use);
/* How sizes of a member's array spell its elements. */
struct rehost_element rehost_member_element(const struct rehost_member *member);

/* ---- held.c: pointers that the host copies ---------------------------------------------------- */

/* Whether the array is a member of records that kernels take by value. */
bool rehost_is_held(const struct rewriter *rewriter, const struct host_array *array);
/* Adds such members that point to the group's records, and the pointers that launches have in them. */
void rehost_held_collect(const struct rewriter *rewriter, struct rehost_plan *host);
/* The array to which the statement or declaration around a mention copies that pointer, or from which: `a.p = d;`, `rec
 * *p = a.p;`; NULL: none. */
const struct host_array *rehost_copied(const struct rewriter *rewriter, const struct host_reference *reference);
/* Whether a mention stays as it is, since one pointer takes the place of one. */
bool rehost_stays(const struct rewriter *rewriter, const struct rehost_plan *host,
                  const struct host_reference *reference);
/* Whether an initialiser is a null pointer or nothing. */
bool rehost_is_null(const struct edit_source *source, struct range range);
/* ---- operations.c: what calls do ------------------------------------------------------------- */

/* What one mention of a device pointer does, whatever call it stands in. */
enum rehost_action {
	REHOST_NONE,
	REHOST_ALLOCATE,
	REHOST_TO_DEVICE,
	REHOST_TO_HOST,
	REHOST_BETWEEN,
	REHOST_SET,
	REHOST_FREE,
	REHOST_SWAP,
	REHOST_CLEAR,
	REHOST_EXCHANGE,       /* `T *t = a; a = b; b = t;`, at its first mention */
	REHOST_EXCHANGE_MACRO, /* `SWAP(a, b)`, at its first mention */
	REHOST_ASSIGN          /* `a = b;` */
};
struct rehost_operation {
	enum rehost_action action;
	struct edit_call call;
	unsigned field; /* of the group; ALL_FIELDS for whole records */
	/* size in bytes of what is allocated, copied or set; empty where count and width say it */
	struct range bytes;
	struct range count; /* number of elements */
	/* of copies: the host's pointer, and the bytes between its elements; pitch empty: they lie together */
	struct range host, pitch;
	/* the index of the element that a copy or REHOST_SET begins with, and that in the source; empty: the first */
	struct range first, source_first;
	struct range value;                 /* of REHOST_SET; the null pointer of REHOST_CLEAR */
	const struct rehost_member *source; /* of REHOST_BETWEEN, the exchanges and REHOST_ASSIGN */
	unsigned source_field;
	bool is_async;          /* of copies and REHOST_SET */
	struct range stream;    /* empty: the default one */
	struct range temporary; /* of REHOST_EXCHANGE: the name of t; of REHOST_EXCHANGE_MACRO: the argument that is its
	                           type, or empty */
};
#define ALL_FIELDS ((unsigned)-1)
/* The pointer that a mention is assigned to by `p = q;`, or that is assigned to it; NULL where it is no such statement.
 */
const struct host_array *rehost_assigned(const struct rewriter *rewriter, const struct host_reference *reference);
/* Reads what is done at a mention of a device pointer; false where it is nothing that can be rewritten. */
bool rehost_operation_read(const struct rewriter *rewriter, const struct rehost_plan *host,
                           const struct rehost_member *member, const struct host_reference *reference,
                           struct rehost_operation *operation);

/* ---- functions.c: functions that take device pointers ------------------------------ */

/* Reports why the host side of a group stays as it is; returns false. */
bool rehost_refuse(const struct rewriter *rewriter, struct rehost_plan *host, struct place place, const char *name,
                   const char *reason);
/* Whether the range is an argument of a launch of a changed kernel for a parameter of the group. */
bool rehost_is_launch_argument(const struct rewriter *rewriter, const struct layout_group *group, struct range range);

/* The member as a mention names it: where that is behind an object, its new pointers are, too. */
const struct rehost_member *rehost_member_mentioned(const struct rewriter *rewriter, const struct rehost_member *member,
                                                    struct range mention);
/* The array that a launch passes, by name or as a member of an object; or NULL. */
const struct host_array *rehost_argument_array(const struct rewriter *rewriter, const struct host_value *argument);
/* The arguments that stand for one pointer of the host, the last token of a range: "p", or "p_x, p_y, p_z", "s->p_x,
 * s->p_y". */
const char *rehost_new_pointers(const struct rewriter *rewriter, const struct rehost_plan *host,
                                const struct host_array *array, struct range range);
/* Refuses members of objects where other members cannot stand in their stead. */
bool rehost_objects_check(const struct rewriter *rewriter, struct rehost_plan *host,
                          const struct rehost_member *member);
/* Whether a mention of the host array stands at that offset. */
bool rehost_is_mentioned_at(const struct host_array *array, unsigned offset);
/* A host array of which a mention stands at that offset, the first of several instances of its function; or NULL. */
const struct host_array *rehost_array_at(const struct rewriter *rewriter, unsigned offset);
/* Whether the text that declares an array declares one of another record too, in another instance of its function. */
bool rehost_is_declared_with_others(const struct rewriter *rewriter, const struct host_array *array);
/* The array of the group's record that the text declares which declares that array; itself where there is none. */
const struct host_array *rehost_instance_of(const struct rewriter *rewriter, const struct rehost_plan *host,
                                            const struct host_array *array);
/* Whether a host array is the parameter of a host function of the file; then which. */
bool rehost_parameter_of(const struct rewriter *rewriter, const struct host_array *array,
                         struct rehost_parameter *parameter);
/* The parameter for which a mention is passed, as it is, to a host function of the file; NULL where it is not. */
const struct host_array *rehost_argument_target(const struct rewriter *rewriter, const struct host_array *array,
                                                const struct host_reference *reference);
/*
 * Calls visit with what each call passes for the parameter: a host array, or NULL; and the call's name. Returns
 * whether all visits did.
 */
bool rehost_parameter_visit(const struct rewriter *rewriter, const struct rehost_parameter *parameter,
                            bool (*visit)(void *context, const struct host_array *array, struct range argument),
                            void *context);
/* Whether token i names the function in a call. */
bool rehost_is_call_of(const struct rewriter *rewriter, const struct function *function, unsigned i);

/* ---- calls.c, parts.c: the calls that take the place of one --------------------------------------- */

/* Adds the edits of one call; marks the helpers that it uses. */
void rehost_operation_edit(struct rewriter *rewriter, const struct rehost_plan *host,
                           const struct rehost_member *member, const struct rehost_operation *operation,
                           struct rehost_helpers *helpers);
/*
 * One of the calls that take the place of one: of a buffer, or of a field's scalars (of index `inner` where a tile
 * holds a member array).
 */
struct rehost_part {
	unsigned buffer, field, inner;
};
/* A call being replaced. */
struct rehost_call_edit {
	const struct rewriter *rewriter;
	const struct rehost_plan *host;
	const struct rehost_member *member;
	struct rehost_operation operation;
	struct rehost_helpers *helpers;
	struct range statement; /* to be repeated; empty: the calls are joined */
	struct rehost_part *parts;
	unsigned part_count;
	struct range *sizes; /* of joined arrays: all different sizes, whose they are, and the counts that they mean */
	const struct rehost_member **size_members;
	const char **counts;
	unsigned size_count;
};

static inline const struct placement *placement_of(const struct rehost_call_edit *call)
{
	return call->member->plan->placement;
}

static inline const struct layout_field *field_of(const struct rehost_call_edit *call, unsigned field)
{
	return &call->member->plan->group->fields[field];
}

static inline bool is_tiled(const struct rehost_call_edit *call)
{
	return placement_of(call)->tile > 1;
}

/* Whether each field has a buffer of its own, in which its values lie together. */
static inline bool is_separate(const struct rehost_call_edit *call)
{
	return !placement_of(call)->layout->declare;
}

/* Writes one of the calls. */
void rehost_part_write(struct text *out, const struct edits *edits, const struct edit *edit,
                       const struct rehost_call_edit *call, const struct rehost_part *part);
/* Writes the call that copies whole records. */
edit_writer rehost_packed_write;
/* Whether the values of one member lie together on the host. */
static inline bool is_dense(const struct rehost_call_edit *call)
{
	return range_is_empty(call->operation.pitch) && call->operation.field != ALL_FIELDS;
}

#endif
