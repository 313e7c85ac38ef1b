/*
 * The verifier of control-flow graphs, on in every build: what every later stage takes for granted. A violation is a
 * bug of ours, whatever the input was.
 */
#include "ptxparse/graph/passes.h"

#define REQUIRE(function, condition)                                                                                   \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			bug("control-flow graph of %.200s: violated: %s", (function)->name, #condition);               \
	} while (0)

static bool block_or_none(const struct ptx_cfg *cfg, uint32_t block)
{
	return block == PTX_NO_BASIC_BLOCK || block < cfg->block_count;
}

static void blocks_check(const struct ptx_function *function)
{
	const struct ptx_cfg *cfg = function->cfg;
	uint32_t next = 0;
	for (uint32_t b = 0; b < cfg->block_count; b++) {
		const struct ptx_basic_block *block = &cfg->blocks[b];
		REQUIRE(function, block->count > 0);
		REQUIRE(function, block->first == next);
		REQUIRE(function, block_or_none(cfg, block->successors[0]) && block_or_none(cfg, block->successors[1]));
		REQUIRE(function, block_or_none(cfg, block->dominator) && block_or_none(cfg, block->post_dominator));
		for (uint32_t k = 0; k < block->predecessor_count; k++)
			REQUIRE(function, block->predecessors[k] < cfg->block_count);
		next += block->count;
	}
	REQUIRE(function, next == function->insn_count);
}

/* Every live block once, each after its dominator, which dominates all its live predecessors. */
static void order_check(struct arena *scratch, const struct ptx_function *function)
{
	const struct ptx_cfg *cfg = function->cfg;
	uint32_t *position = arena_array(scratch, cfg->block_count, sizeof *position);
	uint32_t *immediate = arena_array(scratch, cfg->block_count, sizeof *immediate);
	for (uint32_t i = 0; i < cfg->reachable_count; i++) {
		REQUIRE(function, position[cfg->reverse_postorder[i]] == 0);
		position[cfg->reverse_postorder[i]] = i + 1;
	}
	for (uint32_t b = 0; b < cfg->block_count; b++)
		immediate[b] = cfg->blocks[b].dominator;
	struct graph_intervals dominance = graph_dominance(scratch, immediate, cfg->block_count);
	for (uint32_t b = 0; b < cfg->block_count; b++) {
		const struct ptx_basic_block *block = &cfg->blocks[b];
		REQUIRE(function, block->reachable == (position[b] > 0));
		REQUIRE(function, (block->dominator == PTX_NO_BASIC_BLOCK) == (b == 0 || !block->reachable));
		REQUIRE(function, block->dominator == PTX_NO_BASIC_BLOCK || position[block->dominator] < position[b]);
		for (uint32_t k = 0; block->dominator != PTX_NO_BASIC_BLOCK && k < block->predecessor_count; k++)
			if (cfg->blocks[block->predecessors[k]].reachable)
				REQUIRE(function,
				        graph_dominates(&dominance, block->dominator, block->predecessors[k]));
	}
}

static void loop_check(const struct ptx_function *function, uint32_t index)
{
	const struct ptx_cfg *cfg = function->cfg;
	const struct ptx_loop *loop = &cfg->loops[index];
	REQUIRE(function, loop->parent == PTX_NO_LOOP || loop->parent < index);
	REQUIRE(function, loop->depth == (loop->parent == PTX_NO_LOOP ? 1 : cfg->loops[loop->parent].depth + 1));
	REQUIRE(function, loop->block_count > 0 && loop->latch_count > 0);
	REQUIRE(function, graph_loop_holds(cfg, index, loop->header));
	REQUIRE(function, loop->parent == PTX_NO_LOOP || graph_loop_holds(cfg, loop->parent, loop->header));
	for (uint32_t k = 0; k < loop->block_count; k++) {
		REQUIRE(function, k == 0 || loop->blocks[k - 1] < loop->blocks[k]);
		REQUIRE(function, graph_loop_holds(cfg, index, loop->blocks[k]));
	}
	for (uint32_t k = 0; k < loop->latch_count; k++)
		REQUIRE(function, graph_loop_holds(cfg, index, loop->latches[k]));
	REQUIRE(function, loop->compare_insn == UINT32_MAX || loop->compare_insn < function->insn_count);
	REQUIRE(function, loop->counter == PTX_NO_REGISTER || loop->counter < function->register_count);
}

void ptx_cfg_check(const struct ptx_function *function)
{
	struct arena *scratch = arena_create();
	blocks_check(function);
	order_check(scratch, function);
	for (uint32_t i = 0; i < function->cfg->loop_count; i++)
		loop_check(function, i);
	arena_release(scratch);
}
