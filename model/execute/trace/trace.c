/*
 * Traces: a launch prepared, warps opened, and events pulled.
 */
#include "model/execute/trace/state.h"

#include <string.h>

/* An event that was told: one of the tracer's forms, at that base. */
struct kept_event {
	uint64_t base;
	uint32_t form;
};

/* ---- launches ------------------------------------------------------------------------------------- */

static uint64_t block_threads(const struct evaluate_input *input)
{
	return (uint64_t)input->block[0] * input->block[1] * input->block[2];
}

struct tracer *tracer_make(struct arena *arena, const struct evaluate_input *input)
{
	struct tracer *tracer = arena_alloc(arena, sizeof(*tracer));

	tracer->arena = arena;
	tracer->input = *input;
	tracer->evaluator = (struct evaluator){.arena = arena, .scratch = arena, .input = &tracer->input};
	tracer->issue_limit = input->step_limit ? input->step_limit : TRACE_ISSUES;
	if (!block_threads(input) || !input->function->insn_count)
		return tracer;
	cover_prepare(&tracer->evaluator);
	tracer->run = run_make(&tracer->evaluator);
	for (unsigned i = 0; i <= SPECIAL_OTHER; i++)
		trace_packed_pack(arena, &tracer->specials[i], &tracer->run->place.specials[i]);
	return tracer;
}

uint32_t tracer_warps(const struct tracer *tracer)
{
	const uint32_t *grid = tracer->input.grid;

	if (!tracer->run || !grid[0] || !grid[1] || !grid[2])
		return 0;
	return (uint32_t)((block_threads(&tracer->input) + WARP_LANES - 1) / WARP_LANES);
}

/* ---- warps ---------------------------------------------------------------------------------------- */

/* Thread ids, by lane, of the warp; returns the lanes that exist. */
static uint32_t set_threads(struct trace *trace, uint32_t warp)
{
	const uint32_t *block = trace->tracer->input.block;
	uint64_t before[3] = {1, block[0], (uint64_t)block[0] * block[1]}, first = (uint64_t)warp * WARP_LANES;
	uint64_t left = block_threads(&trace->tracer->input) - first, lanes[WARP_LANES];
	uint32_t mask = left >= WARP_LANES ? ALL_LANES : (uint32_t)value_mask((unsigned)left);

	for (unsigned dimension = 0; dimension < 3; dimension++) {
		for (unsigned lane = 0; lane < WARP_LANES; lane++)
			lanes[lane] = (first + lane) / before[dimension] % block[dimension];
		trace_packed_set_lanes(trace->tracer->arena, &trace->specials[dimension], 32, lanes, mask);
	}
	return mask;
}

void tracer_keep(struct tracer *tracer)
{
	tracer->keeps = true;
	if (!tracer->last_form)
		tracer->last_form =
			arena_array(tracer->arena, (size_t)tracer->input.function->insn_count * TRACE_KINDS + 1,
		                    sizeof(*tracer->last_form));
}

static struct trace **kept_place(struct tracer *tracer, uint64_t number)
{
	return &tracer->kept[number % KEPT_PLACES];
}

/* The warp as it was closed, at its first event again; or NULL. */
static struct trace *kept_find(struct tracer *tracer, uint64_t number)
{
	struct trace *trace = *kept_place(tracer, number);

	while (trace && trace->number != number)
		trace = trace->next;
	if (trace)
		trace->told = 0;
	return trace;
}

static struct trace *trace_new(struct tracer *tracer, uint64_t number)
{
	struct trace *trace = tracer->closed;

	if (trace)
		tracer->closed = trace->next;
	else
		trace = arena_alloc(tracer->arena, sizeof(*trace));
	trace->tracer = tracer;
	trace->level = NULL;
	trace->number = number;
	trace->issued = trace->draws = trace->turns = trace->calls = 0;
	trace->over = trace->assumed = trace->has_second = false;
	trace->kept_count = trace->told = 0;
	local_forget(trace->local);
	trace->keeps = tracer->keeps;
	if (trace->keeps) {
		trace->next = *kept_place(tracer, number);
		*kept_place(tracer, number) = trace;
	}
	return trace;
}

struct trace *trace_open(struct tracer *tracer, const uint32_t block[3], uint32_t warp)
{
	const uint32_t *grid = tracer->input.grid;
	uint64_t number = ((uint64_t)block[2] * grid[1] + block[1]) * grid[0] + block[0];
	struct trace *trace;

	number = number * tracer_warps(tracer) + warp;
	if (warp >= tracer_warps(tracer) || block[0] >= grid[0] || block[1] >= grid[1] || block[2] >= grid[2])
		bug("a trace of a warp that the launch does not have");
	trace = kept_find(tracer, number);
	if (trace)
		return trace;
	trace = trace_new(tracer, number);
	for (unsigned i = 0; i < 3; i++)
		packed_line(&trace->specials[3 + i], 32, block[i], 0);
	packed_line(&trace->specials[OWN_SPECIALS - 1], 32, warp, 0);
	trace_level_push(trace, tracer->evaluator.plan, set_threads(trace, warp));
	return trace;
}

void trace_close(struct trace *trace)
{
	if (trace->keeps && !trace->over)
		return;
	while (trace->level)
		trace_level_pop(trace);
	if (trace->keeps)
		return;
	trace->over = true;
	trace->next = trace->tracer->closed;
	trace->tracer->closed = trace;
}

bool trace_assumed(const struct trace *trace)
{
	return trace->assumed;
}

/* ---- events ---------------------------------------------------------------------------------------- */

/* Begins the block at the top of the stack; returns whether that is told. */
static bool block_begin(struct trace *trace, struct level *level, struct trace_event *event)
{
	const struct waiting *top = level_top(level);
	const struct plan *plan = level->code->plan;
	const struct plan_block *block = &plan->blocks[top->block];
	const struct act_block *acts = &level->code->blocks[top->block];

	level->act = acts->acts;
	level->end = acts->acts + acts->count;
	if (block->heads != PTX_NO_LOOP)
		level->trips[block->heads] =
			plan_in_loop(plan, top->from, block->heads) ? level->trips[block->heads] + 1 : 0;
	trace->issued += block->insn_count + 1;
	if (level->caller)
		return false;
	trace->block = top->block;
	trace->insn = plan->function->cfg->blocks[top->block].first;
	*event = (struct trace_event){.kind = TRACE_BLOCK, .block = top->block, .insn = trace->insn, .mask = top->mask};
	return true;
}

/* Goes on in the innermost function by one operation, or from one block to the next; returns whether there is an event.
 */
static bool level_advance(struct trace *trace, struct trace_event *event)
{
	struct level *level = trace->level;
	const struct waiting *top;

	if (!level->depth) {
		trace_level_pop(trace);
		return false;
	}
	top = level_top(level);
	if (level->act && level->act < level->end && top->mask)
		return trace_perform(trace, level->act++, event);
	if (level->act) {
		level->act = NULL;
		if (top->mask)
			trace_transfer(trace, level);
		return false;
	}
	if (top->mask && top->block != PTX_NO_BASIC_BLOCK && top->block != top->stop)
		return block_begin(trace, level, event);
	trace_meet(level);
	return false;
}

/* Goes on in the warp to the next event; false after its last one. */
static bool trace_advance(struct trace *trace, struct trace_event *event)
{
	if (trace->over)
		return false;
	if (trace->has_second) {
		trace->has_second = false;
		*event = trace->second;
		return true;
	}
	while (trace->level && trace->issued <= trace->tracer->issue_limit)
		if (level_advance(trace, event))
			return true;
	trace->assumed |= trace->level != NULL;
	trace->over = true;
	*event = (struct trace_event){.kind = TRACE_EXIT, .block = trace->block, .insn = trace->insn};
	return true;
}

/* Whether two events differ in their base alone. */
static bool is_form_of(const struct trace_event *form, const struct trace_event *event)
{
	return !event->lanes && !form->lanes && form->kind == event->kind && form->block == event->block &&
	       form->insn == event->insn && form->mask == event->mask && form->space == event->space &&
	       form->address == event->address && form->bytes == event->bytes && form->step == event->step;
}

/* The form of an event, with lanes of its own where it has some. */
static uint32_t form_of(struct tracer *tracer, const struct trace_event *event)
{
	uint32_t *last = &tracer->last_form[event->insn * TRACE_KINDS + event->kind];
	struct trace_event *form;

	if (*last && is_form_of(&tracer->forms[*last - 1], event))
		return *last - 1;
	tracer->forms = arena_grow(tracer->arena, tracer->forms, tracer->form_count, sizeof(*tracer->forms));
	form = &tracer->forms[tracer->form_count++];
	*form = *event;
	*last = tracer->form_count;
	if (event->lanes) {
		uint64_t *lanes = arena_array(tracer->arena, WARP_LANES, sizeof(*lanes));

		memcpy(lanes, event->lanes, WARP_LANES * sizeof(*lanes));
		form->lanes = lanes;
	}
	return tracer->form_count - 1;
}

static void event_keep(struct trace *trace, const struct trace_event *event)
{
	if (trace->kept_count == trace->kept_room) {
		uint32_t room = trace->kept_room ? 2 * trace->kept_room : 32;
		struct kept_event *grown = arena_array(trace->tracer->arena, room, sizeof(*grown));

		if (trace->kept_count)
			memcpy(grown, trace->kept, trace->kept_count * sizeof(*grown));
		trace->kept = grown;
		trace->kept_room = room;
	}
	trace->kept[trace->kept_count++] = (struct kept_event){event->base, form_of(trace->tracer, event)};
}

bool trace_next(struct trace *trace, struct trace_event *event)
{
	if (!trace->keeps)
		return trace_advance(trace, event);
	if (trace->told == trace->kept_count) {
		if (!trace_advance(trace, event))
			return false;
		event_keep(trace, event);
		trace->told++;
		return true;
	}
	*event = trace->tracer->forms[trace->kept[trace->told].form];
	event->base = trace->kept[trace->told++].base;
	return true;
}

void trace_lanes(const struct trace_event *event, uint64_t address[WARP_LANES])
{
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		address[lane] = !(event->mask >> lane & 1) ? 0
		                : event->lanes             ? event->lanes[lane]
		                                           : event->base + (uint64_t)event->step * lane;
}
