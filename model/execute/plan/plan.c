/*
 * Prepares a function for running: which instructions matter, with their operands resolved, and which registers are
 * live where.
 *
 * Only what an address, a guard, a branch or a call depends on needs values: the backward slice through registers.
 * Loads belong to it with their addresses. All other instructions are counted by block. Bytes of .param variables in
 * call sequences are registers of the slice too, so that values pass into called functions and back.
 *
 * Requires a control-flow graph (ptx_function_analyse()).
 */
#include "model/execute/plan/plan.h"

#include <string.h>

/* Numbers the registers of the slice, and the bytes of .param variables after them. */
static void number_registers(struct planner *planner)
{
	const struct ptx_function *function = planner->function;
	struct plan *plan = planner->plan;

	planner->number = arena_array(planner->arena, function->register_count + 1, sizeof(uint32_t));
	for (size_t reg = 0; reg < function->register_count; reg++)
		planner->number[reg] = planner->needed[reg] ? plan->register_count++ : NO_INDEX;
	plan_parameters(planner);
	plan->bits = arena_array(planner->arena, plan->register_count + 1, sizeof(uint8_t));
	for (size_t reg = 0; reg < function->register_count; reg++)
		if (planner->needed[reg])
			plan->bits[planner->number[reg]] =
				(uint8_t)plan_type_bits((enum ptx_type)function->registers[reg].type);
	for (size_t i = 0; i < plan->parameter_count; i++)
		plan->bits[plan->parameters[i].reg] = 64;
}

/* Memory instructions, guarded ones and calls of functions with a body have counters of their own. */
static uint32_t new_slot(struct planner *planner, const struct step *step)
{
	if (!plan_is_memory(step->insn) && !step->insn->guarded && !step->callee)
		return NO_SLOT;
	planner->plan->slot_insn[planner->plan->slot_count] = step->index;
	return planner->plan->slot_count++;
}

/* By instruction, the loop whose counter it compares with its bound, or PTX_NO_LOOP. */
static uint32_t *find_deciders(struct arena *arena, const struct ptx_function *function)
{
	uint32_t *decides = arena_array(arena, function->insn_count + 1, sizeof(*decides));

	for (size_t i = 0; i < function->insn_count; i++)
		decides[i] = PTX_NO_LOOP;
	for (uint32_t loop = function->cfg->loop_count; loop-- > 0;)
		if (function->cfg->loops[loop].compare_insn < function->insn_count)
			decides[function->cfg->loops[loop].compare_insn] = loop;
	return decides;
}

static void make_step(struct planner *planner, struct step *step, uint32_t index)
{
	const struct ptx_insn *insn = &planner->function->insns[index];

	step->insn = insn;
	step->index = index;
	step->space = insn->space;
	step->flags = (uint16_t)ptx_insn_flags(insn);
	step->bits = (uint8_t)plan_type_bits((enum ptx_type)insn->type);
	step->is_signed = ptx_type_is_signed((enum ptx_type)insn->type);
	step->is_counted = plan_is_memory(insn);
	step->is_numbered = plan_is_numbered(planner->function, insn);
	step->guard = insn->guarded && insn->guard < planner->function->register_count ? planner->number[insn->guard]
	                                                                               : NO_INDEX;
	step->bytes = ptx_insn_access_bytes(insn);
	step->decides = planner->decides[index];
	step->rule = plan_rule(insn);
	if (step->flags & FLAG_CALL && plan_called(planner, insn))
		step->callee = plan_make(planner->plans, plan_called(planner, insn));
	plan_operands(planner, step);
	step->slot = new_slot(planner, step);
}

/* Where the branch that ends a block goes. */
static void make_branch(struct plan_block *block, const struct ptx_basic_block *from)
{
	const struct step *last = block->step_count ? &block->steps[block->step_count - 1] : NULL;

	block->fall = from->successors[0];
	block->target = from->successors[1];
	if (!last || last->index != from->first + from->count - 1 || !(last->flags & FLAG_BRANCH)) {
		if (block->fall == PTX_NO_BASIC_BLOCK)
			block->fall = block->target;
		return;
	}
	block->branch = last;
	block->step_count--;
	if (last->insn->operation == OP_bra && !last->insn->guarded && block->target == PTX_NO_BASIC_BLOCK)
		block->target = block->fall;
}

/* Instructions of a block that are executed themselves; those that only say what a machine instruction does are not. */
static uint32_t executed_count(const struct ptx_function *function, const struct ptx_basic_block *block)
{
	uint32_t count = 0;

	for (uint32_t i = block->first; i < block->first + block->count; i++)
		count += !function->insns[i].synthetic;
	return count;
}

static void make_block(struct planner *planner, uint32_t index)
{
	const struct ptx_function *function = planner->function;
	const struct ptx_basic_block *from = &function->cfg->blocks[index];
	struct plan_block *block = &planner->plan->blocks[index];
	uint32_t count = 0;

	for (uint32_t i = from->first; i < from->first + from->count; i++)
		count += plan_is_run(planner, &function->insns[i]);
	block->steps = arena_array(planner->arena, count + 1, sizeof(struct step));
	block->insn_count = executed_count(function, from);
	block->loop = from->loop;
	block->heads = PTX_NO_LOOP;
	block->reconverge = from->post_dominator;
	block->join = from->join;
	if (!from->reachable)
		return;
	for (uint32_t i = from->first; i < from->first + from->count; i++)
		if (plan_is_run(planner, &function->insns[i]))
			make_step(planner, &block->steps[block->step_count++], i);
	plan_magic(planner, block);
	make_branch(block, from);
}

/* Whether a header's trip is over when it has been run, or the loop cannot be left from it. */
static bool is_always_trip(const struct plan *plan, uint32_t index)
{
	const struct plan_block *block = &plan->blocks[index];
	const struct ptx_loop *loop = &plan->function->cfg->loops[block->heads];

	for (uint32_t i = 0; i < loop->latch_count; i++)
		if (loop->latches[i] == index)
			return true;
	return false;
}

static const struct plan *plan_known(const struct plans *plans, const struct ptx_function *function)
{
	const struct plan *plan = plans->list;

	while (plan && plan->function != function)
		plan = plan->next;
	return plan;
}

const struct plan *plan_make(struct plans *plans, const struct ptx_function *function)
{
	struct planner planner = {.plans = plans, .arena = plans->arena, .function = function};
	const struct plan *known = plan_known(plans, function);
	struct plan *plan;

	if (known || !function->cfg)
		return known;
	plan = planner.plan = arena_alloc(plans->arena, sizeof(*plan));
	plan->module = plans->input->module;
	plan->function = function;
	plan->next = plans->list;
	plans->list = plan;
	plan->block_count = function->cfg->block_count;
	plan->blocks = arena_array(plans->arena, plan->block_count + 1, sizeof(*plan->blocks));
	plan->slot_insn = arena_array(plans->arena, function->insn_count + 1, sizeof(uint32_t));
	planner.decides = find_deciders(plans->arena, function);
	plan_slice(&planner);
	number_registers(&planner);
	for (uint32_t i = 0; i < plan->block_count; i++)
		make_block(&planner, i);
	for (uint32_t i = 0; i < function->cfg->loop_count; i++) {
		plan->blocks[function->cfg->loops[i].header].heads = i;
		plan->blocks[function->cfg->loops[i].header].always_trip =
			is_always_trip(plan, function->cfg->loops[i].header);
	}
	plan_usual(&planner);
	plan_spans(&planner);
	plan_live(&planner);
	return plan;
}
