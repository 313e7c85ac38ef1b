/*
 * Rows fall in classes: what they do that the cost model knows less well. A pair of rows is of the class of the two
 * that stands first in trust.def. Of each class the table has what errors |ln (predicted ratio / measured ratio)| were,
 * of pairs of recommended and other layout: the spread, which nine of ten do not exceed, apart for near pairs
 * (predicted within NEAR) and others, for intervals; for margins, which nine of ten programs do not exceed in any pair,
 * and of the others, which share of the logarithm of the predicted ratio; and factors on the time between which nine of
 * ten measured times lie.
 *
 *   interval of a ratio = ratio * exp(-spread) to ratio * exp(spread)
 *                         wider where counts are a poor sample; none where the sample's error is not known
 *   margin of a verdict = least of (ln (time of a rival / time of the recommended) + ln (1 + tolerance)) / doubt over
 * its rivals doubt  = max(worst, share * ln (time of a rival / time of the recommended))
 *
 * A verdict is right where the recommended layout is as fast as the fastest one within the tolerance. It is of high
 * confidence where nothing is assumed, the class is known from programs enough, the L2 begins as after a flush, nothing
 * objects (objections.c) and the margin is wide enough, of medium where a wider margin is. It is low where the counts
 * of two rows are samples that do not tell them apart, on a GPU that nobody has measured, or by a model whose errors
 * are not known. No time depends on this.
 */
#include "model/trust/trust.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define NEAR 0.5             /* of the logarithm of a ratio */
#define TOLERANCE 0.03       /* of the fastest time */
#define TOLERANCE_SHORT 0.08 /* below SHORT_SECONDS, where events and eviction cost as much */
#define SHORT_SECONDS 20e-6
#define SCATTERED 0.5 /* of the sectors that loads bring from beyond the L1: asked for by lanes far from each other */
#define SPREAD_SECTORS 8  /* a store that touches more reaches parts of lines */
#define STORES 0.2        /* of the sectors that go beyond the L1 */
#define SAMPLED_ERROR 0.1 /* standard error of what was sampled, relative: beyond it the sample is a guess */
#define NINE_OF_TEN 1.645 /* standard errors of a normal distribution within which nine of ten are */
#define SURE_ERRORS 3     /* standard errors by which two rows differ that a sample tells apart */
#define TIME_HIGH 0.4     /* logarithm of an interval's width: nine of ten times lie within about a fifth */
#define TIME_MEDIUM 1.4   /* within a factor of 2 */
#define UNMEASURED 2      /* times the spread, on a GPU without measured numbers: assumed */
/*
 * Of launches that begin with what a program left in the L2: factors on the time between which nine of ten lie, and the
 * logarithm of a ratio that nine of ten errors do not exceed. benchmarks/operands/start_predicted.py prints them.
 */
#define WARM_LOW 0.86
#define WARM_HIGH 1.43
#define WARM_SPREAD 0.31
#define OUTSIDE_SHARE 0.1 /* of the time: less of it spent outside of the SMs changes little of it */

enum error_class {
#define X(name, pairs, programs, near, far, worst, share, low, high) ERRORS_##name,
#include "model/trust/trust.def"
#undef X
	ERROR_CLASSES
};

static const struct trust_errors {
	const char *name;
	unsigned pairs, programs; /* that the spread was found by: near pairs, and of what programs */
	double near, far;         /* spread */
	double worst, share;
	double low, high; /* factors on the time */
} errors[] = {
#define X(name, pairs, programs, near, far, worst, share, low, high)                                                   \
	{#name, pairs, programs, near, far, worst, share, low, high},
#include "model/trust/trust.def"
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
	return result->launch->assumed || result->launch->note_count > 0 || !is_simulated(row) ||
	       row->estimate->unsteady || evaluation_guesses(row->view->machine_code.evaluation);
}

static bool row_has_atomics(const struct ranked_layout *row)
{
	for (unsigned a = 0; a < row->estimate->access_count; a++)
		if (row->estimate->accesses[a].kind == ACCESS_ATOMIC)
			return true;
	return strcmp(row->estimate->bound, "atomics") == 0;
}

/* Whether most of what loads bring from beyond the L1 is asked for by lanes far from each other. */
static bool row_scatters(const struct ranked_layout *row)
{
	double all = 0, scattered = 0;
	for (unsigned a = 0; a < row->estimate->access_count; a++) {
		const struct access_estimate *access = &row->estimate->accesses[a];
		double hits = isnan(access->hit_rate) ? 0 : access->hit_rate;
		double sectors =
			access->kind == ACCESS_LOAD ? access->executions * access->sectors_per_request * (1 - hits) : 0;
		all += sectors;
		scattered += access->class == UNCOALESCED ? sectors : 0;
	}
	return all > 0 && scattered >= SCATTERED * all;
}

/* Whether stores to parts of lines are a good part of what goes beyond the L1. */
static bool row_stores_apart(const struct ranked_layout *row)
{
	const struct counts *counts = &row->estimate->counts;
	double hits = isnan(counts->l1_hit_rate) ? 0 : counts->l1_hit_rate;
	double beyond = counts->ld_sectors * (1 - hits) + counts->st_sectors;
	return counts->st_sectors > SPREAD_SECTORS * counts->st_requests && counts->st_sectors > STORES * beyond;
}

static enum error_class row_class(const struct case_result *result, const struct ranked_layout *row)
{
	if (row_assumes(result, row))
		return ERRORS_assumed;
	if (row_has_atomics(row))
		return ERRORS_atomics;
	if (row_scatters(row))
		return ERRORS_scattered;
	if (row_stores_apart(row))
		return ERRORS_stores;
	if (strcmp(row->estimate->bound, "dram") == 0)
		return ERRORS_dram;
	return strcmp(row->estimate->bound, "launch") == 0 ? ERRORS_launch : ERRORS_core;
}

static enum error_class pair_class(const struct case_result *result, const struct ranked_layout *a,
                                   const struct ranked_layout *b)
{
	enum error_class first = row_class(result, a), second = row_class(result, b);
	if (trust_rows_same(a, b))
		return ERRORS_same;
	return first < second ? first : second;
}

/* ---- what is known about errors ---------------------------------------------------------- */

bool trust_known(const struct prediction *prediction)
{
	return strcmp(prediction->model->name, TRUST_MODEL) == 0;
}

const char *trust_class_name(const struct case_result *result, const struct ranked_layout *row)
{
	return errors[row_class(result, row)].name;
}

static double widening(const struct prediction *prediction)
{
	return prediction->machine->calibrated ? 1 : UNMEASURED;
}

/* Standard error of a row's counts where some warps stand for all, infinite where it is not known; else 0. */
static double row_sample_error(const struct ranked_layout *row)
{
	const struct evaluation *evaluation = is_simulated(row) ? row->view->machine_code.evaluation : NULL;
	if (!evaluation || !(evaluation->cut || evaluation->sampled_warps))
		return 0;
	return evaluation->cut || !isfinite(evaluation->standard_error) ? INFINITY : evaluation->standard_error;
}

/* The same for a comparison of rows: only a poor sample differs from layout to layout, as others draw the same warps
 * and the same values. */
static double row_noise(const struct ranked_layout *row)
{
	return row_sample_error(row) > SAMPLED_ERROR ? row_sample_error(row) : 0;
}

/* Share of its warps' time for which they wait for what the L1 does not have. */
static double missing_share(const struct ranked_layout *row)
{
	const struct insn_cost *insns = row->estimate->insns;
	double waited = 0, all = 0;
	for (size_t i = 0; insns && i < row->view->machine_code.function->insn_count; i++) {
		waited += insns[i].loaded > 0 ? insns[i].waited * insns[i].missed / insns[i].loaded : 0;
		for (unsigned s = 0; s < COST_STALL_COUNT; s++)
			all += insns[i].stalls[s];
	}
	return all > 0 ? waited / all : 1;
}

/* Share of the launch's time for which the busiest part outside of its SMs works. */
static double outside_share(const struct ranked_layout *row)
{
	static const char *const outside[] = {"l2", "dram", "launch", "atomics"};
	double most = 0, own = 0;
	for (unsigned i = 0; i < row->estimate->limit_count; i++) {
		const struct limit *limit = &row->estimate->limits[i];
		most = fmax(most, limit->cycles);
		for (unsigned k = 0; k < ARRAY_COUNT(outside); k++)
			own = fmax(own, strcmp(limit->name, outside[k]) == 0 ? limit->cycles : 0);
	}
	return most > 0 ? own / most : 1;
}

/* Whether so much of the launch's time is spent outside of its SMs that it depends on what the program left in the L2.
 */
static bool is_warm(const struct ranked_layout *row)
{
	return row->view && row->view->start && fmax(outside_share(row), missing_share(row)) > OUTSIDE_SHARE;
}

/* The interval of a row's class, with the error of its sample where that is known, and what else may be otherwise. */
static void interval_of(const struct prediction *prediction, const struct case_result *result,
                        const struct ranked_layout *row, double low, double high)
{
	const struct trust_errors *own = &errors[row_class(result, row)];
	double wider = widening(prediction), error = row_sample_error(row),
	       noise = isfinite(error) ? NINE_OF_TEN * error : 0;
	if (is_warm(row)) {
		low = hypot(low, log(WARM_LOW));
		high = hypot(high, log(WARM_HIGH));
	}
	row->estimate->low = exp(-hypot(hypot(wider * log(own->low), noise), low));
	row->estimate->high = exp(hypot(hypot(wider * log(own->high), noise), high));
}

/* Where the model says an interval itself it stays. */
static bool is_own_interval(const struct ranked_layout *row)
{
	return !is_simulated(row) && row->estimate->low > 0;
}

void trust_times(const struct prediction *prediction, struct case_result *result)
{
	for (unsigned r = 0; r < result->row_count && trust_known(prediction); r++)
		if (!is_own_interval(&result->rows[r]))
			interval_of(prediction, result, &result->rows[r], 0, 0);
}

void trust_times_widen(const struct prediction *prediction, struct case_result *result, double low, double high)
{
	for (unsigned r = 0; r < result->row_count && trust_known(prediction); r++)
		if (is_simulated(&result->rows[r]))
			interval_of(prediction, result, &result->rows[r], low, high);
}

enum confidence trust_time(const struct case_result *result, const struct ranked_layout *row)
{
	double width = row->estimate->low > 0 ? log(row->estimate->high / row->estimate->low) : INFINITY;
	if (width > TIME_MEDIUM || !isfinite(row_noise(row)) || row->estimate->lower_bound ||
	    row->estimate->implausible)
		return CONFIDENCE_LOW;
	return width > TIME_HIGH || result->launch->assumption_count || row_assumes(result, row) ? CONFIDENCE_MEDIUM
	                                                                                         : CONFIDENCE_HIGH;
}

enum confidence trust_launch(const struct prediction *prediction, const struct case_result *result)
{
	enum confidence least = result->confidence;
	for (unsigned r = 0; r < result->row_count && !result->verdict_count && trust_known(prediction); r++)
		if (trust_time(result, &result->rows[r]) > least)
			least = trust_time(result, &result->rows[r]);
	return least;
}

/* ---- verdicts ------------------------------------------------------------------------------ */

/* Of the recommended row against a rival: logarithm of the ratio of times, of what class, the standard error of guesses
 * by sample, and whether one is warm. */
struct match {
	double logarithm;
	enum error_class class;
	double noise;
	bool warm;
};

static bool match_is_noise(const struct match *match)
{
	return match->noise > 0 && !(match->logarithm > SURE_ERRORS * match->noise);
}

static double match_spread(const struct match *match)
{
	double spread = fabs(match->logarithm) > NEAR ? errors[match->class].far : errors[match->class].near;
	return match->warm && match->class != ERRORS_same ? hypot(spread, WARM_SPREAD) : spread;
}

static double match_margin(const struct match *match, double seconds)
{
	double tolerance = seconds < SHORT_SECONDS ? TOLERANCE_SHORT : TOLERANCE;
	double doubt = fmax(errors[match->class].worst, errors[match->class].share * fabs(match->logarithm));
	return (match->logarithm + log(1 + tolerance)) / doubt;
}

/* Whether the rival may be as fast, within the tolerance, in more than one of ten pairs like this one. */
static bool match_is_open(const struct match *match)
{
	return match->class != ERRORS_same &&
	       (match_is_noise(match) || match->logarithm + log(1 + TOLERANCE) < match_spread(match));
}

/* Whether pairs of the class have errors that can be expected of others, too. */
static bool is_known(enum error_class class)
{
	return class == ERRORS_same || (class != ERRORS_assumed && errors[class].programs >= TRUST_PROGRAMS);
}

/* Where all rivals are the same program as the recommended row it is against them, else against the others, that the
 * margin counts. */
static enum confidence matches_confidence(const struct prediction *prediction, const struct match *matches,
                                          unsigned count, double seconds, const struct objections *objections)
{
	bool known = true, all_same = true, noise = false, clear;
	double margin = INFINITY;
	for (unsigned i = 0; i < count; i++) {
		noise = noise || match_is_noise(&matches[i]);
		all_same = all_same && matches[i].class == ERRORS_same;
		known = known && is_known(matches[i].class) && !matches[i].warm;
	}
	for (unsigned i = 0; i < count; i++)
		if (all_same || matches[i].class != ERRORS_same)
			margin = fmin(margin, match_margin(&matches[i], seconds));
	clear = known && trust_unopposed(objections);
	if (count == 0 || noise || !prediction->machine->calibrated || margin < (clear ? TRUST_MEDIUM : TRUST_OPPOSED))
		return CONFIDENCE_LOW;
	return clear && margin >= TRUST_HIGH ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM;
}

static void interval_set(const struct prediction *prediction, const struct match *contrast, struct verdict *verdict)
{
	double spread = hypot(widening(prediction) * match_spread(contrast), NINE_OF_TEN * contrast->noise);
	if (!isfinite(spread))
		return;
	verdict->ratio_low = exp(contrast->logarithm - spread);
	verdict->ratio_high = exp(contrast->logarithm + spread);
}

/* Whether a layout that was asked for has no row: its code does not compile, or it could not be followed. */
static bool misses_layout(const struct prediction *prediction, const struct case_result *result,
                          const struct layout_group *group)
{
	unsigned layouts = 0;
	for (unsigned r = 0; r < result->row_count; r++) {
		unsigned before = 0;
		while (before < r &&
		       (result->rows[before].group != group || result->rows[before].layout != result->rows[r].layout))
			before++;
		layouts += result->rows[r].group == group && before == r;
	}
	return layouts > 0 && layouts < prediction->layouts_asked;
}

/* A verdict is of the layouts that were ranked: where one is missing it is not of high confidence. */
static void confidence_limit(struct verdict *verdict, bool misses)
{
	verdict->misses_layout = misses;
	if (misses && verdict->confidence == CONFIDENCE_HIGH)
		verdict->confidence = CONFIDENCE_MEDIUM;
}

static struct match rows_match(const struct case_result *result, unsigned chosen, unsigned rival)
{
	const struct ranked_layout *rows = result->rows;
	return (struct match){log(rows[rival].estimate->time_seconds / rows[chosen].estimate->time_seconds),
	                      pair_class(result, &rows[chosen], &rows[rival]),
	                      fmax(row_noise(&rows[chosen]), row_noise(&rows[rival])),
	                      is_warm(&rows[chosen]) || is_warm(&rows[rival])};
}

bool trust_is_bound(const struct case_result *result, const struct layout_group *group)
{
	for (unsigned r = 0; r < result->row_count; r++)
		if ((!group || result->rows[r].group == group) &&
		    (result->rows[r].estimate->lower_bound || result->rows[r].estimate->implausible))
			return true;
	return false;
}

void trust_verdict(struct arena *arena, const struct prediction *prediction, const struct case_result *result,
                   struct verdict *verdict)
{
	struct match *matches = NULL, contrast = {0};
	unsigned count = 0;
	verdict->confidence = CONFIDENCE_LOW;
	verdict->rival_count = 0;
	for (unsigned r = 0; r < result->row_count && trust_known(prediction); r++) {
		if (result->rows[r].group != verdict->group || r == verdict->recommended)
			continue;
		struct match match = rows_match(result, verdict->recommended, r);
		ARENA_PUSH(arena, matches, count, match);
		if (match_is_open(&match))
			ARENA_PUSH(arena, verdict->rivals, verdict->rival_count, r);
		if (r == verdict->contrast)
			contrast = match;
	}
	if (count == 0)
		return;
	trust_objections_find(arena, result, verdict);
	verdict->confidence =
		matches_confidence(prediction, matches, count,
	                           result->rows[verdict->recommended].estimate->time_seconds, &verdict->objections);
	if (result->launch->assumed || trust_is_bound(result, verdict->group))
		verdict->confidence = CONFIDENCE_LOW;
	confidence_limit(verdict, misses_layout(prediction, result, verdict->group));
	if (verdict->confidence == CONFIDENCE_HIGH)
		verdict->rival_count = 0;
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
	struct match match = {log(theirs->time_seconds / ours->time_seconds), ERRORS_same, 0, false};
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		unsigned a = row_of(result, ours), b = row_of(result, theirs);
		if (a == UINT_MAX || b == UINT_MAX)
			continue;
		struct match launch = rows_match(result, a, b);
		match.noise = fmax(match.noise, launch.noise);
		match.warm = match.warm || launch.warm;
		if (launch.class < match.class)
			match.class = launch.class;
	}
	return match;
}

/* What the launches' own verdicts say about the program's. */
static void launch_consider(struct arena *arena, const struct case_result *result, struct verdict *verdict,
                            bool *assumed)
{
	*assumed = *assumed || result->launch->assumed || trust_is_bound(result, verdict->group);
	for (unsigned v = 0; v < result->verdict_count; v++)
		if (result->verdicts[v].group == verdict->group)
			trust_objections_add(arena, &result->verdicts[v].objections, &verdict->objections);
}

void trust_program(struct arena *arena, const struct prediction *prediction, struct verdict *verdict)
{
	struct match *matches = NULL;
	unsigned count = 0;
	bool assumed = false, misses = false;
	verdict->objections.heard = true;
	verdict->confidence = CONFIDENCE_LOW;
	verdict->rival_count = 0;
	for (unsigned r = 0; r < prediction->program_count && trust_known(prediction); r++) {
		if (prediction->program[r].group != verdict->group || r == verdict->recommended)
			continue;
		struct match match = program_match(prediction, verdict->recommended, r);
		ARENA_PUSH(arena, matches, count, match);
		if (match_is_open(&match))
			ARENA_PUSH(arena, verdict->rivals, verdict->rival_count, r);
		if (r == verdict->contrast)
			interval_set(prediction, &match, verdict);
	}
	for (unsigned c = 0; c < prediction->case_count; c++)
		launch_consider(arena, &prediction->cases[c], verdict, &assumed);
	for (unsigned c = 0; c < prediction->case_count; c++)
		misses = misses || misses_layout(prediction, &prediction->cases[c], verdict->group);
	if (!assumed)
		verdict->confidence = matches_confidence(prediction, matches, count,
		                                         prediction->program[verdict->recommended].time_seconds,
		                                         &verdict->objections);
	confidence_limit(verdict, misses);
	if (verdict->confidence == CONFIDENCE_HIGH)
		verdict->rival_count = 0;
}
