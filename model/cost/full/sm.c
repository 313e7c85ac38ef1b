/*
 * One SM: resident warps, schedulers, pipes, LSU, barriers. Completion times are known when an instruction issues, so there is no list of events.
 *
 *   a warp may issue at  max(last issue + stall, scoreboards of its wait mask, its pipe on this scheduler, room in the LSU's queue)
 *
 * A scheduler issues one instruction a cycle: the same warp while it is ready, else the youngest (hopper-core: greedy then youngest). Memory
 * instructions go through a queue of each scheduler to the one LSU of the SM, which serves each for its passes; the place in the queue is free when
 * the LSU has taken the instruction. Loads on their way are limited for the SM. Blocks start block_cycles times the SMs apart; one that ends makes room for the next.
 * Barriers: the last warp's arrival and barrier cycles. Everything here is in cycles of the SM.
 */
#include "model/cost/full/full.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCOREBOARDS 6
#define MOST_WARPS 64
#define QUEUE_MOST 64
#define FLIGHT_MOST 4096
#define READ_CYCLES 14 /* until a store has read its registers */

enum warp_state { WARP_FREE, WARP_READY, WARP_BARRIER };

struct warp {
	struct trace *trace;
	struct trace_event event;
	double ready, wake, scoreboard[SCOREBOARDS];
	uint32_t cursor, end; /* instructions of struct full_code */
	uint32_t slot, number;
	uint64_t block, requests;
	enum warp_state state;
	bool pending, memory[SCOREBOARDS], memory_wait;
};

struct scheduler {
	double free, next, pipe[FULL_PIPES];
	double queue[QUEUE_MOST]; /* when the LSU took the last instructions */
	unsigned queue_at, greedy;
};

struct slot {
	uint32_t running, waiting; /* warps not done; of them at the barrier */
	double arrived, stored;    /* when its last warp came to the barrier; when its stores are in the L2 */
	uint64_t block;
};

struct sm {
	struct arena *arena;
	const struct full_work *work;
	const struct full_machine *machine;
	struct full_l1 *l1;
	struct full_stores *stores;
	struct full_path *path;
	struct warp warps[MOST_WARPS];
	struct slot slots[MOST_WARPS];
	struct scheduler schedulers[FULL_SCHEDULERS];
	double *atomics; /* until when each server is busy, by instruction */
	double lsu, last_atomic, started, flight[FLIGHT_MOST], now;
	unsigned flight_count, slot_count, running, queue_length;
	uint64_t next_block;
	struct full_store_counts stored;
	struct full_run run;
};

/* ---- warps ---------------------------------------------------------------------------------- */

static void block_place(const struct full_work *work, uint64_t block, uint32_t at[3])
{
	at[0] = (uint32_t)(block % work->grid[0]);
	at[1] = (uint32_t)(block / work->grid[0] % work->grid[1]);
	at[2] = (uint32_t)(block / work->grid[0] / work->grid[1]);
}

static void warp_end(struct sm *sm, struct warp *warp);

/* The instruction at the cursor: when the warp may issue it as far as it alone decides. */
static void warp_next(struct sm *sm, struct warp *warp)
{
	const struct full_insn *insn = &sm->work->code->insns[warp->cursor];
	warp->wake = warp->ready;
	warp->memory_wait = false;
	for (unsigned s = 0; s < SCOREBOARDS; s++)
		if (insn->wait_mask >> s & 1 && warp->scoreboard[s] > warp->wake) {
			warp->wake = warp->scoreboard[s];
			warp->memory_wait = warp->memory[s];
		}
}

static void event_pull(struct warp *warp)
{
	warp->pending = trace_next(warp->trace, &warp->event);
}

/* Moves on to the next block of instructions when this one is over. */
static void warp_advance(struct sm *sm, struct warp *warp)
{
	while (warp->cursor == warp->end) {
		while (warp->pending && warp->event.kind != TRACE_BLOCK && warp->event.kind != TRACE_EXIT)
			event_pull(warp);
		if (!warp->pending || warp->event.kind == TRACE_EXIT) {
			warp_end(sm, warp);
			return;
		}
		const struct full_block *block = &sm->work->code->blocks[warp->event.block];
		warp->cursor = block->first;
		warp->end = block->first + block->count;
		event_pull(warp);
	}
	warp_next(sm, warp);
}

static void warp_start(struct sm *sm, uint32_t slot, uint32_t number, double time)
{
	struct warp *warp = &sm->warps[slot * sm->work->warps + number];
	uint32_t at[3];
	block_place(sm->work, sm->slots[slot].block, at);
	*warp = (struct warp){.trace = trace_open(sm->work->tracer, at, number),
	                      .ready = time,
	                      .slot = slot,
	                      .number = number,
	                      .block = sm->slots[slot].block,
	                      .state = WARP_READY};
	event_pull(warp);
	if (getenv("FULL_SKIP") && sm->next_block <= sm->work->resident) { /*DEBUG*/
		unsigned long h = (unsigned long)(warp->block * 64 + number + 1) * 0x9e3779b97f4a7c15ul;
		unsigned skip = (unsigned)((double)(h >> 40) / (1 << 24) * atof(getenv("FULL_SKIP")));
		for (unsigned seen = 0; seen < skip && warp->pending && warp->event.kind != TRACE_EXIT;) {
			seen += warp->event.kind == TRACE_REQUEST;
			event_pull(warp);
		}
		while (warp->pending && warp->event.kind != TRACE_BLOCK && warp->event.kind != TRACE_EXIT)
			event_pull(warp);
	}
	warp_advance(sm, warp);
}

static void scheduler_refresh(struct sm *sm, unsigned which);

static void block_start(struct sm *sm, uint32_t slot, double time)
{
	const struct full_work *work = sm->work;
	sm->started = fmax(sm->started + sm->machine->block_cycles * work->active, time);
	sm->slots[slot] = (struct slot){.running = work->warps, .block = work->first + sm->next_block * work->step};
	sm->next_block++;
	sm->running += work->warps;
	for (uint32_t w = 0; w < work->warps; w++)
		warp_start(sm, slot, w, sm->started);
	for (unsigned s = 0; s < sm->machine->schedulers; s++)
		scheduler_refresh(sm, s);
}

static void barrier_check(struct sm *sm, uint32_t slot)
{
	struct slot *block = &sm->slots[slot];
	if (!block->waiting || block->waiting < block->running)
		return;
	block->waiting = 0;
	for (uint32_t w = 0; w < sm->work->warps; w++) {
		struct warp *warp = &sm->warps[slot * sm->work->warps + w];
		if (warp->state != WARP_BARRIER)
			continue;
		double free = block->arrived + sm->machine->barrier_base + w * sm->machine->barrier_per_warp;
		sm->run.waits[FULL_WAIT_BARRIER] += free - warp->ready;
		warp->ready = fmax(warp->ready, free);
		warp->state = WARP_READY;
		warp_advance(sm, warp);
	}
	for (unsigned s = 0; s < sm->machine->schedulers; s++)
		scheduler_refresh(sm, s);
}

static void warp_end(struct sm *sm, struct warp *warp)
{
	struct slot *slot = &sm->slots[warp->slot];
	trace_close(warp->trace);
	warp->state = WARP_FREE;
	sm->running--;
	slot->running--;
	if (slot->running) {
		barrier_check(sm, warp->slot);
		return;
	}
	sm->run.finished++;
	if (sm->next_block < sm->work->blocks)
		block_start(sm, warp->slot, fmax(warp->ready, slot->stored) + sm->machine->block_turn);
}

/* ---- LSU ------------------------------------------------------------------------------------ */

/* The least completion time of the loads on their way moves to the end of the heap. */
static void flight_sift(double *heap, unsigned count, unsigned at)
{
	for (unsigned child = 2 * at + 1; child < count; child = 2 * at + 1) {
		if (child + 1 < count && heap[child + 1] < heap[child])
			child++;
		if (heap[at] <= heap[child])
			return;
		double swap = heap[at];
		heap[at] = heap[child];
		heap[child] = swap;
		at = child;
	}
}

/* When a load may be on its way beside the others. */
static double flight_enter(struct sm *sm, double time)
{
	unsigned most = (unsigned)fmin(sm->machine->loads_in_flight, FLIGHT_MOST);
	while (sm->flight_count && (sm->flight[0] <= time || sm->flight_count >= most)) {
		time = fmax(time, sm->flight[0]);
		sm->flight[0] = sm->flight[--sm->flight_count];
		flight_sift(sm->flight, sm->flight_count, 0);
	}
	return time;
}

static void flight_add(struct sm *sm, double until)
{
	unsigned at = sm->flight_count++;
	sm->flight[at] = until;
	while (at && sm->flight[(at - 1) / 2] > sm->flight[at]) {
		double swap = sm->flight[at];
		sm->flight[at] = sm->flight[(at - 1) / 2];
		sm->flight[(at - 1) / 2] = swap;
		at = (at - 1) / 2;
	}
}

static double lsu_take(struct sm *sm, double time, double passes)
{
	double start = fmax(sm->lsu, time);
	sm->lsu = start + passes;
	sm->run.lsu_busy += passes;
	return start;
}

/* A load from global or local memory: when its last value is there. */
static double global_load(struct sm *sm, const struct full_insn *insn, const struct full_request *request, double start)
{
	uint8_t missing[FULL_LINES];
	double ready = 0, hit = start + request->passes - 1 + sm->machine->l1_latency + sm->machine->wide_latency[request->width];
	unsigned missed = 0;
	for (unsigned i = 0; i < request->line_count; i++) {
		missing[i] = full_l1_load(sm->l1, request->line[i], request->sectors[i], &ready);
		missed += (unsigned)__builtin_popcount(missing[i]);
	}
	sm->run.global_sectors += request->sector_count;
	sm->run.missed_sectors += missed;
	if (missed) {
		double there = full_path_fetch(sm->path, insn->index, request, missing, start, sm->work->warm);
		for (unsigned i = 0; i < request->line_count; i++)
			if (missing[i])
				full_l1_fill(sm->l1, request->line[i], missing[i], there);
		ready = fmax(ready, there);
	}
	return fmax(hit, ready);
}

static void global_store(struct sm *sm, const struct full_request *request, double start)
{
	double taken = start;
	for (unsigned i = 0; i < request->line_count; i++)
		taken = fmax(taken, full_stores_add(sm->stores, request->line[i], &request->bytes[i], start));
	struct full_store_counts counts = full_stores_counts(sm->stores);
	full_path_store(sm->path, request, counts.sectors - sm->stored.sectors, counts.partial - sm->stored.partial, start);
	sm->stored = counts;
	sm->lsu = fmax(sm->lsu, taken);
}

/* Atomics on global memory: the SM's part of what the L2 does, by what they meet. */
static double atomic_done(struct sm *sm, const struct full_insn *insn, const struct full_request *request, double start)
{
	if (request->space == SPACE_SHARED)
		return start + request->passes + sm->machine->shared_atomic_latency;
	const struct full_atomic *atomic = &sm->work->atomics[insn->index];
	double *server = &sm->atomics[atomic->server];
	*server = fmax(*server, start) + request->lane_count * atomic->cycles * sm->work->active;
	sm->last_atomic = fmax(sm->last_atomic, *server);
	return fmax(start + request->passes, *server) + sm->machine->atomic_latency;
}

/* Serves one request from `time` on; returns when its result is there. */
static double request_serve(struct sm *sm, const struct warp *warp, const struct full_insn *insn,
                            const struct full_request *request, double time)
{
	bool store = insn->memory == FULL_STORE && request->space != SPACE_SHARED;
	double start = lsu_take(sm, time, store ? fmax(request->passes, sm->machine->store_cycles) : request->passes);
	if (request->space == SPACE_SHARED) {
		sm->run.shared_busy += request->passes;
		sm->run.shared_conflicts += request->conflicts;
	}
	if (insn->memory == FULL_ATOMIC || insn->memory == FULL_REDUCTION)
		return atomic_done(sm, insn, request, start);
	if (request->space == SPACE_SHARED)
		return start + request->passes - 1 + sm->machine->shared_latency;
	if (insn->memory == FULL_STORE) {
		global_store(sm, request, start);
		sm->slots[warp->slot].stored = fmax(sm->slots[warp->slot].stored, sm->lsu + sm->machine->l2_latency);
		return start + request->passes;
	}
	start = flight_enter(sm, start);
	sm->lsu = fmax(sm->lsu, start + request->passes);
	double done = global_load(sm, insn, request, start);
	flight_add(sm, done);
	return done;
}

/* Bytes of the buffer that a request of unknown address goes to; 0 where that is unknown too. */
static uint64_t buffer_bytes(const struct sm *sm, const struct trace_event *event)
{
	unsigned buffer;
	int64_t offset;
	if (event->address == TRACE_KNOWN || !content_locate(full_first_address(event), sm->work->buffer_count, &buffer, &offset))
		return 0;
	return sm->work->buffers[buffer].bytes;
}

/* The warp's requests for the instruction go to the LSU; returns when the last result is there. */
static double memory_issue(struct sm *sm, struct scheduler *scheduler, struct warp *warp, const struct full_insn *insn, double time)
{
	struct full_request request;
	double done = time + 1, taken = time;
	while (warp->pending && warp->event.kind == TRACE_REQUEST && warp->event.insn == insn->index) {
		if (warp->event.mask) {
			full_request_make(sm->machine, &warp->event, (enum full_memory)insn->memory,
			                  warp->block * sm->work->warps + warp->number,
			                  warp->block * sm->work->warps * 1024 + warp->number * 1024 + warp->requests++,
			                  buffer_bytes(sm, &warp->event), &request);
			done = fmax(done, request_serve(sm, warp, insn, &request, time));
			taken = sm->lsu;
		}
		event_pull(warp);
	}
	scheduler->queue[scheduler->queue_at] = taken;
	scheduler->queue_at = (scheduler->queue_at + 1) % sm->queue_length;
	scheduler->pipe[FULL_LSU] = time + sm->machine->address_cycles;
	return done;
}

/* ---- issue ------------------------------------------------------------------------------------ */

/* When the scheduler could issue the warp's next instruction. */
static double warp_time(const struct sm *sm, const struct scheduler *scheduler, const struct warp *warp)
{
	const struct full_insn *insn = &sm->work->code->insns[warp->cursor];
	double time = fmax(warp->wake, scheduler->pipe[insn->pipe]);
	if (insn->memory)
		time = fmax(time, scheduler->queue[scheduler->queue_at]);
	return time;
}

static void scheduler_refresh(struct sm *sm, unsigned which)
{
	struct scheduler *scheduler = &sm->schedulers[which];
	double next = INFINITY;
	for (unsigned w = which; w < sm->slot_count * sm->work->warps; w += sm->machine->schedulers)
		if (sm->warps[w].state == WARP_READY)
			next = fmin(next, warp_time(sm, scheduler, &sm->warps[w]));
	scheduler->next = fmax(next, scheduler->free);
}

/* The warp that issues at scheduler->next: the last one again, else the youngest. */
static struct warp *warp_choose(struct sm *sm, unsigned which)
{
	struct scheduler *scheduler = &sm->schedulers[which];
	struct warp *chosen = NULL;
	unsigned choice = 0;
	for (unsigned w = which; w < sm->slot_count * sm->work->warps; w += sm->machine->schedulers) {
		struct warp *warp = &sm->warps[w];
		if (warp->state != WARP_READY || warp_time(sm, scheduler, warp) > scheduler->next)
			continue;
		if (w == scheduler->greedy) {
			return warp;
		}
		if (!chosen || warp->block > chosen->block || (warp->block == chosen->block && warp->number > chosen->number)) {
			chosen = warp;
			choice = w;
		}
	}
	scheduler->greedy = choice;
	return chosen;
}

static void waits_count(struct sm *sm, const struct warp *warp, double time)
{
	double stall = fmax(0, warp->wake - warp->ready);
	sm->run.waits[FULL_WAIT_ISSUE] += 1;
	sm->run.waits[warp->memory_wait ? FULL_WAIT_MEMORY : FULL_WAIT_SCOREBOARD] += stall;
	sm->run.waits[sm->work->code->insns[warp->cursor].memory ? FULL_WAIT_QUEUE : FULL_WAIT_PIPE] += fmax(0, time - warp->wake);
}

static void scoreboards_set(struct warp *warp, const struct full_insn *insn, double time, double done)
{
	if (insn->write_barrier < SCOREBOARDS) {
		bool later = done >= warp->scoreboard[insn->write_barrier];
		warp->scoreboard[insn->write_barrier] = fmax(warp->scoreboard[insn->write_barrier], done);
		if (later)
			warp->memory[insn->write_barrier] = insn->memory != FULL_NO_MEMORY;
	}
	if (insn->read_barrier < SCOREBOARDS)
		warp->scoreboard[insn->read_barrier] = fmax(warp->scoreboard[insn->read_barrier], time);
}

static void checkpoint(struct sm *sm)
{
	uint64_t step = sm->work->budget / FULL_CHECKPOINTS + 1;
	if (sm->run.issued % step || sm->run.checkpoint_count == FULL_CHECKPOINTS)
		return;
	if (getenv("FULL_HITS")) {
		static double g, m;
		fprintf(stderr, "%.2f ", 1 - (sm->run.missed_sectors - m) / (sm->run.global_sectors - g));
		g = sm->run.global_sectors;
		m = sm->run.missed_sectors;
		if (sm->run.checkpoint_count == 31)
			g = m = 0;
	} /*DEBUG*/
	sm->run.checkpoints[sm->run.checkpoint_count++] =
		(struct full_checkpoint){sm->now, full_path_counted(sm->path)->dram_bytes, sm->run.issued, sm->run.finished};
}

static void issue(struct sm *sm, unsigned which)
{
	struct scheduler *scheduler = &sm->schedulers[which];
	struct warp *warp = warp_choose(sm, which);
	const struct full_insn *insn = &sm->work->code->insns[warp->cursor];
	double time = scheduler->next, done = time + (double)insn->latency, read = time + READ_CYCLES;
	sm->now = time;
	waits_count(sm, warp, time);
	scheduler->free = time + 1;
	scheduler->pipe[insn->pipe] = time + (double)insn->busy;
	sm->run.pipe_busy[insn->pipe] += (double)insn->busy;
	if (insn->memory) {
		double before = sm->lsu;
		done = memory_issue(sm, scheduler, warp, insn, time);
		read = fmax(before, time) + READ_CYCLES;
	} else if (insn->pipe == FULL_LSU) {
		done = lsu_take(sm, time, 1) + (double)insn->latency;
	}
	scoreboards_set(warp, insn, read, done);
	sm->run.waits[FULL_WAIT_STALL] += fmax(1, insn->stall) - 1;
	warp->ready = time + fmax(1, insn->stall);
	warp->cursor++;
	sm->run.issued++;
	checkpoint(sm);
	if (warp->pending && warp->event.kind == TRACE_BARRIER && warp->event.insn == insn->index) {
		event_pull(warp);
		warp->state = WARP_BARRIER;
		sm->slots[warp->slot].waiting++;
		sm->slots[warp->slot].arrived = fmax(sm->slots[warp->slot].arrived, time);
		barrier_check(sm, warp->slot);
	} else if (warp->pending && warp->event.kind == TRACE_EXIT && warp->event.insn == insn->index) {
		warp_end(sm, warp);
	} else {
		warp_advance(sm, warp);
	}
	scheduler_refresh(sm, which);
}

static unsigned scheduler_first(const struct sm *sm)
{
	unsigned first = 0;
	for (unsigned s = 1; s < sm->machine->schedulers; s++)
		if (sm->schedulers[s].next < sm->schedulers[first].next)
			first = s;
	return first;
}

static struct sm *sm_make(struct arena *arena, const struct full_work *work)
{
	struct sm *sm = arena_alloc(arena, sizeof *sm);
	sm->arena = arena;
	sm->work = work;
	sm->machine = work->machine;
	sm->l1 = full_l1_make(arena, work->l1_bytes, (unsigned)work->machine->l1_ways);
	sm->stores = full_stores_make(arena, work->machine, work->active / work->machine->sms);
	sm->path = full_path_make(arena, work->machine, work->traffic, work->active, work->function->insn_count);
	sm->atomics = arena_array(arena, work->function->insn_count + 1, sizeof *sm->atomics);
	sm->slot_count = work->resident;
	sm->queue_length = (unsigned)fmax(1, fmin(work->machine->queue / work->machine->schedulers, QUEUE_MOST));
	sm->started = -work->machine->block_cycles * work->active;
	for (unsigned s = 0; s < FULL_SCHEDULERS; s++)
		sm->schedulers[s].next = INFINITY;
	return sm;
}

struct full_run full_sm_run(struct arena *arena, const struct full_work *work)
{
	struct sm *sm = sm_make(arena, work);
	for (unsigned slot = 0; slot < sm->slot_count && sm->next_block < work->blocks; slot++)
		block_start(sm, slot, 0);
	while (sm->running && sm->run.issued < work->budget)
		issue(sm, scheduler_first(sm));
	for (unsigned w = 0; w < sm->slot_count * work->warps; w++)
		if (sm->warps[w].state != WARP_FREE)
			trace_close(sm->warps[w].trace);
	full_stores_finish(sm->stores);
	sm->run.complete = sm->running == 0;
	sm->run.cycles = sm->run.complete ? fmax(sm->now, sm->last_atomic) : sm->now;
	sm->run.path = *full_path_counted(sm->path);
	sm->run.stores = full_stores_counts(sm->stores);
	return sm->run;
}
