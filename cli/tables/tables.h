/*
 * cli/tables: predictions beside each other. They compute nothing: what they show stands in struct prediction.
 *
 *   columns.c  columns of text, as many as the width holds
 *   kernels.c  kernels that do the same job
 *   sweep.c    a number swept, or machines beside each other
 *   blocks.c   the best block of each layout
 *   tune.c     configurations ranked; tune_json.c as JSON, tune_page.c as a page, tune_changes.c what is another in
 * each tune_machines.c  one configuration for several machines
 *
 * Prefix: tables_.
 */
#ifndef COALESCE_CLI_TABLES_TABLES_H
#define COALESCE_CLI_TABLES_TABLES_H

#include "cli/report/report.h"
#include "model/sweep/sweep.h"
#include "model/tune/tune.h"

struct json_t;

/* ---- columns.c --------------------------------------------------------------------------- */

/* A table: count columns, the first to the left, the others to the right; cells[row * count + column], the heads in row
 * 0. needed: columns that are never left out. */
struct tables_grid {
	const char **cells;
	unsigned rows, count, needed;
	unsigned chosen; /* row that is coloured; 0: none */
	unsigned left;   /* columns to the left, where more than the first are */
};
struct tables_grid tables_grid_make(struct arena *arena, unsigned rows, unsigned count);
/* Sets a cell; formats into the arena. */
void tables_cell(struct arena *arena, struct tables_grid *grid, unsigned row, unsigned column, const char *format, ...)
	PRINTF_LIKE(5, 6);
/* Appends the table, indented by two; columns that the width does not hold are left out from the right. */
void tables_grid_print(struct text *out, const struct tables_grid *grid, const struct report_style *style);
/* A number in four letters and its prefix: "1.21M"; "-" for NAN. */
const char *tables_short(struct arena *arena, double value);
/* Appends a paragraph that begins in column 2 and goes on in column 4. */
void tables_paragraph(struct text *out, const struct report_style *style, const char *paragraph);

/* ---- kernels.c ----------------------------------------------------------------------------- */

/* The comparisons of a prediction; nothing where it has none. */
void tables_kernels(struct text *out, struct arena *arena, const struct prediction *prediction,
                    const struct report_style *style);
/* The same as JSON: an array; a new reference. */
struct json_t *tables_kernels_json(struct arena *arena, const struct prediction *prediction);

/* ---- sweep.c, blocks.c -------------------------------------------------------------------------------- */

/* The sweep of a prediction, which has one: times over one axis, picks over two. */
void tables_sweep(struct text *out, struct arena *arena, const struct prediction *prediction,
                  const struct report_style *style);
/* The same as JSON; a new reference. */
struct json_t *tables_sweep_json(const struct sweep *sweep);
/* For each layout its best block. */
void tables_blocks(struct text *out, struct arena *arena, const struct prediction *prediction,
                   const struct report_style *style);
/* One line for each curve at each point. */
void tables_sweep_csv(struct text *out, struct arena *arena, const struct sweep *sweep);

/* ---- tune.c, tune_json.c, tune_changes.c ------------------------------------------------------ */

/* The fastest configurations, so many, and what to do. */
void tables_tune(struct text *out, struct arena *arena, const struct tune_result *result, unsigned most,
                 const struct report_style *style);
/* What is recommended, and what it gains, in a sentence or two. */
const char *tables_tune_verdict(struct arena *arena, const struct tune_result *result);
/* What to type for a candidate, in order; none for the program as written. */
const char **tables_tune_steps(struct arena *arena, const struct tune_result *result, unsigned index,
                               unsigned *step_count);
/* The page of --html. */
void tables_tune_page(struct text *out, struct arena *arena, const struct tune_result *result);
/* One configuration for several machines. */
void tables_tune_machines(struct text *out, struct arena *arena, const struct tune_machines *machines, unsigned most,
                          const struct report_style *style);
struct json_t *tables_tune_machines_json(struct arena *arena, const struct tune_machines *machines);
/* All of them as JSON; a new reference. */
struct json_t *tables_tune_json(struct arena *arena, const struct tune_result *result);
/* Something that is another in a configuration. */
struct tables_change {
	const char *kind, *name, *value; /* "macro", "BX", "32" */
	const char *what;                /* in a list: "BX=32", "block 128" */
	const char *flag;                /* of the compiler, or NULL */
	const char *todo;                /* a sentence that says what to type; NULL where the flag does */
};
/* What a candidate changes. all: also the values of named axes that are those of the first prediction. */
struct tables_change *tables_tune_changes(struct arena *arena, const struct tune_result *result,
                                          const struct tune_candidate *candidate, bool all, unsigned *count);
/* All of it in a few words: "soa, block 128"; "as written". */
const char *tables_tune_label(struct arena *arena, const struct tune_result *result,
                              const struct tune_candidate *candidate);
/* The flags of the compiler, with spaces between them. */
const char *tables_tune_flags(struct arena *arena, const struct tables_change *changes, unsigned count);

/* ---- suggest.c ------------------------------------------------------------------------- */

/* Notes which separate arrays could be one record; where the file has no record and predicts is set, with what each
 * would gain, from a prediction of its own. */
void tables_suggest(struct arena *arena, const struct predict_options *options, const struct prediction *prediction,
                    bool predicts, struct diagnostics *diagnostics);

#endif
