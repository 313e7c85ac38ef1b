/*
 * Steps: by how much each variable moves in one iteration of a loop.
 *
 * A step in an inner loop counts as often as that loop runs, where that is the same in each iteration of this one. The
 * amount must not change in the loop.
 */
#include "analyzer/walk/loop/loop.h"

/* ---- changes --------------------------------------------------------------------------- */

static void change_add(struct walk_scan *scan, struct walk_induction *induction, enum walk_change_kind kind,
                       const struct expr *amount)
{
	struct expr_pool *pool = &scan->walk->pool;

	if (scan->conditional) {
		walk_make_irregular(induction, "it changes under a condition");
	} else if (induction->kind == CHANGE_NONE) {
		induction->kind = kind;
		induction->amount = amount;
	} else if (induction->kind == kind &&
	           (kind == CHANGE_STEP || kind == CHANGE_SHIFT_LEFT || kind == CHANGE_SHIFT_RIGHT)) {
		induction->amount = expr_binary(pool, EXPR_ADD, expr_cast(pool, induction->amount, 64, true),
		                                expr_cast(pool, amount, 64, true), 64, true);
	} else {
		walk_make_irregular(induction, "it changes in several ways");
	}
}

static bool power_of_two(int64_t value, int64_t *exponent)
{
	*exponent = 0;
	if (value <= 0 || (value & (value - 1)) != 0)
		return false;
	while (value > 1) {
		value >>= 1;
		++*exponent;
	}
	return true;
}

/* Adds the change `variable op= amount`, the amount an expression of values before the loop. */
static void change_by(struct walk_scan *scan, struct walk_induction *induction, enum node_operator op,
                      const struct expr *amount)
{
	struct expr_pool *pool = &scan->walk->pool;
	int64_t value, exponent;
	bool constant = expr_is_constant(amount, &value);

	if (amount->op == EXPR_UNKNOWN)
		walk_make_irregular(induction, "it is stepped by an unknown amount");
	else if (op == OPERATOR_ADD)
		change_add(scan, induction, CHANGE_STEP, amount);
	else if (op == OPERATOR_SUB)
		change_add(scan, induction, CHANGE_STEP, expr_unary(pool, EXPR_NEG, amount, amount->bits, true));
	else if (op == OPERATOR_SHL && constant)
		change_add(scan, induction, CHANGE_SHIFT_LEFT, amount);
	else if (op == OPERATOR_SHR && constant)
		change_add(scan, induction, CHANGE_SHIFT_RIGHT, amount);
	else if (op == OPERATOR_MUL && constant && power_of_two(value, &exponent))
		change_add(scan, induction, CHANGE_SHIFT_LEFT, expr_constant(pool, exponent, 32, true));
	else if (op == OPERATOR_DIV && constant && power_of_two(value, &exponent))
		change_add(scan, induction, CHANGE_DIVIDE, expr_constant(pool, exponent, 32, true));
	else if (op == OPERATOR_XOR && constant)
		change_add(scan, induction, CHANGE_XOR, amount);
	else
		walk_make_irregular(induction, "it is not stepped by a constant amount");
}

/* ---- what stays the same --------------------------------------------------------------- */

/* Whether every variable in an expression keeps its value in the loop, and nothing else happens in it. */
struct invariance {
	struct walk_scan *scan;
	bool holds;
};

static bool changes_in_loop(const struct walk_scan *scan, const struct source_declaration *variable)
{
	for (unsigned i = 0; i < scan->found.count; i++)
		if (scan->found.list[i].variable == variable)
			return true;
	return false;
}

static bool invariance_visit(void *context, const struct node *node)
{
	struct invariance *invariance = context;

	if (node->kind == NODE_ASSIGN || node->kind == NODE_OPAQUE || node->kind == NODE_LAMBDA)
		invariance->holds = false;
	if (node->kind == NODE_UNARY && node->op >= OPERATOR_INCREMENT_BEFORE && node->op <= OPERATOR_DECREMENT_AFTER)
		invariance->holds = false;
	if (node->kind == NODE_REFERENCE && node->declaration && changes_in_loop(invariance->scan, node->declaration))
		invariance->holds = false;
	return invariance->holds;
}

/* A loop's head, of which only what its init sets may change. */
struct head_check {
	struct walk_scan *scan;
	const struct node *before; /* the init */
	bool holds;
};

struct set_search {
	const struct source_declaration *variable;
	bool found;
};

static bool set_visit(void *context, const struct node *node)
{
	struct set_search *search = context;

	if (node->kind == NODE_DECLARE && node->declaration == search->variable)
		search->found = true;
	if (node->kind == NODE_ASSIGN && node->op == OPERATOR_NONE &&
	    node_variable(node->children[0]) == search->variable)
		search->found = true;
	return !search->found;
}

static bool head_visit(void *context, const struct node *node)
{
	struct head_check *check = context;
	struct set_search search = {node->declaration, false};

	if (node->kind != NODE_REFERENCE || !node->declaration || !changes_in_loop(check->scan, node->declaration))
		return check->holds;
	node_visit(check->before, set_visit, &search);
	check->holds = check->holds && search.found;
	return check->holds;
}

/* Whether an inner loop's head has the same values in each iteration of the outer loop. */
static bool head_is_invariant(struct walk_scan *scan, const struct node *loop)
{
	struct head_check check = {scan, loop->kind == NODE_FOR ? loop->children[0] : NULL, true};

	node_visit(loop->children[1], head_visit, &check);
	node_visit(check.before, head_visit, &check);
	if (loop->kind == NODE_FOR)
		node_visit(loop->children[2], head_visit, &check);
	return check.holds;
}

/* ---- how often inner loops run --------------------------------------------------------- */

static struct walk_inductions find(struct walk_state *walk, const struct node *loop, bool is_shallow);

/* The number of iterations of an inner loop, with the values before the outer one; NULL where it cannot be told. */
static const struct expr *inner_trips(struct walk_scan *scan, const struct node *loop)
{
	struct walk_state *walk = scan->walk;
	struct symbol *iterator = arena_alloc(walk->arena, sizeof(*iterator));
	const struct expr *count, *trips;
	struct walk_inductions inductions;
	size_t mark = walk->trail_count;
	bool exact = true;

	if (loop->kind == NODE_DO || (loop->kind == NODE_WHILE && loop->children[0]) || !loop->children[1] ||
	    !head_is_invariant(scan, loop))
		return NULL;
	*iterator = (struct symbol){.kind = SYMBOL_ITERATOR, .index = walk->kernel->symbol_count, .name = "?"};
	count = expr_symbol(&walk->pool, iterator, 32, true);
	walk->silent++;
	if (loop->children[0])
		walk_statement(walk, loop->children[0]);
	inductions = find(walk, loop, true);
	for (unsigned i = 0; i < inductions.count; i++)
		if (inductions.list[i].start)
			walk_set(walk, inductions.list[i].variable,
			         walk_induction_value(walk, &inductions.list[i], count, loop->place));
	trips = walk_trips(walk, walk_condition(walk, loop->children[1]), iterator, loop->place, &exact);
	walk->silent--;
	walk_undo(walk, mark);
	return exact && !expr_find_unknown(trips) && !expr_mentions(trips, iterator) ? trips : NULL;
}

/* The amount of a step times the number of times that the inner loops around it run; NULL where that is not known. */
static const struct expr *amount_of(struct walk_scan *scan, const struct walk_step *pending)
{
	struct walk_state *walk = scan->walk;
	const struct expr *amount, *trips;

	walk->silent++;
	amount = pending->amount ? walk_integer(walk, pending->amount) : expr_constant(&walk->pool, 1, 32, true);
	walk->silent--;
	for (unsigned i = 0; i < pending->inner_count && amount; i++) {
		trips = inner_trips(scan, pending->inner[i]);
		amount = trips ? expr_binary(&walk->pool, EXPR_MUL, expr_cast(&walk->pool, amount, 64, true),
		                             expr_cast(&walk->pool, trips, 64, true), 64, true)
		               : NULL;
	}
	return amount;
}

/* ---- the entry ------------------------------------------------------------------------- */

/* Reads the amounts of the steps, now that all that changes is known. */
static void settle(struct walk_scan *scan, unsigned mark)
{
	struct walk_state *walk = scan->walk;

	for (unsigned i = mark; i < walk->pending_count; i++) {
		struct walk_step pending = walk->pending[i];
		struct walk_induction *induction = walk_scan_induction(scan, pending.variable);
		struct invariance invariance = {scan, true};
		const struct expr *amount;

		if (induction->kind == CHANGE_IRREGULAR)
			continue;
		node_visit(pending.amount, invariance_visit, &invariance);
		if (!invariance.holds) {
			walk_make_irregular(induction, "it is stepped by an amount that changes in the loop");
			continue;
		}
		if (pending.inner_count && pending.op != OPERATOR_ADD && pending.op != OPERATOR_SUB)
			amount = NULL;
		else
			amount = amount_of(scan, &pending);
		if (amount)
			change_by(scan, induction, pending.op, amount);
		else
			walk_make_irregular(induction, "it changes in an inner loop");
	}
	walk->pending_count = mark;
}

static struct walk_inductions find(struct walk_state *walk, const struct node *loop, bool is_shallow)
{
	struct walk_scan scan = {.walk = walk, .loop = loop, .is_shallow = is_shallow};
	unsigned mark = walk->pending_count;

	walk_scan_loop(&scan, loop);
	settle(&scan, mark);
	for (unsigned i = 0; i < scan.found.count; i++)
		scan.found.list[i].start = walk->environment[scan.found.list[i].variable->slot];
	return scan.found;
}

struct walk_inductions walk_find_inductions(struct walk_state *walk, const struct node *loop)
{
	return find(walk, loop, false);
}
