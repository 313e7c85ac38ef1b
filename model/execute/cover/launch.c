/*
 * The whole launch: covered by boxes of warps that do the same.
 *
 * A run of a box' first warp ends with the part of the box for which it speaks; what is left is cut into boxes again. That is
 * exact, and ends after a few boxes where everything is linear. Where it would take more steps than are allowed:
 *   - when only addresses are in the way, which declared content scatters, the launch is covered once more by its shape: such
 *     addresses no longer end a box. All executions are exact then; what the scattered requests touch is measured on a sample of
 *     warps, as a ratio to their executions (sample.c);
 *   - else a sample of warps stands for the boxes that are left.
 */
#include "model/execute/internal.h"

#include <string.h>

#define DEFAULT_STEPS 200000 /* a step takes some 100 ns; what is linear ends after few of them */
#define WARP_SHARE 3         /* one part in so many is for a single warp */
#define EARLY_SHARE 40       /* after one part in so many it is asked whether to go on */
#define RANDOM_SHARE 50      /* one part in so many is for either where content scatters what warps do */
#define NEARLY 0.02
#define MOST_BOXES 100000

/* ---- one run ---------------------------------------------------------------------------------- */

static int64_t axis_slope(const struct run *run, uint32_t axis, int64_t slope)
{
	return slope * run->box->step[axis];
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
	run->uncertain = run->inexact = run->too_long = false;
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

/* Steps that one warp may take. */
static uint64_t warp_limit(const struct evaluator *evaluator)
{
	if (evaluator->mode == MODE_SAMPLE)
		return evaluator->sample_limit;
	return evaluator->step_limit / (evaluator->random ? RANDOM_SHARE : WARP_SHARE) + 1;
}

void run_is_random(struct run *run)
{
	if (run->evaluator->random)
		return;
	run->evaluator->random = true;
	run->step_limit = warp_limit(run->evaluator);
}

void run_box(struct run *run, const struct box *box)
{
	struct evaluator *evaluator = run->evaluator;

	run->step_limit = warp_limit(evaluator);
	run_once(run, box);
	if (run->end == RUN_CUT && !evaluator->rough && !evaluator->random && run->steps > run->step_limit) {
		evaluator->rough = true;
		run_once(run, box);
	}
	run->too_long |= run->end == RUN_CUT && evaluator->mode != MODE_SAMPLE && run->steps > run->step_limit;
	evaluator->cut |= run->end == RUN_CUT && evaluator->mode == MODE_SAMPLE;
	if (run->end == RUN_CUT && run->why && !run->too_long)
		warp_assume(run, run->cut_at, "%s", run->why);
	if (run->end != RUN_SPLIT)
		events_align(run, 0, run->polynomial);
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

/* Covers a part of the last box. Returns false, with the box left as it is, where one warp alone takes too long. */
static bool cover_box(struct run *run, struct boxes *boxes, double *totals)
{
	struct box box = boxes->list[--boxes->count], covered;

	run_box(run, &box);
	if (run->too_long) {
		boxes->count++;
		return false;
	}
	if (run->end == RUN_SPLIT) {
		push_split(run, boxes, &box);
		return true;
	}
	covered = box_covered(run, &box);
	if (!(run->polynomial & run->active) || !run->bent) {
		counts_add(run, totals, box_volume(&covered), 1.0);
	} else if (!counts_add_polynomial(run, &covered, totals)) {
		struct box single = covered;

		memset(single.count, 0, sizeof(single.count));
		for (uint32_t axis = 0; axis < LAUNCH_AXES; axis++)
			single.count[axis] = 1;
		run_box(run, &single);
		counts_add(run, totals, 1.0, 1.0);
		covered = single;
	}
	push_rest(run->evaluator, boxes, &box, &covered);
	return true;
}

/* Warps in all boxes. */
static double volume_left(const struct boxes *boxes)
{
	double volume = 0;

	for (size_t i = 0; i < boxes->count; i++)
		volume += box_volume(&boxes->list[i]);
	return volume;
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

/* Steps that exactness may cost. */
static uint64_t exact_limit(const struct evaluator *evaluator)
{
	return evaluator->random ? 2 * evaluator->step_limit / RANDOM_SHARE : evaluator->step_limit;
}

/* Whether going on like this covers the launch within the steps allowed. */
static bool is_promising(const struct evaluator *evaluator, double left)
{
	const struct evaluation *result = evaluator->result;
	double covered = result->warps - left, steps = (double)result->steps, limit = (double)exact_limit(evaluator);

	return result->steps < evaluator->step_limit / (evaluator->random ? RANDOM_SHARE : EARLY_SHARE) ||
	       steps * left <= covered * 4.0 * (limit - steps);
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
	uint32_t loops = evaluator->plan->function->cfg->loop_count;

	run->evaluator = evaluator;
	run->counts = arena_array(evaluator->scratch, evaluator->layout.total, sizeof(double));
	run->memories = arena_array(evaluator->scratch, loops, sizeof(*run->memories));
	run->distance = arena_array(evaluator->scratch, loops, sizeof(double));
	run->mean_distance = arena_array(evaluator->scratch, loops, sizeof(double));
	run->entered = arena_array(evaluator->scratch, loops, sizeof(uint64_t));
	run->step_limit = evaluator->step_limit;
	set_constants(run);
	return run;
}

/* The whole launch: a box for each group of warps. */
static struct boxes launch_boxes(struct evaluator *evaluator)
{
	const uint32_t *grid = evaluator->input->grid;
	struct boxes boxes = {0};

	for (uint32_t i = 0; i < evaluator->group_count; i++) {
		const struct warp_group *group = &evaluator->groups[i];
		struct box box = {.group = i,
		                  .step = {1, 1, 1, 1, 1, 1},
		                  .count = {grid[0], grid[1], grid[2], group->count[0], group->count[1], group->count[2]}};

		push_box(evaluator, &boxes, &box);
	}
	return boxes;
}

/* Covers boxes until none is left, or it is plain that the steps allowed are too few. */
static void cover_boxes(struct run *run, struct boxes *boxes, double *totals, uint64_t limit)
{
	struct evaluator *evaluator = run->evaluator;
	uint64_t end = evaluator->result->steps + limit;

	for (size_t runs = 0; boxes->count && boxes->count < MOST_BOXES && evaluator->result->steps < end; runs++) {
		bool exact = evaluator->mode == MODE_EXACT;

		if (exact && evaluator->result->steps >= exact_limit(evaluator))
			return;
		if (exact && runs % 16 == 15 && !is_promising(evaluator, volume_left(boxes)))
			return;
		if (!cover_box(run, boxes, totals))
			return;
	}
}

/* Covers the launch by its shape. Returns false where that takes too long as well. */
static bool cover_shape(struct run *run, double *totals)
{
	struct evaluator *evaluator = run->evaluator;
	struct boxes boxes = launch_boxes(evaluator);
	double *sum = arena_array(evaluator->scratch, evaluator->layout.total, sizeof(double));

	evaluator->mode = MODE_SHAPE;
	evaluator->scattered = arena_array(evaluator->scratch, evaluator->plan->slot_count + 1, sizeof(bool));
	cover_boxes(run, &boxes, sum, evaluator->step_limit / RANDOM_SHARE);
	if (boxes.count)
		return false;
	memcpy(totals, sum, evaluator->layout.total * sizeof(double));
	return true;
}

/* A sample stands for what is left of the launch; for all of it where that is nearly the same. */
static void cover_rest(struct run *run, const struct boxes *left, const struct boxes *all, double *totals)
{
	bool nearly = volume_left(left) > (1 - NEARLY) * run->evaluator->result->warps;

	if (nearly)
		memset(totals, 0, run->evaluator->layout.total * sizeof(double));
	sample_rest(run, nearly ? all : left, totals);
}

void launch_evaluate(struct evaluator *evaluator)
{
	struct run *run = run_make(evaluator);
	double *totals = arena_array(evaluator->scratch, evaluator->layout.total, sizeof(double));
	struct boxes boxes = launch_boxes(evaluator), all = launch_boxes(evaluator);

	evaluator->result->warps = volume_left(&boxes);
	cover_boxes(run, &boxes, totals, evaluator->step_limit);
	if (boxes.count && evaluator->scatters && cover_shape(run, totals))
		sample_scattered(run, &all, totals);
	else if (boxes.count)
		cover_rest(run, &boxes, &all, totals);
	totals_fill(evaluator, totals);
}
