/*
 * A row of the table of layouts, and all that its file needs: what is laid out, the numbers that say where each field
 * lies, and the texts that declare and name them.
 *
 * A new layout is a file beside this one with a struct layout `layout_NAME`, and X(NAME) in table.c. place() gives the
 * numbers; layout_check() holds them against each other for every placement that is made. The other hooks write source
 * text: declare() the type of a buffer's elements, where it has one, pointer() the pointer to a buffer, access() a
 * field of an element. Everything else, kernels, host side, reports, follows from these four.
 */
#ifndef COALESCE_LAYOUTS_ROW_ROW_H
#define COALESCE_LAYOUTS_ROW_ROW_H

#include <string.h>

#include "analyzer/analyzer.h"
#include "base/base.h"

/* ---- what is laid out -------------------------------------------------------- */

struct layout;

enum layout_form { FORM_STRUCT, FORM_ARRAYS };

/*
 * A scalar of the record. count > 1: a member array of scalars. Offsets are those of the record as C lays it out
 * (aos).
 */
struct layout_field {
	const char *name; /* "x"; nested members flattened: "pos_x" */
	const char *path; /* as written after the element: "x", "pos.x" */
	const char *type; /* "float" */
	uint64_t size_bytes, align_bytes, count, offset_bytes;
	uint64_t inner_bytes; /* between the scalars of a member array as C lays it out; 0 when count is 1 */
	unsigned dimension_count, dimensions[4]; /* of a member array, outermost first; none for a scalar */
	const struct leaf *leaf;    /* FORM_STRUCT, else NULL; NULL too of a record that moves as a whole */
	const struct record *whole; /* such a record, or NULL */
};

/*
 * Records that are instances of one class template, of which a file has several: each is a group of its own, but one
 * text can stand for all of them where their fields have the types that the template's parameters are, or the same type
 * in all.
 */
struct layout_family {
	const char *name;                /* "Vec3" */
	const char *header, *parameters; /* "template <typename T>", "<T>" */
	const int *field_parameters;     /* for each field, which parameter its type is, or -1 */
	uint64_t least_bytes;            /* of the instances, as C lays them out */
	bool is_shared;                  /* a kernel template has instances that take different ones */
};

struct layout_group {
	const char *name; /* record type, or the members joined: "A_B_C" */
	enum layout_form form;
	struct layout_field *fields;
	unsigned field_count;
	uint64_t size_bytes, align_bytes;   /* of the record as C lays it out */
	const struct record *record;        /* FORM_STRUCT */
	const struct layout_family *family; /* of a record, or NULL */
	const struct record *holder;        /* FORM_ARRAYS: passed by value, its members point to the arrays; or NULL */
	bool keeps_arrays;                  /* member arrays are not split */
	unsigned written_tile;              /* elements per tile where the written layout is tiled, else 0 */
	/*
	 * the layout the source file has: aos (or aosa where the record is aligned so) for FORM_STRUCT, soa for
	 * FORM_ARRAYS
	 */
	const struct layout *written;
};

/* ---- where it lies ------------------------------------------------------------ */

/*
 * Place of a field: buffer (one pointer each) and, for element e and inner index k, the byte offset in it
 *   (e / tile) * tile_bytes + offset_bytes + k * inner_bytes + (e % tile) * stride_bytes.
 * Where it is split, inner index k lies in buffer + k, and inner_bytes is 0.
 */
struct field_place {
	unsigned buffer;
	bool is_split;
	uint64_t tile, tile_bytes, offset_bytes, inner_bytes, stride_bytes;
};
/* What lies in a buffer: a field, or one scalar of a member array; of records, the first. */
struct placement_buffer {
	const char *name; /* to stand behind that of the pointer: "x", "f3" */
	unsigned field, inner;
};
/*
 * A layout of a group: one field_place for each field. bytes_per_tile[b] and tile give a buffer's size for a number
 * of elements.
 */
struct placement {
	const struct layout_group *group;
	const struct layout *layout;
	unsigned tile; /* elements per tile; 1 for layouts without tiles */
	unsigned buffer_count;
	bool keeps_arrays; /* given, or the group's */
	struct placement_buffer *buffers;
	/*
	 * How a program is written (set by who asks for it, after layout_place()): the pointers to several buffers are
	 * members of one struct, which kernels and host functions take by value
	 */
	bool joins_pointers;
	uint64_t *bytes_per_tile; /* per buffer */
	uint64_t align_bytes;     /* of the buffers' element type */
	struct field_place *fields;
};

/* Whether a leaf of the group's record lies in a field: is it, or a part of it. */
static inline bool row_field_holds(const struct layout_field *field, const struct leaf *leaf)
{
	return strcmp(field->path, field->whole && leaf->whole ? leaf->whole : leaf->path) == 0;
}

/* Rounds up to a multiple of alignment (not 0). */
static inline uint64_t row_round_up(uint64_t bytes, uint64_t alignment)
{
	return (bytes + alignment - 1) / alignment * alignment;
}

/* ---- how it is written ---------------------------------------------------------- */

/* One place in the text that names a field of an element, as the texts it is made of. */
struct row_site {
	/* for each buffer, the expression that points to it; behind these, for each split field, that whose elements
	 * are the pointers to its buffers */
	const char *const *pointers;
	unsigned field;
	const char *index;       /* e */
	const char *index_again; /* e on one line, for layouts that need it twice */
	const char *inner;       /* "[k]", "[j][k]" of member arrays, else "" */
};
/* The parts of a pointer's declaration. */
struct row_pointer {
	const char *before; /* "const " or "" */
	const char *after;  /* after the star: "__restrict__ " or "" */
	const char *name;
};
/* A row. Hooks that a layout has no use for are NULL only where they say so. */
struct layout {
	const char *name;        /* "aos" */
	const char *summary;     /* "array of structures" */
	const char *type_suffix; /* of the types that hold it: "particle_tile" */
	bool tiled;              /* takes --tile */
	/* elements stay structures of the same members at the same offsets: only their alignment differs */
	bool keeps_record;
	bool repeats_index; /* access() writes the index twice */
	/*
	 * Fills the placement's fields (there is room for one for each of the group's), buffer_count, bytes_per_tile
	 * (which it allocates, one for each buffer) and align_bytes. group, layout, tile and keeps_arrays are given.
	 */
	void (*place)(struct arena *arena, struct placement *placement);
	/* The record's declaration, to stand before the first kernel; NULL where buffers have no type of their own. */
	void (*declare)(struct text *out, const struct placement *placement, const char *type_name);
	/* Declares the pointer to one buffer, as a parameter or member: "const float *p_x". */
	void (*pointer)(struct text *out, const struct placement *placement, unsigned buffer, const char *type_name,
	                const struct row_pointer *spelling);
	/* The expression for one field of one element: "p[e].x", "p_x[e]", "p[(e) >> 5].x[(e) & 31]". */
	void (*access)(struct text *out, const struct placement *placement, const struct row_site *site);
};

/* ---- row.c: what several layouts do alike ------------------------------------------ */

/* place() of records that follow one another, their fields at C's offsets. */
void row_place_records(struct arena *arena, struct placement *placement);
/* access() of those: "p[e].x". */
void row_access_member(struct text *out, const struct placement *placement, const struct row_site *site);

/*
 * A field's name and array bounds as a member or variable: "x", "w[4]". lanes: of the innermost dimension, 0 for
 * none.
 */
void row_declare_field(struct text *out, const struct layout_field *field, unsigned lanes);
/*
 * Declares `struct NAME { ... };` with the fields in the order in which they are placed. alignment: for __align__, 0
 * for none. lanes: see row_declare_field().
 */
void row_declare_record(struct text *out, const struct placement *placement, const char *type_name, uint64_t alignment,
                        unsigned lanes);
/* For layouts of one buffer: "const TYPE *__restrict__ NAME". */
void row_declare_pointer(struct text *out, const struct placement *placement, unsigned buffer, const char *type_name,
                         const struct row_pointer *spelling);

/* ---- table.c, placement.c: the layouts ---------------------------------------------------------------- */

uint64_t placement_offset(const struct placement *placement, unsigned field, uint64_t element, uint64_t inner);
/* Bytes of a buffer for that many elements (whole tiles). */
uint64_t placement_buffer_bytes(const struct placement *placement, unsigned buffer, uint64_t elements);
/* The inverse: which scalar lies at a byte offset of a buffer; false for padding. Outputs may be NULL. */
bool placement_locate(const struct placement *placement, unsigned buffer, uint64_t offset, unsigned *field,
                      uint64_t *element, uint64_t *inner);

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
struct placement *layout_place(struct arena *arena, const struct layout *layout, const struct layout_group *group,
                               unsigned tile);
/* Whether a member array has an array for each of its scalars. */
bool placement_splits(const struct placement *placement);
/* The same placement with each member array in one array; layout_rewrite() takes that where a kernel or the host does
 * more with elements than to name their scalars. */
struct placement *placement_unsplit(struct arena *arena, const struct placement *placement);
/*
 * Verifies that a placement maps fields of the first elements to disjoint bytes inside the buffers, aligned, and
 * back; bug() on violation.
 */
void layout_check(const struct placement *placement);

#endif
