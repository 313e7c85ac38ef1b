/* Recordings of --observe: what is read from one, and that nothing in a spoiled one is believed. */
#include "model/observe/internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define RECORDING "tests/fuzz/corpus/observation/small.jsonl"

static void test_small(void **state)
{
	struct arena *arena = arena_create();
	size_t length;
	const char *problem, *text = file_read(arena, RECORDING, &length);
	(void)state;
	assert_non_null(text);
	const struct observation *observation = observe_parse(arena, text, length, &problem);
	assert_non_null(observation);
	assert_int_equal(observation->launch_count, 1);
	const struct observed_launch *launch = &observation->launches[0];
	assert_string_equal(launch->kernel->name, "_Z6gatherPKiPfi");
	assert_int_equal(launch->times, 7);
	assert_int_equal(launch->executed, 4);
	assert_string_equal(launch->skipped, "the time for kernels is over");
	assert_int_equal(launch->grid[0], 2);
	assert_int_equal(launch->arguments[2].bytes[0], 4);
	assert_int_equal(launch->pointers[0].content->data[4], 1);
	assert_int_equal(launch->pointers[1].passed[0].argument, 1);
	assert_int_equal(observation->writes[0].offset, 4);
	assert_int_equal(observation->writes[0].size, 4);
	assert_true(observation->stopped);
	arena_release(arena);
}

/* The recording with one text replaced. */
static const char *spoiled(struct arena *arena, const char *text, const char *from, const char *to)
{
	const char *found = strstr(text, from);
	assert_non_null(found);
	return arena_printf(arena, "%.*s%s%s", (int)(found - text), text, to, found + strlen(from));
}

static void test_spoiled(void **state)
{
	static const char *const changes[][2] = {
		{"coalesce-observation/1", "coalesce-observation/2"},
		{"\"of\":1", "\"of\":2"},
		{"\"of\":1", "\"of\":0"},
		{"\"grid\":[2,1,1]", "\"grid\":[0,1,1]"},
		{"\"grid\":[2,1,1]", "\"grid\":[2]"},
		{"\"grid\":[2,1,1]", "\"grid\":[99999999999,1,1]"},
		{"\"offset\":4,\"bytes\":16", "\"offset\":16,\"bytes\":16"},
		{"\"offset\":4,\"bytes\":16", "\"offset\":4,\"bytes\":32"},
		{"\"content\":1,\"passed\"", "\"content\":9,\"passed\""},
		{"{\"argument\":1", "{\"argument\":3"},
		{"[[1,1]]", "[[2,1]]"},
		{"04000000", "0400000"},
		{"04000000", "04zz0000"},
		{"\"writer\":\"copy\"", "\"writer\":\"nobody knows\""},
		{"AAAAAAEAAAACAAAAAwAAAA==", "AAAAAAEAAAACAAAA"},
		{"AAAAAAEAAAACAAAAAwAAAA==", "AAAAAAEAAAACAAAAA!AAAA=="},
		{"\"bytes\":8,\"offset\":4", "\"bytes\":6,\"offset\":4"},
		{"\"kernel\":1", "\"kernel\":7"},
		{"\"times\":7", "\"times\":-7"},
		{"\"executed\":3", "\"executed\":4"},
		{"\"skipped\":3", "\"skipped\":2"},
		{"\"why\":\"the", "\"whyever\":\"the"},
		{"{\"order\"", "{\"orders\""},
		{"{\"order\"", "[\"order\""},
	};
	struct arena *arena = arena_create();
	const char *problem, *text = file_read(arena, RECORDING, NULL);
	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < ARRAY_COUNT(changes); i++) {
		const char *other = spoiled(arena, text, changes[i][0], changes[i][1]);
		if (observe_parse(arena, other, strlen(other), &problem))
			fail_msg("taken: %s for %s", changes[i][1], changes[i][0]);
		assert_non_null(problem);
	}
	assert_null(observe_parse(arena, "", 0, &problem));
	arena_release(arena);
}

/* Each cut of the text is read or refused. */
static void test_cut(void **state)
{
	struct arena *arena = arena_create();
	size_t length;
	const char *problem, *text = file_read(arena, RECORDING, &length);
	(void)state;
	assert_non_null(text);
	for (size_t size = 0; size < length; size++) {
		char *part = malloc(size + 1);
		memcpy(part, text, size);
		assert_true(!observe_parse(arena, part, size, &problem) == !!problem);
		free(part);
	}
	arena_release(arena);
}

static void test_names(void **state)
{
	(void)state;
	assert_true(observe_names_equal("_Z3addPf", "_Z3addPf"));
	assert_true(observe_names_equal("_ZN12_GLOBAL__N_14anonEPi", "_ZN32_GLOBAL__N__88441f26_4_a_cu_main4anonEPi"));
	assert_true(observe_names_equal("_ZL2stPi", "_Z2stPi"));
	assert_false(observe_names_equal("_Z3addPf", "_Z3addPi"));
	assert_false(
		observe_names_equal("_ZN12_GLOBAL__N_14anonEPi", "_ZN32_GLOBAL__N__88441f26_4_a_cu_main5anon2EPi"));
	assert_false(observe_names_equal("_ZN99999999999_GLOBAL__N_1", "_Z"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small),
		cmocka_unit_test(test_spoiled),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
