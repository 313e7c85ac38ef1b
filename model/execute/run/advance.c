/*
 * Loops advanced: what one followed trip says is done for all trips that are like it.
 */
#include "model/execute/internal.h"

/* A register grows by so much in each of `periods` periods, and by the trips' slopes along the outer axes. */
void advance_register(struct run *run, const struct frame *frame, struct activation *activation, uint32_t reg, uint64_t delta,
                      int64_t periods)
{
	const struct value *value = &activation->registers[reg];
	struct value grown;

	if (!delta || value_is_predicate(value) || value->doubt == UNKNOWN)
		return;
	value_combine(run, &grown, value, 1, NULL, 0, delta * (uint64_t)periods, value->bits);
	for (uint32_t axis = 0; axis < run->axis_count; axis++)
		if (run->active >> axis & 1)
			grown.slope[axis] =
				bits_signed((uint64_t)grown.slope[axis] + (uint64_t)frame->repeat.slope[axis] * delta, grown.bits);
	register_write(run, activation, reg, &grown, frame->mask, frame->mask);
}

static void advance_registers(struct run *run, struct frame *frame, struct activation *activation, int64_t periods)
{
	for (uint32_t reg = 0; reg < activation->plan->register_count; reg++)
		if (frame_is_live(frame, reg))
			advance_register(run, frame, activation, reg, (uint64_t)frame->delta[reg], periods);
	frame->trips += (uint64_t)periods * frame->period;
}

/* Marks the axes along which the number of trips changes. */
void advance_note_slopes(struct run *run, const struct frame *frame)
{
	bool any = false;

	for (uint32_t axis = 0; axis < run->axis_count; axis++) {
		if (!(run->active >> axis & 1) || !frame->repeat.slope[axis])
			continue;
		any = true;
		run->axes[axis].polynomial = true;
		if (axis < run->launch_count)
			run->polynomial |= 1u << axis;
	}
	raise_degree(run, run->degree + any);
	raise_degree(run, frame->outer_degree);
}

void frame_restart(struct run *run, struct frame *frame)
{
	frame->state = FRAME_PLAIN;
	frame->period = 1;
	frame_mark(run, frame);
}

/*
 * Trips that change along launch axes make the counts grow along them. Where counts within the trip do so already, or are
 * polynomials, the whole is no longer linear.
 */
void advance_note_gradients(struct run *run, const struct frame *frame, bool polynomial)
{
	run->bent |= frame->gradient_changes != run->gradient_changes;
	for (uint32_t axis = 0; axis < run->launch_count; axis++) {
		double slope = (double)frame->repeat.slope[axis], *gradient;

		if (!(run->active >> axis & 1) || frame->repeat.slope[axis] == 0)
			continue;
		run->bent |= polynomial || run->axis_count > run->launch_count;
		run->gradient_changes++;
		gradient = run_gradient(run, axis);
		for (size_t i = 0; i < run->evaluator->layout.total; i++)
			gradient[i] += slope * (run->counts[i] - frame->counts[0][i]);
	}
}

/* The one trip that was followed stands for `trips` of them. */
static void count_alike(struct run *run, struct frame *frame, int64_t trips)
{
	struct trips all = frame->repeat;
	double more = (double)(trips - 1);

	all.count = trips;
	advance_note_gradients(run, frame, false);
	events_repeat(run, frame->axis, &all);
	for (size_t i = 0; i < run->evaluator->layout.total; i++)
		run->counts[i] += more * (run->counts[i] - frame->counts[0][i]);
	advance_note_slopes(run, frame);
}

/* All trips are alike, but for those in which something changes: these are run. */
void advance_alike(struct run *run, struct frame *frame, struct activation *activation)
{
	count_alike(run, frame, frame->repeat.count);
	advance_registers(run, frame, activation, frame->repeat.count - 1);
	frame_restart(run, frame);
}

/* The block that follows the loop when its last branch, from `entry->from`, does not go back; PTX_NO_BASIC_BLOCK: it is none such. */
uint32_t advance_exit(const struct frame *frame, const struct activation *activation, const struct entry *entry)
{
	const struct plan_block *latch = &activation->plan->blocks[entry->from];
	uint32_t exit = latch->target == entry->block ? latch->fall : latch->target;

	if (!latch->branch || latch->branch->insn->operation != OP_bra || latch->branch->guard == NO_INDEX ||
	    latch->fall == latch->target || (latch->fall != entry->block && latch->target != entry->block))
		return PTX_NO_BASIC_BLOCK;
	return plan_in_loop(activation->plan, exit, frame->loop) ? PTX_NO_BASIC_BLOCK : exit;
}

/*
 * The comparison that decides whether the loop goes on, where nothing else needs to be known of the last trip: the guard
 * of the last branch is not read behind the loop, and what is read there is linear. NO_INDEX where there is none.
 */
uint32_t advance_exit_comparison(const struct frame *frame, const struct activation *activation, const struct entry *entry,
                                 uint32_t exit)
{
	const struct plan *plan = activation->plan;
	uint32_t guard;

	if (exit == PTX_NO_BASIC_BLOCK)
		return NO_INDEX;
	guard = plan->blocks[entry->from].branch->guard;
	if (set_has(plan->blocks[exit].live, guard) || activation->registers[guard].doubt)
		return NO_INDEX;
	for (uint32_t reg = 0; reg < plan->register_count; reg++)
		if (set_has(plan->blocks[exit].live, reg) && activation->registers[reg].curved >> frame->axis & 1)
			return NO_INDEX;
	return activation->registers[guard].origin;
}

/* The guarded branch back was counted as in every other trip; in the last one it goes the other way. */
static void count_last_branch(struct run *run, const struct frame *frame, const struct activation *activation,
                              const struct entry *entry)
{
	const struct plan_block *latch = &activation->plan->blocks[entry->from];
	double *counts, sign = latch->target == entry->block ? -1 : 1;

	if (activation->caller)
		return;
	counts = &run->counts[run->evaluator->layout.slots + (size_t)latch->branch->slot * SLOT_COUNTS];
	counts[SLOT_EXECUTIONS] += sign * entry->weight;
	counts[SLOT_LANES] += sign * entry->weight * __builtin_popcount(frame->mask);
}

/* The last trip is like all others, but that it leaves the loop: control goes on behind it. */
void advance_out(struct run *run, struct frame *frame, struct activation *activation, struct entry *entry, uint32_t exit)
{
	const uint64_t *live = activation->plan->blocks[exit].live;

	count_alike(run, frame, frame->repeat.count + 1);
	count_last_branch(run, frame, activation, entry);
	for (uint32_t reg = 0; reg < activation->plan->register_count; reg++)
		if (set_has(live, reg))
			advance_register(run, frame, activation, reg, (uint64_t)activation->registers[reg].slope[frame->axis],
			                 frame->repeat.count);
	frame->state = FRAME_PLAIN;
	loop_leave(run, activation, exit);
	entry->block = exit;
}

/* n over k as a number; n may be large. */
static double binomial(double n, unsigned k)
{
	double result = 1;

	for (unsigned i = 0; i < k; i++)
		result = result * (n - i) / (i + 1);
	return result;
}

/* Sum over m < count of the polynomial that has samples[0 .. degree] at 0 .. degree (overwritten by its differences). */
static double polynomial_sum(double *samples, unsigned degree, double count)
{
	double sum = 0;

	for (unsigned order = 1; order <= degree; order++)
		for (unsigned i = degree; i >= order; i--)
			samples[i] -= samples[i - 1];
	for (unsigned order = 0; order <= degree; order++)
		sum += samples[order] * binomial(count, order + 1);
	return sum;
}

/* Counts of the sampled periods are continued as polynomials. */
void advance_polynomial(struct run *run, struct frame *frame, struct activation *activation)
{
	unsigned degree = frame->wanted;
	double samples[MAX_DEGREE + 1];

	for (size_t i = 0; i < run->evaluator->layout.total; i++) {
		double done = run->counts[i] - frame->counts[0][i];

		for (unsigned j = 0; j <= degree; j++)
			samples[j] = (j == degree ? run->counts[i] : frame->counts[j + 1][i]) - frame->counts[j][i];
		run->counts[i] += polynomial_sum(samples, degree, (double)frame->repeat.count) - done;
	}
	advance_registers(run, frame, activation, frame->repeat.count - 1 - degree);
	frame_restart(run, frame);
}

#define WINDOWS 4    /* trips that are looked at in a span of trips that differ in their addresses alone */
#define LONG_SPAN 16 /* where it is longer than that */

/*
 * Trips that differ in scattered addresses alone: some, spread over all, stand for those between, each for half of the way to its
 * neighbours. How far it is to the next one varies with the number of the sample's warp.
 */
void advance_window(struct run *run, struct frame *frame, struct activation *activation)
{
	int64_t left = frame->repeat.count, ahead = left, stands;
	bool slopes = false;

	for (uint32_t axis = 0; axis < run->axis_count; axis++)
		slopes |= (run->active >> axis & 1) && frame->repeat.slope[axis];
	if (!frame->windows)
		frame->windows = WINDOWS;
	if (--frame->windows && !slopes && left > LONG_SPAN)
		ahead = (int64_t)((double)left / (frame->windows + 1) *
		                  (0.5 + number_fraction(run->draw * WINDOWS + frame->windows))) +
		        1;
	else
		frame->windows = 0;
	stands = frame->windows ? ahead - ahead / 2 : ahead;
	run->evaluator->shortened = run->inexact = true;
	frame->repeat.count = ahead;
	count_alike(run, frame, stands + frame->owed);
	frame->owed = ahead - stands;
	advance_registers(run, frame, activation, ahead - 1);
	frame_restart(run, frame);
}
