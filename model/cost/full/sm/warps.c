/*
 * Warps and blocks of an SM: where they start, what they issue next, where they meet and end.
 *
 * The first blocks start first_block + warps * block_warp apart, later ones block_turn after an
 * end; ends are noted block_cycles * SMs apart (launch.*). A warp ends when the LSU has taken its
 * stores. A barrier lets one warp of the SM go on after the other (barrier.cycles). After a taken
 * branch, and after a BSYNC, a warp goes on some cycles later (issue.taken_branch_cycles,
 * issue.reconvergence_cycles). LDGDEPBAR closes a group of asynchronous copies; DEPBAR.LE waits
 * until no more groups are under way than it says.
 */
#include "model/cost/full/sm/state.h"

#include <math.h>

void full_warp_post(const struct sm *sm, const struct warp *warp)
{
	const struct full_insn *insn = warp->state == WARP_READY ? &sm->work->code->insns[warp->cursor] : NULL;
	full_scheduler_post(warp->scheduler, warp->at, insn, warp->wake);
}

static void gate_wait(struct sm *sm, struct warp *warp)
{
	if (warp->gate <= warp->ready)
		return;
	sm->run.insns[warp->barrier].stalls[COST_STALL_BARRIER] += warp->gate - warp->ready;
	warp->ready = warp->gate;
}

/* Whether the warp has to wait for its block at the barrier behind it. Where it is known when that lets it go on it
 * waits until then. */
static bool barrier_holds(struct sm *sm, struct warp *warp, const struct full_insn *insn)
{
	if (insn->goes_past)
		return false;
	gate_wait(sm, warp);
	return warp->barred;
}

/* When no more groups of copies are on their way than the instruction lets be. */
static double copies_until(const struct copies *copies, const struct full_insn *insn)
{
	double until = 0;
	for (unsigned left = insn->depth; insn->depth && left < COPY_GROUPS; left++) {
		unsigned place = (copies->group - left) % COPY_GROUPS;
		until = full_later(until, copies->open[place] ? INFINITY : copies->done[place]);
	}
	return until;
}

void full_warp_next(struct sm *sm, struct warp *warp)
{
	const struct full_insn *insn = &sm->work->code->insns[warp->cursor];
	if (barrier_holds(sm, warp, insn)) {
		warp->state = WARP_BARRIER;
		full_warp_post(sm, warp);
		return;
	}
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
	if (insn->depth && copies_until(&warp->copies, insn) > warp->wake) {
		warp->wake = copies_until(&warp->copies, insn);
		warp->waits_for = warp->copies.insn;
		warp->memory_wait = true;
	}
	full_warp_post(sm, warp);
}

void full_warp_pull(const struct sm *sm, struct warp *warp)
{
	warp->loads += full_is_load(sm->work, &warp->event);
	warp->pending = trace_next(warp->trace, &warp->event);
}

static void branch_take(struct sm *sm, struct warp *warp)
{
	const struct full_insn *branch = &sm->work->code->insns[warp->cursor - 1];
	double more = full_later(0, sm->machine->taken_branch - branch->stall);
	sm->run.insns[branch->index].stalls[COST_STALL_WAIT] += more;
	warp->ready += more;
	full_scheduler_refetch(warp->scheduler, sm->now, (double)branch->fetch);
}

void full_warp_advance(struct sm *sm, struct warp *warp)
{
	while (warp->cursor == warp->end) {
		while (warp->pending && warp->event.kind != TRACE_BLOCK && warp->event.kind != TRACE_EXIT)
			full_warp_pull(sm, warp);
		if (!warp->pending || warp->event.kind == TRACE_EXIT) {
			full_warp_end(sm, warp);
			return;
		}
		const struct full_block *block = &sm->work->code->blocks[warp->event.block];
		if (block->count && warp->past && warp->past != block->address)
			branch_take(sm, warp);
		warp->past = block->count ? block->past : warp->past;
		warp->cursor = block->first;
		warp->end = block->first + block->count;
		full_warp_pull(sm, warp);
	}
	full_warp_next(sm, warp);
}

/* Moves a warp on by some of its requests, as if it had run ahead of the others of its block. */
static void warp_skip(const struct sm *sm, struct warp *warp)
{
	uint64_t mixed = (warp->block * FULL_WARPS + warp->number + 1) * UINT64_C(0x9e3779b97f4a7c15);
	uint64_t skip = (mixed >> 40) * (uint64_t)sm->work->scatter >> 24;
	for (uint64_t seen = 0; seen < skip && warp->pending && warp->event.kind != TRACE_EXIT;) {
		seen += warp->event.kind == TRACE_REQUEST;
		full_warp_pull(sm, warp);
	}
	while (warp->pending && warp->event.kind != TRACE_BLOCK && warp->event.kind != TRACE_EXIT)
		full_warp_pull(sm, warp);
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
	full_warp_pull(sm, warp);
	if (sm->work->scatter > 0 && sm->next_block <= sm->work->resident)
		warp_skip(sm, warp);
	full_warp_advance(sm, warp);
}

/* When the n-th block of those that start first does so. */
static double first_start(const struct sm *sm, uint64_t n)
{
	const struct full_machine *machine = sm->machine;
	double warps = sm->work->warps, late = (double)n * warps - machine->first_warps;
	double apart = full_later(machine->first_block + warps * machine->block_warp, warps * machine->first_warp);
	return (double)n * apart + full_later(0, late) * machine->late_warp;
}

void full_block_start(struct sm *sm, uint32_t slot, double time)
{
	const struct full_work *work = sm->work;
	const struct full_machine *machine = sm->machine;
	if (sm->next_block < sm->slot_count)
		time = full_later(time, first_start(sm, sm->next_block));
	sm->slots[slot] =
		(struct warp_slot){.running = work->warps, .block = work->first + sm->next_block * work->step};
	sm->next_block++;
	sm->running += work->warps;
	for (uint32_t w = 0; w < work->warps; w++) {
		double cold =
			machine->cold_start + (slot * work->warps + w) % machine->schedulers * machine->cold_scheduler;
		warp_start(sm, slot, w, full_later(time + w * machine->first_warp, work->begun ? 0 : cold));
	}
	for (unsigned s = 0; s < machine->schedulers; s++)
		full_scheduler_refresh(&sm->schedulers[s]);
}

/* Lets a warp go on that waits at a barrier, or may wait there still. */
static void barrier_open(struct sm *sm, struct warp *warp, double time)
{
	warp->barred = false;
	warp->gate = time;
	if (warp->state != WARP_BARRIER)
		return;
	gate_wait(sm, warp);
	warp->state = WARP_READY;
	full_warp_advance(sm, warp);
}

static void barrier_check(struct sm *sm, uint32_t slot)
{
	struct warp_slot *block = &sm->slots[slot];
	if (!block->waiting || block->waiting < block->running)
		return;
	block->waiting = 0;
	for (uint32_t w = 0; w < sm->work->warps; w++) {
		struct warp *warp = &sm->warps[slot * sm->work->warps + w];
		if (!warp->barred)
			continue;
		sm->released = full_later(block->arrived + sm->machine->barrier_base,
		                          sm->released + sm->machine->barrier_per_warp);
		barrier_open(sm, warp, sm->released);
	}
	for (unsigned s = 0; s < sm->machine->schedulers; s++)
		full_scheduler_refresh(&sm->schedulers[s]);
}

void full_barrier_arrive(struct sm *sm, struct warp *warp, const struct full_insn *insn, double time)
{
	struct warp_slot *block = &sm->slots[warp->slot];
	warp->barred = true;
	warp->barrier = insn->index;
	block->waiting++;
	block->arrived = full_later(block->arrived, time);
	warp->state = insn->deferred ? WARP_READY : WARP_BARRIER;
	if (insn->deferred)
		full_warp_advance(sm, warp);
	else
		full_warp_post(sm, warp);
	barrier_check(sm, warp->slot);
}

void full_warp_end(struct sm *sm, struct warp *warp)
{
	struct warp_slot *slot = &sm->slots[warp->slot];
	warp->state = warp->untaken ? WARP_LEAVING : WARP_FREE;
	full_warp_post(sm, warp);
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
	double apart = sm->machine->block_cycles * sm->work->active;
	sm->retired = full_later(sm->retired + apart, warp->ready);
	sm->handed = full_later(sm->handed + apart,
	                        warp->ready - (sm->run.finished > sm->slot_count ? sm->slot_count * apart : 0));
	if (sm->next_block < sm->work->blocks)
		full_block_start(sm, warp->slot, full_later(sm->handed, warp->ready) + sm->machine->block_turn);
}
