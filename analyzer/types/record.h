/*
 * What a kernel's memory consists of: types, records with their members, and leaves, the scalars that a record comes
 * down to. Sizes and offsets are those of the device's compiler.
 */
#ifndef COALESCE_ANALYZER_TYPES_RECORD_H
#define COALESCE_ANALYZER_TYPES_RECORD_H

#include "base/base.h"

struct node;

/*
 * Byte range [begin, end) of the analysed file's text; empty (begin == end == 0) when it lies in another file. What the
 * body of a macro spells has the range of the macro's call; arguments of macros have their own.
 */
struct range {
	unsigned begin, end;
};

enum scalar_class { SCALAR_SIGNED, SCALAR_UNSIGNED, SCALAR_FLOAT, SCALAR_POINTER, SCALAR_OTHER };

struct type {
	const char *spelling; /* canonical, unqualified: "float", "struct particle" -> "particle" */
	uint64_t size_bytes;
	uint32_t align_bytes;
	enum scalar_class scalar; /* when record is NULL */
	struct record *record;    /* struct, class or vector type (float4), else NULL */
};

/* A member as declared. Member arrays have count > 1 (all dimensions multiplied); nested records have type.record. */
struct member {
	const char *name;
	struct type type; /* of one element for member arrays */
	uint64_t offset_bytes, count;
	unsigned dimension_count, dimensions[4];
	bool is_bitfield;
	bool is_inherited; /* of a base class: offsets are those in the record */
	bool is_whole;     /* its record cannot be taken apart: opaque_reason; see record_inside() */
	struct place place;
	struct range range;       /* the declaration */
	struct node *initializer; /* the value that it begins with, once an object of its record was seen to be made; or
	                             NULL */
};

/*
 * A scalar inside a record, nested records and base classes flattened: path "pos.x". Leaves are sorted by offset and do
 * not overlap, unless the record has a union or bit-fields (each of which lies at the offset of the unit that holds
 * it). Records of system headers, except vector types, are scalars.
 */
struct leaf {
	const char *path;       /* "x", "pos.x" */
	const char *identifier; /* path usable in a name: "x", "pos_x" */
	struct type type;
	uint64_t offset_bytes, count; /* count > 1: a member array of scalars */
	uint64_t stride_bytes;        /* between elements of a member array (nested arrays of records), else size */
	const char *whole; /* path of the member that keeps its own layout and has this leaf in it: "place"; or NULL */
};

struct record_base {
	struct record *record; /* NULL: of the system's headers */
	uint64_t offset_bytes;
};

struct record {
	const char *name; /* "particle"; "particle<float>" for instantiations */
	struct type type; /* size with padding, alignment; type.record is itself */
	struct member *members;
	unsigned member_count;
	struct leaf *leaves;
	unsigned leaf_count;
	bool has_defaults_read;    /* members have their initializers */
	bool is_vector_type;       /* float2, uchar3, ... of the toolkit's headers */
	const char *opaque_reason; /* why its members cannot be laid out anew (union, bit-field, virtual), or NULL */
	bool moves_whole;          /* with an opaque_reason: as a member of another record it can be moved as it is */
	bool has_private;          /* members that only its own functions can name */
	/* base classes, in the order of the text; their members are the record's first ones */
	struct record_base *bases;
	unsigned base_count, inherited_count;
	struct place place;
	struct range range; /* the whole definition with its `;`, empty for other files */
};

/* ---- leaf.c --------------------------------------------------------------------- */

/* The record that a member is, where its members are laid out one by one; NULL: it is none, or moves as a whole. */
const struct record *record_inside(const struct member *member);
/* Whether a record that is a member, or in a member array, is moved as it is rather than taken apart. */
bool record_moves_whole(const struct record *record, bool in_array);
/* The last part of a leaf's path. */
const char *leaf_name(const struct leaf *leaf);
/* The leaf that lies at an offset of the element and has that size, of several the one of that name; NULL where none
 * does exactly. */
const struct leaf *leaf_at(const struct record *record, uint64_t offset, uint64_t size, const char *name);
/* The leaf that holds an offset in one of its elements, and which one of them. */
const struct leaf *leaf_holding(const struct record *record, uint64_t offset, uint64_t size, const char *name,
                                uint64_t *position);
/* Whether a leaf lies where the one before it does, as members of a union and bit-fields of one unit do. */
bool leaf_overlaps(const struct record *record, unsigned leaf);

#endif
