/*
 * The nest of loops of a control-flow graph.
 *
 * Havlak's loop forest, computed the way of Ramalingam, "Identifying Loops in Almost Linear Time" (TOPLAS 1999): nodes
 * are taken in reverse order of a depth-first walk; the body of a loop is collapsed into its header; an edge that is
 * neither of the tree nor back waits at the nearest common ancestor of its ends. For reducible graphs these are the
 * natural loops. An irreducible region becomes one loop, headed by its node met first; it is told by a branch back from
 * a block that the header does not dominate.
 *
 * Loops are kept to a depth of MAXIMUM_DEPTH, so that the lists of their blocks stay linear in size; a loop of that
 * depth which holds others is marked irreducible, for it is not described by its header alone.
 */
#include <string.h>

#include "ptxparse/graph/passes.h"

#define MAXIMUM_DEPTH 32

/* An edge in a list. */
struct loop_link {
	uint32_t from, to, next;
};

/* All arrays by number in the depth-first tree. */
struct nest {
	struct arena *scratch;
	const struct graph *graph;
	struct graph_tree walk;
	uint32_t *depth, *jump; /* in the tree; an ancestor further up, for common ancestors */
	uint32_t *leader;       /* union-find: the header a node was collapsed into, shortened */
	uint32_t *header;       /* of the innermost loop around it that is not its own; GRAPH_NO_NODE */
	bool *is_header, *queued;
	uint32_t *waiting;       /* list of edges that wait at a node: index into links, 0 ends it */
	uint32_t *entering;      /* list of edges that came into a node when they were let in */
	struct loop_link *links; /* the first is none */
	uint32_t link_count;
	uint32_t *queue;
};

static uint32_t *filled(struct arena *scratch, uint32_t count, uint32_t value)
{
	uint32_t *array = arena_array(scratch, count, sizeof *array);
	for (uint32_t i = 0; i < count; i++)
		array[i] = value;
	return array;
}

/* ---- common ancestors ------------------------------------------------------------------- */

/* Jump pointers of Myers, "An Applicative Random-Access Stack": one a node, ancestors found in log n steps. */
static void jumps_set(struct nest *nest)
{
	for (uint32_t v = 1; v < nest->walk.count; v++) {
		uint32_t p = nest->walk.parent[v], j = nest->jump[p];
		bool equal = nest->depth[p] - nest->depth[j] == nest->depth[j] - nest->depth[nest->jump[j]];
		nest->depth[v] = nest->depth[p] + 1;
		nest->jump[v] = equal ? nest->jump[j] : p;
	}
}

static uint32_t lifted(const struct nest *nest, uint32_t v, uint32_t depth)
{
	while (nest->depth[v] > depth)
		v = nest->depth[nest->jump[v]] >= depth ? nest->jump[v] : nest->walk.parent[v];
	return v;
}

static uint32_t common_ancestor(const struct nest *nest, uint32_t a, uint32_t b)
{
	a = lifted(nest, a, nest->depth[b]);
	b = lifted(nest, b, nest->depth[a]);
	while (a != b) {
		bool far = nest->jump[a] != nest->jump[b];
		a = far ? nest->jump[a] : nest->walk.parent[a];
		b = far ? nest->jump[b] : nest->walk.parent[b];
	}
	return a;
}

/* ---- the forest --------------------------------------------------------------------------- */

static uint32_t leader_of(struct nest *nest, uint32_t v)
{
	while (nest->leader[v] != v) {
		nest->leader[v] = nest->leader[nest->leader[v]];
		v = nest->leader[v];
	}
	return v;
}

static bool is_ancestor(const struct nest *nest, uint32_t a, uint32_t b)
{
	return a <= b && b < a + nest->walk.descendants[a];
}

static void edge_push(struct nest *nest, uint32_t *list, uint32_t from, uint32_t to)
{
	ARENA_PUSH(nest->scratch, nest->links, nest->link_count, (struct loop_link){from, to, *list});
	*list = nest->link_count - 1;
}

/* Forward and cross edges wait at the nearest common ancestor. */
static void edges_sort(struct nest *nest)
{
	for (uint32_t y = 0; y < nest->walk.count; y++) {
		uint32_t node = nest->walk.node[y];
		for (uint32_t i = nest->graph->successors.first[node]; i < nest->graph->successors.first[node + 1];
		     i++) {
			uint32_t z = nest->walk.number[nest->graph->successors.to[i]];
			bool in_tree = nest->walk.parent[z] == y && z != 0;
			if (!in_tree && !is_ancestor(nest, z, y))
				edge_push(nest, &nest->waiting[common_ancestor(nest, y, z)], y, z);
		}
	}
}

static void waiting_admit(struct nest *nest, uint32_t x)
{
	for (uint32_t e = nest->waiting[x]; e; e = nest->links[e].next) {
		uint32_t from = leader_of(nest, nest->links[e].from), to = leader_of(nest, nest->links[e].to);
		edge_push(nest, &nest->entering[to], from, to);
	}
}

static uint32_t body_add(struct nest *nest, uint32_t x, uint32_t v, uint32_t count)
{
	v = leader_of(nest, v);
	if (v == x || nest->queued[v])
		return count;
	nest->queued[v] = true;
	nest->queue[count] = v;
	return count + 1;
}

/* The sources of the edges back to x. */
static uint32_t latches_queue(struct nest *nest, uint32_t x)
{
	uint32_t node = nest->walk.node[x], count = 0;
	for (uint32_t i = nest->graph->predecessors.first[node]; i < nest->graph->predecessors.first[node + 1]; i++) {
		uint32_t y = nest->walk.number[nest->graph->predecessors.to[i]];
		if (y == GRAPH_NO_NODE || !is_ancestor(nest, x, y))
			continue;
		nest->is_header[x] = true;
		count = body_add(nest, x, y, count);
	}
	return count;
}

/* What reaches a latch inside x's subtree is the loop's body; it becomes part of x. */
static void loop_collapse(struct nest *nest, uint32_t x)
{
	uint32_t count = latches_queue(nest, x);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t y = nest->queue[i];
		count = body_add(nest, x, nest->walk.parent[y], count);
		for (uint32_t e = nest->entering[y]; e; e = nest->links[e].next)
			count = body_add(nest, x, nest->links[e].from, count);
	}
	for (uint32_t i = 0; i < count; i++) {
		nest->queued[nest->queue[i]] = false;
		nest->header[nest->queue[i]] = x;
		nest->leader[nest->queue[i]] = x;
	}
}

static struct nest nest_create(struct arena *scratch, const struct graph *graph)
{
	struct nest nest = {.scratch = scratch, .graph = graph, .walk = graph_depth_first(scratch, graph, 0)};
	uint32_t count = nest.walk.count;
	nest.depth = filled(scratch, count, 0);
	nest.jump = filled(scratch, count, 0);
	nest.leader = filled(scratch, count, 0);
	nest.header = filled(scratch, count, GRAPH_NO_NODE);
	nest.waiting = filled(scratch, count, 0);
	nest.entering = filled(scratch, count, 0);
	nest.queue = filled(scratch, count, 0);
	nest.is_header = arena_array(scratch, count, sizeof *nest.is_header);
	nest.queued = arena_array(scratch, count, sizeof *nest.queued);
	for (uint32_t v = 0; v < count; v++)
		nest.leader[v] = v;
	ARENA_PUSH(scratch, nest.links, nest.link_count, (struct loop_link){0});
	jumps_set(&nest);
	edges_sort(&nest);
	for (uint32_t x = count; x-- > 0;) {
		waiting_admit(&nest, x);
		loop_collapse(&nest, x);
	}
	return nest;
}

/* ---- loops in order ---------------------------------------------------------------------------- */

/* Loops by header, outer before inner, siblings in program order. first_child and sibling are by block. */
struct tree_order {
	uint32_t *first_child, *sibling, *loop_of;
	uint32_t roots;
};

static uint32_t enclosing_header(const struct nest *nest, uint32_t block)
{
	uint32_t header = nest->header[nest->walk.number[block]];
	return header == GRAPH_NO_NODE ? GRAPH_NO_NODE : nest->walk.node[header];
}

static struct tree_order order_create(struct nest *nest, const struct ptx_cfg *cfg)
{
	struct tree_order order = {filled(nest->scratch, cfg->block_count, GRAPH_NO_NODE),
	                           filled(nest->scratch, cfg->block_count, GRAPH_NO_NODE),
	                           filled(nest->scratch, cfg->block_count, PTX_NO_LOOP), GRAPH_NO_NODE};
	for (uint32_t b = cfg->block_count; b-- > 0;) {
		uint32_t *list, outer;
		if (!cfg->blocks[b].reachable || !nest->is_header[nest->walk.number[b]])
			continue;
		outer = enclosing_header(nest, b);
		list = outer == GRAPH_NO_NODE ? &order.roots : &order.first_child[outer];
		order.sibling[b] = *list;
		*list = b;
	}
	return order;
}

/* parent: the loop around it, or PTX_NO_LOOP. Returns the loop that stands for the header's. */
static uint32_t loop_add(struct nest *nest, struct ptx_cfg *cfg, uint32_t header, uint32_t parent)
{
	struct ptx_loop *outer = parent == PTX_NO_LOOP ? NULL : &cfg->loops[parent];
	if (outer && outer->depth == MAXIMUM_DEPTH) {
		outer->irreducible = true;
		return parent;
	}
	if (outer)
		outer->innermost = false;
	struct ptx_loop loop = {.header = header,
	                        .parent = parent,
	                        .depth = outer ? outer->depth + 1 : 1,
	                        .innermost = true,
	                        .counter = PTX_NO_REGISTER,
	                        .compare_insn = UINT32_MAX,
	                        .remainder_of = PTX_NO_LOOP,
	                        .unroll_factor = 1};
	ARENA_PUSH(nest->scratch, cfg->loops, cfg->loop_count, loop);
	return cfg->loop_count - 1;
}

static void loops_number(struct nest *nest, struct ptx_cfg *cfg, struct tree_order *order)
{
	uint32_t block = order->roots;
	while (block != GRAPH_NO_NODE) {
		uint32_t outer = enclosing_header(nest, block);
		order->loop_of[block] =
			loop_add(nest, cfg, block, outer == GRAPH_NO_NODE ? PTX_NO_LOOP : order->loop_of[outer]);
		if (order->first_child[block] != GRAPH_NO_NODE) {
			block = order->first_child[block];
			continue;
		}
		while (block != GRAPH_NO_NODE && order->sibling[block] == GRAPH_NO_NODE)
			block = enclosing_header(nest, block);
		block = block == GRAPH_NO_NODE ? GRAPH_NO_NODE : order->sibling[block];
	}
}

/* ---- what loops hold ----------------------------------------------------------------------------- */

bool graph_loop_holds(const struct ptx_cfg *cfg, uint32_t loop, uint32_t block)
{
	uint32_t at = cfg->blocks[block].loop;
	while (at != PTX_NO_LOOP && cfg->loops[at].depth > cfg->loops[loop].depth)
		at = cfg->loops[at].parent;
	return at == loop;
}

static void blocks_list(struct arena *arena, struct ptx_cfg *cfg)
{
	for (uint32_t b = 0; b < cfg->block_count; b++)
		for (uint32_t l = cfg->blocks[b].loop; l != PTX_NO_LOOP; l = cfg->loops[l].parent)
			cfg->loops[l].block_count++;
	for (uint32_t l = 0; l < cfg->loop_count; l++) {
		cfg->loops[l].blocks = arena_array(arena, cfg->loops[l].block_count, sizeof(uint32_t));
		cfg->loops[l].block_count = 0;
	}
	for (uint32_t b = 0; b < cfg->block_count; b++)
		for (uint32_t l = cfg->blocks[b].loop; l != PTX_NO_LOOP; l = cfg->loops[l].parent)
			cfg->loops[l].blocks[cfg->loops[l].block_count++] = b;
}

static void latches_list(struct arena *arena, struct ptx_cfg *cfg, uint32_t index,
                         const struct graph_intervals *dominance)
{
	struct ptx_loop *loop = &cfg->loops[index];
	const struct ptx_basic_block *header = &cfg->blocks[loop->header];
	loop->latches = arena_array(arena, header->predecessor_count, sizeof *loop->latches);
	for (uint32_t k = 0; k < header->predecessor_count; k++) {
		uint32_t latch = header->predecessors[k];
		if (!cfg->blocks[latch].reachable || !graph_loop_holds(cfg, index, latch))
			continue;
		loop->latches[loop->latch_count++] = latch;
		loop->irreducible |= !graph_dominates(dominance, loop->header, latch);
	}
}

void graph_loops_find(struct arena *arena, struct arena *scratch, struct ptx_function *function,
                      const struct graph *graph, const struct graph_intervals *dominance)
{
	struct ptx_cfg *cfg = function->cfg;
	struct nest nest = nest_create(scratch, graph);
	struct tree_order order = order_create(&nest, cfg);
	const struct ptx_loop *loops;
	loops_number(&nest, cfg, &order);
	loops = cfg->loops;
	cfg->loops = arena_array(arena, cfg->loop_count + 1u, sizeof *cfg->loops);
	if (cfg->loop_count)
		memcpy(cfg->loops, loops, cfg->loop_count * sizeof *loops);
	for (uint32_t b = 0; b < cfg->block_count; b++) {
		uint32_t outer = cfg->blocks[b].reachable ? enclosing_header(&nest, b) : GRAPH_NO_NODE;
		if (order.loop_of[b] != PTX_NO_LOOP)
			cfg->blocks[b].loop = order.loop_of[b];
		else if (outer != GRAPH_NO_NODE)
			cfg->blocks[b].loop = order.loop_of[outer];
	}
	blocks_list(arena, cfg);
	for (uint32_t l = 0; l < cfg->loop_count; l++)
		latches_list(arena, cfg, l, dominance);
}
