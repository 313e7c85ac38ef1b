/*
 * Predicted beside measured counters, per kernel and size of launch. Launches of one kernel and size are one column, of
 * their medians.
 */
#include "cli/profile/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAME 0.1        /* a relative difference up to which two counts agree */
#define SAME_POINTS 5.0 /* the same of percentages */
#define SAME_INSTRUCTIONS 0.05

#define WIDTH 100
#define NAME_COLUMN 40

/* One metric of a launch that both sides have. */
struct profile_pair {
	unsigned metric;
	double predicted, measured, off; /* off: |ln| of the ratio, or tenths of a difference of percentages */
};
struct profile_pairs {
	struct profile_pair *list;
	unsigned count;
};

/* ---- what belongs together --------------------------------------------------------------------- */

static bool same_size(const uint32_t a[3], const uint32_t b[3])
{
	return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static bool same_launch(const struct profile_launch *a, const struct profile_launch *b)
{
	return strcmp(a->name, b->name) == 0 && same_size(a->grid, b->grid) && same_size(a->block, b->block);
}

/* Whether the predicted kernels of that plain name are one: then names of template arguments need not agree to the
 * letter. */
static bool is_single(struct arena *arena, const struct prediction *prediction, const char *kernel)
{
	const struct kernel *found = NULL;
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct kernel *own = prediction->cases[c].launch->kernel;
		if (strcmp(profile_kernel_name(arena, own->name), kernel) != 0)
			continue;
		if (found && found != own)
			return false;
		found = own;
	}
	return true;
}

/* The predicted launch of that kernel, of that size where there is one; NULL for a kernel that is not predicted. */
static const struct case_result *case_of(struct arena *arena, const struct prediction *prediction,
                                         const struct profile_launch *launch)
{
	const struct case_result *found = NULL;
	const bool single = is_single(arena, prediction, launch->kernel);
	for (unsigned c = 0; c < prediction->case_count; c++) {
		const struct case_result *result = &prediction->cases[c];
		const char *name = result->launch->kernel->name;
		if (!profile_may_be_same(profile_kernel_instance(arena, name), launch->name) &&
		    !(single && strcmp(profile_kernel_name(arena, name), launch->kernel) == 0))
			continue;
		if (same_size(result->launch->grid, launch->grid) && same_size(result->launch->block, launch->block))
			return result;
		found = found ? found : result;
	}
	return found;
}

/* The row of the program as it is written, which is what was profiled. */
static const struct ranked_layout *row_written(const struct case_result *result)
{
	for (unsigned r = 0; r < result->row_count; r++)
		if (!result->rows[r].group || result->rows[r].layout == result->rows[r].group->written)
			return &result->rows[r];
	return NULL;
}

static int compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

/* The median of a metric over the launches that are like one; NAN where none has it. *count: of such launches. */
static double median_like(struct arena *arena, const struct profile *profile, const struct profile_launch *like,
                          unsigned metric, unsigned *count)
{
	double *values = arena_array(arena, profile->count + 1, sizeof *values);
	unsigned known = 0;
	*count = 0;
	for (unsigned i = 0; i < profile->count; i++) {
		const struct profile_launch *launch = &profile->launches[i];
		if (!same_launch(launch, like))
			continue;
		++*count;
		if (isfinite(launch->values[metric]))
			values[known++] = launch->values[metric];
	}
	qsort(values, known, sizeof *values, compare_numbers);
	return known ? values[known / 2] : NAN;
}

/* ---- differences ----------------------------------------------------------------------------------- */

static bool is_percentage(unsigned metric)
{
	return strcmp(report_metrics[metric].unit, "%") == 0;
}

static double difference(unsigned metric, double predicted, double measured)
{
	const double most = 9;
	if (predicted == measured)
		return 0;
	if (is_percentage(metric))
		return fabs(predicted - measured) / 10;
	return predicted > 0 && measured > 0 ? fmin(most, fabs(log(predicted / measured))) : most;
}

static int compare_pairs(const void *a, const void *b)
{
	const struct profile_pair *left = a, *right = b;
	if (left->off != right->off)
		return left->off > right->off ? -1 : 1;
	return left->metric < right->metric ? -1 : 1;
}

static struct profile_pairs pairs_find(struct arena *arena, const struct profile *profile,
                                       const struct profile_launch *launch, const struct ranked_layout *row)
{
	struct profile_pairs pairs = {0};
	for (unsigned m = 0; m < report_metric_count; m++) {
		unsigned count;
		double predicted = report_metric(row->view, row->estimate, m),
		       measured = median_like(arena, profile, launch, m, &count);
		if (!isfinite(predicted) || !isfinite(measured))
			continue;
		struct profile_pair pair = {m, predicted, measured, difference(m, predicted, measured)};
		ARENA_PUSH(arena, pairs.list, pairs.count, pair);
	}
	if (pairs.count)
		qsort(pairs.list, pairs.count, sizeof *pairs.list, compare_pairs);
	return pairs;
}

/* Whether some metric whose name contains that differs. */
static bool differs(const struct profile_pairs *pairs, const char *name, double limit)
{
	for (unsigned i = 0; i < pairs->count; i++) {
		const struct profile_pair *pair = &pairs->list[i];
		bool percent = is_percentage(pair->metric);
		if (strstr(report_metrics[pair->metric].name, name) &&
		    pair->off > (percent ? SAME_POINTS / 10 : log(1 + limit)))
			return true;
	}
	return false;
}

/* What the differences say, by the first stage of the model at which they begin. */
static const char *meaning(const struct profile_pairs *pairs, bool sizes_differ)
{
	if (sizes_differ)
		return "The sizes differ: no launch of the prediction has this grid and block. Take them from the "
		       "profile with "
		       "--profile-sizes, or give --grid and --block.";
	if (pairs->count == 0)
		return "Nothing can be compared: the profile has none of the predicted counters. Profile with `ncu "
		       "--set full`.";
	if (differs(pairs, "inst_executed.sum", SAME_INSTRUCTIONS))
		return "The data differ: the launch executes other instructions. Say its arguments (--arg), trips "
		       "(--trips) or "
		       "branches (--branch-probability).";
	if (differs(pairs, "registers", 0))
		return "The code differs: the compiler gave other registers. Give the flags of the build (-O, -arch, "
		       "-maxrregcount).";
	if (differs(pairs, "l1tex__t_", SAME))
		return "The addresses differ: the same instructions touch other sectors. Say what index arrays hold "
		       "(--index).";
	if (differs(pairs, "lts__", SAME) || differs(pairs, "dram__bytes", SAME))
		return "The caches differ: the addresses agree, what the L2 holds does not. Try --start cold, program "
		       "or warm.";
	if (differs(pairs, "gpu__time", SAME))
		return "The model differs: the counts agree, the time does not. Profile with `ncu --clock-control "
		       "none`, or the "
		       "prediction errs.";
	return "The prediction and the profile agree in these counters.";
}

/* ---- the table --------------------------------------------------------------------------------------- */

static const char *ratio_text(struct arena *arena, const struct profile_pair *pair)
{
	if (is_percentage(pair->metric))
		return arena_printf(arena, "%+.1f points", pair->predicted - pair->measured);
	return pair->measured > 0 ? arena_printf(arena, "%.2f", pair->predicted / pair->measured) : "-";
}

static const char *value_text(struct arena *arena, double value)
{
	return fabs(value) >= 1e6 ? arena_printf(arena, "%.4g", value)
	                          : arena_printf(arena, value == floor(value) ? "%.0f" : "%.2f", value);
}

static void launch_print(struct text *out, struct arena *arena, const struct prediction *prediction,
                         const struct profile *profile, const struct profile_launch *launch)
{
	const struct case_result *result = case_of(arena, prediction, launch);
	const struct ranked_layout *row = result ? row_written(result) : NULL;
	unsigned count;
	median_like(arena, profile, launch, 0, &count);
	text_printf(out, "\nkernel %s, grid %s, block %s: %u launch%s profiled\n", launch->name,
	            report_dimensions(arena, launch->grid), report_dimensions(arena, launch->block), count,
	            count == 1 ? "" : "es");
	if (!row) {
		text_puts(out, "  It is not predicted: no launch of it is found in the file.\n");
		return;
	}
	bool sizes = same_size(result->launch->grid, launch->grid) && same_size(result->launch->block, launch->block);
	const struct profile_pairs pairs = pairs_find(arena, profile, launch, row);
	text_puts(out, "  ");
	text_wrap(out, meaning(&pairs, !sizes), 2, 4, WIDTH);
	text_puts(out, "\n");
	if (pairs.count)
		text_printf(out, "  %12s %11s %11s  %s\n", "ratio", "predicted", "measured", "metric");
	for (unsigned i = 0; i < pairs.count; i++) {
		const struct profile_pair *pair = &pairs.list[i];
		const struct report_metric *metric = &report_metrics[pair->metric];
		bool fits = NAME_COLUMN + strlen(metric->name) + strlen(metric->unit) + 2 <= WIDTH;
		text_printf(out, "  %12s %11s %11s  %s%s%s\n", ratio_text(arena, pair),
		            value_text(arena, pair->predicted), value_text(arena, pair->measured),
		            fits ? metric->name : metric->what, *metric->unit ? ", " : "", metric->unit);
	}
}

void profile_beside(struct text *out, struct arena *arena, const struct prediction *prediction,
                    const struct profile *profile)
{
	text_printf(out, "%s: predicted for %s, model %s; profiled in %s\n", report_program_name(arena, prediction),
	            prediction->machine->name, report_model(arena, prediction), profile->path);
	for (unsigned i = 0; i < profile->count; i++) {
		bool first = true;
		for (unsigned j = 0; j < i; j++)
			first = first && !same_launch(&profile->launches[j], &profile->launches[i]);
		if (first)
			launch_print(out, arena, prediction, profile, &profile->launches[i]);
	}
}
