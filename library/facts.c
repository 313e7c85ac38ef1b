/*
 * Kernels, layouts and verdicts of a prediction as the caller sees them: made once, then copied out.
 */
#include "library/library.h"

#include <limits.h>
#include <math.h>

/* ---- layouts ---------------------------------------------------------------------------------- */

static double known(double value)
{
	return isfinite(value) ? value : (double)NAN;
}

static struct coalesce_layout layout_unknown(const char *record, const char *label, double seconds)
{
	const double none = (double)NAN;
	return (struct coalesce_layout){.record = record,
	                                .layout = label,
	                                .time_us = seconds * 1e6,
	                                .low_us = none,
	                                .high_us = none,
	                                .cycles_per_warp = none,
	                                .occupancy = none,
	                                .warp_instructions = none,
	                                .load_requests = none,
	                                .load_sectors = none,
	                                .store_requests = none,
	                                .store_sectors = none,
	                                .dram_read_bytes = none,
	                                .dram_write_bytes = none};
}

static void counts_copy(struct coalesce_layout *layout, const struct counts *counts)
{
	layout->warp_instructions = known(counts->warp_instructions);
	layout->load_requests = known(counts->ld_requests);
	layout->load_sectors = known(counts->ld_sectors);
	layout->store_requests = known(counts->st_requests);
	layout->store_sectors = known(counts->st_sectors);
	layout->dram_read_bytes = known(counts->dram_read_bytes);
	layout->dram_write_bytes = known(counts->dram_write_bytes);
}

static struct coalesce_layout layout_of(struct arena *arena, const struct ranked_layout *row)
{
	const struct estimate *estimate = row->estimate;
	const char *label = row->group ? report_layout_label(arena, row->layout, row->tile) : "as-written";
	struct coalesce_layout layout =
		layout_unknown(row->group ? row->group->name : NULL, label, estimate->time_seconds);
	if (estimate->low > 0) {
		layout.low_us = layout.time_us * estimate->low;
		layout.high_us = layout.time_us * estimate->high;
	}
	layout.bound = estimate->bound;
	layout.cycles_per_warp = known(estimate->cycles_per_warp);
	layout.occupancy = known(estimate->occupancy);
	layout.registers = estimate->registers;
	counts_copy(&layout, &estimate->counts);
	return layout;
}

/* ---- verdicts ----------------------------------------------------------------------------------- */

static struct coalesce_verdict verdict_of(struct arena *arena, const struct verdict *verdict,
                                          const struct coalesce_layout *layouts)
{
	const char **ties = arena_array(arena, verdict->tie_count + 1, sizeof *ties);
	bool written = verdict->written != UINT_MAX, interval = verdict->ratio_low > 0;
	for (unsigned t = 0; t < verdict->tie_count; t++)
		ties[t] = layouts[verdict->ties[t]].layout;
	return (struct coalesce_verdict){
		.record = verdict->group->name,
		.written = written ? layouts[verdict->written].layout : verdict->group->written->name,
		.best = layouts[verdict->best].layout,
		.recommended = layouts[verdict->recommended].layout,
		.compared_with = layouts[verdict->contrast].layout,
		.ratio = layouts[verdict->contrast].time_us / layouts[verdict->recommended].time_us,
		.ratio_low = interval ? verdict->ratio_low : (double)NAN,
		.ratio_high = interval ? verdict->ratio_high : (double)NAN,
		.confidence = report_confidence(verdict->confidence),
		.why = verdict->why,
		.ties = ties,
		.tie_count = verdict->tie_count};
}

static void verdicts_add(struct arena *arena, struct library_kernel *kernel, const struct verdict *verdicts,
                         unsigned count)
{
	kernel->verdicts = arena_array(arena, count + 1, sizeof *kernel->verdicts);
	kernel->face.verdict_count = count;
	for (unsigned v = 0; v < count; v++)
		kernel->verdicts[v] = verdict_of(arena, &verdicts[v], kernel->layouts);
}

/* ---- kernels and the program ---------------------------------------------------------------------- */

static struct library_kernel kernel_of(struct arena *arena, const struct case_result *result)
{
	const struct launch_case *launch = result->launch;
	struct library_kernel kernel = {.face = {.name = launch->kernel->name,
	                                         .confidence = report_confidence(result->confidence),
	                                         .line = launch->kernel->place.line,
	                                         .launches = launch->launches,
	                                         .layout_count = result->row_count}};
	for (unsigned i = 0; i < 3; i++) {
		kernel.face.grid[i] = launch->grid[i];
		kernel.face.block[i] = launch->block[i];
	}
	kernel.layouts = arena_array(arena, result->row_count + 1, sizeof *kernel.layouts);
	for (unsigned r = 0; r < result->row_count; r++)
		kernel.layouts[r] = layout_of(arena, &result->rows[r]);
	verdicts_add(arena, &kernel, result->verdicts, result->verdict_count);
	return kernel;
}

static struct library_kernel program_of(struct arena *arena, const struct prediction *prediction)
{
	struct library_kernel program = {.face = {.layout_count = prediction->program_count}};
	enum confidence lowest = CONFIDENCE_HIGH;
	program.layouts = arena_array(arena, prediction->program_count + 1, sizeof *program.layouts);
	for (unsigned r = 0; r < prediction->program_count; r++) {
		const struct program_row *row = &prediction->program[r];
		program.layouts[r] = layout_unknown(
			row->group->name, report_layout_label(arena, row->layout, row->tile), row->time_seconds);
	}
	verdicts_add(arena, &program, prediction->program_verdicts, prediction->program_verdict_count);
	for (unsigned v = 0; v < prediction->program_verdict_count; v++)
		if (prediction->program_verdicts[v].confidence > lowest)
			lowest = prediction->program_verdicts[v].confidence;
	program.face.confidence = prediction->program_verdict_count ? report_confidence(lowest) : NULL;
	for (unsigned c = 0; c < prediction->case_count; c++)
		program.face.launches += prediction->cases[c].launch->launches;
	return program;
}

void library_facts(struct coalesce_prediction *prediction)
{
	const struct prediction *result = prediction->result;
	prediction->kernels =
		arena_array(prediction->arena, (size_t)result->case_count + 1, sizeof *prediction->kernels);
	for (unsigned c = 0; c < result->case_count; c++)
		prediction->kernels[c] = kernel_of(prediction->arena, &result->cases[c]);
	prediction->kernels[result->case_count] = program_of(prediction->arena, result);
	prediction->kernel_count = result->case_count;
}

/* ---- for the caller ---------------------------------------------------------------------------------- */

/* NULL where there is none of that index. */
static const struct library_kernel *kernel_at(const struct coalesce_prediction *prediction, size_t index)
{
	if (!prediction || !prediction->kernels || prediction->status != COALESCE_OK)
		return NULL;
	if (index == COALESCE_PROGRAM)
		return &prediction->kernels[prediction->kernel_count];
	return index < prediction->kernel_count ? &prediction->kernels[index] : NULL;
}

size_t coalesce_kernel_count(const struct coalesce_prediction *prediction)
{
	return prediction ? prediction->kernel_count : 0;
}

enum coalesce_status coalesce_kernel(const struct coalesce_prediction *prediction, size_t index,
                                     struct coalesce_kernel *kernel, size_t size)
{
	const struct library_kernel *own = kernel_at(prediction, index);
	if (!own || !kernel)
		return COALESCE_USAGE;
	library_copy(kernel, size, &own->face, sizeof own->face);
	return COALESCE_OK;
}

enum coalesce_status coalesce_layout(const struct coalesce_prediction *prediction, size_t kernel, size_t index,
                                     struct coalesce_layout *layout, size_t size)
{
	const struct library_kernel *own = kernel_at(prediction, kernel);
	if (!own || !layout || index >= own->face.layout_count)
		return COALESCE_USAGE;
	library_copy(layout, size, &own->layouts[index], sizeof *own->layouts);
	return COALESCE_OK;
}

enum coalesce_status coalesce_verdict(const struct coalesce_prediction *prediction, size_t kernel, size_t index,
                                      struct coalesce_verdict *verdict, size_t size)
{
	const struct library_kernel *own = kernel_at(prediction, kernel);
	if (!own || !verdict || index >= own->face.verdict_count)
		return COALESCE_USAGE;
	library_copy(verdict, size, &own->verdicts[index], sizeof *own->verdicts);
	return COALESCE_OK;
}
