/*
 * The device side of a rewriting: which kernels can be given their layouts, and the edits that do it.
 */
#ifndef COALESCE_LAYOUTS_DEVICE_DEVICE_H
#define COALESCE_LAYOUTS_DEVICE_DEVICE_H

#include "layouts/rewriter/rewriter.h"

/* Decides which kernels can be rewritten (plan->changed) and reports why others cannot. Requires the group plans. */
void device_plan(struct rewriter *rewriter);
/* Adds the edits of parameters, prototypes and references. Requires device_plan(). */
void device_kernels_edit(struct rewriter *rewriter);
/* The new parameters of a kernel, in order. */
struct variant_kernel device_variant(const struct rewriter *rewriter, const struct kernel_plan *plan);

/*
 * Adds the definitions of proxies, and the edits of generic functions and of local pointers and references in them and
 * in kernels with proxies.
 */
void device_indirect_edit(struct rewriter *rewriter);

/* The placements with member arrays together where they have to be; NULL where all can be as they are. */
struct placement **device_placements_unsplit(const struct rewriter *rewriter, struct placement *const *placements,
                                             struct diagnostics *diagnostics);

/* ---- compile.c ---------------------------------------------------------------------------------- */

/* Adds the edits by which a rewritten file can be compiled inside a namespace. */
void device_compile_edit(struct rewriter *rewriter);

/* ---- held_functions.c ---- */

/* The member that a binding with a leaf is of, and the record that it is declared in; NULL where it is not found. */
const struct member *device_held_member(const struct layout_binding *binding, const struct record **holder);
/* Whether the parameter of that name, of a device function or a method of such records, becomes a pointer to the
 * group's new layout. */
bool device_held_is_declared(const struct rewriter *rewriter, struct range name);

#endif
