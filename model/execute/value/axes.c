/*
 * Axes: along which dimensions of the launch, and of the loops being advanced, the representative warp's behaviour is
 * known to repeat.
 *
 * Everything decided in a run is the sign of a linear form. A form that involves a loop waits in that loop's list until
 * the trip is over; then the tightest one gives the number of trips, as a linear function of the outer axes where its
 * slopes divide evenly, and the rest move outwards. Forms over launch axes shrink the box at once. A linear form that
 * is non-negative at the corners of a box is so inside: nothing is sampled here.
 */
#include "model/execute/value/axes.h"

#include <stdlib.h>
#include <string.h>

uint64_t axes_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static uint64_t magnitude(int64_t number)
{
	return number < 0 ? -(uint64_t)number : (uint64_t)number;
}

void axes_pin(struct axes *axes, uint32_t which)
{
	which &= axes->active;
	if (!which)
		return;
	axes->active &= ~which;
	for (uint32_t axis = 0; axis < axes->count; axis++) {
		if (!(which >> axis & 1))
			continue;
		axes->list[axis].count = 1;
		axes->list[axis].failed = axis >= axes->launch_count;
		if (axes->list[axis].failed)
			axes->list[axis].period = 0;
	}
}

/* Whether every phase of a launch axis can be run on its own: few, or few enough for the steps allowed. */
static bool split_is_affordable(const struct axes *axes, const struct axis *axis, uint64_t period)
{
	uint64_t left = axes->launch_effort->limit - axes->launch_effort->steps;

	if ((int64_t)period >= axis->count)
		return false;
	return period <= MAX_PERIOD ||
	       (period < AXES_PHASES && period * (axes->warp_effort->steps + AXES_PHASE_STEPS) < left);
}

void axes_period(struct axes *axes, uint32_t index, uint64_t period)
{
	struct axis *axis = &axes->list[index];

	if (!axes_is_active(axes, index) || period <= 1)
		return;
	if (index >= axes->launch_count) {
		uint64_t all = axis->period / axes_divisor(axis->period, period) * period;

		axes_pin(axes, 1u << index);
		axis->period = all <= MAX_PERIOD ? all : 0;
	} else if (!split_is_affordable(axes, axis, period)) {
		axes_pin(axes, 1u << index);
	} else {
		axes->split = true;
		axes->split_axis = index;
		axes->split_period = period;
	}
}

/* Slack at the corner of the box where the form is least, axis `except` left out. */
static int128 least_slack(const struct axes *axes, const struct bound *bound, uint32_t except)
{
	int128 slack = bound->slack;

	for (uint32_t axis = 0; axis < axes->launch_count; axis++)
		if (axis != except && axes_is_active(axes, axis) && bound->slope[axis] < 0)
			slack += (int128)bound->slope[axis] * (axes->list[axis].count - 1);
	return slack;
}

/* The points left on the axis when the bound is to hold for all points of the others; 0 where it cannot. */
static int64_t points_left(const struct axes *axes, const struct bound *bound, uint32_t axis)
{
	int128 slack = least_slack(axes, bound, axis);
	int128 points;

	if (slack < 0)
		return 0;
	points = slack / -bound->slope[axis] + 1;
	return points < axes->list[axis].count ? (int64_t)points : axes->list[axis].count;
}

/* The axis that can satisfy the bound alone at the least loss, else the steepest. */
static uint32_t axis_to_shrink(const struct axes *axes, const struct bound *bound)
{
	uint32_t best = NO_AXIS, steepest = NO_AXIS;
	double kept = 0;

	for (uint32_t axis = 0; axis < axes->launch_count; axis++) {
		double share;

		if (!axes_is_active(axes, axis) || bound->slope[axis] >= 0)
			continue;
		share = (double)points_left(axes, bound, axis) / (double)axes->list[axis].count;
		if (share > kept) {
			kept = share;
			best = axis;
		}
		if (steepest == NO_AXIS || bound->slope[axis] < bound->slope[steepest])
			steepest = axis;
	}
	return best != NO_AXIS ? best : steepest;
}

/* Shrinks the box until the bound holds in all of it. */
static void launch_shrink(struct axes *axes, const struct bound *bound)
{
	while (least_slack(axes, bound, NO_AXIS) < 0) {
		uint32_t axis = axis_to_shrink(axes, bound);
		int64_t points;

		if (axis == NO_AXIS)
			return;
		points = points_left(axes, bound, axis);
		if (points <= 1)
			axes_pin(axes, 1u << axis);
		else
			axes->list[axis].count = points;
	}
}

/* Most forms come several times in a row: a few of the last are looked at. */
static bool is_known(const struct axis *axis, uint32_t index, const struct bound *bound)
{
	for (size_t i = axis->bound_count; i-- > 0 && axis->bound_count - i <= AXES_RECENT_BOUNDS;) {
		const struct bound *old = &axis->bounds[i];

		if (old->slack <= bound->slack &&
		    !memcmp(old->slope, bound->slope, (index + 1) * sizeof(old->slope[0])))
			return true;
	}
	return false;
}

/* Room for one more bound. */
static struct bound *bound_room(struct axes *axes, struct axis *axis)
{
	if (axis->bound_count == axis->bound_capacity) {
		struct bound *grown;

		axis->bound_capacity = axis->bound_capacity ? 2 * axis->bound_capacity : 64;
		grown = arena_array(axes->arena, axis->bound_capacity, sizeof(*grown));
		if (axis->bound_count)
			memcpy(grown, axis->bounds, axis->bound_count * sizeof(*grown));
		axis->bounds = grown;
	}
	return &axis->bounds[axis->bound_count];
}

/* Keeps a bound along the axis, with no slope but along those in `which`, of which it is the innermost. */
static void axis_remember(struct axes *axes, uint32_t index, const struct bound *bound, uint32_t which)
{
	struct axis *axis = &axes->list[index];
	struct bound *kept = bound_room(axes, axis);

	kept->slack = bound->slack;
	kept->owner = bound->owner;
	kept->equality = bound->equality;
	for (uint32_t i = 0; i <= index; i++)
		kept->slope[i] = which >> i & 1 ? bound->slope[i] : 0;
	axis->bound_count += !is_known(axis, index, kept);
}

/*
 * A bound along a loop waits for the trip's end. One that changes along no other axis, and allows more trips than
 * another, never matters.
 */
static void require_of_loop(struct axes *axes, uint32_t index, const struct bound *bound, uint32_t which)
{
	struct axis *axis = &axes->list[index];
	int128 unit = -(int128)bound->slope[index];

	if (axis->bound_count >= AXES_BOUNDS) {
		axes_pin(axes, 1u << index);
	} else if (which != 1u << index || bound->slack < unit * (axis->most_trips + 1)) {
		int128 trips = bound->slack / unit + 1;

		if (trips < axis->most_trips)
			axis->most_trips = (int64_t)trips;
		axis_remember(axes, index, bound, which);
	}
}

/* The axes with more than one point along which the bound changes; *steep: too much to be followed. */
static uint32_t bound_axes(const struct axes *axes, const struct bound *bound, uint32_t *steep)
{
	uint32_t which = 0;

	*steep = 0;
	for (uint32_t axis = 0; axis < axes->count; axis++) {
		which |= (uint32_t)(bound->slope[axis] != 0) << axis;
		*steep |= (uint32_t)(bound->slope[axis] > AXES_SLOPE || bound->slope[axis] < -AXES_SLOPE) << axis;
	}
	*steep &= axes->active;
	return which & axes->active;
}

void axes_require(struct axes *axes, const struct bound *bound)
{
	uint32_t steep, which = bound_axes(axes, bound, &steep), innermost = NO_AXIS;

	if (steep) {
		axes_pin(axes, steep);
		which = bound_axes(axes, bound, &steep);
	}
	for (; which; which &= ~(1u << innermost)) {
		innermost = 31u - (uint32_t)__builtin_clz(which);
		if (innermost < axes->launch_count) {
			launch_shrink(axes, bound);
			return;
		}
		if (bound->slope[innermost] < 0) {
			require_of_loop(axes, innermost, bound, which);
			return;
		}
	}
}

uint32_t axes_open(struct axes *axes)
{
	struct axis *axis;

	if (axes->count == MAX_AXES)
		return NO_AXIS;
	axis = &axes->list[axes->count];
	axis->count = AXES_TRIPS;
	axis->failed = axis->soft = axis->polynomial = false;
	axis->period = 1;
	axis->bound_count = 0;
	axis->most_trips = AXES_TRIPS;
	axes->active |= 1u << axes->count;
	return axes->count++;
}

void axes_abandon(struct axes *axes)
{
	uint32_t index = --axes->count;
	struct axis *axis = &axes->list[index];

	axes->active &= ~(1u << index);
	for (size_t i = 0; i < axis->bound_count; i++)
		axes_require(axes, &axis->bounds[i]);
	axis->bound_count = 0;
}

/* The bound that the fewest trips satisfy, or NULL; *count becomes their number. */
static const struct bound *tightest_bound(const struct axis *axis, uint32_t index, int64_t *count)
{
	const struct bound *tightest = NULL;

	*count = AXES_TRIPS;
	for (size_t i = 0; i < axis->bound_count; i++) {
		const struct bound *bound = &axis->bounds[i];
		int128 trips;

		if (bound->slope[index] >= 0 || bound->slack >= (int128)*count * -(int128)bound->slope[index])
			continue;
		trips = bound->slack / -bound->slope[index] + 1;
		if (trips < *count) {
			*count = (int64_t)trips;
			tightest = bound;
		}
	}
	return tightest;
}

int64_t axes_peek(const struct axes *axes, uint32_t axis)
{
	int64_t count;

	tightest_bound(&axes->list[axis], axis, &count);
	return count;
}

/*
 * The trips' slope along outer axes where it is a whole number. Elsewhere the ends of the loop are a little apart:
 * where they are by few trips only, the bound is tightened for the worst, else the axis has to be taken in longer
 * steps.
 */
static void trips_slopes(struct axes *axes, const struct bound *tightest, int64_t unit, struct trips *trips)
{
	int128 slack = tightest->slack;

	for (uint32_t axis = 0; axis < axes->count; axis++) {
		int64_t slope = tightest->slope[axis];
		int128 apart;

		if (!slope || !axes_is_active(axes, axis))
			continue;
		apart = (int128)magnitude(slope) * (axes->list[axis].count - 1) / unit + 1;
		if (slope % unit == 0) {
			trips->slope[axis] = slope / unit;
		} else if (axis < axes->launch_count && apart <= AXES_TOLERATED_LOSS) {
			slack += slope < 0 ? (int128)slope * (axes->list[axis].count - 1) : 0;
		} else {
			uint64_t divisor = axes_divisor((uint64_t)unit, magnitude(slope));

			axes_period(axes, axis, (uint64_t)unit / divisor);
		}
	}
	trips->count = slack < 0 ? 1 : (int64_t)(slack / unit) + 1;
}

/* Adds two slopes; what is too steep to be followed stays steep. */
static int64_t add_slopes(int64_t slope, int64_t unit, int64_t times)
{
	int128 sum = (int128)slope + (int128)unit * times;

	return sum > 2 * (int128)AXES_SLOPE    ? 2 * AXES_SLOPE
	       : sum < -2 * (int128)AXES_SLOPE ? -2 * AXES_SLOPE
	                                       : (int64_t)sum;
}

/* The bound at the first or last of `count` trips, whichever is worse, as a bound on the outer axes. */
static void bound_forward(struct axes *axes, uint32_t index, const struct bound *bound, const struct trips *trips,
                          int64_t count)
{
	int64_t slope = bound->slope[index];
	bool last = slope < 0;
	struct bound outer = {.slack = bound->slack + (last ? (int128)slope * (count - 1) : 0), .owner = NO_INDEX};

	for (uint32_t axis = 0; axis < index; axis++)
		outer.slope[axis] = last && trips->slope[axis] && axes_is_active(axes, axis)
		                            ? add_slopes(bound->slope[axis], slope, trips->slope[axis])
		                            : bound->slope[axis];
	axes_require(axes, &outer);
}

/*
 * Whether the trip after those that are alike differs in the exit alone: the tightest bound is that of the exit, breaks
 * for all warps at once, and all others hold for one more trip.
 */
static bool last_trip_is_alike(const struct axes *axes, const struct axis *axis, uint32_t index,
                               const struct bound *tightest, uint32_t exit, const struct trips *trips)
{
	int64_t unit;

	if (!tightest || exit == NO_INDEX || tightest->owner != exit)
		return false;
	unit = -tightest->slope[index];
	if (tightest->equality && tightest->slack + 1 != (int128)unit * trips->count)
		return false;
	for (uint32_t outer = 0; outer < index; outer++)
		if (axes_is_active(axes, outer) && tightest->slope[outer] != trips->slope[outer] * unit)
			return false;
	for (size_t i = 0; i < axis->bound_count; i++) {
		const struct bound *bound = &axis->bounds[i];

		if (bound != tightest && bound->slope[index] < 0 &&
		    bound->slack + (int128)bound->slope[index] * trips->count < 0)
			return false;
	}
	return true;
}

void axes_close(struct axes *axes, uint32_t exit, struct trips *trips)
{
	uint32_t index = --axes->count;
	struct axis *axis = &axes->list[index];
	const struct bound *tightest = tightest_bound(axis, index, &trips->count);
	struct bound once = {.owner = NO_INDEX};

	axes->active &= ~(1u << index);
	memset(trips->slope, 0, sizeof(trips->slope));
	trips->limited = tightest != NULL;
	if (tightest)
		trips_slopes(axes, tightest, -tightest->slope[index], trips);
	trips->last = last_trip_is_alike(axes, axis, index, tightest, exit, trips);
	for (size_t i = 0; i < axis->bound_count; i++)
		bound_forward(axes, index, &axis->bounds[i], trips,
		              trips->count + (trips->last && &axis->bounds[i] != tightest));
	axis->bound_count = 0;
	once.slack = trips->count - 1;
	for (uint32_t outer = 0; outer < index; outer++)
		once.slope[outer] = trips->slope[outer];
	axes_require(axes, &once);
}
