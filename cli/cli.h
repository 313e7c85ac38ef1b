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

#define COALESCE_VERSION "0.1.0"

/* ---- messages.c: what the program says beside its result ---------------------------------- */

/* Names the command that runs, for hints; a process runs one. */
void cli_begin(const char *command);
/* Says on stderr why a command cannot do what it should: "coalesce: error: ...". */
void cli_error(const char *format, ...) PRINTF_LIKE(1, 2);
/* The same for wrong usage, with a pointer to the command's help. Returns EXIT_USAGE. */
enum exit_code cli_usage_error(const char *format, ...) PRINTF_LIKE(1, 2);
/* Prints diagnostics on stderr: all of them; where `quiet`, errors alone, unless the command ends with another code than EXIT_VERDICT. */
void cli_diagnostics(const struct diagnostics *diagnostics, bool quiet, enum exit_code code);
/* Writes a result to stdout and releases it. Returns the code given, but EXIT_INPUT for EXIT_VERDICT where it cannot be written (reported). */
enum exit_code cli_print(struct text *out, enum exit_code code);
/* Writes a file whole or not at all. Returns false where it cannot (reported). */
bool cli_file_save(const char *path, const char *text, size_t length);
/* Appends JSON as the program prints it, and releases it. */
struct json_t;
void cli_json(struct text *out, struct json_t *root);
/* The end of every command. Where JSON was asked for and nothing was printed, a failure is said once more on stdout (schema coalesce/error/1). */
enum exit_code cli_finish(bool as_json, enum exit_code code);

/*
 * Every option of every command: X(identifier, spelling, form, argument, commands, help). commands names the commands that take it by letter:
 * p predict, r rewrite, x ptx, m machines, b bundle, e measure, c compare, t batch, k calibrate.
 */
#define OPTIONS(X)                                                                                                                 \
	X(kernel, "--kernel", FORM_TEXT, "NAME", "prbec", "analyse only this kernel")                                              \
	X(grid, "--grid", FORM_DIMENSIONS, "X[,Y[,Z]]", "pbec", "launch configuration; without it, the launches in the file")      \
	X(block, "--block", FORM_DIMENSIONS, "X[,Y[,Z]]", "pbec", "threads per block")                                             \
	X(argument, "--arg", FORM_NAME_VALUE, "NAME=VALUE", "pbec", "value of a scalar kernel parameter")                          \
	X(structure, "--struct", FORM_TEXT, "NAME", "prbec", "the record type to lay out; without it, all of them")                \
	X(group, "--group", FORM_TEXT, "A,B,C", "prbec", "separate arrays to treat as one record")                                 \
	X(extent, "--extent", FORM_NAME_VALUE, "NAME=COUNT", "pbec", "elements of an array parameter")                             \
	X(index, "--index", FORM_NAME_VALUE, "NAME=WHAT", "pbec",                                                                  \
	  "content of an index array or member (p.next): seq, seq:STEP, uniform:LO:HI, a file")                                    \
	X(tile, "--tile", FORM_TEXT, "T", "prbec", "tile of asta (32); 'all' also tries 8, 16, 64, 128")                           \
	X(layouts, "--layouts", FORM_LIST, "aos,soa,...", "pbec", "which layouts to rank")                                         \
	X(layout, "--layout", FORM_TEXT, "L", "r", "the layout to write")                                                          \
	X(output, "-o", FORM_TEXT, "FILE", "rbek", "where to write; - for standard output")                                        \
	X(machine, "--machine", FORM_TEXT, "NAME", "pbectk", "target GPU (h200), or a machine file")                               \
	X(model, "--model", FORM_TEXT, "NAME", "pct", "cost model: full, thesis, source")                                          \
	X(reading, "--reading", FORM_NAME_VALUE, "NAME=VALUE", "pct",                                                              \
	  "of the thesis: element=padded, invariant=lines, record=apart")                                                          \
	X(ptx, "--ptx", FORM_NAME_VALUE, "L=FILE", "pc", "use this PTX for layout L instead of running nvcc")                      \
	X(gate, "--gate", FORM_TEXT, "PERCENT", "p", "exit 4 when the layout as written is that much slower than the best")        \
	X(dump, "--dump", FORM_LIST, "STAGE,...", "p", "print kernel, affine, ptx, cfg, requests, traffic, estimate; stop there")  \
	X(json, "--json", FORM_NONE, NULL, "pmct", "print JSON")                                                                   \
	X(explain, "--explain", FORM_NONE, NULL, "p", "per source line: executions, sectors, hit rates, cycles")                   \
	X(verbose, "-v", FORM_NONE, NULL, "prbec", "times of libclang, nvcc and ourselves")                                        \
	X(id, "--id", FORM_TEXT, "ID", "be", "name of the case in the results; without it, the file's")                            \
	X(quick, "--quick", FORM_NONE, NULL, "e", "three timed launches instead of eleven")                                        \
	X(limit, "--limit", FORM_TEXT, "SECONDS", "e", "give up where measuring would take longer")                                \
	X(measured, "--measured", FORM_TEXT, "FILE.json", "c", "what `coalesce measure` wrote")                                    \
	X(of_case, "--case", FORM_TEXT, "ID", "c", "which of several measured cases")                                              \
	X(jobs, "--jobs", FORM_TEXT, "N", "t", "cases predicted at a time; without it, one per processor")                         \
	X(shard, "--shard", FORM_TEXT, "I/N", "t", "only the I-th of N parts of the cases")                                        \
	X(merge, "--merge", FORM_NONE, NULL, "t", "the files are results of shards (--json): one summary of all")                  \
	X(bundles, "--bundles", FORM_TEXT, "DIR", "t", "write a measuring program for each case instead")                          \
	X(from, "--from", FORM_TEXT, "RESULTS.json", "k",                                                                          \
	  "make the machine file of these results of the calibration program; a second one is compared")                           \
	X(bundle_folder, "--bundle", FORM_TEXT, "DIR", "k", "write the calibration program for a machine that has a GPU")          \
	X(branch_probability, "--branch-probability", FORM_TEXT, "P", "pbec",                                                      \
	  "share of warps or lanes taking a branch on unknown data (0.5)")                                                         \
	X(trips, "--trips", FORM_TEXT, "N", "pbec", "iterations of a loop whose count depends on data")                            \
	X(machine_code, "--machine-code", FORM_NONE, NULL, "p", "count executed instructions in what ptxas makes (nvdisasm)")      \
	X(compiler, "--compiler", FORM_TEXT, "WHICH", "pc", "auto, nvrtc or nvcc: which compiler makes the code")                  \
	X(build, "-p", FORM_TEXT, "DIR", "prbec", "take -D, -I and -std from DIR/compile_commands.json")                           \
	X(quiet, "-q", FORM_NONE, NULL, "prbect", "no notes and warnings")

/* Colours and width of stdout by --color, NO_COLOR and TERM: at most 100 columns. Returns false for an unknown --color (reported). */
bool cli_style(const struct option_values *when, struct report_style *style);
/* On a terminal, shows on stderr what the program does, after a second and until cli_progress_end(). Children that are forked in between show nothing. */
void cli_progress_begin(const char *what, bool quiet);
void cli_progress_end(void);

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
enum exit_code command_doctor(struct arena *arena, const struct command_line *line);

/* ---- measure.c ------------------------------------------------------------------------- */

/* Asks the driver, so that nothing is built in vain. Returns NULL where there is a GPU, else why there is none. */
const char *cli_gpu_missing(void);

/* ---- bundle.c -------------------------------------------------------------------------- */

/* The measuring program for a command line; NULL, with what is wrong reported on stderr, where there can be none. id: the case's name, or NULL. */
struct bundle *cli_bundle_make(struct arena *arena, const struct command_line *line, const char *id, enum exit_code *code);
/* Writes a bundle's files into a folder, which is made where missing. Returns false where it cannot (reported on stderr); then no file of it is left. */
bool cli_bundle_save(struct arena *arena, const struct bundle *bundle, const char *folder);

#endif
