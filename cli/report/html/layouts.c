/*
 * The layouts of one record in a launch: a row and a bar each. A bar is as long as its time is beside the slowest's; where the model says how long each part would
 * take by itself, it is shared out by that.
 */
#include "cli/report/html/html.h"

#include <math.h>

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
	double width = slowest > 0 ? 100 * estimate->time_seconds / slowest : 0, sum = 0;
	for (unsigned i = 0; i < estimate->limit_count; i++)
		sum += estimate->limits[i].cycles;
	text_puts(out, "<td class=\"bar\"><div class=\"track\">");
	for (unsigned i = 0; i < estimate->limit_count && sum > 0; i++)
		if (estimate->limits[i].cycles > 0)
			text_printf(out, "<span class=\"%s\" style=\"width:%.2f%%\" title=\"%s: %.4g cycles\"></span>",
			            estimate->limits[i].name, width * estimate->limits[i].cycles / sum, estimate->limits[i].name,
			            estimate->limits[i].cycles);
	if (!(sum > 0))
		text_printf(out, "<span style=\"width:%.2f%%\"></span>", width);
	text_puts(out, "</div></td>");
}

static void row_print(struct text *out, struct arena *arena, const struct prediction *prediction, unsigned index,
                      const struct ranked_layout *row, double fastest, double slowest, bool best)
{
	const struct estimate *estimate = row->estimate;
	unsigned position = (unsigned)(row - prediction->cases[index].rows);
	double rate = report_dram_rate(estimate);
	text_printf(out, "<tr%s><td>", best ? " class=\"best\"" : "");
	html_text(out, report_layout_label(arena, row->layout, row->tile));
	text_puts(out, "</td>");
	number_cell(out, index, position, "time_us", estimate->time_seconds,
	            arena_printf(arena, "%.3f", 1e6 * estimate->time_seconds));
	text_printf(out, "<td>%.2f</td>", fastest > 0 ? estimate->time_seconds / fastest : 1);
	number_cell(out, index, position, "cycles_per_warp", estimate->cycles_per_warp,
	            arena_printf(arena, "%.5g", estimate->cycles_per_warp));
	text_puts(out, "<td>");
	html_text(out, estimate->bound);
	text_puts(out, isfinite(rate) ? arena_printf(arena, "</td><td>%.0f</td><td>%.0f %%</td>", 1e-9 * rate,
	                                             100 * report_dram_share(prediction->machine, estimate))
	                              : "</td><td>-</td><td>-</td>");
	number_cell(out, index, position, "registers", estimate->registers ? estimate->registers : NAN,
	            arena_printf(arena, "%u", estimate->registers));
	text_printf(out, "<td>%.0f %%</td>", 100 * estimate->occupancy);
	bar_cell(out, estimate, slowest);
	text_puts(out, "</tr>\n");
}

static void key_print(struct text *out, const struct estimate *estimate)
{
	if (estimate->limit_count == 0)
		return;
	text_puts(out, "<p class=\"key faint\">share of");
	for (unsigned i = 0; i < estimate->limit_count; i++)
		text_printf(out, "<span class=\"%s\"></span>%s", estimate->limits[i].name, estimate->limits[i].name);
	text_puts(out, "</p>\n");
}

void html_layouts(struct text *out, struct arena *arena, const struct prediction *prediction, unsigned index,
                  const struct verdict *verdict)
{
	const struct case_result *result = &prediction->cases[index];
	unsigned count;
	const struct ranked_layout **rows = report_rows(arena, result, verdict ? verdict->group : NULL, &count);
	if (count == 0)
		return;
	text_puts(out, "<div class=\"wide\" tabindex=\"0\" role=\"region\" "
	               "aria-label=\"layouts\"><table>\n<tr><th>layout</th><th>time &micro;s</th><th>vs "
	               "best</th><th>cycles per warp</th><th>bound</th><th>DRAM GB/s</th><th>of peak</th><th>registers</th>"
	               "<th>occupancy</th><th class=\"text\">time</th></tr>\n");
	for (unsigned r = 0; r < count; r++)
		row_print(out, arena, prediction, index, rows[r], rows[0]->estimate->time_seconds,
		          rows[count - 1]->estimate->time_seconds, verdict && rows[r] == &result->rows[verdict->recommended]);
	text_puts(out, "</table></div>\n");
	key_print(out, rows[0]->estimate);
}
