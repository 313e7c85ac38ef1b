/*
 * path: what lies behind the L1 of one SM. load_path.c fetches through it, store_path.c stores through
 * it.
 *
 * A path holds three servers, each with the time until which it is busy: the SM's port, its share
 * of the L2 and its share of DRAM. It also holds the granules that this SM has asked for, the lines
 * that it has written, and the ring of sectors that are not whole yet.
 * Prefix: full_.
 */
#ifndef COALESCE_MODEL_COST_FULL_PATH_H
#define COALESCE_MODEL_COST_FULL_PATH_H

#include "model/cost/full/residency.h"
#include "model/cost/full/dram_latency.h"
#include "model/cost/full/traffic/traffic.h"

#define FULL_GRANULES 4      /* of a line at most */
#define FULL_FAR 8           /* granules further apart are alone */
#define FULL_OPEN_LINES 4096 /* room */
/* room for granules that are on their way, by a hash: the last of those that have the same */
#define FULL_PENDING 4096

/* A line that this SM has stored to, as the L2 holds it: store_path.c. */
struct full_written {
	uint64_t key; /* line + 1; 0: empty */
	double filled;
	struct full_bytes bytes;
	uint8_t paid;    /* sectors of which DRAM has had the work of writing them */
	uint8_t lacking; /* sectors that have to be completed */
};

/*
 * Sectors of a line that one store was the first to write. They wait in full_path.open until later
 * stores make them whole, or until part_close() completes them by reading.
 */
struct full_part {
	uint64_t line;
	uint8_t sectors, spread; /* as full_spread() has it, of the store */
};

/* A granule that this SM has fetched: when it is there. */
struct full_pending {
	uint64_t key; /* granule + 1; 0: empty */
	double until;
};

struct full_path {
	struct arena *arena;
	const struct full_machine *machine;
	const struct full_traffic *traffic;
	double share, port, l2, dram;
	double load, driven, stored, loaded; /* shares of its time that DRAM has worked lately; written what loads drove
	                                        out, and stores; at what time that was */
	struct full_residency *seen;         /* how much had come into the L2 when this SM last asked for a granule */
	struct full_pending pending[FULL_PENDING];
	uint64_t fetched[FULL_LINES *
	                 FULL_GRANULES]; /* granules of the request at hand that were new; fetched_count of them */
	unsigned fetched_count;
	unsigned granules;            /* of a line */
	uint8_t masks[FULL_GRANULES]; /* their sectors */
	double filled;      /* bytes of lines that all SMs together have brought into the L2, whatever of them */
	double reach, most; /* after how many no line is given up yet; all are */
	struct full_written *written;
	size_t written_slots, written_count;
	struct full_part open[FULL_OPEN_LINES]; /* a ring, in the order in which they were written */
	unsigned open_first, open_count, open_lines;
	double open_most, completed; /* lines; bytes of sectors that were */
	double (*credit)[3];         /* by instruction */
	double *asked;               /* by group of a random set: granules that all SMs have asked the L2 for */
	struct full_dram_latency *slower;
	struct full_busy_table busy;
	struct full_path_counts counts;
};

/* A server takes work from `time` on; returns when that begins. */
static inline double full_server_take(double *server, double time, double cycles, double *busy)
{
	*server = full_later(*server, time) + cycles;
	*busy += cycles;
	return *server - cycles;
}

/*
 * DRAM works for a store or a load from `time` on. A load also has dirty lines of others written.
 * Returns when the work begins. Random addresses, and reading to complete sectors, go to the server
 * `dram` directly.
 */
double full_path_dram(struct full_path *path, double time, double cycles, bool store);

/*
 * Whether the L2 holds a line because this SM asked for it. The L2 has room for lines, whatever it
 * has of them. granules: the line's numbers in full_residency.
 */
bool full_path_holds(const struct full_path *path, const float *granules);

#endif
