/*
 * sweep: one file predicted at many values of a number: a scalar, a macro, an argument of the program, the block, the
 * grid, the tile; or on several machines. Curves over the values, and where one choice overtakes another.
 *
 *   axis.c       "n=1K:1M:x4" as values, and what is meant by the name
 *   series.c     what the curves are of, and what is chosen between
 *   run.c        the points, several at a time, each in a process of its own
 *   sweep.c      all of it, and the crossovers
 *   holds.c      how far a verdict holds whose sizes were assumed
 *   influence.c  what was assumed of a program, by how much the prediction depends on it
 *   settings.c   what the values of a point mean for a prediction
 *   edit.c       the file's text with other values of its constants, or with loops unrolled
 *   unroll.c     what unrolling loops would be worth
 *   kernels.c    kernels that do the same job, held against each other; conversion.c: what another layout costs once
 * (both declared in predict.h)
 *
 * Only a macro, an argument of the program and another machine begin with the file again: all other points are
 * predicted with what was compiled once. Nothing depends on how many run at a time. Prefix: sweep_.
 */
#ifndef COALESCE_MODEL_SWEEP_SWEEP_H
#define COALESCE_MODEL_SWEEP_SWEEP_H

#include "model/predict/predict.h"

#define SWEEP_AXES 2       /* of --sweep */
#define MOST_SWEEP_AXES 24 /* of points: coalesce tune has more */
#define MOST_SWEEP_POINTS 4096

/* X(name, word, anew). anew: another value means that the file is read and compiled again. */
#define SWEEP_KINDS(X)                                                                                                 \
	X(SCALAR, scalar, false)                                                                                       \
	X(MACRO, macro, true)                                                                                          \
	X(ARGUMENT, argument, true)                                                                                    \
	X(BLOCK, block, false)                                                                                         \
	X(GRID, grid, false)                                                                                           \
	X(TILE, tile, false)                                                                                           \
	X(MACHINE, machine, true)                                                                                      \
	X(ASSUMED, assumed, false)                                                                                     \
	X(SHAPE, block, false)        /* the block along all axes; the grid follows */                                 \
	X(SAID_BLOCK, block, false)   /* the block, as of --block */                                                   \
	X(SAID_GRID, grid, false)     /* the grid, as of --grid */                                                     \
	X(SHARE, share, false)        /* positions that a thread of a grid-stride loop takes, more than as written */  \
	X(REGISTERS, registers, true) /* -maxrregcount= */                                                             \
	X(UNROLL, unroll, true)       /* #pragma unroll before innermost loops */                                      \
	X(BOUNDS, launch_bounds,                                                                                       \
	  true) /* __launch_bounds__(threads of the block, so many blocks) of kernels without */                       \
	X(DEFINITION, definition, true) /* the value that the file itself gives a macro or a constant */
enum sweep_kind {
#define X(name, word, anew) SWEEP_##name,
	SWEEP_KINDS(X)
#undef X
};
const char *sweep_kind_name(enum sweep_kind kind);
/* Whether another value means that the file is read anew. */
bool sweep_kind_anew(enum sweep_kind kind);
struct sweep_axis {
	enum sweep_kind kind;
	const char *name; /* "n", "kernel:n", "g.nx", "N", "argv[1]", "block" */
	int64_t *values;  /* rising; 0, 1, ... where they are words or dimensions */
	unsigned count;
	const char **words;        /* machines, or values that are no numbers; NULL: they are numbers */
	uint32_t (*dimensions)[3]; /* of SHAPE, SAID_BLOCK and SAID_GRID; a shape is that of blocks that are `own` */
	int64_t own;               /* where has_own: the value of the first prediction */
	bool has_own;
};
/* A curve: a row of a launch, or of the program. */
struct sweep_series {
	const char *kernel;          /* NULL: the program, all launches together */
	unsigned launch;             /* which of the kernel's launches, from 0 */
	unsigned ordinal;            /* which of those of all instances of its template */
	const char *record;          /* NULL: a kernel without records, or as written beside other kernels */
	const struct layout *layout; /* NULL: as written */
	unsigned tile;               /* of tiled layouts; 0 where the tile is swept */
};
/* The problem of a point that was not begun before the time was over. */
#define SWEEP_NOT_TRIED "the time was over"
#define MAX_SWEEP_WHY 240 /* characters */
/* A curve at a point. */
struct sweep_cell {
	double time_seconds; /* NAN: not predicted */
	double occupancy;    /* of the program NAN */
	uint32_t grid[3], block[3];
	unsigned registers;
	uint64_t launches;
	double stored_bytes; /* by the lanes of a launch, of each array at most its size; NAN: the model does not say */
	double low, high;    /* factors on the time, as of its estimate */
	enum confidence confidence; /* of the launch's verdicts */
	char bound[16];
	char why[MAX_SWEEP_WHY]; /* where it is asked for: what makes it faster or slower than as written; "" where that
	                            is not known */
};
/* Curves of which one is to be chosen: the layouts of a record, or kernels that do the same job. */
struct sweep_choice {
	const char *title; /* "kernel advance, record particle" */
	unsigned *series;
	unsigned count;
	unsigned written; /* the series as written, UINT_MAX: none */
	bool of_program, of_kernels;
};
struct sweep_point {
	int64_t at[MOST_SWEEP_AXES];
	bool between;        /* on no axis: a step of a bisection */
	const char *problem; /* why it was not predicted, or NULL */
	struct sweep_cell *cells;
	unsigned *picks; /* per choice a series, UINT_MAX: none. The one picked at the value before stays so while it is
	                    within TIE_SHARE of the fastest; then the one as written is picked where it is within that,
	                    else the fastest */
};
/* Between two values next to each other on the first axis the pick changes. */
struct sweep_crossover {
	unsigned choice;
	int64_t beside;     /* value of the second axis, where there is one */
	int64_t before, at; /* the last value predicted with the pick before, and the first one without it */
	unsigned from, to;  /* series */
};
struct sweep {
	struct sweep_axis axes[MOST_SWEEP_AXES];
	unsigned axis_count;
	struct sweep_series *series;
	unsigned series_count;
	struct sweep_choice *choices;
	unsigned choice_count;
	struct sweep_point *points; /* the second axis within the first; then those between */
	unsigned point_count;
	struct sweep_crossover *crossovers;
	unsigned crossover_count;
};

struct sweep_request {
	const struct prediction *first;
	const struct predict_options *options;
	unsigned jobs;  /* points predicted at a time */
	bool no_bisect; /* crossovers stay between the values of the axis */
	bool explains;  /* cells say why */
	double until;   /* on clock_seconds(): no point is begun after it; 0: all are */
};

/* ---- axis.c ------------------------------------------------------------------------------ */

/* Reads "NAME=LO:HI[:xF|:+S]". Values begin at LO and end at HI or below; without a step they double. Returns what is
 * wrong with it, or NULL. */
const char *sweep_axis_parse(struct arena *arena, const char *text, struct sweep_axis *axis);
/* The axis of machines with commas between them. */
struct sweep_axis sweep_axis_machines(struct arena *arena, const char *names);
/* The axis of all blocks worth trying: powers of two of warps, and half as much again; those of the launches among
 * them. */
struct sweep_axis sweep_axis_blocks(struct arena *arena, const struct prediction *first);
/* A value as text: "4096", "a100". */
const char *sweep_value(struct arena *arena, const struct sweep_axis *axis, int64_t value);
/* Finds out what the name of an axis means in a file whose program has so many arguments. Returns what is wrong with
 * it, or NULL. */
const char *sweep_axis_resolve(struct arena *arena, const struct prediction *first, unsigned argument_count,
                               struct sweep_axis *axis);
/* Which of the program's arguments a name means, from 1; 0: none. */
unsigned sweep_argument(const char *name);

/* ---- series.c ------------------------------------------------------------------------------ */

/* Fills series and choices. */
void sweep_series_find(struct arena *arena, const struct prediction *first, struct sweep *sweep);
/* Which of the launches of its kernel a case is. */
unsigned sweep_launch_index(const struct prediction *prediction, unsigned index);
/* The same among all instances of its kernel's template. */
unsigned sweep_launch_ordinal(const struct prediction *prediction, unsigned index);
/* Sets why cells of a point are faster than the launch as written. Requires that they are filled, and no tile swept. */
void sweep_whys_fill(struct arena *arena, const struct sweep *sweep, const struct prediction *first,
                     const struct prediction *prediction, const struct sweep_point *point);
/* Fills the cells of a point from a prediction made there. */
void sweep_cells_fill(const struct sweep *sweep, const struct prediction *prediction, const struct sweep_point *point);

/* ---- settings.c, edit.c -------------------------------------------------------------------- */

/* Sets the values of a point. */
void sweep_options_at(struct arena *arena, const struct sweep_request *request, const struct sweep *sweep,
                      const struct sweep_point *point, struct predict_options *options);
/* A place of a text, and what stands there instead; those of a list in their order. */
struct sweep_edit {
	size_t at, length;
	const char *text;
};
/*
 * The places where a text gives a name its value, with `value` instead: in #define, in a constant that is initialised,
 * in launches that name the template argument. text of the edits NULL: value was NULL. *guarded: #ifndef lets the
 * command line define it.
 */
struct sweep_edit *sweep_definition_edits(struct arena *arena, const char *text, const char *name, const char *value,
                                          unsigned *count, bool *guarded);
/* The file's text as it is at a point; NULL: as the file has it. */
const char *sweep_text_at(struct arena *arena, const struct sweep *sweep, const struct sweep_point *point,
                          const struct prediction *first);
/*
 * __launch_bounds__ before the names of kernels that are launched and have none: with the threads of their largest
 * block at a point (sweep and point NULL: as written), and so many blocks for an SM at least.
 */
struct sweep_edit *sweep_bounds_edits(struct arena *arena, const struct prediction *first, const struct sweep *sweep,
                                      const struct sweep_point *point, unsigned blocks, unsigned *count);
/* Pragmas before the innermost loops that have none; all kernels' loops, or that kernel's. */
struct sweep_edit *sweep_unroll_edits(struct arena *arena, const struct analysis *analysis, const struct kernel *kernel,
                                      unsigned factor, unsigned *count);
const char *sweep_text_edit(struct arena *arena, const char *text, const struct sweep_edit *edits, unsigned count);

/* ---- run.c ------------------------------------------------------------------------------------ */

/* Predicts the points from `begin` on. */
void sweep_points_run(struct arena *arena, const struct sweep_request *request, struct sweep *sweep, unsigned begin);

/* ---- kernels.c ------------------------------------------------------------------------------ */

/* What the lanes of a launch store, of each array at most its size; NAN where the model does not say. */
double sweep_stored_bytes(struct arena *arena, const struct launch_view *view);

/* ---- sweep.c -------------------------------------------------------------------------------- */

/*
 * Predicts a file at all values of its axes, which were parsed. Returns NULL, with the reason reported, where a name
 * means nothing or no point could be predicted.
 */
struct sweep *sweep_make(struct arena *arena, const struct sweep_request *request, const struct sweep_axis *axes,
                         unsigned axis_count, struct diagnostics *diagnostics);
/* The points of axes alone, predicted, without picks. */
struct sweep *sweep_points_make(struct arena *arena, const struct sweep_request *request, const struct sweep_axis *axes,
                                unsigned axis_count);
/* Sets how far the verdicts hold whose launches were assumed. */
void sweep_holds(struct arena *arena, const struct sweep_request *request, struct prediction *prediction);
/* What an assumption means for one launch of a program. */
struct assumed_case {
	bool concerned;
	double low, high;   /* factors on its time with something else in its place; 0: not tried */
	double least, most; /* what it changes at most; 0: that is not known */
};
/* What options can say of a program and do not, once for all launches that assume the same. */
struct program_assumption {
	const struct case_assumption *assumed; /* of the first of them */
	const char *what, *option;             /* "n = 4096", "--arg n=" */
	const char **kernels;                  /* their names, each once */
	unsigned kernel_count;
	const char **notes; /* of launches, that say the same */
	unsigned note_count;
	double share;               /* of the program's time, in their launches */
	const char *tried;          /* what was predicted instead: "half of it and twice"; NULL: nothing was */
	double low, high;           /* factors on the program's time then */
	struct assumed_case *cases; /* as many as the prediction has */
	bool decides;               /* another layout was recommended then */
};
/* Sets the prediction's assumptions, and finds out by predictions of the same code what they matter: that widens the
 * intervals of the launches' times. */
void sweep_influences(struct arena *arena, const struct sweep_request *request, struct prediction *prediction);
/* Sets what #pragma unroll before innermost loops would bring, by other predictions of the edited text. */
void sweep_unrolling(struct arena *arena, const struct predict_options *options, struct prediction *prediction);
/* The point at these values, of the second where there is a second axis. */
const struct sweep_point *sweep_point_at(const struct sweep *sweep, int64_t first, int64_t second);

#endif
