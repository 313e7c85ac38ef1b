/*
 * Values as users write them, typed and range-checked.
 */
#include "model/cases/cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct type int_type = {.spelling = "int", .size_bytes = 4, .scalar = SCALAR_SIGNED};
static const struct type byte_type = {.spelling = "unsigned char", .size_bytes = 1, .scalar = SCALAR_UNSIGNED};
static const struct type size_type = {.spelling = "unsigned long", .size_bytes = 8, .scalar = SCALAR_UNSIGNED};
static const struct type bool_type = {.spelling = "bool", .size_bytes = 1, .scalar = SCALAR_UNSIGNED};
static const struct type float_type = {.spelling = "float", .size_bytes = 4, .scalar = SCALAR_FLOAT};
static const struct type double_type = {.spelling = "double", .size_bytes = 8, .scalar = SCALAR_FLOAT};

static void expressions_have_values(void **state)
{
	static const struct {
		const char *text;
		int64_t value;
	} rows[] = {{"3", 3},        {"-3", -3},        {"1<<20", 1 << 20},  {"64*1024", 65536}, {"4K", 4096},
	            {"1M", 1 << 20}, {"2g", 2LL << 30}, {"(1+2)*3", 9},      {"1+2*3", 7},       {"7-2-1", 4},
	            {"0x10", 16},    {"1e6", 1000000},  {"100/3%10", 3},     {" 5 ", 5},         {"1<<2+1", 8},
	            {"6&3|8", 10},   {"~0", -1},        {"64*1024-1", 65535}};
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		int64_t value = 0;
		assert_true(case_integer_parse(rows[i].text, &value));
		assert_int_equal(value, rows[i].value);
	}
}

static void others_are_refused(void **state)
{
	static const char *const texts[] = {"",
	                                    "x",
	                                    "1<<",
	                                    "1.5",
	                                    "(1",
	                                    "1)",
	                                    "1 2",
	                                    "1/0",
	                                    "1<<64",
	                                    "9223372036854775807+1",
	                                    "9999999999999999999",
	                                    "1KK"};
	int64_t value;
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(texts); i++)
		assert_false(case_integer_parse(texts[i], &value));
}

static void types_bound_values(void **state)
{
	struct arena *arena = arena_create();
	int64_t value = 0;
	(void)state;
	assert_null(case_value_parse(arena, "2147483647", &int_type, &value));
	assert_non_null(case_value_parse(arena, "1<<31", &int_type, &value));
	assert_null(case_value_parse(arena, "255", &byte_type, &value));
	assert_non_null(case_value_parse(arena, "256", &byte_type, &value));
	assert_non_null(case_value_parse(arena, "-1", &size_type, &value));
	assert_null(case_value_parse(arena, "true", &bool_type, &value));
	assert_int_equal(value, 1);
	assert_null(case_value_parse(arena, "false", &bool_type, &value));
	assert_int_equal(value, 0);
	assert_non_null(case_value_parse(arena, "2", &bool_type, &value));
	assert_non_null(case_value_parse(arena, "0.5", &int_type, &value));
	arena_release(arena);
}

static void reals_are_bits(void **state)
{
	struct arena *arena = arena_create();
	const float half = 0.5F;
	const double quarter = 1.0 / 4;
	int64_t value = 0, expected = 0;
	(void)state;
	assert_null(case_value_parse(arena, "0.5f", &float_type, &value));
	memcpy(&expected, &half, sizeof half);
	assert_int_equal(value, expected);
	assert_null(case_value_parse(arena, "0.25", &double_type, &value));
	memcpy(&expected, &quarter, sizeof quarter);
	assert_int_equal(value, expected);
	assert_non_null(case_value_parse(arena, "1e39", &float_type, &value));
	assert_null(case_value_parse(arena, "1e39", &double_type, &value));
	assert_non_null(case_value_parse(arena, "half", &float_type, &value));
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expressions_have_values),
		cmocka_unit_test(others_are_refused),
		cmocka_unit_test(types_bound_values),
		cmocka_unit_test(reals_are_bits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
