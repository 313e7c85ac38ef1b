/*
 * What the files of `coalesce rewrite` share.
 */
#ifndef COALESCE_CLI_REWRITE_H
#define COALESCE_CLI_REWRITE_H

#include "cli/cli.h"
#include "model/observe/check/check.h"

/* ---- rewrite_check.c ------------------------------------------------------------------ */

struct rewrite_checking {
	const struct prediction *prediction;
	const struct predict_options *options;
	const struct rewritten *rewritten; /* its headers stand beside the file */
	const char *const *flags;
	unsigned flag_count;
};
/* Runs the program and what was rewritten of it, and compares them. */
struct check_result cli_rewrite_check(struct arena *arena, const struct rewrite_checking *checking);

#endif
