/*
 * The analysis of whole files: errors, flags, the precompiled header and what may go wrong with it, limits,
 * compile_commands.json, suggestions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dirent.h>

#include <cmocka.h>

#include "analyzer/analyzer.h"
#include "base/toolkit/toolkit.h"

struct fixture {
	struct arena *arena;
	struct toolkit toolkit;
	struct diagnostics diagnostics;
	const char *directory, *cache;
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
	fixture->cache = arena_printf(arena, "%s/cache", fixture->directory);
	setenv("XDG_CACHE_HOME", fixture->cache, 1);
	diagnostics_init(&fixture->diagnostics, arena);
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

static void need_toolkit(const struct fixture *fixture)
{
	if (!fixture->toolkit.root)
		skip();
}

static const char *write_file(struct fixture *fixture, const char *name, const char *text)
{
	const char *path = arena_printf(fixture->arena, "%s/%s", fixture->directory, name);

	assert_int_equal(file_write(path, text, strlen(text)), 0);
	return path;
}

static struct analyzer_options options_for(const struct fixture *fixture, const char *path)
{
	return (struct analyzer_options){.path = path,
	                                 .cuda_root = fixture->toolkit.root,
	                                 .cuda_cccl = fixture->toolkit.cccl,
	                                 .architecture = "sm_90",
	                                 .use_cache = true};
}

static struct analysis *analyze(struct fixture *fixture, const struct analyzer_options *options)
{
	diagnostics_init(&fixture->diagnostics, fixture->arena);
	return analyze_file(fixture->arena, options, &fixture->diagnostics);
}

static const char *dump_of(struct fixture *fixture, const struct analysis *analysis)
{
	struct text text = {0};
	const char *copy;

	assert_non_null(analysis);
	analysis_dump_kernels(&text, analysis);
	analysis_dump_affine(&text, analysis);
	copy = arena_strdup(fixture->arena, text.data);
	text_release(&text);
	return copy;
}

static const char *error_of(const struct fixture *fixture, unsigned line)
{
	for (size_t i = 0; i < fixture->diagnostics.count; i++)
		if (fixture->diagnostics.list[i].severity == SEVERITY_ERROR &&
		    fixture->diagnostics.list[i].place.line == line)
			return fixture->diagnostics.list[i].message;
	return "";
}

static const char simple[] = "__global__ void k(float *a) { a[threadIdx.x] = 0; }\n";

/* ---- errors ------------------------------------------------------------------------- */

static void missing_file(void **state)
{
	struct fixture *fixture = *state;
	struct analyzer_options options = options_for(fixture, "/no/such/file.cu");

	assert_null(analyze(fixture, &options));
	assert_string_equal(error_of(fixture, 0), "No such file or directory");
}

static void no_kernel(void **state)
{
	struct fixture *fixture = *state;
	struct analyzer_options options =
		options_for(fixture, write_file(fixture, "a.cu", "int main() { return 0; }\n"));

	need_toolkit(fixture);
	assert_null(analyze(fixture, &options));
	assert_string_equal(error_of(fixture, 0), "no kernel (__global__ function) in this file");
}

static void error_in_a_kernel(void **state)
{
	struct fixture *fixture = *state;
	struct analyzer_options options =
		options_for(fixture, write_file(fixture, "a.cu", "__global__ void k(float *a) {\n\ta[i] = 0;\n}\n"));

	need_toolkit(fixture);
	assert_null(analyze(fixture, &options));
	assert_string_equal(error_of(fixture, 2), "use of undeclared identifier 'i'");
}

static void error_in_a_record(void **state)
{
	struct fixture *fixture = *state;
	struct analyzer_options options = options_for(fixture, write_file(fixture, "a.cu",
	                                                                  "struct s { float x; unknown y; };\n"
	                                                                  "__global__ void k(s *a) { a[0].x = 0; }\n"));

	need_toolkit(fixture);
	assert_null(analyze(fixture, &options));
	assert_string_equal(error_of(fixture, 1), "unknown type name 'unknown'");
}

static void error_in_host_code(void **state)
{
	struct fixture *fixture = *state;
	const char *text = arena_printf(fixture->arena, "%sint main() { nonsense; }\n", simple);
	struct analyzer_options options = options_for(fixture, write_file(fixture, "a.cu", text));

	need_toolkit(fixture);
	assert_non_null(analyze(fixture, &options));
	assert_int_equal(fixture->diagnostics.count, 0);
}

static void without_a_toolkit(void **state)
{
	struct fixture *fixture = *state;
	struct analyzer_options options =
		options_for(fixture, write_file(fixture, "a.cu",
	                                        "__global__ void k(float *a, int n) {\n"
	                                        "\tint i = blockIdx.x * blockDim.x + threadIdx.x;\n"
	                                        "\tif (i < n) a[i] = 0;\n}\n"
	                                        "int main() { k<<<2, 64>>>(0, 100); }\n"));
	struct analysis *analysis;

	options.cuda_root = options.cuda_cccl = NULL;
	analysis = analyze(fixture, &options);
	assert_non_null(analysis);
	assert_int_equal(analysis->launch_count, 1);
	assert_int_equal(analysis->launches[0]->block[0].value, 64);
	assert_null(analysis->kernels[0]->accesses[0]->affine.reason);
}

/* ---- flags ------------------------------------------------------------------------------ */

static void flags_reach_the_file(void **state)
{
	struct fixture *fixture = *state;
	const char *include = arena_printf(fixture->arena, "-I%s", fixture->directory);
	const char *const flags[] = {"-DN=12", include, "-D", "WIDE", "-std=c++20"};
	struct analyzer_options options = options_for(
		fixture, write_file(fixture, "a.cu",
	                            "#include \"b.h\"\n#ifdef WIDE\n"
	                            "__global__ void k(float *a) { a[threadIdx.x * N + M] = __cplusplus > 201703L; }\n"
	                            "#endif\n"));
	struct analysis *analysis;

	need_toolkit(fixture);
	write_file(fixture, "b.h", "#define M 5\n");
	options.flags = flags;
	options.flag_count = ARRAY_COUNT(flags);
	analysis = analyze(fixture, &options);
	assert_non_null(strstr(dump_of(fixture, analysis), "store a at 3:31: 12*threadIdx.x + 5"));
}

/* ---- the precompiled header --------------------------------------------------------------- */

/* The only precompiled header in the cache; NULL when there is none. */
static const char *find_header(struct fixture *fixture)
{
	const char *folder = arena_printf(fixture->arena, "%s/coalesce", fixture->cache), *found = NULL;
	DIR *directory = opendir(folder);
	const struct dirent *entry;

	while (directory && (entry = readdir(directory)) != NULL) {
		const char *dot = strrchr(entry->d_name, '.');

		if (entry->d_name[0] == '.')
			continue;
		assert_null(found);
		assert_non_null(dot);
		assert_string_equal(dot, ".pch");
		found = arena_printf(fixture->arena, "%s/%s", folder, entry->d_name);
	}
	if (directory)
		closedir(directory);
	return found;
}

static off_t size_of(const char *path)
{
	struct stat status;

	assert_int_equal(stat(path, &status), 0);
	return status.st_size;
}

static void header_is_made_and_used(void **state)
{
	struct fixture *fixture = *state;
	struct analyzer_options options = options_for(fixture, write_file(fixture, "a.cu", simple));
	const char *first, *header;
	struct stat before, after;

	need_toolkit(fixture);
	first = dump_of(fixture, analyze(fixture, &options));
	header = find_header(fixture);
	assert_non_null(header);
	assert_int_equal(stat(header, &before), 0);
	assert_string_equal(dump_of(fixture, analyze(fixture, &options)), first);
	assert_string_equal(find_header(fixture), header);
	assert_int_equal(stat(header, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	options.use_cache = false;
	assert_string_equal(dump_of(fixture, analyze(fixture, &options)), first);
}

static void harmless_macros_share_a_header(void **state)
{
	struct fixture *fixture = *state;
	const char *const flags[] = {"-DN=12", "-I/usr/include"};
	struct analyzer_options options = options_for(fixture, write_file(fixture, "a.cu", simple));
	const char *header;

	need_toolkit(fixture);
	assert_non_null(analyze(fixture, &options));
	header = find_header(fixture);
	options.flags = flags;
	options.flag_count = ARRAY_COUNT(flags);
	assert_non_null(analyze(fixture, &options));
	assert_string_equal(find_header(fixture), header);
}

/* Puts something else in the header's place; the analysis must not notice, and make it anew. */
static void replace_header(struct fixture *fixture, const char *content, size_t length)
{
	struct analyzer_options options = options_for(fixture, write_file(fixture, "a.cu", simple));
	const char *first = dump_of(fixture, analyze(fixture, &options)), *header = find_header(fixture);
	off_t size = size_of(header);

	if (content)
		assert_int_equal(file_write(header, content, length), 0);
	else
		assert_int_equal(truncate(header, size / 2), 0);
	assert_string_equal(dump_of(fixture, analyze(fixture, &options)), first);
	assert_int_equal(fixture->diagnostics.count, 0);
	assert_string_equal(dump_of(fixture, analyze(fixture, &options)), first);
	assert_true(llabs((long long)size_of(find_header(fixture)) - (long long)size) < 4096);
}

static void header_that_is_junk(void **state)
{
	need_toolkit(*state);
	replace_header(*state, "this is no precompiled header", 29);
}

static void header_that_is_cut(void **state)
{
	need_toolkit(*state);
	replace_header(*state, NULL, 0);
}

static void header_that_is_empty(void **state)
{
	need_toolkit(*state);
	replace_header(*state, "", 0);
}

static void cache_that_cannot_be_written(void **state)
{
	struct fixture *fixture = *state;
	struct analyzer_options options = options_for(fixture, write_file(fixture, "a.cu", simple));

	need_toolkit(fixture);
	write_file(fixture, "cache", "a file where the folder should be");
	assert_non_null(analyze(fixture, &options));
	assert_int_equal(fixture->diagnostics.count, 0);
}

/* ---- limits ------------------------------------------------------------------------------------ */

static void time_limit(void **state)
{
	struct fixture *fixture = *state;
	struct analyzer_options options = options_for(fixture, write_file(fixture, "a.cu", simple));

	need_toolkit(fixture);
	options.limits.seconds = 0.001;
	assert_null(analyze(fixture, &options));
	assert_string_equal(error_of(fixture, 0),
	                    "libclang took more than 0.001 s of processor time (--limit-seconds)");
}

/* A million operators in a row: libclang runs out of stack or memory, in its own process. */
static void libclang_gives_up(void **state)
{
	struct fixture *fixture = *state;
	struct text text = {0};
	struct analyzer_options options;
	const char *path;

	need_toolkit(fixture);
	text_puts(&text, "__global__ void k(int *a, int n) { a[0] = ");
	for (unsigned i = 0; i < 1000000; i++)
		text_puts(&text, " -");
	text_puts(&text, " n; }\n");
	path = write_file(fixture, "a.cu", text.data);
	text_release(&text);
	options = options_for(fixture, path);
	if (!analyze(fixture, &options))
		assert_int_equal(fixture->diagnostics.errors, 1);
}

static void in_process_is_the_same(void **state)
{
	struct fixture *fixture = *state;
	struct analyzer_options options = options_for(fixture, "benchmarks/2mm.cu");
	const char *isolated;

	need_toolkit(fixture);
	isolated = dump_of(fixture, analyze(fixture, &options));
	options.in_process = true;
	assert_string_equal(dump_of(fixture, analyze(fixture, &options)), isolated);
}

/* ---- compile_commands.json ------------------------------------------------------------------------ */

static void compile_commands(void **state)
{
	struct fixture *fixture = *state;
	const char *path = write_file(fixture, "a.cu", simple);
	const char *json = arena_printf(
		fixture->arena,
		"[{\"directory\": \"%s\", \"file\": \"a.cu\", \"command\": \"nvcc -O2 -DA=1 -D B -Iinc -I /abs "
		"-isystem=sys --std=c++14 -std c++17 -gencode arch=compute_90,code=sm_90 -x cu -c a.cu -o a.o\"}]",
		fixture->directory);
	const char *expected[] = {
		"-DA=1",      "-DB",       arena_printf(fixture->arena, "-I%s/inc", fixture->directory),
		"-I/abs",     "-isystem",  arena_printf(fixture->arena, "%s/sys", fixture->directory),
		"-std=c++14", "-std=c++17"};
	const char *const *flags;
	unsigned count;

	write_file(fixture, "compile_commands.json", json);
	flags = analysis_build_flags(fixture->arena, fixture->directory, path, &count, &fixture->diagnostics);
	assert_int_equal(count, ARRAY_COUNT(expected));
	for (unsigned i = 0; i < count; i++)
		assert_string_equal(flags[i], expected[i]);
	assert_int_equal(fixture->diagnostics.count, 0);
}

/* CMake keeps the folders of headers in files of arguments. */
static void compile_commands_files(void **state)
{
	struct fixture *fixture = *state;
	const char *path = write_file(fixture, "a.cu", simple);
	const char *json = arena_printf(
		fixture->arena,
		"[{\"directory\": \"%s\", \"file\": \"a.cu\", \"command\": \"nvcc -DA --options-file one.rsp "
		"--options-file=missing.rsp -x cu -c a.cu\"}]",
		fixture->directory);
	const char *expected[] = {"-DA",       arena_printf(fixture->arena, "-I%s/with space", fixture->directory),
	                          "-DQ=\"q\"", "-isystem",
	                          "/sys",      "-DLAST"};
	const char *const *flags;
	unsigned count;

	write_file(fixture, "one.rsp", "-I\"with space\" '-DQ=\"q\"'\n-isystem/sys -optf two.rsp\n");
	write_file(fixture, "two.rsp", "-DLAST -optf one.rs\\p --output-file x");
	write_file(fixture, "compile_commands.json", json);
	flags = analysis_build_flags(fixture->arena, fixture->directory, path, &count, &fixture->diagnostics);
	assert_true(count >= ARRAY_COUNT(expected));
	for (unsigned i = 0; i < ARRAY_COUNT(expected); i++)
		assert_string_equal(flags[i], expected[i]);
	assert_int_equal(fixture->diagnostics.count, 2);
	assert_int_equal(fixture->diagnostics.errors, 0);
}

/* A value that such a flag may not have is an error at its place, in the file that it stands in. */
static void compile_commands_refused(void **state)
{
	struct fixture *fixture = *state;
	const char *path = write_file(fixture, "a.cu", simple);
	const char *json =
		arena_printf(fixture->arena,
	                     "[{\"directory\": \"%s\", \"file\": \"a.cu\",\n \"command\": \"nvcc -DA=`x` -Xptxas "
	                     "\\\"-v;x\\\" -optf one.rsp -c a.cu\"}]",
	                     fixture->directory);
	unsigned count;

	write_file(fixture, "one.rsp", "-DB\n  -UA$(x)\n");
	write_file(fixture, "compile_commands.json", json);
	assert_null(analysis_build_flags(fixture->arena, fixture->directory, path, &count, &fixture->diagnostics));
	assert_int_equal(count, 0);
	assert_int_equal(fixture->diagnostics.errors, 2);
	assert_string_equal(fixture->diagnostics.list[0].message,
	                    "-Xptxas takes letters, digits, blanks and any of _+.:=,-, not '-v;x'");
	assert_int_equal(fixture->diagnostics.list[0].place.line, 2);
	assert_int_equal(fixture->diagnostics.list[0].place.column, 27);
	assert_string_equal(fixture->diagnostics.list[1].message,
	                    "-U takes a macro's name: letters, digits and '_', not 'A$(x)'");
	assert_int_equal(fixture->diagnostics.list[1].place.line, 2);
	assert_int_equal(fixture->diagnostics.list[1].place.column, 3);
}

static void compile_commands_missing(void **state)
{
	struct fixture *fixture = *state;
	unsigned count;

	assert_null(analysis_build_flags(fixture->arena, fixture->directory, "a.cu", &count, &fixture->diagnostics));
	assert_int_equal(fixture->diagnostics.errors, 1);
}

/* ---- suggestions ------------------------------------------------------------------------------------- */

static void suggestions(void **state)
{
	struct fixture *fixture = *state;
	struct analyzer_options options =
		options_for(fixture, write_file(fixture, "a.cu",
	                                        "__global__ void k(const float *x, const float *y, float *z, const int "
	                                        "*idx, float *w, int n) {\n"
	                                        "\tint i = blockIdx.x * blockDim.x + threadIdx.x;\n"
	                                        "\tz[i] = x[i] + y[threadIdx.x + blockDim.x * blockIdx.x];\n"
	                                        "\tw[2 * i] = idx[i * 2] + w[n];\n}\n"));
	struct group_suggestions found;
	struct analysis *analysis;

	need_toolkit(fixture);
	analysis = analyze(fixture, &options);
	assert_non_null(analysis);
	found = analysis_suggest_groups(fixture->arena, analysis, SUGGESTIONS_MOST);
	assert_int_equal(found.count, 1);
	assert_int_equal(found.list[0].member_count, 3);
	assert_string_equal(found.list[0].members[0].parameter->name, "x");
	assert_string_equal(found.list[0].members[2].parameter->name, "z");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(missing_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_kernel, set_up, tear_down),
		cmocka_unit_test_setup_teardown(error_in_a_kernel, set_up, tear_down),
		cmocka_unit_test_setup_teardown(error_in_a_record, set_up, tear_down),
		cmocka_unit_test_setup_teardown(error_in_host_code, set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_a_toolkit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(flags_reach_the_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(header_is_made_and_used, set_up, tear_down),
		cmocka_unit_test_setup_teardown(harmless_macros_share_a_header, set_up, tear_down),
		cmocka_unit_test_setup_teardown(header_that_is_junk, set_up, tear_down),
		cmocka_unit_test_setup_teardown(header_that_is_cut, set_up, tear_down),
		cmocka_unit_test_setup_teardown(header_that_is_empty, set_up, tear_down),
		cmocka_unit_test_setup_teardown(cache_that_cannot_be_written, set_up, tear_down),
		cmocka_unit_test_setup_teardown(time_limit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(libclang_gives_up, set_up, tear_down),
		cmocka_unit_test_setup_teardown(in_process_is_the_same, set_up, tear_down),
		cmocka_unit_test_setup_teardown(compile_commands, set_up, tear_down),
		cmocka_unit_test_setup_teardown(compile_commands_files, set_up, tear_down),
		cmocka_unit_test_setup_teardown(compile_commands_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(compile_commands_missing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(suggestions, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
