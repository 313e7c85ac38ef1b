/*
 * The buffer in which stores to a line become one, before they go to the L2.
 *
 *   leave(i) = max(enter(i) + wait, port), or max(now, port) where the buffer is full
 *   port     = leave(i) + flits(i) * max(store_flit, l2_store_flit * share)
 *   flits    = sectors + 1 for a line that has a sector written in part, store_partial for each of those, and store_filled for each that is read from DRAM for it
 *
 * First in, first out; a store to a line that still waits joins it; what has left queues for `backlog` cycles before the LSU has to wait. Measured on the H200 (stride_cycles.l2_store_*): one SM sends a flit a cycle, the whole
 * L2 takes one in 1.72 cycles of each SM, for all strides and widths. Merging: one warp that writes 8 members of a 32-byte record merges
 * all; 64 warps doing it, none; with 1000 cycles between two stores none. Assumed: how many lines it holds, for how long, and the queue behind it.
 */
#include "model/cost/full/run.h"

#include <math.h>

#define MOST_LINES 256

struct store_line {
	uint64_t line;
	double entered;
	unsigned spread;
	struct full_bytes bytes;
};

struct full_stores {
	struct store_line ring[MOST_LINES];
	unsigned first, count, capacity;
	double wait, flit, filled, again, backlog, port;
	struct full_path *path;
	struct full_store_counts counts;
};

struct full_stores *full_stores_make(struct arena *arena, const struct full_machine *machine, double share, struct full_path *path)
{
	struct full_stores *stores = arena_alloc(arena, sizeof *stores);
	stores->path = path;
	stores->capacity = machine->store_lines < 1            ? 1
	                   : machine->store_lines > MOST_LINES ? MOST_LINES
	                                                       : (unsigned)machine->store_lines;
	stores->wait = machine->store_wait;
	stores->filled = machine->store_filled * machine->l2_store_flit * share;
	stores->again = machine->store_again * machine->l2_store_flit * share;
	stores->backlog = machine->store_backlog;
	stores->flit = full_later(machine->store_flit, machine->l2_store_flit * share);
	return stores;
}

static double store_leaves(const struct full_stores *stores)
{
	return full_later(stores->ring[stores->first].entered + stores->wait, stores->port);
}

/* The oldest line goes to the L2, not before `time`. */
static void store_send(struct full_stores *stores, double time)
{
	const struct store_line *entry = &stores->ring[stores->first];
	int sectors = 0, partial = 0;
	for (unsigned s = 0; s < LINE_BYTES / SECTOR_BYTES; s++) {
		uint32_t bytes = (uint32_t)(entry->bytes.half[s / 2] >> (s % 2 * SECTOR_BYTES));
		sectors += bytes != 0;
		partial += bytes != 0 && bytes != UINT32_MAX;
	}
	double flits = sectors + (partial > 0 ? 1 : 0);
	stores->port = full_later(stores->port, time) + flits * stores->flit;
	stores->counts.lines++;
	stores->counts.sectors += sectors;
	stores->counts.partial += partial;
	stores->counts.flits += flits;
	if (stores->path) {
		struct full_write more;
		double dram = full_path_write(stores->path, entry->line, &entry->bytes, entry->spread, stores->port, &more);
		stores->port += more.filled * stores->filled + more.again * stores->again;
		stores->port = full_later(stores->port, dram - stores->backlog);
	}
	stores->first = (stores->first + 1) % MOST_LINES;
	stores->count--;
}

double full_stores_add(struct full_stores *stores, uint64_t line, const struct full_bytes *bytes, unsigned spread, double time)
{
	while (stores->count && store_leaves(stores) <= time)
		store_send(stores, store_leaves(stores));
	for (unsigned i = 0; i < stores->count; i++) {
		struct store_line *entry = &stores->ring[(stores->first + i) % MOST_LINES];
		if (entry->line != line)
			continue;
		entry->bytes.half[0] |= bytes->half[0];
		entry->bytes.half[1] |= bytes->half[1];
		return time;
	}
	if (stores->count == stores->capacity)
		store_send(stores, time);
	stores->ring[(stores->first + stores->count++) % MOST_LINES] = (struct store_line){line, time, spread, *bytes};
	return full_later(time, stores->port - stores->backlog);
}

void full_stores_finish(struct full_stores *stores)
{
	while (stores->count)
		store_send(stores, store_leaves(stores));
}

struct full_store_counts full_stores_counts(const struct full_stores *stores)
{
	return stores->counts;
}
