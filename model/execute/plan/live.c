/*
 * Which registers of the slice are live at the start of each block: what is read before it is surely overwritten.
 */
#include "model/execute/plan/plan.h"

#include <string.h>

static void set_add(uint64_t *set, uint32_t index)
{
	set[index / 64] |= UINT64_C(1) << (index % 64);
}

/* Removes what the step surely overwrites, adds what it reads. */
static void step_live(const struct step *step, uint64_t *live)
{
	for (unsigned i = 0; i < step->target_count && !step->insn->guarded; i++)
		if (step->targets[i] != NO_INDEX)
			live[step->targets[i] / 64] &= ~(UINT64_C(1) << (step->targets[i] % 64));
	for (unsigned i = 0; i < step->source_count; i++)
		if (step->sources[i].kind == SOURCE_REGISTER)
			set_add(live, step->sources[i].reg);
	for (unsigned i = 0; i < step->stored_count; i++)
		if (step->stored[i].kind == SOURCE_REGISTER)
			set_add(live, step->stored[i].reg);
	if (step->guard != NO_INDEX)
		set_add(live, step->guard);
}

static void successors_live(const struct plan *plan, uint32_t index, uint64_t *live)
{
	const struct ptx_basic_block *from = &plan->function->cfg->blocks[index];

	for (uint32_t i = 0; i < 2 + from->target_count; i++) {
		uint32_t next = i < 2 ? from->successors[i] : from->targets[i - 2];

		if (next == PTX_NO_BASIC_BLOCK)
			continue;
		for (uint32_t word = 0; word < plan->live_words; word++)
			live[word] |= plan->blocks[next].live[word];
	}
}

/* Recomputes what is live at a block's start; true when that changed. */
static bool block_live(const struct plan *plan, uint32_t index, uint64_t *live)
{
	struct plan_block *block = &plan->blocks[index];
	bool changed;

	memset(live, 0, plan->live_words * sizeof(*live));
	successors_live(plan, index, live);
	if (block->branch)
		step_live(block->branch, live);
	for (uint32_t i = block->step_count; i-- > 0;)
		step_live(&block->steps[i], live);
	changed = memcmp(live, block->live, plan->live_words * sizeof(*live)) != 0;
	memcpy(block->live, live, plan->live_words * sizeof(*live));
	return changed;
}

void plan_live(struct planner *planner)
{
	struct plan *plan = planner->plan;
	const struct ptx_cfg *cfg = planner->function->cfg;
	uint64_t *live, *sets;
	bool changed = true;

	plan->live_words = plan->register_count / 64 + 1;
	live = arena_array(planner->arena, plan->live_words, sizeof(*live));
	sets = arena_array(planner->arena, (size_t)plan->block_count * plan->live_words, sizeof(*sets));
	for (uint32_t i = 0; i < plan->block_count; i++)
		plan->blocks[i].live = sets + (size_t)i * plan->live_words;
	while (changed) {
		changed = false;
		for (uint32_t i = cfg->reachable_count; i-- > 0;)
			changed |= block_live(plan, cfg->reverse_postorder[i], live);
	}
}
