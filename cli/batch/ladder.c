/*
 * The ladder: what is predicted beside Nsight Compute's counters, rung by rung from executed instructions to bytes of
 * DRAM. A time may be right by errors that cancel; a rung says which part of a prediction is right.
 *
 *   error  = |predicted / measured - 1|; of hit rates |predicted - measured|
 *   within = share of the rows with an error of at most WITHIN, of hit rates WITHIN_SHARE
 *
 * A row counts on a rung where both sides are known and not both are zero; for bank conflicts, where they are
 * LEAST_CONFLICTS of the wavefronts: fewer come from arbitration between warps; for bytes written to DRAM, where they
 * are LEAST_WRITTEN: as many are counted of kernels that store next to nothing.
 */
#include "cli/batch/batch.h"

#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define WITHIN 0.10
#define WITHIN_SHARE 0.05
#define LEAST_CONFLICTS 0.01
#define LEAST_WRITTEN 2.5e6
#define WORST_SHOWN 3

static double on_rung(const struct batch_rung *rung, const struct batch_counts *counts)
{
	double value;
	memcpy(&value, (const char *)counts + rung->offset, sizeof value);
	return value;
}

static double predicted_of(const struct batch_rung *rung, const struct batch_ladder_row *row)
{
	return on_rung(rung, &row->comparison->counts[row->layout]);
}

static bool row_counts(const struct batch_rung *rung, const struct batch_ladder_row *row)
{
	double predicted = predicted_of(rung, row), measured = on_rung(rung, &row->measured);
	if (!isfinite(predicted) || !isfinite(measured))
		return false;
	if (rung->offset == offsetof(struct batch_counts, counts.shared_bank_conflicts))
		return fmax(predicted, measured) >= LEAST_CONFLICTS * row->measured.wavefronts &&
		       fmax(predicted, measured) > 0;
	if (rung->offset == offsetof(struct batch_counts, counts.dram_write_bytes))
		return fmax(predicted, measured) >= LEAST_WRITTEN;
	return predicted != 0 || measured != 0;
}

static double error_of(const struct batch_rung *rung, const struct batch_ladder_row *row)
{
	double predicted = predicted_of(rung, row), measured = on_rung(rung, &row->measured);
	if (rung->share)
		return fabs(predicted - measured);
	return measured > 0 ? fabs(predicted / measured - 1) : INFINITY;
}

/* ---- a rung's figures ---------------------------------------------------------------------- */

struct judged_row {
	const struct batch_ladder_row *row;
	double error;
};

struct judged_rung {
	const struct batch_rung *rung;
	struct judged_row *rows; /* the worst one first */
	unsigned count, within;
	double median;
};

static int compare_judged(const void *a, const void *b)
{
	const struct judged_row *left = a, *right = b;
	if (left->error != right->error)
		return left->error > right->error ? -1 : 1;
	return left->row < right->row ? -1 : left->row > right->row;
}

static struct judged_rung rung_judge(struct arena *arena, const struct batch_ladder *ladder,
                                     const struct batch_rung *rung)
{
	struct judged_rung judged = {.rung = rung, .rows = arena_array(arena, ladder->count + 1, sizeof *judged.rows)};
	double *errors = arena_array(arena, ladder->count + 1, sizeof *errors);
	for (unsigned i = 0; i < ladder->count; i++) {
		if (!row_counts(rung, &ladder->rows[i]))
			continue;
		double error = error_of(rung, &ladder->rows[i]);
		judged.within += error <= (rung->share ? WITHIN_SHARE : WITHIN);
		errors[judged.count] = error;
		judged.rows[judged.count++] = (struct judged_row){&ladder->rows[i], error};
	}
	qsort(judged.rows, judged.count, sizeof *judged.rows, compare_judged);
	judged.median = batch_median(errors, judged.count);
	return judged;
}

/* ---- text -------------------------------------------------------------------------------------- */

static const char *number_text(struct arena *arena, const struct batch_rung *rung, double number)
{
	return rung->share          ? arena_printf(arena, "%.3f", number)
	       : fabs(number) < 1e7 ? arena_printf(arena, "%.0f", number)
	                            : arena_printf(arena, "%.4g", number);
}

static void row_print(struct text *out, struct arena *arena, const struct batch_rung *rung,
                      const struct judged_row *judged)
{
	const struct comparison *comparison = judged->row->comparison;
	text_printf(out, "    %s: ", comparison->id);
	batch_launch_print(out, comparison);
	if (comparison->record)
		text_printf(out, ", %s", comparison->layouts[judged->row->layout]);
	text_printf(out, ": predicted %s, counted %s\n", number_text(arena, rung, predicted_of(rung, judged->row)),
	            number_text(arena, rung, on_rung(rung, &judged->row->measured)));
}

static void rung_print(struct text *out, const struct judged_rung *judged)
{
	text_printf(out, "%-19s %5u", judged->rung->name, judged->count);
	if (judged->count == 0)
		text_printf(out, " %7s %12s %12s\n", "-", "-", "-");
	else
		text_printf(out, " %7.3f %12.4f %12.4f\n", (double)judged->within / judged->count, judged->median,
		            judged->rows[0].error);
}

void batch_ladder_report(struct text *out, struct arena *arena, const struct comparisons *comparisons,
                         const struct batch_ladder *ladder)
{
	struct judged_rung *judged = arena_array(arena, batch_rung_count, sizeof *judged);
	text_printf(out, "\ncounters: %u of %u launches are predicted here, by %s\n", ladder->count, ladder->launches,
	            comparisons->models[0]);
	text_printf(out, "%-19s %5s %7s %12s %12s\n", "rung", "rows", "within", "median error", "worst error");
	for (unsigned r = 0; r < batch_rung_count; r++) {
		judged[r] = rung_judge(arena, ladder, &batch_rungs[r]);
		rung_print(out, &judged[r]);
	}
	text_printf(out, "within: %.0f %%, of hit rates %.2f\n", 100 * WITHIN, WITHIN_SHARE);
	for (unsigned r = 0; r < batch_rung_count; r++) {
		if (judged[r].count == judged[r].within)
			continue;
		text_printf(out, "\n  worst %s:\n", judged[r].rung->name);
		for (unsigned i = 0; i < judged[r].count - judged[r].within && i < WORST_SHOWN; i++)
			row_print(out, arena, judged[r].rung, &judged[r].rows[i]);
	}
}

/* ---- JSON --------------------------------------------------------------------------------------- */

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *row_json(const struct batch_rung *rung, const struct judged_row *judged)
{
	const struct comparison *comparison = judged->row->comparison;
	return json_pack("{s:s, s:s, s:[I,I,I], s:[I,I,I], s:s, s:o, s:o, s:o}", "id", comparison->id, "kernel",
	                 comparison->kernel, "grid", (json_int_t)comparison->grid[0], (json_int_t)comparison->grid[1],
	                 (json_int_t)comparison->grid[2], "block", (json_int_t)comparison->block[0],
	                 (json_int_t)comparison->block[1], (json_int_t)comparison->block[2], "layout",
	                 comparison->layouts[judged->row->layout], "predicted", number(predicted_of(rung, judged->row)),
	                 "measured", number(on_rung(rung, &judged->row->measured)), "error", number(judged->error));
}

static json_t *rung_json(const struct judged_rung *judged)
{
	json_t *rows = json_array();
	for (unsigned i = 0; i < judged->count; i++)
		json_array_append_new(rows, row_json(judged->rung, &judged->rows[i]));
	return json_pack("{s:s, s:s, s:o, s:o, s:o}", "rung", judged->rung->name, "counter", judged->rung->metric,
	                 "within", number(judged->count ? (double)judged->within / judged->count : NAN), "median_error",
	                 number(judged->median), "rows", rows);
}

struct json_t *batch_ladder_json(struct arena *arena, const struct batch_ladder *ladder)
{
	json_t *list = json_array();
	for (unsigned r = 0; r < batch_rung_count; r++) {
		struct judged_rung judged = rung_judge(arena, ladder, &batch_rungs[r]);
		json_array_append_new(list, rung_json(&judged));
	}
	return json_pack("{s:i, s:i, s:o}", "launches", (int)ladder->launches, "predicted", (int)ladder->count, "rungs",
	                 list);
}
