/*
 * Guards: the conditions under which the current statement runs.
 */
#include "analyzer/walk/walk.h"

void walk_guard(struct walk_state *walk, const struct expr *condition, bool negated, struct place place)
{
	struct guard *guard;

	if (expr_is_constant(condition, NULL))
		return;
	guard = arena_alloc(walk->arena, sizeof(*guard));
	guard->parent = walk->guard;
	guard->condition = condition;
	guard->negated = negated;
	guard->place = place;
	walk->guard = guard;
}

const struct expr *walk_guard_condition(struct walk_state *walk, const struct guard *guard, const struct guard *base)
{
	const struct expr *all = NULL;

	for (; guard && guard != base; guard = guard->parent) {
		const struct expr *one = guard->negated ? expr_not(&walk->pool, guard->condition) : guard->condition;

		all = all ? expr_binary(&walk->pool, EXPR_LOGICAL_AND, one, all, 1, false) : one;
	}
	return all ? all : expr_constant(&walk->pool, 1, 1, false);
}

void walk_guard_leaves(struct walk_state *walk, unsigned mark, struct place place)
{
	const struct guard *base = walk->guard;

	for (unsigned i = mark; i < walk->leave_count; i++)
		walk_guard(walk, walk_guard_condition(walk, walk->leaves[i].guard, base), true, place);
}
