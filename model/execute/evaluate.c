/*
 * The evaluation of one launch: prepares the function, covers the launch, adds up.
 */
#include "model/execute/cover/cover.h"

static struct evaluation *evaluation_make(struct arena *arena, const struct ptx_function *function)
{
	struct evaluation *result = arena_alloc(arena, sizeof(*result));

	result->insns = arena_array(arena, function->insn_count, sizeof(*result->insns));
	result->blocks = arena_array(arena, function->cfg->block_count, sizeof(*result->blocks));
	for (uint32_t i = 0; i < function->cfg->block_count; i++)
		result->blocks[i].edges =
			arena_array(arena, 2 + function->cfg->blocks[i].target_count, sizeof(*result->blocks[i].edges));
	result->loops = arena_array(arena, function->cfg->loop_count, sizeof(*result->loops));
	for (size_t i = 0; i < function->insn_count; i++)
		result->insns[i].buffer = UINT32_MAX;
	result->untracked = arena_array(arena, function->insn_count + 1, sizeof(*result->untracked));
	result->exact = true;
	return result;
}

static bool is_empty(const struct evaluate_input *input)
{
	return !input->function->insn_count || !input->grid[0] || !input->grid[1] || !input->grid[2] ||
	       !input->block[0] || !input->block[1] || !input->block[2];
}

/* Slow paths that the reader of machine code has left out. */
static void assume_cold(struct evaluator *evaluator)
{
	const struct sass_code *sass = evaluator->input->function->sass;
	struct assumption assumption = {.text = EXEC_USUAL, .usual = true};

	if (!sass || sass->cold_insn == UINT32_MAX || evaluator->said_usual)
		return;
	assumption.insn = sass->cold_insn;
	ARENA_PUSH(evaluator->arena, evaluator->result->assumptions, evaluator->result->assumption_count, assumption);
}

/* A call that is executed, and of which what it calls is left out. */
static void assume_call(struct evaluator *evaluator, uint32_t insn, const char *name, bool is_unfollowed)
{
	struct evaluation *result = evaluator->result;
	struct assumption assumption = {.insn = insn};

	if (result->insns[insn].issued <= 0)
		return;
	result->misses_calls = result->misses_calls || is_unfollowed;
	result->cut = result->cut || is_unfollowed;
	if (!is_unfollowed)
		assumption.text = arena_printf(
			evaluator->arena,
			"a call of %s counts as one instruction: remove it where the time without it counts", name);
	else if (!name)
		assumption.text = "a call by a function pointer or of a virtual function is not followed: what it "
				  "executes is left out";
	else
		assumption.text = "a function calls itself deeper than is followed: what it executes there is left out";
	ARENA_PUSH(evaluator->arena, result->assumptions, result->assumption_count, assumption);
}

/* Calls that stay calls in PTX: of functions without a body, which are the system's; by an address; of recursion behind
 * its last copy. */
static void assume_calls_of_ptx(struct evaluator *evaluator)
{
	const struct evaluate_input *input = evaluator->input;
	const struct ptx_function *function = input->function, *callee;

	for (uint32_t i = 0; i < function->insn_count; i++) {
		const struct ptx_insn *insn = &function->insns[i];
		const struct ptx_operand *target =
			insn->operand_count > insn->destinations ? &insn->operands[insn->destinations] : NULL;
		const char *name = target && target->kind == OPERAND_SYMBOL ? target->symbol : NULL;

		if (insn->operation != OP_call || insn->no_return)
			continue;
		callee = name ? ptx_module_find(input->module, name) : NULL;
		assume_call(evaluator, i, name, !name || (callee && callee->has_body));
	}
}

static void assume_calls(struct evaluator *evaluator)
{
	const struct sass_code *sass = evaluator->input->function->sass;

	for (size_t i = 0; sass && i < sass->call_count; i++)
		assume_call(evaluator, sass->calls[i].insn, sass->calls[i].name, sass->calls[i].is_unfollowed);
	if (!sass)
		assume_calls_of_ptx(evaluator);
}

struct evaluation *exec_evaluate(struct arena *arena, const struct evaluate_input *input)
{
	struct evaluator evaluator = {.arena = arena, .input = input, .scratch = arena_create()};
	struct evaluation *result = evaluation_make(arena, input->function);

	evaluator.result = result;
	if (!is_empty(input)) {
		cover_prepare(&evaluator);
		cover_launch(&evaluator);
		assume_cold(&evaluator);
		assume_calls(&evaluator);
	}
	arena_release(evaluator.scratch);
	exec_check(input->function, result);
	return result;
}

unsigned exec_doubts(const struct evaluate_input *input, const struct evaluation *evaluation)
{
	unsigned count = 0;

	for (unsigned i = 0; i < evaluation->assumption_count; i++)
		count += evaluation->assumptions[i].guess != GUESS_OTHER;
	for (size_t i = 0; i < input->function->insn_count; i++) {
		const struct insn_totals *totals = &evaluation->insns[i];

		count += totals->executions > 0 && totals->sectors + totals->wavefronts > 0 && totals->known < 1;
	}
	return count;
}
