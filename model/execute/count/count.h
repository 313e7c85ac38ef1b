/*
 * count: what a run counts, and what its requests touch.
 *
 * Counts are one vector of numbers, so that a loop's trips or a box's warps are counted at once by adding, scaling and
 * continuing whole vectors; what stands where is this room's business (counts_insn, counts_block, counts_edge,
 * counts_loop). What a request touches depends, along an axis, on its shift modulo a line alone: where an axis shifts
 * it by parts of a line it becomes an event, a table of what it touches by shift, and summing over the axis' positions
 * turns one table into another, exactly. Prefixes: counts_, events_, touch_.
 */
#ifndef COALESCE_MODEL_EXECUTE_COUNT_H
#define COALESCE_MODEL_EXECUTE_COUNT_H

#include "model/execute/plan/plan.h"

/* ---- counts.c ------------------------------------------------------------------------------------ */

/* Of one slot of the plan: a memory instruction, a guarded one, a call. known: executions whose addresses were. */
struct insn_counts {
	double executions, lanes, sectors, lines, wavefronts, conflicts, known, addresses;
};
/* Of a basic block, or an edge: times that warps, and lanes, went there. */
struct flow_counts {
	double executions, lanes;
};
struct loop_counts {
	double entries, trips; /* header executions leading into the body */
};

/* Where in the vector; made once for a plan. */
struct counts_shape {
	const struct plan *plan;
	size_t blocks, edges, loops, slots, total;
	uint32_t *first_edge; /* by block; edges are in the order of successors, then targets */
};
struct tally {
	const struct counts_shape *layout;
	double *numbers;
};

void counts_shape_make(struct arena *arena, const struct plan *plan, struct counts_shape *layout);
/* All zero. */
struct tally counts_make(struct arena *arena, const struct counts_shape *layout);
struct insn_counts *counts_insn(const struct tally *tally, uint32_t slot);
struct flow_counts *counts_block(const struct tally *tally, uint32_t block);
/* The edge from a block to another; NULL: there is none (control ends). */
struct flow_counts *counts_edge(const struct tally *tally, uint32_t from, uint32_t to);
struct loop_counts *counts_loop(const struct tally *tally, uint32_t loop);
/* Instructions executed in called functions, branches whose lanes part. */
double *counts_called(const struct tally *tally);
double *counts_divergent(const struct tally *tally);
/* All instructions; sectors and wavefronts of all slots. */
double counts_instructions(const struct tally *tally);
double counts_touched(const struct tally *tally);

void counts_clear(const struct tally *tally);
void counts_copy(const struct tally *to, const struct tally *from);
void counts_scale(const struct tally *tally, double factor);
/* to += factor * from */
void counts_add(const struct tally *to, const struct tally *from, double factor);
/* now += factor * (now - then), with a factor of its own for what counts lanes or depends on them. */
void counts_grow_apart(const struct tally *now, const struct tally *then, double warps, double lanes);
/*
 * Counts of `count` trips, of which the first degree + 1 were run, as polynomials of that degree: marks[0 .. degree]
 * are the counts before each, now those after the last.
 */
void counts_continue(const struct tally *now, const struct tally *marks, unsigned degree, double count);

/* ---- touch.c: one request --------------------------------------------------------------------------- */

#define SECTOR_SHIFT 5
#define LINE_SHIFT 7
#define BANK_BYTES 4

/* What one request touches: of global and local memory sectors and lines, of shared memory passes and conflicts. */
struct touched {
	double first, second;
};
struct touched touch_request(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes, enum ptx_space space);
/*
 * Pieces of 2^shift bytes that a line of lanes touches, in closed form: one without gaps, or in steps that keep lanes
 * apart. Returns false for others.
 */
bool touch_line(uint64_t base, int64_t step, uint32_t mask, unsigned bytes, unsigned shift, double *count);
/* Passes of a shared-memory request to random words, on average. */
double touch_random_passes(unsigned lanes, unsigned bytes);
/* Addresses among the lanes of mask. */
double touch_addresses(const struct warp_value *address, uint32_t mask);

/* ---- events.c ------------------------------------------------------------------------------------------ */

/*
 * An access whose sectors change along axes. As long as it was met at one place only: its lanes, and how often. Then
 * (tabled) what it touches by its shift in steps of `grain` bytes: sectors and lines; of shared memory passes and
 * conflicts.
 */
struct touch_event {
	uint32_t slot, mask;
	enum ptx_space space;
	unsigned bytes, grain, shifts; /* shifts * grain: bytes after which what it touches repeats */
	uint8_t slope[MAX_AXES];       /* modulo that */
	bool line, tabled;             /* line: lane l at base + l * step; else at lanes[l] */
	double times;
	uint64_t base;
	int64_t step;
	uint64_t
		*lanes; /* kept with the place in the list, as the table is; NULL as long as neither was needed there */
	double *first, *second;
	uint32_t gradient; /* launch axis by whose position it counts, or NO_AXIS */
	double sign;
};

/* What lanes on a line touch at each shift, met once: a kernel's accesses are few, and each is met in every trip that
 * is run. */
#define TABLES_KEPT 64
struct touch_table {
	uint32_t mask;
	unsigned bytes, grain, base; /* base: address of lane 0 in its line */
	int64_t step;
	struct touched *rows;
};

/* A footprint of the run under way: open axes are those of the launch and of loops that are followed. */
struct footprint_open {
	struct footprint closed;
	int64_t slope[MAX_AXES];
	uint32_t curved; /* open axes along which it is not linear */
};
struct footprints {
	struct footprint_open *list;
	size_t count;
	bool *untracked; /* by instruction */
	bool off;        /* nothing is noted */
};

/* What one run counts. Warps at position p of the launch axes count: counts + sum of gradient * p, as long as that is
 * not bent. */
struct counting {
	struct arena *arena;
	struct axes *axes;
	struct tally counts;
	struct tally gradient[LAUNCH_AXES]; /* by launch axis; numbers NULL or zero where counts do not change */
	uint32_t gradient_changes;
	bool bent;     /* counts are not linear along the launch axes */
	double weight; /* how many executions one stands for */
	bool inexact;  /* something was assumed or averaged */
	bool rough;    /* alignment is averaged: following it took too long */
	struct touch_event *events;
	size_t event_count, event_capacity;
	struct touch_table *tables[TABLES_KEPT]; /* or NULL; of all runs */
	struct footprints footprints;
};

/* The vector by which counts grow along a launch axis. */
struct tally *counting_gradient(struct counting *counting, uint32_t axis);
/* Begins anew. */
void counting_clear(struct counting *counting);

/* Adds what the access touches, for all positions along the axes. */
void events_add(struct counting *counting, uint32_t slot, const struct warp_value *address, uint32_t mask,
                const struct step *step, enum ptx_space space);
/* The trips of a loop were found: events of its last trip stand for all of them. */
void events_repeat(struct counting *counting, uint32_t axis, const struct trips *trips);
/* Adds what all events touch in the whole box to the run's counts and gradients. */
void events_finish(struct counting *counting);
/* A loop is followed no longer: its events happened once. */
void events_forget(struct counting *counting, uint32_t axis);
/* Asks for steps along the axes by which events from `first` on are shifted by whole lines. */
void events_align(struct counting *counting, size_t first, uint32_t axes);
/* Counts the events from `first` on for the representative alone. */
void events_flush(struct counting *counting, size_t first);

/* ---- footprints.c --------------------------------------------------------------------------------------- */

/* An instruction of the kernel accesses global memory; NULL: where is not known. */
void footprints_add(struct counting *counting, uint32_t insn, const struct warp_value *address, uint32_t mask,
                    unsigned bytes);
/* The trips of a loop were found: what was touched in the trip followed is touched in all. */
void footprints_repeat(struct counting *counting, uint32_t axis, const struct trips *trips);
/* A loop is followed no longer. */
void footprints_forget(struct counting *counting, uint32_t axis);
/* Adds the run's footprints, in all of the box that it speaks for, to those of the launch. */
void footprints_finish(struct counting *counting, struct arena *arena, struct evaluation *result);

#endif
