/*
 * Where results are to go, checked before any work.
 */
#ifndef COALESCE_CLI_OUTPUTS_H
#define COALESCE_CLI_OUTPUTS_H

#include "cli/options/options.h"

/*
 * Whether the files of -o and the reports can be written, and are neither inputs nor each other. EXIT_VERDICT, or how
 * the command ends (reported). folder: -o names a folder.
 */
enum exit_code cli_outputs_check(struct arena *arena, const struct command_line *line, bool folder);

#endif
