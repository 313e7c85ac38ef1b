/*
 * cli: commands and options. main.c shows the commands; one file per command; options.c holds the one table of options. The rooms:
 * cli/report are views of a finished prediction and compute nothing; cli/batch predicts sets of cases and holds them against measurements.
 * Prefixes: command_ for the commands and the command line, option_ and options_ for options, cli_ for what commands share.
 */
#ifndef COALESCE_CLI_CLI_H
#define COALESCE_CLI_CLI_H

#include "base/base.h"
#include "model/model.h"

#define COALESCE_VERSION "0.1.0"

/* ---- options.c -------------------------------------------------------------------- */

enum argument_form { FORM_NONE, FORM_TEXT, FORM_NAME_VALUE, FORM_DIMENSIONS, FORM_LIST };

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
	X(build, "-p", FORM_TEXT, "DIR", "prbec", "take -D, -I and -std from DIR/compile_commands.json")                           \
	X(quiet, "-q", FORM_NONE, NULL, "prbect", "no notes and warnings")

/* The values given for one option, in order. */
struct option_values {
	const char **list;
	unsigned count;
};
struct command_line {
	const char *command;
	const char *file;   /* the first operand, or NULL */
	const char **files; /* all operands; only batch takes more than one */
	unsigned file_count;
	const char **flags; /* -D, -I, -std=: for both front ends */
	unsigned flag_count;
	bool help;
#define X(identifier, spelling, form, argument, commands, help) struct option_values identifier;
	OPTIONS(X)
#undef X
};
/*
 * Reads the arguments after the command's name. Options and the operand may stand in any order; "--option=value" and
 * "--option value" are the same. Returns false on wrong usage (reported on stderr).
 */
bool command_line_parse(struct arena *arena, char letter, int count, char **arguments, struct command_line *line);
/* The flags and options that say what is predicted or measured, but not for which GPU, as words of a command line. */
const char **command_line_words(struct arena *arena, const struct command_line *line, unsigned *count);
/* The options a command takes, for --help. */
void options_print(FILE *stream, char letter);
/* The last value given, or fallback. */
const char *option_text(const struct option_values *values, const char *fallback);
/* Reports wrong usage as "coalesce: ..." with a pointer to --help; returns EXIT_USAGE. */
enum exit_code options_refuse(const char *format, ...) PRINTF_LIKE(1, 2);
/* Reads the --reading options. Returns false where one names no reading, or has no such value (reported). */
bool options_readings(const struct option_values *values, struct thesis_readings *readings);
/* Turns the command line into what predict() takes. Returns false on wrong usage (reported). */
bool options_fill(struct arena *arena, const struct command_line *line, struct predict_options *options);

/* ---- commands: each takes the arguments after its name and returns the exit code ----- */

enum exit_code command_predict(int count, char **arguments);
enum exit_code command_rewrite(int count, char **arguments);
enum exit_code command_ptx(int count, char **arguments);
enum exit_code command_machines(int count, char **arguments);
enum exit_code command_bundle(int count, char **arguments);
enum exit_code command_measure(int count, char **arguments);
enum exit_code command_compare(int count, char **arguments);
enum exit_code command_batch(int count, char **arguments);
enum exit_code command_calibrate(int count, char **arguments);

/* ---- machines.c ------------------------------------------------------------------------ */

/* A note for each number of the machine that the model takes and nobody knows: what is assumed in its place. */
void cli_assumptions_report(struct arena *arena, const struct prediction *prediction, struct diagnostics *diagnostics);

/* ---- measure.c ------------------------------------------------------------------------- */

/* Asks the driver, so that nothing is built in vain. Returns NULL where there is a GPU, else why there is none. */
const char *cli_gpu_missing(void);

/* ---- bundle.c -------------------------------------------------------------------------- */

/* The measuring program for a command line; NULL, with what is wrong reported on stderr, where there can be none. id: the case's name, or NULL. */
struct bundle *cli_bundle_make(struct arena *arena, const struct command_line *line, const char *id, enum exit_code *code);
/* Writes a bundle's files into a folder, which is made where missing. Returns false where it cannot (reported on stderr); then no file of it is left. */
bool cli_bundle_save(struct arena *arena, const struct bundle *bundle, const char *folder);

#endif
