/*
 * order: who comes first to what a few blocks share, for window.c. It learns block starts from the
 * run, and takes no number of a machine. traffic.h has what a run asks of it. Prefix: full_.
 */
#ifndef COALESCE_MODEL_COST_FULL_TRAFFIC_ORDER_H
#define COALESCE_MODEL_COST_FULL_TRAFFIC_ORDER_H

#include "model/cost/full/traffic/window.h"

/* Which blocks of a launch share granules, and by which of their loads they ask for them. */
struct full_order;
/*
 * window: kept. own: number of its block. others: numbers of `count` blocks that ask for some of its granules; those beside it are looked at anyway. NULL where order says nothing: blocks make more loads
 * than the window has, too many share, or none does.
 */
const struct full_order *full_order_make(struct arena *arena, const struct full_window *window, uint64_t own,
                                         const uint64_t *others, unsigned count);

#endif
