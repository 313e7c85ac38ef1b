/*
 * The functions that the walk over the host begins with.
 *
 * Functions are walked where they are called, from those that no other functions call (main among them), so that
 * arguments that are constant reach the launches inside.
 */
#include "analyzer/host/library/library.h"

#define BUDGET_NODES 1000000ul
#define BUDGET_RUNS 200000ul

static bool called_visit(void *context, const struct node *node)
{
	const struct source_function *from = context;

	if (node->kind == NODE_CALL && node->declaration && node->declaration->function && node->declaration->function != from)
		node->declaration->function->is_called = true;
	return true;
}

static bool is_host_function(const struct source_function *function)
{
	return function->body && !function->is_kernel && !(function->is_device && !function->is_host) && !function->is_pattern;
}

/* Functions that may be called though nothing names them where they are: walked last, if at all. */
static bool may_be_passed(const struct source_function *function)
{
	return function->is_lambda || function->is_virtual;
}

/* Walks a function that no other calls, with nothing known about its parameters. */
static void walk_root(struct host *host, struct source_function *function)
{
	function->is_walked = true;
	host->count = 1;
	host->count_known = true;
	host->budget = BUDGET_NODES;
	host->run_budget = BUDGET_RUNS;
	host->is_cut = false;
	host->has_ended = false;
	host->uncertain = 0;
	host->run = NULL;
	host->stack_depth = 1;
	host->stack[0] = function;
	host->depth = 0;
	for (unsigned i = 0; i < function->parameter_count; i++)
		host_set(host, function->parameters[i],
		         host_unknown(host, arena_printf(host->arena, "'%s' is a parameter of '%s'", function->parameters[i]->name,
		                                         function->name)));
	host_bind_arguments(host, function);
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

			if (!function->launches && is_host_function(function) && host_holds_launch(function->body))
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
		if (is_host_function(unit->functions[i]) && !unit->functions[i]->is_called && !may_be_passed(unit->functions[i]))
			walk_root(host, unit->functions[i]);
	for (unsigned i = 0; i < unit->function_count; i++)
		if (is_host_function(unit->functions[i]) && !unit->functions[i]->is_called && !unit->functions[i]->is_walked)
			walk_root(host, unit->functions[i]);
}
