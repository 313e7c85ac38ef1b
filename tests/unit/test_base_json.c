/* The quick reader of plain JSON against the library's: the same values of what it takes, and nothing taken that the
 * library refuses. */
#include "base/json/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glob.h>
#include <jansson.h>
#include <string.h>

/* Whether the quick reader takes a text, which it may only where it makes the library's values of it. */
static bool is_taken(const char *text, size_t length)
{
	json_t *quick = json_text_read(text, length, NULL),
	       *library = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
	bool taken = quick != NULL;
	if (taken && !json_equal(quick, library))
		fail_msg("another value than the library's: %s", text);
	json_decref(quick);
	json_decref(library);
	return taken;
}

static void test_files(void **state)
{
	static const char *const patterns[] = {"machines/*.json", "benchmarks/*.json", "benchmarks/measured/*.json",
	                                       "schemas/*.json"};
	unsigned files = 0;
	(void)state;
	for (size_t p = 0; p < ARRAY_COUNT(patterns); p++) {
		glob_t found;
		assert_int_equal(glob(patterns[p], 0, NULL, &found), 0);
		for (size_t i = 0; i < found.gl_pathc; i++, files++) {
			struct arena *arena = arena_create();
			size_t length;
			const char *text = file_read(arena, found.gl_pathv[i], &length);
			if (!is_taken(text, length))
				fail_msg("%s is left to the library", found.gl_pathv[i]);
			arena_release(arena);
		}
		globfree(&found);
	}
	assert_true(files > 20);
}

static void test_plain(void **state)
{
	static const char *const texts[] = {
		"{}",
		" [ ] ",
		"[[],{},[[]],{\"a\":{}}]",
		"[0,-0,7,-12,123456789012345678,-999999999999999999]",
		"[0.5,-0.0,1e3,1E+3,1e-3,2.5e10,0.1,0.2,0.3,1.7976931348623157e308,4.9e-324,1e22,1e23,9007199254740993."
		"0]",
		"[3.141592653589793238462643,0.000001234567890123456789,123456789012345678.5]",
		"[true,false,null]",
		"{\"\":1,\"a b\":\"c\\n\\t\\\"\\\\\\/\\b\\f\\r\"}",
		"[\"\xc3\xa4\xe2\x82\xac\"]",
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(texts); i++)
		if (!is_taken(texts[i], strlen(texts[i])))
			fail_msg("not taken: %s", texts[i]);
}

/* Some are right, and left to the library. */
static void test_not_plain(void **state)
{
	static const char *const texts[] = {
		"",
		"1",
		"\"a\"",
		"[",
		"{",
		"[1,]",
		"[,1]",
		"[1 2]",
		"{\"a\"}",
		"{\"a\":}",
		"{\"a\":1,}",
		"{a:1}",
		"{\"a\":1,\"a\":2}",
		"[01]",
		"[-]",
		"[1.]",
		"[.5]",
		"[1e]",
		"[1e+]",
		"[+1]",
		"[1e999]",
		"[1e99999]",
		"[12345678901234567890]",
		"[\"a]",
		"[\"\\u0041\"]",
		"[\"\\x\"]",
		"[\"\n\"]",
		"[\"\xff\"]",
		"{\"\xff\":1}",
		"[tru]",
		"[nul",
		"[] []",
		"[]x",
		"[1}",
		"{\"a\":1]",
	};
	char deep[1000];
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(texts); i++)
		if (is_taken(texts[i], strlen(texts[i])))
			fail_msg("taken: %s", texts[i]);
	assert_false(is_taken("[1]\0", 4));
	memset(deep, '[', 500);
	memset(deep + 500, ']', 499);
	deep[999] = '\0';
	assert_false(is_taken(deep, 999));
}

/* Every beginning of a text is wrong, and whatever stands in the place of one byte is as the library has it. */
static void test_damaged(void **state)
{
	static const char whole[] =
		"{\"sm\": {\"count\": {\"value\": 132, \"low\": -1.5e-3, \"at\": [1, 2.25, true, null], "
		"\"source\": \"a \\\"b\\\"\"}}}";
	static const char others[] = "\"\\{}[]:,0-9.eE+tfn \n";
	char text[sizeof whole];
	(void)state;
	assert_true(is_taken(whole, sizeof whole - 1));
	for (size_t i = 0; i + 1 < sizeof whole; i++) {
		memcpy(text, whole, sizeof whole);
		text[i] = '\0';
		assert_false(is_taken(text, i));
		for (const char *other = others; *other; other++) {
			text[i] = *other;
			is_taken(text, sizeof whole - 1);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_not_plain),
		cmocka_unit_test(test_damaged),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
