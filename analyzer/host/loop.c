/*
 * Loops of the host: with which values they launch.
 *
 * A loop that launches, or that sets an integer for what follows, is run iteration by iteration while everything it decides on is known and it takes no
 * more than a few thousand steps. Longer loops that can be counted have their body walked once, with the variable's value in the middle iteration, which
 * is assumed. All others have their body walked once, with nothing known about what they change.
 */
#include "analyzer/host/host.h"

#include <string.h>

#define RUN_NODES_MAX 40000ul
#define RUN_LAUNCHING_MAX 100000ul /* of a loop that launches */
#define RUN_ITERATIONS_MAX 4000u
#define RUN_SHORT 64 /* iterations */

/* ---- running -------------------------------------------------------------------------------------------- */

enum run_end { RUN_ENDED, RUN_RETURNED, RUN_FAILED };

/* One iteration of a loop behind its condition; *left becomes true where a jump leaves the loop. */
static bool run_iteration(struct host *host, const struct node *node, bool *left)
{
	bool is_for = node->kind == NODE_FOR;

	*left = !host_optional(host, node->children[is_for ? 3 : node->kind == NODE_DO ? 0 : 2]) && host->jump != JUMP_CONTINUE;
	if (!*left && is_for && node->children[2])
		host_evaluate(host, node->children[2]);
	return host->uncertain == 0 && host->budget > 0;
}

/* Evaluates the condition of the loop; false where it is not known. */
static bool run_condition(struct host *host, const struct node *node, bool *holds)
{
	const struct node *condition = node->children[1];

	if (node->kind == NODE_WHILE && node->children[0])
		return false;
	*holds = true;
	return !condition || host_truth(host_evaluate(host, condition), holds);
}

static enum run_end run_iterations(struct host *host, const struct node *node)
{
	bool holds = true, left = false;

	for (unsigned i = 0; i < RUN_ITERATIONS_MAX; i++) {
		if ((node->kind != NODE_DO || i > 0) && !run_condition(host, node, &holds))
			return RUN_FAILED;
		if (!holds)
			return RUN_ENDED;
		if (!run_iteration(host, node, &left))
			return RUN_FAILED;
		if (left)
			return host->jump == JUMP_RETURN ? RUN_RETURNED : RUN_ENDED;
	}
	return RUN_FAILED;
}

/* What a loop over a range goes through. */
struct range_elements {
	const struct host_constant *range; /* CONTAINER, or a RECORD that is an array */
	const struct source_type *element; /* of the array */
	int64_t count;
};

static bool range_read(struct host *host, const struct node *node, struct range_elements *elements)
{
	const struct node *range = node_strip_casts(node);
	const struct source_type *type = range->type ? type_strip_reference(range->type) : NULL;

	while (range->kind == NODE_OPAQUE && range->child_count == 1)
		range = range->children[0];
	elements->range = host_evaluate(host, range);
	if (elements->range->kind == CONSTANT_CONTAINER && elements->range->parts[0]->kind == CONSTANT_INTEGER) {
		elements->count = elements->range->parts[0]->value;
		return true;
	}
	type = range->type ? type_strip_reference(range->type) : type;
	if (!type || type->shape != SHAPE_ARRAY || elements->range->kind != CONSTANT_RECORD)
		return false;
	elements->element = type->target;
	elements->count = (int64_t)type->count;
	return true;
}

static const struct host_constant *range_element(struct host *host, const struct range_elements *elements, int64_t number)
{
	const struct host_constant *value =
		elements->element ? host_record_part(host, elements->range, (uint64_t)number * elements->element->type.size_bytes,
	                                             elements->element)
				  : host_member(elements->range, (uint64_t)number);

	return value ? value : host_unknown(host, "an element of a range");
}

static enum run_end run_range(struct host *host, const struct node *node, const struct range_elements *elements)
{
	const struct node *body = node->children[3];

	for (int64_t i = 0; i < elements->count; i++)
		for (unsigned part = 0; part < body->child_count; part++) {
			const struct node *statement = body->children[part];
			bool goes_on = true;

			if (part + 1 < body->child_count)
				host_set(host, statement->declaration, range_element(host, elements, i));
			else
				goes_on = host_optional(host, statement);
			if (host->uncertain || host->budget == 0)
				return RUN_FAILED;
			if (!goes_on && host->jump != JUMP_CONTINUE)
				return host->jump == JUMP_RETURN ? RUN_RETURNED : RUN_ENDED;
		}
	return RUN_ENDED;
}

/* Runs the loop behind its init, or the body for each element of a range, for so many nodes. Where that fails all is as it was before. */
static enum run_end loop_run(struct host *host, const struct node *node, const struct range_elements *range, unsigned long most)
{
	struct host_run own = {.list = NULL}, *outer = host->run, *capture = host->capture;
	unsigned captured = capture ? capture->count : 0, graphs = host->graph_count;
	const struct host_constant *result = host->result;
	unsigned long budget = host->budget, allowed = host->run_budget < most ? host->run_budget : most;
	unsigned uncertain = host->uncertain, collected;
	size_t mark = host->trail_count;
	enum run_end end;

	if (outer && host->budget < allowed)
		allowed = host->budget;
	host->run = outer ? outer : &own;
	collected = host->run->count;
	host->uncertain = 0;
	host->budget = allowed;
	end = range ? run_range(host, node, range) : run_iterations(host, node);
	allowed -= host->budget;
	host->run_budget -= host->run_budget < allowed ? host->run_budget : allowed;
	host->budget = outer ? budget - allowed : budget;
	host->uncertain = uncertain;
	host->run = outer;
	if (end == RUN_FAILED) {
		host_undo(host, mark);
		host->result = result;
		host->capture = capture;
		host->graph_count = graphs;
		if (capture)
			capture->count = captured;
		if (outer)
			outer->count = collected;
	} else if (!outer) {
		host_launches_merge(host, &own);
	}
	return end;
}

/* ---- which loops matter ------------------------------------------------------------------------------------ */

bool host_is_launch_call(const char *name)
{
	static const char *const names[] = {"cudaLaunchKernel", "cudaLaunchCooperativeKernel", "cudaLaunchKernelEx",
	                                    "cudaLaunchKernelExC", "cudaGraphLaunch"};

	for (unsigned i = 0; i < ARRAY_COUNT(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static bool launch_visit(void *context, const struct node *node)
{
	bool *found = context;

	if (node->kind == NODE_LAUNCH)
		*found = true;
	if (node->kind == NODE_CALL && node->declaration && node->declaration->function)
		*found = *found || node->declaration->function->launches || host_is_launch_call(node->declaration->name) ||
		         (node->declaration->in_system_header && strcmp(node->declaration->name, "operator()") == 0);
	return !*found;
}

bool host_holds_launch(const struct node *node)
{
	bool found = false;

	node_visit(node, launch_visit, &found);
	return found;
}

/* Whether a function of the file is given a text, as those are that read a command line for their callers. */
static bool gives_text(const struct node *node)
{
	const struct source_function *function = node->declaration ? node->declaration->function : NULL;

	for (unsigned i = 0; function && function->body && i < node_argument_count(node); i++) {
		const struct node *argument = node_argument(node, i);
		const struct source_type *type = argument ? argument->type : NULL;

		while (type && type->shape == SHAPE_POINTER)
			type = type->target;
		if (type && type != argument->type && type->type.size_bytes == 1)
			return true;
	}
	return false;
}

/* options[name] = value, where that is a call. */
static bool sets_element(const struct node *node)
{
	const struct node *left = node->kind == NODE_ASSIGN ? node_strip_casts(node->children[0]) : NULL;

	return left && left->kind == NODE_CALL && left->declaration && strcmp(left->declaration->name, "operator[]") == 0;
}

/*
 * What a loop leaves behind: an integer that it sets by itself and that is no loop's counter (`while (p < n) p *= 2`); or something else: a container that
 * it lets grow, an element of one, what it has the words of a command line say, what it looks for and the function returns.
 */
struct loop_results {
	bool integer, other;
};

static bool result_visit(void *context, const struct node *node)
{
	struct loop_results *results = context;

	if (node->kind == NODE_FOR) {
		node_visit(node->children[3], result_visit, context);
		return false;
	}
	if (host_changed_variable(node) && node->op != OPERATOR_ADDRESS && type_is_integral(node->type))
		results->integer = true;
	if (node->kind == NODE_CALL && node->declaration && (strstr(node->declaration->name, "_back") || gives_text(node)))
		results->other = true;
	if ((node->kind == NODE_RETURN && node_child(node, 0)) || sets_element(node))
		results->other = true;
	return !results->other;
}

static bool jump_visit(void *context, const struct node *node)
{
	bool *found = context;

	*found = *found || node->kind == NODE_BREAK || node->kind == NODE_RETURN;
	return !*found;
}

/* Iterations of the innermost loop, where each of the nested ones is counted and none is left early; else 0. */
static double iterations_nested(struct host *host, const struct node *node)
{
	size_t mark = host->trail_count;
	struct host_count count;
	bool jumps = false, counted;
	double inner = 0;

	if (node->kind != NODE_FOR || node_child(node, 4))
		return 0;
	node_visit(node, jump_visit, &jumps);
	if (jumps)
		return 0;
	host_optional(host, node->children[0]);
	counted = host_count_iterations(host, node, &count) && !count.assumed && !count.is_bound;
	if (counted && node->children[3] && node->children[3]->kind == NODE_FOR)
		inner = iterations_nested(host, node->children[3]);
	host_undo(host, mark);
	return counted ? (double)count.iterations * (inner > 1 ? inner : 1) : 0;
}

/* Whether a loop that launches nothing has an end that others may ask for. Short ones are run before that is found out. */
static bool is_worth_running(struct host *host, const struct node *node)
{
	struct loop_results results = {false, false};
	double iterations;

	node_visit(node, result_visit, &results);
	if (!results.integer && !results.other)
		return false;
	iterations = iterations_nested(host, node);
	return iterations <= RUN_NODES_MAX &&
	       (results.other || (iterations > 0 && iterations <= RUN_SHORT) || host_outlives(host, node));
}

/* ---- the loop ------------------------------------------------------------------------------------------------ */

/* The variable is what it is in the middle iteration, for what the body launches. */
static void set_middle(struct host *host, const struct host_count *count)
{
	struct host_constant *middle;

	if (!count->middle || count->middle->kind == CONSTANT_UNKNOWN || count->iterations == 0)
		return;
	middle = arena_alloc(host->arena, sizeof(*middle));
	*middle = *count->middle;
	middle->assumed = true;
	middle->reason = arena_printf(host->arena, "it changes in a loop; this is iteration %llu of %llu",
	                              (unsigned long long)count->iterations / 2 + 1, (unsigned long long)count->iterations);
	host_set(host, count->variable, middle);
}

/* What the next iteration passes to launches: pointers that the body swaps. What it launches and changes is taken back. */
static void pass_again(struct host *host, const struct node *node)
{
	struct host_run dropped = {.list = NULL}, *outer = host->run, *capture = host->capture;
	const struct host_constant *result = host->result;
	bool misses_calls = host->misses_calls, has_ended = host->has_ended;
	unsigned graphs = host->graph_count;
	size_t mark = host->trail_count;

	if (host->is_passing || has_ended)
		return;
	host->is_passing = true;
	host->run = &dropped;
	host->capture = NULL;
	for (unsigned i = node->kind == NODE_DO ? 0 : 1; i < node->child_count; i++)
		host_optional(host, node->children[i]);
	host_undo(host, mark);
	host->run = outer;
	host->capture = capture;
	host->graph_count = graphs;
	host->result = result;
	host->misses_calls = misses_calls;
	host->has_ended = has_ended;
	host->is_passing = false;
}

/* The number of a container's elements where it is known; -1. */
static int64_t elements_of(const struct host_constant *value)
{
	bool known = value && value->kind == CONSTANT_CONTAINER && value->parts[0]->kind == CONSTANT_INTEGER && !value->assumed &&
	             !value->parts[0]->assumed;

	return known ? value->parts[0]->value : -1;
}

/* A container that one iteration lets grow, and by how much. */
struct growth {
	struct source_declaration *variable;
	int64_t before, by;
	struct growth *next;
};

/* The containers that grew since a mark, of loops that are counted. */
static struct growth *growths_find(struct host *host, size_t mark, const struct host_count *count)
{
	struct growth *list = NULL;

	if (!count || count->assumed || count->is_bound || count->iterations > INT32_MAX)
		return NULL;
	for (size_t i = mark; i < host->trail_count; i++) {
		struct source_declaration *variable = host->trail[i].variable;
		int64_t before = elements_of(host->trail[i].before), after = elements_of(host->environment[variable->slot]);
		struct growth *growth;

		for (growth = list; growth && growth->variable != variable;)
			growth = growth->next;
		if (growth || before < 0 || after <= before)
			continue;
		growth = arena_alloc(host->arena, sizeof(*growth));
		*growth = (struct growth){variable, before, after - before, list};
		list = growth;
	}
	return list;
}

/* Lets them grow by all iterations. */
static void growths_set(struct host *host, const struct growth *growth, const struct host_count *count)
{
	for (; growth; growth = growth->next)
		host_set(host, growth->variable,
		         host_container(host, host_integer(host, growth->before + growth->by * (int64_t)count->iterations)));
}

static bool growth_visit(void *context, const struct node *node)
{
	bool *found = context;

	*found = *found || (node->kind == NODE_CALL && node->declaration && strstr(node->declaration->name, "_back"));
	return !*found;
}

/* Whether a loop appends to a container. */
static bool lets_grow(const struct node *node)
{
	bool found = false;

	node_visit(node, growth_visit, &found);
	return found;
}

/* Walks the body once, whatever its iteration; count is NULL where the iterations are not known. */
static void loop_walk_once(struct host *host, const struct node *node, const struct host_count *count)
{
	uint64_t outer = host->count, most = UINT64_MAX / 2;
	size_t mark = host->trail_count;
	bool known = host->count_known;
	unsigned uncertain = host->uncertain;
	const struct growth *growths;

	host->count_known = known && count && !count->assumed && !count->is_bound;
	if (count)
		host->count = count->iterations && outer > most / count->iterations ? most : outer * count->iterations;
	host_forget_changed(host, node, "it changes in a loop");
	if (count)
		set_middle(host, count);
	for (unsigned i = node->kind == NODE_DO ? 0 : 1; i < node->child_count && (!count || count->iterations > 0); i++)
		host_optional(host, node->children[i]);
	growths = growths_find(host, mark, count);
	if (host_holds_launch(node))
		pass_again(host, node);
	host_forget_after(host, node, mark);
	growths_set(host, growths, count);
	host->count = outer;
	host->count_known = known;
	host->uncertain = uncertain;
}

/* Runs a loop over a range whose elements are counted; false where it has to be walked as any other. */
static bool range_loop(struct host *host, const struct node *node, enum run_end *end)
{
	struct range_elements elements = {NULL, NULL, 0};
	const struct node *body = node->children[3];

	if (body->child_count != 2 || body->children[0]->kind != NODE_DECLARE || !range_read(host, node->children[4], &elements) ||
	    elements.count > RUN_ITERATIONS_MAX)
		return false;
	*end = loop_run(host, node, &elements, RUN_NODES_MAX);
	if (*end != RUN_FAILED && body->children[0]->declaration->type->shape == SHAPE_REFERENCE &&
	    !body->children[0]->declaration->type->target->is_const && elements.range->kind == CONSTANT_CONTAINER)
		host_store(host, node_strip_casts(node->children[4]), host_container(host, elements.range->parts[0]));
	return *end != RUN_FAILED;
}

/* The body of `do ... while (0)`, as macros have it. */
static bool walk_once(struct host *host, const struct node *node)
{
	return host_optional(host, node->children[0]) || host->jump != JUMP_RETURN;
}

static bool is_once(const struct node *node)
{
	const struct node *condition = node->kind == NODE_DO ? node_strip_casts(node->children[1]) : NULL;

	return condition && condition->kind == NODE_INTEGER && condition->value == 0;
}

bool host_loop(struct host *host, const struct node *node)
{
	enum run_end end = RUN_FAILED;
	bool launches = host_holds_launch(node), counted;
	struct host_count count;

	if (is_once(node))
		return walk_once(host, node);
	if (node->kind == NODE_FOR && node_child(node, 4) && range_loop(host, node, &end))
		return end != RUN_RETURNED;
	if (node->kind == NODE_FOR)
		host_optional(host, node->children[0]);
	counted = (launches || lets_grow(node)) && host_count_iterations(host, node, &count);
	if ((launches || is_worth_running(host, node)) &&
	    (!counted || count.is_bound || !(count.assumed || count.iterations > RUN_ITERATIONS_MAX)))
		end = loop_run(host, node, NULL, launches ? RUN_LAUNCHING_MAX : RUN_NODES_MAX);
	if (end == RUN_FAILED)
		loop_walk_once(host, node, counted ? &count : NULL);
	return end != RUN_RETURNED;
}
