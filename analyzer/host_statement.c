/*
 * Statements of the host: branches, loops and how often they run, calls of the file's own functions, and launches.
 *
 * Functions are walked where they are called, from those that no other function calls (main among them), so that
 * arguments that are constant reach the launches inside.
 */
#include "analyzer/host.h"

#include <string.h>

#define BUDGET_NODES 1000000ul
#define TRIES_MAX 1000000

static size_t host_mark(const struct host *host)
{
	return host->trail_count;
}

/* ---- branches -------------------------------------------------------------------------------- */

struct host_changes {
	struct host_change *list; /* `before` holds the new value */
	unsigned count;
};

/* Takes back what was changed since a mark, and returns it, the last value of each variable. */
static struct host_changes host_undo(struct host *host, size_t mark)
{
	struct host_changes changes = {NULL, 0};

	for (size_t i = mark; i < host->trail_count; i++) {
		struct declaration *variable = host->trail[i].variable;

		if (!host->environment[variable->slot])
			continue;
		ARENA_PUSH(host->arena, changes.list, changes.count,
		           (struct host_change){variable, host->environment[variable->slot]});
		host->environment[variable->slot] = NULL;
	}
	while (host->trail_count > mark) {
		host->trail_count--;
		host->environment[host->trail[host->trail_count].variable->slot] =
			host->trail[host->trail_count].before;
	}
	return changes;
}

static void host_redo(struct host *host, const struct host_changes *changes)
{
	for (unsigned i = 0; i < changes->count; i++)
		host_set(host, changes->list[i].variable, changes->list[i].before);
}

static const struct constant *changes_find(const struct host_changes *changes, const struct declaration *variable)
{
	for (unsigned i = 0; i < changes->count; i++)
		if (changes->list[i].variable == variable)
			return changes->list[i].before;
	return NULL;
}

static void join_one(struct host *host, struct declaration *variable, const struct constant *a,
                     const struct constant *b)
{
	const struct constant *before = host->environment[variable->slot];
	const struct constant *unset =
		constant_unknown(host, arena_printf(host->arena, "'%s' is not known", variable->name));

	before = before ? before : unset;
	host_set(host, variable, constant_join(host, a ? a : before, b ? b : before));
}

static void host_join(struct host *host, const struct host_changes *a, const struct host_changes *b)
{
	for (unsigned i = 0; i < a->count; i++)
		join_one(host, a->list[i].variable, a->list[i].before, changes_find(b, a->list[i].variable));
	for (unsigned i = 0; i < b->count; i++)
		if (!changes_find(a, b->list[i].variable))
			join_one(host, b->list[i].variable, NULL, b->list[i].before);
}

static bool host_optional(struct host *host, const struct node *node)
{
	return node ? host_statement(host, node) : true;
}

static bool host_if(struct host *host, const struct node *node)
{
	struct host_changes changes[2];
	bool goes_on[2], truth, count_known = host->count_known;

	host_optional(host, node->children[0]);
	if (!node->children[1])
		return true;
	if (constant_truth(host_evaluate(host, node->children[1]), &truth))
		return host_optional(host, node->children[truth ? 2 : 3]);
	for (unsigned i = 0; i < 2; i++) {
		size_t mark = host_mark(host);

		host->count_known = false;
		goes_on[i] = host_optional(host, node->children[2 + i]);
		changes[i] = host_undo(host, mark);
	}
	host->count_known = count_known;
	if (goes_on[0] && goes_on[1])
		host_join(host, &changes[0], &changes[1]);
	else
		host_redo(host, &changes[goes_on[0] ? 0 : 1]);
	return goes_on[0] || goes_on[1];
}

/* Each case may run: everything that the body changes is joined with what was before. */
static bool host_switch(struct host *host, const struct node *node)
{
	struct host_changes changes, none = {NULL, 0};
	size_t mark;
	bool count_known = host->count_known;

	host_optional(host, node->children[0]);
	if (node->children[1])
		host_evaluate(host, node->children[1]);
	mark = host_mark(host);
	host->count_known = false;
	for (unsigned i = 0; node->children[2] && i < node->children[2]->child_count; i++)
		host_statement(host, node->children[2]->children[i]);
	host->count_known = count_known;
	changes = host_undo(host, mark);
	host_join(host, &changes, &none);
	return true;
}

/* ---- loops -------------------------------------------------------------------------------------- */

struct forgetting {
	struct host *host;
	const char *reason;
};

/* Forgets variables that a node changes. */
static bool forget_visit(void *context, const struct node *node)
{
	struct forgetting *forgetting = context;
	struct declaration *variable = NULL;
	bool is_step = node->kind == NODE_UNARY &&
	               ((node->op >= OPERATOR_INCREMENT_BEFORE && node->op <= OPERATOR_DECREMENT_AFTER) ||
	                node->op == OPERATOR_ADDRESS);

	if (node->kind == NODE_ASSIGN || is_step) {
		const struct node *place = node_strip_casts(node->children[0]);

		variable = node_variable(place && place->kind == NODE_MEMBER && !place->is_arrow ? place->children[0]
		                                                                                 : place);
	}
	if (variable && variable->type->shape != SHAPE_POINTER)
		host_set(forgetting->host, variable, constant_unknown(forgetting->host, forgetting->reason));
	return true;
}

static void forget_changed(struct host *host, const struct node *node)
{
	struct forgetting forgetting = {host, "it changes in a loop"};

	node_visit(node, forget_visit, &forgetting);
}

struct change_search {
	const struct declaration *variable;
	bool found;
};

static bool change_visit(void *context, const struct node *node)
{
	struct change_search *search = context;

	if ((node->kind == NODE_ASSIGN || node->kind == NODE_UNARY) &&
	    node_variable(node->children[0]) == search->variable &&
	    (node->kind == NODE_ASSIGN || node->op >= OPERATOR_ADDRESS))
		search->found = true;
	if (node->kind == NODE_BREAK || node->kind == NODE_RETURN || node->kind == NODE_GOTO)
		search->found = true;
	return !search->found;
}

/* The variable that a for loop steps and that its body leaves alone; NULL where there is none. */
static struct declaration *counted_variable(const struct node *node)
{
	const struct node *increment = node->kind == NODE_FOR ? node->children[2] : NULL;
	struct change_search search = {NULL, false};

	if (!increment || (increment->kind != NODE_UNARY && increment->kind != NODE_ASSIGN))
		return NULL;
	search.variable = node_variable(increment->children[0]);
	if (!search.variable)
		return NULL;
	node_visit(node->children[3], change_visit, &search);
	return search.found ? NULL : node_variable(increment->children[0]);
}

/* Runs the loop's head until its condition fails; false where it cannot be told or takes too long. */
static bool count_iterations(struct host *host, const struct node *node, uint64_t *iterations)
{
	struct declaration *variable = counted_variable(node);
	size_t mark = host_mark(host);
	unsigned long budget = host->budget;
	bool holds = true, known = variable && node->children[1];

	for (*iterations = 0; known && *iterations < TRIES_MAX; ++*iterations) {
		known = constant_truth(host_evaluate(host, node->children[1]), &holds);
		if (!known || !holds)
			break;
		host_evaluate(host, node->children[2]);
	}
	host_undo(host, mark);
	host->budget = budget;
	return known && !holds;
}

static bool launch_visit(void *context, const struct node *node)
{
	bool *found = context;

	if (node->kind == NODE_LAUNCH)
		*found = true;
	if (node->kind == NODE_CALL && node->declaration && node->declaration->function)
		*found = *found || node->declaration->function->launches ||
		         strcmp(node->declaration->name, "cudaLaunchKernel") == 0;
	return !*found;
}

static bool holds_launch(const struct node *node)
{
	bool found = false;

	node_visit(node, launch_visit, &found);
	return found;
}

/* How often the loop runs matters only where it launches something. */
static bool host_loop(struct host *host, const struct node *node)
{
	uint64_t iterations = 1, count = host->count;
	bool known = host->count_known;

	if (node->kind != NODE_DO)
		host_optional(host, node->children[0]);
	host->count_known = known && holds_launch(node) && count_iterations(host, node, &iterations);
	host->count = host->count_known ? count * iterations : count;
	forget_changed(host, node);
	for (unsigned i = node->kind == NODE_DO ? 0 : 1; i < node->child_count; i++)
		host_optional(host, node->children[i]);
	forget_changed(host, node);
	host->count = count;
	host->count_known = known;
	return true;
}

/* ---- statements ---------------------------------------------------------------------------------------- */

static bool is_leaving(const char *name)
{
	static const char *const names[] = {"exit", "abort", "_exit", "quick_exit", "terminate"};

	for (unsigned i = 0; i < ARRAY_COUNT(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static bool host_return(struct host *host, const struct node *node)
{
	const struct constant *value = node->child_count ? host_evaluate(host, node->children[0]) : NULL;

	if (value)
		host->result = host->result ? constant_join(host, host->result, value) : value;
	return false;
}

static void host_declare(struct host *host, const struct node *node)
{
	const struct node *initializer = node_child(node, 0);
	const struct constant *value;

	value = initializer
	                ? host_evaluate(host, initializer)
	                : constant_unknown(host, arena_printf(host->arena, "'%s' is not set", node->declaration->name));
	host_set(host, node->declaration, constant_convert(host, value, type_strip_reference(node->declaration->type)));
}

static bool host_block(struct host *host, const struct node *node)
{
	for (unsigned i = 0; i < node->child_count; i++)
		if (node->children[i] && !host_statement(host, node->children[i]))
			return false;
	return true;
}

static bool statement_of_kind(struct host *host, const struct node *node)
{
	switch (node->kind) {
	case NODE_BLOCK:
	case NODE_LABEL: return host_block(host, node);
	case NODE_DECLARE: host_declare(host, node); return true;
	case NODE_IF: return host_if(host, node);
	case NODE_FOR:
	case NODE_WHILE:
	case NODE_DO: return host_loop(host, node);
	case NODE_SWITCH: return host_switch(host, node);
	case NODE_CASE: host_optional(host, node->children[1]); return true;
	case NODE_RETURN: return host_return(host, node);
	case NODE_BREAK:
	case NODE_CONTINUE: return false;
	case NODE_GOTO:
	case NODE_NOTHING: return true;
	case NODE_CALL: host_evaluate(host, node); return !node->declaration || !is_leaving(node->declaration->name);
	default: host_evaluate(host, node); return true;
	}
}

bool host_statement(struct host *host, const struct node *node)
{
	bool goes_on;

	if (host->budget == 0 || host->depth > 3000)
		return true;
	host->budget--;
	host->depth++;
	goes_on = statement_of_kind(host, node);
	host->depth--;
	return goes_on;
}

/* ---- the entry ----------------------------------------------------------------------------------------------- */

static bool called_visit(void *context, const struct node *node)
{
	const struct source_function *from = context;

	if (node->kind == NODE_CALL && node->declaration && node->declaration->function &&
	    node->declaration->function != from)
		node->declaration->function->is_called = true;
	return true;
}

static bool is_host_function(const struct source_function *function)
{
	return function->body && !function->is_kernel && !(function->is_device && !function->is_host) &&
	       !function->is_pattern;
}

/* Walks a function that no other calls, with nothing known about its parameters. */
static void walk_root(struct host *host, const struct source_function *function)
{
	host->count = 1;
	host->count_known = true;
	host->budget = BUDGET_NODES;
	host->stack_depth = 1;
	host->stack[0] = function;
	host->depth = 0;
	for (unsigned i = 0; i < function->parameter_count; i++)
		host_set(host, function->parameters[i],
		         constant_unknown(host, arena_printf(host->arena, "'%s' is a parameter of '%s'",
		                                             function->parameters[i]->name, function->name)));
	host_statement(host, function->body);
	host_undo(host, 0);
}

/* Marks the functions that launch something, themselves or through others; longer chains of calls are not followed. */
static void mark_launching(const struct source_unit *unit)
{
	bool changed = true;

	for (unsigned pass = 0; changed && pass < 32; pass++) {
		changed = false;
		for (unsigned i = 0; i < unit->function_count; i++) {
			struct source_function *function = unit->functions[i];

			if (!function->launches && is_host_function(function) && holds_launch(function->body))
				function->launches = changed = true;
		}
	}
}

void host_find_launches(struct host *host)
{
	const struct source_unit *unit = host->unit;

	for (unsigned i = 0; i < unit->function_count; i++)
		if (is_host_function(unit->functions[i]))
			node_visit(unit->functions[i]->body, called_visit, unit->functions[i]);
	mark_launching(unit);
	for (unsigned i = 0; i < unit->function_count; i++)
		if (is_host_function(unit->functions[i]) && !unit->functions[i]->is_called)
			walk_root(host, unit->functions[i]);
}
