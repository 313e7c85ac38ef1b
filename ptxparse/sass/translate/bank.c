/*
 * Words of constant banks: kernel parameters and what the system says about the launch in bank 0, variables of the
 * program in bank 3, addresses of variables in bank 4. Two neighbouring words of one parameter, variable or address are
 * one 64-bit value.
 */
#include "ptxparse/sass/value.h"

/* Where the system keeps what, before the parameters: offsets since sm_70 and since sm_100. */
static const struct {
	uint16_t old, new;
	uint8_t special;
} launch_words[] = {
	{0x00, 0x360, SPECIAL_NTID_X},   {0x04, 0x364, SPECIAL_NTID_Y},   {0x08, 0x368, SPECIAL_NTID_Z},
	{0x0c, 0x370, SPECIAL_NCTAID_X}, {0x10, 0x374, SPECIAL_NCTAID_Y}, {0x14, 0x378, SPECIAL_NCTAID_Z},
};
#define STACK_OLD 0x28
#define STACK_NEW 0x37c
#define LOCAL_WINDOW_OLD 0x20
#define LOCAL_WINDOW_NEW 0x2f8

static bool is_new_bank(const struct sass_translation *t)
{
	return t->info->parameter_base >= 0x380;
}

/* The word at the offset: the same value wherever the block asks for it. */
static struct sass_value *word_find(struct sass_translation *t, int64_t number)
{
	struct sass_value *value;

	for (unsigned i = 0; i < t->bank_count; i++)
		if (t->banks[i]->number == number)
			return t->banks[i];
	value = sass_value_make(t, VALUE_BANK, 32);
	value->number = number;
	if (t->bank_count < ARRAY_COUNT(t->banks))
		t->banks[t->bank_count++] = value;
	return value;
}

struct sass_value *sass_value_bank(struct sass_translation *t, unsigned bank, uint32_t offset)
{
	struct sass_value *value;

	for (size_t i = 0; i < ARRAY_COUNT(launch_words) && bank == 0; i++)
		if (offset == (is_new_bank(t) ? launch_words[i].new : launch_words[i].old)) {
			value = sass_value_make(t, VALUE_SPECIAL, 32);
			value->number = launch_words[i].special;
			return value;
		}
	if (bank == 0 && offset == (is_new_bank(t) ? STACK_NEW : STACK_OLD))
		return sass_value_constant(t, 32, t->info->stack_bytes);
	return word_find(t, offset + (bank == 4 ? BANK_ADDRESSES : bank == 3 ? BANK_VARIABLES : 0));
}

/* The parameter that holds all of these bytes, or NULL. */
static const struct ptx_variable *parameter_at(const struct sass_translation *t, uint64_t offset, unsigned bytes)
{
	for (size_t i = 0; i < t->info->parameter_count; i++) {
		const struct ptx_variable *parameter = &t->info->parameters[i];
		uint64_t start = t->info->parameter_base + parameter->offset;
		uint64_t size = parameter->count * ptx_type_bytes((enum ptx_type)parameter->type);

		if (offset >= start && offset + bytes <= start + size)
			return parameter;
	}
	return NULL;
}

/* Loads from an offset of a parameter or variable; where there is none, the value is unknown. */
static struct sass_value *number_load(struct sass_translation *t, enum ptx_space space, const struct ptx_variable *from,
                                      uint64_t offset, enum ptx_type type)
{
	unsigned bits = ptx_type_bytes(type) > 4 ? 64 : 32;
	struct sass_value *value;
	struct ptx_insn *insn;

	if (!from)
		return sass_value_unknown(t, bits);
	value = sass_value_new(t, bits);
	insn = sass_emit_raw(t, OP_ld, type, 1, 2);
	insn->space = (uint8_t)space;
	insn->operands[0] = (struct ptx_operand){.kind = OPERAND_REGISTER, .reg = value->reg};
	insn->operands[1] = (struct ptx_operand){.kind = OPERAND_ADDRESS, .reg = PTX_NO_REGISTER, .symbol = from->name};
	insn->operands[1].value = (int64_t)(offset - from->offset);
	return value;
}

struct sass_value *sass_parameter_load(struct sass_translation *t, uint64_t offset, enum ptx_type type)
{
	return number_load(t, SPACE_PARAM, parameter_at(t, offset, ptx_type_bytes(type)),
	                   offset - t->info->parameter_base, type);
}

const struct ptx_variable *sass_variable_at(const struct sass_translation *t, uint64_t offset, unsigned bytes)
{
	for (size_t i = 0; i < t->module->variable_count; i++) {
		const struct ptx_variable *variable = &t->module->variables[i];

		if (variable->space == SPACE_CONST && offset >= variable->offset && bytes <= variable->count &&
		    offset - variable->offset <= variable->count - bytes)
			return variable;
	}
	return NULL;
}

/* Loads from the variable at the offset in constant bank 3. */
static struct sass_value *variable_load(struct sass_translation *t, uint64_t offset, enum ptx_type type)
{
	return number_load(t, SPACE_CONST, sass_variable_at(t, offset, ptx_type_bytes(type)), offset, type);
}

/* The generic address of local memory's start. */
static struct sass_value *local_window(struct sass_translation *t)
{
	struct sass_value *value = sass_value_new(t, 64);
	struct ptx_insn *insn = sass_emit_raw(t, OP_cvta, PTX_u64, 1, 2);

	insn->space = SPACE_LOCAL;
	insn->operands[0] = (struct ptx_operand){.kind = OPERAND_REGISTER, .reg = value->reg};
	insn->operands[1] = (struct ptx_operand){.kind = OPERAND_IMMEDIATE};
	return value;
}

/* The address of the variable that stands in constant bank 4, or NULL. */
static struct sass_value *symbol_address(struct sass_translation *t, int64_t offset)
{
	const char *name = cubin_address_at(t->cubin, (uint64_t)offset);
	struct sass_value *value;
	struct ptx_insn *insn;

	if (!name || !ptx_variable_find(t->module, NULL, name))
		return NULL;
	value = sass_value_new(t, 64);
	insn = sass_emit_raw(t, OP_mov, PTX_b64, 1, 2);
	insn->operands[0] = (struct ptx_operand){.kind = OPERAND_REGISTER, .reg = value->reg};
	insn->operands[1] = (struct ptx_operand){.kind = OPERAND_SYMBOL, .reg = PTX_NO_REGISTER, .symbol = name};
	return value;
}

struct sass_value *sass_bank_pair(struct sass_translation *t, const struct sass_value *low,
                                  const struct sass_value *high)
{
	struct sass_value *value = NULL;

	if (low->kind != VALUE_BANK || high->kind != VALUE_BANK || high->number != low->number + 4)
		return NULL;
	t->helping++;
	if (low->number >= BANK_VARIABLES)
		value = sass_variable_at(t, (uint64_t)(low->number - BANK_VARIABLES), 8)
		                ? variable_load(t, (uint64_t)(low->number - BANK_VARIABLES), PTX_b64)
		                : NULL;
	else if (low->number >= BANK_ADDRESSES)
		value = symbol_address(t, low->number - BANK_ADDRESSES);
	else if (low->number == (is_new_bank(t) ? LOCAL_WINDOW_NEW : LOCAL_WINDOW_OLD))
		value = local_window(t);
	else if (parameter_at(t, (uint64_t)low->number, 8))
		value = sass_parameter_load(t, (uint64_t)low->number, PTX_b64);
	t->helping--;
	return value;
}

struct sass_value *sass_bank_load(struct sass_translation *t, const struct sass_value *value)
{
	int64_t pair = value->number & ~INT64_C(4);
	struct sass_value *address;

	if (value->number >= BANK_VARIABLES)
		return variable_load(t, (uint64_t)(value->number - BANK_VARIABLES), PTX_b32);
	if (value->number < BANK_ADDRESSES)
		return sass_parameter_load(t, (uint64_t)value->number, PTX_b32);
	address = symbol_address(t, pair - BANK_ADDRESSES);
	if (!address)
		return sass_value_unknown(t, 32);
	return pair == value->number ? sass_value_low(t, address) : sass_value_high(t, address);
}
