/*
 * cli/options: the command line. options.def is the one table of options, of all commands; from it come the parser
 * (parse.c), what predict() takes (fill.c), and, in cli/help, help, manual pages and completion. Prefixes:
 * command_line_ for a command line, option_ and options_ for options.
 *
 * A new option of predict: a row, a field of struct predict_options (model/prediction/prediction.h), and what reads
 * line->IDENTIFIER in options_fill(). That serves all commands that read a source file, and the cases of a suite, which
 * take what bundle takes (b): without the letter, IDENTIFIER has no values there. Names behind an @ come from
 * cli/help/values.c.
 */
#ifndef COALESCE_CLI_OPTIONS_OPTIONS_H
#define COALESCE_CLI_OPTIONS_OPTIONS_H

#include "base/base.h"
#include "model/model.h"

enum argument_form { FORM_NONE, FORM_TEXT, FORM_NAME_VALUE, FORM_DIMENSIONS, FORM_LIST };

/* The values given for one option, in order. */
struct option_values {
	const char **list;
	unsigned count;
	bool of_project; /* they are of coalesce.json, not of the command line */
};
struct command_line {
	char letter;        /* of its command */
	const char *file;   /* the first operand, or NULL */
	const char **files; /* all operands */
	unsigned file_count;
	unsigned other_count; /* how many of them, behind the first, are further source files of one program */
	const char **flags;   /* of nvcc's, those that matter to the source or the device's code */
	unsigned flag_count;
	unsigned project_flag_count; /* how many of them, the first, are of coalesce.json */
	const char **build_flags;    /* those that only the build of a whole program takes: -lm, -Xcompiler=-fopenmp */
	unsigned build_flag_count;
	const char **targets; /* what -arch and its like say */
	unsigned target_count;
	const char **program_arguments; /* what stands after "--"; NULL: there is none */
	unsigned program_argument_count;
	const char *project_folder; /* of coalesce.json; NULL: there is none */
	const char **excluded;      /* patterns of files that no gate judges, from that folder */
	unsigned excluded_count;
#define OPTION(identifier, spelling, form, argument, commands, values, help) struct option_values identifier;
#include "cli/options/options.def"
#undef OPTION
};

/* ---- parse.c --------------------------------------------------------------------------- */

/* A row of options.def. */
struct option_row {
	const char *spelling, *argument, *commands, *values, *help;
	enum argument_form form;
	size_t offset; /* of its values in struct command_line */
};
extern const struct option_row option_rows[];
extern const unsigned option_row_count;

/* What help says of the flags of nvcc's that are taken: flags_read() knows them. */
#define OPTION_FLAGS_HELP "flags of nvcc's: those that the source or the device's code depends on are followed"
#define OPTION_FLAGS_VALUES                                                                                            \
	"also -U, -isystem, -include, -use_fast_math, -ftz=, -fmad=, -maxrregcount=, --extended-lambda, "              \
	"--expt-relaxed-constexpr, -Xptxas; "                                                                          \
	"of no influence: -O3, -g, -lineinfo, -rdc=, -Xcompiler, -l, -L, ...; -arch= is what --machine says"
/* A row of the table in main.c. letter: stands for it in options.def. run: does it, and returns the exit code. */
struct command {
	const char *name, *operand, *summary, *description;
	char letter;
	enum exit_code (*run)(struct arena *arena, const struct command_line *line);
};
/* Whether a command reads a source file, and so takes flags for the compilers. */
bool option_takes_flags(char letter);
/*
 * Reads the arguments after the name of the command of that letter. Options and operands may stand in any order;
 * "--option=value" and "--option value" are the same. What stands after "--" is the command line of the program that is
 * read. Returns false on wrong usage (reported on stderr), more operands than the command takes included.
 */
bool command_line_parse(struct arena *arena, char letter, int count, char **arguments, struct command_line *line);
/* The flags and options that say what is predicted or measured, but not for which GPU, nor limits of compilers, as
 * words of a command line. */
const char **command_line_words(struct arena *arena, const struct command_line *line, unsigned *count);
/*
 * Files and options as another command about the same program takes them, quoted for a shell: without the record, the
 * layout, the limits of compilers and what the command finds in coalesce.json again. letter: of that command.
 */
const char *command_line_shell(struct arena *arena, const struct command_line *line, char letter);
/* The least severity of the diagnostics that a command shows which ends so, by -q, -v and --dump. */
enum severity options_least_severity(const struct command_line *line, enum exit_code code);
/* The last value given, or fallback. */
const char *option_text(const struct option_values *values, const char *fallback);
/* Reads a percentage, 0 or more. Returns false for anything else (reported); *percent keeps its value where none is
 * given. */
bool option_percent(const char *name, const struct option_values *values, double *percent);

/* ---- project.c ------------------------------------------------------------------------- */

/*
 * Adds what coalesce.json says, the nearest above the first file, to what the command line leaves open. Flags come
 * before those of the command line. EXIT_INPUT where something in it is wrong (reported, with its place).
 * schemas/project.schema.json says what it holds.
 */
enum exit_code options_project(struct arena *arena, struct command_line *line);
/* Whether "exclude" of coalesce.json names a file. */
bool options_file_is_excluded(struct arena *arena, const struct command_line *line, const char *file);

/* ---- fill.c ---------------------------------------------------------------------------- */

/* Reads the --reading options. Returns false where one names no reading, or has no such value (reported). */
bool options_readings(const struct option_values *values, struct thesis_readings *readings);
/* "; did you mean 'soa'? There are: ..." for a name that is no layout. */
const char *options_layout_meant(struct arena *arena, const char *name);
/* Reads --limit-seconds and --limit-memory; what is not given is 0. Returns false on wrong usage (reported). */
bool options_limits(const struct command_line *line, struct process_limits *limits);
/* Reads --jobs; without it, the processors there are. Returns false on wrong usage (reported). */
bool options_jobs(const struct command_line *line, unsigned *jobs);
/* Turns the command line into what predict() takes. Returns false on wrong usage (reported). */
bool options_fill(struct arena *arena, const struct command_line *line, struct predict_options *options);

#endif
