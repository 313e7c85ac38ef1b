/*
 * The evaluator's data: registers, axes, a function prepared for running, counts, a run. internal.h says what is done with them.
 */
#ifndef COALESCE_MODEL_EVALUATE_TYPES_H
#define COALESCE_MODEL_EVALUATE_TYPES_H

#include "model/execute/evaluate.h"

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

#define ALL_LANES UINT32_MAX
#define LAUNCH_AXES 6 /* block x, y, z; warp of the block along x, y, z */
#define MAX_AXES 16   /* and one for each loop being advanced */
#define MAX_PERIOD 64 /* trips or blocks after which alignment must repeat to be followed exactly */
#define NO_AXIS UINT32_MAX
#define NO_SLOT UINT32_MAX
#define NO_INDEX UINT32_MAX

/* ---- registers ------------------------------------------------------------------------ */

enum value_form { FORM_LINE, FORM_LANES };
/* SHIFTED: differences between lanes are known, their common base is not. */
enum value_doubt { KNOWN, SHIFTED, UNKNOWN };

/*
 * A register of a warp. FORM_LINE: lane l holds base + l * step; FORM_LANES: lane[l]; both modulo 2^bits. Predicates
 * (bits 1): base holds the lanes that are true, step those that are not known. unset: never written.
 */
struct value {
	uint8_t form, doubt, bits;
	bool unset;
	uint32_t origin; /* instruction that made it unknown; of a known predicate the number of its comparison */
	uint32_t curved; /* axes along which it is not linear */
	uint64_t base;
	int64_t step;
	int64_t slope[MAX_AXES];
	uint64_t lane[WARP_LANES];
};

/* ---- axes ------------------------------------------------------------------------------- */

/* A number that must not become negative: slack + sum of slope * position on the axes. */
struct bound {
	int128 slack;
	uint32_t owner; /* number of the comparison, alike in all lanes, that made it, or NO_INDEX */
	bool equality;  /* which was == or != */
	int64_t slope[MAX_AXES];
};

struct axis {
	int64_t count;   /* launch axes: points that do the same as the representative */
	bool failed;     /* loops: what happens is not linear in the trip */
	bool soft;       /* loops: only addresses are not, on account of declared random content */
	bool polynomial; /* counts depend on the position, as a polynomial */
	uint64_t period; /* loops: trips that one position should take; 0: hopeless */
	struct bound *bounds;
	size_t bound_count, bound_capacity;
	int64_t most_trips; /* loops: that the bounds so far allow */
	size_t first_event; /* loops: events from here on happened in the trip being followed */
};

/* How often a loop trip repeats: count + sum of slope * position. */
struct trips {
	int64_t count;
	int64_t slope[MAX_AXES];
	bool limited; /* false: nothing ends the loop */
	bool last;    /* one more trip differs in nothing but that the loop is left at its end */
};

/* ---- a function prepared for running ------------------------------------------------------ */

enum source_kind { SOURCE_REGISTER, SOURCE_CONSTANT, SOURCE_SPECIAL };
struct source {
	uint8_t kind, bits; /* bits: that the operation reads */
	bool negated;
	uint32_t reg; /* register of the slice, or enum ptx_special */
	const struct value *constant;
};

/* A division by a constant as compilers write it: x * multiplier >> shift. */
struct magic {
	struct source x;
	uint64_t multiplier;
	unsigned shift, bits; /* bits: of x; shift 0: this is none */
	bool is_signed;
};

/* One instruction that is run. Its block counts all others. */
struct step {
	const struct ptx_insn *insn;
	uint32_t index;
	uint32_t slot;                            /* of its counters, or NO_SLOT */
	uint32_t guard;                           /* register of the slice, or NO_INDEX */
	uint32_t decides;                         /* loop whose counter it compares with its bound, or PTX_NO_LOOP */
	uint8_t source_count, target_count, bits; /* bits: of the operation's type */
	bool is_signed, is_memory;                /* is_memory: loads or stores by address */
	bool is_counted;                          /* and its requests are counted */
	uint16_t flags;                           /* enum ptx_flags */
	uint8_t space;
	uint32_t bytes;
	int64_t offset; /* memory: added to sources[0] */
	struct source *sources;
	uint32_t *targets; /* registers of the slice, NO_INDEX for those outside */
	const struct plan *callee;
	struct magic magic;
};

struct plan_block {
	struct step *steps;
	uint32_t step_count;
	uint32_t insn_count;       /* executed ones */
	const struct step *branch; /* the branch that ends it, or NULL */
	uint32_t fall, target;     /* blocks, PTX_NO_BLOCK: the exit */
	uint32_t reconverge;
	uint32_t loop;    /* innermost */
	uint32_t heads;   /* loop whose header it is, or PTX_NO_LOOP */
	bool always_trip; /* a header that cannot leave the loop before the trip is over */
	uint64_t *live;   /* set of registers of the slice that are live at its start */
};

/* A byte of a .param variable in a call sequence: it behaves like a register. */
struct parameter_slot {
	const char *symbol;
	int64_t offset;
	uint32_t reg;
};

struct plan {
	const struct ptx_module *module;
	const struct ptx_function *function;
	struct plan_block *blocks;
	uint32_t block_count;
	uint32_t register_count; /* of the slice */
	uint32_t live_words;
	uint8_t *bits; /* width of each register of the slice */
	struct parameter_slot *parameters;
	size_t parameter_count;
	uint32_t slot_count;
	uint32_t *slot_insn;
	uint32_t local_base;     /* not used by kernels: offset of its frame in local memory */
	const struct plan *next; /* of the same evaluation */
};

/* ---- counting ------------------------------------------------------------------------------ */

/* Layout of a vector of counts. */
enum slot_count {
	SLOT_EXECUTIONS,
	SLOT_LANES,
	SLOT_SECTORS,
	SLOT_LINES,
	SLOT_WAVEFRONTS,
	SLOT_CONFLICTS,
	SLOT_KNOWN,
	SLOT_ADDRESSES,
	SLOT_COUNTS
};
struct layout_of_counts {
	size_t instructions, divergent, blocks, loops, slots, total;
};

/*
 * An access whose sectors change along axes. As long as it was met at one place only: its lanes, and how often. Then
 * (tabled) what it touches by its shift in steps of `grain` bytes: sectors and lines; of shared memory passes and conflicts.
 */
struct event {
	uint32_t slot, mask;
	enum ptx_space space;
	unsigned bytes, grain, shifts; /* shifts * grain: bytes after which what it touches repeats */
	uint8_t slope[MAX_AXES];       /* modulo that */
	bool line, tabled;             /* line: address[0] + lane * step */
	double times;
	int64_t step;
	uint64_t address[WARP_LANES];
	double *first, *second; /* kept with the place in the list */
	uint32_t gradient;      /* launch axis by whose position it counts, or NO_AXIS */
	double sign;
};

/* ---- one run --------------------------------------------------------------------------------- */

/* A set of warps with the same lanes: an arithmetic progression along each axis. */
struct box {
	uint32_t group;
	int64_t start[LAUNCH_AXES], step[LAUNCH_AXES], count[LAUNCH_AXES];
};

struct boxes {
	struct box *list;
	size_t count;
};

/* Warps of a block that one box can hold: thread ids of the first, and how they grow along the warp axes. */
struct warp_group {
	uint32_t first_warp, mask;
	int64_t count[3];
	int64_t thread_slope[3][3]; /* [warp axis][thread id x, y, z] */
	int64_t warp_slope[3];      /* of the number of the warp */
	struct value thread[3];     /* thread ids of the first warp */
};

struct entry {
	uint32_t block, stop, from, mask, fence;
	double weight;
};

struct activation {
	const struct plan *plan;
	struct value *registers;
	uint64_t *pending; /* registers live where other lanes wait */
	struct entry *stack;
	uint32_t depth, capacity;
	struct activation *caller;
	uint32_t slot; /* callee: counts go to the call instruction's slot */
	bool busy;
	struct activation *next; /* of all that were made */
};

#define MAX_FRAMES 24
#define MAX_DEGREE 5
enum frame_state { FRAME_PLAIN, FRAME_FOLLOWED, FRAME_SAMPLED };
struct frame {
	const struct activation *activation;
	uint32_t loop, depth, mask, block;
	enum frame_state state;
	bool marked_once, refused, remembered, stretched;
	uint64_t trips; /* arrivals at the header since the loop was entered */
	uint64_t arrivals, marked, patience, failures;
	uint64_t period;
	uint32_t axis;
	struct value *saved; /* live registers at the mark */
	int64_t *delta;      /* by which they grow in one period */
	uint32_t saved_capacity;
	uint32_t outer_degree;
	uint64_t steps;                 /* of the run, at the mark */
	uint32_t gradient_changes;      /* likewise */
	double *counts[MAX_DEGREE + 2]; /* at the mark, and after each sampled period */
	uint32_t samples, wanted;
	struct trips repeat;
	uint32_t windows; /* SAMPLE: trips still to be looked at in this span of alike ones */
	int64_t owed;     /* periods gone over that are not counted yet */
	double distance;  /* of the deciding comparison when the stretch began */
};

/* What following a loop led to last time: tried at once when it is entered again. */
struct loop_memory {
	uint64_t period;
	int64_t *delta;
	bool valid;
	uint32_t misses;
};

/*
 * How a run treats what declared content scatters. EXACT: it ends boxes, and loops are stepped where that can be afforded. SHAPE: addresses
 * that are scattered do not matter. SAMPLE: one warp is run, and a few trips of a loop may stand for others.
 */
enum evaluate_mode { MODE_EXACT, MODE_SHAPE, MODE_SAMPLE };

enum run_end { RUN_GOES_ON, RUN_SPLIT, RUN_CUT };

struct evaluator {
	struct arena *arena, *scratch;
	const struct evaluate_input *input;
	struct evaluation *result;
	const struct plan *plan;
	const struct plan *plans;
	struct layout_of_counts layout;
	struct warp_group *groups;
	uint32_t group_count;
	uint64_t step_limit;
	enum evaluate_mode mode;
	bool random;           /* declared content that is not linear was loaded */
	bool scatters;         /* an address that is not linear has ended a box */
	bool *scattered;       /* SHAPE: by slot, whether it has such an address */
	uint64_t sample_limit; /* SAMPLE: steps of one warp */
	bool shortened;        /* SAMPLE: some trips of a loop stood for others */
	bool cut;              /* SAMPLE: a warp was not run to its end */
	bool rough;            /* alignment is averaged: following it took too long */
	bool *assumed;         /* by instruction: already in the list */
};

struct run {
	struct evaluator *evaluator;
	const struct box *box;
	struct axis axes[MAX_AXES];
	uint32_t launch_axis[LAUNCH_AXES]; /* index in axes, or NO_AXIS where the box has one point */
	uint32_t launch_count, axis_count;
	uint32_t active;     /* axes with more than one point */
	uint32_t polynomial; /* launch axes along which counts vary */
	uint32_t degree;     /* of the counts as polynomials */
	bool bent;           /* counts are not counts + sum of gradient * position */
	uint32_t gradient_changes;
	double *gradient[LAUNCH_AXES]; /* by launch axis; NULL or zero where counts do not change */
	enum run_end end;
	uint32_t comparisons; /* so far: numbers them */
	uint32_t split_axis;
	uint64_t split_period;
	const char *why; /* it was cut */
	uint32_t cut_at;
	struct value specials[SPECIAL_OTHER + 1];
	double *counts, weight;
	struct activation *spare;
	struct event *events;
	size_t event_count, event_capacity;
	struct frame frames[MAX_FRAMES];
	uint32_t frame_count, call_depth;
	struct loop_memory *memories; /* by loop, of the kernel's plan */
	uint32_t call_insn;           /* call of the kernel that is being followed */
	uint32_t warp, block;         /* the representative */
	uint64_t steps, step_limit;
	bool uncertain; /* inside one side of a branch that was weighed, not followed */
	bool inexact;
	bool too_long; /* EXACT, SHAPE: not to be followed within the steps allowed; what was counted is of no use */
	uint64_t draw; /* SAMPLE: number of the warp in the sample */
	/* By loop of the kernel: how far apart the two sides of its deciding comparison were last, in the lane where they were farthest, and on
	 * average; steps of the run when the loop was entered. */
	double *distance, *mean_distance;
	uint64_t *entered;
};

/* While a plan is made. */
struct planner {
	struct evaluator *evaluator;
	struct arena *arena;
	const struct ptx_function *function;
	struct plan *plan;
	bool *needed;     /* by register of the function */
	uint32_t *number; /* register of the function -> of the slice */
	uint32_t *work;   /* registers whose definitions are still to be looked at */
	size_t work_count;
	uint32_t *first_definition, *definitions; /* instructions that write a register */
	uint32_t *decides;                        /* by instruction: loop that its comparison decides, or PTX_NO_LOOP */
};

#endif
