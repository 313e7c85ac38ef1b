/*
 * How often a loop runs, from its condition and the step of one variable alone: `for (i = a; i < b; i += c)`, `for (s =
 * n; s > 0; s /= 2)`, `do ... while (++i < n)`.
 *
 * Where something else may end the loop before (a break, another condition: `while (error > limit && i++ < most)`) that
 * is the largest number of iterations, and taken to be the number.
 */
#include "analyzer/host/loop/loop.h"

#define TRIES_MAX 1000u

/* ---- the counting variable --------------------------------------------------------------- */

struct change_search {
	const struct source_declaration *variable;
	const struct node *step; /* which is no change */
	bool found;
};

static bool change_visit(void *context, const struct node *node)
{
	struct change_search *search = context;

	if (node == search->step)
		return false;
	if (host_changed_variable(node) == search->variable || node->kind == NODE_GOTO)
		search->found = true;
	return !search->found;
}

/* Whether a break or return stands in a node that leaves the loop around it. */
static bool holds_leave(const struct node *node, bool in_switch)
{
	if (!node || node_is_loop(node))
		return false;
	if (node->kind == NODE_RETURN || (node->kind == NODE_BREAK && !in_switch))
		return true;
	for (unsigned i = 0; i < node->child_count; i++)
		if (holds_leave(node->children[i], in_switch || node->kind == NODE_SWITCH))
			return true;
	return false;
}

static bool is_step(const struct node *node)
{
	return node && ((node->kind == NODE_UNARY && node->op >= OPERATOR_INCREMENT_BEFORE &&
	                 node->op <= OPERATOR_DECREMENT_AFTER) ||
	                node->kind == NODE_ASSIGN);
}

/* The variable that a side of a comparison is, or steps. */
static struct source_declaration *compared_variable(const struct node *side)
{
	side = node_strip_casts(side);
	return node_variable(side && side->kind == NODE_UNARY && is_step(side) ? side->children[0] : side);
}

/* The comparison of a variable that a condition holds only with; NULL where there is none. */
static const struct node *comparison_of(const struct node *condition, const struct source_declaration *variable)
{
	const struct node *found;

	condition = node_strip_casts(condition);
	if (!condition || condition->kind != NODE_BINARY)
		return NULL;
	if (condition->op == OPERATOR_LOGICAL_AND) {
		found = comparison_of(condition->children[0], variable);
		return found ? found : comparison_of(condition->children[1], variable);
	}
	return compared_variable(condition->children[0]) == variable ||
	                       compared_variable(condition->children[1]) == variable
	               ? condition
	               : NULL;
}

/* The step that stands in a comparison of a condition: `error > limit && ++i < most`; NULL where there is none. */
static const struct node *step_in_condition(const struct node *condition)
{
	const struct node *found = NULL;

	condition = node_strip_casts(condition);
	if (!condition || condition->kind != NODE_BINARY)
		return NULL;
	for (unsigned i = 0; i < 2 && !found; i++) {
		const struct node *side = node_strip_casts(condition->children[i]);

		if (condition->op == OPERATOR_LOGICAL_AND)
			found = step_in_condition(side);
		else if (side && side->kind == NODE_UNARY && is_step(side))
			found = side;
	}
	return found;
}

static const struct node *body_of(const struct node *loop)
{
	return loop->children[loop->kind == NODE_FOR ? 3 : loop->kind == NODE_WHILE ? 2 : 0];
}

/* v += c or v = v + c, not v = c. */
static bool is_relative(const struct node *step, const struct source_declaration *variable)
{
	const struct node *right = step->kind == NODE_ASSIGN ? node_strip_casts(step->children[1]) : NULL;

	return step->kind == NODE_UNARY || step->op != OPERATOR_NONE ||
	       (right && right->kind == NODE_BINARY && node_variable(right->children[0]) == variable);
}

/* The step in a while loop's condition, or at the top of its body, of a variable that its condition compares; NULL
 * where there is none. */
static const struct node *step_in_loop(const struct node *loop)
{
	const struct node *body = body_of(loop), *inside = step_in_condition(loop->children[1]);

	if (inside)
		return inside;

	for (unsigned i = 0; body && body->kind == NODE_BLOCK && i < body->child_count; i++) {
		const struct node *step = body->children[i];
		const struct source_declaration *variable = is_step(step) ? node_variable(step->children[0]) : NULL;

		if (variable && is_relative(step, variable) && comparison_of(loop->children[1], variable))
			return step;
	}
	return NULL;
}

/* The step among those of a for loop's increment, of a variable that the condition compares; the whole where there is
 * none. */
static const struct node *step_in_increment(const struct node *loop, const struct node *increment)
{
	const struct node *sides[2];

	if (!increment || increment->kind != NODE_BINARY || increment->op != OPERATOR_COMMA)
		return increment;
	for (unsigned i = 0; i < ARRAY_COUNT(sides); i++) {
		sides[i] = step_in_increment(loop, node_strip_casts(increment->children[i]));
		if (is_step(sides[i]) && node_variable(sides[i]->children[0]) &&
		    comparison_of(loop->children[1], node_variable(sides[i]->children[0])))
			return sides[i];
	}
	return increment;
}

/* Fills what the loop is counted by; false where there is no variable that the loop steps and leaves alone otherwise.
 */
static bool find_variable(const struct node *loop, struct host_count *count)
{
	const struct node *body = body_of(loop);
	const struct node *step = loop->kind == NODE_FOR ? step_in_increment(loop, node_strip_casts(loop->children[2]))
	                                                 : step_in_loop(loop);
	struct change_search search = {.step = step};

	if (!is_step(step) || !loop->children[1] || (loop->kind == NODE_WHILE && loop->children[0]))
		return false;
	search.variable = count->variable = node_variable(step->children[0]);
	if (!search.variable)
		return false;
	node_visit(body, change_visit, &search);
	if (loop->kind == NODE_FOR)
		node_visit(loop->children[2], change_visit, &search);
	count->step = step;
	count->comparison = comparison_of(loop->children[1], count->variable);
	count->is_bound = holds_leave(body, false) ||
	                  (count->comparison && count->comparison != node_strip_casts(loop->children[1]));
	return !search.found;
}

/* ---- counting in closed form ------------------------------------------------------------------------ */

/* The integer that an expression has, assumed or not; false for one that is not known or too large to count with. */
static bool known_integer(struct host *host, const struct node *node, int64_t *value, bool *assumed)
{
	const struct host_constant *constant = host_evaluate(host, node);

	*value = constant->value;
	*assumed = *assumed || constant->assumed;
	return constant->kind == CONSTANT_INTEGER && constant->value > INT64_MIN / 4 && constant->value < INT64_MAX / 4;
}

/* The amount by which a for loop's increment steps the variable: v++, v -= 2, v = v + 3. */
static bool constant_step(struct host *host, const struct node *increment, int64_t *step, bool *assumed)
{
	const struct node *right = increment->kind == NODE_ASSIGN ? node_strip_casts(increment->children[1]) : NULL;
	enum node_operator op = increment->op;

	if (increment->kind == NODE_UNARY) {
		*step = op == OPERATOR_INCREMENT_BEFORE || op == OPERATOR_INCREMENT_AFTER ? 1 : -1;
		return true;
	}
	if (!right)
		return false;
	if (op == OPERATOR_NONE && right->kind == NODE_BINARY &&
	    node_variable(right->children[0]) == node_variable(increment->children[0])) {
		op = right->op;
		right = right->children[1];
	}
	if ((op != OPERATOR_ADD && op != OPERATOR_SUB) || !known_integer(host, right, step, assumed))
		return false;
	if (op == OPERATOR_SUB)
		*step = -*step;
	return *step != 0;
}

/* How often `value op bound` holds for start, start + step, ...; false where stepping leads away from the bound, or
 * past a bound that it must hit. */
static bool iterations_of(enum node_operator op, int64_t start, int64_t step, int64_t bound, uint64_t *iterations)
{
	bool up = step > 0, strict = op == OPERATOR_LT || op == OPERATOR_GT || op == OPERATOR_NE;
	int64_t distance = up ? bound - start : start - bound, size = up ? step : -step;

	if (op == OPERATOR_NE ? distance < 0 || distance % size != 0
	                      : !(up ? op == OPERATOR_LT || op == OPERATOR_LE : op == OPERATOR_GT || op == OPERATOR_GE))
		return false;
	if (!strict)
		distance++;
	*iterations = distance <= 0 ? 0 : (uint64_t)((distance - 1) / size + 1);
	return true;
}

/*
 * How many steps the variable has been changed by when the condition is first asked: by one that stands before the
 * variable in the condition itself, and in a do loop by one in the body.
 */
static int64_t steps_before(const struct node *loop, const struct node *step)
{
	if (step_in_condition(loop->children[1]) == step)
		return step->op == OPERATOR_INCREMENT_BEFORE || step->op == OPERATOR_DECREMENT_BEFORE;
	return loop->kind == NODE_DO;
}

/* The head with everything that the loop changes forgotten, but for the variable's first value. */
static bool count_closed(struct host *host, const struct node *node, struct host_count *count)
{
	const struct node *comparison = count->comparison;
	const struct host_constant *first = host->environment[count->variable->slot];
	int64_t start, step, bound;
	bool on_left;
	enum node_operator op;

	if (!first || first->kind != CONSTANT_INTEGER || !comparison)
		return false;
	on_left = compared_variable(comparison->children[0]) == count->variable;
	host_forget_changed(host, node, "it changes in a loop");
	op = on_left ? comparison->op : host_mirrored(comparison->op);
	start = first->value;
	count->assumed = first->assumed;
	if (!known_integer(host, comparison->children[on_left], &bound, &count->assumed) ||
	    !constant_step(host, count->step, &step, &count->assumed) || start < INT64_MIN / 4 ||
	    start > INT64_MAX / 4 ||
	    !iterations_of(op, start + steps_before(node, count->step) * step, step, bound, &count->iterations))
		return false;
	count->iterations += node->kind == NODE_DO;
	count->start = start;
	count->by = step;
	count->middle = host_integer(host, start + (int64_t)(count->iterations / 2) * step);
	return true;
}

/* Steps the variable until the condition fails, or for `most` iterations; false where the condition is not known. */
static bool try_head(struct host *host, const struct node *node, uint64_t most, uint64_t *iterations, bool *assumed)
{
	bool holds = true;

	for (*iterations = 0; *iterations < most; ++*iterations) {
		const struct host_constant *condition = host_evaluate(host, node->children[1]);

		if (condition->kind != CONSTANT_INTEGER)
			return false;
		*assumed = *assumed || condition->assumed;
		holds = condition->value != 0;
		if (!holds)
			return true;
		host_evaluate(host, node->children[2]);
	}
	return true;
}

/* Loops like `for (s = n; s > 0; s /= 2)`. */
static bool count_tried(struct host *host, const struct node *node, struct host_count *count)
{
	size_t mark = host->trail_count;
	const struct host_constant *first = host->environment[count->variable->slot];
	uint64_t again;
	bool known;

	host_forget_changed(host, node, "it changes in a loop");
	if (first)
		host_set(host, count->variable, first);
	known = try_head(host, node, TRIES_MAX, &count->iterations, &count->assumed) && count->iterations < TRIES_MAX;
	host_undo(host, mark);
	if (!known)
		return false;
	try_head(host, node, count->iterations / 2, &again, &count->assumed);
	count->middle = host->environment[count->variable->slot];
	return true;
}

bool host_count_iterations(struct host *host, const struct node *loop, struct host_count *count)
{
	size_t mark = host->trail_count;
	unsigned long budget = host->budget;
	bool known;

	*count = (struct host_count){.variable = NULL};
	if (!find_variable(loop, count))
		return false;
	known = count_closed(host, loop, count);
	host_undo(host, mark);
	if (!known && !count->is_bound && loop->kind == NODE_FOR) {
		count->assumed = false;
		known = count_tried(host, loop, count);
		host_undo(host, mark);
	}
	host->budget = budget;
	return known;
}
