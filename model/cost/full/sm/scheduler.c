/*
 * Which warp of a scheduler issues next, and the queue of its memory instructions.
 *
 * One instruction a cycle, of the warp that issued last while it is ready, unless that one yielded.
 * Else of the oldest block that has a ready warp; within a block of the warp with the highest
 * number. Memory instructions do not go on so where several warps have one next: within the oldest
 * block the one that has waited longest goes. A memory instruction waits for room in the queue, and
 * leaves its place when the LSU has taken it. Measured by operands/choice.cu and yields.cu.
 */
#include "model/cost/full/sm/sm.h"

#include <math.h>
#include <string.h>

#define SIDE 4 /* warps that are looked at side by side, all alike: no branch depends on what they wait for */

void full_scheduler_make(struct full_scheduler *scheduler, const struct full_machine *machine, unsigned warps,
                         unsigned queue_length)
{
	memset(scheduler, 0, sizeof *scheduler);
	scheduler->bank_slack = machine->register_slack;
	for (unsigned reads = 0; reads < ARRAY_COUNT(scheduler->bank_cycles); reads++)
		scheduler->bank_cycles[reads] = reads / machine->register_reads;
	scheduler->next = scheduler->arrival = INFINITY;
	scheduler->count = warps;
	scheduler->length = queue_length;
	for (unsigned i = 0; i < FULL_WARPS; i++)
		scheduler->wake[i] = INFINITY;
}

void full_scheduler_start(struct full_scheduler *scheduler, unsigned at, uint64_t block, uint32_t number)
{
	scheduler->age[at] = (UINT64_MAX / FULL_WARPS - block) * FULL_WARPS + number;
}

void full_scheduler_post(struct full_scheduler *scheduler, unsigned at, const struct full_insn *insn, double wake)
{
	bool access = insn && (insn->memory == FULL_STORE || insn->memory == FULL_LOAD);
	scheduler->wake[at] = insn ? wake : INFINITY;
	scheduler->unit[at] = insn ? insn->pipe : 0;
	scheduler->access_count += access - (unsigned)(scheduler->accesses[at] != FULL_NO_MEMORY);
	scheduler->accesses[at] = access ? insn->memory : FULL_NO_MEMORY;
}

static bool is_access(const struct full_scheduler *scheduler, unsigned warp)
{
	return scheduler->accesses[warp] != FULL_NO_MEMORY;
}

/* Of two that are ready: the older block's; in a block the access that waits longer, else the higher number. */
static bool goes_before(const struct full_scheduler *scheduler, unsigned warp, unsigned other)
{
	bool alike = scheduler->age[warp] / FULL_WARPS == scheduler->age[other] / FULL_WARPS;
	if (alike && is_access(scheduler, warp) && is_access(scheduler, other) &&
	    scheduler->wake[warp] != scheduler->wake[other])
		return scheduler->wake[warp] < scheduler->wake[other];
	return scheduler->age[warp] > scheduler->age[other];
}

/* Whether the last warp goes on before all others if it may issue at a time. */
static bool goes_on(const struct full_scheduler *scheduler, double time)
{
	unsigned greedy = scheduler->greedy;
	return !scheduler->yields && scheduler->wake[greedy] <= time &&
	       scheduler->pipe[scheduler->unit[greedy]] <= time &&
	       !(scheduler->access_count > 1 && is_access(scheduler, greedy));
}

/* The one of these to issue, a bit each, which are ready at the same time. */
static unsigned warp_choose(const struct full_scheduler *scheduler, uint64_t ready)
{
	uint64_t others = ready & ~((uint64_t)1 << scheduler->greedy);
	if (scheduler->yields && others)
		ready = others;
	unsigned chosen = (unsigned)__builtin_ctzll(ready);
	for (ready &= ready - 1; ready; ready &= ready - 1) {
		unsigned warp = (unsigned)__builtin_ctzll(ready);
		chosen = goes_before(scheduler, warp, chosen) ? warp : chosen;
	}
	return chosen;
}

/* When each warp could issue for all but the scheduler; returns the first of these times. */
static double times_find(const struct full_scheduler *scheduler, double time[FULL_WARPS])
{
	double first[SIDE] = {INFINITY, INFINITY, INFINITY, INFINITY};
	for (unsigned i = 0; i < scheduler->count; i += SIDE)
		for (unsigned k = 0; k < SIDE; k++) {
			time[i + k] = full_later(scheduler->wake[i + k], scheduler->pipe[scheduler->unit[i + k]]);
			first[k] = full_sooner(time[i + k], first[k]);
		}
	return full_sooner(full_sooner(first[0], first[1]), full_sooner(first[2], first[3]));
}

/* Those whose time has come, a bit each. */
static uint64_t ready_find(const struct full_scheduler *scheduler, const double time[FULL_WARPS], double now)
{
	uint64_t ready = 0;
	for (unsigned i = 0; i < scheduler->count; i += SIDE) {
		unsigned some = 0;
		for (unsigned k = 0; k < SIDE; k++)
			some |= (unsigned)(time[i + k] <= now) << k;
		ready |= (uint64_t)some << i;
	}
	return ready;
}

void full_scheduler_refresh(struct full_scheduler *scheduler)
{
	double time[FULL_WARPS];
	scheduler->next = scheduler->free;
	scheduler->chosen = scheduler->greedy;
	if (goes_on(scheduler, scheduler->free))
		return;
	scheduler->next = full_later(times_find(scheduler, time), scheduler->free);
	if (scheduler->next < INFINITY && !goes_on(scheduler, scheduler->next))
		scheduler->chosen = warp_choose(scheduler, ready_find(scheduler, time, scheduler->next));
}

void full_scheduler_hurry(struct full_scheduler *scheduler, unsigned at)
{
	double time =
		full_later(full_later(scheduler->wake[at], scheduler->pipe[scheduler->unit[at]]), scheduler->free);
	if (time < scheduler->next) {
		scheduler->next = time;
		scheduler->chosen = at;
	} else if (time == scheduler->next && time < INFINITY) {
		full_scheduler_refresh(scheduler);
	}
}

double full_scheduler_read(struct full_scheduler *scheduler, const struct full_insn *insn, bool in_row, double time)
{
	double ready = 0;
	for (unsigned b = 0; b < FULL_READS; b++) {
		unsigned reads = insn->reads[b] + (in_row ? 0 : insn->again[b]);
		scheduler->bank[b] = full_later(scheduler->bank[b], time) + scheduler->bank_cycles[reads];
		ready = full_later(ready, scheduler->bank[b] - time);
	}
	return ready - scheduler->bank_slack;
}

void full_scheduler_refetch(struct full_scheduler *scheduler, double time, double turns)
{
	scheduler->bank[FULL_FETCH] = full_later(scheduler->bank[FULL_FETCH], time) + turns;
}

static void room_find(struct full_scheduler *scheduler)
{
	double room = scheduler->queue[scheduler->at].taken;
	scheduler->pipe[FULL_LSU] = full_later(scheduler->near_free, room);
	scheduler->pipe[FULL_GLOBAL] = room;
}

void full_scheduler_hold(struct full_scheduler *scheduler, enum full_pipe pipe, double until)
{
	if (pipe == FULL_LSU)
		scheduler->near_free = until;
	else
		scheduler->pipe[pipe] = until;
	room_find(scheduler);
}

void full_scheduler_turn(struct full_scheduler *scheduler, double time, double cycles)
{
	scheduler->far_free = full_later(full_later(scheduler->far_free, scheduler->sent), time) + cycles;
}

struct full_queued *full_scheduler_queue(struct full_scheduler *scheduler, enum full_pipe pipe, double issued,
                                         double apart)
{
	struct full_queued *queued = &scheduler->queue[scheduler->at];
	queued->count = 0;
	queued->issued = issued;
	queued->arrival =
		full_later(issued, full_later(scheduler->sent, pipe == FULL_GLOBAL ? scheduler->far_free : 0));
	queued->taken = INFINITY;
	scheduler->sent = queued->arrival + apart;
	scheduler->at = scheduler->at + 1 < scheduler->length ? scheduler->at + 1 : 0;
	scheduler->arrival = full_sooner(scheduler->arrival, queued->arrival);
	scheduler->waiting++;
	room_find(scheduler);
	return queued;
}

void full_queued_ask(struct arena *arena, struct full_queued *queued, const struct trace_event *event)
{
	if (queued->count == queued->room) {
		unsigned room = 2 * queued->room + 1;
		struct full_asked *asked = arena_array(arena, room, sizeof *asked);
		if (queued->count)
			memcpy(asked, queued->asked, queued->count * sizeof *asked);
		queued->asked = asked;
		queued->room = room;
	}
	struct full_asked *asked = &queued->asked[queued->count++];
	asked->event = *event;
	if (event->lanes)
		memcpy(asked->lanes, event->lanes, sizeof asked->lanes);
}

bool full_scheduler_take(struct full_scheduler *scheduler, double taken)
{
	bool makes_room = scheduler->head == scheduler->at;
	scheduler->queue[scheduler->head].taken = taken;
	scheduler->head = scheduler->head + 1 < scheduler->length ? scheduler->head + 1 : 0;
	scheduler->arrival = --scheduler->waiting ? scheduler->queue[scheduler->head].arrival : INFINITY;
	room_find(scheduler);
	return makes_room && taken <= scheduler->next;
}
