/*
 * Graphs: launches that a stream captures are made where the graph is launched, as often as it is.
 *
 * What cudaStreamBeginCapture() to cudaStreamEndCapture() launches is kept; the graph, and what is instantiated from
 * it, stand for that. A graph that nobody is seen to launch is taken to be launched once.
 */
#include "analyzer/host/library/library.h"

#include <string.h>

static const struct host_constant *graph_value(struct host *host, const struct host_run *graph)
{
	struct host_constant *constant = arena_alloc(host->arena, sizeof(*constant));

	constant->kind = CONSTANT_GRAPH;
	constant->graph = graph;
	constant->reason = "a graph";
	return constant;
}

/* What is captured is counted as if it ran once: how often it does is up to who launches the graph. */
static void capture_begin(struct host *host)
{
	if (host->capture)
		return;
	host->capture = arena_alloc(host->arena, sizeof(*host->capture));
	host->capture->outer_count = host->count;
	host->capture->outer_count_known = host->count_known;
	host->count = 1;
	host->count_known = true;
}

static void capture_end(struct host *host, const struct node *node)
{
	struct host_run *captured = host->capture;

	host->capture = NULL;
	if (!captured)
		return;
	host->count = captured->outer_count;
	host->count_known = captured->outer_count_known;
	ARENA_PUSH(host->arena, host->graphs, host->graph_count, captured);
	host_set_argument(host, node_argument(node, 1), graph_value(host, captured));
}

/* Makes the launches of a graph, as often as the code that launches it runs. */
static void graph_launch(struct host *host, const struct host_run *graph, uint64_t count, bool count_known)
{
	const uint64_t most = UINT64_MAX / 2;
	struct host_run own = {.list = NULL}, *run = host->capture ? host->capture : host->run ? host->run : &own;

	for (unsigned i = 0; i < graph->count; i++) {
		struct host_run_launch one = {arena_alloc(host->arena, sizeof(*one.launch)), graph->list[i].path};

		*one.launch = *graph->list[i].launch;
		one.launch->loop = host->loop;
		one.launch->count = count && one.launch->count > most / count ? most : one.launch->count * count;
		one.launch->count_known = one.launch->count_known && count_known;
		ARENA_PUSH(host->arena, run->list, run->count, one);
	}
	host_launches_merge(host, &own);
}

bool host_graph_call(struct host *host, const struct node *node, const struct host_constant *const *arguments)
{
	const char *name = node->declaration->name;
	unsigned count = node_argument_count(node);

	if (strcmp(name, "cudaStreamBeginCapture") == 0) {
		capture_begin(host);
	} else if (strcmp(name, "cudaStreamEndCapture") == 0 && count == 2) {
		capture_end(host, node);
	} else if (strncmp(name, "cudaGraphInstantiate", strlen("cudaGraphInstantiate")) == 0 && count >= 2 &&
	           arguments[1]->kind == CONSTANT_GRAPH) {
		host_set_argument(host, node_argument(node, 0), arguments[1]);
	} else if (strcmp(name, "cudaGraphLaunch") == 0 && count == 2 && arguments[0]->kind == CONSTANT_GRAPH) {
		for (unsigned i = 0; i < host->graph_count; i++)
			host->graphs[i]->is_replayed =
				host->graphs[i]->is_replayed || host->graphs[i] == arguments[0]->graph;
		graph_launch(host, arguments[0]->graph, host->count, host->count_known);
	} else {
		return false;
	}
	return true;
}

void host_graphs_end(struct host *host)
{
	if (host->capture)
		ARENA_PUSH(host->arena, host->graphs, host->graph_count, host->capture);
	host->capture = NULL;
	for (unsigned i = 0; i < host->graph_count; i++)
		if (!host->graphs[i]->is_replayed)
			graph_launch(host, host->graphs[i], 1, false);
	host->graph_count = 0;
}
