/*
 * Kernels without records: their times beside the measured ones, and whether variants that do one job stand in the
 * measured order. A suite says which rows do the same job: kernels of that name, whose launches have as many threads,
 * or the same argument, times a factor.
 *
 *   in order = share of the pairs of variants of one job, measured more than APART apart, of which the one measured
 * faster is predicted faster
 */
#include "cli/batch/batch.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define APART 0.05
#define WORST_SHOWN 5

/* ---- the jobs of a suite's case ----------------------------------------------------------- */

static bool names_kernel(const struct suite_job *job, const struct kernel *kernel)
{
	size_t length = strcspn(kernel->name, "<");
	for (unsigned k = 0; k < job->kernel_count; k++)
		if (strlen(job->kernels[k]) == length && strncmp(job->kernels[k], kernel->name, length) == 0)
			return true;
	return false;
}

/* How much of the job a launch does; false where that is not known. */
static bool size_of(const struct suite_job *job, const struct launch_case *launch, double *size)
{
	if (strcmp(job->size, "threads") == 0) {
		*size = job->times;
		for (unsigned i = 0; i < 3; i++)
			*size *= (double)launch->grid[i] * launch->block[i];
		return true;
	}
	for (unsigned p = 0; p < launch->kernel->parameter_count; p++)
		if (strcmp(launch->kernel->parameters[p].name, job->size) == 0 && launch->known[p]) {
			*size = job->times * (double)launch->values[p];
			return true;
		}
	return false;
}

const char *batch_job_of(struct arena *arena, const struct suite_job *jobs, unsigned count,
                         const struct launch_case *launch)
{
	double size;
	for (unsigned j = 0; j < count; j++)
		if (names_kernel(&jobs[j], launch->kernel) && size_of(&jobs[j], launch, &size))
			return arena_printf(arena, "%s, %.0f", jobs[j].name, size);
	return NULL;
}

static const char *job_read(struct arena *arena, json_t *value, struct suite_job *job)
{
	json_t *kernels, *kernel;
	json_error_t error;
	size_t index;
	*job = (struct suite_job){.times = 1};
	if (json_unpack_ex(value, &error, JSON_STRICT, "{s:s, s:o, s:s, s?F}", "job", &job->name, "kernels", &kernels,
	                   "size", &job->size, "times", &job->times) != 0)
		return arena_strdup(arena, error.text);
	job->name = arena_strdup(arena, job->name);
	job->size = arena_strdup(arena, job->size);
	if (json_array_size(kernels) == 0)
		return "\"kernels\" is no array, or empty";
	json_array_foreach(kernels, index, kernel)
	{
		if (!json_is_string(kernel))
			return "\"kernels\" holds something that is no text";
		const char *own_name = arena_strdup(arena, json_string_value(kernel));
		ARENA_PUSH(arena, job->kernels, job->kernel_count, own_name);
	}
	return job->times > 0 ? NULL : "\"times\" is not positive";
}

const char *batch_jobs_read(struct arena *arena, struct json_t *value, struct suite_job **jobs, unsigned *count)
{
	json_t *one;
	size_t index;
	if (!json_is_array(value))
		return "\"variants\" is no array";
	json_array_foreach(value, index, one)
	{
		struct suite_job job;
		const char *wrong = job_read(arena, one, &job);
		if (wrong)
			return arena_printf(arena, "\"variants\": %s", wrong);
		ARENA_PUSH(arena, *jobs, *count, job);
	}
	return NULL;
}

/* ---- figures ---------------------------------------------------------------------------- */

/* Rows of a group, or of all for NULL, that are no choice of a layout and were measured. */
static bool is_row(const struct comparison *comparison, const char *group)
{
	return !comparison->record && comparison->layout_count == 1 && comparison->measured[0] > 0 &&
	       (!group || strcmp(comparison->group, group) == 0);
}

static bool same_job(const struct comparison *a, const struct comparison *b)
{
	return a->job && b->job && strcmp(a->id, b->id) == 0 && strcmp(a->job, b->job) == 0;
}

static bool is_apart(const struct comparison *a, const struct comparison *b)
{
	return fabs(log(a->measured[0] / b->measured[0])) > log(1 + APART);
}

static bool in_order(const struct comparison *a, const struct comparison *b, unsigned model)
{
	double measured = a->measured[0] - b->measured[0], predicted = a->predicted[model][0] - b->predicted[model][0];
	return measured * predicted > 0;
}

/* Whether no row before it is of its job. */
static bool is_first(const struct comparisons *comparisons, unsigned c, const char *group)
{
	for (unsigned i = 0; i < c; i++)
		if (is_row(&comparisons->list[i], group) && same_job(&comparisons->list[i], &comparisons->list[c]))
			return false;
	return true;
}

static int compare_doubles(const void *a, const void *b)
{
	const double *left = a, *right = b;
	return *left < *right ? -1 : *left > *right;
}

double batch_median(double *values, unsigned count)
{
	if (count == 0)
		return NAN;
	qsort(values, count, sizeof *values, compare_doubles);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static void pairs_count(const struct comparisons *comparisons, unsigned c, unsigned model, const char *group,
                        struct batch_variants *figures)
{
	const struct comparison *comparison = &comparisons->list[c];
	for (unsigned i = 0; i < c; i++) {
		const struct comparison *other = &comparisons->list[i];
		if (!is_row(other, group) || !same_job(comparison, other) || !is_apart(comparison, other))
			continue;
		figures->pairs++;
		figures->ordered += in_order(comparison, other, model);
	}
}

struct batch_variants batch_variants_of(struct arena *arena, const struct comparisons *comparisons, unsigned model,
                                        const char *group)
{
	struct batch_variants figures = {0};
	double *errors = arena_array(arena, comparisons->count + 1, sizeof *errors);
	for (unsigned c = 0; c < comparisons->count; c++) {
		const struct comparison *comparison = &comparisons->list[c];
		if (!is_row(comparison, group))
			continue;
		errors[figures.rows++] = fabs(comparison->predicted[model][0] / comparison->measured[0] - 1);
		figures.jobs += comparison->job && is_first(comparisons, c, group);
		pairs_count(comparisons, c, model, group, &figures);
	}
	figures.time_error = batch_median(errors, figures.rows);
	return figures;
}

struct json_t *batch_variants_json(const struct batch_variants *figures)
{
	json_t *object = json_pack("{s:i, s:i, s:i}", "rows", (int)figures->rows, "jobs", (int)figures->jobs, "pairs",
	                           (int)figures->pairs);
	json_object_set_new(object, "in_order",
	                    figures->pairs ? json_real((double)figures->ordered / figures->pairs) : json_null());
	json_object_set_new(object, "time_error", figures->rows ? json_real(figures->time_error) : json_null());
	return object;
}

/* ---- text ---------------------------------------------------------------------------------- */

static void figures_print(struct text *out, const char *model, const char *group, const struct batch_variants *figures)
{
	if (figures->rows == 0)
		return;
	text_printf(out, "%-13s %-12s %5u %10.4f %5u %6u", model, group, figures->rows, figures->time_error,
	            figures->jobs, figures->pairs);
	if (figures->pairs)
		text_printf(out, " %9.3f\n", (double)figures->ordered / figures->pairs);
	else
		text_printf(out, " %9s\n", "-");
}

struct swap {
	const struct comparison *fast, *slow; /* as measured */
	double apart;
};

static int compare_swaps(const void *a, const void *b)
{
	const struct swap *left = a, *right = b;
	if (left->apart != right->apart)
		return left->apart > right->apart ? -1 : 1;
	return left->fast != right->fast  ? (left->fast < right->fast ? -1 : 1)
	       : left->slow < right->slow ? -1
	                                  : left->slow > right->slow;
}

void batch_launch_print(struct text *out, const struct comparison *row)
{
	text_printf(out, "%s<<<%u", row->kernel, row->grid[0]);
	if (row->grid[1] > 1 || row->grid[2] > 1)
		text_printf(out, " x %u", row->grid[1]);
	if (row->grid[2] > 1)
		text_printf(out, " x %u", row->grid[2]);
	text_printf(out, ", %u>>>", row->block[0] * row->block[1] * row->block[2]);
}

static void swap_print(struct text *out, const struct swap *swap, unsigned model)
{
	text_printf(out, "  %s: %s: ", swap->fast->id, swap->fast->job);
	batch_launch_print(out, swap->fast);
	text_printf(out, " takes %.3f us, ", swap->fast->measured[0]);
	batch_launch_print(out, swap->slow);
	text_printf(out, " %.3f us; predicted %.3f and %.3f us\n", swap->slow->measured[0],
	            swap->fast->predicted[model][0], swap->slow->predicted[model][0]);
}

static void swaps_print(struct text *out, struct arena *arena, const struct comparisons *comparisons, unsigned model)
{
	struct swap *list = NULL;
	unsigned count = 0;
	for (unsigned a = 0; a < comparisons->count; a++)
		for (unsigned b = 0; b < comparisons->count; b++) {
			struct swap swap = {&comparisons->list[a], &comparisons->list[b], 0};
			if (a == b || !is_row(swap.fast, NULL) || !is_row(swap.slow, NULL) ||
			    !same_job(swap.fast, swap.slow) || !(swap.fast->measured[0] < swap.slow->measured[0]) ||
			    !is_apart(swap.fast, swap.slow) || in_order(swap.fast, swap.slow, model))
				continue;
			swap.apart = swap.slow->measured[0] / swap.fast->measured[0];
			ARENA_PUSH(arena, list, count, swap);
		}
	if (count == 0)
		return;
	qsort(list, count, sizeof *list, compare_swaps);
	text_printf(out, "\nout of order by %s:\n", comparisons->models[model]);
	for (unsigned i = 0; i < count && i < WORST_SHOWN; i++)
		swap_print(out, &list[i], model);
}

void batch_variants_report(struct text *out, struct arena *arena, const struct comparisons *comparisons,
                           const char *const *groups, unsigned group_count)
{
	if (comparisons->model_count == 0 || batch_variants_of(arena, comparisons, 0, NULL).rows == 0)
		return;
	text_printf(out, "\nkernels without records\n%-13s %-12s %5s %10s %5s %6s %9s\n", "model", "group", "rows",
	            "time error", "jobs", "pairs", "in order");
	for (unsigned m = 0; m < comparisons->model_count; m++) {
		struct batch_variants all = batch_variants_of(arena, comparisons, m, NULL);
		figures_print(out, comparisons->models[m], "all", &all);
		for (unsigned g = 0; g < group_count && group_count > 1; g++) {
			struct batch_variants part = batch_variants_of(arena, comparisons, m, groups[g]);
			figures_print(out, comparisons->models[m], groups[g], &part);
		}
	}
	text_printf(out, "%-13s %-12s %5s %10.4f %5s %6s %9.3f\n", "target", "", "", 0.2, "", "", 1.0);
	swaps_print(out, arena, comparisons, 0);
}
