/*
 * Instructions of the IR, made from values. What can be said without an instruction is: sums with zero, products with
 * one, logic with all or no bits, a choice by a constant.
 */
#include "ptxparse/sass/value.h"

#include <string.h>

enum ptx_type sass_bits_type(unsigned bits)
{
	return bits == 1 ? PTX_pred : bits == 64 ? PTX_b64 : PTX_b32;
}

uint32_t sass_register_new(struct sass_translation *t, enum ptx_type type, const char *name)
{
	struct ptx_register made = {.name = name, .type = (uint8_t)type};

	if (t->dry)
		return 0;
	if (!name)
		made.name = arena_printf(t->arena, "%%%c%zu",
		                         type == PTX_pred  ? 'q'
		                         : type == PTX_b64 ? 'w'
		                                           : 't',
		                         t->register_count);
	ARENA_PUSH(t->arena, t->registers, t->register_count, made);
	return (uint32_t)t->register_count - 1;
}

static const char *modifier_of(const struct ptx_insn *insn)
{
	static const char *const compares[] = {"", ".eq", ".ne", ".lt", ".le", ".gt", ".ge", ".num"};

	if (insn->operation == OP_setp)
		return insn->compare < ARRAY_COUNT(compares) ? compares[insn->compare] : "";
	switch (insn->mode) {
	case MODE_HI:
		return ".hi";
	case MODE_WIDE:
		return ".wide";
	case MODE_RZI:
		return ".rzi";
	case MODE_SHIFT_AMOUNT:
		return ".shiftamt";
	default:
		return "";
	}
}

const char *sass_spell(const struct sass_translation *t, const struct ptx_insn *insn)
{
	const char *name = ptx_operation_name((enum ptx_operation)insn->operation);
	const char *type = insn->type ? ptx_type_name((enum ptx_type)insn->type) : "";
	const char *from = insn->source_type ? ptx_type_name((enum ptx_type)insn->source_type) : "";

	return arena_printf(t->arena, "%s%s%s%s%s%s", name, modifier_of(insn), *type ? "." : "", type, *from ? "." : "",
	                    from);
}

struct ptx_insn *sass_emit_raw(struct sass_translation *t, enum ptx_operation operation, enum ptx_type type,
                               unsigned destinations, unsigned operands)
{
	struct ptx_insn insn = {.operation = (uint16_t)operation,
	                        .type = (uint8_t)type,
	                        .vector = 1,
	                        .synthetic = true,
	                        .operand_count = (uint8_t)operands,
	                        .destinations = (uint8_t)destinations,
	                        .guard = PTX_NO_REGISTER,
	                        .line = t->index + 1,
	                        .place = t->insn ? t->insn->place : 0};

	insn.operands = arena_array(t->dry ? t->scratch : t->arena, operands + 1u, sizeof(*insn.operands));
	ARENA_PUSH(t->arena, t->insns, t->insn_count, insn);
	if (!t->helping)
		t->main = (uint32_t)t->insn_count - 1;
	return &t->insns[t->insn_count - 1];
}

void sass_emit_copy(struct sass_translation *t, uint32_t reg, enum ptx_type type, struct sass_value *value)
{
	bool immediate = value->kind == VALUE_CONSTANT, special = value->kind == VALUE_SPECIAL;
	struct ptx_operand from = {.kind = OPERAND_IMMEDIATE, .value = value->number};
	struct ptx_insn *insn;

	if (special)
		from.kind = OPERAND_SPECIAL;
	else if (!immediate)
		from = sass_value_operand(t, value);
	insn = sass_emit_raw(t, OP_mov, type, 1, 2);
	insn->operands[0] = (struct ptx_operand){.kind = OPERAND_REGISTER, .reg = reg};
	insn->operands[1] = from;
}

/* ---- folding ------------------------------------------------------------------------------- */

static uint64_t bits_of(const struct sass_value *value)
{
	return value->bits == 32 ? (uint64_t)value->number & UINT32_MAX : (uint64_t)value->number;
}

static bool fold_numbers(enum ptx_operation operation, uint64_t a, uint64_t b, unsigned bits, uint64_t *out)
{
	switch (operation) {
	case OP_add:
		*out = a + b;
		return true;
	case OP_sub:
		*out = a - b;
		return true;
	case OP_mul:
		*out = a * b;
		return true;
	case OP_and:
		*out = a & b;
		return true;
	case OP_or:
		*out = a | b;
		return true;
	case OP_xor:
		*out = a ^ b;
		return true;
	case OP_shl:
		*out = b >= bits ? 0 : a << b;
		return true;
	default:
		return false;
	}
}

/* The value itself where the operation leaves it as it is, or NULL. */
static struct sass_value *fold_identity(enum ptx_operation operation, struct sass_value *a, struct sass_value *b)
{
	switch (operation) {
	case OP_add:
	case OP_or:
	case OP_xor:
		return sass_value_is(b, 0) ? a : sass_value_is(a, 0) ? b : NULL;
	case OP_sub:
	case OP_shl:
	case OP_shr:
		return sass_value_is(b, 0) ? a : NULL;
	case OP_mul:
		return sass_value_is(b, 1)   ? a
		       : sass_value_is(a, 1) ? b
		       : sass_value_is(b, 0) ? b
		       : sass_value_is(a, 0) ? a
		                             : NULL;
	case OP_and:
		return sass_value_is(b, UINT64_MAX)   ? a
		       : sass_value_is(a, UINT64_MAX) ? b
		       : sass_value_is(b, 0)          ? b
		       : sass_value_is(a, 0)          ? a
		                                      : NULL;
	default:
		return NULL;
	}
}

static struct sass_value *fold(struct sass_translation *t, enum ptx_operation operation, enum ptx_type type,
                               enum ptx_mode mode, unsigned bits, struct sass_value *a, struct sass_value *b)
{
	uint64_t number;

	if (!b || (mode != MODE_NONE && mode != MODE_LO) || ptx_type_is_float(type) || a->bits != bits)
		return NULL;
	if (a->kind == VALUE_CONSTANT && b->kind == VALUE_CONSTANT &&
	    fold_numbers(operation, bits_of(a), bits_of(b), bits, &number))
		return sass_value_constant(t, bits, number);
	return fold_identity(operation, a, b);
}

/* ---- one instruction ---------------------------------------------------------------------------- */

struct sass_value *sass_emit_mode(struct sass_translation *t, enum ptx_operation operation, enum ptx_type type,
                                  enum ptx_mode mode, unsigned bits, struct sass_value *a, struct sass_value *b,
                                  struct sass_value *c)
{
	struct sass_value *sources[3] = {a, b, c}, *value = c ? NULL : fold(t, operation, type, mode, bits, a, b);
	struct ptx_operand operands[3];
	struct ptx_insn *insn;
	unsigned count = 0;

	if (value)
		return value;
	for (; count < 3 && sources[count]; count++)
		operands[count] = sass_value_operand(t, sources[count]);
	value = sass_value_new(t, bits);
	insn = sass_emit_raw(t, operation, type, 1, count + 1);
	insn->mode = (uint8_t)mode;
	insn->operands[0] = (struct ptx_operand){.kind = OPERAND_REGISTER, .reg = value->reg};
	memcpy(&insn->operands[1], operands, count * sizeof(*operands));
	return value;
}

struct sass_value *sass_emit(struct sass_translation *t, enum ptx_operation operation, enum ptx_type type,
                             unsigned bits, struct sass_value *a, struct sass_value *b, struct sass_value *c)
{
	enum ptx_mode mode =
		(operation == OP_mul || operation == OP_mad) && !ptx_type_is_float(type) ? MODE_LO : MODE_NONE;

	return sass_emit_mode(t, operation, type, mode, bits, a, b, c);
}

struct sass_value *sass_emit_convert(struct sass_translation *t, enum ptx_type to, enum ptx_type from,
                                     enum ptx_mode mode, struct sass_value *a)
{
	bool real = ptx_type_is_float(to) || ptx_type_is_float(from);
	unsigned bits = ptx_type_bytes(to) > 4 ? 64 : 32;
	struct sass_value *value;

	if (a->kind == VALUE_CONSTANT && !real && a->bits == 32 && bits == 64 && ptx_type_bytes(from) == 4)
		return sass_value_constant(t, 64, ptx_type_is_signed(from) ? (uint64_t)a->number : bits_of(a));
	value = sass_emit_mode(t, OP_cvt, to, mode, bits, a, NULL, NULL);
	t->insns[t->insn_count - 1].source_type = (uint8_t)from;
	return value;
}

struct sass_value *sass_emit_compare(struct sass_translation *t, enum ptx_compare compare, enum ptx_type type,
                                     struct sass_value *a, struct sass_value *b)
{
	struct sass_value *value = sass_emit(t, OP_setp, type, 1, a, b, NULL);

	t->insns[t->insn_count - 1].compare = (uint8_t)compare;
	return value;
}

/* ---- predicates ------------------------------------------------------------------------------------- */

struct sass_value *sass_predicate_not(struct sass_translation *t, struct sass_value *a)
{
	if (a->kind == VALUE_CONSTANT)
		return sass_value_constant(t, 1, !a->number);
	return sass_emit(t, OP_not, PTX_pred, 1, a, NULL, NULL);
}

struct sass_value *sass_predicate_and(struct sass_translation *t, struct sass_value *a, struct sass_value *b)
{
	if (a->kind == VALUE_CONSTANT)
		return a->number ? b : a;
	if (b->kind == VALUE_CONSTANT)
		return b->number ? a : b;
	return sass_emit(t, OP_and, PTX_pred, 1, a, b, NULL);
}

struct sass_value *sass_predicate_or(struct sass_translation *t, struct sass_value *a, struct sass_value *b)
{
	if (a->kind == VALUE_CONSTANT)
		return a->number ? a : b;
	if (b->kind == VALUE_CONSTANT)
		return b->number ? b : a;
	return sass_emit(t, OP_or, PTX_pred, 1, a, b, NULL);
}

/* ---- logic by tables ------------------------------------------------------------------------------------ */

/* A function of some variables: bit i of table is its value where the variables, the first one highest, spell i. */
struct logic {
	enum ptx_type type;
	unsigned count, table;
	struct sass_value *variables[3];
};

static unsigned row_count(const struct logic *logic)
{
	return 1u << logic->count;
}

/* The rows where the variable has the value, as a function of the others. */
static unsigned cofactor(const struct logic *logic, unsigned variable, unsigned value)
{
	unsigned position = logic->count - 1 - variable, table = 0, row = 0;

	for (unsigned i = 0; i < row_count(logic); i++)
		if ((i >> position & 1) == value)
			table |= (logic->table >> i & 1) << row++;
	return table;
}

static void variable_drop(struct logic *logic, unsigned variable, unsigned table)
{
	logic->table = table;
	logic->count--;
	for (unsigned i = variable; i < logic->count; i++)
		logic->variables[i] = logic->variables[i + 1];
}

static bool is_all_or_none(const struct sass_value *value, unsigned *bit)
{
	if (value->kind != VALUE_CONSTANT)
		return false;
	*bit = value->number != 0;
	return value->bits == 1 || value->number == 0 || value->number == -1;
}

/* Leaves out variables that are constant or do not matter; two that are equal become one. */
static void variables_join(struct logic *logic, unsigned kept, unsigned equal)
{
	unsigned table = 0, high = logic->count - 1 - kept, low = logic->count - 1 - equal, row = 0;

	for (unsigned k = 0; k < row_count(logic); k++)
		if (!(k >> low & 1))
			table |= (logic->table >> (k | (k >> high & 1) << low) & 1) << row++;
	variable_drop(logic, equal, table);
}

/* Leaves out one variable that is constant, does not matter, or equals another; false where there is none. */
static bool variable_reduce(struct logic *logic)
{
	for (unsigned i = 0; i < logic->count; i++) {
		unsigned bit = 0;
		bool constant = is_all_or_none(logic->variables[i], &bit);

		if (constant || cofactor(logic, i, 0) == cofactor(logic, i, 1)) {
			variable_drop(logic, i, cofactor(logic, i, bit));
			return true;
		}
		for (unsigned k = i + 1; k < logic->count; k++)
			if (sass_value_same(logic->variables[i], logic->variables[k])) {
				variables_join(logic, i, k);
				return true;
			}
	}
	return false;
}

static struct sass_value *bits_not(struct sass_translation *t, enum ptx_type type, struct sass_value *value)
{
	if (type == PTX_pred)
		return sass_predicate_not(t, value);
	return sass_emit(t, OP_sub, PTX_s32, 32, sass_value_constant(t, 32, UINT32_MAX), value, NULL);
}

static struct sass_value *bits_apply(struct sass_translation *t, enum ptx_operation operation, enum ptx_type type,
                                     struct sass_value *a, struct sass_value *b)
{
	if (type != PTX_pred)
		return sass_emit(t, operation, PTX_b32, 32, a, b, NULL);
	return operation == OP_and  ? sass_predicate_and(t, a, b)
	       : operation == OP_or ? sass_predicate_or(t, a, b)
	                            : sass_emit(t, OP_xor, PTX_pred, 1, a, b, NULL);
}

/* A function of two variables that depends on both. */
static struct sass_value *logic_two(struct sass_translation *t, enum ptx_type type, unsigned table,
                                    struct sass_value *a, struct sass_value *b)
{
	unsigned ones = (unsigned)__builtin_popcount(table), row;

	if (ones == 2)
		return table == 6 ? bits_apply(t, OP_xor, type, a, b)
		                  : bits_not(t, type, bits_apply(t, OP_xor, type, a, b));
	if (table == 1 || table == 7) { /* neither; not both */
		struct sass_value *both = bits_apply(t, table == 1 ? OP_or : OP_and, type, a, b);

		return bits_not(t, type, both);
	}
	row = (unsigned)__builtin_ctz(ones == 1 ? table : ~table & 15);
	if (ones == 1)
		return bits_apply(t, OP_and, type, row & 2 ? a : bits_not(t, type, a),
		                  row & 1 ? b : bits_not(t, type, b));
	return bits_apply(t, OP_or, type, row & 2 ? bits_not(t, type, a) : a, row & 1 ? bits_not(t, type, b) : b);
}

/* Whether table(x, y, z) == outer(inner(x, y), z), z being the variable given; x and y in their order. */
static bool is_nested(unsigned table, unsigned z, unsigned inner, unsigned outer)
{
	for (unsigned row = 0; row < 8; row++) {
		unsigned bits[3] = {row >> 2 & 1, row >> 1 & 1, row & 1};
		unsigned x = bits[z == 0 ? 1 : 0], y = bits[z == 2 ? 1 : 2];
		unsigned between = inner >> (x << 1 | y) & 1;

		if ((outer >> (between << 1 | bits[z]) & 1) != (table >> row & 1))
			return false;
	}
	return true;
}

static struct sass_value *logic_make(struct sass_translation *t, struct logic logic);

static struct sass_value *logic_three(struct sass_translation *t, const struct logic *logic)
{
	struct sass_value *const *v = logic->variables, *yes, *no;

	for (unsigned z = 3; z-- > 0;)
		for (unsigned inner = 1; inner < 15; inner++)
			for (unsigned outer = 1; outer < 15; outer++)
				if (is_nested(logic->table, z, inner, outer)) {
					struct logic first = {
						logic->type, 2, inner, {v[z == 0 ? 1 : 0], v[z == 2 ? 1 : 2]}};
					struct logic second = {logic->type, 2, outer, {logic_make(t, first), v[z]}};

					return logic_make(t, second);
				}
	yes = logic_make(t, (struct logic){logic->type, 2, cofactor(logic, 0, 1), {v[1], v[2]}});
	no = logic_make(t, (struct logic){logic->type, 2, cofactor(logic, 0, 0), {v[1], v[2]}});
	yes = bits_apply(t, OP_and, logic->type, v[0], yes);
	no = bits_apply(t, OP_and, logic->type, bits_not(t, logic->type, v[0]), no);
	return bits_apply(t, OP_or, logic->type, yes, no);
}

static struct sass_value *logic_make(struct sass_translation *t, struct logic logic)
{
	while (variable_reduce(&logic))
		;
	switch (logic.count) {
	case 0:
		return sass_value_constant(t, logic.type == PTX_pred ? 1 : 32, logic.table & 1 ? UINT64_MAX : 0);
	case 1:
		return logic.table == 2 ? logic.variables[0] : bits_not(t, logic.type, logic.variables[0]);
	case 2:
		return logic_two(t, logic.type, logic.table, logic.variables[0], logic.variables[1]);
	default:
		return logic_three(t, &logic);
	}
}

struct sass_value *sass_emit_logic(struct sass_translation *t, enum ptx_type type, unsigned table, struct sass_value *a,
                                   struct sass_value *b, struct sass_value *c)
{
	struct logic logic = {type, 3, table & 0xff, {a, b, c}};

	return logic_make(t, logic);
}
