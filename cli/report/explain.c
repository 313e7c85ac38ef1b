/*
 * --explain: per source line, the recommended layout beside the one that it is compared with: what is executed there,
 * what it asks of the caches, how long warps wait and for what. Then what a change would be worth, each by another
 * estimate; then all counts by their names in Nsight Compute.
 *
 * Executions and requests are those of a warp, on average; cycles are those for which a warp waits at the line, issuing
 * included, and their share of all that it is resident.
 */
#include "cli/report/report.h"

#include <math.h>
#include <string.h>

#define LEAST_SHARE 0.005 /* lines that cost less, and access nothing, are summed up */
#define WAITS 3           /* reasons that are named */
#define LEAST_WAIT 0.08   /* of a line's cycles */
#define SIDES 2

/* One layout of those that stand side by side. */
struct column {
	const struct ranked_layout *row;
	const char *label;
	struct line_costs lines;
};
struct beside {
	struct column list[SIDES];
	unsigned count, width; /* width: of the labels */
	const char *source;    /* text of the file, or NULL */
};

static struct column column_make(struct arena *arena, const struct ranked_layout *row)
{
	return (struct column){row, report_layout_label(arena, row->layout, row->tile),
	                       explain_lines(arena, row->view, row->estimate)};
}

static struct beside sides_make(struct arena *arena, const struct prediction *prediction,
                                const struct case_result *result, const struct verdict *verdict)
{
	struct beside sides = {.source = file_read(arena, prediction->analysis->path, NULL)};
	sides.list[sides.count++] = column_make(arena, &result->rows[verdict ? verdict->recommended : 0]);
	if (verdict && verdict->contrast != verdict->recommended)
		sides.list[sides.count++] = column_make(arena, &result->rows[verdict->contrast]);
	sides.width = strlen("layout");
	for (unsigned s = 0; s < sides.count; s++)
		sides.width =
			strlen(sides.list[s].label) > sides.width ? (unsigned)strlen(sides.list[s].label) : sides.width;
	return sides;
}

static const struct line_cost *line_of(const struct column *side, const struct place *place)
{
	for (unsigned i = 0; i < side->lines.count; i++)
		if (explain_place_compare(&side->lines.list[i].place, place) == 0)
			return &side->lines.list[i];
	return NULL;
}

static bool is_worth_a_row(const struct beside *sides, const struct place *place)
{
	for (unsigned s = 0; s < sides->count && place->line; s++) {
		const struct line_cost *line = line_of(&sides->list[s], place);
		if (line && (line->requests > 0 || line->wavefronts > 0 ||
		             line->cycles >= LEAST_SHARE * fmax(sides->list[s].lines.cycles, 1)))
			return true;
	}
	return false;
}

/* ---- cells ---------------------------------------------------------------------------------- */

static void number_print(struct text *out, unsigned width, double value)
{
	if (!isfinite(value))
		text_printf(out, " %*s", (int)width, "-");
	else if (value >= pow(10, width) - 0.5)
		text_printf(out, " %*.2e", (int)width, value);
	else
		text_printf(out, " %*.*f", (int)width,
		            value < 99.95 && value != floor(value) ? value < 9.995 ? 2 : 1 : 0, value);
}

static void share_print(struct text *out, unsigned width, double part, double whole)
{
	if (whole > 0)
		text_printf(out, " %*.0f %%", (int)width - 2, 100 * part / whole);
	else
		text_printf(out, " %*s", (int)width, "-");
}

static void head_print(struct text *out, const struct beside *sides, const struct report_style *style)
{
	text_printf(out, "  %s%5s  %-*s %9s %9s %9s %7s %7s %7s %11s %7s%s\n", style->colour ? "\x1b[2m" : "", "line",
	            (int)sides->width, "layout", "executed", "requests", "sectors/r", "ideal", "L1 hit", "L2 hit",
	            "cycles", "share", style->colour ? "\x1b[0m" : "");
}

static void cells_print(struct text *out, const struct column *side, const struct line_cost *line)
{
	number_print(out, 9, line->instructions / side->lines.warps);
	number_print(out, 9, line->requests > 0 ? line->requests / side->lines.warps : NAN);
	number_print(out, 9, line->requests > 0 ? line->sectors / line->requests : NAN);
	number_print(out, 7, line->requests > 0 ? line->ideal_sectors / line->requests : NAN);
	share_print(out, 7, line->loaded - line->missed, line->loaded);
	share_print(out, 7, line->missed - line->far, line->missed);
	number_print(out, 11, line->cycles / side->lines.warps);
	share_print(out, 7, line->cycles, side->lines.cycles);
	text_puts(out, "\n");
}

/* ---- what is waited for ------------------------------------------------------------------------ */

/* The reason that takes most of a line's cycles, after those already named. */
static int next_wait(const struct line_cost *line, const bool *named)
{
	int found = -1;
	for (int s = 0; s < COST_STALL_COUNT; s++)
		if (!named[s] && line->stalls[s] > LEAST_WAIT * line->cycles &&
		    (found < 0 || line->stalls[s] > line->stalls[found]))
			found = s;
	return found;
}

static const char *waits_text(struct arena *arena, const struct line_cost *line)
{
	bool named[COST_STALL_COUNT] = {[COST_STALL_SELECTED] = true};
	const char *text = "";
	for (unsigned i = 0; i < WAITS; i++) {
		int stall = next_wait(line, named);
		if (stall < 0)
			break;
		named[stall] = true;
		bool result = stall == COST_STALL_LONG_SCOREBOARD || stall == COST_STALL_SHORT_SCOREBOARD;
		text = arena_printf(arena, "%s%s%s %.0f %%%s", text, *text ? ", " : "",
		                    cost_stall_name((enum cost_stall)stall), 100 * line->stalls[stall] / line->cycles,
		                    result && line->source ? arena_printf(arena, " (line %u)", line->source) : "");
	}
	return text;
}

static const char *access_text(struct arena *arena, const struct access_estimate *access)
{
	const char *what = access->array ? arena_printf(arena, " %s%s%s", access->array, access->member ? "." : "",
	                                                access->member ? access->member : "")
	                                 : " of an array that is not known";
	return arena_printf(arena, "%s%s, %u byte%s per lane, %s", report_access_kind(access->kind), what,
	                    access->width_bytes, access->width_bytes == 1 ? "" : "s",
	                    cost_coalescing_name(access->class));
}

static void words_wrap(struct text *out, const struct beside *sides, const char *label, const char *words,
                       const struct report_style *style)
{
	unsigned indent = 2 + 5 + 2 + sides->width + 2;
	if (!*words)
		return;
	text_printf(out, "  %5s  %-*s  ", "", (int)sides->width, label);
	text_wrap(out, words, indent, indent + 2, style->width);
	text_puts(out, "\n");
}

/* What the line accesses in a layout, and what is waited for at it. */
static const char *words_text(struct arena *arena, const struct column *side, const struct place *place)
{
	const struct line_cost *line = line_of(side, place);
	const char *waits = line && line->cycles > 0 && side->lines.simulated ? waits_text(arena, line) : "",
		   *text = "";
	for (unsigned a = 0; a < side->row->estimate->access_count; a++)
		if (explain_place_compare(&side->row->estimate->accesses[a].place, place) == 0)
			text = arena_printf(arena, "%s%s%s", text, *text ? "; " : "",
			                    access_text(arena, &side->row->estimate->accesses[a]));
	return *waits ? arena_printf(arena, "%s%swaits: %s", text, *text ? "; " : "", waits) : text;
}

static void words_print(struct text *out, struct arena *arena, const struct beside *sides, const struct place *place,
                        const struct report_style *style)
{
	const char *words[SIDES] = {"", ""};
	for (unsigned s = 0; s < sides->count; s++)
		words[s] = words_text(arena, &sides->list[s], place);
	if (sides->count > 1 && strcmp(words[0], words[1]) == 0) {
		words_wrap(out, sides, "both", words[0], style);
		return;
	}
	for (unsigned s = 0; s < sides->count; s++)
		words_wrap(out, sides, sides->count > 1 ? sides->list[s].label : "", words[s], style);
}

/* Whether a path is that of one of the program's further source files. */
static bool is_other_file(const struct prediction *prediction, const char *path)
{
	const struct source_text *source = prediction->analysis->source;
	for (unsigned o = 0; o < source->other_count; o++)
		if (strcmp(source->others[o], path) == 0)
			return true;
	return false;
}

static void source_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                         const struct beside *sides, const struct place *place, const struct report_style *style)
{
	const char *line = sides->source;
	if (place->file && !report_is_file(place->file, prediction->analysis->path)) {
		text_printf(out, "         in %s\n", report_file_name(place->file));
		line = is_other_file(prediction, place->file) ? file_read(arena, place->file, NULL) : NULL;
	}
	for (unsigned at = 1; line && at < place->line; at++)
		line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
	if (!line)
		return;
	line += strspn(line, " \t");
	size_t length = strcspn(line, "\r\n"), most = style->width > 20 ? style->width - 12 : 8;
	text_printf(out, "         | %s%s\n", arena_strndup(arena, line, length < most ? length : most),
	            length > most ? "…" : "");
}

static void line_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                       const struct beside *sides, const struct place *place, const struct report_style *style)
{
	for (unsigned s = 0; s < sides->count; s++) {
		const struct line_cost none = {0}, *line = line_of(&sides->list[s], place);
		text_printf(out, "  %5s  %-*s", s ? "" : arena_printf(arena, "%u", place->line), (int)sides->width,
		            sides->list[s].label);
		cells_print(out, &sides->list[s], line ? line : &none);
	}
	source_print(out, arena, prediction, sides, place, style);
	words_print(out, arena, sides, place, style);
}

/* All places of both sides, in order, each once. */
static struct place *places_of(struct arena *arena, const struct beside *sides, unsigned *count)
{
	struct place *places = NULL;
	*count = 0;
	for (unsigned s = 0; s < sides->count; s++)
		for (unsigned l = 0; l < sides->list[s].lines.count; l++) {
			struct place place = sides->list[s].lines.list[l].place;
			unsigned at = 0;
			while (at < *count && explain_place_compare(&places[at], &place) < 0)
				at++;
			if (at < *count && explain_place_compare(&places[at], &place) == 0)
				continue;
			ARENA_PUSH(arena, places, *count, place);
			memmove(&places[at + 1], &places[at], (*count - 1 - at) * sizeof *places);
			places[at] = place;
		}
	return places;
}

/* Lines that are not worth a row of their own. */
static void rest_print(struct text *out, const struct beside *sides)
{
	for (unsigned s = 0; s < sides->count; s++) {
		struct line_cost rest = {0};
		const struct column *side = &sides->list[s];
		for (unsigned l = 0; l < side->lines.count; l++)
			if (!is_worth_a_row(sides, &side->lines.list[l].place)) {
				rest.instructions += side->lines.list[l].instructions;
				rest.cycles += side->lines.list[l].cycles;
			}
		text_printf(out, "  %5s  %-*s", s ? "" : "other", (int)sides->width, side->label);
		cells_print(out, side, &rest);
	}
}

static void lines_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                        const struct beside *sides, const struct report_style *style)
{
	unsigned count;
	const struct place *places = places_of(arena, sides, &count);
	head_print(out, sides, style);
	for (unsigned p = 0; p < count; p++)
		if (is_worth_a_row(sides, &places[p]))
			line_print(out, arena, prediction, sides, &places[p], style);
	rest_print(out, sides);
}

/* ---- what a change would be worth ------------------------------------------------------------- */

static const char *change_text(struct arena *arena, const struct advice *advice, const struct line_cost *line)
{
	switch (advice->supposed.kind) {
	case SUPPOSE_NEIGHBOURS:
		return arena_printf(
			arena,
			"line %u, were neighbouring threads to access neighbouring elements (%.3g sectors a request, "
			"not %.3g)",
			advice->supposed.line, line->ideal_sectors / line->requests, line->sectors / line->requests);
	case SUPPOSE_NEAR:
		return arena_printf(
			arena,
			"line %u, were all that it loads in the L1 (now %.0f %% is), or in shared memory as a tile",
			advice->supposed.line, 100 * (1 - line->missed / line->loaded));
	case SUPPOSE_EARLY:
		break;
	}
	return arena_printf(
		arena, "line %u, were its loads back when they are needed: issued earlier, or more of them at a time",
		advice->supposed.line);
}

static void worth_print(struct text *out, struct arena *arena, const char *what, double before, double after,
                        const struct report_style *style)
{
	const char *text = arena_printf(arena, "%s: %.2f times as fast (%.3f us, not %.3f us)", what, before / after,
	                                1e6 * after, 1e6 * before);
	text_puts(out, "    ");
	text_wrap(out, text, 4, 6, style->width);
	text_puts(out, "\n");
}

static void changes_print(struct text *out, struct arena *arena, const struct beside *sides,
                          const struct verdict *verdict, const struct report_style *style)
{
	const struct column *own = &sides->list[0];
	double now = own->row->estimate->time_seconds;
	bool other = verdict && verdict->recommended != verdict->written && sides->count > 1;
	if (!own->lines.simulated && !other)
		return;
	text_puts(out, "  what a change would be worth at most, each predicted anew:\n");
	if (other)
		worth_print(out, arena, arena_printf(arena, "%s instead of %s", own->label, sides->list[1].label),
		            sides->list[1].row->estimate->time_seconds, now, style);
	for (unsigned a = 0; a < own->row->advice_count; a++) {
		const struct advice *advice = &own->row->advice[a];
		const struct line_cost *line = explain_line_find(&own->lines, advice->supposed.line);
		if (line)
			worth_print(out, arena,
			            arena_printf(arena, "%s: %s", own->label, change_text(arena, advice, line)), now,
			            advice->time_seconds, style);
	}
	const struct unrolling *unrolling = &own->row->unrolling;
	if (unrolling->factor)
		worth_print(out, arena,
		            arena_printf(arena, "%s: %s with #pragma unroll %u", own->label, unrolling->lines,
		                         unrolling->factor),
		            now, unrolling->time_seconds, style);
	if (own->row->advice_count == 0 && own->lines.simulated)
		text_printf(out, "    %s: nothing at a single line's accesses gains more than 3 %%\n", own->label);
}

/* ---- all counts ----------------------------------------------------------------------------------- */

static bool is_said(const struct beside *sides, unsigned metric)
{
	for (unsigned s = 0; s < sides->count; s++)
		if (isfinite(report_metric(sides->list[s].row->view, sides->list[s].row->estimate, metric)))
			return true;
	return false;
}

/* The name, and the unit after it where there is room. */
static const char *metric_label(struct arena *arena, unsigned metric, int width)
{
	const struct report_metric *own = &report_metrics[metric];
	const char *label = arena_printf(arena, "%s, %s", own->name, own->unit);
	return own->unit[0] && own->unit[0] != '%' && !strstr(own->name, ".ratio") && strlen(label) <= (size_t)width
	               ? label
	               : own->name;
}

static void metrics_print(struct text *out, struct arena *arena, const struct beside *sides,
                          const struct report_style *style)
{
	const int width = 75;
	text_printf(out, "  %s%-*s", style->colour ? "\x1b[2m" : "", width,
	            "the whole launch, as Nsight Compute names it");
	for (unsigned s = 0; s < sides->count; s++)
		text_printf(out, " %10s", sides->list[s].label);
	text_printf(out, "%s\n", style->colour ? "\x1b[0m" : "");
	for (unsigned m = 0; m < report_metric_count; m++) {
		if (!is_said(sides, m))
			continue;
		text_printf(out, "  %-*s", width, metric_label(arena, m, width));
		for (unsigned s = 0; s < sides->count; s++)
			number_print(out, 10, report_metric(sides->list[s].row->view, sides->list[s].row->estimate, m));
		text_puts(out, "\n");
	}
}

static void verdict_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                          const struct case_result *result, const struct verdict *verdict,
                          const struct report_style *style)
{
	const struct beside sides = sides_make(arena, prediction, result, verdict);
	text_printf(out, "\nkernel %s, line by line: %s", result->launch->kernel->name, sides.list[0].label);
	if (verdict)
		text_puts(out, verdict->recommended == verdict->written ? " (as written)" : " (recommended)");
	if (verdict && sides.count > 1)
		text_printf(out, " beside %s%s", sides.list[1].label,
		            verdict->contrast == verdict->written ? " (as written)" : "");
	text_puts(out, "; of a warp, on average\n");
	lines_print(out, arena, prediction, &sides, style);
	changes_print(out, arena, &sides, verdict, style);
	metrics_print(out, arena, &sides, style);
}

void report_explain(struct text *out, struct arena *arena, const struct prediction *prediction,
                    const struct report_style *style)
{
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		for (unsigned v = 0; v < result->verdict_count; v++)
			verdict_print(out, arena, prediction, result, &result->verdicts[v], style);
		if (result->verdict_count == 0 && result->row_count)
			verdict_print(out, arena, prediction, result, NULL, style);
	}
}
