/*
 * The figures that decide how good a model is, over cases with predicted and measured times: pick, regret, rank, ratio
 * error and time error.
 *
 * Rank is Kendall's tau-b (Kendall 1945): over the pairs of layouts, s = sign of the difference in each order, 0 for
 * ties, and tau = sum(s_predicted * s_measured) / sqrt(sum(s_predicted^2) * sum(s_measured^2)). Medians of an even
 * number of values are the mean of the middle two.
 */
#include "model/measure/measure.h"

#include <math.h>
#include <stdlib.h>

static double fastest(const double *times, unsigned count)
{
	double least = times[0];
	for (unsigned i = 1; i < count; i++)
		if (times[i] < least)
			least = times[i];
	return least;
}

double measure_regret(const struct judged_case *judged)
{
	return judged->measured[judged->recommended] / fastest(judged->measured, judged->count) - 1;
}

bool measure_pick_is_right(const struct judged_case *judged)
{
	double least = fastest(judged->measured, judged->count);
	double share = least < SHORT_LAUNCH_SECONDS ? PICK_SHARE_SHORT : PICK_SHARE;
	return judged->measured[judged->recommended] <= (1 + share) * least;
}

/* -1, 0 for a tie, or 1. */
static int order_of(double a, double b)
{
	double larger = a > b ? a : b, smaller = a > b ? b : a;
	if (larger <= (1 + RANK_TIE_SHARE) * smaller)
		return 0;
	return a < b ? -1 : 1;
}

double measure_rank(const struct judged_case *judged)
{
	int agreeing = 0, predicted_pairs = 0, measured_pairs = 0;
	for (unsigned a = 0; a < judged->count; a++) {
		for (unsigned b = a + 1; b < judged->count; b++) {
			int predicted = order_of(judged->predicted[a], judged->predicted[b]);
			int measured = order_of(judged->measured[a], judged->measured[b]);
			agreeing += predicted * measured;
			predicted_pairs += predicted != 0;
			measured_pairs += measured != 0;
		}
	}
	if (predicted_pairs == 0 || measured_pairs == 0)
		return predicted_pairs == measured_pairs ? 1 : 0;
	return agreeing / sqrt((double)predicted_pairs * measured_pairs);
}

/* ---- over all cases -------------------------------------------------------------------- */

struct number_list {
	double *list;
	size_t count;
};

static int compare_doubles(const void *a, const void *b)
{
	const double *left = a, *right = b;
	return *left < *right ? -1 : *left > *right;
}

static double median(struct number_list *values)
{
	size_t middle = values->count / 2;
	if (values->count == 0)
		return NAN;
	qsort(values->list, values->count, sizeof *values->list, compare_doubles);
	return values->count % 2 ? values->list[middle] : (values->list[middle - 1] + values->list[middle]) / 2;
}

static void errors_collect(struct arena *arena, const struct judged_case *judged, struct number_list *ratios,
                           struct number_list *times)
{
	for (unsigned a = 0; a < judged->count; a++) {
		double error = judged->predicted[a] / judged->measured[a];
		ARENA_PUSH(arena, times->list, times->count, fabs(error - 1));
		for (unsigned b = a + 1; b < judged->count; b++)
			ARENA_PUSH(arena, ratios->list, ratios->count,
			           fabs(log(error / (judged->predicted[b] / judged->measured[b]))));
	}
}

struct accuracy measure_accuracy(struct arena *arena, const struct judged_case *cases, unsigned count)
{
	struct accuracy result = {.cases = count};
	struct number_list ratios = {0}, times = {0};
	for (unsigned i = 0; i < count; i++) {
		double regret = measure_regret(&cases[i]);
		result.pick += measure_pick_is_right(&cases[i]);
		result.rank += measure_rank(&cases[i]);
		result.regret += regret;
		if (regret > result.worst_regret)
			result.worst_regret = regret;
		errors_collect(arena, &cases[i], &ratios, &times);
	}
	result.pick /= count;
	result.rank /= count;
	result.regret /= count;
	result.ratio_error = median(&ratios);
	result.time_error = median(&times);
	if (count == 0)
		result.worst_regret = NAN;
	return result;
}

double measure_rms_error(const double *predicted, const double *published, unsigned count)
{
	double sum = 0;
	for (unsigned i = 0; i < count; i++)
		sum += (predicted[i] / published[i] - 1) * (predicted[i] / published[i] - 1);
	return count ? sqrt(sum / count) : NAN;
}
