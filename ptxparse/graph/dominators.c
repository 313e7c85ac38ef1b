/*
 * Depth-first trees and dominators of a graph.
 *
 * Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph" (TOPLAS 1979), the simple version with
 * path compression: O(edges log nodes). Post-dominators are the dominators of the reversed graph.
 */
#include <string.h>

#include "ptxparse/graph/passes.h"

static uint32_t *numbers(struct arena *scratch, size_t count, uint32_t value)
{
	uint32_t *array = arena_array(scratch, count ? count : 1, sizeof *array);
	for (size_t i = 0; value && i < count; i++)
		array[i] = value;
	return array;
}

/* ---- graphs ----------------------------------------------------------------------- */

static struct graph_edges edges_create(struct arena *scratch, uint32_t nodes, const uint32_t *from, const uint32_t *to,
                                       size_t count)
{
	struct graph_edges edges = {numbers(scratch, (size_t)nodes + 2, 0), numbers(scratch, count, 0)};
	for (size_t i = 0; i < count; i++)
		edges.first[from[i] + 2]++;
	for (uint32_t n = 0; n < nodes; n++)
		edges.first[n + 2] += edges.first[n + 1];
	for (size_t i = 0; i < count; i++)
		edges.to[edges.first[from[i] + 1]++] = to[i];
	return edges;
}

struct graph graph_create(struct arena *scratch, uint32_t nodes, const uint32_t *from, const uint32_t *to, size_t count)
{
	return (struct graph){nodes, edges_create(scratch, nodes, from, to, count),
	                      edges_create(scratch, nodes, to, from, count)};
}

struct graph graph_reverse(const struct graph *graph)
{
	return (struct graph){graph->count, graph->predecessors, graph->successors};
}

/* ---- the depth-first tree ------------------------------------------------------------ */

static void node_enter(struct graph_tree *walk, uint32_t node, uint32_t parent)
{
	walk->number[node] = walk->count;
	walk->node[walk->count] = node;
	walk->parent[walk->count] = parent;
	walk->descendants[walk->count] = 1;
	walk->count++;
}

/* The next successor of a node, by its cursor, that was not met yet, or GRAPH_NO_NODE. */
static uint32_t successor_next(const struct graph *graph, const struct graph_tree *walk, uint32_t node,
                               uint32_t *cursor)
{
	while (*cursor < graph->successors.first[node + 1]) {
		uint32_t next = graph->successors.to[(*cursor)++];
		if (walk->number[next] == GRAPH_NO_NODE)
			return next;
	}
	return GRAPH_NO_NODE;
}

struct graph_tree graph_depth_first(struct arena *scratch, const struct graph *graph, uint32_t root)
{
	uint32_t count = graph->count, left = 0, at = 0, *cursor = numbers(scratch, count, 0);
	struct graph_tree walk = {0,
	                          numbers(scratch, count, GRAPH_NO_NODE),
	                          numbers(scratch, count, 0),
	                          numbers(scratch, count, 0),
	                          numbers(scratch, count, 0),
	                          numbers(scratch, count, 0)};
	memcpy(cursor, graph->successors.first, count * sizeof *cursor);
	node_enter(&walk, root, 0);
	for (;;) {
		uint32_t node = walk.node[at], next = successor_next(graph, &walk, node, &cursor[node]);
		if (next != GRAPH_NO_NODE) {
			node_enter(&walk, next, at);
			at = walk.count - 1;
			continue;
		}
		walk.finished[left++] = node;
		if (at == 0)
			return walk;
		walk.descendants[walk.parent[at]] += walk.descendants[at];
		at = walk.parent[at];
	}
}

/* ---- dominators ------------------------------------------------------------------------- */

/* All by number in the depth-first tree. */
struct forest {
	uint32_t *semi;     /* semidominator */
	uint32_t *ancestor; /* in the forest linked so far, shortened as it is walked; GRAPH_NO_NODE for roots */
	uint32_t *label;    /* the number with the least semidominator on the way up */
	uint32_t *path;
};

/* Walks up to the root of v's tree, and back down letting every number on the way point to it. */
static void path_compress(struct forest *forest, uint32_t v)
{
	uint32_t length = 0;
	while (forest->ancestor[forest->ancestor[v]] != GRAPH_NO_NODE) {
		forest->path[length++] = v;
		v = forest->ancestor[v];
	}
	while (length > 0) {
		uint32_t w = forest->path[--length], above = forest->ancestor[w];
		if (forest->semi[forest->label[above]] < forest->semi[forest->label[w]])
			forest->label[w] = forest->label[above];
		forest->ancestor[w] = forest->ancestor[above];
	}
}

static uint32_t least_on_path(struct forest *forest, uint32_t v)
{
	if (forest->ancestor[v] != GRAPH_NO_NODE)
		path_compress(forest, v);
	return forest->label[v];
}

static struct forest forest_create(struct arena *scratch, uint32_t count)
{
	struct forest forest = {numbers(scratch, count, 0), numbers(scratch, count, GRAPH_NO_NODE),
	                        numbers(scratch, count, 0), numbers(scratch, count, 0)};
	for (uint32_t i = 0; i < count; i++)
		forest.semi[i] = forest.label[i] = i;
	return forest;
}

static void semidominator_find(const struct graph *graph, const struct graph_tree *walk, struct forest *forest,
                               uint32_t w)
{
	uint32_t node = walk->node[w];
	for (uint32_t i = graph->predecessors.first[node]; i < graph->predecessors.first[node + 1]; i++) {
		uint32_t v = walk->number[graph->predecessors.to[i]];
		if (v != GRAPH_NO_NODE) {
			uint32_t semi = forest->semi[least_on_path(forest, v)];
			if (semi < forest->semi[w])
				forest->semi[w] = semi;
		}
	}
}

/* The numbers whose semidominator is p get their dominator, or one that has the same. */
static void bucket_empty(struct forest *forest, uint32_t *dominator, uint32_t *bucket, const uint32_t *next, uint32_t p)
{
	for (uint32_t v = bucket[p]; v != GRAPH_NO_NODE; v = next[v]) {
		uint32_t u = least_on_path(forest, v);
		dominator[v] = forest->semi[u] < forest->semi[v] ? u : p;
	}
	bucket[p] = GRAPH_NO_NODE;
}

/* By number. */
static uint32_t *numbered_dominators(struct arena *scratch, const struct graph *graph, const struct graph_tree *walk)
{
	struct forest forest = forest_create(scratch, walk->count);
	uint32_t *dominator = numbers(scratch, walk->count, 0);
	uint32_t *bucket = numbers(scratch, walk->count, GRAPH_NO_NODE),
		 *next = numbers(scratch, walk->count, GRAPH_NO_NODE);
	for (uint32_t w = walk->count; w-- > 1;) {
		semidominator_find(graph, walk, &forest, w);
		next[w] = bucket[forest.semi[w]];
		bucket[forest.semi[w]] = w;
		forest.ancestor[w] = walk->parent[w];
		bucket_empty(&forest, dominator, bucket, next, walk->parent[w]);
	}
	for (uint32_t w = 1; w < walk->count; w++)
		if (dominator[w] != forest.semi[w])
			dominator[w] = dominator[dominator[w]];
	return dominator;
}

uint32_t *graph_dominators(struct arena *scratch, const struct graph *graph, uint32_t root)
{
	struct graph_tree walk = graph_depth_first(scratch, graph, root);
	const uint32_t *dominator = numbered_dominators(scratch, graph, &walk);
	uint32_t *immediate = numbers(scratch, graph->count, GRAPH_NO_NODE);
	for (uint32_t w = 1; w < walk.count; w++)
		immediate[walk.node[w]] = walk.node[dominator[w]];
	return immediate;
}

/* ---- the dominator tree as intervals -------------------------------------------------------- */

/* The edges from each node to those it dominates immediately. */
static struct graph tree_create(struct arena *scratch, const uint32_t *immediate, uint32_t count)
{
	uint32_t *from = numbers(scratch, count, 0), *to = numbers(scratch, count, 0), edges = 0;
	for (uint32_t n = 0; n < count; n++)
		if (immediate[n] != GRAPH_NO_NODE) {
			from[edges] = immediate[n];
			to[edges++] = n;
		}
	return graph_create(scratch, count, from, to, edges);
}

struct graph_intervals graph_dominance(struct arena *scratch, const uint32_t *immediate, uint32_t count)
{
	struct graph tree = tree_create(scratch, immediate, count);
	struct graph_tree walk = graph_depth_first(scratch, &tree, 0);
	struct graph_intervals dominance = {numbers(scratch, count, 0), numbers(scratch, count, 0)};
	for (uint32_t i = 0; i < walk.count; i++) {
		dominance.enter[walk.node[i]] = i + 1;
		dominance.leave[walk.node[i]] = i + walk.descendants[i];
	}
	return dominance;
}

bool graph_dominates(const struct graph_intervals *dominance, uint32_t a, uint32_t b)
{
	return dominance->enter[a] <= dominance->enter[b] && dominance->enter[b] <= dominance->leave[a];
}
