/*
 * cases: what is launched. Kernels and their launches as the source has them, and what the user says -> struct launch_case: grid, block, arguments, the sizes
 * of arrays and what is in them, as far as constants go; what nobody says is assumed, and each assumption is a note.
 *
 *   cases.c     launches, arguments, sizes
 *   options.c   values given by name, and notes
 *   contents.c  what index arrays and integer members of records hold
 *
 * Prefix: case_.
 */
#ifndef COALESCE_MODEL_CASES_CASES_H
#define COALESCE_MODEL_CASES_CASES_H

#include "analyzer/analyzer.h"
#include "base/base.h"
#include "model/execute/execute.h"

struct dimensions {
	bool given;
	uint32_t value[3];
};
struct named_value {
	const char *name, *value;
};
/* What the user says about launches; NULL or 0 where nothing. */
struct case_options {
	const char *kernel;
	struct dimensions grid, block;
	struct named_value *arguments, *extents, *indexes;
	unsigned argument_count, extent_count, index_count;
};
/* What an integer member of an array's records holds, as the user says: element i of all its scalars in order. */
struct member_content {
	const struct parameter *parameter;
	const struct leaf *leaf;
	struct content content;
};
/* One kernel with one launch configuration; equal launches are one case with a count. */
struct launch_case {
	const struct kernel *kernel;
	uint32_t grid[3], block[3];
	uint64_t dynamic_shared_bytes;
	bool *known;                    /* per kernel parameter: scalar value known */
	int64_t *values;                /* per kernel parameter */
	uint64_t *extents;              /* per kernel parameter: elements of its array, 0 unknown */
	struct content *contents;       /* per kernel parameter: of index arrays */
	struct member_content *members; /* of records' members, as declared */
	unsigned member_count;
	uint64_t launches;
	bool assumed; /* grid or block had to be assumed */
	const char **notes;
	unsigned note_count;
	int64_t *symbols; /* per kernel symbol: value of parameters, block and grid sizes; threads, blocks, iterators 0 */
	bool *symbol_known;
};
/*
 * The cases of an analysis: its launches, or the configuration given in options. Unknown kernel names, argument names or index files are
 * errors (reported; returns false).
 */
bool case_find_all(struct arena *arena, const struct analysis *analysis, const struct case_options *options,
                   struct launch_case **cases, unsigned *count, struct diagnostics *diagnostics);

/* ---- between its files and for bundles ----------------------------------------------- */

void case_note(struct arena *arena, struct launch_case *launch, const char *text);
/* The last value given for a name, or NULL. */
const struct named_value *case_option(const struct named_value *list, unsigned count, const char *name);
/* What index arrays and integer members of records hold. Requires the extents. */
void case_contents_fill(struct arena *arena, struct launch_case *launch, const struct case_options *options,
                        struct diagnostics *diagnostics);
/* The integer member of the parameter's records that "p.next" names, or NULL. */
const struct leaf *case_member_named(const struct parameter *parameter, const char *name);
/* What the user declared of a member, or NULL. */
const struct content *case_member_content(const struct launch_case *launch, const struct parameter *parameter,
                                          const struct leaf *leaf);

#endif
