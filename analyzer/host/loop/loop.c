/*
 * Loops of the host: with which values they launch.
 *
 * A loop that launches, or that sets an integer for what follows, is run iteration by iteration while everything it
 * decides on is known and it takes no more than a few thousand steps. Longer ones that can be counted are walked by
 * stretches of iterations that do the same; those that launch, once, with the variable's value in the middle iteration,
 * which is assumed. All others have their body walked once, with nothing known about what they change.
 */
#include "analyzer/host/loop/loop.h"

#include <string.h>

#define RUN_LAUNCHING_MAX 400000ul /* of a loop that launches */
#define RUN_INSIDE_MAX 4000ul /* of a loop that launches nothing, inside of one that is run or walked by stretches */
#define RUN_SHORT 64          /* iterations */

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

/* Whether an object of the system's that is called has nothing to call itself: those that make random numbers. */
static bool is_random(const struct node *object)
{
	static const char *const names[] = {"_distribution", "_engine", "mt19937",
	                                    "minstd_rand",   "ranlux",  "random_device"};
	const char *spelling = object && object->type ? type_strip_reference(object->type)->type.spelling : NULL;

	for (unsigned i = 0; spelling && i < ARRAY_COUNT(names); i++)
		if (strstr(spelling, names[i]))
			return true;
	return false;
}

static bool launch_visit(void *context, const struct node *node)
{
	bool *found = context;

	if (node->kind == NODE_LAUNCH)
		*found = true;
	if (node->kind == NODE_CALL && node->declaration && node->declaration->function)
		*found = *found || node->declaration->function->launches ||
		         host_is_launch_call(node->declaration->name) ||
		         (node->declaration->in_system_header && strcmp(node->declaration->name, "operator()") == 0 &&
		          !is_random(node->children[0]));
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

	return left && left->kind == NODE_CALL && left->declaration &&
	       strcmp(left->declaration->name, "operator[]") == 0;
}

/* A pointer into a text, as is moved over what is not wanted. */
static bool is_text(const struct source_type *type)
{
	return type && type->shape == SHAPE_POINTER && type->target && type->target->type.size_bytes == 1;
}

/* `for (g.x = 1; g.x < n; g.x *= 2);`: the loop is there for its counter. */
static bool is_counter_kept(const struct node *node)
{
	const struct node *body = node->children[3];

	return !body || body->kind == NODE_NOTHING || (body->kind == NODE_BLOCK && body->child_count == 0);
}

/*
 * What a loop leaves behind: an integer that it sets by itself and that is no loop's counter (`while (p < n) p *= 2`),
 * or not its only one; or something else: a container that it lets grow, an element of one, what it has the words of a
 * command line say, where in a text it comes to, what it looks for and the function returns.
 */
struct loop_results {
	bool integer, other;
};

static bool result_visit(void *context, const struct node *node)
{
	struct loop_results *results = context;
	bool is_set = (host_changed_variable(node) && node->op != OPERATOR_ADDRESS) || host_changes_pointee(node);

	if (node->kind == NODE_FOR) {
		const struct node *increment = node_strip_casts(node->children[2]);

		node_visit(node->children[3], result_visit, context);
		if (increment &&
		    (is_counter_kept(node) || (increment->kind == NODE_BINARY && increment->op == OPERATOR_COMMA)))
			node_visit(increment, result_visit, context);
		return false;
	}
	if (is_set && type_is_integral(node->type))
		results->integer = true;
	if (host_changed_variable(node) && node->op != OPERATOR_ADDRESS && is_text(node->type))
		results->other = true;
	if (node->kind == NODE_CALL && node->declaration &&
	    (strstr(node->declaration->name, "_back") || gives_text(node)))
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

/* Whether a loop that launches nothing has an end that others may ask for. Short ones are run before that is found out.
 */
static bool is_worth_running(struct host *host, const struct node *node)
{
	struct loop_results results = {false, false};
	double iterations;

	node_visit(node, result_visit, &results);
	if (!results.integer && !results.other)
		return false;
	iterations = iterations_nested(host, node);
	return iterations <= HOST_RUN_NODES &&
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
	middle->reason =
		arena_printf(host->arena, "it changes in a loop; this is iteration %llu of %llu",
	                     (unsigned long long)count->iterations / 2 + 1, (unsigned long long)count->iterations);
	host_set(host, count->variable, middle);
}

/* What the next iteration passes to launches: pointers that the body swaps. What it launches and changes is taken back.
 */
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

/* Whether a launch below a node stands on a branch. */
static bool launches_on_branch(const struct node *node)
{
	bool branches = node->kind == NODE_IF || node->kind == NODE_SWITCH;

	if (branches && host_holds_launch(node))
		return true;
	for (unsigned i = 0; i < node->child_count; i++)
		if (node->children[i] && launches_on_branch(node->children[i]))
			return true;
	return false;
}

/* Walks the body once, whatever its iteration; count is NULL where the iterations are not known. */
static void loop_walk_once(struct host *host, const struct node *node, const struct host_count *count)
{
	uint64_t outer = host->count, most = UINT64_MAX / 2;
	size_t mark = host->trail_count;
	bool known = host->count_known;
	unsigned uncertain = host->uncertain;

	host->count_known = known && count && !count->assumed && !count->is_bound;
	if (count)
		host->count = count->iterations && outer > most / count->iterations ? most : outer * count->iterations;
	host_forget_changed(host, node, "it changes in a loop");
	if (count)
		set_middle(host, count);
	for (unsigned i = node->kind == NODE_DO ? 0 : 1; i < node->child_count && (!count || count->iterations > 0);
	     i++)
		host_optional(host, node->children[i]);
	if (host_holds_launch(node))
		pass_again(host, node);
	host_forget_after(host, node, mark);
	host->count = outer;
	host->count_known = known;
	host->uncertain = uncertain;
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

/* What a loop that launches nothing leaves: walked by stretches where it is long, and run where these lose something
 * that is asked for. */
static enum run_end loop_follow(struct host *host, const struct node *node, const struct host_count *count)
{
	bool is_exact = count && !count->assumed && !count->is_bound,
	     is_short = is_exact && count->iterations <= RUN_SHORT;
	bool is_complete = false, is_stretched;
	struct host_changes changes = {NULL, 0};
	size_t mark = host->trail_count;
	enum run_end end = RUN_FAILED;

	is_stretched = is_exact && !is_short && host_stretch_loop(host, node, count, &is_complete);
	if (is_complete)
		return RUN_ENDED;
	if (is_stretched)
		changes = host_undo(host, mark);
	if ((is_short || !is_exact || (count->iterations <= HOST_RUN_ITERATIONS && !host->stretches)) &&
	    is_worth_running(host, node))
		end = host_run(host, node, host->stretches || host->run ? RUN_INSIDE_MAX : HOST_RUN_NODES, NULL);
	if (end == RUN_FAILED && is_stretched) {
		host_redo(host, &changes);
		return RUN_ENDED;
	}
	if (end == RUN_FAILED && is_short && host_stretch_loop(host, node, count, &is_complete))
		return RUN_ENDED;
	return end;
}

/* What a loop leaves whose launches are counted. */
static void loop_forget(struct host *host, const struct node *node, const struct host_count *count)
{
	struct host_run dropped = {.list = NULL};

	host->run = &dropped;
	loop_walk_once(host, node, count);
	host->run = NULL;
}

/* A loop that launches; `count` is NULL where its iterations are not known. */
static enum run_end loop_launch(struct host *host, const struct node *node, const struct host_count *count)
{
	bool is_exact = count && !count->assumed && !count->is_bound,
	     is_long = count && count->iterations > HOST_RUN_ITERATIONS;
	const struct host_count *sampled = is_exact && launches_on_branch(node) ? count : NULL;
	enum run_end end = RUN_FAILED;

	if (!count || count->is_bound || !(count->assumed || is_long) || sampled)
		end = host_run(host, node, RUN_LAUNCHING_MAX, sampled);
	if (end == RUN_SAMPLED)
		loop_forget(host, node, count);
	return end;
}

/* The loop, one for all times that it is come to on the same way. */
static const struct launch_loop *loop_of(struct host *host, const struct node *node)
{
	struct launch_loop *loop;

	for (unsigned i = host->loop_count; i-- > 0;)
		if (host->loops[i]->around == host->loop && host->loops[i]->statement == node)
			return host->loops[i];
	loop = arena_alloc(host->arena, sizeof(*loop));
	*loop = (struct launch_loop){host->loop, node};
	ARENA_PUSH(host->arena, host->loops, host->loop_count, loop);
	return loop;
}

static bool loop_walk(struct host *host, const struct node *node)
{
	enum run_end end;
	bool launches = host_holds_launch(node), counted;
	size_t mark = host->trail_count;
	struct host_count count;

	if (node->kind == NODE_FOR && node_child(node, 4) && host_run_range(host, node, &end))
		return end != RUN_RETURNED;
	if (node->kind == NODE_FOR)
		host_optional(host, node->children[0]);
	counted = host_count_iterations(host, node, &count);
	host->silent_loops += !launches;
	end = launches ? loop_launch(host, node, counted ? &count : NULL)
	               : loop_follow(host, node, counted ? &count : NULL);
	if (end == RUN_FAILED)
		loop_walk_once(host, node, launches && counted ? &count : NULL);
	host->silent_loops -= !launches;
	if (!launches && host->silent_loops == 0 && end != RUN_RETURNED)
		host_count_conditional(host, node, mark);
	return end != RUN_RETURNED;
}

bool host_loop(struct host *host, const struct node *node)
{
	const struct launch_loop *around = host->loop;
	bool goes_on;

	if (is_once(node))
		return walk_once(host, node);
	if (host_holds_launch(node))
		host->loop = loop_of(host, node);
	goes_on = loop_walk(host, node);
	host->loop = around;
	return goes_on;
}
