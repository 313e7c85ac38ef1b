/*
 * The file, with what each line costs: instructions that stem from it, as written; time that its memory accesses take of the launches, as written and in the recommended
 * layouts. A launch's time is shared out by the cycles that the model gives each access.
 */
#include "cli/report/html/html.h"

#include <limits.h>
#include <math.h>
#include <string.h>

struct line_cost {
	double instructions; /* of all warps */
	double written_us, recommended_us;
};
struct costs {
	const char *path;
	struct line_cost *lines; /* from 1 */
	unsigned count;
};

static const char *file_name(const char *path)
{
	return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

/* Whether a place is a line of the file. Compilers may have seen it under another path, but never under another name. */
static bool same_file(const struct costs *costs, const struct place *place)
{
	return place->line > 0 && place->line <= costs->count &&
	       (!place->file || strcmp(file_name(place->file), file_name(costs->path)) == 0);
}

static void instructions_add(struct costs *costs, const struct ranked_layout *row, double launches)
{
	const struct code_view *code = &row->view->ptx;
	if (!code->function || !code->evaluation)
		return;
	for (uint32_t i = 0; i < code->function->insn_count; i++) {
		struct place place = code_place(row->view, code, i);
		if (same_file(costs, &place))
			costs->lines[place.line].instructions += launches * code->evaluation->insns[i].issued;
	}
}

/* Adds the microseconds of a row's accesses to what their lines cost as written, or as recommended. */
static void times_add(struct costs *costs, const struct ranked_layout *row, double launches, bool recommended)
{
	const struct estimate *estimate = row->estimate;
	double us_per_cycle = 1e6 * estimate->time_seconds / estimate->cycles_per_warp;
	for (unsigned a = 0; a < estimate->access_count; a++) {
		const struct access_estimate *access = &estimate->accesses[a];
		if (!same_file(costs, &access->place) || !isfinite(us_per_cycle))
			continue;
		struct line_cost *cost = &costs->lines[access->place.line];
		double *time = recommended ? &cost->recommended_us : &cost->written_us;
		*time += launches * access->cycles * us_per_cycle;
	}
}

static void launch_add(struct costs *costs, const struct case_result *result)
{
	double launches = (double)result->launch->launches;
	const struct ranked_layout *written = result->rows, *recommended = result->rows;
	if (result->row_count == 0 || !result->rows)
		return;
	if (result->verdict_count) {
		written = report_written_row(result, &result->verdicts[0]);
		recommended = &result->rows[result->verdicts[0].recommended];
	}
	if (written) {
		instructions_add(costs, written, launches);
		times_add(costs, written, launches, false);
	}
	times_add(costs, recommended, launches, true);
}

static unsigned lines_count(const char *text)
{
	unsigned count = 1;
	for (; *text; text++)
		count += *text == '\n';
	return count;
}

static void number_cell(struct text *out, double value, const char *format_unit)
{
	text_puts(out, "<td>");
	if (value > 0)
		text_printf(out, "%.4g%s", value, format_unit);
	text_puts(out, "</td>");
}

static void line_print(struct text *out, struct arena *arena, const struct line_cost *cost, unsigned number, const char *line,
                       size_t length, double most)
{
	const double darkest = 0.45;
	double heat = most > 0 ? fmax(cost->written_us, cost->recommended_us) / most : 0;
	text_printf(out, "<tr id=\"L%u\"><td class=\"faint\">%u</td>", number, number);
	number_cell(out, cost->instructions, "");
	number_cell(out, cost->written_us, "");
	number_cell(out, cost->recommended_us, "");
	text_puts(out, "<td class=\"code\"");
	if (heat > 0)
		text_printf(out, " style=\"background:rgba(var(--heat),%.3f)\"", darkest * heat);
	text_puts(out, ">");
	html_text(out, arena_strndup(arena, line, length));
	text_puts(out, "</td></tr>\n");
}

void html_source(struct text *out, struct arena *arena, const struct prediction *prediction)
{
	struct costs costs = {.path = prediction->analysis->path};
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
	text_puts(out, "<h2 id=\"source\">Source</h2>\n<p class=\"faint\">Instructions of all warps as written, and time of the "
	               "memory accesses of each line in all "
	               "launches: as written, and in the recommended layouts.</p>\n<div class=\"wide\" tabindex=\"0\" "
	               "role=\"region\" aria-label=\"source\"><table class=\"source\">\n"
	               "<tr><th>line</th><th>instructions</th><th>written &micro;s</th><th>recommended &micro;s</th><th "
	               "class=\"text\">source</th></tr>\n");
	for (unsigned number = 1; number <= costs.count && *text; number++) {
		size_t length = strcspn(text, "\n");
		line_print(out, arena, &costs.lines[number], number, text, length, most);
		text += length + (text[length] == '\n');
	}
	text_puts(out, "</table></div>\n");
}
