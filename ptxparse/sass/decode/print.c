/*
 * Instructions as text, in the manner of nvdisasm.
 */
#include "ptxparse/sass/decode/decode.h"

#include <inttypes.h>
#include <math.h>

static void number_print(struct text *out, int64_t value)
{
	text_printf(out, "%s0x%" PRIx64, value < 0 ? "-" : "", (uint64_t)(value < 0 ? -value : value));
}

static void key_print(struct text *out, uint16_t key, bool uniform)
{
	const char *u = uniform ? "U" : "";

	if (key == KEY_ZERO)
		text_printf(out, "%sRZ", u);
	else if (key == KEY_TRUE)
		text_printf(out, "%sPT", u);
	else if (key < KEY_UNIFORMS)
		text_printf(out, "R%u", key);
	else if (key < KEY_PREDICATES)
		text_printf(out, "UR%u", key - KEY_UNIFORMS);
	else if (key < KEY_UNIFORM_PREDICATES)
		text_printf(out, "P%u", key - KEY_PREDICATES);
	else
		text_printf(out, "UP%u", key - KEY_UNIFORM_PREDICATES);
}

static void real_print(struct text *out, double real)
{
	if (isnan(real))
		text_puts(out, signbit(real) ? "-QNAN" : "+QNAN");
	else if (isinf(real))
		text_puts(out, real < 0 ? "-INF" : "+INF");
	else
		text_printf(out, "%.20g", real);
}

/* + and a number where something stands before it; nothing where it is 0, but for a number alone. */
static void offset_print(struct text *out, int64_t value, bool alone)
{
	if (!alone && value)
		text_puts(out, "+");
	if (value)
		number_print(out, value);
}

static void address_print(struct text *out, const struct sass_operand *operand)
{
	if (operand->descriptor != KEY_NONE) {
		text_puts(out, "desc[");
		key_print(out, operand->descriptor, true);
		text_puts(out, "]");
	}
	text_printf(out, "%s[%s", operand->text, operand->narrow_zero && operand->term_count ? "RZ.U32+" : "");
	for (unsigned i = 0; i < operand->term_count; i++) {
		const struct sass_term *term = &operand->terms[i];

		text_puts(out, i ? "+" : "");
		key_print(out, term->key, false);
		text_puts(out, term->wide ? ".64" : term->narrow ? ".U32" : "");
		if (term->shift)
			text_printf(out, ".X%u", 1u << term->shift);
	}
	if (operand->uniform)
		text_puts(out, operand->term_count ? "+URZ" : "URZ");
	else if (operand->term_count == 0 && operand->value == 0)
		text_puts(out, "RZ");
	offset_print(out, operand->value, operand->term_count == 0 && !operand->uniform);
	text_puts(out, "]");
}

static void bank_print(struct text *out, const struct sass_operand *operand)
{
	text_printf(out, "c[0x%x][", operand->bank);
	if (operand->key != KEY_NONE)
		key_print(out, operand->key, operand->uniform);
	if (operand->key == KEY_NONE)
		number_print(out, operand->value);
	else
		offset_print(out, operand->value, false);
	text_puts(out, "]");
}

static void body_print(struct text *out, const struct sass_operand *operand)
{
	switch ((enum sass_operand_kind)operand->kind) {
	case SASS_REGISTER:
		key_print(out, operand->key, operand->uniform);
		break;
	case SASS_INTEGER:
		if (operand->wide)
			text_printf(out, "0x%" PRIx64, (uint64_t)operand->value);
		else
			number_print(out, operand->value);
		break;
	case SASS_REAL:
		real_print(out, operand->real);
		break;
	case SASS_BANK:
		bank_print(out, operand);
		break;
	case SASS_ADDRESS:
		address_print(out, operand);
		break;
	case SASS_OTHER:
		text_puts(out, operand->text);
		break;
	}
}

void decode_operand_print(struct text *out, const struct sass_operand *operand)
{
	bool predicate = operand->kind == SASS_REGISTER && operand->key >= KEY_PREDICATES;

	text_puts(out, operand->negated ? "-" : operand->inverted ? predicate ? "!" : "~" : "");
	text_puts(out, operand->absolute ? "|" : "");
	body_print(out, operand);
	text_puts(out, operand->absolute ? "|" : "");
	text_puts(out, operand->reuse ? ".reuse" : "");
	if (operand->suffix)
		text_printf(out, ".%s", operand->suffix);
}

void decode_print(struct text *out, const struct sass_insn *insn, bool bare)
{
	if (insn->guarded) {
		text_puts(out, insn->guard_negated ? "@!" : "@");
		key_print(out, insn->guard, insn->guard_uniform);
		text_puts(out, " ");
	}
	text_puts(out, insn->opcode);
	for (unsigned i = 0; i < insn->operand_count; i++) {
		text_puts(out, i == 0 ? " " : bare ? "," : ", ");
		decode_operand_print(out, &insn->operands[i]);
	}
}
