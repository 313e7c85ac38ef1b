/*
 * The operands of the machine instruction at hand: sources as values, and what its destinations become.
 */
#include "ptxparse/sass/handlers/handlers.h"

#include <string.h>

static const struct sass_operand *operand_at(const struct sass_translation *t, unsigned i)
{
	static const struct sass_operand none = {.kind = SASS_INTEGER, .key = KEY_NONE, .text = ""};

	return i < t->insn->operand_count ? &t->insn->operands[i] : &none;
}

struct sass_value *sass_key_read(struct sass_translation *t, uint16_t key)
{
	struct sass_value *value = sass_key_get(t, key);

	while (t->guard && value->kind == VALUE_SELECT && value->predicate == t->guard)
		value = value->predicate_negated == t->guard_negated ? value->a : value->b;
	return value;
}

static bool is_real_instruction(const struct sass_translation *t)
{
	return ptx_type_is_float((enum ptx_type)t->insn->entry->type);
}

static struct sass_value *real_constant(struct sass_translation *t, double real)
{
	float single = (float)real;
	uint32_t bits;

	memcpy(&bits, &single, sizeof(bits));
	return sass_value_constant(t, 32, bits);
}

/* c[bank][offset]; bank 2 holds constants of the compiler, bank 3 the program's variables. */
static struct sass_value *bank_word(struct sass_translation *t, const struct sass_operand *operand, int64_t add)
{
	uint64_t offset = (uint64_t)(operand->value + add);
	uint32_t word;

	if (operand->key != KEY_NONE && operand->key != KEY_ZERO)
		return sass_value_unknown(t, 32);
	if (operand->bank == 0 || operand->bank == 4)
		return sass_value_bank(t, operand->bank, (uint32_t)offset);
	if (operand->bank == 2 && cubin_bank_word(t->cubin, t->listing->name, 2, offset, &word))
		return sass_value_constant(t, 32, word);
	if (operand->bank == 3)
		return cubin_variable_word(t->cubin, offset, &word) ? sass_value_constant(t, 32, word)
		                                                    : sass_value_bank(t, 3, (uint32_t)offset);
	return sass_value_unknown(t, 32);
}

struct sass_value *sass_source_plain(struct sass_translation *t, unsigned i)
{
	const struct sass_operand *operand = operand_at(t, i);

	switch (operand->kind) {
	case SASS_REGISTER:
		return operand->part ? sass_value_unknown(t, 32) : sass_key_read(t, operand->key);
	case SASS_INTEGER:
		return sass_value_constant(t, 32, (uint64_t)operand->value);
	case SASS_REAL:
		return real_constant(t, operand->real);
	case SASS_BANK:
		return bank_word(t, operand, 0);
	default:
		return sass_value_unknown(t, 32);
	}
}

struct sass_value *sass_source(struct sass_translation *t, unsigned i)
{
	const struct sass_operand *operand = operand_at(t, i);
	struct sass_value *value = sass_source_plain(t, i);
	bool real = is_real_instruction(t);

	if (operand->absolute)
		value = real ? sass_emit(t, OP_abs, PTX_f32, 32, value, NULL, NULL)
		             : sass_emit(t, OP_abs, PTX_s32, 32, value, NULL, NULL);
	if (operand->negated && operand->kind != SASS_INTEGER && operand->kind != SASS_REAL)
		value = real ? sass_emit(t, OP_neg, PTX_f32, 32, value, NULL, NULL)
		             : sass_emit(t, OP_sub, PTX_s32, 32, sass_value_constant(t, 32, 0), value, NULL);
	if (operand->inverted)
		value = sass_emit(t, OP_sub, PTX_s32, 32, sass_value_constant(t, 32, UINT32_MAX), value, NULL);
	return value;
}

static struct sass_value *real_wide(struct sass_translation *t, double real)
{
	uint64_t bits;

	memcpy(&bits, &real, sizeof(bits));
	return sass_value_constant(t, 64, bits);
}

struct sass_value *sass_source_wide(struct sass_translation *t, unsigned i, bool is_signed)
{
	const struct sass_operand *operand = operand_at(t, i);
	struct sass_value *value = NULL;

	switch (operand->kind) {
	case SASS_REGISTER:
		if (operand->key == KEY_ZERO)
			value = sass_value_constant(t, 64, 0);
		else if (!operand->part && operand->key < KEY_UNIFORMS + 254)
			value = sass_value_pair(t, sass_key_read(t, operand->key),
			                        sass_key_read(t, (uint16_t)(operand->key + 1)));
		break;
	case SASS_INTEGER:
		value = sass_value_constant(
			t, 64, is_signed ? (uint64_t)(int64_t)(int32_t)operand->value : (uint64_t)operand->value);
		break;
	case SASS_REAL:
		value = real_wide(t, operand->real);
		break;
	case SASS_BANK:
		value = sass_value_pair(t, bank_word(t, operand, 0), bank_word(t, operand, 4));
		break;
	default:
		break;
	}
	if (!value)
		return sass_value_unknown(t, 64);
	if (operand->absolute)
		value = sass_emit(t, OP_abs, PTX_f64, 64, value, NULL, NULL);
	if (operand->negated && operand->kind != SASS_INTEGER && operand->kind != SASS_REAL)
		value = is_real_instruction(t)
		                ? sass_emit(t, OP_neg, PTX_f64, 64, value, NULL, NULL)
		                : sass_emit(t, OP_sub, PTX_s64, 64, sass_value_constant(t, 64, 0), value, NULL);
	return value;
}

bool sass_source_is_predicate(const struct sass_translation *t, unsigned i)
{
	const struct sass_operand *operand = operand_at(t, i);

	return operand->kind == SASS_REGISTER && operand->key >= KEY_PREDICATES;
}

struct sass_value *sass_source_predicate(struct sass_translation *t, unsigned i)
{
	const struct sass_operand *operand = operand_at(t, i);
	struct sass_value *value;

	if (!sass_source_is_predicate(t, i))
		return sass_value_constant(t, 1, 1);
	value = sass_key_read(t, operand->key);
	return operand->inverted ? sass_predicate_not(t, value) : value;
}

int64_t sass_source_number(const struct sass_translation *t, unsigned i, int64_t fallback)
{
	const struct sass_operand *operand = operand_at(t, i);

	return operand->kind == SASS_INTEGER ? operand->value : fallback;
}

void sass_result(struct sass_translation *t, unsigned i, struct sass_value *value)
{
	const struct sass_operand *operand = operand_at(t, i);

	if (operand->kind != SASS_REGISTER || operand->key == KEY_ZERO || operand->key == KEY_TRUE ||
	    t->result_count == ARRAY_COUNT(t->results))
		return;
	t->results[t->result_count].key = operand->key;
	t->results[t->result_count++].value = value;
}

void sass_result_wide(struct sass_translation *t, unsigned i, struct sass_value *value)
{
	const struct sass_operand *operand = operand_at(t, i);

	if (operand->kind != SASS_REGISTER || operand->key >= KEY_PREDICATES || operand->key == KEY_ZERO ||
	    t->result_count + 2 > ARRAY_COUNT(t->results))
		return;
	t->results[t->result_count].key = operand->key;
	t->results[t->result_count++].value = sass_value_low(t, value);
	t->results[t->result_count].key = (uint16_t)(operand->key + 1);
	t->results[t->result_count++].value = sass_value_high(t, value);
}

void sass_main_is_last(struct sass_translation *t)
{
	t->main = (uint32_t)t->insn_count - 1;
}
