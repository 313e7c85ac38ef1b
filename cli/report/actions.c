/*
 * What to do about each record of the program, and which launches take its time. The times and verdicts are those of
 * struct prediction.
 */
#include "cli/report/report.h"
#include "model/trust/trust.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAME_PERCENT 0.05 /* a difference that one decimal does not show */

/* ---- time of the program as it is written ------------------------------------------------- */

const struct ranked_layout *report_case_row(const struct case_result *result)
{
	for (unsigned r = 0; r < result->row_count; r++) {
		const struct ranked_layout *row = &result->rows[r];
		if (!row->group || row->layout == row->group->written)
			return row;
	}
	return result->row_count ? &result->rows[0] : NULL;
}

double report_case_seconds(const struct case_result *result)
{
	const struct ranked_layout *row = report_case_row(result);
	return row ? predict_launches_seconds(result, row) : 0;
}

double report_program_seconds(const struct prediction *prediction)
{
	double seconds = 0;
	for (unsigned c = 0; c < prediction->case_count; c++)
		seconds += report_case_seconds(&prediction->cases[c]);
	return seconds;
}

struct timed_case {
	unsigned index;
	double seconds;
};

static int compare_cases(const void *a, const void *b)
{
	const struct timed_case *left = a, *right = b;
	if (left->seconds != right->seconds)
		return left->seconds > right->seconds ? -1 : 1;
	return left->index < right->index ? -1 : 1;
}

unsigned *report_case_order(struct arena *arena, const struct prediction *prediction)
{
	struct timed_case *cases = arena_array(arena, prediction->case_count + 1, sizeof *cases);
	unsigned *order = arena_array(arena, prediction->case_count + 1, sizeof *order);
	for (unsigned c = 0; c < prediction->case_count; c++)
		cases[c] = (struct timed_case){c, report_case_seconds(&prediction->cases[c])};
	qsort(cases, prediction->case_count, sizeof *cases, compare_cases);
	for (unsigned c = 0; c < prediction->case_count; c++)
		order[c] = cases[c].index;
	return order;
}

static bool case_uses(const struct case_result *result, const struct layout_group *group)
{
	for (unsigned r = 0; r < result->row_count; r++)
		if (result->rows[r].group == group)
			return true;
	return false;
}

static double share_of(const struct prediction *prediction, const struct layout_group *group)
{
	double seconds = 0, all = report_program_seconds(prediction);
	for (unsigned c = 0; c < prediction->case_count; c++)
		if (case_uses(&prediction->cases[c], group))
			seconds += report_case_seconds(&prediction->cases[c]);
	return all > 0 ? seconds / all : 0;
}

/* ---- commands ------------------------------------------------------------------------------- */

/* The option that names one record: " --struct particle", " --group x,y,z". */
static const char *record_option(struct arena *arena, const struct layout_group *group)
{
	const char *list = "";
	if (group->form == FORM_STRUCT || group->holder)
		return arena_printf(arena, " --struct %s",
		                    report_shell_word(arena, group->holder ? group->holder->name : group->name));
	for (unsigned f = 0; f < group->field_count; f++)
		list = arena_printf(arena, "%s%s%s", list, f ? "," : "", group->fields[f].path);
	return arena_printf(arena, " --group %s", report_shell_word(arena, list));
}

static const char *tile_option(struct arena *arena, const struct program_row *row)
{
	return row->tile && row->tile != LAYOUT_TILE_DEFAULT ? arena_printf(arena, " --tile %u", row->tile) : "";
}

/* "sph" of "src/sph.cu". */
static const char *stem(struct arena *arena, const char *path)
{
	const char *name = report_file_name(path), *dot = strrchr(name, '.');
	return arena_strndup(arena, name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
}

static const char *rewrite_command(struct arena *arena, const struct prediction *prediction,
                                   const struct report_commands *words, const struct program_row *row)
{
	const char *name = stem(arena, prediction->analysis->path);
	return arena_printf(arena, "coalesce rewrite %s%s --layout %s%s -o %s", words->rewrite,
	                    record_option(arena, row->group), row->layout->name, tile_option(arena, row),
	                    report_shell_word(arena, arena_printf(arena, "%s.%s.cu", name, row->layout->name)));
}

/* The row's record in its layout, all others as written. */
static struct placement **placements_of(struct arena *arena, const struct prediction *prediction,
                                        const struct program_row *row)
{
	const struct layout_groups *groups = &prediction->groups;
	struct placement **placements = arena_array(arena, groups->count + 1, sizeof *placements);
	for (unsigned g = 0; g < groups->count; g++) {
		const struct layout *layout = groups->list[g] == row->group ? row->layout : groups->list[g]->written;
		placements[g] = layout_place(arena, layout, groups->list[g],
		                             layout->tiled && row->tile ? row->tile : LAYOUT_TILE_DEFAULT);
	}
	return placements;
}

/* Why a row's layout is not written: a place and what stands there. */
static const char *refusal_text(struct arena *arena, const struct diagnostics *said, bool is_rewritten)
{
	static const char left[] = "host side left as it is: ";
	const struct diagnostic *why = NULL;
	for (size_t i = 0; i < said->count; i++) {
		bool is_host = strncmp(said->list[i].message, left, strlen(left)) == 0;
		why = is_host || (!is_rewritten && !why) ? &said->list[i] : why;
		if (is_host)
			break;
	}
	if (!why)
		return "its code cannot be given that layout";
	const char *message =
		strncmp(why->message, left, strlen(left)) == 0 ? why->message + strlen(left) : why->message;
	return why->place.line ? arena_printf(arena, "line %u: %s", why->place.line, message) : message;
}

const struct rewritten *report_rewritten(struct arena *arena, const struct prediction *prediction,
                                         const struct program_row *row, const char **refusal)
{
	struct diagnostics said;
	diagnostics_init(&said, arena);
	const struct rewritten *rewritten =
		layout_rewrite(arena, prediction->analysis, &prediction->groups, placements_of(arena, prediction, row),
	                       REWRITE_ELSEWHERE, &said);
	const bool complete = rewritten && rewritten->host_complete;
	*refusal = complete ? NULL : refusal_text(arena, &said, rewritten != NULL);
	return complete ? rewritten : NULL;
}

static const char *measure_command(struct arena *arena, const struct prediction *prediction,
                                   const struct report_commands *words, const struct program_row *row)
{
	const char *folder = arena_printf(arena, "measure-%s", stem(arena, prediction->analysis->path));
	return arena_printf(arena, "coalesce bundle %s%s -o %s%s", words->bundle, record_option(arena, row->group),
	                    report_shell_word(arena, folder), words->program);
}

/* ---- actions ---------------------------------------------------------------------------------- */

static double paid_seconds(const struct program_row *row)
{
	return row->time_seconds + row->switch_seconds;
}

static const char *row_label(struct arena *arena, const struct program_row *row)
{
	return report_layout_label(arena, row->layout, row->tile);
}

/* "2.1 ms become 1.6 ms: 1.31 times as fast (1.10 to 1.52)". */
static const char *change_reason(struct arena *arena, const struct verdict *verdict, const struct program_row *written,
                                 const struct program_row *chosen)
{
	const char *interval = "", *copies = "";
	if (verdict->ratio_low > 0)
		interval = arena_printf(arena, " (%.2f to %.2f)", verdict->ratio_low, verdict->ratio_high);
	if (chosen->switch_seconds > 0)
		copies = arena_printf(arena, ", %s for conversion included",
		                      report_duration(arena, chosen->switch_seconds));
	return arena_printf(arena, "All kernels together take %s instead of %s%s: %.2f times as fast%s",
	                    report_duration(arena, paid_seconds(chosen)), report_duration(arena, written->time_seconds),
	                    copies, written->time_seconds / paid_seconds(chosen), interval);
}

/* Why a record is kept, where another layout has a lower time that may not hold. */
static const char *doubt_reason(struct arena *arena, const struct program_row *written, const struct program_row *other)
{
	const char *label = row_label(arena, other), *copies = "";
	const char *times = arena_printf(arena, "all kernels together take %s instead of %s",
	                                 report_duration(arena, other->time_seconds),
	                                 report_duration(arena, written->time_seconds));
	if (other->switch_seconds > 0)
		copies =
			arena_printf(arena, ", and conversion costs %s", report_duration(arena, other->switch_seconds));
	if (paid_seconds(other) >= written->time_seconds)
		return arena_printf(arena, "%s gains nothing: %s%s", label, times, copies);
	return arena_printf(arena, "A gain is not sure. With %s %s%s; the prediction's error is larger than that gain",
	                    label, times, copies);
}

static const char *keep_reason(struct arena *arena, const struct prediction *prediction, const struct verdict *verdict)
{
	const struct program_row *written = &prediction->program[verdict->written], *next = NULL;
	if (verdict->unranked)
		return "Its layouts are not ranked, since a part of a launch was not followed";
	if (verdict->may_gain != UINT_MAX)
		return doubt_reason(arena, written, &prediction->program[verdict->may_gain]);
	for (unsigned r = 0; r < prediction->program_count; r++) {
		const struct program_row *row = &prediction->program[r];
		if (row->group == verdict->group && row != written && (!next || paid_seconds(row) < paid_seconds(next)))
			next = row;
	}
	if (!next)
		return "No other layout could be ranked";
	double slower = 100 * (paid_seconds(next) / written->time_seconds - 1);
	if (fabs(slower) < SAME_PERCENT)
		return arena_printf(arena, "No other layout is faster; %s takes the same time", row_label(arena, next));
	if (slower < 0)
		return arena_printf(arena, "The fastest other layout, %s, gains only %.1f %%", row_label(arena, next),
		                    -slower);
	return arena_printf(arena, "It is the fastest; %s is next, %.1f %% slower", row_label(arena, next), slower);
}

static struct report_action action_of(struct arena *arena, const struct prediction *prediction,
                                      const struct report_commands *words, const struct verdict *verdict)
{
	const struct program_row *chosen = &prediction->program[verdict->recommended];
	struct report_action action = {.verdict = verdict, .share = share_of(prediction, verdict->group)};
	const struct program_row *written =
		verdict->written == UINT_MAX ? NULL : &prediction->program[verdict->written];
	bool kept = written && report_is_kept(prediction, verdict->group);
	action.change = chosen != written && !kept;
	if (kept) {
		action.answer = arena_printf(arena, "keep %s, as the source says", row_label(arena, written));
		action.reason = keep_reason(arena, prediction, verdict);
		if (chosen != written)
			action.reason = arena_printf(arena, "Written as %s: %s", row_label(arena, chosen),
			                             change_reason(arena, verdict, written, chosen));
		return action;
	}
	if (!action.change) {
		action.answer = arena_printf(arena, "keep %s, as written", row_label(arena, chosen));
		action.reason = keep_reason(arena, prediction, verdict);
		if (verdict->may_gain != UINT_MAX)
			action.measure =
				measure_command(arena, prediction, words, &prediction->program[verdict->may_gain]);
		return action;
	}
	action.answer = arena_printf(arena, "change %s to %s",
	                             written ? row_label(arena, written) : verdict->group->written->name,
	                             row_label(arena, chosen));
	action.reason =
		written ? change_reason(arena, verdict, written, chosen) : "The layout as written could not be ranked";
	action.saved_seconds = written ? written->time_seconds - paid_seconds(chosen) : 0;
	report_rewritten(arena, prediction, chosen, &action.refusal);
	action.rewrite = action.refusal ? NULL : rewrite_command(arena, prediction, words, chosen);
	if (verdict->confidence == CONFIDENCE_LOW)
		action.measure = measure_command(arena, prediction, words, chosen);
	return action;
}

/* Changes by what they save, then what may save something, then the others by their share of the time. */
static int compare_actions(const void *a, const void *b)
{
	const struct report_action *left = a, *right = b;
	bool left_doubt = left->verdict->may_gain != UINT_MAX, right_doubt = right->verdict->may_gain != UINT_MAX;
	if (left->change != right->change)
		return left->change ? -1 : 1;
	if (left->saved_seconds != right->saved_seconds)
		return left->saved_seconds > right->saved_seconds ? -1 : 1;
	if (left_doubt != right_doubt)
		return left_doubt ? -1 : 1;
	if (left->share != right->share)
		return left->share > right->share ? -1 : 1;
	return left->verdict < right->verdict ? -1 : 1;
}

struct report_action *report_actions(struct arena *arena, const struct prediction *prediction,
                                     const struct report_commands *commands, unsigned *count)
{
	const struct report_commands plain = {
		.rewrite = prediction->analysis->path, .bundle = prediction->analysis->path, .program = ""};
	struct report_action *actions = arena_array(arena, prediction->program_verdict_count + 1, sizeof *actions);
	*count = 0;
	for (unsigned v = 0; v < prediction->program_verdict_count; v++)
		actions[(*count)++] =
			action_of(arena, prediction, commands ? commands : &plain, &prediction->program_verdicts[v]);
	if (*count)
		qsort(actions, *count, sizeof *actions, compare_actions);
	return actions;
}

const char *report_together(struct arena *arena, const struct prediction *prediction)
{
	const struct program_combination *combination = prediction->combination;
	const double written = report_program_seconds(prediction);
	const char *rows = "";
	if (!combination || !(combination->seconds > 0))
		return NULL;
	const double seconds = combination->seconds + combination->switch_seconds;
	for (unsigned r = 0; r < combination->row_count; r++)
		rows = arena_printf(arena, "%s%s%s as %s", rows, r ? ", " : "", combination->rows[r]->group->name,
		                    row_label(arena, combination->rows[r]));
	return arena_printf(arena, "Together (%s): all kernels take %s instead of %s%s: %.2f times as fast.", rows,
	                    report_duration(arena, seconds), report_duration(arena, written),
	                    combination->switch_seconds > 0 ? ", conversion included" : "", written / seconds);
}

json_t *report_together_json(const struct program_combination *combination)
{
	json_t *layouts = json_object();
	for (unsigned r = 0; r < combination->row_count; r++)
		json_object_set_new(layouts, combination->rows[r]->group->name,
		                    json_string(combination->rows[r]->layout->name));
	return json_pack("{s:o, s:f, s:f}", "layouts", layouts, "time_us", combination->seconds * 1e6, "copies_us",
	                 combination->switch_seconds * 1e6);
}

static json_t *text_or_null(const char *text)
{
	return text ? json_string(text) : json_null();
}

json_t *report_actions_json(struct arena *arena, const struct prediction *prediction,
                            const struct report_commands *commands)
{
	unsigned count;
	const struct report_action *actions = report_actions(arena, prediction, commands, &count);
	json_t *list = json_array();
	for (unsigned i = 0; i < count; i++)
		json_array_append_new(
			list, json_pack("{s:s, s:b, s:s, s:s, s:s, s:f, s:f, s:o, s:o, s:o}", "record",
		                        actions[i].verdict->group->name, "change", actions[i].change, "answer",
		                        actions[i].answer, "reason", actions[i].reason, "confidence",
		                        report_confidence(actions[i].verdict->confidence), "time_share",
		                        actions[i].share, "saved_us", 1e6 * actions[i].saved_seconds, "rewrite",
		                        text_or_null(actions[i].rewrite), "rewrite_refusal",
		                        text_or_null(actions[i].refusal), "measure", text_or_null(actions[i].measure)));
	return list;
}

const char *report_shell_word(struct arena *arena, const char *word)
{
	const char *quoted = "'";
	if (*word &&
	    strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%") == strlen(word))
		return word;
	for (; *word; word++)
		quoted = *word == '\'' ? arena_printf(arena, "%s'\\''", quoted)
		                       : arena_printf(arena, "%s%c", quoted, *word);
	return arena_printf(arena, "%s'", quoted);
}
