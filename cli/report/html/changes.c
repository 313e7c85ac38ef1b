/*
 * What a change would be worth, and what all layouts count: the words of --explain, as lists and tables.
 */
#include "cli/report/html/html.h"

#include <math.h>

static const char *const suppositions[] = {
	[SUPPOSE_NEIGHBOURS] = "neighbouring threads accessed neighbouring elements",
	[SUPPOSE_NEAR] = "all that it loads were in the L1, or in shared memory as a tile",
	[SUPPOSE_EARLY] = "its loads were back when they are needed: issued earlier, or more of them at a time",
};

static bool is_recommended(const struct case_result *result, unsigned row)
{
	for (unsigned v = 0; v < result->verdict_count; v++)
		if (result->verdicts[v].recommended == row)
			return true;
	return result->verdict_count == 0;
}

void html_changes(struct text *out, struct arena *arena, const struct prediction *prediction, unsigned index)
{
	const struct case_result *result = &prediction->cases[index];
	unsigned shown = 0;
	for (unsigned r = 0; r < result->row_count; r++) {
		const struct ranked_layout *row = &result->rows[r];
		for (unsigned a = 0; a < row->advice_count; a++) {
			const struct advice *advice = &row->advice[a];
			if (shown++ == 0)
				text_puts(out,
				          "<h3>What a change would be worth at most, each predicted anew</h3>\n<ul>\n");
			text_printf(out, "<li><a href=\"#L%u\">line %u</a>, if ", advice->supposed.line,
			            advice->supposed.line);
			html_text(out, suppositions[advice->supposed.kind]);
			text_printf(out,
			            ": %.2f times as fast (<span "
			            "data-json=\"/kernels/%u/layouts/%u/advice/%u/time_us\">%.3f</span> "
			            "&micro;s, in layout %s)</li>\n",
			            row->estimate->time_seconds / advice->time_seconds, index, r, a,
			            1e6 * advice->time_seconds, report_layout_label(arena, row->layout, row->tile));
		}
		if (!row->unrolling.factor || (row->advice_count == 0 && !is_recommended(result, r)))
			continue;
		if (shown++ == 0)
			text_puts(out, "<h3>What a change would be worth at most, each predicted anew</h3>\n<ul>\n");
		text_printf(out,
		            "<li>%s with #pragma unroll %u: %.2f times as fast (<span "
		            "data-json=\"/kernels/%u/layouts/%u/unroll/"
		            "time_us\">%.3f</span> &micro;s, in layout %s)</li>\n",
		            row->unrolling.lines, row->unrolling.factor,
		            row->estimate->time_seconds / row->unrolling.time_seconds, index, r,
		            1e6 * row->unrolling.time_seconds, report_layout_label(arena, row->layout, row->tile));
	}
	text_puts(out, shown ? "</ul>\n" : "");
}

static void value_cell(struct text *out, double value)
{
	if (!isfinite(value))
		text_puts(out, "<td>-</td>");
	else if (value == floor(value) && value < 1e15)
		text_printf(out, "<td>%.0f</td>", value);
	else
		text_printf(out, "<td>%.2f</td>", value);
}

void html_counters(struct text *out, struct arena *arena, const struct prediction *prediction, unsigned index)
{
	const struct case_result *result = &prediction->cases[index];
	unsigned count;
	const struct ranked_layout **rows =
		report_rows(arena, result, result->verdict_count ? result->verdicts[0].group : NULL, &count);
	if (count == 0)
		return;
	text_puts(out, "<details><summary>Counters, as Nsight Compute names them</summary>\n<div class=\"wide\" "
	               "tabindex=\"0\" "
	               "role=\"region\" aria-label=\"counters\"><table>\n<tr><th scope=\"col\">metric</th>");
	for (unsigned r = 0; r < count; r++)
		text_printf(out, "<th scope=\"col\">%s</th>",
		            report_layout_label(arena, rows[r]->layout, rows[r]->tile));
	text_puts(out, "<th scope=\"col\" class=\"text\">unit</th></tr>\n");
	for (unsigned m = 0; m < report_metric_count; m++) {
		text_printf(out, "<tr title=\"%s\"><td>%s</td>", report_metrics[m].what, report_metrics[m].name);
		for (unsigned r = 0; r < count; r++)
			value_cell(out, report_metric(rows[r]->view, rows[r]->estimate, m));
		text_printf(out, "<td class=\"text\">%s</td></tr>\n", report_metrics[m].unit);
	}
	text_puts(out, "</table></div></details>\n");
}
