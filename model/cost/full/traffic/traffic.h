/*
 * traffic: what the whole launch means for the L2 and DRAM behind one SM.
 *
 *   coverage.c   which bytes are touched, by the footprints of the evaluation
 *   dram.c       DRAM's rates for them, dirty lines
 *   window.c     which granules other SMs fetch too, and when; shifts.c, rows.c: where their
 *                addresses lie
 *   irregular.c  the same where addresses follow no pattern
 *   scattered.c  what atomics at scattered sectors cost DRAM
 *   merging.c    requests of several SMs that become one on the way to the L2
 * Numbers: bandwidth.dram_*, runs.*, half_lines.*, curve.*, loaded.*, coalescer.*,
 * l2.dirty_*, l2.driven_*, l2.incomplete_bytes. Prefix: full_.
 */
#ifndef COALESCE_MODEL_COST_FULL_TRAFFIC_TRAFFIC_H
#define COALESCE_MODEL_COST_FULL_TRAFFIC_TRAFFIC_H

#include "model/cost/full/run.h"

/* ---- dram.c ------------------------------------------------------------------------------------------ */

/* The buffer that an instruction comes to: the last of none that is known. */
static inline unsigned full_buffer_of(const struct full_work *work, uint32_t insn)
{
	unsigned buffer = work->evaluation->insns[insn].buffer;
	return buffer < work->buffer_count ? buffer : work->buffer_count;
}
/* Fills rates and shares of stores and makes room for the rest. */
void full_traffic_make(struct arena *arena, const struct full_work *work, struct full_traffic *traffic);

/* All that a launch reads at random addresses, in bytes. */
struct full_random {
	double granules, lines; /* granules that can be read; lines that hold them */
	double granules_fetched, lines_fetched,
		granules_asked; /* of them that are, once each; as often as they are asked for */
	double beside;          /* what other data take of each half of the L2 until a granule is asked for again */
	double held;            /* share of what is asked for again that the L2 still has */
	bool even;              /* each about as often as any */
};
/*
 * Share that the L2 still holds of a set of lines that all SMs ask for at random, where other data
 * take `beside` bytes of each half between two times that a granule is asked for:
 *
 *   lines * held - beside * ln(1 - held) = L2 / halves
 *
 * Che's approximation of LRU (H. Che, Y. Tung, Z. Wang, 2002). Of what is asked for evenly the share
 * falls straight, from all at L2 / halves on. Measured: benchmarks/operands/crowd.cu, again.cu.
 */
double full_random_held(const struct full_machine *machine, double lines, double beside, bool even);
/* Sectors at random addresses are served by the size of the lines that hold what is read so, by the bytes that these
 * lie in, and by how much of them that is. */
void full_random_rates(const struct full_machine *machine, const struct full_random *random,
                       struct full_traffic *traffic);

/*
 * Cycles that sectors at random addresses cost. Beyond the L2 each new granule costs; one beside a
 * granule that is fetched anyway costs the rest of a whole line; sectors of granules that are under
 * way cost the L2 alone.
 */
double full_random_work(const struct full_traffic *traffic, double sectors, unsigned fresh, unsigned beside);

/*
 * How much longer DRAM takes for the granules of a request than for as many of whole lines: of some
 * nobody asks for the neighbour in the line, of others somebody in another step (half_lines.*).
 */
double full_sparse_factor(const struct full_machine *machine, const struct full_share *share, double apart);

/*
 * A load while others keep DRAM busy (loaded.*). wait: cycles that one line waits longer than alone.
 * spread: cycles by which the fastest line comes before the mean; lines are distributed
 * exponentially. apart: share of blocks of 256 bytes that are slow by themselves, not with their
 * kilobyte.
 */
struct full_busy {
	double wait, spread, apart;
};
#define FULL_LOADS 33 /* places of the table */
struct full_busy_table {
	struct full_busy at[FULL_OTHERS]
			   [FULL_LOADS]; /* by what others do and share of DRAM's time, evenly from none to all */
};
/* Fills the table for DRAM's rates of the machine; of one that has no such numbers, dram_spread and no wait. */
void full_busy_make(const struct full_machine *machine, struct full_busy_table *table);
/* load: share of its time that DRAM works; written: of that, that it writes. Here, as each load from DRAM asks for it.
 */
static inline struct full_busy full_busy_at(const struct full_busy_table *table, double load, double written)
{
	double at = full_sooner(1, full_later(0, load)) * (FULL_LOADS - 1),
	       kind = full_sooner(1, written) * (FULL_OTHERS - 1);
	int l = (int)full_sooner(at, FULL_LOADS - 2), k = (int)full_sooner(kind, FULL_OTHERS - 2);
	const struct full_busy *low = &table->at[k][l], *high = &table->at[k + 1][l];
	double more = at - l, other = kind - k, own = 1 - other, less = 1 - more;
	double parts[4] = {less * own, more * own, less * other, more * other};
	return (struct full_busy){parts[0] * low[0].wait + parts[1] * low[1].wait + parts[2] * high[0].wait +
	                                  parts[3] * high[1].wait,
	                          parts[0] * low[0].spread + parts[1] * low[1].spread + parts[2] * high[0].spread +
	                                  parts[3] * high[1].spread,
	                          parts[0] * low[0].apart + parts[1] * low[1].apart + parts[2] * high[0].apart +
	                                  parts[3] * high[1].apart};
}

/* Sums of shares, and their mean. */
void full_share_add(struct full_share *sum, const struct full_share *share);
struct full_share full_share_mean(const struct full_share *sum);

/* ---- coverage.c -------------------------------------------------------------------------------------- */

/* Of a buffer, by all of the launch, each once: bytes of granules read, of sectors written, of granules that are
 * either, of lines. */
struct full_coverage {
	double read, written, either, lines, read_lines; /* read_lines: that loads bring */
	double incomplete; /* share of the sectors written that no store completes and no load reads */
	double read_longer,
		write_longer; /* than side by side DRAM takes for the lines, in runs with gaps between: at least 1 */
};
/* Of all buffers, and last of what lies in none that is known. */
struct full_coverage *full_coverage_find(struct arena *arena, const struct full_work *work);
/* How much longer DRAM takes for single lines that are written far apart. */
double full_line_longer(const struct full_machine *machine);

/* ---- window.c ---------------------------------------------------------------------------------------- */

#define FULL_WINDOW 32 /* requests of a warp that are looked at */

/* One of the first loads of a block's warp. */
struct full_window_request {
	uint32_t insn, entry; /* entry: how many basic blocks the warp had entered */
	uint32_t mask;        /* lanes at work */
	double span;          /* bytes over which lanes lie scattered; 0: they do not */
	uint64_t base;
	int64_t slope[3];
	int64_t first;          /* where in the buffer that is */
	bool irregular, uneven; /* uneven: lanes are not evenly apart */
	bool scattered;         /* lanes lie here and there, as by a list */
	bool failed;            /* irregular, as blocks beside it are not shifted evenly */
	uint8_t class;
};

/* Fills the shares of a launch that has fetched nothing yet. */
void full_window_shares(struct arena *arena, const struct full_work *work, struct full_traffic *traffic);

/* ---- irregular.c ------------------------------------------------------------------------------------- */

#define FULL_LONGEST_PERIOD 64 /* granules, or lines */
/* Share of the granules of an array that addresses like these come to at all: as few as their remainders by some
 * period, as of tiles of arrays, in which the addresses lie twice at least. *shortest, unless NULL: the shortest period
 * that shows as few; 1 where none shows less than all. */
double full_share_drawn(const uint64_t *granules, size_t count, unsigned *shortest);

/* Fills the shares of those of the requests that are irregular, and the rates of random addresses. */
void full_irregular(struct arena *arena, const struct full_work *work, struct full_traffic *traffic,
                    const struct full_window_request *requests, unsigned count);

/* ---- scattered.c ------------------------------------------------------------------------------------- */

/*
 * Cycles that a launch takes longer for the DRAM that its atomics need, of which the sorted sectors are a sample: so
 * many atomics to arrays that begin multiples of so many sectors apart. 0 where the machine file has no rates for that.
 */
double full_scattered_cycles(struct arena *arena, const struct full_machine *machine, const uint64_t *sectors,
                             size_t count, uint64_t apart, double additions);

/* ---- merging.c --------------------------------------------------------------------------------------- */

#define FULL_SMS 256 /* that are told apart */

/*
 * What SMs ask for together with the one that runs a block: sets of SMs that ask for the same of a line in the same
 * step, and for any of it at all. Blocks go to the SMs of one GPC after the other, as many of a short grid to each;
 * where the block's own GPC begins is not known: the mean of all places. A GPC is near to one half of the L2, and which
 * one is as good as random. Fills the share's joined and both.
 */
void full_merging_share(const struct full_work *work, uint64_t block, const uint64_t *same, const uint64_t *all,
                        struct full_share *share);

struct full_merging;
struct full_merging *full_merging_make(struct arena *arena, const struct full_work *work);
/* A warp of the launch makes its n-th request to global memory. */
void full_merging_step(struct full_merging *meeting, uint64_t warp, uint64_t number, double time);
/* The L1 is about to ask for a line. */
void full_merging_prefetch(const struct full_merging *meeting, uint64_t line);
/* The L1 asks for sectors of a line. */
void full_merging_ask(struct full_merging *meeting, uint32_t insn, uint64_t line, uint8_t sectors, double time);
/* Fills, of each instruction, what reaches the L2 of what missed the L1. */
void full_merging_finish(struct full_merging *meeting, struct full_run *run);

#endif
