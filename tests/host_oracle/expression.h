/*
 * Expressions made from a string of bytes: each built twice, as written and by the constructors that fold and simplify. Both must have the same value,
 * and so must the normal form where there is one. Used by a unit test on random bytes and by a fuzz target.
 */
#ifndef COALESCE_TESTS_HOST_ORACLE_EXPRESSION_H
#define COALESCE_TESTS_HOST_ORACLE_EXPRESSION_H

#include <stdlib.h>
#include <string.h>

#include "analyzer/expr/expr.h"

#define EXPRESSION_SYMBOLS 4
#define EXPRESSION_STACK 16

struct expression_machine {
	struct arena *arena;
	struct expr_pool pool;
	struct symbol symbols[EXPRESSION_SYMBOLS];
	const struct expr *written[EXPRESSION_STACK], *folded[EXPRESSION_STACK];
	unsigned depth;
};

static void expression_init(struct expression_machine *machine, struct arena *arena)
{
	static const char *const names[EXPRESSION_SYMBOLS] = {"i", "j", "n", "m"};

	memset(machine, 0, sizeof(*machine));
	machine->arena = arena;
	machine->pool.arena = arena;
	for (unsigned i = 0; i < EXPRESSION_SYMBOLS; i++)
		machine->symbols[i] =
			(struct symbol){.kind = i < 2 ? SYMBOL_THREAD : SYMBOL_PARAMETER, .index = i, .name = names[i]};
}

static void expression_push(struct expression_machine *machine, struct expr written, const struct expr *folded)
{
	struct expr *copy = arena_alloc(machine->arena, sizeof(*copy));

	written.tree_size = 1;
	*copy = written;
	machine->written[machine->depth] = copy;
	machine->folded[machine->depth++] = folded;
}

/* The types that operations are done in: 32 and 64 bits, with and without sign; conditions apart. */
static void expression_type(unsigned byte, unsigned *bits, bool *is_signed)
{
	*bits = byte & 1 ? 64 : 32;
	*is_signed = (byte & 2) != 0;
}

static void expression_leaf(struct expression_machine *machine, unsigned byte, unsigned next)
{
	const struct symbol *symbol = &machine->symbols[byte / 4 % EXPRESSION_SYMBOLS];
	int64_t value = next < 128 ? (int64_t)next : (int64_t)next - 256;
	unsigned bits;
	bool is_signed;

	if (machine->depth == EXPRESSION_STACK)
		return;
	expression_type(byte, &bits, &is_signed);
	if (byte & 64) {
		const struct expr *constant = expr_constant(&machine->pool, value, bits, is_signed);

		expression_push(machine, *constant, constant);
	} else {
		const struct expr *folded = expr_symbol(&machine->pool, symbol, bits, is_signed);

		expression_push(machine, *folded, folded);
	}
}

/* Brings the two topmost operands to one type, as C does before it applies an operator. */
static void expression_unify(struct expression_machine *machine, unsigned bits, bool is_signed, unsigned count)
{
	for (unsigned i = machine->depth - count; i < machine->depth; i++) {
		struct expr *cast = arena_alloc(machine->arena, sizeof(*cast));

		*cast = (struct expr){
			.op = EXPR_CAST, .bits = (uint8_t)bits, .is_signed = is_signed, .operands = {machine->written[i]}};
		machine->written[i] = cast;
		machine->folded[i] = expr_cast(&machine->pool, machine->folded[i], bits, is_signed);
	}
}

static void expression_operator(struct expression_machine *machine, unsigned byte, unsigned next)
{
	static const enum expr_op operators[] = {EXPR_ADD,  EXPR_SUB, EXPR_MUL, EXPR_DIV, EXPR_MOD, EXPR_SHL, EXPR_SHR,
	                                         EXPR_AND,  EXPR_OR,  EXPR_XOR, EXPR_LT,  EXPR_LE,  EXPR_GT,  EXPR_GE,
	                                         EXPR_EQ,   EXPR_NE,  EXPR_MIN, EXPR_MAX, EXPR_NEG, EXPR_NOT, EXPR_SELECT,
	                                         EXPR_CAST, EXPR_ADD, EXPR_SUB, EXPR_MUL};
	enum expr_op op = operators[byte % ARRAY_COUNT(operators)];
	unsigned count = expr_operand_count(op), bits, base;
	bool is_signed, is_condition = op >= EXPR_LT && op <= EXPR_NE;
	struct expr written;
	const struct expr *folded;

	if (machine->depth < count)
		return;
	expression_type(next, &bits, &is_signed);
	expression_unify(machine, bits, is_signed, count);
	base = machine->depth - count;
	written = (struct expr){.op = op,
	                        .bits = (uint8_t)(is_condition ? 1 : bits),
	                        .is_signed = is_signed && !is_condition,
	                        .operands = {machine->written[base], count > 1 ? machine->written[base + 1] : NULL,
	                                     count > 2 ? machine->written[base + 2] : NULL}};
	if (op == EXPR_SELECT)
		folded = expr_select(&machine->pool, expr_truth(&machine->pool, machine->folded[base]), machine->folded[base + 1],
		                     machine->folded[base + 2]);
	else if (op == EXPR_CAST)
		folded = machine->folded[base];
	else if (count == 1)
		folded = expr_unary(&machine->pool, op, machine->folded[base], bits, is_signed);
	else
		folded = expr_binary(&machine->pool, op, machine->folded[base], machine->folded[base + 1], written.bits,
		                     written.is_signed);
	machine->depth = base;
	expression_push(machine, written, folded);
}

/* Runs the bytes; what is left on top of the stack is the expression. Returns false where there is none. */
static bool expression_run(struct expression_machine *machine, const uint8_t *bytes, size_t length)
{
	for (size_t i = 0; i + 1 < length; i += 2) {
		if (bytes[i] & 128)
			expression_operator(machine, bytes[i] & 127u, bytes[i + 1]);
		else
			expression_leaf(machine, bytes[i], bytes[i + 1]);
	}
	return machine->depth > 0;
}

/* Whether all values on the way, and their products before they wrap, stay so small that no operation of 32 bits overflows. */
static bool expression_is_small(const struct expr *expr, const int64_t *values)
{
	int64_t value, product = 1;
	const int64_t limit = 1 << 30;

	if (!expr_evaluate(expr, values, NULL, NULL, &value) || value > limit || value < -limit)
		return false;
	for (unsigned i = 0; i < expr_operand_count(expr->op); i++) {
		if (!expression_is_small(expr->operands[i], values))
			return false;
		expr_evaluate(expr->operands[i], values, NULL, NULL, &value);
		product *= expr->op == EXPR_SHL && i == 1 ? INT64_C(1) << (value & 31) : expr->op == EXPR_SHL || i < 2 ? value : 1;
	}
	return (expr->op != EXPR_MUL && expr->op != EXPR_SHL) || (product <= limit && product >= -limit);
}

/* Compares the three for these values of the symbols. Returns what is wrong, or NULL. */
static const char *expression_compare(const struct expression_machine *machine, const int64_t values[EXPRESSION_SYMBOLS])
{
	const struct expr *written = machine->written[machine->depth - 1], *folded = machine->folded[machine->depth - 1];
	struct affine affine = affine_from_expr(machine->arena, folded);
	int64_t a = 0, b = 0;
	bool a_known = expr_evaluate(written, values, NULL, NULL, &a), b_known = expr_evaluate(folded, values, NULL, NULL, &b);

	if (folded->op == EXPR_UNKNOWN)
		return NULL;
	if (a_known && (!b_known || a != b))
		return "folding changes the value";
	if (a_known && !affine.reason && expression_is_small(folded, values) && affine_evaluate(&affine, values) != b)
		return "the normal form has another value";
	return NULL;
}

/* The whole check for one string of bytes: the first of them are the symbols' values. */
static const char *expression_check(const uint8_t *bytes, size_t length)
{
	struct arena *arena = arena_create();
	struct expression_machine machine;
	int64_t values[EXPRESSION_SYMBOLS];
	const char *wrong = NULL;
	struct text text = {0};

	expression_init(&machine, arena);
	for (unsigned i = 0; i < EXPRESSION_SYMBOLS; i++)
		values[i] = i < length ? bytes[i] : 1;
	if (length > EXPRESSION_SYMBOLS && expression_run(&machine, bytes + EXPRESSION_SYMBOLS, length - EXPRESSION_SYMBOLS)) {
		wrong = expression_compare(&machine, values);
		expr_print(&text, machine.folded[machine.depth - 1]);
	}
	text_release(&text);
	arena_release(arena);
	return wrong;
}

#endif
