/*
 * sm: one SM, from the warps that its schedulers choose between to the lines that leave it for the L2.
 *
 *   sm.c         warps and blocks, and the run
 *   scheduler.c  which warp issues next, and the queue of a scheduler's memory instructions
 *   lsu.c        the load-store unit that takes them from the queues; request.c: what each asks for
 *   l1.c         the L1
 *   store.c      the buffer in which stores become one
 *
 * Prefix: full_. What others ask of these is in run.h; this is between sm.c and scheduler.c.
 */
#ifndef COALESCE_MODEL_COST_FULL_SM_SM_H
#define COALESCE_MODEL_COST_FULL_SM_SM_H

#include "model/cost/full/run.h"

#define FULL_WARPS 64      /* of an SM, at most */
#define FULL_QUEUE_MOST 64 /* of a scheduler's memory instructions */

/* A request of a memory instruction; where event.lanes is set, they stand in `lanes`. */
struct full_asked {
	struct trace_event event;
	uint64_t lanes[WARP_LANES];
};

/* A memory instruction, or one that the LSU executes, in the queue of its scheduler. */
struct full_queued {
	const struct full_insn *insn;
	struct full_asked *asked;
	unsigned count, room;            /* of asked */
	unsigned warp;                   /* place in the SM */
	uint64_t life, number, requests; /* the warp in that place, its number in the launch, its requests before this */
	double issued, arrival, taken;   /* taken: until when the LSU was busy with it; INFINITY before that */
};

/* Warp i of a scheduler is warp i * schedulers + its number of the SM. */
struct full_scheduler {
	double wake[FULL_WARPS];      /* when each may issue as far as it alone decides; INFINITY where it has nothing to issue */
	uint64_t age[FULL_WARPS];     /* those of older blocks have higher numbers, and in a block those of higher numbers */
	uint8_t unit[FULL_WARPS];     /* pipe of the next instruction */
	uint8_t accesses[FULL_WARPS]; /* it is FULL_LOAD, FULL_STORE, or FULL_NO_MEMORY */
	unsigned count, access_count; /* warps; loads and stores among their next instructions */
	double free, next;            /* when an instruction may issue again, and when one will */
	double pipe[FULL_PIPES], bank[FULL_BANKS]; /* when each is free */
	double near_free,
		far_free; /* FULL_LSU, were there room in the queue; when the next instruction of FULL_GLOBAL may arrive at the LSU */
	unsigned greedy, chosen;                   /* the last warp, the next one */
	struct full_queued queue[FULL_QUEUE_MOST]; /* a ring of `length` */
	unsigned length, at, head, waiting;        /* at: of the next one; head: of the first of those `waiting` for the LSU */
	double sent;                               /* when the last one has arrived there, at the earliest for the next */
};

void full_scheduler_make(struct full_scheduler *scheduler, unsigned warps, unsigned queue_length);
/* A warp starts in place `at`; block: as launched, those that started before have lower numbers. */
void full_scheduler_start(struct full_scheduler *scheduler, unsigned at, uint64_t block, uint32_t number);
/* What the warp may issue next and when; insn NULL: nothing. */
void full_scheduler_post(struct full_scheduler *scheduler, unsigned at, const struct full_insn *insn, double wake);
/* Finds `next` and `chosen` after something has changed. */
void full_scheduler_refresh(struct full_scheduler *scheduler);
/* The pipe takes no other instruction until then. */
void full_scheduler_hold(struct full_scheduler *scheduler, enum full_pipe pipe, double until);
/* A special function issued at a time takes so many cycles of the way to the LSU, of what goes to global memory. */
void full_scheduler_turn(struct full_scheduler *scheduler, double time, double cycles);
/* A place in the queue for an instruction issued at a time; the next one arrives `apart` cycles after it at the earliest. There must be room. */
struct full_queued *full_scheduler_queue(struct full_scheduler *scheduler, enum full_pipe pipe, double issued, double apart);
/* The first that waits for the LSU, or NULL. */
struct full_queued *full_scheduler_head(struct full_scheduler *scheduler);
/* The LSU has taken the first, and was busy with it until then. Returns whether that makes room for another one. */
bool full_scheduler_take(struct full_scheduler *scheduler, double taken);

#endif
