/*
 * Names and numbers that several views show.
 */
#include "cli/report/report.h"
#include "model/trust/trust.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SHARE 0.02 /* by which a first launch must differ from the further ones to be shown */
#define SAME_TIME 0.0005

const char *report_layout_label(struct arena *arena, const struct layout *layout, unsigned tile)
{
	if (!layout)
		return "as-written";
	return tile && tile != LAYOUT_TILE_DEFAULT ? arena_printf(arena, "%s/%u", layout->name, tile) : layout->name;
}

const char *report_file_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	return slash ? slash + 1 : path ? path : "?";
}

bool report_is_file(const char *seen, const char *path)
{
	return strcmp(report_file_name(seen), report_file_name(path)) == 0;
}

const char *report_program_name(struct arena *arena, const struct prediction *prediction)
{
	const struct source_text *source = prediction->analysis->source;
	const char *path = prediction->analysis->path;
	if (source->other_count == 0)
		return path;
	if (source->other_count == 1)
		return arena_printf(arena, "%s and %s", path, source->others[0]);
	return arena_printf(arena, "%s and %u more files", path, source->other_count);
}

const char *report_dimensions(struct arena *arena, const uint32_t value[3])
{
	if (value[2] > 1)
		return arena_printf(arena, "%u x %u x %u", value[0], value[1], value[2]);
	return value[1] > 1 ? arena_printf(arena, "%u x %u", value[0], value[1]) : arena_printf(arena, "%u", value[0]);
}

const char *report_confidence(enum confidence confidence)
{
	static const char *const names[] = {"high", "medium", "low"};
	return names[confidence];
}

/* The layout whose time is nearest to the recommended one's. */
static unsigned nearest_rival(const struct case_result *result, const struct verdict *verdict)
{
	const struct ranked_layout *chosen = &result->rows[verdict->recommended];
	unsigned nearest = verdict->recommended;
	double least = INFINITY;
	for (unsigned r = 0; r < result->row_count; r++) {
		double away = fabs(log(result->rows[r].estimate->time_seconds / chosen->estimate->time_seconds));
		if (result->rows[r].group != verdict->group || r == verdict->recommended || away >= least)
			continue;
		nearest = r;
		least = away;
	}
	return nearest;
}

/* "asta (0.9 % slower)". */
static const char *rival_text(struct arena *arena, const struct case_result *result, const struct verdict *verdict,
                              unsigned rival)
{
	const struct ranked_layout *row = &result->rows[rival];
	double slower = row->estimate->time_seconds / result->rows[verdict->recommended].estimate->time_seconds - 1;
	const char *label = report_layout_label(arena, row->layout, row->tile);
	if (fabs(slower) < SAME_TIME)
		return arena_printf(arena, "%s (the same time)", label);
	return arena_printf(arena, "%s (%.1f %% %s)", label, 100 * fabs(slower), slower < 0 ? "faster" : "slower");
}

const char *report_rivals(struct arena *arena, const struct case_result *result, const struct verdict *verdict)
{
	unsigned nearest = nearest_rival(result, verdict);
	const char *text = "";
	if (verdict->confidence == CONFIDENCE_HIGH || verdict->unranked)
		return NULL;
	for (unsigned r = 0; r < verdict->rival_count; r++)
		text = arena_printf(arena, "%s%s%s", text, r ? ", " : "",
		                    rival_text(arena, result, verdict, verdict->rivals[r]));
	if (*text)
		return arena_printf(arena, "too close to call: %s", text);
	return nearest == verdict->recommended
	               ? NULL
	               : arena_printf(arena, "next: %s", rival_text(arena, result, verdict, nearest));
}

static bool has_guesses(const struct case_result *result)
{
	for (unsigned n = 0; n < result->note_count; n++)
		if (!strstr(result->notes[n], EXEC_USUAL) && !strstr(result->notes[n], "stand for all"))
			return true;
	return false;
}

/* Appends a sentence to a text, with its full stop. */
static const char *sentence_add(struct arena *arena, const char *text, const char *sentence)
{
	return arena_printf(arena, "%s%s%s.", text, *text ? " " : "", sentence);
}

/* "It needs more of the L2 and DRAM than another layout. 2 simpler models rank another first." */
static const char *objections_add(struct arena *arena, const char *text, const struct objections *objections)
{
	const char *parts = "";
	for (unsigned p = 0; p < objections->part_count; p++)
		parts = arena_printf(arena, "%s%s%s", parts,
		                     p == 0                           ? ""
		                     : p + 1 < objections->part_count ? ", "
		                                                      : " and ",
		                     report_part_name(objections->parts[p]));
	if (*parts)
		text = sentence_add(arena, text, arena_printf(arena, "It needs more of %s than another layout", parts));
	if (objections->model_count == 1)
		return sentence_add(arena, text,
		                    arena_printf(arena, "Model %s ranks another layout first", objections->models[0]));
	if (objections->model_count > 1)
		return sentence_add(
			arena, text,
			arena_printf(arena, "%u simpler models rank another layout first", objections->model_count));
	return text;
}

const char *report_doubts(struct arena *arena, const struct prediction *prediction, const struct case_result *result,
                          const struct verdict *verdict)
{
	const char *text = "";
	if (verdict->confidence == CONFIDENCE_HIGH || verdict->unranked ||
	    nearest_rival(result, verdict) == verdict->recommended)
		return NULL;
	if (!trust_known(prediction))
		return arena_printf(arena, "The error of model %s is not known.", prediction->model->name);
	if (result->launch->assumed)
		text = sentence_add(arena, text, "Sizes are assumed");
	else if (has_guesses(result))
		text = sentence_add(arena, text, "The prediction assumes what the notes say");
	if (verdict->misses_layout)
		text = sentence_add(arena, text, "Not every layout could be ranked");
	if (!prediction->machine->calibrated)
		text = sentence_add(arena, text, "The numbers of this GPU are not measured");
	text = objections_add(arena, text, &verdict->objections);
	return *text ? text : NULL;
}

const char *report_access_kind(enum access_kind kind)
{
	return kind == ACCESS_LOAD ? "load" : kind == ACCESS_STORE ? "store" : "atomic";
}

static int compare_rows(const void *a, const void *b)
{
	const struct ranked_layout *const *left = a, *const *right = b;
	double x = (*left)->estimate->time_seconds, y = (*right)->estimate->time_seconds;
	return x < y ? -1 : x > y ? 1 : *left < *right ? -1 : 1;
}

const struct ranked_layout **report_rows(struct arena *arena, const struct case_result *result,
                                         const struct layout_group *group, unsigned *count)
{
	const struct ranked_layout **sorted = NULL;
	*count = 0;
	for (unsigned r = 0; r < result->row_count; r++)
		if (result->rows[r].group == group)
			ARENA_PUSH(arena, sorted, *count, &result->rows[r]);
	if (*count)
		qsort(sorted, *count, sizeof *sorted, compare_rows);
	return sorted;
}

double report_dram_share(const struct machine *machine, const struct estimate *estimate)
{
	const double rounding = 1e-9;
	double rate = (estimate->counts.dram_read_bytes + estimate->counts.dram_write_bytes) / estimate->time_seconds;
	double share = rate / machine->dram_bandwidth_bytes_per_second.value;
	return share <= 1 + rounding ? fmin(1, share) : NAN;
}

double report_dram_rate(const struct machine *machine, const struct estimate *estimate)
{
	return report_dram_share(machine, estimate) * machine->dram_bandwidth_bytes_per_second.value;
}

const char *report_figure(struct arena *arena, double value)
{
	if (fabs(value) < 99.95)
		return arena_printf(arena, "%#.3g", value);
	double step = pow(10, floor(log10(fabs(value))) - 2);
	return arena_printf(arena, "%.0f", round(value / step) * step);
}

#define LONG_SECONDS 10.0 /* that microseconds are read with difficulty of; chosen */

const char *report_time(struct arena *arena, double seconds)
{
	return seconds < LONG_SECONDS ? report_figure(arena, 1e6 * seconds) : cost_duration(arena, seconds);
}

const char *report_duration(struct arena *arena, double seconds)
{
	if (seconds < 0.9995e-3)
		return arena_printf(arena, "%s us", report_figure(arena, 1e6 * seconds));
	if (seconds < 0.9995)
		return arena_printf(arena, "%s ms", report_figure(arena, 1e3 * seconds));
	return seconds < LONG_SECONDS ? arena_printf(arena, "%s s", report_figure(arena, seconds))
	                              : cost_duration(arena, seconds);
}

const char *report_part_of(struct arena *arena, double seconds, double whole)
{
	if (whole < LONG_SECONDS)
		return arena_printf(arena, "%s of %s us", report_figure(arena, 1e6 * seconds),
		                    report_figure(arena, 1e6 * whole));
	return arena_printf(arena, "%s of %s", cost_duration(arena, seconds), cost_duration(arena, whole));
}

/* ---- shares of a time ------------------------------------------------------------------- */

static bool is_part(const struct limit *limit)
{
	return strcmp(limit->name, "latency") != 0 && strcmp(limit->name, "launch") != 0;
}

static double limit_cycles(const struct estimate *estimate, const char *name)
{
	for (unsigned i = 0; i < estimate->limit_count; i++)
		if (strcmp(estimate->limits[i].name, name) == 0)
			return estimate->limits[i].cycles;
	return 0;
}

const struct limit *report_busiest(const struct estimate *estimate)
{
	const struct limit *busiest = NULL;
	for (unsigned i = 0; i < estimate->limit_count; i++)
		if (is_part(&estimate->limits[i]) && (!busiest || estimate->limits[i].cycles > busiest->cycles))
			busiest = &estimate->limits[i];
	return busiest;
}

const struct limit *report_limit_at(const struct estimate *estimate, unsigned place)
{
	static const char *const last[] = {"latency", "launch"};
	for (unsigned i = 0; i < estimate->limit_count; i++)
		if (is_part(&estimate->limits[i]) && place-- == 0)
			return &estimate->limits[i];
	for (unsigned l = 0; l < ARRAY_COUNT(last); l++)
		for (unsigned i = 0; i < estimate->limit_count; i++)
			if (strcmp(estimate->limits[i].name, last[l]) == 0 && place-- == 0)
				return &estimate->limits[i];
	return NULL;
}

double report_share(const struct estimate *estimate, const char *name)
{
	const struct limit *busiest = report_busiest(estimate);
	double start = limit_cycles(estimate, "launch"), most = busiest ? busiest->cycles : 0, parts = 0;
	double whole = fmax(most, limit_cycles(estimate, "latency")), all = whole + start;
	for (unsigned i = 0; i < estimate->limit_count; i++)
		parts += is_part(&estimate->limits[i]) ? estimate->limits[i].cycles : 0;
	if (!(all > 0))
		return 0;
	if (strcmp(name, "launch") == 0)
		return start / all;
	if (strcmp(name, "latency") == 0)
		return (whole - most) / all;
	return parts > 0 ? limit_cycles(estimate, name) / parts * most / all : 0;
}

double report_floor_share(const struct estimate *estimate)
{
	return estimate->limit_count ? 1 - report_share(estimate, "latency") : NAN;
}

const char *report_part_name(const char *limit)
{
	static const char *const names[][2] = {{"issue", "instruction issue"},
	                                       {"l1", "the L1"},
	                                       {"l2", "the L2"},
	                                       {"dram", "DRAM"},
	                                       {"shared", "shared memory"},
	                                       {"atomics", "the atomic units"},
	                                       {"latency", "waiting"},
	                                       {"launch", "the launch's start"}};
	for (size_t i = 0; i < ARRAY_COUNT(names); i++)
		if (strcmp(names[i][0], limit) == 0)
			return names[i][1];
	return limit;
}

const struct ranked_layout *report_written_row(const struct case_result *result, const struct verdict *verdict)
{
	return verdict->written == UINT_MAX ? NULL : &result->rows[verdict->written];
}

const char *report_block_place(struct arena *arena, const struct code_view *code, uint32_t block, const char *path)
{
	const struct ptx_basic_block *own = &code->function->cfg->blocks[block];
	for (uint32_t i = own->first; i < own->first + own->count; i++) {
		const struct place *place = &code->module->places[code->function->insns[i].place].place;
		if (place->line && path && report_is_file(place->file, path))
			return arena_printf(arena, "line %u", place->line);
		if (place->line)
			return arena_printf(arena, "%s:%u", report_file_name(place->file), place->line);
	}
	return "";
}

const char *report_assumed(struct arena *arena, const struct machine *machine, const struct cost_model *model)
{
	unsigned sentences, count;
	machine_assumptions(arena, machine, model->numbers, &sentences, &count);
	if (count == 0)
		return NULL;
	return arena_printf(arena, "%u number%s of the machine %s assumed: coalesce machines %s", count,
	                    count == 1 ? "" : "s", count == 1 ? "is" : "are", machine->id);
}

const char *report_first_launch(struct arena *arena, const struct ranked_layout *const *rows, unsigned count)
{
	const char *text = NULL;
	bool differs = false;
	for (unsigned r = 0; r < count; r++) {
		double first = rows[r]->first_seconds;
		if (!(first > 0))
			continue;
		differs = differs || fabs(first / rows[r]->estimate->time_seconds - 1) > FIRST_SHARE;
		text = arena_printf(arena, "%s%s%s %s", text ? text : "", text ? ", " : "",
		                    rows[r]->group ? report_layout_label(arena, rows[r]->layout, rows[r]->tile)
		                                   : "as-written",
		                    report_figure(arena, 1e6 * first));
	}
	return differs ? arena_printf(arena, "%s us", text) : NULL;
}

const char *report_model(struct arena *arena, const struct prediction *prediction)
{
	static const char *const starts[] = {
		[START_COLD] = ", flushed L2", [START_PROGRAM] = "", [START_WARM] = ", warm L2"};
	const struct cost_model *model = prediction->model;
	const char *stands_for = model->stands_for ? arena_printf(arena, " (computed as %s)", model->stands_for) : "";
	return arena_printf(arena, "%s%s%s", model->name, stands_for,
	                    model->follows_start ? starts[prediction->start] : "");
}
