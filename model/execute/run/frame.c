/*
 * Loops under way: what is taken down of them at a header, and when they are given up.
 */
#include "model/execute/run/loops.h"

#include <math.h>
#include <string.h>

void frame_part_counts(struct run *run, struct loop_frame *frame)
{
	frame_save_counts(run, frame, 0);
	counts_clear(&run->counting.counts);
	frame->mark.apart = true;
}

void frame_join_counts(struct run *run, struct loop_frame *frame)
{
	if (frame->mark.apart)
		counts_add(&run->counting.counts, &frame->mark.counts[0], 1);
	frame->mark.apart = false;
}

void frame_abandon(struct run *run, struct loop_frame *frame)
{
	frame_join_counts(run, frame);
	if (frame->state == FRAME_FOLLOWED) {
		axes_abandon(&run->axes);
		events_forget(&run->counting, frame->axis);
		footprints_forget(&run->counting, frame->axis);
		axes_raise_degree(&run->axes, frame->outer_degree);
	}
	frame->state = FRAME_PLAIN;
}

void frame_drop(struct run *run)
{
	frame_abandon(run, &run->loops.frames[run->loops.frame_count - 1]);
	run->loops.frame_count--;
}

void loop_leave(struct run *run, struct activation *activation, uint32_t block)
{
	uint32_t kept = run->loops.frame_count;

	for (uint32_t i = run->loops.frame_count; i-- > 0;) {
		const struct loop_frame *frame = &run->loops.frames[i];

		if (frame->activation != activation)
			break;
		if (frame->state != FRAME_PLAIN && !plan_in_loop(activation->plan, block, frame->loop))
			kept = i;
	}
	while (run->loops.frame_count > kept)
		frame_drop(run);
}

static struct loop_frame *frame_of(struct run *run, const struct activation *activation, uint32_t loop)
{
	for (uint32_t i = run->loops.frame_count; i-- > 0;)
		if (run->loops.frames[i].activation == activation && run->loops.frames[i].loop == loop)
			return &run->loops.frames[i];
	return NULL;
}

bool loop_goes_on(struct run *run, const struct activation *activation, uint32_t loop, double trips)
{
	const struct loop_frame *frame = frame_of(run, activation, loop);
	struct bound bound = {.owner = NO_INDEX};

	if (!frame || (double)frame->trips + 1 >= trips)
		return false;
	if (frame->state == FRAME_FOLLOWED) {
		bound.slack = (int128)ceil(trips) - 2 - (int128)frame->trips;
		bound.slope[frame->axis] = -(int64_t)frame->period;
		axes_require(&run->axes, &bound);
	}
	return true;
}

void loop_refuse(struct run *run, const struct activation *activation, uint32_t loop)
{
	struct loop_frame *frame = frame_of(run, activation, loop);

	if (!frame)
		return;
	frame->attempts.refused = true;
	if (frame->state == FRAME_FOLLOWED)
		axes_pin(&run->axes, 1u << frame->axis);
}

void frame_reserve(struct run *run, struct loop_frame *frame)
{
	uint32_t count = frame->activation->plan->register_count;

	if (frame->mark.capacity >= count)
		return;
	frame->mark.saved = arena_array(run->evaluator->scratch, count, sizeof(struct warp_value));
	frame->mark.delta = arena_array(run->evaluator->scratch, count, sizeof(int64_t));
	frame->mark.capacity = count;
}

void frame_mark(struct run *run, struct loop_frame *frame)
{
	const struct plan *plan = frame->activation->plan;

	frame_reserve(run, frame);
	for (uint32_t reg = 0; reg < plan->register_count; reg++)
		if (frame_is_live(frame, reg))
			value_copy(&run->axes, &frame->mark.saved[reg], &frame->activation->registers[reg]);
	frame->mark.arrivals = frame->attempts.arrivals;
	frame->mark.digest = local_digest(run);
	frame->mark.taken = true;
}

void frame_save_counts(struct run *run, struct loop_frame *frame, unsigned which)
{
	struct tally *saved = &frame->mark.counts[which];

	if (!saved->numbers)
		*saved = counts_make(run->evaluator->scratch, run->counting.counts.layout);
	counts_copy(saved, &run->counting.counts);
}

bool frame_delta(const struct warp_value *now, const struct warp_value *then, uint32_t mask, int64_t *delta)
{
	bool first = true;

	*delta = 0;
	if (now->doubt != then->doubt || now->bits != then->bits)
		return false;
	if (value_is_predicate(now))
		return ((uint32_t)(now->base ^ then->base) & mask) == 0 &&
		       ((uint32_t)(now->step ^ then->step) & mask) == 0;
	if (now->doubt == UNKNOWN)
		return true;
	if (now->form == FORM_LINE && then->form == FORM_LINE && now->step == then->step) {
		*delta = value_signed(now->base - then->base, now->bits);
		return true;
	}
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);
		int64_t grown = value_signed(value_lane(now, lane) - value_lane(then, lane), now->bits);

		if (!first && grown != *delta)
			return false;
		*delta = grown;
		first = false;
	}
	return true;
}

void frame_restart(struct run *run, struct loop_frame *frame)
{
	frame->state = FRAME_PLAIN;
	frame->period = 1;
	frame_mark(run, frame);
}
