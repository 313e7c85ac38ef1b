/*
 * How each operation is evaluated: operations.def as a table.
 */
#include "model/execute/plan/plan.h"

#include <string.h>

static const struct plan_rule rules[OP_COUNT] = {
#define R(operation, how, least, operator, widths) [OP_##operation] = {HOW_##how, least, operator, widths },
#include "model/execute/plan/operations.def"
#undef R
};

static const struct plan_rule unknown = {HOW_UNKNOWN, 1, 0, "t"};

const struct plan_rule *plan_rule(const struct ptx_insn *insn)
{
	return rules[insn->operation].widths ? &rules[insn->operation] : &unknown;
}

bool plan_is_memory(const struct ptx_insn *insn)
{
	return plan_rule(insn)->how == HOW_MEMORY && insn->space != SPACE_PARAM && insn->space != SPACE_CONST;
}

bool plan_is_local(const struct ptx_insn *insn)
{
	return (insn->operation == OP_ld || insn->operation == OP_st) &&
	       (insn->space == SPACE_LOCAL || insn->space == SPACE_GENERIC);
}

bool plan_is_numbered(const struct ptx_function *function, const struct ptx_insn *insn)
{
	return function->sass && insn->operation == OP_ld &&
	       (insn->space == SPACE_PARAM || insn->space == SPACE_CONST) && insn->operand_count > 1 &&
	       insn->operands[1].kind == OPERAND_ADDRESS && insn->operands[1].reg != PTX_NO_REGISTER;
}

unsigned plan_type_bits(enum ptx_type type)
{
	unsigned bytes = ptx_type_bytes(type);

	if (type == PTX_pred)
		return 1;
	return bytes && bytes <= 8 ? 8 * bytes : 64;
}

unsigned plan_source_bits(const struct ptx_insn *insn, unsigned position)
{
	unsigned bits = plan_type_bits((enum ptx_type)insn->type);
	const char *widths = plan_rule(insn)->widths;
	size_t length = strlen(widths);

	switch (length == 1 ? widths[0] : position < length ? widths[position] : 't') {
	case '3':
		return 32;
	case 'p':
		return 1;
	case 's':
		return insn->source_type ? plan_type_bits((enum ptx_type)insn->source_type) : bits;
	case 'w':
		return insn->mode == MODE_WIDE ? 2 * bits : bits;
	default:
		return bits;
	}
}
