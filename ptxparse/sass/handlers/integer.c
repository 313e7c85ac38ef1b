/*
 * Integer instructions but for sums: shifts, choices, moves, bit counting, and what registers hold from the start.
 */
#include "ptxparse/sass/handlers/handlers.h"

#include <string.h>

/* The first operand that is no predicate: the destination, where predicates before and after it are written too. */
static unsigned destination_of(struct sass_translation *t)
{
	unsigned i = 0;

	while (sass_source_is_predicate(t, i))
		i++;
	return i;
}

/* The first source: after the destination and further predicates. */
static unsigned sources_after(struct sass_translation *t, unsigned destination)
{
	unsigned i = destination + 1;

	while (sass_source_is_predicate(t, i))
		i++;
	return i;
}

void sass_handle_abs(struct sass_translation *t, const struct sass_insn *insn)
{
	(void)insn;
	sass_result(t, 0, sass_emit(t, OP_abs, PTX_s32, 32, sass_source(t, 1), NULL, NULL));
}

/* ---- shifts -------------------------------------------------------------------------------- */

/* A 64-bit value shifted; the number of bits may be any value. */
static struct sass_value *shift_wide(struct sass_translation *t, enum ptx_operation operation, bool is_signed,
                                     struct sass_value *low, struct sass_value *high, struct sass_value *amount)
{
	struct sass_value *wide = sass_value_pair(t, low, high);

	wide = sass_emit(t, operation,
	                 operation == OP_shl ? PTX_b64
	                 : is_signed         ? PTX_s64
	                                     : PTX_u64,
	                 64, wide, amount, NULL);
	if (operation == OP_shl && amount->kind == VALUE_CONSTANT && wide->fact == FACT_NONE) {
		wide->fact = FACT_SHIFTED;
		wide->fact_value = low;
		wide->number = wide->kind == VALUE_PLAIN ? amount->number : wide->number;
	}
	return wide;
}

static struct sass_value *shift_left(struct sass_translation *t, bool high, struct sass_value *a,
                                     struct sass_value *amount, struct sass_value *c)
{
	struct sass_value *value;

	if (high)
		return sass_value_is(a, 0) ? sass_emit(t, OP_shl, PTX_b32, 32, c, amount, NULL)
		                           : sass_value_high(t, shift_wide(t, OP_shl, false, a, c, amount));
	value = sass_emit(t, OP_shl, PTX_b32, 32, a, amount, NULL);
	if (value->kind == VALUE_PLAIN && value->fact == FACT_NONE && amount->kind == VALUE_CONSTANT) {
		value->fact = FACT_SHIFTED;
		value->fact_value = a;
		value->number = amount->number;
	}
	return value;
}

static struct sass_value *shift_right(struct sass_translation *t, bool high, bool is_signed, struct sass_value *a,
                                      struct sass_value *amount, struct sass_value *c)
{
	enum ptx_type type = is_signed ? PTX_s32 : PTX_u32;
	struct sass_value *value;

	if (!high)
		return sass_value_is(c, 0) && !is_signed
		               ? sass_emit(t, OP_shr, type, 32, a, amount, NULL)
		               : sass_value_low(t, shift_wide(t, OP_shr, is_signed, a, c, amount));
	value = sass_emit(t, OP_shr, type, 32, c, amount, NULL);
	if (is_signed && sass_value_is(amount, 31) && value->fact == FACT_NONE && value->kind == VALUE_PLAIN) {
		value->fact = FACT_SIGN;
		value->fact_value = c;
	}
	return value;
}

/* SHF d, a, n, c: the low or high half of (c:a) shifted by n; .W: n modulo 32. */
void sass_handle_shift(struct sass_translation *t, const struct sass_insn *insn)
{
	bool is_signed = sass_has(insn, "S32") || sass_has(insn, "S64"), high = sass_has(insn, "HI");
	bool is_wide = sass_has(insn, "U64") || sass_has(insn, "S64");
	struct sass_value *a = sass_source(t, 1), *amount = sass_source(t, 2), *c = sass_source(t, 3);

	if (sass_has(insn, "W"))
		amount = sass_emit(t, OP_and, PTX_b32, 32, amount, sass_value_constant(t, 32, is_wide ? 63 : 31), NULL);
	if (sass_has(insn, "L"))
		sass_result(t, 0, shift_left(t, high, a, amount, c));
	else
		sass_result(t, 0, shift_right(t, high, is_signed, a, amount, c));
}

/* ---- choices --------------------------------------------------------------------------------- */

static struct sass_value *choose_extreme(struct sass_translation *t, enum ptx_type type, struct sass_value *a,
                                         struct sass_value *b, struct sass_value *least)
{
	unsigned bits = a->bits;

	if (least->kind == VALUE_CONSTANT)
		return sass_emit(t, least->number ? OP_min : OP_max, type, bits, a, b, NULL);
	return sass_value_select(t, least, false, sass_emit(t, OP_min, type, bits, a, b, NULL),
	                         sass_emit(t, OP_max, type, bits, a, b, NULL));
}

static void extreme_wide(struct sass_translation *t, const struct sass_insn *insn, unsigned destination, unsigned i)
{
	enum ptx_type type = sass_has(insn, "U64") ? PTX_u64 : PTX_s64;
	struct sass_value *a = sass_source_wide(t, i, true), *b = sass_source_wide(t, i + 1, true);

	sass_result_wide(t, destination, choose_extreme(t, type, a, b, sass_source_predicate(t, i + 2)));
}

/* IMNMX d, a, b, p: the lesser where p holds. VIADDMNMX d, a, b, c, p: of a + b and c. .RELU: at least 0. */
void sass_handle_extreme(struct sass_translation *t, const struct sass_insn *insn)
{
	enum ptx_type type = sass_has(insn, "U32") ? PTX_u32 : PTX_s32;
	unsigned destination = destination_of(t), i = sources_after(t, destination);
	struct sass_value *a, *b, *extreme;

	if (sass_has(insn, "U64") || sass_has(insn, "S64")) {
		extreme_wide(t, insn, destination, i);
		return;
	}
	a = sass_source(t, i);
	b = sass_source(t, i + 1);
	if (strstr(insn->opcode, "ADDMNMX")) {
		a = sass_emit(t, OP_add, PTX_s32, 32, a, b, NULL);
		b = sass_source(t, ++i + 1);
	}
	if (sass_has(insn, "U16x2") || sass_has(insn, "S16x2")) {
		sass_result(t, destination, sass_value_unknown(t, 32));
		return;
	}
	extreme = choose_extreme(t, type, a, b, sass_source_predicate(t, i + 2));
	if (sass_has(insn, "RELU"))
		extreme = sass_emit(t, OP_max, PTX_s32, 32, extreme, sass_value_constant(t, 32, 0), NULL);
	sass_result(t, destination, extreme);
}

void sass_handle_select(struct sass_translation *t, const struct sass_insn *insn)
{
	bool wide = sass_has(insn, "64");
	struct sass_value *a = wide ? sass_source_wide(t, 1, false) : sass_source(t, 1),
			  *b = wide ? sass_source_wide(t, 2, false) : sass_source(t, 2);
	struct sass_value *value = sass_value_select(t, sass_source_predicate(t, 3), false, a, b);

	if (value->kind == VALUE_SELECT) {
		sass_value_register(t, value);
		sass_main_is_last(t);
	}
	if (wide)
		sass_result_wide(t, 0, value);
	else
		sass_result(t, 0, value);
}

/* ---- moves -------------------------------------------------------------------------------------- */

void sass_handle_move(struct sass_translation *t, const struct sass_insn *insn)
{
	unsigned destination = destination_of(t), i = sources_after(t, destination);

	for (unsigned k = 0; k < destination; k++)
		sass_result(t, k, sass_value_unknown(t, 1));
	if (sass_has(insn, "64"))
		sass_result_wide(t, destination, sass_source_wide(t, i, false));
	else
		sass_result(t, destination, sass_source(t, i));
}

static const struct {
	const char *name;
	uint8_t special;
} special_names[] = {
	{"SR_TID.X", SPECIAL_TID_X},        {"SR_TID.Y", SPECIAL_TID_Y},        {"SR_TID.Z", SPECIAL_TID_Z},
	{"SR_CTAID.X", SPECIAL_CTAID_X},    {"SR_CTAID.Y", SPECIAL_CTAID_Y},    {"SR_CTAID.Z", SPECIAL_CTAID_Z},
	{"SR_NTID.X", SPECIAL_NTID_X},      {"SR_NTID.Y", SPECIAL_NTID_Y},      {"SR_NTID.Z", SPECIAL_NTID_Z},
	{"SR_NCTAID.X", SPECIAL_NCTAID_X},  {"SR_NCTAID.Y", SPECIAL_NCTAID_Y},  {"SR_NCTAID.Z", SPECIAL_NCTAID_Z},
	{"SR_LANEID", SPECIAL_LANEID},      {"SR_EQMASK", SPECIAL_LANEMASK_EQ}, {"SR_LEMASK", SPECIAL_LANEMASK_LE},
	{"SR_LTMASK", SPECIAL_LANEMASK_LT}, {"SR_GEMASK", SPECIAL_LANEMASK_GE}, {"SR_GTMASK", SPECIAL_LANEMASK_GT},
	{"SR_VIRTID", SPECIAL_OTHER},
};

/* A launch without clusters is one where each block is the first of its own. */
static struct sass_value *special_value(struct sass_translation *t, const char *name)
{
	if (strcmp(name, "SRZ") == 0 || strncmp(name, "SR_CgaCtaId", 11) == 0)
		return sass_value_constant(t, 32, 0);
	for (size_t i = 0; i < ARRAY_COUNT(special_names); i++)
		if (strcmp(name, special_names[i].name) == 0 && special_names[i].special != SPECIAL_OTHER) {
			struct sass_value *value = sass_value_new(t, 32), from = {.kind = VALUE_SPECIAL, .bits = 32};

			from.number = special_names[i].special;
			sass_emit_copy(t, value->reg, PTX_u32, &from);
			return value;
		}
	return sass_value_unknown(t, 32);
}

void sass_handle_special(struct sass_translation *t, const struct sass_insn *insn)
{
	const char *name = insn->operand_count > 1 ? insn->operands[1].text : "";
	struct sass_value *value = special_value(t, name);
	bool wide = strncmp(insn->opcode, "CS2", 3) == 0 && !sass_has(insn, "32");

	if (wide)
		sass_result_wide(t, 0,
		                 sass_value_is(value, 0) ? sass_value_constant(t, 64, 0) : sass_value_unknown(t, 64));
	else
		sass_result(t, 0, value);
}

/* ---- constant banks -------------------------------------------------------------------------------- */

/* Less than a word of a parameter. */
static bool constant_part(struct sass_translation *t, const struct sass_insn *insn)
{
	static const struct {
		const char *modifier;
		uint8_t type;
	} parts[] = {{"U8", PTX_u8}, {"S8", PTX_s8}, {"U16", PTX_u16}, {"S16", PTX_s16}};

	for (size_t i = 0; i < ARRAY_COUNT(parts); i++)
		if (sass_has(insn, parts[i].modifier)) {
			const struct sass_operand *from = &insn->operands[1];
			bool known = from->kind == SASS_BANK && from->bank == 0;

			sass_result(t, 0,
			            known ? sass_parameter_load(t, (uint64_t)from->value, parts[i].type)
			                  : sass_value_unknown(t, 32));
			return true;
		}
	return false;
}

/* A word of constant bank 2 at a computed offset: targets of an indexed branch lie there. */
static struct sass_value *table_word(struct sass_translation *t, const struct sass_operand *from)
{
	struct sass_value *value = sass_value_unknown(t, 32);

	value->fact = FACT_TABLE;
	value->fact_value = sass_key_read(t, from->key);
	value->number = from->value;
	return value;
}

/* The i-th pair of words of a constant bank. */
static struct sass_value *constant_pair(struct sass_translation *t, struct sass_insn *insn, unsigned i)
{
	struct sass_value *value;

	insn->operands[1].value += (int64_t)8 * i;
	value = sass_source_wide(t, 1, false);
	insn->operands[1].value -= (int64_t)8 * i;
	return value;
}

void sass_handle_constant(struct sass_translation *t, const struct sass_insn *insn)
{
	const struct sass_operand *from = &insn->operands[1];
	struct sass_insn copy = *insn;
	struct sass_operand operands[SASS_OPERANDS];
	unsigned pairs = sass_has(insn, "128") ? 2 : sass_has(insn, "64") ? 1 : 0;

	if (insn->operand_count < 2)
		return;
	if (from->kind == SASS_BANK && from->key != KEY_NONE && from->key != KEY_ZERO) {
		if (from->bank == 2)
			sass_result(t, 0, table_word(t, from));
		else
			sass_constant_load(t);
		return;
	}
	if (constant_part(t, insn))
		return;
	if (!pairs)
		sass_result(t, 0, sass_source(t, 1));
	memcpy(operands, insn->operands, insn->operand_count * sizeof(*operands));
	copy.operands = operands;
	t->insn = &copy;
	for (unsigned i = 0; i < pairs; i++) {
		struct sass_value *pair = constant_pair(t, &copy, i);

		copy.operands[0].key = (uint16_t)(insn->operands[0].key + 2 * i);
		sass_result_wide(t, 0, pair);
	}
	t->insn = insn;
}

/* ---- bits ---------------------------------------------------------------------------------------------- */

void sass_handle_count(struct sass_translation *t, const struct sass_insn *insn)
{
	unsigned destination = destination_of(t);
	struct sass_value *value = sass_source(t, sources_after(t, destination));
	enum ptx_operation operation = (enum ptx_operation)insn->entry->operation;
	enum ptx_type type = operation == OP_bfind ? (sass_has(insn, "U32") ? PTX_u32 : PTX_s32) : PTX_b32;

	sass_result(t, destination,
	            sass_emit_mode(t, operation, type, sass_has(insn, "SH") ? MODE_SHIFT_AMOUNT : MODE_NONE, 32, value,
	                           NULL, NULL));
}

/* IDP.4A.U8.S8 d, a, b, c: the sum of the products of bytes, and c. */
void sass_handle_dot(struct sass_translation *t, const struct sass_insn *insn)
{
	const char *types = strstr(insn->opcode, ".4A.");
	struct sass_value *value;

	if (!types) {
		sass_result(t, 0, sass_value_unknown(t, 32));
		return;
	}
	value = sass_emit(t, OP_dp4a, types[4] == 'U' ? PTX_u32 : PTX_s32, 32, sass_source(t, 1), sass_source(t, 2),
	                  sass_source(t, 3));
	t->insns[t->insn_count - 1].source_type =
		strchr(types + 4, '.') && strchr(types + 4, '.')[1] == 'U' ? PTX_u32 : PTX_s32;
	sass_result(t, 0, value);
}

/* PRMT d, a, selector, c */
void sass_handle_permute(struct sass_translation *t, const struct sass_insn *insn)
{
	static const char *const modes[] = {"F4E", "B4E", "RC8", "ECL", "ECR", "RC16"};
	struct sass_value *a = sass_source(t, 1), *selector = sass_source(t, 2), *c = sass_source(t, 3);
	enum ptx_mode mode = MODE_NONE;

	for (size_t i = 0; i < ARRAY_COUNT(modes); i++)
		if (sass_has(insn, modes[i]))
			mode = MODE_OTHER;
	sass_result(t, 0, sass_emit_mode(t, OP_prmt, PTX_b32, mode, 32, a, c, selector));
}

/* BMSK d, position, width: so many ones. */
void sass_handle_mask(struct sass_translation *t, const struct sass_insn *insn)
{
	struct sass_value *position = sass_source(t, 1), *width = sass_source(t, 2), *ones;

	if (sass_has(insn, "W")) {
		position = sass_emit(t, OP_and, PTX_b32, 32, position, sass_value_constant(t, 32, 31), NULL);
		width = sass_emit(t, OP_and, PTX_b32, 32, width, sass_value_constant(t, 32, 31), NULL);
	}
	ones = sass_emit(t, OP_shl, PTX_b32, 32, sass_value_constant(t, 32, 1), width, NULL);
	ones = sass_emit(t, OP_sub, PTX_s32, 32, ones, sass_value_constant(t, 32, 1), NULL);
	sass_result(t, 0, sass_emit(t, OP_shl, PTX_b32, 32, ones, position, NULL));
}

/* SGXT d, a, n: the low n bits with their sign, or with zeros. */
void sass_handle_extend(struct sass_translation *t, const struct sass_insn *insn)
{
	struct sass_value *value = sass_source(t, 1), *width = sass_source(t, 2), *zero = sass_value_constant(t, 32, 0);

	if (sass_has(insn, "W"))
		width = sass_emit(t, OP_and, PTX_b32, 32, width, sass_value_constant(t, 32, 31), NULL);
	sass_result(t, 0, sass_emit(t, OP_bfe, sass_has(insn, "U32") ? PTX_u32 : PTX_s32, 32, value, zero, width));
}
