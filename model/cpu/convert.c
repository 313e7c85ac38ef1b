/* Conversions: cvt of integers and real numbers in all roundings. Numbers of 8 bits and less that are real are refused.
 */
#include "model/cpu/internal.h"

static bool is_real(enum ptx_type type)
{
	return ptx_type_is_float(type);
}

static const char *type_in_c(struct cpu_translation *t, enum ptx_type type)
{
	return arena_printf(t->arena, "%c%u", ptx_type_is_signed(type) ? 's' : 'u', 8 * ptx_type_bytes(type));
}

/* The word of a rounding to a whole number, or NULL. */
static const char *whole_word(const struct ptx_insn *insn)
{
	switch (insn->mode) {
	case MODE_RNI:
		return "rni";
	case MODE_RZI:
		return "rzi";
	case MODE_RMI:
		return "rmi";
	case MODE_RPI:
		return "rpi";
	default:
		return NULL;
	}
}

/* The word of a rounding to a real number that is not the nearest, or NULL. */
static const char *direction_word(const struct ptx_insn *insn)
{
	return insn->mode == MODE_RZ ? "rz" : insn->mode == MODE_RM ? "rm" : insn->mode == MODE_RP ? "rp" : NULL;
}

static const char *integer_to_integer(struct cpu_translation *t, const struct ptx_insn *insn, const char *value)
{
	enum ptx_type to = (enum ptx_type)insn->type;
	const char *target = type_in_c(t, to), *source = type_in_c(t, (enum ptx_type)insn->source_type);
	unsigned bits = 8 * ptx_type_bytes(to);

	if (!insn->saturate)
		return arena_printf(t->arena, "(%s)(%s)%s", target, source, value);
	if (ptx_type_is_signed(to))
		return arena_printf(t->arena, "(%s)cpu_clamp_wide((%s)%s, -((s128)1 << %u), ((s128)1 << %u) - 1)",
		                    target, source, value, bits - 1, bits - 1);
	return arena_printf(t->arena, "(%s)cpu_clamp_wide((%s)%s, 0, ((s128)1 << %u) - 1)", target, source, value,
	                    bits);
}

/* NaN is 0, but for numbers of 64 bits on either side. */
static const char *real_to_integer(struct cpu_translation *t, const struct ptx_insn *insn, const char *value)
{
	enum ptx_type to = (enum ptx_type)insn->type, from = (enum ptx_type)insn->source_type;
	const char *word = whole_word(insn), *number = cpu_real(t, insn, from, value);

	if (!word || (from == PTX_f64 && ptx_type_bytes(to) < 4)) {
		cpu_refuse(t, insn, "it is not translated");
		return "0";
	}
	number = arena_printf(t->arena, "int_%s(round_%s((f64)%s))", type_in_c(t, to), word, number);
	if (from != PTX_f64 || ptx_type_bytes(to) != 4)
		return number;
	return arena_printf(t->arena, "as_f64(%s) != as_f64(%s) ? 0x80000000 : %s", value, value, number);
}

static const char *integer_to_real(struct cpu_translation *t, const struct ptx_insn *insn, const char *value)
{
	enum ptx_type to = (enum ptx_type)insn->type, from = (enum ptx_type)insn->source_type;
	const char *direction = direction_word(insn), *source = type_in_c(t, from),
		   *wide = ptx_type_is_signed(from) ? "s64" : "u64";

	if (to != PTX_f32 && to != PTX_f64 &&
	    (direction || (to != PTX_f16 && to != PTX_bf16) || ptx_type_bytes(from) > 4)) {
		cpu_refuse(t, insn, "it is not translated");
		return "0";
	}
	if (direction)
		return cpu_bits(
			t, insn, to,
			arena_printf(t->arena, "%s_%s_%s((%s)%s)", ptx_type_name(to), direction, wide, source, value));
	return cpu_bits(t, insn, to,
	                arena_printf(t->arena, "(%s)(%s)%s", to == PTX_f32 ? "f32" : "f64", source, value));
}

static bool is_half(enum ptx_type type)
{
	return type == PTX_f16 || type == PTX_bf16;
}

/* Of a real number, as C has it, to bits of 16. */
static const char *to_half(struct cpu_translation *t, const struct ptx_insn *insn, enum ptx_type to, const char *number)
{
	if (insn->saturate)
		number = arena_printf(t->arena, "sat_f64(%s)", number);
	if (insn->mode == MODE_RM || insn->mode == MODE_RP || insn->mode == MODE_NONE)
		cpu_refuse(t, insn, "it is not translated");
	return arena_printf(t->arena, "of_%s%s(%s)", ptx_type_name(to), insn->mode == MODE_RZ ? "_rz" : "", number);
}

static const char *real_to_real(struct cpu_translation *t, const struct ptx_insn *insn, const char *value)
{
	enum ptx_type to = (enum ptx_type)insn->type, from = (enum ptx_type)insn->source_type;
	const char *number = cpu_real(t, insn, from, value), *word = whole_word(insn);

	if (word)
		return cpu_bits(t, insn, to, arena_printf(t->arena, "round_%s(%s)", word, number));
	if (is_half(to))
		return to_half(t, insn, to, number);
	if (to == PTX_f32 && from == PTX_f64 && direction_word(insn))
		return cpu_bits(t, insn, to, arena_printf(t->arena, "f32_%s_f64(%s)", direction_word(insn), number));
	if (to != PTX_f32 && to != PTX_f64)
		cpu_refuse(t, insn, "it is not translated");
	return cpu_bits(t, insn, to, arena_printf(t->arena, "(%s)%s", to == PTX_f32 ? "f32" : "f64", number));
}

/* Two numbers into one register: the first is the upper half. */
static const char *pair_of(struct cpu_translation *t, const struct ptx_insn *insn)
{
	enum ptx_type half = insn->type == PTX_f16x2 ? PTX_f16 : PTX_bf16;
	const char *high = cpu_real(t, insn, PTX_f32, cpu_source(t, insn, 0));
	const char *low = cpu_real(t, insn, PTX_f32, cpu_source(t, insn, 1));

	if (insn->source_type != PTX_f32)
		cpu_refuse(t, insn, "it is not translated");
	return arena_printf(t->arena, "cpu_pair(%s, %s)", to_half(t, insn, half, low), to_half(t, insn, half, high));
}

void cpu_convert(struct cpu_translation *t, const struct ptx_insn *insn)
{
	enum ptx_type to = (enum ptx_type)insn->type, from = (enum ptx_type)insn->source_type;
	const char *value = cpu_source(t, insn, 0), *result;

	if (to == PTX_f16x2 || to == PTX_bf16x2)
		result = pair_of(t, insn);
	else if (!is_real(to) && !is_real(from))
		result = integer_to_integer(t, insn, value);
	else if (!is_real(to))
		result = real_to_integer(t, insn, value);
	else if (!is_real(from))
		result = integer_to_real(t, insn, value);
	else
		result = real_to_real(t, insn, value);
	cpu_assign(t, &insn->operands[0], result);
}
