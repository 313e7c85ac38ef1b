/*
 * Variables that a loop raises on a condition that is not known: `if (data[i] > 0) count++;`.
 *
 * The text bounds what the loop adds to such a variable. The middle of both bounds is assumed, as a
 * branch on data is assumed to be taken half of the time. A variable that the loop changes in any
 * other way stays unknown.
 */
#include "analyzer/host/loop/loop.h"

/* What a node adds to a variable, from the least to the most. */
struct added {
	double least, most;
};

struct growth {
	struct host *host;
	const struct source_declaration *variable;
	bool is_known; /* false: a node changes the variable in another way, or an unknown number of times */
};

static struct added node_adds(struct growth *growth, const struct node *node);

static struct added children_add(struct growth *growth, const struct node *node, unsigned first)
{
	struct added sum = {0, 0};

	for (unsigned i = first; i < node->child_count; i++) {
		struct added one = node_adds(growth, node->children[i]);

		sum = (struct added){sum.least + one.least, sum.most + one.most};
	}
	return sum;
}

static bool is_condition(const struct node *node)
{
	node = node_strip_casts(node);
	return node && node->type && node->type->shape == SHAPE_BOOL;
}

/* What one change of the variable adds. */
static struct added step_adds(struct growth *growth, const struct node *node)
{
	const struct host_constant *step;

	if (node->kind == NODE_UNARY && (node->op == OPERATOR_INCREMENT_BEFORE || node->op == OPERATOR_INCREMENT_AFTER))
		return (struct added){1, 1};
	if (node->kind == NODE_ASSIGN && node->op == OPERATOR_ADD && is_condition(node->children[1]))
		return (struct added){0, 1};
	step = node->kind == NODE_ASSIGN && node->op == OPERATOR_ADD ? host_evaluate(growth->host, node->children[1])
	                                                             : NULL;
	if (step && step->kind == CONSTANT_INTEGER && !step->assumed && step->value >= 0)
		return (struct added){(double)step->value, (double)step->value};
	growth->is_known = false;
	return (struct added){0, 0};
}

/* Whether a loop steps the variable, and whether it may leave an iteration before its end. */
struct step_search {
	const struct source_declaration *variable;
	bool steps, jumps;
};

static bool step_visit(void *context, const struct node *node)
{
	struct step_search *search = context;

	search->steps = search->steps || host_changed_variable(node) == search->variable;
	search->jumps =
		search->jumps || node->kind == NODE_CONTINUE || node->kind == NODE_BREAK || node->kind == NODE_RETURN;
	return true;
}

static struct added loop_adds(struct growth *growth, const struct node *node)
{
	bool is_range = node->kind == NODE_FOR && node_child(node, 4);
	struct step_search search = {growth->variable, false, false};
	struct host_count count;
	struct added each;

	node_visit(node, step_visit, &search);
	if (!search.steps)
		return (struct added){0, 0};
	if (node->kind == NODE_FOR && !is_range)
		host_optional(growth->host, node->children[0]);
	growth->is_known = growth->is_known && !is_range && host_count_iterations(growth->host, node, &count) &&
	                   !count.assumed && count.by != 0 && count.variable != growth->variable;
	if (!growth->is_known)
		return (struct added){0, 0};
	host_set(growth->host, count.variable, host_unknown(growth->host, "it changes in a loop"));
	each = children_add(growth, node, node->kind == NODE_FOR ? 1 : 0);
	return (struct added){count.is_bound || search.jumps ? 0 : (double)count.iterations * each.least,
	                      (double)count.iterations * each.most};
}

/* Whether a node may leave out some of its parts. */
static bool chooses(const struct node *node)
{
	return node->kind == NODE_SWITCH || node->kind == NODE_CONDITIONAL ||
	       (node->kind == NODE_BINARY && (node->op == OPERATOR_LOGICAL_AND || node->op == OPERATOR_LOGICAL_OR));
}

static struct added node_adds(struct growth *growth, const struct node *node)
{
	struct added ways[2], before;

	if (!node || !growth->is_known)
		return (struct added){0, 0};
	if (node_is_loop(node))
		return loop_adds(growth, node);
	if (host_changed_variable(node) == growth->variable)
		return step_adds(growth, node);
	if (chooses(node))
		return (struct added){0, children_add(growth, node, 0).most};
	if (node->kind != NODE_IF)
		return children_add(growth, node, 0);
	before = children_add(growth, &(struct node){.child_count = 2, .children = node->children}, 0);
	for (unsigned i = 0; i < 2; i++)
		ways[i] = node_adds(growth, node->children[2 + i]);
	return (struct added){before.least + (ways[0].least < ways[1].least ? ways[0].least : ways[1].least),
	                      before.most + (ways[0].most > ways[1].most ? ways[0].most : ways[1].most)};
}

/* The variable's value behind a loop, from the state before it; NULL where that is not known, or is no matter of
 * conditions. */
static const struct host_constant *value_behind(struct host *host, const struct node *loop,
                                                const struct source_declaration *variable)
{
	const struct host_constant *before = host->environment[variable->slot];
	struct growth growth = {host, variable, true};
	size_t mark = host->trail_count;
	struct added added;
	const char *reason;

	if (!before || before->kind != CONSTANT_INTEGER || !variable->type || !type_is_integral(variable->type))
		return NULL;
	host_forget_iteration(host, loop, "it changes in a loop");
	added = node_adds(&growth, loop);
	host_undo(host, mark);
	if (!growth.is_known || !(added.most > added.least) || added.most > INT32_MAX)
		return NULL;
	reason = arena_printf(host->arena, "conditions on data raise it by %.0f to %.0f: by the middle of both",
	                      added.least, added.most);
	return host_assume(host, host_integer(host, before->value + (int64_t)((added.least + added.most) / 2)), reason);
}

/* Whether a variable's value behind a loop was lost, or is that before it for want of a better one. */
static bool is_open(const struct host_constant *value)
{
	return value->kind == CONSTANT_UNKNOWN || (value->kind == CONSTANT_INTEGER && value->assumed);
}

void host_count_conditional(struct host *host, const struct node *loop, size_t mark)
{
	struct host_changes after;
	const struct host_constant **values;
	bool is_lost = false;

	for (size_t i = mark; i < host->trail_count && !is_lost; i++) {
		const struct host_constant *now = host->environment[host->trail[i].variable->slot],
					   *before = host->trail[i].before;

		is_lost = now && is_open(now) && before && before->kind == CONSTANT_INTEGER;
	}
	if (!is_lost)
		return;
	after = host_undo(host, mark);
	values = arena_array(host->arena, after.count + 1, sizeof(*values));
	for (unsigned i = 0; i < after.count; i++)
		if (is_open(after.list[i].before))
			values[i] = value_behind(host, loop, after.list[i].variable);
	host_redo(host, &after);
	for (unsigned i = 0; i < after.count; i++)
		if (values[i])
			host_set(host, after.list[i].variable, values[i]);
}
