/*
 * full: the time of a launch, by simulating one SM over the machine code that it runs.
 * docs/full-model.md explains the model; numbers come from struct full_machine alone (numbers.h).
 *
 *   full.c           the estimate: limits, counts, notes
 *   numbers.c        what the model takes of a machine file
 *   code.c           machine code as schedulers see it: struct full_code
 *   atomic/          what an atomic on global memory costs: struct full_atomic
 *   traffic/         what the other SMs mean for this one's memory: struct full_traffic
 *   sm/              one SM: schedulers, barriers, LSU, L1, store buffer: struct full_run
 *   load_path.c      port, L2 and DRAM behind the L1, for loads (path.h)
 *   store_path.c     the same for stores
 *   residency.c      which lines the L2 still holds
 *   dram_latency.c   how late DRAM's lines come
 *   launch/          from runs of one SM to the launch: struct full_launch
 * Parts see machine, code and trace, never a layout. Prefix: full_.
 */
#ifndef COALESCE_MODEL_COST_FULL_FULL_H
#define COALESCE_MODEL_COST_FULL_FULL_H

#include "model/cost/full/numbers.h"

static inline double full_later(double a, double b)
{
	return a > b ? a : b;
}
static inline double full_sooner(double a, double b)
{
	return a < b ? a : b;
}
/* The greatest common divisor of two numbers; the other one where one is 0. */
static inline uint64_t full_common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* ---- code.c ------------------------------------------------------------------------------- */

/*
 * What a memory instruction does. A counting atomic adds one for each lane, and serves all lanes at
 * one address at once. An exchanging one is a loop that repeats until every lane got through.
 */
enum full_memory { FULL_NO_MEMORY, FULL_LOAD, FULL_STORE, FULL_ATOMIC, FULL_REDUCTION, FULL_COUNTING, FULL_EXCHANGING };
/* One executed machine instruction. */
struct full_insn {
	uint32_t index; /* in the function */
	uint8_t pipe, stall, write_barrier, read_barrier, wait_mask, memory;
	bool deferred;                     /* a barrier behind which the warp goes on as far as `goes_past` */
	bool goes_past;                    /* does not wait for such a barrier */
	bool block_barrier, exits, yields; /* yields: other warps go before its warp goes on */
	bool past_l1;                      /* a load that the L1 does not serve */
	float busy;                        /* cycles that its scheduler's pipe is taken */
	uint8_t reads[FULL_READS],
		again[FULL_READS]; /* of each bank, turns of the way; and where another warp has come between */
	uint8_t fresh[FULL_BANKS]; /* how many instructions before what it reads from each bank was computed, 0: further
	                              away than FULL_FRESH */
	uint8_t near_reads[FULL_NEAR_READS]; /* an access to shared memory: the bank of its address and of what it
	                                        stores, from 1; 0: none */
	bool numbers_constant;               /* reads constant memory by a register's number */
	bool copies, groups;                 /* LDGSTS: an asynchronous copy; LDGDEPBAR: those before it are a group */
	uint8_t depth; /* waits until no more than depth - 1 groups are on their way; 0: does not */
	float fetch;   /* turns that what fetches instructions loses where it is a branch that is taken */
	float issue;   /* cycles until its scheduler may issue the next one */
	float latency; /* of a result that a scoreboard guards; of memory where no lane asks for it */
};
struct full_block {
	uint32_t first, count, address,
		past;    /* in struct full_code's insns; of the first in the function's code; behind the last */
	uint32_t around; /* bytes of the shortest loop, by addresses, that it lies in; of the function where it lies in
	                    none */
};
struct full_code {
	struct full_insn *insns;
	struct full_block *blocks; /* as the cfg has them */
	uint32_t insn_count;
	bool *near; /* by instruction of the function: no access to memory behind the LSU */
};
/* Requires function->sass and cfg. */
struct full_code *full_code_make(struct arena *arena, const struct full_machine *machine,
                                 const struct ptx_function *function);

/* ---- launch/l1_reuse.c, sm/l1.c ---------------------------------------------------------------- */

/* A line of memory, by its number, and those of its sectors that are meant, a bit each. */
struct full_line {
	uint64_t line;
	uint8_t sectors;
};
/* What the L1 has when a run begins. */
struct full_l1_start {
	const struct full_line *lines;
	size_t count;
};

/* ---- request.c ------------------------------------------------------------------------------- */

/* A set of the bytes of a line. */
struct full_bytes {
	uint64_t half[2];
};

#define FULL_LINES 64 /* that a request touches at most: 32 lanes, each across a line's end */

/* What one request of a warp asks of the LSU and the caches; sm/request.c makes it of a trace event. */
struct full_request {
	uint64_t block;  /* of the launch, whose warp makes it */
	unsigned number; /* of a load from global memory: which of its warp's it is, from 0 on */
	enum ptx_space space;
	uint32_t lane_count, line_count, sector_count, width; /* width: 0, 1, 2: up to 4, 8, 16 bytes a lane */
	double passes, tag_passes, missing_passes; /* all hits; tags alone; some misses: full_l1_missing_passes() */
	uint32_t bank_passes, conflicts; /* that the banks of the data alone ask for; shared memory: beyond the least */
	uint32_t repeats, trips;         /* atomics: lanes at an address taken before; exchanging: trips */
	bool scattered, fine;        /* addresses are not known: lines are drawn at random; less than a word a lane */
	uint64_t line[FULL_LINES];   /* exchanging: address of each lane */
	uint8_t sectors[FULL_LINES]; /* touched; exchanging: trip of each lane, UINT8_MAX: none */
	struct full_bytes bytes[FULL_LINES]; /* written */
	uint32_t words[FULL_LINES];          /* accessed, a bit each */
	uint8_t tag_bank[FULL_LINES];        /* that each line is looked for in, of several */
};

/* ---- load_path.c ---------------------------------------------------------------------------------------- */

/*
 * Where the granules come from that this SM misses for the first time, of one load instruction:
 * `first` of them this SM fetches from DRAM; `wait` are under way for another SM, so that they cost
 * DRAM's latency and no bandwidth; the rest is in the L2. traffic/ fills it, load_path.c uses it.
 */
struct full_share {
	double first, wait;
	double near; /* blocks from this one to the nearest on another SM that asks for the same in the same step; 0:
	                none does */
	double set, least;  /* granules that random addresses fall on, 0: not random; share of those asked for that the
	                       L2 has given up */
	bool even;          /* they fall on each of these about as often */
	uint32_t group;     /* of those that ask for the same set the first instruction */
	double half, alone; /* share of them whose neighbour in the line is asked for in another step; never */
	double joined;    /* of those that ask for it in the same step, the share whose requests others take with theirs
	                     (merging.c) */
	double both;      /* chance that SMs near the other half of the L2 ask for it, too */
	unsigned samples; /* that say so */
};
/*
 * What the whole launch means for the memory of one SM. shares[0] holds at first, shares[1] when the
 * launch has fetched all that it touches once. DRAM's cost of bytes is read_cycles and write_cycles:
 * traffic/dram.c fills them from measured rates, longer where lines lie apart.
 */
struct full_traffic {
	struct full_share *shares[2];
	const double *held; /* by instruction: share of the lines of its buffer that the L2 holds when the launch
	                       starts; NULL: none */
	bool *irregular;    /* by instruction: addresses follow no pattern from block to block */
	double read_cycles[FULL_WIDTHS], write_cycles[FULL_WIDTHS]; /* DRAM cycles of the SMs together for a byte */
	double read_bytes, written_bytes, touched_bytes;            /* by the whole launch, each once */
	double *touched;                                            /* by buffer, the last of none that is known */
	/* Of buffers: whether stores leave sectors incomplete, which no other completes; NULL: of all. */
	const bool *parted;
	unsigned buffer_count;
	double open_bytes,
		run_share; /* of sectors written in part that stay so; of the launch that is simulated, 0: all of it */
	double parts_driven; /* bytes of others that each one of a sector drives out when it is completed */
	double left_bytes,
		driven_share; /* left dirty in the L2 at its end; of DRAM's work, writing what others left there */
	double random_cycles, random_far_cycles, random_near_cycles,
		random_driven_cycles; /* likewise, for a sector at a random address; in DRAM; in the L2; what a granule
	                                 from DRAM drives out */
	bool random_in_l2;            /* which is the L2's business, not DRAM's */
};
struct full_path_counts {
	double sectors, dram_bytes, filled_bytes; /* that missed the L1; fetched by this SM; to complete stores */
	double dram_sectors, last; /* that were asked for of what was fetched; when the last line has come from DRAM */
	double trips, far_trips,
		trip_cycles; /* requests; of them those that DRAM gives; how long all were on their way */
	double port_busy, l2_busy, dram_busy;
};
/* Makes the path of one SM. active: SMs at work. insns: instructions of the function. */
struct full_path *full_path_make(struct arena *arena, const struct full_machine *machine,
                                 const struct full_traffic *traffic, double active, size_t insns);
/*
 * The L1 asks for the missing sectors of a request's lines. Returns when they are there. warm: the
 * launch has fetched all that it touches once.
 */
double full_path_fetch(struct full_path *path, uint32_t insn, const struct full_request *request,
                       const uint8_t *missing, double time, bool warm);
/* What a store means for the L2. */
struct full_write {
	double again, driven; /* sectors that it wrote in part, after others; lines of others that are written as
	                         sectors are completed on its account */
	bool lacks;           /* some of its sectors are not whole, and the L2 holds as many such as it does */
};
/*
 * A line leaves the store buffer for the L2, with the bytes that stores wrote of it. Whole sectors
 * are written to DRAM once; others wait until they are whole, or are completed by reading
 * (store_path.c). spread: full_spread() of the last store. Returns until when DRAM is busy.
 */
double full_path_write(struct full_path *path, uint64_t line, const struct full_bytes *bytes, unsigned spread,
                       double time, struct full_write *more);
/*
 * Which of FULL_WIDTHS the request of an instruction is: DRAM's rates are those of warps that ask for
 * 128, 256 or 512 bytes side by side.
 */
unsigned full_spread(const struct full_request *request);
const struct full_path_counts *full_path_counted(const struct full_path *path);
/* Ends the path: returns the bytes that are fetched to complete what was written in part, where nothing more is stored.
 */
double full_path_close(struct full_path *path);

/* The cost model: what a launch costs by the simulation; where there is no machine code, by the bounds. */
struct estimate *full_estimate(struct arena *arena, const struct launch_view *view);

#endif
