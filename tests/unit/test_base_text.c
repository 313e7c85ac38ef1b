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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(starts_without_memory),
		cmocka_unit_test(is_terminated_after_every_append),
		cmocka_unit_test(printf_appends),
		cmocka_unit_test(keeps_zeros),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
