/*
 * state: a simulated SM, as sm.c and warps.c share it.
 *
 *   warps.c  warps, blocks, barriers
 *   sm.c     issue, the LSU's turns, the run
 * It holds no number of a machine: those are in `machine`.
 */
#ifndef COALESCE_MODEL_COST_FULL_SM_STATE_H
#define COALESCE_MODEL_COST_FULL_SM_STATE_H

#include "model/cost/full/sm/sm.h"

#define NO_INSN UINT32_MAX
#define SCOREBOARDS 6

enum warp_state {
	WARP_FREE,
	WARP_READY,
	WARP_BARRIER,
	WARP_LEAVING
}; /* LEAVING: the LSU has not taken all of its instructions */

#define COPY_GROUPS 16 /* of a warp that are told apart */

/* A warp's asynchronous copies: group g is number g % COPY_GROUPS here. */
struct copies {
	uint32_t open[COPY_GROUPS]; /* that are on their way */
	double done[COPY_GROUPS];   /* when the last of the others was */
	unsigned group;             /* that copies belong to now */
	uint32_t insn;              /* the last one */
};

struct warp {
	struct trace *trace;
	struct trace_event event;
	double ready, wake, scoreboard[SCOREBOARDS];
	uint32_t cursor, end,
		past;              /* instructions of struct full_code; address behind its block, 0: before the first */
	double issues[FULL_FRESH]; /* when it has issued its last instructions, a ring */
	uint64_t issued;
	uint32_t slot, number;
	uint64_t block, requests;
	unsigned loads; /* requests to load from global memory that it has made */
	uint64_t life;  /* tells it from others in its place */
	struct full_open open;
	struct copies copies;
	enum warp_state state;
	uint32_t untaken; /* instructions that the LSU has not taken */
	bool pending, memory_wait;
	bool barred;      /* at a barrier, which it may have left behind as far as `goes_past` */
	double gate;      /* when that barrier lets it go on */
	uint32_t barrier; /* the last one's instruction of the function */
	struct full_scheduler *scheduler;
	unsigned at; /* which of its warps this is */
	uint32_t source[SCOREBOARDS],
		waits_for;            /* memory instruction that each, and the warp now, waits for, or NO_INSN */
	uint32_t queued[SCOREBOARDS]; /* instructions that each waits for and that the LSU has not taken */
};

struct warp_slot {
	uint32_t running, waiting; /* warps not done; of them at the barrier */
	double arrived;            /* when its last warp came to the barrier */
	uint64_t block;
};

struct sm {
	struct arena *arena;
	const struct full_work *work;
	const struct full_machine *machine;
	struct full_lsu *lsu;
	struct warp warps[FULL_WARPS];
	struct warp_slot slots[FULL_WARPS];
	struct full_scheduler schedulers[FULL_SCHEDULERS];
	double retired, handed, now; /* until when ends of blocks are taken note of; and places handed on, which SMs do
	                                not do in step */
	double released;             /* when a warp was let go on behind a barrier, the last time */
	double constants;            /* until when words of constant memory are being read */
	double waiting;              /* when the LSU takes the next instruction; INFINITY: none waits */
	double returning;            /* when the next load goes back; INFINITY: none waits for data */
	unsigned slot_count, running, served; /* served: scheduler whose instruction the LSU has taken last */
	uint64_t next_block, checkpoint;      /* instructions issued at the next one */
	uint64_t lives;
	bool timed; /* how long it takes is all that counts */
	struct full_run run;
};

/* ---- warps.c ---- */

/* Tells the warp's scheduler what it may issue next, and when. */
void full_warp_post(const struct sm *sm, const struct warp *warp);
/* The instruction at the cursor: when the warp may issue it as far as it alone decides. */
void full_warp_next(struct sm *sm, struct warp *warp);
/* Moves on to the next block of instructions when this one is over; the warp may end with it. */
void full_warp_advance(struct sm *sm, struct warp *warp);
/* The warp's next event. */
void full_warp_pull(const struct sm *sm, struct warp *warp);
/* The warp ends, as soon as the LSU has taken what it has issued; the last of a block makes room for the next one. */
void full_warp_end(struct sm *sm, struct warp *warp);
/* The next block of the work starts in a place, at a time or later. */
void full_block_start(struct sm *sm, uint32_t slot, double time);
/* The warp has issued a barrier of its block at a time. */
void full_barrier_arrive(struct sm *sm, struct warp *warp, const struct full_insn *insn, double time);

#endif
