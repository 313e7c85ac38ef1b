/*
 * batch --html: one page: the figures of each model beside the targets, every predicted time over its measured one,
 * picks that were missed, and where times are worst.
 */
#include "cli/batch/page.h"
#include "cli/report/html/html.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define WIDTH 640.0
#define HEIGHT 480.0
#define LEFT 64.0
#define RIGHT 28.0
#define TOP 12.0
#define BOTTOM 44.0
#define WORST_SHOWN 20

/* ---- figures ------------------------------------------------------------------------------ */

static void figure_cell(struct text *out, const char *model, const char *key, double value, bool reached)
{
	text_printf(out, "<td%s data-json=\"/models/%s/%s\">%.4f</td>", reached ? " class=\"reached\"" : "", model, key,
	            value);
}

static void model_print(struct text *out, struct arena *arena, const struct comparisons *comparisons, unsigned m)
{
	const char *model = comparisons->models[m];
	const struct accuracy all = batch_accuracy(arena, comparisons, m, NULL);
	text_puts(out, "<tr><td>");
	html_text(out, model);
	text_printf(out, "</td><td data-json=\"/models/%s/cases\">%u</td>", model, all.cases);
	if (all.cases == 0) {
		text_puts(out, "<td colspan=\"6\">-</td></tr>\n");
		return;
	}
	figure_cell(out, model, "pick", all.pick, all.pick >= 1);
	figure_cell(out, model, "regret", all.regret, all.regret <= 0.005);
	figure_cell(out, model, "worst_regret", all.worst_regret, false);
	figure_cell(out, model, "rank", all.rank, all.rank >= 0.95);
	figure_cell(out, model, "ratio_error", all.ratio_error, all.ratio_error <= 0.05);
	figure_cell(out, model, "time_error", all.time_error, all.time_error <= 0.1);
	text_puts(out, "</tr>\n");
}

static void models_print(struct text *out, struct arena *arena, const struct comparisons *comparisons)
{
	text_puts(
		out,
		"<h2 id=\"figures\">Figures</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" "
		"aria-label=\"figures\"><table>\n<tr><th>model</th><th>cases</th><th>pick</th><th>regret</th><th>worst "
		"regret</th><th>rank</th><th>ratio error</th><th>time error</th></tr>\n");
	for (unsigned m = 0; m < comparisons->model_count; m++)
		model_print(out, arena, comparisons, m);
	text_puts(out,
	          "<tr "
	          "class=\"faint\"><td>target</td><td></td><td>1</td><td>0.005</td><td></td><td>0.95</td><td>0.05</td>"
	          "<td>0.1</td></tr>\n</table></div>\n");
}

/* ---- scatter --------------------------------------------------------------------------------- */

/* Both axes show the same decades of microseconds. */
struct scatter {
	double low, high;
	unsigned points;
};

static struct scatter scatter_of(const struct comparisons *comparisons, unsigned m)
{
	struct scatter scatter = {.low = INFINITY, .high = -INFINITY};
	for (unsigned c = 0; c < comparisons->count; c++)
		for (unsigned l = 0; l < comparisons->list[c].layout_count; l++) {
			double measured = comparisons->list[c].measured[l],
			       predicted = comparisons->list[c].predicted[m][l];
			if (!(measured > 0) || !(predicted > 0))
				continue;
			scatter.low = fmin(scatter.low, floor(log10(fmin(measured, predicted))));
			scatter.high = fmax(scatter.high, ceil(log10(fmax(measured, predicted))));
			scatter.points++;
		}
	if (scatter.high <= scatter.low)
		scatter.high = scatter.low + 1;
	return scatter;
}

static double along(const struct scatter *scatter, double us)
{
	return (log10(us) - scatter->low) / (scatter->high - scatter->low);
}

static double plot_x(const struct scatter *scatter, double us)
{
	return LEFT + (WIDTH - LEFT - RIGHT) * along(scatter, us);
}

static double plot_y(const struct scatter *scatter, double us)
{
	return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * along(scatter, us);
}

/* Between two decades: short lines on both axes, two of them with their numbers. */
static void tick_print(struct text *out, const struct scatter *scatter, double us, bool named)
{
	double x = plot_x(scatter, us), y = plot_y(scatter, us), length = named ? 6 : 3;
	text_printf(out,
	            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/><line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
	            "y2=\"%.1f\"/>",
	            x, HEIGHT - BOTTOM - length, x, HEIGHT - BOTTOM, LEFT, y, LEFT + length, y);
	if (named)
		text_printf(out,
		            "<text class=\"faint minor\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%g</text><text "
		            "class=\"faint "
		            "minor\" "
		            "x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
		            x, HEIGHT - BOTTOM + 16, us, LEFT - 6, y + 4, us);
}

static void decades_print(struct text *out, const struct scatter *scatter)
{
	for (int d = (int)scatter->low; d <= (int)scatter->high; d++) {
		double us = pow(10, d), x = plot_x(scatter, us), y = plot_y(scatter, us);
		text_printf(out,
		            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke-opacity=\".25\"/><line "
		            "x1=\"%.1f\" "
		            "y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke-opacity=\".25\"/>",
		            x, TOP, x, HEIGHT - BOTTOM, LEFT, y, WIDTH - RIGHT, y);
		text_printf(out,
		            "<text class=\"faint\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%g</text><text "
		            "class=\"faint\" "
		            "x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
		            x, HEIGHT - BOTTOM + 16, us, LEFT - 6, y + 4, us);
		for (int part = 2; part < 10 && d < (int)scatter->high; part++)
			tick_print(out, scatter, part * us, part == 2 || part == 5);
	}
	text_printf(out,
	            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">measured &#181;s (log scale)</text><text "
	            "x=\"14\" y=\"%.1f\" "
	            "transform=\"rotate(-90 14 %.1f)\" text-anchor=\"middle\">predicted &#181;s (log scale)</text>\n",
	            (WIDTH + LEFT - RIGHT) / 2, HEIGHT - 8, (HEIGHT - BOTTOM) / 2, (HEIGHT - BOTTOM) / 2);
}

/* Where predicted is so many times measured. */
static void ratio_print(struct text *out, const struct scatter *scatter, double ratio, bool main)
{
	double low = pow(10, scatter->low), high = pow(10, scatter->high);
	double from = ratio < 1 ? low / ratio : low, to = ratio > 1 ? high / ratio : high;
	text_printf(out, "<line%s x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"%s/>\n", main ? " class=\"roof\"" : "",
	            plot_x(scatter, from), plot_y(scatter, from * ratio), plot_x(scatter, to),
	            plot_y(scatter, to * ratio), main ? "" : " stroke-dasharray=\"4 4\"");
}

static void points_print(struct text *out, const struct scatter *scatter, const struct comparison *comparison,
                         unsigned m)
{
	for (unsigned l = 0; l < comparison->layout_count; l++) {
		double measured = comparison->measured[l], predicted = comparison->predicted[m][l];
		if (!(measured > 0) || !(predicted > 0))
			continue;
		text_printf(out, "<circle%s cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill-opacity=\".7\"><title>",
		            l == comparison->picks[m] ? " class=\"best\"" : "", plot_x(scatter, measured),
		            plot_y(scatter, predicted));
		html_printf(out, "%s: %s %s: predicted %.3f us, measured %.3f us", comparison->id, comparison->kernel,
		            comparison->layouts[l], predicted, measured);
		text_puts(out, "</title></circle>\n");
	}
}

static void scatter_print(struct text *out, const struct comparisons *comparisons, unsigned m)
{
	const struct scatter scatter = scatter_of(comparisons, m);
	if (scatter.points == 0)
		return;
	text_puts(out, "<h3>");
	html_printf(out, "%s: %u times", comparisons->models[m], scatter.points);
	text_puts(out, "</h3>\n<p class=\"faint\">On the line they are right; dashed: 20 % more and less. Green: the "
	               "layout that is "
	               "recommended.</p>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"scatter\">");
	text_printf(out,
	            "<svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" role=\"img\" aria-label=\"predicted over measured "
	            "times\">\n",
	            WIDTH, HEIGHT, WIDTH);
	decades_print(out, &scatter);
	ratio_print(out, &scatter, 1, true);
	ratio_print(out, &scatter, 1.2, false);
	ratio_print(out, &scatter, 1 / 1.2, false);
	for (unsigned c = 0; c < comparisons->count; c++)
		points_print(out, &scatter, &comparisons->list[c], m);
	text_puts(out, "</svg></div>\n");
}

/* ---- cases -------------------------------------------------------------------------------------- */

static void case_cell(struct text *out, const struct comparison *comparison)
{
	text_puts(out, "<tr><td>");
	html_printf(out, "%s: %s%s%s", comparison->id, comparison->kernel, comparison->record ? ", " : "",
	            comparison->record ? comparison->record : "");
	text_puts(out, "</td>");
}

static void misses_print(struct text *out, struct arena *arena, const struct comparisons *comparisons, unsigned m)
{
	unsigned shown = 0;
	text_puts(out, "<h2 id=\"missed\">Missed picks</h2>\n");
	for (unsigned c = 0; c < comparisons->count; c++) {
		const struct comparison *comparison = &comparisons->list[c];
		struct judged_case judged;
		if (!batch_judge(arena, comparison, m, &judged) || measure_pick_is_right(&judged))
			continue;
		if (shown++ == 0)
			text_puts(out,
			          "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"missed "
			          "picks\"><table>\n<tr>"
			          "<th>case</th><th>pick</th><th>it takes &micro;s</th><th>fastest</th><th>that takes "
			          "&micro;s</th><th>regret</th></tr>\n");
		unsigned fastest = batch_fastest(comparison), pick = comparison->picks[m];
		case_cell(out, comparison);
		text_printf(out, "<td>%s</td><td>%.3f</td><td>%s</td><td>%.3f</td><td>%.1f %%</td></tr>\n",
		            comparison->layouts[pick], comparison->measured[pick], comparison->layouts[fastest],
		            comparison->measured[fastest], 100 * measure_regret(&judged));
	}
	text_puts(out, shown ? "</table></div>\n" : "<p>none</p>\n");
}

static void worst_print(struct text *out, struct arena *arena, const struct comparisons *comparisons, unsigned m)
{
	unsigned count;
	const struct worst_time *worst = batch_worst(arena, comparisons, m, &count);
	if (count == 0)
		return;
	text_puts(out, "<h2 id=\"worst\">Worst times</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" "
	               "aria-label=\"worst "
	               "times\"><table>\n<tr><th>case</th><th>layout</th><th>predicted &micro;s</th><th>measured "
	               "&micro;s</th><th>error</th></tr>\n");
	for (unsigned i = 0; i < count && i < WORST_SHOWN; i++) {
		const struct comparison *comparison = worst[i].comparison;
		double predicted = comparison->predicted[m][worst[i].layout],
		       measured = comparison->measured[worst[i].layout];
		case_cell(out, comparison);
		text_printf(out, "<td>%s</td><td>%.3f</td><td>%.3f</td><td>%+.1f %%</td></tr>\n",
		            comparison->layouts[worst[i].layout], predicted, measured,
		            100 * (predicted / measured - 1));
	}
	text_puts(out, "</table></div>\n");
}

void batch_page(struct text *out, struct arena *arena, const struct comparisons *comparisons, const char *title,
                struct json_t *json)
{
	html_begin(out, title);
	text_puts(out, "<header>\n<h1>Predicted against measured</h1>\n<p class=\"faint\">");
	html_text(out, title);
	text_puts(out, "</p>\n</header>\n<nav aria-label=\"contents\"><p><a href=\"#figures\">figures</a> &#183; <a "
	               "href=\"#times\">times</a> &#183; <a href=\"#missed\">missed picks</a></p></nav>\n<main>\n");
	models_print(out, arena, comparisons);
	text_puts(out, "<h2 id=\"times\">Times</h2>\n");
	for (unsigned m = 0; m < comparisons->model_count; m++)
		scatter_print(out, comparisons, m);
	if (comparisons->model_count > 0) {
		misses_print(out, arena, comparisons, 0);
		worst_print(out, arena, comparisons, 0);
	}
	text_puts(out, "</main>\n");
	html_json(out, json);
	html_end(out);
}
