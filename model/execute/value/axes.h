/*
 * axes: along which dimensions of the launch, and of the loops being advanced, the representative warp's behaviour
 * repeats.
 *
 * A run follows one warp. Every decision in it is the sign of a linear form over the axes: six of the launch (block x,
 * y, z; warp of the block along x, y, z), then one for each loop being followed, its trip number. axes_require() says
 * that a form must stay non-negative: it shrinks launch axes at once, and waits with a loop's axis until axes_close()
 * turns the tightest form into the number of trips that are alike. An axis that is pinned stands for the
 * representative's own position alone. The launch axes that are left at the end are a box of warps that do the same.
 * Prefix: axes_.
 */
#ifndef COALESCE_MODEL_EXECUTE_AXES_H
#define COALESCE_MODEL_EXECUTE_AXES_H

#include "base/base.h"
#include "model/execute/effort.h"

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

#define LAUNCH_AXES 6 /* block x, y, z; warp of the block along x, y, z */
#define NO_AXIS UINT32_MAX
#define NO_INDEX UINT32_MAX

/* A number that must not become negative: slack + sum of slope * position on the axes. */
struct bound {
	int128 slack;
	uint32_t owner; /* number of the comparison, alike in all lanes, that made it, or NO_INDEX */
	bool equality;  /* which was == or != */
	int64_t slope[MAX_AXES];
};

struct axis {
	int64_t count;   /* launch axes: points that do the same as the representative */
	bool failed;     /* loops: what happens is not linear in the trip */
	bool soft;       /* loops: only addresses are not, on account of declared random content */
	bool polynomial; /* counts depend on the position, as a polynomial */
	uint64_t period; /* loops: trips that one position should take; 0: hopeless */
	struct bound *bounds;
	size_t bound_count, bound_capacity;
	int64_t most_trips;     /* loops: that the bounds so far allow */
	size_t first_event;     /* loops: events from here on happened in the trip being followed */
	size_t first_footprint; /* loops: likewise */
};

/* How often a loop trip repeats: count + sum of slope * position. */
struct trips {
	int64_t count;
	int64_t slope[MAX_AXES];
	bool limited; /* false: nothing ends the loop */
	bool last;    /* one more trip differs in nothing but that the loop is left at its end */
};

struct axes {
	struct axis list[MAX_AXES];
	uint32_t launch[LAUNCH_AXES]; /* index in list, or NO_AXIS where the box has one point */
	uint32_t launch_count, count;
	uint32_t active;      /* axes with more than one point */
	uint32_t polynomial;  /* launch axes along which counts vary */
	uint32_t degree;      /* of the counts as polynomials */
	uint32_t comparisons; /* so far: numbers them */
	bool split;           /* a launch axis is to be taken in steps: the run ends */
	uint32_t split_axis;
	uint64_t split_period;
	struct arena *arena;
	const struct effort *launch_effort, *warp_effort;
};

/* The bound holds at the representative; makes it hold everywhere. */
void axes_require(struct axes *axes, const struct bound *bound);
/* From here on the representative stands for itself alone along these axes. */
void axes_pin(struct axes *axes, uint32_t which);
/* Along the axis something repeats only every `period` positions. */
void axes_period(struct axes *axes, uint32_t axis, uint64_t period);
/* A new axis for a loop, or NO_AXIS. */
uint32_t axes_open(struct axes *axes);
/* Ends the innermost axis: what was required along it is required of the others for the one trip that was run. */
void axes_abandon(struct axes *axes);
/* Ends it with the number of trips for which all that was required holds. exit: the comparison that ends the loop, or
 * NO_INDEX. */
void axes_close(struct axes *axes, uint32_t exit, struct trips *trips);
/* Trips that the bounds of a loop's axis allow so far. */
int64_t axes_peek(const struct axes *axes, uint32_t axis);
uint64_t axes_divisor(uint64_t a, uint64_t b); /* the greatest common one */

static inline bool axes_is_active(const struct axes *axes, uint32_t axis)
{
	return axes->active >> axis & 1;
}
/* Counts within the trip vary as a polynomial of that degree. */
static inline void axes_raise_degree(struct axes *axes, uint32_t degree)
{
	if (axes->degree < degree)
		axes->degree = degree;
}

#endif
