/*
 * Loops of a sample's warp whose trips differ in what they do, or that lanes leave one after the other, too long to be
 * run to their end: a stretch of trips stands for those that follow. How many these are is told by the comparison that
 * decides the loop, whose sides come together by so much in a trip: the warp goes on until they meet in the lane where
 * they are farthest, its lanes until they meet on average, and what they touch is taken to be proportional to them.
 * What grows evenly over the stretch goes on growing; the rest stays as it is. Of an outermost loop several stretches
 * are run, spread over its trips, each for half of the way to its neighbours: the first stands for itself alone, as the
 * beginning may be unlike the rest (each particle meets itself there).
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

/* By how much the sides of the deciding comparison came together in a trip of the stretch. */
static double stretch_approach(const struct run *run, const struct loop_frame *frame)
{
	return (frame->window.distance - run->loops.distance[frame->loop]) /
	       (double)(frame->attempts.arrivals - frame->mark.arrivals);
}

/* Trips until the deciding comparison comes out otherwise, if things go on like this; 0 where that is not told. */
static uint64_t trips_ahead(const struct run *run, const struct loop_frame *frame)
{
	double now = run->loops.distance[frame->loop],
	       trips = (double)(frame->attempts.arrivals - frame->mark.arrivals), nearer = stretch_approach(run, frame);
	double ahead = nearer > 0 ? floor(now / nearer) - STRETCH_LAST : 0;

	return ahead > trips && ahead < 0x1p52 ? (uint64_t)ahead : 0;
}

/* How many stretches a loop is given: a power of two, that take no more than half of what the warp may still. */
static uint32_t stretches_wanted(const struct run *run, const struct loop_frame *frame)
{
	uint64_t each = run->effort.steps - frame->mark.steps, left = run->effort.limit - run->effort.steps;
	uint32_t pieces = STRETCH_PIECES;

	while (pieces > 1 && each * pieces > left / 2)
		pieces /= 2;
	return run->loops.frame_count > 1 ? 1 : pieces;
}

/* Whether this stretch is the last one: also where lanes leave one after the other, or few trips are ahead. */
static bool stretch_is_last(const struct run *run, const struct loop_frame *frame, uint64_t ahead)
{
	uint64_t trips = frame->attempts.arrivals - frame->mark.arrivals;

	return frame->window.stretches + 1 >= frame->window.pieces || ahead < STRETCH_FEW * trips ||
	       run->loops.mean_distance[frame->loop] < run->loops.distance[frame->loop];
}

/* Goes over `ahead` trips, and counts `stands` of them. */
static void stretch_advance(struct run *run, struct loop_frame *frame, struct activation *activation, uint64_t ahead,
                            uint64_t stands)
{
	int64_t trips = (int64_t)(frame->attempts.arrivals - frame->mark.arrivals), delta;
	double share = run->loops.mean_distance[frame->loop] / run->loops.distance[frame->loop],
	       times = (double)stands / (double)trips;

	memset(frame->repeat.slope, 0, sizeof(frame->repeat.slope));
	for (uint32_t reg = 0; reg < activation->plan->register_count; reg++)
		if (frame_is_live(frame, reg) &&
		    frame_delta(&activation->registers[reg], &frame->mark.saved[reg], frame->mask, &delta) &&
		    delta % trips == 0)
			advance_register(run, frame, activation, reg, (uint64_t)(delta / trips), (int64_t)ahead);
	counts_grow_apart(&run->counting.counts, &frame->mark.counts[0], times, times * share);
	frame->trips += ahead;
}

/*
 * Trips until the next of the stretches that are left: it lies anywhere in its part of all trips, at a round number, so
 * that code which does the same in other words is measured in the same trips.
 */
static uint64_t trips_to_next(const struct run *run, const struct loop_frame *frame, uint64_t ahead)
{
	double part =
		frame->window.stretches + content_fraction(run->place.draw * STRETCH_PIECES + frame->window.stretches);
	uint64_t next = (uint64_t)((double)(frame->trips + ahead) * part / frame->window.pieces) / STRETCH_ROUND *
	                STRETCH_ROUND;

	return next > frame->trips ? next - frame->trips : 0;
}

/* Goes on to the next stretch, or to the end. */
static void stretch_go_on(struct run *run, struct loop_frame *frame, struct activation *activation, uint64_t ahead)
{
	uint64_t owed = (uint64_t)frame->window.owed, stands = ahead;
	double nearer = stretch_approach(run, frame);

	if (!frame->window.stretches)
		frame->window.pieces = stretches_wanted(run, frame);
	if (!stretch_is_last(run, frame, ahead)) {
		ahead = trips_to_next(run, frame, ahead);
		stands = frame->window.stretches ? ahead - ahead / 2 : 0;
	}
	stretch_advance(run, frame, activation, ahead, stands + owed);
	frame->window.owed = (int64_t)(ahead - stands);
	run->loops.distance[frame->loop] -= (double)ahead * nearer;
	run->loops.mean_distance[frame->loop] -= (double)ahead * nearer;
	frame->window.stretches++;
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
	if (ahead || frame->window.owed) {
		run->evaluator->shortened = true;
		warp_assume(run, activation->plan->blocks[frame->block].steps->index, "%s",
		            "a loop whose trips differ: some stand for the others");
		stretch_go_on(run, frame, activation, ahead);
	}
	stretch_begin(run, frame);
}
