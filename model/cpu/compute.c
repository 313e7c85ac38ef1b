/*
 * What an instruction computes for one lane, as C. Most are calls of a function of functions.def, whose name says
 * operation, mode and type; an instruction with a word in its spelling that is not known here is refused.
 */
#include "model/cpu/internal.h"

#include <string.h>

static const struct {
	const char *name, *parameters;
} functions[] = {
#define X(name, result, parameters, e) {#name, #parameters},
#include "model/cpu/functions.def"
#undef X
};

/* ---- functions of the table ----------------------------------------------------------------- */

static const char *mode_word(const struct ptx_insn *insn)
{
	switch (insn->mode) {
	case MODE_LO:
		return "_lo";
	case MODE_HI:
		return "_hi";
	case MODE_WIDE:
		return "_wide";
	case MODE_CLAMP:
		return "_clamp";
	case MODE_WRAP:
		return "_wrap";
	case MODE_RZ:
		return "_rz";
	case MODE_RM:
		return "_rm";
	case MODE_RP:
		return "_rp";
	case MODE_SHIFT_AMOUNT:
		return "_amount";
	case MODE_NONE:
	case MODE_RN:
		return "";
	default:
		return "_other";
	}
}

/* "s32", "u16" of b16, "pred". */
static const char *type_word(struct cpu_translation *t, enum ptx_type type)
{
	const char *name = ptx_type_name(type);

	return name[0] == 'b' && type != PTX_bf16 && type != PTX_bf16x2 ? arena_printf(t->arena, "u%s", name + 1)
	                                                                : name;
}

static unsigned parameter_count(const char *parameters)
{
	unsigned count = 1;

	for (const char *next = parameters; *next; next++)
		count += *next == ',';
	return count;
}

static const char *call_join(struct arena *arena, const char *name, const char *const *arguments, unsigned count)
{
	struct text text = {0};
	const char *copy;

	text_printf(&text, "%s(", name);
	for (unsigned i = 0; i < count; i++)
		text_printf(&text, "%s%s", i ? ", " : "", arguments[i]);
	text_puts(&text, ")");
	copy = arena_strdup(arena, text.data);
	text_release(&text);
	return copy;
}

/* A call of a function of the table. */
static const char *call_text(struct cpu_translation *t, const struct ptx_insn *insn, const char *name,
                             const char *const *arguments, unsigned count)
{
	bool found = false;

	for (size_t i = 0; i < ARRAY_COUNT(functions) && !found; i++)
		found = strcmp(functions[i].name, name) == 0 && parameter_count(functions[i].parameters) == count;
	if (!found)
		cpu_refuse(t, insn, "it is not translated");
	return call_join(t->arena, name, arguments, count);
}

/* ---- real numbers ------------------------------------------------------------------------------ */

const char *cpu_real(struct cpu_translation *t, const struct ptx_insn *insn, enum ptx_type type, const char *bits)
{
	bool flush = cpu_says(insn, "ftz");

	switch (type) {
	case PTX_f32:
		return arena_printf(t->arena, flush ? "as_f32(cpu_flush(%s))" : "as_f32(%s)", bits);
	case PTX_f64:
	case PTX_f16:
	case PTX_bf16:
		if (flush && type == PTX_f16)
			cpu_refuse(t, insn, "it flushes small numbers of 16 bits");
		return arena_printf(t->arena, "as_%s(%s)", ptx_type_name(type), bits);
	default:
		cpu_refuse(t, insn, "it has a type that is not translated");
		return "0";
	}
}

const char *cpu_bits(struct cpu_translation *t, const struct ptx_insn *insn, enum ptx_type type, const char *real)
{
	const char *name = ptx_type_name(type);

	if (insn->saturate && type == PTX_f64)
		real = arena_printf(t->arena, "sat_f64(%s)", real);
	else if (insn->saturate)
		real = arena_printf(t->arena, "sat_f32(%s)", real);
	if (type == PTX_f32 && cpu_says(insn, "ftz"))
		return arena_printf(t->arena, "cpu_flush(of_f32(%s))", real);
	return arena_printf(t->arena, "of_%s(%s)", name, real);
}

/* An operation on single numbers of a type. Those of 16 bits are computed with more; sums of products with enough to be
 * rounded once. */
static const char *real_call(struct cpu_translation *t, const struct ptx_insn *insn, enum ptx_type type,
                             const char *const *bits, unsigned count)
{
	bool is_half = type == PTX_f16 || type == PTX_bf16,
	     is_sum = insn->operation == OP_fma || insn->operation == OP_mad;
	const char *of = type == PTX_f64 || (is_half && is_sum) ? "f64" : "f32", *arguments[4];
	const char *name = arena_printf(t->arena, "%s%s_%s", ptx_operation_name(insn->operation), mode_word(insn), of);

	if (is_half && insn->mode != MODE_NONE && insn->mode != MODE_RN)
		cpu_refuse(t, insn, "it rounds numbers of 16 bits in a direction");
	for (unsigned i = 0; i < count; i++)
		arguments[i] = cpu_real(t, insn, type, bits[i]);
	return cpu_bits(t, insn, type, call_text(t, insn, name, arguments, count));
}

static enum ptx_type half_of(enum ptx_type type)
{
	return type == PTX_f16x2 ? PTX_f16 : type == PTX_bf16x2 ? PTX_bf16 : PTX_TYPE_NONE;
}

static const char *pair_call(struct cpu_translation *t, const struct ptx_insn *insn, const char *const *bits,
                             unsigned count)
{
	enum ptx_type type = half_of((enum ptx_type)insn->type);
	const char *low[4], *high[4];

	for (unsigned i = 0; i < count; i++) {
		low[i] = arena_printf(t->arena, "(u16)%s", bits[i]);
		high[i] = arena_printf(t->arena, "(u16)(%s >> 16)", bits[i]);
	}
	return arena_printf(t->arena, "cpu_pair(%s, %s)", real_call(t, insn, type, low, count),
	                    real_call(t, insn, type, high, count));
}

/* ---- comparisons --------------------------------------------------------------------------------- */

static const char *compare_word(const struct ptx_insn *insn)
{
	static const char *const ordered[] = {"", "eq", "ne", "lt", "le", "gt", "ge", "num"};
	static const char *const unordered[] = {"", "equ", "neu", "ltu", "leu", "gtu", "geu", "nan"};

	return insn->unordered ? unordered[insn->compare] : ordered[insn->compare];
}

/* Whether the comparison of the first two sources holds. */
static const char *compared(struct cpu_translation *t, const struct ptx_insn *insn, enum ptx_type type)
{
	const char *arguments[2] = {cpu_source(t, insn, 0), cpu_source(t, insn, 1)};
	bool is_real = ptx_type_is_float(type);
	const char *of = !is_real ? type_word(t, type) : type == PTX_f64 ? "f64" : "f32";

	for (unsigned i = 0; is_real && i < 2; i++)
		arguments[i] = cpu_real(t, insn, type, arguments[i]);
	return call_text(t, insn, arena_printf(t->arena, "%s_%s", compare_word(insn), of), arguments, 2);
}

static const char *combined(struct cpu_translation *t, const struct ptx_insn *insn, const char *truth)
{
	static const char *const operators[] = {"", "&", "|", "^"};

	return insn->boolean
	               ? arena_printf(t->arena, "(%s) %s (%s)", truth, operators[insn->boolean], cpu_source(t, insn, 2))
	               : truth;
}

static void setp_write(struct cpu_translation *t, const struct ptx_insn *insn)
{
	text_printf(t->out, "bool c_ = %s; ", compared(t, insn, (enum ptx_type)insn->type));
	const char *first = combined(t, insn, "c_"), *second = combined(t, insn, "!c_");
	if (insn->destinations > 1) {
		text_printf(t->out, "bool d_ = %s, e_ = %s; ", first, second);
		cpu_assign(t, &insn->operands[0], "d_");
		cpu_assign(t, &insn->operands[1], "e_");
	} else {
		cpu_assign(t, &insn->operands[0], first);
	}
}

static void set_write(struct cpu_translation *t, const struct ptx_insn *insn)
{
	const char *truth = combined(t, insn, compared(t, insn, (enum ptx_type)insn->source_type));

	if (insn->type != PTX_f32 && insn->type != PTX_u32 && insn->type != PTX_s32)
		cpu_refuse(t, insn, "it has a type that is not translated");
	cpu_assign(t, &insn->operands[0],
	           arena_printf(t->arena, "(%s) ? %s : 0", truth, insn->type == PTX_f32 ? "0x3f800000" : "~(u32)0"));
}

/* ---- moves ----------------------------------------------------------------------------------------- */

static unsigned width_of(const struct ptx_insn *insn)
{
	return 8 * ptx_type_bytes((enum ptx_type)insn->type);
}

/* The pieces of a vector, side by side. */
static const char *packed(struct cpu_translation *t, const struct ptx_insn *insn, const struct ptx_operand *from)
{
	const char *sum = "0";
	unsigned width = width_of(insn) / from->count;

	for (unsigned i = 0; i < from->count; i++)
		sum = arena_printf(t->arena, "%s | (u64)(u%u)%s << %u", sum, width,
		                   cpu_value(t, insn, &from->elements[i]), i * width);
	return sum;
}

static void mov_write(struct cpu_translation *t, const struct ptx_insn *insn)
{
	const struct ptx_operand *to = &insn->operands[0], *from = &insn->operands[1];
	const char *value = from->kind == OPERAND_VECTOR ? packed(t, insn, from) : cpu_source(t, insn, 0);

	if (insn->type == PTX_b128 || insn->operand_count != 2)
		cpu_refuse(t, insn, "it is not translated");
	if (from->kind == OPERAND_SYMBOL && width_of(insn) < 64 && strncmp(value, "((u32)", 6) != 0)
		cpu_refuse(t, insn, "an address of the host does not fit into 32 bits");
	if (insn->type == PTX_pred)
		value = arena_printf(t->arena, "(%s) != 0", value);
	if (to->kind != OPERAND_VECTOR) {
		cpu_assign(t, to, value);
		return;
	}
	text_printf(t->out, "u64 v_ = %s; ", value);
	for (unsigned i = 0; i < to->count; i++)
		cpu_assign(t, &to->elements[i], arena_printf(t->arena, "v_ >> %u", i * (width_of(insn) / to->count)));
}

static void cvta_write(struct cpu_translation *t, const struct ptx_insn *insn)
{
	const char *value = cpu_source(t, insn, 0);

	if (width_of(insn) != 64)
		cpu_refuse(t, insn, "an address of the host does not fit into 32 bits");
	if (insn->space == SPACE_SHARED)
		value = arena_printf(t->arena, insn->operation == OP_cvta ? "(u64)(SH + (u32)%s)" : "%s - (u64)SH",
		                     value);
	cpu_assign(t, &insn->operands[0], value);
}

static void isspacep_write(struct cpu_translation *t, const struct ptx_insn *insn)
{
	const char *value = cpu_source(t, insn, 0);
	const char *format = insn->space == SPACE_SHARED  ? "cpu_is_shared(B, %s)"
	                     : insn->space == SPACE_LOCAL ? "cpu_is_local(w, %s)"
	                                                  : "!cpu_is_shared(B, %1$s) && !cpu_is_local(w, %1$s)";

	if (insn->space != SPACE_SHARED && insn->space != SPACE_LOCAL && insn->space != SPACE_GLOBAL)
		cpu_refuse(t, insn, "it asks for a space that is not told apart");
	else
		cpu_assign(t, &insn->operands[0], arena_printf(t->arena, format, value));
}

/* ---- the rest ----------------------------------------------------------------------------------------- */

/* Sums, differences and sums of products that read or write a carry. */
static void carry_write(struct cpu_translation *t, const struct ptx_insn *insn)
{
	enum ptx_operation operation = (enum ptx_operation)insn->operation;
	bool product = operation == OP_mad || operation == OP_madc, minus = operation == OP_sub || operation == OP_subc;
	bool reads = operation == OP_addc || operation == OP_subc || operation == OP_madc;
	uint32_t carry = (uint32_t)t->function->ptx->register_count;
	const char *a = cpu_source(t, insn, 0), *b = cpu_source(t, insn, 1);

	if (product) {
		const char *name =
			arena_printf(t->arena, "mul%s_%s", mode_word(insn), type_word(t, (enum ptx_type)insn->type));

		a = call_text(t, insn, name, (const char *const[]){a, b}, 2);
		b = cpu_source(t, insn, 2);
	}
	if (width_of(insn) < 32)
		cpu_refuse(t, insn, "it is not translated");
	text_printf(t->out, "u8 o_; ");
	cpu_assign(t, &insn->operands[0],
	           arena_printf(t->arena, "%s_carry_%u(%s, %s, %s, &o_)", minus ? "sub" : "add", width_of(insn), a, b,
	                        reads ? arena_printf(t->arena, "r%u", carry) : "0"));
	if (insn->carry)
		text_printf(t->out, "r%u = o_; ", carry);
}

static void slct_write(struct cpu_translation *t, const struct ptx_insn *insn)
{
	const char *c = cpu_source(t, insn, 2);
	const char *test =
		insn->source_type == PTX_f32 ? cpu_real(t, insn, PTX_f32, c) : arena_printf(t->arena, "(s32)%s", c);

	cpu_assign(t, &insn->operands[0],
	           arena_printf(t->arena, "%s >= 0 ? %s : %s", test, cpu_source(t, insn, 0), cpu_source(t, insn, 1)));
}

static void testp_write(struct cpu_translation *t, const struct ptx_insn *insn)
{
	static const char *const tests[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
	const char *value = cpu_real(t, insn, (enum ptx_type)insn->type, cpu_source(t, insn, 0));

	for (unsigned i = 0; i < ARRAY_COUNT(tests); i++)
		if (cpu_says(insn, tests[i]))
			cpu_assign(t, &insn->operands[0], arena_printf(t->arena, "testp_%s(%s)", tests[i], value));
}

/* An operation of the table, of as many sources as it has. */
static void function_write(struct cpu_translation *t, const struct ptx_insn *insn)
{
	enum ptx_type type = (enum ptx_type)insn->type;
	unsigned count = insn->operand_count - insn->destinations;
	bool doubled = insn->operation == OP_dp4a || insn->operation == OP_dp2a;
	const char *sources[4], *name;

	if (count > 4 || insn->destinations != 1) {
		cpu_refuse(t, insn, "it is not translated");
		return;
	}
	for (unsigned i = 0; i < count; i++)
		sources[i] = arena_printf(t->arena, type == PTX_pred ? "(%s) != 0" : "%s", cpu_source(t, insn, i));
	if (half_of(type)) {
		cpu_assign(t, &insn->operands[0], pair_call(t, insn, sources, count));
		return;
	}
	if (ptx_type_is_float(type)) {
		cpu_assign(t, &insn->operands[0], real_call(t, insn, type, sources, count));
		return;
	}
	name = arena_printf(t->arena, "%s%s%s_%s%s%s", ptx_operation_name(insn->operation), mode_word(insn),
	                    insn->saturate ? "_sat" : "", type_word(t, type), doubled ? "_" : "",
	                    doubled ? type_word(t, (enum ptx_type)insn->source_type) : "");
	cpu_assign(t, &insn->operands[0], call_text(t, insn, name, sources, count));
}

void cpu_compute(struct cpu_translation *t, const struct ptx_insn *insn)
{
	bool carries =
		insn->carry || insn->operation == OP_addc || insn->operation == OP_subc || insn->operation == OP_madc;

	if (carries)
		carry_write(t, insn);
	else if (insn->operation == OP_setp)
		setp_write(t, insn);
	else if (insn->operation == OP_set)
		set_write(t, insn);
	else if (insn->operation == OP_mov)
		mov_write(t, insn);
	else if (insn->operation == OP_cvt)
		cpu_convert(t, insn);
	else if (insn->operation == OP_cvta || insn->operation == OP_cvta_to)
		cvta_write(t, insn);
	else if (insn->operation == OP_isspacep)
		isspacep_write(t, insn);
	else if (insn->operation == OP_slct)
		slct_write(t, insn);
	else if (insn->operation == OP_testp)
		testp_write(t, insn);
	else if (insn->operation == OP_activemask)
		cpu_assign(t, &insn->operands[0], "m");
	else if (insn->operation == OP_createpolicy)
		cpu_assign(t, &insn->operands[0], "0");
	else if (insn->operation == OP_selp)
		cpu_assign(t, &insn->operands[0],
		           arena_printf(t->arena, "%s ? %s : %s", cpu_source(t, insn, 2), cpu_source(t, insn, 0),
		                        cpu_source(t, insn, 1)));
	else
		function_write(t, insn);
}
