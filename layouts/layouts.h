/*
 * layouts: where field f of element e lives in each memory layout, and rewriting a source file from one layout into another.
 *
 * The layouts are rows of one table (table.c), one file each (aos.c, soa.c, aosa.c, asta.c). model/ and cli/ never name a layout: they take
 * rows from the table. What is laid out is a struct layout_group: a record type with all arrays of it, or separate arrays taken as the
 * members of one record (--group).
 */
#ifndef COALESCE_LAYOUTS_LAYOUTS_H
#define COALESCE_LAYOUTS_LAYOUTS_H

#include "analyzer/analyzer.h"
#include "base/base.h"

/* ---- what is laid out -------------------------------------------------------- */

enum layout_form { FORM_STRUCT, FORM_ARRAYS };

/* A scalar of the record. count > 1: a member array of scalars. Offsets are those of the record as C lays it out (aos). */
struct layout_field {
	const char *name;              /* "x"; nested members flattened: "pos_x" */
	const char *path;              /* as written after the element: "x", "pos.x" */
	const char *type;              /* "float" */
	uint64_t size_bytes, align_bytes, count, offset_bytes;
	const struct leaf *leaf;       /* FORM_STRUCT, else NULL */
};

struct layout_group {
	const char *name;              /* record type, or the members joined: "A_B_C" */
	enum layout_form form;
	struct layout_field *fields;
	unsigned field_count;
	uint64_t size_bytes, align_bytes; /* of the record as C lays it out */
	const struct record *record;   /* FORM_STRUCT */
	const struct layout *written;  /* the layout the source file has: aos (or aosa where the record is aligned so) for FORM_STRUCT, soa for FORM_ARRAYS */
};

/* Which kernel parameter carries which part of a group. One for each kernel that uses the group. */
struct layout_binding {
	const struct kernel *kernel;
	const struct parameter *parameter;
	const struct layout_group *group;
	unsigned array;                /* FORM_STRUCT: which of the kernel's arrays of that record, from 0; FORM_ARRAYS: 0 */
	unsigned field;                /* FORM_ARRAYS: the member this parameter is; FORM_STRUCT: 0 */
};

struct layout_options {
	const char *const *structs;    /* --struct; none: every record that kernels index through a pointer parameter */
	unsigned struct_count;
	const char *const *groups;     /* --group, each "A,B,C" */
	unsigned group_count;
};

struct layout_groups {
	struct layout_group **list;
	unsigned count;
	struct layout_binding *bindings;
	unsigned binding_count;
};

/*
 * Finds what is to be laid out. --group names kernel parameters or the host arrays passed for them, matched through the launches. Unknown names
 * are errors (reported; returns false); records or arrays that cannot be laid out (union, escaping pointer) are left out with a note.
 */
bool layout_groups_find(struct arena *arena, const struct analysis *analysis, const struct layout_options *options,
                        struct layout_groups *groups, struct diagnostics *diagnostics);

/* ---- the layouts ---------------------------------------------------------------- */

/*
 * Place of a field: buffer (one pointer each) and, for element e and inner index k, the byte offset in it
 *   (e / tile) * tile_bytes + offset_bytes + k * inner_bytes + (e % tile) * stride_bytes.
 */
struct field_place {
	unsigned buffer;
	uint64_t tile, tile_bytes, offset_bytes, inner_bytes, stride_bytes;
};
/* A layout of a group: one field_place for each field. bytes_per_tile[b] and tile give a buffer's size for a number of elements. */
struct placement {
	const struct layout_group *group;
	const struct layout *layout;
	unsigned tile;                 /* elements per tile; 1 for layouts without tiles */
	unsigned buffer_count;
	uint64_t *bytes_per_tile;      /* per buffer */
	uint64_t align_bytes;          /* of the buffers' element type */
	struct field_place *fields;
};
uint64_t placement_offset(const struct placement *placement, unsigned field, uint64_t element, uint64_t inner);
/* Bytes of a buffer for that many elements (whole tiles). */
uint64_t placement_buffer_bytes(const struct placement *placement, unsigned buffer, uint64_t elements);
/* The inverse: which scalar lies at a byte offset of a buffer; false for padding. Outputs may be NULL. */
bool placement_locate(const struct placement *placement, unsigned buffer, uint64_t offset, unsigned *field, uint64_t *element,
                      uint64_t *inner);

struct rewrite_site; /* internal.h: one reference and the texts it is made of */
struct layout {
	const char *name;              /* "aos" */
	const char *summary;           /* "array of structures" */
	bool tiled;                    /* takes --tile */
	/* Fills placement->fields, bytes_per_tile, buffer_count, align_bytes. */
	void (*place)(struct arena *arena, struct placement *placement);
	/* The record's declaration, to stand before the first kernel; nothing where the layout needs none. */
	void (*declare)(struct text *out, const struct placement *placement, const char *type_name);
	/* The kernel parameters that replace the array's: "const float *p_x, const float *p_y". */
	void (*parameters)(struct text *out, const struct placement *placement, const struct rewrite_site *site);
	/* The expression for one field of one element: "p[e].x", "p_x[e]", "p[(e) >> 5].x[(e) & 31]". */
	void (*access)(struct text *out, const struct placement *placement, const struct rewrite_site *site);
};

/* The table, in the order in which layouts are shown. */
extern const struct layout *const layout_table[];
extern const unsigned layout_count;
/* The row of that name, or NULL. */
const struct layout *layout_find(const char *name);

#define LAYOUT_TILE_DEFAULT 32
/* The placement of a group in a layout. tile: for tiled layouts, a power of two; ignored by others. Checked by layout_check(). */
struct placement *layout_place(struct arena *arena, const struct layout *layout, const struct layout_group *group, unsigned tile);
/* Verifies that a placement maps fields of the first elements to disjoint bytes inside the buffers, aligned, and back; bug() on violation. */
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
	bool changed;                  /* false: it uses no group, or could not be rewritten */
};

/* A source file with each group in a layout of its own. */
struct rewritten {
	char *text;                    /* a complete program, host side included */
	struct variant_kernel *kernels; /* as many as analysis->kernels, same order */
	unsigned kernel_count;
	struct placement **placements; /* one for each group, same order as the groups */
};
/*
 * Rewrites the analysed file so that group g has placements[g]. Untouched text stays byte for byte, and no line changes its number except after inserted
 * declarations. What cannot be rewritten safely is left as it is with a note at its place and variant_kernel.changed false. line_markers: put
 * `#line` after insertions so that line numbers are the original's (for compiling; not for users). Returns NULL when nothing could be rewritten.
 */
struct rewritten *layout_rewrite(struct arena *arena, const struct analysis *analysis, const struct layout_groups *groups,
                                 struct placement *const *placements, bool line_markers, struct diagnostics *diagnostics);

/*
 * One translation unit with all the rewritten files, each inside `namespace coalesce_<i> { ... }`, its includes and macros before them at file scope, and `#line`
 * markers so that the compiler's line numbers are the original's. Kernel k of variant i appears in the PTX as a function
 * whose mangled name begins with "_ZN" <length> "coalesce_<i>".
 */
char *layout_variants(struct arena *arena, const struct analysis *analysis, struct rewritten *const *variants, unsigned count);

#endif
