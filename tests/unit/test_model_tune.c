/* Spaces: expressions in both syntaxes, and what may be a name and a value. */
#include "model/tune/tune.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const struct tune_name names[] = {{"a", {.number = 7}}, {"b", {.number = 32}}, {"kind", {.word = "wide"}}};

/* The number that a text is; NAN: *fault says why there is none. */
static double number(const char *text, enum tune_syntax syntax, struct tune_fault *fault)
{
	struct arena *arena = arena_create();
	struct tune_value value;
	const struct tune_expression *expression = tune_expression_parse(arena, text, syntax, fault);
	bool good = expression && tune_expression_value(arena, expression, names, ARRAY_COUNT(names), &value, fault);
	arena_release(arena);
	return good && !value.word && !value.items ? value.number : NAN;
}

static void expect(const char *text, enum tune_syntax syntax, double expected)
{
	struct tune_fault fault;
	if (number(text, syntax, &fault) != expected)
		fail_msg("%s is not %g: %s", text, expected, fault.text ? fault.text : "another number");
}

static void expect_both(const char *text, double expected)
{
	expect(text, TUNE_C, expected);
	expect(text, TUNE_PYTHON, expected);
}

static void expect_fault(const char *text, enum tune_syntax syntax, unsigned at, const char *what)
{
	struct tune_fault fault;
	assert_true(isnan(number(text, syntax, &fault)));
	assert_string_equal(fault.text, what);
	if (fault.at != at)
		fail_msg("%s: at %u, not %u", text, fault.at, at);
}

static void numbers_and_precedence(void **state)
{
	(void)state;
	expect_both("1 + 2 * 3", 7);
	expect_both("(1 + 2) * 3", 9);
	expect_both("10 - 4 - 3", 3);
	expect_both("-a + 10", 3);
	expect_both("2 ** 3 ** 2", 512);
	expect_both("-2 ** 2", -4);
	expect_both("0x20 == b", 1);
	expect_both("a * b <= 224 && a % 2 != 0", 1);
	expect_both("a > b || b > a", 1);
	expect_both("!(a == 7)", 0);
	expect_both("not a == 7", 0);
	expect_both("a == 7 and b == 32 or 1 / 0", 1);
	expect_both("a == 8 and 1 / 0", 0);
	expect_both("min(a, b, 3) + max(a, b)", 35);
	expect_both("ceil_div(b, a)", 5);
	expect_both("ceil_div(b, 8)", 4);
	expect_both("True + 1", 2);
}

static void syntaxes_differ(void **state)
{
	(void)state;
	expect("-7 / 2", TUNE_C, -3);
	expect("-7 / 2", TUNE_PYTHON, -3.5);
	expect("-7 // 2", TUNE_PYTHON, -4);
	expect("-7 % 3", TUNE_C, -1);
	expect("-7 % 3", TUNE_PYTHON, 2);
	expect("b / a == 4", TUNE_C, 1);
	expect("b / a == 4", TUNE_PYTHON, 0);
	expect("1 < a < 8", TUNE_PYTHON, 1);
	expect("1 < a <= 6", TUNE_PYTHON, 0);
	expect_fault("1 < a < 8", TUNE_C, 6, "comparisons do not chain in C: put && between them");
}

static void words_and_lists(void **state)
{
	(void)state;
	expect_both("kind == wide", 1);
	expect_both("kind == 'narrow'", 0);
	expect_both("kind != narrow", 1);
	expect("a in [1, 7]", TUNE_PYTHON, 1);
	expect("a not in (1, 7)", TUNE_PYTHON, 0);
	expect("kind in ['wide', 'narrow',]", TUNE_PYTHON, 1);
	expect("b in range(0, 64, 16)", TUNE_PYTHON, 1);
	expect("b in [2**i for i in range(8) if i > 5]", TUNE_PYTHON, 0);
	expect("b in [2**i for i in range(8)]", TUNE_PYTHON, 1);
}

static void faults_have_places(void **state)
{
	(void)state;
	expect_fault("a *", TUNE_C, 3, "a value is missing at the end");
	expect_fault("a * * b", TUNE_C, 4, "a value is missing here");
	expect_fault("a b", TUNE_C, 2, "an operator is missing here");
	expect_fault("(a", TUNE_C, 2, "')' is missing here");
	expect_fault("12abc", TUNE_C, 0, "it is no integer");
	expect_fault("99999999999999999999", TUNE_C, 0, "the integer is too large");
	expect_fault("a / (b - 32)", TUNE_C, 2, "it divides by zero");
	expect_fault("a + kind", TUNE_C, 4, "a number is needed here");
	expect_fault("system(a)", TUNE_C, 0, "there is no such function: min, max, ceil_div and range are known");
	expect_fault("'open", TUNE_PYTHON, 0, "the text does not end");
	expect_fault("2 ** 64 * 2 ** 64", TUNE_C, 2, "the number becomes too large");
	expect_fault("a in b", TUNE_PYTHON, 5, "a list is needed here");
	expect_fault("0 in range(0, 1000000)", TUNE_PYTHON, 5, "the list has too many items");
}

static void hostile_texts_end(void **state)
{
	struct tune_fault fault;
	char deep[4096];
	(void)state;
	memset(deep, '(', sizeof deep - 1);
	deep[sizeof deep - 1] = '\0';
	assert_true(isnan(number(deep, TUNE_C, &fault)));
	assert_string_equal(fault.text, "it is nested too deeply");
	memset(deep, '!', sizeof deep - 1);
	assert_true(isnan(number(deep, TUNE_C, &fault)));
	assert_true(
		isnan(number("0 in [i for i in range(4000) if i in [j for j in range(4000)]]", TUNE_PYTHON, &fault)));
	assert_string_equal(fault.text, "it takes too many steps");
}

static const char *added(struct tune_space *space, struct arena *arena, const char *text)
{
	return tune_parameter_add(arena, space, text);
}

static void names_and_values(void **state)
{
	struct arena *arena = arena_create();
	struct tune_space space = {0};
	(void)state;
	assert_null(added(&space, arena, "BX=16,32,-1"));
	assert_null(added(&space, arena, "TYPE=float,double"));
	assert_null(added(&space, arena, "block=64,32x8"));
	assert_string_equal(added(&space, arena, "BX=1"), "BX is tuned already");
	assert_string_equal(added(&space, arena, "X Y=1"), "'X Y' is no identifier");
	assert_string_equal(added(&space, arena, "Z=1;rm"), "'1;rm' is neither an integer nor an identifier");
	assert_string_equal(added(&space, arena, "Z=$(id)"), "'$(id)' is neither an integer nor an identifier");
	assert_string_equal(added(&space, arena, "Z=1,,2"), "'' is neither an integer nor an identifier");
	assert_string_equal(added(&space, arena, "Z=32x8"), "'32x8' is neither an integer nor an identifier");
	assert_int_equal(space.parameter_count, 3);
	assert_int_equal(space.parameters[0].count, 3);
	assert_string_equal(tune_value_text(arena, &space.parameters[2].values[1]), "32x8");
	arena_release(arena);
}

static void conditions_cut_the_space(void **state)
{
	struct arena *arena = arena_create();
	struct tune_space space = {0};
	struct tune_axes axes = {.count = 2, .named = 2};
	struct tune_points points;
	struct tune_fault fault;
	int64_t values[] = {1, 2, 4, 8};
	(void)state;
	assert_null(added(&space, arena, "A=1,2,4,8"));
	assert_null(added(&space, arena, "B=1,2,4,8"));
	for (unsigned a = 0; a < 2; a++)
		axes.list[a] =
			(struct sweep_axis){.kind = SWEEP_MACRO, .name = a ? "B" : "A", .values = values, .count = 4};
	assert_null(tune_condition_add(arena, &space, "A*B<=8", TUNE_C, &fault));
	assert_null(tune_points_find(arena, &space, &axes, &points));
	assert_int_equal(points.count, 10);
	assert_null(tune_condition_add(arena, &space, "A>100", TUNE_C, &fault));
	assert_string_equal(tune_points_find(arena, &space, &axes, &points),
	                    "no configuration satisfies the constraints");
	assert_null(tune_condition_add(arena, &space, "A*C<=8", TUNE_C, &fault));
	assert_non_null(strstr(tune_space_check(arena, &space), "'C' is no name that is tuned"));
	arena_release(arena);
}

/* What a text gives, where all values are sums of the two axes: those not known are found. */
static void times_are_guessed(void **state)
{
	struct arena *arena = arena_create();
	struct tune_axes axes = {.count = 2};
	uint16_t at[32];
	double times[16], guesses[16];
	struct tune_points points = {.at = at, .count = 16};
	(void)state;
	axes.list[0].count = axes.list[1].count = 4;
	for (unsigned p = 0; p < 16; p++) {
		at[2 * p] = (uint16_t)(p / 4);
		at[2 * p + 1] = (uint16_t)(p % 4);
		times[p] = p / 4 == 0 || p % 4 == 0 ? exp(0.5 * (p / 4) - 0.7 * (p % 4)) : NAN;
	}
	tune_times_guess(arena, &axes, &points, times, guesses);
	unsigned best = 4 + 1;
	for (unsigned p = 0; p < 16; p++)
		if (!isfinite(times[p]) && guesses[p] < guesses[best])
			best = p;
	assert_int_equal(best, 4 + 3);
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_and_precedence),   cmocka_unit_test(syntaxes_differ),
		cmocka_unit_test(words_and_lists),          cmocka_unit_test(faults_have_places),
		cmocka_unit_test(hostile_texts_end),        cmocka_unit_test(names_and_values),
		cmocka_unit_test(conditions_cut_the_space), cmocka_unit_test(times_are_guessed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
