/*
 * What a walk computes with: values, the places that they lie at, and the variables that have them. environment.c and
 * memory.c.
 */
#ifndef COALESCE_ANALYZER_WALK_VALUE_H
#define COALESCE_ANALYZER_WALK_VALUE_H

#include "analyzer/tree/tree.h"

struct walk_state;

/* ---- values ------------------------------------------------------------------------- */

enum walk_location_kind {
	LOCATION_UNKNOWN,  /* reason */
	LOCATION_VARIABLE, /* a local that is no array: offset_bytes in it */
	LOCATION_MEMORY    /* array: element, offset_bytes in it, plus inner * inner_stride_bytes */
};
struct walk_location {
	enum walk_location_kind kind;
	const struct source_type *type; /* of what lies there */
	const char *reason;
	struct source_declaration *variable;
	struct array *array;
	const struct expr *element;
	uint64_t offset_bytes, inner_stride_bytes;
	const struct expr *inner; /* or NULL */
	const char
		*member; /* the last member named: tells apart those of a union, or bit-fields of one unit; or NULL */
	bool is_foreign; /* reached through a pointer to another type that does not fit the array's elements */
};

enum walk_value_kind {
	VALUE_SCALAR,  /* scalar: an integer, or UNKNOWN for everything else */
	VALUE_POINTER, /* at; references too */
	VALUE_RECORD   /* leaves: one value for each leaf of the record */
};
/* Never changed once made. Only the part that belongs to its kind is there. */
struct walk_value {
	enum walk_value_kind kind;
	union {
		const struct expr *scalar;
		struct walk_location at;
		struct {
			const struct record *record;
			const struct walk_value **leaves;
		};
	};
};
/* ---- environment.c: values and variables ---------------------------------------------- */

const struct walk_value *walk_scalar(struct walk_state *walk, const struct expr *scalar);
const struct walk_value *walk_pointer(struct walk_state *walk, struct walk_location at);
/* A record's value whose leaves are still to be filled in. */
struct walk_value *walk_record(struct walk_state *walk, const struct record *record);
/* The value of that type about which nothing is known. */
const struct walk_value *walk_unknown(struct walk_state *walk, const struct source_type *type, const char *reason,
                                      struct place place);
struct walk_location walk_nowhere(const struct source_type *type, const char *reason);
/* The integer or condition; unknown for other values. */
const struct expr *walk_number(struct walk_state *walk, const struct walk_value *value);

const struct walk_value *walk_get(struct walk_state *walk, struct source_declaration *variable);
void walk_set(struct walk_state *walk, struct source_declaration *variable, const struct walk_value *value);
/* The value that is `yes` where the condition holds and `no` elsewhere; type says what it is where nothing can be said.
 */
const struct walk_value *walk_join(struct walk_state *walk, const struct expr *condition, const struct walk_value *yes,
                                   const struct walk_value *no, const struct source_type *type, struct place place);
/* What was changed since a mark (walk->trail_count then), one entry for each variable; and everything back as it was.
 */
struct walk_changes {
	struct walk_change *list; /* `before` holds the new value */
	unsigned count;
};
struct walk_changes walk_undo(struct walk_state *walk, size_t mark);
void walk_redo(struct walk_state *walk, const struct walk_changes *changes);
/* After both ways of a branch: values that differ become selections. */
void walk_join_changes(struct walk_state *walk, const struct expr *condition, const struct walk_changes *yes,
                       const struct walk_changes *no, struct place place);
/* ---- memory.c: arrays, locations, accesses ---------------------------------------------- */

struct array *walk_array(struct walk_state *walk, struct source_declaration *variable);
/* A pointer's target moved by count elements of its type. */
struct walk_location walk_advance(struct walk_state *walk, struct walk_location at, const struct expr *count);
/* The part of that type that lies so many bytes behind the beginning. */
struct walk_location walk_part(struct walk_location at, uint64_t offset_bytes, const struct source_type *type);
struct walk_location walk_retype(struct walk_location at, const struct source_type *type);
/* Reads or writes what lies there, recording accesses to memory. */
const struct walk_value *walk_load(struct walk_state *walk, struct walk_location at, struct place place);
void walk_store(struct walk_state *walk, struct walk_location at, const struct walk_value *value, struct place place);
const struct walk_value *walk_atomic(struct walk_state *walk, struct walk_location at, struct place place);
/* What a pointer or reference with that value points to, for access. */
struct walk_location walk_target(struct walk_state *walk, const struct walk_value *pointer,
                                 const struct source_type *type);

#endif
