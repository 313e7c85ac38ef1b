/*
 * cli: commands. main.c shows them; one file each. The rooms: cli/say is what the program says beside its result;
 * cli/options is the command line; cli/help tells people and shells about it; cli/report are views of a finished
 * prediction and compute nothing; cli/batch predicts sets of cases and holds them against measurements. Prefixes:
 * command_ for the commands, cli_ for what they share.
 */
#ifndef COALESCE_CLI_CLI_H
#define COALESCE_CLI_CLI_H

#include "base/base.h"
#include "cli/options/options.h"
#include "cli/report/report.h"
#include "cli/say/say.h"
#include "model/model.h"

/* ---- outputs.c: how results and messages are shown, by the command line --------------------- */

/*
 * Prints diagnostics on stderr: remarks with -v or --dump alone; with -q errors alone, unless the command ends with
 * another code than EXIT_VERDICT.
 */
void cli_diagnostics(const struct diagnostics *diagnostics, const struct command_line *line, enum exit_code code);
/* Whether --format is text or the command's other one, and not given beside --json (reported). */
bool cli_format_check(const struct command_line *line, const char *other);
/* Colours and width of stdout by --color, NO_COLOR and TERM: at most 100 columns. Returns false for an unknown --color
 * (reported). */
bool cli_style(const struct option_values *when, struct report_style *style);
/* Says on stderr what a prediction and its reports took, in wall and in processor time, and why NVRTC did not compile
 * it where it did not. */
void cli_time(const struct prediction *prediction, struct duration reports);

/* ---- commands ------------------------------------------------------------------------------ */

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
struct report_context cli_report_context(struct arena *arena, const struct command_line *line,
                                         const struct report_gate *gate, const struct diagnostics *diagnostics);

/* What the commands that a prediction suggests repeat of its own command line. */
const struct report_commands *cli_commands(struct arena *arena, const struct command_line *line);

/* ---- measure.c ------------------------------------------------------------------------- */

/* Asks the driver, so that nothing is built in vain. Returns NULL where there is a GPU, else why there is none. */
const char *cli_gpu_missing(void);

/* ---- bundle.c -------------------------------------------------------------------------- */

/* The measuring program for a command line; NULL, with what is wrong reported on stderr, where there can be none. id:
 * the case's name, or NULL. */
struct bundle *cli_bundle_make(struct arena *arena, const struct command_line *line, const char *id,
                               enum exit_code *code);
/* Writes a bundle's files into a folder, which is made where missing. Returns false where it cannot (reported on
 * stderr); then no file of it is left. */
bool cli_bundle_save(struct arena *arena, const struct bundle *bundle, const char *folder);
/* Writes the measuring programs of the configurations that --configs names, each in a folder of its own. */
enum exit_code cli_bundle_configs(struct arena *arena, const struct command_line *line, const char *id,
                                  const char *folder);
/* Searches as the command line says; NULL where that cannot be (reported). *code: how the command ends. */
struct tune_result *cli_tune_search(struct arena *arena, const struct command_line *line, enum exit_code *code);

#endif
