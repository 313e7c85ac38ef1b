/*
 * Induction: how variables change from one iteration of a loop to the next.
 *
 * A variable is followed where all that changes it in the loop are steps of the same sort (`i++`, `i += n`, `s >>= 1`), each once per iteration:
 * directly in the body or the head, not under a condition, not in an inner loop, not behind a `continue`. The amount must not change in the
 * loop. After k iterations the variable is then start + k * amount, or start >> (k * amount), and so on. All others are unknown at the
 * beginning of an iteration, with a reason.
 */
#include "analyzer/walk.h"

/* ---- which variables a loop changes ------------------------------------------------------ */

struct scan {
	struct walk *walk;
	const struct node *loop;
	struct inductions found;
	unsigned conditional;          /* > 0: inside a branch, an inner loop, or behind a continue */
};

static struct induction *induction_of(struct scan *scan, struct declaration *variable)
{
	for (unsigned i = 0; i < scan->found.count; i++)
		if (scan->found.list[i].variable == variable)
			return &scan->found.list[i];
	ARENA_PUSH(scan->walk->arena, scan->found.list, scan->found.count, (struct induction){.variable = variable, .kind = CHANGE_NONE});
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
		make_irregular(induction, "it changes under a condition or in an inner loop");
	} else if (induction->kind == CHANGE_NONE) {
		induction->kind = kind;
		induction->amount = amount;
	} else if (induction->kind == kind && (kind == CHANGE_STEP || kind == CHANGE_SHIFT_LEFT || kind == CHANGE_SHIFT_RIGHT)) {
		induction->amount = expr_binary(pool, EXPR_ADD, expr_cast(pool, induction->amount, 64, true), expr_cast(pool, amount, 64, true), 64, true);
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
static bool self_step(const struct node *assign, const struct declaration *variable, enum operator *op, const struct node **amount)
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
		make_irregular(induction_of(scan, variable), "it changes under a condition or in an inner loop");
	induction_of(scan, variable);
	ARENA_PUSH(scan->walk->arena, scan->walk->pending, scan->walk->pending_count, (struct pending){variable, op, amount});
}

/* A variable whose address is taken, or that is passed by reference, may change. */
static void scan_escape(struct scan *scan, const struct node *node)
{
	struct declaration *variable = root_variable(node);

	if (variable && variable->type->shape != SHAPE_ARRAY)
		make_irregular(induction_of(scan, variable), "its address is taken in the loop");
}

static void scan_call(struct scan *scan, const struct node *node)
{
	const struct source_function *function = node->declaration ? node->declaration->function : NULL;
	unsigned first = node->kind == NODE_CALL ? 1 : 0;
	bool is_known = !function || function->in_system_header;

	if (node->kind == NODE_CALL && node->children[0] && (!function || !function->is_conversion))
		scan_escape(scan, node->children[0]);
	for (unsigned i = first; i < node->child_count && function; i++) {
		const struct declaration *parameter = i - first < function->parameter_count ? function->parameters[i - first] : NULL;

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
		scan_conditional(scan, node, 0);
		break;
	default:
		scan_children(scan, node, 0);
		break;
	}
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

		if (induction->kind == CHANGE_IRREGULAR)
			continue;
		node_visit(pending.amount, invariance_visit, &invariance);
		if (!invariance.holds) {
			make_irregular(induction, "it is stepped by an amount that changes in the loop");
			continue;
		}
		walk->silent++;
		change_by(scan, induction, pending.op,
		          pending.amount ? walk_integer(walk, pending.amount) : expr_constant(&walk->pool, 1, 32, true));
		walk->silent--;
	}
	walk->pending_count = mark;
}

struct inductions inductions_find(struct walk *walk, const struct node *loop)
{
	struct scan scan = {.walk = walk, .loop = loop};
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

/* ---- values -------------------------------------------------------------------------------------------- */

static const struct value *stepped(struct walk *walk, const struct value *start, const struct expr *amount, const struct expr *count,
                                   struct place place)
{
	struct expr_pool *pool = &walk->pool;
	const struct expr *moved, *first = start->scalar;
	int64_t value;

	if (start->kind == VALUE_POINTER) {
		amount = expr_cast(pool, amount, 64, true);
		moved = expr_binary(pool, EXPR_MUL, expr_cast(pool, count, 64, true), amount, 64, true);
		return value_pointer(walk, location_advance(walk, start->at, moved));
	}
	if (start->kind != VALUE_SCALAR)
		return value_unknown(walk, NULL, "a record stepped in a loop", place);
	count = expr_cast(pool, count, first->bits, first->is_signed);
	if (expr_is_constant(amount, &value) && value < 0 && value != INT64_MIN) {
		moved = expr_binary(pool, EXPR_MUL, count, expr_constant(pool, -value, first->bits, first->is_signed), first->bits, first->is_signed);
		return value_scalar(walk, expr_binary(pool, EXPR_SUB, first, moved, first->bits, first->is_signed));
	}
	moved = expr_binary(pool, EXPR_MUL, count, expr_cast(pool, amount, first->bits, first->is_signed), first->bits, first->is_signed);
	if (expr_is_constant(first, NULL))
		return value_scalar(walk, expr_binary(pool, EXPR_ADD, moved, first, first->bits, first->is_signed));
	return value_scalar(walk, expr_binary(pool, EXPR_ADD, first, moved, first->bits, first->is_signed));
}

static const struct value *shifted(struct walk *walk, const struct induction *induction, const struct expr *count)
{
	struct expr_pool *pool = &walk->pool;
	const struct expr *start = induction->start->scalar;
	const struct expr *amount = expr_binary(pool, EXPR_MUL, count, expr_cast(pool, induction->amount, 32, true), 32, true);
	const struct expr *one = expr_constant(pool, 1, start->bits, start->is_signed);

	switch (induction->kind) {
	case CHANGE_SHIFT_LEFT:
		return value_scalar(walk, expr_binary(pool, EXPR_SHL, start, amount, start->bits, start->is_signed));
	case CHANGE_SHIFT_RIGHT:
		return value_scalar(walk, expr_binary(pool, EXPR_SHR, start, amount, start->bits, start->is_signed));
	case CHANGE_DIVIDE:
		return value_scalar(walk, expr_binary(pool, EXPR_DIV, start,
		                                      expr_binary(pool, EXPR_SHL, one, amount, start->bits, start->is_signed), start->bits,
		                                      start->is_signed));
	default:
		amount = expr_binary(pool, EXPR_AND, expr_cast(pool, count, start->bits, start->is_signed), one, start->bits, start->is_signed);
		amount = expr_binary(pool, EXPR_MUL, amount, expr_cast(pool, induction->amount, start->bits, start->is_signed), start->bits,
		                     start->is_signed);
		return value_scalar(walk, expr_binary(pool, EXPR_XOR, start, amount, start->bits, start->is_signed));
	}
}

const struct value *induction_value(struct walk *walk, const struct induction *induction, const struct expr *count, struct place place)
{
	const struct value *start = induction->start;

	if (!start)
		return value_unknown(walk, induction->variable->type, "a variable that is not set", place);
	if (induction->kind == CHANGE_NONE)
		return start;
	if (induction->kind == CHANGE_STEP)
		return stepped(walk, start, induction->amount, count, place);
	if (induction->kind == CHANGE_IRREGULAR || start->kind != VALUE_SCALAR || start->scalar->op == EXPR_UNKNOWN)
		return value_unknown(walk, induction->variable->type,
		                     induction->reason ? arena_printf(walk->arena, "'%s' in a loop: %s", induction->variable->name, induction->reason)
		                                       : "a variable that is not set",
		                     place);
	return shifted(walk, induction, count);
}
