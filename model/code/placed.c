/*
 * A source access in a layout: which buffer and offset its lanes address once its array has been laid out anew. The
 * index stays what the source says; only the place of (element, member) changes, and only the layout's placement knows
 * it.
 */
#include "model/code/code.h"

#include <math.h>
#include <string.h>

/* Warps that trips are counted for where they depend on the thread. */
#define TRIP_WARPS_MAX 64

static unsigned group_index(const struct layout_groups *groups, const struct layout_group *group)
{
	for (unsigned g = 0; g < groups->count; g++)
		if (groups->list[g] == group)
			return g;
	bug("a binding names a group that is not in the list");
}

static unsigned field_of_leaf(const struct layout_group *group, const struct leaf *leaf)
{
	for (unsigned f = 0; f < group->field_count; f++)
		if (leaf && row_field_holds(&group->fields[f], leaf))
			return f;
	return WHOLE_ELEMENT;
}

struct placed_access placed_find(const struct launch_view *view, const struct access *access)
{
	struct placed_access placed = {access, NULL, WHOLE_ELEMENT};
	for (unsigned b = 0; b < view->groups->binding_count && access->array->parameter; b++) {
		const struct layout_binding *binding = &view->groups->bindings[b];
		if (binding->kernel != view->launch->kernel || binding->parameter != access->array->parameter ||
		    binding->leaf != access->array->leaf)
			continue;
		placed.placement = view->placements[group_index(view->groups, binding->group)];
		placed.field = binding->group->form == FORM_ARRAYS ? binding->field
		                                                   : field_of_leaf(binding->group, access->leaf);
	}
	return placed;
}

unsigned placed_element_bytes(const struct placed_access *placed, bool padded)
{
	const struct placement *placement = placed->placement;
	if (!placement)
		return (unsigned)placed->access->array->element.size_bytes;
	const struct field_place *place = &placement->fields[placed->field == WHOLE_ELEMENT ? 0 : placed->field];
	uint64_t step = place->tile > 1 ? place->stride_bytes : placement->bytes_per_tile[place->buffer];
	return (unsigned)(padded || step < placement->group->size_bytes ? step : placement->group->size_bytes);
}

/* Where a scalar lies that is part of a record which moves as a whole. */
static uint64_t part_offset(const struct placed_access *placed, uint64_t element, uint64_t inner)
{
	const struct layout_field *field = &placed->placement->group->fields[placed->field];
	const struct leaf *leaf = placed->access->leaf;
	uint64_t behind = leaf->offset_bytes + inner * leaf->stride_bytes - field->offset_bytes;
	uint64_t number = field->inner_bytes ? behind / field->inner_bytes : 0;
	return placement_offset(placed->placement, placed->field, element, number) + behind -
	       number * field->inner_bytes;
}

static uint64_t placed_offset(const struct placed_access *placed, uint64_t element, uint64_t inner)
{
	const struct access *access = placed->access;
	if (placed->placement && placed->field == WHOLE_ELEMENT)
		return placement_offset(placed->placement, 0, element, inner);
	if (placed->placement && placed->placement->group->fields[placed->field].whole)
		return part_offset(placed, element, inner);
	if (placed->placement)
		return placement_offset(placed->placement, placed->field, element, inner);
	return element * access->array->element.size_bytes +
	       (access->leaf ? access->leaf->offset_bytes + inner * access->leaf->stride_bytes : 0);
}

static void lane_symbols(const struct launch_case *launch, unsigned lane, int64_t *values)
{
	unsigned rest = lane;
	for (unsigned axis = 0; axis < 3; axis++) {
		unsigned id = rest % launch->block[axis];
		rest /= launch->block[axis];
		for (unsigned s = 0; s < launch->kernel->symbol_count; s++)
			if (launch->kernel->symbols[s]->kind == SYMBOL_THREAD &&
			    launch->kernel->symbols[s]->axis == axis)
				values[s] = id;
	}
}

bool placed_lane_offsets(const struct launch_view *view, const struct placed_access *placed, int64_t *values,
                         uint64_t offsets[WARP_LANES], uint32_t *mask)
{
	const struct launch_case *launch = view->launch;
	uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
	memcpy(values, launch->symbols, launch->kernel->symbol_count * sizeof *values);
	*mask = 0;
	for (unsigned lane = 0; lane < WARP_LANES && lane < threads; lane++) {
		int64_t element = 0, inner = 0;
		lane_symbols(launch, lane, values);
		if (!expr_evaluate(placed->access->element, values, NULL, NULL, &element) ||
		    (placed->access->inner && !expr_evaluate(placed->access->inner, values, NULL, NULL, &inner)))
			return false;
		offsets[lane] = placed_offset(placed, (uint64_t)element, (uint64_t)inner);
		*mask |= UINT32_C(1) << lane;
	}
	return true;
}

const char *placed_member_name(struct arena *arena, const struct placed_access *placed)
{
	if (!placed->placement)
		return placed->access->leaf ? placed->access->leaf->path : NULL;
	const struct layout_group *group = placed->placement->group;
	if (placed->field != WHOLE_ELEMENT)
		return group->fields[placed->field].path;
	const char *names = group->fields[0].path;
	for (unsigned f = 1; f < group->field_count; f++)
		names = arena_printf(arena, "%s,%s", names, group->fields[f].path);
	return names;
}

/* An array of symbol values with launch constants filled in and threads, blocks and iterators of `loop`'s parents in
 * the middle of their ranges. */
static int64_t *symbols_middle(struct arena *arena, const struct launch_view *view)
{
	const struct launch_case *launch = view->launch;
	int64_t *values = arena_array(arena, launch->kernel->symbol_count + 1, sizeof *values);
	for (unsigned s = 0; s < launch->kernel->symbol_count; s++) {
		const struct symbol *symbol = launch->kernel->symbols[s];
		int64_t trips = 0;
		values[s] = launch->symbols[s];
		if (symbol->kind == SYMBOL_THREAD)
			values[s] = (launch->block[symbol->axis] - 1) / 2;
		else if (symbol->kind == SYMBOL_BLOCK)
			values[s] = (launch->grid[symbol->axis] - 1) / 2;
		else if (symbol->kind == SYMBOL_ITERATOR &&
		         expr_evaluate(symbol->loop->trips, values, NULL, NULL, &trips))
			values[s] = trips > 0 ? (trips - 1) / 2 : 0;
	}
	return values;
}

static bool depends_on_thread(const struct expr *expr)
{
	if (!expr)
		return false;
	if (expr->op == EXPR_SYMBOL && (expr->symbol->kind == SYMBOL_THREAD || expr->symbol->kind == SYMBOL_BLOCK))
		return true;
	return depends_on_thread(expr->operands[0]) || depends_on_thread(expr->operands[1]) ||
	       depends_on_thread(expr->operands[2]);
}

static void block_symbols(const struct launch_case *launch, uint64_t block, int64_t *values)
{
	for (unsigned axis = 0; axis < 3; axis++) {
		for (unsigned s = 0; s < launch->kernel->symbol_count; s++)
			if (launch->kernel->symbols[s]->kind == SYMBOL_BLOCK &&
			    launch->kernel->symbols[s]->axis == axis)
				values[s] = (int64_t)(block % launch->grid[axis]);
		block /= launch->grid[axis];
	}
}

/* Trips of the lane of a warp that has the most. Returns false where one is not known. */
static bool warp_trips(const struct launch_case *launch, const struct loop *loop, uint64_t warp, int64_t *values,
                       double *most)
{
	unsigned threads = launch->block[0] * launch->block[1] * launch->block[2],
		 warps = (threads + WARP_LANES - 1) / WARP_LANES;
	unsigned first = (unsigned)(warp % warps) * WARP_LANES;
	*most = 0;
	block_symbols(launch, warp / warps, values);
	for (unsigned thread = first; thread < first + WARP_LANES && thread < threads; thread++) {
		int64_t trips = 0;
		lane_symbols(launch, thread, values);
		if (!expr_evaluate(loop->trips, values, NULL, NULL, &trips))
			return false;
		if ((double)trips > *most)
			*most = (double)trips;
	}
	return true;
}

/* The mean over warps chosen alike from both ends: exact where trips are linear in the thread's number. */
static bool trips_of_warps(const struct launch_case *launch, const struct loop *loop, int64_t *values, double *trips)
{
	uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
	uint64_t warps =
		blocks * ((launch->block[0] * launch->block[1] * launch->block[2] + WARP_LANES - 1) / WARP_LANES);
	uint64_t samples = warps < TRIP_WARPS_MAX ? warps : TRIP_WARPS_MAX;
	*trips = 0;
	for (uint64_t i = 0; i < samples; i++) {
		uint64_t warp = i < samples / 2 ? i * warps / samples : warps - 1 - (samples - 1 - i) * warps / samples;
		double most;
		if (!warp_trips(launch, loop, warp, values, &most))
			return false;
		*trips += most / (double)samples;
	}
	return true;
}

bool placed_loop_trips(const struct launch_view *view, const struct loop *loop, double *trips)
{
	struct arena *arena = arena_create();
	int64_t value = 0, *values = symbols_middle(arena, view);
	bool known;
	if (depends_on_thread(loop->trips)) {
		known = trips_of_warps(view->launch, loop, values, trips);
	} else {
		known = expr_evaluate(loop->trips, values, NULL, NULL, &value);
		*trips = value > 0 ? (double)value : 0;
	}
	arena_release(arena);
	return known;
}

/* ---- loops that data end ------------------------------------------------------------------- */

/* Whether every trip loads it to see whether to go on: in the loop's condition, or in the body of a loop without one.
 */
static bool is_asked_in_every_trip(const struct loop *loop, const struct access *access)
{
	return access->kind == ACCESS_LOAD && access->loop == loop && access->guard == loop->guard &&
	       (access->in_condition || !loop->condition);
}

/* Elements that the index moves on when the symbol grows by one. */
static double stride_of(const struct affine *affine, const struct symbol *symbol, const int64_t *values)
{
	return fabs((double)affine_coefficient(affine, symbol, values));
}

/* Elements of the part of an array that one thread, in one trip of the outer loops, can walk through: up to where the
 * next one begins. */
static double part_of(const struct launch_view *view, const struct access *access, const struct loop *loop,
                      const int64_t *values)
{
	const struct kernel *kernel = view->launch->kernel;
	double step = stride_of(&access->affine, loop->iterator, values);
	double part = (double)case_elements_said(view->launch, access->array);
	for (unsigned s = 0; s < kernel->symbol_count && part > 0; s++) {
		const struct symbol *symbol = kernel->symbols[s];
		bool moves = symbol->kind == SYMBOL_THREAD || symbol->kind == SYMBOL_BLOCK ||
		             symbol->kind == SYMBOL_ITERATOR;
		double stride = moves && symbol != loop->iterator ? stride_of(&access->affine, symbol, values) : 0;
		if (stride > step)
			part = fmin(part, stride);
	}
	return part;
}

/* Trips until a walk comes to the end of the shortest of the arrays that it loads from; 0: of none is that known. */
static double walk_most(const struct launch_view *view, const struct loop *loop, const int64_t *values)
{
	const struct kernel *kernel = view->launch->kernel;
	double most = 0;
	for (unsigned a = 0; a < kernel->access_count; a++) {
		const struct access *access = kernel->accesses[a];
		double step = 0;
		if (is_asked_in_every_trip(loop, access) && !access->affine.reason)
			step = stride_of(&access->affine, loop->iterator, values);
		double trips = step > 0 ? floor(part_of(view, access, loop, values) / step) : 0;
		if (trips >= 1 && (most == 0 || trips < most))
			most = trips;
	}
	return most;
}

double placed_loop_most(const struct launch_view *view, const struct loop *loop)
{
	double counted, walked = 0;
	if (placed_loop_trips(view, loop, &counted))
		return loop->may_leave_early && counted >= 1 ? counted : 0;
	if (loop->iterator) {
		struct arena *arena = arena_create();
		walked = walk_most(view, loop, symbols_middle(arena, view));
		arena_release(arena);
	}
	return walked;
}
