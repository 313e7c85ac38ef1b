/*
 * explain: what each source line of a launch executes and waits for, and what a change there would be worth.
 *
 *   lines.c   the instructions of the code that runs, summed up by source line
 *   advice.c  the costliest lines, estimated anew as if they were mended
 *
 * Prefix: explain_.
 */
#ifndef COALESCE_MODEL_EXPLAIN_EXPLAIN_H
#define COALESCE_MODEL_EXPLAIN_EXPLAIN_H

#include "model/cost/cost.h"

/* One source line, over the whole launch. Requests and sectors are those of global and local memory. */
struct line_cost {
	struct place place;
	double instructions; /* of warps */
	double requests, sectors,
		ideal_sectors;        /* ideal: the fewest sectors that hold what the lanes access, each byte once */
	double wavefronts, conflicts; /* shared memory: passes, and those beyond the first of a request */
	double loaded, missed,
		far; /* sectors of loads: asked of the L1; not there; from DRAM. 0 where the model does not say */
	double stalls[COST_STALL_COUNT]; /* cycles of all warps by what they wait for; 0 where the model does not say */
	double waited;                   /* cycles for which warps wait, at whatever line, for what is loaded here */
	double cycles;   /* of all warps: all stalls; where the model says none, its cycles of the line's accesses */
	unsigned source; /* line whose loads this one waits for most; 0: none */
};
struct line_costs {
	struct line_cost *list; /* by explain_place_compare() */
	unsigned count;
	bool simulated; /* stalls and hits are known */
	double cycles;  /* of all lines */
	double warps;   /* of the launch */
};
/* Requires a view with code, evaluated, and its estimate. Instructions without a line are those of line 0. */
struct line_costs explain_lines(struct arena *arena, const struct launch_view *view, const struct estimate *estimate);
/* By the files' names, then lines. */
int explain_place_compare(const struct place *a, const struct place *b);
/* The first of that number, or NULL. */
const struct line_cost *explain_line_find(const struct line_costs *lines, unsigned line);

/* What the launch would take if something about a line were otherwise. */
struct advice {
	struct supposition supposed;
	double time_seconds;
};
/* A #pragma unroll before a kernel's innermost loops. */
struct unrolling {
	unsigned factor;
	double time_seconds;
	const char *lines; /* "line 12": the loops */
};
/* A launch, and what was found for it. */
struct advised {
	const struct launch_view *view;
	const struct estimate *estimate;
	struct advice *advice; /* the best first */
	unsigned count;
};
/*
 * Of the costliest lines of each launch, what makes it faster by more than a few percent; none where the model cannot
 * suppose. The model is asked for all of them at once, by so many threads; *elsewhere: what others than the caller's
 * worked is added, in seconds.
 */
void explain_advise(struct arena *arena, const struct cost_model *model, struct advised *launches, unsigned count,
                    unsigned threads, double *elsewhere);

#endif
