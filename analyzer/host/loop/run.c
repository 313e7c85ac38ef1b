/*
 * Loops that are run iteration by iteration, while everything they decide on is known. Where a counted loop is too long
 * for that, the launches of the iterations that were run stand for those of all: those with which the second half of
 * them repeats itself for the rest.
 */
#include "analyzer/host/loop/loop.h"

/* ---- iterations ------------------------------------------------------------------------------------------ */

/* Launches that a loop had made at the end of each iteration. */
struct iterations {
	unsigned *ends, count;
	bool is_cut; /* all was known until the loop was too long */
};

/* One iteration of a loop behind its condition; *left becomes true where a jump leaves the loop. */
static bool run_iteration(struct host *host, const struct node *node, bool *left)
{
	bool is_for = node->kind == NODE_FOR;

	*left = !host_optional(host, node->children[is_for                  ? 3
	                                            : node->kind == NODE_DO ? 0
	                                                                    : 2]) &&
	        host->jump != JUMP_CONTINUE;
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

/* ---- iterations that are all the same ---------------------------------------------------------------------- */

/* Above so many changes an iteration is not compared with the one before. */
#define CHANGES_COMPARED 1024

/* Whether what was set since a mark is what it was then, but for the loop's variable. */
static bool state_is_as_before(const struct host *host, size_t mark, const struct source_declaration *counter)
{
	bool same = host->trail_count - mark <= CHANGES_COMPARED;

	for (size_t i = mark; same && i < host->trail_count; i++) {
		const struct host_change *change = &host->trail[i];
		bool is_first = change->variable != counter;

		for (size_t k = mark; is_first && k < i; k++)
			is_first = host->trail[k].variable != change->variable;
		same = !is_first || host_same(change->before, host->environment[change->variable->slot]);
	}
	return same;
}

struct counter_search {
	const struct source_declaration *variable;
	bool found;
};

static bool counter_visit(void *context, const struct node *node)
{
	struct counter_search *search = context;

	search->found = search->found || (node->kind == NODE_REFERENCE && node->declaration == search->variable);
	return !search->found;
}

/*
 * Whether all iterations that are left do what the last one did: it left all as it found it, and its body does not name
 * the counter. Then what it launched and copied counts for them, too, and the counter is set.
 */
static bool iterations_repeat(struct host *host, const struct node *node, size_t mark, unsigned launches,
                              unsigned copies)
{
	struct counter_search search = {NULL, false};
	struct host_count left;

	if (node->kind != NODE_FOR || !node->children[3] || !host_count_iterations(host, node, &left) || left.assumed ||
	    left.is_bound || left.iterations < 2 || left.by == 0)
		return false;
	search.variable = left.variable;
	node_visit(node->children[3], counter_visit, &search);
	if (search.found || !state_is_as_before(host, mark, left.variable))
		return false;
	for (unsigned i = launches; i < host->run->count; i++)
		host->run->list[i].launch->count *= left.iterations + 1;
	for (unsigned i = copies; i < host->copy_count; i++)
		host->copies[i].times *= left.iterations + 1;
	host_set(host, left.variable, host_integer(host, left.start + left.by * (int64_t)left.iterations));
	return true;
}

static enum run_end run_iterations(struct host *host, const struct node *node, struct iterations *iterations)
{
	bool holds = true, left = false;

	for (unsigned i = 0; i < HOST_RUN_ITERATIONS; i++) {
		size_t mark = host->trail_count;
		unsigned launches = host->run->count, copies = host->copy_count, graphs = host->graph_count;

		if ((node->kind != NODE_DO || i > 0) && !run_condition(host, node, &holds))
			return RUN_FAILED;
		if (!holds)
			return RUN_ENDED;
		if (!run_iteration(host, node, &left)) {
			iterations->is_cut = host->uncertain == 0;
			return RUN_FAILED;
		}
		if (left)
			return host->jump == JUMP_RETURN ? RUN_RETURNED : RUN_ENDED;
		ARENA_PUSH(host->arena, iterations->ends, iterations->count, host->run->count);
		if (!host->capture && graphs == host->graph_count &&
		    iterations_repeat(host, node, mark, launches, copies))
			return RUN_ENDED;
	}
	iterations->is_cut = true;
	return RUN_FAILED;
}

static unsigned first_launch(const struct iterations *iterations, unsigned i)
{
	return i ? iterations->ends[i - 1] : 0;
}

/* Whether two iterations launch from the same places. */
static bool iterations_alike(const struct host_run *run, const struct iterations *iterations, unsigned a, unsigned b)
{
	unsigned at = first_launch(iterations, a), other = first_launch(iterations, b),
		 count = iterations->ends[a] - at;
	bool alike = iterations->ends[b] - other == count;

	for (unsigned i = 0; alike && i < count; i++)
		alike = host_same_site(&run->list[at + i], &run->list[other + i]);
	return alike;
}

/* After so many iterations those from `begin` on do the same again, as far as they were run. */
static unsigned period_of(const struct host_run *run, const struct iterations *iterations, unsigned begin)
{
	unsigned period = 1, i = begin + 1;

	while (i < iterations->count)
		if (iterations_alike(run, iterations, i, i - period)) {
			i++;
		} else {
			period++;
			i = begin + period;
		}
	return period;
}

/* Counts the launches of the iterations that were run as those of `total` iterations: the last of them go on in turn.
 */
static void launches_weigh(struct host_run *run, const struct iterations *iterations, uint64_t total)
{
	unsigned period = period_of(run, iterations, iterations->count / 2), begin = iterations->count - period;

	for (unsigned i = begin; i < iterations->count; i++)
		for (unsigned l = first_launch(iterations, i); l < iterations->ends[i]; l++)
			run->list[l].launch->count *= (total - i - 1) / period + 1;
	run->count = iterations->ends[iterations->count - 1];
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

static const struct host_constant *range_element(struct host *host, const struct range_elements *elements,
                                                 int64_t number)
{
	const struct host_constant *value =
		elements->element
			? host_record_part(host, elements->range, (uint64_t)number * elements->element->type.size_bytes,
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

/* So many nodes a short loop may take where others have used up all. */
#define RESERVE 4000ul

/* Nodes that a loop may take: of what is left for all loops, or inside of one that is run of what is left for that. */
static unsigned long budget_allow(const struct host *host, unsigned long most)
{
	unsigned long left = host->run ? host->budget : host->run_budget, allowed = left < most ? left : most;

	return !host->run && allowed < RESERVE ? RESERVE : allowed;
}

/* Takes what the loop spent from what it is a part of; what was beyond that from what is left of the walk. */
static void budget_settle(struct host *host, unsigned long budget, unsigned long spent)
{
	bool is_reserve = !host->run && host->run_budget < spent;

	host->budget = host->run || is_reserve ? budget - (spent < budget ? spent : budget) : budget;
	if (!host->run)
		host->run_budget -= is_reserve ? host->run_budget : spent;
}

/* Takes back what a loop did that was not run to its end. */
static void run_undo(struct host *host, size_t mark, const struct host_constant *result, unsigned graphs,
                     unsigned copies)
{
	host_undo(host, mark);
	host->copy_count = copies;
	host->result = result;
	host->graph_count = graphs;
}

/* Where that fails all is as it was before. count: of the iterations, where some may stand for all; or NULL. */
static enum run_end run(struct host *host, const struct node *node, const struct range_elements *range,
                        unsigned long most, const struct host_count *count)
{
	struct host_run own = {.list = NULL}, *outer = host->run, *capture = host->capture;
	struct iterations iterations = {NULL, 0, false};
	unsigned captured = capture ? capture->count : 0, graphs = host->graph_count;
	unsigned copies = host->copy_count;
	const struct host_constant *result = host->result;
	unsigned long budget = host->budget, allowed = budget_allow(host, most);
	unsigned uncertain = host->uncertain, collected;
	size_t mark = host->trail_count;
	enum run_end end;

	host->run = outer ? outer : &own;
	collected = host->run->count;
	host->uncertain = 0;
	host->budget = allowed;
	end = range ? run_range(host, node, range) : run_iterations(host, node, &iterations);
	host->run = outer;
	budget_settle(host, budget, allowed - host->budget);
	host->uncertain = uncertain;
	if (end == RUN_FAILED) {
		run_undo(host, mark, result, graphs, copies);
		host->capture = capture;
		if (capture)
			capture->count = captured;
		if (outer)
			outer->count = collected;
	}
	if (end == RUN_FAILED && count && iterations.is_cut && iterations.count > 1 && !outer && !capture) {
		launches_weigh(&own, &iterations, count->iterations);
		end = RUN_SAMPLED;
	}
	if (end != RUN_FAILED && !outer)
		host_launches_merge(host, &own);
	return end;
}

enum run_end host_run(struct host *host, const struct node *node, unsigned long most, const struct host_count *count)
{
	return run(host, node, NULL, most, count);
}

bool host_run_range(struct host *host, const struct node *node, enum run_end *end)
{
	struct range_elements elements = {NULL, NULL, 0};
	const struct node *body = node->children[3];

	if (body->child_count != 2 || body->children[0]->kind != NODE_DECLARE ||
	    !range_read(host, node->children[4], &elements) || elements.count > HOST_RUN_ITERATIONS)
		return false;
	*end = run(host, node, &elements, HOST_RUN_NODES, NULL);
	if (*end != RUN_FAILED && body->children[0]->declaration->type->shape == SHAPE_REFERENCE &&
	    !body->children[0]->declaration->type->target->is_const && elements.range->kind == CONSTANT_CONTAINER)
		host_store(host, node_strip_casts(node->children[4]), host_container(host, elements.range->parts[0]));
	return *end != RUN_FAILED;
}
