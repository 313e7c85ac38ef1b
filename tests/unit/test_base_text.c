/* Text buffers: terminated after every append, whatever the lengths. */
#include "base/base.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void starts_without_memory(void **state)
{
	struct text text = {0};

	(void)state;
	assert_null(text.data);
	text_puts(&text, "");
	assert_string_equal(text.data, "");
	assert_int_equal(text.length, 0);
	text_release(&text);
	assert_null(text.data);
	assert_int_equal(text.capacity, 0);
	text_release(&text);
}

/* Appends pieces of all lengths up to 300 and compares with the same text built otherwise. */
static void is_terminated_after_every_append(void **state)
{
	char *expected = calloc(1, 300 * 301 / 2 + 1);
	struct text text = {0};
	char piece[300];
	size_t length = 0;

	(void)state;
	assert_non_null(expected);
	for (size_t i = 0; i <= 300; i++) {
		memset(piece, 'a' + (int)(i % 26), i);
		memset(expected + length, 'a' + (int)(i % 26), i);
		length += i;
		text_append(&text, piece, i);
		assert_int_equal(text.length, length);
		assert_true(text.length < text.capacity);
		assert_string_equal(text.data, expected);
	}
	text_release(&text);
	free(expected);
}

static void printf_appends(void **state)
{
	struct text text = {0};

	(void)state;
	text_printf(&text, "%d", 1);
	text_printf(&text, "%s", "");
	text_printf(&text, ", %*d", 200, 2);
	assert_int_equal(text.length, 203);
	assert_memory_equal(text.data, "1, ", 3);
	assert_string_equal(text.data + 200, "  2");
	text_release(&text);
}

static void keeps_zeros(void **state)
{
	struct text text = {0};

	(void)state;
	text_append(&text, "a\0b", 3);
	text_puts(&text, "c");
	assert_int_equal(text.length, 4);
	assert_memory_equal(text.data, "a\0bc", 5);
	text_release(&text);
}

static void expect_wrapped(const char *paragraph, size_t column, size_t indent, size_t width, const char *expected,
                           size_t reached)
{
	struct text text = {0};

	text_puts(&text, "");
	assert_int_equal(text_wrap(&text, paragraph, column, indent, width), reached);
	assert_string_equal(text.data, expected);
	text_release(&text);
}

static void wraps_words(void **state)
{
	(void)state;
	expect_wrapped("", 3, 2, 10, "", 3);
	expect_wrapped("one two three", 0, 2, 80, "one two three", 13);
	expect_wrapped("one two three", 0, 2, 7, "one two\n  three", 7);
	expect_wrapped("one two three", 0, 2, 6, "one\n  two\n  three", 7);
	expect_wrapped("one two", 5, 0, 8, "one\ntwo", 3);
	expect_wrapped("overlong words stay whole", 0, 1, 5, "overlong\n words\n stay\n whole", 6);
	expect_wrapped("two  spaces", 0, 0, 80, "two spaces", 10);
}

/* Characters count, not bytes. */
static void counts_characters(void **state)
{
	(void)state;
	assert_int_equal(text_columns(""), 0);
	assert_int_equal(text_columns("abc"), 3);
	assert_int_equal(text_columns("\xc3\xa4\xe2\x82\xac"), 2);
	expect_wrapped("\xc3\xa4\xc3\xa4 b", 0, 0, 4, "\xc3\xa4\xc3\xa4 b", 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(starts_without_memory), cmocka_unit_test(is_terminated_after_every_append),
		cmocka_unit_test(printf_appends),        cmocka_unit_test(keeps_zeros),
		cmocka_unit_test(wraps_words),           cmocka_unit_test(counts_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
