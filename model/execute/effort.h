/*
 * What the evaluator may spend, and where it stops being exact: every constant of that kind, with its grounds;
 * "chosen": a choice that nothing measured compels. Steps are warp instructions of the slice that were interpreted; one
 * takes some 100 ns. Changing a number here changes how long an evaluation takes and how much is sampled, never what is
 * right.
 */
#ifndef COALESCE_MODEL_EXECUTE_EFFORT_H
#define COALESCE_MODEL_EXECUTE_EFFORT_H

#include <stdint.h>

struct effort {
	uint64_t limit, steps; /* allowed, taken */
};

/* ---- a launch (cover/) ------------------------------------------------------------------- */

#define EFFORT_STEPS 200000 /* 20 ms at worst; a launch that is linear ends after some hundred */
/* one part in so many is for a single warp: with fewer, a long one would leave the others nothing */
#define EFFORT_WARP_SHARE 3
#define EFFORT_EARLY_SHARE 40 /* after one part in so many it is asked whether to go on */
/* one part in so many is for either where content scatters what warps do: seldom exact then */
#define EFFORT_RANDOM_SHARE 50
/* boxes grow as they are covered: the rest may look so many times as dear as is left for it; chosen */
#define EFFORT_PROMISE 4.0
#define EFFORT_PROMISE_EVERY 16 /* boxes after which that is asked */
/* where less than this share was covered the sample stands for all: one number, one error */
#define EFFORT_NEARLY 0.02
#define EFFORT_MOST_BOXES 100000 /* of 152 bytes: 15 MB */

/* ---- a sample of warps (cover/sample.c) ----------------------------------------------------- */

#define SAMPLE_SHARE 25 /* one part in so many of the steps is for the sample: 8000 */
#define SAMPLE_LEAST 8  /* four pairs of neighbours: fewer say nothing about their spread */
/* where the first needs more than a quarter of that share, each may take so many times as much */
#define SAMPLE_LONG 8
/* where it does not, any so many quarters, until all together have taken SAMPLE_LONG shares; chosen */
#define SAMPLE_MORE 2
#define SAMPLE_MOST 512 /* the error falls with the root of it: four times as many would halve it again */

/* ---- axes and bounds (value/) --------------------------------------------------------------- */

/* six of the launch, and one for each loop being advanced: loops nested deeper are run trip by trip */
#define MAX_AXES 16
/* trips or blocks after which alignment must repeat to be followed: 32 words of 4 bytes, and twice that */
#define MAX_PERIOD 64
#define AXES_BOUNDS 100000            /* of one loop, of 176 bytes: 18 MB */
#define AXES_TRIPS (INT64_C(1) << 52) /* counts are doubles: more would not be whole numbers */
#define AXES_SLOPE (INT64_C(1) << 60) /* products of slopes and counts stay within 128 bits */
/* trips by which the ends of loops of different warps may differ before they are told apart */
#define AXES_TOLERATED_LOSS 4
#define AXES_PHASES 4096     /* boxes that one axis may be split into */
#define AXES_PHASE_STEPS 64  /* what one more box costs beside its warp's steps, in steps; an estimate */
#define AXES_RECENT_BOUNDS 6 /* most bounds come several times in a row: so many of the last are compared */
#define BITS_RUNS 4          /* of ones in a mask that is taken apart; masks of strides and tiles have one or two */
#define EVENTS_MOST 4096     /* alignments kept apart in one trip; beyond, they are averaged */
#define FOOTPRINTS_MOST 512  /* that one run tells apart; of instructions with more nothing is known */
#define FOOTPRINTS_KEPT 4096 /* of a launch, of 240 bytes: 1 MB */
#define FOOTPRINTS_BACK 16   /* others that a new one is held against */
#define FOOTPRINT_AXES 12    /* lanes take two, the launch six, the rest is for loops */
#define FOOTPRINT_PIECES 8   /* rows that the lanes of one access lie in */
/* lanes within so many pieces are counted by a map, others by a table: as many bytes to clear */
#define TOUCH_MAP 8192

/* ---- loops (run/) --------------------------------------------------------------------------- */

/* loops under way at once, over all functions called: lanes that leave one after the other hold one each */
#define LOOP_FRAMES 48
#define LOOP_DEGREE 5 /* of counts as polynomials: loops nested five deep whose trips depend on each other */
/* after so many failures to find a steady state the waits between attempts grow no longer (4096 trips) */
#define LOOP_PATIENCE 12
#define LOOP_MISSES 3 /* times that what was remembered of a loop may be wrong before it is not remembered */
/* of one sampled warp: what a loop with scattered addresses may take before a few trips stand for it */
#define LOOP_SOFT_STEPS 200
#define WINDOW_TRIPS 4      /* trips that are looked at in a span of trips that differ in their addresses alone */
#define WINDOW_LONG_SPAN 16 /* where it is longer than that */
#define STRETCH_STEPS 200   /* of the interpreter, at least; in a loop whose trips differ so many come first */
#define STRETCH_LONG 500    /* in others */
#define STRETCH_HEAVY 1500  /* where fewer trips than STRETCH_FIRST periods came */
/* periods, at least: a failed one, one whose registers settle, one to measure, one to follow */
#define STRETCH_FIRST 4
#define STRETCH_TRIPS 8 /* or a multiple: after so many, rows of words begin at the same place of a sector again */
/* stretches of an outermost loop, spread over its trips, where they take no more than half of what the warp may; chosen
 */
#define STRETCH_PIECES 32
#define STRETCH_FEW 16   /* times as many trips as were run: where fewer are ahead one jump goes over all */
#define STRETCH_ROUND 64 /* trips, of which a stretch begins at a multiple */
#define STRETCH_LAST 2   /* trips before the end are run */

/* ---- one warp (run/, trace/) ------------------------------------------------------------------ */

#define WARP_CALLS 8           /* functions called within each other that are followed; ends recursion */
#define WARP_LEAST_WEIGHT 1e-6 /* sides of weighed branches that are rarer are not run: twenty coins in a row */
#define WARP_TRIPS 8           /* of a loop whose end is not known, unless told */
#define TRACE_ISSUES 5000000   /* warp instructions of one traced warp, unless told */

#endif
