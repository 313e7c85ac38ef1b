/*
 * How many trips loops of the code have that data end: between one and what the source bounds them by
 * (placed_loop_most()), each number as likely as another.
 *
 * Requires: cfg. Fills: struct loop_range.
 */
#include "model/code/code.h"

#include <math.h>

/* Trips of the source in one of the code, by the step of the counter, where no remainder loop tells it. */
static unsigned unroll_of(const struct ptx_loop *compiled, const struct loop *loop)
{
	bool counts =
		compiled->remainder_of == PTX_NO_LOOP && compiled->unroll_factor == 1 && compiled->step && loop->step;
	return counts && compiled->step % loop->step == 0 && compiled->step / loop->step > 0
	               ? (unsigned)(compiled->step / loop->step)
	               : 1;
}

const struct loop_range *code_loop_ranges(struct arena *arena, const struct launch_view *view,
                                          const struct code_view *code, enum trips_side side)
{
	const struct ptx_cfg *cfg = code->function->cfg;
	struct loop_range *ranges = arena_array(arena, cfg->loop_count + 1, sizeof *ranges);
	for (uint32_t l = 0; l < cfg->loop_count; l++) {
		const struct loop *loop = code_source_loop(view, code, l);
		double most = loop ? placed_loop_most(view, loop) : 0;
		ranges[l].most = most;
		ranges[l].trips = side == TRIPS_LEAST ? fmin(1, most) : side == TRIPS_MOST ? most : ceil(most / 2);
		ranges[l].unroll = loop ? unroll_of(&cfg->loops[l], loop) : 1;
	}
	return ranges;
}
