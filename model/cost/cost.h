/*
 * cost: what a launch costs. A cost model takes a launch in one layout, with its code and what that executes, and gives
 * a time, what limits it, and counts as Nsight Compute counts. models.c is the table of them; each says at its head by
 * which equations, from where, and what it assumes.
 *
 *   models.c     the table
 *   thesis.c     the thesis's proposed method: source and PTX
 *   source.c     its conventional method: CUDA source alone
 *   latency.c    its latency of an access; hits.c: its L2 hit rates
 *   occupancy.c  blocks that are resident together; runs.c: whether a launch runs at all
 *   report.c     what all estimates fill in
 *   floor.c      what no launch can be faster than; check.c: what must hold of every estimate
 *   parts.h      what the thesis's files share; baselines/: simple models; full/: one SM simulated
 *
 * A new model is a row in models.c and a function that fills a struct estimate: from nothing but the launch_view
 * (model/code/code.h), whose machine has every number by name. baselines/roofline.c is the shortest example:
 * baseline_estimate_make() fills in what all have alike, cost_limit_add() adds a limit, baseline_time_by_limits() takes
 * the largest one; limits that do not overlap are added up and given as one. `numbers` is the model's name among the
 * readers in machine.def: add it to the rows that it reads, or substitutes are not noted. tests/golden/baselines runs
 * the simple models; letters of bars for limits stand in cli/report/table.c.
 *
 * No file here names a layout or holds a hardware number: rows come from layouts/, numbers from machines/. Prefix:
 * cost_.
 */
#ifndef COALESCE_MODEL_COST_COST_H
#define COALESCE_MODEL_COST_COST_H

#include "model/code/code.h"
#include "model/machine/machine.h"

/* Totals over one launch, with the meaning of Nsight Compute's counters; NAN where the model does not say. */
struct counts {
	double warp_instructions, ld_requests, ld_sectors, st_requests, st_sectors, l1_hit_rate, l2_read_sectors,
		l2_write_sectors, l2_hit_rate, dram_read_bytes, dram_write_bytes, shared_bank_conflicts;
	double local_ld_requests, local_ld_sectors, local_st_requests,
		local_st_sectors; /* local memory: by the code that is executed, as all below */
	double shared_ld_requests, shared_st_requests, shared_atomic_requests;
	/* Of global memory: atomic operations whose result is used, and reductions. */
	double atomic_requests, atomic_sectors, reduction_requests, reduction_sectors;
	double l2_dirty_bytes; /* of dram_write_bytes: what the L2 still holds at the launch's end, which a profiler
	                          that finds it empty does not count */
};

enum coalescing { COALESCED, PARTIAL, UNCOALESCED, BROADCAST };
const char *cost_coalescing_name(enum coalescing class);

/* A source access as a layout's code executes it. */
struct access_estimate {
	const char *array, *member; /* member: "x", or "x,y,z" for one wide access; NULL for plain arrays */
	enum access_kind kind;
	struct place place;
	unsigned width_bytes; /* per lane */
	double executions;    /* per warp, averaged over the launch */
	double sectors_per_request;
	double hit_rate; /* of the cache the model has; NAN where it does not say */
	double cycles;   /* per warp, all executions */
	enum coalescing class;
};

/* Accesses of shared memory at one place of the source. */
struct shared_access {
	enum access_kind kind;
	struct place place;
	unsigned width_bytes;          /* per lane */
	double executions;             /* per warp, averaged over the launch */
	double wavefronts_per_request; /* passes over the banks */
	double conflicts_per_request;  /* those beyond what its bytes need: bank conflicts */
};

/* What warps wait for, by Nsight Compute's names of stall reasons: X(identifier, name, what). */
#define COST_STALLS(X)                                                                                                 \
	X(SELECTED, "selected", "issuing")                                                                             \
	X(WAIT, "wait", "fixed latency of the instruction before")                                                     \
	X(LONG_SCOREBOARD, "long_scoreboard", "a load from global or local memory")                                    \
	X(SHORT_SCOREBOARD, "short_scoreboard", "shared memory, special functions, conversions")                       \
	X(LG_THROTTLE, "lg_throttle", "room in the queue to global memory")                                            \
	X(MIO_THROTTLE, "mio_throttle", "room in the queue to shared memory")                                          \
	X(PIPE_THROTTLE, "math_pipe_throttle", "a pipe that is taken")                                                 \
	X(NOT_SELECTED, "not_selected", "its turn among the warps that are ready")                                     \
	X(BARRIER, "barrier", "other warps at a barrier")
enum cost_stall {
#define X(identifier, name, what) COST_STALL_##identifier,
	COST_STALLS(X)
#undef X
		COST_STALL_COUNT
};
const char *cost_stall_name(enum cost_stall stall);
const char *cost_stall_text(enum cost_stall stall);
/* A time in a unit that can be read: "35 us", "1.2 h", "14400 years". */
const char *cost_duration(struct arena *arena, double seconds);
/* One machine instruction over a whole launch, as a simulation has it. */
struct insn_cost {
	double stalls[COST_STALL_COUNT]; /* cycles of all warps that wait to issue it; wait: that it makes them wait */
	double loaded, missed, far;      /* sectors of loads: asked of the L1; not there; from DRAM */
	double waited;                   /* cycles of all warps that wait for its result, at whatever instruction */
	uint32_t source;                 /* the memory instruction whose result it waits for most; UINT32_MAX: none */
};

/* What a model is to suppose of the memory instructions of a source line, to say what a change there would be worth. */
enum supposition_kind {
	SUPPOSE_NEIGHBOURS, /* lanes access neighbouring elements, and each request others */
	SUPPOSE_NEAR,       /* loads find all in the L1 */
	SUPPOSE_EARLY       /* nobody waits for what is loaded */
};
struct supposition {
	enum supposition_kind kind;
	unsigned line;
};

struct full_result;

/* What could limit a launch, and the time it would take if nothing else did. */
struct limit {
	const char *name; /* "issue", "l1", "l2", "dram", "latency", ... */
	double cycles;
};
struct estimate {
	double cycles_per_warp, time_seconds;
	double low,
		high; /* factors on the time between which the measured one is expected; 0: the model does not say */
	const char *bound; /* what limits it: "latency", "dram", ... */
	bool lower_bound;  /* a part of the launch was not followed: it takes longer, and counts are larger */
	bool implausible;  /* nobody means a launch that long */
	struct limit *limits;
	unsigned limit_count;
	unsigned registers; /* 0 unknown */
	double occupancy;   /* resident warps over the SM's maximum */
	struct counts counts;
	struct access_estimate *accesses;
	unsigned access_count;
	struct shared_access *shared; /* of models that read PTX */
	unsigned shared_count;
	const struct insn_cost *insns;       /* of the machine code's function; NULL: the model does not say */
	const struct full_result *simulated; /* by the full model, of this launch or one alike; NULL: nothing */
	double work;                         /* warp instructions simulated for it */
	const char **notes;                  /* what was assumed, each once */
	bool unsteady; /* near a threshold of the model, or under an assumption, beyond which the time is a multiple */
	unsigned note_count;
};

/*
 * Where the thesis's text leaves its formulas open, and Table 4.2 does not decide between two readings by itself, an
 * option names the one that is not usual: X(name, usual, other, what). docs/thesis.md holds the evidence.
 */
#define THESIS_READINGS(X)                                                                                             \
	X(element, "packed", "padded",                                                                                 \
	  "element_size of eq. 3: the record's members, or with the padding of the layout")                            \
	X(invariant, "one", "lines",                                                                                   \
	  "transactions of accesses that no loop moves: one, or the lines their lanes touch")                          \
	X(record, "hit", "apart", "an access of a record that the trip has just touched: a hit of L2, or eqs. 2 and 3")
/* true: the reading that is not usual. */
struct thesis_readings {
#define X(name, usual, other, what) bool name;
	THESIS_READINGS(X)
#undef X
};

/* A cost model is a row: add one here to add a model. */
struct cost_model {
	const char *name, *summary;
	bool reads_ptx;
	bool published; /* elsewhere: its times stand as they are, even where no GPU is so fast */
	struct estimate *(*estimate)(struct arena *arena, const struct launch_view *view);
	const char *stands_for; /* name of the model that really computes it, or NULL */
	const char *numbers;    /* its name as a reader in machine.def; NULL: it takes all */
	bool follows_start;     /* reads what the launch finds in the L2; others predict cold launches */
};
extern const struct cost_model cost_models[];
extern const unsigned cost_model_count;
const struct cost_model *cost_model_find(const char *name);
/* "unknown model 'ful'; did you mean 'full'? There are: ..." */
const char *cost_model_unknown(struct arena *arena, const char *name);
/* What a model estimates of a launch, checked. A model that reads the source alone is given nothing else. Requires a
 * launch that can run. */
struct estimate *cost_estimate(struct arena *arena, const struct cost_model *model, const struct launch_view *view);

struct estimate *cost_thesis(struct arena *arena, const struct launch_view *view);
struct estimate *cost_source(struct arena *arena, const struct launch_view *view);

/* ---- runs.c -------------------------------------------------------------------------- */

/* Why a launch cannot run on the machine: a phrase, or NULL where it can. */
const char *cost_launch_problem(struct arena *arena, const struct launch_view *view);
/* What a launch that can run must have asked the runtime for before: a sentence, or NULL. */
const char *cost_launch_asks(struct arena *arena, const struct launch_view *view);
/*
 * Whether no thread of a launch accesses memory, calls a function or waits at a barrier, and issuing what it computes
 * takes no longer than the launch itself. Without an evaluation: whether the source accesses no memory.
 */
bool cost_launch_does_nothing(const struct launch_view *view);

/* ---- check.c ------------------------------------------------------------------------- */

/* Lowers the sectors at the L2, which a simulation of some of the warps may put too high, to those that all
 * instructions ask for: those read, which hold what a launch reads itself, before those written. */
void cost_traffic_bound(const struct launch_view *view, struct counts *counts);
/* What is impossible in the counts of a launch, or in a whole estimate: a phrase, or NULL where nothing is. */
const char *cost_traffic_check(const struct launch_view *view, const struct counts *counts);
const char *cost_check(const struct launch_view *view, const struct estimate *estimate);

/* ---- floor.c ------------------------------------------------------------------------- */

/* Raises the time to what bandwidth and issue rate need for the estimate's counts. */
void cost_floor_apply(const struct machine *machine, struct estimate *estimate);
/* Notes that the time of a model lies below that. */
void cost_floor_note(struct arena *arena, const struct machine *machine, const char *model, struct estimate *estimate);

/* ---- occupancy.c --------------------------------------------------------------------- */

/*
 * Blocks of a kernel that are resident on one SM at a time: the least that block slots, warp slots, registers and
 * shared memory allow. 0 where the kernel cannot be launched (too many threads, registers or shared memory).
 */
unsigned cost_blocks_per_sm(const struct machine *machine, unsigned threads_per_block, unsigned registers_per_thread,
                            uint64_t shared_bytes_per_block);

/* ---- report.c: what estimates have in common ------------------------------------------ */

void cost_note(struct arena *arena, struct estimate *estimate, const char *text);
/* Adds an access to the estimate's list, merged with an equal one (array, member, kind, place, width). */
void cost_access_add(struct arena *arena, struct estimate *estimate, const struct access_estimate *access);
/* Class of a request from its lanes: see enum coalescing. */
enum coalescing cost_coalescing_of(const uint64_t addresses[WARP_LANES], uint32_t mask, unsigned bytes, double sectors);
/* Counts that follow from the evaluation alone; the cache's and DRAM's are NAN. */
struct counts cost_counts(const struct launch_view *view);
/* Warps of a launch and, for a block of this size with `registers`, the share of the SM's warps that are resident. */
double cost_launch_warps(const struct launch_case *launch);
double cost_occupancy(const struct machine *machine, const struct launch_case *launch, unsigned registers,
                      uint64_t shared_bytes);
/* The code that really runs: the machine code where it was evaluated, else the PTX. */
const struct code_view *cost_executed_code(const struct launch_view *view);
/* An access's array, member, kind, place, width, sectors and class, of a matched memory instruction; the rest is the
 * model's. */
struct access_estimate cost_access_of(const struct launch_view *view, const struct code_view *code,
                                      const struct code_match *match, uint32_t index);
/* Cycles of the L1's data stage that the launch's requests take (wavefronts.c). */
double cost_wavefronts(const struct launch_view *view);
void cost_limit_add(struct arena *arena, struct estimate *estimate, const char *name, double cycles);
/* Cycles for which a warp of a launch that takes so long is resident, where the block size alone limits how many are.
 */
double cost_warp_cycles(const struct launch_view *view, double seconds);
/* Notes what the evaluation of one form of the code assumed, each with its lines. */
void cost_assumptions_note(struct arena *arena, const struct launch_view *view, const struct code_view *code,
                           struct estimate *estimate);

#endif
