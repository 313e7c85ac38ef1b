/*
 * cli: commands, options and report views. main.c shows the commands; one file per command; options.c holds the one table of options;
 * report_*.c are views of a finished prediction and compute nothing.
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
 * p predict, r rewrite, x ptx, m machines.
 */
#define OPTIONS(X)                                                                                                     \
	X(kernel, "--kernel", FORM_TEXT, "NAME", "pr", "analyse only this kernel")                                         \
	X(grid, "--grid", FORM_DIMENSIONS, "X[,Y[,Z]]", "p", "launch configuration; without it, the launches in the file") \
	X(block, "--block", FORM_DIMENSIONS, "X[,Y[,Z]]", "p", "threads per block")                                        \
	X(argument, "--arg", FORM_NAME_VALUE, "NAME=VALUE", "p", "value of a scalar kernel parameter")                     \
	X(structure, "--struct", FORM_TEXT, "NAME", "pr", "the record type to lay out; without it, all of them")           \
	X(group, "--group", FORM_TEXT, "A,B,C", "pr", "separate arrays to treat as one record")                            \
	X(extent, "--extent", FORM_NAME_VALUE, "NAME=COUNT", "p", "elements of an array parameter")                        \
	X(index, "--index", FORM_NAME_VALUE, "NAME=WHAT", "p", "content of an index array: seq, uniform:LO:HI or a file")  \
	X(tile, "--tile", FORM_TEXT, "T", "pr", "tile of asta (32); 'all' also tries 8, 16, 64, 128")                      \
	X(layouts, "--layouts", FORM_LIST, "aos,soa,...", "p", "which layouts to rank")                                    \
	X(layout, "--layout", FORM_TEXT, "L", "r", "the layout to write")                                                  \
	X(output, "-o", FORM_TEXT, "FILE", "r", "where to write; - for standard output")                                   \
	X(machine, "--machine", FORM_TEXT, "NAME", "p", "target GPU (h200), or a machine file")                            \
	X(model, "--model", FORM_TEXT, "NAME", "p", "cost model: full, thesis, source")                                    \
	X(ptx, "--ptx", FORM_NAME_VALUE, "L=FILE", "p", "use this PTX for layout L instead of running nvcc")                \
	X(gate, "--gate", FORM_TEXT, "PERCENT", "p", "exit 4 when the layout as written is that much slower than the best") \
	X(dump, "--dump", FORM_LIST, "STAGE,...", "p", "print kernel, affine, ptx, cfg, requests, traffic, estimate; stop there") \
	X(json, "--json", FORM_NONE, NULL, "pm", "print JSON")                                                             \
	X(explain, "--explain", FORM_NONE, NULL, "p", "per source line: executions, sectors, hit rates, cycles")           \
	X(verbose, "-v", FORM_NONE, NULL, "pr", "times of libclang, nvcc and ourselves")                                   \
	X(quiet, "-q", FORM_NONE, NULL, "pr", "no notes and warnings")

/* The values given for one option, in order. */
struct option_values {
	const char **list;
	unsigned count;
};
struct command_line {
	const char *command;
	const char *file;              /* the one operand, or NULL */
	const char **flags;            /* -D, -I, -std=: for both front ends */
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
/* The options a command takes, for --help. */
void options_print(FILE *stream, char letter);
/* The last value given, or fallback. */
const char *option_text(const struct option_values *values, const char *fallback);
/* Reports wrong usage as "coalesce: ..." with a pointer to --help; returns EXIT_USAGE. */
enum exit_code usage_error(const char *format, ...) PRINTF_LIKE(1, 2);
/* Turns the command line into what predict() takes. Returns false on wrong usage (reported). */
bool predict_options_fill(struct arena *arena, const struct command_line *line, struct predict_options *options);

/* ---- commands: each takes the arguments after its name and returns the exit code ----- */

enum exit_code command_predict(int count, char **arguments);
enum exit_code command_rewrite(int count, char **arguments);
enum exit_code command_ptx(int count, char **arguments);
enum exit_code command_machines(int count, char **arguments);

/* ---- views ------------------------------------------------------------------------------ */

/* The text table: per kernel a row per layout, the recommendation and why; then the program. */
void report_table(struct text *out, struct arena *arena, const struct prediction *prediction);
/* Per source line of each kernel: what each layout executes there and costs. */
void report_explain(struct text *out, struct arena *arena, const struct prediction *prediction);
/* The object of schema coalesce/predict/1. */
void report_json(struct text *out, struct arena *arena, const struct prediction *prediction);
/* A stage in its stable text form; stage is one of the names of --dump. */
void report_dump(struct text *out, const struct prediction *prediction, const char *stage);
/* A layout with its tile: "asta", "asta/64" where the tile is not the default. */
const char *layout_label(struct arena *arena, const struct layout *layout, unsigned tile);

#endif
