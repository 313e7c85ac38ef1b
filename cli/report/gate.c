/*
 * The gate: a program whose records as written are much slower than they could be fails.
 */
#include "cli/report/report.h"

#include <limits.h>

static double slower_percent(double written, double best)
{
	return best > 0 ? 100 * (written / best - 1) : 0;
}

/* A verdict of the program's record in one launch; NULL where the launch does not use it. */
static const struct verdict *verdict_in(const struct case_result *result, const struct layout_group *group)
{
	for (unsigned v = 0; v < result->verdict_count; v++)
		if (result->verdicts[v].group == group && result->verdicts[v].written != UINT_MAX)
			return &result->verdicts[v];
	return NULL;
}

/* The row of a launch in the layout of a row of the program; the launch's own best where it has none. */
static const struct ranked_layout *row_like(const struct case_result *result, const struct verdict *verdict,
                                            const struct program_row *like)
{
	for (unsigned r = 0; r < result->row_count; r++)
		if (result->rows[r].group == like->group && result->rows[r].layout == like->layout &&
		    result->rows[r].tile == like->tile)
			return &result->rows[r];
	return &result->rows[verdict->best];
}

static void worst_launch(const struct prediction *prediction, struct report_gate *gate)
{
	double most = -1;
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		const struct verdict *verdict = verdict_in(result, gate->verdict->group);
		if (!verdict)
			continue;
		double written = result->rows[verdict->written].estimate->time_seconds;
		const struct ranked_layout *like = row_like(result, verdict, &prediction->program[gate->verdict->best]);
		double best = like->estimate->time_seconds;
		double lost = predict_launches_seconds(result, &result->rows[verdict->written]) -
		              predict_launches_seconds(result, like);
		if (lost > most) {
			most = lost;
			gate->worst = result;
			gate->worst_percent = slower_percent(written, best);
		}
	}
}

/* By how much a record as written is slower than in its best layout; below 0: nobody judges it. */
static double record_percent(const struct prediction *prediction, const struct verdict *verdict)
{
	if (verdict->written == UINT_MAX || report_is_kept(prediction, verdict->group))
		return -1;
	return slower_percent(prediction->program[verdict->written].time_seconds,
	                      prediction->program[verdict->best].time_seconds);
}

bool report_gate_exceeds(const struct prediction *prediction, const struct verdict *verdict, double percent)
{
	return record_percent(prediction, verdict) > percent;
}

struct report_gate report_gate(struct arena *arena, const struct prediction *prediction, double percent,
                               const struct report_baseline *baseline)
{
	struct report_gate gate = {.percent = percent};
	for (unsigned v = 0; v < prediction->program_verdict_count; v++) {
		const struct verdict *verdict = &prediction->program_verdicts[v];
		const double slower = record_percent(prediction, verdict);
		if (slower < 0 || report_is_accepted(arena, baseline, prediction, verdict))
			continue;
		if (!gate.verdict || slower > gate.slower_percent) {
			gate.verdict = verdict;
			gate.slower_percent = slower;
		}
	}
	gate.failed = gate.verdict && gate.slower_percent > percent;
	if (gate.verdict)
		worst_launch(prediction, &gate);
	return gate;
}

const char *report_gate_text(struct arena *arena, const struct prediction *prediction, const struct report_gate *gate)
{
	const struct program_row *written = &prediction->program[gate->verdict->written];
	const struct program_row *best = &prediction->program[gate->verdict->best];
	const char *kernel = gate->worst ? gate->worst->launch->kernel->name : "?";
	const char *where = prediction->case_count > 1
	                            ? arena_printf(arena, "the program (most of it kernel %s: %.1f %%)", kernel,
	                                           gate->worst_percent)
	                            : arena_printf(arena, "kernel %s", kernel);
	return arena_printf(
		arena, "%s is predicted %.1f %% slower with record %s as written (%s) than as %s; %.4g %% are allowed",
		where, gate->slower_percent, written->group->name,
		report_layout_label(arena, written->layout, written->tile),
		report_layout_label(arena, best->layout, best->tile), gate->percent);
}

const char *report_gate_hint(struct arena *arena, const struct report_gate *gate, const char *baseline)
{
	const struct layout_group *group = gate->verdict->group;
	const struct record *record = group->holder ? group->holder : group->record;
	const char *option =
		arena_printf(arena, "%s%s--write-baseline", baseline ? "--baseline " : "",
	                     baseline ? arena_printf(arena, "%s ", report_shell_word(arena, baseline)) : "");
	return record ? arena_printf(arena,
	                             "to accept this, write `// coalesce: keep` above struct %s, or run it once more "
	                             "with %s",
	                             record->name, option)
	              : arena_printf(arena, "to accept this, run it once more with %s", option);
}
