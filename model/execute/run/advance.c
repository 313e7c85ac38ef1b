/*
 * Loops advanced: what one followed trip says is done for all trips that are like it.
 */
#include "model/execute/run/loops.h"

/* A register grows by so much in each of `periods` periods, and by the trips' slopes along the outer axes. */
void advance_register(struct run *run, const struct loop_frame *frame, struct activation *activation, uint32_t reg,
                      uint64_t delta, int64_t periods)
{
	const struct compute_place place = activation_place(run, activation);
	const struct warp_value *value = &activation->registers[reg];
	struct warp_value grown;

	if (!delta || value_is_predicate(value) || value->doubt == UNKNOWN)
		return;
	value_combine(&run->axes, &grown, value, 1, NULL, 0, delta * (uint64_t)periods, value->bits);
	for (uint32_t axis = 0; axis < run->axes.count; axis++)
		if (run->axes.active >> axis & 1)
			grown.slope[axis] = value_signed(
				(uint64_t)grown.slope[axis] + (uint64_t)frame->repeat.slope[axis] * delta, grown.bits);
	compute_write(&place, reg, &grown, frame->mask, frame->mask);
}

static void advance_registers(struct run *run, struct loop_frame *frame, struct activation *activation, int64_t periods)
{
	for (uint32_t reg = 0; reg < activation->plan->register_count; reg++)
		if (frame_is_live(frame, reg))
			advance_register(run, frame, activation, reg, (uint64_t)frame->mark.delta[reg], periods);
	frame->trips += (uint64_t)periods * frame->period;
}

/* Marks the axes along which the number of trips changes. */
void advance_note_slopes(struct run *run, const struct loop_frame *frame)
{
	bool any = false;

	for (uint32_t axis = 0; axis < run->axes.count; axis++) {
		if (!(run->axes.active >> axis & 1) || !frame->repeat.slope[axis])
			continue;
		any = true;
		run->axes.list[axis].polynomial = true;
		if (axis < run->axes.launch_count)
			run->axes.polynomial |= 1u << axis;
	}
	axes_raise_degree(&run->axes, run->axes.degree + any);
	axes_raise_degree(&run->axes, frame->outer_degree);
}

/*
 * Trips that change along launch axes make the counts grow along them. Where counts within the trip do so already, or
 * are polynomials, the whole is no longer linear. Requires that the counts of the followed trip stand apart.
 */
void advance_note_gradients(struct run *run, const struct loop_frame *frame, bool polynomial)
{
	run->counting.bent |= frame->mark.gradient_changes != run->counting.gradient_changes;
	for (uint32_t axis = 0; axis < run->axes.launch_count; axis++) {
		double slope = (double)frame->repeat.slope[axis];

		if (!(run->axes.active >> axis & 1) || frame->repeat.slope[axis] == 0)
			continue;
		run->counting.bent |= polynomial || run->axes.count > run->axes.launch_count;
		run->counting.gradient_changes++;
		counts_add(counting_gradient(&run->counting, axis), &run->counting.counts, slope);
	}
}

/* The one trip that was followed, whose counts stand apart, stands for `trips` of them. */
static void count_alike(struct run *run, struct loop_frame *frame, int64_t trips)
{
	struct trips all = frame->repeat;

	all.count = trips;
	advance_note_gradients(run, frame, false);
	events_repeat(&run->counting, frame->axis, &all);
	footprints_repeat(&run->counting, frame->axis, &all);
	counts_scale(&run->counting.counts, (double)trips);
	advance_note_slopes(run, frame);
}

/* All trips are alike, but for those in which something changes: these are run. */
void advance_alike(struct run *run, struct loop_frame *frame, struct activation *activation)
{
	count_alike(run, frame, frame->repeat.count);
	advance_registers(run, frame, activation, frame->repeat.count - 1);
	frame_restart(run, frame);
}

/* The block that follows the loop when its last branch, from `entry->from`, does not go back; PTX_NO_BASIC_BLOCK: it is
 * none such. */
uint32_t advance_exit(const struct loop_frame *frame, const struct activation *activation, const struct entry *entry)
{
	const struct plan_block *latch = &activation->plan->blocks[entry->from];
	uint32_t exit = latch->target == entry->block ? latch->fall : latch->target;

	if (!latch->branch || latch->branch->insn->operation != OP_bra || latch->branch->guard == NO_INDEX ||
	    latch->fall == latch->target || (latch->fall != entry->block && latch->target != entry->block))
		return PTX_NO_BASIC_BLOCK;
	return plan_in_loop(activation->plan, exit, frame->loop) ? PTX_NO_BASIC_BLOCK : exit;
}

/*
 * The comparison that decides whether the loop goes on, where nothing else needs to be known of the last trip: the
 * guard of the last branch is not read behind the loop, and what is read there is linear. NO_INDEX where there is none.
 */
uint32_t advance_exit_comparison(const struct loop_frame *frame, const struct activation *activation,
                                 const struct entry *entry, uint32_t exit)
{
	const struct plan *plan = activation->plan;
	uint32_t guard;

	if (exit == PTX_NO_BASIC_BLOCK)
		return NO_INDEX;
	guard = plan->blocks[entry->from].branch->guard;
	if (plan_set_has(plan->blocks[exit].live, guard) || activation->registers[guard].doubt)
		return NO_INDEX;
	for (uint32_t reg = 0; reg < plan->register_count; reg++)
		if (plan_set_has(plan->blocks[exit].live, reg) && activation->registers[reg].curved >> frame->axis & 1)
			return NO_INDEX;
	return activation->registers[guard].origin;
}

/* An edge is gone over once more, or once less, by the warp. */
static void correct_edge(struct run *run, const struct loop_frame *frame, const struct entry *entry, uint32_t to,
                         double sign)
{
	struct flow_counts *counts = counts_edge(&run->counting.counts, entry->from, to);

	counts->executions += sign * entry->weight;
	counts->lanes += sign * entry->weight * value_count(frame->mask);
}

/* The guarded branch back was counted as in every other trip; in the last one it goes the other way. */
static void count_last_branch(struct run *run, const struct loop_frame *frame, const struct activation *activation,
                              const struct entry *entry, uint32_t exit)
{
	const struct plan_block *latch = &activation->plan->blocks[entry->from];
	struct insn_counts *counts;
	double sign = latch->target == entry->block ? -1 : 1;

	if (activation->caller)
		return;
	counts = counts_insn(&run->counting.counts, latch->branch->slot);
	counts->executions += sign * entry->weight;
	counts->lanes += sign * entry->weight * value_count(frame->mask);
	correct_edge(run, frame, entry, entry->block, -1);
	correct_edge(run, frame, entry, exit, 1);
}

/* The last trip is like all others, but that it leaves the loop: control goes on behind it. */
void advance_out(struct run *run, struct loop_frame *frame, struct activation *activation, struct entry *entry,
                 uint32_t exit)
{
	const uint64_t *live = activation->plan->blocks[exit].live;

	count_alike(run, frame, frame->repeat.count + 1);
	count_last_branch(run, frame, activation, entry, exit);
	for (uint32_t reg = 0; reg < activation->plan->register_count; reg++)
		if (plan_set_has(live, reg))
			advance_register(run, frame, activation, reg,
			                 (uint64_t)activation->registers[reg].slope[frame->axis], frame->repeat.count);
	frame->state = FRAME_PLAIN;
	loop_leave(run, activation, exit);
	entry->block = exit;
}

/* Counts of the sampled periods are continued as polynomials. */
void advance_polynomial(struct run *run, struct loop_frame *frame, struct activation *activation)
{
	unsigned degree = frame->wanted;

	counts_continue(&run->counting.counts, frame->mark.counts, degree, (double)frame->repeat.count);
	advance_registers(run, frame, activation, frame->repeat.count - 1 - degree);
	frame_restart(run, frame);
}

/*
 * Trips that differ in scattered addresses alone: some, spread over all, stand for those between, each for half of the
 * way to its neighbours. How far it is to the next one varies with the number of the sample's warp.
 */
void advance_window(struct run *run, struct loop_frame *frame, struct activation *activation)
{
	int64_t left = frame->repeat.count, ahead = left, stands;
	bool slopes = false;

	for (uint32_t axis = 0; axis < run->axes.count; axis++)
		slopes |= (run->axes.active >> axis & 1) && frame->repeat.slope[axis];
	if (!frame->window.left)
		frame->window.left = WINDOW_TRIPS;
	if (--frame->window.left && !slopes && left > WINDOW_LONG_SPAN)
		ahead = (int64_t)((double)left / (frame->window.left + 1) *
		                  (0.5 + content_fraction(run->place.draw * WINDOW_TRIPS + frame->window.left))) +
		        1;
	else
		frame->window.left = 0;
	stands = frame->window.left ? ahead - ahead / 2 : ahead;
	run->evaluator->shortened = run->counting.inexact = true;
	frame->repeat.count = ahead;
	count_alike(run, frame, stands + frame->window.owed);
	frame->window.owed = ahead - stands;
	advance_registers(run, frame, activation, ahead - 1);
	frame_restart(run, frame);
}
