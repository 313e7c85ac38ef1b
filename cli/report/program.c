/*
 * The head of the first screen: what to do about each record of the program, what gains most first; then what all
 * launches take together in each layout, and which kernels take the time.
 */
#include "cli/report/report.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BAR_LEAST 8
#define BAR_MOST 30

/* ---- what to do ------------------------------------------------------------------------- */

/* Lines behind an item's number. */
static void item_line(struct text *out, const struct report_style *style, const char *text)
{
	text_puts(out, "       ");
	text_wrap(out, text, 7, 9, style->width);
	text_puts(out, "\n");
}

/* The length of the first word of a command, quotes kept together. */
static size_t command_word(const char *command)
{
	size_t length = 0;
	for (bool quoted = false; command[length] && (quoted || command[length] != ' '); length++)
		quoted ^= command[length] == '\'';
	return length;
}

/* A command, which a shell still reads where it takes several lines. */
static void command_print(struct text *out, const char *what, const char *command, const struct report_style *style)
{
	size_t column = 7 + strlen(what);
	if (!command)
		return;
	text_printf(out, "       %s", what);
	for (size_t length; *command; command += length, command += *command == ' ') {
		length = command_word(command);
		bool first = column == 7 + strlen(what), last = command[length] == '\0';
		if (!first && column + 1 + length + (last ? 0 : 2) > style->width) {
			text_puts(out, " \\\n         ");
			column = 9;
		} else if (!first) {
			text_puts(out, " ");
			column++;
		}
		text_append(out, command, length);
		column += length;
	}
	text_puts(out, "\n");
}

/* ". Its kernels take 84 % of the time."; of one launch that is all of it. */
static const char *share_text(struct arena *arena, const struct prediction *prediction,
                              const struct report_action *action)
{
	return prediction->case_count < 2
	               ? ""
	               : arena_printf(arena, " Its kernels take %.0f %% of the time.", 100 * action->share);
}

static void action_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                         const struct report_action *action, unsigned number, const struct report_style *style)
{
	const char *head =
		arena_printf(arena, "%u. record %s: %s", number, action->verdict->group->name, action->answer);
	text_printf(out, "  %s%s", report_bold(style), action->change ? report_green(style) : "");
	text_wrap(out, head, 2, 7, style->width);
	text_printf(out, "%s\n", report_plain(style));
	item_line(out, style,
	          arena_printf(arena, "%s. Confidence: %s.%s", action->reason,
	                       report_confidence(action->verdict->confidence), share_text(arena, prediction, action)));
	if (action->refusal)
		item_line(out, style,
		          arena_printf(arena, "Change it by hand; coalesce rewrite does not write it. %s",
		                       action->refusal));
	command_print(out, action->measure && action->rewrite ? "first measure: " : "to be sure: ", action->measure,
	              style);
	command_print(out, action->measure && action->rewrite ? "then: " : "", action->rewrite, style);
}

static void actions_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                          const struct report_style *style)
{
	unsigned count, changes = 0;
	const struct report_action *actions = report_actions(arena, prediction, style->commands, &count);
	text_puts(out, "\nwhat to do:\n");
	for (unsigned i = 0; i < count; i++) {
		action_print(out, arena, prediction, &actions[i], i + 1, style);
		changes += actions[i].change;
	}
	const char *together = report_together(arena, prediction);
	if (together) {
		text_puts(out, "  ");
		text_wrap(out, together, 2, 4, style->width);
		text_puts(out, "\n");
	} else if (changes > 1) {
		item_line(out, style,
		          "The gains are of one change each and do not add up: change one record, then predict again.");
	}
	if (count > 0)
		return;
	text_puts(out, "  ");
	text_wrap(out,
	          "no layout to choose: no kernel here indexes an array of records that can be laid out otherwise. "
	          "--group A,B takes separate arrays as one record",
	          2, 4, style->width);
	text_puts(out, "\n");
}

/* ---- all launches together ------------------------------------------------------------------ */

static int compare_program_rows(const void *a, const void *b)
{
	const struct program_row *const *left = a, *const *right = b;
	double x = (*left)->time_seconds, y = (*right)->time_seconds;
	return x < y ? -1 : x > y ? 1 : *left < *right ? -1 : 1;
}

/* The program's rows of a record, by time. */
static const struct program_row **program_rows(struct arena *arena, const struct prediction *prediction,
                                               const struct layout_group *group, unsigned *count)
{
	const struct program_row **rows = NULL;
	*count = 0;
	for (unsigned r = 0; r < prediction->program_count; r++)
		if (prediction->program[r].group == group)
			ARENA_PUSH(arena, rows, *count, &prediction->program[r]);
	if (*count)
		qsort(rows, *count, sizeof *rows, compare_program_rows);
	return rows;
}

static unsigned label_width(struct arena *arena, const struct program_row *const *rows, unsigned count)
{
	size_t width = strlen("layout");
	for (unsigned r = 0; r < count; r++) {
		size_t label = strlen(report_layout_label(arena, rows[r]->layout, rows[r]->tile));
		width = label > width ? label : width;
	}
	return (unsigned)width;
}

static void bar_print(struct text *out, double share, unsigned longest)
{
	unsigned length = (unsigned)lround(share * longest);
	text_puts(out, "  ");
	for (unsigned i = 0; i < (length ? length : 1); i++)
		text_puts(out, "#");
}

static void record_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                         const struct verdict *verdict, const struct report_style *style)
{
	unsigned count;
	const struct program_row **rows = program_rows(arena, prediction, verdict->group, &count);
	if (count < 2)
		return;
	unsigned label = label_width(arena, rows, count), used = 2 + label + 14 + 8 + 2;
	unsigned bar = style->width > used + BAR_MOST    ? BAR_MOST
	               : style->width > used + BAR_LEAST ? style->width - used
	                                                 : BAR_LEAST;
	text_printf(out, "\n%sprogram, record %s%s: all launches together\n", report_bold(style), verdict->group->name,
	            report_plain(style));
	text_printf(out, "  %s%-*s %13s %7s%s\n", report_faint(style), (int)label, "layout", "time us", "vs best",
	            report_plain(style));
	for (unsigned r = 0; r < count; r++) {
		bool chosen = rows[r] == &prediction->program[verdict->recommended];
		text_printf(out, "%s  %-*s %13s %7.2f", chosen ? report_green(style) : "", (int)label,
		            report_layout_label(arena, rows[r]->layout, rows[r]->tile),
		            report_time(arena, rows[r]->time_seconds), rows[r]->time_seconds / rows[0]->time_seconds);
		bar_print(out, rows[r]->time_seconds / rows[count - 1]->time_seconds, bar);
		text_printf(out, "%s%s\n", report_check_mark(rows[r]->check), chosen ? report_plain(style) : "");
	}
}

/* ---- kernels by time -------------------------------------------------------------------------- */

/* "particle: soa, cell: aos", the layout that is best for this kernel alone; "-" where it has no records. */
static const char *own_layouts(struct arena *arena, const struct case_result *result)
{
	const char *list = "";
	for (unsigned v = 0; v < result->verdict_count; v++) {
		const struct verdict *verdict = &result->verdicts[v];
		const struct ranked_layout *row = &result->rows[verdict->recommended];
		const char *label = report_layout_label(arena, row->layout, row->tile);
		list = result->verdict_count == 1
		               ? label
		               : arena_printf(arena, "%s%s%s %s", list, v ? ", " : "", verdict->group->name, label);
	}
	return *list ? list : "-";
}

/* Names longer than this stand on a line of their own. */
#define NAME_MOST 40
#define TABLE_WIDTH 29 /* of launches, time and share */
#define FIRST_WIDTH 20
#define OWN_LEAST 4

static unsigned name_width(const struct prediction *prediction)
{
	size_t width = strlen("name");
	for (unsigned c = 0; c < prediction->case_count; c++) {
		size_t own = text_columns(prediction->cases[c].launch->kernel->name);
		width = own > width && own <= NAME_MOST ? own : width;
	}
	return (unsigned)width;
}

/* Whether the first launch of some kernel finds something else in the L2 than the further ones, and there is room to
 * say it. */
static bool shows_first(struct arena *arena, const struct prediction *prediction, unsigned width,
                        const struct report_style *style)
{
	bool differs = false;
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct ranked_layout *row = report_case_row(&prediction->cases[c]);
		differs |= row && prediction->cases[c].launch->launches > 1 && report_first_launch(arena, &row, 1);
	}
	return differs && 2 + width + TABLE_WIDTH + FIRST_WIDTH + OWN_LEAST <= style->width;
}

/* What one launch takes: the first, and each further one. */
static void first_print(struct text *out, struct arena *arena, const struct case_result *result)
{
	const struct ranked_layout *row = report_case_row(result);
	const double further = row && row->estimate ? row->estimate->time_seconds : 0;
	const double first = row && row->first_seconds > 0 ? row->first_seconds : further;
	text_printf(out, " %9s %9s", report_time(arena, first),
	            result->launch->launches > 1 ? report_time(arena, further) : "-");
}

static void kernel_print(struct text *out, struct arena *arena, const struct case_result *result, double all,
                         unsigned width, bool first, const struct report_style *style)
{
	const unsigned indent = 2 + width + TABLE_WIDTH + (first ? FIRST_WIDTH : 0);
	const char *name = result->launch->kernel->name;
	double seconds = report_case_seconds(result);
	text_printf(out, "  %s", name);
	if (text_columns(name) > width)
		text_printf(out, "\n  %*s", (int)width, "");
	else
		text_printf(out, "%*s", (int)(width - text_columns(name)), "");
	text_printf(out, " %8llu", (unsigned long long)result->launch->launches);
	if (first)
		first_print(out, arena, result);
	text_printf(out, " %10s %5.0f%%  ", report_time(arena, seconds), all > 0 ? 100 * seconds / all : 0);
	text_wrap(out, own_layouts(arena, result), indent, indent, style->width);
	text_puts(out, "\n");
}

static void kernels_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                          const struct report_style *style)
{
	const unsigned *order = report_case_order(arena, prediction);
	const unsigned width = name_width(prediction);
	text_printf(out, "\n%stime by kernel, records as written%s\n", report_bold(style), report_plain(style));
	const bool first = shows_first(arena, prediction, width, style);
	text_printf(out, "  %s%-*s %8s%s %10s %6s  %s%s\n", report_faint(style), (int)width, "name", "launches",
	            first ? "  first us   further" : "", "time us", "share", "best for it alone", report_plain(style));
	for (unsigned c = 0; c < prediction->case_count; c++)
		kernel_print(out, arena, &prediction->cases[order[c]], report_program_seconds(prediction), width, first,
		             style);
}

/* With one launch the table of the launch says it all. */
void report_verdicts(struct text *out, struct arena *arena, const struct prediction *prediction,
                     const struct report_style *style)
{
	actions_print(out, arena, prediction, style);
	if (prediction->case_count < 2) {
		report_cost(out, arena, prediction, style);
		return;
	}
	for (unsigned v = 0; v < prediction->program_verdict_count; v++)
		record_print(out, arena, prediction, &prediction->program_verdicts[v], style);
	kernels_print(out, arena, prediction, style);
	report_cost(out, arena, prediction, style);
}
