/*
 * layouts/types: what is laid out in a file, and what rewriting it gives.
 */
#ifndef COALESCE_LAYOUTS_TYPES_TYPES_H
#define COALESCE_LAYOUTS_TYPES_TYPES_H

#include "layouts/row/row.h"

/* ---- what is to be laid out -------------------------------------------------- */

/* Which kernel parameter carries which part of a group. One for each kernel that uses the group. */
struct layout_binding {
	const struct kernel *kernel;
	const struct parameter *parameter;
	const struct layout_group *group;
	/* FORM_STRUCT: which of the kernel's arrays of that record, from 0; FORM_ARRAYS: 0 */
	unsigned array;
	unsigned field; /* FORM_ARRAYS: the member this parameter is; FORM_STRUCT: 0 */
	/* of a group with a holder: the parameter's member that is the array, and `array` counts the holders; else NULL
	 */
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
	const char *text; /* the file; REWRITE_COMPILE: without its host functions, a translation unit of its own */
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

/* ---- kernels.c: their names -------------------------------------------------------- */

/* Name without template arguments. */
const char *layout_kernel_name(struct arena *arena, const struct kernel *kernel);
/* Whether they are instances of one template. */
bool layout_kernels_share_text(const struct kernel *a, const struct kernel *b);
/* X<k> defined: kernel k of the analysis is left out. */
#define LAYOUT_WITHOUT_MACRO "coalesce_without_"
/* Whether it is an instance for a type that no text can name (a lambda, a class without a name): layout_variants() has
 * no code of it. */
bool layout_kernel_is_unnamed(const struct kernel *kernel);
/*
 * A kernel as code inside its namespace names it: "inner::scale<float>"; NULL for what no name alone denotes
 * (overloaded kernels, template patterns, instances for lambdas).
 */
const char *layout_variant_kernel(struct arena *arena, const struct analysis *analysis, const struct kernel *kernel);

#endif
