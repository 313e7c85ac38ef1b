/*
 * code: the code of a launch in each layout, and what of it belongs to what in the source.
 *
 *   variants.c  which assignments of layouts are compared, and the function of a kernel in each
 *   build.c     compiling them
 *   arguments.c what a kernel is called with there
 *   placed.c    a source access in a layout: what its lanes address
 *   branches.c  guards of the code <-> conditions of the source: how often they hold
 *   matching.c  instructions and loops of the code <-> accesses and loops of the source
 *   same.c      launches that execute the same code on the same arguments
 *
 * Prefixes: code_; placed_ for accesses in layouts.
 */
#ifndef COALESCE_MODEL_CODE_CODE_H
#define COALESCE_MODEL_CODE_CODE_H

#include "layouts/layouts.h"
#include "model/cases/cases.h"
#include "model/compile/compile.h"
#include "model/machine/machine.h"
#include "ptxparse/ptxparse.h"

/* ---- variants.c ---------------------------------------------------------------------- */

/* One assignment of layouts. group is an index into the groups, UINT_MAX for the file as written. */
struct variant {
	unsigned group, tile;
	const struct layout *layout;
	struct rewritten *rewritten;
	unsigned unit; /* namespace coalesce_<unit> of the translation unit */
	bool has_code;
	const struct ptx_module *own;            /* the user's own code (--ptx), or NULL */
	const struct compilation **compilations; /* that gave the code of each kernel; NULL for the user's own */
	bool alone; /* no namespace is around the kernels: a unit of its own, or the user's PTX */
};
struct variants {
	struct variant *list;
	unsigned count;
};
struct variant_request {
	const struct analysis *analysis;
	const struct layout_groups *groups;
	const struct layout *const *rank;
	unsigned rank_count;
	const unsigned *tiles;
	unsigned tile_count;
	struct diagnostics *diagnostics;
};
/* Fills the list: the file as written first; then each group in each layout and tile. What cannot be rewritten is left
 * out (reported there). */
void code_variants(struct arena *arena, const struct variant_request *request, struct variants *variants);
/* The distinct sources among them, in order; sets variant.unit to their position. */
struct rewritten **code_variants_distinct(struct arena *arena, struct variants *variants, unsigned *count);
/* What gave a kernel's code in a variant; NULL for the user's own, and for a kernel that was not wanted. */
const struct compilation *code_compilation(const struct variant *variant, const struct kernel *kernel,
                                           const struct analysis *analysis);
/* The compiled kernel of a variant in a module, by mangled name, template arguments and lines, or NULL. */
struct ptx_function *code_function(struct arena *arena, const struct variant *variant, const struct ptx_module *module,
                                   const struct kernel *kernel, const struct analysis *analysis);
/* The placement of a group among those of a rewritten file. */
const struct placement *code_placement_of(const struct layout_groups *groups, struct placement *const *placements,
                                          const struct layout_group *group);
/* A kernel as it is in a rewritten file. */
const struct variant_kernel *code_kernel_in(const struct rewritten *rewritten, const struct kernel *kernel);
/* Whether a variant is a row of that kernel: its group is one that the kernel uses, and the kernel could be rewritten;
 * as written: no variant does. */
bool code_variant_wanted(const struct layout_groups *groups, const struct variants *variants,
                         const struct kernel *kernel, const struct variant *variant);

/* ---- build.c ------------------------------------------------------------------------- */

/* Code for all variants. */
struct code_build {
	const struct analysis *analysis;
	const struct layout_groups *groups;
	struct variants *variants;
	const struct named_value *ptx_files; /* the user's own PTX: layout and file */
	unsigned ptx_file_count;
	struct compile_request request; /* all but text and instances */
	unsigned programs;              /* how many may be compiled at the same time */
	struct diagnostics *diagnostics;
	/* What comes out. */
	struct compilation **compilations;
	unsigned compilation_count;
	struct tool_time time; /* in compilers */
};
/*
 * Gives the variants their code. One that does not compile is reported, and has none. Returns false where the file as
 * written does not compile, or a file cannot be read (reported).
 */
bool code_build(struct arena *arena, struct code_build *build);
/* What the host copies to constant memory, as far as it is known: as many as analysis->host_symbols. */
const struct ptx_content *code_symbols(struct arena *arena, const struct analysis *analysis);

/* ---- what cost models see ------------------------------------------------------------ */

/* What a buffer of the evaluation holds: a group's buffer, or an unchanged array parameter. */
struct buffer_owner {
	const struct parameter *parameter; /* of the kernel as written; the first of a merged one */
	const struct array *array_pointed; /* where a member of a record passed by value points to it; else NULL */
	const struct placement *placement; /* NULL for unchanged parameters */
	const struct layout_group *group;
	unsigned array, buffer;
};
/* The code of a kernel in one form, and what a launch of it executes. All NULL where there is no such code, or it was
 * not evaluated. */
struct code_view {
	const struct ptx_module *module;
	const struct ptx_function *function;
	const struct evaluate_input *input; /* what was evaluated: for traces */
	const struct evaluation *evaluation;
};
/* Bytes of lines that are loaded, and of those that are stored to alone; INFINITY where the program has not used the
 * buffer before. */
struct reuse {
	double loaded, stored;
};
/* What a launch of a program finds in the L2. */
struct launch_start {
	/* Per buffer of the view: bytes of lines that the L2 takes in between two uses of one of the buffer's lines,
	 * that line's own among them. */
	const struct reuse *reuse;
	double dirty_bytes; /* of lines that the program wrote and that may not be in DRAM yet */
};
struct code_match;
struct thesis_readings;
struct supposition;
struct estimate;
/* One launch in one variant on one machine: all that a cost model may see. */
struct launch_view {
	const struct machine *machine;
	const struct thesis_readings *readings;
	const struct launch_start
		*start; /* NULL: the measuring protocol, an L2 full of dirty lines that nobody uses again */
	const struct supposition *supposed; /* of one line, where a model can; or NULL */
	const struct estimate *alike;       /* of a launch that is code_same(); or NULL */
	const struct analysis *analysis;
	const struct launch_case *launch;
	const struct layout_groups *groups;
	struct placement *const *placements; /* one per group */
	const struct variant_kernel *kernel; /* its parameters in this variant */
	struct code_view ptx, machine_code;
	const struct kernel_resources *resources; /* what ptxas says, or NULL */
	const struct memory_buffer *buffers;      /* those of both evaluations */
	const struct buffer_owner *owners;        /* what each buffer is */
	unsigned buffer_count;
	const struct code_match *match; /* of the PTX with the source, where it has been made; or NULL */
};

/* ---- arguments.c -------------------------------------------------------------------- */

/* Elements of the array that a parameter of a variant belongs to: of a group's arrays, the largest extent of those the
 * kernel uses. */
uint64_t code_group_elements(const struct launch_case *launch, const struct layout_groups *groups,
                             const struct variant_parameter *parameter);
/* The arguments of a launch, one for each PTX parameter, and the view's buffers with their owners. Requires the view's
 * PTX function. */
const struct argument *code_arguments(struct arena *arena, struct launch_view *view);
/* What a launch has in the variables in constant memory that its kernel reads numbers from, one after the other. */
const struct ptx_content *code_constants(struct arena *arena, const struct launch_case *launch);

/* ---- placed.c ------------------------------------------------------------------------ */

#define WHOLE_ELEMENT UINT32_MAX

/* Where a source access lies in the layout being estimated. placement is NULL for arrays that keep their form. */
struct placed_access {
	const struct access *access;
	const struct placement *placement;
	unsigned field; /* of the placement's group, or WHOLE_ELEMENT */
};
struct placed_access placed_find(const struct launch_view *view, const struct access *access);
/*
 * Bytes from one element to the next as the thesis's eq. 3 takes them: the record, or the member where members are
 * apart. padded: the record with the layout's padding, else its members alone.
 */
unsigned placed_element_bytes(const struct placed_access *placed, bool padded);
/*
 * Byte offsets that the 32 lanes of the block's first warp address, for iterators at 0; *mask: which lanes exist.
 * Offsets are in the buffer that holds the field. Returns false where the index is not a function of known values.
 * values: one per kernel symbol, overwritten.
 */
bool placed_lane_offsets(const struct launch_view *view, const struct placed_access *placed, int64_t *values,
                         uint64_t offsets[WARP_LANES], uint32_t *mask);
/* "x" for a member, NULL for a plain array's element; all members joined for a whole record. */
const char *placed_member_name(struct arena *arena, const struct placed_access *placed);
/*
 * Average trips of a source loop per entry, with outer iterators in the middle of their ranges. Where trips depend on
 * the thread, a warp runs as often as the lane that runs most; Table 4.2 counts so in CORR.
 */
bool placed_loop_trips(const struct launch_view *view, const struct loop *loop, double *trips);
/*
 * The most trips of a loop that may end before its count: that count, or those until it comes to the end of an array
 * whose elements end it. Where threads or outer loops each walk a part of the array, to the end of the part. 0: neither
 * is known.
 */
double placed_loop_most(const struct launch_view *view, const struct loop *loop);

/* ---- branches.c ---------------------------------------------------------------------- */

/* How often conditions on data hold, as the user says, of all and of single lines of the kernel's file. */
struct branch_line {
	unsigned line;
	double probability;
};
struct branch_options {
	bool told; /* the user says `probability` */
	double probability;
	const struct branch_line *lines; /* the last one of a line counts */
	unsigned line_count;
};
/* How often the guard of each instruction of the code holds. Requires its cfg. */
const struct guard_share *code_guard_shares(struct arena *arena, const struct launch_view *view,
                                            const struct code_view *code, const struct branch_options *options);

/* ---- ranges.c ------------------------------------------------------------------------ */

/* Which number of trips is assumed of loops that data end and the source bounds: the mean, one, or the most. */
enum trips_side { TRIPS_MEAN, TRIPS_LEAST, TRIPS_MOST };
/* One for each loop of the code. Requires its cfg. */
const struct loop_range *code_loop_ranges(struct arena *arena, const struct launch_view *view,
                                          const struct code_view *code, enum trips_side side);

/* ---- same.c -------------------------------------------------------------------------- */

/* Whether two evaluated launches execute the same machine code on the same arguments and buffers, which may have other
 * names. */
bool code_same(const struct launch_view *a, const struct launch_view *b);
/* Whether the evaluation of one view's code is, word by word, that of another's, whose input is there; of one that is
 * not evaluated yet, whether it may be. */
bool code_evaluates_same(const struct code_view *evaluated, const struct code_view *code);
/* A hash of code and input. Codes that are the same, in either meaning above, have the same hash. Requires an input. */
uint64_t code_hash(const struct code_view *code);

/* ---- matching.c ---------------------------------------------------------------------- */

/* What a memory instruction of the code accesses. */
struct insn_match {
	const struct buffer_owner *owner; /* NULL: not global memory that an array parameter owns */
	const char *member;               /* "x", "x,y,z", NULL */
	const struct access *access;      /* the source access it belongs to, or NULL */
};
struct code_match {
	struct insn_match *insns;  /* one for each instruction */
	const struct loop **loops; /* source loop of each loop of the code, or NULL */
	double *loop_trips;        /* trips per entry of each */
};
/* Where the instruction stands in the kernel's own file, or else in the file it was inlined from; line 0 where .loc
 * does not say. */
struct place code_place(const struct launch_view *view, const struct code_view *code, uint32_t index);
/* The same for another file than the kernel's, by its name without folders. */
struct place code_place_in(const struct code_view *code, uint32_t index, const char *file);
/* The innermost of the module's places that is no text of the rewriting's own, going outwards through inlined calls; 0:
 * there is none. */
uint32_t code_source_place(const struct ptx_module *module, uint32_t place);
/* The next place outwards in the source. */
uint32_t code_outer_place(const struct ptx_module *module, uint32_t place);
/* By their names without folders. */
bool code_same_file(const char *a, const char *b);
/* The source loop that a loop of the code belongs to, or NULL. */
const struct loop *code_source_loop(const struct launch_view *view, const struct code_view *code, uint32_t loop);
/* Matches the view's evaluated PTX with the source, or gives the match that the view has. */
const struct code_match *code_match_source(struct arena *arena, const struct launch_view *view);

#endif
