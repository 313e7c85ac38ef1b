/*
 * One operation of a traced warp.
 */
#include "model/execute/trace/state.h"

#include <string.h>

/* Gives the evaluator's code registers and special registers. */
static void sources_load(struct trace *trace, const struct level *level, const struct step_source *sources,
                         unsigned count)
{
	struct activation *scratch = level->code->scratch;

	for (unsigned i = 0; i < count; i++) {
		const struct step_source *source = &sources[i];

		if (source->kind == SOURCE_REGISTER)
			trace_packed_unpack(&scratch->registers[source->reg], &level->registers[source->reg]);
		else if (source->kind == SOURCE_SPECIAL && source->reg <= SPECIAL_TID_Z)
			trace_packed_unpack(&trace->tracer->run->place.specials[source->reg],
			                    &trace->specials[source->reg - SPECIAL_TID_X]);
		else if (source->kind == SOURCE_SPECIAL && source->reg >= SPECIAL_CTAID_X &&
		         source->reg <= SPECIAL_CTAID_Z)
			trace_packed_unpack(&trace->tracer->run->place.specials[source->reg],
			                    &trace->specials[3 + source->reg - SPECIAL_CTAID_X]);
		else if (source->kind == SOURCE_SPECIAL && source->reg == SPECIAL_WARPID)
			trace_packed_unpack(&trace->tracer->run->place.specials[source->reg],
			                    &trace->specials[OWN_SPECIALS - 1]);
	}
}

/* What the step reads, and registers it may keep lanes of. */
static void scratch_load(struct trace *trace, const struct level *level, const struct step *step)
{
	struct activation *scratch = level->code->scratch;

	sources_load(trace, level, step->sources, step->source_count);
	sources_load(trace, level, step->stored, step->stored_count);
	for (unsigned i = 0; i < step->target_count; i++)
		if (step->targets[i] != NO_INDEX)
			trace_packed_unpack(&scratch->registers[step->targets[i]], &level->registers[step->targets[i]]);
	memcpy(scratch->pending, level->pending, level->code->plan->live_words * sizeof(uint64_t));
}

static void scratch_store(struct trace *trace, struct level *level, const struct step *step)
{
	const struct activation *scratch = level->code->scratch;

	for (unsigned i = 0; i < step->target_count; i++)
		if (step->targets[i] != NO_INDEX)
			trace_packed_pack(trace->tracer->arena, &level->registers[step->targets[i]],
			                  &scratch->registers[step->targets[i]]);
}

static void act_general(struct trace *trace, struct level *level, const struct act *act, uint32_t mask, uint32_t live)
{
	const struct compute_place place = activation_place(trace->tracer->run, level->code->scratch);

	scratch_load(trace, level, act->step);
	compute_step(&place, act->step, mask, live);
	scratch_store(trace, level, act->step);
}

/* A place for the result: the register itself where all lanes that matter are written, else memory of the caller's. */
static struct packed *result_place(struct level *level, const struct act *act, struct packed *other, uint32_t mask,
                                   uint32_t live)
{
	return mask == live && !plan_set_has(level->pending, act->target) ? &level->registers[act->target] : other;
}

static void result_write(struct trace *trace, struct level *level, const struct act *act, const struct packed *result,
                         uint32_t mask, uint32_t live)
{
	if (result != &level->registers[act->target])
		trace_packed_write(trace, level, act->target, result, mask, live);
}

static void act_combine(struct trace *trace, struct level *level, const struct act *act, uint32_t mask, uint32_t live)
{
	uint64_t lanes[WARP_LANES];
	struct packed other = {.lanes = lanes}, *result = result_place(level, act, &other, mask, live);
	const struct packed *a = act_source(trace, level, &act->sources[0]);
	const struct packed *b = act->factor_b ? act_source(trace, level, &act->sources[1]) : NULL;

	trace_packed_combine(trace->tracer->arena, result, a, act->factor_a, b, act->factor_b, act->constant,
	                     act->bits);
	result_write(trace, level, act, result, mask, live);
}

/* Widens both factors where they are lines that do not wrap; returns false for others. */
static bool widen_factors(const struct act *act, const struct packed **a, const struct packed **b,
                          struct packed wide[2], uint32_t mask)
{
	if (!trace_packed_widen(&wide[0], *a, mask, act->is_signed, act->bits) ||
	    !trace_packed_widen(&wide[1], *b, mask, act->is_signed, act->bits))
		return false;
	*a = &wide[0];
	*b = &wide[1];
	return true;
}

/* Where neither factor is the same in all lanes, or numbers wrap, the evaluator's code does it. */
static void act_product(struct trace *trace, struct level *level, const struct act *act, uint32_t mask, uint32_t live)
{
	uint64_t lanes[WARP_LANES];
	struct packed other = {.lanes = lanes}, *result = result_place(level, act, &other, mask, live), wide[2];
	const struct packed *a = act_source(trace, level, &act->sources[0]),
			    *b = act_source(trace, level, &act->sources[1]);
	const struct packed *c = act->source_count > 2 ? act_source(trace, level, &act->sources[2]) : NULL;

	if ((act->is_wide && !widen_factors(act, &a, &b, wide, mask)) || (!packed_is_plain(a) && !packed_is_plain(b))) {
		act_general(trace, level, act, mask, live);
		return;
	}
	if (packed_is_plain(b))
		trace_packed_combine(trace->tracer->arena, result, a, b->base, c, 1, 0, act->bits);
	else
		trace_packed_combine(trace->tracer->arena, result, b, a->base, c, 1, 0, act->bits);
	result_write(trace, level, act, result, mask, live);
}

/*
 * Widening and shifting to the right keep the order of lanes: of a line that does not wrap, the first and the last lane
 * say whether the result is one. Returns false where they do not.
 */
static bool lanewise_line(const struct act *act, const struct packed *const sources[], uint32_t mask,
                          struct packed *result)
{
	const struct ptx_insn *insn = act->step->insn;
	bool widens = insn->operation == OP_cvt && act->bits == 64, shifts = insn->operation == OP_shr;
	unsigned first = (unsigned)__builtin_ctz(mask), last = 31u - (unsigned)__builtin_clz(mask);
	bool is_signed = widens ? ptx_type_is_signed((enum ptx_type)insn->source_type) : act->is_signed;
	uint64_t low[2], high[2], lowest, highest;
	struct packed wide;

	if ((!widens && !shifts) || first == last || !trace_packed_widen(&wide, sources[0], mask, is_signed, 64))
		return false;
	if (widens) {
		packed_line(result, 64, wide.base, wide.step);
		return true;
	}
	if (act->source_count < 2)
		return false;
	low[0] = packed_lane(sources[0], first);
	high[0] = packed_lane(sources[0], last);
	low[1] = high[1] = sources[1]->base;
	if (!packed_is_plain(sources[1]) || !scalar_apply(insn, low, 2, &lowest) ||
	    !scalar_apply(insn, high, 2, &highest) || lowest != highest)
		return false;
	packed_line(result, act->bits, lowest, 0);
	return true;
}

static void act_lanewise(struct trace *trace, struct level *level, const struct act *act, uint32_t mask, uint32_t live)
{
	const struct ptx_insn *insn = act->step->insn;
	const struct packed *sources[3] = {NULL};
	uint64_t numbers[4] = {0}, results[WARP_LANES], lanes[WARP_LANES];
	struct packed other = {.lanes = lanes}, *result = result_place(level, act, &other, mask, live);
	unsigned count = act->step->source_count;
	bool plain = true, known = true;

	for (unsigned i = 0; i < act->source_count; i++) {
		sources[i] = act_source(trace, level, &act->sources[i]);
		plain &= packed_is_plain(sources[i]);
		known &= sources[i]->doubt == KNOWN;
	}
	if (known && !plain && act->source_count > 0 && lanewise_line(act, sources, mask, result)) {
		result_write(trace, level, act, result, mask, live);
		return;
	}
	numbers[3] = act->constant;
	for (unsigned lane = 0; known && lane < (plain ? 1u : WARP_LANES); lane++) {
		for (unsigned i = 0; i < act->source_count; i++)
			numbers[i] = packed_lane(sources[i], lane);
		known = scalar_apply(insn, numbers, count, &results[lane]);
		results[lane] &= value_mask(act->bits);
	}
	if (!known) {
		act_general(trace, level, act, mask, live);
		return;
	}
	if (plain)
		packed_line(result, act->bits, results[0], 0);
	else
		trace_packed_set_lanes(trace->tracer->arena, result, act->bits, results, mask);
	result_write(trace, level, act, result, mask, live);
}

static bool compare_lane(const struct act *act, const struct packed *a, const struct packed *b, unsigned lane)
{
	return scalar_compare(act->step->insn, (enum ptx_type)act->step->insn->type, packed_lane(a, lane),
	                      packed_lane(b, lane));
}

/* Lanes where the comparison holds. Two lines that do not wrap change places once at most. */
static uint32_t compare_lanes(const struct act *act, const struct packed *a, const struct packed *b)
{
	bool order = act->step->insn->compare >= COMPARE_LT && act->step->insn->compare <= COMPARE_GE;
	struct packed wide;
	uint32_t lanes = 0;

	if (packed_is_plain(a) && packed_is_plain(b))
		return compare_lane(act, a, b, 0) ? ALL_LANES : 0;
	if (order && trace_packed_widen(&wide, a, ALL_LANES, act->is_signed, 64) &&
	    trace_packed_widen(&wide, b, ALL_LANES, act->is_signed, 64) &&
	    compare_lane(act, a, b, 0) == compare_lane(act, a, b, WARP_LANES - 1))
		return compare_lane(act, a, b, 0) ? ALL_LANES : 0;
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		lanes |= (uint32_t)compare_lane(act, a, b, lane) << lane;
	return lanes;
}

static void act_compare(struct trace *trace, struct level *level, const struct act *act, uint32_t mask, uint32_t live)
{
	const struct packed *a = act_source(trace, level, &act->sources[0]),
			    *b = act_source(trace, level, &act->sources[1]);
	uint32_t lanes;

	if (a->doubt || b->doubt) {
		act_general(trace, level, act, mask, live);
		return;
	}
	lanes = compare_lanes(act, a, b);
	for (unsigned i = 0; i < act->step->target_count; i++) {
		struct packed result;

		packed_line(&result, 1, 0, 0);
		result.base = i == 1 ? (uint32_t)~lanes : lanes;
		if (act->step->targets[i] != NO_INDEX)
			trace_packed_write(trace, level, act->step->targets[i], &result, mask, live);
	}
}

/* What places of lanes are drawn by, as long as the numbers are the same that they are made of. */
static uint64_t reals_seed(const struct trace *trace, const struct level *level, const struct step *step)
{
	const struct plan *plan = level->code->plan;
	uint64_t seed = content_scramble(trace->number);

	for (uint32_t loop = 0; loop < plan->function->cfg->loop_count; loop++)
		if (plan_in_loop(plan, step->reals - 1, loop))
			seed = content_scramble(seed ^ level->trips[loop]);
	return seed;
}

/* Where numbers that are only supposed say little of where lanes go, each goes by as many elements on in the buffer as
 * is drawn for it: what it comes to beside that lies beside it there. */
static void request_suppose(struct trace *trace, const struct level *level, const struct step *step,
                            const struct packed *address, struct trace_event *event, uint64_t *places)
{
	const struct evaluate_input *input = &trace->tracer->input;
	uint64_t lanes[WARP_LANES], seed;
	unsigned buffer;
	int64_t offset;

	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		lanes[lane] = packed_lane(address, lane);
	if (!event->mask || !memory_says_little(trace->tracer->run, step, lanes, event->mask) ||
	    !content_locate(lanes[__builtin_ctz(event->mask)], input->buffer_count, &buffer, &offset))
		return;
	seed = reals_seed(trace, level, step);
	const uint64_t first = content_address(buffer), period = input->buffers[buffer].period
	                                                                 ? input->buffers[buffer].period
	                                                         : step->bytes ? step->bytes
	                                                                       : 1;
	const uint64_t count = input->buffers[buffer].bytes / period;
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		uint64_t further = (uint64_t)(content_fraction(seed + lane) * (double)count) * period,
			 own = lanes[lane] - first;

		places[lane] = event->mask >> lane & 1 && own < count * period
		                       ? first + (own + further) % (count * period)
		                       : lanes[lane];
	}
	event->lanes = places;
	trace->assumed = true;
}

/* Where numbers from a counter lead, which are supposed: to the places of the buffer one after the other, again from
 * the first on behind the last. */
static void request_count(struct trace *trace, const struct step *step, const struct packed *address,
                          struct trace_event *event, uint64_t *places)
{
	const struct evaluate_input *input = &trace->tracer->input;
	const struct ptx_function *function = trace->tracer->evaluator.plan->function;
	unsigned buffer;
	int64_t offset;
	uint64_t first, size, period;
	bool beyond = false;

	if (!event->mask || event->space != SPACE_GLOBAL || address->origin >= function->insn_count ||
	    !ptx_insn_counts(&function->insns[address->origin]) ||
	    !content_locate(packed_lane(address, (unsigned)__builtin_ctz(event->mask)), input->buffer_count, &buffer,
	                    &offset))
		return;
	first = content_address(buffer);
	period = input->buffers[buffer].period ? input->buffers[buffer].period : step->bytes ? step->bytes : 1;
	size = input->buffers[buffer].bytes / period * period;
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		uint64_t own = packed_lane(address, lane) - first;

		places[lane] = size ? first + own % size : first;
		beyond |= event->mask >> lane & 1 && own >= size;
	}
	if (beyond)
		event->lanes = places;
	event->address = TRACE_KNOWN;
	trace->assumed = true;
}

/* The event of one address of a memory instruction. */
static void request_make(struct trace *trace, const struct level *level, const struct act *act,
                         const struct packed *address, uint32_t mask, unsigned which, struct trace_event *event)
{
	const struct step *step = act->step;
	uint64_t window = mask ? packed_lane(address, (unsigned)__builtin_ctz(mask)) >> 56 : 0;

	*event = (struct trace_event){.kind = TRACE_REQUEST, .block = trace->block, .insn = trace->insn, .mask = mask};
	event->bytes = step->bytes;
	event->base = address->base;
	event->step = address->step;
	event->address = address->doubt == KNOWN     ? TRACE_KNOWN
	                 : address->doubt == SHIFTED ? TRACE_SHIFTED
	                                             : TRACE_UNKNOWN;
	event->space = (enum ptx_space)step->space;
	if (step->insn->operation == OP_cp_async && which == 0)
		event->space = SPACE_SHARED;
	else if (step->space == SPACE_GENERIC && mask)
		event->space = window == SHARED_WINDOW >> 56  ? SPACE_SHARED
		               : window == LOCAL_WINDOW >> 56 ? SPACE_LOCAL
		                                              : SPACE_GLOBAL;
	if (address->form != FORM_LINE) {
		memcpy(trace->lanes[which], address->lanes, sizeof(trace->lanes[which]));
		event->lanes = trace->lanes[which];
	}
	if (step->reals && which == 0 && event->address == TRACE_KNOWN)
		request_suppose(trace, level, step, address, event, trace->lanes[which]);
	if (event->address == TRACE_SHIFTED)
		request_count(trace, step, address, event, trace->lanes[which]);
}

/* Each lane somewhere in the variable that the step touches. */
static void address_draw(struct trace *trace, const struct step *step, struct packed *address)
{
	uint64_t places = step->bytes ? plan_home_bytes(step) / step->bytes : 0,
		 seed = content_scramble(trace->number << 32 ^ trace->insn);

	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		address->lanes[lane] =
			step->home_address +
			(uint64_t)(content_fraction(seed + trace->draws++) * (double)places) * step->bytes;
	address->form = FORM_LANES;
	address->bits = 64;
	address->doubt = KNOWN;
	address->origin = NO_INDEX;
	trace->assumed = true;
}

/* The address of that position, in 64 bits. */
static void address_make(struct trace *trace, const struct level *level, const struct act *act, unsigned which,
                         uint32_t mask, struct packed *address)
{
	const struct packed *source = act_source(trace, level, &act->sources[which]);
	uint64_t offset = which == 0 ? (uint64_t)act->step->offset : 0;
	struct packed wide;

	if (source->doubt == UNKNOWN && act->step->home && which == 0) {
		address_draw(trace, act->step, address);
	} else if (source->bits == 64) {
		trace_packed_combine(trace->tracer->arena, address, source, 1, NULL, 0, offset, 64);
	} else if (mask && trace_packed_widen(&wide, source, mask, false, 64)) {
		trace_packed_combine(trace->tracer->arena, address, &wide, 1, NULL, 0, offset, 64);
	} else {
		for (unsigned lane = 0; lane < WARP_LANES; lane++)
			address->lanes[lane] = packed_lane(source, lane) + offset;
		address->form = FORM_LANES;
		address->bits = 64;
		address->doubt = source->doubt;
		address->origin = source->origin;
		address->shift = source->shift;
	}
}

static uint64_t launch_warps(const struct tracer *tracer)
{
	const uint32_t *grid = tracer->input.grid, *block = tracer->input.block;
	uint64_t threads = (uint64_t)block[0] * block[1] * block[2];

	return (uint64_t)grid[0] * grid[1] * grid[2] * ((threads + WARP_LANES - 1) / WARP_LANES);
}

/* Local memory is the warp's own. */
static void local_take(struct trace *trace, const struct level *level)
{
	if (level->code->plan->keeps_local && !trace->local)
		trace->local = local_make(trace->tracer->arena);
	trace->tracer->run->local = trace->local;
}

/* What is loaded goes through the evaluator's code, which knows the declared content and what local memory holds. */
static void load_registers(struct trace *trace, struct level *level, const struct act *act,
                           const struct packed *address, uint32_t mask, uint32_t live)
{
	bool needed = act->step->stored_count > 0;
	struct warp_value whole;

	for (unsigned i = 0; i < act->step->target_count; i++)
		needed |= act->step->targets[i] != NO_INDEX;
	if (!needed)
		return;
	trace_packed_unpack(&whole, address);
	scratch_load(trace, level, act->step);
	if (act->step->flags & FLAG_ATOMIC)
		trace->tracer->run->turn = trace->turns++ * launch_warps(trace->tracer) + trace->number;
	local_take(trace, level);
	memory_load(trace->tracer->run, level->code->scratch, act->step, &whole, mask, live);
	if (memory_space(act->step, &whole, mask) == SPACE_LOCAL)
		local_store(trace->tracer->run, level->code->scratch, act->step, &whole, mask);
	scratch_store(trace, level, act->step);
}

static bool act_memory(struct trace *trace, struct level *level, const struct act *act, uint32_t mask, uint32_t live,
                       struct trace_event *event)
{
	uint64_t lanes[2][WARP_LANES];
	struct packed address[2] = {{.lanes = lanes[0]}, {.lanes = lanes[1]}};
	unsigned count = act->step->insn->operation == OP_cp_async && act->source_count > 1 && mask ? 2 : 1;

	for (unsigned i = 0; i < count; i++)
		address_make(trace, level, act, i, mask, &address[i]);
	if (mask)
		load_registers(trace, level, act, &address[0], mask, live);
	if (!act->step->is_counted && !act->step->is_numbered)
		return false;
	request_make(trace, level, act, &address[0], mask, 0, event);
	if (count == 2) {
		request_make(trace, level, act, &address[1], mask, 1, &trace->second);
		trace->has_second = true;
	}
	return true;
}

static void act_compute(struct trace *trace, struct level *level, const struct act *act, uint32_t mask, uint32_t live)
{
	switch (act->kind) {
	case ACT_COMBINE:
		act_combine(trace, level, act, mask, live);
		break;
	case ACT_PRODUCT:
		act_product(trace, level, act, mask, live);
		break;
	case ACT_COMPARE:
		act_compare(trace, level, act, mask, live);
		break;
	case ACT_LANEWISE:
		act_lanewise(trace, level, act, mask, live);
		break;
	case ACT_GENERAL:
		act_general(trace, level, act, mask, live);
		break;
	case ACT_CALL:
		trace_level_call(trace, act->step, mask, live);
		break;
	case ACT_EXIT:
		trace_level_leave(level, mask);
		break;
	default:
		break;
	}
}

bool trace_perform(struct trace *trace, const struct act *act, struct trace_event *event)
{
	struct level *level = trace->level;
	uint32_t live = level_top(level)->mask;
	uint32_t mask = act->step->guard != NO_INDEX ? trace_guard_pass(trace, level, act->step, live) : live;

	if (!level->caller)
		trace->insn = act->insn;
	if (act->kind == ACT_MEMORY)
		return act_memory(trace, level, act, mask, live, event);
	if (!mask)
		return false;
	act_compute(trace, level, act, mask, live);
	if (!act->is_barrier || level->caller)
		return false;
	*event = (struct trace_event){.kind = TRACE_BARRIER, .block = trace->block, .insn = act->insn, .mask = mask};
	return true;
}
