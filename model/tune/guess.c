/*
 * Times of configurations that were not predicted, from those that were: logarithms are taken to be sums of what the
 * values of the axes add, fitted by backfitting; what is left of near configurations is added. Only the order in which
 * configurations are predicted depends on it.
 */
#include "model/tune/tune.h"

#include <math.h>

#define FIT_STEPS 12

struct fit {
	const struct tune_axes *axes;
	const struct tune_points *points;
	const double *times;
	double mean, *effects[MOST_SWEEP_AXES], *rest; /* rest: per point, where it has a time */
};

static const uint16_t *point_at(const struct fit *fit, unsigned point)
{
	return fit->points->at + (size_t)point * fit->axes->count;
}

/* One value's effect is the mean of what the others leave, drawn to 0 as if one more point had none. */
static void axis_fit(struct arena *arena, struct fit *fit, unsigned axis)
{
	unsigned count = fit->axes->list[axis].count;
	double *sums = arena_array(arena, count, sizeof *sums), *numbers = arena_array(arena, count, sizeof *numbers);
	for (unsigned p = 0; p < fit->points->count; p++)
		if (isfinite(fit->times[p])) {
			unsigned value = point_at(fit, p)[axis];
			sums[value] += fit->rest[p] + fit->effects[axis][value];
			numbers[value]++;
		}
	for (unsigned p = 0; p < fit->points->count; p++)
		if (isfinite(fit->times[p])) {
			unsigned value = point_at(fit, p)[axis];
			fit->rest[p] += fit->effects[axis][value] - sums[value] / (numbers[value] + 1);
		}
	for (unsigned v = 0; v < count; v++)
		fit->effects[axis][v] = sums[v] / (numbers[v] + 1);
}

static void effects_fit(struct arena *arena, struct fit *fit)
{
	double sum = 0, number = 0;
	for (unsigned p = 0; p < fit->points->count; p++)
		if (isfinite(fit->times[p])) {
			sum += log(fit->times[p]);
			number++;
		}
	fit->mean = number > 0 ? sum / number : 0;
	for (unsigned p = 0; p < fit->points->count; p++)
		fit->rest[p] = isfinite(fit->times[p]) ? log(fit->times[p]) - fit->mean : 0;
	for (unsigned axis = 0; axis < fit->axes->count; axis++)
		fit->effects[axis] = arena_array(arena, fit->axes->list[axis].count, sizeof(double));
	for (unsigned step = 0; step < FIT_STEPS; step++)
		for (unsigned axis = 0; axis < fit->axes->count; axis++)
			axis_fit(arena, fit, axis);
}

/* The mean of what is left of points that differ along one axis, drawn to 0 as if one more had nothing left. */
static double rest_near(const struct fit *fit, const unsigned *known, unsigned known_count, unsigned point)
{
	double sum = 0, number = 1;
	for (unsigned k = 0; k < known_count; k++)
		if (tune_points_distance(fit->axes, point_at(fit, known[k]), point_at(fit, point)) <= 1) {
			sum += fit->rest[known[k]];
			number++;
		}
	return sum / number;
}

void tune_times_guess(struct arena *arena, const struct tune_axes *axes, const struct tune_points *points,
                      const double *times, double *guesses)
{
	struct fit fit = {.axes = axes, .points = points, .times = times};
	unsigned *known = NULL, known_count = 0;
	fit.rest = arena_array(arena, points->count, sizeof *fit.rest);
	effects_fit(arena, &fit);
	for (unsigned p = 0; p < points->count; p++)
		if (isfinite(times[p]))
			ARENA_PUSH(arena, known, known_count, p);
	for (unsigned p = 0; p < points->count; p++) {
		guesses[p] = fit.mean + rest_near(&fit, known, known_count, p);
		for (unsigned axis = 0; axis < axes->count; axis++)
			guesses[p] += fit.effects[axis][point_at(&fit, p)[axis]];
	}
}
