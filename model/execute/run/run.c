/*
 * A run: made once, begun for each box at its first warp, ended at the part of the box that it speaks for.
 */
#include "model/execute/run/loops.h"

static int64_t axis_slope(const struct run *run, uint32_t axis, int64_t slope)
{
	return slope * run->place.box->step[axis];
}

/* Thread id along one dimension: by lane, and growing along the warp axes. */
static void set_thread(struct run *run, unsigned dimension, struct warp_value *value)
{
	const struct warp_group *group = &run->evaluator->groups[run->place.box->group];
	int64_t moved = 0;

	for (uint32_t axis = 3; axis < LAUNCH_AXES; axis++)
		moved += run->place.box->start[axis] * group->thread_slope[axis - 3][dimension];
	value_combine(&run->axes, value, &group->thread[dimension], 1, NULL, 0, (uint64_t)moved, 32);
	for (uint32_t axis = 3; axis < LAUNCH_AXES; axis++)
		if (run->axes.launch[axis] != NO_AXIS)
			value->slope[run->axes.launch[axis]] =
				axis_slope(run, axis, group->thread_slope[axis - 3][dimension]);
}

static void set_warp(struct run *run, struct warp_value *value)
{
	const struct warp_group *group = &run->evaluator->groups[run->place.box->group];
	uint32_t warp = group->first_warp;

	value_set(value, 32, 0);
	for (uint32_t axis = 3; axis < LAUNCH_AXES; axis++) {
		warp += (uint32_t)(run->place.box->start[axis] * group->warp_slope[axis - 3]);
		if (run->axes.launch[axis] != NO_AXIS)
			value->slope[run->axes.launch[axis]] = axis_slope(run, axis, group->warp_slope[axis - 3]);
	}
	value->base = warp;
}

static void set_block(struct run *run)
{
	for (uint32_t axis = 0; axis < 3; axis++) {
		struct warp_value *value = &run->place.specials[SPECIAL_CTAID_X + axis];

		value_set(value, 32, (uint64_t)run->place.box->start[axis]);
		if (run->axes.launch[axis] != NO_AXIS)
			value->slope[run->axes.launch[axis]] = axis_slope(run, axis, 1);
	}
}

/* %lanemask_eq, _le, _lt, _ge, _gt, which differ by lane. */
static void set_lane_masks(struct run *run)
{
	for (unsigned which = 0; which < 5; which++) {
		struct warp_value *value = &run->place.specials[SPECIAL_LANEMASK_EQ + which];

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
		value_set_unknown(&run->place.specials[i], 32, SHIFTED, NO_INDEX);
	for (unsigned dimension = 0; dimension < 3; dimension++) {
		value_set(&run->place.specials[SPECIAL_NTID_X + dimension], 32, input->block[dimension]);
		value_set(&run->place.specials[SPECIAL_NCTAID_X + dimension], 32, input->grid[dimension]);
	}
	value_set(&run->place.specials[SPECIAL_LANEID], 32, 0);
	run->place.specials[SPECIAL_LANEID].step = 1;
	value_set(&run->place.specials[SPECIAL_NWARPID], 32, (threads + WARP_LANES - 1) / WARP_LANES);
	set_lane_masks(run);
	value_set(&run->place.specials[SPECIAL_DYNAMIC_SHARED_SIZE], 32, input->dynamic_shared_bytes);
	value_set(&run->place.specials[SPECIAL_TOTAL_SHARED_SIZE], 32,
	          input->dynamic_shared_bytes + run->evaluator->plan->function->shared_bytes);
}

static void set_specials(struct run *run)
{
	for (unsigned dimension = 0; dimension < 3; dimension++)
		set_thread(run, dimension, &run->place.specials[SPECIAL_TID_X + dimension]);
	set_block(run);
	set_warp(run, &run->place.specials[SPECIAL_WARPID]);
}

static void run_begin(struct run *run, const struct box *box)
{
	run->place.box = box;
	run->axes.count = 0;
	run->axes.active = run->axes.polynomial = 0;
	for (uint32_t axis = 0; axis < LAUNCH_AXES; axis++) {
		run->axes.launch[axis] = NO_AXIS;
		if (box->count[axis] <= 1)
			continue;
		run->axes.launch[axis] = run->axes.count;
		run->axes.list[run->axes.count].count = box->count[axis];
		run->axes.list[run->axes.count].failed = run->axes.list[run->axes.count].polynomial = false;
		run->axes.active |= 1u << run->axes.count++;
	}
	run->axes.launch_count = run->axes.count;
	run->axes.degree = run->axes.comparisons = 0;
	run->axes.split = false;
	run->loops.frame_count = run->calls.depth = 0;
	run->effort.steps = 0;
	run->ending = (struct run_ending){.cut = false};
	run->uncertain = false;
	local_forget(run->local);
	for (struct activation *activation = run->calls.spare; activation; activation = activation->next)
		activation->busy = false;
	counting_clear(&run->counting);
	run->counting.rough = run->evaluator->rough;
	set_specials(run);
}

static void run_once(struct run *run, const struct box *box)
{
	run_begin(run, box);
	warp_run(run, activation_make(run, run->evaluator->plan, NULL), run->evaluator->groups[box->group].mask, 1.0);
	for (uint32_t i = 0; i < run->loops.frame_count; i++)
		frame_join_counts(run, &run->loops.frames[i]);
	run->evaluator->effort.steps += run->effort.steps;
}

void run_box(struct run *run, const struct box *box)
{
	struct evaluator *evaluator = run->evaluator;

	run->effort.limit = run_limit(evaluator);
	run_once(run, box);
	if (run_is_cut(run) && !evaluator->rough && !evaluator->random && run->effort.steps > run->effort.limit) {
		evaluator->rough = true;
		run_once(run, box);
	}
	run->ending.too_long |=
		run_is_cut(run) && evaluator->mode != MODE_SAMPLE && run->effort.steps > run->effort.limit;
	evaluator->cut |= run_is_cut(run) && evaluator->mode == MODE_SAMPLE;
	if (run_is_cut(run) && run->ending.why && !run->ending.too_long)
		warp_assume(run, run->ending.insn, "%s", run->ending.why);
	if (!run->axes.split)
		events_align(&run->counting, 0, run->axes.polynomial);
}

struct run *run_make(struct evaluator *evaluator)
{
	struct run *run = arena_alloc(evaluator->scratch, sizeof(*run));
	uint32_t loops = evaluator->plan->function->cfg->loop_count;

	run->evaluator = evaluator;
	run->axes.arena = run->counting.arena = evaluator->scratch;
	run->axes.launch_effort = &evaluator->effort;
	run->axes.warp_effort = &run->effort;
	run->counting.axes = &run->axes;
	run->counting.counts = counts_make(evaluator->scratch, &evaluator->layout);
	run->loops.memories = arena_array(evaluator->scratch, loops, sizeof(*run->loops.memories));
	run->loops.distance = arena_array(evaluator->scratch, loops, sizeof(double));
	run->loops.mean_distance = arena_array(evaluator->scratch, loops, sizeof(double));
	run->loops.entered = arena_array(evaluator->scratch, loops, sizeof(uint64_t));
	run->supposed = arena_array(evaluator->scratch, evaluator->plan->function->insn_count + 1, sizeof(bool));
	run->effort.limit = evaluator->effort.limit;
	run->counting.footprints.off = true;
	run->local = evaluator->plan->keeps_local ? local_make(evaluator->scratch) : NULL;
	set_constants(run);
	return run;
}
