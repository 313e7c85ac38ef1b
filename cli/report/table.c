/*
 * The first screen: what to do (program.c), then for each kernel, the longest first, a row and a bar per layout, the
 * recommendation and why; then what was assumed.
 *
 * A bar is as long as its layout's time is beside the slowest's. Where the model says how long each part would take by
 * itself, the letters in it are report_share(): i issue, 1 L1, 2 L2, d DRAM, s shared memory, a atomics, w waiting, o
 * overhead of the launch. Models that do not have their cycles per warp shown.
 */
#include "cli/report/report.h"
#include "model/trust/trust.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BAR_LEAST 8
#define BAR_MOST 30
#define CYCLES_WIDTH 12
#define DRAM_WIDTH 15
#define RESOURCES_WIDTH 12
#define START_SHARE 0.1 /* of a launch's time that its start must take to be said */
#define NO_ROOM 0.005

static void group_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                        const struct layout_group *group, const struct kernel *kernel, const struct report_style *style)
{
	const struct layout_groups *groups = &prediction->groups;
	const char *line = arena_printf(arena, "%s {", group->name);
	for (unsigned f = 0; f < group->field_count; f++)
		line = arena_printf(arena, "%s%s%s", line, f ? ", " : "", group->fields[f].path);
	line = arena_printf(arena, "%s%s", line, group->form == FORM_STRUCT ? "}, array" : "}, from arrays");
	if (group->holder)
		line = arena_printf(arena, "%s in", line);
	for (unsigned b = 0, n = 0; b < groups->binding_count; b++)
		if (groups->bindings[b].group == group && groups->bindings[b].kernel == kernel &&
		    (!group->holder || groups->bindings[b].field == 0))
			line = arena_printf(arena, "%s%s %s", line, n++ ? "," : "",
			                    groups->bindings[b].parameter->name);
	report_paragraph(out, style, "record ", arena_printf(arena, "%s; written as %s", line, group->written->name));
}

/* ---- rows ----------------------------------------------------------------------------- */

/* What the columns of a table need: which there are, and how wide. */
struct columns {
	unsigned label, bar;
	bool dram;      /* the model says DRAM bytes; as the next two, left out where the width does not hold it */
	bool cycles;    /* per warp */
	bool resources; /* registers and occupancy */
	double slowest, fastest;
};

static char limit_letter(const char *name)
{
	static const char *const letters[][2] = {{"issue", "i"},   {"l1", "1"},     {"l2", "2"},      {"dram", "d"},
	                                         {"latency", "w"}, {"shared", "s"}, {"atomics", "a"}, {"launch", "o"}};
	for (size_t i = 0; i < ARRAY_COUNT(letters); i++)
		if (strcmp(letters[i][0], name) == 0)
			return *letters[i][1];
	return '#';
}

static unsigned bar_length(const struct columns *columns, double time)
{
	unsigned length = columns->slowest > 0 ? (unsigned)lround(columns->bar * time / columns->slowest) : 0;
	return length < 1 ? 1 : length > columns->bar ? columns->bar : length;
}

/* Fills in the letters of a bar, the limits side by side, and ends them with a zero. */
static void bar_fill(char *letters, unsigned length, const struct estimate *estimate)
{
	double reached = 0;
	unsigned at = 0;
	for (unsigned l = 0; estimate && l < estimate->limit_count; l++) {
		const char *name = report_limit_at(estimate, l)->name;
		for (reached += report_share(estimate, name); at < length && (at + 0.5) / length < reached; at++)
			letters[at] = limit_letter(name);
	}
	memset(letters + at, '#', length - at);
	letters[length] = 0;
}

static void bar_print(struct text *out, const struct columns *columns, const struct estimate *estimate, double time)
{
	char letters[BAR_MOST + 1];
	bar_fill(letters, bar_length(columns, time), estimate);
	text_printf(out, "  %s", letters);
}

static void dram_print(struct text *out, const struct machine *machine, const struct estimate *estimate)
{
	double share = report_dram_share(machine, estimate);
	if (isfinite(share))
		text_printf(out, " %7.0f %5.0f%%", 1e-9 * report_dram_rate(machine, estimate), 100 * share);
	else
		text_printf(out, " %7s %6s", "-", "-");
}

static void row_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                      const struct ranked_layout *row, const struct columns *columns)
{
	const struct estimate *estimate = row->estimate;
	text_printf(out, "  %-*s %13s %7.2f", (int)columns->label, report_layout_label(arena, row->layout, row->tile),
	            report_time(arena, estimate->time_seconds),
	            columns->fastest > 0 ? estimate->time_seconds / columns->fastest : 1.0);
	if (columns->cycles)
		text_printf(out, " %11.5g", estimate->cycles_per_warp);
	text_printf(out, "  %-8s", estimate->bound);
	if (columns->dram)
		dram_print(out, prediction->machine, estimate);
	if (columns->resources && estimate->registers)
		text_printf(out, " %4u %5.0f%%", estimate->registers, 100 * estimate->occupancy);
	else if (columns->resources)
		text_printf(out, " %4s %5.0f%%", "-", 100 * estimate->occupancy);
	bar_print(out, columns, estimate, estimate->time_seconds);
	text_puts(out, report_check_mark(report_check(prediction, row->group, row->layout, row->tile)));
}

/* Of all but the bar. */
static unsigned columns_width(const struct columns *columns)
{
	const unsigned always = 2 + 14 + 8 + 10 + 2;
	return always + columns->label + (columns->cycles ? CYCLES_WIDTH : 0) + (columns->dram ? DRAM_WIDTH : 0) +
	       (columns->resources ? RESOURCES_WIDTH : 0);
}

static struct columns columns_of(struct arena *arena, const struct machine *machine,
                                 const struct ranked_layout *const *rows, unsigned count,
                                 const struct report_style *style)
{
	struct columns columns = {.label = strlen("layout")};
	bool says_dram = false;
	columns.fastest = rows[0]->estimate->time_seconds;
	columns.slowest = rows[count - 1]->estimate->time_seconds;
	for (unsigned r = 0; r < count; r++) {
		size_t label = strlen(report_layout_label(arena, rows[r]->layout, rows[r]->tile));
		columns.label = label > columns.label ? (unsigned)label : columns.label;
		says_dram = says_dram || isfinite(report_dram_rate(machine, rows[r]->estimate));
	}
	columns.resources = columns_width(&columns) + RESOURCES_WIDTH + BAR_LEAST <= style->width;
	columns.cycles =
		!rows[0]->estimate->limit_count && columns_width(&columns) + CYCLES_WIDTH + BAR_LEAST <= style->width;
	columns.dram = says_dram && columns_width(&columns) + DRAM_WIDTH + BAR_LEAST <= style->width;
	unsigned used = columns_width(&columns);
	columns.bar = style->width > used + BAR_LEAST ? style->width - used : BAR_LEAST;
	columns.bar = columns.bar > BAR_MOST ? BAR_MOST : columns.bar;
	return columns;
}

/* The letters of all bars, where each that shows is set. */
static void letters_find(bool shows[UCHAR_MAX + 1], const struct ranked_layout *const *rows, unsigned count,
                         const struct columns *columns)
{
	char letters[BAR_MOST + 1];
	for (unsigned r = 0; r < count; r++) {
		bar_fill(letters, bar_length(columns, rows[r]->estimate->time_seconds), rows[r]->estimate);
		for (const char *letter = letters; *letter; letter++)
			shows[(unsigned char)*letter] = true;
	}
}

/* Which letters the bars hold. */
static void legend_print(struct text *out, struct arena *arena, const struct ranked_layout *const *rows, unsigned count,
                         const struct columns *columns, const struct report_style *style)
{
	const struct estimate *estimate = rows[0]->estimate;
	const char *legend = "";
	bool shows[UCHAR_MAX + 1] = {false};
	letters_find(shows, rows, count, columns);
	for (unsigned i = 0; i < estimate->limit_count; i++) {
		const char *name = report_limit_at(estimate, i)->name;
		if (shows[(unsigned char)limit_letter(name)])
			legend = arena_printf(arena, "%s%s%c %s", legend, *legend ? ", " : "", limit_letter(name),
			                      report_part_name(name));
	}
	if (!*legend)
		return;
	text_printf(out, "  %s", report_faint(style));
	text_wrap(out, legend, 2, 4, style->width);
	text_printf(out, "%s\n", report_plain(style));
}

/* Between which times nine of ten measured ones are expected, and how sure that makes each. */
static void sureness_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                           const struct case_result *result, const struct ranked_layout *const *rows, unsigned count,
                           const struct report_style *style)
{
	for (unsigned r = 0; r < count && trust_known(prediction); r++) {
		const struct estimate *estimate = rows[r]->estimate;
		double us = 1e6 * estimate->time_seconds;
		if (estimate->low > 0)
			report_paragraph(
				out, style,
				arena_printf(arena, "time of %s: ",
			                     rows[r]->group ? report_layout_label(arena, rows[r]->layout, rows[r]->tile)
			                                    : "as-written"),
				arena_printf(arena, "%s to %s us, confidence %s",
			                     report_figure(arena, us * estimate->low),
			                     report_figure(arena, us * estimate->high),
			                     report_confidence(trust_time(result, rows[r]))));
	}
}

static void rows_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                       const struct case_result *result, const struct verdict *verdict,
                       const struct report_style *style)
{
	unsigned count;
	const struct ranked_layout **rows = report_rows(arena, result, verdict ? verdict->group : NULL, &count);
	if (count == 0)
		return;
	struct columns columns = columns_of(arena, prediction->machine, rows, count, style);
	text_printf(out, "  %s%-*s %13s %7s%s  %-8s%s%s%s\n", report_faint(style), (int)columns.label, "layout",
	            "time us", "vs best", columns.cycles ? " cycles/warp" : "", "bound",
	            columns.dram ? " DRAM GB/s peak" : "", columns.resources ? " regs occup." : "",
	            report_plain(style));
	for (unsigned r = 0; r < count; r++) {
		bool chosen = verdict && rows[r] == &result->rows[verdict->recommended];
		text_puts(out, chosen ? report_green(style) : "");
		row_print(out, arena, prediction, rows[r], &columns);
		text_printf(out, "%s\n", chosen ? report_plain(style) : "");
	}
	legend_print(out, arena, rows, count, &columns, style);
	report_paragraph(out, style, "first launch: ", report_first_launch(arena, rows, count));
	if (style->verbose)
		sureness_print(out, arena, prediction, result, rows, count, style);
}

/* ---- launches --------------------------------------------------------------------------- */

/* " (at 67 % of its peak while busy)": how fast DRAM is where it is the busiest part, the launch's start left out;
 * empty for other parts. */
static const char *busy_rate(struct arena *arena, const struct prediction *prediction, const struct estimate *estimate,
                             const struct limit *busiest)
{
	double share = report_floor_share(estimate) - report_share(estimate, "launch");
	double rate = report_dram_rate(prediction->machine, estimate) / share,
	       most = prediction->machine->dram_bandwidth_bytes_per_second.value;
	if (strcmp(busiest->name, "dram") != 0 || !isfinite(rate) || rate > most)
		return "";
	return arena_printf(arena, " (at %.0f %% of its peak while busy)", 100 * rate / most);
}

/* How much faster a row could be were nothing waited for, and what it is that takes the rest. */
static void floor_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                        const struct ranked_layout *row, const struct report_style *style)
{
	const struct estimate *estimate = row->estimate;
	const struct limit *busiest = report_busiest(estimate);
	double share = report_floor_share(estimate), seconds = estimate->time_seconds;
	bool start = report_share(estimate, "launch") > START_SHARE;
	if (!busiest || !isfinite(share))
		return;
	bool several = start || strcmp(busiest->name, "atomics") == 0;
	const char *what =
		arena_printf(arena, "%s%s%s", report_part_name(busiest->name),
	                     busy_rate(arena, prediction, estimate, busiest), start ? " and the launch's start" : "");
	const char *text =
		share > 1 - NO_ROOM
			? arena_printf(arena, "none at this access pattern; %s take%s all the time", what,
	                               several ? "" : "s")
			: arena_printf(arena, "%.0f %% of its time; %s alone take%s %s", 100 * (1 - share), what,
	                               several ? "" : "s", report_part_of(arena, seconds * share, seconds));
	report_paragraph(out, style,
	                 row->group ? arena_printf(arena, "room to improve %s: ",
	                                           report_layout_label(arena, row->layout, row->tile))
	                            : "room to improve: ",
	                 text);
}

/* "after 3 launches", and where the program makes fewer, that it does. */
static const char *paid_after(struct arena *arena, const struct launch_case *launch, double launches)
{
	const char *text = arena_printf(arena, "after %.0f launch%s", launches, launches > 1 ? "es" : "");
	if (launch->launches <= 1 || launches <= (double)launch->launches)
		return text;
	return arena_printf(arena, "%s, but the program makes %llu", text, (unsigned long long)launch->launches);
}

/* What converting the records costs, and when that has paid. */
static void conversion_print(struct text *out, struct arena *arena, const struct launch_case *launch,
                             const struct conversion *conversion, const struct report_style *style)
{
	if (conversion->bytes <= 0)
		return;
	report_paragraph(
		out, style, "conversion: ",
		arena_printf(arena,
	                     "%s us on the GPU and %s us back; it pays off %s. Over the host: at least %s us, %s",
	                     report_figure(arena, 1e6 * conversion->pack_seconds),
	                     report_figure(arena, 1e6 * conversion->back_seconds),
	                     paid_after(arena, launch, conversion->pack_launches),
	                     report_figure(arena, 1e6 * conversion->host_seconds),
	                     paid_after(arena, launch, conversion->host_launches)));
}

static void verdict_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                          const struct case_result *result, const struct verdict *verdict,
                          const struct report_style *style)
{
	const struct ranked_layout *chosen = &result->rows[verdict->recommended];
	const char *answer = arena_printf(arena, "recommendation: %s%s, confidence %s",
	                                  report_layout_label(arena, chosen->layout, chosen->tile),
	                                  verdict->recommended == verdict->written ? " (as written)" : "",
	                                  report_confidence(verdict->confidence));
	floor_print(out, arena, prediction, chosen, style);
	text_printf(out, "  %s%s%s", report_bold(style), answer, report_plain(style));
	text_wrap(out, arena_printf(arena, ". %s", verdict->why), 2 + strlen(answer), 4, style->width - 1);
	text_puts(out, ".\n");
	report_paragraph(out, style, "", report_rivals(arena, result, verdict));
	report_paragraph(out, style, "why not sure: ", report_doubts(arena, prediction, result, verdict));
	report_paragraph(out, style, "", verdict->holds);
	conversion_print(out, arena, result->launch, &verdict->conversion, style);
}

const char *report_kernel_place(struct arena *arena, const struct prediction *prediction, const struct kernel *kernel)
{
	const char *file = kernel->place.file, *slash = file ? strrchr(file, '/') : NULL;
	if (!file || strcmp(file, prediction->analysis->path) == 0)
		return arena_printf(arena, "line %u", kernel->place.line);
	return arena_printf(arena, "%s line %u", slash ? slash + 1 : file, kernel->place.line);
}

static void case_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                       const struct case_result *result, const struct report_style *style)
{
	const struct launch_case *launch = result->launch;
	text_printf(out, "\n%skernel %s%s ", report_bold(style), launch->kernel->name, report_plain(style));
	text_wrap(out,
	          arena_printf(arena, "(%s), grid %s, block %s, launched %llu time%s",
	                       report_kernel_place(arena, prediction, launch->kernel),
	                       report_dimensions(arena, launch->grid), report_dimensions(arena, launch->block),
	                       (unsigned long long)launch->launches, launch->launches == 1 ? "" : "s"),
	          strlen("kernel  ") + text_columns(launch->kernel->name), 2, style->width);
	text_puts(out, "\n");
	if (result->verdict_count == 0 && result->row_count) {
		rows_print(out, arena, prediction, result, NULL, style);
		floor_print(out, arena, prediction, &result->rows[0], style);
	}
	for (unsigned v = 0; v < result->verdict_count; v++) {
		group_print(out, arena, prediction, result->verdicts[v].group, launch->kernel, style);
		rows_print(out, arena, prediction, result, &result->verdicts[v], style);
		verdict_print(out, arena, prediction, result, &result->verdicts[v], style);
	}
}

static void refused_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                          const struct refused_launch *refused, const struct report_style *style)
{
	const struct kernel *kernel = refused->launch->kernel;
	text_printf(out, "\n%skernel %s%s ", report_bold(style), kernel->name, report_plain(style));
	text_wrap(out,
	          arena_printf(arena, "(%s): no time. %s", report_kernel_place(arena, prediction, kernel),
	                       refused->reason),
	          strlen("kernel  ") + text_columns(kernel->name), 2, style->width);
	text_puts(out, "\n");
}

/* ---- all of it ---------------------------------------------------------------------------- */

void report_table(struct text *out, struct arena *arena, const struct prediction *prediction,
                  const struct report_style *style)
{
	const char *assumed = report_assumed(arena, prediction->machine, prediction->model);
	const unsigned *order = report_case_order(arena, prediction);
	text_wrap(out,
	          arena_printf(arena, "%s on %s, model %s", report_program_name(arena, prediction),
	                       prediction->machine->name, report_model(arena, prediction)),
	          0, 2, style->width);
	text_puts(out, "\n");
	report_verdicts(out, arena, prediction, style);
	for (unsigned c = 0; c < prediction->case_count; c++)
		case_print(out, arena, prediction, &prediction->cases[order[c]], style);
	report_checks(out, arena, prediction, style);
	for (unsigned i = 0; i < prediction->refused_count; i++)
		refused_print(out, arena, prediction, &prediction->refused[i], style);
	report_assumptions(out, arena, prediction, style);
	report_notes(out, arena, prediction, style);
	if (assumed)
		text_printf(out, "\n%s%s%s\n", report_faint(style), assumed, report_plain(style));
}
