/*
 * Loops: found steady, proved steady, advanced.
 *
 * When control comes back to a header with the same lanes, the live registers have grown by some delta. The next trip is
 * then followed along a new axis, the trip number, with these deltas as slopes. If at its end every live register has grown
 * by its delta again and has that slope, all trips are alike by induction, for as long as every decision in the trip comes
 * out the same: the axis' bounds say how long that is. Registers and counts are then advanced in one go. Registers that
 * repeat only every few trips (indices in tiles, remainders) are followed over that many trips at a time.
 *
 * Where an inner loop's trips change with the trip number, counts are a polynomial in it: as many further trips as the
 * polynomial's degree are run, and its sum is taken by Newton's forward differences.
 */
#include "model/execute/internal.h"

#include <string.h>

#define SOFT_STEPS 200 /* of one sampled warp, for one loop */
#define MOST_MISSES 3

static void clear_axis(const struct activation *activation, uint32_t axis)
{
	for (uint32_t reg = 0; reg < activation->plan->register_count; reg++) {
		activation->registers[reg].slope[axis] = 0;
		activation->registers[reg].curved &= ~(1u << axis);
	}
}

/* Of loops of the kernel itself; NULL for those of called functions. */
static struct loop_memory *frame_memory(const struct run *run, const struct frame *frame)
{
	return frame->activation->caller ? NULL : &run->memories[frame->loop];
}

/* Gives up following the loop; the trip that was run stands for itself. */
void frame_abandon(struct run *run, struct frame *frame)
{
	if (frame->state == FRAME_FOLLOWED) {
		axes_abandon(run);
		events_forget(run, frame->axis);
		raise_degree(run, frame->outer_degree);
	}
	frame->state = FRAME_PLAIN;
}

static void frame_drop(struct run *run)
{
	frame_abandon(run, &run->frames[run->frame_count - 1]);
	run->frame_count--;
}

void loop_leave(struct run *run, struct activation *activation, uint32_t block)
{
	uint32_t kept = run->frame_count;

	for (uint32_t i = run->frame_count; i-- > 0;) {
		const struct frame *frame = &run->frames[i];

		if (frame->activation != activation)
			break;
		if (frame->state != FRAME_PLAIN && !plan_in_loop(activation->plan, block, frame->loop))
			kept = i;
	}
	while (run->frame_count > kept)
		frame_drop(run);
}

uint64_t loop_trips(const struct run *run, const struct activation *activation, uint32_t loop)
{
	for (uint32_t i = run->frame_count; i-- > 0;)
		if (run->frames[i].activation == activation && run->frames[i].loop == loop)
			return run->frames[i].trips;
	return UINT64_MAX / 2;
}

void loop_refuse(struct run *run, const struct activation *activation, uint32_t loop)
{
	for (uint32_t i = run->frame_count; i-- > 0;) {
		struct frame *frame = &run->frames[i];

		if (frame->activation != activation || frame->loop != loop)
			continue;
		frame->refused = true;
		if (frame->state == FRAME_FOLLOWED)
			axes_pin(run, 1u << frame->axis);
		return;
	}
}

static void frame_reserve(struct run *run, struct frame *frame)
{
	uint32_t count = frame->activation->plan->register_count;

	if (frame->saved_capacity >= count)
		return;
	frame->saved = arena_array(run->evaluator->scratch, count, sizeof(struct value));
	frame->delta = arena_array(run->evaluator->scratch, count, sizeof(int64_t));
	frame->saved_capacity = count;
}

/* Takes down live registers at this arrival. */
void frame_mark(struct run *run, struct frame *frame)
{
	const struct plan *plan = frame->activation->plan;

	frame_reserve(run, frame);
	for (uint32_t reg = 0; reg < plan->register_count; reg++)
		if (frame_is_live(frame, reg))
			value_copy(run, &frame->saved[reg], &frame->activation->registers[reg]);
	frame->marked = frame->arrivals;
	frame->marked_once = true;
}

void frame_save_counts(struct run *run, struct frame *frame, unsigned which)
{
	size_t total = run->evaluator->layout.total;

	if (!frame->counts[which])
		frame->counts[which] = arena_array(run->evaluator->scratch, total, sizeof(double));
	memcpy(frame->counts[which], run->counts, total * sizeof(double));
}

/* By how much a register grew since the mark, in all lanes alike. */
bool register_delta(const struct value *now, const struct value *then, uint32_t mask, int64_t *delta)
{
	bool first = true;

	*delta = 0;
	if (now->doubt != then->doubt || now->bits != then->bits)
		return false;
	if (value_is_predicate(now))
		return ((uint32_t)(now->base ^ then->base) & mask) == 0 && ((uint32_t)(now->step ^ then->step) & mask) == 0;
	if (now->doubt == UNKNOWN)
		return true;
	if (now->form == FORM_LINE && then->form == FORM_LINE && now->step == then->step) {
		*delta = bits_signed(now->base - then->base, now->bits);
		return true;
	}
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);
		int64_t grown = bits_signed(value_lane(now, lane) - value_lane(then, lane), now->bits);

		if (!first && grown != *delta)
			return false;
		*delta = grown;
		first = false;
	}
	return true;
}

/* Deltas of all live registers since the mark; false where one has none. */
static bool frame_deltas(struct frame *frame)
{
	const struct activation *activation = frame->activation;

	for (uint32_t reg = 0; reg < activation->plan->register_count; reg++)
		if (frame_is_live(frame, reg) &&
		    !register_delta(&activation->registers[reg], &frame->saved[reg], frame->mask, &frame->delta[reg]))
			return false;
	return true;
}

static void deltas_multiply(struct frame *frame, int64_t factor)
{
	for (uint32_t reg = 0; reg < frame->activation->plan->register_count; reg++)
		if (frame_is_live(frame, reg))
			frame->delta[reg] = (int64_t)((uint64_t)frame->delta[reg] * (uint64_t)factor);
}

/* Opens the axis: from here on live registers have their deltas as slopes. */
static void frame_follow(struct run *run, struct frame *frame)
{
	uint32_t axis = axes_open(run);

	if (axis == NO_AXIS) {
		frame->refused = true;
		return;
	}
	clear_axis(frame->activation, axis);
	for (uint32_t reg = 0; reg < frame->activation->plan->register_count; reg++) {
		struct value *value = &frame->activation->registers[reg];

		if (frame_is_live(frame, reg) && !value_is_predicate(value) && value->doubt != UNKNOWN)
			value->slope[axis] = frame->delta[reg];
	}
	frame->axis = axis;
	frame->state = FRAME_FOLLOWED;
	frame->outer_degree = run->degree;
	run->degree = 0;
	frame->steps = run->steps;
	frame->gradient_changes = run->gradient_changes;
	frame_mark(run, frame);
	frame_save_counts(run, frame, 0);
}

/* Whether a live register is where the induction expects it. */
static bool register_as_expected(const struct run *run, const struct frame *frame, uint32_t reg)
{
	const struct value *now = &frame->activation->registers[reg], *then = &frame->saved[reg];
	int64_t delta;

	if (!register_delta(now, then, frame->mask, &delta) || delta != frame->delta[reg])
		return false;
	if (value_is_predicate(now) || now->doubt == UNKNOWN)
		return true;
	if ((now->curved & run->active) != (then->curved & run->active & ~(1u << frame->axis)))
		return false;
	for (uint32_t axis = 0; axis < run->axis_count; axis++)
		if (run->active >> axis & 1 && now->slope[axis] != then->slope[axis])
			return false;
	return true;
}

static bool frame_as_expected(const struct run *run, const struct frame *frame)
{
	if (run->axes[frame->axis].failed)
		return false;
	for (uint32_t reg = 0; reg < frame->activation->plan->register_count; reg++)
		if (frame_is_live(frame, reg) && !register_as_expected(run, frame, reg))
			return false;
	return true;
}

/* Tries again, not too often: over more trips at a time where that was asked for. */
static void frame_failed(struct run *run, struct frame *frame)
{
	uint64_t asked = run->axes[frame->axis].period;
	struct loop_memory *memory = frame_memory(run, frame);
	bool regular = frame_deltas(frame);

	frame_abandon(run, frame);
	frame->failures++;
	if (memory && frame->remembered) {
		memory->misses++;
		memory->valid = false;
	}
	frame->remembered = false;
	if (asked > 1 && frame->period * asked <= MAX_PERIOD) {
		frame->period *= asked;
		if (regular) {
			deltas_multiply(frame, (int64_t)asked);
			frame_follow(run, frame);
		} else {
			frame_mark(run, frame);
		}
	} else {
		frame->patience = frame->arrivals + (UINT64_C(1) << (frame->failures < 12 ? frame->failures : 12)) / 2;
		frame->marked_once = false;
	}
}

static void frame_remember(struct run *run, const struct frame *frame)
{
	struct loop_memory *memory = frame_memory(run, frame);
	uint32_t count = frame->activation->plan->register_count;

	if (!memory || memory->misses > MOST_MISSES)
		return;
	if (!memory->delta)
		memory->delta = arena_array(run->evaluator->scratch, count, sizeof(int64_t));
	memcpy(memory->delta, frame->delta, count * sizeof(int64_t));
	memory->period = frame->period;
	memory->valid = true;
}

/*
 * Addresses that are not linear on account of declared content, while everything else is: the loop is stepped where a
 * warp's steps suffice for that, else the launch is sampled, and of each warp a few trips. By a launch's shape such addresses
 * do not matter. Returns whether the followed trip cannot be used.
 */
static bool soft_trip_fails(struct run *run, struct frame *frame)
{
	const struct evaluator *evaluator = run->evaluator;
	struct axis *axis = &run->axes[frame->axis];
	double steps;

	if (!axis->soft || evaluator->mode == MODE_SHAPE)
		return false;
	steps = (double)(run->steps - frame->steps) * (double)axes_peek(run, frame->axis);
	if (evaluator->mode == MODE_SAMPLE) {
		if (steps > SOFT_STEPS)
			return false;
	} else if (steps > (double)(run->step_limit - run->steps)) {
		run->evaluator->scatters = run->too_long = true;
		run->end = RUN_CUT;
	}
	axis->period = 1;
	return true;
}

/* Whether the samples of a polynomial can be run: all trips of all positions must be at least that many. */
static bool prepare_samples(struct run *run, struct frame *frame, uint32_t degree)
{
	struct bound enough = {.owner = NO_INDEX};

	enough.slack = frame->repeat.count - 1 - (int128)degree;

	if (degree == 0 || degree > MAX_DEGREE || enough.slack < 0)
		return false;
	for (uint32_t axis = 0; axis < run->axis_count; axis++)
		enough.slope[axis] = frame->repeat.slope[axis];
	axes_require(run, &enough);
	frame->wanted = degree;
	frame->samples = 0;
	frame->marked = frame->arrivals;
	frame_save_counts(run, frame, 1);
	return true;
}

/* The followed trip ended as expected: finds how often it repeats. Returns whether the loop was left. */
static bool frame_resolve(struct run *run, struct frame *frame, struct activation *activation, struct entry *entry)
{
	uint32_t exit = advance_exit(frame, activation, entry);
	struct axis *axis = &run->axes[frame->axis];
	bool polynomial = axis->polynomial, soft = axis->soft && run->evaluator->mode == MODE_SAMPLE;
	size_t first = axis->first_event;
	uint32_t degree = run->degree;

	if (polynomial)
		events_align(run, first, run->active);
	if (axis->failed || soft_trip_fails(run, frame)) {
		frame_failed(run, frame);
		return false;
	}
	axes_close(run, polynomial || soft ? NO_INDEX : advance_exit_comparison(frame, activation, entry, exit), &frame->repeat);
	frame->state = FRAME_PLAIN;
	frame_remember(run, frame);
	if (!frame->repeat.limited) {
		warp_cut(run, activation, "a loop that never ends: its first trips are counted");
		return false;
	}
	if (polynomial) {
		advance_note_gradients(run, frame, true);
		events_flush(run, first);
		advance_note_slopes(run, frame);
		if (prepare_samples(run, frame, degree))
			frame->state = FRAME_SAMPLED;
		else
			frame_restart(run, frame);
	} else if (soft) {
		advance_window(run, frame, activation);
	} else if (frame->repeat.last) {
		advance_out(run, frame, activation, entry, exit);
		return true;
	} else {
		advance_alike(run, frame, activation);
	}
	return false;
}

/* One more period of a loop whose counts are a polynomial was run. */
static void frame_sample(struct run *run, struct frame *frame, struct activation *activation)
{
	frame->samples++;
	if (frame->samples == frame->wanted) {
		advance_polynomial(run, frame, activation);
		return;
	}
	frame_save_counts(run, frame, frame->samples + 1);
	frame->marked = frame->arrivals;
}

/* Returns whether the loop was left. */
static bool frame_arrive(struct run *run, struct frame *frame, struct activation *activation, struct entry *entry)
{
	bool period_over = frame->arrivals - frame->marked == frame->period;

	if (frame->refused) {
		frame_abandon(run, frame);
	} else if (frame->state == FRAME_PLAIN && !frame->marked_once) {
		if (frame->arrivals >= frame->patience)
			frame_mark(run, frame);
	} else if (!period_over) {
		return false;
	} else if (frame->state == FRAME_PLAIN) {
		if (frame_deltas(frame))
			frame_follow(run, frame);
		else
			frame_mark(run, frame);
	} else if (frame->state == FRAME_SAMPLED) {
		frame_sample(run, frame, activation);
	} else if (frame_as_expected(run, frame)) {
		return frame_resolve(run, frame, activation, entry);
	} else {
		frame_failed(run, frame);
	}
	return false;
}

/* Drops frames of loops that control has left, or goes on in with other lanes. Returns the trips of this loop so far. */
static uint64_t drop_stale(struct run *run, const struct activation *activation, const struct entry *entry, uint32_t loop,
                           bool inside)
{
	uint64_t trips = 0;

	while (run->frame_count) {
		const struct frame *frame = &run->frames[run->frame_count - 1];
		bool other_lanes = frame->depth == activation->depth && frame->mask != entry->mask;

		if (frame->activation != activation)
			break;
		if (frame->loop == loop && inside)
			trips = frame->trips + 1;
		if (frame->depth <= activation->depth && plan_in_loop(activation->plan, entry->block, frame->loop) &&
		    !other_lanes && (frame->loop != loop || inside))
			break;
		frame_drop(run);
	}
	return trips;
}

static void frame_begin(struct run *run, const struct activation *activation, const struct entry *entry, uint32_t loop,
                        uint64_t trips)
{
	struct loop_memory *memory;
	struct frame *frame;

	if (run->frame_count == MAX_FRAMES)
		return;
	frame = &run->frames[run->frame_count++];
	frame->activation = activation;
	frame->loop = loop;
	frame->depth = activation->depth;
	frame->mask = entry->mask;
	frame->block = entry->block;
	frame->state = FRAME_PLAIN;
	frame->trips = trips;
	frame->arrivals = frame->patience = frame->failures = 0;
	frame->period = 1;
	frame->refused = false;
	frame->marked_once = frame->remembered = frame->stretched = false;
	frame->windows = 0;
	frame->owed = 0;
	frame_reserve(run, frame);
	memory = frame_memory(run, frame);
	if (memory && memory->valid) {
		memcpy(frame->delta, memory->delta, activation->plan->register_count * sizeof(int64_t));
		frame->period = memory->period;
		frame->remembered = true;
		frame_follow(run, frame);
	} else {
		frame_mark(run, frame);
	}
}

bool loop_arrive(struct run *run, struct activation *activation, struct entry *entry)
{
	uint32_t loop = activation->plan->blocks[entry->block].heads;
	bool inside = plan_in_loop(activation->plan, entry->from, loop);
	uint64_t trips = drop_stale(run, activation, entry, loop, inside);
	struct frame *frame = run->frame_count ? &run->frames[run->frame_count - 1] : NULL;

	if (!inside && !activation->caller) {
		run->counts[run->evaluator->layout.loops + 2 * (size_t)loop] += entry->weight;
		run->entered[loop] = run->steps;
	}
	if (!frame || !inside || frame->activation != activation || frame->loop != loop || frame->depth != activation->depth) {
		frame_begin(run, activation, entry, loop, trips);
		return false;
	}
	frame->trips++;
	frame->arrivals++;
	stretch_arrive(run, frame, activation);
	return frame_arrive(run, frame, activation, entry);
}
