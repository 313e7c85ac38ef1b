/*
 * layouts: where field f of element e lives in each memory layout, and rewriting a source file from one layout into
 * another.
 *
 * The layouts are rows of one table (row/table.c), one file each (row/aos.c, row/soa.c, row/aosa.c, row/asta.c);
 * row/row.h says what a row is. model/ and cli/ never name a layout: they take rows from the table. What is laid out is
 * a struct layout_group: a record type with all arrays of it, or separate arrays taken as the members of one record
 * (--group).
 */
#ifndef COALESCE_LAYOUTS_LAYOUTS_H
#define COALESCE_LAYOUTS_LAYOUTS_H

#include "layouts/row/row.h"
#include "layouts/types/types.h"

/*
 * Finds what is to be laid out. --group names kernel parameters or the host arrays passed for them, matched through
 * the launches. Unknown names are errors (reported; returns false); records or arrays that cannot be laid out (union,
 * escaping pointer) are left out with a note.
 */
bool layout_groups_find(struct arena *arena, const struct analysis *analysis, const struct layout_options *options,
                        struct layout_groups *groups, struct diagnostics *diagnostics);

/* A holder whose pointers to a group's arrays one pointer has taken the place of: its size, where that lies, and where
 * each leaf does (UINT64_MAX: gone). */
struct holder_shape {
	uint64_t size_bytes, pointer_bytes;
	uint64_t *leaf_bytes;
};
struct holder_shape layout_holder_shape(struct arena *arena, const struct layout_group *group);
/* The same of a record passed by value whose pointers to a group's records have become pointers to a placement's
 * buffers, one behind another, and an index. */
struct holder_shape layout_held_shape(struct arena *arena, const struct layout_groups *groups,
                                      const struct record *holder, const struct placement *placement);

/* ---- rewriting -------------------------------------------------------------------- */

/*
 * Rewrites the analysed file so that group g has placements[g].
 *
 * Kernels: untouched text stays byte for byte. A kernel that has something which cannot be rewritten safely is left
 * whole as it is, with a note at the place, and variant_kernel.changed is false.
 *
 * Host side (REWRITE_PROGRAM): the host keeps its data as written; only device memory changes. A group's device
 * pointers become pointers to the new buffers, and the calls that allocate, copy, set and free them become calls on
 * each buffer or member. Whole records, and single members of records or tiles, go between host and device in one copy
 * and a kernel that puts each value in its place, which functions written into the file do. Where the layout keeps the
 * record and its sizes are written with sizeof, the struct's own declaration gets the other alignment instead, and the
 * host needs no change. The rule for what is safe: every mention of a device pointer of the group is a declaration,
 * cudaMalloc, cudaMemcpy, cudaMemset, cudaFree of the bare pointer (or the 2D forms of one member), a sizeof, or a
 * launch argument of a kernel that was rewritten. Otherwise each offending place gets a note, the whole group's host
 * side stays as it is, and host_complete is false.
 *
 * REWRITE_COMPILE: `#line` after insertions keeps every line's number; host functions go, or lose their bodies;
 * template kernels are instantiated as the analysis found them.
 *
 * Returns NULL when a layout other than the written one is asked for and no kernel could be given it.
 */
struct rewritten *layout_rewrite(struct arena *arena, const struct analysis *analysis,
                                 const struct layout_groups *groups, struct placement *const *placements,
                                 enum rewrite_purpose purpose, struct diagnostics *diagnostics);

/* A unified patch that makes the text at that path from one into the other; "" where they are the same. */
char *layout_diff(struct arena *arena, const char *path, const char *before, const char *after);

/*
 * One translation unit with all the rewritten files (REWRITE_COMPILE), each inside `namespace coalesce_<i> { ... }`,
 * the file's includes before them at file scope under the macros that the file defines for them, and `#line` markers
 * so that the compiler's line numbers are the original's. Compile it with -I of the file's folder. Kernel k of
 * variant i appears in the PTX as a function whose mangled name begins with "_ZN" <length> "coalesce_<i>".
 */
char *layout_variants(struct arena *arena, const struct analysis *analysis, struct rewritten *const *variants,
                      unsigned count);
/*
 * The same of a part of them, variants first to first + count - 1, whose numbers stay as they are in the whole. wanted
 * (or NULL: all): for each variant of the whole and each kernel of the analysis, whether its code is wanted there; what
 * is not is left out where it can be.
 */
char *layout_variants_part(struct arena *arena, const struct analysis *analysis, struct rewritten *const *variants,
                           unsigned first, unsigned count, const bool *wanted);
/* NVRTC takes the same texts when it gets, for each macro X of the command line, also LAYOUT_GIVEN_MACRO X, and the
 * kernels' names. */
#define LAYOUT_GIVEN_MACRO "coalesce_given_"
/*
 * One variant as a translation unit of its own, for when that with all of them does not compile: names as the user's
 * own code has them, no namespace around. Of the program as written it is the user's own text.
 */
const char *layout_variant_unit(struct arena *arena, const struct analysis *analysis, const struct rewritten *variant);

#endif
