/* Calibration results -> machine file: what replaces what, and what is refused. */
#include "model/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#define HEAD                                                                                                           \
	"{\"schema\": \"coalesce/calibration/1\", \"date\": \"2026-01-02\", \"driver\": \"1.2\", \"toolkit\": "        \
	"\"13.0\", "
#define H200                                                                                                           \
	HEAD "\"device\": \"NVIDIA H200\", \"compute_capability\": \"9.0\", \"complete\": true, \"failures\": [], "    \
	     "\"results\": ["

struct outcome {
	struct arena *arena;
	struct diagnostics diagnostics;
	const char *text;
};

/* Converts results given as text, compared with others or NULL. The caller releases the arena. */
static struct outcome convert_compared(const char *results, const char *other, const char *template_name)
{
	struct outcome outcome = {.arena = arena_create()};
	diagnostics_init(&outcome.diagnostics, outcome.arena);
	char *folder = directory_temporary(outcome.arena);
	const char *path = arena_printf(outcome.arena, "%s/results.json", folder),
		   *other_path = arena_printf(outcome.arena, "%s/o.json", folder);
	assert_int_equal(file_write(path, results, strlen(results)), 0);
	assert_int_equal(file_write(other_path, other ? other : "", other ? strlen(other) : 0), 0);
	outcome.text =
		machine_calibrate(outcome.arena, path, other ? other_path : NULL, template_name, &outcome.diagnostics);
	directory_remove(folder);
	return outcome;
}

static struct outcome convert(const char *results, const char *template_name)
{
	return convert_compared(results, NULL, template_name);
}

/* The line of a machine file that holds "key", the first after "group". */
static char *line_of(struct arena *arena, const char *text, const char *group, const char *key)
{
	const char *place = strstr(text, arena_printf(arena, "\n  \"%s\": {", group));
	assert_non_null(place);
	place = strstr(place, arena_printf(arena, "\n    \"%s\": ", key));
	assert_non_null(place);
	return arena_strndup(arena, place + 1, strcspn(place + 1, "\n"));
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in '%s'", part, text);
}

static void test_same_device(void **state)
{
	(void)state;
	struct outcome outcome =
		convert(H200 "{\"key\": \"l2.hit_latency_cycles\", \"unit\": \"cycles\", \"value\": 260.5, \"low\": "
	                     "260, \"high\": 261, "
	                     "\"repeats\": 11, "
	                     "\"method\": \"m\"}, "
	                     "{\"key\": \"dram.latency_cycles\", \"unit\": \"cycles\", \"value\": 700, \"repeats\": "
	                     "11, \"method\": \"m\"}, "
	                     "{\"key\": \"stride_cycles.x\", \"unit\": \"cycles\", \"axis\": \"stride\", \"at\": [1, "
	                     "2], \"value\": [1.5, 2.0], "
	                     "\"low\": [1, 2], \"high\": [2, 2], \"repeats\": 11, \"method\": \"m\"}]}",
	                NULL);
	assert_non_null(outcome.text);
	assert_int_equal(outcome.diagnostics.count, 0);
	const char *near = line_of(outcome.arena, outcome.text, "l2", "hit_latency_cycles");
	assert_has(near, "\"value\": 260.5, \"unit\": \"cycles\", \"kind\": \"measured\"");
	assert_has(near, "\"low\": 260, \"high\": 261, \"repeats\": 11");
	assert_has(line_of(outcome.arena, outcome.text, "dram", "latency_added_cycles"), "\"value\": 439.5");
	assert_has(line_of(outcome.arena, outcome.text, "sm", "schedulers"), "\"kind\": \"published\"");
	assert_has(line_of(outcome.arena, outcome.text, "evidence", "stride_cycles.x"), "\"value\": [1.5, 2]");
	assert_has(outcome.text, "\"aliases\": [\"h200\"");
	arena_release(outcome.arena);
}

/* A device by the name that its driver gives it, which the machine file has as an alias: it stays that file. */
static void test_alias(void **state)
{
	(void)state;
	struct outcome outcome = convert(
		HEAD "\"device\": \"NVIDIA H100 80GB HBM3\", \"compute_capability\": \"9.0\", \"results\": []}", NULL);
	assert_non_null(outcome.text);
	assert_has(outcome.text, "\"name\": \"NVIDIA H100 SXM5 80GB\"");
	assert_has(outcome.text, "\"aliases\": [\"h100\"");
	assert_has(line_of(outcome.arena, outcome.text, "sm", "schedulers"), "\"kind\": \"published\"");
	arena_release(outcome.arena);
}

/* An unknown part of the same compute capability: the relative's numbers become assumptions. */
static void test_other_device(void **state)
{
	(void)state;
	struct outcome outcome = convert(
		HEAD "\"device\": \"NVIDIA H300\", \"compute_capability\": \"9.0\", \"complete\": false, \"failures\": "
		     "[{\"section\": \"clock\", \"reason\": \"r\"}], \"results\": []}",
		"h200");
	assert_non_null(outcome.text);
	assert_int_equal(outcome.diagnostics.count, 2);
	assert_has(outcome.text, "\"name\": \"NVIDIA H300\"");
	assert_has(outcome.text, "\"aliases\": [\"nvidia-h300\"]");
	assert_has(line_of(outcome.arena, outcome.text, "sm", "schedulers"),
	           "\"kind\": \"assumed\", \"source\": \"as NVIDIA H200: ");
	arena_release(outcome.arena);
}

/* Results of card A or B with a chase of so many cycles, a table of rates with a second value, and a table at another
 * place. */
#define CARD(NAME, CYCLES, RATE, PLACE)                                                                                \
	HEAD "\"device\": \"NVIDIA H200\", \"uuid\": \"GPU-" NAME                                                      \
	     "\", \"compute_capability\": \"9.0\", \"complete\": true, "                                               \
	     "\"failures\": [], \"results\": ["                                                                        \
	     "{\"key\": \"l2.hit_latency_cycles\", \"unit\": \"cycles\", \"value\": " CYCLES                           \
	     ", \"repeats\": 11, \"method\": \"m\"}, "                                                                 \
	     "{\"key\": \"b.rates\", \"unit\": \"bytes/s\", \"axis\": \"warps\", \"at\": [1, 2], \"value\": "          \
	     "[1e12, " RATE "], "                                                                                      \
	     "\"repeats\": 11, \"method\": \"m\"}, "                                                                   \
	     "{\"key\": \"b.places\", \"unit\": \"cycles\", \"axis\": \"bytes\", \"at\": [" PLACE                      \
	     "], \"value\": [1], \"repeats\": 11, "                                                                    \
	     "\"method\": \"m\"}]}"

/* Where two cards lie further apart than 5 % of a time or 3 % of a rate, the file says so; tables over other places are
 * not compared. */
static void test_comparison(void **state)
{
	(void)state;
	struct outcome outcome =
		convert_compared(CARD("A", "260", "1e12", "64"), CARD("B", "272", "1.02e12", "64"), NULL);
	assert_int_equal(outcome.diagnostics.count, 0);
	assert_has(line_of(outcome.arena, outcome.text, "calibration", "comparison"), "\"uuid\": \"GPU-B\"");
	assert_has(line_of(outcome.arena, outcome.text, "calibration", "comparison"), "\"results\": 3, \"beyond\": []");
	assert_has(line_of(outcome.arena, outcome.text, "l2", "hit_latency_cycles"), "\"value\": 260,");
	arena_release(outcome.arena);
	outcome = convert_compared(CARD("A", "260", "1e12", "64"), CARD("B", "274", "0.96e12", "128"), NULL);
	const char *note = line_of(outcome.arena, outcome.text, "calibration", "comparison");
	assert_has(note, "\"results\": 2, \"beyond\": [\"l2.hit_latency_cycles: 260 against 274 cycles\", ");
	assert_has(note, "\"b.rates, 1 of 2 places, the most at 2 (warps): 1e+12 against 9.6e+11 bytes/s\"]");
	arena_release(outcome.arena);
	outcome = convert_compared(CARD("A", "260", "1e12", "64"), CARD("A", "260", "1e12", "64"), NULL);
	assert_non_null(outcome.text);
	assert_has(outcome.diagnostics.list[0].message, "of the same card");
	arena_release(outcome.arena);
}

/* What was measured must not contradict itself: an L2 that is nearer than the L1. */
static void test_contradiction(void **state)
{
	(void)state;
	struct outcome outcome = convert(CARD("A", "10", "1e12", "64"), NULL);
	assert_null(outcome.text);
	assert_has(outcome.diagnostics.list[0].message, "is above l2.hit_latency_cycles, which is 10");
	arena_release(outcome.arena);
}

/* One result that is not right: no file, and what is wrong is said. */
static void assert_refused(const char *result, const char *message)
{
	struct arena *arena = arena_create();
	struct outcome outcome = convert(arena_printf(arena, "%s%s]}", H200, result), NULL);
	assert_null(outcome.text);
	assert_int_equal(outcome.diagnostics.errors, 1);
	assert_has(outcome.diagnostics.list[0].message, message);
	arena_release(outcome.arena);
	arena_release(arena);
}

static void test_bad_results(void **state)
{
	(void)state;
	assert_refused("{\"key\": \"l2.hit_latency_cycles\", \"unit\": \"s\", \"value\": 1, \"repeats\": 1, "
	               "\"method\": \"m\"}",
	               "machine files have cycles");
	assert_refused("{\"key\": \"nogroup\", \"unit\": \"s\", \"value\": 1, \"repeats\": 1, \"method\": \"m\"}",
	               "group.key");
	assert_refused("{\"key\": \"a.b\", \"unit\": \"s\", \"value\": \"1\", \"repeats\": 1, \"method\": \"m\"}",
	               "no number");
	assert_refused("{\"key\": \"a.b\", \"unit\": \"s\", \"value\": 1, \"repeats\": 1}", "missing");
	assert_refused(
		"{\"key\": \"a.b\", \"unit\": \"s\", \"axis\": \"n\", \"at\": [1], \"value\": [1, 2], \"repeats\": 1, "
		"\"method\": \"m\"}",
		"one length");
	assert_refused("7", "group.key");
}

static void test_bad_files(void **state)
{
	(void)state;
	const char *const texts[] = {
		"{", "{}", "[]", "{\"schema\": \"coalesce/machine/1\"}",
		HEAD "\"device\": \"Other\", \"compute_capability\": \"99.0\", \"complete\": true, \"results\": []}"};
	for (size_t i = 0; i < ARRAY_COUNT(texts); i++) {
		struct outcome outcome = convert(texts[i], NULL);
		assert_null(outcome.text);
		assert_int_equal(outcome.diagnostics.errors, 1);
		arena_release(outcome.arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_device),   cmocka_unit_test(test_alias),
		cmocka_unit_test(test_other_device),  cmocka_unit_test(test_comparison),
		cmocka_unit_test(test_contradiction), cmocka_unit_test(test_bad_results),
		cmocka_unit_test(test_bad_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
