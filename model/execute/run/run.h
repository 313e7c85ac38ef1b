/*
 * run: one warp from entry to exit, speaking for a box of warps.
 *
 * A stack of masks holds lanes that have parted (struct entry). A step's result is computed in compute/, its requests are counted in count/. At a
 * loop's header the loop is looked at (loop.c): when the live registers have grown by the same deltas in one trip, the next trip is followed along an
 * axis of its own, the trip number; if that trip proves that all are alike, registers and counts are advanced over all of them at once (advance.c).
 * A loop of a sampled warp that finds no steady state is run in windows or stretches of trips that stand for others (advance.c, stretch.c).
 *
 *   run.c         a run made, begun and ended          memory.c   memory instructions
 *   warp.c        blocks, steps, calls                 frame.c    loops under way
 *   branch.c      where control goes                   loop.c     steady states found and proved
 *   activation.c  registers, the stack of masks        advance.c  trips that are alike, in one go
 *   assume.c      what is assumed, and said so         stretch.c  trips that are not
 *   limits.c      what one warp may cost
 *
 * The only recursion is warp_run() for called functions, within warp.c.
 * Prefixes: run_, warp_, activation_, branch_, memory_, frame_, loop_, advance_, stretch_.
 */
#ifndef COALESCE_MODEL_EXECUTE_RUN_H
#define COALESCE_MODEL_EXECUTE_RUN_H

#include "model/execute/compute/compute.h"
#include "model/execute/count/count.h"

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
 * How a run treats what declared content scatters. EXACT: it ends boxes, and loops are stepped where that can be afforded. SHAPE: addresses
 * that are scattered do not matter. SAMPLE: one warp is run, and a few trips of a loop may stand for others.
 */
enum evaluate_mode { MODE_EXACT, MODE_SHAPE, MODE_SAMPLE };

struct evaluator {
	struct arena *arena, *scratch; /* of the results; of everything else */
	const struct evaluate_input *input;
	struct evaluation *result;
	struct plans plans;
	const struct plan *plan; /* of the kernel */
	struct counts_layout layout;
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
};

/* ---- one run ------------------------------------------------------------------------------------------ */

/* Lanes that are in a block, or will be when those above them on the stack have come to `stop`. */
struct entry {
	uint32_t block, stop, from, mask;
	uint32_t fence; /* one more than the entry below which exits are not noticed: a side of a weighed branch; 0: none */
	double weight;
};

/* A function under way. */
struct activation {
	const struct plan *plan;
	struct warp_value *registers;
	uint64_t *pending; /* registers live where other lanes wait */
	struct entry *stack;
	uint32_t depth, capacity;
	struct activation *caller;
	uint32_t slot; /* callee: counts go to the call instruction's slot */
	bool busy;
	struct activation *next; /* of all that were made */
};

/* PLAIN: run trip by trip. FOLLOWED: this trip is followed along an axis. SAMPLED: trips are run to continue counts as polynomials. */
enum frame_state { FRAME_PLAIN, FRAME_FOLLOWED, FRAME_SAMPLED };

/* When a loop is tried: attempts fail and are repeated, ever more seldom. */
struct loop_attempts {
	uint64_t arrivals; /* at the header, since the frame began */
	uint64_t patience; /* arrivals before the next attempt */
	uint64_t failures;
	bool refused;    /* no more: what ends the loop is assumed */
	bool remembered; /* deltas are those of last time */
};

/* The place to which trips are compared. */
struct loop_mark {
	bool taken;
	uint64_t arrivals;        /* then */
	struct warp_value *saved; /* live registers then */
	int64_t *delta;           /* by which they grow in one period */
	uint32_t capacity;
	uint64_t steps;                        /* of the run then */
	uint32_t gradient_changes;             /* likewise */
	struct tally counts[LOOP_DEGREE + 2];  /* then, and after each sampled period */
};

/* Trips of which some stand for others. */
struct loop_window {
	uint32_t left;   /* trips still to be looked at in this span of alike ones */
	int64_t owed;    /* periods gone over that are not counted yet */
	bool stretched;  /* stretches stand for the rest */
	double distance; /* of the deciding comparison when the stretch began */
};

/* A loop under way. */
struct loop_frame {
	const struct activation *activation;
	uint32_t loop, depth, mask, block;
	enum frame_state state;
	uint64_t trips;  /* arrivals at the header since the loop was entered */
	uint64_t period; /* trips followed at a time */
	uint32_t axis;
	uint32_t outer_degree;
	uint32_t samples, wanted; /* SAMPLED: periods run, to be run */
	struct trips repeat;
	struct loop_attempts attempts;
	struct loop_mark mark;
	struct loop_window window;
};

/* What following a loop led to last time: tried at once when it is entered again. */
struct loop_memory {
	uint64_t period;
	int64_t *delta;
	bool valid;
	uint32_t misses;
};

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
	bool uncertain; /* inside one side of a branch that was weighed, not followed */
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

/* ---- warp.c, branch.c, memory.c: see run/steps.h; frame.c, loop.c, advance.c, stretch.c: run/loops.h ------- */

#endif
