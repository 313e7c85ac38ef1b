/*
 * Predicted beside measured: the layouts of each record in each launch, and what the figures need of them.
 *
 * One prediction serves all models: what is evaluated and compiled does not depend on the model, so each model
 * estimates from the same input, and one that reads the source alone from an input without code.
 */
#include "cli/batch/batch.h"
#include "cli/report/report.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- one model's times -------------------------------------------------------------- */

static const struct estimate *row_estimate(struct arena *arena, const struct prediction *prediction,
                                           const struct cost_model *model, const struct ranked_layout *row)
{
	return model == prediction->model ? row->estimate : cost_estimate(arena, model, row->view);
}

static unsigned recommendation(struct arena *arena, const double *times, unsigned count, unsigned written)
{
	unsigned *rows = arena_array(arena, count, sizeof *rows);
	struct verdict verdict = {0};
	for (unsigned i = 0; i < count; i++)
		rows[i] = i;
	verdict_rank(arena, times, rows, count, written, &verdict);
	return verdict.recommended;
}

/* ---- comparisons ------------------------------------------------------------------------ */

/* The rows of a group in a result; for NULL those of a kernel without records. */
static const struct ranked_layout **rows_of(struct arena *arena, const struct case_result *result,
                                            const struct layout_group *group, unsigned *count)
{
	const struct ranked_layout **rows = NULL;
	*count = 0;
	for (unsigned r = 0; r < result->row_count; r++)
		if (result->rows[r].group == group)
			ARENA_PUSH(arena, rows, *count, &result->rows[r]);
	return rows;
}

static unsigned written_row(const struct ranked_layout *const *rows, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (!rows[i]->group || rows[i]->layout == rows[i]->group->written)
			return i;
	return UINT_MAX;
}

static void models_fill(struct arena *arena, const struct comparisons *all, const struct prediction *prediction,
                        const struct ranked_layout *const *rows, struct comparison *comparison)
{
	unsigned count = comparison->layout_count;
	comparison->predicted = arena_array(arena, all->model_count, sizeof *comparison->predicted);
	comparison->cycles = arena_array(arena, all->model_count, sizeof *comparison->cycles);
	comparison->picks = arena_array(arena, all->model_count, sizeof *comparison->picks);
	if (all->counted)
		comparison->counts = arena_array(arena, count, sizeof *comparison->counts);
	for (unsigned m = 0; m < all->model_count; m++) {
		const struct cost_model *model = cost_model_find(all->models[m]);
		double *times = arena_array(arena, count, sizeof *times),
		       *cycles = arena_array(arena, count, sizeof *cycles);
		for (unsigned r = 0; r < count; r++) {
			const struct estimate *estimate = row_estimate(arena, prediction, model, rows[r]);
			times[r] = 1e6 * estimate->time_seconds;
			cycles[r] = estimate->cycles_per_warp;
			if (m > 0 || !all->counted)
				continue;
			comparison->counts[r] = (struct batch_counts){estimate->counts, cost_wavefronts(rows[r]->view)};
			comparison->counts[r].counts.dram_write_bytes -= estimate->counts.l2_dirty_bytes;
		}
		comparison->predicted[m] = times;
		comparison->cycles[m] = cycles;
		comparison->picks[m] = recommendation(arena, times, count, written_row(rows, count));
	}
}

static void comparison_add(struct arena *arena, struct comparisons *all, const struct prediction *prediction,
                           unsigned case_index, const struct layout_group *group,
                           const struct measured_kernel *measured, const struct suite_case *entry, unsigned position)
{
	const struct case_result *result = &prediction->cases[case_index];
	const struct launch_case *launch = result->launch;
	struct comparison comparison = {
		.id = entry->id, .size = entry->size, .group = entry->group, .position = position};
	const struct ranked_layout **rows = rows_of(arena, result, group, &comparison.layout_count);
	if (comparison.layout_count == 0)
		return;
	comparison.kernel = launch->kernel->name;
	comparison.launches = launch->launches;
	memcpy(comparison.grid, launch->grid, sizeof comparison.grid);
	memcpy(comparison.block, launch->block, sizeof comparison.block);
	if (!group)
		comparison.job = batch_job_of(arena, entry->jobs, entry->job_count, launch);
	comparison.record = group ? group->name : NULL;
	comparison.layouts = arena_array(arena, comparison.layout_count, sizeof *comparison.layouts);
	comparison.measured = arena_array(arena, comparison.layout_count, sizeof *comparison.measured);
	for (unsigned r = 0; r < comparison.layout_count; r++) {
		comparison.layouts[r] =
			group ? report_layout_label(arena, rows[r]->layout, rows[r]->tile) : "as-written";
		comparison.measured[r] = measured ? 1e6 * measure_time(measured, rows[r]) : NAN;
	}
	models_fill(arena, all, prediction, rows, &comparison);
	ARENA_PUSH(arena, all->list, all->count, comparison);
}

void batch_comparisons_add(struct arena *arena, struct comparisons *comparisons, const struct prediction *prediction,
                           const struct measured_case *measured, const struct suite_case *entry, unsigned position)
{
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct measured_kernel *kernel =
			measured ? measure_kernel_find(measured, prediction->cases, c) : NULL;
		comparison_add(arena, comparisons, prediction, c, NULL, kernel, entry, position);
		for (unsigned g = 0; g < prediction->groups.count; g++)
			comparison_add(arena, comparisons, prediction, c, prediction->groups.list[g], kernel, entry,
			               position);
	}
}

/* ---- figures ------------------------------------------------------------------------------- */

bool batch_judge(struct arena *arena, const struct comparison *comparison, unsigned model, struct judged_case *judged)
{
	double *predicted = arena_array(arena, comparison->layout_count, sizeof *predicted);
	double *measured = arena_array(arena, comparison->layout_count, sizeof *measured);
	*judged = (struct judged_case){.predicted = predicted, .measured = measured, .recommended = UINT_MAX};
	for (unsigned l = 0; l < comparison->layout_count; l++) {
		if (!(comparison->measured[l] > 0) || !(comparison->predicted[model][l] > 0))
			continue;
		if (comparison->picks[model] == l)
			judged->recommended = judged->count;
		predicted[judged->count] = 1e-6 * comparison->predicted[model][l];
		measured[judged->count++] = 1e-6 * comparison->measured[l];
	}
	return judged->count >= 2 && judged->recommended != UINT_MAX;
}

struct accuracy batch_accuracy(struct arena *arena, const struct comparisons *comparisons, unsigned model,
                               const char *group)
{
	struct judged_case *cases = NULL, judged;
	unsigned count = 0;
	for (unsigned c = 0; c < comparisons->count; c++)
		if ((!group || strcmp(comparisons->list[c].group, group) == 0) &&
		    batch_judge(arena, &comparisons->list[c], model, &judged))
			ARENA_PUSH(arena, cases, count, judged);
	return measure_accuracy(arena, cases, count);
}

unsigned batch_fastest(const struct comparison *comparison)
{
	unsigned fastest = UINT_MAX;
	for (unsigned l = 0; l < comparison->layout_count; l++)
		if (comparison->measured[l] > 0 &&
		    (fastest == UINT_MAX || comparison->measured[l] < comparison->measured[fastest]))
			fastest = l;
	return fastest;
}
