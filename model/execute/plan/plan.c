/*
 * Prepares a function for running: which instructions matter, with their operands resolved, and which registers are live
 * where.
 *
 * Only what an address, a guard, a branch or a call depends on needs values: the backward slice through registers. Loads
 * belong to it with their addresses. All other instructions are counted by block. Bytes of .param variables in call
 * sequences are registers of the slice too, so that values pass into called functions and back.
 *
 * Requires a control-flow graph (ptx_function_analyse()).
 */
#include "model/execute/internal.h"

#include <string.h>

bool plan_is_memory(const struct ptx_insn *insn)
{
	switch (insn->operation) {
	case OP_ld:
	case OP_st:
	case OP_atom:
	case OP_red:
	case OP_cp_async:
	case OP_ldmatrix:
	case OP_stmatrix:
		return insn->space != SPACE_PARAM && insn->space != SPACE_CONST;
	default:
		return false;
	}
}

static bool is_parameter(const struct ptx_insn *insn)
{
	return (insn->operation == OP_ld || insn->operation == OP_st) && insn->space == SPACE_PARAM;
}

static bool is_control(const struct ptx_insn *insn)
{
	return ptx_insn_flags(insn) & (FLAG_BRANCH | FLAG_EXIT | FLAG_CALL);
}

static void need_register(struct planner *planner, uint32_t reg)
{
	if (reg >= planner->function->register_count || planner->needed[reg])
		return;
	planner->needed[reg] = true;
	planner->work[planner->work_count++] = reg;
}

static void need_operand(struct planner *planner, const struct ptx_operand *operand)
{
	if (operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_ADDRESS)
		need_register(planner, operand->reg);
	if (operand->kind == OPERAND_VECTOR)
		for (unsigned i = 0; i < operand->count; i++)
			if (operand->elements[i].kind == OPERAND_REGISTER)
				need_register(planner, operand->elements[i].reg);
}

/* What the instruction reads to compute what it writes: of memory instructions the addresses alone. */
static void need_sources(struct planner *planner, const struct ptx_insn *insn)
{
	for (unsigned i = 0; i < insn->operand_count; i++)
		if (insn->operands[i].kind == OPERAND_ADDRESS || (!plan_is_memory(insn) && i >= insn->destinations))
			need_operand(planner, &insn->operands[i]);
}

static void need_roots(struct planner *planner)
{
	for (size_t i = 0; i < planner->function->insn_count; i++) {
		const struct ptx_insn *insn = &planner->function->insns[i];

		if (insn->guarded)
			need_register(planner, insn->guard);
		if (plan_is_memory(insn) || is_control(insn) || (is_parameter(insn) && insn->operation == OP_st))
			need_sources(planner, insn);
	}
}

/* Registers that the destination operand writes: calls visit with each. */
static void each_written(const struct ptx_insn *insn, void (*visit)(struct planner *, uint32_t, size_t), struct planner *planner,
                         size_t index)
{
	for (unsigned i = 0; i < insn->destinations && i < insn->operand_count; i++) {
		const struct ptx_operand *operand = &insn->operands[i];

		if (operand->kind == OPERAND_REGISTER && operand->reg < planner->function->register_count)
			visit(planner, operand->reg, index);
		for (unsigned j = 0; operand->kind == OPERAND_VECTOR && j < operand->count; j++)
			if (operand->elements[j].kind == OPERAND_REGISTER &&
			    operand->elements[j].reg < planner->function->register_count)
				visit(planner, operand->elements[j].reg, index);
	}
}

static void count_definition(struct planner *planner, uint32_t reg, size_t index)
{
	(void)index;
	planner->first_definition[reg + 1]++;
}

static void add_definition(struct planner *planner, uint32_t reg, size_t index)
{
	planner->definitions[--planner->first_definition[reg + 1]] = (uint32_t)index;
}

/* Lists the instructions that write each register: those of r begin at first_definition[r + 1]. */
static void find_definitions(struct planner *planner)
{
	const struct ptx_function *function = planner->function;
	uint32_t total = 0;

	planner->first_definition = arena_array(planner->arena, function->register_count + 2, sizeof(uint32_t));
	for (size_t i = 0; i < function->insn_count; i++)
		each_written(&function->insns[i], count_definition, planner, i);
	for (size_t reg = 0; reg <= function->register_count; reg++)
		planner->first_definition[reg] = total += planner->first_definition[reg];
	planner->first_definition[function->register_count + 1] = total;
	planner->definitions = arena_array(planner->arena, total + 1, sizeof(uint32_t));
	for (size_t i = 0; i < function->insn_count; i++)
		each_written(&function->insns[i], add_definition, planner, i);
}

static void find_slice(struct planner *planner)
{
	const struct ptx_function *function = planner->function;

	planner->needed = arena_array(planner->arena, function->register_count + 1, sizeof(bool));
	planner->work = arena_array(planner->arena, function->register_count + 1, sizeof(uint32_t));
	find_definitions(planner);
	need_roots(planner);
	while (planner->work_count) {
		uint32_t reg = planner->work[--planner->work_count];

		for (uint32_t i = planner->first_definition[reg + 1]; i < planner->first_definition[reg + 2]; i++)
			need_sources(planner, &function->insns[planner->definitions[i]]);
	}
}

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
			plan->bits[planner->number[reg]] = (uint8_t)plan_type_bits((enum ptx_type)function->registers[reg].type);
	for (size_t i = 0; i < plan->parameter_count; i++)
		plan->bits[plan->parameters[i].reg] = 64;
}

static bool writes_slice(struct planner *planner, const struct ptx_insn *insn)
{
	for (unsigned i = 0; i < insn->destinations && i < insn->operand_count; i++) {
		const struct ptx_operand *operand = &insn->operands[i];

		if (operand->kind == OPERAND_REGISTER && operand->reg < planner->function->register_count &&
		    planner->needed[operand->reg])
			return true;
		for (unsigned j = 0; operand->kind == OPERAND_VECTOR && j < operand->count; j++)
			if (operand->elements[j].kind == OPERAND_REGISTER &&
			    operand->elements[j].reg < planner->function->register_count &&
			    planner->needed[operand->elements[j].reg])
				return true;
	}
	return false;
}

static bool is_run(struct planner *planner, const struct ptx_insn *insn)
{
	return insn->guarded || plan_is_memory(insn) || is_control(insn) || writes_slice(planner, insn) ||
	       (is_parameter(insn) && insn->operation == OP_st);
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
	step->guard = insn->guarded && insn->guard < planner->function->register_count ? planner->number[insn->guard] : NO_INDEX;
	step->bytes = ptx_insn_access_bytes(insn);
	step->decides = planner->decides[index];
	plan_operands(planner, step);
	step->slot = new_slot(planner, step);
}

/* Where the branch that ends a block goes. */
static void make_branch(struct plan_block *block, const struct ptx_block *from)
{
	const struct step *last = block->step_count ? &block->steps[block->step_count - 1] : NULL;

	block->fall = from->successors[0];
	block->target = from->successors[1];
	if (!last || last->index != from->first + from->count - 1 || !(last->flags & FLAG_BRANCH)) {
		if (block->fall == PTX_NO_BLOCK)
			block->fall = block->target;
		return;
	}
	block->branch = last;
	block->step_count--;
	if (last->insn->operation == OP_bra && !last->insn->guarded && block->target == PTX_NO_BLOCK)
		block->target = block->fall;
}

/* Instructions of a block that are executed themselves; those that only say what a machine instruction does are not. */
static uint32_t executed_count(const struct ptx_function *function, const struct ptx_block *block)
{
	uint32_t count = 0;

	for (uint32_t i = block->first; i < block->first + block->count; i++)
		count += !function->insns[i].synthetic;
	return count;
}

static void make_block(struct planner *planner, uint32_t index)
{
	const struct ptx_function *function = planner->function;
	const struct ptx_block *from = &function->cfg->blocks[index];
	struct plan_block *block = &planner->plan->blocks[index];
	uint32_t count = 0;

	for (uint32_t i = from->first; i < from->first + from->count; i++)
		count += is_run(planner, &function->insns[i]);
	block->steps = arena_array(planner->arena, count + 1, sizeof(struct step));
	block->insn_count = executed_count(function, from);
	block->loop = from->loop;
	block->heads = PTX_NO_LOOP;
	block->reconverge = from->post_dominator;
	if (!from->reachable)
		return;
	for (uint32_t i = from->first; i < from->first + from->count; i++)
		if (is_run(planner, &function->insns[i]))
			make_step(planner, &block->steps[block->step_count++], i);
	magic_find(planner, block);
	make_branch(block, from);
}

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
	if (step->guard != NO_INDEX)
		set_add(live, step->guard);
}

static void successors_live(const struct plan *plan, uint32_t index, uint64_t *live)
{
	const struct ptx_block *from = &plan->function->cfg->blocks[index];

	for (uint32_t i = 0; i < 2 + from->target_count; i++) {
		uint32_t next = i < 2 ? from->successors[i] : from->targets[i - 2];

		if (next == PTX_NO_BLOCK)
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

static void find_live(struct planner *planner)
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

static const struct plan *plan_known(const struct evaluator *evaluator, const struct ptx_function *function)
{
	const struct plan *plan = evaluator->plans;

	while (plan && plan->function != function)
		plan = plan->next;
	return plan;
}

const struct plan *plan_make(struct evaluator *evaluator, const struct ptx_function *function)
{
	struct planner planner = {.evaluator = evaluator, .arena = evaluator->scratch, .function = function};
	const struct plan *known = plan_known(evaluator, function);
	struct plan *plan;

	if (known || !function->cfg)
		return known;
	plan = planner.plan = arena_alloc(evaluator->scratch, sizeof(*plan));
	plan->module = evaluator->input->module;
	plan->function = function;
	plan->next = evaluator->plans;
	evaluator->plans = plan;
	plan->block_count = function->cfg->block_count;
	plan->blocks = arena_array(evaluator->scratch, plan->block_count + 1, sizeof(*plan->blocks));
	plan->slot_insn = arena_array(evaluator->scratch, function->insn_count + 1, sizeof(uint32_t));
	planner.decides = find_deciders(evaluator->scratch, function);
	find_slice(&planner);
	number_registers(&planner);
	for (uint32_t i = 0; i < plan->block_count; i++)
		make_block(&planner, i);
	for (uint32_t i = 0; i < function->cfg->loop_count; i++) {
		plan->blocks[function->cfg->loops[i].header].heads = i;
		plan->blocks[function->cfg->loops[i].header].always_trip = is_always_trip(plan, function->cfg->loops[i].header);
	}
	find_live(&planner);
	return plan;
}

uint32_t plan_indexed_target(const struct plan *plan, const struct plan_block *block, uint64_t index)
{
	const struct ptx_insn *insn = block->branch->insn;

	for (unsigned i = 0; i < insn->operand_count; i++) {
		const struct ptx_operand *list = &insn->operands[i];

		if (list->kind != OPERAND_VECTOR || index >= list->count || list->elements[index].kind != OPERAND_LABEL)
			continue;
		for (uint32_t target = 0; target < plan->block_count; target++)
			if (plan->function->cfg->blocks[target].first == (uint64_t)list->elements[index].value)
				return target;
	}
	return PTX_NO_BLOCK;
}

bool plan_in_loop(const struct plan *plan, uint32_t block, uint32_t loop)
{
	const struct ptx_loop *loops = plan->function->cfg->loops;
	uint32_t inner;

	if (block == PTX_NO_BLOCK)
		return false;
	for (inner = plan->blocks[block].loop; inner != PTX_NO_LOOP; inner = loops[inner].parent)
		if (inner == loop)
			return true;
	return false;
}

uint32_t plan_decided_loop(const struct plan *plan, const struct plan_block *block)
{
	const struct ptx_loop *loops = plan->function->cfg->loops;

	for (uint32_t loop = block->loop; loop != PTX_NO_LOOP; loop = loops[loop].parent)
		if (plan_in_loop(plan, block->fall, loop) != plan_in_loop(plan, block->target, loop))
			return loop;
	return PTX_NO_LOOP;
}
