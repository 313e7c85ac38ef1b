/*
 * What is under way in a run: functions with their stacks of masks, and loops. Inside of run.h.
 */
#ifndef COALESCE_MODEL_EXECUTE_FRAME_H
#define COALESCE_MODEL_EXECUTE_FRAME_H

#include "model/execute/count/count.h"

/* Lanes that are in a block, or will be when those above them on the stack have come to `stop`. */
struct entry {
	uint32_t block, stop, from, mask;
	uint32_t fence; /* one more than the entry below which exits are not noticed: a side of a weighed branch; 0:
	                   none */
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

/* PLAIN: run trip by trip. FOLLOWED: this trip is followed along an axis. SAMPLED: trips are run to continue counts as
 * polynomials. */
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
	uint64_t steps;                       /* of the run then */
	uint64_t digest;                      /* of local memory then */
	uint32_t gradient_changes;            /* likewise */
	struct tally counts[LOOP_DEGREE + 2]; /* then, and after each sampled period */
	bool apart; /* the run's counts begin at the mark: those before it are in counts[0] alone */
};

/* Trips of which some stand for others. */
struct loop_window {
	uint32_t left;              /* trips still to be looked at in this span of alike ones */
	int64_t owed;               /* periods, or trips between stretches, gone over that are not counted yet */
	uint32_t stretches, pieces; /* that were measured; that are to be */
	bool stretched;             /* stretches stand for the rest */
	double distance;            /* of the deciding comparison when the stretch began */
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

#endif
