/*
 * Sweeps: the curves of what is chosen between over the values of one number, with the crossovers; over two, or on
 * several machines, a table of what is picked.
 */
#include "cli/report/html/html.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define WIDTH 680.0
#define HEIGHT 340.0
#define LEFT 64.0
#define RIGHT 96.0
#define TOP 16.0
#define BOTTOM 44.0
#define COLOURS 6

/* One choice over the first axis: the range of its values, and of times in microseconds. Steps of a bisection lie
 * between. */
struct curves {
	const struct sweep *sweep;
	const struct sweep_choice *choice;
	bool logarithmic; /* values */
	double low, high, time_low, time_high;
};

static const char *label_of(struct arena *arena, const struct curves *curves, unsigned series)
{
	const struct sweep_series *own = &curves->sweep->series[series];
	return curves->choice->of_kernels ? own->kernel : report_layout_label(arena, own->layout, own->tile);
}

static double time_at(const struct curves *curves, const struct sweep_point *point, unsigned i)
{
	return 1e6 * point->cells[curves->choice->series[i]].time_seconds;
}

static struct curves curves_of(const struct sweep *sweep, const struct sweep_choice *choice)
{
	const struct sweep_axis *axis = &sweep->axes[0];
	struct curves curves = {.sweep = sweep, .choice = choice, .time_low = INFINITY, .time_high = -INFINITY};
	curves.low = (double)axis->values[0];
	curves.high = (double)axis->values[axis->count - 1];
	curves.logarithmic = curves.low > 0 && curves.high >= 8 * curves.low;
	for (unsigned p = 0; p < axis->count; p++)
		for (unsigned i = 0; i < choice->count; i++) {
			double time = time_at(&curves, &sweep->points[p], i);
			curves.time_low = time > 0 ? fmin(curves.time_low, time) : curves.time_low;
			curves.time_high = time > 0 ? fmax(curves.time_high, time) : curves.time_high;
		}
	curves.time_low *= 0.9;
	curves.time_high *= 1.1;
	return curves;
}

static double plot_x(const struct curves *curves, double value)
{
	double part = curves->high > curves->low ? (value - curves->low) / (curves->high - curves->low) : 0.5;
	if (curves->logarithmic)
		part = log(value / curves->low) / log(curves->high / curves->low);
	return LEFT + (WIDTH - LEFT - RIGHT) * part;
}

static double plot_y(const struct curves *curves, double us)
{
	return HEIGHT - BOTTOM -
	       (HEIGHT - TOP - BOTTOM) * log(us / curves->time_low) / log(curves->time_high / curves->time_low);
}

static void axes_print(struct text *out, struct arena *arena, const struct curves *curves)
{
	const unsigned most = 9;
	const struct sweep_axis *axis = &curves->sweep->axes[0];
	unsigned step = (axis->count + most - 1) / most;
	for (unsigned v = 0; v < axis->count; v += step) {
		double x = plot_x(curves, (double)axis->values[v]);
		text_printf(out,
		            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke-opacity=\".25\"/><text "
		            "class=\"faint\" "
		            "x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
		            x, TOP, x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 16,
		            sweep_value(arena, axis, axis->values[v]));
	}
	int first = (int)floor(log10(curves->time_low)), last = (int)ceil(log10(curves->time_high));
	for (int power = first; power < last; power++)
		for (unsigned m = 1; m < 10; m += m == 1 ? 1 : m == 2 ? 3 : 5) {
			double us = pow(10, power) * m;
			double y = us > curves->time_low && us < curves->time_high ? plot_y(curves, us) : -1;
			if (y >= 0)
				text_printf(out,
				            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
				            "stroke-opacity=\".25\"/><text "
				            "class=\"faint\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
				            LEFT, y, WIDTH - RIGHT, y, LEFT - 6, y + 4, us);
		}
	text_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", (WIDTH + LEFT - RIGHT) / 2, HEIGHT - 8);
	html_text(out, axis->name);
	text_printf(out,
	            "</text><text x=\"14\" y=\"%.1f\" transform=\"rotate(-90 14 %.1f)\" "
	            "text-anchor=\"middle\">&#181;s</text>\n",
	            (HEIGHT - BOTTOM) / 2, (HEIGHT - BOTTOM) / 2);
}

/* Where a curve ends: at the last value that was predicted; NAN where none was. */
struct curve_end {
	unsigned curve;
	double x, y;
};

static struct curve_end curve_print(struct text *out, struct arena *arena, const struct curves *curves, unsigned i)
{
	const struct sweep *sweep = curves->sweep;
	struct curve_end end = {i, NAN, NAN};
	text_printf(out, "<polyline class=\"curve c%u\" points=\"", i % COLOURS);
	for (unsigned p = 0; p < sweep->axes[0].count; p++) {
		double us = time_at(curves, &sweep->points[p], i);
		if (!(us > 0))
			continue;
		end.x = plot_x(curves, (double)sweep->points[p].at[0]);
		end.y = plot_y(curves, us);
		text_printf(out, "%.1f,%.1f ", end.x, end.y);
	}
	text_puts(out, "\"><title>");
	html_text(out, label_of(arena, curves, curves->choice->series[i]));
	text_puts(out, "</title></polyline>\n");
	return end;
}

static int compare_ends(const void *a, const void *b)
{
	const struct curve_end *left = a, *right = b;
	if (left->y != right->y)
		return left->y < right->y ? -1 : 1;
	return left->curve < right->curve ? -1 : 1;
}

/* The names of the curves beside their ends, below each other where ends meet. */
static void names_print(struct text *out, struct arena *arena, const struct curves *curves, struct curve_end *ends,
                        unsigned count)
{
	const double line = 13;
	double below = -INFINITY;
	if (count)
		qsort(ends, count, sizeof *ends, compare_ends);
	for (unsigned i = 0; i < count; i++) {
		double y = fmax(ends[i].y, below + line);
		text_printf(out, "<text class=\"c%u\" x=\"%.1f\" y=\"%.1f\">", ends[i].curve % COLOURS, ends[i].x + 6,
		            y + 4);
		html_text(out, label_of(arena, curves, curves->choice->series[ends[i].curve]));
		text_puts(out, "</text>\n");
		below = y;
	}
}

static void all_print(struct text *out, struct arena *arena, const struct curves *curves)
{
	struct curve_end *ends = NULL;
	unsigned count = 0;
	for (unsigned i = 0; i < curves->choice->count; i++) {
		struct curve_end end = curve_print(out, arena, curves, i);
		if (isfinite(end.x))
			ARENA_PUSH(arena, ends, count, end);
	}
	names_print(out, arena, curves, ends, count);
}

static void crossovers_print(struct text *out, struct arena *arena, const struct curves *curves, unsigned choice)
{
	for (unsigned i = 0; i < curves->sweep->crossover_count; i++) {
		const struct sweep_crossover *crossover = &curves->sweep->crossovers[i];
		double x = plot_x(curves, (double)crossover->at);
		if (crossover->choice != choice)
			continue;
		text_printf(out,
		            "<line class=\"roof\" stroke-dasharray=\"4 3\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
		            "y2=\"%.1f\"><title>",
		            x, TOP, x, HEIGHT - BOTTOM);
		html_printf(out, "from %s = %lld up %s instead of %s", curves->sweep->axes[0].name,
		            (long long)crossover->at, label_of(arena, curves, crossover->to),
		            label_of(arena, curves, crossover->from));
		text_puts(out, "</title></line>\n");
	}
}

static void crossovers_list(struct text *out, struct arena *arena, const struct curves *curves, unsigned choice)
{
	for (unsigned i = 0; i < curves->sweep->crossover_count; i++) {
		const struct sweep_crossover *crossover = &curves->sweep->crossovers[i];
		const char *beside = "";
		if (crossover->choice != choice)
			continue;
		if (curves->sweep->axis_count > 1)
			beside = arena_printf(arena, "%s %s: ", curves->sweep->axes[1].name,
			                      sweep_value(arena, &curves->sweep->axes[1], crossover->beside));
		text_puts(out, "<p>");
		html_printf(out, "%sfrom %s = %s up %s instead of %s.", beside, curves->sweep->axes[0].name,
		            sweep_value(arena, &curves->sweep->axes[0], crossover->at),
		            label_of(arena, curves, crossover->to), label_of(arena, curves, crossover->from));
		text_puts(out, "</p>\n");
	}
}

static void picture_print(struct text *out, struct arena *arena, const struct curves *curves, unsigned choice)
{
	text_printf(out,
	            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"sweep\"><svg viewBox=\"0 0 %.0f "
	            "%.0f\" "
	            "width=\"%.0f\" role=\"img\" aria-label=\"times over values\">\n",
	            WIDTH, HEIGHT, WIDTH);
	axes_print(out, arena, curves);
	crossovers_print(out, arena, curves, choice);
	all_print(out, arena, curves);
	text_puts(out, "</svg></div>\n");
}

/* What is picked at a point, and its time. */
static void pick_cell(struct text *out, struct arena *arena, const struct curves *curves, unsigned choice,
                      const struct sweep_point *point)
{
	unsigned pick = point->picks[choice];
	if (pick == UINT_MAX || point->problem) {
		text_puts(out, "<td>-</td>");
		return;
	}
	text_puts(out, "<td>");
	html_printf(out, "%s %.5g", label_of(arena, curves, pick), 1e6 * point->cells[pick].time_seconds);
	text_puts(out, "</td>");
}

static void table_print(struct text *out, struct arena *arena, const struct curves *curves, unsigned choice)
{
	const struct sweep *sweep = curves->sweep;
	unsigned inner = sweep->axis_count > 1 ? sweep->axes[1].count : 1;
	text_puts(out, "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"picks\"><table>\n<tr><th "
	               "scope=\"col\">");
	html_text(out, sweep->axes[0].name);
	text_puts(out, "</th>");
	for (unsigned j = 0; j < inner; j++) {
		text_puts(out, "<th scope=\"col\">");
		html_printf(out, "%s",
		            sweep->axis_count > 1
		                    ? arena_printf(arena, "%s %s", sweep->axes[1].name,
		                                   sweep_value(arena, &sweep->axes[1], sweep->axes[1].values[j]))
		                    : "pick, us");
		text_puts(out, "</th>");
	}
	text_puts(out, "</tr>\n");
	for (unsigned i = 0; i < sweep->axes[0].count; i++) {
		text_puts(out, "<tr><td>");
		html_text(out, sweep_value(arena, &sweep->axes[0], sweep->axes[0].values[i]));
		text_puts(out, "</td>");
		for (unsigned j = 0; j < inner; j++)
			pick_cell(out, arena, curves, choice, &sweep->points[i * inner + j]);
		text_puts(out, "</tr>\n");
	}
	text_puts(out, "</table></div>\n");
}

void html_curves(struct text *out, struct arena *arena, const struct prediction *prediction)
{
	const struct sweep *sweep = prediction->sweep;
	if (!sweep)
		return;
	text_puts(out, "<h2 id=\"sweep\">Sweep</h2>\n");
	for (unsigned c = 0; c < sweep->choice_count; c++) {
		const struct curves curves = curves_of(sweep, &sweep->choices[c]);
		bool drawable = sweep->axis_count == 1 && sweep->axes[0].kind != SWEEP_MACHINE &&
		                curves.time_high > curves.time_low;
		text_puts(out, "<h3>");
		html_text(out, sweep->choices[c].title);
		text_puts(out, "</h3>\n");
		if (drawable)
			picture_print(out, arena, &curves, c);
		else
			table_print(out, arena, &curves, c);
		crossovers_list(out, arena, &curves, c);
	}
}
