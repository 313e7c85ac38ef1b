/* Reading measurement files, and finding in them what was predicted. */
#include "model/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#define LAYOUT(record, layout, tile, times)                                                                            \
	"{\"record\": " record ", \"layout\": \"" layout "\", \"tile\": " tile ", \"time_us\": " times                 \
	", \"repeats\": 11, \"registers\": 32}"
#define TIMES "{\"median\": 10.5, \"min\": 10, \"max\": 12.0}"
#define KERNEL(arguments, layouts)                                                                                     \
	"{\"name\": \"k\", \"grid\": [64, 2, 1], \"block\": [256, 1, 1], \"arguments\": " arguments                    \
	", \"layouts\": [" layouts "]"                                                                                 \
	"}"
#define CASE(id, kernels)                                                                                              \
	"{\"id\": \"" id                                                                                               \
	"\", \"file\": \"k.cu\", \"options\": [\"-DN=4\", \"--group\", \"a,b\"], \"gpu\": \"G\", \"driver\": \"1\","   \
	" \"compiler\": \"c\", \"date\": \"d\", \"quick\": false, \"kernels\": [" kernels "]}"
#define FILE_OF(cases) "{\"schema\": \"coalesce/measure/1\", \"cases\": [" cases "]}"
#define ROWS LAYOUT("\"r\"", "aos", "null", TIMES) ", " LAYOUT("\"r\"", "asta", "64", TIMES)
#define KERNELS KERNEL("{\"n\": 1}", ROWS) ", " KERNEL("{\"n\": 2}", LAYOUT("null", "as-written", "null", TIMES))

static const struct measurement *load(struct arena *arena, const char *text, struct diagnostics *diagnostics)
{
	char *folder = directory_temporary(arena);
	const char *path = arena_printf(arena, "%s/m.json", folder);
	diagnostics_init(diagnostics, arena);
	assert_int_equal(file_write(path, text, strlen(text)), 0);
	const struct measurement *measurement = measure_load(arena, path, diagnostics);
	directory_remove(folder);
	return measurement;
}

static void test_everything_is_read(void **state)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	const struct measurement *measurement =
		load(arena, FILE_OF(CASE("one", KERNELS) ", " CASE("two", KERNELS)), &diagnostics);
	(void)state;
	assert_non_null(measurement);
	assert_int_equal(measurement->case_count, 2);
	assert_null(measure_case_find(measurement, "three"));
	const struct measured_case *measured = measure_case_find(measurement, "two");
	assert_ptr_equal(measured, &measurement->cases[1]);
	assert_string_equal(measured->file, "k.cu");
	assert_string_equal(measured->gpu, "G");
	assert_true(measure_case_with(measured, (const char *const[]){"-DN=4", "--group", "a,b"}, 3));
	assert_false(measure_case_with(measured, (const char *const[]){"-DN=4", "--group"}, 2));
	assert_false(measure_case_with(measured, (const char *const[]){"-DN=5", "--group", "a,b"}, 3));
	assert_int_equal(measured->kernel_count, 2);
	assert_int_equal(measured->kernels[0].grid[1], 2);
	assert_int_equal(measured->kernels[0].layout_count, 2);
	const struct measured_layout *layout = &measured->kernels[0].layouts[1];
	assert_int_equal(layout->tile, 64);
	assert_int_equal(layout->registers, 32);
	assert_true(fabs(layout->median - 10.5e-6) < 1e-18 && fabs(layout->minimum - 10e-6) < 1e-18 &&
	            fabs(layout->maximum - 12e-6) < 1e-18);
	arena_release(arena);
}

static void refused(const char *text, const char *message)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	assert_null(load(arena, text, &diagnostics));
	assert_int_equal(diagnostics.count, 1);
	if (!strstr(diagnostics.list[0].message, message))
		fail_msg("\"%s\" is not in \"%s\"", message, diagnostics.list[0].message);
	arena_release(arena);
}

static void test_what_is_wrong_is_named(void **state)
{
	(void)state;
	refused(FILE_OF(""), "file: \"cases\" is no array, or empty");
	refused(FILE_OF(CASE("one", KERNELS) ", " CASE("one", KERNELS)), "cases[1]: a second case with id \"one\"");
	refused(FILE_OF(CASE("one", "")), "cases[0]: \"kernels\" is no array, or empty");
	refused(FILE_OF("{\"id\": \"one\"}"), "cases[0]: Object item not found: file");
	refused(FILE_OF(CASE("one", KERNEL("{}", ""))), "cases[0].kernels[0]: \"layouts\" is no array, or empty");
	refused(FILE_OF(CASE("one", KERNEL("3", ROWS))), "cases[0].kernels[0]: \"arguments\" is no object");
	refused(FILE_OF(CASE("one", KERNEL("{\"n\": \"4\"}", ROWS))),
	        "\"arguments\" holds something that is no integer");
	refused(FILE_OF(CASE("one", KERNEL("{}", LAYOUT("null", "aos", "0", TIMES)))),
	        "layouts[0]: repeats, registers or tile is out of range");
	refused(FILE_OF(CASE("one",
	                     KERNEL("{}", LAYOUT("null", "aos", "null", "{\"median\": 1, \"min\": 0, \"max\": 2}")))),
	        "layouts[0].time_us: times must be from 1e-6 to 1e15 us");
	refused(FILE_OF(CASE("one", KERNEL("{}", LAYOUT("null", "aos", "null", "{\"median\": 1, \"min\": 1}")))),
	        "layouts[0].time_us: Object item not found: max");
	refused("{\"schema\": \"coalesce/measure/2\"}",
	        "\"schema\" is \"coalesce/measure/2\", not \"coalesce/measure/1\"");
	refused("[]", "\"schema\" is missing, not \"coalesce/measure/1\"");
}

/* ---- finding --------------------------------------------------------------------------- */

struct fixture {
	struct parameter parameter;
	struct kernel kernel;
	bool known;
	int64_t value;
	struct launch_case launch;
	struct case_result result;
};

static void fixture_fill(struct fixture *fixture, const char *kernel, int64_t n)
{
	*fixture = (struct fixture){.parameter = {.name = "n"}, .known = true, .value = n};
	fixture->kernel = (struct kernel){.name = kernel, .parameters = &fixture->parameter, .parameter_count = 1};
	fixture->launch = (struct launch_case){.kernel = &fixture->kernel,
	                                       .grid = {64, 2, 1},
	                                       .block = {256, 1, 1},
	                                       .known = &fixture->known,
	                                       .values = &fixture->value};
	fixture->result = (struct case_result){.launch = &fixture->launch};
}

static void test_kernels_are_found_by_their_arguments(void **state)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	struct fixture fixture;
	const struct measured_case *measured = &load(arena, FILE_OF(CASE("one", KERNELS)), &diagnostics)->cases[0];
	(void)state;
	fixture_fill(&fixture, "k", 2);
	assert_ptr_equal(measure_kernel_find(measured, &fixture.result, 0), &measured->kernels[1]);
	fixture.value = 3;
	assert_null(measure_kernel_find(measured, &fixture.result, 0));
	fixture.known = false;
	assert_ptr_equal(measure_kernel_find(measured, &fixture.result, 0), &measured->kernels[0]);
	fixture.launch.grid[0] = 65;
	assert_null(measure_kernel_find(measured, &fixture.result, 0));
	fixture_fill(&fixture, "other", 2);
	assert_null(measure_kernel_find(measured, &fixture.result, 0));
	arena_release(arena);
}

/* The second of two equal launches is the second one measured. */
static void test_equal_launches_are_told_apart_by_order(void **state)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	struct fixture fixture;
	const char *kernels = FILE_OF(CASE("one", KERNEL("{\"n\": 1}", ROWS) ", " KERNEL("{\"n\": 1}", ROWS)));
	const struct measured_case *measured = &load(arena, kernels, &diagnostics)->cases[0];
	(void)state;
	fixture_fill(&fixture, "k", 1);
	struct case_result results[] = {fixture.result, fixture.result, fixture.result};
	assert_ptr_equal(measure_kernel_find(measured, results, 0), &measured->kernels[0]);
	assert_ptr_equal(measure_kernel_find(measured, results, 1), &measured->kernels[1]);
	assert_null(measure_kernel_find(measured, results, 2));
	arena_release(arena);
}

static void test_layouts_are_found_by_record_and_tile(void **state)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	const struct measured_case *measured = &load(arena, FILE_OF(CASE("one", KERNELS)), &diagnostics)->cases[0];
	const struct layout_group group = {.name = "r"}, other = {.name = "s"};
	(void)state;
	const struct ranked_layout aos = {.group = &group, .layout = layout_find("aos")};
	const struct ranked_layout tiled = {.group = &group, .layout = layout_find("asta"), .tile = 64};
	const struct ranked_layout other_tile = {.group = &group, .layout = layout_find("asta"), .tile = 32};
	const struct ranked_layout other_record = {.group = &other, .layout = layout_find("aos")};
	const struct ranked_layout as_written = {.layout = NULL};
	assert_true(fabs(measure_time(&measured->kernels[0], &aos) - 10.5e-6) < 1e-18);
	assert_true(fabs(measure_time(&measured->kernels[0], &tiled) - 10.5e-6) < 1e-18);
	assert_true(isnan(measure_time(&measured->kernels[0], &other_tile)));
	assert_true(isnan(measure_time(&measured->kernels[0], &other_record)));
	assert_true(isnan(measure_time(&measured->kernels[0], &as_written)));
	assert_true(fabs(measure_time(&measured->kernels[1], &as_written) - 10.5e-6) < 1e-18);
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_everything_is_read),
		cmocka_unit_test(test_what_is_wrong_is_named),
		cmocka_unit_test(test_kernels_are_found_by_their_arguments),
		cmocka_unit_test(test_equal_launches_are_told_apart_by_order),
		cmocka_unit_test(test_layouts_are_found_by_record_and_tile),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
