/*
 * cli/profile: what `ncu --csv` printed of a program, laid beside its prediction. Prefix: profile_.
 *
 *   read.c    the CSV: launches and their metrics, in the units of report_metrics
 *   beside.c  predicted beside measured, and what a difference says
 */
#ifndef COALESCE_CLI_PROFILE_PROFILE_H
#define COALESCE_CLI_PROFILE_PROFILE_H

#include "cli/report/report.h"

/* A launch as profiled. values: at the places of report_metrics; NAN where the profile has none. */
struct profile_launch {
	const char *kernel; /* its name alone, without namespaces, template arguments and parameters */
	const char *name;   /* the same with its template arguments, as profile_kernel_instance() writes them */
	const char *id;
	uint32_t grid[3], block[3];
	double *values;
};
struct profile {
	const char *path;
	struct profile_launch *launches;
	unsigned count;
};

/* Reads the details page (a metric a row) or the raw page (a metric a column) of ncu --csv. NULL where it is neither
 * (reported). */
const struct profile *profile_read(struct arena *arena, const char *path, struct diagnostics *diagnostics);
/* "push" of "void ns::push<float>(float *)". */
const char *profile_kernel_name(struct arena *arena, const char *name);
/* "push<float,256>" of "void ns::push<float, (int)256>(float *)": template arguments without blanks and casts. */
const char *profile_kernel_instance(struct arena *arena, const char *name);
/* Whether two names, as profile_kernel_instance() writes them, may be of one kernel: one may lack its template
 * arguments. */
bool profile_may_be_same(const char *a, const char *b);
/* Per kernel and size a table, what differs most first, and what that says. */
void profile_beside(struct text *out, struct arena *arena, const struct prediction *prediction,
                    const struct profile *profile);

#endif
