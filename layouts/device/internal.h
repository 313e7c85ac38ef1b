/*
 * What the files of this room share. references.c, whole.c and direct.c know one mention of a pointer, generic.c and
 * proxies.c what may stand for it, indirect.c where that is so; plan.c and edits.c do it for whole kernels.
 */
#ifndef COALESCE_LAYOUTS_DEVICE_INTERNAL_H
#define COALESCE_LAYOUTS_DEVICE_INTERNAL_H

#include "layouts/device/device.h"
#include "layouts/groups/groups.h"

/* ---- references.c: one mention of a pointer -------------------------------------------------- */

/* Whether an earlier parameter of the kernel already stands for the merged pointer of the group that p is bound to. */
bool device_parameter_is_merged(const struct kernel_plan *plan, unsigned p);
/* Fills plan->references. */
void device_references_index(struct arena *arena, struct kernel_plan *plan);
/* Whether a larger reference begins at the same place: `p[i]` of `p[i].pos`. */
bool device_reference_is_part(const struct kernel_plan *plan, const struct reference *reference);
/* Whether a field belongs to the record of that path in the element ("" for all of it); then rest is its path in it. */
bool device_field_belongs(const struct layout_field *field, const char *path, const char **rest);
/* The field of that leaf's path. */
unsigned device_field_of_leaf(const struct layout_group *group, const struct leaf *leaf);
/* The member of that name, or NULL. */
const struct member *device_member(const struct record *record, const char *name, size_t length);
/* What a reference without a leaf names: the element, a record in it, or a member array. */
struct device_part {
	const struct record *record; /* NULL: it is no record */
	const char *path; /* in the element, without indices: "" for all of it, "corners.at" for p[i].corners[k].at */
	unsigned inner_count; /* these indices */
};
struct device_part device_reference_part(struct arena *arena, const struct edit_source *source,
                                         const struct reference *reference, const struct record *record);
/* Whether a reference names a record that moves as a whole, and which field that is. */
bool device_reference_is_whole(const struct rewriter *rewriter, const struct layout_group *group,
                               const struct reference *reference, unsigned *field);
/* Copies the indices that follow the element up to token `end`, with their own edits done: "[j][k]". */
char *device_reference_inner(const struct edits *edits, const struct edit *edit, const struct reference *reference,
                             unsigned end);

/* How a parameter of a family is declared, "Vec3<T>"; NULL where its declaration names the record otherwise, and for
 * groups without a family. */
const char *device_record_spelling(const struct rewriter *rewriter, const struct parameter *parameter,
                                   const struct layout_group *group);

/* ---- direct.c ------------------------------------------------------------------------------- */

/* Why a reference cannot be rewritten into the group's new layout by itself, without a proxy; NULL where it can. */
const char *device_reference_refusal(const struct rewriter *rewriter, const struct group_plan *plan,
                                     const struct kernel *kernel, const struct reference *reference);
/* Whether it can. */
bool device_reference_is_direct(const struct rewriter *rewriter, const struct group_plan *plan,
                                const struct kernel *kernel, const struct reference *reference);
/* ---- unevaluated.c: operands of sizeof, alignof and decltype ------------------------------------ */

/* Whether what stands at an offset is part of such an operand. */
bool device_is_unevaluated(const struct edit_source *source, unsigned offset);
/* Adds the edit of a reference that is: the record's type, or a pointer to it. */
void device_unevaluated_edit(struct rewriter *rewriter, const struct group_plan *plan,
                             const struct reference *reference);

/* Adds the edits of a parameter's names in types that the analysis does not show: `decltype(p[i].x) x`. */
void device_types_edit(struct rewriter *rewriter, const struct kernel_plan *plan, unsigned p);

/* ---- records.c: what a record's text says ---------------------------------------------------- */

/* How a record can be made and taken apart, each kind in all ways of those before it. */
enum device_record_kind {
	DEVICE_RECORD_CLOSED, /* not at all: members are private */
	DEVICE_RECORD_OPEN,   /* its members can be read; or its text is not known */
	DEVICE_RECORD_RAW,    /* copied byte by byte, but by no constructor made in device code: filled in raw memory */
	DEVICE_RECORD_FILLED, /* made without arguments, then filled member by member */
	DEVICE_RECORD_LISTED  /* made from a list of its members in braces */
};
enum device_record_kind device_record_kind(const struct rewriter *rewriter, const struct record *record);
/* Declares a variable to be filled: "vec value;". */
const char *device_record_variable(const struct rewriter *rewriter, const struct record *record, const char *name);
/* A method of a record, or an operator on its values, that a proxy passes on. All overloads are one, but unary and
 * binary operators are two. */
struct device_method {
	const char *name; /* "length", "+=" */
	bool is_operator, is_unary;
	bool changes; /* the value that it is called on: no overload is const, or it assigns */
	enum { RESULT_NOTHING, RESULT_ITSELF, RESULT_VALUE } result;
};
/*
 * The methods and operators that a record's definition in the file has, and the operators outside it that assign. Not
 * those that make, convert or give references to members: a proxy cannot pass these on.
 */
struct device_method *device_record_methods(const struct rewriter *rewriter, const struct record *record,
                                            unsigned *count);

/* ---- loaders.c: functions that make a record of its members ------------------------------------- */

/* Where something that a kernel's definition at that offset needs may be inserted: before all of its declaration,
 * `extern "C"` included. */
unsigned device_place_before(const struct edit_source *source, unsigned offset);
/* The name of the function that reads the record of that path from an element; it will be defined before the kernel. */
const char *device_loader(struct rewriter *rewriter, const struct group_plan *plan, const struct kernel *kernel,
                          const struct record *record, const char *path);
/* Writes the buffers that hold fields of that path, as arguments: "p_x, p_y". */
void device_loader_arguments(struct text *out, const struct group_plan *plan, const char *path,
                             const char *const *pointers);
/* A field copied between an element and a value of a record, scalar by scalar where it is an array. */
struct device_copy {
	const struct group_plan *plan;
	const char *const *pointers, *index,
		*inner; /* of the element; inner: the indices that lead to the record in it */
	unsigned inner_count;
	const struct record *record; /* of the value */
	const char *value, *path;    /* path: of the record in the element */
	const char *const *counters; /* names for the loops over member arrays, one for each dimension */
	bool stores;
};
/* Writes the statements, each with a space behind it. */
void device_field_copy(struct text *out, struct arena *arena, const struct device_copy *copy, unsigned field);
/* Inserts the definitions of all. */
void device_loaders_edit(struct rewriter *rewriter);

/* ---- names.c: local names of elements ------------------------------------------------------------ */

/* `point &q = p[e];`: a name all of whose mentions take scalars out of the element. */
struct device_name {
	const struct group_plan *plan;
	unsigned parameter;
	const struct record *record; /* what it names; NULL: of a sum */
	const char *name, *prefix; /* prefix: the path of what it names in the element, with a point behind it, or "" */
	unsigned first, token, end; /* tokens of the declaration: its first, the name, behind its semicolon */
	unsigned scope_end;         /* token of the brace that ends its block */
	struct range index;         /* e */
	const char *index_name;     /* what stands for e where the name was mentioned */
	const char *variable;       /* the same where it is a variable that holds e from now on, else NULL */
	bool is_pointer;
};
/* Reads the name for which a reference is the value; false where it is none, or has to stay. */
bool device_name_read(struct rewriter *rewriter, const struct group_plan *plan, const struct reference *reference,
                      struct device_name *name);
/* Adds the edits of the names of a kernel. */
void device_names_edit(struct rewriter *rewriter, const struct kernel_plan *kernel);

/* ---- whole.c: records read and written as a whole, member by member ---- */

/* Whether a whole record is read as a value, or written or changed by a statement of its own, and its members can be
 * listed in place. */
bool device_whole_can_be_listed(const struct rewriter *rewriter, const struct group_plan *plan,
                                const struct reference *reference);
/* Adds the edit. */
void device_whole_edit(struct rewriter *rewriter, const struct group_plan *plan, const struct kernel *kernel,
                       const struct reference *reference, const char *const *pointers);

/*
 * A record that a statement passes to a function, which may change it, or calls a method of: `f(p[i], dt);`,
 * `q.drift(dt);`. The statement becomes a block that makes a copy, lends that, and writes back what may have changed.
 */
struct device_lending {
	const struct rewriter *rewriter;
	const struct group_plan *plan;
	const struct kernel *kernel;
	unsigned parameter;
	const char *const *pointers;
	const char *path;                /* of the record in the element, or "" */
	struct range mention, statement; /* statement: with its semicolon */
	struct range index;              /* of the element; empty: index_name, or element 0 */
	const char *index_name;
	bool is_plain; /* what is done with it is to read and write scalars of it */
};
/* Whether the text of all functions that may be meant by the call around a mention tells that they read and write
 * scalars of the record, no more. */
bool device_lending_is_plain(const struct rewriter *rewriter, const struct layout_group *group, struct range mention);
/* Whether a record mentioned there is lent by a statement that is nothing but that call. */
bool device_lending_read(const struct edit_source *source, struct range mention, struct range *statement);
/* Whether a reference is so lent, and nothing else of the group is named in the statement. */
bool device_whole_can_be_lent(const struct rewriter *rewriter, const struct group_plan *plan,
                              const struct kernel *kernel, const struct reference *reference);
/* Adds the edit; of a reference, or of what stands for one. */
void device_whole_lend(struct rewriter *rewriter, const struct group_plan *plan, const struct kernel *kernel,
                       const struct reference *reference, const char *const *pointers);
void device_lending_edit(struct rewriter *rewriter, const struct device_lending *lending, const struct record *record);

/* ---- indirect.c: mentions of a pointer that are more than an index ------------------------- */

/*
 * Whether a mention that cannot be rewritten by itself can stay as it is when a proxy stands for the pointer; marks
 * the functions that become templates for it. stepped: the pointer itself changes, so that every mention has to go
 * through the proxy.
 */
bool device_mention_can_stay(struct rewriter *rewriter, const struct kernel_plan *plan,
                             const struct reference *reference, bool *stepped);
/*
 * Marks the functions that local pointers and references made of a parameter are passed to, to become templates; false
 * where one cannot. The parameter has a proxy.
 */
bool device_locals_mark(struct rewriter *rewriter, const struct kernel_plan *kernel, unsigned parameter);

/* ---- generic.c: pointers and references to records in device code, by their tokens ----------- */

/* The names of the types that a group's pointers point to, as declarations spell them. */
struct device_alias_types {
	const char *names[32];
	bool references[32]; /* references to it count too */
	unsigned count;
};
void device_alias_types_add(struct device_alias_types *types, const struct rewriter *rewriter,
                            const struct group_plan *plan);
struct device_alias_types device_alias_types_of(const struct rewriter *rewriter, const struct group_plan *plan);
/* `const struct point *__restrict__ q`: a pointer or reference to one of the types being declared. */
struct device_alias {
	unsigned first, name; /* tokens; name may be that behind the declarator where it has no name */
	bool is_reference, is_const, is_named;
};
/* Whether the size or type of what it names is asked for among tokens [begin, end): that of what stands for it would be
 * another. */
bool device_alias_is_unevaluated(const struct edit_source *source, const struct device_alias *alias, unsigned begin,
                                 unsigned end);
/* Whether such a declaration begins at token i. */
bool device_alias_read(const struct edit_source *source, unsigned i, const struct device_alias_types *types,
                       struct device_alias *alias);
/* Whether the function can become a template over the types' pointers; why not. */
bool device_function_can_be_generic(const struct rewriter *rewriter, const struct function *function,
                                    const struct device_alias_types *types, const char **reason);
/* Whether the local pointers and references among tokens [begin, end) can become `auto`; why not. */
bool device_locals_can_be_auto(const struct edit_source *source, unsigned begin, unsigned end,
                               const struct device_alias_types *types, const char **reason);
void device_locals_edit(struct edits *edits, unsigned begin, unsigned end, const struct device_alias_types *types);
/* `auto v = q->pos;` would be the proxy of a member itself: writes the record's name, so that it stays a copy. */
void device_members_edit(struct rewriter *rewriter, struct range body);
/* Makes a function, and its declarations without a body, a template. */
void device_function_edit(struct rewriter *rewriter, const struct function *function,
                          const struct device_alias_types *types);

/* ---- held.c: members of records passed by value that point to records ------------------------ */

/* Decides for each group that moves whether such members can be proxies: else it is refused (reported). */
void device_held_plan(struct rewriter *rewriter);
/* Adds the edits of their declarations, and of the functions that hand elements on. */
void device_held_edit(struct rewriter *rewriter);

/* ---- held_functions.c: the same in a program that is written ------------------------------------ */

/* Whether a bare pointer is passed for a parameter that becomes one to the group's new layout. */
bool device_held_is_passed(const struct rewriter *rewriter, const struct reference *reference,
                           const struct layout_group *group);
/* Fills rewriter->held_plans; refuses the groups of functions that cannot be rewritten (reported). */
void device_held_functions_plan(struct rewriter *rewriter);
/* Adds the edits of the functions. */
void device_held_functions_edit(struct rewriter *rewriter);

/* ---- plan.c, edits.c: one kernel, or what stands for one ---------------------------------------- */

/* Begins the plan of a kernel: nothing is bound. */
void device_kernel_plan(struct rewriter *rewriter, struct kernel_plan *plan, const struct kernel *kernel);
/* Names the new pointers of a kernel that changes. */
void device_kernel_name_pointers(const struct rewriter *rewriter, struct kernel_plan *plan);
/* Whether an element that is more than read or written in place becomes a local name that goes, or is lent; notes that
 * in the kernel's plan. */
bool device_element_is_plain(struct rewriter *rewriter, struct kernel_plan *kernel, const struct group_plan *plan,
                             const struct reference *reference);
/* Adds the edits of the references of a kernel. */
void device_references_edit(struct rewriter *rewriter, const struct kernel_plan *plan);

/* ---- proxies.c --------------------------------------------------------------------------------- */

/* Whether there can be proxies for a group in its new layout; else the reason. */
const char *device_proxy_refusal(const struct rewriter *rewriter, const struct group_plan *plan);
/* The proxy for a parameter; makes it when it is the first of its kind. */
const struct device_proxy *device_proxy_find(struct rewriter *rewriter, const struct group_plan *plan,
                                             const struct layout_binding *binding);
/* "point_pointer p = {p_x, p_y, 0};" */
void device_proxy_declare(struct text *out, const struct device_proxy *proxy, const char *name,
                          const char *const *pointers);
/* Inserts the definitions of all proxies. */
void device_proxies_edit(struct rewriter *rewriter);

#endif
