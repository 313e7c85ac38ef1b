/*
 * Packed registers: the rules of value.c for one warp at one place, without axes.
 */
#include "model/execute/trace/state.h"

#include <string.h>

static uint64_t *own_lanes(struct arena *arena, struct packed *value)
{
	if (!value->lanes)
		value->lanes = arena_array(arena, WARP_LANES, sizeof(uint64_t));
	value->form = FORM_LANES;
	return value->lanes;
}

void trace_packed_pack(struct arena *arena, struct packed *to, const struct warp_value *from)
{
	to->base = from->base;
	to->step = from->step;
	to->origin = from->origin;
	to->shift = from->shift;
	to->form = from->form;
	to->doubt = from->doubt;
	to->bits = from->bits;
	to->unset = from->unset;
	if (from->form == FORM_LANES)
		memcpy(own_lanes(arena, to), from->lane, sizeof(from->lane));
}

void trace_packed_unpack(struct warp_value *to, const struct packed *from)
{
	to->base = from->base;
	to->step = from->step;
	to->origin = from->origin;
	to->shift = from->shift;
	to->form = from->form;
	to->doubt = from->doubt;
	to->bits = from->bits;
	to->unset = from->unset;
	to->curved = 0;
	if (from->form == FORM_LANES)
		memcpy(to->lane, from->lanes, sizeof(to->lane));
}

void trace_packed_set_lanes(struct arena *arena, struct packed *value, unsigned bits, const uint64_t lanes[WARP_LANES],
                            uint32_t mask)
{
	struct warp_value whole;

	whole.form = FORM_LANES;
	whole.bits = (uint8_t)bits;
	memcpy(whole.lane, lanes, sizeof(whole.lane));
	value_compact(&whole, mask);
	packed_line(value, bits, 0, 0);
	if (whole.form == FORM_LINE)
		packed_line(value, bits, whole.base, whole.step);
	else
		memcpy(own_lanes(arena, value), lanes, sizeof(whole.lane));
}

/* Adds a * factor to each lane. */
static void add_lanes(uint64_t sums[WARP_LANES], const struct packed *a, uint64_t factor)
{
	if (a->form == FORM_LINE) {
		uint64_t number = a->base * factor, step = (uint64_t)a->step * factor;

		for (unsigned lane = 0; lane < WARP_LANES; lane++)
			sums[lane] += number + step * lane;
		return;
	}
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		sums[lane] += a->lanes[lane] * factor;
}

void trace_packed_combine(struct arena *arena, struct packed *out, const struct packed *a, uint64_t factor_a,
                          const struct packed *b, uint64_t factor_b, uint64_t constant, unsigned bits)
{
	uint8_t doubt = b && b->doubt > a->doubt ? b->doubt : a->doubt;
	uint32_t origin = a->doubt || !b ? a->origin : b->origin;
	uint32_t shift = value_shift((enum value_doubt)a->doubt, a->shift, factor_a,
	                             b ? (enum value_doubt)b->doubt : KNOWN, b ? b->shift : 0, factor_b);

	if (a->form == FORM_LINE && (!b || b->form == FORM_LINE)) {
		uint64_t step = (uint64_t)a->step * factor_a + (b ? (uint64_t)b->step * factor_b : 0);

		packed_line(out, bits, a->base * factor_a + (b ? b->base * factor_b : 0) + constant,
		            value_signed(step, bits));
	} else {
		uint64_t sums[WARP_LANES], *lanes;

		for (unsigned lane = 0; lane < WARP_LANES; lane++)
			sums[lane] = constant;
		add_lanes(sums, a, factor_a);
		if (b)
			add_lanes(sums, b, factor_b);
		packed_line(out, bits, 0, 0);
		lanes = own_lanes(arena, out);
		for (unsigned lane = 0; lane < WARP_LANES; lane++)
			lanes[lane] = sums[lane] & value_mask(bits);
	}
	out->doubt = doubt;
	out->origin = origin;
	out->shift = shift;
}

static void blend_predicate(struct packed *to, const struct packed *from, uint32_t mask)
{
	uint32_t lanes = ((uint32_t)to->base & ~mask) | ((uint32_t)from->base & mask);
	uint32_t unknown = ((uint32_t)to->step & ~mask) | ((uint32_t)from->step & mask);
	uint8_t doubt = from->doubt > to->doubt ? from->doubt : to->doubt;

	if (to->doubt && from->doubt)
		doubt = UNKNOWN;
	to->origin = from->doubt ? from->origin : to->doubt ? to->origin : NO_INDEX;
	to->base = lanes & ~unknown;
	to->step = unknown;
	to->doubt = unknown ? doubt : KNOWN;
}

static void blend(struct arena *arena, struct packed *to, const struct packed *from, uint32_t mask)
{
	if (to->form != FORM_LINE || from->form != FORM_LINE || to->base != from->base || to->step != from->step) {
		uint64_t merged[WARP_LANES];

		for (unsigned lane = 0; lane < WARP_LANES; lane++)
			merged[lane] = mask >> lane & 1 ? packed_lane(from, lane) : packed_lane(to, lane);
		memcpy(own_lanes(arena, to), merged, sizeof(merged));
	}
	if ((from->doubt || to->doubt) &&
	    !(from->doubt == SHIFTED && to->doubt == SHIFTED && from->shift && from->shift == to->shift))
		to->doubt = UNKNOWN;
	if (from->doubt)
		to->origin = from->origin;
}

static void copy(struct arena *arena, struct packed *to, const struct packed *from)
{
	uint64_t *lanes = to->lanes;

	*to = *from;
	to->lanes = lanes;
	if (from->form == FORM_LANES)
		memcpy(own_lanes(arena, to), from->lanes, WARP_LANES * sizeof(uint64_t));
}

void trace_packed_write(struct trace *trace, struct level *level, uint32_t reg, const struct packed *value,
                        uint32_t mask, uint32_t live)
{
	struct packed *old = &level->registers[reg];
	struct arena *arena = trace->tracer->arena;

	if ((mask == live && !plan_set_has(level->pending, reg)) || old->unset || old->bits != value->bits)
		copy(arena, old, value);
	else if (old->bits == 1)
		blend_predicate(old, value, mask);
	else
		blend(arena, old, value, mask);
}

static int64_t signed_lane(const struct packed *value, unsigned lane)
{
	return value_signed(packed_lane(value, lane), value->bits);
}

bool trace_packed_widen(struct packed *out, const struct packed *value, uint32_t mask, bool is_signed, unsigned bits)
{
	unsigned first = (unsigned)__builtin_ctz(mask), last = 31u - (unsigned)__builtin_clz(mask);
	uint64_t low, high;

	if (value->form != FORM_LINE || value->bits > 32)
		return false;
	low = is_signed ? (uint64_t)signed_lane(value, first) : packed_lane(value, first);
	high = is_signed ? (uint64_t)signed_lane(value, last) : packed_lane(value, last);
	if (low + (uint64_t)value->step * (last - first) != high)
		return false;
	packed_line(out, bits, low - (uint64_t)value->step * first, value->step);
	out->doubt = value->doubt;
	out->origin = value->origin;
	out->shift = value->shift;
	return true;
}
