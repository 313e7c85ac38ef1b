/*
 * L2 hit rates of source accesses, thesis section 3.5.1 and Fig. 3.16; L1 is ignored there.
 *
 *   outside every loop: 0
 *   index without any loop variable: (N - 1) / N, N the number of executions                                  (2)
 *   index with one: one miss each line/element_size iterations, so 1 - element_size / line                    (3)
 *   nests, from the outer loop inwards: if one iteration of a loop touches no more data than the L2 holds, accesses
 *   whose index does not change with that loop hit always.
 *
 * Readings. Eq. 3 prints a divisor of 32, right for 4-byte elements alone; line / element_size is meant. element_size
 * is the packed record's size for records kept together, whatever the padding: 12 in IDW and SYR2K, where Table 4.2
 * leaves no choice (conventional AoS to 0.04 %). In the proposed column padded records (--reading element=padded) do as
 * well: 2MM and 3MM then differ from the table by 1.3 % each, packed by 2.8 and 0.1 %. A loop is examined only where it
 * encloses the access.
 *
 * An access that no loop moves counts as one transaction, however many lines its lanes touch: the conventional AoS
 * column of SYR2K has C, 12 bytes from lane to lane, at 194 cycles an access and not at the 210 of three transactions
 * (5.6 % more over all); 2MM and 3MM agree. --reading invariant=lines counts the lines.
 */
#include "model/cost/parts.h"

static bool expr_uses(const struct expr *expr, const struct symbol *symbol)
{
	if (!expr)
		return false;
	if (expr->op == EXPR_SYMBOL && expr->symbol == symbol)
		return true;
	for (unsigned i = 0; i < 3; i++)
		if (expr_uses(expr->operands[i], symbol))
			return true;
	return expr->op == EXPR_LOAD && expr_uses(expr->load->element, symbol);
}

static bool access_varies(const struct access *access, const struct loop *loop)
{
	return expr_uses(access->element, loop->iterator) || expr_uses(access->inner, loop->iterator);
}

static bool loop_encloses(const struct loop *outer, const struct loop *inner)
{
	while (inner && inner != outer)
		inner = inner->parent;
	return inner != NULL;
}

/* What is asked for more than once. */
struct hit_walk {
	const struct launch_view *view;
	double *trips; /* by loop; 0: not asked for yet */
	int64_t *values;
};

/* Trips of a loop, 1 where they are not known. */
static double known_trips(struct hit_walk *walk, const struct loop *loop)
{
	double trips = walk->trips[loop->index];
	if (trips == 0 && !placed_loop_trips(walk->view, loop, &trips))
		trips = 1;
	walk->trips[loop->index] = trips;
	return trips;
}

/* Bytes of L2 lines that one warp's access touches in one iteration of a loop around it. */
static double access_bytes(struct hit_walk *walk, const struct access *access, const struct loop *around)
{
	const struct launch_view *view = walk->view;
	struct placed_access placed = placed_find(view, access);
	uint64_t offsets[WARP_LANES];
	uint32_t mask;
	double line = view->machine->l2_line_bytes.value, bytes = line * WARP_LANES;
	if (placed_lane_offsets(view, &placed, walk->values, offsets, &mask))
		bytes = line * cost_warp_transactions(view->machine, offsets, mask, access->width_bytes);
	for (const struct loop *loop = access->loop; loop && loop != around; loop = loop->parent)
		if (access_varies(access, loop))
			bytes *= known_trips(walk, loop);
	return bytes;
}

static bool iteration_fits(struct hit_walk *walk, const struct loop *loop)
{
	const struct launch_view *view = walk->view;
	const struct kernel *kernel = view->launch->kernel;
	double bytes = 0;
	for (unsigned a = 0; a < kernel->access_count; a++)
		if (kernel->accesses[a]->array->space == ARRAY_GLOBAL && loop_encloses(loop, kernel->accesses[a]->loop))
			bytes += access_bytes(walk, kernel->accesses[a], loop);
	return bytes <= view->machine->l2_size_bytes.value;
}

static double hit_without_nest(struct hit_walk *walk, const struct access *access)
{
	const struct launch_view *view = walk->view;
	double executions = 1;
	bool varies = false;
	for (const struct loop *loop = access->loop; loop; loop = loop->parent) {
		executions *= known_trips(walk, loop);
		varies = varies || access_varies(access, loop);
	}
	if (!varies)
		return executions > 1 ? (executions - 1) / executions : 0;
	struct placed_access placed = placed_find(view, access);
	double hit = 1 - placed_element_bytes(&placed, view->readings->element) / view->machine->l2_line_bytes.value;
	return hit > 0 ? hit : 0;
}

double *cost_source_hit_rates(struct arena *arena, const struct launch_view *view)
{
	const struct kernel *kernel = view->launch->kernel;
	double *rates = arena_array(arena, kernel->access_count + 1, sizeof *rates);
	bool *fits = arena_array(arena, kernel->loop_count + 1, sizeof *fits);
	struct hit_walk walk = {.view = view};
	walk.trips = arena_array(arena, kernel->loop_count + 1, sizeof *walk.trips);
	walk.values = arena_array(arena, kernel->symbol_count + 1, sizeof *walk.values);
	for (unsigned l = 0; l < kernel->loop_count; l++)
		fits[l] = iteration_fits(&walk, kernel->loops[l]);
	for (unsigned a = 0; a < kernel->access_count; a++) {
		const struct access *access = kernel->accesses[a];
		bool kept = false;
		for (const struct loop *loop = access->loop; loop && !kept; loop = loop->parent)
			kept = fits[loop->index] && !access_varies(access, loop);
		rates[a] = kept ? 1 : hit_without_nest(&walk, access);
	}
	return rates;
}

double cost_access_transactions(const struct launch_view *view, const struct access *access, double lines)
{
	bool varies = !access->loop;
	for (const struct loop *loop = access->loop; loop; loop = loop->parent)
		varies = varies || access_varies(access, loop);
	return varies || view->readings->invariant ? lines : 1;
}
