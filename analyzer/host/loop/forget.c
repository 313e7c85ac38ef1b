/*
 * What a loop changes is not known in an iteration, and behind it.
 *
 * Behind a loop that may not have run, or that sets a variable on a branch alone, the variable is assumed to have kept
 * its value: that is what a loop over options leaves of their defaults. Not so where what is set depends on what was
 * there.
 *
 * A variable that nothing but the loop names, like the state of its random numbers, is of no use to anything behind it.
 */
#include "analyzer/host/library/library.h"
#include "analyzer/host/loop/loop.h"

/* Calls are followed to this depth. */
#define CALLS_MAX 5

struct forgetting {
	struct host *host;
	const char *reason;
	bool keeps_conditional; /* leaves alone what is set on a branch, to something else */
	bool forgets_own;       /* variables that are declared there too */
	unsigned conditional, calls;
};

bool host_is_change(const struct node *node)
{
	return node->kind == NODE_ASSIGN || (node->kind == NODE_UNARY && node->op >= OPERATOR_INCREMENT_BEFORE &&
	                                     node->op <= OPERATOR_DECREMENT_AFTER);
}

/* The object that holds what a node changes by itself, or whose address it takes; NULL where it does neither. */
static const struct node *changed_object(const struct node *node)
{
	const struct node *place;

	if (!host_is_change(node) && !(node->kind == NODE_UNARY && node->op == OPERATOR_ADDRESS))
		return NULL;
	for (place = node_strip_casts(node->children[0]);
	     place && ((place->kind == NODE_MEMBER && !place->is_arrow) || place->kind == NODE_SUBSCRIPT);)
		place = node_strip_casts(place->children[0]);
	return place;
}

struct source_declaration *host_changed_variable(const struct node *node)
{
	return node_variable(changed_object(node));
}

bool host_changes_pointee(const struct node *node)
{
	const struct node *object = changed_object(node);

	return host_is_change(node) && object && (object->kind == NODE_THIS || object->kind == NODE_MEMBER);
}

struct written_name_search {
	const struct source_declaration *variable;
	bool found;
};

static bool name_visit(void *context, const struct node *node)
{
	struct written_name_search *search = context;

	search->found = search->found || (node->kind == NODE_REFERENCE && node->declaration == search->variable) ||
	                (node->kind == NODE_MEMBER && node->declaration == search->variable);
	return !search->found;
}

/* Whether what is set depends on what was there: x++, x *= 2, x = f(x). */
static bool is_accumulating(const struct node *node)
{
	const struct node *place = node_strip_casts(node->children[0]);
	struct written_name_search search = {place->kind == NODE_MEMBER ? place->declaration : node_variable(place),
	                                     false};

	if (node->kind != NODE_ASSIGN || node->op != OPERATOR_NONE)
		return true;
	node_visit(node->children[1], name_visit, &search);
	return search.found;
}

static void forget_place(struct forgetting *forgetting, const struct node *node)
{
	struct host *host = forgetting->host;
	const struct node *place = node->children[0];
	struct host_place at;

	if (!place || (node->kind == NODE_UNARY && node->op == OPERATOR_ADDRESS && !type_is_integral(place->type)))
		return;
	if (forgetting->keeps_conditional && node->op != OPERATOR_ADDRESS && forgetting->conditional &&
	    !is_accumulating(node))
		return;
	at = host_place_of(host, place);
	if (at.variable && place->type && type_strip_reference(place->type)->shape != SHAPE_POINTER)
		host_write(host, at, place->type, host_unknown(host, forgetting->reason));
}

static void forget(struct forgetting *forgetting, const struct node *node);

/* What a function of the file changes, its parameters bound to what it is called with. */
static void forget_call(struct forgetting *forgetting, const struct node *node)
{
	struct host *host = forgetting->host;
	const struct source_function *function = node->declaration ? node->declaration->function : NULL;
	struct host_place outer = host->object, object;

	if (!function || !function->body || function->is_kernel || function->in_system_header ||
	    function->constructed || forgetting->calls == CALLS_MAX)
		return;
	object = host_object(host, node);
	for (unsigned i = 0; i < function->parameter_count && i + 1 < node->child_count; i++) {
		struct source_declaration *parameter = function->parameters[i];
		const struct host_constant *unknown = host_unknown(host, forgetting->reason);

		if (parameter->type->shape == SHAPE_REFERENCE)
			host_bind(host, parameter, node->children[i + 1], unknown);
		else if (parameter->type->shape == SHAPE_POINTER)
			host_set(host, parameter, host_evaluate(host, node->children[i + 1]));
		else
			host_set(host, parameter, unknown);
	}
	forgetting->calls++;
	host->object = object;
	forget(forgetting, function->body);
	host->object = outer;
	forgetting->calls--;
}

/* How many elements a container has that a method of the system's lets grow or shrink. */
static void forget_elements(struct forgetting *forgetting, const struct node *node)
{
	static const char *const names[] = {"push_back", "emplace_back", "pop_back", "push_front", "pop_front", NULL};
	const struct node *object = node_strip_casts(node->children[0]);
	const struct host_constant *container;
	struct host_place place;

	if (!object || !node->declaration || !host_is_one_of(node->declaration->name, names))
		return;
	place = host_object(forgetting->host, node);
	container = place.variable && place.is_exact ? host_read(forgetting->host, place, object->type) : NULL;
	if (container && container->kind == CONSTANT_CONTAINER)
		host_write(forgetting->host, place, object->type,
		           host_container(forgetting->host, host_unknown(forgetting->host, forgetting->reason)));
}

static void forget(struct forgetting *forgetting, const struct node *node)
{
	bool is_branch = node->kind == NODE_IF || node->kind == NODE_SWITCH || node->kind == NODE_CONDITIONAL;

	if (forgetting->host->budget == 0)
		return;
	forgetting->host->budget--;
	forgetting->conditional += is_branch;
	for (unsigned i = 0; i < node->child_count; i++)
		if (node->children[i])
			forget(forgetting, node->children[i]);
	forgetting->conditional -= is_branch;
	if (host_is_change(node) || host_changed_variable(node))
		forget_place(forgetting, node);
	else if (node->kind == NODE_DECLARE && forgetting->forgets_own && !node->declaration->is_global)
		host_set(forgetting->host, node->declaration, host_unknown(forgetting->host, forgetting->reason));
	if (node->kind != NODE_CALL)
		return;
	forget_elements(forgetting, node);
	forget_call(forgetting, node);
}

void host_forget_changed(struct host *host, const struct node *node, const char *reason)
{
	struct forgetting forgetting = {.host = host, .reason = reason};

	forget(&forgetting, node);
}

void host_forget_iteration(struct host *host, const struct node *node, const char *reason)
{
	struct forgetting forgetting = {.host = host, .reason = reason, .forgets_own = true};

	forget(&forgetting, node);
}

void host_forget_after(struct host *host, const struct node *loop, size_t mark)
{
	struct forgetting forgetting = {.host = host, .reason = "it changes in a loop"};
	struct host_changes changes, none = {NULL, 0};

	forget(&forgetting, loop);
	changes = host_undo(host, mark);
	host_join_changes(host, &changes, &none);
	forgetting.keeps_conditional = true;
	forget(&forgetting, loop);
}

/* ---- what outlives a loop ------------------------------------------------------------------ */

struct name_count {
	const struct source_declaration *variable;
	unsigned names;
	bool declared, hidden; /* hidden: something may name the variable where it is not seen */
};

static bool count_visit(void *context, const struct node *node)
{
	struct name_count *count = context;

	count->names += node->kind == NODE_REFERENCE && node->declaration == count->variable;
	count->declared = count->declared || (node->kind == NODE_DECLARE && node->declaration == count->variable);
	count->hidden = count->hidden || node->kind == NODE_LAMBDA ||
	                (node->kind == NODE_UNARY && node->op == OPERATOR_ADDRESS &&
	                 host_changed_variable(node) == count->variable);
	return !count->hidden;
}

/* Whether a variable of the function that is walked is named by the loop alone. */
static bool stays_inside(const struct host *host, const struct node *loop, const struct source_declaration *variable)
{
	const struct source_function *function = host->stack[host->stack_depth - 1];
	struct name_count all = {.variable = variable}, inside = all;

	if (variable->is_global || !variable->type || variable->type->shape == SHAPE_REFERENCE)
		return false;
	node_visit(function->body, count_visit, &all);
	node_visit(loop, count_visit, &inside);
	return all.declared && !all.hidden && all.names == inside.names;
}

struct pointer_search {
	const struct host *host;
	const struct node *loop;
	bool found;
};

/* Pointers are not forgotten, so that they are looked for by themselves. */
static bool pointer_visit(void *context, const struct node *node)
{
	struct pointer_search *search = context;
	const struct source_declaration *variable =
		host_changed_variable(node) ? node_variable(node->children[0]) : NULL;

	if (variable && variable->type && variable->type->shape == SHAPE_POINTER)
		search->found = search->found || !stays_inside(search->host, search->loop, variable);
	return !search->found;
}

bool host_outlives(struct host *host, const struct node *loop)
{
	struct pointer_search search = {host, loop, false};
	size_t mark = host->trail_count;
	unsigned long budget = host->budget;
	struct host_changes changes;

	node_visit(loop, pointer_visit, &search);
	if (search.found)
		return true;
	host_forget_changed(host, loop, "it changes in a loop");
	search.found = host->budget == 0;
	host->budget = budget;
	changes = host_undo(host, mark);
	for (unsigned i = 0; i < changes.count && !search.found; i++)
		search.found = !stays_inside(host, loop, changes.list[i].variable);
	return search.found;
}
