/*
 * atomic: what atomics on global memory cost, by the slices of the L2 that they meet in.
 *
 * atomic.c samples the atomics of a launch, busiest.c deals them out to slices, slices.c lets them
 * pass through these. Numbers: atomics.*, pattern.*, slices.*, l2.slices. Prefix: full_.
 */
#ifndef COALESCE_MODEL_COST_FULL_ATOMIC_H
#define COALESCE_MODEL_COST_FULL_ATOMIC_H

#include "model/cost/full/run.h"

#define FULL_SAMPLE_WARPS 64                   /* of the launch, spread over it */
#define FULL_ARRAY_SECTORS (UINT64_C(1) << 35) /* from one array to the next: content_address() */

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

/* Sorts visits by what is made of their places, which becomes their key; NULL: by the places themselves. */
void full_visits_sort(const struct full_visits *sample, uint64_t (*key_of)(uint64_t));
/*
 * Cost of a mean pass over that of one alone, in each slot (a half of a slice: the visits' key), where these get the
 * requests in the visits' order; 1 for slots without passes. Returns the mean of all passes; leaves the visits sorted
 * by order.
 */
double full_pass_costs(struct arena *arena, const struct full_machine *machine, const struct full_visits *sample,
                       size_t slot_count, double *costs);
/* busiest.c: share of the passes that the busiest slice of the L2 gets, by what they cost there; at least what all
 * slices together let through. Leaves the visits sorted. */
double full_busiest_share(struct arena *arena, const struct full_machine *machine, const struct full_visits *sample);

#endif
