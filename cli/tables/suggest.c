/*
 * Separate arrays that could be one record: predicted as that where the file has no record, so that nobody has to ask.
 */
#include "cli/report/report.h"
#include "cli/tables/tables.h"

#include <limits.h>
#include <string.h>

/* What predicting the arrays as one record says; NULL where it cannot be predicted. */
static const char *gain(struct arena *arena, const struct predict_options *options, const char *names)
{
	struct predict_options grouped = *options;
	struct diagnostics ignored;
	enum exit_code code;
	diagnostics_init(&ignored, arena);
	grouped.layouts.groups = &names;
	grouped.layouts.group_count = 1;
	grouped.advise = false;
	const struct prediction *prediction = predict(arena, &grouped, STAGE_ESTIMATE, &ignored, &code);
	if (!prediction || prediction->program_verdict_count == 0)
		return NULL;
	const struct verdict *verdict = &prediction->program_verdicts[0];
	if (verdict->written == UINT_MAX)
		return NULL;
	if (verdict->recommended == verdict->written)
		return "no layout of them is predicted to be faster than separate arrays";
	const struct program_row *best = &prediction->program[verdict->recommended],
				 *written = &prediction->program[verdict->written];
	return arena_printf(arena, "%s is predicted %.2f times as fast as separate arrays, confidence %s",
	                    report_layout_label(arena, best->layout, best->tile), written->time_seconds / best->time_seconds,
	                    report_confidence(verdict->confidence));
}

void tables_suggest(struct arena *arena, const struct predict_options *options, const struct prediction *prediction, bool predicts,
                    struct diagnostics *diagnostics)
{
	struct group_suggestions suggestions = analysis_suggest_groups(arena, prediction->analysis);
	for (unsigned i = 0; i < suggestions.count && options->layouts.group_count == 0; i++) {
		const struct group_suggestion *suggestion = &suggestions.list[i];
		const char *said = predicts && prediction->groups.count == 0 ? gain(arena, options, suggestion->names) : NULL;
		diagnostics_report(diagnostics, SEVERITY_NOTE, suggestion->kernel->place,
		                   said ? "arrays of kernel %s are indexed alike (%s): as one record (--group %s) %s"
		                        : "arrays of kernel %s are indexed alike (%s): --group %s ranks them as one record%s",
		                   suggestion->kernel->name, suggestion->roles, suggestion->names, said ? said : "");
	}
}
