/* Interning: equal strings become equal pointers, before and after the table grows. */
#include "base/base.h"

#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

static void equal_texts_are_one_pointer(void **state)
{
	struct arena *arena = arena_create();
	struct intern *table = intern_create(arena);
	char copy[] = "threadIdx";
	const char *first = intern_text(table, "threadIdx", 9);

	(void)state;
	assert_ptr_equal(first, intern_text(table, copy, 9));
	assert_ptr_not_equal(first, copy);
	assert_ptr_not_equal(first, intern_text(table, copy, 8));
	assert_string_equal(intern_text(table, copy, 6), "thread");
	assert_string_equal(intern_text(table, "", 0), "");
	arena_release(arena);
}

static void zeros_inside_count(void **state)
{
	struct arena *arena = arena_create();
	struct intern *table = intern_create(arena);
	const char *one = intern_text(table, "a\0b", 3), *other = intern_text(table, "a\0c", 3);

	(void)state;
	assert_ptr_not_equal(one, other);
	assert_memory_equal(one, "a\0b", 4);
	assert_ptr_not_equal(one, intern_text(table, "a", 1));
	arena_release(arena);
}

static void pointers_stay_when_the_table_grows(void **state)
{
	enum { COUNT = 5000 };
	static const char *kept[COUNT];
	struct arena *arena = arena_create();
	struct intern *table = intern_create(arena);
	char name[32];

	(void)state;
	for (int i = 0; i < COUNT; i++) {
		int length = snprintf(name, sizeof(name), "%%r%d", i);

		kept[i] = intern_text(table, name, (size_t)length);
	}
	for (int i = 0; i < COUNT; i++) {
		int length = snprintf(name, sizeof(name), "%%r%d", i);

		assert_ptr_equal(kept[i], intern_text(table, name, (size_t)length));
		assert_string_equal(kept[i], name);
	}
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_texts_are_one_pointer),
		cmocka_unit_test(zeros_inside_count),
		cmocka_unit_test(pointers_stay_when_the_table_grows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
