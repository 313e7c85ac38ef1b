/*
 * cli/batch: sets of cases. A suite names cases; each is predicted by several cost models (run.c), its layouts stand
 * beside what was measured or published (comparison.c, published.c) or counted (counters.c), and figures say how right
 * the models are (report.c, variants.c, ladder.c, results.c). Prefix: batch_.
 */
#ifndef COALESCE_CLI_BATCH_BATCH_H
#define COALESCE_CLI_BATCH_BATCH_H

#include "base/base.h"
#include "cli/options/options.h"
#include "cli/report/report.h"
#include "cli/say/say.h"
#include "model/model.h"

#define BATCH_SCHEMA "coalesce/batch/1"

/* ---- comparison.c: predicted beside measured ------------------------------------------------ */

/* What a model says of a launch's traffic. */
struct batch_counts {
	struct counts counts;
	double wavefronts;
};
/* The layouts of one record in one launch. Times are microseconds, NAN where there is none. */
struct comparison {
	const char *id, *size, *group; /* of the suite's case; "" outside of a suite */
	unsigned position;             /* of the case in the suite, from 0 */
	const char *kernel, *record;   /* record NULL: a kernel without records */
	uint32_t grid[3], block[3];    /* 0: not known (read from a file without them) */
	uint64_t launches;             /* equal ones that it stands for */
	const char *job;               /* that launches of other kernels do as well, NULL: none */
	const char **layouts;          /* labels */
	unsigned layout_count;
	double *measured;
	double **predicted; /* predicted[m][l]: by model m */
	double **cycles;    /* cycles[m][l]: per warp, by model m; NULL: not known (read from a file without them) */
	unsigned *picks;    /* picks[m]: what model m recommends */
	struct batch_counts *counts; /* by layout, of the first model; NULL: not asked for */
};
struct comparisons {
	const char **models;
	unsigned model_count;
	struct comparison *list;
	unsigned count;
	bool counted; /* counts are wanted */
};
struct suite_case;
/*
 * Adds a comparison for each record of each launch of a prediction. comparisons->models are names of cost models; the
 * prediction was made with one of them that reads PTX where any of them does. measured may be NULL. id, group and
 * position are those of the suite's case entry.
 */
void batch_comparisons_add(struct arena *arena, struct comparisons *comparisons, const struct prediction *prediction,
                           const struct measured_case *measured, const struct suite_case *entry, unsigned position);
/* What the figures need of a comparison by model m. Returns false where less than two layouts, or not the recommended
 * one, were measured. */
bool batch_judge(struct arena *arena, const struct comparison *comparison, unsigned model, struct judged_case *judged);
/* The figures of model m over all comparisons of a group, or of all groups for NULL. */
struct accuracy batch_accuracy(struct arena *arena, const struct comparisons *comparisons, unsigned model,
                               const char *group);
/* The measured layout with the least time, or UINT_MAX where none was measured. */
unsigned batch_fastest(const struct comparison *comparison);

/* ---- variants.c: kernels without records, and jobs that several of them do ----------------------- */

/* Launches of these kernels do this job, as much of it as they have threads, or as an argument says, times a factor. */
struct suite_job {
	const char *name, **kernels, *size; /* size: "threads", or a parameter */
	unsigned kernel_count;
	double times;
};
/* Reads a case's "variants". Returns what is wrong with it, or NULL. */
const char *batch_jobs_read(struct arena *arena, struct json_t *value, struct suite_job **jobs, unsigned *count);
/* The job that a launch does, with its size, or NULL. */
const char *batch_job_of(struct arena *arena, const struct suite_job *jobs, unsigned count,
                         const struct launch_case *launch);
/* Over rows that were measured; pairs: of one job and apart, ordered: of those in the measured order. */
struct batch_variants {
	unsigned rows, jobs, pairs, ordered;
	double time_error; /* median; NAN for none */
};
struct batch_variants batch_variants_of(struct arena *arena, const struct comparisons *comparisons, unsigned model,
                                        const char *group);
/* {"rows", "jobs", "pairs", "in_order", "time_error"}; a new reference. */
struct json_t *batch_variants_json(const struct batch_variants *figures);
/* The table of figures, and pairs that are out of order; nothing where no such row was measured. */
void batch_variants_report(struct text *out, struct arena *arena, const struct comparisons *comparisons,
                           const char *const *groups, unsigned group_count);
void batch_launch_print(struct text *out, const struct comparison *comparison); /* "turn<<<64 x 64, 256>>>" */
double batch_median(double *values, unsigned count);                            /* sorts them; NAN for none */

/* ---- comparison_json.c ------------------------------------------------------------------------ */

/* A case of schema coalesce/batch/1; a new reference. */
struct json_t *batch_comparison_json(struct arena *arena, const struct comparisons *comparisons,
                                     const struct comparison *comparison);
/* Reads such a case. Returns what is wrong with it, or NULL. */
const char *batch_comparison_read(struct arena *arena, const struct comparisons *models, struct json_t *json,
                                  struct comparison *comparison);
/* {"cases", "pick", "regret", "worst_regret", "rank", "ratio_error", "time_error"}; a new reference. */
struct json_t *batch_accuracy_json(const struct accuracy *accuracy);

/* ---- suite.c: a set of cases (schema coalesce/suite/1) --------------------------------------------- */

struct suite_case {
	struct suite_job *jobs;
	unsigned job_count;
	const char *id, *file, *size, *group;
	const char *measured; /* id in the measurement file */
	const char **words;   /* options, as on a command line */
	unsigned word_count;
	const struct published *published; /* or NULL */
};
struct suite {
	const char *path, *machine;
	const char *measured; /* path of the measurement file, or NULL */
	struct suite_case *cases;
	unsigned case_count;
};
/* Reads a suite; paths in it are relative to its folder. Returns NULL when something is missing or wrong (reported). */
const struct suite *batch_suite_load(struct arena *arena, const char *path, struct diagnostics *diagnostics);
/* A case as the command line of `coalesce bundle`. Returns false where its options are wrong (reported on stderr).
 * machine: where they name none. */
bool batch_suite_line(struct arena *arena, const struct suite_case *entry, const char *machine,
                      struct command_line *line);

/* ---- run.c: the cases of a suite, several at a time -------------------------------------------- */
struct batch_request {
	const struct suite *suite;
	const char *machine;                   /* NULL: the suite's */
	const struct measurement *measurement; /* or NULL */
	struct thesis_readings readings;
	struct process_limits limits;  /* of compilers, for cases without their own; 0: none given */
	const struct batch_keep *keep; /* where finished cases are kept, or NULL */
	unsigned shard, shard_count;   /* case i is done where i % shard_count == shard */
	unsigned jobs;
};
/*
 * Predicts the cases in processes of their own and adds their comparisons in the suite's order, whatever the number of
 * jobs. Messages are printed on stderr in the same order. Returns how many cases could not be predicted; *kept: how
 * many were taken from request->keep.
 */
unsigned batch_run(struct arena *arena, const struct batch_request *request, struct comparisons *comparisons,
                   unsigned *kept);

/* ---- keep.c ---- finished cases, kept in a folder for another run; NULL where it cannot be made (errno says why). */
const struct batch_keep *batch_keep_open(struct arena *arena, const char *folder);
/* A result's path there without its ending: a hash of all that the case depends on. NULL: nothing is kept, or that
 * cannot be known. */
const char *batch_keep_path(struct arena *arena, const struct batch_request *request,
                            const struct comparisons *comparisons, unsigned index);

/* ---- report.c ---- the table of figures per model and group, missed picks and the worst times. */
void batch_report(struct text *out, struct arena *arena, const struct comparisons *comparisons, const char *title);

/* ---- counters.c, ladder.c: beside Nsight Compute's counters ------------------------------------------------ */

struct batch_rung {
	const char *name, *metric; /* metric: as ncu calls it */
	size_t offset;             /* in struct batch_counts */
	bool share;                /* the metric is a per cent */
};
extern const struct batch_rung batch_rungs[];
extern const unsigned batch_rung_count;
/* A launch that was counted and predicted. */
struct batch_ladder_row {
	const struct comparison *comparison;
	unsigned layout;
	struct batch_counts measured; /* NAN where the file does not say */
};
struct batch_ladder {
	struct batch_ladder_row *rows;
	unsigned count, launches; /* launches: in the files */
};
/* Adds the launches of a file of schema coalesce/counters/1. Returns false when something is missing or wrong
 * (reported). */
bool batch_counters_load(struct arena *arena, const struct comparisons *comparisons, const struct suite *suite,
                         const char *path, struct batch_ladder *ladder, struct diagnostics *diagnostics);
struct json_t *batch_counts_json(const struct batch_counts *counts);
void batch_counts_read(const struct json_t *object, struct batch_counts *counts);
void batch_ladder_report(struct text *out, struct arena *arena, const struct comparisons *comparisons,
                         const struct batch_ladder *ladder);
/* {"launches", "predicted", "rungs"}; a new reference. */
struct json_t *batch_ladder_json(struct arena *arena, const struct batch_ladder *ladder);

/* ---- results.c: what a batch ends with ----------------------------------------------------------------- */

struct batch_results {
	const struct comparisons *comparisons;
	const struct suite *suite; /* NULL: merged files */
	const char *machine;
	unsigned failed;                   /* cases that could not be predicted */
	const struct batch_ladder *ladder; /* NULL: no counters */
};
/* Prints that object, or the tables, and writes the page where the command line asks for one. Returns the exit code. */
enum exit_code batch_results_print(struct arena *arena, const struct command_line *line,
                                   const struct batch_results *results);

/* ---- merge.c: one summary of the results of shards ---- reads files of schema coalesce/batch/1, in the suite's order.
 * Returns false where one does not fit the others (reported). */
bool batch_merge(struct arena *arena, const char *const *paths, unsigned count, struct batch_results *results,
                 struct diagnostics *diagnostics);

/* ---- published.c: what others have predicted for a suite's cases ------------------------------------------ */
struct published_model {
	const char *name; /* of the cost model that it is held against */
	double cycles[2]; /* per warp, of the two layouts */
};
struct published {
	const char *of, *layouts[2];
	struct published_model *models;
	unsigned model_count;
	double measured[2]; /* seconds; 0: not measured */
	bool open;          /* how it came about is not known */
};
/* Reads a case's "published" object. Returns what is wrong with it, or NULL. */
const char *batch_published_read(struct arena *arena, struct json_t *json, const struct published **result);
/* Whether any case of a suite has published figures. */
bool batch_is_published(const struct suite *suite);
/* The table of published and our cycles, ratios and orders, and the error over all; nothing where no case has any. */
void batch_published_report(struct text *out, struct arena *arena, const struct suite *suite,
                            const struct comparisons *comparisons);
/* The same rows as an array; a new reference. */
struct json_t *batch_published_json(struct arena *arena, const struct suite *suite,
                                    const struct comparisons *comparisons);

#endif
