/*
 * Comparisons of data with special cases of arithmetic, which come out the usual way: usual.def has them.
 *
 * Only what is not known is compared so (compute/compare.c); known numbers are compared as they are. A comparison in a
 * block that decides about a loop is left alone: a program may wait there for just that number.
 */
#include "model/execute/plan/plan.h"

#define MOST_DEFINITIONS 16 /* of one register */

enum usual_side { BELOW, ABOVE, UNLIKE };
enum usual_need { NOTHING, MAGNITUDE, LIBRARY, POWER };

static const struct usual_row {
	uint8_t type, side, need;
	uint64_t constant;
} rows[] = {
#define X(type, constant, side, need) {PTX_##type, side, need, UINT64_C(constant)},
#include "model/execute/plan/usual.def"
#undef X
};

/* What the comparisons of one place of the source have shown. */
struct usual_place {
	bool library, infinity, one;
};

/* Integers are compared in either signedness. */
static enum ptx_type type_of(const struct ptx_insn *insn)
{
	enum ptx_type type = (enum ptx_type)insn->type;

	return ptx_type_is_float(type) || ptx_type_bytes(type) != 4 ? type : PTX_u32;
}

static bool is_infinity(const struct usual_row *row)
{
	return row->constant == (row->type == PTX_f64 ? UINT64_C(0x7ff0000000000000) : UINT64_C(0x7f800000));
}

static bool is_one(const struct usual_row *row)
{
	return row->constant == (row->type == PTX_f64 ? UINT64_C(0x3ff0000000000000) : UINT64_C(0x3f800000));
}

/* Whether the number that is compared is an absolute value, wherever it is made. */
static bool is_magnitude(const struct planner *planner, const struct ptx_insn *insn)
{
	const struct ptx_operand *number = &insn->operands[insn->destinations];
	uint32_t reg = number->reg, first, end;

	if (number->kind != OPERAND_REGISTER || reg >= planner->function->register_count)
		return false;
	first = planner->first_definition[reg + 1];
	end = planner->first_definition[reg + 2];
	if (first == end || end - first > MOST_DEFINITIONS)
		return false;
	for (uint32_t i = first; i < end; i++)
		if (planner->function->insns[planner->definitions[i]].operation != OP_abs)
			return false;
	return true;
}

/* The row of a comparison with a constant, whatever it needs beside it; NULL where there is none. */
static const struct usual_row *row_of(const struct planner *planner, const struct ptx_insn *insn)
{
	const struct ptx_operand *constant;
	uint64_t bits;

	if (insn->operation != OP_setp || insn->operand_count < insn->destinations + 2u)
		return NULL;
	constant = &insn->operands[insn->destinations + 1];
	if (constant->kind != OPERAND_IMMEDIATE)
		return NULL;
	bits = (uint64_t)constant->value & value_mask(plan_type_bits((enum ptx_type)insn->type));
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		if (rows[i].type == type_of(insn) && rows[i].constant == bits &&
		    (rows[i].need != MAGNITUDE || is_magnitude(planner, insn)))
			return &rows[i];
	return NULL;
}

/* Special cases that are looked for in each place. Place 0 is none. */
static struct usual_place *places_find(const struct planner *planner)
{
	const struct ptx_function *function = planner->function;
	struct usual_place *places =
		arena_array(planner->arena, planner->plan->module->place_count + 1, sizeof(*places));

	for (size_t i = 0; i < function->insn_count; i++) {
		const struct ptx_insn *insn = &function->insns[i];
		const struct usual_row *row = insn->place ? row_of(planner, insn) : NULL;

		if (!row)
			continue;
		places[insn->place].library |= row->need == NOTHING || row->need == MAGNITUDE;
		places[insn->place].infinity |= is_infinity(row);
		places[insn->place].one |= is_one(row);
	}
	return places;
}

/* Whether it asks for a number, or for none. */
static bool asks_for_number(const struct ptx_insn *insn)
{
	return insn->compare == COMPARE_UNORDERED;
}

static enum plan_usual outcome(const struct ptx_insn *insn, enum usual_side side)
{
	switch (insn->compare) {
	case COMPARE_EQ:
		return USUAL_FAILS;
	case COMPARE_NE:
		return USUAL_HOLDS;
	case COMPARE_LT:
	case COMPARE_LE:
		return side == BELOW ? USUAL_HOLDS : side == ABOVE ? USUAL_FAILS : USUAL_NONE;
	case COMPARE_GT:
	case COMPARE_GE:
		return side == BELOW ? USUAL_FAILS : side == ABOVE ? USUAL_HOLDS : USUAL_NONE;
	default:
		return USUAL_NONE;
	}
}

static enum plan_usual usual_of(const struct planner *planner, const struct usual_place *places,
                                const struct ptx_insn *insn)
{
	const struct usual_place *place = &places[insn->place];
	const struct usual_row *row = row_of(planner, insn);

	if (insn->operation == OP_setp && asks_for_number(insn))
		return insn->unordered ? USUAL_FAILS : USUAL_HOLDS;
	if (!row || (row->need == LIBRARY && !place->library) ||
	    (row->need == POWER && !(place->infinity && place->one)))
		return USUAL_NONE;
	return outcome(insn, (enum usual_side)row->side);
}

void plan_usual(struct planner *planner)
{
	const struct usual_place *places = places_find(planner);

	for (uint32_t b = 0; b < planner->plan->block_count; b++) {
		struct plan_block *block = &planner->plan->blocks[b];

		if (block->branch && plan_decided_loop(planner->plan, block) != PTX_NO_LOOP)
			continue;
		for (uint32_t i = 0; i < block->step_count; i++)
			block->steps[i].usual = (uint8_t)usual_of(planner, places, block->steps[i].insn);
	}
}
