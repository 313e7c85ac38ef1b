/* What nvcc is called with: plain words, a header for other macros, links for other paths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "model/compile/call.h"

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

static void plain_is_plain(void **state)
{
	static const char *const other[] = {"a b", "a,b",  "a`b", "a$b",  "a;b", "a\"b",
	                                    "a'b", "a\\b", "a(b", "a\nb", "a~b", "a*b"};

	(void)state;
	assert_true(text_is_plain("/home/me/caf\303\251/a_b-c.d+e:f=g@h%i"));
	for (size_t i = 0; i < ARRAY_COUNT(other); i++)
		assert_false(text_is_plain(other[i]));
}

/* A macro whose text is not plain stands in the header, and what follows of its name; the others stay in their order.
 */
static void macros_move_into_a_header(void **state)
{
	const char *flags[] = {"-DN=4", "-DT=\"x y\"", "-O", "-DF(a)=((a)+1)", "-UT", "-UN", "-DE=", "-DM", "-Ia b"};
	const char *expected[] = {"-DN=4", "-O", "-UN", "-DE=", "-DM", "-Ia b"};
	const char **left, *text;
	unsigned count;

	text = nvcc_macro_header(*state, flags, ARRAY_COUNT(flags), &left, &count);
	assert_string_equal(text, "#define T \"x y\"\n\n#define F(a) ((a)+1)\n\n#undef T\n");
	assert_int_equal(count, ARRAY_COUNT(expected));
	for (unsigned i = 0; i < count; i++)
		assert_string_equal(left[i], expected[i]);
	assert_null(nvcc_macro_header(*state, flags, 1, &left, &count));
	assert_int_equal(count, 1);
}

static void paths_become_links(void **state)
{
	const char *flags[] = {"-I/no/such `x`", "-isystem", "/no/$(x)", "-I/no/plain"};
	struct nvcc_call call;

	assert_true(nvcc_call_begin(&call, *state, "nvcc", (struct process_limits){0}));
	assert_true(nvcc_call_flags(&call, flags, ARRAY_COUNT(flags)));
	assert_int_equal(call.word_count, 5);
	for (unsigned i = 0; i < call.word_count; i++)
		assert_true(text_is_plain(call.words[i]));
	assert_string_equal(call.words[4], "-I/no/plain");
	assert_string_equal(nvcc_call_restored(&call, arena_printf(*state, "%s/h.h(1): x %s/i.h", call.words[1] + 2,
	                                                           call.words[3])),
	                    "/no/such `x`/h.h(1): x /no/$(x)/i.h");
	nvcc_call_end(&call);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_arena, release_arena)

int main(void)
{
	const struct CMUnitTest tests[] = {TEST(plain_is_plain), TEST(macros_move_into_a_header),
	                                   TEST(paths_become_links)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
