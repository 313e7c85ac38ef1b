/*
 * The control-flow graph of a function: blocks, edges, dominators, post-dominators.
 *
 * A block ends before a label that a branch names and after a branch, an exit, or a call that does not return. The
 * function's end is an exit. Requires a parsed body; loops.c and counters.c fill the rest.
 */
#include <string.h>

#include "ptxparse/graph/passes.h"

/* ---- what an instruction does to control -------------------------------------------- */

static bool ends_block(const struct ptx_insn *insn)
{
	return ptx_insn_flags(insn) & (FLAG_BRANCH | FLAG_EXIT);
}

static bool falls_through(const struct ptx_insn *insn)
{
	return !ends_block(insn) || insn->guarded;
}

/* The labels a branch may go to. */
static const struct ptx_operand *branch_labels(const struct ptx_insn *insn, uint32_t *count)
{
	*count = 0;
	if (insn->operation == OP_bra && insn->operand_count == 1) {
		*count = 1;
		return insn->operands;
	}
	if (insn->operation == OP_brx_idx && insn->operand_count == 2) {
		*count = insn->operands[1].count;
		return insn->operands[1].elements;
	}
	return NULL;
}

/* ---- blocks ----------------------------------------------------------------------------- */

static void leaders_mark(const struct ptx_function *function, bool *leader)
{
	leader[0] = true;
	for (size_t i = 0; i < function->insn_count; i++) {
		uint32_t count;
		const struct ptx_operand *labels = branch_labels(&function->insns[i], &count);
		for (uint32_t k = 0; k < count; k++)
			leader[labels[k].value] = true;
		if (ends_block(&function->insns[i]))
			leader[i + 1] = true;
	}
}

/* Returns the block of each leader, by instruction; the index one past the last instruction has none. */
static uint32_t *blocks_create(struct arena *arena, struct arena *scratch, struct ptx_function *function)
{
	struct ptx_cfg *cfg = function->cfg;
	bool *leader = arena_array(scratch, function->insn_count + 1, sizeof *leader);
	uint32_t *block_at = arena_array(scratch, function->insn_count + 1, sizeof *block_at), block = 0;
	leaders_mark(function, leader);
	for (size_t i = 0; i < function->insn_count; i++)
		cfg->block_count += leader[i];
	cfg->blocks = arena_array(arena, cfg->block_count, sizeof *cfg->blocks);
	for (uint32_t i = 0; i < function->insn_count; i++) {
		if (leader[i]) {
			block_at[i] = block++;
			cfg->blocks[block - 1].first = i;
		}
		cfg->blocks[block - 1].count++;
	}
	block_at[function->insn_count] = PTX_NO_BASIC_BLOCK;
	return block_at;
}

/* ---- edges ------------------------------------------------------------------------------- */

/* Edges as pairs of blocks, each pair once; the function's end is node block_count. */
struct edge_list {
	struct arena *arena;
	uint32_t *from, *to;
	size_t from_count, to_count;
	uint32_t *seen; /* by target: 1 + the last block with an edge to it */
};

static void edge_add(struct edge_list *list, uint32_t from, uint32_t to)
{
	if (list->seen[to] == from + 1)
		return;
	list->seen[to] = from + 1;
	ARENA_PUSH(list->arena, list->from, list->from_count, from);
	ARENA_PUSH(list->arena, list->to, list->to_count, to);
}

static void targets_add(struct arena *arena, struct ptx_basic_block *block, const struct ptx_operand *labels,
                        uint32_t count, const uint32_t *block_at, uint32_t *seen, uint32_t self)
{
	block->targets = arena_array(arena, count ? count : 1, sizeof *block->targets);
	for (uint32_t k = 0; k < count; k++) {
		uint32_t target = block_at[labels[k].value];
		if (target != PTX_NO_BASIC_BLOCK && seen[target] != self + 1) {
			seen[target] = self + 1;
			block->targets[block->target_count++] = target;
		}
	}
}

/* The successors of each block. */
static void successors_set(struct arena *arena, struct arena *scratch, struct ptx_function *function,
                           const uint32_t *block_at)
{
	struct ptx_cfg *cfg = function->cfg;
	uint32_t *seen = arena_array(scratch, (size_t)cfg->block_count + 1, sizeof *seen);
	for (uint32_t b = 0; b < cfg->block_count; b++) {
		struct ptx_basic_block *block = &cfg->blocks[b];
		const struct ptx_insn *last = &function->insns[block->first + block->count - 1];
		uint32_t count;
		const struct ptx_operand *labels = branch_labels(last, &count);
		block->successors[0] = falls_through(last) && b + 1 < cfg->block_count ? b + 1 : PTX_NO_BASIC_BLOCK;
		block->successors[1] =
			last->operation == OP_bra && count ? block_at[labels[0].value] : PTX_NO_BASIC_BLOCK;
		if (last->operation == OP_brx_idx)
			targets_add(arena, block, labels, count, block_at, seen, b);
	}
}

/* Whether the function can end in the block. */
static bool block_exits(const struct ptx_function *function, const struct ptx_basic_block *block)
{
	const struct ptx_insn *last = &function->insns[block->first + block->count - 1];
	bool to_end = falls_through(last) && block->first + block->count == function->insn_count;
	uint32_t count;
	const struct ptx_operand *labels = branch_labels(last, &count);
	for (uint32_t k = 0; k < count; k++)
		to_end |= (size_t)labels[k].value == function->insn_count;
	return to_end || (ptx_insn_flags(last) & FLAG_EXIT);
}

static struct graph graph_of(struct arena *scratch, const struct ptx_function *function)
{
	const struct ptx_cfg *cfg = function->cfg;
	struct edge_list list = {.arena = scratch};
	list.seen = arena_array(scratch, (size_t)cfg->block_count + 1, sizeof *list.seen);
	for (uint32_t b = 0; b < cfg->block_count; b++) {
		const struct ptx_basic_block *block = &cfg->blocks[b];
		for (int k = 0; k < 2; k++)
			if (block->successors[k] != PTX_NO_BASIC_BLOCK)
				edge_add(&list, b, block->successors[k]);
		for (uint32_t k = 0; k < block->target_count; k++)
			edge_add(&list, b, block->targets[k]);
		if (block_exits(function, block))
			edge_add(&list, b, cfg->block_count);
	}
	return graph_create(scratch, cfg->block_count + 1, list.from, list.to, list.from_count);
}

static void predecessors_set(struct arena *arena, struct ptx_cfg *cfg, const struct graph *graph)
{
	uint32_t *all = arena_array(arena, (size_t)graph->predecessors.first[cfg->block_count] + 1, sizeof *all);
	memcpy(all, graph->predecessors.to, graph->predecessors.first[cfg->block_count] * sizeof *all);
	for (uint32_t b = 0; b < cfg->block_count; b++) {
		cfg->blocks[b].predecessors = all + graph->predecessors.first[b];
		cfg->blocks[b].predecessor_count = graph->predecessors.first[b + 1] - graph->predecessors.first[b];
	}
}

/* ---- order and dominators ------------------------------------------------------------------ */

static void order_set(struct arena *arena, struct arena *scratch, struct ptx_cfg *cfg, const struct graph *graph)
{
	struct graph_tree walk = graph_depth_first(scratch, graph, 0);
	cfg->reverse_postorder = arena_array(arena, walk.count, sizeof *cfg->reverse_postorder);
	for (uint32_t i = walk.count; i-- > 0;) {
		if (walk.finished[i] == cfg->block_count)
			continue;
		cfg->reverse_postorder[cfg->reachable_count++] = walk.finished[i];
		cfg->blocks[walk.finished[i]].reachable = true;
	}
}

/* Of dead blocks nothing is said: their edges do not count. */
static struct graph live_graph(struct arena *scratch, const struct ptx_cfg *cfg, const struct graph *graph)
{
	uint32_t edges = graph->successors.first[graph->count], count = 0;
	uint32_t *from = arena_array(scratch, edges + 1u, sizeof *from),
		 *to = arena_array(scratch, edges + 1u, sizeof *to);
	for (uint32_t b = 0; b < cfg->block_count; b++)
		for (uint32_t i = graph->successors.first[b];
		     cfg->blocks[b].reachable && i < graph->successors.first[b + 1]; i++) {
			from[count] = b;
			to[count++] = graph->successors.to[i];
		}
	return graph_create(scratch, graph->count, from, to, count);
}

static const uint32_t *dominators_set(struct arena *scratch, struct ptx_cfg *cfg, const struct graph *live)
{
	struct graph reversed = graph_reverse(live);
	uint32_t *dominator = graph_dominators(scratch, live, 0);
	const uint32_t *post = graph_dominators(scratch, &reversed, cfg->block_count);
	dominator[cfg->block_count] = GRAPH_NO_NODE;
	for (uint32_t b = 0; b < cfg->block_count; b++) {
		cfg->blocks[b].dominator = dominator[b];
		cfg->blocks[b].join = post[b] == cfg->block_count ? PTX_NO_BASIC_BLOCK : post[b];
		cfg->blocks[b].post_dominator = cfg->blocks[b].join;
		cfg->blocks[b].loop = PTX_NO_LOOP;
	}
	return dominator;
}

void ptx_function_analyse(struct arena *arena, struct ptx_function *function)
{
	struct arena *scratch = arena_create();
	function->cfg = arena_alloc(arena, sizeof *function->cfg);
	if (function->insn_count > 0) {
		const uint32_t *block_at = blocks_create(arena, scratch, function);
		successors_set(arena, scratch, function, block_at);
		struct graph graph = graph_of(scratch, function);
		predecessors_set(arena, function->cfg, &graph);
		order_set(arena, scratch, function->cfg, &graph);
		struct graph live = live_graph(scratch, function->cfg, &graph);
		const uint32_t *immediate = dominators_set(scratch, function->cfg, &live);
		struct graph_intervals dominance = graph_dominance(scratch, immediate, function->cfg->block_count);
		graph_loops_find(arena, scratch, function, &live, &dominance);
		graph_counters_find(scratch, function, &dominance);
		ptx_cfg_check(function);
	}
	arena_release(scratch);
}
