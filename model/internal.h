/*
 * What the files of model/ share: how a source access lies in a layout, which source access and loop the compiled code's instructions and loops belong
 * to, and the thesis's latency equations.
 */
#ifndef COALESCE_MODEL_INTERNAL_H
#define COALESCE_MODEL_INTERNAL_H

#include "model/model.h"

/* ---- layout_access.c: a source access in a layout ---------------------------------- */

#define WHOLE_ELEMENT UINT32_MAX

/* Where a source access lies in the layout being estimated. placement is NULL for arrays that keep their form. */
struct placed_access {
	const struct access *access;
	const struct placement *placement;
	unsigned field; /* of the placement's group, or WHOLE_ELEMENT */
};
struct placed_access access_place(const struct estimate_input *input, const struct access *access);
/*
 * Bytes from one element to the next as the thesis's eq. 3 takes them: the record, or the member where members are apart. padded: the record with the layout's
 * padding, else its members alone.
 */
unsigned placed_element_bytes(const struct placed_access *placed, bool padded);
/*
 * Byte offsets that the 32 lanes of the block's first warp address, for iterators at 0; *mask: which lanes exist. Offsets are in the buffer that holds the field.
 * Returns false where the index is not a function of known values. values: one per kernel symbol, overwritten.
 */
bool placed_lane_offsets(const struct estimate_input *input, const struct placed_access *placed, int64_t *values,
                         uint64_t offsets[WARP_LANES], uint32_t *mask);
/* "x" for a member, NULL for a plain array's element; all members joined for a whole record. */
const char *placed_member_name(struct arena *arena, const struct placed_access *placed);
/*
 * Average trips of a source loop per entry, with outer iterators in the middle of their ranges. Where trips depend on the thread, a warp runs as often as the lane
 * that runs most; Table 4.2 counts so in CORR.
 */
bool loop_average_trips(const struct estimate_input *input, const struct loop *loop, double *trips);
/* An array of symbol values with launch constants filled in and threads, blocks and iterators of `loop`'s parents in the middle of their ranges. */
int64_t *symbols_middle(struct arena *arena, const struct estimate_input *input);

/* ---- cases.c, case_contents.c --------------------------------------------------------------- */

void case_note(struct arena *arena, struct launch_case *launch, const char *text);
/* The last value given for a name, or NULL. */
const struct named_value *option_find(const struct named_value *list, unsigned count, const char *name);
/* What index arrays and integer members of records hold. Requires the extents. */
void case_contents_fill(struct arena *arena, struct launch_case *launch, const struct case_options *options,
                        struct diagnostics *diagnostics);
/* The integer member of the parameter's records that "p.next" names, or NULL. */
const struct leaf *case_member_named(const struct parameter *parameter, const char *name);
/* What the user declared of a member, or NULL. */
const struct content *case_member_content(const struct launch_case *launch, const struct parameter *parameter,
                                          const struct leaf *leaf);

/* ---- matching.c: compiled code <-> source ------------------------------------------------ */

/* What a PTX memory instruction accesses. */
struct insn_match {
	const struct buffer_owner *owner; /* NULL: not global memory that an array parameter owns */
	const char *member;               /* "x", "x,y,z", NULL */
	const struct access *access;      /* the source access it belongs to, or NULL */
};
struct code_match {
	struct insn_match *insns;  /* one for each instruction */
	const struct loop **loops; /* source loop of each PTX loop, or NULL */
	double *loop_trips;        /* trips per entry of each PTX loop */
};
/* Where the instruction stands in the kernel's own file, or else in the file it was inlined from; line 0 where .loc does not say. */
struct place insn_place(const struct estimate_input *input, uint32_t index);
struct code_match *match_code(struct arena *arena, const struct estimate_input *input);

/* ---- variants.c: which layouts are compared, and their code ------------------------------- */

/* One assignment of layouts. group is an index into the groups, UINT_MAX for the file as written. */
struct variant {
	unsigned group, tile;
	const struct layout *layout;
	struct rewritten *rewritten;
	unsigned unit;                   /* namespace coalesce_<unit> of the translation unit */
	const struct ptx_module *module; /* its code: the translation unit's, or the user's own (--ptx) */
	bool own_code;                   /* module is the user's: no namespace around the kernels */
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
/* Fills the list: the file as written first; then each group in each layout and tile. What cannot be rewritten is left out (reported there). */
void variants_make(struct arena *arena, const struct variant_request *request, struct variants *variants);
/* The distinct sources among them, in order; sets variant.unit to their position. */
struct rewritten **variants_distinct(struct arena *arena, struct variants *variants, unsigned *count);
/* The compiled kernel of a variant by mangled name, template arguments and lines, or NULL. */
struct ptx_function *variant_function(struct arena *arena, const struct variant *variant, const struct kernel *kernel,
                                      const struct analysis *analysis);

/* ---- predict.c: launches in variants ------------------------------------------------------- */

/* Elements of the array that a parameter of a variant belongs to: of a group's arrays, the largest extent of those the kernel uses. */
uint64_t group_elements(const struct launch_case *launch, const struct layout_groups *groups,
                        const struct variant_parameter *parameter);
/* The placement of a group among those of a rewritten file. */
const struct placement *placement_of(const struct layout_groups *groups, struct placement *const *placements,
                                     const struct layout_group *group);
/* A kernel as it is in a rewritten file. */
const struct variant_kernel *kernel_in(const struct rewritten *rewritten, const struct kernel *kernel);
/* Whether a variant is a row of that kernel: its group is one that the kernel uses, and the kernel could be rewritten; as written: it uses none. */
bool row_wanted(const struct prediction *result, const struct kernel *kernel, const struct variant *variant);

/* ---- latency.c: eqs. 4 to 8 ----------------------------------------------------------------- */

/* A memory access of a warp: T transactions and its probability of an L2 hit. */
struct warp_access {
	double transactions, hit_rate;
};
/*
 * Latency in cycles of an access; previous is the memory access just before it when both overlap (independent and not waited for between), else NULL.
 */
double warp_access_latency(const struct machine *machine, const struct warp_access *access, const struct warp_access *previous);
/* T of Fig. 3.10, by enumeration: distinct L2 lines that the lanes touch, the lowest address beginning one; 1 to 32. */
double warp_transactions(const struct machine *machine, const uint64_t addresses[WARP_LANES], uint32_t mask, unsigned bytes);

/* ---- hits.c: L2 hit rates (thesis section 3.5.1) ------------------------------------------------ */

/* hit_rates[access->index] for every access of the kernel in this layout, from its normal form and loop nest. */
double *source_hit_rates(struct arena *arena, const struct estimate_input *input);
/* Transactions of an access whose lanes touch that many lines, by the reading of accesses that no loop moves. */
double access_transactions(const struct estimate_input *input, const struct access *access, double lines);

/* ---- report.c: what all estimates fill in ----------------------------------------------------------- */

void estimate_note(struct arena *arena, struct estimate *estimate, const char *text);
/* Adds an access to the estimate's list, merged with an equal one (array, member, kind, place, width). */
void estimate_add_access(struct arena *arena, struct estimate *estimate, const struct access_estimate *access);
/* Class of a request from its lanes: see enum coalescing. */
enum coalescing coalescing_of(const uint64_t addresses[WARP_LANES], uint32_t mask, unsigned bytes, double sectors);
/* Sectors that the loads and stores of one warp move, and those of them that hit the L2. */
struct l2_traffic {
	double read_sectors, read_hits, write_sectors, write_hits;
};
void l2_traffic_add(struct l2_traffic *traffic, const struct access_estimate *access);
/* The L2's and DRAM's counts of a method that ignores L1: every sector goes to the L2, what misses there is read from DRAM, what is written goes to DRAM. */
void l2_traffic_counts(const struct l2_traffic *traffic, struct counts *counts);
/* Counts that follow from the evaluation alone; the cache's and DRAM's are NAN. */
struct counts counts_from_evaluation(const struct estimate_input *input);
/* Warps of a launch and, for a block of this size with `registers`, the share of the SM's warps that are resident. */
double launch_warps(const struct launch_case *launch);
double launch_occupancy(const struct machine *machine, const struct launch_case *launch, unsigned registers, uint64_t shared_bytes);

/* One sentence: how the recommended row differs from the written one (or from the slowest), and on which line. */
const char *verdict_why(struct arena *arena, const struct case_result *result, const struct verdict *verdict);
/*
 * Time in seconds of a launch whose warps take that many cycles each. The thesis predicts cycles per warp only and ranks by them; the time is
 * that of all warps in the waves that the block size alone allows (registers would change the thesis's ranking).
 */
double latency_bound_time(const struct estimate_input *input, double cycles_per_warp);

#endif
