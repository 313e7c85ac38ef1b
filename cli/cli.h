/*
 * cli: commands. main.c shows them; one file each. The rooms: cli/options is the command line; cli/help tells people and shells about it; cli/report are
 * views of a finished prediction and compute nothing; cli/batch predicts sets of cases and holds them against measurements. Prefixes: command_ for the
 * commands, cli_ for what they share.
 */
#ifndef COALESCE_CLI_CLI_H
#define COALESCE_CLI_CLI_H

#include "base/base.h"
#include "cli/options/options.h"
#include "cli/report/report.h"
#include "model/model.h"

#define COALESCE_VERSION "1.0.0"

/* ---- messages.c: what the program says beside its result ---------------------------------- */

/* Names the command that runs, for hints; a process runs one. */
void cli_begin(const char *command);
/* From here on, until it is called with NULL, this thread's messages are reported there and not printed. */
void cli_messages_keep(struct diagnostics *kept);
/* Says on stderr why a command cannot do what it should: "coalesce: error: ...". */
void cli_error(const char *format, ...) PRINTF_LIKE(1, 2);
/* The same for wrong usage, with a pointer to the command's help. Returns EXIT_USAGE. */
enum exit_code cli_usage_error(const char *format, ...) PRINTF_LIKE(1, 2);
/* Says on stderr what the reader may do next: "coalesce: note: ...". */
void cli_hint(const char *text);
/*
 * Prints diagnostics on stderr: remarks with -v or --dump alone; with -q errors alone, unless the command ends with
 * another code than EXIT_VERDICT.
 */
void cli_diagnostics(const struct diagnostics *diagnostics, const struct command_line *line, enum exit_code code);
/* Writes a result to stdout and releases it. Returns the code given, but EXIT_INPUT for EXIT_VERDICT where it cannot be written (reported). */
enum exit_code cli_print(struct text *out, enum exit_code code);
/* Writes a file whole or not at all. Returns false where it cannot (reported). */
bool cli_file_save(const char *path, const char *text, size_t length);
/* Whether --format is text or the command's other one, and not given beside --json (reported). */
bool cli_format_check(const struct command_line *line, const char *other);
/* Appends JSON as the program prints it, and releases it. */
struct json_t;
void cli_json(struct text *out, struct json_t *root);
/* Says on stderr what a prediction and its reports took, in wall and in processor time, and why NVRTC did not compile it where it did not. */
void cli_time(const struct prediction *prediction, struct duration reports);
/* The end of every command. Where JSON was asked for and nothing was printed, a failure is said once more on stdout (schema coalesce/error/1). */
enum exit_code cli_finish(bool as_json, enum exit_code code);

/* ---- terminal.c ---------------------------------------------------------------------------- */

/* Colours and width of stdout by --color, NO_COLOR and TERM: at most 100 columns. Returns false for an unknown --color (reported). */
bool cli_style(const struct option_values *when, struct report_style *style);
/* Columns of the terminal that messages go to; 0 where it is none, and lines may be as long as they are. */
unsigned cli_stderr_width(void);
/* Messages are wrapped at that many columns; 0: not. */
void cli_messages_fit(unsigned width);
/* On a terminal, shows on stderr what the program does, after a second and until cli_progress_end(). Children that are forked in between show nothing. */
void cli_progress_begin(const char *what, bool quiet);
void cli_progress_end(void);
/* Shows something else from the next second on. */
void cli_progress_say(const char *what);

/* ---- commands ------------------------------------------------------------------------------ */

/* A row of the table in main.c. letter: stands for it in options.def. run: does it, and returns the exit code. */
struct command {
	const char *name, *operand, *summary, *description;
	char letter;
	enum exit_code (*run)(struct arena *arena, const struct command_line *line);
};
enum exit_code command_predict(struct arena *arena, const struct command_line *line);
enum exit_code command_rewrite(struct arena *arena, const struct command_line *line);
enum exit_code command_ptx(struct arena *arena, const struct command_line *line);
enum exit_code command_machines(struct arena *arena, const struct command_line *line);
enum exit_code command_bundle(struct arena *arena, const struct command_line *line);
enum exit_code command_measure(struct arena *arena, const struct command_line *line);
enum exit_code command_compare(struct arena *arena, const struct command_line *line);
enum exit_code command_batch(struct arena *arena, const struct command_line *line);
enum exit_code command_calibrate(struct arena *arena, const struct command_line *line);
enum exit_code command_diff(struct arena *arena, const struct command_line *line);
enum exit_code command_tune(struct arena *arena, const struct command_line *line);
enum exit_code command_doctor(struct arena *arena, const struct command_line *line);

/* ---- predict.c ------------------------------------------------------------------------- */

/* What views of a prediction say of how it was made. gate: or NULL. */
struct report_context cli_report_context(struct arena *arena, const struct command_line *line, const struct report_gate *gate,
                                         const struct diagnostics *diagnostics);

/* What the commands that a prediction suggests repeat of its own command line. */
const struct report_commands *cli_commands(struct arena *arena, const struct command_line *line);

/* ---- measure.c ------------------------------------------------------------------------- */

/* Asks the driver, so that nothing is built in vain. Returns NULL where there is a GPU, else why there is none. */
const char *cli_gpu_missing(void);

/* ---- bundle.c -------------------------------------------------------------------------- */

/* The measuring program for a command line; NULL, with what is wrong reported on stderr, where there can be none. id: the case's name, or NULL. */
struct bundle *cli_bundle_make(struct arena *arena, const struct command_line *line, const char *id, enum exit_code *code);
/* Writes a bundle's files into a folder, which is made where missing. Returns false where it cannot (reported on stderr); then no file of it is left. */
bool cli_bundle_save(struct arena *arena, const struct bundle *bundle, const char *folder);
/* Writes the measuring programs of the configurations that --configs names, each in a folder of its own. */
enum exit_code cli_bundle_configs(struct arena *arena, const struct command_line *line, const char *id, const char *folder);
/* Searches as the command line says; NULL where that cannot be (reported). *code: how the command ends. */
struct tune_result *cli_tune_search(struct arena *arena, const struct command_line *line, enum exit_code *code);

#endif
