/*
 * One SM: what issues when, and the run.
 *
 *   a warp may issue at max(last issue + stall, scoreboards, pipe, room in the queue)
 *
 * and later where a register bank is register.slack_cycles behind, or where shared memory reads
 * from the bank that a fresh result is in (register.fresh_cycles). Memory instructions go through a
 * queue of each scheduler to the one LSU, which takes one of each scheduler in turn. Completion
 * times are known at issue, but for those. The run is over when the LSU has taken the last store
 * and all stores have left.
 */
#include "model/cost/full/sm/state.h"

#include <math.h>

#define SAME 0.5 /* cycles that times of one cycle are apart at most: those of memory are no whole numbers */

/* Finds when the LSU takes the next instruction. */
static void waiting_find(struct sm *sm)
{
	double time = INFINITY;
	for (unsigned s = 0; s < sm->machine->schedulers; s++)
		time = full_sooner(time, sm->schedulers[s].arrival);
	sm->waiting = full_later(time, full_lsu_free(sm->lsu));
}

/* The instruction goes to the queue for the LSU, with the warp's requests for it. */
static void queue_add(struct sm *sm, struct full_scheduler *scheduler, struct warp *warp, const struct full_insn *insn,
                      double time)
{
	struct full_queued *queued =
		full_scheduler_queue(scheduler, insn->pipe, time, insn->memory ? sm->machine->address_cycles : 0);
	queued->insn = insn;
	queued->warp = (unsigned)(warp - sm->warps);
	queued->number = warp->block * sm->work->warps + warp->number;
	queued->requests = warp->requests;
	queued->loads = warp->loads;
	queued->group = warp->copies.group % COPY_GROUPS;
	if (insn->copies) {
		warp->copies.open[queued->group]++;
		warp->copies.insn = insn->index;
	}
	warp->untaken++;
	while (insn->memory && warp->pending && warp->event.kind == TRACE_REQUEST && warp->event.insn == insn->index) {
		if (warp->event.mask)
			full_queued_ask(sm->arena, queued, &warp->event);
		full_warp_pull(sm, warp);
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

/* Whether an access to shared memory reads from a bank at a time. */
static bool is_read(const struct full_scheduler *scheduler, unsigned bank, double time)
{
	for (unsigned slot = 0; slot < FULL_NEAR_READS; slot++)
		if (fabs(scheduler->near_reads[bank][slot] - time) < SAME)
			return true;
	return false;
}

/* Whether what the warp's instruction reads from a bank has just been written. */
static bool is_fresh(const struct sm *sm, const struct warp *warp, const struct full_insn *insn, unsigned bank,
                     double time)
{
	unsigned ago = insn->fresh[bank];
	return ago && warp->issued >= ago &&
	       time - warp->issues[(warp->issued - ago) % FULL_FRESH] < sm->machine->fresh + SAME;
}

/* When it issues, ready at a time: a cycle later where it has to read what has just been written and the bank is taken.
 * Takes note of what it reads and writes itself. */
static double registers_read(struct sm *sm, struct full_scheduler *scheduler, struct warp *warp,
                             const struct full_insn *insn, double time)
{
	const double after[FULL_NEAR_READS] = {sm->machine->address_after, sm->machine->data_after};
	bool waits = false;
	for (unsigned b = 0; b < FULL_BANKS; b++)
		waits = waits || (is_fresh(sm, warp, insn, b, time) && is_read(scheduler, b, time));
	time += waits ? 1 / sm->machine->register_reads : 0;
	for (unsigned slot = 0; slot < FULL_NEAR_READS; slot++)
		if (insn->near_reads[slot])
			scheduler->near_reads[insn->near_reads[slot] - 1][slot] = time + after[slot];
	warp->issues[warp->issued++ % FULL_FRESH] = time;
	return time;
}

/* What reads constant memory by number takes its turn for each word that lanes ask for; by a uniform number nothing is
 * waited for. Returns when it has the last one. */
static double constants_take(struct sm *sm, struct warp *warp, const struct full_insn *insn, double time)
{
	unsigned words = 1;
	if (!insn->numbers_constant)
		return time;
	while (warp->pending && warp->event.kind == TRACE_REQUEST && warp->event.insn == insn->index) {
		words = full_constant_places(&warp->event);
		full_warp_pull(sm, warp);
	}
	if (insn->pipe == FULL_UNIFORM)
		return time;
	sm->constants = full_later(sm->constants, time) + words * sm->machine->constant_word;
	return sm->constants - sm->machine->constant_word;
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
	if (!sm->timed)
		waits_count(sm, scheduler, warp, time);
	time = registers_read(sm, scheduler, warp, insn, time);
	scheduler->free = time + full_later((double)insn->issue, full_scheduler_read(scheduler, insn, in_row, time));
	if (!insn->memory)
		full_scheduler_hold(scheduler, insn->pipe, time + (double)insn->busy);
	sm->run.pipe_busy[insn->pipe] += (double)insn->busy;
	warp->copies.group += insn->groups;
	if (insn->pipe == FULL_XU)
		full_scheduler_turn(scheduler, time, sm->machine->special_turn);
	if (insn->memory || insn->pipe == FULL_LSU)
		queue_add(sm, scheduler, warp, insn, time);
	else
		scoreboards_set(warp, insn, time + sm->machine->read_cycles,
		                constants_take(sm, warp, insn, time) + (double)insn->latency);
	warp->ready = time + full_later(1, insn->stall);
	warp->cursor++;
	sm->run.issued++;
	checkpoint(sm);
	if (warp->pending && warp->event.kind == TRACE_BARRIER && warp->event.insn == insn->index) {
		full_warp_pull(sm, warp);
		full_barrier_arrive(sm, warp, insn, time);
	} else if (warp->pending && warp->event.kind == TRACE_EXIT && warp->event.insn == insn->index) {
		full_warp_end(sm, warp);
	} else {
		full_warp_advance(sm, warp);
	}
	full_scheduler_refresh(scheduler);
}

/* One of the warp's copies is done, or goes on as `more`. */
static void copy_note(struct warp *warp, const struct full_owner *owner, unsigned more, double done)
{
	struct copies *copies = &warp->copies;
	if (!owner->insn->copies)
		return;
	copies->open[owner->group] += more;
	copies->open[owner->group]--;
	copies->done[owner->group] = full_later(copies->done[owner->group], done);
}

/* The LSU has got on with an instruction of the warp, which may wait for just that. */
static void warp_told(struct sm *sm, struct warp *warp)
{
	if (warp->state != WARP_READY || warp->wake < INFINITY)
		return;
	full_warp_next(sm, warp);
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
		copy_note(warp, &returned.owner, 0, returned.done);
		warp_told(sm, warp);
	}
}

/* The LSU has taken an instruction of the warp, and read what it needs at a time. Returns whether that ends the warp.
 */
static bool warp_taken(struct sm *sm, struct warp *warp, double read)
{
	warp->untaken--;
	warp_told(sm, warp);
	if (warp->state != WARP_LEAVING || warp->untaken)
		return false;
	warp->ready = full_later(warp->ready, read);
	full_warp_end(sm, warp);
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
	struct full_owner owner = {insn, queued->warp, queued->loads, queued->group, early ? 0 : warp->life};
	for (unsigned i = 0; i < queued->count; i++) {
		struct trace_event *event = &queued->asked[i].event;
		event->lanes = event->lanes ? queued->asked[i].lanes : NULL;
		full_lsu_serve(sm->lsu, &owner, event, queued->number, queued->requests + i, queued->arrival, &served);
		owner.loads++;
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
	copy_note(warp, &owner, early ? 0 : served.waiting, served.done);
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

/* Where the run has what it needs: what the one before it had there is given back. */
static struct arena *room_make(struct arena *arena, const struct full_work *work)
{
	if (!work->room)
		return arena;
	arena_release(*work->room);
	return *work->room = arena_create();
}

static struct sm *sm_make(struct arena *arena, struct arena *kept, const struct full_work *work)
{
	struct sm *sm = arena_alloc(arena, sizeof *sm);
	sm->waiting = sm->returning = INFINITY;
	sm->arena = arena;
	sm->work = work;
	sm->machine = work->machine;
	sm->run.insns = arena_array(kept, work->function->insn_count + 1, sizeof *sm->run.insns);
	for (uint32_t i = 0; i < work->function->insn_count; i++)
		sm->run.insns[i].source = NO_INSN;
	sm->lsu = full_lsu_make(arena, work, &sm->run);
	sm->timed = full_only_timed(work);
	sm->slot_count = work->resident;
	sm->checkpoint = work->budget / FULL_CHECKPOINTS + 1;
	unsigned schedulers = sm->machine->schedulers, warps = sm->slot_count * work->warps;
	unsigned queue = (unsigned)full_later(1, full_sooner(work->machine->queue / schedulers, FULL_QUEUE_MOST));
	for (unsigned s = 0; s < schedulers; s++)
		full_scheduler_make(&sm->schedulers[s], sm->machine, (warps + schedulers - 1 - s) / schedulers, queue);
	return sm;
}

/* Goes on until so many instructions have been issued, or all blocks have ended. */
static void sm_go_on(struct sm *sm, uint64_t issued)
{
	while (sm->running && sm->run.issued < issued) {
		unsigned first = scheduler_first(sm);
		if (sm->returning <= sm->waiting && sm->returning <= sm->schedulers[first].next) {
			full_lsu_return(sm->lsu);
			returned_note(sm);
		} else if (sm->waiting <= sm->schedulers[first].next)
			lsu_take(sm);
		else
			issue(sm, first);
	}
}

/* The LSU takes what waits for it. */
static void sm_drain(struct sm *sm)
{
	while (!isinf(sm->waiting))
		lsu_take(sm);
}

struct full_run full_sm_run(struct arena *arena, const struct full_work *work)
{
	struct sm *sm = sm_make(room_make(arena, work), arena, work);
	for (unsigned slot = 0; slot < sm->slot_count && sm->next_block < work->blocks; slot++)
		full_block_start(sm, slot, 0);
	sm_go_on(sm, work->budget);
	sm_drain(sm);
	for (unsigned w = 0; w < sm->slot_count * work->warps; w++)
		if (sm->warps[w].state != WARP_FREE)
			trace_close(sm->warps[w].trace);
	double stored = full_lsu_finish(sm->lsu),
	       over = full_later(full_later(sm->retired, stored), sm->run.last_atomic);
	if (work->simulated)
		*work->simulated += sm->run.issued;
	sm->run.complete = sm->running == 0;
	sm->run.cycles = sm->run.complete ? full_later(sm->now, over) : sm->now;
	sm->run.behind =
		sm->run.complete ? 0 : full_sooner(sm->machine->store_dram_backlog, full_later(0, stored - sm->now));
	return sm->run;
}
