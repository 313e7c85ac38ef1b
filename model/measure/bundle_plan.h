/*
 * What the files of the bundle share: a launch as the measuring program is to run it.
 */
#ifndef COALESCE_MODEL_BUNDLE_INTERNAL_H
#define COALESCE_MODEL_BUNDLE_INTERNAL_H

#include "base/toolkit/toolkit.h"
#include "model/measure/measure.h"

/* A scalar of an array's elements and what the measuring program puts there. content.kind CONTENT_UNKNOWN: real numbers
 * in [0.5, 1.5). */
struct bundle_scalar {
	const char *name; /* "" where the element itself is the scalar */
	char kind;        /* 'f' floating point, 'i' signed, 'u' unsigned */
	unsigned size_bytes;
	uint64_t count; /* in one element */
	struct content content;
	struct field_place place; /* in arrays that are not laid out anew */
};

/*
 * An array of a kernel, whatever its layout: those of a group (group is set; the members of --group are one array),
 * other parameters (parameter), or a variable of the program (variable).
 */
struct bundle_array {
	const char *name;
	uint64_t elements, element_bytes;
	struct bundle_scalar *scalars;
	unsigned scalar_count;
	bool output; /* the kernel may write it */
	const struct layout_group *group;
	unsigned group_array; /* layout_binding.array */
	const struct parameter *parameter;
	const struct array *variable;
};

/* A variant that is launched: its rows are timed; without any it only says what the results must be. */
struct bundle_variant {
	unsigned unit;
	const struct rewritten *rewritten;
	const char *name;
	bool timed;
};
struct bundle_row {
	const struct layout_group *group; /* NULL: as written, no record */
	const struct layout *layout;
	unsigned tile, variant; /* variant: index into variants */
};
struct bundle_launch {
	const struct launch_case *launch;
	const char *function; /* as code in its namespace names it */
	struct bundle_array *arrays;
	unsigned array_count;
	struct bundle_variant *variants; /* the file as written first */
	unsigned variant_count;
	struct bundle_row *rows;
	unsigned row_count;
};

/* ---- bundle_plan.c ------------------------------------------------------------------ */

struct bundle_request {
	struct arena *arena;
	const struct prediction *prediction; /* at least to STAGE_GROUPS */
	const struct predict_options *options;
	const struct variants *variants; /* units told apart */
	struct diagnostics *diagnostics;
};
/* Plans one launch. Returns false where it cannot be measured: an array of unknown size, an overloaded kernel, pointers
 * inside of records (reported). */
bool bundle_launch_plan(const struct bundle_request *request, const struct launch_case *launch,
                        struct bundle_launch *plan);
/* The array and buffer that parameter p of the kernel in a variant points to. */
unsigned bundle_parameter_array(const struct bundle_launch *plan, const struct variant_parameter *parameter,
                                unsigned *buffer);

/* ---- bundle_contents.c ------------------------------------------------------------------ */

/* Which scalar of a kernel: of an array (or variable) of the analysis; leaf is NULL where elements are scalars. */
struct scalar_source {
	const struct array *array;
	const struct leaf *leaf;
	const struct type *type;
};
/* What the host copies to a variable in constant memory, as far as it is known; NULL where it copies nothing there, and
 * for other arrays. */
const struct host_symbol *bundle_copied(const struct bundle_request *request, const struct array *array);
/*
 * What the scalar holds: what the user declared; in constant memory what the launch has there; for integers that index
 * another array, numbers that stay inside of it; else small numbers or, for floating point, CONTENT_UNKNOWN.
 */
struct content bundle_content(const struct bundle_request *request, const struct launch_case *launch,
                              const struct scalar_source *source);

/* ---- bundle_tables.c ----------------------------------------------------------------------- */

/* Text as a C string literal with its quotes. */
void bundle_literal_write(struct text *out, const char *string);
/* The tables of one launch, and before them the names by which they reach into the variants' namespaces. */
void bundle_tables_write(struct text *out, const struct bundle_request *request, const struct bundle_launch *plan,
                         unsigned number);
/* Members of a launch's JSON object: what was launched with what. */
char *bundle_launch_json(struct arena *arena, const struct bundle_launch *plan);

/* ---- bundle_includes.c ------------------------------------------------------------------------ */

/*
 * Adds the headers that the source includes and that are not the toolkit's or the system's to the bundle, and the flags
 * by which nvcc finds them there. Returns false where one lies in no folder that can be carried along (reported).
 */
bool bundle_includes(struct arena *arena, const struct toolkit *toolkit, const struct analyzer_options *source,
                     struct bundle *bundle, struct diagnostics *diagnostics);

#endif
