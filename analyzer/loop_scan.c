/*
 * Which variables a loop changes, and how, in one iteration.
 *
 * A variable is followed where all that changes it in the loop are steps of the same sort (`i++`, `i += n`, `s >>= 1`),
 * each once per iteration: directly in the body or the head, not under a condition, not behind a `continue`. A step in
 * an inner loop counts as often as that loop runs, where that is the same in each iteration of this one. The amount
 * must not change in the loop. All others are unknown at the beginning of an iteration, with a reason.
 */
#include "analyzer/walk.h"

/* ---- which variables a loop changes ------------------------------------------------------ */

struct scan {
	struct walk *walk;
	const struct node *loop;
	struct inductions found;
	unsigned conditional;                /* > 0: inside a branch, or behind a continue */
	const struct node *inner[INNER_MAX]; /* the inner loops around the current node */
	unsigned inner_count;
	bool is_shallow; /* steps in inner loops are not followed */
};

static struct induction *induction_of(struct scan *scan, struct declaration *variable)
{
	for (unsigned i = 0; i < scan->found.count; i++)
		if (scan->found.list[i].variable == variable)
			return &scan->found.list[i];
	ARENA_PUSH(scan->walk->arena, scan->found.list, scan->found.count,
	           (struct induction){.variable = variable, .kind = CHANGE_NONE});
	return &scan->found.list[scan->found.count - 1];
}

static void make_irregular(struct induction *induction, const char *reason)
{
	if (induction->kind != CHANGE_IRREGULAR)
		induction->reason = reason;
	induction->kind = CHANGE_IRREGULAR;
}

/* The local variable at the root of a place: x of x, x.m, x[i] of a local array, *&x; NULL for memory. */
static struct declaration *root_variable(const struct node *node)
{
	for (;;) {
		node = node_strip_casts(node);
		if (!node)
			return NULL;
		if (node->kind == NODE_MEMBER && !node->is_arrow)
			node = node->children[0];
		else
			break;
	}
	return node->kind == NODE_REFERENCE ? node_variable(node) : NULL;
}

/* A variable, where the place is just that and no part of it. */
static struct declaration *whole_variable(const struct node *node)
{
	struct declaration *variable = node_variable(node);

	return variable && variable->type->shape != SHAPE_REFERENCE && variable->type->shape != SHAPE_ARRAY ? variable : NULL;
}

static void change_add(struct scan *scan, struct induction *induction, enum change_kind kind, const struct expr *amount)
{
	struct expr_pool *pool = &scan->walk->pool;

	if (scan->conditional) {
		make_irregular(induction, "it changes under a condition");
	} else if (induction->kind == CHANGE_NONE) {
		induction->kind = kind;
		induction->amount = amount;
	} else if (induction->kind == kind && (kind == CHANGE_STEP || kind == CHANGE_SHIFT_LEFT || kind == CHANGE_SHIFT_RIGHT)) {
		induction->amount = expr_binary(pool, EXPR_ADD, expr_cast(pool, induction->amount, 64, true),
		                                expr_cast(pool, amount, 64, true), 64, true);
	} else {
		make_irregular(induction, "it changes in several ways");
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
static void change_by(struct scan *scan, struct induction *induction, enum operator op, const struct expr *amount)
{
	struct expr_pool *pool = &scan->walk->pool;
	int64_t value, exponent;
	bool constant = expr_is_constant(amount, &value);

	if (amount->op == EXPR_UNKNOWN)
		make_irregular(induction, "it is stepped by an unknown amount");
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
		make_irregular(induction, "it is not stepped by a constant amount");
}

/* ---- the scan -------------------------------------------------------------------------------- */

static void scan_node(struct scan *scan, const struct node *node);

/* `v = v + e` and `v = e + v`: the operator and e; false for other assignments. */
static bool self_step(const struct node *assign, const struct declaration *variable, enum operator* op, const struct node **amount)
{
	const struct node *right = node_strip_casts(assign->children[1]);

	if (!right || right->kind != NODE_BINARY)
		return false;
	*op = right->op;
	if (node_variable(right->children[0]) == variable)
		*amount = right->children[1];
	else if (node_variable(right->children[1]) == variable && (right->op == OPERATOR_ADD || right->op == OPERATOR_XOR))
		*amount = right->children[0];
	else
		return false;
	return true;
}

/* Whether every variable in an expression keeps its value in the loop, and nothing else happens in it. */
struct invariance {
	struct scan *scan;
	bool holds;
};

static bool changes_in_loop(const struct scan *scan, const struct declaration *variable)
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

static void push_pending(struct scan *scan, struct declaration *variable, enum operator op, const struct node *amount)
{
	struct pending pending = {.variable = variable, .op = op, .amount = amount, .inner_count = scan->inner_count};

	for (unsigned i = 0; i < scan->inner_count && i < INNER_MAX; i++)
		pending.inner[i] = scan->inner[i];
	ARENA_PUSH(scan->walk->arena, scan->walk->pending, scan->walk->pending_count, pending);
}

/* A change by an assignment or a step of a whole variable. */
static void scan_change(struct scan *scan, const struct node *node, enum operator op, const struct node *amount)
{
	struct declaration *variable = whole_variable(node->children[0]), *root = root_variable(node->children[0]);

	if (!variable) {
		if (root)
			make_irregular(induction_of(scan, root), "a part of it changes in the loop");
		return;
	}
	if (op == OPERATOR_NONE && !self_step(node, variable, &op, &amount)) {
		make_irregular(induction_of(scan, variable), "it is set anew in the loop");
		return;
	}
	if (scan->conditional)
		make_irregular(induction_of(scan, variable), "it changes under a condition");
	if (scan->inner_count && (scan->is_shallow || scan->inner_count > INNER_MAX))
		make_irregular(induction_of(scan, variable), "it changes in an inner loop");
	induction_of(scan, variable);
	push_pending(scan, variable, op, amount);
}

/* A variable whose address is taken, or that is passed by reference, may change. */
static void scan_escape(struct scan *scan, const struct node *node)
{
	struct declaration *variable = root_variable(node);

	if (variable && variable->type->shape != SHAPE_ARRAY)
		make_irregular(induction_of(scan, variable), "its address is taken in the loop");
}

static bool leaves_object_alone(const struct source_function *function)
{
	return function && (function->is_conversion || function->is_const_method || function->is_static_method);
}

static void scan_call(struct scan *scan, const struct node *node)
{
	const struct source_function *function = node->declaration ? node->declaration->function : NULL;
	unsigned first = node->kind == NODE_CALL ? 1 : 0;
	bool is_known = !function || function->in_system_header;

	if (node->kind == NODE_CALL && node->children[0] && !leaves_object_alone(function))
		scan_escape(scan, node->children[0]);
	for (unsigned i = first; i < node->child_count && function; i++) {
		const struct declaration *parameter =
			i - first < function->parameter_count ? function->parameters[i - first] : NULL;

		if (!is_known && parameter && parameter->type->shape == SHAPE_REFERENCE && !parameter->type->target->is_const)
			scan_escape(scan, node->children[i]);
	}
}

static void scan_children(struct scan *scan, const struct node *node, unsigned from)
{
	for (unsigned i = from; i < node->child_count; i++)
		if (node->children[i])
			scan_node(scan, node->children[i]);
}

struct jump_search {
	bool found;
};

/* A continue of this loop: not one of an inner loop. */
static bool continue_visit(void *context, const struct node *node)
{
	struct jump_search *search = context;

	if (node->kind == NODE_CONTINUE)
		search->found = true;
	return !search->found && node->kind != NODE_FOR && node->kind != NODE_WHILE && node->kind != NODE_DO;
}

/* A block: what stands behind a statement that may continue runs under a condition. */
static void scan_block(struct scan *scan, const struct node *node)
{
	unsigned behind = 0;

	for (unsigned i = 0; i < node->child_count; i++) {
		struct jump_search search = {false};

		if (!node->children[i])
			continue;
		scan_node(scan, node->children[i]);
		node_visit(node->children[i], continue_visit, &search);
		if (search.found) {
			scan->conditional++;
			behind++;
		}
	}
	scan->conditional -= behind;
}

static void scan_conditional(struct scan *scan, const struct node *node, unsigned from)
{
	for (unsigned i = 0; i < from && i < node->child_count; i++)
		if (node->children[i])
			scan_node(scan, node->children[i]);
	scan->conditional++;
	scan_children(scan, node, from);
	scan->conditional--;
}

static bool break_visit(void *context, const struct node *node)
{
	struct jump_search *search = context;

	if (node->kind == NODE_BREAK)
		search->found = true;
	return !search->found && node->kind != NODE_FOR && node->kind != NODE_WHILE && node->kind != NODE_DO &&
	       node->kind != NODE_SWITCH;
}

/* An inner loop; one that is left by break runs its steps under a condition. */
static void scan_inner(struct scan *scan, const struct node *node)
{
	struct jump_search search = {false};

	for (unsigned i = 0; i < node->child_count; i++)
		node_visit(node->children[i], break_visit, &search);
	scan->conditional += search.found;
	if (node->kind == NODE_FOR && node->children[0])
		scan_node(scan, node->children[0]);
	if (scan->inner_count < INNER_MAX)
		scan->inner[scan->inner_count] = node;
	scan->inner_count++;
	scan_children(scan, node, node->kind == NODE_FOR ? 1 : 0);
	scan->inner_count--;
	scan->conditional -= search.found;
}

static void scan_node(struct scan *scan, const struct node *node)
{
	if (!walk_may_go_on(scan->walk))
		return;
	switch (node->kind) {
	case NODE_ASSIGN:
		scan_change(scan, node, node->op, node->op == OPERATOR_NONE ? NULL : node->children[1]);
		scan_children(scan, node, 0);
		break;
	case NODE_UNARY:
		if (node->op == OPERATOR_INCREMENT_BEFORE || node->op == OPERATOR_INCREMENT_AFTER)
			scan_change(scan, node, OPERATOR_ADD, NULL);
		else if (node->op == OPERATOR_DECREMENT_BEFORE || node->op == OPERATOR_DECREMENT_AFTER)
			scan_change(scan, node, OPERATOR_SUB, NULL);
		else if (node->op == OPERATOR_ADDRESS)
			scan_escape(scan, node->children[0]);
		scan_children(scan, node, 0);
		break;
	case NODE_CALL:
	case NODE_CONSTRUCT:
		scan_call(scan, node);
		scan_children(scan, node, 0);
		break;
	case NODE_BLOCK:
		scan_block(scan, node);
		break;
	case NODE_IF:
	case NODE_SWITCH:
		scan_conditional(scan, node, 2);
		break;
	case NODE_CONDITIONAL:
		scan_conditional(scan, node, 1);
		break;
	case NODE_BINARY:
		scan_conditional(scan, node, node->op == OPERATOR_LOGICAL_AND || node->op == OPERATOR_LOGICAL_OR ? 1 : 2);
		break;
	case NODE_FOR:
	case NODE_WHILE:
	case NODE_DO:
		scan_inner(scan, node);
		break;
	default:
		scan_children(scan, node, 0);
		break;
	}
}

/* ---- how often inner loops run ---------------------------------------------------------------------- */

static struct inductions find(struct walk *walk, const struct node *loop, bool is_shallow);

struct head_check {
	struct scan *scan;
	const struct node *before; /* the loop's init: what it sets may change */
	bool holds;
};

struct set_search {
	const struct declaration *variable;
	bool found;
};

static bool set_visit(void *context, const struct node *node)
{
	struct set_search *search = context;

	if (node->kind == NODE_DECLARE && node->declaration == search->variable)
		search->found = true;
	if (node->kind == NODE_ASSIGN && node->op == OPERATOR_NONE && node_variable(node->children[0]) == search->variable)
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
static bool head_is_invariant(struct scan *scan, const struct node *loop)
{
	struct head_check check = {scan, loop->kind == NODE_FOR ? loop->children[0] : NULL, true};

	node_visit(loop->children[1], head_visit, &check);
	node_visit(check.before, head_visit, &check);
	if (loop->kind == NODE_FOR)
		node_visit(loop->children[2], head_visit, &check);
	return check.holds;
}

/* The number of iterations of an inner loop, with the values before the outer one; NULL where it cannot be told. */
static const struct expr *inner_trips(struct scan *scan, const struct node *loop)
{
	struct walk *walk = scan->walk;
	struct symbol *iterator = arena_alloc(walk->arena, sizeof(*iterator));
	const struct expr *count, *trips;
	struct inductions inductions;
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
			environment_set(walk, inductions.list[i].variable,
			                induction_value(walk, &inductions.list[i], count, loop->place));
	trips = trips_from_condition(walk, walk_condition(walk, loop->children[1]), iterator, loop->place, &exact);
	walk->silent--;
	environment_undo(walk, mark);
	return exact && !expr_find_unknown(trips) && !expr_mentions(trips, iterator) ? trips : NULL;
}

/* The amount of a step times the number of times that the inner loops around it run; NULL where that is not known. */
static const struct expr *amount_of(struct scan *scan, const struct pending *pending)
{
	struct walk *walk = scan->walk;
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

/* ---- the entry ------------------------------------------------------------------------------------ */

/* Reads the amounts of the steps, now that all that changes is known. */
static void settle(struct scan *scan, unsigned mark)
{
	struct walk *walk = scan->walk;

	for (unsigned i = mark; i < walk->pending_count; i++) {
		struct pending pending = walk->pending[i];
		struct induction *induction = induction_of(scan, pending.variable);
		struct invariance invariance = {scan, true};
		const struct expr *amount;

		if (induction->kind == CHANGE_IRREGULAR)
			continue;
		node_visit(pending.amount, invariance_visit, &invariance);
		if (!invariance.holds) {
			make_irregular(induction, "it is stepped by an amount that changes in the loop");
			continue;
		}
		if (pending.inner_count && pending.op != OPERATOR_ADD && pending.op != OPERATOR_SUB)
			amount = NULL;
		else
			amount = amount_of(scan, &pending);
		if (amount)
			change_by(scan, induction, pending.op, amount);
		else
			make_irregular(induction, "it changes in an inner loop");
	}
	walk->pending_count = mark;
}

static struct inductions find(struct walk *walk, const struct node *loop, bool is_shallow)
{
	struct scan scan = {.walk = walk, .loop = loop, .is_shallow = is_shallow};
	unsigned mark = walk->pending_count;
	/* The parts that run in each iteration: FOR has its init first, WHILE a declaration. */
	unsigned first = loop->kind == NODE_FOR ? 1 : 0;

	for (unsigned i = first; i < loop->child_count; i++)
		if (loop->children[i])
			scan_node(&scan, loop->children[i]);
	settle(&scan, mark);
	for (unsigned i = 0; i < scan.found.count; i++)
		scan.found.list[i].start = walk->environment[scan.found.list[i].variable->slot];
	return scan.found;
}

struct inductions inductions_find(struct walk *walk, const struct node *loop)
{
	return find(walk, loop, false);
}
