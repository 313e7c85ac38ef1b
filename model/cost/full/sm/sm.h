/*
 * sm: one SM, from the warps that its schedulers choose between to the lines that leave it.
 *
 *   sm.c            the run: what issues when
 *   warps.c         warps, blocks, barriers
 *   scheduler.c     which warp issues next; its queue
 *   lsu.c           the load-store unit
 *   request.c       what an access asks for
 *   tags.c          passes of tags and data
 *   l1.c            which lines stay in the L1
 *   l1_capacity.c   how many lines it has
 *   returns.c       loads that wait for data
 *   store.c         the buffer in which stores to a line become one
 * Numbers: register.*, issue.*, lsu.*, l1.*, barrier.cycles, store.*, launch.first_*. run.h has
 * what other rooms call; this is between the files of the room. Prefix: full_.
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
	unsigned count, room;          /* of asked */
	unsigned warp;                 /* place in the SM */
	unsigned loads;                /* of its warp, from global memory, before it */
	uint64_t number, requests;     /* its number in the launch, its requests before this */
	unsigned group;                /* of its warp's asynchronous copies */
	double issued, arrival, taken; /* taken: until when the LSU was busy with it; INFINITY before that */
};

/*
 * One of the SM's schedulers. Its warp i is warp i * schedulers + its own number of the SM.
 * scheduler.c chooses: `chosen` issues at `next`. It goes by wake, unit, accesses and age.
 */
struct full_scheduler {
	double wake[FULL_WARPS]; /* when each may issue as far as it alone decides; INFINITY where it has nothing to
	                            issue */
	uint64_t
		age[FULL_WARPS]; /* those of older blocks have higher numbers, and in a block those of higher numbers */
	uint8_t unit[FULL_WARPS];                  /* pipe of the next instruction */
	uint8_t accesses[FULL_WARPS];              /* it is FULL_LOAD, FULL_STORE, or FULL_NO_MEMORY */
	unsigned count, access_count;              /* warps; loads and stores among their next instructions */
	double free, next;                         /* when an instruction may issue again, and when one will */
	double pipe[FULL_PIPES], bank[FULL_READS]; /* when each is free */
	double bank_slack,
		bank_cycles[2 * UINT8_MAX + 1]; /* what a bank may be behind; that it takes for so many registers */
	double near_reads[FULL_BANKS][FULL_NEAR_READS]; /* when the last access to shared memory reads there */
	double near_free, far_free; /* FULL_LSU, were there room in the queue; when the next instruction of FULL_GLOBAL
	                               may arrive at the LSU */
	unsigned greedy, chosen;    /* the last warp, the next one */
	bool yields;                /* the last warp lets all others that are ready go before it */
	struct full_queued queue[FULL_QUEUE_MOST]; /* a ring of `length` */
	unsigned length, at, head, waiting; /* at: of the next one; head: of the first of those `waiting` for the LSU */
	double sent;                        /* when the last one has arrived there, at the earliest for the next */
	double arrival;                     /* of the first of those that wait; INFINITY: none does */
};

/* ---- request.c, beside what run.h has ---- */

/* Different addresses that the lanes of an event of kind TRACE_REQUEST ask for, at least 1: one for each lane where
 * nothing is known of them. */
unsigned full_constant_places(const struct trace_event *event);

/* ---- scheduler.c ---- */

void full_scheduler_make(struct full_scheduler *scheduler, const struct full_machine *machine, unsigned warps,
                         unsigned queue_length);
/* A warp starts in place `at`; block: as launched, those that started before have lower numbers. */
void full_scheduler_start(struct full_scheduler *scheduler, unsigned at, uint64_t block, uint32_t number);
/* What the warp may issue next and when; insn NULL: nothing. */
void full_scheduler_post(struct full_scheduler *scheduler, unsigned at, const struct full_insn *insn, double wake);
/* Finds `next` and `chosen` after something has changed. */
void full_scheduler_refresh(struct full_scheduler *scheduler);
/* The same where all that has changed since is that a warp may issue sooner. */
void full_scheduler_hurry(struct full_scheduler *scheduler, unsigned at);
/* The instruction's sources are read; in_row: its warp has issued the one before, too. Returns after how many cycles
 * the banks are ready for another. */
double full_scheduler_read(struct full_scheduler *scheduler, const struct full_insn *insn, bool in_row, double time);
/* What follows a taken branch is fetched instead of what stands behind it: so many turns of what fetches, an
 * instruction each, are lost. */
void full_scheduler_refetch(struct full_scheduler *scheduler, double time, double turns);
/* The pipe takes no other instruction until then. */
void full_scheduler_hold(struct full_scheduler *scheduler, enum full_pipe pipe, double until);
/* A special function issued at a time takes so many cycles of the way to the LSU, of what goes to global memory. */
void full_scheduler_turn(struct full_scheduler *scheduler, double time, double cycles);
/* A place in the queue for an instruction issued at a time; the next one arrives `apart` cycles after it at the
 * earliest. There must be room. */
struct full_queued *full_scheduler_queue(struct full_scheduler *scheduler, enum full_pipe pipe, double issued,
                                         double apart);
/* A request of an instruction in the queue is kept until the LSU takes it. */
void full_queued_ask(struct arena *arena, struct full_queued *queued, const struct trace_event *event);
/* The LSU has taken the first that waits, and was busy with it until then. Returns whether another one may now issue
 * sooner, for which there is room. */
bool full_scheduler_take(struct full_scheduler *scheduler, double taken);

/* ---- lsu.c ---- */

struct full_lsu;
/* Whose a request is: the instruction, its warp's place in the SM, and what tells the warp from others there; life 0:
 * nobody waits for it. */
struct full_owner {
	const struct full_insn *insn;
	unsigned warp, loads; /* loads: requests to load from global memory that the warp has made before */
	unsigned group;       /* of the warp's asynchronous copies */
	uint64_t life;
};
/* What became of an instruction's requests: when the last result is there at the earliest, when the LSU has taken them,
 * how many of them wait for data. */
struct full_served {
	double done, taken;
	unsigned waiting;
};
/* A request that has waited for data, which are there now. */
struct full_returned {
	struct full_owner owner;
	double done;
};
/* Counts go into run. */
struct full_lsu *full_lsu_make(struct arena *arena, const struct full_work *work, struct full_run *run);
/* Serves a request of a warp from `time` on; adds to served. warp: number of the warp in the launch; number: of its
 * requests so far. */
void full_lsu_serve(struct full_lsu *lsu, const struct full_owner *owner, const struct trace_event *event,
                    uint64_t warp, uint64_t number, double time, struct full_served *served);
/* When the next request goes back that waits for data; INFINITY: none does. */
double full_lsu_returning(const struct full_lsu *lsu);
/* It goes back. */
void full_lsu_return(struct full_lsu *lsu);
/* Tells of one that has gone back, each once; false: no other one has. */
bool full_lsu_returned(struct full_lsu *lsu, struct full_returned *returned);
/* Passes of an instruction that is no access to memory; returns when they begin. */
double full_lsu_pass(struct full_lsu *lsu, double time, double passes);
/* Bytes that the SM has fetched from DRAM. */
double full_lsu_fetched(const struct full_lsu *lsu);
/* When it can take the next instruction. */
double full_lsu_free(const struct full_lsu *lsu);
/* Empties the store buffer and fills the rest of the counts; returns when the L2 has all stores, and DRAM has done what
 * it has to for them. */
double full_lsu_finish(struct full_lsu *lsu);

/* ---- returns.c ---- */

/* A request of a load that waits for data: when those are there, what of that lies behind the LSU, its passes of the
 * data. */
struct full_return {
	double ready, latency, passes;
	struct full_owner owner;
	uint64_t order; /* in which the LSU has taken it */
};
struct full_returns;
struct full_returns *full_returns_make(struct arena *arena, unsigned most);
/* There must be room. Sets its order. */
void full_returns_add(struct full_returns *returns, const struct full_return *load);
unsigned full_returns_count(const struct full_returns *returns);
/* From when on one can go back, as far as its data decide; INFINITY: none waits. */
double full_returns_first(const struct full_returns *returns);
/* The one that goes back at a time, which is not before the first can. */
struct full_return full_returns_take(struct full_returns *returns, double time);

#define FULL_OPEN 64
/* When loads of a warp are there that may be on their way, as far as they are told apart. */
struct full_open {
	double done[FULL_OPEN];
	unsigned count;
};
void full_open_add(struct full_open *open, double done, double now);
/* How many are on their way. */
unsigned full_open_count(struct full_open *open, double now);

#endif
