/*
 * cli/say: what the program says beside its result: errors, hints, progress; and whether the result could be written.
 * Every room of cli says it this way, so names begin with cli_.
 */
#ifndef COALESCE_CLI_SAY_SAY_H
#define COALESCE_CLI_SAY_SAY_H

#include "base/base.h"

#define COALESCE_VERSION "1.0.0"

/* ---- messages.c: what the program says beside its result ---------------------------------- */

/* Names the command that runs, for hints; a process runs one. */
void cli_begin(const char *command);
/* Seconds that the process had worked when the command began. */
double cli_begin_seconds(void);
/* From here on, until it is called with NULL, this thread's messages are reported there and not printed. */
void cli_messages_keep(struct diagnostics *kept);
/* Says on stderr why a command cannot do what it should: "coalesce: error: ...". */
void cli_error(const char *format, ...) PRINTF_LIKE(1, 2);
/* The same for wrong usage, with a pointer to the command's help. Returns EXIT_USAGE. */
enum exit_code cli_usage_error(const char *format, ...) PRINTF_LIKE(1, 2);
/* Says on stderr what the reader may do next: "coalesce: note: ...". */
void cli_hint(const char *text);
/* Prints diagnostics of at least that severity on stderr. */
void cli_diagnostics_say(const struct diagnostics *diagnostics, enum severity least);
/* Writes a result to stdout and releases it. Returns the code given, but EXIT_INPUT for EXIT_VERDICT where it cannot be
 * written (reported). */
enum exit_code cli_print(struct text *out, enum exit_code code);
/* Writes a file whole or not at all. Returns false where it cannot (reported). */
bool cli_file_save(const char *path, const char *text, size_t length);
/* Appends JSON as the program prints it, and releases it. */
struct json_t;
void cli_json(struct text *out, struct json_t *root);
/* The end of every command. Where JSON was asked for and nothing was printed, a failure is said once more on stdout
 * (schema coalesce/error/1). */
enum exit_code cli_finish(bool as_json, enum exit_code code);

/* ---- terminal.c ---------------------------------------------------------------------------- */

/* Columns of the terminal that a descriptor writes to, 60 to 100; 100 where it is none. */
unsigned cli_terminal_width(int descriptor);
/* Columns of the terminal that messages go to; 0 where it is none, and lines may be as long as they are. */
unsigned cli_stderr_width(void);
/* Messages are wrapped at that many columns; 0: not. */
void cli_messages_fit(unsigned width);
/* On a terminal, shows on stderr what the program does, after a second and until cli_progress_end(). Children that are
 * forked in between show nothing. */
void cli_progress_begin(const char *what, bool quiet);
void cli_progress_end(void);
/* Shows something else from the next second on. */
void cli_progress_say(const char *what);

#endif
