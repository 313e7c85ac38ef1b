/*
 * Separate arrays that could be one record: predicted as that where the file has no record, so that nobody has to ask.
 */
#include "cli/report/report.h"
#include "cli/tables/tables.h"

#include <limits.h>
#include <string.h>

/* So many suggestions of a kernel are predicted, of which the best are shown. */
#define PREDICTED_MOST 8

struct offer {
	const struct group_suggestion *suggestion;
	const char *kernels; /* all that it is made for */
	unsigned kernel_count;
	const char *said; /* what predicting it says; NULL: it was not, or cannot be */
	double gain;      /* time as separate arrays over that as recommended; 0 where nothing is said */
	unsigned better;  /* those of the same kernel that gain more */
};

static double program_seconds(const struct prediction *prediction, unsigned verdict, bool recommended)
{
	const struct verdict *of = &prediction->program_verdicts[verdict];
	return prediction->program[recommended ? of->recommended : of->written].time_seconds;
}

/* Each group's row has the others as written, so that what they save adds up. */
static double gain_of(const struct prediction *prediction)
{
	double written = program_seconds(prediction, 0, false), saved = 0;
	for (unsigned v = 0; v < prediction->program_verdict_count; v++)
		saved += program_seconds(prediction, v, false) - program_seconds(prediction, v, true);
	return written > saved ? written / (written - saved) : 0;
}

/* "asta is", or "asta and soa are" of two groups that go different ways. */
static const char *layouts_of(struct arena *arena, const struct prediction *prediction)
{
	const char *text = "", *before = "";
	bool several = false;
	for (unsigned v = 0; v < prediction->program_verdict_count; v++) {
		const struct program_row *row = &prediction->program[prediction->program_verdicts[v].recommended];
		const char *label = report_layout_label(arena, row->layout, row->tile);
		if (strcmp(label, before) == 0)
			continue;
		text = arena_printf(arena, "%s%s%s", text, *text ? " and " : "", label);
		several = *before != '\0';
		before = label;
	}
	return arena_printf(arena, "%s %s", text, several ? "are" : "is");
}

static enum confidence lowest_confidence(const struct prediction *prediction)
{
	enum confidence lowest = prediction->program_verdicts[0].confidence;
	for (unsigned v = 1; v < prediction->program_verdict_count; v++)
		if (prediction->program_verdicts[v].confidence < lowest)
			lowest = prediction->program_verdicts[v].confidence;
	return lowest;
}

/* Takes over what was predicted for the same arrays of another kernel; false where nothing was. */
static bool offer_repeat(struct offer *offer, const struct offer *before)
{
	for (; before < offer; before++)
		if (strcmp(before->suggestion->option, offer->suggestion->option) == 0) {
			offer->said = before->said;
			offer->gain = before->gain;
			return true;
		}
	return false;
}

/* Predicts an offer's arrays as records. */
static void offer_predict(struct arena *arena, const struct predict_options *options, struct offer *offer)
{
	struct predict_options grouped = *options;
	struct diagnostics ignored;
	enum exit_code code;
	bool changes = false;
	diagnostics_init(&ignored, arena);
	grouped.layouts.groups = (const char *const *)offer->suggestion->groups;
	grouped.layouts.group_count = offer->suggestion->groups[1] ? 2 : 1;
	grouped.advise = false;
	const struct prediction *prediction = predict(arena, &grouped, STAGE_ESTIMATE, &ignored, &code);
	if (!prediction || prediction->program_verdict_count != grouped.layouts.group_count)
		return;
	for (unsigned v = 0; v < prediction->program_verdict_count; v++) {
		const struct verdict *verdict = &prediction->program_verdicts[v];
		if (verdict->written == UINT_MAX)
			return;
		changes = changes || verdict->recommended != verdict->written;
	}
	offer->gain = changes ? gain_of(prediction) : 1;
	offer->said = changes ? arena_printf(arena, "%s predicted %.2f times as fast as separate arrays, confidence %s",
	                                     layouts_of(arena, prediction), offer->gain,
	                                     report_confidence(lowest_confidence(prediction)))
	                      : "no layout of them is predicted to be faster than separate arrays";
}

/* The suggestions, those for the same arrays of several kernels as one. */
static struct offer *offers_collect(struct arena *arena, const struct group_suggestions *suggestions, unsigned *count)
{
	struct offer *offers = arena_array(arena, suggestions->count + 1, sizeof *offers);
	for (unsigned i = 0; i < suggestions->count; i++) {
		const struct group_suggestion *suggestion = &suggestions->list[i];
		struct offer *same = NULL;
		for (unsigned o = 0; o < *count && !same; o++)
			if (strcmp(offers[o].suggestion->roles, suggestion->roles) == 0)
				same = &offers[o];
		if (!same)
			offers[(*count)++] = (struct offer){suggestion, suggestion->kernel->name, 1, NULL, 0, 0};
		else
			*same = (struct offer){same->suggestion,
			                       arena_printf(arena, "%s, %s", same->kernels, suggestion->kernel->name),
			                       same->kernel_count + 1,
			                       NULL,
			                       0,
			                       0};
	}
	return offers;
}

/* Counts for each offer those of its kernel that come before it: they gain more, or as much and are found earlier. */
static void offers_rank(struct offer *offers, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		for (unsigned j = 0; j < count; j++)
			offers[i].better +=
				offers[i].suggestion->kernel == offers[j].suggestion->kernel &&
				(offers[j].gain > offers[i].gain || (!(offers[j].gain < offers[i].gain) && j < i));
}

static void offer_report(const struct offer *offer, struct diagnostics *diagnostics)
{
	const struct group_suggestion *suggestion = offer->suggestion;
	const char *several = offer->kernel_count > 1 ? "s" : "",
		   *records = suggestion->groups[1] ? "two records" : "one record";
	if (offer->said)
		diagnostics_report(diagnostics, SEVERITY_NOTE, suggestion->kernel->place,
		                   "arrays of kernel%s %s are indexed alike (%s): as %s (%s) %s", several,
		                   offer->kernels, suggestion->roles, records, suggestion->option, offer->said);
	else
		diagnostics_report(diagnostics, SEVERITY_NOTE, suggestion->kernel->place,
		                   "arrays of kernel%s %s are indexed alike (%s): %s ranks them as %s", several,
		                   offer->kernels, suggestion->roles, suggestion->option, records);
}

/* Those of one kernel, the best first. */
static void offers_report(const struct offer *offers, unsigned count, const struct kernel *kernel,
                          struct diagnostics *diagnostics)
{
	for (unsigned rank = 0; rank < SUGGESTIONS_MOST; rank++)
		for (unsigned i = 0; i < count; i++)
			if (offers[i].suggestion->kernel == kernel && offers[i].better == rank)
				offer_report(&offers[i], diagnostics);
}

void tables_suggest(struct arena *arena, const struct predict_options *options, const struct prediction *prediction,
                    bool predicts, struct diagnostics *diagnostics)
{
	bool predicted = predicts && prediction->groups.count == 0;
	struct group_suggestions suggestions =
		analysis_suggest_groups(arena, prediction->analysis, predicted ? PREDICTED_MOST : SUGGESTIONS_MOST);
	unsigned count = 0;
	if (options->layouts.group_count)
		return;
	struct offer *offers = offers_collect(arena, &suggestions, &count);
	for (unsigned i = 0; i < count && predicted; i++)
		if (!offer_repeat(&offers[i], offers))
			offer_predict(arena, options, &offers[i]);
	offers_rank(offers, count);
	for (unsigned i = 0; i < count; i++)
		if (offers[i].better == 0)
			offers_report(offers, count, offers[i].suggestion->kernel, diagnostics);
}
