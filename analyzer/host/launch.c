/*
 * Launches: kernel<<<grid, block, shared>>>(arguments) and cudaLaunchKernel, with what constant propagation knows about
 * their numbers.
 */
#include "analyzer/host/host.h"

#include <string.h>

/* Into so many parts the launches of a loop are divided where they differ, each with one that stands for all in it. */
#define PARTS_MOST 3
/* So many different launches of a loop are kept apart. */
#define APART_MOST 4
/* Of one parameter's memory no more pieces are told apart. */
#define PASSED_MOST 16

static struct kernel *kernel_of(const struct host *host, const struct source_function *function)
{
	for (unsigned i = 0; function && i < host->analysis->kernel_count; i++)
		if (host->analysis->kernels[i]->mangled && function->mangled &&
		    host->analysis->kernels[i]->mangled == function->mangled)
			return host->analysis->kernels[i];
	return NULL;
}

/* The axes of a grid or block: a dim3, or a number for x alone. */
static void fill_triple(struct host *host, struct host_value values[3], const struct node *node)
{
	const struct host_constant *constant = node ? host_evaluate(host, node) : host_unknown(host, "it is not given");

	for (unsigned axis = 0; axis < 3; axis++) {
		const struct host_constant *part = constant;

		if (constant->kind == CONSTANT_TRIPLE)
			part = constant->parts[axis];
		else if (constant->kind == CONSTANT_INTEGER && axis > 0)
			part = host_integer(host, 1);
		values[axis] = host_value_of(host, part, NULL);
		values[axis].range = node ? node->range : (struct range){0, 0};
	}
}

static bool same_launch(const struct launch *a, const struct launch *b)
{
	bool same = host_values_equal(&a->shared_bytes, &b->shared_bytes);

	if (a->kernel != b->kernel || a->place.line != b->place.line || a->place.column != b->place.column)
		return false;
	for (unsigned axis = 0; axis < 3; axis++)
		same = same && host_values_equal(&a->grid[axis], &b->grid[axis]) &&
		       host_values_equal(&a->block[axis], &b->block[axis]);
	for (unsigned i = 0; same && i < a->kernel->parameter_count; i++)
		same = host_values_equal(&a->arguments[i], &b->arguments[i]);
	return same;
}

static size_t launch_hash(const struct launch *launch)
{
	uint64_t hash = (uint64_t)launch->place.line * 2654435761u + launch->place.column;

	for (unsigned axis = 0; axis < 3; axis++)
		hash = hash * 1000003 + (uint64_t)launch->grid[axis].value * 31 + (uint64_t)launch->block[axis].value;
	for (unsigned i = 0; i < launch->kernel->parameter_count; i++)
		hash = hash * 1000003 + (uint64_t)launch->arguments[i].value;
	return (size_t)(hash >> 20 ^ hash) % HOST_CHAINS;
}

/* Launches that differ in numbers that are no integers are one, of which these are not known. */
static void reals_join(struct launch *launch, const struct launch *other)
{
	for (unsigned i = 0; i < launch->kernel->parameter_count; i++)
		host_value_join_reals(&launch->arguments[i], &other->arguments[i]);
}

/* A function that is called twice with equal arguments makes the same launch twice: one with the counts added. */
static void launch_add(struct host *host, struct launch *launch)
{
	struct analysis *analysis = host->analysis;
	struct kernel *kernel = launch->kernel;
	struct host_chain **chain = &host->chains[launch_hash(launch)], *link;

	for (link = *chain; link; link = link->next)
		if (same_launch(link->launch, launch)) {
			link->launch->count += launch->count;
			reals_join(link->launch, launch);
			link->launch->count_known = link->launch->count_known && launch->count_known;
			return;
		}
	link = arena_alloc(host->arena, sizeof(*link));
	*link = (struct host_chain){*chain, launch};
	*chain = link;
	ARENA_PUSH(host->arena, kernel->launches, kernel->launch_count, launch);
	ARENA_PUSH(host->arena, analysis->launches, analysis->launch_count, launch);
}

/* Takes down what memory a launch passes for each parameter. */
static void passed_add(struct host *host, const struct launch *launch)
{
	for (unsigned i = 0; i < launch->kernel->parameter_count; i++) {
		struct parameter *parameter = &launch->kernel->parameters[i];
		const struct host_allocation *allocation = launch->arguments[i].allocation;
		bool is_there = !allocation || parameter->passed_count == PASSED_MOST;

		for (unsigned p = 0; p < parameter->passed_count && !is_there; p++)
			is_there = parameter->passed[p] == allocation;
		if (!is_there)
			ARENA_PUSH(host->arena, parameter->passed, parameter->passed_count, allocation);
	}
	host->launches_made++;
}

static void launch_push(struct host *host, struct launch *launch)
{
	struct host_run *run = host->capture ? host->capture : host->run;

	passed_add(host, launch);
	if (run)
		ARENA_PUSH(host->arena, run->list, run->count, (struct host_run_launch){launch, host->path});
	else
		launch_add(host, launch);
}

/* ---- launches of a loop ------------------------------------------------------------------------ */

bool host_same_site(const struct host_run_launch *a, const struct host_run_launch *b)
{
	return a->path == b->path && a->launch->kernel == b->launch->kernel &&
	       a->launch->place.line == b->launch->place.line && a->launch->place.column == b->launch->place.column;
}

/* Whether the kernel's addresses, loops or branches depend on a parameter, or could. */
static bool parameter_matters(const struct kernel *kernel, const struct symbol *symbol)
{
	bool matters = false;

	for (unsigned i = 0; i < kernel->access_count && !matters; i++) {
		const struct access *access = kernel->accesses[i];

		matters = access->element->op == EXPR_UNKNOWN || expr_mentions(access->element, symbol);
		for (const struct guard *guard = access->guard; guard && !matters; guard = guard->parent)
			matters = guard->condition && expr_mentions(guard->condition, symbol);
	}
	for (unsigned i = 0; i < kernel->loop_count && !matters; i++)
		matters = kernel->loops[i]->trips->op == EXPR_UNKNOWN || expr_mentions(kernel->loops[i]->trips, symbol);
	return matters;
}

static bool argument_matters(const struct kernel *kernel, unsigned position)
{
	for (unsigned i = 0; i < kernel->symbol_count; i++)
		if (kernel->symbols[i]->parameter == &kernel->parameters[position] &&
		    parameter_matters(kernel, kernel->symbols[i]))
			return true;
	return false;
}

/* Whether two launches of one place need not take equally long, as far as integers say. */
static bool launch_differs(const struct launch *a, const struct launch *b)
{
	bool differs = host_value_differs(&a->shared_bytes, &b->shared_bytes);

	for (unsigned axis = 0; axis < 3; axis++)
		differs = differs || host_value_differs(&a->grid[axis], &b->grid[axis]) ||
		          host_value_differs(&a->block[axis], &b->block[axis]);
	for (unsigned i = 0; i < a->kernel->parameter_count && !differs; i++)
		differs = host_value_differs(&a->arguments[i], &b->arguments[i]) && argument_matters(a->kernel, i);
	return differs;
}

/* Launches of one place, in the order in which they are made. */
struct launch_list {
	struct launch **list;
	unsigned count;
};

static uint64_t launches_counted(const struct launch_list *launches, unsigned begin, unsigned end)
{
	uint64_t sum = 0;

	for (unsigned i = begin; i < end; i++)
		sum += launches->list[i]->count;
	return sum;
}

/* The first entry from `begin` on up to which so many launches are made. */
static unsigned entry_of(const struct launch_list *launches, unsigned begin, uint64_t number)
{
	unsigned entry = begin;

	for (uint64_t sum = 0; entry + 1 < launches->count && (sum += launches->list[entry]->count) <= number;)
		entry++;
	return entry;
}

/* Adds the launches from `begin` to before `end` as one, the middle one, with their counts. */
static void launches_stand(struct host *host, const struct launch_list *launches, unsigned begin, unsigned end)
{
	struct launch *launch = arena_alloc(host->arena, sizeof(*launch));
	uint64_t before = launches_counted(launches, 0, begin), counted = launches_counted(launches, begin, end);
	bool differs = false;

	*launch = *launches->list[entry_of(launches, begin, counted / 2)];
	launch->count = counted;
	for (unsigned i = begin; i < end; i++) {
		launch->count_known = launch->count_known && launches->list[i]->count_known;
		differs = differs || launch_differs(launch, launches->list[i]);
	}
	if (differs)
		launch->stands_for = arena_printf(
			host->arena, "launch %llu of the %llu that this loop makes stands for those from %llu to %llu",
			(unsigned long long)(before + counted / 2 + 1),
			(unsigned long long)launches_counted(launches, 0, launches->count),
			(unsigned long long)before + 1, (unsigned long long)(before + counted));
	launch_add(host, launch);
}

/* Those of a list that are like its first; the others remain in it. */
static struct launch_list launches_take_alike(struct host *host, struct launch_list *launches)
{
	struct launch_list alike = {NULL, 0};
	unsigned kept = 0;

	for (unsigned i = 0; i < launches->count; i++)
		if (i > 0 && launch_differs(alike.list[0], launches->list[i]))
			launches->list[kept++] = launches->list[i];
		else
			ARENA_PUSH(host->arena, alike.list, alike.count, launches->list[i]);
	launches->count = kept;
	return alike;
}

/* Adds each launch that differs from the others by itself; false where there are more than APART_MOST, of which none is
 * added. */
static bool launches_add_apart(struct host *host, const struct launch_list *launches)
{
	struct launch_list alike[APART_MOST], left = {NULL, 0};
	unsigned count = 0;

	for (unsigned i = 0; i < launches->count; i++)
		ARENA_PUSH(host->arena, left.list, left.count, launches->list[i]);
	for (; left.count && count < APART_MOST; count++)
		alike[count] = launches_take_alike(host, &left);
	for (unsigned i = 0; i < count && !left.count; i++)
		launches_stand(host, &alike[i], 0, alike[i].count);
	return !left.count;
}

/* Adds all launches of one place, those from `first` on: each that differs, or where these are many, some for all. */
static void launches_add(struct host *host, const struct host_run *run, unsigned first, bool *is_added)
{
	struct launch_list launches = {NULL, 0};
	uint64_t all;
	unsigned begin = 0, end;

	for (unsigned i = first; i < run->count; i++)
		if (host_same_site(&run->list[first], &run->list[i])) {
			is_added[i] = true;
			ARENA_PUSH(host->arena, launches.list, launches.count, run->list[i].launch);
		}
	if (launches_add_apart(host, &launches))
		return;
	all = launches_counted(&launches, 0, launches.count);
	for (unsigned part = 1; part <= PARTS_MOST && begin < launches.count; part++, begin = end) {
		end = part < PARTS_MOST ? entry_of(&launches, 0, all * part / PARTS_MOST) : launches.count;
		if (end > begin)
			launches_stand(host, &launches, begin, end);
	}
}

void host_launches_merge(struct host *host, const struct host_run *run)
{
	bool *is_added = arena_array(host->arena, run->count + 1, sizeof(*is_added));

	for (unsigned i = 0; i < run->count; i++)
		if (!is_added[i])
			launches_add(host, run, i, is_added);
}

static struct launch *launch_create(struct host *host, struct kernel *kernel, const struct node *node)
{
	struct launch *launch = arena_alloc(host->arena, sizeof(*launch));

	launch->kernel = kernel;
	launch->place = node->place;
	launch->range = node->range;
	launch->count = host->count;
	launch->loop = host->loop;
	launch->launches_before = host->launches_made;
	launch->count_known = host->count_known;
	launch->arguments = arena_array(host->arena, kernel->parameter_count + 1, sizeof(*launch->arguments));
	for (unsigned i = 0; i < kernel->parameter_count; i++)
		launch->arguments[i].reason = "it is not given";
	return launch;
}

/* The function that is launched: named, or the value of an expression. */
static struct source_function *launched_function(struct host *host, const struct node *node)
{
	const struct node *callee = node_child(node->children[0], 0);

	if (node->declaration && node->declaration->function)
		return node->declaration->function;
	return callee ? host_evaluate(host, callee)->function : NULL;
}

/* Says that a launch is not found among those of kernels; not where the kernel is in no file that was read, or a
 * template without instances. */
static void launch_note(struct host *host, const struct node *node, const struct source_function *function)
{
	host->misses_calls = host->misses_calls || !function;
	if (!function && !host->run)
		diagnostics_report(host->unit->diagnostics, SEVERITY_NOTE, node->place,
		                   "this launch is left out: which kernel it launches is not known; --observe sees it");
}

void host_launch(struct host *host, const struct node *node)
{
	const struct node *configuration = node->children[0];
	const struct source_function *function = launched_function(host, node);
	struct kernel *kernel = kernel_of(host, function);
	struct launch *launch;

	for (unsigned i = 1; i < node->child_count && !kernel; i++)
		host_evaluate(host, node->children[i]);
	if (!kernel) {
		launch_note(host, node, function);
		return;
	}
	launch = launch_create(host, kernel, node);
	fill_triple(host, launch->grid, node_argument(configuration, 0));
	fill_triple(host, launch->block, node_argument(configuration, 1));
	if (node_argument(configuration, 2) && node_argument(configuration, 2)->kind != NODE_OPAQUE)
		launch->shared_bytes = host_value_of(host, host_evaluate(host, node_argument(configuration, 2)),
		                                     node_argument(configuration, 2));
	else
		launch->shared_bytes = host_value_of(host, host_integer(host, 0), NULL);
	for (unsigned i = 0; i < kernel->parameter_count && i + 1 < node->child_count; i++)
		launch->arguments[i] = host_argument_value(host, &kernel->parameters[i], node->children[i + 1]);
	launch_push(host, launch);
}

/* ---- cudaLaunchKernel ------------------------------------------------------------------------ */

/* The variables whose addresses an array of pointers holds: void *arguments[] = {&n, &p}. */
static const struct node *argument_list(const struct node *node)
{
	const struct source_declaration *variable = node_variable(node);
	const struct node *list = variable ? variable->initializer : node;

	list = node_strip_casts(list);
	return list && list->kind == NODE_LIST ? list : NULL;
}

static void fill_argument(struct host *host, const struct parameter *parameter, struct host_value *value,
                          const struct node *address)
{
	address = node_strip_casts(address);
	if (address && address->kind == NODE_UNARY && address->op == OPERATOR_ADDRESS)
		*value = host_argument_value(host, parameter, address->children[0]);
}

static void fill_arguments(struct host *host, struct launch *launch, const struct node *addresses)
{
	const struct node *list = argument_list(addresses);

	for (unsigned i = 0; list && i < launch->kernel->parameter_count && i < list->child_count; i++)
		fill_argument(host, &launch->kernel->parameters[i], &launch->arguments[i], list->children[i]);
}

static void fill_axes(struct host *host, struct host_value values[3], const struct host_constant *constant,
                      const struct node *node)
{
	for (unsigned axis = 0; axis < 3; axis++) {
		values[axis] = host_value_of(host,
		                             constant ? constant->parts[axis]
		                                      : host_unknown(host, "the configuration does not set it"),
		                             NULL);
		values[axis].range = node->range;
	}
}

/* Grid, block and shared memory from a cudaLaunchConfig_t: two dim3 and a size_t, which is 0 where it is not set. */
static void fill_configuration(struct host *host, struct launch *launch, const struct node *node)
{
	const uint64_t dim3_bytes = 12;
	const struct source_type size = {.shape = SHAPE_INTEGER};
	const struct host_constant *configuration = host_evaluate(host, node), *shared;

	if (configuration->kind == CONSTANT_ADDRESS)
		configuration = host->environment[configuration->variable->slot];
	configuration = configuration ? configuration : host_unknown(host, "a configuration that is not known");
	fill_axes(host, launch->grid, host_record_triple(host, configuration, 0), node);
	fill_axes(host, launch->block, host_record_triple(host, configuration, dim3_bytes), node);
	shared = host_record_part(host, configuration, 2 * dim3_bytes, &size);
	launch->shared_bytes = host_value_of(host, shared ? shared : host_integer(host, 0), NULL);
}

/* cudaLaunchKernelEx(&configuration, kernel, arguments...), and cudaLaunchKernelExC, which has an array of pointers to
 * them. */
static void launch_by_configuration(struct host *host, const struct node *node, const struct host_constant *function)
{
	struct kernel *kernel = kernel_of(host, function->function);
	bool is_array = strcmp(node->declaration->name, "cudaLaunchKernelExC") == 0;
	struct launch *launch;

	if (!kernel) {
		launch_note(host, node, function->function);
		return;
	}
	launch = launch_create(host, kernel, node);
	fill_configuration(host, launch, node_argument(node, 0));
	if (is_array)
		fill_arguments(host, launch, node_argument(node, 2));
	for (unsigned i = 0; !is_array && i < kernel->parameter_count && node_argument(node, 2 + i); i++)
		launch->arguments[i] = host_argument_value(host, &kernel->parameters[i], node_argument(node, 2 + i));
	launch_push(host, launch);
}

static void launch_by_kernel(struct host *host, const struct node *node, const struct host_constant *function)
{
	struct kernel *kernel = kernel_of(host, function->function);
	const struct node *shared = node_argument(node, 4);
	struct launch *launch;

	if (!kernel) {
		launch_note(host, node, function->function);
		return;
	}
	launch = launch_create(host, kernel, node);
	fill_triple(host, launch->grid, node_argument(node, 1));
	fill_triple(host, launch->block, node_argument(node, 2));
	launch->shared_bytes =
		host_value_of(host, shared ? host_evaluate(host, shared) : host_integer(host, 0), shared);
	fill_arguments(host, launch, node_argument(node, 3));
	launch_push(host, launch);
}

void host_launch_by_call(struct host *host, const struct node *node)
{
	const char *name = node->declaration->name;

	if (strcmp(name, "cuLaunchKernel") == 0 || strcmp(name, "cudaLaunch") == 0 ||
	    strcmp(name, "cuLaunchKernelEx") == 0) {
		launch_note(host, node, NULL);
		return;
	}
	if (!host_is_launch_call(name) || node->child_count < 3 || strcmp(name, "cudaGraphLaunch") == 0)
		return;
	if (strncmp(name, "cudaLaunchKernelEx", strlen("cudaLaunchKernelEx")) == 0)
		launch_by_configuration(host, node, host_evaluate(host, node_argument(node, 1)));
	else
		launch_by_kernel(host, node, host_evaluate(host, node_argument(node, 0)));
}
