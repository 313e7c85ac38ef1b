/*
 * cli/help: what people and shells are told about the commands, all of it from the table of commands (main.c) and that
 * of options (cli/options/options.def). Prefix: help_.
 */
#ifndef COALESCE_CLI_HELP_HELP_H
#define COALESCE_CLI_HELP_HELP_H

#include "base/base.h"
#include "cli/options/options.h"

/* ---- help.c: on the terminal -------------------------------------------------------------- */

/* All commands, a line each. */
void help_overview(struct text *out, const struct command *commands, unsigned count);
/* One command with its options and what each may be. */
void help_command(struct text *out, struct arena *arena, const struct command *command);

/* The glossary, or the entry of one word, false where it has none. */
bool help_glossary(struct text *out, struct arena *arena, const char *word);

/* ---- manual.c: manual pages in roff -------------------------------------------------------- */

/* The page of a command, coalesce-NAME(1), or for NULL the one of the program, coalesce(1). */
void help_manual(struct text *out, struct arena *arena, const struct command *commands, unsigned count,
                 const struct command *command);

/* ---- completion.c: for shells -------------------------------------------------------------- */

/* A completion script for bash, zsh or fish, or the names that those ask for while they complete ("machines"); false
 * for another word. */
bool help_completion(struct text *out, struct arena *arena, const struct command *commands, unsigned count,
                     const char *word);

/* ---- values.c: what an option's argument may be --------------------------------------------- */

/* The names that @layouts, @models, ... stand for; NULL for another word. */
const char **help_names(struct arena *arena, const char *word, unsigned *count);
/*
 * The values of an option with those words replaced by the names: "one of aos, soa, aosa, asta"; NULL where its help
 * says it. here: also by what is installed on this machine, else by how to ask for it.
 */
const char *help_values(struct arena *arena, const struct option_row *row, bool here);

#endif
