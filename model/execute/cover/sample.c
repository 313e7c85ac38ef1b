/*
 * Warps that stand for others.
 *
 * The last warp, which is often an edge, stands for itself. The others are numbered through, cut into as many equal
 * strata as are run, and one is drawn from each: by a hash of the stratum's number, so that the same input gives the
 * same sample and no period of the launch is met. The variance is that of collapsed strata: neighbours in pairs, whose
 * squared difference estimates the variance of their sum, at most too large by what the strata truly differ (Cochran,
 * Sampling Techniques, 3rd ed. 1977, section 5A.12); what scattered requests touch is a ratio estimate (chapter 6), its
 * error that of the residuals.
 */
#include "model/execute/cover/cover.h"

#include <math.h>
#include <string.h>

/* What one warp of the sample brought. */
struct drawn {
	double instructions, touched; /* touched: sectors and wavefronts of the slots looked at */
	double *executions;           /* by slot */
};

struct cover_sample {
	const struct boxes *boxes;
	double volume, each; /* warps in the boxes, in one stratum */
	size_t count;        /* warps that are run, some more than once where there are fewer */
	bool edge;           /* the last one is the last of all, a stratum for itself */
	struct drawn *drawn;
	struct tally sum; /* of all counts, for all warps */
};

/* The single warp at a position in the list of boxes. */
static struct box box_of_warp(const struct boxes *boxes, double position)
{
	struct box single;
	size_t i = 0;

	while (i + 1 < boxes->count && position >= cover_volume(&boxes->list[i]))
		position -= cover_volume(&boxes->list[i++]);
	single = boxes->list[i];
	for (uint32_t axis = 0; axis < LAUNCH_AXES; axis++) {
		double count = (double)single.count[axis], offset = fmod(floor(position), count);

		single.start[axis] += (int64_t)offset * single.step[axis];
		position = (position - offset) / count;
		single.count[axis] = 1;
	}
	return single;
}

static double stratum_warps(const struct cover_sample *sample, size_t number)
{
	return sample->edge && number + 1 == sample->count ? 1 : sample->each;
}

/* Runs the warp drawn from a stratum; its counts stay in the run and are added to sum for the whole stratum. */
static void run_stratum(struct run *run, const struct cover_sample *sample, size_t number, const struct tally *sum)
{
	bool last = sample->edge && number + 1 == sample->count;
	double position = last ? sample->volume - 0.5 : ((double)number + content_fraction(number)) * sample->each;
	struct box box = box_of_warp(sample->boxes, position);

	run->place.draw = number;
	run_box(run, &box);
	cover_add(run, sum, 1.0, stratum_warps(sample, number));
}

static bool is_looked_at(const struct evaluator *evaluator, uint32_t slot)
{
	return !evaluator->scattered || evaluator->scattered[slot];
}

static void drawn_fill(const struct run *run, struct drawn *drawn)
{
	const struct evaluator *evaluator = run->evaluator;
	const struct plan *plan = evaluator->plan;

	drawn->instructions = counts_instructions(&run->counting.counts);
	drawn->executions = arena_array(evaluator->scratch, plan->slot_count + 1, sizeof(double));
	for (uint32_t i = 0; i < plan->slot_count; i++) {
		const struct insn_counts *slot = counts_insn(&run->counting.counts, i);

		drawn->executions[i] = slot->executions;
		drawn->touched += is_looked_at(evaluator, i) ? slot->sectors + slot->wavefronts : 0;
	}
}

/* How many warps can be run: by what the first costs, a power of two, and all where there are no more. */
static size_t sample_size(struct run *run, struct cover_sample *sample)
{
	struct evaluator *evaluator = run->evaluator;
	uint64_t allowed = evaluator->effort.limit / SAMPLE_SHARE;
	size_t count = SAMPLE_LEAST;
	struct tally ignored = counts_make(evaluator->scratch, &evaluator->layout);

	evaluator->sample_limit = SAMPLE_LONG * (allowed / 4 + 1);
	sample->each = sample->volume;
	run_stratum(run, sample, 0, &ignored);
	if (run->effort.steps <= allowed / 4)
		evaluator->sample_limit = allowed / 4 + 1;
	while (count < SAMPLE_MOST && 2 * count * (run->effort.steps + 1) <= allowed)
		count *= 2;
	return (double)count > sample->volume && !evaluator->shortened ? (size_t)sample->volume : count;
}

static struct cover_sample sample_draw(struct run *run, const struct boxes *boxes)
{
	struct evaluator *evaluator = run->evaluator;
	struct cover_sample sample = {.boxes = boxes};

	evaluator->mode = MODE_SAMPLE;
	for (size_t i = 0; i < boxes->count; i++)
		sample.volume += cover_volume(&boxes->list[i]);
	sample.count = sample_size(run, &sample);
	sample.edge = (double)sample.count <= sample.volume && sample.count > 1;
	sample.each = (sample.volume - sample.edge) / (double)(sample.count - sample.edge);
	sample.drawn = arena_array(evaluator->scratch, sample.count, sizeof(*sample.drawn));
	sample.sum = counts_make(evaluator->scratch, &evaluator->layout);
	const uint64_t allowed = evaluator->effort.limit / SAMPLE_SHARE, each = evaluator->sample_limit;
	uint64_t taken = 0;
	for (size_t i = 0; i < sample.count; i++) {
		evaluator->sample_limit = taken < SAMPLE_LONG * allowed && each < allowed ? SAMPLE_MORE * each : each;
		run_stratum(run, &sample, i, &sample.sum);
		drawn_fill(run, &sample.drawn[i]);
		taken += run->effort.steps;
	}
	return sample;
}

/*
 * Standard error of the sum over all warps of a number, of which there is one from each stratum; NAN where there is one
 * alone, or a warp was not run to its end. It is no smaller than one in a stratum: what happens in fewer warps than a
 * stratum holds may have been missed.
 */
static double sum_error(const struct evaluator *evaluator, const struct cover_sample *sample, const double *numbers)
{
	size_t count = sample->count - sample->edge;
	double square = 1, share = 1 / sample->each;

	if (evaluator->cut)
		return NAN;
	if (count < 2)
		return evaluator->shortened ? NAN : 0;
	if (!evaluator->shortened && share >= 1)
		return 0;
	for (size_t i = 0; i + 1 < count; i += 2)
		square += (numbers[i] - numbers[i + 1]) * (numbers[i] - numbers[i + 1]);
	if (count % 2)
		square += (numbers[count - 1] - numbers[count - 2]) * (numbers[count - 1] - numbers[count - 2]) / 2;
	return sample->each * sqrt(square * (evaluator->shortened ? 1 : 1 - share));
}

/* The instruction whose requests touch most of what was looked at, or the first one. */
static uint32_t busiest_insn(const struct evaluator *evaluator, const struct tally *totals)
{
	uint32_t insn = 0;
	double most = 0;

	for (uint32_t i = 0; i < evaluator->plan->slot_count; i++) {
		const struct insn_counts *slot = counts_insn(totals, i);
		double touched = slot->sectors + slot->wavefronts;

		if (is_looked_at(evaluator, i) && touched > most) {
			most = touched;
			insn = evaluator->plan->slot_insn[i];
		}
	}
	return insn;
}

/* A percentage rounded up to one digit. */
static const char *percent_text(struct arena *arena, double share)
{
	double percent = 100 * share, unit;

	if (isnan(percent))
		return "of unknown standard error; give a smaller --grid to have all followed";
	if (percent < 0.01)
		return "standard error below 0.01 %";
	unit = pow(10, floor(log10(percent)));
	return arena_printf(arena, "standard error below %g %%", ceil(percent / unit - 1e-9) * unit);
}

static void sample_report(struct evaluator *evaluator, const struct cover_sample *sample, double error, uint32_t insn,
                          const char *what)
{
	struct evaluation *result = evaluator->result;
	struct assumption assumption = {.insn = insn};

	result->sampled_warps = sample->count;
	result->sampled =
		(double)sample->count < sample->volume ? (sample->volume - (double)sample->count) / result->warps : 0;
	result->standard_error = error;
	result->exact = result->exact && !evaluator->shortened && (double)sample->count == sample->volume;
	assumption.text = arena_printf(evaluator->arena, "%s: %zu of %.0f warps stand for all, %s", what, sample->count,
	                               sample->volume, percent_text(evaluator->arena, error));
	if (!result->exact)
		ARENA_PUSH(evaluator->arena, result->assumptions, result->assumption_count, assumption);
}

/* What a scattered slot touches for each execution, put in its totals; returns sectors and wavefronts of one execution.
 */
static double slot_ratio(const struct cover_sample *sample, uint32_t slot, const struct tally *totals)
{
	const struct insn_counts *found = counts_insn(&sample->sum, slot);
	struct insn_counts *all = counts_insn(totals, slot);

	if (found->executions <= 0)
		return 0;
	all->sectors = all->executions * found->sectors / found->executions;
	all->lines = all->executions * found->lines / found->executions;
	all->wavefronts = all->executions * found->wavefronts / found->executions;
	all->conflicts = all->executions * found->conflicts / found->executions;
	all->known = all->executions * found->known / found->executions;
	all->addresses = all->executions * found->addresses / found->executions;
	return (found->sectors + found->wavefronts) / found->executions;
}

void cover_scattered(struct run *run, const struct boxes *launch, const struct tally *totals)
{
	struct evaluator *evaluator = run->evaluator;
	struct cover_sample sample = sample_draw(run, launch);
	double *residuals = arena_array(evaluator->scratch, sample.count, sizeof(double)), all;

	for (size_t i = 0; i < sample.count; i++)
		residuals[i] = sample.drawn[i].touched;
	for (uint32_t slot = 0; slot < evaluator->plan->slot_count; slot++) {
		double ratio = evaluator->scattered[slot] ? slot_ratio(&sample, slot, totals) : 0;

		for (size_t i = 0; i < sample.count; i++)
			residuals[i] -= ratio * sample.drawn[i].executions[slot];
	}
	all = counts_touched(totals);
	sample_report(evaluator, &sample, all > 0 ? sum_error(evaluator, &sample, residuals) / all : 0,
	              busiest_insn(evaluator, totals), "addresses follow declared content");
}

/* Unlike fmax(), not a number where one is not. */
static double larger(double a, double b)
{
	return isnan(a) || a > b ? a : b;
}

void cover_rest(struct run *run, const struct boxes *left, const struct tally *totals)
{
	struct evaluator *evaluator = run->evaluator;
	struct cover_sample sample;
	double *instructions, *touched, error = 0;

	evaluator->scattered = NULL;
	sample = sample_draw(run, left);
	instructions = arena_array(evaluator->scratch, sample.count, sizeof(double));
	touched = arena_array(evaluator->scratch, sample.count, sizeof(double));
	counts_add(totals, &sample.sum, 1.0);
	for (size_t i = 0; i < sample.count; i++) {
		instructions[i] = sample.drawn[i].instructions;
		touched[i] = sample.drawn[i].touched;
	}
	if (counts_instructions(totals) > 0)
		error = sum_error(evaluator, &sample, instructions) / counts_instructions(totals);
	if (counts_touched(totals) > 0)
		error = larger(error, sum_error(evaluator, &sample, touched) / counts_touched(totals));
	sample_report(evaluator, &sample, error, busiest_insn(evaluator, totals), "warps differ in what they do");
}
