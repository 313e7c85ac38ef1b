/*
 * measure: predictions and the truth. A measuring program for all layouts of a file, what such programs found, and how
 * good a model is by that.
 *
 *   bundle*.c      the measuring program; bundle_*.cu: the parts that all of them share
 *   measurement.c  measurement files
 *   accuracy.c     the figures that decide
 *
 * Prefixes: measure_; bundle_ for measuring programs.
 */
#ifndef COALESCE_MODEL_MEASURE_MEASURE_H
#define COALESCE_MODEL_MEASURE_MEASURE_H

#include "model/predict/predict.h"

/* ---- accuracy.c: the figures that decide -------------------------------------------------- */

/* Times that close to each other are ties in rank; picks that close to the fastest are right. */
#define RANK_TIE_SHARE 0.03
#define PICK_SHARE 0.03
/* The same for launches below SHORT_LAUNCH_SECONDS, which carry the overhead of events and eviction. */
#define PICK_SHARE_SHORT 0.08
#define SHORT_LAUNCH_SECONDS 20e-6

/* The layouts of one record in one launch: seconds predicted and measured, all positive, and which one the model
 * recommends. At least two. */
struct judged_case {
	const double *predicted, *measured;
	unsigned count, recommended;
};
/* Measured time of the recommended layout over the fastest one's, less 1. */
double measure_regret(const struct judged_case *judged);
/* Whether the recommended layout is as fast as the fastest one, within PICK_SHARE. */
bool measure_pick_is_right(const struct judged_case *judged);
/*
 * Kendall's tau-b between predicted and measured order. Two layouts within RANK_TIE_SHARE of each other are tied in
 * that order; where one order ties all layouts the coefficient is not defined: 1 when both do, else 0.
 */
double measure_rank(const struct judged_case *judged);

/* Over a set of cases; NAN where there are none. */
struct accuracy {
	unsigned cases;
	double pick;                 /* share of right picks */
	double regret, worst_regret; /* mean and largest */
	double rank;                 /* mean */
	double ratio_error;          /* median over all pairs of layouts of |ln((predicted a/b) / (measured a/b))| */
	double time_error;           /* median over all layouts of |predicted / measured - 1| */
};
/* Root mean square of predicted[i] / published[i] - 1; NAN for none. */
double measure_rms_error(const double *predicted, const double *published, unsigned count);
struct accuracy measure_accuracy(struct arena *arena, const struct judged_case *cases, unsigned count);

/* ---- measurement.c: what was measured on a GPU (schema coalesce/measure/1) ----------- */

#define MEASURE_SCHEMA "coalesce/measure/1"

struct measured_layout {
	const char *record;              /* NULL: a kernel without records */
	const char *layout;              /* "aos"; "as-written" for a kernel without records */
	unsigned tile;                   /* 0 for layouts without tiles */
	double median, minimum, maximum; /* seconds */
	unsigned repeats, registers;     /* registers per thread */
};
struct measured_argument {
	const char *name;
	int64_t value;
};
struct measured_kernel {
	const char *name;
	uint32_t grid[3], block[3];
	struct measured_argument *arguments; /* scalars that were known */
	unsigned argument_count;
	struct measured_layout *layouts;
	unsigned layout_count;
};
/* One program with one set of sizes on one GPU. */
struct measured_case {
	const char *id, *file;
	const char **options; /* the words given to bundle or measure */
	unsigned option_count;
	const char *gpu, *driver, *compiler, *date;
	bool quick; /* measured with fewer repeats than the protocol asks for */
	struct measured_kernel *kernels;
	unsigned kernel_count;
};
struct measurement {
	const char *path;
	struct measured_case *cases;
	unsigned case_count;
};
/* Whether a launch can take that many microseconds: a picosecond to 30 years. So no ratio of two such times is
 * infinite. */
bool measure_time_is_possible(double microseconds);
/* Reads a measurement file. Returns NULL when it cannot be read or something in it is missing or impossible (reported).
 */
const struct measurement *measure_load(struct arena *arena, const char *path, struct diagnostics *diagnostics);
/* The case of that id, or NULL. */
const struct measured_case *measure_case_find(const struct measurement *measurement, const char *id);
/* Whether a case was measured with these options, in this order. */
bool measure_case_with(const struct measured_case *measured, const char *const *words, unsigned word_count);
/*
 * The kernel measured for the case_index-th launch case: that name, grid, block and arguments, counting equal ones
 * before it. NULL where it was not measured.
 */
const struct measured_kernel *measure_kernel_find(const struct measured_case *measured,
                                                  const struct case_result *results, unsigned case_index);
/* Median of a layout in seconds, or NAN. row is one of a prediction. */
double measure_time(const struct measured_kernel *kernel, const struct ranked_layout *row);

/* ---- bundle*.c: a measuring program -------------------------------------------------- */

struct bundle_file {
	const char *path; /* relative to the bundle's folder */
	const char *text;
};
struct bundle {
	struct bundle_file *files; /* measure.cu, Makefile, and the user's own headers */
	unsigned file_count;
	const char *target;       /* "sm_90" */
	const char *const *flags; /* for nvcc, to be used in the bundle's folder */
	unsigned flag_count;
	unsigned kernel_count; /* launches that are measured */
};
/*
 * Makes the program that measures every launch case of a file in every layout ranked. id names the case in its results;
 * words are the options as given, kept there. Returns NULL when the input cannot be analysed or nothing in it can be
 * measured (reported); *exit_code then says how the program should end.
 */
struct bundle *bundle_make(struct arena *arena, const struct predict_options *options, const char *id,
                           const char *const *words, unsigned word_count, struct diagnostics *diagnostics,
                           enum exit_code *exit_code);

#endif
