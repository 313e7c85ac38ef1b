/*
 * What the files of `coalesce rewrite` share, and what checks a rewritten program (rewrite --check, predict --check).
 */
#ifndef COALESCE_CLI_REWRITE_H
#define COALESCE_CLI_REWRITE_H

#include "cli/cli.h"
#include "model/observe/check/check.h"

/* ---- rewrite_check.c ------------------------------------------------------------------ */

/* The compiler's flags: those of the build (-p), then the user's own. */
const char **cli_program_flags(struct arena *arena, const struct command_line *line, unsigned *count,
                               struct diagnostics *diagnostics);
/* Adds the folders of the headers that rewriting changes, as what they include stands there. Returns all flags. */
const char **cli_folders_add(struct arena *arena, const struct rewritten *rewritten, const char **flags,
                             unsigned *count);

struct rewrite_checking {
	const struct prediction *prediction;
	const struct predict_options *options;
	const char *const *flags; /* for the compiler */
	unsigned flag_count;
};
/* A program that what was rewritten of it is compared with. */
struct check_session;
/* Builds and runs the program. It needs cli_check_end(). */
struct check_session *cli_check_begin(struct arena *arena, const struct rewrite_checking *wanted);
/* Runs what was rewritten, and compares. rewritten: its headers stand beside the file (REWRITE_ELSEWHERE). */
struct check_result cli_check(struct check_session *session, const struct rewritten *rewritten);
void cli_check_end(struct check_session *session);
/* Checks each layout of the program's records that rewriting writes, and puts what that says into the prediction's
 * rows. */
void cli_predict_check(struct arena *arena, const struct rewrite_checking *wanted, struct prediction *prediction);

#endif
