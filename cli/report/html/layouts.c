/*
 * The layouts of one record in a launch: a row and a bar each. A bar is as long as its time is beside the slowest's,
 * shared out by report_share() where the model has limits.
 */
#include "cli/report/html/html.h"

#include <math.h>

/* A share in percent, as it stands in the JSON. */
static void share_cell(struct text *out, unsigned index, unsigned row, const char *key, double share)
{
	if (isfinite(share))
		text_printf(out,
		            "<td><span data-json=\"/kernels/%u/layouts/%u/%s\" data-scale=\"100\">%.1f</span> %%</td>",
		            index, row, key, 100 * share);
	else
		text_puts(out, "<td>-</td>");
}

/* A cell with a number that stands in the JSON, too. */
static void number_cell(struct text *out, unsigned index, unsigned row, const char *key, double value, const char *text)
{
	if (isfinite(value))
		text_printf(out, "<td data-json=\"/kernels/%u/layouts/%u/%s\">%s</td>", index, row, key, text);
	else
		text_puts(out, "<td>-</td>");
}

static void bar_cell(struct text *out, const struct estimate *estimate, double slowest)
{
	double width = slowest > 0 ? 100 * estimate->time_seconds / slowest : 0;
	text_puts(out, "<td class=\"bar\"><div class=\"track\">");
	for (unsigned i = 0; i < estimate->limit_count; i++) {
		const struct limit *limit = report_limit_at(estimate, i);
		double share = report_share(estimate, limit->name);
		if (share > 0)
			text_printf(
				out,
				"<span class=\"%s\" style=\"width:%.2f%%\" title=\"%s: %.0f %% of the time\"></span>",
				limit->name, width * share, report_part_name(limit->name), 100 * share);
	}
	if (estimate->limit_count == 0)
		text_printf(out, "<span style=\"width:%.2f%%\"></span>", width);
	text_puts(out, "</div></td>");
}

static void row_print(struct text *out, struct arena *arena, const struct prediction *prediction, unsigned index,
                      const struct ranked_layout *row, const struct measured_kernel *measured, double fastest,
                      double slowest, bool best)
{
	const struct estimate *estimate = row->estimate;
	unsigned position = (unsigned)(row - prediction->cases[index].rows);
	double rate = report_dram_rate(prediction->machine, estimate),
	       measured_us = measured ? 1e6 * measure_time(measured, row) : NAN;
	text_printf(out, "<tr%s><td>", best ? " class=\"best\"" : "");
	html_text(out, report_layout_label(arena, row->layout, row->tile));
	text_puts(out, "</td>");
	number_cell(out, index, position, "time_us", estimate->time_seconds,
	            arena_printf(arena, "%.3f", 1e6 * estimate->time_seconds));
	if (measured)
		text_printf(out, measured_us > 0 ? "<td>%.3f</td><td>%+.1f %%</td>" : "<td>-</td><td>-</td>",
		            measured_us, 100 * (1e6 * estimate->time_seconds / measured_us - 1));
	text_printf(out, "<td>%.2f</td>", fastest > 0 ? estimate->time_seconds / fastest : 1);
	text_puts(out, "<td>");
	html_text(out, estimate->bound);
	text_puts(out, isfinite(rate) ? arena_printf(arena, "</td><td>%.0f</td><td>%.0f %%</td>", 1e-9 * rate,
	                                             100 * report_dram_share(prediction->machine, estimate))
	                              : "</td><td>-</td><td>-</td>");
	share_cell(out, index, position, "counts/l1_hit_rate", estimate->counts.l1_hit_rate);
	share_cell(out, index, position, "counts/l2_hit_rate", estimate->counts.l2_hit_rate);
	number_cell(out, index, position, "registers", estimate->registers ? estimate->registers : NAN,
	            arena_printf(arena, "%u", estimate->registers));
	share_cell(out, index, position, "occupancy", estimate->occupancy);
	bar_cell(out, estimate, slowest);
	text_puts(out, "</tr>\n");
}

static void key_print(struct text *out, const struct estimate *estimate)
{
	if (estimate->limit_count == 0)
		return;
	text_puts(out, "<p class=\"key faint\">the time goes to");
	for (unsigned i = 0; i < estimate->limit_count; i++)
		text_printf(out, " <b><span class=\"%s\"></span>%s</b>", report_limit_at(estimate, i)->name,
		            report_part_name(report_limit_at(estimate, i)->name));
	text_puts(out, "</p>\n");
}

static void headings_print(struct text *out, struct arena *arena, bool measured)
{
	static const char *const headings[] = {"layout",  "time us", "measured us", "error",
	                                       "vs best", "bound",   "DRAM GB/s",   "of peak",
	                                       "L1 hits", "L2 hits", "registers",   "occupancy"};
	for (size_t i = 0; i < ARRAY_COUNT(headings); i++)
		if (measured || (i != 2 && i != 3))
			html_heading(out, arena, headings[i]);
	text_puts(out, "<th scope=\"col\" class=\"text\">time</th>");
}

void html_layouts(struct text *out, struct arena *arena, const struct prediction *prediction, unsigned index,
                  const struct verdict *verdict, const struct report_context *context)
{
	const struct case_result *result = &prediction->cases[index];
	unsigned count;
	const struct ranked_layout **rows = report_rows(arena, result, verdict ? verdict->group : NULL, &count);
	const struct measured_kernel *measured =
		context->measured ? measure_kernel_find(context->measured, prediction->cases, index) : NULL;
	if (count == 0)
		return;
	text_puts(out, "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"layouts\"><table>\n<tr>");
	headings_print(out, arena, measured);
	text_puts(out, "</tr>\n");
	for (unsigned r = 0; r < count; r++)
		row_print(out, arena, prediction, index, rows[r], measured, rows[0]->estimate->time_seconds,
		          rows[count - 1]->estimate->time_seconds,
		          verdict && rows[r] == &result->rows[verdict->recommended]);
	text_puts(out, "</table></div>\n");
	key_print(out, rows[0]->estimate);
}
