/*
 * The buffer in which stores to a line become one before they go to the L2.
 *
 *   leave(i) = max(last store + wait, or now where the buffer is full; leave(i - 1) + 1;
 *                  port free - queue; L2 free - backlog; DRAM free - dram_backlog)
 *   port     = leave(i) + flits(i) * store_flit
 *   L2       = max(L2 free, leave(i)) + flits(i) * l2_store_flit * share + work on sectors in part
 *   flits    = sectors + 1 for a line that has a sector written in part
 *
 * First in, first out; a store to a line that waits joins it, but bytes never join words. A line
 * with a sector to be completed takes the L2 store.part_line_seconds at least (store_path.c). Numbers:
 * store.*, stride_cycles.l2_store_*. Assumed: store.backlog_cycles.
 */
#include "model/cost/full/run.h"

#include <math.h>

#define MOST_LINES 255
#define HASHES 256

struct store_line {
	uint64_t line;
	unsigned spread;
	bool fine; /* of less than a word each */
	struct full_bytes bytes;
};

struct full_stores {
	struct store_line ring[MOST_LINES];
	uint8_t waiting[HASHES]; /* lines that wait, by a hash: mostly it says that one does not */
	unsigned first, count, capacity;
	double wait, flit, l2_flit, part, again, queue, backlog, dram_backlog, port, l2, last, exit;
	struct full_path *path;
	struct full_store_counts counts;
};

struct full_stores *full_stores_make(struct arena *arena, const struct full_machine *machine, double share,
                                     struct full_path *path)
{
	struct full_stores *stores = arena_alloc(arena, sizeof *stores);
	stores->path = path;
	stores->capacity = machine->store_lines < 1            ? 1
	                   : machine->store_lines > MOST_LINES ? MOST_LINES
	                                                       : (unsigned)machine->store_lines;
	stores->wait = machine->store_wait;
	stores->part = machine->store_part * machine->clock_hz * machine->sms * share;
	stores->again = machine->store_again * machine->l2_store_flit * share;
	stores->queue = machine->store_queue * machine->store_flit;
	stores->backlog = machine->store_backlog;
	stores->dram_backlog = machine->store_dram_backlog;
	stores->flit = machine->store_flit;
	stores->l2_flit = machine->l2_store_flit * share;
	return stores;
}

/* When the oldest line leaves unless another store comes before. */
static double store_leaves(const struct full_stores *stores)
{
	return full_later(stores->last + stores->wait, full_later(stores->exit, stores->port - stores->queue));
}

static uint8_t *waiting_of(struct full_stores *stores, uint64_t line)
{
	return &stores->waiting[(line * UINT64_C(0x9e3779b97f4a7c15)) >> 56];
}

/* The line where it was stored to last and still waits, or NULL. */
static struct store_line *store_find(struct full_stores *stores, uint64_t line)
{
	for (unsigned i = stores->count; i-- > 0 && *waiting_of(stores, line);) {
		struct store_line *entry = &stores->ring[(stores->first + i) % MOST_LINES];
		if (entry->line == line)
			return entry;
	}
	return NULL;
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
	stores->exit = time + 1;
	stores->port = full_later(stores->port, time) + flits * stores->flit;
	stores->l2 = full_later(stores->l2, time) + flits * stores->l2_flit;
	stores->counts.lines++;
	stores->counts.sectors += sectors;
	stores->counts.partial += partial;
	stores->counts.flits += flits;
	if (stores->path) {
		struct full_write more;
		double dram = full_path_write(stores->path, entry->line, &entry->bytes, entry->spread,
		                              full_later(stores->port, stores->l2), &more);
		stores->l2 +=
			more.lacks ? full_later(0, stores->part - flits * stores->l2_flit) : more.again * stores->again;
		stores->l2 += more.driven * stores->part;
		stores->port = full_later(stores->port, dram - stores->dram_backlog);
	}
	stores->port = full_later(stores->port, stores->l2 - stores->backlog);
	--*waiting_of(stores, entry->line);
	stores->first = (stores->first + 1) % MOST_LINES;
	stores->count--;
}

double full_stores_add(struct full_stores *stores, uint64_t line, const struct full_bytes *bytes, unsigned spread,
                       bool fine, double time)
{
	while (stores->count && store_leaves(stores) <= time)
		store_send(stores, store_leaves(stores));
	stores->last = time;
	struct store_line *entry = store_find(stores, line);
	if (entry && entry->fine == fine) {
		entry->bytes.half[0] |= bytes->half[0];
		entry->bytes.half[1] |= bytes->half[1];
		return time;
	}
	if (stores->count == stores->capacity) {
		time = full_later(time, full_later(stores->exit, stores->port - stores->queue));
		store_send(stores, time);
	}
	++*waiting_of(stores, line);
	stores->ring[(stores->first + stores->count++) % MOST_LINES] = (struct store_line){line, spread, fine, *bytes};
	return time;
}

double full_stores_finish(struct full_stores *stores)
{
	while (stores->count)
		store_send(stores, store_leaves(stores));
	return full_later(stores->port, stores->l2);
}

struct full_store_counts full_stores_counts(const struct full_stores *stores)
{
	return stores->counts;
}
