/*
 * The oracle: kernels' sources are compiled as C++ for the host and run thread by thread, writing down every address;
 * the analyzer's expressions, guards and loops, evaluated for the same threads, must give the same addresses. Inputs
 * are the golden tests' kernels and random ones.
 *
 * COALESCE_ORACLE_SEED and COALESCE_ORACLE_KERNELS choose other random kernels.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>

#include <cmocka.h>

#include "analyzer/analyzer.h"
#include "base/toolkit/toolkit.h"
#include "tests/host_oracle/generate.h"

#define ARRAYS 12
#define FILLED_WORDS 65536
#define ITERATIONS_MAX 100000

static const int64_t block_size[3] = {4, 2, 1}, grid_size[3] = {2, 2, 1};

/* ---- what memory holds: see trace_array() in trace.cpp ---------------------------- */

static int64_t memory_word(int64_t word)
{
	return word >= -FILLED_WORDS && word < FILLED_WORDS ? (7 * word + 3) & 15 : 0;
}

static int64_t memory_read(int64_t offset, unsigned size)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < size; i++) {
		int64_t at = offset + (int64_t)i, word = at >= 0 ? at / 4 : (at - 3) / 4;

		value |= (uint64_t)((uint64_t)memory_word(word) >> (8 * (at - 4 * word)) & 0xff) << (8 * i);
	}
	return (int64_t)value;
}

/* ---- evaluating the analysis ---------------------------------------------------------- */

/* One byte accessed: thread, parameter, kind and offset, in that order of significance. */
struct byte {
	uint32_t thread, parameter, kind;
	int64_t offset;
};

struct bytes {
	struct byte *list;
	size_t count, capacity;
};

struct simulation {
	const struct kernel *kernel;
	int64_t *values;
	unsigned thread;
	struct bytes bytes;
	bool is_incomplete[ARRAYS]; /* an access that is not known may touch it */
	unsigned long checked;      /* affine accesses evaluated */
};

static void bytes_push(struct bytes *bytes, struct byte byte)
{
	if (bytes->count == bytes->capacity) {
		bytes->capacity = bytes->capacity ? 2 * bytes->capacity : 1024;
		bytes->list = realloc(bytes->list, bytes->capacity * sizeof(*bytes->list));
		assert_non_null(bytes->list);
	}
	bytes->list[bytes->count++] = byte;
}

static bool is_changed(const struct kernel *kernel, const struct array *array)
{
	for (unsigned i = 0; i < kernel->access_count; i++)
		if (kernel->accesses[i]->kind != ACCESS_LOAD &&
		    (kernel->accesses[i]->array == array || !kernel->accesses[i]->array->parameter))
			if (kernel->accesses[i]->array == array)
				return true;
	return false;
}

static bool load_value(void *context, const struct access *access, const int64_t *values, int64_t *result);

/* The byte offset of an access in its array; false where it is not known. */
static bool access_offset(struct simulation *simulation, const struct access *access, const int64_t *values,
                          int64_t *offset)
{
	int64_t element, inner = 0;

	if (!expr_evaluate(access->element, values, load_value, simulation, &element))
		return false;
	if (access->inner && !expr_evaluate(access->inner, values, load_value, simulation, &inner))
		return false;
	*offset = element * (int64_t)access->array->element.size_bytes;
	if (access->leaf)
		*offset += (int64_t)access->leaf->offset_bytes + inner * (int64_t)access->leaf->stride_bytes;
	return true;
}

static bool load_value(void *context, const struct access *access, const int64_t *values, int64_t *result)
{
	struct simulation *simulation = context;
	int64_t offset;

	if (!access->array->parameter || !access->array->parameter->is_pointer ||
	    is_changed(simulation->kernel, access->array) || !access_offset(simulation, access, values, &offset))
		return false;
	*result = memory_read(offset, access->width_bytes);
	return true;
}

/* 1: all guards hold; 0: one does not; -1: not known. */
static int guards_hold(struct simulation *simulation, const struct guard *guard)
{
	int holds = 1;
	int64_t condition;

	for (; guard; guard = guard->parent) {
		if (!expr_evaluate(guard->condition, simulation->values, load_value, simulation, &condition))
			holds = -1;
		else if ((condition != 0) == guard->negated)
			return 0;
	}
	return holds;
}

static void leave_out(struct simulation *simulation, const struct access *access)
{
	if (access->array->space == ARRAY_UNKNOWN)
		for (unsigned i = 0; i < ARRAYS; i++)
			simulation->is_incomplete[i] = true;
	else if (access->array->parameter && access->array->parameter->is_pointer)
		simulation->is_incomplete[access->array->parameter->index] = true;
}

static void simulate_access(struct simulation *simulation, const struct access *access)
{
	int holds = guards_hold(simulation, access->guard);
	int64_t offset, element;

	if (holds == 0)
		return;
	if (holds < 0 || access->array->space == ARRAY_UNKNOWN ||
	    !access_offset(simulation, access, simulation->values, &offset)) {
		leave_out(simulation, access);
		return;
	}
	if (!access->affine.reason &&
	    expr_evaluate(access->element, simulation->values, load_value, simulation, &element)) {
		assert_int_equal(affine_evaluate(&access->affine, simulation->values), element);
		simulation->checked++;
	}
	if (!access->array->parameter || !access->array->parameter->is_pointer)
		return;
	for (unsigned i = 0; i < access->width_bytes; i++)
		bytes_push(&simulation->bytes, (struct byte){simulation->thread, access->array->parameter->index,
		                                             access->kind, offset + (int64_t)i});
}

/* The loop around an access that lies directly in the given one. */
static const struct loop *loop_below(const struct access *access, const struct loop *outer)
{
	const struct loop *loop = access->loop;

	while (loop && loop->parent != outer)
		loop = loop->parent;
	return loop;
}

static bool lies_in(const struct access *access, const struct loop *loop)
{
	for (const struct loop *around = access->loop; around; around = around->parent)
		if (around == loop)
			return true;
	return false;
}

static void simulate_range(struct simulation *simulation, const struct loop *outer, unsigned begin, unsigned end);

/* Whether iteration number k runs; 1 yes, 0 no, -1 not known. */
static int iteration_runs(struct simulation *simulation, const struct loop *loop, int64_t k)
{
	int64_t trips, holds;
	int64_t *iterator = &simulation->values[loop->iterator->index];
	bool known = expr_evaluate(loop->trips, simulation->values, load_value, simulation, &trips);

	*iterator = loop->kind == LOOP_DO ? k - 1 : k;
	if (loop->condition && expr_evaluate(loop->condition, simulation->values, load_value, simulation, &holds)) {
		holds = holds || (loop->kind == LOOP_DO && k == 0);
		if (known && !loop->ends_by_break)
			assert_int_equal(holds != 0, k < trips);
		*iterator = k;
		return holds != 0;
	}
	*iterator = k;
	return known ? k < trips : -1;
}

static void simulate_loop(struct simulation *simulation, const struct loop *loop, unsigned begin, unsigned end)
{
	int runs = -1;

	if (guards_hold(simulation, loop->guard) == 0)
		return;
	for (int64_t k = 0; !loop->may_leave_early && k < ITERATIONS_MAX; k++) {
		runs = iteration_runs(simulation, loop, k);
		if (runs != 1)
			break;
		simulate_range(simulation, loop, begin, end);
	}
	for (unsigned i = begin; runs == 0 && i < end; i++)
		if (simulation->kernel->accesses[i]->in_condition && simulation->kernel->accesses[i]->loop == loop)
			simulate_access(simulation, simulation->kernel->accesses[i]);
	simulation->values[loop->iterator->index] = 0;
	for (unsigned i = begin; runs != 0 && i < end; i++)
		leave_out(simulation, simulation->kernel->accesses[i]);
}

/* The accesses of a loop's subtree follow one another. */
static void simulate_range(struct simulation *simulation, const struct loop *outer, unsigned begin, unsigned end)
{
	struct access **accesses = simulation->kernel->accesses;

	for (unsigned i = begin; i < end;) {
		const struct loop *loop = loop_below(accesses[i], outer);
		unsigned next = i + 1;

		if (!loop) {
			simulate_access(simulation, accesses[i]);
		} else {
			while (next < end && lies_in(accesses[next], loop))
				next++;
			simulate_loop(simulation, loop, i, next);
		}
		i = next;
	}
}

/* Values of the built-in variables for a thread of the grid: see trace_next_thread(). */
static void set_thread(struct simulation *simulation, unsigned thread)
{
	int64_t per_block = block_size[0] * block_size[1] * block_size[2], t = thread % per_block,
		b = thread / per_block;

	for (unsigned i = 0; i < simulation->kernel->symbol_count; i++) {
		const struct symbol *symbol = simulation->kernel->symbols[i];
		int64_t *value = &simulation->values[i];

		switch (symbol->kind) {
		case SYMBOL_THREAD:
			*value = symbol->axis == 0   ? t % block_size[0]
			         : symbol->axis == 1 ? t / block_size[0] % block_size[1]
			                             : t / block_size[0] / block_size[1];
			break;
		case SYMBOL_BLOCK:
			*value = symbol->axis == 0   ? b % grid_size[0]
			         : symbol->axis == 1 ? b / grid_size[0] % grid_size[1]
			                             : b / grid_size[0] / grid_size[1];
			break;
		case SYMBOL_BLOCK_SIZE:
			*value = block_size[symbol->axis];
			break;
		case SYMBOL_GRID_SIZE:
			*value = grid_size[symbol->axis];
			break;
		case SYMBOL_PARAMETER:
			*value = 5 + (int64_t)symbol->parameter->index;
			break;
		default:
			*value = 0;
			break;
		}
	}
	simulation->thread = thread;
}

static struct simulation simulate(const struct kernel *kernel)
{
	struct simulation simulation = {.kernel = kernel};
	int64_t threads = block_size[0] * block_size[1] * block_size[2] * grid_size[0] * grid_size[1] * grid_size[2];

	simulation.values = calloc(kernel->symbol_count + 1, sizeof(*simulation.values));
	for (unsigned thread = 0; thread < threads; thread++) {
		set_thread(&simulation, thread);
		simulate_range(&simulation, NULL, 0, kernel->access_count);
	}
	free(simulation.values);
	return simulation;
}

/* ---- comparing ----------------------------------------------------------------------------- */

static int byte_compare(const void *left, const void *right)
{
	const struct byte *a = left, *b = right;

	if (a->parameter != b->parameter)
		return a->parameter < b->parameter ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static void sort_bytes(struct bytes *bytes)
{
	if (bytes->count)
		qsort(bytes->list, bytes->count, sizeof(*bytes->list), byte_compare);
}

static void describe(const char *what, const char *name, const struct byte *byte)
{
	print_error("%s: %s thread %u parameter %u kind %u byte %lld\n", name, what, byte->thread, byte->parameter,
	            byte->kind, (long long)byte->offset);
}

/*
 * Every byte that is predicted must be traced; and the other way round where all accesses to the array are known. The
 * same byte may be loaded more often: g++ evaluates the index in `a[c ? i : j] += 1` twice.
 */
static void compare(const char *name, struct simulation *simulation, struct bytes *traced)
{
	struct bytes *said = &simulation->bytes;
	size_t i = 0, j = 0, wrong = 0;

	sort_bytes(said);
	sort_bytes(traced);
	while ((i < said->count || j < traced->count) && wrong < 3) {
		int order = i == said->count     ? 1
		            : j == traced->count ? -1
		                                 : byte_compare(&said->list[i], &traced->list[j]);
		unsigned parameter = order <= 0 ? said->list[i].parameter : traced->list[j].parameter;
		bool again = j > 0 && j < traced->count && traced->list[j].kind == ACCESS_LOAD &&
		             byte_compare(&traced->list[j], &traced->list[j - 1]) == 0;

		if (order < 0) {
			describe("said, but not traced:", name, &said->list[i]);
			wrong++;
		} else if (order > 0 && !again && !simulation->is_incomplete[parameter]) {
			describe("traced, but not said:", name, &traced->list[j]);
			wrong++;
		}
		i += order <= 0;
		j += order >= 0;
	}
	assert_int_equal(wrong, 0);
}

/* ---- the host program ---------------------------------------------------------------------------- */

#define FILES_MAX 128
#define KERNELS_MAX 1024

struct oracle {
	struct arena *arena;
	struct toolkit toolkit;
	char *directory;
	const struct kernel *kernels[KERNELS_MAX];
	const char *names[KERNELS_MAX];
	struct bytes traced[KERNELS_MAX];
	unsigned count, files;
	struct text source, runs;
};

static int set_up(void **state)
{
	struct arena *arena = arena_create();
	struct oracle *oracle = arena_alloc(arena, sizeof(*oracle));

	oracle->arena = arena;
	oracle->toolkit = toolkit_find(arena);
	oracle->directory = directory_temporary(arena);
	*state = oracle;
	return oracle->directory ? 0 : -1;
}

static int tear_down(void **state)
{
	struct oracle *oracle = *state;

	for (unsigned i = 0; i < oracle->count; i++)
		free(oracle->traced[i].list);
	text_release(&oracle->source);
	text_release(&oracle->runs);
	directory_remove(oracle->directory);
	arena_release(oracle->arena);
	return 0;
}

static const char *path_in(struct oracle *oracle, const char *name)
{
	return arena_printf(oracle->arena, "%s/%s", oracle->directory, name);
}

static struct analysis *analyze(struct oracle *oracle, const char *path)
{
	struct diagnostics diagnostics;
	struct analyzer_options options = {.path = path,
	                                   .cuda_root = oracle->toolkit.root,
	                                   .cuda_cccl = oracle->toolkit.cccl,
	                                   .architecture = "sm_90",
	                                   .use_cache = true,
	                                   .in_process = true};
	struct analysis *analysis;

	diagnostics_init(&diagnostics, oracle->arena);
	analysis = analyze_file(oracle->arena, &options, &diagnostics);
	if (!analysis)
		diagnostics_print(&diagnostics, 0, SEVERITY_ERROR, stderr);
	assert_non_null(analysis);
	return analysis;
}

/* Kernels that follow pointers read from memory cannot run: there are none in it. */
static bool follows_pointers(const struct kernel *kernel)
{
	for (unsigned i = 0; i < kernel->array_count; i++)
		if (kernel->arrays[i]->space == ARRAY_UNKNOWN)
			return true;
	return false;
}

/* Adds a file's kernels to the program, in a namespace of their own. */
static void add_file(struct oracle *oracle, const char *path, const char *name)
{
	struct analysis *analysis = analyze(oracle, path);
	char *absolute = realpath(path, NULL);

	text_printf(&oracle->source, "namespace file%u {\n#include \"%s\"\n}\n", oracle->files, absolute);
	free(absolute);
	for (unsigned i = 0; i < analysis->kernel_count; i++) {
		assert_true(oracle->count < KERNELS_MAX);
		if (follows_pointers(analysis->kernels[i]))
			continue;
		oracle->kernels[oracle->count] = analysis->kernels[i];
		oracle->names[oracle->count] = arena_printf(oracle->arena, "%s %s", name, analysis->kernels[i]->name);
		text_printf(&oracle->runs, "\trun(%u, file%u::%s);\n", oracle->count, oracle->files,
		            analysis->kernels[i]->name);
		oracle->count++;
	}
	oracle->files++;
}

static void run_command(struct oracle *oracle, const char *const argv[], struct process_result *result)
{
	*result = process_run(oracle->arena, argv, oracle->directory, 60);
	if (result->status != 0)
		fail_msg("%s: status %d\n%.4000s", argv[0], result->status, result->err ? result->err : "");
}

/* The records of trace.cpp. */
struct trace_record {
	uint32_t kernel, thread, parameter, kind, size, unused;
	int64_t offset;
};

static void read_trace(struct oracle *oracle, const char *data, size_t length)
{
	struct trace_record record;

	assert_int_equal(length % sizeof(record), 0);
	for (size_t at = 0; at < length; at += sizeof(record)) {
		memcpy(&record, data + at, sizeof(record));
		assert_true(record.kernel < oracle->count);
		for (unsigned i = 0; i < record.size; i++)
			bytes_push(&oracle->traced[record.kernel],
			           (struct byte){record.thread, record.parameter, record.kind,
			                         record.offset + (int64_t)i});
	}
}

static void build_and_run(struct oracle *oracle)
{
	char *include = realpath("tests/host_oracle", NULL);
	const char *flag = arena_printf(oracle->arena, "-I%s", include),
		   *trace = arena_printf(oracle->arena, "%s/trace.cpp", include);
	const char *const compile[] = {"g++",         "-std=c++17", "-O0",       "-w", "-fsanitize=thread", flag, "-c",
	                               "kernels.cpp", "-o",         "kernels.o", NULL};
	const char *const compile_trace[] = {"g++", "-std=c++17", "-O1", "-w",      flag,
	                                     "-c",  trace,        "-o",  "trace.o", NULL};
	const char *const link[] = {"g++", "kernels.o", "trace.o", "-o", "program", NULL};
	const char *const program[] = {path_in(oracle, "program"), "trace", NULL};
	struct process_result result;
	size_t length;
	const char *trace_data;
	struct text text = {0};

	text_printf(&text, "#include \"standin.h\"\n%svoid run_kernels()\n{\n%s}\n", oracle->source.data,
	            oracle->runs.data);
	assert_int_equal(file_write(path_in(oracle, "kernels.cpp"), text.data, text.length), 0);
	text_release(&text);
	free(include);
	run_command(oracle, compile, &result);
	run_command(oracle, compile_trace, &result);
	run_command(oracle, link, &result);
	run_command(oracle, program, &result);
	trace_data = file_read(oracle->arena, path_in(oracle, "trace"), &length);
	assert_non_null(trace_data);
	read_trace(oracle, trace_data, length);
}

/* What was compared: affine accesses evaluated; arrays of kernels, and those of them of which every access is known. */
struct extent {
	unsigned long affine, arrays, whole;
};

static struct extent compare_all(struct oracle *oracle)
{
	struct extent extent = {0, 0, 0};

	build_and_run(oracle);
	for (unsigned i = 0; i < oracle->count; i++) {
		struct simulation simulation = simulate(oracle->kernels[i]);

		compare(oracle->names[i], &simulation, &oracle->traced[i]);
		extent.affine += simulation.checked;
		for (unsigned j = 0; j < oracle->kernels[i]->parameter_count; j++) {
			extent.arrays += oracle->kernels[i]->parameters[j].is_pointer;
			extent.whole += oracle->kernels[i]->parameters[j].is_pointer && !simulation.is_incomplete[j];
		}
		free(simulation.bytes.list);
	}
	return extent;
}

static void need_compilers(struct oracle *oracle)
{
	if (!oracle->toolkit.root || !program_find(oracle->arena, "g++"))
		skip();
}

/* ---- the tests --------------------------------------------------------------------------------------- */

/* Words of inputs that cannot be compiled as plain C++ by the stand-ins, or whose kernels have no name of their own. */
static bool can_run(const char *text)
{
	static const char *const words[] = {"<<<",
	                                    "#include",
	                                    "asm(",
	                                    "texture",
	                                    "Texture",
	                                    "template",
	                                    "__shfl",
	                                    "extern __shared__",
	                                    "verloaded",
	                                    "__constant__",
	                                    "elsewhere(",
	                                    "passed by value",
	                                    "__ballot",
	                                    "goto",
	                                    "depends on data",
	                                    "bit-fields"};

	for (unsigned i = 0; i < ARRAY_COUNT(words); i++)
		if (strstr(text, words[i]))
			return false;
	return true;
}

static int name_compare(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static void golden_kernels(void **state)
{
	struct oracle *oracle = *state;
	static const char folder[] = "tests/golden/kernel";
	DIR *directory = opendir(folder);
	const struct dirent *entry;
	const char **names = NULL;
	unsigned count = 0;
	struct extent extent;

	need_compilers(oracle);
	assert_non_null(directory);
	while ((entry = readdir(directory)) != NULL)
		if (strstr(entry->d_name, ".cu"))
			ARENA_PUSH(oracle->arena, names, count, arena_strdup(oracle->arena, entry->d_name));
	closedir(directory);
	qsort(names, count, sizeof(*names), name_compare);
	for (unsigned i = 0; i < count; i++) {
		const char *path = arena_printf(oracle->arena, "%s/%s", folder, names[i]);
		const char *text = file_read(oracle->arena, path, NULL);

		assert_non_null(text);
		if (can_run(text))
			add_file(oracle, path, names[i]);
	}
	assert_true(oracle->files >= 50);
	extent = compare_all(oracle);
	assert_true(extent.affine > 1000);
	assert_true(100 * extent.whole > 85 * extent.arrays);
}

static unsigned long number_from(const char *variable, unsigned long otherwise)
{
	const char *text = getenv(variable);

	return text ? strtoul(text, NULL, 10) : otherwise;
}

static void random_kernels(void **state)
{
	struct oracle *oracle = *state;
	struct text text = {0};
	const char *path = path_in(oracle, "random.cu");
	struct extent extent;

	need_compilers(oracle);
	generate_file(&text, number_from("COALESCE_ORACLE_SEED", 1),
	              (unsigned)number_from("COALESCE_ORACLE_KERNELS", 100));
	assert_int_equal(file_write(path, text.data, text.length), 0);
	text_release(&text);
	add_file(oracle, path, "random");
	extent = compare_all(oracle);
	assert_true(extent.affine > 10000);
	assert_true(100 * extent.whole > 85 * extent.arrays);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(golden_kernels, set_up, tear_down),
		cmocka_unit_test_setup_teardown(random_kernels, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
