/*
 * What the program costs, all in all: its kernels, and what it copies beside them.
 */
#include "cli/report/report.h"

#include <jansson.h>
#include <string.h>

static const char *const directions[] = {[TRANSFER_TO_DEVICE] = "to device",
                                         [TRANSFER_TO_HOST] = "to host",
                                         [TRANSFER_ON_DEVICE] = "on device",
                                         [TRANSFER_FILL] = "memset"};
static const char *const memories[] = {
	[MEMORY_PAGEABLE] = "pageable", [MEMORY_PINNED] = "pinned", [MEMORY_MANAGED] = "managed"};

static bool crosses_bus(const struct program_transfer *transfer)
{
	return transfer->direction == TRANSFER_TO_DEVICE || transfer->direction == TRANSFER_TO_HOST;
}

static double transfers_seconds(const struct prediction *prediction)
{
	double seconds = 0;
	for (unsigned t = 0; t < prediction->transfer_count; t++)
		seconds += prediction->transfers[t].seconds;
	return seconds;
}

static bool transfers_partial(const struct prediction *prediction)
{
	bool partial = false;
	for (unsigned t = 0; t < prediction->transfer_count; t++)
		partial |= prediction->transfers[t].is_partial;
	return partial;
}

static double share_of(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

/* "12.6 MB" */
static const char *size_text(struct arena *arena, double bytes)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
	unsigned unit = 0;
	while (bytes >= 1000 && unit + 1 < ARRAY_COUNT(units)) {
		bytes /= 1000;
		unit++;
	}
	return arena_printf(arena, "%s %s", report_figure(arena, bytes), units[unit]);
}

static void transfer_print(struct text *out, struct arena *arena, const struct program_transfer *transfer, double all)
{
	text_printf(out, "  %-9s  %-8s %7llu %10s %12s %5.0f%%%s\n", directions[transfer->direction],
	            crosses_bus(transfer) ? memories[transfer->memory] : "-", (unsigned long long)transfer->times,
	            transfer->bytes > 0 ? size_text(arena, transfer->bytes) : "?",
	            transfer->seconds > 0 ? report_time(arena, transfer->seconds) : "?",
	            100 * share_of(transfer->seconds, all), transfer->is_partial ? "  and more" : "");
}

static const char *total_text(struct arena *arena, const struct prediction *prediction)
{
	const double kernels = report_program_seconds(prediction), copies = transfers_seconds(prediction),
		     all = kernels + copies;
	const char *left_out = "The host's own work is not in it";
	if (transfers_partial(prediction))
		left_out = arena_printf(
			arena, "%s, nor are copies whose number or size is not known (--observe finds them)", left_out);
	if (prediction->refused_count)
		left_out = arena_printf(arena, "%s, nor are launches without a time", left_out);
	return arena_printf(arena, "%s: kernels %s (%.0f %%), copies %s (%.0f %%). %s.", report_duration(arena, all),
	                    report_duration(arena, kernels), 100 * share_of(kernels, all),
	                    report_duration(arena, copies), 100 * share_of(copies, all), left_out);
}

void report_cost(struct text *out, struct arena *arena, const struct prediction *prediction,
                 const struct report_style *style)
{
	const double all = report_program_seconds(prediction) + transfers_seconds(prediction);
	if (prediction->transfer_count == 0)
		return;
	text_printf(out, "\n%scopies beside the kernels%s\n", report_bold(style), report_plain(style));
	text_printf(out, "  %s%-9s  %-8s %7s %10s %12s %6s%s\n", report_faint(style), "direction", "memory", "copies",
	            "bytes", "time us", "share", report_plain(style));
	for (unsigned t = 0; t < prediction->transfer_count; t++)
		transfer_print(out, arena, &prediction->transfers[t], all);
	report_paragraph(out, style, "all in all: ", total_text(arena, prediction));
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

static json_t *launches_json(struct arena *arena, const struct prediction *prediction)
{
	const unsigned *order = report_case_order(arena, prediction);
	const double all = report_program_seconds(prediction);
	json_t *list = json_array();
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[order[c]];
		const struct ranked_layout *row = report_case_row(result);
		const double seconds = report_case_seconds(result), further = row ? row->estimate->time_seconds : 0;
		json_array_append_new(
			list, json_pack("{s:s, s:i, s:I, s:f, s:f, s:f, s:f}", "kernel", result->launch->kernel->name,
		                        "case", (int)order[c], "launches", (json_int_t)result->launch->launches,
		                        "time_us", 1e6 * seconds, "share", share_of(seconds, all), "first_us",
		                        1e6 * (row && row->first_seconds > 0 ? row->first_seconds : further),
		                        "further_us", 1e6 * further));
	}
	return list;
}

static json_t *transfers_json(const struct prediction *prediction)
{
	json_t *list = json_array();
	for (unsigned t = 0; t < prediction->transfer_count; t++) {
		const struct program_transfer *transfer = &prediction->transfers[t];
		json_array_append_new(
			list, json_pack("{s:s, s:s?, s:I, s:f, s:f, s:b}", "direction", directions[transfer->direction],
		                        "memory", crosses_bus(transfer) ? memories[transfer->memory] : NULL, "times",
		                        (json_int_t)transfer->times, "bytes", transfer->bytes, "time_us",
		                        1e6 * transfer->seconds, "partial", transfer->is_partial));
	}
	return list;
}

json_t *report_cost_json(struct arena *arena, const struct prediction *prediction)
{
	const double kernels = report_program_seconds(prediction), copies = transfers_seconds(prediction);
	return json_pack("{s:f, s:f, s:f, s:b, s:o, s:o}", "time_us", 1e6 * (kernels + copies), "kernels_us",
	                 1e6 * kernels, "copies_us", 1e6 * copies, "partial",
	                 transfers_partial(prediction) || prediction->refused_count, "launches",
	                 launches_json(arena, prediction), "copies", transfers_json(prediction));
}
