/*
 * Trust: how far predicted times, and verdicts, are from what is measured, by the errors of like cases. trust.def has them; docs/accuracy.md says how they are found.
 *
 * Rows fall in classes: what they do that the cost model knows less well. A pair of rows is of the class of the two that stands first in trust.def. Of each class the
 * table has the spread, which nine of ten errors do not exceed: |ln (predicted ratio / measured ratio)| of the pairs of recommended and other layout, apart for near
 * pairs (predicted within NEAR) and others; and factors on the time between which nine of ten measured times lie.
 *
 *   interval of a ratio = ratio * exp(-spread) to ratio * exp(spread)
 *                         wider where counts are a poor sample; none where the sample's error is not known
 *   margin of a verdict = least of (ln (time of a rival / time of the recommended) + ln (1 + tolerance)) / spread    over its rivals
 *
 * A verdict is right where the recommended layout is as fast as the fastest one within the tolerance. Its confidence follows from its margin; it is low
 * where the counts of two rows are samples that do not tell them apart. It is high only where the roofline, which knows bytes and operations alone, does not speak for another layout, by more than the tolerance, too; where something was assumed, or on a GPU that nobody has measured, or by a model whose errors are not known, it is lower, whatever the margin. No time depends on this.
 */
#include "model/predict.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define NEAR 0.5             /* of the logarithm of a ratio */
#define TOLERANCE 0.03       /* of the fastest time */
#define TOLERANCE_SHORT 0.08 /* below SHORT_SECONDS, where events and eviction cost as much */
#define SHORT_SECONDS 20e-6
#define SAME_COUNTS 1e-3  /* within that, of all counts, and SAME_TIMES */
#define SAMPLED_ERROR 0.1 /* standard error of what was sampled, relative: beyond it the sample is a guess */
#define NINE_OF_TEN 1.645 /* standard errors of a normal distribution within which nine of ten are */
#define SURE_ERRORS 3     /* standard errors by which two rows differ that a sample tells apart */
#define SAME_TIMES 2e-3
#define UNMEASURED 2 /* times the spread, on a GPU without measured numbers: assumed */

enum trust_class {
#define X(name, pairs, near, far, low, high) TRUST_##name,
#include "model/trust.def"
#undef X
	TRUST_CLASSES
};

static const struct trust_errors {
	const char *name;
	unsigned pairs;   /* that the spread was found by */
	double near, far; /* spread */
	double low, high; /* factors on the time */
} errors[] = {
#define X(name, pairs, near, far, low, high) {#name, pairs, near, far, low, high},
#include "model/trust.def"
#undef X
};

/* ---- classes -------------------------------------------------------------------------- */

/* Whether a launch's code was evaluated by some warps that hardly stand for all. */
static bool is_poor_sample(const struct evaluation *evaluation)
{
	return evaluation->cut || (evaluation->sampled_warps && !(evaluation->standard_error <= SAMPLED_ERROR));
}

/* Whether a launch's code was evaluated with guesses. */
static bool evaluation_guesses(const struct evaluation *evaluation)
{
	if (is_poor_sample(evaluation))
		return true;
	for (unsigned i = 0; i < evaluation->assumption_count; i++)
		if (!evaluation->assumptions[i].usual && !strstr(evaluation->assumptions[i].text, "stand for"))
			return true;
	return false;
}

static bool is_simulated(const struct ranked_layout *row)
{
	return row->view && row->view->machine_code.evaluation;
}

static bool row_assumes(const struct case_result *result, const struct ranked_layout *row)
{
	return result->launch->assumed || result->launch->note_count > 0 || !is_simulated(row) || row->estimate->unsteady ||
	       evaluation_guesses(row->view->machine_code.evaluation);
}

static bool row_has_atomics(const struct ranked_layout *row)
{
	for (unsigned a = 0; a < row->estimate->access_count; a++)
		if (row->estimate->accesses[a].kind == ACCESS_ATOMIC)
			return true;
	return strcmp(row->estimate->bound, "atomics") == 0;
}

static enum trust_class row_class(const struct case_result *result, const struct ranked_layout *row)
{
	if (row_assumes(result, row))
		return TRUST_assumed;
	if (row_has_atomics(row))
		return TRUST_atomics;
	if (strcmp(row->estimate->bound, "dram") == 0)
		return TRUST_dram;
	return strcmp(row->estimate->bound, "launch") == 0 ? TRUST_launch : TRUST_core;
}

static bool within(double a, double b, double share)
{
	return fabs(a - b) <= share * fmax(fabs(a), fabs(b));
}

/* Whether two rows are one program: what differs between them is beyond the model. */
static bool rows_same(const struct ranked_layout *a, const struct ranked_layout *b)
{
	const struct counts *left = &a->estimate->counts, *right = &b->estimate->counts;
	return within(a->estimate->time_seconds, b->estimate->time_seconds, SAME_TIMES) &&
	       within(left->warp_instructions, right->warp_instructions, SAME_COUNTS) &&
	       within(left->ld_requests, right->ld_requests, SAME_COUNTS) &&
	       within(left->ld_sectors, right->ld_sectors, SAME_COUNTS) &&
	       within(left->st_requests, right->st_requests, SAME_COUNTS) &&
	       within(left->st_sectors, right->st_sectors, SAME_COUNTS);
}

static enum trust_class pair_class(const struct case_result *result, const struct ranked_layout *a, const struct ranked_layout *b)
{
	enum trust_class first = row_class(result, a), second = row_class(result, b);
	if (rows_same(a, b))
		return TRUST_same;
	return first < second ? first : second;
}

/* ---- what is known about errors ---------------------------------------------------------- */

bool verdict_trust_known(const struct prediction *prediction)
{
	return strcmp(prediction->model->name, TRUST_MODEL) == 0;
}

const char *verdict_trust_class(const struct case_result *result, const struct ranked_layout *row)
{
	return errors[row_class(result, row)].name;
}

static double widening(const struct prediction *prediction)
{
	return prediction->machine->calibrated ? 1 : UNMEASURED;
}

void verdict_trust_times(const struct prediction *prediction, struct case_result *result)
{
	double wider = widening(prediction);
	for (unsigned r = 0; r < result->row_count && verdict_trust_known(prediction); r++) {
		const struct trust_errors *own = &errors[row_class(result, &result->rows[r])];
		if (!is_simulated(&result->rows[r]) && result->rows[r].estimate->low > 0)
			continue;
		result->rows[r].estimate->low = pow(own->low, wider);
		result->rows[r].estimate->high = pow(own->high, wider);
	}
}

/* ---- verdicts ------------------------------------------------------------------------------ */

/* Of the recommended row against a rival: logarithm of the ratio of times, of what class, and the standard error of guesses by sample. */
struct match {
	double logarithm;
	enum trust_class class;
	double noise;
};

/* Standard error of a row's counts where they are a guess by some warps, infinite where it is not known; else 0. */
static double row_noise(const struct ranked_layout *row)
{
	const struct evaluation *evaluation = is_simulated(row) ? row->view->machine_code.evaluation : NULL;
	if (!evaluation || !is_poor_sample(evaluation))
		return 0;
	return evaluation->cut || !isfinite(evaluation->standard_error) ? INFINITY : evaluation->standard_error;
}

static bool match_is_noise(const struct match *match)
{
	return match->noise > 0 && !(match->logarithm > SURE_ERRORS * match->noise);
}

static double match_spread(const struct match *match)
{
	return fabs(match->logarithm) > NEAR ? errors[match->class].far : errors[match->class].near;
}

static double match_margin(const struct match *match, double seconds)
{
	double tolerance = seconds < SHORT_SECONDS ? TOLERANCE_SHORT : TOLERANCE;
	return (match->logarithm + log(1 + tolerance)) / errors[match->class].near;
}

/* Whether the rival may be as fast, within the tolerance, in more than one of ten pairs like this one. */
static bool match_is_open(const struct match *match, double seconds)
{
	return match->class != TRUST_same && (match_is_noise(match) || match_margin(match, seconds) < 1);
}

/* Whether the roofline has no layout of the group that is faster than the recommended one by more than the tolerance. */
static bool roofline_agrees(struct arena *arena, const struct case_result *result, const struct verdict *verdict)
{
	const struct cost_model *roofline = cost_model_find("roofline");
	double chosen = 0, fastest = INFINITY;
	for (unsigned r = 0; r < result->row_count; r++) {
		const struct ranked_layout *row = &result->rows[r];
		if (row->group != verdict->group)
			continue;
		if (!row->view || !row->view->ptx.evaluation)
			return false;
		double time = cost_estimate(arena, roofline, row->view)->time_seconds;
		chosen = r == verdict->recommended ? time : chosen;
		fastest = fmin(fastest, time);
	}
	return chosen <= (1 + TOLERANCE) * fastest;
}

/* Where all rivals are the same program as the recommended row it is against them, else against the others, that the margin counts. */
static enum confidence matches_confidence(const struct prediction *prediction, const struct match *matches, unsigned count,
                                          double seconds, bool agrees)
{
	bool doubtful = !agrees, all_same = true, noise = false;
	double margin = INFINITY;
	for (unsigned i = 0; i < count; i++) {
		noise = noise || match_is_noise(&matches[i]);
		all_same = all_same && matches[i].class == TRUST_same;
		doubtful = doubtful || matches[i].class == TRUST_assumed;
	}
	for (unsigned i = 0; i < count; i++)
		if (all_same || matches[i].class != TRUST_same)
			margin = fmin(margin, match_margin(&matches[i], seconds));
	if (count == 0 || noise || !prediction->machine->calibrated || margin < (doubtful ? TRUST_DOUBTFUL : TRUST_MEDIUM))
		return CONFIDENCE_LOW;
	return doubtful || margin < TRUST_HIGH ? CONFIDENCE_MEDIUM : CONFIDENCE_HIGH;
}

static void interval_set(const struct prediction *prediction, const struct match *contrast, struct verdict *verdict)
{
	double spread = hypot(widening(prediction) * match_spread(contrast), NINE_OF_TEN * contrast->noise);
	if (!isfinite(spread))
		return;
	verdict->ratio_low = exp(contrast->logarithm - spread);
	verdict->ratio_high = exp(contrast->logarithm + spread);
}

static struct match rows_match(const struct case_result *result, unsigned chosen, unsigned rival)
{
	const struct ranked_layout *rows = result->rows;
	return (struct match){log(rows[rival].estimate->time_seconds / rows[chosen].estimate->time_seconds),
	                      pair_class(result, &rows[chosen], &rows[rival]),
	                      fmax(row_noise(&rows[chosen]), row_noise(&rows[rival]))};
}

void verdict_trust(struct arena *arena, const struct prediction *prediction, const struct case_result *result,
                   struct verdict *verdict)
{
	struct match *matches = NULL, contrast = {0};
	unsigned count = 0;
	verdict->confidence = CONFIDENCE_LOW;
	verdict->rival_count = 0;
	for (unsigned r = 0; r < result->row_count && verdict_trust_known(prediction); r++) {
		if (result->rows[r].group != verdict->group || r == verdict->recommended)
			continue;
		struct match match = rows_match(result, verdict->recommended, r);
		ARENA_PUSH(arena, matches, count, match);
		if (match_is_open(&match, result->rows[verdict->recommended].estimate->time_seconds))
			ARENA_PUSH(arena, verdict->rivals, verdict->rival_count, r);
		if (r == verdict->contrast)
			contrast = match;
	}
	if (count == 0)
		return;
	verdict->roofline_agrees = roofline_agrees(arena, result, verdict);
	verdict->confidence = matches_confidence(
		prediction, matches, count, result->rows[verdict->recommended].estimate->time_seconds, verdict->roofline_agrees);
	if (result->launch->assumed)
		verdict->confidence = CONFIDENCE_LOW;
	if (verdict->contrast != verdict->recommended)
		interval_set(prediction, &contrast, verdict);
}

/* ---- the program --------------------------------------------------------------------------- */

static unsigned row_of(const struct case_result *result, const struct program_row *like)
{
	for (unsigned r = 0; r < result->row_count; r++)
		if (result->rows[r].group == like->group && result->rows[r].layout == like->layout &&
		    result->rows[r].tile == like->tile)
			return r;
	return UINT_MAX;
}

/* Two rows of the program: their class is that of the launch whose error may be largest. */
static struct match program_match(const struct prediction *prediction, unsigned chosen, unsigned rival)
{
	const struct program_row *ours = &prediction->program[chosen], *theirs = &prediction->program[rival];
	struct match match = {log(theirs->time_seconds / ours->time_seconds), TRUST_same, 0};
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		unsigned a = row_of(result, ours), b = row_of(result, theirs);
		if (a == UINT_MAX || b == UINT_MAX)
			continue;
		struct match launch = rows_match(result, a, b);
		match.noise = fmax(match.noise, launch.noise);
		if (launch.class < match.class)
			match.class = launch.class;
	}
	return match;
}

/* What the launches' own verdicts say about the program's. */
static void launch_consider(const struct case_result *result, struct verdict *verdict, bool *assumed)
{
	*assumed = *assumed || result->launch->assumed;
	for (unsigned v = 0; v < result->verdict_count; v++)
		if (result->verdicts[v].group == verdict->group && !result->verdicts[v].roofline_agrees)
			verdict->roofline_agrees = false;
}

void verdict_trust_program(struct arena *arena, const struct prediction *prediction, struct verdict *verdict)
{
	struct match *matches = NULL;
	unsigned count = 0;
	bool assumed = false;
	verdict->roofline_agrees = true;
	verdict->confidence = CONFIDENCE_LOW;
	verdict->rival_count = 0;
	for (unsigned r = 0; r < prediction->program_count && verdict_trust_known(prediction); r++) {
		if (prediction->program[r].group != verdict->group || r == verdict->recommended)
			continue;
		struct match match = program_match(prediction, verdict->recommended, r);
		ARENA_PUSH(arena, matches, count, match);
		if (match_is_open(&match, prediction->program[verdict->recommended].time_seconds))
			ARENA_PUSH(arena, verdict->rivals, verdict->rival_count, r);
		if (r == verdict->contrast)
			interval_set(prediction, &match, verdict);
	}
	for (unsigned c = 0; c < prediction->case_count; c++)
		launch_consider(&prediction->cases[c], verdict, &assumed);
	if (!assumed)
		verdict->confidence =
			matches_confidence(prediction, matches, count, prediction->program[verdict->recommended].time_seconds,
		                           verdict->roofline_agrees);
}
