/*
 * Which variables a loop changes, and by which steps.
 *
 * A variable is followed where all that changes it in the loop are steps of the same sort (`i++`, `i += n`, `s >>= 1`),
 * each once per iteration: directly in the body or the head, not under a condition, not behind a `continue`. All others
 * are unknown at the beginning of an iteration, with a reason.
 */
#include "analyzer/walk/loop/loop.h"

/* ---- which variables a loop changes ------------------------------------------------------ */

struct walk_induction *walk_scan_induction(struct walk_scan *scan, struct source_declaration *variable)
{
	for (unsigned i = 0; i < scan->found.count; i++)
		if (scan->found.list[i].variable == variable)
			return &scan->found.list[i];
	ARENA_PUSH(scan->walk->arena, scan->found.list, scan->found.count,
	           (struct walk_induction){.variable = variable, .kind = CHANGE_NONE});
	return &scan->found.list[scan->found.count - 1];
}

void walk_make_irregular(struct walk_induction *induction, const char *reason)
{
	if (induction->kind != CHANGE_IRREGULAR)
		induction->reason = reason;
	induction->kind = CHANGE_IRREGULAR;
}

/* The local variable at the root of a place: x of x, x.m, x[i] of a local array, *&x; NULL for memory. */
static struct source_declaration *root_variable(const struct node *node)
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
static struct source_declaration *whole_variable(const struct node *node)
{
	struct source_declaration *variable = node_variable(node);

	return variable && variable->type->shape != SHAPE_REFERENCE && variable->type->shape != SHAPE_ARRAY ? variable
	                                                                                                    : NULL;
}

/* ---- the scan -------------------------------------------------------------------------------- */

static void scan_node(struct walk_scan *scan, const struct node *node);

/* `v = v + e` and `v = e + v`: the operator and e; false for other assignments. */
static bool self_step(const struct node *assign, const struct source_declaration *variable, enum node_operator *op,
                      const struct node **amount)
{
	const struct node *right = node_strip_casts(assign->children[1]);

	if (!right || right->kind != NODE_BINARY)
		return false;
	*op = right->op;
	if (node_variable(right->children[0]) == variable)
		*amount = right->children[1];
	else if (node_variable(right->children[1]) == variable &&
	         (right->op == OPERATOR_ADD || right->op == OPERATOR_XOR))
		*amount = right->children[0];
	else
		return false;
	return true;
}

static void push_pending(struct walk_scan *scan, struct source_declaration *variable, enum node_operator op,
                         const struct node *amount)
{
	struct walk_step pending = {.variable = variable, .op = op, .amount = amount, .inner_count = scan->inner_count};

	for (unsigned i = 0; i < scan->inner_count && i < INNER_MAX; i++)
		pending.inner[i] = scan->inner[i];
	ARENA_PUSH(scan->walk->arena, scan->walk->pending, scan->walk->pending_count, pending);
}

/* A change by an assignment or a step of a whole variable. */
static void scan_change(struct walk_scan *scan, const struct node *node, enum node_operator op,
                        const struct node *amount)
{
	struct source_declaration *variable = whole_variable(node->children[0]),
				  *root = root_variable(node->children[0]);

	if (!variable) {
		if (root)
			walk_make_irregular(walk_scan_induction(scan, root), "a part of it changes in the loop");
		return;
	}
	if (op == OPERATOR_NONE && !self_step(node, variable, &op, &amount)) {
		walk_make_irregular(walk_scan_induction(scan, variable), "it is set anew in the loop");
		return;
	}
	if (scan->conditional)
		walk_make_irregular(walk_scan_induction(scan, variable), "it changes under a condition");
	if (scan->inner_count && (scan->is_shallow || scan->inner_count > INNER_MAX))
		walk_make_irregular(walk_scan_induction(scan, variable), "it changes in an inner loop");
	walk_scan_induction(scan, variable);
	push_pending(scan, variable, op, amount);
}

/* A variable whose address is taken, or that is passed by reference, may change. */
static void scan_escape(struct walk_scan *scan, const struct node *node)
{
	struct source_declaration *variable = root_variable(node);

	if (variable && variable->type->shape != SHAPE_ARRAY)
		walk_make_irregular(walk_scan_induction(scan, variable), "its address is taken in the loop");
}

static bool leaves_object_alone(const struct source_function *function)
{
	return function && (function->is_conversion || function->is_const_method || function->is_static_method);
}

static void scan_call(struct walk_scan *scan, const struct node *node)
{
	const struct source_function *function = node->declaration ? node->declaration->function : NULL;
	unsigned first = node->kind == NODE_CALL ? 1 : 0;
	bool is_known = !function || function->in_system_header;

	if (node->kind == NODE_CALL && node->children[0] && !leaves_object_alone(function))
		scan_escape(scan, node->children[0]);
	for (unsigned i = first; i < node->child_count && function; i++) {
		const struct source_declaration *parameter =
			i - first < function->parameter_count ? function->parameters[i - first] : NULL;

		if (!is_known && parameter && parameter->type->shape == SHAPE_REFERENCE &&
		    !parameter->type->target->is_const)
			scan_escape(scan, node->children[i]);
	}
}

static void scan_children(struct walk_scan *scan, const struct node *node, unsigned from)
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
static void scan_block(struct walk_scan *scan, const struct node *node)
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

static void scan_conditional(struct walk_scan *scan, const struct node *node, unsigned from)
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
static void scan_inner(struct walk_scan *scan, const struct node *node)
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

static void scan_node(struct walk_scan *scan, const struct node *node)
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
		scan_conditional(scan, node,
		                 node->op == OPERATOR_LOGICAL_AND || node->op == OPERATOR_LOGICAL_OR ? 1 : 2);
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

/* The parts that run in each iteration: FOR has its init first, WHILE a declaration. */
void walk_scan_loop(struct walk_scan *scan, const struct node *loop)
{
	scan_children(scan, loop, loop->kind == NODE_FOR ? 1 : 0);
}
