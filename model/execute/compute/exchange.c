/*
 * What the lanes of a warp tell each other: shuffles, votes, who is active.
 */
#include "model/execute/compute/compute.h"

/* The lane that `lane` reads from (PTX ISA 9.0, shfl.sync); *inside: it lies in the segment. */
static unsigned shuffle_source(const struct ptx_insn *insn, unsigned lane, uint32_t b, uint32_t c, bool *inside)
{
	uint32_t segment = c >> 8 & 31, clamp = c & 31, from;
	uint32_t first = lane & segment, limit = first | (clamp & ~segment);

	b &= 31;
	switch (insn->operation) {
	case OP_shfl_up:
		*inside = (int)(lane - b) >= (int)limit;
		from = lane - b;
		break;
	case OP_shfl_down:
		from = lane + b;
		*inside = from <= limit;
		break;
	case OP_shfl_bfly:
		from = lane ^ b;
		*inside = from <= limit;
		break;
	default:
		from = first | (b & ~segment);
		*inside = from <= limit;
		break;
	}
	return *inside ? from & 31 : lane;
}

/* All lanes read one lane: whatever it holds, it is the same for them. */
static bool shuffle_common(struct execution *x)
{
	const struct warp_value *data = x->sources[0], *b = x->sources[1], *c = x->sources[2];
	unsigned source = WARP_LANES;

	if (data->doubt != UNKNOWN || value_is_predicate(data) || b->doubt || c->doubt)
		return false;
	for (uint32_t rest = x->mask; rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);
		bool inside;
		unsigned from = shuffle_source(x->step->insn, lane, (uint32_t)value_lane(b, lane),
		                               (uint32_t)value_lane(c, lane), &inside);

		if (!inside || (source != WARP_LANES && from != source))
			return false;
		source = from;
	}
	if (source == WARP_LANES)
		return false;
	axes_pin(x->axes, value_varies(x->axes, b) | value_varies(x->axes, c));
	value_set_unknown(&x->result, x->bits, SHIFTED, data->origin);
	x->result.base = value_lane(data, source) & value_mask(x->bits);
	x->result.shift = ++*x->place->shifts;
	return true;
}

void compute_shuffle(struct execution *x)
{
	const struct warp_value *data = x->sources[0], *b = x->sources[1], *c = x->sources[2];
	struct warp_value inside_lanes;
	uint32_t lanes = 0;

	if (shuffle_common(x)) {
		value_set_predicate(&inside_lanes, ALL_LANES, 0, KNOWN, NO_INDEX);
		compute_target(x, 1, &inside_lanes);
		return;
	}
	if (b->doubt || c->doubt || data->doubt == UNKNOWN) {
		value_set_unknown(&x->result, x->bits, UNKNOWN, data->doubt ? data->origin : x->step->index);
		value_set_predicate(&inside_lanes, 0, ALL_LANES, UNKNOWN, x->step->index);
		compute_target(x, 1, &inside_lanes);
		return;
	}
	axes_pin(x->axes, value_varies(x->axes, b) | value_varies(x->axes, c));
	value_copy(x->axes, &x->result, data);
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		bool inside;
		unsigned from = shuffle_source(x->step->insn, lane, (uint32_t)value_lane(b, lane),
		                               (uint32_t)value_lane(c, lane), &inside);

		x->result.lane[lane] = value_lane(data, from);
		lanes |= (uint32_t)inside << lane;
	}
	x->result.form = FORM_LANES;
	value_compact(&x->result, x->mask);
	value_set_predicate(&inside_lanes, lanes, 0, KNOWN, NO_INDEX);
	compute_target(x, 1, &inside_lanes);
}

void compute_vote(struct execution *x)
{
	const struct step_source *source = &x->step->sources[0];
	const struct warp_value *predicate = compute_source(x->place, source);
	uint32_t lanes = value_holds(predicate, source->negated) & x->mask;
	bool unknown = predicate->step & x->mask, ballot = x->step->insn->operation == OP_vote_ballot, truth;

	if (unknown && ballot) {
		value_set_unknown(&x->result, 32, SHIFTED, predicate->origin);
		return;
	}
	switch (x->step->insn->operation) {
	case OP_vote_all:
		truth = lanes == x->mask;
		break;
	case OP_vote_any:
		truth = lanes != 0;
		break;
	default:
		truth = lanes == x->mask || lanes == 0;
		break;
	}
	if (ballot)
		value_set(&x->result, 32, lanes);
	else
		value_set_predicate(&x->result, truth ? ALL_LANES : 0, unknown ? ALL_LANES : 0, SHIFTED,
		                    predicate->origin);
}

/* elect.sync d|p, members: the first active lane among them. */
void compute_elect(struct execution *x)
{
	uint32_t members = x->sources[0]->doubt ? x->mask : (uint32_t)value_lane(x->sources[0], 0) & x->mask;
	struct warp_value leader;

	value_set_predicate(&leader, members & -members, 0, KNOWN, NO_INDEX);
	compute_target(x, 1, &leader);
	value_set(&x->result, 32, members ? (uint64_t)__builtin_ctz(members) : 0);
}
