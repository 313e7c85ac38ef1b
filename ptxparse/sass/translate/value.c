/*
 * Values that registers stand for within a block, and how they get into registers of the IR where they are needed.
 *
 * A value is never changed once it is made; what a register holds after a write is another value. So an address whose
 * halves were computed apart is found again by asking what its halves are: the low and the high half of one sum,
 * neighbouring words of a parameter, a number and its sign. Where nothing is known, two registers are packed
 * (mov.b64), which is always right.
 */
#include "ptxparse/sass/value.h"

#include <string.h>

static struct arena *arena_of(const struct sass_translation *t)
{
	return t->dry ? t->scratch : t->arena;
}

struct sass_value *sass_value_make(struct sass_translation *t, enum sass_value_kind kind, unsigned bits)
{
	struct sass_value *value = arena_alloc(t->scratch, sizeof(*value));

	value->kind = (uint8_t)kind;
	value->bits = (uint8_t)bits;
	value->reg = PTX_NO_REGISTER;
	value->key = KEY_NONE;
	return value;
}

struct sass_value *sass_value_constant(struct sass_translation *t, unsigned bits, uint64_t number)
{
	struct sass_value *value = sass_value_make(t, VALUE_CONSTANT, bits);

	value->number = bits == 1 ? number != 0 : bits == 32 ? (int64_t)(int32_t)(uint32_t)number : (int64_t)number;
	return value;
}

struct sass_value *sass_value_new(struct sass_translation *t, unsigned bits)
{
	struct sass_value *value = sass_value_make(t, VALUE_PLAIN, bits);

	value->reg = sass_register_new(t, sass_bits_type(bits), NULL);
	return value;
}

struct sass_value *sass_value_unknown(struct sass_translation *t, unsigned bits)
{
	return sass_value_make(t, VALUE_UNKNOWN, bits);
}

/* ---- keys --------------------------------------------------------------------------------- */

static unsigned key_bits(const struct sass_translation *t, uint16_t key)
{
	if (key >= KEY_FIXED)
		return t->derived[key - KEY_FIXED].high == KEY_NONE ? 32 : 64;
	return key >= KEY_PREDICATES ? 1 : 32;
}

uint16_t sass_derived_key(struct sass_translation *t, uint16_t low, uint16_t high)
{
	for (unsigned i = 0; i < t->derived_count; i++)
		if (t->derived[i].low == low && t->derived[i].high == high)
			return (uint16_t)(KEY_FIXED + i);
	if (t->simple || t->derived_count == ARRAY_COUNT(t->derived))
		return KEY_NONE;
	t->derived[t->derived_count] = (struct sass_derived){low, high};
	return (uint16_t)(KEY_FIXED + t->derived_count++);
}

struct sass_value *sass_value_entry(struct sass_translation *t, uint16_t key)
{
	struct sass_value *value = t->entries[key];

	if (value)
		return value;
	value = t->entries[key] = sass_value_make(t, VALUE_ENTRY, key_bits(t, key));
	value->key = key;
	return value;
}

struct sass_value *sass_key_get(struct sass_translation *t, uint16_t key)
{
	if (key == KEY_ZERO)
		return sass_value_constant(t, 32, 0);
	if (key == KEY_TRUE)
		return sass_value_constant(t, 1, 1);
	return t->current[key] ? t->current[key] : sass_value_entry(t, key);
}

void sass_key_set(struct sass_translation *t, uint16_t key, struct sass_value *value)
{
	if (key == KEY_ZERO || key == KEY_TRUE || key >= KEY_FIXED)
		return;
	if (!t->current[key])
		t->touched[t->touched_count++] = key;
	t->current[key] = value;
}

/* ---- halves and pairs ------------------------------------------------------------------------ */

bool sass_value_is(const struct sass_value *value, uint64_t number)
{
	uint64_t mask = value->bits == 32 ? UINT32_MAX : UINT64_MAX;

	return value->kind == VALUE_CONSTANT && (((uint64_t)value->number ^ number) & mask) == 0;
}

bool sass_value_same(const struct sass_value *a, const struct sass_value *b)
{
	if (a == b)
		return true;
	if (a->kind != b->kind || a->bits != b->bits)
		return false;
	switch (a->kind) {
	case VALUE_CONSTANT:
	case VALUE_BANK:
	case VALUE_SPECIAL:
		return a->number == b->number;
	case VALUE_LOW:
	case VALUE_HIGH:
		return a->a == b->a;
	default:
		return false;
	}
}

static struct sass_value *value_half(struct sass_translation *t, struct sass_value *wide, enum sass_value_kind kind)
{
	struct sass_value *value;

	if (wide->kind == VALUE_CONSTANT)
		return sass_value_constant(t, 32, (uint64_t)wide->number >> (kind == VALUE_LOW ? 0 : 32));
	if (wide->kind == VALUE_PAIR)
		return kind == VALUE_LOW ? wide->a : wide->b;
	value = sass_value_make(t, kind, 32);
	value->a = wide;
	return value;
}

struct sass_value *sass_value_low(struct sass_translation *t, struct sass_value *wide)
{
	return value_half(t, wide, VALUE_LOW);
}

struct sass_value *sass_value_high(struct sass_translation *t, struct sass_value *wide)
{
	return value_half(t, wide, VALUE_HIGH);
}

/* The 64-bit value that it is the low half of, or NULL. */
static struct sass_value *low_of(const struct sass_value *value)
{
	if (value->kind == VALUE_LOW)
		return value->a;
	return value->fact == FACT_LOW_OF ? value->fact_value : NULL;
}

static bool same_choice(const struct sass_value *a, const struct sass_value *b)
{
	return a->kind == VALUE_SELECT && b->kind == VALUE_SELECT && a->predicate == b->predicate &&
	       a->predicate_negated == b->predicate_negated;
}

/* The low half shifted by itself is the low half of the whole shifted. */
static bool same_shift(const struct sass_value *low, const struct sass_value *wide)
{
	return low->fact == FACT_SHIFTED && wide->fact == FACT_SHIFTED && low->number == wide->number &&
	       sass_value_same(low->fact_value, wide->fact_value);
}

/* Their common 64-bit value where one is known, or NULL. */
static struct sass_value *pair_known(struct sass_translation *t, struct sass_value *low, struct sass_value *high)
{
	struct sass_value *pair = NULL;
	uint16_t key;

	if (high->kind == VALUE_HIGH && (low_of(low) == high->a || same_shift(low, high->a)))
		return high->a;
	if (low->kind == VALUE_CONSTANT && high->kind == VALUE_CONSTANT)
		return sass_value_constant(t, 64, (uint64_t)high->number << 32 | ((uint64_t)low->number & UINT32_MAX));
	pair = sass_bank_pair(t, low, high);
	if (pair)
		return pair;
	if (low->kind == VALUE_ENTRY && high->kind == VALUE_ENTRY) {
		key = sass_derived_key(t, low->key, high->key);
		return key == KEY_NONE ? NULL : sass_value_entry(t, key);
	}
	if (same_choice(low, high))
		return sass_value_select(t, low->predicate, low->predicate_negated, sass_value_pair(t, low->a, high->a),
		                         sass_value_pair(t, low->b, high->b));
	return NULL;
}

/* A half extended by zeros or by its sign, or NULL. */
static struct sass_value *pair_extended(struct sass_translation *t, struct sass_value *low, struct sass_value *high)
{
	if (sass_value_is(high, 0))
		return sass_emit_convert(t, PTX_u64, PTX_u32, MODE_NONE, low);
	if (high->fact == FACT_SIGN && sass_value_same(high->fact_value, low))
		return sass_emit_convert(t, PTX_s64, PTX_s32, MODE_NONE, low);
	return NULL;
}

struct sass_value *sass_value_pair(struct sass_translation *t, struct sass_value *low, struct sass_value *high)
{
	struct sass_value *pair;

	if (high->paired_low == low && high->paired)
		return high->paired;
	pair = pair_known(t, low, high);
	if (!pair) {
		t->helping++;
		pair = pair_extended(t, low, high);
		t->helping--;
	}
	if (!pair) {
		pair = sass_value_make(t, VALUE_PAIR, 64);
		pair->a = low;
		pair->b = high;
	}
	high->paired_low = low;
	high->paired = pair;
	return pair;
}

/* ---- into registers ------------------------------------------------------------------------------ */

/* mov.b64 {low, high}, wide: only the half that is asked for. */
static void half_extract(struct sass_translation *t, struct sass_value *value)
{
	struct ptx_operand wide = sass_value_operand(t, value->a), *halves;
	struct ptx_insn *insn;

	value->reg = sass_register_new(t, PTX_b32, NULL);
	if (value->kind == VALUE_LOW) {
		insn = sass_emit_raw(t, OP_cvt, PTX_u32, 1, 2);
		insn->source_type = PTX_u64;
		insn->operands[0] = (struct ptx_operand){.kind = OPERAND_REGISTER, .reg = value->reg};
	} else {
		halves = arena_array(arena_of(t), 2, sizeof(*halves));
		halves[0] = (struct ptx_operand){.kind = OPERAND_SINK};
		halves[1] = (struct ptx_operand){.kind = OPERAND_REGISTER, .reg = value->reg};
		insn = sass_emit_raw(t, OP_mov, PTX_b64, 1, 2);
		insn->operands[0] = (struct ptx_operand){.kind = OPERAND_VECTOR, .count = 2, .elements = halves};
	}
	insn->operands[1] = wide;
}

static void pair_pack(struct sass_translation *t, struct sass_value *value)
{
	struct ptx_operand *halves = arena_array(arena_of(t), 2, sizeof(*halves));
	struct ptx_insn *insn;

	halves[0] = sass_value_operand(t, value->a);
	halves[1] = sass_value_operand(t, value->b);
	value->reg = sass_register_new(t, PTX_b64, NULL);
	insn = sass_emit_raw(t, OP_mov, PTX_b64, 1, 2);
	insn->operands[0] = (struct ptx_operand){.kind = OPERAND_REGISTER, .reg = value->reg};
	insn->operands[1] = (struct ptx_operand){.kind = OPERAND_VECTOR, .count = 2, .elements = halves};
}

/* The summand as an unsigned 64-bit number: of -b it is ~b, and one more is to be added. */
static struct sass_value *summand_wide(struct sass_translation *t, const struct sass_summand *term, uint64_t *constant)
{
	struct sass_value *value = term->value;

	if (term->shift)
		value = sass_emit(t, OP_shl, PTX_b32, 32, value, sass_value_constant(t, 32, term->shift), NULL);
	if (term->negated) {
		value = sass_emit(t, OP_sub, PTX_s32, 32, sass_value_constant(t, 32, UINT32_MAX), value, NULL);
		++*constant;
	}
	return sass_emit_convert(t, PTX_u64, PTX_u32, MODE_NONE, value);
}

/* Carries of a sum: what its summands, as numbers, add up to beyond 32 bits. */
static void carry_extract(struct sass_translation *t, struct sass_value *value)
{
	struct sass_value *total = NULL, *carry;
	uint64_t constant = 0;

	for (unsigned i = 0; i < value->sum->count; i++) {
		struct sass_value *wide = summand_wide(t, &value->sum->terms[i], &constant);

		total = total ? sass_emit(t, OP_add, PTX_s64, 64, total, wide, NULL) : wide;
	}
	if (value->sum->carry_in) {
		struct sass_value *one = sass_value_select(
			t, value->sum->carry_in, false, sass_value_constant(t, 64, 1), sass_value_constant(t, 64, 0));

		total = total ? sass_emit(t, OP_add, PTX_s64, 64, total, one, NULL) : one;
	}
	total = total ? sass_emit(t, OP_add, PTX_s64, 64, total, sass_value_constant(t, 64, constant), NULL)
	              : sass_value_constant(t, 64, constant);
	carry = sass_emit(t, OP_shr, PTX_u64, 64, total, sass_value_constant(t, 32, 32), NULL);
	carry = sass_emit_compare(t, COMPARE_GT, PTX_u64, carry, sass_value_constant(t, 64, (uint64_t)value->number));
	value->reg = sass_value_register(t, carry);
}

/* Of predicates the choice is made by logic. */
static void selection_make(struct sass_translation *t, struct sass_value *value)
{
	struct sass_value *yes = value->predicate_negated ? value->b : value->a,
			  *no = value->predicate_negated ? value->a : value->b;
	struct ptx_operand sources[3];
	struct ptx_insn *insn;

	if (value->bits == 1) {
		yes = sass_predicate_and(t, value->predicate, yes);
		no = sass_predicate_and(t, sass_predicate_not(t, value->predicate), no);
		value->reg = sass_value_register(t, sass_predicate_or(t, yes, no));
		return;
	}
	sources[0] = sass_value_operand(t, yes);
	sources[1] = sass_value_operand(t, no);
	sources[2] = sass_value_operand(t, value->predicate);
	value->reg = sass_register_new(t, sass_bits_type(value->bits), NULL);
	insn = sass_emit_raw(t, OP_selp, sass_bits_type(value->bits), 1, 4);
	insn->operands[0] = (struct ptx_operand){.kind = OPERAND_REGISTER, .reg = value->reg};
	memcpy(&insn->operands[1], sources, sizeof(sources));
}

static void unknown_make(struct sass_translation *t, struct sass_value *value)
{
	struct ptx_insn *insn;

	value->reg = sass_register_new(t, sass_bits_type(value->bits), NULL);
	insn = sass_emit_raw(t, OP_OPAQUE, sass_bits_type(value->bits), 1, 1);
	insn->operands[0] = (struct ptx_operand){.kind = OPERAND_REGISTER, .reg = value->reg};
}

static void into_register(struct sass_translation *t, struct sass_value *value)
{
	switch ((enum sass_value_kind)value->kind) {
	case VALUE_ENTRY:
		sass_set_put(t->used, value->key);
		value->reg = t->dry ? 0 : sass_web_in(t, t->block, value->key);
		break;
	case VALUE_BANK:
		value->reg = sass_value_register(t, sass_bank_load(t, value));
		break;
	case VALUE_CONSTANT:
	case VALUE_SPECIAL:
		value->reg = sass_register_new(t, sass_bits_type(value->bits), NULL);
		sass_emit_copy(t, value->reg, sass_bits_type(value->bits), value);
		break;
	case VALUE_LOW:
	case VALUE_HIGH:
		half_extract(t, value);
		break;
	case VALUE_PAIR:
		pair_pack(t, value);
		break;
	case VALUE_CARRY:
		carry_extract(t, value);
		break;
	case VALUE_SELECT:
		selection_make(t, value);
		break;
	case VALUE_UNKNOWN:
		unknown_make(t, value);
		break;
	default:
		break;
	}
}

uint32_t sass_value_register(struct sass_translation *t, struct sass_value *value)
{
	if (value->reg != PTX_NO_REGISTER)
		return value->reg;
	t->helping++;
	into_register(t, value);
	t->helping--;
	return value->reg;
}

struct ptx_operand sass_value_operand(struct sass_translation *t, struct sass_value *value)
{
	if (value->kind == VALUE_CONSTANT)
		return (struct ptx_operand){.kind = OPERAND_IMMEDIATE, .value = value->number};
	if (value->kind == VALUE_SPECIAL)
		return (struct ptx_operand){.kind = OPERAND_SPECIAL, .value = value->number};
	return (struct ptx_operand){.kind = OPERAND_REGISTER, .reg = sass_value_register(t, value)};
}

struct sass_value *sass_value_select(struct sass_translation *t, struct sass_value *predicate, bool negated,
                                     struct sass_value *a, struct sass_value *b)
{
	struct sass_value *value;

	if (predicate->kind == VALUE_CONSTANT)
		return (predicate->number != 0) != negated ? a : b;
	if (sass_value_same(a, b))
		return a;
	value = sass_value_make(t, VALUE_SELECT, a->bits);
	value->predicate = predicate;
	value->predicate_negated = negated;
	value->a = a;
	value->b = b;
	return value;
}
