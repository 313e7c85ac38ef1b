/*
 * sweep: one file predicted at many values of a number: a scalar, a macro, an argument of the program, the block, the grid, the tile; or on several machines. Curves over the values, and
 * where one choice overtakes another.
 *
 *   axis.c       "n=1K:1M:x4" as values, and what is meant by the name
 *   series.c     what the curves are of, and what is chosen between
 *   run.c        the points, several at a time, each in a process of its own
 *   sweep.c      all of it, and the crossovers
 *   holds.c      how far a verdict holds whose sizes were assumed
 *   influence.c  what was assumed of a program, by how much the prediction depends on it
 *   unroll.c     what unrolling loops would be worth
 *   kernels.c    kernels that do the same job, held against each other; conversion.c: what another layout costs once (both declared in predict.h)
 *
 * Only a macro, an argument of the program and another machine begin with the file again: all other points are predicted with what was compiled once. Nothing depends on how many run at a time. Prefix: sweep_.
 */
#ifndef COALESCE_MODEL_SWEEP_SWEEP_H
#define COALESCE_MODEL_SWEEP_SWEEP_H

#include "model/predict.h"

#define SWEEP_AXES 2
#define MOST_SWEEP_POINTS 4096

enum sweep_kind { SWEEP_SCALAR, SWEEP_MACRO, SWEEP_ARGUMENT, SWEEP_BLOCK, SWEEP_GRID, SWEEP_TILE, SWEEP_MACHINE, SWEEP_ASSUMED };
const char *sweep_kind_name(enum sweep_kind kind);
/* Whether another value means that the file is read anew. */
bool sweep_kind_anew(enum sweep_kind kind);
struct sweep_axis {
	enum sweep_kind kind;
	const char *name; /* "n", "kernel:n", "g.nx", "N", "argv[1]", "block" */
	int64_t *values;  /* rising; of machines 0, 1, ... */
	unsigned count;
	const char **machines; /* their names; the first one's is that of the first prediction */
};
/* A curve: a row of a launch, or of the program. */
struct sweep_series {
	const char *kernel;          /* NULL: the program, all launches together */
	unsigned launch;             /* which of the kernel's launches, from 0 */
	const char *record;          /* NULL: a kernel without records, or as written beside other kernels */
	const struct layout *layout; /* NULL: as written */
	unsigned tile;               /* of tiled layouts; 0 where the tile is swept */
};
/* A curve at a point. */
struct sweep_cell {
	double time_seconds; /* NAN: not predicted */
	double occupancy;    /* of the program NAN */
	uint32_t grid[3], block[3];
	unsigned registers;
	enum confidence confidence; /* of the launch's verdicts */
	char bound[16];
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
	int64_t at[SWEEP_AXES];
	bool between;        /* on no axis: a step of a bisection */
	const char *problem; /* why it was not predicted, or NULL */
	struct sweep_cell *cells;
	unsigned *
		picks; /* per choice a series, UINT_MAX: none. The one picked at the value before stays so while it is within TIE_SHARE of the fastest; then the
	                    one as written is picked where it is within that, else the fastest */
};
/* Between two values next to each other on the first axis the pick changes. */
struct sweep_crossover {
	unsigned choice;
	int64_t beside;     /* value of the second axis, where there is one */
	int64_t before, at; /* the last value predicted with the pick before, and the first one without it */
	unsigned from, to;  /* series */
};
struct sweep {
	struct sweep_axis axes[SWEEP_AXES];
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

/* ---- axis.c ------------------------------------------------------------------------------ */

/* Reads "NAME=LO:HI[:xF|:+S]". Values begin at LO and end at HI or below; without a step they double. Returns what is wrong with it, or NULL. */
const char *sweep_axis_parse(struct arena *arena, const char *text, struct sweep_axis *axis);
/* The axis of machines with commas between them. */
struct sweep_axis sweep_axis_machines(struct arena *arena, const char *names);
/* The axis of all blocks worth trying: powers of two of warps, and half as much again; those of the launches among them. */
struct sweep_axis sweep_axis_blocks(struct arena *arena, const struct prediction *first);
/* A value as text: "4096", "a100". */
const char *sweep_value(struct arena *arena, const struct sweep_axis *axis, int64_t value);
/* Finds out what the name of an axis means in a file whose program has so many arguments. Returns what is wrong with it, or NULL. */
const char *sweep_axis_resolve(struct arena *arena, const struct prediction *first, unsigned argument_count,
                               struct sweep_axis *axis);
/* Which of the program's arguments a name means, from 1; 0: none. */
unsigned sweep_argument(const char *name);

/* ---- series.c ------------------------------------------------------------------------------ */

/* Fills series and choices. */
void sweep_series_find(struct arena *arena, const struct prediction *first, struct sweep *sweep);
/* Which of the launches of its kernel a case is. */
unsigned sweep_launch_index(const struct prediction *prediction, unsigned index);
/* Fills the cells of a point from a prediction made there. */
void sweep_cells_fill(const struct sweep *sweep, const struct prediction *prediction, const struct sweep_point *point);

/* ---- run.c ------------------------------------------------------------------------------------ */

struct sweep_request {
	const struct prediction *first;
	const struct predict_options *options;
	unsigned jobs;  /* points predicted at a time */
	bool no_bisect; /* crossovers stay between the values of the axis */
};
/* Predicts the points from `begin` on. */
void sweep_points_run(struct arena *arena, const struct sweep_request *request, struct sweep *sweep, unsigned begin);

/* ---- sweep.c -------------------------------------------------------------------------------- */

/*
 * Predicts a file at all values of its axes, which were parsed. Returns NULL, with the reason reported, where a name means nothing or no point could be
 * predicted.
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
/* Sets the prediction's assumptions, and finds out by predictions of the same code what they matter: that widens the intervals of the launches' times. */
void sweep_influences(struct arena *arena, const struct sweep_request *request, struct prediction *prediction);
/* Sets what #pragma unroll before innermost loops would bring, by other predictions of the edited text. */
void sweep_unrolling(struct arena *arena, const struct predict_options *options, struct prediction *prediction);
/* The point at these values, of the second where there is a second axis. */
const struct sweep_point *sweep_point_at(const struct sweep *sweep, int64_t first, int64_t second);

#endif
