/*
 * Loops that are run iteration by iteration, while everything they decide on is known.
 */
#include "analyzer/host/loop/loop.h"

/* ---- iterations ------------------------------------------------------------------------------------------ */

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

	for (unsigned i = 0; i < HOST_RUN_ITERATIONS; i++) {
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

/* Where that fails all is as it was before. */
static enum run_end run(struct host *host, const struct node *node, const struct range_elements *range, unsigned long most)
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

enum run_end host_run(struct host *host, const struct node *node, unsigned long most)
{
	return run(host, node, NULL, most);
}

bool host_run_range(struct host *host, const struct node *node, enum run_end *end)
{
	struct range_elements elements = {NULL, NULL, 0};
	const struct node *body = node->children[3];

	if (body->child_count != 2 || body->children[0]->kind != NODE_DECLARE || !range_read(host, node->children[4], &elements) ||
	    elements.count > HOST_RUN_ITERATIONS)
		return false;
	*end = run(host, node, &elements, HOST_RUN_NODES);
	if (*end != RUN_FAILED && body->children[0]->declaration->type->shape == SHAPE_REFERENCE &&
	    !body->children[0]->declaration->type->target->is_const && elements.range->kind == CONSTANT_CONTAINER)
		host_store(host, node_strip_casts(node->children[4]), host_container(host, elements.range->parts[0]));
	return *end != RUN_FAILED;
}
