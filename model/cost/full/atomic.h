/*
 * What atomic.c, which samples the atomics of a launch, tells slices.c, which lets them pass through the L2's slices. Prefix: full_.
 */
#ifndef COALESCE_MODEL_COST_FULL_ATOMIC_H
#define COALESCE_MODEL_COST_FULL_ATOMIC_H

#include "model/cost/full/run.h"

/* Passes of one request on one sector. */
struct full_visit {
	uint64_t place, key;    /* the sector; what it is sorted by */
	uint32_t warp, order;   /* number in the sample; of its request in the stream that the L2 sees */
	uint16_t weight, again; /* passes; of them those that follow one on the same word */
	bool whole, real;
};

struct full_visits {
	struct full_visit *visits;
	struct cost_sorter *sorter;
	size_t count;
	double *passes, *lanes; /* by instruction */
	uint64_t draw;
};

/* Cost of a mean pass over that of one alone, where the slices get the requests in the visits' order; the keys are groups. Leaves the visits sorted by order. */
double full_pass_cost(struct arena *arena, const struct full_machine *machine, const struct full_visits *sample);

#endif
