/*
 * What becomes of a launch when one of its numbers is another: the sizes that the file computes from that number
 * follow, so that the same program runs with another size.
 *
 *   a scalar n   a grid that is just large enough for positions below n, as a guard of the kernel compares them (ceil(n
 * / (k * block)), k a power of two up to 64), stays so; arrays of as many elements as accesses reach stay so, others
 * whose elements are a multiple of n grow with it the block    along its last axis; the grid holds as many threads as
 * before, unless the kernel goes by the grid's size; dynamic shared memory in proportion its shape    along all axes;
 * grid and shared memory follow in the same way the grid     along its last axis; nothing follows but what is assumed
 * anyway the share    of a kernel that goes by the grid's size: the grid along its last axis
 *
 * What does not follow keeps the value that the file gives. A block that the kernel's code fixes, as it computes
 * positions without blockDim, stays as it is.
 */
#include "model/cases/cases.h"

#include <string.h>

#define SHARE_MOST 64 /* positions that a thread may take */

/* ---- what a kernel looks at ------------------------------------------------------------ */

static bool guard_mentions(const struct guard *guard, const struct symbol *symbol)
{
	for (; guard; guard = guard->parent)
		if (expr_mentions(guard->condition, symbol))
			return true;
	return false;
}

bool case_kernel_mentions(const struct kernel *kernel, const struct symbol *symbol)
{
	for (unsigned i = 0; i < kernel->access_count; i++) {
		const struct access *access = kernel->accesses[i];
		if (expr_mentions(access->element, symbol) || (access->inner && expr_mentions(access->inner, symbol)) ||
		    guard_mentions(access->guard, symbol))
			return true;
	}
	for (unsigned i = 0; i < kernel->loop_count; i++)
		if ((kernel->loops[i]->start && expr_mentions(kernel->loops[i]->start, symbol)) ||
		    (kernel->loops[i]->trips && expr_mentions(kernel->loops[i]->trips, symbol)))
			return true;
	return false;
}

/* ---- blocks and grids ---------------------------------------------------------------- */

static unsigned last_axis(const uint32_t dimensions[3])
{
	return dimensions[2] > 1 ? 2 : dimensions[1] > 1 ? 1 : 0;
}

static uint64_t quotient_up(uint64_t a, uint64_t b)
{
	return a / b + (a % b != 0);
}

/* Sets the last axis so that all of them together are `total`. Returns false where they cannot be. */
static bool last_axis_set(uint32_t dimensions[3], uint64_t total, unsigned *axis)
{
	uint64_t others = 1;
	*axis = last_axis(dimensions);
	for (unsigned other = 0; other < *axis; other++)
		others *= dimensions[other];
	if (total % others != 0 || total / others > INT32_MAX)
		return false;
	dimensions[*axis] = (uint32_t)(total / others);
	return true;
}

static bool symbol_matters(const struct kernel *kernel, enum symbol_kind kind, unsigned axis)
{
	for (unsigned i = 0; i < kernel->symbol_count; i++)
		if (kernel->symbols[i]->kind == kind && kernel->symbols[i]->axis == axis &&
		    case_kernel_mentions(kernel, kernel->symbols[i]))
			return true;
	return false;
}

bool case_block_is_fixed(const struct kernel *kernel, unsigned axis)
{
	return symbol_matters(kernel, SYMBOL_BLOCK, axis) && symbol_matters(kernel, SYMBOL_THREAD, axis) &&
	       !symbol_matters(kernel, SYMBOL_BLOCK_SIZE, axis);
}

/* The grid along an axis whose block becomes another. */
static void grid_axis_follow(struct launch_case *launch, unsigned axis, uint64_t old)
{
	uint64_t grid = quotient_up(launch->grid[axis] * old, launch->block[axis]);
	if (symbol_matters(launch->kernel, SYMBOL_BLOCK, axis) &&
	    !symbol_matters(launch->kernel, SYMBOL_GRID_SIZE, axis) && grid <= INT32_MAX)
		launch->grid[axis] = (uint32_t)grid;
}

bool case_block_set(struct launch_case *launch, uint64_t threads)
{
	unsigned axis = last_axis(launch->block);
	uint64_t old = launch->block[axis];
	if (!last_axis_set(launch->block, threads, &axis))
		return false;
	grid_axis_follow(launch, axis, old);
	launch->dynamic_shared_bytes = quotient_up(launch->dynamic_shared_bytes * launch->block[axis], old);
	return true;
}

static const char *block_change(struct launch_case *launch, uint64_t threads)
{
	if (case_block_is_fixed(launch->kernel, last_axis(launch->block)) || case_block_set(launch, threads))
		return NULL;
	return "the block has several axes, and its last one cannot make it so many threads";
}

static void shape_change(struct launch_case *launch, const uint32_t from[3], const uint32_t shape[3])
{
	uint64_t threads = 1, before = 1;
	for (unsigned axis = 0; axis < 3; axis++)
		if (launch->block[axis] != from[axis] ||
		    (from[axis] != shape[axis] && case_block_is_fixed(launch->kernel, axis)))
			return;
	for (unsigned axis = 0; axis < 3; axis++) {
		uint64_t old = launch->block[axis];
		launch->block[axis] = shape[axis];
		before *= old;
		threads *= shape[axis];
		grid_axis_follow(launch, axis, old);
	}
	launch->dynamic_shared_bytes = quotient_up(launch->dynamic_shared_bytes * threads, before);
}

static void share_change(struct launch_case *launch, uint64_t share)
{
	unsigned axis = last_axis(launch->grid);
	if (symbol_matters(launch->kernel, SYMBOL_GRID_SIZE, axis))
		launch->grid[axis] = (uint32_t)quotient_up(launch->grid[axis], share);
}

const char *case_dimensions_change(struct launch_case *launch, const struct case_change *change)
{
	unsigned axis;
	if (change->grid && !last_axis_set(launch->grid, change->grid, &axis))
		return "the grid has several axes, and its last one cannot make it so many blocks";
	if (change->shape[0])
		shape_change(launch, change->from, change->shape);
	if (change->share)
		share_change(launch, change->share);
	return change->block ? block_change(launch, change->block) : NULL;
}

/* ---- scalars ----------------------------------------------------------------------------- */

static bool guards_position(const struct kernel *kernel, const struct symbol *number, unsigned axis)
{
	for (unsigned a = 0; a < kernel->access_count; a++)
		for (const struct guard *guard = kernel->accesses[a]->guard; guard; guard = guard->parent)
			for (unsigned i = 0; expr_mentions(guard->condition, number) && i < kernel->symbol_count; i++)
				if (kernel->symbols[i]->kind == SYMBOL_BLOCK && kernel->symbols[i]->axis == axis &&
				    expr_mentions(guard->condition, kernel->symbols[i]))
					return true;
	return false;
}

static void axis_follow(struct launch_case *launch, unsigned axis, uint64_t old, uint64_t new)
{
	for (uint64_t share = launch->block[axis]; share <= (uint64_t)SHARE_MOST * launch->block[axis]; share *= 2) {
		if (launch->grid[axis] != quotient_up(old, share))
			continue;
		uint64_t grid = quotient_up(new, share);
		launch->grid[axis] = grid > INT32_MAX ? INT32_MAX : (uint32_t)grid;
		return;
	}
}

void case_grid_follow(struct launch_case *launch, const struct launch_case *before, const struct case_change *change)
{
	const struct kernel *kernel = launch->kernel;
	for (unsigned i = 0; i < kernel->symbol_count; i++) {
		const struct symbol *symbol = kernel->symbols[i];
		if (symbol->kind != SYMBOL_PARAMETER || !case_change_means(kernel, change, symbol->name) ||
		    before->symbols[i] <= 0)
			continue;
		for (unsigned axis = 0; axis < 3; axis++)
			if (guards_position(kernel, symbol, axis))
				axis_follow(launch, axis, (uint64_t)before->symbols[i], (uint64_t)change->value);
	}
}

bool case_change_means(const struct kernel *kernel, const struct case_change *change, const char *name)
{
	struct arena *arena = arena_create();
	const char *rest, *own = change->scalar ? case_option_kernel(arena, change->scalar, &rest) : NULL;
	bool means = change->scalar && strcmp(rest, name) == 0 && (!own || case_kernel_named(kernel, own));
	arena_release(arena);
	return means;
}

uint64_t case_extent_follow(const struct launch_case *before, const struct case_change *change, uint64_t extent)
{
	const struct kernel *kernel = before->kernel;
	for (unsigned i = 0; i < kernel->symbol_count; i++) {
		uint64_t old = (uint64_t)before->symbols[i];
		if (kernel->symbols[i]->kind == SYMBOL_PARAMETER && before->symbols[i] > 0 &&
		    case_change_means(kernel, change, kernel->symbols[i]->name) && extent % old == 0 &&
		    change->value > 0)
			return extent / old * (uint64_t)change->value;
	}
	return extent;
}
