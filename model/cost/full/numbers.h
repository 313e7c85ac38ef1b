/*
 * numbers: what the full model knows of a GPU, read from its machine file and from its relative's.
 *
 * numbers.c names the key of each number; machines/README.md says what the keys mean, and
 * benchmarks/operands/README.md which experiment measured them. "E" marks evidence: it may come
 * from the relative, scaled by the rule in model/machine/machine.def. Cycles are of the SM's clock.
 * Prefix: full_.
 */
#ifndef COALESCE_MODEL_COST_FULL_NUMBERS_H
#define COALESCE_MODEL_COST_FULL_NUMBERS_H

#include "model/execute/trace/trace.h"
#include "model/cost/parts.h"

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
enum {
	FULL_FRESH = 6,        /* instructions back that one may stand whose result has just been written, at most */
	FULL_NEAR_READS = 2,   /* of an access to shared memory: its address, what it stores */
	FULL_BANKS = 2,        /* of a scheduler's register file, at most */
	FULL_WAY = FULL_BANKS, /* from them to the pipes */
	FULL_FETCH,            /* what fetches instructions */
	FULL_READS
};
#define FULL_TAG_BITS 2 /* of the number of one of the L1's banks of tags */
#define FULL_TAG_BYTES 3
#define FULL_SET_BYTES 3 /* of a line's number, by which its set in the L1 is known */
#define FULL_SET_BITS 16 /* of a set's number at most */
#define FULL_MIXES 4     /* of DRAM's bytes none, a third, a half, all written */
#define FULL_WIDTHS 3    /* accesses of up to 4, 8, 16 bytes a lane */
#define FULL_OTHERS 3    /* what others do: read, copy, write */
#define FULL_RUNS 3      /* lengths of runs of lines */

/* Cycles of the SM's clock. E: of the machine's evidence, or its relative's. */
struct full_machine {
	double clock_hz;
	unsigned sms, schedulers, warps, tag_bits; /* tag_bits: 0 where banks of tags are not known */
	double register_banks, register_reads, register_slack, special_issue, global_issue,
		wide_issue;                      /* E: operands */
	double fresh, address_after, data_after; /* E: fresh; until when a result has just been written, when accesses
	                                            to shared memory read */
	double taken_branch, branch_fetch,
		reconvergence; /* E: units, skips; a taken branch, of its scheduler; a BSYNC */
	const struct machine_table
		*branch_far; /* E: skips; turns more of a taken branch, by the bytes of its loop's code; NULL: none */
	double wide_multiply, slow_convert; /* E: cycles a scheduler's pipe is busy */
	double pipe[FULL_PIPES];            /* E: likewise, the pipe's usual instruction */
	double special_latency, convert_latency, double_convert_latency, shuffle_latency, shared_latency, load_accept,
		miss_lines; /* E; lines */
	double register_latency, constant_latency, uniform_latency, barrier_base,
		barrier_per_warp;          /* S2R, LDC, ULDC; E */
	double tag_cycles[WARP_LANES + 1]; /* E: of a request by lines */
	uint8_t tag_bank[FULL_TAG_BYTES]
			[UINT8_MAX + 1]; /* E: a line's bank of tags, by the bytes of its number folded to tag_bits */
	unsigned set_bits,
		set_known; /* of the number of a set of the L1, 0: codes are not known; of a line's, whose codes are */
	uint16_t set_code[FULL_SET_BYTES][UINT8_MAX + 1];  /* E: by the bytes of a line's number */
	double address_cycles, special_turn, store_cycles; /* E: between memory instructions of a scheduler; more by a
	                                                      special function; the least of a store to global memory */
	double queue,
		loads_in_flight; /* E: memory instructions that wait for the LSU at most; loads of an SM on their way */
	double lockstep_cycles;  /* E: until warps that share lines lose step where loads in flight are too many */
	double wide_latency[FULL_WIDTHS]; /* E: more than a load of 4 bytes */
	/* E: sectors a second at random addresses, by bytes of the set; atomic additions; dirty bytes that lines drive
	 * out of the L2, and lines with sectors in part; what loads wait for it. NULL: not measured */
	const struct machine_table *random, *random_adds, *driven, *driven_by_parts, *driven_wait;
	const struct machine_table
		*l1_lines; /* E: that have room, by the bytes of shared memory; NULL: l1_bytes without any */
	double shared_none, shared_none_most, shared_unneeded; /* E: bytes of shared memory that the driver gives beyond
	                                                          what is needed, up to so many in all */
	double constant_word; /* E: constants; cycles of the SM for each place in constant memory that lanes number */
	double constant_room,
		uniform_room; /* E: constants; bytes that the nearest caches have room for, of LDC and of ULDC */
	double warp_pass;     /* E: conflicts; cycles of a pass of one warp's loads beyond those that all of their width
	                         take */
	double l1_latency, l1_size, l1_bytes, l1_ways; /* what follows lies behind it, per SM */
	double port_line, port_sector, l2_line, l2_sector, l2_latency, dram_latency, dram_line, dram_crowd,
		dram_together, dram_spread;
	double idle; /* E: share of its time that DRAM has nothing to do where SMs are done one after the other, at most
	              */
	double l2_further[FULL_PLACES]; /* of the L2, each as likely: what a line there takes beyond l2_latency */
	double store_flit, l2_store_flit, store_backlog, store_dram_backlog, store_lines, store_queue, store_wait,
		store_part, store_part_dram, store_again, again_whole;
	double read_cycles, l2_bytes, l2_reach, l2_slices, granule, dirty_bytes, dirty_kept;
	double dram_rate[FULL_MIXES][FULL_WIDTHS], dram_most; /* E: bytes a cycle, whole device, by share written */
	const struct machine_table
		*turning; /* E: of the rate between a copy's and a write's, by that share; NULL: not measured */
	/* E, NULL: not measured. Seconds to read half lines so far apart, or the others later; to read, to write
	 * sparsely; rate and latency of loaded DRAM. */
	const struct machine_table *alone, *both, *loaded_rate, *loaded_latency, *runs_read[FULL_RUNS],
		*runs_write[FULL_RUNS]; /* runs of 1, 2, 4 lines */
	/* E: of a load while others keep DRAM busy, reading, copying, writing (busy.cu): cycles longer, spread, share
	 * of blocks of 256 bytes that are slow by themselves; by the bytes a second of all; NULL: not measured. */
	const struct machine_table *busy_wait[FULL_OTHERS], *busy_spread[FULL_OTHERS], *busy_apart[FULL_OTHERS];
	double meeting_sms, meeting_most, meeting_kept; /* E: merging.c */
	const struct machine_table *meeting_l2,
		*meeting_dram; /* E: share that joins by cycles later; NULL: not measured */
	double dirty_found;    /* share of dirty_bytes that a launch finds dirty in the L2: all of it after a flush */
	double launch_sectors, incomplete_bytes; /* E: for a launch itself; held in part by the L2 */
	double block_cycles, block_turn, start_cycles, event_seconds,
		record_seconds; /* E: ends of blocks; a block's end to the next one's start; an empty kernel between two
	                           events; in an activity record, without start_cycles */
	double first_share;     /* blocks of the SM that has most of a grid's first ones, over the mean: placement.cu; 1
	                           where nobody measured it */
	double first_block, block_warp, first_warp, first_warps, late_warp, cold_start,
		cold_scheduler; /* E: starts.cu; sm.c */
	const struct machine_table *atomic_rate,
		*slice_places;            /* E: passes a second by lines; busiest.c; NULL: not measured */
	double atomic_most, atomic_whole; /* its most; cost of a pass on a whole sector over that on a word */
	double atomic_request, atomic_line_more, atomic_sector_more; /* E: of an SM: a line; a further one; sector */
	double exchange_trip, exchange_window,
		exchange_cycles; /* E: of a loop around an exchange; it may be spoilt in; LSU's */
	double atomic_same, atomic_float_same, atomic_line, atomic_latency, shared_atomic_latency, atomic_returning,
		exposed_dram, exposed_l2; /* the last two: of what DRAM or the L2 takes, that atomics do not hide */
};
/* What of a launch DRAM's rates depend on. */
struct full_streams {
	double threads, arrays; /* resident on an SM; that the launch reads, or writes if these are more */
};
/*
 * Bytes a cycle that DRAM moves for requests of a width, where such a share of the bytes is written:
 * between bandwidth.dram_read_* (0), dram_two_reads_one_write_* (1/3), dram_copy_* (1/2) and
 * dram_write_* (1). From a half on times bandwidth.dram_turning_share, as DRAM turns between reading
 * and writing for little.
 */
double full_dram_rate(const struct full_machine *machine, unsigned width, double share);
void full_machine_read(const struct machine *machine, const struct full_streams *streams, struct full_machine *out);

#endif
