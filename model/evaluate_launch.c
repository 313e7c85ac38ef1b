/*
 * The whole launch: covered by boxes of warps that do the same.
 *
 * A run of a box' first warp ends with the part of the box for which it speaks; what is left is cut into boxes again. Counts
 * that are polynomials along an axis (triangular loops) are taken at as many points as the degree asks for and summed by
 * forward differences. When the steps allowed are used up, the rest is sampled evenly.
 */
#include "model/evaluate_internal.h"

#include <math.h>
#include <string.h>

#define DEFAULT_STEPS 200000
#define EARLY_STEPS 20000   /* after which it is asked whether to go on */
#define SAMPLE_STEPS 20000
#define MOST_BOXES 100000
#define LEAST_SAMPLES 8
#define MOST_SAMPLES 512

struct boxes {
	struct box *list;
	size_t count;
};

/* ---- groups of warps ---------------------------------------------------------------------- */

static void group_threads(const struct evaluator *evaluator, struct warp_group *group);

static void add_group(struct evaluator *evaluator, struct warp_group *group)
{
	group_threads(evaluator, group);
	ARENA_PUSH(evaluator->scratch, evaluator->groups, evaluator->group_count, *group);
}

/* Lanes of a warp that exist. */
static uint32_t warp_mask(const uint32_t block[3], uint64_t warp)
{
	uint64_t threads = (uint64_t)block[0] * block[1] * block[2], first = warp * WARP_LANES;

	return threads >= first + WARP_LANES ? ALL_LANES : (uint32_t)bits_mask((unsigned)(threads - first));
}

/* Warps that are the same set of lanes moved along rows, columns or planes of the block. */
static void group_warps(struct evaluator *evaluator)
{
	const uint32_t *block = evaluator->input->block;
	uint64_t threads = (uint64_t)block[0] * block[1] * block[2], whole = threads / WARP_LANES;
	uint64_t plane = (uint64_t)block[0] * block[1];
	struct warp_group group = {.mask = ALL_LANES, .count = {1, 1, 1}};

	if (block[0] % WARP_LANES == 0) {
		group.count[0] = block[0] / WARP_LANES;
		group.count[1] = block[1];
		group.count[2] = block[2];
		group.thread_slope[0][0] = WARP_LANES;
		group.thread_slope[1][1] = group.thread_slope[2][2] = 1;
		group.warp_slope[0] = 1;
		group.warp_slope[1] = group.count[0];
		group.warp_slope[2] = group.count[0] * group.count[1];
		add_group(evaluator, &group);
		return;
	}
	if (block[1] == 1 && block[2] == 1) {
		group.count[0] = (int64_t)whole;
		group.thread_slope[0][0] = WARP_LANES;
	} else if (WARP_LANES % block[0] == 0 && (plane % WARP_LANES == 0 || block[2] == 1)) {
		group.count[1] = block[2] == 1 ? (int64_t)whole : (int64_t)(plane / WARP_LANES);
		group.count[2] = block[2];
		group.thread_slope[1][1] = WARP_LANES / block[0];
		group.thread_slope[2][2] = 1;
		group.warp_slope[2] = group.count[1];
	} else if (WARP_LANES % plane == 0) {
		group.count[2] = (int64_t)whole;
		group.thread_slope[2][2] = (int64_t)(WARP_LANES / plane);
	} else {
		group.count[0] = 0;
	}
	for (int axis = 0; axis < 3; axis++)
		if (!group.warp_slope[axis])
			group.warp_slope[axis] = 1;
	if (group.count[0] * group.count[1] * group.count[2] > 0)
		add_group(evaluator, &group);
	group = (struct warp_group){.count = {1, 1, 1}};
	for (uint64_t warp = evaluator->group_count ? whole : 0; warp * WARP_LANES < threads; warp++) {
		group.first_warp = (uint32_t)warp;
		group.mask = warp_mask(block, warp);
		add_group(evaluator, &group);
	}
}

/* ---- one run ---------------------------------------------------------------------------------- */

static int64_t axis_slope(const struct run *run, uint32_t axis, int64_t slope)
{
	return slope * run->box->step[axis];
}

/* Thread ids of a group's first warp, by lane. */
static void group_threads(const struct evaluator *evaluator, struct warp_group *group)
{
	const uint32_t *block = evaluator->input->block;
	uint64_t before[3] = {1, block[0], (uint64_t)block[0] * block[1]};

	for (unsigned dimension = 0; dimension < 3; dimension++) {
		struct value *value = &group->thread[dimension];

		value_set(value, 32, 0);
		for (unsigned lane = 0; lane < WARP_LANES; lane++) {
			uint64_t thread = (uint64_t)group->first_warp * WARP_LANES + lane;

			value->lane[lane] = thread / before[dimension] % block[dimension];
		}
		value->form = FORM_LANES;
		value_compact(value, group->mask);
	}
}

/* Thread id along one dimension: by lane, and growing along the warp axes. */
static void set_thread(struct run *run, unsigned dimension, struct value *value)
{
	const struct warp_group *group = &run->evaluator->groups[run->box->group];
	int64_t moved = 0;

	for (uint32_t axis = 3; axis < LAUNCH_AXES; axis++)
		moved += run->box->start[axis] * group->thread_slope[axis - 3][dimension];
	value_combine(run, value, &group->thread[dimension], 1, NULL, 0, (uint64_t)moved, 32);
	for (uint32_t axis = 3; axis < LAUNCH_AXES; axis++)
		if (run->launch_axis[axis] != NO_AXIS)
			value->slope[run->launch_axis[axis]] = axis_slope(run, axis, group->thread_slope[axis - 3][dimension]);
}

static void set_warp(struct run *run, struct value *value)
{
	const struct warp_group *group = &run->evaluator->groups[run->box->group];

	value_set(value, 32, 0);
	run->warp = group->first_warp;
	for (uint32_t axis = 3; axis < LAUNCH_AXES; axis++) {
		run->warp += (uint32_t)(run->box->start[axis] * group->warp_slope[axis - 3]);
		if (run->launch_axis[axis] != NO_AXIS)
			value->slope[run->launch_axis[axis]] = axis_slope(run, axis, group->warp_slope[axis - 3]);
	}
	value->base = run->warp;
}

static void set_block(struct run *run)
{
	const uint32_t *grid = run->evaluator->input->grid;

	for (uint32_t axis = 0; axis < 3; axis++) {
		struct value *value = &run->specials[SPECIAL_CTAID_X + axis];

		value_set(value, 32, (uint64_t)run->box->start[axis]);
		if (run->launch_axis[axis] != NO_AXIS)
			value->slope[run->launch_axis[axis]] = axis_slope(run, axis, 1);
	}
	run->block = (uint32_t)(run->box->start[0] + grid[0] * (run->box->start[1] + (int64_t)grid[1] * run->box->start[2]));
}

/* %lanemask_eq, _le, _lt, _ge, _gt, which differ by lane. */
static void set_lane_masks(struct run *run)
{
	for (unsigned which = 0; which < 5; which++) {
		struct value *value = &run->specials[SPECIAL_LANEMASK_EQ + which];

		value_set(value, 32, 0);
		value->form = FORM_LANES;
		for (unsigned lane = 0; lane < WARP_LANES; lane++) {
			uint32_t own = UINT32_C(1) << lane, below = own - 1;
			const uint32_t masks[5] = {own, own | below, below, ~below, ~(own | below)};

			value->lane[lane] = masks[which];
		}
	}
}

/* Special registers that are the same in every run. */
static void set_constants(struct run *run)
{
	const struct evaluate_input *input = run->evaluator->input;
	uint64_t threads = (uint64_t)input->block[0] * input->block[1] * input->block[2];

	for (unsigned i = 0; i <= SPECIAL_OTHER; i++)
		value_set_unknown(&run->specials[i], 32, SHIFTED, NO_INDEX);
	for (unsigned dimension = 0; dimension < 3; dimension++) {
		value_set(&run->specials[SPECIAL_NTID_X + dimension], 32, input->block[dimension]);
		value_set(&run->specials[SPECIAL_NCTAID_X + dimension], 32, input->grid[dimension]);
	}
	value_set(&run->specials[SPECIAL_LANEID], 32, 0);
	run->specials[SPECIAL_LANEID].step = 1;
	value_set(&run->specials[SPECIAL_NWARPID], 32, (threads + WARP_LANES - 1) / WARP_LANES);
	set_lane_masks(run);
	value_set(&run->specials[SPECIAL_DYNAMIC_SHARED_SIZE], 32, input->dynamic_shared_bytes);
	value_set(&run->specials[SPECIAL_TOTAL_SHARED_SIZE], 32,
	          input->dynamic_shared_bytes + run->evaluator->plan->function->shared_bytes);
}

static void set_specials(struct run *run)
{
	for (unsigned dimension = 0; dimension < 3; dimension++)
		set_thread(run, dimension, &run->specials[SPECIAL_TID_X + dimension]);
	set_block(run);
	set_warp(run, &run->specials[SPECIAL_WARPID]);
}

double *run_gradient(struct run *run, uint32_t axis)
{
	size_t total = run->evaluator->layout.total;

	if (!run->gradient[axis])
		run->gradient[axis] = arena_array(run->evaluator->scratch, total, sizeof(double));
	return run->gradient[axis];
}

static void gradients_clear(struct run *run)
{
	for (uint32_t axis = 0; axis < LAUNCH_AXES; axis++)
		if (run->gradient[axis])
			memset(run->gradient[axis], 0, run->evaluator->layout.total * sizeof(double));
	run->bent = false;
	run->gradient_changes = 0;
}

static void run_begin(struct run *run, const struct box *box)
{
	run->box = box;
	run->axis_count = 0;
	run->active = run->polynomial = 0;
	for (uint32_t axis = 0; axis < LAUNCH_AXES; axis++) {
		run->launch_axis[axis] = NO_AXIS;
		if (box->count[axis] <= 1)
			continue;
		run->launch_axis[axis] = run->axis_count;
		run->axes[run->axis_count].count = box->count[axis];
		run->axes[run->axis_count].failed = run->axes[run->axis_count].polynomial = false;
		run->active |= 1u << run->axis_count++;
	}
	run->launch_count = run->axis_count;
	run->end = RUN_GOES_ON;
	run->degree = 0;
	run->event_count = 0;
	run->frame_count = run->call_depth = 0;
	run->steps = 0;
	run->why = NULL;
	run->comparisons = 0;
	run->weight = 1;
	run->uncertain = run->inexact = false;
	for (struct activation *activation = run->spare; activation; activation = activation->next)
		activation->busy = false;
	memset(run->counts, 0, run->evaluator->layout.total * sizeof(double));
	gradients_clear(run);
	set_specials(run);
}

static void run_once(struct run *run, const struct box *box)
{
	run_begin(run, box);
	warp_run(run, activation_make(run, run->evaluator->plan, NULL), run->evaluator->groups[box->group].mask, 1.0);
	run->evaluator->result->steps += run->steps;
}

void run_box(struct run *run, const struct box *box)
{
	struct evaluator *evaluator = run->evaluator;

	if (!run->tracing)
		run->step_limit = evaluator->rough ? evaluator->step_limit : evaluator->step_limit / 2;
	run_once(run, box);
	if (run->end == RUN_CUT && !evaluator->rough && !run->tracing) {
		evaluator->rough = true;
		run->step_limit = evaluator->step_limit;
		run_once(run, box);
	}
	if (run->end == RUN_CUT && run->why)
		warp_assume(run, run->cut_at, "%s", run->why);
	if (run->end != RUN_SPLIT)
		events_align(run, 0, run->polynomial);
}

/* ---- sums over boxes ----------------------------------------------------------------------------- */

/* The part of the box that the run speaks for. */
static struct box covered_box(const struct run *run, const struct box *box)
{
	struct box covered = *box;

	for (uint32_t axis = 0; axis < LAUNCH_AXES; axis++)
		if (run->launch_axis[axis] != NO_AXIS)
			covered.count[axis] = run->axes[run->launch_axis[axis]].count;
	return covered;
}

static double box_volume(const struct box *box)
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
static void add_counts(struct run *run, double *totals, double volume, double weight)
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
static bool add_polynomial(struct run *run, const struct box *covered, double *totals)
{
	struct lattice lattice = lattice_of(run, covered);
	uint32_t point[LAUNCH_AXES] = {0};
	size_t total = run->evaluator->layout.total;
	double *sum = arena_array(run->evaluator->scratch, total, sizeof(double));

	do {
		struct box fixed = box_at(covered, &lattice, point), done;

		run_box(run, &fixed);
		done = covered_box(run, &fixed);
		if (run->end == RUN_SPLIT || !same_extent(&fixed, &done))
			return false;
		add_counts(run, sum, box_volume(&done), lattice_weight(&lattice, point));
	} while (lattice_next(&lattice, point));
	for (size_t i = 0; i < total; i++)
		totals[i] += sum[i];
	return true;
}

/* ---- covering the launch -------------------------------------------------------------------------- */

static void push_box(struct evaluator *evaluator, struct boxes *boxes, const struct box *box)
{
	if (box_volume(box) > 0)
		ARENA_PUSH(evaluator->scratch, boxes->list, boxes->count, *box);
}

/* What is left of a box beside the covered corner. */
static void push_rest(struct evaluator *evaluator, struct boxes *boxes, const struct box *box, const struct box *covered)
{
	struct box rest = *box;

	for (uint32_t axis = 0; axis < LAUNCH_AXES; axis++) {
		struct box slab = rest;

		slab.start[axis] += covered->count[axis] * box->step[axis];
		slab.count[axis] -= covered->count[axis];
		push_box(evaluator, boxes, &slab);
		rest.count[axis] = covered->count[axis];
	}
}

/* Every period-th position of an axis becomes a box of its own. */
static void push_split(struct run *run, struct boxes *boxes, const struct box *box)
{
	uint32_t axis = 0;

	while (run->launch_axis[axis] != run->split_axis)
		axis++;
	for (int64_t phase = (int64_t)run->split_period; phase-- > 0;) {
		struct box part = *box;

		part.start[axis] += phase * box->step[axis];
		part.step[axis] *= (int64_t)run->split_period;
		part.count[axis] = (box->count[axis] - phase + (int64_t)run->split_period - 1) / (int64_t)run->split_period;
		push_box(run->evaluator, boxes, &part);
	}
}

static void cover_box(struct run *run, struct boxes *boxes, double *totals)
{
	struct box box = boxes->list[--boxes->count], covered;

	run_box(run, &box);
	if (run->end == RUN_SPLIT) {
		push_split(run, boxes, &box);
		return;
	}
	covered = covered_box(run, &box);
	if (!(run->polynomial & run->active) || !run->bent) {
		add_counts(run, totals, box_volume(&covered), 1.0);
	} else if (!add_polynomial(run, &covered, totals)) {
		struct box single = covered;

		memset(single.count, 0, sizeof(single.count));
		for (uint32_t axis = 0; axis < LAUNCH_AXES; axis++)
			single.count[axis] = 1;
		run_box(run, &single);
		add_counts(run, totals, 1.0, 1.0);
		covered = single;
	}
	push_rest(run->evaluator, boxes, &box, &covered);
}

/* The single warp at a position in the list of boxes. */
static struct box sample_box(const struct boxes *boxes, double position)
{
	struct box sample;
	size_t i = 0;

	while (i + 1 < boxes->count && position >= box_volume(&boxes->list[i]))
		position -= box_volume(&boxes->list[i++]);
	sample = boxes->list[i];
	for (uint32_t axis = 0; axis < LAUNCH_AXES; axis++) {
		double count = (double)sample.count[axis], offset = fmod(floor(position), count);

		sample.start[axis] += (int64_t)offset * sample.step[axis];
		position = (position - offset) / count;
		sample.count[axis] = 1;
	}
	return sample;
}

static double volume_left(const struct boxes *boxes)
{
	double volume = 0;

	for (size_t i = 0; i < boxes->count; i++)
		volume += box_volume(&boxes->list[i]);
	return volume;
}

/* The warps of the boxes that are left are represented by some of them. */
static void sample_rest(struct run *run, const struct boxes *boxes, double *totals, size_t runs)
{
	struct evaluator *evaluator = run->evaluator;
	double volume, each, *sum;
	size_t samples = (size_t)(SAMPLE_STEPS * (double)(runs + 1) / (double)(evaluator->result->steps + 1));

	volume = volume_left(boxes);
	samples = samples < LEAST_SAMPLES ? LEAST_SAMPLES : samples > MOST_SAMPLES ? MOST_SAMPLES : samples;
	if ((double)samples > volume)
		samples = (size_t)volume;
	each = volume / (double)samples;
	sum = arena_array(evaluator->scratch, evaluator->layout.total, sizeof(double));
	for (size_t i = 0; i < samples; i++) {
		struct box sample = sample_box(boxes, ((double)i + 0.5) * each);

		run_box(run, &sample);
		add_counts(run, sum, 1.0, 1.0);
	}
	for (size_t i = 0; i < evaluator->layout.total; i++)
		totals[i] += sum[i] * volume / (double)samples;
	evaluator->result->exact = false;
	evaluator->result->sampled = volume / evaluator->result->warps;
}

static void totals_fill(struct evaluator *evaluator, const double *totals)
{
	const struct plan *plan = evaluator->plan;
	const struct ptx_function *function = plan->function;
	struct evaluation *result = evaluator->result;

	for (uint32_t i = 0; i < plan->block_count; i++) {
		const double *block = &totals[evaluator->layout.blocks + 2 * (size_t)i];

		result->warp_instructions += block[0] * plan->blocks[i].insn_count;
		for (uint32_t j = 0; j < function->cfg->blocks[i].count; j++) {
			struct insn_totals *insn = &result->insns[function->cfg->blocks[i].first + j];

			insn->issued = insn->executions = block[0];
			insn->lanes = block[1];
		}
	}
	for (uint32_t i = 0; i < plan->slot_count; i++) {
		const double *slot = &totals[evaluator->layout.slots + (size_t)i * SLOT_COUNTS];
		struct insn_totals *insn = &result->insns[plan->slot_insn[i]];

		insn->executions = slot[SLOT_EXECUTIONS];
		insn->lanes = slot[SLOT_LANES];
		insn->sectors = slot[SLOT_SECTORS];
		insn->lines = slot[SLOT_LINES];
		insn->wavefronts = slot[SLOT_WAVEFRONTS];
		insn->conflicts = slot[SLOT_CONFLICTS];
		insn->addresses = slot[SLOT_ADDRESSES];
		insn->known = slot[SLOT_EXECUTIONS] > 0 ? slot[SLOT_KNOWN] / slot[SLOT_EXECUTIONS] : 0;
	}
	for (uint32_t i = 0; i < function->cfg->loop_count; i++) {
		result->loops[i].entries = totals[evaluator->layout.loops + 2 * (size_t)i];
		result->loops[i].trips = totals[evaluator->layout.loops + 2 * (size_t)i + 1];
	}
	result->warp_instructions += totals[evaluator->layout.instructions];
	result->divergent_branches = totals[evaluator->layout.divergent];
}

/* Whether going on like this covers the launch within the steps allowed. */
static bool is_promising(const struct evaluator *evaluator, double left)
{
	const struct evaluation *result = evaluator->result;
	double covered = result->warps - left;

	return result->steps < EARLY_STEPS ||
	       (double)result->steps * left <= covered * 4.0 * (double)(evaluator->step_limit - result->steps);
}

static void layout_counts(struct evaluator *evaluator)
{
	struct layout_of_counts *layout = &evaluator->layout;
	const struct plan *plan = evaluator->plan;

	layout->instructions = 0;
	layout->divergent = 1;
	layout->blocks = 2;
	layout->loops = layout->blocks + 2 * (size_t)plan->block_count;
	layout->slots = layout->loops + 2 * (size_t)plan->function->cfg->loop_count;
	layout->total = layout->slots + (size_t)plan->slot_count * SLOT_COUNTS;
}

void launch_prepare(struct evaluator *evaluator)
{
	const struct evaluate_input *input = evaluator->input;

	evaluator->assumed = arena_array(evaluator->scratch, input->function->insn_count + 1, sizeof(bool));
	evaluator->step_limit = input->step_limit ? input->step_limit : DEFAULT_STEPS;
	evaluator->plan = plan_make(evaluator, input->function);
	layout_counts(evaluator);
	group_warps(evaluator);
}

struct run *run_make(struct evaluator *evaluator)
{
	struct run *run = arena_alloc(evaluator->scratch, sizeof(*run));

	run->evaluator = evaluator;
	run->counts = arena_array(evaluator->scratch, evaluator->layout.total, sizeof(double));
	run->memories = arena_array(evaluator->scratch, evaluator->plan->function->cfg->loop_count, sizeof(*run->memories));
	run->step_limit = evaluator->step_limit;
	set_constants(run);
	return run;
}

void launch_evaluate(struct evaluator *evaluator)
{
	struct run *run = run_make(evaluator);
	double *totals = arena_array(evaluator->scratch, evaluator->layout.total, sizeof(double));
	const uint32_t *grid = evaluator->input->grid;
	struct boxes boxes = {0};
	size_t runs = 0;

	for (uint32_t i = 0; i < evaluator->group_count; i++) {
		const struct warp_group *group = &evaluator->groups[i];
		struct box box = {.group = i, .step = {1, 1, 1, 1, 1, 1},
		                  .count = {grid[0], grid[1], grid[2], group->count[0], group->count[1], group->count[2]}};

		evaluator->result->warps += box_volume(&box);
		push_box(evaluator, &boxes, &box);
	}
	while (boxes.count && boxes.count < MOST_BOXES && evaluator->result->steps < evaluator->step_limit) {
		if (runs % 64 == 63 && !is_promising(evaluator, volume_left(&boxes)))
			break;
		cover_box(run, &boxes, totals);
		runs++;
	}
	if (boxes.count)
		sample_rest(run, &boxes, totals, runs);
	totals_fill(evaluator, totals);
}
