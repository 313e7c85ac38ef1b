/*
 * Expressions: C's arithmetic, what is unknown, folding, linear forms, normal forms, text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/host_oracle/expression.h"

static int set_up(void **state)
{
	struct arena *arena = arena_create();
	struct expression_machine *machine = arena_alloc(arena, sizeof(*machine));

	expression_init(machine, arena);
	*state = machine;
	return 0;
}

static int tear_down(void **state)
{
	arena_release(((struct expression_machine *)*state)->arena);
	return 0;
}

static const struct expr *symbol(struct expression_machine *machine, unsigned index, unsigned bits, bool is_signed)
{
	return expr_symbol(&machine->pool, &machine->symbols[index], bits, is_signed);
}

static const struct expr *number(struct expression_machine *machine, int64_t value)
{
	return expr_constant(&machine->pool, value, 32, true);
}

static int64_t evaluated(const struct expr *expr, int64_t i, int64_t j, int64_t n, int64_t m)
{
	const int64_t values[EXPRESSION_SYMBOLS] = {i, j, n, m};
	int64_t result = 0;

	assert_true(expr_evaluate(expr, values, NULL, NULL, &result));
	return result;
}

static bool is_unknown(const struct expr *expr, int64_t i)
{
	const int64_t values[EXPRESSION_SYMBOLS] = {i, i, i, i};
	int64_t result;

	return !expr_evaluate(expr, values, NULL, NULL, &result);
}

/* ---- arithmetic --------------------------------------------------------------------- */

static void arithmetic_wraps(void **state)
{
	struct expression_machine *machine = *state;
	const struct expr *u = symbol(machine, 0, 32, false), *s = symbol(machine, 0, 32, true),
			  *v = symbol(machine, 1, 32, false);

	assert_int_equal(evaluated(expr_binary(&machine->pool, EXPR_ADD, u, v, 32, false), 0xffffffff, 2, 0, 0), 1);
	assert_int_equal(evaluated(expr_binary(&machine->pool, EXPR_SUB, u, v, 32, false), 1, 2, 0, 0), 0xffffffff);
	assert_int_equal(evaluated(expr_unary(&machine->pool, EXPR_NEG, s, 32, true), INT32_MIN, 0, 0, 0), INT32_MIN);
	assert_int_equal(evaluated(expr_cast(&machine->pool, s, 8, true), 200, 0, 0, 0), -56);
	assert_int_equal(evaluated(expr_cast(&machine->pool, s, 8, false), -1, 0, 0, 0), 255);
	assert_int_equal(evaluated(expr_cast(&machine->pool, s, 64, false), -1, 0, 0, 0), -1);
	assert_int_equal(evaluated(expr_cast(&machine->pool, u, 64, true), -1, 0, 0, 0), 0xffffffff);
}

static void division_is_that_of_c(void **state)
{
	struct expression_machine *machine = *state;
	const struct expr *s = symbol(machine, 0, 32, true), *u = symbol(machine, 0, 32, false);
	const struct expr *signed_half = expr_binary(&machine->pool, EXPR_DIV, s, number(machine, 2), 32, true);
	const struct expr *unsigned_half =
		expr_binary(&machine->pool, EXPR_DIV, u, expr_constant(&machine->pool, 2, 32, false), 32, false);

	assert_int_equal(evaluated(signed_half, -7, 0, 0, 0), -3);
	assert_int_equal(evaluated(unsigned_half, -2, 0, 0, 0), 0x7fffffff);
	assert_int_equal(evaluated(expr_binary(&machine->pool, EXPR_MOD, s, number(machine, 4), 32, true), -7, 0, 0, 0),
	                 -3);
	assert_int_equal(evaluated(expr_binary(&machine->pool, EXPR_DIV, s, symbol(machine, 1, 32, true), 32, true),
	                           INT32_MIN, -1, 0, 0),
	                 INT32_MIN);
	assert_true(is_unknown(expr_binary(&machine->pool, EXPR_DIV, s, symbol(machine, 1, 32, true), 32, true), 0));
	assert_int_equal(evaluated(expr_binary(&machine->pool, EXPR_SHR, s, number(machine, 1), 32, true), -3, 0, 0, 0),
	                 -2);
	assert_true(is_unknown(expr_binary(&machine->pool, EXPR_SHL, s, number(machine, 32), 32, true), 1));
}

static void comparisons_know_the_sign(void **state)
{
	struct expression_machine *machine = *state;
	const struct expr *s = symbol(machine, 0, 64, true), *u = symbol(machine, 0, 64, false);

	assert_int_equal(
		evaluated(expr_binary(&machine->pool, EXPR_LT, s, expr_constant(&machine->pool, 1, 64, true), 1, false),
	                  -5, 0, 0, 0),
		1);
	assert_int_equal(evaluated(expr_binary(&machine->pool, EXPR_LT, u, expr_constant(&machine->pool, 1, 64, false),
	                                       1, false),
	                           -5, 0, 0, 0),
	                 0);
}

/* ---- what is unknown -------------------------------------------------------------------- */

static void unknown_needs_a_value_only_where_it_decides(void **state)
{
	struct expression_machine *machine = *state;
	struct expr_pool *pool = &machine->pool;
	const struct place nowhere = {0};
	const struct expr *unknown = expr_unknown(pool, "no reason", nowhere), *s = symbol(machine, 0, 32, true);
	const struct expr *positive = expr_binary(pool, EXPR_GT, s, number(machine, 0), 1, false);
	const struct expr *both = expr_binary(pool, EXPR_LOGICAL_AND, unknown, positive, 1, false);

	assert_true(is_unknown(both, 1));
	assert_int_equal(evaluated(both, -1, 0, 0, 0), 0);
	assert_int_equal(evaluated(expr_binary(pool, EXPR_LOGICAL_OR, unknown, positive, 1, false), 1, 0, 0, 0), 1);
	assert_true(expr_select(pool, positive, unknown, s)->op == EXPR_UNKNOWN);
	assert_ptr_equal(expr_select(pool, unknown, s, s), s);
	assert_ptr_not_equal(unknown, expr_unknown(pool, "no reason", nowhere));
	assert_ptr_equal(expr_find_unknown(both), unknown);
}

static void large_expressions_become_unknown(void **state)
{
	struct expression_machine *machine = *state;
	const struct expr *x = symbol(machine, 0, 32, true);

	for (unsigned i = 0; i < 64; i++) {
		x = expr_binary(&machine->pool, EXPR_MUL, x,
		                expr_binary(&machine->pool, EXPR_ADD, x, number(machine, (int64_t)i + 1), 32, true), 32,
		                true);
		assert_true(x->tree_size <= EXPR_TREE_SIZE_MAX);
	}
	assert_int_equal(x->op, EXPR_UNKNOWN);
}

/* ---- sharing, folding ---------------------------------------------------------------------- */

static void equal_expressions_are_one(void **state)
{
	struct expression_machine *machine = *state;
	struct expr_pool *pool = &machine->pool;
	const struct expr *i = symbol(machine, 0, 32, true), *n = symbol(machine, 2, 32, true);
	const struct expr *sum = expr_binary(pool, EXPR_ADD, i, n, 32, true);

	assert_ptr_equal(sum, expr_binary(pool, EXPR_ADD, i, n, 32, true));
	assert_ptr_not_equal(sum, expr_binary(pool, EXPR_ADD, i, n, 32, false));
	assert_ptr_equal(expr_binary(pool, EXPR_ADD, i, number(machine, 0), 32, true), i);
	assert_ptr_equal(expr_binary(pool, EXPR_MUL, number(machine, 1), i, 32, true), i);
	assert_ptr_equal(expr_binary(pool, EXPR_SUB, expr_binary(pool, EXPR_ADD, i, number(machine, 3), 32, true),
	                             number(machine, 3), 32, true),
	                 i);
	assert_ptr_equal(expr_not(pool, expr_not(pool, expr_truth(pool, i))), expr_truth(pool, i));
	assert_ptr_equal(expr_cast(pool, expr_cast(pool, i, 64, true), 32, true), i);
}

static void folding_keeps_the_value(void **state)
{
	uint64_t random = 88172645463325252ull;
	uint8_t bytes[64];

	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		for (unsigned j = 0; j < sizeof(bytes); j++) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			bytes[j] = (uint8_t)(random >> 32);
		}
		for (unsigned j = 0; j < EXPRESSION_SYMBOLS; j++)
			bytes[j] &= 15;
		assert_null(expression_check(bytes, sizeof(bytes)));
	}
}

/* ---- linear and normal forms ----------------------------------------------------------------- */

static void linear_forms(void **state)
{
	struct expression_machine *machine = *state;
	struct expr_pool *pool = &machine->pool;
	const struct expr *i = symbol(machine, 0, 32, true), *n = symbol(machine, 2, 32, true), *slope, *rest;
	const struct expr *e = expr_binary(pool, EXPR_SUB, expr_binary(pool, EXPR_MUL, i, n, 32, true),
	                                   expr_binary(pool, EXPR_SHL, i, number(machine, 2), 32, true), 32, true);

	e = expr_cast(pool, expr_binary(pool, EXPR_ADD, e, n, 32, true), 64, true);
	assert_true(expr_linear(pool, e, &machine->symbols[0], &slope, &rest));
	assert_int_equal(evaluated(slope, 99, 0, 7, 0), 3);
	assert_int_equal(evaluated(rest, 99, 0, 7, 0), 7);
	assert_false(
		expr_linear(pool, expr_binary(pool, EXPR_MUL, i, i, 32, true), &machine->symbols[0], &slope, &rest));
	assert_false(expr_linear(pool, expr_binary(pool, EXPR_DIV, i, number(machine, 2), 32, true),
	                         &machine->symbols[0], &slope, &rest));
}

static void normal_form_text_and_coefficients(void **state)
{
	struct expression_machine *machine = *state;
	struct expr_pool *pool = &machine->pool;
	const struct expr *i = symbol(machine, 0, 32, true), *j = symbol(machine, 1, 32, true),
			  *n = symbol(machine, 2, 32, true);
	const struct expr *e = expr_binary(pool, EXPR_ADD, expr_binary(pool, EXPR_MUL, i, n, 32, true), j, 32, true);
	const int64_t values[EXPRESSION_SYMBOLS] = {2, 3, 10, 0};
	struct affine affine;
	struct text text = {0};

	e = expr_binary(pool, EXPR_SUB, e, number(machine, 5), 32, true);
	affine = affine_from_expr(machine->arena, e);
	affine_print(&text, &affine);
	assert_string_equal(text.data, "i*n + j - 5");
	assert_int_equal(affine_evaluate(&affine, values), 18);
	assert_int_equal(affine_coefficient(&affine, &machine->symbols[0], values), 10);
	assert_int_equal(affine_coefficient(&affine, &machine->symbols[1], values), 1);
	assert_int_equal(affine_coefficient(&affine, &machine->symbols[3], values), 0);
	text_release(&text);
	affine = affine_from_expr(machine->arena, expr_binary(pool, EXPR_MUL, i, j, 32, true));
	assert_string_equal(affine.reason, "the product of i and j");
	assert_int_equal(affine.term_count, 0);
}

/* A divisor with the highest bit set is large where the division is unsigned: nothing cancels. */
static void normal_form_large_divisor(void **state)
{
	struct expression_machine *machine = *state;
	struct expr_pool *pool = &machine->pool;

	for (unsigned bits = 32; bits <= 64; bits += 32)
		for (int is_signed = 0; is_signed < 2; is_signed++) {
			const struct expr *i = symbol(machine, 0, bits, is_signed),
					  *factor = expr_constant(pool, -3, bits, is_signed);
			const struct expr *product = expr_binary(pool, EXPR_MUL, i, factor, bits, is_signed);
			struct affine affine = affine_from_expr(
				machine->arena, expr_binary(pool, EXPR_DIV, product, factor, bits, is_signed));

			assert_int_equal(affine.reason != NULL, !is_signed);
		}
}

static void text_is_stable(void **state)
{
	struct expression_machine *machine = *state;
	struct expr_pool *pool = &machine->pool;
	const struct expr *i = symbol(machine, 0, 32, false), *n = symbol(machine, 2, 32, true);
	const struct expr *e = expr_binary(pool, EXPR_ADD, expr_cast(pool, i, 32, true), number(machine, -4), 32, true);
	struct text text = {0};

	expr_print(&text, expr_select(pool, expr_binary(pool, EXPR_LT, e, n, 1, false), e,
	                              expr_binary(pool, EXPR_MIN, e, n, 32, true)));
	assert_string_equal(text.data, "(((i32(i) - 4) < n) ? (i32(i) - 4) : min((i32(i) - 4), n))");
	text_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(arithmetic_wraps, set_up, tear_down),
		cmocka_unit_test_setup_teardown(division_is_that_of_c, set_up, tear_down),
		cmocka_unit_test_setup_teardown(comparisons_know_the_sign, set_up, tear_down),
		cmocka_unit_test_setup_teardown(unknown_needs_a_value_only_where_it_decides, set_up, tear_down),
		cmocka_unit_test_setup_teardown(large_expressions_become_unknown, set_up, tear_down),
		cmocka_unit_test_setup_teardown(equal_expressions_are_one, set_up, tear_down),
		cmocka_unit_test_setup_teardown(folding_keeps_the_value, set_up, tear_down),
		cmocka_unit_test_setup_teardown(linear_forms, set_up, tear_down),
		cmocka_unit_test_setup_teardown(normal_form_text_and_coefficients, set_up, tear_down),
		cmocka_unit_test_setup_teardown(normal_form_large_divisor, set_up, tear_down),
		cmocka_unit_test_setup_teardown(text_is_stable, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
