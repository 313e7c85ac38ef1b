/*
 * The instruction roofline (Ding and Williams, PMBS 2019): warp instructions per second over warp instructions per
 * 32-byte sector of DRAM traffic, each launch in its recommended layout and as written, under the roofs of issue rate
 * and DRAM bandwidth. Launches of which the model does not say the DRAM traffic, or says more than there is, are left
 * out.
 */
#include "cli/report/html/html.h"

#include <limits.h>
#include <math.h>

#define WIDTH 640.0
#define HEIGHT 360.0
#define LEFT 56.0
#define RIGHT 24.0
#define TOP 16.0
#define BOTTOM 40.0

/* Decades shown; the roofs of the machine, in giga warp instructions and giga sectors per second. */
struct chart_axes {
	double x_low, x_high, y_low, y_high;
	double issue, sectors;
};

static double plot_x(const struct chart_axes *axes, double intensity)
{
	return LEFT + (WIDTH - LEFT - RIGHT) * (log10(intensity) - axes->x_low) / (axes->x_high - axes->x_low);
}

static double plot_y(const struct chart_axes *axes, double rate)
{
	return TOP + (HEIGHT - TOP - BOTTOM) * (1 - (log10(rate) - axes->y_low) / (axes->y_high - axes->y_low));
}

/* Giga warp instructions a second. */
static double issue_roof(const struct machine *machine)
{
	return 1e-9 * machine->sm_count.value * machine->sm_schedulers.value * machine->sm_issue_per_scheduler.value *
	       machine->sm_clock_hz.value;
}

/* Returns false where the model does not say what the point needs, or what cannot be. */
static bool point_of(const struct machine *machine, const struct estimate *estimate, double *intensity, double *rate)
{
	double sectors = (estimate->counts.dram_read_bytes + estimate->counts.dram_write_bytes) / SECTOR_BYTES;
	*intensity = estimate->counts.warp_instructions / sectors;
	*rate = 1e-9 * estimate->counts.warp_instructions / estimate->time_seconds;
	return isfinite(*intensity) && isfinite(*rate) && *intensity > 0 && *rate > 0 &&
	       isfinite(report_dram_share(machine, estimate)) && *rate <= issue_roof(machine) * (1 + 1e-9);
}

static void axes_widen(struct chart_axes *axes, double intensity, double rate)
{
	axes->x_low = fmin(axes->x_low, floor(log10(intensity)));
	axes->x_high = fmax(axes->x_high, ceil(log10(intensity)));
	axes->y_low = fmin(axes->y_low, floor(log10(rate)));
	axes->y_high = fmax(axes->y_high, ceil(log10(rate)));
}

static struct chart_axes axes_of(const struct prediction *prediction)
{
	const struct machine *machine = prediction->machine;
	struct chart_axes axes = {.x_low = -1, .x_high = 2, .y_low = 0, .y_high = 3};
	double intensity, rate;
	axes.issue = issue_roof(machine);
	axes.sectors = 1e-9 * machine->dram_bandwidth_bytes_per_second.value / SECTOR_BYTES;
	axes_widen(&axes, axes.issue / axes.sectors, axes.issue);
	for (unsigned c = 0; c < prediction->case_count; c++)
		for (unsigned r = 0; r < prediction->cases[c].row_count; r++)
			if (point_of(machine, prediction->cases[c].rows[r].estimate, &intensity, &rate))
				axes_widen(&axes, intensity, rate);
	return axes;
}

static void grid_print(struct text *out, const struct chart_axes *axes)
{
	for (int x = (int)axes->x_low; x <= (int)axes->x_high; x++) {
		double at = plot_x(axes, pow(10, x));
		text_printf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke-opacity=\".25\"/>", at,
		            TOP, at, HEIGHT - BOTTOM);
		text_printf(out, "<text class=\"faint\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%g</text>", at,
		            HEIGHT - BOTTOM + 15, pow(10, x));
	}
	for (int y = (int)axes->y_low; y <= (int)axes->y_high; y++)
		text_printf(out,
		            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke-opacity=\".25\"/><text "
		            "class=\"faint\" "
		            "x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g</text>",
		            LEFT, plot_y(axes, pow(10, y)), WIDTH - RIGHT, plot_y(axes, pow(10, y)), LEFT - 6,
		            plot_y(axes, pow(10, y)) + 4, pow(10, y));
	text_printf(out,
	            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">warp instructions per DRAM sector (log "
	            "scale)</text>"
	            "<text x=\"14\" y=\"%.1f\" transform=\"rotate(-90 14 %.1f)\" text-anchor=\"middle\">10&#8313; warp "
	            "instructions/s</text>",
	            (WIDTH - RIGHT + LEFT) / 2, HEIGHT - 6, (HEIGHT - BOTTOM) / 2, (HEIGHT - BOTTOM) / 2);
}

static void roofs_print(struct text *out, const struct chart_axes *axes)
{
	double ridge = axes->issue / axes->sectors, low = pow(10, axes->x_low);
	double from = fmax(low, pow(10, axes->y_low) / axes->sectors);
	text_printf(out, "<line class=\"roof\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", plot_x(axes, from),
	            plot_y(axes, from * axes->sectors), plot_x(axes, ridge), plot_y(axes, axes->issue));
	text_printf(out, "<line class=\"roof\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", plot_x(axes, ridge),
	            plot_y(axes, axes->issue), WIDTH - RIGHT, plot_y(axes, axes->issue));
	text_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">issue: %.4g</text>", WIDTH - RIGHT - 4,
	            plot_y(axes, axes->issue) - 6, axes->issue);
	text_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">DRAM: %.4g TB/s</text>",
	            plot_x(axes, ridge / 3) - 8, plot_y(axes, axes->issue / 3), 1e-3 * SECTOR_BYTES * axes->sectors);
}

static bool row_print(struct text *out, struct arena *arena, const struct chart_axes *axes,
                      const struct launch_case *launch, const struct ranked_layout *row, bool best)
{
	double intensity, rate;
	if (!row || !point_of(row->view->machine, row->estimate, &intensity, &rate))
		return false;
	const char *label =
		arena_printf(arena, "%s %s", launch->kernel->name, report_layout_label(arena, row->layout, row->tile));
	bool right = plot_x(axes, intensity) > WIDTH * 0.7;
	text_printf(out, "<circle%s cx=\"%.1f\" cy=\"%.1f\" r=\"5\"><title>", best ? " class=\"best\"" : "",
	            plot_x(axes, intensity), plot_y(axes, rate));
	html_printf(out, "%s: %.4g instructions per sector, %.4g warp GIPS", label, intensity, rate);
	text_printf(out, "</title></circle><text x=\"%.1f\" y=\"%.1f\"%s>", plot_x(axes, intensity) + (right ? -9 : 9),
	            plot_y(axes, rate) + 4, right ? " text-anchor=\"end\"" : "");
	html_text(out, label);
	text_puts(out, "</text>\n");
	return true;
}

void html_roofline(struct text *out, struct arena *arena, const struct prediction *prediction)
{
	const struct chart_axes axes = axes_of(prediction);
	struct text points = {0};
	bool any = false;
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		const struct verdict *verdict = result->verdict_count ? &result->verdicts[0] : NULL;
		const struct ranked_layout *written = verdict ? report_written_row(result, verdict) : NULL;
		const struct ranked_layout *best =
			result->row_count ? &result->rows[verdict ? verdict->recommended : 0] : NULL;
		any = row_print(&points, arena, &axes, result->launch, best, true) || any;
		if (written != best)
			any = row_print(&points, arena, &axes, result->launch, written, false) || any;
	}
	if (any) {
		text_puts(out, "<h2 id=\"roofline\">Roofline</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" "
		               "aria-label=\"roofline\">");
		text_printf(out,
		            "<svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" role=\"img\" aria-label=\"instruction "
		            "roofline\">\n",
		            WIDTH, HEIGHT, WIDTH);
		grid_print(out, &axes);
		roofs_print(out, &axes);
		text_append(out, points.data, points.length);
		text_puts(out, "</svg></div>\n");
	}
	text_release(&points);
}
