/*
 * Counts of one run summed over the box that it speaks for: times its volume, along gradients, or as polynomials along the axes.
 */
#include "model/execute/internal.h"

#include <string.h>

/* The part of the box that the run speaks for. */
struct box box_covered(const struct run *run, const struct box *box)
{
	struct box covered = *box;

	for (uint32_t axis = 0; axis < LAUNCH_AXES; axis++)
		if (run->launch_axis[axis] != NO_AXIS)
			covered.count[axis] = run->axes[run->launch_axis[axis]].count;
	return covered;
}

double box_volume(const struct box *box)
{
	double volume = 1;

	for (uint32_t axis = 0; axis < LAUNCH_AXES; axis++)
		volume *= (double)box->count[axis];
	return volume;
}

static bool same_extent(const struct box *a, const struct box *b)
{
	return !memcmp(a->count, b->count, sizeof(a->count));
}

/* Counts that grow along the axes: at the middle of the box on average. */
static void add_gradients(struct run *run)
{
	for (uint32_t axis = 0; axis < run->launch_count; axis++) {
		double middle = (double)(run->axes[axis].count - 1) / 2;

		if (!(run->polynomial & run->active & 1u << axis) || !run->gradient[axis])
			continue;
		for (size_t i = 0; i < run->evaluator->layout.total; i++)
			run->counts[i] += run->gradient[axis][i] * middle;
	}
}

/* Adds the run's counts for every warp of the box, weighted. */
void counts_add(struct run *run, double *totals, double volume, double weight)
{
	size_t total = run->evaluator->layout.total;

	for (size_t i = 0; i < total; i++)
		run->counts[i] *= volume;
	for (uint32_t axis = 0; axis < run->launch_count; axis++)
		for (size_t i = 0; run->gradient[axis] && i < total; i++)
			run->gradient[axis][i] *= volume;
	events_finish(run);
	add_gradients(run);
	for (size_t i = 0; i < total; i++)
		totals[i] += run->counts[i] * weight;
	run->evaluator->result->exact &= !run->inexact && run->end != RUN_CUT;
}

static double choose(double n, unsigned k)
{
	double result = 1;

	for (unsigned i = 0; i < k; i++)
		result = result * (n - i) / (i + 1);
	return result;
}

/* Points of a polynomial in a few variables: offsets along the axes whose sum is at most the degree. */
struct lattice {
	uint32_t axes[LAUNCH_AXES], axis_count, degree;
	int64_t extent[LAUNCH_AXES];
};

/* The next point, in the manner of an odometer; false after the last. */
static bool lattice_next(const struct lattice *lattice, uint32_t *point)
{
	for (uint32_t i = 0; i < lattice->axis_count; i++) {
		uint32_t sum = 0;

		point[i]++;
		for (uint32_t j = 0; j < lattice->axis_count; j++)
			sum += point[j];
		if (sum <= lattice->degree && point[i] < lattice->extent[i])
			return true;
		point[i] = 0;
	}
	return false;
}

/*
 * Weight of the value at `point` in the sum over the box: the sum over the points above it of the forward difference's
 * coefficient times the number of combinations.
 */
static double lattice_weight(const struct lattice *lattice, const uint32_t *point)
{
	uint32_t upper[LAUNCH_AXES] = {0};
	double weight = 0;

	do {
		double term = 1;

		for (uint32_t i = 0; i < lattice->axis_count && term != 0; i++) {
			if (upper[i] < point[i])
				term = 0;
			else
				term *= choose(upper[i], point[i]) * choose((double)lattice->extent[i], upper[i] + 1) *
				        ((upper[i] - point[i]) % 2 ? -1 : 1);
		}
		weight += term;
	} while (lattice_next(lattice, upper));
	return weight;
}

static struct lattice lattice_of(const struct run *run, const struct box *covered)
{
	struct lattice lattice = {.degree = run->degree};

	for (uint32_t axis = 0; axis < LAUNCH_AXES; axis++) {
		if (run->launch_axis[axis] == NO_AXIS || !(run->polynomial & run->active & 1u << run->launch_axis[axis]))
			continue;
		lattice.axes[lattice.axis_count] = axis;
		lattice.extent[lattice.axis_count++] = covered->count[axis];
	}
	return lattice;
}

/* The box with the lattice's axes fixed at a point. */
static struct box box_at(const struct box *box, const struct lattice *lattice, const uint32_t *point)
{
	struct box fixed = *box;

	for (uint32_t i = 0; i < lattice->axis_count; i++) {
		fixed.start[lattice->axes[i]] += point[i] * box->step[lattice->axes[i]];
		fixed.count[lattice->axes[i]] = 1;
	}
	return fixed;
}

/* Sums the polynomial over the box. Returns false where a point turns out to differ after all. */
bool counts_add_polynomial(struct run *run, const struct box *covered, double *totals)
{
	struct lattice lattice = lattice_of(run, covered);
	uint32_t point[LAUNCH_AXES] = {0};
	size_t total = run->evaluator->layout.total;
	double *sum = arena_array(run->evaluator->scratch, total, sizeof(double));

	do {
		struct box fixed = box_at(covered, &lattice, point), done;

		run_box(run, &fixed);
		done = box_covered(run, &fixed);
		if (run->end == RUN_SPLIT || !same_extent(&fixed, &done))
			return false;
		counts_add(run, sum, box_volume(&done), lattice_weight(&lattice, point));
	} while (lattice_next(&lattice, point));
	for (size_t i = 0; i < total; i++)
		totals[i] += sum[i];
	return true;
}
