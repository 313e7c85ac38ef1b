/* Arenas: zeroed aligned memory, texts, and arrays that grow. */
#include "base/base.h"

#include <setjmp.h>
#include <stdalign.h>
#include <string.h>
#include <cmocka.h>

static int make_arena(void **state)
{
	*state = arena_create();
	return 0;
}

static int release_arena(void **state)
{
	arena_release(*state);
	return 0;
}

/* Every object is zeroed, aligned for any type, and keeps what was written into it. */
static void objects_are_zeroed_aligned_and_apart(void **state)
{
	static const size_t sizes[] = {1, 3, 16, 17, 200, 1000, 16384, 16385, 65536, 100000, 0, 1};
	unsigned char *objects[1200];
	const size_t count = ARRAY_COUNT(objects);

	for (size_t i = 0; i < count; i++) {
		size_t size = sizes[i % ARRAY_COUNT(sizes)];

		objects[i] = arena_alloc(*state, size);
		assert_non_null(objects[i]);
		assert_int_equal((uintptr_t)objects[i] % alignof(max_align_t), 0);
		for (size_t j = 0; j < size; j++)
			assert_int_equal(objects[i][j], 0);
		memset(objects[i], (int)(i % 255 + 1), size);
	}
	for (size_t i = 0; i < count; i++) {
		size_t size = sizes[i % ARRAY_COUNT(sizes)];

		for (size_t j = 0; j < size; j++)
			assert_int_equal(objects[i][j], i % 255 + 1);
	}
}

static void bytes_counts_what_was_handed_out(void **state)
{
	assert_int_equal(arena_bytes(*state), 0);
	arena_alloc(*state, 10);
	arena_array(*state, 5, 8);
	arena_alloc(*state, 1000000);
	assert_int_equal(arena_bytes(*state), 1000050);
}

static void texts_are_copied(void **state)
{
	char source[] = "abcdef";
	char *part = arena_strndup(*state, source, 3), *whole = arena_strdup(*state, source);

	memset(source, 'x', sizeof(source) - 1);
	assert_string_equal(part, "abc");
	assert_string_equal(whole, "abcdef");
	assert_string_equal(arena_strndup(*state, NULL, 0), "");
}

static void printf_formats_texts_of_any_length(void **state)
{
	char *text = arena_printf(*state, "%d-%s", 42, "x"), *wide = arena_printf(*state, "%*d", 100000, 7);

	assert_string_equal(text, "42-x");
	assert_int_equal(strlen(wide), 100000);
	assert_int_equal(wide[99999], '7');
	assert_string_equal(arena_printf(*state, "%s", ""), "");
}

struct pair {
	int first;
	double second;
};

static void push_keeps_all_elements(void **state)
{
	struct pair *list = NULL;
	size_t count = 0;

	for (int i = 0; i < 1000; i++) {
		ARENA_PUSH(*state, list, count, (struct pair){i, i / 2.0});
		assert_int_equal(count, i + 1);
	}
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(list[i].first, i);
		assert_true(list[i].second == i / 2.0);
	}
}

/* Storage moves only when the count reaches a power of two, so n elements cost less than 4 n. */
static void growing_is_linear(void **state)
{
	int *list = NULL;
	unsigned count = 0;

	for (int i = 0; i < 4096; i++)
		ARENA_PUSH(*state, list, count, i);
	assert_in_range(arena_bytes(*state), 4096 * sizeof(int), 4 * 4096 * sizeof(int));
}

static void releasing_nothing_is_allowed(void **state)
{
	(void)state;
	arena_release(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_arena, release_arena)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(objects_are_zeroed_aligned_and_apart),
		TEST(bytes_counts_what_was_handed_out),
		TEST(texts_are_copied),
		TEST(printf_formats_texts_of_any_length),
		TEST(push_keeps_all_elements),
		TEST(growing_is_linear),
		cmocka_unit_test(releasing_nothing_is_allowed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
