/*
 * cases: what is launched. Kernels and their launches as the source has them, and what the user says -> struct
 * launch_case: grid, block, arguments, the sizes of arrays and what is in them, as far as constants go; what nobody
 * says is assumed, and each assumption is a note.
 *
 *   select.c      which kernels and parameters a name means
 *   value.c       values as users write them
 *   cases.c       launches
 *   dimensions.c  grids and blocks
 *   scalars.c     arguments
 *   assume.c      those that nobody says
 *   notes.c       what was assumed
 *   extents.c     how many elements arrays have
 *   beyond.c      accesses behind their end
 *   contents.c    what index arrays and integer members of records hold
 *   stated.c      what the host's code puts into such members
 *   held.c        what the program was seen to put into either
 *   change.c      the same launch with another size
 *   instance.c    instances of templates that the file does not launch
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
/* Another number for all launches: of a scalar, of threads in a block, or of blocks in the grid. change.c says what
 * follows from it. */
struct case_change {
	const char *scalar; /* as of --arg: "n", "kernel:n", "g.nx"; NULL: none */
	int64_t value;
	uint64_t block, grid; /* 0: as it is */
	uint32_t shape[3];    /* of blocks that are `from`; 0: as they are */
	uint32_t from[3];
	uint64_t share; /* positions a thread, times those as written: a grid-stride loop's grid is that much smaller;
	                   0: as it is */
	int64_t assumed_size; /* of grids that are assumed: -1: a sixteenth of the blocks, 1: sixteen times as many */
};
/* Launches that the program was seen to make, in the stead of those that its source says. */
struct case_observed {
	struct launch **list;
	unsigned count;
};
/* What the user says about launches; NULL or 0 where nothing. */
struct case_options {
	const char *const *kernels; /* names and patterns; a kernel that fits one is meant, all without any */
	unsigned kernel_count;
	double trips; /* of a loop whose count nobody says; 0: the evaluator's default */
	struct dimensions grid, block;
	struct named_value *arguments, *extents, *indexes;
	unsigned argument_count, extent_count, index_count;
	const struct case_change *changes; /* of what the launches are without them */
	unsigned change_count;
	const struct case_observed *observed; /* or NULL */
};
/* What a measuring program puts into integers that nothing is known of: numbers from 0 on, small enough for a loop
 * count. */
#define CASE_SMALL_INTEGERS 100
/* What a member of an array's records holds, as the user says or as is supposed: element i of all its scalars in order.
 */
struct member_content {
	const struct parameter *parameter;
	const struct leaf *leaf;
	struct content content;
};
/* What stands in the place of something that nobody says and an option can. */
enum assumed_kind {
	ASSUMED_GRID,
	ASSUMED_BLOCK,
	ASSUMED_SCALAR,
	ASSUMED_ROWS,
	ASSUMED_CONTENT,
	ASSUMED_TRIPS,
	ASSUMED_BRANCH,
	ASSUMED_STATED
};
struct case_assumption {
	enum assumed_kind kind;
	const char *name;   /* as --arg or --index takes it; NULL for the others */
	const char *value;  /* in words: "1024", "8 elements in each row" */
	int64_t number;     /* of a scalar */
	bool counts_trips;  /* of a loop: a scalar of which nothing is known bounds it */
	const char *reason; /* why it is not known; or NULL */
	const char *note;   /* of the launch, that says so */
};
/* Memory that a member of a record passed by value points to: its elements, 0 where they are not known, and what is in
 * it. */
struct pointee {
	const struct array *array;
	uint64_t extent;
	struct content content;
};
/* An extent of grid or block that the host says and no launch can have: 0 or less, or more than 32 bits hold. */
struct refused_extent {
	const char *name; /* "gridDim", "blockDim"; NULL: none */
	unsigned axis;
	int64_t value;
};
/* One kernel with one launch configuration; equal launches are one case with a count. */
struct launch_case {
	const struct kernel *kernel;
	const struct launch *found; /* the first of the file's launches that it stands for, or NULL */
	uint32_t grid[3], block[3];
	struct refused_extent refused; /* the first one; 1 stands in its place */
	uint64_t dynamic_shared_bytes;
	bool *known;     /* per kernel parameter, and per variable in constant memory behind them: scalar value known */
	int64_t *values; /* per kernel parameter: integers, and the bits of floats */
	uint8_t *
		*bytes; /* as known: of a record passed by value, and of each variable in constant memory; NULL: none */
	bool **bytes_known; /* which of them are known */
	uint64_t *extents;  /* per kernel parameter: elements of its array, 0 unknown */
	const bool *
		extents_said; /* per kernel parameter: by the user or the host, not found by the kernel's own indices */
	struct content *contents; /* per kernel parameter: of index arrays */
	struct pointee *pointees; /* of records passed by value */
	unsigned pointee_count;
	struct member_content *members; /* of records' members, as declared */
	unsigned member_count;
	uint64_t launches;
	bool assumed; /* grid or block had to be assumed */
	const char **notes;
	unsigned note_count;
	struct case_assumption *assumptions;
	unsigned assumption_count;
	int64_t *symbols; /* per kernel symbol: value of parameters, block and grid sizes; threads, blocks, iterators 0
	                   */
	bool *symbol_known;
};
/*
 * The cases of an analysis: its launches, or the configuration given in options. Unknown kernel names, argument names
 * or index files are errors (reported; returns false).
 */
bool case_find_all(struct arena *arena, const struct analysis *analysis, const struct case_options *options,
                   struct launch_case **cases, unsigned *count, struct diagnostics *diagnostics);

/* ---- between its files and for bundles ----------------------------------------------- */

void case_note(struct arena *arena, struct launch_case *launch, const char *text);
/* Adds what was assumed, and its note. */
void case_assume(struct arena *arena, struct launch_case *launch, struct case_assumption assumption);

/* Whether a name or pattern means the kernel, and whether the options take it. */
bool case_kernel_named(const struct kernel *kernel, const char *pattern);
bool case_kernel_selected(const struct kernel *kernel, const struct case_options *options);
/* The kernel that the name of an option is given for ("kernel" in kernel:n), or NULL for all; *rest: the name behind
 * it. */
const char *case_option_kernel(struct arena *arena, const char *name, const char **rest);
/* The last value given for a name in a kernel, one for the kernel alone before one for all; or NULL. */
const struct named_value *case_option(struct arena *arena, const struct named_value *list, unsigned count,
                                      const struct kernel *kernel, const char *name);
/* The member of the parameter's record that "p.next" names, where the parameter is called p; or NULL. */
const struct leaf *case_member_named(const struct parameter *parameter, const char *called, const char *name);
/* How the host calls the array that a launch passes for a parameter; NULL where that is not known, or a parameter of
 * the kernel is called so. */
const char *case_host_name(const struct kernel *kernel, const struct launch *found, const struct parameter *parameter);
/* Reports names that no kernel has. */
void case_options_check(struct arena *arena, const struct analysis *analysis, const struct case_options *options,
                        struct diagnostics *diagnostics);

/* Grid and block as the host says them, with an extent that no launch can have. */
void case_dimensions_said(const struct launch_case *launch, int64_t grid[3], int64_t block[3]);

/* Whether the kernel looks at a symbol where positions matter: in indices, guards, loops. */
bool case_kernel_mentions(const struct kernel *kernel, const struct symbol *symbol);
/* Changes block and grid; dynamic shared memory follows. Returns why that cannot be, or NULL. */
const char *case_dimensions_change(struct launch_case *launch, const struct case_change *change);
/* Sets the threads of a block, with the grid for as many threads in all. Returns false where its axes do not allow it.
 */
bool case_block_set(struct launch_case *launch, uint64_t threads);
/* Another instance of the kernel's template that the file launches, or NULL. */
const struct kernel *case_sibling(const struct analysis *analysis, const struct kernel *kernel);
/* Fits grid and block of a launch, which is another instance's, to the kernel. */
void case_instance_fit(struct arena *arena, struct launch_case *launch);
/* The block that the kernel's template arguments say; 0: none, or several could be one. */
uint64_t case_instance_block(const struct kernel *kernel);
/* Whether positions along the axis do not follow the block's size. */
bool case_block_is_fixed(const struct kernel *kernel, unsigned axis);
/* Whether the change is of that scalar, which a kernel calls `name`. */
bool case_change_means(const struct kernel *kernel, const struct case_change *change, const char *name);
/* Lets the grid follow a scalar. before: the launch as it is without the change. */
void case_grid_follow(struct launch_case *launch, const struct launch_case *before, const struct case_change *change);
/* The elements of an array of which the host says `extent` without the change. */
uint64_t case_extent_follow(const struct launch_case *before, const struct case_change *change, uint64_t extent);

/* An integer expression. Returns false where it is none. */
bool case_integer_parse(const char *text, int64_t *value);
/* A value of that type: integers, the bits of floats. Returns what is wrong with it, or NULL. */
const char *case_value_parse(struct arena *arena, const char *text, const struct type *type, int64_t *value);
int64_t case_real_bits(double value, uint64_t size_bytes);

/* The elements of all arrays, and the pointees. Requires the symbols. */
void case_extents_fill(struct arena *arena, struct launch_case *launch, struct launch_case *before,
                       const struct case_options *options, struct diagnostics *diagnostics);
/* What arrays hold that say where rows begin and end. Requires extents and declared contents. */
void case_rows_assume(struct arena *arena, struct launch_case *launch, double trips);
/* The elements of an array, where its declaration, the user or the host says them; else 0. */
uint64_t case_elements_said(const struct launch_case *launch, const struct array *array);
/* Notes each access that reaches behind the end of an array whose size is said. */
void case_beyond_note(struct arena *arena, const struct launch_case *launch, struct diagnostics *diagnostics);
/* What is passed for an array of a parameter, or NULL where nobody knows. */
const struct host_value *case_value_passed(const struct launch *found, const struct array *array);
/* Contents that the program was seen to put into memory, where no option says otherwise. Requires the extents. */
void case_contents_take(struct arena *arena, struct launch_case *launch);
/* Elements and content of an array that a parameter, or a member of one, points to; NULL for others. */
uint64_t *case_extent(struct launch_case *launch, const struct array *array);
struct content *case_content(struct launch_case *launch, const struct array *array);
void case_dimensions_fill(struct arena *arena, struct launch_case *launch, const struct launch *found,
                          const struct case_options *options);
/* Scalars as far as they are known, and the symbols. Requires grid and block. */
void case_scalars_fill(struct arena *arena, struct launch_case *launch, const struct launch *found,
                       const struct case_options *options, struct diagnostics *diagnostics);
/* Sets a parameter, or the member of one that is a record. */
void case_scalar_set(struct launch_case *launch, const struct parameter *parameter, const struct leaf *leaf,
                     int64_t value);
/* The member that a symbol stands for, or NULL where it is the parameter itself. */
const struct leaf *case_symbol_leaf(const struct symbol *symbol);
/* The integers that are not known. trips: of a loop inside a thread. */
void case_scalars_assume(struct arena *arena, struct launch_case *launch, const struct launch *found, double trips);
/* Per symbol its largest value; an iterator's is its trip count for the largest values of the symbols before it, less
 * one. */
int64_t *case_symbol_maxima(struct arena *arena, const struct launch_case *launch);
/* What index arrays and integer members of records hold. Requires the extents. */
void case_contents_fill(struct arena *arena, struct launch_case *launch, const struct case_options *options,
                        double trips, struct diagnostics *diagnostics);
/* Content of members that the host's code says, where no option did. Requires the extents. */
void case_contents_state(struct arena *arena, struct launch_case *launch);
/* What is declared of a member, or NULL. */
const struct content *case_member_content(const struct launch_case *launch, const struct parameter *parameter,
                                          const struct leaf *leaf);

#endif
