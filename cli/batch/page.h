/*
 * The page of a batch, and what it shares with the tables of report.c.
 */
#ifndef COALESCE_CLI_BATCH_PAGE_H
#define COALESCE_CLI_BATCH_PAGE_H

#include "cli/batch/batch.h"

/* A case's layout whose time is predicted worst. */
struct worst_time {
	const struct comparison *comparison;
	unsigned layout;
	double error; /* |ln(predicted / measured)| */
};
/* Of each case that was measured, by model m, the worst first. */
struct worst_time *batch_worst(struct arena *arena, const struct comparisons *comparisons, unsigned model,
                               unsigned *count);
/* The results as a page: figures, scatter, missed picks, worst times. json: the object of the same results, which is
 * released. */
void batch_page(struct text *out, struct arena *arena, const struct comparisons *comparisons, const char *title,
                struct json_t *json);

#endif
