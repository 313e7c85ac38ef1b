/*
 * What an SM's warps come to again and again, so that its L1 holds it from the second time on.
 *
 *   again       a load that touches nothing new in the later half of what was followed of a warp
 *   first time  instructions of that warp until the last such load has touched its last new line
 *
 * One warp is followed, without a clock. Where the last block's warp comes to no other lines, all
 * share them; else all warps are followed. A second run begins with these lines in the L1.
 */
#include "model/cost/full/launch/launch.h"
#include "model/cost/full/residency.h"

#include <math.h>

#define FOLLOWED 20000  /* warp instructions of one warp, at most */
#define NESTED 300000   /* where a loop is entered more than once */
#define TOGETHER 300000 /* of all warps, where each has lines of its own */
#define ENOUGH 2.25     /* times as many as until the last line was new */
#define SHORT_PASS 4    /* a run that is so many times as long has seen what comes again */

/* What a load has touched first, and when. */
struct touches {
	double fresh, last, after; /* lines that nobody had touched; instructions until then; lines since then */
	bool unknown;
};

/* What following warps has shown so far. */
struct trail {
	const struct full_work *work;
	struct full_residency *seen; /* of each line its place in the list */
	struct touches *touches;     /* by instruction */
	bool *skipped, *again;       /* not for the L1; come to again */
	struct full_line *lines;
	uint32_t *owners; /* of each line: the load that touched it first */
	size_t count, owner_count, most;
	double issued, newest; /* instructions; when the last line was new */
	bool elsewhere;        /* a load that comes again has touched a line that was not there */
};

/* A line that nobody has touched before. */
static void line_add(struct arena *arena, struct trail *trail, uint32_t insn, uint64_t line, uint8_t sectors)
{
	*full_residency_line(trail->seen, line) = (float)trail->count;
	trail->touches[insn].fresh++;
	trail->touches[insn].last = trail->newest = trail->issued;
	ARENA_PUSH(arena, trail->owners, trail->owner_count, insn);
	ARENA_PUSH(arena, trail->lines, trail->count, (struct full_line){line, sectors});
}

/* A load of such a warp. */
static void load_note(struct arena *arena, struct trail *trail, const struct trace_event *event, bool first)
{
	struct touches *touches = &trail->touches[event->insn];
	struct full_request request;
	if (trail->skipped[event->insn])
		return;
	if (event->address != TRACE_KNOWN) {
		touches->unknown = true;
		return;
	}
	full_request_make(trail->work->machine, event, FULL_LOAD, 0, 0, 0, &request);
	for (unsigned i = 0; i < request.line_count; i++) {
		const float *known = full_residency_find(trail->seen, request.line[i]);
		if (known)
			trail->lines[(size_t)*known].sectors |= request.sectors[i];
		else if (first || trail->again[event->insn])
			line_add(arena, trail, event->insn, request.line[i], request.sectors[i]);
		touches->after = known ? touches->after + 1 : 0;
		trail->elsewhere |= !known && !first && trail->again[event->insn];
	}
}

/* Follows a warp for so many instructions at most: until nothing has been new for long enough, or there are more lines
 * than the L1 has. first: no other one has been; those after it add what loads that come again touch, and no other
 * lines. */
static void warp_follow(struct arena *arena, struct trail *trail, uint64_t block, uint32_t warp, double most,
                        bool first)
{
	const struct full_work *work = trail->work;
	struct trace_event event;
	uint32_t at[3];
	full_block_place(work, block, at);
	struct trace *trace = trace_open(work->tracer, at, warp);
	trail->issued = trail->newest = 0;
	while (trail->issued < fmin(most, fmax(FOLLOWED, ENOUGH * trail->newest)) && trail->count <= trail->most &&
	       trace_next(trace, &event)) {
		if (event.kind == TRACE_BLOCK)
			trail->issued += work->code->blocks[event.block].count;
		else if (full_is_load(work, &event))
			load_note(arena, trail, &event, first);
	}
	trace_close(trace);
}

/* Which loads come again; returns after how many instructions all of them have begun to. */
static double again_mark(struct trail *trail)
{
	double last = 0;
	for (uint32_t i = 0; i < trail->work->function->insn_count; i++) {
		const struct touches *touches = &trail->touches[i];
		trail->again[i] = touches->fresh > 0 && !touches->unknown && touches->last <= trail->issued / 2 &&
		                  touches->after >= touches->fresh;
		last = trail->again[i] ? fmax(last, touches->last) : last;
	}
	return last;
}

/* Leaves the lines that loads which come again have touched first. */
static void lines_keep(struct trail *trail)
{
	size_t kept = 0;
	for (size_t i = 0; i < trail->count; i++) {
		if (!trail->again[trail->owners[i]])
			continue;
		trail->lines[kept++] = trail->lines[i];
	}
	trail->count = kept;
}

/* Whether warps come to some loop more than once. */
static bool has_nested_loops(const struct full_work *work)
{
	bool nested = false;
	for (unsigned l = 0; l < work->function->cfg->loop_count; l++)
		nested |= work->evaluation->loops[l].entries > 1.5 * work->evaluation->warps;
	return nested;
}

double full_l1_reuse_find(struct arena *arena, struct full_work *work, const struct full_run *run, double each,
                          struct full_l1_start *again)
{
	const double warps = (double)work->resident * work->warps, ran = (double)run->issued / warps;
	const uint32_t count = work->function->insn_count + 1;
	struct trail trail = {
		.work = work, .seen = full_residency_make(arena, 1), .most = (size_t)(work->l1_bytes / LINE_BYTES)};
	if (run->complete || each / work->warps <= ran)
		return 0;
	trail.touches = arena_array(arena, count, sizeof *trail.touches);
	trail.again = arena_array(arena, count, sizeof *trail.again);
	trail.skipped = arena_array(arena, count, sizeof *trail.skipped);
	for (uint32_t i = 0; i < work->code->insn_count; i++)
		trail.skipped[work->code->insns[i].index] |= work->code->insns[i].past_l1;
	warp_follow(arena, &trail, work->first, 0, has_nested_loops(work) ? NESTED : FOLLOWED, true);
	double pass = again_mark(&trail);
	if (pass * SHORT_PASS <= ran)
		return 0;
	uint64_t last = work->first + (work->resident - 1) * work->step;
	warp_follow(arena, &trail, last, work->warps - 1, pass, false);
	if (trail.elsewhere && pass * warps > TOGETHER)
		return 0;
	for (unsigned w = 1; trail.elsewhere && w < warps; w++)
		warp_follow(arena, &trail, work->first + w / work->warps * work->step, w % work->warps, pass, false);
	if (trail.count > trail.most)
		return 0;
	lines_keep(&trail);
	*again = (struct full_l1_start){trail.lines, trail.count};
	return pass;
}
