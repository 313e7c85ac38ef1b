/*
 * What operations share: sources read, targets written, and any operation lane by lane.
 */
#include "model/execute/compute/compute.h"

const struct warp_value *compute_source(const struct compute_place *place, const struct step_source *source)
{
	switch (source->kind) {
	case SOURCE_REGISTER:
		return &place->registers[source->reg];
	case SOURCE_SPECIAL:
		return &place->specials[source->reg < SPECIAL_OTHER ? source->reg : SPECIAL_OTHER];
	default:
		return source->constant;
	}
}

/* By how much all lanes are apart, which is the same for all of them; false where it is not. */
static bool is_apart_evenly(const struct warp_value *a, const struct warp_value *b)
{
	uint64_t apart = value_lane(a, 0) - value_lane(b, 0);

	for (unsigned lane = 1; lane < WARP_LANES; lane++)
		if (((value_lane(a, lane) - value_lane(b, lane) - apart) & value_mask(a->bits)) != 0)
			return false;
	return true;
}

/*
 * Lanes written where a branch was taken with some probability only are unknown to those who meet there; by one number
 * for all of them where they were all written, and have all grown by the same.
 */
static void doubt_written(const struct compute_place *place, struct warp_value *old, const struct warp_value *value,
                          uint32_t mask)
{
	struct warp_value before;
	bool changed = false;

	value_copy(place->axes, &before, old);
	value_blend(place->axes, old, value, mask);
	if (value_is_predicate(old)) {
		if (before.base != old->base)
			value_set_predicate(old, (uint32_t)old->base,
			                    (uint32_t)(old->step | (int64_t)(before.base ^ old->base)), UNKNOWN,
			                    value->origin);
		return;
	}
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		changed |= value_lane(&before, lane) != value_lane(old, lane);
	if (!changed && old->doubt != UNKNOWN)
		return;
	old->shift = 0;
	old->doubt =
		before.doubt != UNKNOWN && value->doubt != UNKNOWN && is_apart_evenly(&before, old) ? SHIFTED : UNKNOWN;
}

void compute_write(const struct compute_place *place, uint32_t reg, const struct warp_value *value, uint32_t mask,
                   uint32_t live)
{
	struct warp_value *old = &place->registers[reg];
	unsigned bits = place->plan->bits[reg];
	bool awaited = plan_set_has(place->pending, reg);
	struct warp_value sized;

	if (value->bits != bits) {
		if (value->bits == 1 || bits == 1)
			value_set_unknown(&sized, bits, UNKNOWN, value->origin);
		else
			value_convert(place->axes, &sized, value, mask, false, bits);
		value = &sized;
	}
	if (place->uncertain && awaited)
		doubt_written(place, old, value, mask);
	else if (mask == live && !awaited)
		value_copy(place->axes, old, value);
	else
		value_blend(place->axes, old, value, mask);
}

void compute_target(struct execution *x, unsigned which, const struct warp_value *value)
{
	if (which < x->step->target_count && x->step->targets[which] != NO_INDEX)
		compute_write(x->place, x->step->targets[which], value, x->mask, x->live);
}

/* The source's value in `bits` bits, in scratch where it has another width. */
static const struct warp_value *read_source(struct execution *x, unsigned which, unsigned bits)
{
	const struct warp_value *value = compute_source(x->place, &x->step->sources[which]);
	struct warp_value *scratch = &x->scratch[which];

	if (value->bits == bits || value_is_predicate(value) || bits == 1)
		return value;
	if (value->bits > bits)
		value_combine(x->axes, scratch, value, 1, NULL, 0, 0, bits);
	else
		value_convert(x->axes, scratch, value, x->mask, false, bits);
	return scratch;
}

bool compute_is_plain(const struct execution *x, const struct warp_value *value)
{
	return value->doubt == KNOWN && value->form == FORM_LINE && value->step == 0 && !value_varies(x->axes, value);
}

bool compute_doubtful(struct execution *x, unsigned bits)
{
	uint32_t origin = NO_INDEX;
	bool shifted = true, any = false;

	for (unsigned i = 0; i < x->count; i++) {
		const struct warp_value *value = x->sources[i];

		any |= value->doubt != KNOWN;
		if (value->doubt)
			origin = value->origin;
		if (value->doubt == UNKNOWN || !value_is_uniform(value, x->mask))
			shifted = false;
	}
	if (any)
		value_set_unknown(&x->result, bits, shifted ? SHIFTED : UNKNOWN, origin);
	return any;
}

void compute_unknown(struct execution *x)
{
	for (unsigned i = 0; i < x->step->target_count; i++) {
		unsigned bits = x->step->targets[i] == NO_INDEX ? 64 : x->place->plan->bits[x->step->targets[i]];

		if (bits == 1)
			value_set_predicate(&x->result, 0, ALL_LANES, UNKNOWN, x->step->index);
		else
			value_set_unknown(&x->result, bits, UNKNOWN, x->step->index);
		compute_target(x, i, &x->result);
	}
}

static bool is_counted(const struct execution *x, const struct warp_value *value)
{
	const struct ptx_function *function = x->place->plan->function;

	return value->origin < function->insn_count && ptx_insn_counts(&function->insns[value->origin]);
}

bool compute_is_row(const struct execution *x)
{
	bool any = false;

	for (unsigned i = 0; i < x->count; i++) {
		const struct warp_value *value = x->sources[i];

		if (value_is_predicate(value) || value->doubt == UNKNOWN)
			return false;
		if (value->doubt == KNOWN)
			continue;
		if (!is_counted(x, value) && value_is_uniform(value, x->mask))
			return false;
		any = true;
	}
	return any;
}

uint32_t compute_row_begin(struct execution *x)
{
	uint32_t origin = NO_INDEX;

	for (unsigned i = 0; i < x->count; i++) {
		const struct warp_value *value = x->sources[i];

		if (!value->doubt)
			continue;
		origin = value->origin;
		if (value != &x->scratch[i])
			value_copy(x->axes, &x->scratch[i], value);
		x->scratch[i].doubt = KNOWN;
		x->scratch[i].origin = NO_INDEX;
		x->sources[i] = &x->scratch[i];
	}
	return origin;
}

void compute_row_end(struct execution *x, uint32_t origin)
{
	x->result.origin = origin;
	if (x->result.doubt == UNKNOWN)
		return;
	x->result.doubt = SHIFTED;
	x->result.shift = ++*x->place->shifts;
}

/* Once where all sources are the same in all lanes. */
void compute_lanes(struct execution *x)
{
	const struct ptx_insn *insn = x->step->insn;
	unsigned bits = insn->mode == MODE_WIDE ? 2 * x->bits : x->bits;
	uint64_t sources[MOST_SOURCES];
	uint32_t curved = 0;
	bool uniform = true, done = true;

	if (insn->operation == OP_popc || insn->operation == OP_clz || insn->operation == OP_bfind)
		bits = 32;
	if (compute_doubtful(x, bits))
		return;
	for (unsigned i = 0; i < x->count; i++) {
		uniform &= x->sources[i]->form == FORM_LINE && x->sources[i]->step == 0;
		curved |= value_varies(x->axes, x->sources[i]);
	}
	value_set(&x->result, bits, 0);
	for (unsigned lane = 0; lane < (uniform ? 1u : WARP_LANES); lane++) {
		for (unsigned i = 0; i < x->count; i++)
			sources[i] = value_lane(x->sources[i], lane);
		done &= scalar_apply(insn, sources, x->count, &x->result.lane[lane]);
		x->result.lane[lane] &= value_mask(bits);
	}
	x->result.base = x->result.lane[0];
	x->result.form = uniform ? FORM_LINE : FORM_LANES;
	value_compact(&x->result, x->mask);
	x->result.curved = curved;
	if (!done)
		value_set_unknown(&x->result, bits, UNKNOWN, x->step->index);
}

void compute_read(struct execution *x)
{
	x->count = x->step->source_count < MOST_SOURCES ? x->step->source_count : MOST_SOURCES;
	for (unsigned i = 0; i < x->count; i++)
		x->sources[i] = read_source(x, i, x->step->sources[i].bits);
}
