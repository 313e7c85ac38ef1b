/*
 * What an address is made of: it is followed backwards through arithmetic.
 *
 * Which variable of the module a memory instruction touches, where its address is not known: a table whose index is
 * data, as the coefficients of sin and cos are. It belongs to a variable where that is the only one met, and no pointer
 * is. And whether real numbers that are loaded become the integer that it is made of, or integers that are loaded are
 * scrambled, as a hash is.
 */
#include "model/execute/plan/plan.h"

#include <string.h>

#define MOST_FOLLOWED 64
#define MOST_DEFINITIONS 64 /* of one register */
#define LEAST_FACTOR 65536  /* that is no size of a row or a record */

struct chase {
	const struct planner *planner;
	uint32_t seen[MOST_FOLLOWED];
	uint32_t count;
	const char *symbol;
	bool lost;       /* too long, or several variables, or a pointer */
	bool turned;     /* a real number that is turned into an integer is met */
	uint32_t loaded; /* instruction that loads data of global memory, or NO_INDEX */
};

static void chase_register(struct chase *chase, uint32_t reg)
{
	if (reg >= chase->planner->function->register_count || chase->lost)
		return;
	for (uint32_t i = 0; i < chase->count; i++)
		if (chase->seen[i] == reg)
			return;
	if (chase->count == MOST_FOLLOWED)
		chase->lost = true;
	else
		chase->seen[chase->count++] = reg;
}

static void chase_symbol(struct chase *chase, const char *symbol)
{
	chase->lost |= chase->symbol && strcmp(chase->symbol, symbol) != 0;
	chase->symbol = symbol;
}

/* What is loaded may be an address. */
static bool may_be_pointer(const struct ptx_insn *insn)
{
	return ptx_type_bytes((enum ptx_type)insn->type) == 8 && !ptx_type_is_float((enum ptx_type)insn->type);
}

static void chase_operands(struct chase *chase, const struct ptx_insn *insn)
{
	for (unsigned i = insn->destinations; i < insn->operand_count; i++) {
		const struct ptx_operand *operand = &insn->operands[i];

		if (operand->kind == OPERAND_REGISTER)
			chase_register(chase, operand->reg);
		else if (operand->kind == OPERAND_SYMBOL)
			chase_symbol(chase, operand->symbol);
		for (unsigned j = 0; operand->kind == OPERAND_VECTOR && j < operand->count; j++)
			if (operand->elements[j].kind == OPERAND_REGISTER)
				chase_register(chase, operand->elements[j].reg);
	}
}

/* Computes with real numbers, or makes an integer of one. */
static bool is_real(const struct ptx_insn *insn)
{
	return ptx_type_is_float((enum ptx_type)insn->type) ||
	       (insn->operation == OP_cvt && ptx_type_is_float((enum ptx_type)insn->source_type));
}

/* What an instruction makes its result of. Loaded data may be any number; a loaded address is a pointer. What real
 * numbers become is none, whatever they are made of. */
static void chase_sources(struct chase *chase, const struct ptx_insn *insn)
{
	unsigned flags = ptx_insn_flags(insn);

	if (flags & FLAG_CALL || (flags & FLAG_LOAD && may_be_pointer(insn)))
		chase->lost = true;
	else if (!(flags & FLAG_LOAD) && !is_real(insn))
		chase_operands(chase, insn);
}

/* The same for numbers, whatever else an address is made of. */
static void chase_reals(struct chase *chase, const struct ptx_insn *insn)
{
	unsigned flags = ptx_insn_flags(insn);

	if (flags & FLAG_LOAD && (insn->space == SPACE_GLOBAL || insn->space == SPACE_GENERIC))
		chase->loaded = (uint32_t)(insn - chase->planner->function->insns);
	chase->turned |= insn->operation == OP_cvt && ptx_type_is_float((enum ptx_type)insn->source_type) &&
	                 !ptx_type_is_float((enum ptx_type)insn->type);
	if (!(flags & (FLAG_LOAD | FLAG_CALL)))
		chase_operands(chase, insn);
}

/* Follows what has been met, and what that is made of. */
static void chase_run(struct chase *chase, void (*visit)(struct chase *, const struct ptx_insn *))
{
	const struct planner *planner = chase->planner;

	for (uint32_t i = 0; i < chase->count && !chase->lost; i++) {
		uint32_t reg = chase->seen[i], first = planner->first_definition[reg + 1],
			 end = planner->first_definition[reg + 2];

		chase->lost = end - first > MOST_DEFINITIONS;
		for (uint32_t d = first; d < end && !chase->lost; d++)
			visit(chase, &planner->function->insns[planner->definitions[d]]);
	}
}

const struct ptx_variable *plan_home(const struct planner *planner, const struct ptx_operand *address)
{
	struct chase chase = {.planner = planner, .symbol = address->symbol};
	const struct ptx_variable *variable;

	chase_register(&chase, address->reg);
	chase_run(&chase, chase_sources);
	variable = chase.lost || !chase.symbol ? NULL : ptx_variable_find(planner->plan->module, NULL, chase.symbol);
	return variable && (variable->space == SPACE_GLOBAL || variable->space == SPACE_CONST) ? variable : NULL;
}

static bool is_global_load(const struct ptx_insn *insn)
{
	return ptx_insn_flags(insn) & FLAG_LOAD && (insn->space == SPACE_GLOBAL || insn->space == SPACE_GENERIC);
}

/* Integers that are loaded. */
static void chase_integers(struct chase *chase, const struct ptx_insn *insn)
{
	if (is_global_load(insn) && !may_be_pointer(insn) && !ptx_type_is_float((enum ptx_type)insn->type))
		chase->loaded = (uint32_t)(insn - chase->planner->function->insns);
	if (!(ptx_insn_flags(insn) & (FLAG_LOAD | FLAG_CALL)) && !is_real(insn))
		chase_operands(chase, insn);
}

static bool is_register(const struct ptx_insn *insn, unsigned source)
{
	unsigned at = insn->destinations + source;

	return at < insn->operand_count && insn->operands[at].kind == OPERAND_REGISTER;
}

/* Where numbers go that were side by side is anywhere then: a product by a large number, what is left of a quotient,
 * bits of two numbers beside each other. */
static bool scrambles(const struct ptx_insn *insn)
{
	const struct ptx_operand *factor =
		insn->operand_count > insn->destinations + 1u ? &insn->operands[insn->destinations + 1] : NULL;
	uint64_t number = factor && factor->kind == OPERAND_IMMEDIATE ? (uint64_t)factor->value & UINT32_MAX : 0;

	if (insn->type == PTX_pred || ptx_type_is_float((enum ptx_type)insn->type))
		return false;
	if (insn->operation == OP_mul || insn->operation == OP_mad)
		return insn->mode != MODE_HI && insn->mode != MODE_WIDE && number >= LEAST_FACTOR &&
		       number <= UINT32_MAX - LEAST_FACTOR && (number & (number - 1)) != 0;
	return insn->operation == OP_rem || (insn->operation == OP_xor && is_register(insn, 0) && is_register(insn, 1));
}

/* Follows what is scrambled to where it is loaded. */
static void chase_scrambled(struct chase *chase, const struct ptx_insn *insn)
{
	struct chase below = {.planner = chase->planner, .loaded = NO_INDEX};

	if (scrambles(insn) && chase->loaded == NO_INDEX) {
		chase_operands(&below, insn);
		chase_run(&below, chase_integers);
		chase->loaded = below.loaded;
	}
	if (!(ptx_insn_flags(insn) & (FLAG_LOAD | FLAG_CALL)))
		chase_operands(chase, insn);
}

/* 1 + block that the instruction stands in. */
static uint32_t block_behind(const struct ptx_cfg *cfg, uint32_t insn)
{
	for (uint32_t b = 0; b < cfg->block_count; b++)
		if (insn >= cfg->blocks[b].first && insn < cfg->blocks[b].first + cfg->blocks[b].count)
			return b + 1;
	return 0;
}

void plan_numbers(const struct planner *planner, const struct ptx_operand *address, struct step *step)
{
	struct chase reals = {.planner = planner, .loaded = NO_INDEX},
		     integers = {.planner = planner, .loaded = NO_INDEX};
	const struct ptx_cfg *cfg = planner->function->cfg;

	chase_register(&reals, address->reg);
	chase_run(&reals, chase_reals);
	if (reals.turned)
		step->reals = block_behind(cfg, reals.loaded);
	if (step->reals)
		return;
	chase_register(&integers, address->reg);
	chase_run(&integers, chase_scrambled);
	if (integers.loaded == NO_INDEX)
		return;
	step->hashed = integers.loaded + 1;
	step->reals = block_behind(cfg, integers.loaded);
}
