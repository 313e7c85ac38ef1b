/*
 * Loops during a walk: the iterator, the number of iterations, the values at the beginning of each and after the last.
 */
#include "analyzer/walk/loop/loop.h"

/* The parts of a loop's node: before runs once, declaration in each iteration, before its condition. */
struct parts {
	const struct node *before, *declaration, *condition, *increment, *body;
};

static struct parts parts_of(const struct node *node)
{
	switch (node->kind) {
	case NODE_FOR:
		return (struct parts){node->children[0], NULL, node->children[1], node->children[2], node->children[3]};
	case NODE_WHILE:
		return (struct parts){NULL, node->children[0], node->children[1], NULL, node->children[2]};
	default:
		return (struct parts){NULL, NULL, node->children[1], NULL, node->children[0]};
	}
}

/* ---- the loop variable ------------------------------------------------------------------- */

struct loop_name_search {
	const struct walk_inductions *inductions;
	const struct walk_induction *found;
};

static bool name_visit(void *context, const struct node *node)
{
	struct loop_name_search *search = context;

	for (unsigned i = 0; i < search->inductions->count && node->kind == NODE_REFERENCE && !search->found; i++)
		if (search->inductions->list[i].variable == node->declaration &&
		    search->inductions->list[i].kind != CHANGE_IRREGULAR)
			search->found = &search->inductions->list[i];
	return !search->found;
}

/* The variable that the condition or the increment names and that is stepped; NULL where there is none. */
static const struct walk_induction *loop_variable(const struct parts *parts, const struct walk_inductions *inductions)
{
	struct loop_name_search search = {inductions, NULL};

	node_visit(parts->condition, name_visit, &search);
	if (!search.found)
		node_visit(parts->increment, name_visit, &search);
	return search.found;
}

/* The loop variable's name; with the loop's number where a parameter or an outer iterator has it already. */
static const char *iterator_name(struct walk_state *walk, const struct walk_induction *variable)
{
	const struct kernel *kernel = walk->kernel;
	const char *name = variable ? variable->variable->name : "loop";
	bool taken = !variable;

	for (unsigned i = 0; i < kernel->parameter_count; i++)
		taken = taken || kernel->parameters[i].name == name;
	for (const struct loop *loop = walk->loop; loop; loop = loop->parent)
		taken = taken || loop->iterator->name == name;
	return taken ? arena_printf(walk->arena, "%s#%u", name, kernel->loop_count) : name;
}

static struct loop *loop_create(struct walk_state *walk, const struct node *node, const struct walk_induction *variable)
{
	struct kernel *kernel = walk->kernel;
	struct loop *loop = arena_alloc(walk->arena, sizeof(*loop));

	loop->index = kernel->loop_count;
	loop->kind = node->kind == NODE_FOR ? LOOP_FOR : node->kind == NODE_WHILE ? LOOP_WHILE : LOOP_DO;
	loop->parent = walk->loop;
	loop->depth = walk->loop ? walk->loop->depth + 1 : 1;
	loop->guard = walk->guard;
	loop->unroll = node->loop.unroll;
	loop->place = node->place;
	loop->first_line = node->place.line;
	loop->last_line = node->loop.last_line;
	loop->inlined = walk->inlined;
	loop->iterator = walk_symbol(
		walk, (struct symbol){.kind = SYMBOL_ITERATOR, .name = iterator_name(walk, variable), .loop = loop});
	ARENA_PUSH(walk->arena, kernel->loops, kernel->loop_count, loop);
	return loop;
}

static void loop_fill_variable(struct walk_state *walk, struct loop *loop, const struct walk_induction *variable)
{
	int64_t step = 0;

	loop->start = expr_constant(&walk->pool, 0, 32, true);
	if (!variable || !variable->start || variable->start->kind != VALUE_SCALAR)
		return;
	loop->start = variable->start->scalar;
	if (variable->kind == CHANGE_STEP)
		expr_is_constant(variable->amount, &step);
	loop->step = step;
}

/* ---- values at the beginning of an iteration, and after the loop ---------------------------- */

static void bind_at_head(struct walk_state *walk, const struct loop *loop, const struct walk_inductions *inductions)
{
	const struct expr *count = expr_symbol(&walk->pool, loop->iterator, 32, true);

	for (unsigned i = 0; i < inductions->count; i++)
		if (inductions->list[i].start)
			walk_set(walk, inductions->list[i].variable,
			         walk_induction_value(walk, &inductions->list[i], count, loop->place));
}

static void bind_after(struct walk_state *walk, const struct loop *loop, const struct walk_inductions *inductions)
{
	for (unsigned i = 0; i < inductions->count; i++) {
		const struct walk_induction *induction = &inductions->list[i];
		const struct walk_value *value;

		if (!induction->start)
			continue;
		if (loop->may_leave_early || loop->ends_by_break || loop->trips->op == EXPR_UNKNOWN ||
		    induction->kind == CHANGE_IRREGULAR)
			value = walk_unknown(walk, induction->variable->type,
			                     arena_printf(walk->arena, "'%s' after the loop of line %u",
			                                  induction->variable->name, loop->first_line),
			                     loop->place);
		else
			value = walk_induction_value(walk, induction, loop->trips, loop->place);
		walk_set(walk, induction->variable, value);
	}
}

/* ---- jumps out of it ------------------------------------------------------------------------------ */

/* Whether a guard's conditions up to a base say something about an iteration of the loop, or nothing that is known. */
static bool guard_is_of_iteration(struct walk_state *walk, const struct guard *guard, const struct guard *base,
                                  const struct loop *loop)
{
	const struct expr *condition = walk_guard_condition(walk, guard, base);

	return expr_find_unknown(condition) || expr_mentions(condition, loop->iterator);
}

/* Keeps the returns, under a guard that makes sense behind the loop; breaks and continues end here. */
static void keep_returns(struct walk_state *walk, struct loop *loop, unsigned mark, const struct guard *outside)
{
	unsigned kept = mark;

	for (unsigned i = mark; i < walk->leave_count; i++) {
		struct walk_leave leave = walk->leaves[i];

		loop->may_leave_early = loop->may_leave_early || (leave.kind != LEAVE_CONTINUE && !loop->ends_by_break);
		if (leave.kind != LEAVE_RETURN)
			continue;
		if (guard_is_of_iteration(walk, leave.guard, outside, loop)) {
			walk->guard = outside;
			walk_guard(walk, expr_unknown(&walk->pool, "a return inside a loop", loop->place), false,
			           loop->place);
			leave.guard = walk->guard;
		}
		walk->leaves[kept++] = leave;
	}
	walk->leave_count = kept;
	walk->guard = outside;
}

/* A loop without a condition that one break leaves runs until that is taken; the iteration that takes it counts. */
static void count_by_break(struct walk_state *walk, struct loop *loop, unsigned mark, const struct guard *outside)
{
	const struct expr *stays, *trips;
	bool exact = true;
	unsigned found = walk->leave_count;

	for (unsigned i = mark; i < walk->leave_count; i++) {
		if (walk->leaves[i].kind == LEAVE_CONTINUE)
			continue;
		if (found < walk->leave_count || walk->leaves[i].kind == LEAVE_RETURN)
			return;
		found = i;
	}
	if (loop->condition || found == walk->leave_count)
		return;
	stays = expr_not(&walk->pool, walk_guard_condition(walk, walk->leaves[found].guard, outside));
	trips = walk_trips(walk, stays, loop->iterator, loop->place, &exact);
	if (trips->op == EXPR_UNKNOWN || !exact)
		return;
	loop->trips = expr_binary(&walk->pool, EXPR_ADD, trips, expr_constant(&walk->pool, 1, trips->bits, true),
	                          trips->bits, true);
	loop->ends_by_break = true;
}

/* ---- the walk ---------------------------------------------------------------------------------------- */

static void walk_optional(struct walk_state *walk, const struct node *node)
{
	if (node)
		walk_statement(walk, node);
}

static void count_trips(struct walk_state *walk, struct loop *loop, const struct expr *condition)
{
	bool exact = true;
	const struct expr *trips;

	loop->condition = condition;
	if (!condition) {
		loop->trips = expr_unknown(&walk->pool, "a loop without a condition", loop->place);
		return;
	}
	trips = walk_trips(walk, condition, loop->iterator, loop->place, &exact);
	if (loop->kind == LOOP_DO && trips->op != EXPR_UNKNOWN)
		trips = expr_binary(&walk->pool, EXPR_ADD, trips, expr_constant(&walk->pool, 1, trips->bits, true),
		                    trips->bits, true);
	loop->trips = trips;
	loop->may_leave_early = loop->may_leave_early || !exact;
}

/* The condition as an expression of the iterator; NULL where there is none or it always holds. */
static const struct expr *read_condition(struct walk_state *walk, const struct node *node)
{
	const struct expr *condition = node ? walk_condition(walk, node) : NULL;
	int64_t value;

	return condition && expr_is_constant(condition, &value) && value ? NULL : condition;
}

static void walk_iteration(struct walk_state *walk, struct loop *loop, const struct parts *parts)
{
	const struct guard *guard = walk->guard;
	const struct expr *condition;
	unsigned first = walk->kernel->access_count;

	walk_optional(walk, parts->declaration);
	if (loop->kind != LOOP_DO) {
		condition = read_condition(walk, parts->condition);
		for (unsigned i = first; i < walk->kernel->access_count; i++)
			walk->kernel->accesses[i]->in_condition = walk->kernel->accesses[i]->loop == loop;
		count_trips(walk, loop, condition);
	}
	walk_optional(walk, parts->body);
	walk->guard = guard;
	walk_optional(walk, parts->increment);
	if (loop->kind == LOOP_DO) {
		condition = read_condition(walk, parts->condition);
		count_trips(walk, loop, condition);
	}
}

bool walk_loop(struct walk_state *walk, const struct node *node)
{
	struct parts parts = parts_of(node);
	struct walk_inductions inductions;
	const struct walk_induction *variable;
	const struct guard *outside = walk->guard;
	unsigned mark = walk->leave_count;
	struct loop *loop, *outer = walk->loop;
	struct walk_changes changes;
	size_t trail;

	if (parts.before)
		walk_statement(walk, parts.before);
	inductions = walk_find_inductions(walk, node);
	variable = loop_variable(&parts, &inductions);
	loop = loop_create(walk, node, variable);
	loop_fill_variable(walk, loop, variable);
	trail = walk->trail_count;
	walk->loop = loop;
	walk->frame->loop_depth++;
	bind_at_head(walk, loop, &inductions);
	walk_iteration(walk, loop, &parts);
	walk->frame->loop_depth--;
	walk->loop = outer;
	changes = walk_undo(walk, trail);
	(void)changes;
	count_by_break(walk, loop, mark, outside);
	keep_returns(walk, loop, mark, outside);
	bind_after(walk, loop, &inductions);
	if (loop->trips->op == EXPR_UNKNOWN && (!loop->condition || expr_find_unknown(loop->condition)))
		walk_note(walk, loop->place, "the number of iterations is not known: %s", loop->trips->reason);
	walk_guard_leaves(walk, mark, node->place);
	return true;
}
