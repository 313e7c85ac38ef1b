/*
 * Private to ptxparse: what the passes over a control-flow graph share.
 *
 * Nothing here recurses, and every pass takes time n log n at most: a graph of a hundred thousand nested or tangled
 * blocks is an input like any other.
 */
#ifndef COALESCE_PTXPARSE_GRAPH_PASSES_H
#define COALESCE_PTXPARSE_GRAPH_PASSES_H

#include "ptxparse/graph/graph.h"

#define GRAPH_NO_NODE UINT32_MAX

/* Edges by node: those of node n are to[first[n]] .. to[first[n + 1] - 1]. */
struct graph_edges {
	uint32_t *first, *to;
};

struct graph {
	uint32_t count;
	struct graph_edges successors, predecessors;
};

/* A depth-first tree from a root. The arrays but number are indexed by the number a node got when it was first met. */
struct graph_tree {
	uint32_t count;   /* nodes met */
	uint32_t *number; /* by node; GRAPH_NO_NODE where not met */
	uint32_t *node;
	uint32_t *parent;      /* number; of the root itself: 0 */
	uint32_t *descendants; /* nodes in the subtree, itself included */
	uint32_t *finished;    /* nodes in the order in which they were left */
};

/* Intervals in which a dominator tree's subtrees nest, by node. */
struct graph_intervals {
	uint32_t *enter, *leave;
};

/* ---- dominators.c ---- */

/* count edges from[i] -> to[i], duplicates allowed, into both directions. */
struct graph graph_create(struct arena *scratch, uint32_t nodes, const uint32_t *from, const uint32_t *to,
                          size_t count);
/* The same graph with its edges turned around. */
struct graph graph_reverse(const struct graph *graph);
struct graph_tree graph_depth_first(struct arena *scratch, const struct graph *graph, uint32_t root);
/* Immediate dominators by node; GRAPH_NO_NODE for the root and nodes that it does not reach. */
uint32_t *graph_dominators(struct arena *scratch, const struct graph *graph, uint32_t root);
/* immediate: what graph_dominators() gives. */
struct graph_intervals graph_dominance(struct arena *scratch, const uint32_t *immediate, uint32_t count);
/* Whether every path to b goes through a; both are reached. */
bool graph_dominates(const struct graph_intervals *dominance, uint32_t a, uint32_t b);

/* ---- loops.c, counters.c ---- */

/* Requires blocks, edges and dominators; fills cfg->loops but for the counters, and ptx_block.loop. */
void graph_loops_find(struct arena *arena, struct arena *scratch, struct ptx_function *function,
                      const struct graph *graph, const struct graph_intervals *dominance);
/* Requires loops; fills counter, step, compare_insn, bound, place, remainder_of and unroll_factor of each. */
void graph_counters_find(struct arena *scratch, struct ptx_function *function, const struct graph_intervals *dominance);
/* Whether the loop holds the block, by the chain of loops around it. */
bool graph_loop_holds(const struct ptx_cfg *cfg, uint32_t loop, uint32_t block);

#endif
