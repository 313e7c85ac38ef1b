/*
 * The functions that the walk over the host begins with.
 *
 * Functions are walked where they are called, from those that no other functions call (main among them), so that
 * arguments that are constant reach the launches inside. Where main's command line is given, it launches something and
 * all that it calls is known, the others do not run.
 */
#include "analyzer/host/content/content.h"
#include "analyzer/host/library/library.h"

#include <string.h>

#define BUDGET_NODES 1000000ul
#define BUDGET_RUNS 1000000ul

static bool called_visit(void *context, const struct node *node)
{
	const struct source_function *from = context;

	if (node->kind == NODE_CALL && node->declaration && node->declaration->function &&
	    node->declaration->function != from)
		node->declaration->function->is_called = true;
	if (node->kind == NODE_REFERENCE && node->declaration && node->declaration->function)
		node->declaration->function->is_passed = true;
	return true;
}

static bool is_host_function(const struct source_function *function)
{
	return function->body && !function->is_kernel && !(function->is_device && !function->is_host) &&
	       !function->is_pattern;
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
	host->run = host->capture = NULL;
	host->stack_depth = 1;
	host->stack[0] = function;
	host->depth = 0;
	for (unsigned i = 0; i < function->parameter_count; i++)
		host_set(host, function->parameters[i],
		         host_unknown(host, arena_printf(host->arena, "'%s' is a parameter of '%s'",
		                                         function->parameters[i]->name, function->name)));
	host_bind_arguments(host, function);
	host_statement(host, function->body);
	host_graphs_end(host);
	host_undo(host, 0);
}

/* Whether a function that may override this virtual one launches something. */
static bool override_launches(const struct source_unit *unit, const struct source_function *function)
{
	for (unsigned i = 0; i < unit->function_count && function->is_virtual; i++) {
		const struct source_function *other = unit->functions[i];

		if (other->launches && other->is_virtual && other->parameter_count == function->parameter_count &&
		    strcmp(other->short_name, function->short_name) == 0)
			return true;
	}
	return false;
}

/* Marks the functions that launch something, themselves or through others; longer chains of calls are not followed. */
static void mark_launching(const struct source_unit *unit)
{
	bool changed = true;

	for (unsigned pass = 0; changed && pass < 32; pass++) {
		changed = false;
		for (unsigned i = 0; i < unit->function_count; i++) {
			struct source_function *function = unit->functions[i];

			if (!function->launches && ((is_host_function(function) && host_holds_launch(function->body)) ||
			                            override_launches(unit, function)))
				function->launches = changed = true;
		}
	}
}

static bool is_main(const struct source_function *function)
{
	return !function->is_method && strcmp(function->short_name, "main") == 0;
}

/* Walks main with the command line that is given. Whether that is all of the program that runs, as far as it can be
 * known. */
static bool walk_given_main(struct host *host)
{
	const struct source_unit *unit = host->unit;
	bool is_walked = false;

	for (unsigned i = 0; i < unit->function_count && host->options->arguments; i++)
		if (is_host_function(unit->functions[i]) && is_main(unit->functions[i])) {
			walk_root(host, unit->functions[i]);
			is_walked = true;
		}
	return is_walked && host->analysis->launch_count > 0 && !host->misses_calls && !host->is_cut &&
	       host->budget > 0;
}

/* Whether a function that is not called runs all the same, or may. */
static bool may_run(const struct host *host, const struct source_function *function, bool main_is_all)
{
	if (host->options->arguments && is_main(function))
		return false;
	return is_host_function(function) && !function->is_called &&
	       (!main_is_all || function->is_passed || function->is_lambda);
}

void host_find_launches(struct host *host)
{
	const struct source_unit *unit = host->unit;
	bool main_is_all;

	for (unsigned i = 0; i < unit->function_count; i++)
		if (is_host_function(unit->functions[i]))
			node_visit(unit->functions[i]->body, called_visit, unit->functions[i]);
	mark_launching(unit);
	host_contents_find(host);
	main_is_all = walk_given_main(host);
	for (unsigned i = 0; i < unit->function_count; i++)
		if (may_run(host, unit->functions[i], main_is_all) && !may_be_passed(unit->functions[i]))
			walk_root(host, unit->functions[i]);
	for (unsigned i = 0; i < unit->function_count; i++)
		if (may_run(host, unit->functions[i], main_is_all) && !unit->functions[i]->is_walked)
			walk_root(host, unit->functions[i]);
	host_contents_end(host);
	host_copies_end(host);
	for (unsigned i = 0; i < host->analysis->kernel_count; i++)
		host->analysis->kernels[i]->is_left_alone =
			main_is_all && host->analysis->kernels[i]->launch_count == 0;
}
