/*
 * One SM: its warps, blocks and barriers, and the run.
 *
 *   a warp may issue at  max(last issue + stall, scoreboards of its wait mask, its pipe on this scheduler, room in the queue)
 *
 * Which warp does is in scheduler.c; an instruction waits, too, where a register bank is more than register_slack behind with what it has to read. Memory instructions go through
 * a queue of each scheduler, where a special function takes a turn of those to global memory (measured, mixed.cu), to the one LSU of the SM, which takes one of each scheduler in turn and serves it for
 * its passes (measured, bursts.cu). All completion times but theirs are known when an instruction issues. Loads on their way are limited for the SM.
 *
 * After a taken branch the warp goes on taken_branch cycles later; what fetches instructions, one a cycle, is behind by branch_fetch, which holds up schedulers that issue one a cycle; after the place where diverged lanes
 * meet (BSYNC) the warp goes on reconvergence cycles later (measured, units.cu, branches.cu; calibration's branch.* agree).
 * Blocks (measured, benchmarks/operands/starts.cu): the first of an SM start first_block + warps * block_warp cycles apart, warps of a block first_warp; beyond first_warps of them late_warp
 * for each. The first instructions are there after cold_start cycles, cold_scheduler later for each scheduler. Ends of blocks are taken note of block_cycles times the SMs apart, and the next block of a place
 * starts block_turn after that. A warp ends when the LSU has taken and read all that it has stored (measured, leave.cu). The run is over when that has been done for the last one, and all stores have left. Barriers: the last warp's arrival and barrier cycles. Everything is in cycles of the SM.
 */
#include "model/cost/full/sm/sm.h"

#include <math.h>
#include <string.h>

#define NO_INSN UINT32_MAX
#define SCOREBOARDS 6

enum warp_state { WARP_FREE, WARP_READY, WARP_BARRIER, WARP_LEAVING }; /* LEAVING: the LSU has not taken all of its instructions */

struct warp {
	struct trace *trace;
	struct trace_event event;
	double ready, wake, scoreboard[SCOREBOARDS];
	uint32_t cursor, end, past; /* instructions of struct full_code; address behind its block, 0: before the first */
	uint32_t slot, number;
	uint64_t block, requests;
	uint64_t life; /* tells it from others in its place */
	struct full_open open;
	enum warp_state state;
	uint32_t untaken; /* instructions that the LSU has not taken */
	bool pending, memory_wait;
	struct full_scheduler *scheduler;
	unsigned at;                             /* which of its warps this is */
	uint32_t source[SCOREBOARDS], waits_for; /* memory instruction that each, and the warp now, waits for, or NO_INSN */
	uint32_t queued[SCOREBOARDS];            /* instructions that each waits for and that the LSU has not taken */
};

struct warp_slot {
	uint32_t running, waiting; /* warps not done; of them at the barrier */
	double arrived;            /* when its last warp came to the barrier */
	uint64_t block;
};

struct sm {
	struct arena *arena;
	const struct full_work *work;
	const struct full_machine *machine;
	struct full_lsu *lsu;
	struct warp warps[FULL_WARPS];
	struct warp_slot slots[FULL_WARPS];
	struct full_scheduler schedulers[FULL_SCHEDULERS];
	double retired, now;                  /* retired: until when ends of blocks are taken note of */
	double waiting;                       /* when the LSU takes the next instruction; INFINITY: none waits */
	double returning;                     /* when the next load goes back; INFINITY: none waits for data */
	unsigned slot_count, running, served; /* served: scheduler whose instruction the LSU has taken last */
	uint64_t next_block, checkpoint;      /* instructions issued at the next one */
	uint64_t lives;
	struct full_run run;
};

/* ---- warps ---------------------------------------------------------------------------------- */

static void warp_end(struct sm *sm, struct warp *warp);

/* Tells the warp's scheduler what it may issue next, and when. */
static void warp_post(const struct sm *sm, const struct warp *warp)
{
	const struct full_insn *insn = warp->state == WARP_READY ? &sm->work->code->insns[warp->cursor] : NULL;
	full_scheduler_post(warp->scheduler, warp->at, insn, warp->wake);
}

/* The instruction at the cursor: when the warp may issue it as far as it alone decides. */
static void warp_next(struct sm *sm, struct warp *warp)
{
	const struct full_insn *insn = &sm->work->code->insns[warp->cursor];
	warp->wake = warp->ready;
	warp->memory_wait = false;
	for (unsigned mask = insn->wait_mask & ((1u << SCOREBOARDS) - 1); mask; mask &= mask - 1) {
		unsigned s = (unsigned)__builtin_ctz(mask);
		double until = warp->queued[s] ? INFINITY : warp->scoreboard[s];
		if (until > warp->wake) {
			warp->wake = until;
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

static void branch_take(struct sm *sm, struct warp *warp)
{
	const struct full_insn *branch = &sm->work->code->insns[warp->cursor - 1];
	double more = full_later(0, sm->machine->taken_branch - branch->stall);
	sm->run.insns[branch->index].stalls[COST_STALL_WAIT] += more;
	warp->ready += more;
	full_scheduler_refetch(warp->scheduler, sm->now, sm->machine->branch_fetch - 1);
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
		if (block->count && warp->past && warp->past != block->address)
			branch_take(sm, warp);
		warp->past = block->count ? block->past : warp->past;
		warp->cursor = block->first;
		warp->end = block->first + block->count;
		event_pull(warp);
	}
	warp_next(sm, warp);
}

/* Moves a warp on by some of its requests, as if it had run ahead of the others of its block. */
static void warp_skip(const struct sm *sm, struct warp *warp)
{
	uint64_t mixed = (warp->block * FULL_WARPS + warp->number + 1) * UINT64_C(0x9e3779b97f4a7c15);
	uint64_t skip = (mixed >> 40) * (uint64_t)sm->work->scatter >> 24;
	for (uint64_t seen = 0; seen < skip && warp->pending && warp->event.kind != TRACE_EXIT;) {
		seen += warp->event.kind == TRACE_REQUEST;
		event_pull(warp);
	}
	while (warp->pending && warp->event.kind != TRACE_BLOCK && warp->event.kind != TRACE_EXIT)
		event_pull(warp);
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
	                      .life = ++sm->lives,
	                      .state = WARP_READY};
	full_scheduler_start(warp->scheduler, warp->at, warp->block, number);
	event_pull(warp);
	if (sm->work->scatter > 0 && sm->next_block <= sm->work->resident)
		warp_skip(sm, warp);
	warp_advance(sm, warp);
}

/* When the n-th block of those that start first does so. */
static double first_start(const struct sm *sm, uint64_t n)
{
	const struct full_machine *machine = sm->machine;
	double warps = sm->work->warps, late = (double)n * warps - machine->first_warps;
	double apart = full_later(machine->first_block + warps * machine->block_warp, warps * machine->first_warp);
	return (double)n * apart + full_later(0, late) * machine->late_warp;
}

static void block_start(struct sm *sm, uint32_t slot, double time)
{
	const struct full_work *work = sm->work;
	const struct full_machine *machine = sm->machine;
	if (sm->next_block < sm->slot_count)
		time = full_later(time, first_start(sm, sm->next_block));
	sm->slots[slot] = (struct warp_slot){.running = work->warps, .block = work->first + sm->next_block * work->step};
	sm->next_block++;
	sm->running += work->warps;
	for (uint32_t w = 0; w < work->warps; w++) {
		double cold = machine->cold_start + (slot * work->warps + w) % machine->schedulers * machine->cold_scheduler;
		warp_start(sm, slot, w, full_later(time + w * machine->first_warp, work->begun ? 0 : cold));
	}
	for (unsigned s = 0; s < machine->schedulers; s++)
		full_scheduler_refresh(&sm->schedulers[s]);
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
		full_scheduler_refresh(&sm->schedulers[s]);
}

static void warp_end(struct sm *sm, struct warp *warp)
{
	struct warp_slot *slot = &sm->slots[warp->slot];
	warp->state = warp->untaken ? WARP_LEAVING : WARP_FREE;
	warp_post(sm, warp);
	if (warp->untaken)
		return;
	trace_close(warp->trace);
	sm->running--;
	slot->running--;
	if (slot->running) {
		barrier_check(sm, warp->slot);
		return;
	}
	sm->run.finished++;
	sm->retired = full_later(sm->retired + sm->machine->block_cycles * sm->work->active, warp->ready);
	if (sm->next_block < sm->work->blocks)
		block_start(sm, warp->slot, sm->retired + sm->machine->block_turn);
}

/* Finds when the LSU takes the next instruction. */
static void waiting_find(struct sm *sm)
{
	double time = INFINITY;
	for (unsigned s = 0; s < sm->machine->schedulers; s++)
		time = full_sooner(time, sm->schedulers[s].arrival);
	sm->waiting = full_later(time, full_lsu_free(sm->lsu));
}

/* The instruction goes to the queue for the LSU, with the warp's requests for it. */
static void queue_add(struct sm *sm, struct full_scheduler *scheduler, struct warp *warp, const struct full_insn *insn, double time)
{
	struct full_queued *queued =
		full_scheduler_queue(scheduler, insn->pipe, time, insn->memory ? sm->machine->address_cycles : 0);
	queued->insn = insn;
	queued->warp = (unsigned)(warp - sm->warps);
	queued->number = warp->block * sm->work->warps + warp->number;
	queued->requests = warp->requests;
	warp->untaken++;
	while (insn->memory && warp->pending && warp->event.kind == TRACE_REQUEST && warp->event.insn == insn->index) {
		if (warp->event.mask)
			full_queued_ask(sm->arena, queued, &warp->event);
		event_pull(warp);
	}
	warp->requests += queued->count;
	if (insn->write_barrier < SCOREBOARDS) {
		warp->queued[insn->write_barrier]++;
		warp->source[insn->write_barrier] = insn->memory ? insn->index : NO_INSN;
	}
	if (insn->read_barrier < SCOREBOARDS)
		warp->queued[insn->read_barrier]++;
	sm->waiting = full_sooner(sm->waiting, full_later(queued->arrival, full_lsu_free(sm->lsu)));
}

/* A warp that waits for memory: how many loads it has on their way. */
static void open_count(struct sm *sm, struct warp *warp)
{
	sm->run.open += full_open_count(&warp->open, warp->ready) * (warp->wake - warp->ready);
	sm->run.open_time += warp->wake - warp->ready;
}

static enum cost_stall throttle_of(const struct sm *sm, const struct full_insn *insn)
{
	if (insn->memory && !sm->work->code->near[insn->index])
		return COST_STALL_LG_THROTTLE;
	return insn->pipe == FULL_LSU ? COST_STALL_MIO_THROTTLE : COST_STALL_PIPE_THROTTLE;
}

/* What the warp waited for before it issues its instruction now. */
static void waits_count(struct sm *sm, const struct full_scheduler *scheduler, struct warp *warp, double time)
{
	const struct full_insn *insn = &sm->work->code->insns[warp->cursor];
	struct full_insn_run *run = &sm->run.insns[insn->index];
	double stall = warp->wake - warp->ready;
	double ready = full_later(warp->wake, full_sooner(scheduler->pipe[insn->pipe], time));
	if (warp->memory_wait) {
		open_count(sm, warp);
		sm->run.insns[warp->waits_for].cycles += stall;
		full_source_count(run, warp->waits_for, stall);
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

static void issue(struct sm *sm, unsigned which)
{
	struct full_scheduler *scheduler = &sm->schedulers[which];
	struct warp *warp = &sm->warps[scheduler->chosen * sm->machine->schedulers + which];
	const struct full_insn *insn = &sm->work->code->insns[warp->cursor];
	double time = scheduler->next;
	bool in_row = scheduler->greedy == scheduler->chosen;
	sm->now = time;
	scheduler->greedy = scheduler->chosen;
	scheduler->yields = insn->yields;
	waits_count(sm, scheduler, warp, time);
	scheduler->free = time + full_later((double)insn->issue, full_scheduler_read(scheduler, insn, in_row, time));
	if (!insn->memory)
		full_scheduler_hold(scheduler, insn->pipe, time + (double)insn->busy);
	sm->run.pipe_busy[insn->pipe] += (double)insn->busy;
	if (insn->pipe == FULL_XU)
		full_scheduler_turn(scheduler, time, sm->machine->special_turn);
	if (insn->memory || insn->pipe == FULL_LSU)
		queue_add(sm, scheduler, warp, insn, time);
	else
		scoreboards_set(warp, insn, time + sm->machine->read_cycles, time + (double)insn->latency);
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
	full_scheduler_refresh(scheduler);
}

/* The LSU has got on with an instruction of the warp, which may wait for just that. */
static void warp_told(struct sm *sm, struct warp *warp)
{
	if (warp->state != WARP_READY || warp->wake < INFINITY)
		return;
	warp_next(sm, warp);
	full_scheduler_hurry(warp->scheduler, warp->at);
}

/* Warps learn of their loads that have gone back. */
static void returned_note(struct sm *sm)
{
	struct full_returned returned;
	sm->returning = full_lsu_returning(sm->lsu);
	while (full_lsu_returned(sm->lsu, &returned)) {
		const struct full_insn *insn = returned.owner.insn;
		struct warp *warp = &sm->warps[returned.owner.warp];
		if (warp->life != returned.owner.life || warp->state == WARP_FREE)
			continue;
		if (insn->write_barrier < SCOREBOARDS)
			warp->queued[insn->write_barrier]--;
		scoreboards_set(warp, insn, 0, returned.done);
		warp_told(sm, warp);
	}
}

/* The LSU has taken an instruction of the warp, and read what it needs at a time. Returns whether that ends the warp. */
static bool warp_taken(struct sm *sm, struct warp *warp, double read)
{
	warp->untaken--;
	warp_told(sm, warp);
	if (warp->state != WARP_LEAVING || warp->untaken)
		return false;
	warp->ready = full_later(warp->ready, read);
	warp_end(sm, warp);
	return true;
}

/* The LSU takes an instruction that is there, of the next scheduler in turn that has one. */
static void lsu_take(struct sm *sm)
{
	do
		sm->served = sm->served + 1 < sm->machine->schedulers ? sm->served + 1 : 0;
	while (sm->schedulers[sm->served].arrival > sm->waiting);
	struct full_scheduler *scheduler = &sm->schedulers[sm->served];
	struct full_queued *queued = &scheduler->queue[scheduler->head];
	const struct full_insn *insn = queued->insn;
	struct warp *warp = &sm->warps[queued->warp];
	bool early = insn->memory && full_supposed(sm->work, insn->index, SUPPOSE_EARLY);
	struct full_served served = {queued->arrival + 1, queued->arrival, 0};
	const struct full_owner owner = {insn, queued->warp, early ? 0 : warp->life};
	for (unsigned i = 0; i < queued->count; i++) {
		struct trace_event *event = &queued->asked[i].event;
		event->lanes = event->lanes ? queued->asked[i].lanes : NULL;
		full_lsu_serve(sm->lsu, &owner, event, queued->number, queued->requests + i, queued->arrival, &served);
		if (insn->memory == FULL_LOAD)
			full_open_add(&warp->open, served.done, warp->ready);
	}
	if (!insn->memory || !queued->count) {
		served.done = full_lsu_pass(sm->lsu, queued->arrival, 1) + (double)insn->latency;
		served.taken = full_lsu_free(sm->lsu);
	}
	bool sooner = full_scheduler_take(scheduler, served.taken);
	if (early)
		served.done = queued->issued + 1;
	for (unsigned s = 0; s < SCOREBOARDS; s++)
		warp->queued[s] -= (s == insn->write_barrier) + (unsigned)(s == insn->read_barrier);
	if (insn->write_barrier < SCOREBOARDS && !early)
		warp->queued[insn->write_barrier] += served.waiting;
	scoreboards_set(warp, insn, served.taken + sm->machine->read_cycles, served.done);
	if (warp_taken(sm, warp, served.taken + sm->machine->read_cycles) || sooner)
		full_scheduler_refresh(scheduler);
	returned_note(sm);
	waiting_find(sm);
}

static unsigned scheduler_first(const struct sm *sm)
{
	unsigned first = 0;
	double next = sm->schedulers[0].next;
	for (unsigned s = 1; s < sm->machine->schedulers; s++) {
		first = sm->schedulers[s].next < next ? s : first;
		next = full_sooner(sm->schedulers[s].next, next);
	}
	return first;
}

static struct sm *sm_make(struct arena *arena, const struct full_work *work)
{
	struct sm *sm = arena_alloc(arena, sizeof *sm);
	sm->waiting = sm->returning = INFINITY;
	sm->arena = arena;
	sm->work = work;
	sm->machine = work->machine;
	sm->run.insns = arena_array(arena, work->function->insn_count + 1, sizeof *sm->run.insns);
	for (uint32_t i = 0; i < work->function->insn_count; i++)
		sm->run.insns[i].source = NO_INSN;
	sm->lsu = full_lsu_make(arena, work, &sm->run);
	sm->slot_count = work->resident;
	sm->checkpoint = work->budget / FULL_CHECKPOINTS + 1;
	unsigned schedulers = sm->machine->schedulers, warps = sm->slot_count * work->warps;
	unsigned queue = (unsigned)full_later(1, full_sooner(work->machine->queue / schedulers, FULL_QUEUE_MOST));
	for (unsigned s = 0; s < schedulers; s++)
		full_scheduler_make(&sm->schedulers[s], sm->machine, (warps + schedulers - 1 - s) / schedulers, queue);
	return sm;
}

struct full_run full_sm_run(struct arena *arena, const struct full_work *work)
{
	struct sm *sm = sm_make(arena, work);
	for (unsigned slot = 0; slot < sm->slot_count && sm->next_block < work->blocks; slot++)
		block_start(sm, slot, 0);
	while (sm->running && sm->run.issued < work->budget) {
		unsigned first = scheduler_first(sm);
		if (sm->returning <= sm->waiting && sm->returning <= sm->schedulers[first].next) {
			full_lsu_return(sm->lsu);
			returned_note(sm);
		} else if (sm->waiting <= sm->schedulers[first].next)
			lsu_take(sm);
		else
			issue(sm, first);
	}
	while (!isinf(sm->waiting))
		lsu_take(sm);
	for (unsigned w = 0; w < sm->slot_count * work->warps; w++)
		if (sm->warps[w].state != WARP_FREE)
			trace_close(sm->warps[w].trace);
	double stored = full_lsu_finish(sm->lsu), over = full_later(full_later(sm->retired, stored), sm->run.last_atomic);
	sm->run.complete = sm->running == 0;
	sm->run.cycles = sm->run.complete ? full_later(sm->now, over) : sm->now;
	return sm->run;
}
