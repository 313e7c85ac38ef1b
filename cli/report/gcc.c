/*
 * What to do about each record, in the form of a compiler's diagnostics, which editors and CI systems read:
 * FILE:LINE:COLUMN: warning: ...
 */
#include "cli/report/report.h"

static const char *place_text(struct arena *arena, const struct prediction *prediction, struct place place)
{
	const char *file = place.file ? place.file : prediction->analysis->path;
	unsigned line = place.line ? place.line : 1, column = place.column ? place.column : 1;
	return arena_printf(arena, "%s:%u:%u", file, line, column);
}

void report_gcc(struct text *out, struct arena *arena, const struct prediction *prediction,
                const struct report_context *context)
{
	unsigned count;
	const struct report_action *actions = report_actions(arena, prediction, context->commands, &count);
	for (unsigned i = 0; i < count; i++) {
		const struct report_action *action = &actions[i];
		const char *command = action->rewrite ? action->rewrite : action->measure;
		const bool accepted = report_is_accepted(arena, context->baseline, prediction, action->verdict);
		text_printf(out, "%s: %s: record %s: %s. %s. Confidence: %s.%s%s%s%s [record-layout]\n",
		            place_text(arena, prediction, report_group_place(prediction, action->verdict->group)),
		            action->change && !accepted ? "warning" : "note", action->verdict->group->name,
		            action->answer, action->reason, report_confidence(action->verdict->confidence),
		            action->refusal ? " coalesce rewrite does not write it. " : "",
		            action->refusal ? action->refusal : "",
		            !command          ? ""
		            : action->rewrite ? " To do so: "
		                              : " To be sure: ",
		            command ? command : "");
	}
}
