/*
 * Comparisons whose sides number threads beyond their warp: `threadIdx.x < count`.
 *
 * Where `count` is not known, but the same for all lanes, it seldom lies within the 32 numbers of
 * one warp: all lanes are alike. That does not hold for the number of a lane, `threadIdx.x % 32`.
 * A number goes beyond the warp where it is a sum, a product or the like of thread or block ids.
 */
#include "model/execute/plan/plan.h"

static bool is_seed(const struct planner *planner, uint32_t special)
{
	const uint32_t *block = planner->plans->input->block;

	if (special >= SPECIAL_CTAID_X && special <= SPECIAL_CTAID_Z)
		return true;
	return special <= SPECIAL_TID_Z && (uint64_t)block[0] * block[1] * block[2] > WARP_LANES;
}

static bool keeps_span(const struct step *step)
{
	switch (step->rule->how) {
	case HOW_MOVE:
	case HOW_SUM:
	case HOW_PRODUCT:
	case HOW_CONVERT:
	case HOW_EXTREME:
	case HOW_SELECT:
		return true;
	default:
		return step->insn->operation == OP_shl;
	}
}

static bool has_span(const struct planner *planner, const struct step *step, const bool *spans)
{
	for (unsigned i = 0; i < step->source_count; i++) {
		const struct step_source *source = &step->sources[i];

		if (source->kind == SOURCE_REGISTER ? spans[source->reg]
		                                    : source->kind == SOURCE_SPECIAL && is_seed(planner, source->reg))
			return true;
	}
	return false;
}

/* Marks what a step writes; returns whether that is new. */
static bool span_step(const struct planner *planner, const struct step *step, bool *spans)
{
	bool changed = false;

	if (!keeps_span(step) || !has_span(planner, step, spans))
		return false;
	for (unsigned i = 0; i < step->target_count; i++)
		if (step->targets[i] != NO_INDEX && !spans[step->targets[i]])
			spans[step->targets[i]] = changed = true;
	return changed;
}

void plan_spans(struct planner *planner)
{
	struct plan *plan = planner->plan;
	bool *spans = arena_array(planner->arena, plan->register_count + 1, sizeof(*spans)), changed = true;

	while (changed) {
		changed = false;
		for (uint32_t b = 0; b < plan->block_count; b++)
			for (uint32_t i = 0; i < plan->blocks[b].step_count; i++)
				changed |= span_step(planner, &plan->blocks[b].steps[i], spans);
	}
	for (uint32_t b = 0; b < plan->block_count; b++)
		for (uint32_t i = 0; i < plan->blocks[b].step_count; i++) {
			struct step *step = &plan->blocks[b].steps[i];

			step->spans_warps =
				step->rule && step->rule->how == HOW_COMPARE && has_span(planner, step, spans);
		}
}
