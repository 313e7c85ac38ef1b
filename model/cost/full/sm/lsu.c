/*
 * The load-store unit of one SM: tags, the data behind them, loads under way.
 *
 *   taken     = max(arrival, unit free)
 *   start     = max(taken, data free);  data free = start + passes
 *   unit free = max(taken + tag passes, start)
 *
 * A load that misses takes the unit alone, for its tag passes and lsu.miss_cycles at least; its
 * data take missing passes when they come. At most lsu.loads_in_flight loads wait for data. A hit's
 * data:
 *
 *   given(warp) = max(given(warp), start) + least passes + further passes * l1.warp_pass_cycles
 *
 * Global atomics take the SM's part of what their lines can do (atomic/).
 */
#include "model/cost/full/sm/sm.h"
#include "model/cost/full/traffic/traffic.h"

#include <math.h>

#define FLIGHT_MOST 4096
#define PURGE_LOADS 64
#define EXCHANGE_WORDS 65536 /* of shared memory, of all blocks together */
#define EXCHANGE_BLOCK 8191  /* from one block's words to the next one's */

/* The last request of an instruction, which the next one often repeats some lines further on. */
struct remembered {
	uint64_t base;
	int64_t step;
	uint32_t mask;
	struct full_request request;
};

struct full_lsu {
	struct arena *arena;
	const struct full_work *work;
	const struct full_machine *machine;
	struct full_run *run;
	struct full_l1 *l1;
	struct full_stores *stores;
	struct full_path *path;
	struct full_merging *meeting;   /* NULL: nobody asks */
	struct remembered **remembered; /* by instruction */
	double *atomics;                /* until when each server is busy, by instruction */
	double sharing;                 /* the launch's blocks over those of this SM, which may have more than others */
	double *changed;                /* when a word of shared memory was last exchanged; NULL before the first */
	double free, flight[FLIGHT_MOST]; /* flight: a heap of when loads are done, among them some that are */
	double purged;                    /* loads when those were last taken out */
	unsigned flight_count, flight_most;
	struct full_returns *returns;
	struct full_returned *returned; /* those that nobody has been told of */
	unsigned returned_count;
	double data;              /* until when the data are busy */
	bool in_order;            /* with what was taken, not with what goes back */
	double given[FULL_WARPS]; /* by warp of the SM: when it has what its last access reads */
};

struct full_lsu *full_lsu_make(struct arena *arena, const struct full_work *work, struct full_run *run)
{
	struct full_lsu *lsu = arena_alloc(arena, sizeof *lsu);
	lsu->arena = arena;
	lsu->work = work;
	lsu->machine = work->machine;
	lsu->run = run;
	lsu->l1 = full_l1_make(arena, work->machine, work->l1_bytes);
	if (work->l1_start)
		full_l1_begin(lsu->l1, work->l1_start);
	lsu->path = full_path_make(arena, work->machine, work->traffic, work->active, work->function->insn_count);
	lsu->meeting = full_only_timed(work) ? NULL : full_merging_make(arena, work);
	lsu->stores = full_stores_make(arena, work->machine, work->active / work->machine->sms, lsu->path);
	lsu->flight_most = (unsigned)full_later(1, full_sooner(work->machine->loads_in_flight, FLIGHT_MOST));
	lsu->returns = full_returns_make(arena, lsu->flight_most + 1);
	lsu->returned = arena_array(arena, FLIGHT_MOST, sizeof *lsu->returned);
	lsu->remembered = arena_array(arena, work->function->insn_count + 1, sizeof *lsu->remembered);
	lsu->sharing = (double)work->grid[0] * work->grid[1] * work->grid[2] / (double)work->blocks;
	lsu->atomics = arena_array(arena, work->function->insn_count + 1, sizeof *lsu->atomics);
	return lsu;
}

/* A completion time comes into the heap at a place whose own has left it. */
static void flight_sift(double *heap, unsigned count, unsigned at, double until)
{
	unsigned child = 2 * at + 1;
	for (; child + 1 < count; child = 2 * at + 1) {
		child += heap[child + 1] < heap[child];
		if (until <= heap[child])
			break;
		heap[at] = heap[child];
		at = child;
	}
	if (child + 1 == count && heap[child] < until) {
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = until;
}

/* Forgets loads that are done at `time`. */
static void flight_purge(struct full_lsu *lsu, double time)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < lsu->flight_count; i++)
		if (lsu->flight[i] > time)
			lsu->flight[kept++] = lsu->flight[i];
	lsu->flight_count = kept;
	for (unsigned i = kept / 2; i-- > 0;)
		flight_sift(lsu->flight, kept, i, lsu->flight[i]);
	lsu->purged = lsu->run->loads;
}

/* When a load may be on its way beside the others. */
static double flight_enter(struct full_lsu *lsu, double time)
{
	if (lsu->flight_count && lsu->flight_count + full_returns_count(lsu->returns) >= lsu->flight_most &&
	    lsu->flight[0] <= time && lsu->run->loads > lsu->purged + PURGE_LOADS)
		flight_purge(lsu, time);
	while (lsu->flight_count + full_returns_count(lsu->returns) >= lsu->flight_most) {
		if (!lsu->flight_count)
			full_lsu_return(lsu);
		time = full_later(time, lsu->flight[0]);
		lsu->flight_count--;
		flight_sift(lsu->flight, lsu->flight_count, 0, lsu->flight[lsu->flight_count]);
	}
	return time;
}

static void flight_add(struct full_lsu *lsu, double until)
{
	unsigned at = lsu->flight_count++;
	for (; at && lsu->flight[(at - 1) / 2] > until; at = (at - 1) / 2)
		lsu->flight[at] = lsu->flight[(at - 1) / 2];
	lsu->flight[at] = until;
}

double full_lsu_returning(const struct full_lsu *lsu)
{
	return full_later(lsu->data, full_returns_first(lsu->returns));
}

void full_lsu_return(struct full_lsu *lsu)
{
	double start = full_lsu_returning(lsu);
	struct full_return load = full_returns_take(lsu->returns, start);
	double done = full_later(load.ready, start + load.latency);
	lsu->data = start + load.passes;
	lsu->in_order = false;
	lsu->run->lsu_busy += load.passes;
	flight_add(lsu, done);
	lsu->returned[lsu->returned_count++] = (struct full_returned){load.owner, done};
}

bool full_lsu_returned(struct full_lsu *lsu, struct full_returned *returned)
{
	if (!lsu->returned_count)
		return false;
	*returned = lsu->returned[--lsu->returned_count];
	return true;
}

/* What has been taken at a time goes to the data, in turn with what goes back. The next one is taken `cycles` later,
 * and not before the data serve this one. Returns when they do. */
static double data_pass(struct full_lsu *lsu, double time, double cycles, double passes)
{
	if (lsu->in_order && full_lsu_returning(lsu) <= full_later(lsu->data, time))
		full_lsu_return(lsu);
	double start = full_later(lsu->data, time);
	lsu->data = start + passes;
	lsu->in_order = true;
	lsu->run->lsu_busy += passes;
	lsu->free = full_later(time + cycles, start);
	return start;
}

double full_lsu_pass(struct full_lsu *lsu, double time, double passes)
{
	return data_pass(lsu, full_later(lsu->free, time), 1, passes);
}

/* What is read from `start` on goes to its warp, one access after the other. Returns when the last pass of it does. */
static double handed_over(struct full_lsu *lsu, const struct full_owner *owner, const struct full_request *request,
                          double start)
{
	double least = 1u << request->width, *given = &lsu->given[owner->warp];
	double further = full_later(0, request->passes - least), own = request->passes - further;
	*given = full_later(*given, start) + own + further * lsu->machine->warp_pass;
	return *given - 1;
}

/* Which sectors of each line of a load have to be fetched, and its place in the L1; *ready rises to when the others are
 * there. Returns how many. */
static unsigned sectors_missing(struct full_lsu *lsu, const struct full_insn *insn, const struct full_request *request,
                                uint8_t missing[FULL_LINES], uint32_t places[FULL_LINES], double *ready)
{
	unsigned missed = 0;
	for (unsigned i = 0; i < request->line_count; i++) {
		missing[i] = insn->past_l1
		                     ? request->sectors[i]
		                     : full_l1_load(lsu->l1, request->line[i], request->sectors[i], &places[i], ready);
		missed += full_sectors(missing[i]);
		if (missing[i] && lsu->meeting)
			full_merging_prefetch(lsu->meeting, request->line[i]);
	}
	lsu->run->insns[insn->index].missed += missed;
	lsu->run->missed_sectors += missed;
	return missed;
}

/* Fetches them; returns when they are there. */
static double sectors_fetch(struct full_lsu *lsu, const struct full_insn *insn, const struct full_request *request,
                            const uint8_t missing[FULL_LINES], const uint32_t places[FULL_LINES], double start)
{
	double there = full_path_fetch(lsu->path, insn->index, request, missing, start, lsu->work->warm);
	for (unsigned i = 0; i < request->line_count; i++) {
		if (!missing[i])
			continue;
		if (lsu->meeting)
			full_merging_ask(lsu->meeting, insn->index, request->line[i], missing[i], start);
		if (!insn->past_l1)
			full_l1_fill(lsu->l1, request->line[i], missing[i], places[i], there);
	}
	return there;
}

/* A load from global or local memory, taken at `start`: when its last value is there at the earliest; *waits: for data
 * from beyond the L1. */
static double global_load(struct full_lsu *lsu, const struct full_owner *owner, struct full_request *request,
                          double start, bool *waits)
{
	const struct full_insn *insn = owner->insn;
	const struct full_machine *machine = lsu->machine;
	uint8_t missing[FULL_LINES];
	uint32_t places[FULL_LINES];
	double ready = 0, hit = machine->l1_latency + machine->wide_latency[request->width],
	       latency = request->passes - 1 + hit;
	double before = full_lsu_fetched(lsu);
	bool near = full_supposed(lsu->work, insn->index, SUPPOSE_NEAR);
	unsigned missed = near ? 0 : sectors_missing(lsu, insn, request, missing, places, &ready);
	lsu->run->global_sectors += request->sector_count;
	lsu->run->lines += request->line_count;
	lsu->run->insns[insn->index].sectors += request->sector_count;
	if (missed)
		ready = full_later(ready, sectors_fetch(lsu, insn, request, missing, places, start));
	lsu->run->insns[insn->index].far += (full_lsu_fetched(lsu) - before) / SECTOR_BYTES;
	*waits = ready > start + latency;
	if (!*waits)
		return handed_over(lsu, owner, request, data_pass(lsu, start, request->tag_passes, request->passes)) +
		       hit;
	lsu->free = start + (missed ? full_later(machine->load_accept, request->tag_passes) : request->tag_passes);
	if (missed)
		lsu->free = full_later(lsu->free, full_path_port(lsu->path) - machine->miss_lines * machine->port_line);
	struct full_return load = {.ready = ready,
	                           .latency = latency,
	                           .passes = full_l1_missing_passes(machine, request),
	                           .owner = *owner};
	full_returns_add(lsu->returns, &load);
	return ready;
}

static void global_store(struct full_lsu *lsu, const struct full_request *request, double start)
{
	double taken = start;
	unsigned spread = full_spread(request);
	lsu->run->stored_sectors += request->sector_count;
	for (unsigned i = 0; i < request->line_count; i++)
		lsu->run->stored_hits += full_sectors(full_l1_store(lsu->l1, request->line[i], &request->bytes[i]) &
		                                      request->sectors[i]);
	for (unsigned i = 0; i < request->line_count; i++)
		taken = full_stores_add(lsu->stores, request->line[i], &request->bytes[i], spread, request->fine,
		                        full_later(taken, start + i * request->passes / request->line_count));
	lsu->free = full_later(lsu->free, taken);
}

/* Atomics on global memory: the SM's part of what the L2 does, by what they meet. */
static double atomic_done(struct full_lsu *lsu, const struct full_insn *insn, const struct full_request *request,
                          double start)
{
	if (request->space == SPACE_SHARED)
		return start + request->passes + lsu->machine->shared_atomic_latency;
	const struct full_atomic *atomic = &lsu->work->atomics[insn->index];
	double *server = &lsu->atomics[atomic->server];
	*server = full_later(*server, start) + request->lane_count * atomic->cycles * lsu->sharing;
	lsu->run->last_atomic = full_later(lsu->run->last_atomic, *server);
	return full_later(start + request->passes, *server) + lsu->machine->atomic_latency;
}

/*
 * An exchange that is done again until it succeeds: lane k of a bank in trip k, and then in the first one in which no
 * other lane has changed its word since it was loaded. The unit is taken for all trips at once. warp: of the launch.
 */
static double exchange_done(struct full_lsu *lsu, const struct full_request *request, uint64_t warp, double start)
{
	const struct full_machine *machine = lsu->machine;
	uint64_t block = warp / lsu->work->warps;
	double done = start;
	if (!lsu->changed)
		lsu->changed = arena_array(lsu->arena, EXCHANGE_WORDS, sizeof *lsu->changed);
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		if (request->sectors[lane] == UINT8_MAX)
			continue;
		double *changed = &lsu->changed[(request->line[lane] / 4 + block * EXCHANGE_BLOCK) % EXCHANGE_WORDS];
		double time = start + request->sectors[lane] * machine->exchange_trip,
		       free = *changed + machine->exchange_window;
		if (*changed > 0 && time < free)
			time += ceil((free - time) / machine->exchange_trip) * machine->exchange_trip;
		*changed = time;
		done = full_later(done, time);
	}
	return done + machine->shared_atomic_latency;
}

/* Cycles of the unit for atomics on global memory: each line, each lane at an address that is taken already, each
 * further sector goes on its own. */
static double atomic_passes(const struct full_machine *machine, const struct full_insn *insn,
                            const struct full_request *request)
{
	double cycles = machine->atomic_request +
	                machine->atomic_line_more * (request->line_count - 1 + request->repeats) +
	                machine->atomic_sector_more * (request->sector_count - request->line_count);
	if (insn->memory == FULL_ATOMIC)
		cycles /= machine->atomic_returning;
	return full_later(request->passes, request->line_count ? cycles : 0);
}

/* Serves a load from global or local memory from `time` on, as global_load() does. */
static double load_serve(struct full_lsu *lsu, const struct full_owner *owner, struct full_request *request,
                         uint64_t warp, uint64_t number, double time, bool *waits)
{
	double wanted = full_later(lsu->free, time);
	if (lsu->meeting)
		full_merging_step(lsu->meeting, warp, number, time);
	double start = flight_enter(lsu, wanted);
	request->block = warp / lsu->work->warps;
	request->number = owner->loads;
	lsu->run->blocked += start > wanted;
	lsu->run->loads++;
	double done = global_load(lsu, owner, request, start, waits);
	if (!*waits)
		flight_add(lsu, done);
	return done;
}

/* Serves any other request from `time` on; returns when its result is there. */
static double request_serve(struct full_lsu *lsu, const struct full_owner *owner, const struct full_request *request,
                            uint64_t warp, double time)
{
	const struct full_insn *insn = owner->insn;
	bool shared = request->space == SPACE_SHARED, store = insn->memory == FULL_STORE && !shared,
	     atomic = insn->memory >= FULL_ATOMIC;
	double passes = store               ? full_later(request->passes, lsu->machine->store_cycles)
	                : atomic && !shared ? atomic_passes(lsu->machine, insn, request)
	                                    : request->passes;
	double start = data_pass(lsu, full_later(lsu->free, time), atomic ? passes : 1, passes);
	if (shared) {
		lsu->run->shared_busy += request->passes;
		lsu->run->shared_conflicts += request->conflicts;
	}
	if (insn->memory == FULL_EXCHANGING)
		return exchange_done(lsu, request, warp, start);
	if (atomic)
		return atomic_done(lsu, insn, request, start);
	if (shared)
		return (insn->memory == FULL_LOAD ? handed_over(lsu, owner, request, start)
		                                  : start + request->passes - 1) +
		       lsu->machine->shared_latency;
	global_store(lsu, request, start);
	return start + request->passes;
}

/* Bytes of the buffer that a request of unknown address goes to; 0 where that is unknown too. */
static uint64_t buffer_bytes(const struct full_lsu *lsu, const struct trace_event *event)
{
	unsigned buffer;
	int64_t offset;
	if (event->space == SPACE_SHARED)
		return lsu->work->shared_bytes;
	if (event->address == TRACE_KNOWN ||
	    !content_locate(full_first_address(event), lsu->work->buffer_count, &buffer, &offset))
		return 0;
	return lsu->work->buffers[buffer].bytes;
}

static struct full_request *request_of(struct full_lsu *lsu, const struct full_insn *insn,
                                       const struct trace_event *event, uint64_t warp, uint64_t number)
{
	struct remembered **place = &lsu->remembered[insn->index], *last = *place;
	bool plain = event->address == TRACE_KNOWN && !event->lanes && event->space != SPACE_LOCAL &&
	             insn->memory != FULL_EXCHANGING;
	if (!last)
		last = *place = arena_alloc(lsu->arena, sizeof *last);
	if (plain && last->mask == event->mask && last->step == event->step && last->request.space == event->space &&
	    (last->base - event->base) % LINE_BYTES == 0) {
		uint64_t lines = (uint64_t)((int64_t)(event->base - last->base) / LINE_BYTES);
		for (unsigned i = 0; lines && i < last->request.line_count; i++)
			last->request.line[i] += lines;
		if (lines && event->space != SPACE_SHARED)
			full_l1_passes(lsu->machine, &last->request);
		last->base = event->base;
		return &last->request;
	}
	full_request_make(lsu->machine, event, (enum full_memory)insn->memory, warp, warp * 1024 + number,
	                  buffer_bytes(lsu, event), &last->request);
	last->base = event->base;
	last->step = event->step;
	last->mask = plain ? event->mask : 0;
	return &last->request;
}

/* What the instruction would ask for if neighbouring lanes, warps and requests accessed neighbouring elements. */
static struct trace_event neighbours_make(const struct full_lsu *lsu, const struct trace_event *event, uint64_t warp,
                                          uint64_t number)
{
	struct trace_event neighbours = *event;
	uint64_t place = number * (uint64_t)lsu->work->evaluation->warps + warp;
	neighbours.base = (UINT64_C(1) << 61) + ((uint64_t)event->insn << 50) + place * event->bytes * WARP_LANES;
	neighbours.step = event->bytes;
	neighbours.lanes = NULL;
	neighbours.address = TRACE_KNOWN;
	return neighbours;
}

void full_lsu_serve(struct full_lsu *lsu, const struct full_owner *owner, const struct trace_event *event,
                    uint64_t warp, uint64_t number, double time, struct full_served *served)
{
	const struct full_insn *insn = owner->insn;
	struct trace_event neighbours;
	bool waits = false;
	if (full_supposed(lsu->work, insn->index, SUPPOSE_NEIGHBOURS)) {
		neighbours = neighbours_make(lsu, event, warp, number);
		event = &neighbours;
	}
	struct full_request *request = request_of(lsu, insn, event, warp, number);
	double done = insn->memory == FULL_LOAD && request->space != SPACE_SHARED
	                      ? load_serve(lsu, owner, request, warp, number, time, &waits)
	                      : request_serve(lsu, owner, request, warp, time);
	served->done = full_later(served->done, done);
	served->waiting += waits;
	served->taken = lsu->free;
}

double full_lsu_fetched(const struct full_lsu *lsu)
{
	return full_path_counted(lsu->path)->dram_bytes;
}

double full_lsu_free(const struct full_lsu *lsu)
{
	return lsu->free;
}

double full_lsu_finish(struct full_lsu *lsu)
{
	double stored = full_later(full_stores_finish(lsu->stores), full_path_idle(lsu->path));
	if (lsu->meeting)
		full_merging_finish(lsu->meeting, lsu->run);
	lsu->run->path = *full_path_counted(lsu->path);
	lsu->run->lacking_bytes = full_path_close(lsu->path);
	lsu->run->stores = full_stores_counts(lsu->stores);
	return stored;
}
