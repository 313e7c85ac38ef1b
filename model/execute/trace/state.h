/*
 * Inside of the traces: a launch prepared for them, and one warp's state. model/execute/trace/trace.h says what they
 * are for.
 *
 * A prepared function is translated once more, block by block, into operations whose kind is decided beforehand.
 * Registers are kept packed: a line of lanes, or lanes of their own where they lie on none. Sums, products with a
 * number that is the same in all lanes, comparisons and operations lane by lane are done on packed registers; what is
 * rarer goes through the evaluator's own code (compute_step), on registers unpacked for it.
 *
 *   trace.c    opening, and pulling events
 *   code.c     a plan's steps as operations
 *   packed.c   packed registers
 *   act.c      one operation
 *   control.c  where lanes go: the stack of masks, calls, what is assumed
 */
#ifndef COALESCE_MODEL_EXECUTE_TRACE_STATE_H
#define COALESCE_MODEL_EXECUTE_TRACE_STATE_H

#include "model/execute/cover/cover.h"
#include "model/execute/trace/trace.h"

/* A register: as struct warp_value, without axes. lanes is its own memory, or NULL until it is needed. */
struct packed {
	uint64_t base;
	int64_t step;
	uint64_t *lanes;
	uint32_t origin, shift;
	uint8_t form, doubt, bits;
	bool unset;
};

enum act_kind {
	ACT_NOTHING, /* of which only the guard is asked, or not even that */
	ACT_BARRIER,
	ACT_COMBINE,  /* a * factor_a + b * factor_b + constant */
	ACT_PRODUCT,  /* a * b + c */
	ACT_COMPARE,  /* integers, into one predicate or two */
	ACT_LANEWISE, /* scalar_apply() */
	ACT_GENERAL,  /* compute_step() */
	ACT_MEMORY,
	ACT_CALL,
	ACT_EXIT
};

struct act_source {
	const struct packed *constant; /* or NULL */
	uint32_t index;                /* of the warp's own special registers, else of the function's */
	bool is_special;
};

struct act {
	const struct step *step; /* of a barrier that the plan does without: one without sources and targets */
	uint32_t insn, target;
	uint8_t kind, bits, source_count;
	bool is_signed, is_wide, is_barrier;
	struct act_source sources[3];
	uint64_t factor_a, factor_b, constant;
};

struct act_block {
	struct act *acts;
	uint32_t count;
	struct act_source index; /* of an indexed branch at its end */
};

/* A function's operations. scratch: registers in which the evaluator's code computes. */
struct trace_code {
	const struct plan *plan;
	struct act_block *blocks;
	struct activation *scratch;
	struct level *spare;
	struct trace_code *next;
};

/* Lanes that are in a block, or will be when those above them on the stack have come to `stop`. */
struct waiting {
	uint32_t block, stop, from, mask;
};

/* A function that the warp is in: the kernel, or one that was called. */
struct level {
	struct trace_code *code;
	struct packed *registers;
	uint64_t *pending; /* registers that waiting lanes will read */
	uint32_t *trips;   /* of each loop since it was entered */
	struct waiting *stack;
	uint32_t depth, capacity;
	const struct act *act, *end; /* of the block at the top: next operation, and behind the last; both NULL where it
	                                was not begun */
	const struct step *called_by;
	uint32_t called_mask, called_live;
	struct level *caller; /* or the next spare one */
};

#define OWN_SPECIALS 7 /* thread and block ids, warp: what differs between warps */

struct trace {
	struct tracer *tracer;
	struct level *level;
	struct packed specials[OWN_SPECIALS];
	uint64_t number;               /* of the warp in the launch */
	uint64_t issued, draws, turns; /* turns: atomic operations that brought it something */
	uint32_t block, insn, calls;
	bool over, assumed;
	struct local_memory *local; /* NULL until it is needed */
	struct trace_event second;  /* to be told next where has_second */
	bool has_second;
	uint64_t lanes[2][WARP_LANES]; /* of the events being told */
	struct kept_event *kept;       /* those told so far, where they are kept */
	uint32_t kept_count, kept_room, told;
	bool keeps;
	struct trace *next; /* closed ones, or kept ones with the same hash */
};

#define KEPT_PLACES 256

struct tracer {
	struct arena *arena;
	struct evaluate_input input;
	struct evaluator evaluator;
	struct run *run; /* in which the evaluator's code computes */
	struct packed specials[SPECIAL_OTHER + 1];
	struct trace_code *codes;
	struct trace *closed;
	struct trace *kept[KEPT_PLACES]; /* by number */
	struct trace_event
		*forms; /* kept events without their base: different ones of an instruction, and those with lanes */
	uint32_t form_count, *last_form; /* by instruction and kind: 1 + the last form, or 0 */
	bool keeps;
	uint64_t issue_limit;
};

/* ---- packed.c ----------------------------------------------------------------------------- */

static inline uint64_t packed_lane(const struct packed *value, unsigned lane)
{
	uint64_t raw = value->form == FORM_LINE ? value->base + (uint64_t)value->step * lane : value->lanes[lane];

	return raw & value_mask(value->bits);
}
static inline bool packed_is_plain(const struct packed *value)
{
	return value->doubt == KNOWN && value->form == FORM_LINE && value->step == 0;
}
void trace_packed_pack(struct arena *arena, struct packed *to, const struct warp_value *from);
/* Into a value without axes. */
void trace_packed_unpack(struct warp_value *to, const struct packed *from);
/* A line in `bits` bits. */
static inline void packed_line(struct packed *value, unsigned bits, uint64_t base, int64_t step)
{
	value->base = base & value_mask(bits);
	value->step = step;
	value->origin = NO_INDEX;
	value->shift = 0;
	value->form = FORM_LINE;
	value->doubt = KNOWN;
	value->bits = (uint8_t)bits;
	value->unset = false;
}
/* The lanes of mask as a line where they lie on one, else as they are. */
void trace_packed_set_lanes(struct arena *arena, struct packed *value, unsigned bits, const uint64_t lanes[WARP_LANES],
                            uint32_t mask);
/* As value_combine(). */
void trace_packed_combine(struct arena *arena, struct packed *out, const struct packed *a, uint64_t factor_a,
                          const struct packed *b, uint64_t factor_b, uint64_t constant, unsigned bits);
/* Gives the lanes of mask, which are in the entry's lanes `live`, to a register: others keep theirs where they are
 * awaited. */
void trace_packed_write(struct trace *trace, struct level *level, uint32_t reg, const struct packed *value,
                        uint32_t mask, uint32_t live);
/* A line in more bits; false where the numbers wrap between the lanes of mask, or it is no line. */
bool trace_packed_widen(struct packed *out, const struct packed *value, uint32_t mask, bool is_signed, unsigned bits);

/* What a source of an operation holds. */
static inline const struct packed *act_source(const struct trace *trace, const struct level *level,
                                              const struct act_source *source)
{
	if (source->constant)
		return source->constant;
	return source->is_special ? &trace->specials[source->index] : &level->registers[source->index];
}

/* ---- code.c ---------------------------------------------------------------------------------- */

/* The operations of a function, made when it is first met. */
struct trace_code *trace_code_make(struct tracer *tracer, const struct plan *plan);

/* ---- act.c ----------------------------------------------------------------------------------- */

/* Does the operation at which the innermost function is; returns whether there is an event to be told. */
bool trace_perform(struct trace *trace, const struct act *act, struct trace_event *event);

/* ---- control.c ------------------------------------------------------------------------------- */

static inline struct waiting *level_top(struct level *level)
{
	return &level->stack[level->depth - 1];
}
/* Enters a function with the lanes of mask. */
struct level *trace_level_push(struct trace *trace, const struct plan *plan, uint32_t mask);
/* Leaves the innermost function; its results go to the caller's registers. */
void trace_level_pop(struct trace *trace);
/* Lanes end: the kernel, or the function called. */
void trace_level_leave(struct level *level, uint32_t lanes);
/* Calls a function for the lanes of mask. */
void trace_level_call(struct trace *trace, const struct step *step, uint32_t mask, uint32_t live);
/* Whether an event of that share comes about this time. */
bool trace_draw(struct trace *trace, uint32_t line, double share);
/* Lanes of mask that pass the step's guard; what is not known is assumed. */
uint32_t trace_guard_pass(struct trace *trace, const struct level *level, const struct step *step, uint32_t mask);
/* Lanes waiting at the top of the stack have come where others wait, or are none. */
void trace_meet(struct level *level);
/* Leaves the block at the top of the stack, which was run. */
void trace_transfer(struct trace *trace, struct level *level);

#endif
