/*
 * run: the work that one SM gets (struct full_work) and what a run of it shows (struct full_run).
 *
 * Here stand the functions that rooms of the model call in each other: requests, L1, store buffer,
 * the run itself, atomics. Each section names its file. All times are cycles of the SM's clock.
 * Prefix: full_.
 */
#ifndef COALESCE_MODEL_COST_FULL_RUN_H
#define COALESCE_MODEL_COST_FULL_RUN_H

#include "model/cost/full/full.h"

/* Sectors of a line in a set of them. */
static inline unsigned full_sectors(uint8_t set)
{
	return (unsigned)((UINT64_C(0x4332322132212110) >> (set % 16 * 4)) & 15);
}

/* ---- sm/request.c ------------------------------------------------------------------------------------- */

/* Address of the first active lane. */
uint64_t full_first_address(const struct trace_event *event);
/*
 * Works a trace event of kind TRACE_REQUEST out. warp: a number of the warp, for local memory; draw: what unknown
 * addresses depend on, within buffer_bytes of their buffer (0: not known).
 */
void full_request_make(const struct full_machine *machine, const struct trace_event *event, enum full_memory kind,
                       uint64_t warp, uint64_t draw, uint64_t buffer_bytes, struct full_request *request);

/* ---- sm/l1.c ---------------------------------------------------------------------------------------- */

struct full_l1;
/* machine: kept. bytes: of data that it has room for. */
struct full_l1 *full_l1_make(struct arena *arena, const struct full_machine *machine, double bytes);
/* A load asks for sectors of a line at a time. Returns those that miss, which are there from full_l1_fill() on, with
 * the place that this asks for; *ready rises to when the last of the others is. */
uint8_t full_l1_load(struct full_l1 *l1, uint64_t line, uint8_t sectors, uint32_t *place, double *ready);
/* The line has not been filled since that load. */
void full_l1_fill(struct full_l1 *l1, uint64_t line, uint8_t sectors, uint32_t place, double ready);
/* Puts lines there that have been come to more than once. */
void full_l1_begin(struct full_l1 *l1, const struct full_l1_start *again);
/* Stores bytes of a line. Returns the sectors of it that could be loaded or had been stored to before. */
uint8_t full_l1_store(struct full_l1 *l1, uint64_t line, const struct full_bytes *bytes);

/* ---- sm/l1_capacity.c -------------------------------------------------------------------------------------- */

/* Bytes of data that the L1 has room for beside the shared memory of blocks of so many threads, registers a thread and
 * bytes; lines: that it has at all. */
double full_l1_bytes(const struct full_machine *machine, const struct machine *numbers, unsigned threads,
                     unsigned registers, uint64_t shared, double *lines);

/* ---- sm/tags.c -------------------------------------------------------------------------------------- */

/* Sets the passes of a request that touches lines; bank_passes has been found. The missing ones, which few requests
 * need, are set to 0. */
void full_l1_passes(const struct full_machine *machine, struct full_request *request);
/* Finds the missing passes of such a request where they have not been found. */
double full_l1_missing_passes(const struct full_machine *machine, struct full_request *request);

/* ---- load_path.c: further of it in full.h ---------------------------------------------------------------- */

/* When DRAM has done all that it was asked for. */
double full_path_idle(const struct full_path *path);
/* Until when the SM's port to the L2 is busy (load_path.c). */
double full_path_port(const struct full_path *path);

/* ---- sm/store.c --------------------------------------------------------------------------------------- */

struct full_stores;
/* share: of the L2 that the SM has to itself, as active SMs over all; path: where stores go from there, or NULL. */
struct full_stores *full_stores_make(struct arena *arena, const struct full_machine *machine, double share,
                                     struct full_path *path);
/* One line of a store enters the buffer at a time; returns when the buffer could take it. spread: full_spread() of the
 * store; fine: less than a word a lane. */
double full_stores_add(struct full_stores *stores, uint64_t line, const struct full_bytes *bytes, unsigned spread,
                       bool fine, double time);
/* Empties it; returns when the L2 has all of it. */
double full_stores_finish(struct full_stores *stores);
struct full_store_counts {
	double lines, sectors, partial; /* that left for the L2; sectors not written whole */
	double flits;
};
struct full_store_counts full_stores_counts(const struct full_stores *stores);

/* ---- work for one SM, and what it came to
 * -------------------------------------------------------------------------------------------- */

/* Blocks for one SM to run: the n-th one is the launch's block first + n * step. */
struct full_work {
	const struct full_machine *machine;
	const struct full_code *code;
	const struct ptx_function *function;
	const struct full_traffic *traffic;
	const struct evaluate_input *input;
	const struct evaluation *evaluation; /* its */
	const struct memory_buffer *buffers;
	unsigned buffer_count;
	const double *held; /* by buffer, the last of none that is known: share of its lines that the L2 holds when the
	                       launch starts; NULL: none */
	struct tracer *tracer;
	uint32_t grid[3], warps; /* warps of a block */
	unsigned resident;       /* blocks at a time */
	uint64_t blocks, first, step;
	double active; /* SMs at work */
	double l1_bytes;
	uint64_t shared_bytes;             /* of a block */
	uint64_t budget;                   /* warp instructions to be issued at most */
	uint64_t *simulated;               /* those of all runs are added to it; or NULL */
	const struct full_atomic *atomics; /* by instruction */
	double scatter; /* requests by which warps are ahead of others when the run begins, at most */
	const struct full_l1_start *l1_start; /* what warps come to again and have come to once; NULL: nothing */
	bool warm;                            /* all that the launch touches has been fetched once */
	bool begun;                           /* the launch is under way: its first instructions are there */
	bool unhurried; /* no run is shorter because it stands for little of the launch: what tests hold those against
	                 */
	struct arena **room; /* where a run has what it needs until the next one begins; NULL: in the arena that it is
	                        called with */
	const uint8_t *supposed; /* by instruction: 1 + enum supposition_kind, or 0; NULL: nothing is */
};

/* Of a run that others of the same launch stand beside for all else, how long it takes is all that counts. */
static inline bool full_only_timed(const struct full_work *work)
{
	return work->begun;
}

static inline void full_block_place(const struct full_work *work, uint64_t block, uint32_t at[3])
{
	at[0] = (uint32_t)(block % work->grid[0]);
	at[1] = (uint32_t)(block / work->grid[0] % work->grid[1]);
	at[2] = (uint32_t)(block / work->grid[0] / work->grid[1]);
}

struct full_checkpoint {
	double time, fetched;      /* fetched: bytes from DRAM */
	uint64_t issued, finished; /* instructions; blocks */
};
#define FULL_CHECKPOINTS 32

static inline bool full_supposed(const struct full_work *work, uint32_t insn, enum supposition_kind kind)
{
	return work->supposed && work->supposed[insn] == 1 + kind;
}

/* What one instruction did. */
struct full_insn_run {
	double sectors, missed, far;     /* loads: asked of the L1; not there; from DRAM */
	double sent;                     /* of those not there, what the L2 is asked for */
	double cycles;                   /* that warps waited for its result */
	double stalls[COST_STALL_COUNT]; /* that warps waited to issue it */
	uint32_t source; /* the memory instruction that it waits for most, as far as `lead` cycles show; UINT32_MAX */
	double lead;
};
/* The instruction waited for `cycles` for the result of a memory instruction: which one it is most of the time, by
 * majority. */
static inline void full_source_count(struct full_insn_run *run, uint32_t source, double cycles)
{
	if (run->lead <= 0)
		run->source = source;
	run->lead += run->source == source ? cycles : -cycles;
	if (run->lead < 0) {
		run->source = source;
		run->lead = -run->lead;
	}
}

struct full_run {
	double cycles;             /* until the last warp was done, or the budget was used up */
	double behind;             /* by which DRAM then lags behind stores */
	bool complete;             /* all blocks ran */
	uint64_t issued, finished; /* warp instructions; blocks */
	struct full_checkpoint checkpoints[FULL_CHECKPOINTS]; /* evenly over the instructions issued */
	unsigned checkpoint_count;
	double pipe_busy[FULL_PIPES], lsu_busy, shared_busy;
	double lacking_bytes; /* fetched to complete what stores left incomplete, were they all */
	double global_sectors, missed_sectors, stored_sectors,
		stored_hits;                  /* of loads; of stores, and of them in the L1 */
	double shared_conflicts, last_atomic; /* last_atomic: when the last atomic on global memory is done */
	struct full_insn_run *insns;          /* by instruction of the function */
	double open, open_time; /* loads that a warp has on their way while it waits for memory, over that time */
	double loads, lines,
		blocked; /* requests of loads, lines that they touch; loads that waited for others to come back */
	struct full_path_counts path;
	struct full_store_counts stores;
};
/* ---- sm/sm.c: the run ------------------------------------------------------------------------------------- */

/* Runs the work on one SM from its first block on. What the result points to is allocated in the arena, but for its SM:
 * that is in the work's room. */
struct full_run full_sm_run(struct arena *arena, const struct full_work *work);

/* ---- sm/request.c: of a whole launch ---------------------------------------------------------------------- */

/*
 * The bytes of a buffer over which the lanes of a request lie scattered, most of them in sectors of their own; 0 where
 * they do not. *first: where in the buffer they begin.
 */
double full_lanes_span(const struct full_work *work, const struct trace_event *event, int64_t *first);
/* Coordinates of a block in the grid. */
void full_place(const struct full_work *work, uint64_t block, int64_t at[3]);
/* Whether an instruction loads and does no more; whether the event is such a load from global memory by any lane. */
bool full_loads(const struct full_work *work, uint32_t insn);
bool full_is_load(const struct full_work *work, const struct trace_event *event);

/* ---- atomic.c ----------------------------------------------------------------------------------------- */

/* An instruction's atomics on global memory. */
struct full_atomic {
	double cycles;   /* of the whole device, for a lane; 0: no such instruction */
	double spread;   /* share of the L2's slices that they keep at work, of those that may work at once */
	uint32_t server; /* instructions that meet at the same lines have the same one */
	double far; /* cycles that scattered sectors of the launch take to come from DRAM and to go there; its server's
	               first instruction has them */
};
/* By instruction of the function. */
struct full_atomic *full_atomics_make(struct arena *arena, const struct full_work *work);

#endif
