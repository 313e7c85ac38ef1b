/*
 * The evaluation of one launch: prepares the function, covers the launch, adds up. See evaluate_internal.h for the method.
 */
#include "model/evaluate_internal.h"

#define DEFAULT_STEPS 200000

static void layout_counts(struct evaluator *evaluator)
{
	struct layout_of_counts *layout = &evaluator->layout;
	const struct plan *plan = evaluator->plan;

	layout->instructions = 0;
	layout->divergent = 1;
	layout->blocks = 2;
	layout->loops = layout->blocks + 2 * (size_t)plan->block_count;
	layout->slots = layout->loops + 2 * (size_t)plan->function->cfg->loop_count;
	layout->total = layout->slots + (size_t)plan->slot_count * SLOT_COUNTS;
}

static struct evaluation *result_make(struct arena *arena, const struct ptx_function *function)
{
	struct evaluation *result = arena_alloc(arena, sizeof(*result));

	result->insns = arena_array(arena, function->insn_count, sizeof(*result->insns));
	result->loops = arena_array(arena, function->cfg->loop_count, sizeof(*result->loops));
	for (size_t i = 0; i < function->insn_count; i++)
		result->insns[i].buffer = UINT32_MAX;
	result->exact = true;
	return result;
}

struct evaluation *evaluate(struct arena *arena, const struct evaluate_input *input, request_function *requests, void *context)
{
	struct evaluator evaluator = {.arena = arena, .input = input, .scratch = arena_create()};

	evaluator.result = result_make(arena, input->function);
	evaluator.assumed = arena_array(evaluator.scratch, input->function->insn_count + 1, sizeof(bool));
	evaluator.step_limit = input->step_limit ? input->step_limit : DEFAULT_STEPS;
	evaluator.plan = plan_make(&evaluator, input->function);
	if (input->function->insn_count && input->grid[0] && input->grid[1] && input->grid[2] && input->block[0] &&
	    input->block[1] && input->block[2]) {
		layout_counts(&evaluator);
		launch_evaluate(&evaluator);
	}
	(void)requests;
	(void)context;
	arena_release(evaluator.scratch);
	return evaluator.result;
}
