/*
 * Loops of a sample's warp whose trips differ in what they do, or that lanes leave one after the other, too long to be run to their end: a
 * stretch of trips stands for those that follow. How many these are is told by the comparison that decides the loop, whose sides come
 * together by so much in a trip: the warp goes on until they meet in the lane where they are farthest, its lanes until they meet
 * on average, and what they touch is taken to be proportional to them. What grows evenly over the stretch goes on growing; the
 * rest stays as it is.
 */
#include "model/execute/run/loops.h"

#include <math.h>
#include <string.h>

static void stretch_begin(struct run *run, struct loop_frame *frame)
{
	frame_abandon(run, frame);
	frame->attempts.refused = frame->window.stretched = true;
	events_flush(&run->counting,
	             run->axes.count > run->axes.launch_count ? run->axes.list[run->axes.count - 1].first_event : 0);
	frame_mark(run, frame);
	frame_save_counts(run, frame, 0);
	frame->mark.steps = run->effort.steps;
	frame->window.distance = run->loops.distance[frame->loop];
}

/* Trips until the deciding comparison comes out otherwise, if things go on like this; 0 where that is not told. */
static uint64_t trips_ahead(const struct run *run, const struct loop_frame *frame)
{
	double now = run->loops.distance[frame->loop], trips = (double)(frame->attempts.arrivals - frame->mark.arrivals),
	       nearer = (frame->window.distance - now) / trips;
	double ahead = nearer > 0 ? floor(now / nearer) - STRETCH_LAST : 0;

	return ahead > trips && ahead < 0x1p52 ? (uint64_t)ahead : 0;
}

static void stretch_advance(struct run *run, struct loop_frame *frame, struct activation *activation, uint64_t ahead)
{
	int64_t trips = (int64_t)(frame->attempts.arrivals - frame->mark.arrivals), delta;
	double share = run->loops.mean_distance[frame->loop] / run->loops.distance[frame->loop],
	       times = (double)ahead / (double)trips;

	memset(frame->repeat.slope, 0, sizeof(frame->repeat.slope));
	for (uint32_t reg = 0; reg < activation->plan->register_count; reg++)
		if (frame_is_live(frame, reg) &&
		    frame_delta(&activation->registers[reg], &frame->mark.saved[reg], frame->mask, &delta) && delta % trips == 0)
			advance_register(run, frame, activation, reg, (uint64_t)(delta / trips), (int64_t)ahead);
	counts_grow_apart(&run->counting.counts, &frame->mark.counts[0], times, times * share);
	frame->trips += ahead;
}

/* After so many steps in the loop: a loop of few long trips is given the time to be found steady. */
static bool stretch_is_due(const struct loop_frame *frame, uint64_t steps)
{
	uint64_t patience = frame->attempts.failures && frame->state == FRAME_PLAIN ? STRETCH_STEPS : STRETCH_LONG;

	return steps >= (frame->attempts.arrivals > STRETCH_FIRST * frame->period ? patience : STRETCH_HEAVY);
}

void stretch_arrive(struct run *run, struct loop_frame *frame, struct activation *activation)
{
	uint64_t ahead;

	if (frame->activation->caller || run->evaluator->mode != MODE_SAMPLE)
		return;
	if (!frame->window.stretched) {
		if (stretch_is_due(frame, run->effort.steps - run->loops.entered[frame->loop]))
			stretch_begin(run, frame);
		return;
	}
	if (run->effort.steps - frame->mark.steps < STRETCH_STEPS ||
	    (frame->attempts.arrivals - frame->mark.arrivals) % STRETCH_TRIPS)
		return;
	events_flush(&run->counting,
	             run->axes.count > run->axes.launch_count ? run->axes.list[run->axes.count - 1].first_event : 0);
	ahead = trips_ahead(run, frame);
	if (ahead) {
		run->evaluator->shortened = true;
		warp_assume(run, activation->plan->blocks[frame->block].steps->index, "%s",
		            "a loop whose trips differ: some stand for the others");
		stretch_advance(run, frame, activation, ahead);
	}
	stretch_begin(run, frame);
}
