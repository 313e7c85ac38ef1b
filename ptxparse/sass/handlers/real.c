/*
 * Floating point and conversions. Values matter where an index is computed from them; elsewhere nobody asks for them.
 */
#include "ptxparse/sass/handlers/handlers.h"

#include <math.h>
#include <string.h>

static bool is_wide(const struct sass_insn *insn)
{
	return insn->entry->type == PTX_f64;
}

static struct sass_value *real_source(struct sass_translation *t, unsigned i)
{
	return is_wide(t->insn) ? sass_source_wide(t, i, false) : sass_source(t, i);
}

static void real_result(struct sass_translation *t, unsigned i, struct sass_value *value)
{
	if (value->bits == 64)
		sass_result_wide(t, i, value);
	else
		sass_result(t, i, value);
}

static enum ptx_mode rounding_of(const struct sass_insn *insn)
{
	return sass_has(insn, "RZ")   ? MODE_RZ
	       : sass_has(insn, "RM") ? MODE_RM
	       : sass_has(insn, "RP") ? MODE_RP
	                              : MODE_RN;
}

/* FADD, FMUL, FFMA, DADD, ... */
void sass_handle_real(struct sass_translation *t, const struct sass_insn *insn)
{
	enum ptx_operation operation = (enum ptx_operation)insn->entry->operation;
	struct sass_value *sources[3] = {NULL}, *value;
	unsigned count = operation == OP_fma ? 3 : 2;

	for (unsigned i = 0; i < count; i++)
		sources[i] = real_source(t, 1 + i);
	value = sass_emit_mode(t, operation, (enum ptx_type)insn->entry->type, rounding_of(insn),
	                       is_wide(insn) ? 64 : 32, sources[0], sources[1], sources[2]);
	t->insns[t->insn_count - 1].saturate = sass_has(insn, "SAT");
	real_result(t, 0, value);
}

/* FMNMX d, a, b, p: the lesser where p holds. */
void sass_handle_real_extreme(struct sass_translation *t, const struct sass_insn *insn)
{
	enum ptx_type type = (enum ptx_type)insn->entry->type;
	unsigned bits = is_wide(insn) ? 64 : 32;
	struct sass_value *a = real_source(t, 1), *b = real_source(t, 2), *least = sass_source_predicate(t, 3);

	if (least->kind == VALUE_CONSTANT)
		real_result(t, 0, sass_emit(t, least->number ? OP_min : OP_max, type, bits, a, b, NULL));
	else
		real_result(t, 0,
		            sass_value_select(t, least, false, sass_emit(t, OP_min, type, bits, a, b, NULL),
		                              sass_emit(t, OP_max, type, bits, a, b, NULL)));
}

/* MUFU.RCP64H: the high half of the reciprocal of a double with that high half. */
static void special_high(struct sass_translation *t, const struct sass_insn *insn, struct sass_value *a)
{
	struct sass_value *wide = sass_value_pair(t, sass_value_constant(t, 32, 0), a);

	if (sass_has(insn, "RCP64H"))
		sass_result(t, 0, sass_value_high(t, sass_emit(t, OP_rcp_approx, PTX_f64, 64, wide, NULL, NULL)));
	else if (sass_has(insn, "RSQ64H"))
		sass_result(t, 0, sass_value_high(t, sass_emit(t, OP_rsqrt_approx, PTX_f64, 64, wide, NULL, NULL)));
	else
		sass_result(t, 0, sass_value_unknown(t, 32));
}

#define TURN 0x40c90fdb /* 2 pi as a float: SIN and COS take turns, not radians */

void sass_handle_special_function(struct sass_translation *t, const struct sass_insn *insn)
{
	static const struct {
		const char *name;
		uint16_t operation;
	} functions[] = {
		{"RCP", OP_rcp_approx}, {"RSQ", OP_rsqrt_approx}, {"SQRT", OP_sqrt_approx}, {"SIN", OP_sin_approx},
		{"COS", OP_cos_approx}, {"LG2", OP_lg2_approx},   {"EX2", OP_ex2_approx},   {"TANH", OP_tanh_approx},
	};
	struct sass_value *a = sass_source(t, 1), *value;

	if (sass_has(insn, "SIN") || sass_has(insn, "COS"))
		a = sass_emit(t, OP_mul, PTX_f32, 32, a, sass_value_constant(t, 32, TURN), NULL);
	for (size_t i = 0; i < ARRAY_COUNT(functions); i++)
		if (sass_has(insn, functions[i].name)) {
			value = sass_emit(t, (enum ptx_operation)functions[i].operation, PTX_f32, 32, a, NULL, NULL);
			if (functions[i].operation == OP_rcp_approx && a->fact == FACT_ESTIMATE) {
				value->fact = FACT_RECIPROCAL;
				value->fact_value = a->fact_value;
			}
			sass_result(t, 0, value);
			return;
		}
	special_high(t, insn, a);
}

/* ---- conversions ---------------------------------------------------------------------------- */

static const struct {
	const char *name;
	uint8_t type;
} integers[] = {
	{"U32", PTX_u32}, {"S32", PTX_s32}, {"U64", PTX_u64}, {"S64", PTX_s64},
	{"U16", PTX_u16}, {"S16", PTX_s16}, {"U8", PTX_u8},   {"S8", PTX_s8},
};

static enum ptx_type integer_of(const struct sass_insn *insn)
{
	for (size_t i = 0; i < ARRAY_COUNT(integers); i++)
		if (sass_has(insn, integers[i].name))
			return (enum ptx_type)integers[i].type;
	return PTX_s32;
}

static bool is_half(const struct sass_insn *insn)
{
	return sass_has(insn, "F16") || sass_has(insn, "BF16");
}

/* The operation's real type: F64, else F32. */
static enum ptx_type real_of(const struct sass_insn *insn)
{
	return sass_has(insn, "F64") ? PTX_f64 : PTX_f32;
}

/* I2F.F64.U32 d, a */
void sass_handle_from_integer(struct sass_translation *t, const struct sass_insn *insn)
{
	enum ptx_type from = integer_of(insn), to = real_of(insn);
	struct sass_value *a = ptx_type_bytes(from) == 8 ? sass_source_wide(t, 1, true) : sass_source(t, 1);

	if (is_half(insn))
		sass_result(t, 0, sass_value_unknown(t, 32));
	else if (sass_has(insn, "RP") && to == PTX_f32 && ptx_type_bytes(from) >= 4)
		sass_result(t, 0, sass_division_round_up(t, from, a));
	else
		real_result(t, 0, sass_emit_convert(t, to, from, rounding_of(insn), a));
}

static enum ptx_mode integer_rounding(const struct sass_insn *insn)
{
	return sass_has(insn, "TRUNC")   ? MODE_RZI
	       : sass_has(insn, "FLOOR") ? MODE_RMI
	       : sass_has(insn, "CEIL")  ? MODE_RPI
	                                 : MODE_RNI;
}

/* F2I.U64.F64.TRUNC d, a */
void sass_handle_to_integer(struct sass_translation *t, const struct sass_insn *insn)
{
	enum ptx_type to = integer_of(insn), from = real_of(insn);
	struct sass_value *a = from == PTX_f64 ? sass_source_wide(t, 1, false) : sass_source(t, 1), *value;

	if (is_half(insn)) {
		sass_result(t, 0, sass_value_unknown(t, 32));
		return;
	}
	value = sass_emit_convert(t, to, from, integer_rounding(insn), a);
	if (to == PTX_u32 && a->fact == FACT_LOWERED) {
		value->fact = FACT_GUESS;
		value->fact_value = a->fact_value;
	}
	real_result(t, 0, value);
}

/* F2F.F32.F64 d, a: to the first type; FRND.FLOOR d, a. */
void sass_handle_real_convert(struct sass_translation *t, const struct sass_insn *insn)
{
	bool narrows = strstr(insn->opcode, "F32.F64") != NULL, widens = strstr(insn->opcode, "F64.F32") != NULL;
	bool rounds = strncmp(insn->opcode, "FRND", 4) == 0 || strncmp(insn->opcode, "UFRND", 5) == 0;
	enum ptx_type to = widens    ? PTX_f64
	                   : narrows ? PTX_f32
	                             : real_of(insn),
		      from = narrows  ? PTX_f64
	                     : widens ? PTX_f32
	                              : to;
	struct sass_value *a = from == PTX_f64 ? sass_source_wide(t, 1, false) : sass_source(t, 1);

	if (is_half(insn))
		sass_result(t, 0, sass_value_unknown(t, 32));
	else
		real_result(t, 0,
		            sass_emit_convert(t, to, from, rounds ? integer_rounding(insn) : rounding_of(insn), a));
}

/* ---- halves ------------------------------------------------------------------------------------ */

/* A number as a half-precision bit pattern; it is one that has one, for it was printed from one. */
static uint32_t half_bits(double number)
{
	uint32_t sign = signbit(number) ? 0x8000 : 0;
	double size = fabs(number);
	int exponent;

	if (isnan(number))
		return sign | 0x7fff;
	if (isinf(number))
		return sign | 0x7c00;
	if (size < 0x1p-14)
		return sign | (uint32_t)(size * 0x1p24);
	size = frexp(size, &exponent);
	return sign | (uint32_t)(exponent + 14) << 10 | ((uint32_t)(size * 2048) & 0x3ff);
}

/* HFMA2 d, -RZ, RZ, a, b makes a constant of two halves, the first one high; otherwise data. */
void sass_handle_halves(struct sass_translation *t, const struct sass_insn *insn)
{
	const struct sass_operand *operands = insn->operands;
	bool constant = insn->operand_count == 5 && operands[1].key == KEY_ZERO && operands[2].key == KEY_ZERO &&
	                operands[3].kind == SASS_REAL && operands[4].kind == SASS_REAL;

	if (constant)
		sass_result(
			t, 0,
			sass_value_constant(t, 32, half_bits(operands[3].real) << 16 | half_bits(operands[4].real)));
	else
		sass_result(t, 0, sass_value_unknown(t, 32));
}
