/*
 * tune: the configurations that a program can be built and launched in, searched by prediction.
 *
 *   expression.c  integer expressions over the names of a space, in the syntax of C or of Python
 *   evaluate.c    their values
 *   space.c       what is tuned: values of macros and constants, blocks, registers, unrolling
 *   space_file.c  spaces in JSON, as Kernel Tuner writes them
 *   search.c      which configurations are predicted, in which order
 *   rank.c        the layouts of each configuration, ranked
 *   machines.c    one configuration for several machines
 *   configs.c     configurations by themselves, to be measured
 *
 * A configuration is a point of a sweep (model/sweep/sweep.h), which predicts it. Nothing depends on how many are
 * predicted at a time. Prefix: tune_.
 */
#ifndef COALESCE_MODEL_TUNE_TUNE_H
#define COALESCE_MODEL_TUNE_TUNE_H

#include "model/sweep/sweep.h"

/* ---- expression.c, evaluate.c ---------------------------------------------------------- */

/* How `/` and `%` mean negative and uneven operands. Both syntaxes take `&&` and `and`, `||` and `or`, `!` and `not`.
 */
enum tune_syntax {
	TUNE_C,     /* `/` and `%` round to zero; comparisons do not chain */
	TUNE_PYTHON /* `/` is exact, `//` and `%` round down; comparisons chain */
};
/* Number, word or list. Numbers are integers, but for what `/` gives in Python's syntax. */
struct tune_value {
	const char *word;         /* NULL: it is none */
	struct tune_value *items; /* NULL: no list */
	unsigned count;
	double number;
};
struct tune_name {
	const char *name;
	struct tune_value value;
};
/* What is wrong with an expression, and at which byte of it. */
struct tune_fault {
	const char *text; /* NULL: nothing */
	unsigned at;
};
struct tune_expression;
/*
 * Reads an expression: + - * / // % **, comparisons, `in` and `not in` a list, && || !, parentheses, lists, min(),
 * max(), ceil_div(), range(), and [E for NAME in LIST if E]. Returns NULL, with *fault set, where it is none.
 */
const struct tune_expression *tune_expression_parse(struct arena *arena, const char *text, enum tune_syntax syntax,
                                                    struct tune_fault *fault);
/* The value where names have these values. A name that is none of them is a word where one of their values is that
 * word. False: *fault says why there is none. */
bool tune_expression_value(struct arena *arena, const struct tune_expression *expression, const struct tune_name *names,
                           unsigned count, struct tune_value *value, struct tune_fault *fault);
/* The same, as a condition. */
bool tune_expression_holds(struct arena *arena, const struct tune_expression *expression, const struct tune_name *names,
                           unsigned count, bool *holds, struct tune_fault *fault);
/* The first name of an expression that none of those is, and no word either; NULL: there is none. *at: where it stands.
 */
const char *tune_expression_unknown(const struct tune_expression *expression, const char *const *names, unsigned count,
                                    unsigned *at);
/* Whether a number is an integer that fits. */
bool tune_is_integer(const struct tune_value *value);

/* ---- space.c, space_file.c -------------------------------------------------------------- */

/* A value as it is written: an integer or an identifier. */
struct tune_parameter {
	const char *name;
	struct tune_value *values;
	unsigned count;
};
struct tune_condition {
	const char *text;
	const struct tune_expression *expression;
};
/* What is tuned. Names are identifiers, values integers or identifiers: nothing else reaches a compiler. */
struct tune_space {
	struct tune_parameter *parameters;
	unsigned parameter_count;
	struct tune_condition *conditions;
	unsigned condition_count;
	const struct tune_expression *block[3],
		*grid[3];     /* over the names; NULL: the program says it, or along further axes 1 */
	bool grid_of_threads; /* grid counts threads, not blocks */
	const char *kernel;   /* that a space file is of, or NULL */
};
/* What tunes no name of the file: the block, #pragma unroll, -maxrregcount=, blocks in __launch_bounds__, positions per
 * thread of grid-stride loops. */
#define TUNE_OWN_NAMES(X)                                                                                              \
	X(block, SHAPE) X(unroll, UNROLL) X(registers, REGISTERS) X(launch_bounds, BOUNDS) X(share, SHARE)
/* Adds "NAME=V,V,...", and a condition. Return what is wrong, or NULL; of a condition fault says where. */
const char *tune_parameter_add(struct arena *arena, struct tune_space *space, const char *text);
const char *tune_parameter_take(struct arena *arena, struct tune_space *space, const char *name,
                                const struct tune_value *values, unsigned count);
const char *tune_condition_add(struct arena *arena, struct tune_space *space, const char *text, enum tune_syntax syntax,
                               struct tune_fault *fault);
/* Reads "X[,Y[,Z]]", expressions over names, as block or grid. */
const char *tune_dimensions_parse(struct arena *arena, const char *text, enum tune_syntax syntax,
                                  const struct tune_expression *dimensions[3], struct tune_fault *fault);
/* Checks that conditions and dimensions have no other names than those of parameters. Returns what is wrong, or NULL.
 */
const char *tune_space_check(struct arena *arena, const struct tune_space *space);
/*
 * Reads a space in JSON: {"NAME": [values], ...}, or what Kernel Tuner writes ("ConfigurationSpace" with
 * "TuningParameters" and "Conditions"; of "KernelSpecification" the kernel's name, LocalSize and GlobalSize). Returns
 * false where it is none (reported).
 */
bool tune_space_read(struct arena *arena, const char *path, struct tune_space *space, struct diagnostics *diagnostics);
/* A value as text. */
const char *tune_value_text(struct arena *arena, const struct tune_value *value);

/* ---- search.c ------------------------------------------------------------------------------ */

struct tune_request {
	const struct predict_options *options;
	const struct tune_space *space; /* without parameters: all that may be changed without asking */
	unsigned jobs;                  /* configurations predicted at a time: changes nothing but the time it takes */
	unsigned budget;                /* configurations to predict */
	double seconds;                 /* no further one is begun then; 0: no limit */
	/* Called now and then: how many of so many are predicted, and the time of the best; or NULL. */
	void (*progress)(unsigned done, unsigned most, double best_seconds);
};
/* A configuration in one layout of its records. */
struct tune_candidate {
	unsigned point; /* of the sweep; 0: as written */
	unsigned option;
	double time_seconds; /* of all launches */
	double low, high;    /* factors on it; 0: the model does not say */
	unsigned series;     /* of the launch that takes the largest share of it */
	unsigned changes;    /* values and layouts that are others than in the first configuration */
	bool is_tie;         /* within TUNE_TIE_SHARE of the first */
	bool is_close;       /* each of both lies within the other's interval */
};
#define TUNE_TIE_SHARE 0.01
/* A layout of one record, the others as written. */
struct tune_option {
	const char *record; /* NULL: all as written */
	const struct layout *layout;
	unsigned tile;
};
/* Why configurations have no time, each reason once. */
struct tune_refusal {
	const char *reason;
	unsigned count, point; /* point: the first of them */
};
struct tune_result {
	const struct prediction
		*first;            /* as written, or where `stands_for_written` is not set the first configuration */
	const struct sweep *sweep; /* axes, and the points that were predicted; the first is that of `first` */
	bool is_written;           /* `first` is the file as written: it has all values that are tuned */
	struct tune_option *options;
	unsigned option_count;
	struct tune_candidate *candidates; /* the fastest first; of equal ones that which changes less */
	unsigned candidate_count;
	unsigned recommended; /* of those within TUNE_TIE_SHARE of the fastest that which changes least */
	unsigned written;     /* the candidate of `first` as written; UINT_MAX: it has no time */
	uint64_t space_size;  /* configurations that satisfy the conditions, layouts apart */
	unsigned predicted;   /* of them: those that have a time, `first` included */
	struct tune_refusal *refusals;
	unsigned refusal_count;
	const char **notes; /* what was left out of the space, and why */
	unsigned note_count;
	bool time_was_over;
};
/* Searches. Returns NULL where the input cannot be analysed (reported); *code says how the program should end then. */
struct tune_result *tune_search(struct arena *arena, const struct tune_request *request,
                                struct diagnostics *diagnostics, enum exit_code *code);

/* ---- machines.c ------------------------------------------------------------------------------- */

/* A configuration that has a time on all machines. */
struct tune_common {
	unsigned *candidates; /* per machine */
	double *losses;       /* its time over that of the machine's fastest configuration, less 1 */
	double worst;         /* the largest of them */
	unsigned changes;     /* as of the first machine's candidate */
};
struct tune_machines {
	const char *const *names;
	unsigned count;
	const struct tune_result **results; /* per machine */
	struct tune_common *list;           /* the least worst loss first */
	unsigned list_count;
	unsigned recommended; /* of those within TUNE_TIE_SHARE of the first that which changes least */
	unsigned written;     /* UINT32_MAX: it is not in the list */
};
/* Searches for each machine. Returns NULL as tune_search() does, and where no configuration has a time on all
 * (reported). */
struct tune_machines *tune_machines_search(struct arena *arena, const struct tune_request *request,
                                           const char *const *names, unsigned count, struct diagnostics *diagnostics,
                                           enum exit_code *code);

/* ---- configs.c -------------------------------------------------------------------------------- */

/* A configuration by itself: a point of axes, and a layout. */
struct tune_config {
	struct sweep sweep; /* its axes alone */
	struct sweep_point point;
	struct tune_option option;
	double time_seconds;
	struct dimensions grid, block; /* of the launch that takes the longest; not given: not read from a file */
};
struct tune_config tune_config_of(const struct tune_result *result, unsigned candidate);
/* Reads the configurations that `coalesce tune --json` wrote. NULL where there are none, or a value is none that --tune
 * takes (reported). */
struct tune_config *tune_configs_read(struct arena *arena, const char *path, unsigned *count,
                                      struct diagnostics *diagnostics);
/* Sets the options of a program, of which `first` has the analysis and the groups, to those of the configuration: only
 * its layouts are ranked. */
void tune_config_options(struct arena *arena, const struct prediction *first, const struct tune_config *config,
                         struct predict_options *options);

/* ---- between the files of the room ----------------------------------------------------- */

/* X(name, spelling). Binary ones, then those of one operand, then the others. */
#define TUNE_OPERATORS(X)                                                                                              \
	X(OR, "||")                                                                                                    \
	X(AND, "&&")                                                                                                   \
	X(EQUAL, "==")                                                                                                 \
	X(UNEQUAL, "!=")                                                                                               \
	X(LESS, "<")                                                                                                   \
	X(LESS_EQUAL, "<=")                                                                                            \
	X(GREATER, ">") X(GREATER_EQUAL, ">=") X(IN, "in") X(ADD, "+") X(SUBTRACT, "-") X(MULTIPLY, "*")               \
		X(DIVIDE, "/") X(FLOOR, "//") X(REMAINDER, "%") X(POWER, "**") X(NOT, "!") X(NEGATE, "-")              \
			X(NUMBER, "") X(WORD, "") X(NAME, "") X(LIST, "[") X(CALL, "(") X(COMPREHENSION, "for")
enum tune_operator {
#define X(name, spelling) TUNE_##name,
	TUNE_OPERATORS(X)
#undef X
};
/* A node. Operands: of binary operators two; items of a list; arguments of a call; of a comprehension the item, the
 * list, and the condition, if any. */
struct tune_expression {
	enum tune_operator operator;
	enum tune_syntax syntax;
	unsigned at;      /* byte of the text */
	const char *text; /* of a name, a word, a function; the variable of a comprehension */
	double number;
	const struct tune_expression **operands;
	unsigned count;
};

/* ---- axes.c, safe.c: what may be changed ---- */

/* A space as axes of a sweep. */
struct tune_axes {
	struct sweep_axis list[MOST_SWEEP_AXES];
	unsigned count;
	unsigned named; /* the first of them are the space's parameters, in their order */
	const char **notes;
	unsigned note_count;
};
/* The axes of the parameters that name something in the file. Returns what is wrong, or NULL. *lacking: the file needs
 * a value of some. */
const char *tune_axes_named(struct arena *arena, const struct tune_space *space, const struct predict_options *options,
                            const char *text, struct tune_axes *axes, bool *lacking);
/* Adds the axes that need a prediction: blocks, registers, unrolling, positions per thread. Returns what is wrong, or
 * NULL. */
const char *tune_axes_add(struct arena *arena, const struct tune_space *space, const struct prediction *first,
                          const struct predict_options *options, struct tune_axes *axes);
/* Why a launch's block may not be any other that covers the same positions; NULL: it may, along those axes. */
const char *tune_block_is_bound(struct arena *arena, const struct case_result *result, bool along[3]);
/* Whether the blocks of that size cover the positions of the launch and no other ones, or its kernel looks where they
 * end. */
bool tune_block_covers(const struct launch_case *launch, const uint32_t block[3]);
/* Whether all that a launch stores it stores in loops that go on by the whole grid. */
bool tune_grid_strides(const struct case_result *result);

/* ---- points.c: which configurations there are ---- */

/* Configurations: of each axis an index into its values. */
struct tune_points {
	uint16_t *at; /* count * axes->count */
	unsigned count;
	uint64_t all; /* that the axes have */
};
/* All that satisfy the conditions, axes that need another compilation outermost. Returns what is wrong, or NULL. */
const char *tune_points_find(struct arena *arena, const struct tune_space *space, const struct tune_axes *axes,
                             struct tune_points *points);
/*
 * The numbers that a configuration's dimensions have; own: that they have with the file's own values, of names that
 * have one there. Returns what is wrong, or NULL.
 */
const char *tune_dimensions_value(struct arena *arena, const struct tune_space *space, const struct tune_axes *axes,
                                  const uint16_t *at, const struct tune_expression *const dimensions[3], bool own,
                                  uint32_t value[3]);
/* How far two configurations are apart: the axes along which they differ. */
unsigned tune_points_distance(const struct tune_axes *axes, const uint16_t *a, const uint16_t *b);

/* ---- guess.c: times of configurations that were not predicted ---- */

/* Sets guesses[i], logarithms of times, of all points from the times of those that have one (NAN: it has none). */
void tune_times_guess(struct arena *arena, const struct tune_axes *axes, const struct tune_points *points,
                      const double *times, double *guesses);

/* ---- rank.c ---- */

/* Sets options, of the layouts that the first prediction ranks. */
void tune_options_find(struct arena *arena, struct tune_result *result);
/* The time of a point in a layout; NAN where it has none. *candidate: all of it. */
double tune_candidate_fill(const struct tune_result *result, unsigned point, unsigned option,
                           struct tune_candidate *candidate);
/* Sets candidates and refusals. */
void tune_rank(struct arena *arena, struct tune_result *result);

#endif
