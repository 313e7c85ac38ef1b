/*
 * run: one warp from entry to exit, speaking for a box of warps.
 *
 * A stack of masks holds lanes that have parted (struct entry). A step's result is computed in compute/, its requests
 * are counted in count/. At a loop's header the loop is looked at (loop.c): when the live registers have grown by the
 * same deltas in one trip, the next trip is followed along an axis of its own, the trip number; if that trip proves
 * that all are alike, registers and counts are advanced over all of them at once (advance.c). A loop of a sampled warp
 * that finds no steady state is run in windows or stretches of trips that stand for others (advance.c, stretch.c).
 *
 *   run.c         a run made, begun and ended          memory.c   memory instructions
 *   warp.c        blocks, steps, calls                 local.c    what local memory holds
 *   branch.c      where control goes                   frame.c    loops under way
 *   activation.c  registers, the stack of masks        loop.c     steady states found and proved
 *   assume.c      what is assumed, and said so         advance.c  trips that are alike, in one go
 *   limits.c      what one warp may cost               stretch.c  trips that are not
 *
 * The only recursion is warp_run() for called functions, within warp.c.
 * Prefixes: run_, warp_, activation_, branch_, memory_, local_, frame_, loop_, advance_, stretch_.
 */
#ifndef COALESCE_MODEL_EXECUTE_RUN_H
#define COALESCE_MODEL_EXECUTE_RUN_H

#include "model/execute/compute/compute.h"
#include "model/execute/run/frame.h"

/* ---- a launch being evaluated --------------------------------------------------------------------- */

/* A set of warps with the same lanes: an arithmetic progression along each axis. */
struct box {
	uint32_t group;
	int64_t start[LAUNCH_AXES], step[LAUNCH_AXES], count[LAUNCH_AXES];
};

/* Warps of a block that one box can hold: thread ids of the first, and how they grow along the warp axes. */
struct warp_group {
	uint32_t first_warp, mask;
	int64_t count[3];
	int64_t thread_slope[3][3];  /* [warp axis][thread id x, y, z] */
	int64_t warp_slope[3];       /* of the number of the warp */
	struct warp_value thread[3]; /* thread ids of the first warp */
};

/*
 * How a run treats what declared content scatters. EXACT: it ends boxes, and loops are stepped where that can be
 * afforded. SHAPE: addresses that are scattered do not matter. SAMPLE: one warp is run, and a few trips of a loop may
 * stand for others.
 */
enum evaluate_mode { MODE_EXACT, MODE_SHAPE, MODE_SAMPLE };

struct evaluator {
	struct arena *arena, *scratch; /* of the results; of everything else */
	const struct evaluate_input *input;
	struct evaluation *result;
	struct plans plans;
	const struct plan *plan; /* of the kernel */
	struct counts_shape layout;
	struct warp_group *groups;
	uint32_t group_count;
	struct effort effort;
	enum evaluate_mode mode;
	bool random;           /* declared content that is not linear was loaded */
	bool scatters;         /* an address that is not linear has ended a box */
	bool *scattered;       /* SHAPE: by slot, whether it has such an address */
	uint64_t sample_limit; /* SAMPLE: steps of one warp */
	bool shortened;        /* SAMPLE: some trips of a loop stood for others */
	bool cut;              /* SAMPLE: a warp was not run to its end */
	bool rough;            /* alignment is averaged: following it took too long */
	bool *assumed;         /* by instruction: already in the list */
	bool said_usual;       /* that special cases of arithmetic are taken not to occur */
};

/* ---- one run ------------------------------------------------------------------------------------------ */

/* Loops under way, and by loop of the kernel what is known of them. */
struct run_loops {
	struct loop_frame frames[LOOP_FRAMES];
	uint32_t frame_count;
	struct loop_memory *memories;
	double *distance, *mean_distance; /* see struct compute_place */
	uint64_t *entered;                /* steps of the run when the loop was entered */
};

/* Functions called. */
struct run_calls {
	struct activation *spare; /* all that were made */
	uint32_t depth;
	uint32_t insn; /* call of the kernel that is being followed */
};

/* The representative. */
struct run_place {
	const struct box *box;
	struct warp_value specials[SPECIAL_OTHER + 1];
	uint64_t draw; /* SAMPLE: number of the warp in the sample */
};

/* What a warp has put into its local memory (local.c). */
struct local_memory;

/* How it ended: to its exit unless cut, or split (struct axes) in which case it says nothing. */
struct run_ending {
	bool cut;
	const char *why;
	uint32_t insn;
	bool too_long; /* EXACT, SHAPE: not to be followed within the steps allowed; what was counted is of no use */
};

struct run {
	struct evaluator *evaluator;
	struct run_place place;
	struct axes axes;
	struct counting counting;
	struct run_loops loops;
	struct run_calls calls;
	struct run_ending ending;
	struct effort effort;
	struct local_memory *local; /* NULL: not kept */
	bool uncertain;             /* inside one side of a branch that was weighed, not followed */
	uint32_t shifts;            /* unknown numbers met so far that all lanes have in common */
	bool *supposed;             /* by instruction of the kernel: numbers that it loads are only supposed */
	uint64_t turn; /* of warps that draw from a counter: how many of them have before, as far as that is supposed */
	bool usual;    /* the step just run took an unknown number for none of arithmetic's special cases */
};

static inline bool run_goes_on(const struct run *run)
{
	return !run->ending.cut && !run->axes.split;
}

static inline bool run_is_cut(const struct run *run)
{
	return run->ending.cut && !run->axes.split;
}

/* ---- run.c ---------------------------------------------------------------------------------------------- */

struct run *run_make(struct evaluator *evaluator);
/* Runs the first warp of the box. */
void run_box(struct run *run, const struct box *box);

/* ---- limits.c ------------------------------------------------------------------------------------------- */

/* Steps that one warp may take. */
uint64_t run_limit(const struct evaluator *evaluator);
/* The run is over: cut short; what was wanted of the axes does not matter. */
void run_cut(struct run *run);
/* Declared content that is not linear is loaded: fewer steps are spent on exactness. */
void run_is_random(struct run *run);

/* ---- activation.c ----------------------------------------------------------------------------------------- */

/* Registers for running a function, all zero. */
struct activation *activation_make(struct run *run, const struct plan *plan, struct activation *caller);
/* Where its steps are computed. */
struct compute_place activation_place(struct run *run, struct activation *activation);

/* ---- memory.c --------------------------------------------------------------------------------------------- */

/*
 * Whether an address that is made of real numbers which are only supposed leads the lanes to a few places alike, in a
 * buffer that has many: numbers of the same size say nothing of where in a grid particles are, which may be anywhere.
 * Or whether it is made of integers that are only supposed, and scrambled.
 */
bool memory_says_little(const struct run *run, const struct step *step, const uint64_t lanes[WARP_LANES],
                        uint32_t mask);
/* The space that an address leads to: a generic one shows it. */
enum ptx_space memory_space(const struct step *step, const struct warp_value *address, uint32_t mask);
/* What the instruction loads, put in its targets: declared content, else something unknown. */
void memory_load(struct run *run, struct activation *activation, const struct step *step,
                 const struct warp_value *address, uint32_t mask, uint32_t live);

/* ---- local.c ---------------------------------------------------------------------------------------------- */

/* What a load brings: so many bytes behind its address, into a register of `bits` bits. */
struct local_element {
	uint32_t offset, bytes, bits;
	bool is_signed;
};
/* Local memory in which nothing is known. */
struct local_memory *local_make(struct arena *arena);
/* Nothing is known of it any more. NULL: none. */
void local_forget(struct local_memory *local);
/* Keeps what the lanes of mask store at an address in local memory. */
void local_store(struct run *run, struct activation *activation, const struct step *step,
                 const struct warp_value *address, uint32_t mask);
/* What the lanes of mask find at an address; false where that is not known. */
bool local_load(struct run *run, const struct warp_value *address, const struct local_element *element, uint32_t mask,
                struct warp_value *result);

/* ---- branch.c --------------------------------------------------------------------------------------------- */

/* How a guard comes out: lanes known to pass, and lanes of which it is not known. */
struct outcome {
	uint32_t yes, unknown, origin;
	bool common; /* unknown, but the same for all lanes */
};
/* What is expected of lanes of which each goes a way by itself, with the same chance. */
struct lane_draw {
	double weight; /* how often one of them does, at least */
	unsigned
		lanes; /* how many then, on average: 1 at least where there is a weight; certain ones are not counted */
};
/* drawn: lanes of which it is not known; certain: others that go there. */
struct lane_draw branch_way(unsigned drawn, unsigned certain, double chance);
/* So many of the lanes, in a fixed order that looks random. */
uint32_t branch_lanes(uint32_t lanes, unsigned wanted, uint32_t seed);

/* The rest of warp.c, branch.c, memory.c and activation.c is in run/steps.h; frame.c, loop.c, advance.c, stretch.c in
 * run/loops.h. */

#endif
