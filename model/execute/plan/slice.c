/*
 * The slice of a function that is run: what addresses, guards, branches and calls depend on, backwards through
 * registers. Loads belong to it with their addresses alone.
 */
#include "model/execute/plan/plan.h"

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
		if (plan_is_memory(insn) || plan_is_numbered(planner->function, insn) || is_control(insn) ||
		    (is_parameter(insn) && insn->operation == OP_st))
			need_sources(planner, insn);
	}
}

/* Registers that the destination operand writes: calls visit with each. */
static void each_written(const struct ptx_insn *insn, void (*visit)(struct planner *, uint32_t, size_t),
                         struct planner *planner, size_t index)
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

/* Whether something that matters is loaded from what may be local memory. The stack of code with recursion has no size
 * that is known. */
static bool reads_local(struct planner *planner)
{
	const struct ptx_function *function = planner->function;

	for (size_t i = 0; i < function->insn_count; i++)
		if ((function->local_bytes || function->insns[i].space == SPACE_LOCAL) &&
		    function->insns[i].operation == OP_ld && plan_is_local(&function->insns[i]) &&
		    writes_slice(planner, &function->insns[i]))
			return true;
	return false;
}

/* What is stored there matters then, too. */
static void need_stored(struct planner *planner)
{
	for (size_t i = 0; i < planner->function->insn_count; i++) {
		const struct ptx_insn *insn = &planner->function->insns[i];

		if (insn->operation == OP_st && plan_is_local(insn) && insn->operand_count > 1)
			need_operand(planner, &insn->operands[1]);
	}
}

/* What registers that are needed are made of is needed. */
static void slice_grow(struct planner *planner)
{
	while (planner->work_count) {
		uint32_t reg = planner->work[--planner->work_count];

		for (uint32_t i = planner->first_definition[reg + 1]; i < planner->first_definition[reg + 2]; i++)
			need_sources(planner, &planner->function->insns[planner->definitions[i]]);
	}
}

void plan_slice(struct planner *planner)
{
	const struct ptx_function *function = planner->function;

	planner->needed = arena_array(planner->arena, function->register_count + 1, sizeof(bool));
	planner->work = arena_array(planner->arena, function->register_count + 1, sizeof(uint32_t));
	find_definitions(planner);
	need_roots(planner);
	slice_grow(planner);
	planner->plan->keeps_local = reads_local(planner);
	if (planner->plan->keeps_local)
		need_stored(planner);
	slice_grow(planner);
}

bool plan_is_run(struct planner *planner, const struct ptx_insn *insn)
{
	return insn->guarded || plan_is_memory(insn) || plan_is_numbered(planner->function, insn) || is_control(insn) ||
	       writes_slice(planner, insn) || (is_parameter(insn) && insn->operation == OP_st);
}
