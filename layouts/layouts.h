/*
 * layouts: where field f of element e lives in each memory layout, and rewriting a source file from one layout into
 * another.
 *
 * The layouts are rows of one table (table.c), one file each (aos.c, soa.c, aosa.c, asta.c); row.h says what a row is. model/ and
 * cli/ never name a layout: they take rows from the table. What is laid out is a struct layout_group: a record type with all
 * arrays of it, or separate arrays taken as the members of one record (--group).
 */
#ifndef COALESCE_LAYOUTS_LAYOUTS_H
#define COALESCE_LAYOUTS_LAYOUTS_H

#include "analyzer/analyzer.h"
#include "base/base.h"
#include "layouts/row.h"

/* ---- what is to be laid out -------------------------------------------------- */

/* Which kernel parameter carries which part of a group. One for each kernel that uses the group. */
struct layout_binding {
	const struct kernel *kernel;
	const struct parameter *parameter;
	const struct layout_group *group;
	/* FORM_STRUCT: which of the kernel's arrays of that record, from 0; FORM_ARRAYS: 0 */
	unsigned array;
	unsigned field; /* FORM_ARRAYS: the member this parameter is; FORM_STRUCT: 0 */
	/* of a group with a holder: the parameter's member that is the array, and `array` counts the holders; else NULL */
	const struct leaf *leaf;
};

struct layout_options {
	const char *const *structs; /* --struct; none: every record that kernels index through a pointer parameter */
	unsigned struct_count;
	const char *const *groups; /* --group, each "A,B,C" */
	unsigned group_count;
	bool keep_arrays; /* member arrays stay together in soa */
	/*
	 * take records that are tiles already as such; then leaves are not fields (element = tile * lanes + lane),
	 * for rewriting only
	 */
	bool recognise_tiles;
};

struct edit_source;
struct layout_groups {
	struct layout_group **list;
	unsigned count;
	struct layout_binding *bindings;
	unsigned binding_count;
	const struct edit_source *source; /* the file's tokens, read once for all that is written of it */
};

/*
 * Finds what is to be laid out. --group names kernel parameters or the host arrays passed for them, matched through
 * the launches. Unknown names are errors (reported; returns false); records or arrays that cannot be laid out (union,
 * escaping pointer) are left out with a note.
 */
bool layout_groups_find(struct arena *arena, const struct analysis *analysis, const struct layout_options *options,
                        struct layout_groups *groups, struct diagnostics *diagnostics);

/* ---- the layouts ---------------------------------------------------------------- */

uint64_t placement_offset(const struct placement *placement, unsigned field, uint64_t element, uint64_t inner);
/* Bytes of a buffer for that many elements (whole tiles). */
uint64_t placement_buffer_bytes(const struct placement *placement, unsigned buffer, uint64_t elements);
/* The inverse: which scalar lies at a byte offset of a buffer; false for padding. Outputs may be NULL. */
bool placement_locate(const struct placement *placement, unsigned buffer, uint64_t offset, unsigned *field, uint64_t *element,
                      uint64_t *inner);

/* The table, in the order in which layouts are shown. */
extern const struct layout *const layout_table[];
extern const unsigned layout_count;
/* The row of that name, or NULL. */
const struct layout *layout_find(const char *name);

#define LAYOUT_TILE_DEFAULT 32
#define LAYOUT_TILE_MOST 4096
/*
 * The placement of a group in a layout. tile: for tiled layouts, a power of two; ignored by others. Checked by
 * layout_check().
 */
struct placement *layout_place(struct arena *arena, const struct layout *layout, const struct layout_group *group, unsigned tile);
/* A holder whose pointers to a group's arrays one pointer has taken the place of: its size, where that lies, and where each leaf does (UINT64_MAX: gone). */
struct holder_shape {
	uint64_t size_bytes, pointer_bytes;
	uint64_t *leaf_bytes;
};
struct holder_shape layout_holder_shape(struct arena *arena, const struct layout_group *group);
/* The same of a record passed by value whose pointers to a group's records have become pointers to a placement's buffers, one behind another, and an index. */
struct holder_shape layout_held_shape(struct arena *arena, const struct layout_groups *groups, const struct record *holder,
                                      const struct placement *placement);
/* Whether a member array has an array for each of its scalars. */
bool placement_splits(const struct placement *placement);
/* The same placement with each member array in one array; layout_rewrite() takes that where a kernel or the host does more with elements than to name their scalars. */
struct placement *placement_unsplit(struct arena *arena, const struct placement *placement);
/*
 * Verifies that a placement maps fields of the first elements to disjoint bytes inside the buffers, aligned, and
 * back; bug() on violation.
 */
void layout_check(const struct placement *placement);

/* ---- rewriting -------------------------------------------------------------------- */

/* What one parameter of a rewritten kernel is, in the new order. */
struct variant_parameter {
	const struct parameter *original; /* the parameter it was (for a merged pointer: the first of them) */
	const struct layout_group *group; /* NULL: unchanged */
	unsigned array, buffer;           /* see layout_binding.array and field_place.buffer */
};
struct variant_kernel {
	const struct kernel *kernel;
	struct variant_parameter *parameters;
	unsigned parameter_count;
	/* its groups are in the layouts asked for; false: it uses no group, or could not be rewritten */
	bool changed;
};

/* A file that rewriting changes. */
struct rewritten_file {
	const char *path;
	const char *name; /* REWRITE_ELSEWHERE: of a header, what the file that is written includes it as; else NULL */
	const char *before, *text;
};
/* A source file with each group in a layout of its own. */
struct rewritten {
	const char *text;             /* the file; REWRITE_COMPILE: without its host functions, a translation unit of its own */
	struct rewritten_file *files; /* the file, then its headers that change; REWRITE_COMPILE: none */
	unsigned file_count;
	struct variant_kernel *kernels; /* as many as analysis->kernels, same order */
	unsigned kernel_count;
	struct placement **placements; /* one for each group, same order as the groups */
	bool as_written;               /* no group changes */
	bool host_complete;            /* the host side fits the kernels: the text is a complete program */
};
/* The file that `#line` gives to text of the rewriting's own (REWRITE_COMPILE). */
#define GENERATED_FILE "coalesce"

/* What a file is rewritten for. */
enum rewrite_purpose {
	REWRITE_PROGRAM, /* for people: a complete program, host side included */
	/* the same as a file in another place: headers that change stand beside it, under names of their own */
	REWRITE_ELSEWHERE,
	REWRITE_COMPILE /* for layout_variants() and layout_variant_unit(): line numbers stay, host functions go */
};
/*
 * Rewrites the analysed file so that group g has placements[g].
 *
 * Kernels: untouched text stays byte for byte. A kernel that has something which cannot be rewritten safely is left
 * whole as it is, with a note at the place, and variant_kernel.changed is false.
 *
 * Host side (REWRITE_PROGRAM): the host keeps its data as written; only device memory changes. A group's device
 * pointers become pointers to the new buffers, and the calls that allocate, copy, set and free them become calls on
 * each buffer or member. Whole records, and single members of records or tiles, go between host and device in one copy
 * and a kernel that puts each value in its place, which functions written into the file do. Where the layout keeps the record and its sizes are written with sizeof, the struct's own declaration gets the other
 * alignment instead, and the host needs no change. The rule for what is safe: every mention of a device pointer of
 * the group is a declaration, cudaMalloc, cudaMemcpy, cudaMemset, cudaFree of the bare pointer (or the 2D forms of
 * one member), a sizeof, or a launch argument of a kernel that was rewritten. Otherwise each offending place gets a
 * note, the whole group's host side stays as it is, and host_complete is false.
 *
 * REWRITE_COMPILE: `#line` after insertions keeps every line's number; host functions go, or lose their bodies; template
 * kernels are instantiated as the analysis found them.
 *
 * Returns NULL when a layout other than the written one is asked for and no kernel could be given it.
 */
struct rewritten *layout_rewrite(struct arena *arena, const struct analysis *analysis, const struct layout_groups *groups,
                                 struct placement *const *placements, enum rewrite_purpose purpose,
                                 struct diagnostics *diagnostics);

/* A unified patch that makes the text at that path from one into the other; "" where they are the same. */
char *layout_diff(struct arena *arena, const char *path, const char *before, const char *after);

/*
 * One translation unit with all the rewritten files (REWRITE_COMPILE), each inside `namespace coalesce_<i> { ... }`,
 * the file's includes before them at file scope under the macros that the file defines for them, and `#line` markers
 * so that the compiler's line numbers are the original's. Compile it with -I of the file's folder. Kernel k of
 * variant i appears in the PTX as a function whose mangled name begins with "_ZN" <length> "coalesce_<i>".
 */
char *layout_variants(struct arena *arena, const struct analysis *analysis, struct rewritten *const *variants, unsigned count);
/*
 * The same of a part of them, variants first to first + count - 1, whose numbers stay as they are in the whole. wanted (or NULL: all): for each variant
 * of the whole and each kernel of the analysis, whether its code is wanted there; what is not is left out where it can be.
 */
char *layout_variants_part(struct arena *arena, const struct analysis *analysis, struct rewritten *const *variants, unsigned first,
                           unsigned count, const bool *wanted);
/* X<k> defined: kernel k of the analysis is left out. */
#define LAYOUT_WITHOUT_MACRO "coalesce_without_"
/* NVRTC takes the same texts when it gets, for each macro X of the command line, also LAYOUT_GIVEN_MACRO X, and the kernels' names. */
#define LAYOUT_GIVEN_MACRO "coalesce_given_"
/*
 * One variant as a translation unit of its own, for when that with all of them does not compile: names as the user's own code has
 * them, no namespace around. Of the program as written it is the user's own text.
 */
const char *layout_variant_unit(struct arena *arena, const struct analysis *analysis, const struct rewritten *variant);
/* Whether it is an instance for a type that no text can name (a lambda, a class without a name): layout_variants() has no code of it. */
bool layout_kernel_is_unnamed(const struct kernel *kernel);
/*
 * A kernel as code inside its namespace names it: "inner::scale<float>"; NULL for what no name alone denotes
 * (overloaded kernels, template patterns, instances for lambdas).
 */
const char *layout_variant_kernel(struct arena *arena, const struct analysis *analysis, const struct kernel *kernel);

#endif
