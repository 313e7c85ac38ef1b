/*
 * The file, with what each line costs in all launches: warp instructions as written, and the time that warps spend at
 * it, as written and in the recommended layouts. A launch's time is shared out by the cycles that its lines take
 * (model/explain).
 */
#include "cli/report/html/html.h"

#include <limits.h>
#include <math.h>
#include <string.h>

struct launch_cost {
	double instructions; /* of all warps */
	double written_us, recommended_us;
	const char *waits; /* what is waited for in the costliest launch as recommended, or NULL */
	double most_us;
};
struct costs {
	struct arena *arena;
	const char *path;
	struct launch_cost *lines; /* from 1 */
	unsigned count;
};

/* The line's place among the costs; NULL where it is not of the file. Compilers may have seen that under another path,
 * but never under another name. */
static struct launch_cost *cost_at(const struct costs *costs, const struct place *place)
{
	bool own = place->line > 0 && place->line <= costs->count &&
	           (!place->file || report_is_file(place->file, costs->path));
	return own ? &costs->lines[place->line] : NULL;
}

static const char *waits_text(struct arena *arena, const struct line_cost *line)
{
	const char *text = "";
	for (unsigned s = 0; s < COST_STALL_COUNT; s++)
		if (line->stalls[s] >= 0.05 * line->cycles)
			text = arena_printf(arena, "%s%s%s %.0f %%", text, *text ? ", " : "",
			                    cost_stall_name((enum cost_stall)s), 100 * line->stalls[s] / line->cycles);
	return line->source ? arena_printf(arena, "%s; waits most for what line %u loads", text, line->source) : text;
}

/* Adds what a row's lines cost in all its launches. */
static void row_add(struct costs *costs, const struct case_result *result, const struct ranked_layout *row,
                    bool recommended)
{
	const struct line_costs lines = explain_lines(costs->arena, row->view, row->estimate);
	double us = lines.cycles > 0 ? 1e6 * predict_launches_seconds(result, row) / lines.cycles : 0;
	double launches = (double)result->launch->launches;
	for (unsigned l = 0; l < lines.count; l++) {
		const struct line_cost *line = &lines.list[l];
		struct launch_cost *cost = cost_at(costs, &line->place);
		if (!cost)
			continue;
		double own = us * line->cycles;
		if (recommended) {
			cost->recommended_us += own;
		} else {
			cost->written_us += own;
			cost->instructions += launches * line->instructions;
		}
		if (!recommended || own <= cost->most_us || !lines.simulated)
			continue;
		cost->most_us = own;
		cost->waits = waits_text(costs->arena, line);
	}
}

static void launch_add(struct costs *costs, const struct case_result *result)
{
	const struct ranked_layout *written = result->rows, *recommended = result->rows;
	if (result->row_count == 0 || !result->rows)
		return;
	if (result->verdict_count) {
		written = report_written_row(result, &result->verdicts[0]);
		recommended = &result->rows[result->verdicts[0].recommended];
	}
	if (written)
		row_add(costs, result, written, false);
	row_add(costs, result, recommended, true);
}

static unsigned lines_count(const char *text)
{
	unsigned count = 1;
	for (; *text; text++)
		count += *text == '\n';
	return count;
}

static void number_cell(struct text *out, double value)
{
	text_puts(out, "<td>");
	if (value >= 1e7)
		text_printf(out, "%.3e", value);
	else if (value > 0)
		text_printf(out, value < 100 ? "%.3g" : "%.0f", value);
	text_puts(out, "</td>");
}

static void line_print(struct text *out, struct arena *arena, const struct launch_cost *cost, unsigned number,
                       const char *line, size_t length, double most)
{
	const double darkest = 0.45;
	double heat = most > 0 ? fmax(cost->written_us, cost->recommended_us) / most : 0;
	text_printf(out, "<tr id=\"L%u\"><td class=\"faint\">%u</td>", number, number);
	number_cell(out, cost->instructions);
	number_cell(out, cost->written_us);
	number_cell(out, cost->recommended_us);
	text_puts(out, "<td class=\"code\"");
	if (heat > 0)
		text_printf(out, " style=\"background:rgba(var(--heat),%.3f)\"", darkest * heat);
	if (cost->waits && *cost->waits) {
		text_puts(out, " tabindex=\"0\" title=\"");
		html_text(out, cost->waits);
		text_puts(out, "\" data-waits=\"");
		html_text(out, cost->waits);
		text_puts(out, "\"");
	}
	text_puts(out, ">");
	html_text(out, arena_strndup(arena, line, length));
	text_puts(out, "</td></tr>\n");
}

void html_source(struct text *out, struct arena *arena, const struct prediction *prediction)
{
	struct costs costs = {.arena = arena, .path = prediction->analysis->path};
	const char *text = prediction->analysis->source->main_text;
	double most = 0;
	if (!text)
		return;
	costs.count = lines_count(text);
	costs.lines = arena_array(arena, costs.count + 1, sizeof *costs.lines);
	for (unsigned c = 0; c < prediction->case_count; c++)
		launch_add(&costs, &prediction->cases[c]);
	for (unsigned l = 1; l <= costs.count; l++)
		most = fmax(most, fmax(costs.lines[l].written_us, costs.lines[l].recommended_us));
	text_puts(out, "<h2 id=\"source\">Source</h2>\n<p class=\"faint\">Instructions of all warps as written, and "
	               "the time that warps "
	               "spend at each line in all launches: as written, and in the recommended layouts. Point at a "
	               "line, or go to it "
	               "with the tab "
	               "key, to see what it waits for.</p>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" "
	               "aria-label=\"source\"><table "
	               "class=\"source\">\n<tr><th scope=\"col\">line</th><th scope=\"col\">instructions</th><th "
	               "scope=\"col\">written "
	               "&micro;s</th><th scope=\"col\">recommended "
	               "&micro;s</th><th scope=\"col\" class=\"text\">source</th></tr>\n");
	for (unsigned number = 1; number <= costs.count && *text; number++) {
		size_t length = strcspn(text, "\n");
		line_print(out, arena, &costs.lines[number], number, text, length, most);
		text += length + (text[length] == '\n');
	}
	text_puts(out, "</table></div>\n");
}
