/*
 * One block of machine instructions into the IR.
 *
 * A handler reads its operands as values and says what they become (result); afterwards the results are written, under
 * the instruction's guard where it has one: the new value where it holds, the old one elsewhere. Of what a handler
 * emitted, one instruction stands for the machine instruction and is counted, the others are synthetic. At the block's
 * end, what later blocks want is copied into its webs' registers, before the branch.
 */
#include "ptxparse/sass.h"

#include <string.h>

/* ---- operands ------------------------------------------------------------------------- */

static const struct sass_operand *operand_at(const struct translation *t, unsigned i)
{
	static const struct sass_operand none = {.kind = SASS_INTEGER, .key = KEY_NONE, .text = ""};

	return i < t->insn->operand_count ? &t->insn->operands[i] : &none;
}

struct sass_value *sass_key_read(struct translation *t, uint16_t key)
{
	struct sass_value *value = sass_key_get(t, key);

	while (t->guard && value->kind == VALUE_SELECT && value->predicate == t->guard)
		value = value->predicate_negated == t->guard_negated ? value->a : value->b;
	return value;
}

static bool is_real_instruction(const struct translation *t)
{
	return ptx_type_is_float((enum ptx_type)t->insn->entry->type);
}

static struct sass_value *real_constant(struct translation *t, double real)
{
	float single = (float)real;
	uint32_t bits;

	memcpy(&bits, &single, sizeof(bits));
	return sass_value_constant(t, 32, bits);
}

/* c[bank][offset]; bank 2 holds constants of the compiler. */
static struct sass_value *bank_word(struct translation *t, const struct sass_operand *operand, int64_t add)
{
	uint64_t offset = (uint64_t)(operand->value + add);
	uint32_t word;

	if (operand->key != KEY_NONE && operand->key != KEY_ZERO)
		return sass_value_unknown(t, 32);
	if (operand->bank == 0 || operand->bank == 4)
		return sass_value_bank(t, operand->bank, (uint32_t)offset);
	if (operand->bank == 2 && cubin_bank_word(t->cubin, t->listing->name, 2, offset, &word))
		return sass_value_constant(t, 32, word);
	return sass_value_unknown(t, 32);
}

struct sass_value *sass_source_plain(struct translation *t, unsigned i)
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

struct sass_value *sass_source(struct translation *t, unsigned i)
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

static struct sass_value *real_wide(struct translation *t, double real)
{
	uint64_t bits;

	memcpy(&bits, &real, sizeof(bits));
	return sass_value_constant(t, 64, bits);
}

struct sass_value *sass_source_wide(struct translation *t, unsigned i, bool is_signed)
{
	const struct sass_operand *operand = operand_at(t, i);
	struct sass_value *value = NULL;

	switch (operand->kind) {
	case SASS_REGISTER:
		if (operand->key == KEY_ZERO)
			value = sass_value_constant(t, 64, 0);
		else if (!operand->part && operand->key < KEY_UNIFORMS + 254)
			value = sass_value_pair(t, sass_key_read(t, operand->key), sass_key_read(t, (uint16_t)(operand->key + 1)));
		break;
	case SASS_INTEGER:
		value = sass_value_constant(t, 64,
		                            is_signed ? (uint64_t)(int64_t)(int32_t)operand->value : (uint64_t)operand->value);
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
		value = is_real_instruction(t) ? sass_emit(t, OP_neg, PTX_f64, 64, value, NULL, NULL)
		                               : sass_emit(t, OP_sub, PTX_s64, 64, sass_value_constant(t, 64, 0), value, NULL);
	return value;
}

bool sass_source_is_predicate(const struct translation *t, unsigned i)
{
	const struct sass_operand *operand = operand_at(t, i);

	return operand->kind == SASS_REGISTER && operand->key >= KEY_PREDICATES;
}

struct sass_value *sass_source_predicate(struct translation *t, unsigned i)
{
	const struct sass_operand *operand = operand_at(t, i);
	struct sass_value *value;

	if (!sass_source_is_predicate(t, i))
		return sass_value_constant(t, 1, 1);
	value = sass_key_read(t, operand->key);
	return operand->inverted ? sass_predicate_not(t, value) : value;
}

int64_t sass_source_number(const struct translation *t, unsigned i, int64_t fallback)
{
	const struct sass_operand *operand = operand_at(t, i);

	return operand->kind == SASS_INTEGER ? operand->value : fallback;
}

void sass_result(struct translation *t, unsigned i, struct sass_value *value)
{
	const struct sass_operand *operand = operand_at(t, i);

	if (operand->kind != SASS_REGISTER || operand->key == KEY_ZERO || operand->key == KEY_TRUE ||
	    t->result_count == ARRAY_COUNT(t->results))
		return;
	t->results[t->result_count].key = operand->key;
	t->results[t->result_count++].value = value;
}

void sass_result_wide(struct translation *t, unsigned i, struct sass_value *value)
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

void sass_main_is_last(struct translation *t)
{
	t->main = (uint32_t)t->insn_count - 1;
}

/* ---- one instruction ------------------------------------------------------------------------ */

struct sass_control insn_control(const struct translation *t)
{
	const uint8_t *code = t->listing->code ? t->listing->code + (size_t)t->index * SASS_INSN_BYTES : NULL;
	struct sass_control control = {.address = t->index * SASS_INSN_BYTES, .write_barrier = 7, .read_barrier = 7};
	uint64_t high = 0;

	for (unsigned i = 0; code && i < 8; i++)
		high |= (uint64_t)code[8 + i] << (8 * i);
	if (code) {
		control.stall = high >> 41 & 0xf;
		control.yield = high >> 45 & 1;
		control.write_barrier = high >> 46 & 7;
		control.read_barrier = high >> 49 & 7;
		control.wait_mask = high >> 52 & 0x3f;
		control.reuse = high >> 58 & 0xf;
	}
	control.unit = t->insn->entry ? t->insn->entry->unit : UNIT_NONE;
	control.uniform = t->insn->opcode[0] == 'U' || strncmp(t->insn->opcode, "R2UR", 4) == 0;
	return control;
}

/* Where the guard does not hold, a result leaves what there was. */
static void results_write(struct translation *t)
{
	for (unsigned i = 0; i < t->result_count; i++) {
		uint16_t key = t->results[i].key;
		struct sass_value *value = t->results[i].value;

		if (t->guard)
			value = sass_value_select(t, t->guard, t->guard_negated, value, sass_key_get(t, key));
		sass_key_set(t, key, value);
	}
}

static void guard_set(struct translation *t)
{
	const struct sass_insn *insn = t->insn;

	t->guard = insn->guarded ? sass_key_get(t, insn->guard) : NULL;
	t->guard_negated = insn->guard_negated;
}

void insn_main_make(struct translation *t, enum ptx_operation operation)
{
	sass_emit_raw(t, operation, PTX_TYPE_NONE, 0, 0);
	sass_main_is_last(t);
}

/* The operation that counts an instruction for which no other was emitted: one without effects. */
static enum ptx_operation bare_operation(const struct translation *t)
{
	struct ptx_insn insn = {.operation = t->insn->entry ? t->insn->entry->operation : (uint16_t)OP_nop};
	unsigned effects = FLAG_LOAD | FLAG_STORE | FLAG_BRANCH | FLAG_EXIT | FLAG_CALL;

	return ptx_insn_flags(&insn) & effects ? OP_nop : (enum ptx_operation)insn.operation;
}

void insn_finish(struct translation *t)
{
	struct sass_control control = insn_control(t);

	if (t->main == UINT32_MAX || t->main < t->first_emitted)
		insn_main_make(t, bare_operation(t));
	t->insns[t->main].synthetic = false;
	t->insns[t->main].spelling = t->insn->opcode;
	while (t->control_count < t->insn_count)
		ARENA_PUSH(t->arena, t->controls, t->control_count, control);
}

void insn_begin(struct translation *t, uint32_t index)
{
	t->index = index;
	t->insn = &t->listing->insns[index];
	t->first_emitted = t->insn_count;
	t->main = UINT32_MAX;
	t->result_count = 0;
	guard_set(t);
}

static void warn_opaque(struct translation *t, const char *opcode)
{
	struct place place = {t->module->path, 0, 0};

	diagnostics_report(t->diagnostics, SEVERITY_WARNING, place,
	                   "machine instruction '%.60s' is not known: what it writes is taken to be unknown", opcode);
}

/* An opcode that no row describes: predicates and the register at the front are written. */
static void opaque_translate(struct translation *t)
{
	unsigned i = 0;

	while (i < t->insn->operand_count && sass_source_is_predicate(t, i))
		sass_result(t, i++, sass_value_unknown(t, 1));
	if (i < t->insn->operand_count && t->insn->operands[i].kind == SASS_REGISTER) {
		bool wide = sass_has(t->insn, "64") || sass_has(t->insn, "F64");

		if (wide)
			sass_result_wide(t, i, sass_value_unknown(t, 64));
		else
			sass_result(t, i, sass_value_unknown(t, 32));
	}
	if (t->dry)
		return;
	t->code->opaque++;
	warn_opaque(t, t->insn->opcode);
}

/* 64-bit forms of instructions that are described for 32 bits alone are not known. */
static bool is_described(const struct sass_insn *insn)
{
	static sass_handler *const narrow[] = {handle_product, handle_scaled, handle_logic,
	                                       handle_permute, handle_abs,    handle_mask};

	for (size_t i = 0; insn->entry && sass_has(insn, "64") && i < ARRAY_COUNT(narrow); i++)
		if (insn->entry->handler == narrow[i])
			return false;
	return insn->entry != NULL;
}

static void insn_translate(struct translation *t, uint32_t index)
{
	insn_begin(t, index);
	if (t->guard && t->guard->kind == VALUE_CONSTANT) {
		bool holds = (t->guard->number != 0) != t->guard_negated;

		t->guard = NULL;
		if (!holds) {
			insn_finish(t);
			return;
		}
	}
	if (is_described(t->insn))
		t->insn->entry->handler(t, t->insn);
	else
		opaque_translate(t);
	results_write(t);
	insn_finish(t);
}

void block_translate(struct translation *t, struct sass_block *block)
{
	uint32_t self = (uint32_t)(block - t->flow->blocks), plain = block->count - (block->end != END_FALL);
	struct sass_value *none = NULL;

	for (unsigned i = 0; i < t->touched_count; i++)
		t->current[t->touched[i]] = NULL;
	t->touched_count = t->bank_count = 0;
	memset(t->entries, 0, sizeof(t->entries));
	memset(t->used, 0, sizeof(t->used));
	memset(block->passed, 0, KEY_WORDS * sizeof(uint64_t));
	memset(block->refused, 0, KEY_WORDS * sizeof(uint64_t));
	t->block = block;
	t->listing = t->flow->contexts[block->context].listing;
	block->emitted = (uint32_t)t->insn_count;
	for (uint32_t i = 0; i < plain; i++)
		insn_translate(t, block->first + i);
	if (block->end != END_FALL) {
		block_end(t, block, block->first + plain);
	} else {
		struct sass_control control = insn_control(t);

		t->guard = NULL;
		block_leave(t, block, &none);
		while (t->control_count < t->insn_count)
			ARENA_PUSH(t->arena, t->controls, t->control_count, control);
	}
	if (block->end == END_FALL || block->end == END_BRANCH)
		block_fall(t, block, self);
}
