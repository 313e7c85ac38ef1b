/*
 * trace: what single warps do, one event after the other, for cost models that interleave them. Loops are run trip by
 *trip.
 *
 * It is pulled: trace_next() goes on in the warp until there is something to tell, so that a consumer may have any
 *number of warps under way and take their events in any order. A tracer holds what all warps of a launch share (the
 *prepared function); a trace holds one warp's registers and place, a few kilobytes. Values are computed by the same
 *rules as in execute.h, and what is not known is assumed likewise:
 *   - a branch or guard on data that is the same for all lanes goes one way, drawn by a hash of line, warp and trip, as
 *often as its share says;
 *   - one on data of each lane is drawn so for each lane by itself;
 *   - a loop whose end is not known is run unknown_trips times; once, where it waits for an atomic operation to
 *succeed.
 *
 *	struct tracer *tracer = tracer_make(arena, input);
 *	struct trace *trace = trace_open(tracer, block, warp);
 *	while (trace_next(trace, &event))
 *		...
 *	trace_close(trace);
 *
 * Prefixes: tracer_, trace_.
 */
#ifndef COALESCE_MODEL_EXECUTE_TRACE_H
#define COALESCE_MODEL_EXECUTE_TRACE_H

#include "model/execute/execute.h"

enum trace_kind {
	TRACE_BLOCK,   /* control enters a basic block: its instructions issue in order, from `insn` on */
	TRACE_REQUEST, /* one of them is a memory instruction */
	TRACE_BARRIER, /* one of them waits for the other warps of the block or cluster */
	TRACE_EXIT     /* the last event of a warp */
};
#define TRACE_KINDS 4

enum trace_address {
	TRACE_KNOWN,   /* addresses are the real ones, in the numbers of content_address() */
	TRACE_SHIFTED, /* differences between lanes are; all lanes are shifted by one unknown number */
	TRACE_UNKNOWN  /* nothing is known */
};

/*
 * Events of one block come between its TRACE_BLOCK and the next one, with insn rising (two requests with the same insn:
 * cp.async, which writes shared memory first and reads global memory then; and a call, whose insn all requests in the
 * called function have; blocks and barriers in there are not told). A block that all lanes leave at an exit in its
 * middle ends there: the last event before the next block says nothing of that, insns behind it did not issue.
 */
struct trace_event {
	enum trace_kind kind;
	uint32_t block; /* BLOCK: index in function->cfg->blocks; others: of the block they are in */
	uint32_t insn; /* index in function->insns; BLOCK: the block's first one; EXIT: the one that the last lanes left
	                  at */
	uint32_t mask; /* active lanes: of the block, of the request; 0: a guarded memory instruction that no lane
	                  passes */

	/* REQUEST. Lanes of mask access `bytes` bytes each, lane l at base + l * step where lanes is NULL, else at
	 * lanes[l]. */
	enum ptx_space space; /* as it was resolved: GLOBAL, SHARED, LOCAL; of mask 0: as spelt. Of local memory the
	                         lane's own offsets */
	enum trace_address address;
	uint32_t bytes;
	uint64_t base;
	int64_t step;
	const uint64_t *lanes; /* of WARP_LANES; until the next call for the same trace */
};

struct tracer;
struct trace;

/* Prepares a launch. The input and what it points to must outlive the tracer, which lives in arena. */
struct tracer *tracer_make(struct arena *arena, const struct evaluate_input *input);
/* Warps of one block; 0 of an empty launch. */
uint32_t tracer_warps(const struct tracer *tracer);
/* From now on events are kept: a warp that is opened again tells them without being run again. It must not be open
 * twice at a time. */
void tracer_keep(struct tracer *tracer);
/* Puts a warp at the start of the function. block and warp must be of the launch. Memory of closed traces is used
 * again. */
struct trace *trace_open(struct tracer *tracer, const uint32_t block[3], uint32_t warp);
/* The next event; false after TRACE_EXIT. After step_limit warp instructions (0: five million) a warp ends as if at an
 * exit. */
bool trace_next(struct trace *trace, struct trace_event *event);
/* Whether something was assumed so far, or the warp was cut short. */
bool trace_assumed(const struct trace *trace);
void trace_close(struct trace *trace);

/* The lanes' addresses written out; those outside mask are 0. */
void trace_lanes(const struct trace_event *event, uint64_t address[WARP_LANES]);

#endif
