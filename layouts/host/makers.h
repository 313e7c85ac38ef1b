/*
 * Device memory that templates of the program's own make: calls that give a pointer, objects that hold one, and the
 * vectors of the host that fill it.
 */
#ifndef COALESCE_LAYOUTS_HOST_MAKERS_H
#define COALESCE_LAYOUTS_HOST_MAKERS_H

#include "layouts/host/host.h"

/* ---- makers.c: vectors of records that are sent to the device ----------------------------- */

/* A variable of the host that is a std::vector of records. */
struct rehost_vector {
	const char *name, *record;
};
/* Reads a name as that of such a vector, of records that can be taken apart member by member. */
bool rehost_vector_read(const struct rewriter *rewriter, const struct rehost_plan *host, struct range name,
                        struct rehost_vector *vector);
/* Writes the vector that is sent to one buffer instead; marks the functions that it uses. */
void rehost_vector_write(struct text *out, const struct rewriter *rewriter, struct rehost_plan *host,
                         const struct rehost_vector *vector, unsigned buffer);

/* ---- holders.c: objects that hold device memory ------------------------------------------------ */

/* `class_name<record> name(count);` */
struct rehost_holder {
	struct range declaration, class_name, record, name, count;
	const char *spelling; /* its name */
};
/* `name.method(vector);`, to or from the device. */
struct rehost_upload {
	struct range statement, method;
	struct rehost_vector vector;
	bool fills_vector; /* the method writes to the vector, instead of reading it */
};
/* Adds the object of which a launch takes its memory; false where it is none that can be followed. */
bool rehost_holder_add(const struct rewriter *rewriter, struct rehost_plan *host, struct range argument);
/* The object whose memory an argument is, or NULL. */
const struct rehost_holder *rehost_holder_of(const struct rewriter *rewriter, const struct rehost_plan *host,
                                             struct range argument);
/* Refuses objects with which more is done than can be followed. */
void rehost_holders_check(struct rewriter *rewriter, struct rehost_plan *host);
void rehost_holders_edit(struct rewriter *rewriter, struct rehost_plan *host);
/* The arguments that stand for what a launch takes of an object: "p_x.get(), p_y.get()". */
const char *rehost_holder_pointers(const struct rewriter *rewriter, const struct rehost_plan *host,
                                   const struct rehost_holder *holder, struct range argument);

/* ---- makers.c: calls that make device memory of a type ------------------------------------- */

#define REHOST_MAKER_ARGUMENTS 8
/* `called<record>(arguments)`, or `called(vector)`; name: its last identifier. */
struct rehost_maker {
	struct range called, name;
	struct range arguments[REHOST_MAKER_ARGUMENTS];
	unsigned argument_count;
	struct rehost_vector vector; /* name NULL: none */
};
/* Reads an expression as such a call for a member of the group. */
bool rehost_maker_read(const struct rewriter *rewriter, const struct rehost_plan *host, struct range range,
                       struct rehost_maker *maker);
/* Whether the call can be made for the group's buffers instead. */
bool rehost_maker_can_follow(const struct rewriter *rewriter, const struct rehost_plan *host,
                             const struct rehost_maker *maker);
/* Writes the call for one buffer. */
void rehost_maker_write(struct text *out, const struct rewriter *rewriter, struct rehost_plan *host,
                        const struct rehost_maker *maker, unsigned buffer);

/* ---- makers.c: values that are pointers of the group ------------------------------------------ */

/* `a`, or `condition ? a : b`. */
struct rehost_selection {
	struct range whole;
	unsigned operands[2]; /* tokens: a, b */
	const struct host_array *arrays[2];
	unsigned count;
};
/* Reads an expression as one of two pointers of the host, by a condition that may stand several times, or as one. */
bool rehost_selection_read(const struct rewriter *rewriter, const struct rehost_plan *host, struct range range,
                           struct rehost_selection *selection);
/* The same of what a pointer is declared with. */
bool rehost_selection_declared(const struct rewriter *rewriter, const struct rehost_plan *host,
                               const struct host_array *array, struct rehost_selection *selection);
/* Whether a mention is an operand of a selection that a member is declared with, or that a launch passes. */
bool rehost_is_selected(const struct rewriter *rewriter, const struct rehost_plan *host, struct range mention);
/* The selection among the pointers to one buffer. */
const char *rehost_selection_text(const struct rewriter *rewriter, const struct rehost_plan *host,
                                  const struct rehost_selection *selection, unsigned buffer);
/* Whether a mention stands in a list of pointers, `void *all[] = {a, b};`, that are all freed by `for (void *p : all)
 * cudaFree(p);`, and nothing else. */
bool rehost_is_in_freed_list(const struct rewriter *rewriter, struct range mention);

#endif
