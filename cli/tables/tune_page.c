/*
 * coalesce tune --html: one page with what to do, all configurations with a bar each, what has no time, and the JSON.
 */
#include "cli/report/html/html.h"
#include "cli/tables/tables.h"

#include <limits.h>
#include <math.h>

#define MOST_SHOWN 200 /* configurations; the JSON has all */

static void cell_print(struct text *out, const char *what)
{
	text_puts(out, "<td>");
	html_text(out, what);
	text_puts(out, "</td>");
}

static void bar_print(struct text *out, double share)
{
	text_printf(out, "<td><div class=\"track\"><span style=\"width:%.1f%%\">&nbsp;</span></div></td>", 100 * share);
}

static const char *interval_text(struct arena *arena, const struct tune_candidate *candidate)
{
	double time = 1e6 * candidate->time_seconds;
	return candidate->low > 0 ? arena_printf(arena, "%.3g to %.3g", time * candidate->low, time * candidate->high)
	                          : "-";
}

static void candidate_print(struct text *out, struct arena *arena, const struct tune_result *result, unsigned index,
                            double slowest)
{
	const struct tune_candidate *candidate = &result->candidates[index];
	const struct sweep_cell *cell = &result->sweep->points[candidate->point].cells[candidate->series];
	bool chosen = index == result->recommended;
	text_printf(out, "<tr%s><td>%u%s</td>", chosen ? " class=\"best\"" : "", index + 1,
	            index == 0            ? ""
	            : candidate->is_tie   ? " ="
	            : candidate->is_close ? " ~"
	                                  : "");
	cell_print(out, tables_tune_label(arena, result, candidate));
	text_printf(out, "<td data-json=\"/configurations/%u/time_us\">%.4g</td>", index,
	            1e6 * candidate->time_seconds);
	cell_print(out, interval_text(arena, candidate));
	bar_print(out, candidate->time_seconds / slowest);
	cell_print(out, cell->bound);
	cell_print(out, isfinite(cell->occupancy) ? arena_printf(arena, "%.0f %%", 100 * cell->occupancy) : "-");
	cell_print(out, arena_printf(arena, "%u", cell->registers));
	cell_print(out, report_dimensions(arena, cell->grid));
	cell_print(out, report_dimensions(arena, cell->block));
	cell_print(out, cell->why);
	text_puts(out, "</tr>\n");
}

static void configurations_print(struct text *out, struct arena *arena, const struct tune_result *result)
{
	unsigned rows = result->candidate_count < MOST_SHOWN ? result->candidate_count : MOST_SHOWN;
	double slowest = result->candidates[rows - 1].time_seconds;
	bool further = result->written != UINT_MAX && result->written >= rows;
	if (further)
		slowest = fmax(slowest, result->candidates[result->written].time_seconds);
	text_puts(out,
	          "<h2 id=\"configurations\">Configurations</h2>\n<p>=: within 1 % of the fastest. ~: too close to "
	          "call.</p>\n"
	          "<div class=\"wide\" tabindex=\"0\" role=\"region\" "
	          "aria-label=\"configurations\"><table>\n<tr><th>rank</th>"
	          "<th>configuration</th><th>time, us</th><th>expected</th><th></th><th>bound</th><th>occupancy</th>"
	          "<th>registers</th><th>grid</th><th>block</th><th>why</th></tr>\n");
	for (unsigned i = 0; i < rows; i++)
		candidate_print(out, arena, result, i, slowest);
	if (further)
		candidate_print(out, arena, result, result->written, slowest);
	text_puts(out, "</table></div>\n");
	if (rows < result->candidate_count)
		text_printf(out, "<p>%u slower ones are left out; the JSON below has them.</p>\n",
		            result->candidate_count - rows);
}

static void todo_print(struct text *out, struct arena *arena, const struct tune_result *result)
{
	unsigned count;
	const char **steps = tables_tune_steps(arena, result, result->recommended, &count);
	text_puts(out, "<h2 id=\"todo\">What to do</h2>\n<p>");
	html_text(out, tables_tune_verdict(arena, result));
	text_puts(out, "</p>\n");
	if (count)
		text_puts(out, "<ol>\n");
	for (unsigned i = 0; i < count; i++) {
		text_puts(out, "<li>");
		html_text(out, steps[i]);
		text_puts(out, "</li>\n");
	}
	if (count)
		text_puts(out, "</ol>\n");
}

static void refusals_print(struct text *out, struct arena *arena, const struct tune_result *result)
{
	if (result->refusal_count + result->note_count == 0)
		return;
	text_puts(out, "<h2 id=\"refused\">Without a time</h2>\n<ul>\n");
	for (unsigned r = 0; r < result->refusal_count; r++) {
		const struct tune_candidate first = {.point = result->refusals[r].point};
		text_printf(out, "<li>%u: ", result->refusals[r].count);
		html_printf(out, "%s (%s)", result->refusals[r].reason, tables_tune_label(arena, result, &first));
		text_puts(out, "</li>\n");
	}
	for (unsigned n = 0; n < result->note_count; n++) {
		text_puts(out, "<li>");
		html_text(out, result->notes[n]);
		text_puts(out, "</li>\n");
	}
	text_puts(out, "</ul>\n");
}

void tables_tune_page(struct text *out, struct arena *arena, const struct tune_result *result)
{
	const char *program = report_program_name(arena, result->first);
	html_begin(out, arena_printf(arena, "coalesce tune: %s", program));
	text_puts(out, "<h1>");
	html_text(out, arena_printf(arena, "%s on %s", program, result->first->machine->name));
	text_printf(
		out,
		"</h1>\n<p><span data-json=\"/predicted\">%u</span> of <span data-json=\"/space_size\">%llu</span> ",
		result->predicted, (unsigned long long)result->space_size);
	html_text(out, arena_printf(arena, "configurations predicted by the model %s.", result->first->model->name));
	text_puts(out, "</p>\n");
	todo_print(out, arena, result);
	configurations_print(out, arena, result);
	refusals_print(out, arena, result);
	html_json(out, tables_tune_json(arena, result));
	html_end(out);
}
