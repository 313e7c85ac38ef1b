/*
 * The program's command line and the device, which host code asks for: inputs of the golden stage, run with them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyzer/analyzer.h"
#include "base/toolkit/toolkit.h"

#define WORDS_MAX 16

struct fixture {
	struct arena *arena;
	struct toolkit toolkit;
	const char *directory;
};

static int set_up(void **state)
{
	struct arena *arena = arena_create();
	struct fixture *fixture = arena_alloc(arena, sizeof(*fixture));

	fixture->arena = arena;
	fixture->toolkit = toolkit_find(arena);
	fixture->directory = directory_temporary(arena);
	if (!fixture->directory)
		return -1;
	setenv("XDG_CACHE_HOME", arena_printf(arena, "%s/cache", fixture->directory), 1);
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	directory_remove(fixture->directory);
	arena_release(fixture->arena);
	return 0;
}

/* The words of a command line, which blanks separate. */
static unsigned split(char *line, const char **words)
{
	unsigned count = 0;

	for (char *word = strtok(line, " "); word && count < WORDS_MAX; word = strtok(NULL, " "))
		words[count++] = word;
	return count;
}

static const struct analysis *analyze(struct fixture *fixture, const char *name, const char *line,
                                      const struct analyzer_device *device)
{
	const char *words[WORDS_MAX] = {NULL};
	struct diagnostics diagnostics;
	struct analyzer_options options = {.path = arena_printf(fixture->arena, "tests/golden/kernel/%s.cu", name),
	                                   .cuda_root = fixture->toolkit.root,
	                                   .cuda_cccl = fixture->toolkit.cccl,
	                                   .architecture = "sm_90",
	                                   .device = device,
	                                   .use_cache = true};
	const struct analysis *analysis;

	diagnostics_init(&diagnostics, fixture->arena);
	if (line) {
		options.argument_count = split(arena_strdup(fixture->arena, line), words);
		options.arguments = words;
	}
	analysis = analyze_file(fixture->arena, &options, &diagnostics);
	assert_non_null(analysis);
	return analysis;
}

static void put_value(struct text *out, const struct host_value *value)
{
	if (value->known)
		text_printf(out, "%lld%s", (long long)value->value, value->assumed ? "?" : "");
	else
		text_puts(out, value->array ? value->array->name : "-");
}

/* "kernel<<<79, 64>>>(a, 5000) x 3; ": the x axes; `?` behind what is assumed, `-` for what is not known. */
static const char *launches_of(struct fixture *fixture, const struct analysis *analysis)
{
	struct text text = {0};
	const char *copy;

	for (unsigned i = 0; i < analysis->launch_count; i++) {
		const struct launch *launch = analysis->launches[i];

		text_printf(&text, "%s<<<", launch->kernel->name);
		put_value(&text, &launch->grid[0]);
		text_puts(&text, ", ");
		put_value(&text, &launch->block[0]);
		text_puts(&text, ">>>(");
		for (unsigned j = 0; j < launch->kernel->parameter_count; j++) {
			text_puts(&text, j ? ", " : "");
			put_value(&text, &launch->arguments[j]);
		}
		text_printf(&text, ") x %llu%s; ", (unsigned long long)launch->count, launch->count_known ? "" : "?");
	}
	copy = arena_strdup(fixture->arena, text.data ? text.data : "");
	text_release(&text);
	return copy;
}

/* ---- the command line --------------------------------------------------------------------- */

static const struct {
	const char *name, *line, *launches;
} cases[] = {
	{"host_arguments", "", "k<<<256, 256>>>(a, 65536, 7) x 1; k<<<49152, 2>>>(a, 98304, 3) x 1; "},
	{"host_arguments", "5000 0x40 9 2.5 11", "k<<<79, 64>>>(a, 5000, 9) x 1; k<<<6250, 2>>>(a, 12500, 11) x 1; "},
	{"host_arguments", "1 2 3 4 5 6", ""},
	{"host_options", "", "fast<<<32, 128>>>(a, 4096) x 1; "},
	{"host_options", "-n 1000 --exact -v", "exact<<<8, 128>>>(a, 1000) x 1; "},
	{"host_options", "--block=32", "fast<<<128, 32>>>(a, 4096) x 1; "},
	{"host_options", "--what", ""},
	{"host_getopt", "-n 5000 -r3 -t 64 x y", "k<<<79, 64>>>(a, 5000, 2) x 3; "},
	{"host_getopt", "-qr2 -q", "k<<<4096, 256>>>(a, 1048576, 0) x 2; "},
	{"host_getopt", "--number=100 --half --repeat 2 -- -n", "k<<<1, 256>>>(a, 50, 1) x 2; "},
	{"host_getopt", "--none", ""},
	{"host_helpers", "-width=64 --Height=96", "k<<<2, 32>>>(-, 64, 96) x 1; "},
	{"host_helpers", "", "k<<<10, 32>>>(-, 320, 640) x 1; "},
	{"host_helpers", "--help", ""},
	{"host_helpers", "-width=65", ""},
	{"host_try", "640", "k<<<10, 64>>>(a, 640) x 1; k<<<4, 96>>>(a, 3) x 1; k<<<5, 96>>>(a, 3) x 1; "},
	{"host_references", "5",
         "k<<<30, 5>>>(-, 5) x 1; k<<<50, 6>>>(-, 14) x 1; k<<<102, 101>>>(-, 100) x 1; k<<<1, 5>>>(-, 1) x 1; "},
};

static void command_lines(void **state)
{
	struct fixture *fixture = *state;

	if (!fixture->toolkit.root)
		skip();
	for (unsigned i = 0; i < ARRAY_COUNT(cases); i++)
		assert_string_equal(launches_of(fixture, analyze(fixture, cases[i].name, cases[i].line, NULL)),
		                    cases[i].launches);
}

/* ---- the device ----------------------------------------------------------------------------- */

static void device_numbers(void **state)
{
	static const struct analyzer_device device = {
		.multiprocessors = 132, .threads_per_multiprocessor = 2048, .architecture = 90};
	struct fixture *fixture = *state;

	if (!fixture->toolkit.root)
		skip();
	assert_string_equal(launches_of(fixture, analyze(fixture, "host_device", NULL, &device)),
	                    "k<<<528, 32>>>(a, 132) x 1; k<<<264?, 1024?>>>(a, 1) x 1; k<<<2112?, 128>>>(a, 2) x 1; ");
}

/* ---- what launches are given ------------------------------------------------------------------ */

static void records_by_value(void **state)
{
	struct fixture *fixture = *state;
	const struct host_value *record;

	if (!fixture->toolkit.root)
		skip();
	record = &analyze(fixture, "host_objects", NULL, NULL)->launches[0]->arguments[0];
	assert_non_null(record->leaves);
	assert_true(record->leaves[0].known && record->leaves[1].known);
	assert_int_equal(record->leaves[0].value, 40);
	assert_int_equal(record->leaves[1].value, 24);
	assert_int_equal(record->leaves[2].bytes, 3200);
}

static void memory_of_pointers(void **state)
{
	struct fixture *fixture = *state;
	const struct analysis *analysis;

	if (!fixture->toolkit.root)
		skip();
	analysis = analyze(fixture, "host_buffers", NULL, NULL);
	assert_int_equal(analysis->launches[0]->arguments[0].bytes, 4000);
	assert_int_equal(analysis->launches[0]->arguments[1].bytes, 4800);
	assert_int_equal(analysis->launches[1]->arguments[1].bytes, 6400);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(command_lines, set_up, tear_down),
		cmocka_unit_test_setup_teardown(device_numbers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(records_by_value, set_up, tear_down),
		cmocka_unit_test_setup_teardown(memory_of_pointers, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("analyzer/host", tests, NULL, NULL);
}
