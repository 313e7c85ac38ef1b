/*
 * Loops of a sample's warp whose trips differ in what they do, or that lanes leave one after the other, too long to be run to their end: a
 * stretch of trips stands for those that follow. How many these are is told by the comparison that decides the loop, whose sides come
 * together by so much in a trip: the warp goes on until they meet in the lane where they are farthest, its lanes until they meet
 * on average, and what they touch is taken to be proportional to them. What grows evenly over the stretch goes on growing; the
 * rest stays as it is.
 */
#include "model/execute/internal.h"

#include <math.h>
#include <string.h>

#define STRETCH_STEPS 200 /* of the interpreter, at least; in a loop whose trips differ so many come first */
#define LONG_STEPS 500    /* in others */
#define STRETCH_TRIPS 8   /* or a multiple: after so many rows of words begin at the same place of a sector again */
#define LAST_TRIPS 2      /* are run */

static void stretch_begin(struct run *run, struct frame *frame)
{
	frame_abandon(run, frame);
	frame->refused = frame->stretched = true;
	events_flush(run, run->axis_count > run->launch_count ? run->axes[run->axis_count - 1].first_event : 0);
	frame_mark(run, frame);
	frame_save_counts(run, frame, 0);
	frame->steps = run->steps;
	frame->distance = run->distance[frame->loop];
}

/* Trips until the deciding comparison comes out otherwise, if things go on like this; 0 where that is not told. */
static uint64_t trips_ahead(const struct run *run, const struct frame *frame)
{
	double now = run->distance[frame->loop], trips = (double)(frame->arrivals - frame->marked),
	       nearer = (frame->distance - now) / trips;
	double ahead = nearer > 0 ? floor(now / nearer) - LAST_TRIPS : 0;

	return ahead > trips && ahead < 0x1p52 ? (uint64_t)ahead : 0;
}

/* Counts of warps grow by `warps` times what the stretch brought, those of lanes by `lanes` times. */
static void stretch_count(struct run *run, const struct frame *frame, double warps, double lanes)
{
	const struct evaluator *evaluator = run->evaluator;
	const struct layout_of_counts *layout = &evaluator->layout;

	for (size_t i = 0; i < layout->total; i++) {
		size_t kind = (i - layout->slots) % SLOT_COUNTS;
		bool in_slot = i >= layout->slots, in_block = i >= layout->blocks && i < layout->loops;
		bool of_lanes = in_slot ? kind != SLOT_EXECUTIONS && kind != SLOT_KNOWN : in_block && (i - layout->blocks) % 2;

		run->counts[i] += (run->counts[i] - frame->counts[0][i]) * (of_lanes ? lanes : warps);
	}
}

static void stretch_advance(struct run *run, struct frame *frame, struct activation *activation, uint64_t ahead)
{
	int64_t trips = (int64_t)(frame->arrivals - frame->marked), delta;
	double share = run->mean_distance[frame->loop] / run->distance[frame->loop], times = (double)ahead / (double)trips;

	memset(frame->repeat.slope, 0, sizeof(frame->repeat.slope));
	for (uint32_t reg = 0; reg < activation->plan->register_count; reg++)
		if (frame_is_live(frame, reg) &&
		    register_delta(&activation->registers[reg], &frame->saved[reg], frame->mask, &delta) && delta % trips == 0)
			advance_register(run, frame, activation, reg, (uint64_t)(delta / trips), (int64_t)ahead);
	stretch_count(run, frame, times, times * share);
	frame->trips += ahead;
}

void stretch_arrive(struct run *run, struct frame *frame, struct activation *activation)
{
	uint64_t ahead;

	if (frame->activation->caller || run->evaluator->mode != MODE_SAMPLE)
		return;
	if (!frame->stretched) {
		if (run->steps - run->entered[frame->loop] >=
		    (frame->failures && frame->state == FRAME_PLAIN ? STRETCH_STEPS : LONG_STEPS))
			stretch_begin(run, frame);
		return;
	}
	if (run->steps - frame->steps < STRETCH_STEPS || (frame->arrivals - frame->marked) % STRETCH_TRIPS)
		return;
	events_flush(run, run->axis_count > run->launch_count ? run->axes[run->axis_count - 1].first_event : 0);
	ahead = trips_ahead(run, frame);
	if (ahead) {
		run->evaluator->shortened = true;
		warp_assume(run, activation->plan->blocks[frame->block].steps->index, "%s",
		            "a loop whose trips differ: some stand for the others");
		stretch_advance(run, frame, activation, ahead);
	}
	stretch_begin(run, frame);
}
