/*
 * The whole launch: covered by boxes of warps that do the same; the totals of its instructions, blocks, edges and
 * loops.
 */
#include "model/execute/cover/cover.h"

#include <string.h>

/* ---- covering the launch -------------------------------------------------------------------------- */

static void push_box(struct evaluator *evaluator, struct boxes *boxes, const struct box *box)
{
	if (cover_volume(box) > 0)
		ARENA_PUSH(evaluator->scratch, boxes->list, boxes->count, *box);
}

/* What is left of a box beside the covered corner. */
static void push_rest(struct evaluator *evaluator, struct boxes *boxes, const struct box *box,
                      const struct box *covered)
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

	while (run->axes.launch[axis] != run->axes.split_axis)
		axis++;
	for (int64_t phase = (int64_t)run->axes.split_period; phase-- > 0;) {
		struct box part = *box;

		part.start[axis] += phase * box->step[axis];
		part.step[axis] *= (int64_t)run->axes.split_period;
		part.count[axis] = (box->count[axis] - phase + (int64_t)run->axes.split_period - 1) /
		                   (int64_t)run->axes.split_period;
		push_box(run->evaluator, boxes, &part);
	}
}

/* Covers a part of the last box. Returns false, with the box left as it is, where one warp alone takes too long. */
static bool cover_box(struct run *run, struct boxes *boxes, const struct tally *totals)
{
	struct box box = boxes->list[--boxes->count], covered;

	run_box(run, &box);
	if (run->ending.too_long) {
		boxes->count++;
		return false;
	}
	if (run->axes.split) {
		push_split(run, boxes, &box);
		return true;
	}
	covered = cover_covered(run, &box);
	if (!(run->axes.polynomial & run->axes.active) || !run->counting.bent) {
		cover_add(run, totals, cover_volume(&covered), 1.0);
	} else if (!cover_add_polynomial(run, &covered, totals)) {
		struct box single = covered;

		memset(single.count, 0, sizeof(single.count));
		for (uint32_t axis = 0; axis < LAUNCH_AXES; axis++)
			single.count[axis] = 1;
		run_box(run, &single);
		cover_add(run, totals, 1.0, 1.0);
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
		volume += cover_volume(&boxes->list[i]);
	return volume;
}

static void fill_insn(struct insn_totals *insn, const struct insn_counts *slot)
{
	insn->executions = slot->executions;
	insn->lanes = slot->lanes;
	insn->sectors = slot->sectors;
	insn->lines = slot->lines;
	insn->wavefronts = slot->wavefronts;
	insn->conflicts = slot->conflicts;
	insn->addresses = slot->addresses;
	insn->known = slot->executions > 0 ? slot->known / slot->executions : 0;
}

static uint32_t edge_target(const struct ptx_basic_block *block, uint32_t i)
{
	return i < 2 ? block->successors[i] : block->targets[i - 2];
}

/* Whether the i-th edge leads where an earlier one does, with which it is counted. */
static bool edge_is_again(const struct ptx_basic_block *block, uint32_t i)
{
	for (uint32_t before = 0; before < i; before++)
		if (edge_target(block, before) == edge_target(block, i))
			return true;
	return false;
}

static void fill_block(struct evaluation *result, const struct tally *totals, uint32_t index)
{
	const struct ptx_basic_block *block = &totals->layout->plan->function->cfg->blocks[index];
	const struct flow_counts *counts = counts_block(totals, index);

	result->blocks[index].flow = (struct flow_totals){counts->executions, counts->lanes};
	for (uint32_t i = 0; i < 2 + block->target_count; i++) {
		const struct flow_counts *edge = counts_edge(totals, index, edge_target(block, i));

		if (edge && !edge_is_again(block, i))
			result->blocks[index].edges[i] = (struct flow_totals){edge->executions, edge->lanes};
	}
	for (uint32_t i = block->first; i < block->first + block->count; i++) {
		result->insns[i].issued = result->insns[i].executions = counts->executions;
		result->insns[i].lanes = counts->lanes;
	}
}

static void fill_result(struct evaluator *evaluator, const struct tally *totals)
{
	const struct plan *plan = evaluator->plan;
	struct evaluation *result = evaluator->result;

	for (uint32_t i = 0; i < plan->block_count; i++) {
		result->warp_instructions += counts_block(totals, i)->executions * plan->blocks[i].insn_count;
		fill_block(result, totals, i);
	}
	for (uint32_t i = 0; i < plan->slot_count; i++)
		fill_insn(&result->insns[plan->slot_insn[i]], counts_insn(totals, i));
	for (uint32_t i = 0; i < plan->function->cfg->loop_count; i++) {
		result->loops[i].entries = counts_loop(totals, i)->entries;
		result->loops[i].trips = counts_loop(totals, i)->trips;
	}
	result->warp_instructions += *counts_called(totals);
	result->divergent_branches = *counts_divergent(totals);
	result->steps = evaluator->effort.steps;
}

/* Steps that exactness may cost. */
static uint64_t exact_limit(const struct evaluator *evaluator)
{
	return evaluator->random ? 2 * evaluator->effort.limit / EFFORT_RANDOM_SHARE : evaluator->effort.limit;
}

/*
 * Whether going on like this covers the launch within the steps allowed. At first it may look too dear; but where
 * scattered addresses end the boxes, which do not grow then, only by as much as is left of the time to find out.
 */
static bool is_promising(const struct evaluator *evaluator, double left)
{
	double covered = evaluator->result->warps - left, steps = (double)evaluator->effort.steps,
	       limit = (double)exact_limit(evaluator), dear = steps * left,
	       affordable = covered * EFFORT_PROMISE * (limit - steps);
	double early = (double)evaluator->effort.limit / (evaluator->random ? EFFORT_RANDOM_SHARE : EFFORT_EARLY_SHARE);

	if (steps < early)
		return !evaluator->random || !evaluator->scatters || dear * steps <= affordable * early;
	return dear <= affordable;
}

void cover_prepare(struct evaluator *evaluator)
{
	const struct evaluate_input *input = evaluator->input;

	evaluator->assumed = arena_array(evaluator->scratch, input->function->insn_count + 1, sizeof(bool));
	evaluator->effort.limit = input->step_limit ? input->step_limit : EFFORT_STEPS;
	evaluator->plans = (struct plans){.arena = evaluator->scratch, .input = input};
	evaluator->plan = plan_make(&evaluator->plans, input->function);
	counts_shape_make(evaluator->scratch, evaluator->plan, &evaluator->layout);
	cover_groups(evaluator);
}

/* The whole launch: a box for each group of warps. */
static struct boxes launch_boxes(struct evaluator *evaluator)
{
	const struct evaluate_input *input = evaluator->input;
	const uint32_t *first = input->first_block;
	int64_t grid[3];
	struct boxes boxes = {0};

	for (unsigned axis = 0; axis < 3; axis++)
		grid[axis] = input->block_count[axis] ? input->block_count[axis] : input->grid[axis];
	for (uint32_t i = 0; i < evaluator->group_count; i++) {
		const struct warp_group *group = &evaluator->groups[i];
		struct box box = {
			.group = i,
			.start = {first[0], first[1], first[2], 0, 0, 0},
			.step = {1, 1, 1, 1, 1, 1},
			.count = {grid[0], grid[1], grid[2], group->count[0], group->count[1], group->count[2]}};

		push_box(evaluator, &boxes, &box);
	}
	return boxes;
}

/* After so many boxes it is asked whether to go on: sooner where scattered addresses end them. */
static bool is_asked(const struct evaluator *evaluator, size_t runs)
{
	bool early = evaluator->random && evaluator->scatters && runs > 1 && !(runs & (runs - 1));

	return runs % EFFORT_PROMISE_EVERY == EFFORT_PROMISE_EVERY - 1 || early;
}

/* Covers boxes until none is left, or it is plain that the steps allowed are too few. */
static void cover_boxes(struct run *run, struct boxes *boxes, const struct tally *totals, uint64_t limit)
{
	struct evaluator *evaluator = run->evaluator;
	uint64_t end = evaluator->effort.steps + limit;

	for (size_t runs = 0; boxes->count && boxes->count < EFFORT_MOST_BOXES && evaluator->effort.steps < end;
	     runs++) {
		bool exact = evaluator->mode == MODE_EXACT;

		if (exact && evaluator->effort.steps >= exact_limit(evaluator))
			return;
		if (exact && is_asked(evaluator, runs) && !is_promising(evaluator, volume_left(boxes)))
			return;
		if (!cover_box(run, boxes, totals))
			return;
	}
}

/* From here on what is touched is noted. */
static void footprints_note(struct run *run)
{
	struct evaluator *evaluator = run->evaluator;

	run->counting.footprints = (struct footprints){
		.list = arena_array(evaluator->scratch, FOOTPRINTS_MOST, sizeof(*run->counting.footprints.list)),
		.untracked = evaluator->result->untracked};
}

/* Nothing is known of what the launch touches; or, tracked, not yet. */
static void footprints_drop(struct run *run, bool tracked)
{
	struct evaluation *result = run->evaluator->result;

	result->footprint_count = 0;
	memset(result->untracked, !tracked, run->evaluator->input->function->insn_count * sizeof(*result->untracked));
	run->counting.footprints.off = !tracked;
}

/* Covers the launch by its shape. Returns false where that takes too long as well. */
static bool cover_shape(struct run *run, const struct tally *totals)
{
	struct evaluator *evaluator = run->evaluator;
	struct boxes boxes = launch_boxes(evaluator);
	struct tally sum = counts_make(evaluator->scratch, &evaluator->layout);

	evaluator->mode = MODE_SHAPE;
	footprints_drop(run, true);
	evaluator->scattered = arena_array(evaluator->scratch, evaluator->plan->slot_count + 1, sizeof(bool));
	cover_boxes(run, &boxes, &sum, evaluator->effort.limit / EFFORT_RANDOM_SHARE);
	if (boxes.count)
		return false;
	counts_copy(totals, &sum);
	return true;
}

/* Of an instruction of which some accesses lie in no footprint the others are of no use. */
static void footprints_trim(struct evaluation *result)
{
	size_t kept = 0;

	for (size_t i = 0; i < result->footprint_count; i++)
		if (!result->untracked[result->footprints[i].insn])
			result->footprints[kept++] = result->footprints[i];
	result->footprint_count = kept;
}

/* A sample stands for what is left of the launch; for all of it where that is nearly the same. */
static void cover_left(struct run *run, const struct boxes *left, const struct boxes *all, const struct tally *totals)
{
	bool nearly = volume_left(left) > (1 - EFFORT_NEARLY) * run->evaluator->result->warps;

	if (nearly)
		counts_clear(totals);
	cover_rest(run, nearly ? all : left, totals);
}

void cover_launch(struct evaluator *evaluator)
{
	struct run *run = run_make(evaluator);
	struct tally totals = counts_make(evaluator->scratch, &evaluator->layout);
	struct boxes boxes = launch_boxes(evaluator), all = launch_boxes(evaluator);

	evaluator->result->warps = volume_left(&boxes);
	footprints_note(run);
	cover_boxes(run, &boxes, &totals, evaluator->effort.limit);
	if (boxes.count && evaluator->scatters && cover_shape(run, &totals)) {
		run->counting.footprints.off = true;
		cover_scattered(run, &all, &totals);
	} else if (boxes.count) {
		footprints_drop(run, false);
		cover_left(run, &boxes, &all, &totals);
	}
	footprints_trim(evaluator->result);
	fill_result(evaluator, &totals);
}
