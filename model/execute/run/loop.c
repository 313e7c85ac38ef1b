/*
 * Loops: found steady, proved steady, advanced.
 *
 * When control comes back to a header with the same lanes, the live registers have grown by some delta. The next trip
 * is then followed along a new axis, the trip number, with these deltas as slopes. If at its end every live register
 * has grown by its delta again and has that slope, all trips are alike by induction, for as long as every decision in
 * the trip comes out the same: the axis' bounds say how long that is. Registers and counts are then advanced in one go.
 * Registers that repeat only every few trips (indices in tiles, remainders) are followed over that many trips at a
 * time.
 *
 * Where an inner loop's trips change with the trip number, counts are a polynomial in it: as many further trips as the
 * polynomial's degree are run, and its sum is taken by Newton's forward differences.
 */
#include "model/execute/run/loops.h"

#include <string.h>

static void clear_axis(const struct activation *activation, uint32_t axis)
{
	for (uint32_t reg = 0; reg < activation->plan->register_count; reg++) {
		activation->registers[reg].slope[axis] = 0;
		activation->registers[reg].curved &= ~(1u << axis);
	}
}

/* Of loops of the kernel itself; NULL for those of called functions. */
static struct loop_memory *frame_memory(const struct run *run, const struct loop_frame *frame)
{
	return frame->activation->caller ? NULL : &run->loops.memories[frame->loop];
}

/* Deltas of all live registers since the mark; false where one has none, or local memory has changed. */
static bool frame_deltas(const struct run *run, struct loop_frame *frame)
{
	const struct activation *activation = frame->activation;

	if (local_digest(run) != frame->mark.digest)
		return false;
	for (uint32_t reg = 0; reg < activation->plan->register_count; reg++)
		if (frame_is_live(frame, reg) && !frame_delta(&activation->registers[reg], &frame->mark.saved[reg],
		                                              frame->mask, &frame->mark.delta[reg]))
			return false;
	return true;
}

static void deltas_multiply(struct loop_frame *frame, int64_t factor)
{
	for (uint32_t reg = 0; reg < frame->activation->plan->register_count; reg++)
		if (frame_is_live(frame, reg))
			frame->mark.delta[reg] = (int64_t)((uint64_t)frame->mark.delta[reg] * (uint64_t)factor);
}

/* Opens the axis: from here on live registers have their deltas as slopes. */
static void frame_follow(struct run *run, struct loop_frame *frame)
{
	uint32_t axis = axes_open(&run->axes);

	if (axis == NO_AXIS) {
		frame->attempts.refused = true;
		return;
	}
	run->axes.list[axis].first_event = run->counting.event_count;
	run->axes.list[axis].first_footprint = run->counting.footprints.count;
	clear_axis(frame->activation, axis);
	local_open_axis(run, axis);
	for (uint32_t reg = 0; reg < frame->activation->plan->register_count; reg++) {
		struct warp_value *value = &frame->activation->registers[reg];

		if (frame_is_live(frame, reg) && !value_is_predicate(value) && value->doubt != UNKNOWN)
			value->slope[axis] = frame->mark.delta[reg];
	}
	frame->axis = axis;
	frame->state = FRAME_FOLLOWED;
	frame->outer_degree = run->axes.degree;
	run->axes.degree = 0;
	frame->mark.steps = run->effort.steps;
	frame->mark.gradient_changes = run->counting.gradient_changes;
	frame_mark(run, frame);
	frame_part_counts(run, frame);
}

/* Whether a live register is where the induction expects it. */
static bool register_as_expected(const struct run *run, const struct loop_frame *frame, uint32_t reg)
{
	const struct warp_value *now = &frame->activation->registers[reg], *then = &frame->mark.saved[reg];
	int64_t delta;

	if (!frame_delta(now, then, frame->mask, &delta) || delta != frame->mark.delta[reg])
		return false;
	if (value_is_predicate(now) || now->doubt == UNKNOWN)
		return true;
	if ((now->curved & run->axes.active) != (then->curved & run->axes.active & ~(1u << frame->axis)))
		return false;
	for (uint32_t axis = 0; axis < run->axes.count; axis++)
		if (run->axes.active >> axis & 1 && now->slope[axis] != then->slope[axis])
			return false;
	return true;
}

static bool frame_as_expected(const struct run *run, const struct loop_frame *frame)
{
	if (run->axes.list[frame->axis].failed || local_digest(run) != frame->mark.digest)
		return false;
	for (uint32_t reg = 0; reg < frame->activation->plan->register_count; reg++)
		if (frame_is_live(frame, reg) && !register_as_expected(run, frame, reg))
			return false;
	return true;
}

/* Tries again, not too often: over more trips at a time where that was asked for. */
static void frame_failed(struct run *run, struct loop_frame *frame)
{
	uint64_t asked = run->axes.list[frame->axis].period;
	struct loop_memory *memory = frame_memory(run, frame);
	bool regular = frame_deltas(run, frame);

	frame_abandon(run, frame);
	frame->attempts.failures++;
	if (memory && frame->attempts.remembered) {
		memory->misses++;
		memory->valid = false;
	}
	frame->attempts.remembered = false;
	if (asked > 1 && frame->period * asked <= MAX_PERIOD) {
		frame->period *= asked;
		if (regular) {
			deltas_multiply(frame, (int64_t)asked);
			frame_follow(run, frame);
		} else {
			frame_mark(run, frame);
		}
	} else {
		frame->attempts.patience =
			frame->attempts.arrivals +
			(UINT64_C(1) << (frame->attempts.failures < LOOP_PATIENCE ? frame->attempts.failures
		                                                                  : LOOP_PATIENCE)) /
				2;
		frame->mark.taken = false;
	}
}

static void frame_remember(struct run *run, const struct loop_frame *frame)
{
	struct loop_memory *memory = frame_memory(run, frame);
	uint32_t count = frame->activation->plan->register_count;

	if (!memory || memory->misses > LOOP_MISSES)
		return;
	if (!memory->delta)
		memory->delta = arena_array(run->evaluator->scratch, count, sizeof(int64_t));
	memcpy(memory->delta, frame->mark.delta, count * sizeof(int64_t));
	memory->period = frame->period;
	memory->valid = true;
}

/*
 * Addresses that are not linear on account of declared content, while everything else is: the loop is stepped where a
 * warp's steps suffice for that, else the launch is sampled, and of each warp a few trips. By a launch's shape such
 * addresses do not matter. Returns whether the followed trip cannot be used.
 */
static bool soft_trip_fails(struct run *run, struct loop_frame *frame)
{
	const struct evaluator *evaluator = run->evaluator;
	struct axis *axis = &run->axes.list[frame->axis];
	double steps;

	if (!axis->soft || evaluator->mode == MODE_SHAPE)
		return false;
	steps = (double)(run->effort.steps - frame->mark.steps) * (double)axes_peek(&run->axes, frame->axis);
	if (evaluator->mode == MODE_SAMPLE) {
		if (steps > LOOP_SOFT_STEPS)
			return false;
	} else if (steps > (double)(run->effort.limit - run->effort.steps)) {
		run->evaluator->scatters = run->ending.too_long = true;
		run_cut(run);
	}
	axis->period = 1;
	return true;
}

/* Whether the samples of a polynomial can be run: all trips of all positions must be at least that many. */
static bool prepare_samples(struct run *run, struct loop_frame *frame, uint32_t degree)
{
	struct bound enough = {.owner = NO_INDEX};

	enough.slack = frame->repeat.count - 1 - (int128)degree;

	if (degree == 0 || degree > LOOP_DEGREE || enough.slack < 0)
		return false;
	for (uint32_t axis = 0; axis < run->axes.count; axis++)
		enough.slope[axis] = frame->repeat.slope[axis];
	axes_require(&run->axes, &enough);
	frame->wanted = degree;
	frame->samples = 0;
	frame->mark.arrivals = frame->attempts.arrivals;
	frame_save_counts(run, frame, 1);
	return true;
}

/* Counts of the loop's trips are a polynomial in the trip's number: samples of it are run next, where they can be. */
static void frame_begin_samples(struct run *run, struct loop_frame *frame, size_t first_event, uint32_t degree)
{
	advance_note_gradients(run, frame, true);
	events_flush(&run->counting, first_event);
	footprints_repeat(&run->counting, frame->axis, &frame->repeat);
	advance_note_slopes(run, frame);
	frame_join_counts(run, frame);
	if (prepare_samples(run, frame, degree))
		frame->state = FRAME_SAMPLED;
	else
		frame_restart(run, frame);
}

/* The followed trip ended as expected: finds how often it repeats. Returns whether the loop was left. */
static bool frame_resolve(struct run *run, struct loop_frame *frame, struct activation *activation, struct entry *entry)
{
	uint32_t exit = advance_exit(frame, activation, entry);
	struct axis *axis = &run->axes.list[frame->axis];
	bool polynomial = axis->polynomial, soft = axis->soft && run->evaluator->mode == MODE_SAMPLE;
	size_t first = axis->first_event;
	uint32_t degree = run->axes.degree;

	if (polynomial)
		events_align(&run->counting, first, run->axes.active);
	if (axis->failed || soft_trip_fails(run, frame)) {
		frame_failed(run, frame);
		return false;
	}
	axes_close(&run->axes, polynomial || soft ? NO_INDEX : advance_exit_comparison(frame, activation, entry, exit),
	           &frame->repeat);
	frame->state = FRAME_PLAIN;
	frame_remember(run, frame);
	if (!frame->repeat.limited) {
		warp_cut(run, activation, "a loop that is not seen to end: its first trips are counted");
		return false;
	}
	if (polynomial) {
		frame_begin_samples(run, frame, first, degree);
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
static void frame_sample(struct run *run, struct loop_frame *frame, struct activation *activation)
{
	if (local_digest(run) != frame->mark.digest) {
		frame_restart(run, frame);
		return;
	}
	frame->samples++;
	if (frame->samples == frame->wanted) {
		advance_polynomial(run, frame, activation);
		return;
	}
	frame_save_counts(run, frame, frame->samples + 1);
	frame->mark.arrivals = frame->attempts.arrivals;
}

/* Returns whether the loop was left. */
static bool frame_arrive(struct run *run, struct loop_frame *frame, struct activation *activation, struct entry *entry)
{
	bool period_over = frame->attempts.arrivals - frame->mark.arrivals == frame->period;

	if (frame->attempts.refused) {
		frame_abandon(run, frame);
	} else if (frame->state == FRAME_PLAIN && !frame->mark.taken) {
		if (frame->attempts.arrivals >= frame->attempts.patience)
			frame_mark(run, frame);
	} else if (!period_over) {
		return false;
	} else if (frame->state == FRAME_PLAIN) {
		if (frame_deltas(run, frame))
			frame_follow(run, frame);
		else
			frame_mark(run, frame);
	} else if (frame->state == FRAME_SAMPLED) {
		frame_sample(run, frame, activation);
	} else if (frame_as_expected(run, frame)) {
		bool left = frame_resolve(run, frame, activation, entry);

		frame_join_counts(run, frame);
		return left;
	} else {
		frame_failed(run, frame);
	}
	return false;
}

/* Drops frames of loops that control has left, or goes on in with other lanes. Returns the trips of this loop so far.
 */
static uint64_t drop_stale(struct run *run, const struct activation *activation, const struct entry *entry,
                           uint32_t loop, bool inside)
{
	uint64_t trips = 0;

	while (run->loops.frame_count) {
		const struct loop_frame *frame = &run->loops.frames[run->loops.frame_count - 1];
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
	struct loop_frame *frame;

	if (run->loops.frame_count == LOOP_FRAMES)
		return;
	frame = &run->loops.frames[run->loops.frame_count++];
	frame->activation = activation;
	frame->loop = loop;
	frame->depth = activation->depth;
	frame->mask = entry->mask;
	frame->block = entry->block;
	frame->state = FRAME_PLAIN;
	frame->trips = trips;
	frame->attempts.arrivals = frame->attempts.patience = frame->attempts.failures = 0;
	frame->period = 1;
	frame->attempts.refused = false;
	frame->mark.taken = frame->attempts.remembered = frame->window.stretched = false;
	frame->window.left = 0;
	frame->window.owed = 0;
	frame->window.stretches = 0;
	frame_reserve(run, frame);
	memory = frame_memory(run, frame);
	if (memory && memory->valid) {
		memcpy(frame->mark.delta, memory->delta, activation->plan->register_count * sizeof(int64_t));
		frame->period = memory->period;
		frame->attempts.remembered = true;
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
	struct loop_frame *frame = run->loops.frame_count ? &run->loops.frames[run->loops.frame_count - 1] : NULL;

	if (!inside && !activation->caller) {
		counts_loop(&run->counting.counts, loop)->entries += entry->weight;
		run->loops.entered[loop] = run->effort.steps;
	}
	if (!frame || !inside || frame->activation != activation || frame->loop != loop ||
	    frame->depth != activation->depth) {
		frame_begin(run, activation, entry, loop, trips);
		return false;
	}
	frame->trips++;
	frame->attempts.arrivals++;
	stretch_arrive(run, frame, activation);
	return frame_arrive(run, frame, activation, entry);
}
