/*
 * One SM: resident warps, schedulers, pipes, LSU, barriers. Completion times are known when an instruction issues, so there is no list of events.
 *
 *   a warp may issue at  max(last issue + stall, scoreboards of its wait mask, its pipe on this scheduler, room in the LSU's queue)
 *
 * A scheduler issues one instruction a cycle, the same warp while it is ready, else the youngest (measured), unless a register bank is more than
 * register_slack behind with what it has to read. Where the queue of memory instructions is full, any store that waits for room may get it (measured, benchmarks/operands/order.cu:
 * neither the last one's warp, nor the youngest, nor the one that waits longest, which alone would let stores merge always or never): drawn by a number of warp and time. Memory
 * instructions go through a queue of each scheduler, where a special function takes a turn of those to global memory (measured, mixed.cu), to the one LSU of the SM, which serves each for its passes; the place in the queue is free when
 * the LSU has taken the instruction. Loads on their way are limited for the SM. Blocks start block_cycles times the SMs apart; one that ends makes room for the next.
 * Barriers: the last warp's arrival and barrier cycles. Everything here is in cycles of the SM.
 */
#include "model/cost/full/run.h"

#include <math.h>
#include <string.h>

#define NO_INSN UINT32_MAX
#define SCOREBOARDS 6
#define MOST_WARPS 64
#define QUEUE_MOST 64
#define OPEN_MOST 64 /* loads of a warp on their way that are told apart */

enum warp_state { WARP_FREE, WARP_READY, WARP_BARRIER };

struct warp {
	struct trace *trace;
	struct trace_event event;
	double ready, wake, scoreboard[SCOREBOARDS];
	uint32_t cursor, end; /* instructions of struct full_code */
	uint32_t slot, number;
	uint64_t block, requests;
	double loads[OPEN_MOST]; /* when loads are there that may be on their way */
	unsigned load_count;
	enum warp_state state;
	bool pending, memory_wait;
	struct scheduler *scheduler;
	unsigned at;                             /* which of its warps this is */
	uint32_t source[SCOREBOARDS], waits_for; /* memory instruction that each, and the warp now, waits for, or NO_INSN */
};

/* Warp i of a scheduler is warp i * schedulers + its number of the SM. */
struct scheduler {
	double wake[MOST_WARPS];      /* as the warp's; INFINITY where it has nothing to issue */
	uint64_t order[MOST_WARPS];   /* younger warps have higher numbers */
	uint8_t youngest[MOST_WARPS]; /* its warps, the youngest first */
	uint8_t unit[MOST_WARPS],
		accesses[MOST_WARPS]; /* of the next instruction: pipe; FULL_LOAD, FULL_STORE, or FULL_NO_MEMORY */
	unsigned count, access_count; /* warps; loads and stores among them */
	double free, next, pipe[FULL_PIPES], bank[FULL_BANKS];
	double queue[QUEUE_MOST], taken, room; /* when the LSU took the last instructions, the last one; has room for another one */
	unsigned queue_at, greedy, chosen;
};

struct warp_slot {
	uint32_t running, waiting; /* warps not done; of them at the barrier */
	double arrived;            /* when its last warp came to the barrier */
	uint64_t block;
};

struct sm {
	const struct full_work *work;
	const struct full_machine *machine;
	struct full_lsu *lsu;
	struct warp warps[MOST_WARPS];
	struct warp_slot slots[MOST_WARPS];
	struct scheduler schedulers[FULL_SCHEDULERS];
	double started, now;
	unsigned slot_count, running, queue_length;
	uint64_t next_block, checkpoint;       /* instructions issued at the next one */
	double bank_cycles[2 * UINT8_MAX + 1]; /* that a bank takes for so many registers */
	struct full_run run;
};

/* ---- warps ---------------------------------------------------------------------------------- */

static void warp_end(struct sm *sm, struct warp *warp);
static void scheduler_refresh(struct scheduler *scheduler);

/* Tells the warp's scheduler what it may issue next, and when. */
static void warp_post(const struct sm *sm, const struct warp *warp)
{
	const struct full_insn *insn = &sm->work->code->insns[warp->cursor];
	struct scheduler *scheduler = warp->scheduler;
	bool ready = warp->state == WARP_READY;
	uint8_t access = ready && (insn->memory == FULL_STORE || insn->memory == FULL_LOAD) ? insn->memory : FULL_NO_MEMORY;
	scheduler->wake[warp->at] = ready ? warp->wake : INFINITY;
	scheduler->unit[warp->at] = ready ? insn->pipe : 0;
	scheduler->access_count += (access != FULL_NO_MEMORY) - (unsigned)(scheduler->accesses[warp->at] != FULL_NO_MEMORY);
	scheduler->accesses[warp->at] = access;
}

/* The instruction at the cursor: when the warp may issue it as far as it alone decides. */
static void warp_next(struct sm *sm, struct warp *warp)
{
	const struct full_insn *insn = &sm->work->code->insns[warp->cursor];
	warp->wake = warp->ready;
	warp->memory_wait = false;
	for (unsigned mask = insn->wait_mask & ((1u << SCOREBOARDS) - 1); mask; mask &= mask - 1) {
		unsigned s = (unsigned)__builtin_ctz(mask);
		if (warp->scoreboard[s] > warp->wake) {
			warp->wake = warp->scoreboard[s];
			warp->waits_for = warp->source[s];
			warp->memory_wait = warp->waits_for != NO_INSN;
		}
	}
	warp_post(sm, warp);
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

/* Moves a warp on by some of its requests, as if it had run ahead of the others of its block. */
static void warp_skip(const struct sm *sm, struct warp *warp)
{
	uint64_t mixed = (warp->block * MOST_WARPS + warp->number + 1) * UINT64_C(0x9e3779b97f4a7c15);
	uint64_t skip = (mixed >> 40) * (uint64_t)sm->work->scatter >> 24;
	for (uint64_t seen = 0; seen < skip && warp->pending && warp->event.kind != TRACE_EXIT;) {
		seen += warp->event.kind == TRACE_REQUEST;
		event_pull(warp);
	}
	while (warp->pending && warp->event.kind != TRACE_BLOCK && warp->event.kind != TRACE_EXIT)
		event_pull(warp);
}

/* The scheduler's warp `at` has become its youngest. */
static void scheduler_order(struct scheduler *scheduler, unsigned at, uint64_t order)
{
	const uint8_t *place = memchr(scheduler->youngest, (int)at, scheduler->count);
	memmove(scheduler->youngest + 1, scheduler->youngest, (size_t)(place - scheduler->youngest));
	scheduler->youngest[0] = (uint8_t)at;
	scheduler->order[at] = order;
}

static void warp_start(struct sm *sm, uint32_t slot, uint32_t number, double time)
{
	unsigned index = slot * sm->work->warps + number;
	struct warp *warp = &sm->warps[index];
	uint32_t at[3];
	full_block_place(sm->work, sm->slots[slot].block, at);
	*warp = (struct warp){.trace = trace_open(sm->work->tracer, at, number),
	                      .ready = time,
	                      .slot = slot,
	                      .number = number,
	                      .block = sm->slots[slot].block,
	                      .scheduler = &sm->schedulers[index % sm->machine->schedulers],
	                      .at = index / sm->machine->schedulers,
	                      .state = WARP_READY};
	scheduler_order(warp->scheduler, warp->at, warp->block * MOST_WARPS + warp->number);
	event_pull(warp);
	if (sm->work->scatter > 0 && sm->next_block <= sm->work->resident)
		warp_skip(sm, warp);
	warp_advance(sm, warp);
}

static void block_start(struct sm *sm, uint32_t slot, double time)
{
	const struct full_work *work = sm->work;
	sm->started = full_later(sm->started + sm->machine->block_cycles * work->active, time);
	sm->slots[slot] = (struct warp_slot){.running = work->warps, .block = work->first + sm->next_block * work->step};
	sm->next_block++;
	sm->running += work->warps;
	for (uint32_t w = 0; w < work->warps; w++)
		warp_start(sm, slot, w, sm->started);
	for (unsigned s = 0; s < sm->machine->schedulers; s++)
		scheduler_refresh(&sm->schedulers[s]);
}

static void barrier_check(struct sm *sm, uint32_t slot)
{
	struct warp_slot *block = &sm->slots[slot];
	if (!block->waiting || block->waiting < block->running)
		return;
	block->waiting = 0;
	for (uint32_t w = 0; w < sm->work->warps; w++) {
		struct warp *warp = &sm->warps[slot * sm->work->warps + w];
		if (warp->state != WARP_BARRIER)
			continue;
		double free = block->arrived + sm->machine->barrier_base + w * sm->machine->barrier_per_warp;
		sm->run.insns[sm->work->code->insns[warp->cursor - 1].index].stalls[COST_STALL_BARRIER] += free - warp->ready;
		warp->ready = full_later(warp->ready, free);
		warp->state = WARP_READY;
		warp_advance(sm, warp);
	}
	for (unsigned s = 0; s < sm->machine->schedulers; s++)
		scheduler_refresh(&sm->schedulers[s]);
}

static void warp_end(struct sm *sm, struct warp *warp)
{
	struct warp_slot *slot = &sm->slots[warp->slot];
	trace_close(warp->trace);
	warp->state = WARP_FREE;
	warp_post(sm, warp);
	sm->running--;
	slot->running--;
	if (slot->running) {
		barrier_check(sm, warp->slot);
		return;
	}
	sm->run.finished++;
	if (sm->next_block < sm->work->blocks)
		block_start(sm, warp->slot, warp->ready + sm->machine->block_turn);
}

/* Forgets the loads that are there. */
static void open_clean(struct warp *warp)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < warp->load_count; i++)
		if (warp->loads[i] > warp->ready)
			warp->loads[kept++] = warp->loads[i];
	warp->load_count = kept;
}

static void open_add(struct warp *warp, double done)
{
	if (warp->load_count == OPEN_MOST)
		open_clean(warp);
	if (warp->load_count < OPEN_MOST)
		warp->loads[warp->load_count++] = done;
}

/* The warp's requests for the instruction go to the LSU; returns when the last result is there. */
static double memory_issue(struct sm *sm, struct scheduler *scheduler, struct warp *warp, const struct full_insn *insn, double time)
{
	struct full_served served = {time + 1, time};
	uint64_t number = warp->block * sm->work->warps + warp->number;
	while (warp->pending && warp->event.kind == TRACE_REQUEST && warp->event.insn == insn->index) {
		if (warp->event.mask) {
			full_lsu_serve(sm->lsu, insn, &warp->event, number, warp->requests++, time, &served);
			if (insn->memory == FULL_LOAD)
				open_add(warp, served.done);
		}
		event_pull(warp);
	}
	scheduler->queue[scheduler->queue_at] = scheduler->taken = served.taken;
	scheduler->queue_at = scheduler->queue_at + 1 < sm->queue_length ? scheduler->queue_at + 1 : 0;
	scheduler->room = scheduler->queue[scheduler->queue_at];
	scheduler->pipe[FULL_LSU] = scheduler->pipe[FULL_GLOBAL] = full_later(time + sm->machine->address_cycles, scheduler->room);
	return served.done;
}

/* Whether the warp has had to wait for room in the queue. */
static bool is_throttled(const struct scheduler *scheduler, unsigned warp)
{
	return scheduler->accesses[warp] != FULL_NO_MEMORY && scheduler->room > scheduler->wake[warp];
}

/* A number by which warps that wait for room at a time are drawn. */
static uint64_t draw(const struct scheduler *scheduler, unsigned warp)
{
	uint64_t mixed =
		scheduler->order[warp] * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)scheduler->next * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ mixed >> 31) * UINT64_C(0x94d049bb133111eb);
	return mixed ^ mixed >> 30;
}

/* The younger one, but of two that wait for room in the queue with stores, or are of one block, any: so blocks fall apart there, and warps of a block keep step. */
static bool goes_before(const struct scheduler *scheduler, unsigned warp, unsigned other)
{
	bool stores = scheduler->accesses[warp] == FULL_STORE && scheduler->accesses[other] == FULL_STORE;
	bool alike = stores || scheduler->order[warp] / MOST_WARPS == scheduler->order[other] / MOST_WARPS;
	if (alike && is_throttled(scheduler, warp) && is_throttled(scheduler, other))
		return draw(scheduler, warp) > draw(scheduler, other);
	return scheduler->order[warp] > scheduler->order[other];
}

/* When the warp could issue for all but the scheduler. */
static double issue_time(const struct scheduler *scheduler, unsigned warp)
{
	return full_later(scheduler->wake[warp], scheduler->pipe[scheduler->unit[warp]]);
}

/* Where loads or stores wait for room: the one to issue at `next`. */
static unsigned access_choose(const struct scheduler *scheduler, double next)
{
	unsigned chosen = scheduler->greedy;
	if (issue_time(scheduler, chosen) <= next && !is_throttled(scheduler, chosen))
		return chosen;
	chosen = MOST_WARPS;
	for (unsigned i = 0; i < scheduler->count; i++)
		if (issue_time(scheduler, i) <= next && (chosen == MOST_WARPS || goes_before(scheduler, i, chosen)))
			chosen = i;
	return chosen;
}

/* When the scheduler issues next, and which warp: the last one again where it is ready then, else the youngest. */
static void scheduler_refresh(struct scheduler *scheduler)
{
	double greedy = issue_time(scheduler, scheduler->greedy), next = full_later(greedy, scheduler->free);
	unsigned chosen = scheduler->greedy;
	for (unsigned i = 0; i < scheduler->count && next > scheduler->free; i++) {
		unsigned warp = scheduler->youngest[i];
		double time = full_later(issue_time(scheduler, warp), scheduler->free);
		chosen = time < next ? warp : chosen;
		next = full_sooner(time, next);
	}
	scheduler->next = next;
	if (isinf(next))
		return;
	if (scheduler->access_count > 1 || is_throttled(scheduler, scheduler->greedy))
		chosen = access_choose(scheduler, next);
	scheduler->chosen = chosen;
}

/* A warp that waits for memory: how many loads it has on their way. */
static void open_count(struct sm *sm, struct warp *warp)
{
	open_clean(warp);
	sm->run.open += warp->load_count * (warp->wake - warp->ready);
	sm->run.open_time += warp->wake - warp->ready;
}

/* The instruction waited for `cycles` for the result of a memory instruction: which one it is most of the time, by majority. */
static void source_count(struct full_insn_run *run, uint32_t source, double cycles)
{
	if (run->lead <= 0)
		run->source = source;
	run->lead += run->source == source ? cycles : -cycles;
	if (run->lead < 0) {
		run->source = source;
		run->lead = -run->lead;
	}
}

static enum cost_stall throttle_of(const struct sm *sm, const struct full_insn *insn)
{
	if (insn->memory && !sm->work->code->near[insn->index])
		return COST_STALL_LG_THROTTLE;
	return insn->pipe == FULL_LSU ? COST_STALL_MIO_THROTTLE : COST_STALL_PIPE_THROTTLE;
}

/* What the warp waited for before it issues its instruction now. */
static void waits_count(struct sm *sm, const struct scheduler *scheduler, struct warp *warp, double time)
{
	const struct full_insn *insn = &sm->work->code->insns[warp->cursor];
	struct full_insn_run *run = &sm->run.insns[insn->index];
	double stall = warp->wake - warp->ready;
	double ready = full_later(warp->wake, full_sooner(scheduler->pipe[insn->pipe], time));
	if (warp->memory_wait) {
		open_count(sm, warp);
		sm->run.insns[warp->waits_for].cycles += stall;
		source_count(run, warp->waits_for, stall);
	}
	bool far = warp->memory_wait && !sm->work->code->near[warp->waits_for];
	run->stalls[COST_STALL_SELECTED] += 1;
	run->stalls[far ? COST_STALL_LONG_SCOREBOARD : COST_STALL_SHORT_SCOREBOARD] += stall;
	run->stalls[throttle_of(sm, insn)] += full_later(0, ready - warp->wake);
	run->stalls[COST_STALL_NOT_SELECTED] += full_later(0, time - ready);
	run->stalls[COST_STALL_WAIT] += full_later(1, insn->stall) - 1;
}

static void scoreboards_set(struct warp *warp, const struct full_insn *insn, double time, double done)
{
	if (insn->write_barrier < SCOREBOARDS) {
		bool later = done >= warp->scoreboard[insn->write_barrier];
		warp->scoreboard[insn->write_barrier] = full_later(warp->scoreboard[insn->write_barrier], done);
		if (later)
			warp->source[insn->write_barrier] = insn->memory ? insn->index : NO_INSN;
	}
	if (insn->read_barrier < SCOREBOARDS)
		warp->scoreboard[insn->read_barrier] = full_later(warp->scoreboard[insn->read_barrier], time);
}

static void checkpoint(struct sm *sm)
{
	if (sm->run.issued != sm->checkpoint || sm->run.checkpoint_count == FULL_CHECKPOINTS)
		return;
	sm->checkpoint += sm->work->budget / FULL_CHECKPOINTS + 1;
	sm->run.checkpoints[sm->run.checkpoint_count++] =
		(struct full_checkpoint){sm->now, full_lsu_fetched(sm->lsu), sm->run.issued, sm->run.finished};
}

/* The instruction's sources are read; in_row: its warp has issued the one before, too. Returns after how many cycles the banks are ready for another. */
static double banks_read(const struct sm *sm, struct scheduler *scheduler, const struct full_insn *insn, bool in_row, double time)
{
	double ready = 0;
	for (unsigned b = 0; b < FULL_BANKS; b++) {
		unsigned reads = insn->reads[b] + (in_row ? 0 : insn->again[b]);
		scheduler->bank[b] = full_later(scheduler->bank[b], time) + sm->bank_cycles[reads];
		ready = full_later(ready, scheduler->bank[b] - time);
	}
	return ready - sm->machine->register_slack;
}

static void issue(struct sm *sm, unsigned which)
{
	struct scheduler *scheduler = &sm->schedulers[which];
	struct warp *warp = &sm->warps[scheduler->chosen * sm->machine->schedulers + which];
	const struct full_insn *insn = &sm->work->code->insns[warp->cursor];
	double time = scheduler->next, done = time + (double)insn->latency, read = time + sm->machine->read_cycles;
	bool in_row = scheduler->greedy == scheduler->chosen;
	sm->now = time;
	scheduler->greedy = scheduler->chosen;
	waits_count(sm, scheduler, warp, time);
	scheduler->free = time + full_later((double)insn->issue, banks_read(sm, scheduler, insn, in_row, time));
	scheduler->pipe[insn->pipe] = time + (double)insn->busy;
	sm->run.pipe_busy[insn->pipe] += (double)insn->busy;
	if (insn->pipe == FULL_XU)
		scheduler->pipe[FULL_GLOBAL] = full_later(scheduler->pipe[FULL_GLOBAL], time) + sm->machine->special_turn;
	if (insn->memory) {
		done = memory_issue(sm, scheduler, warp, insn, time);
		if (full_supposed(sm->work, insn->index, SUPPOSE_EARLY))
			done = time + 1;
		read = scheduler->taken + sm->machine->read_cycles;
	} else if (insn->pipe == FULL_LSU) {
		done = full_lsu_pass(sm->lsu, time, 1) + (double)insn->latency;
	}
	scoreboards_set(warp, insn, read, done);
	warp->ready = time + full_later(1, insn->stall);
	warp->cursor++;
	sm->run.issued++;
	checkpoint(sm);
	if (warp->pending && warp->event.kind == TRACE_BARRIER && warp->event.insn == insn->index) {
		event_pull(warp);
		warp->state = WARP_BARRIER;
		warp_post(sm, warp);
		sm->slots[warp->slot].waiting++;
		sm->slots[warp->slot].arrived = full_later(sm->slots[warp->slot].arrived, time);
		barrier_check(sm, warp->slot);
	} else if (warp->pending && warp->event.kind == TRACE_EXIT && warp->event.insn == insn->index) {
		warp_end(sm, warp);
	} else {
		warp_advance(sm, warp);
	}
	scheduler_refresh(scheduler);
}

static unsigned scheduler_first(const struct sm *sm)
{
	unsigned first = 0;
	for (unsigned s = 1; s < sm->machine->schedulers; s++)
		first = sm->schedulers[s].next < sm->schedulers[first].next ? s : first;
	return first;
}

static struct sm *sm_make(struct arena *arena, const struct full_work *work)
{
	struct sm *sm = arena_alloc(arena, sizeof *sm);
	sm->work = work;
	sm->machine = work->machine;
	sm->run.insns = arena_array(arena, work->function->insn_count + 1, sizeof *sm->run.insns);
	for (uint32_t i = 0; i < work->function->insn_count; i++)
		sm->run.insns[i].source = NO_INSN;
	sm->lsu = full_lsu_make(arena, work, &sm->run);
	sm->slot_count = work->resident;
	sm->queue_length = (unsigned)full_later(1, full_sooner(work->machine->queue / work->machine->schedulers, QUEUE_MOST));
	sm->started = -work->machine->block_cycles * work->active;
	sm->checkpoint = work->budget / FULL_CHECKPOINTS + 1;
	for (unsigned reads = 0; reads < ARRAY_COUNT(sm->bank_cycles); reads++)
		sm->bank_cycles[reads] = reads / sm->machine->register_reads;
	for (unsigned s = 0; s < sm->machine->schedulers; s++) {
		sm->schedulers[s].next = INFINITY;
		sm->schedulers[s].count =
			(sm->slot_count * work->warps + sm->machine->schedulers - 1 - s) / sm->machine->schedulers;
		for (unsigned i = 0; i < MOST_WARPS; i++) {
			sm->schedulers[s].wake[i] = INFINITY;
			sm->schedulers[s].youngest[i] = (uint8_t)i;
		}
	}
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
	full_lsu_finish(sm->lsu);
	sm->run.complete = sm->running == 0;
	sm->run.cycles = sm->run.complete ? full_later(sm->now, sm->run.last_atomic) : sm->now;
	return sm->run;
}
