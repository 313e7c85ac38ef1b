/*
 * full: the time of a launch by simulating one SM over the machine code that it runs. full.c holds the whole equation.
 *
 *   numbers.c   what the model takes of a machine file, each number with its key
 *   code.c      machine code -> pipes, stalls, scoreboards of each instruction
 *   sm/         one SM: resident warps, schedulers, pipes, barriers, load-store unit, L1, stores; sm/sm.h names its files
 *   memory.c    what lies behind the L1: SM port, L2, DRAM; how long a miss takes
 *   seen.c      lines that the SM has asked for, and how long the L2 keeps them; slower.c: how much longer than others DRAM takes for a line
 *   traffic/    what the whole launch means for L2 and DRAM
 *   launch.c    blocks per SM, extrapolation to the launch, heaviest block, overhead
 *   atomic.c    atomics by contention; busiest.c: in the busiest slice; slices.c: what they wait for there
 * Parts see machine and trace, never a layout. run.h: the store buffer and what is run on an SM. Prefix: full_.
 */
#ifndef COALESCE_MODEL_COST_FULL_FULL_H
#define COALESCE_MODEL_COST_FULL_FULL_H

#include "model/execute/trace/trace.h"
#include "model/cost/parts.h"

static inline double full_later(double a, double b)
{
	return a > b ? a : b;
}
static inline double full_sooner(double a, double b)
{
	return a < b ? a : b;
}

/* ---- numbers.c -------------------------------------------------------------------------- */

enum full_pipe {
	FULL_FMA,       /* both halves of the FP32 pipe */
	FULL_FMA_HEAVY, /* the half that multiplies integers */
	FULL_ALU,
	FULL_FP64,
	FULL_XU, /* special functions and most conversions */
	FULL_UNIFORM,
	FULL_LSU,    /* memory, shuffles, constants */
	FULL_GLOBAL, /* the same for addresses of 64 bits: takes its turns with special functions */
	FULL_TENSOR,
	FULL_CONTROL, /* branches, barriers: an issue slot alone */
	FULL_PIPES
};

#define FULL_PLACES 64
#define FULL_SCHEDULERS 4
enum { FULL_BANKS = 2, FULL_READS }; /* of a scheduler's register file, at most; and the way from them */
#define FULL_TAG_BITS 2              /* of the number of one of the L1's banks of tags */
#define FULL_TAG_BYTES 3
#define FULL_MIXES 4  /* of DRAM's bytes none, a third, a half, all written */
#define FULL_WIDTHS 3 /* accesses of up to 4, 8, 16 bytes a lane */
#define FULL_RUNS 3   /* lengths of runs of lines */

/* Cycles of the SM's clock. Kinds: D of the machine's own keys, E of its evidence, A assumed there. */
struct full_machine {
	double clock_hz;
	unsigned sms, schedulers, warps, tag_bits; /* tag_bits: 0 where banks of tags are not known */
	double register_banks, register_reads, register_slack, special_issue, global_issue, wide_issue; /* E: operands */
	double wide_multiply, slow_convert; /* E: cycles a scheduler's pipe is busy */
	double pipe[FULL_PIPES];            /* E: likewise, the pipe's usual instruction */
	double special_latency, convert_latency, double_convert_latency, shuffle_latency, shared_latency, load_accept,
		miss_lines;                                                                         /* E; lines */
	double register_latency, constant_latency, uniform_latency, barrier_base, barrier_per_warp; /* A: S2R, LDC, ULDC; E */
	double tag_cycles[WARP_LANES + 1];                                                          /* E: of a request by lines */
	uint8_t tag_bank[FULL_TAG_BYTES]
			[UINT8_MAX + 1]; /* A: a line's bank of tags, by the bytes of its number folded to tag_bits */
	double address_cycles, special_turn,
		store_cycles; /* E: between memory instructions of a scheduler; more by a special function; the least of a store to global memory */
	double queue, loads_in_flight;    /* E: memory instructions that wait for the LSU at most; A: loads of an SM on their way */
	double lockstep_cycles;           /* A: until warps that share lines lose step where loads in flight are too many */
	double wide_latency[FULL_WIDTHS]; /* E: more than a load of 4 bytes */
	/* L1. E: sectors a second at random addresses, by bytes of the set, of lines APART lines apart; by the bytes they lie in; atomic additions; granules that are in no cache; dirty bytes that lines drive out of the L2. NULL: not measured */
	const struct machine_table *random, *random_apart, *random_alone, *random_span, *random_adds, *random_cold, *driven;
	double l1_latency, l1_size, l1_bytes, l1_ways; /* what follows lies behind it, per SM */
	double port_line, port_sector, l2_line, l2_sector, l2_latency, dram_latency, dram_spread, write_wait, driven_wait;
	double l2_further[FULL_PLACES]; /* of the L2, each as likely: what a line there takes beyond l2_latency */
	double store_flit, l2_store_flit, store_backlog, store_dram_backlog, store_lines, store_queue, store_wait, store_filled,
		store_again, again_whole, again_incomplete;
	double read_cycles, l2_bytes, l2_reach, l2_slices, lone_fill, granule, dirty_bytes, dirty_kept;
	double dram_rate[FULL_MIXES][FULL_WIDTHS], dram_most; /* E: bytes a cycle, whole device, by share written */
	/* E, NULL: not measured. Seconds to read half lines so far apart, or the others later; to read, to write sparsely; rate and latency of loaded DRAM. */
	const struct machine_table *alone, *both, *sparse_read, *sparse_write, *loaded_rate, *loaded_latency, *runs_read[FULL_RUNS],
		*runs_write[FULL_RUNS], *regions_write[3];     /* runs of 1, 2, 4 lines; of a line, a half, two halves a run */
	double meeting_sms, meeting_most, meeting_kept;        /* A: meeting.c */
	const struct machine_table *meeting_l2, *meeting_dram; /* E: share that joins by cycles later; NULL: not measured */
	double launch_sectors, sparse_set, incomplete_bytes; /* A: for a launch itself; bytes of that set; held in part by the L2 */
	double block_cycles, block_turn, start_cycles, event_seconds; /* E: ends of blocks; a block's end to the next one's start */
	double first_block, block_warp, first_warp, first_warps, late_warp, cold_start, cold_scheduler; /* E: starts.cu; sm.c */
	const struct machine_table *atomic_rate, *slice_places; /* E: passes a second by lines; busiest.c; NULL: not measured */
	double atomic_most, atomic_whole;                       /* its most; cost of a pass on a whole sector over that on a word */
	double atomic_request, atomic_line_more, atomic_sector_more; /* E: of an SM: a line; a further one; sector */
	double exchange_trip, exchange_window, exchange_cycles; /* E: of a loop around an exchange; it may be spoilt in; A: LSU's */
	double atomic_same, atomic_float_same, atomic_line, atomic_latency, shared_atomic_latency, atomic_returning, exposed_dram,
		exposed_l2; /* the last two: of what DRAM or the L2 takes, that atomics do not hide */
	bool calibrated;    /* the file has the evidence that the model wants; else it is derived from published rates */
};
/* What DRAM's rates depend on. */
struct full_streams {
	double threads, arrays; /* resident on an SM; that the launch reads or writes */
};
void full_machine_read(const struct machine *machine, const struct full_streams *streams, struct full_machine *out);

/* ---- code.c ------------------------------------------------------------------------------- */

/* Of atomics: counting adds one a lane, and serves the lanes at one address at once; exchanging is done again until all lanes got through. */
enum full_memory { FULL_NO_MEMORY, FULL_LOAD, FULL_STORE, FULL_ATOMIC, FULL_REDUCTION, FULL_COUNTING, FULL_EXCHANGING };
#define FULL_NO_BARRIER 7
/* One executed machine instruction. */
struct full_insn {
	uint32_t index; /* in the function */
	uint8_t pipe, stall, write_barrier, read_barrier, wait_mask, memory;
	bool block_barrier, exits, past_l1;           /* past_l1: a load that the L1 does not serve */
	float busy;                                   /* cycles that its scheduler's pipe is taken */
	uint8_t reads[FULL_READS], again[FULL_READS]; /* of each bank, turns of the way; and where another warp has come between */
	float issue;                                  /* cycles until its scheduler may issue the next one */
	float latency;                                /* of a result that a scoreboard guards, where it is no memory's */
};
struct full_block {
	uint32_t first, count; /* in struct full_code's insns */
};
struct full_code {
	struct full_insn *insns;
	struct full_block *blocks; /* as the cfg has them */
	uint32_t insn_count;
	bool *near; /* by instruction of the function: no access to memory behind the LSU */
};
/* Requires function->sass and cfg. */
struct full_code *full_code_make(struct arena *arena, const struct full_machine *machine, const struct ptx_function *function);

/* ---- request.c ------------------------------------------------------------------------------- */

/* A set of the bytes of a line. */
struct full_bytes {
	uint64_t half[2];
};

#define FULL_LINES 64 /* that a request touches at most: 32 lanes, each across a line's end */

/* What one request asks of the LSU and the caches. */
struct full_request {
	enum ptx_space space;
	uint32_t lane_count, line_count, sector_count, width; /* width: 0, 1, 2: up to 4, 8, 16 bytes a lane */
	double passes, tag_passes, missing_passes;            /* all hits; tags alone; some misses: full_l1_missing_passes() */
	uint32_t bank_passes, conflicts;     /* that the banks of the data alone ask for; shared memory: beyond the least */
	uint32_t repeats, trips;             /* atomics: lanes at an address taken before; exchanging: trips */
	bool scattered, fine;                /* addresses are not known: lines are drawn at random; less than a word a lane */
	uint64_t line[FULL_LINES];           /* exchanging: address of each lane */
	uint8_t sectors[FULL_LINES];         /* touched; exchanging: trip of each lane, UINT8_MAX: none */
	struct full_bytes bytes[FULL_LINES]; /* written */
	uint32_t words[FULL_LINES];          /* accessed, a bit each */
	uint8_t tag_bank[FULL_LINES];        /* that each line is looked for in, of several */
};

/* ---- memory.c ---------------------------------------------------------------------------------------- */

/* Of the granules that an SM misses for the first time: which share it fetches from DRAM, which another SM has just begun to fetch. */
struct full_share {
	double first, wait;
	double near; /* blocks from this one to the nearest on another SM that asks for the same in the same step; 0: none does */
	double set,
		least; /* granules that random addresses fall on, 0: not random; share of those asked for that the L2 has given up */
	bool even;     /* they fall on each of these about as often */
	uint32_t group;     /* of those that ask for the same set the first instruction */
	double half, alone; /* share of them whose neighbour in the line is asked for in another step; never */
	double joined; /* of those that ask for it in the same step, the share whose requests others take with theirs (meeting.c) */
	double both;   /* chance that SMs near the other half of the L2 ask for it, too */
	unsigned samples; /* that say so */
};
/* What the whole launch means for the memory of one SM. By instruction of the function: [0] at first, [1] when the launch has fetched all that it touches once. */
struct full_traffic {
	struct full_share *shares[2];
	bool *irregular; /* by instruction: addresses follow no pattern from block to block */
	double read_cycles[FULL_WIDTHS], write_cycles[FULL_WIDTHS]; /* DRAM cycles of the SMs together for a byte */
	double read_bytes, written_bytes, touched_bytes;            /* by the whole launch, each once */
	double *touched;                                            /* by buffer, the last of none that is known */
	double random_bytes;                                        /* of those read, of random sets that the L2 keeps */
	double left_bytes, driven_share; /* left dirty in the L2 at its end; of DRAM's work, writing what others left there */
	double random_cycles, random_far_cycles, random_near_cycles,
		random_driven_cycles; /* likewise, for a sector at a random address; in DRAM; in the L2; what a granule from DRAM drives out */
	bool random_in_l2;            /* which is the L2's business, not DRAM's */
};
struct full_path_counts {
	double sectors, dram_bytes, filled_bytes,
		random_bytes;      /* that missed the L1; fetched by this SM; to complete stores; fetched, of random sets */
	double dram_sectors, last; /* that were asked for of what was fetched; when the last line has come from DRAM */
	double port_busy, l2_busy, dram_busy;
};
/* active: SMs at work. insns: of the function. */
struct full_path *full_path_make(struct arena *arena, const struct full_machine *machine, const struct full_traffic *traffic,
                                 double active, size_t insns);
/* The L1 asks for the missing sectors of a request's lines; returns when they are there. warm: after the launch has fetched all that it touches once. */
double full_path_fetch(struct full_path *path, uint32_t insn, const struct full_request *request, const uint8_t *missing,
                       double time, bool warm);
/* Sectors that the L2 reads from DRAM on account of a store; that the store wrote in part, after others. */
struct full_write {
	double filled, again;
};
/* A line with what stores wrote of it goes to the L2. spread: full_spread() of the last of them. Returns until when DRAM is busy. */
double full_path_write(struct full_path *path, uint64_t line, const struct full_bytes *bytes, unsigned spread, double time,
                       struct full_write *more);
/* DRAM's rates are those of warps that ask for 128, 256, 512 bytes side by side: which of FULL_WIDTHS. */
unsigned full_spread(const struct full_request *request);
const struct full_path_counts *full_path_counted(const struct full_path *path);
/* Ends the path: returns the bytes that are fetched to complete what was written in part, where nothing more is stored. */
double full_path_close(struct full_path *path);

/* The cost model: what a launch costs by the simulation; where there is no machine code, by the bounds. */
struct estimate *full_estimate(struct arena *arena, const struct launch_view *view);

#endif
