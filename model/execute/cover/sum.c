/*
 * Counts of one run summed over the box that it speaks for: times its volume, along gradients, or as polynomials along
 * the axes.
 */
#include "model/execute/cover/cover.h"

#include <string.h>

struct box cover_covered(const struct run *run, const struct box *box)
{
	struct box covered = *box;

	for (uint32_t axis = 0; axis < LAUNCH_AXES; axis++)
		if (run->axes.launch[axis] != NO_AXIS)
			covered.count[axis] = run->axes.list[run->axes.launch[axis]].count;
	return covered;
}

double cover_volume(const struct box *box)
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
	for (uint32_t axis = 0; axis < run->axes.launch_count; axis++)
		if (run->axes.polynomial & run->axes.active & 1u << axis && run->counting.gradient[axis].numbers)
			counts_add(&run->counting.counts, &run->counting.gradient[axis],
			           (double)(run->axes.list[axis].count - 1) / 2);
}

void cover_add(struct run *run, const struct tally *totals, double volume, double weight)
{
	counts_scale(&run->counting.counts, volume);
	for (uint32_t axis = 0; axis < run->axes.launch_count; axis++)
		if (run->counting.gradient[axis].numbers)
			counts_scale(&run->counting.gradient[axis], volume);
	events_finish(&run->counting);
	add_gradients(run);
	counts_add(totals, &run->counting.counts, weight);
	footprints_finish(&run->counting, run->evaluator->arena, run->evaluator->result);
	run->evaluator->result->cut |= run_is_cut(run);
	run->evaluator->result->exact &= !run->counting.inexact && !run_is_cut(run);
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
	struct lattice lattice = {.degree = run->axes.degree};

	for (uint32_t axis = 0; axis < LAUNCH_AXES; axis++) {
		if (run->axes.launch[axis] == NO_AXIS ||
		    !(run->axes.polynomial & run->axes.active & 1u << run->axes.launch[axis]))
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

bool cover_add_polynomial(struct run *run, const struct box *covered, const struct tally *totals)
{
	struct lattice lattice = lattice_of(run, covered);
	uint32_t point[LAUNCH_AXES] = {0};
	struct tally sum = counts_make(run->evaluator->scratch, &run->evaluator->layout);

	footprints_finish(&run->counting, run->evaluator->arena, run->evaluator->result);
	run->counting.footprints.off = true;
	do {
		struct box fixed = box_at(covered, &lattice, point), done;

		run_box(run, &fixed);
		done = cover_covered(run, &fixed);
		if (run->axes.split || !same_extent(&fixed, &done)) {
			run->counting.footprints.off = false;
			return false;
		}
		cover_add(run, &sum, cover_volume(&done), lattice_weight(&lattice, point));
	} while (lattice_next(&lattice, point));
	run->counting.footprints.off = false;
	counts_add(totals, &sum, 1.0);
	return true;
}
