/* Launches that execute the same code on the same arguments, and those that do nearly. */
#include "model/code/code.h"
#include "ptxparse/sass/sass.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define BODY(name, offset)                                                                                             \
	".visible .entry " name "(.param .u64 " name "_param_0, .param .u32 " name                                     \
	"_param_1) {\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"                                                           \
	"ld.param.u64 %rd1, [" name "_param_0]; ld.param.u32 %r1, [" name "_param_1];\n"                               \
	"ld.global.u32 %r2, [%rd1+" offset "]; add.s32 %r3, %r2, %r1; st.global.u32 [%rd1], %r3;\nret;\n}\n"

static const char source[] =
	".version 8.0\n.target sm_90\n.address_size 64\n" BODY("first", "8") BODY("second", "8") BODY("third", "12");

/* One kernel of the source, launched. */
struct trial {
	struct kernel kernel;
	struct launch_case launch;
	struct memory_buffer buffers[1];
	struct argument arguments[2];
	struct evaluate_input input;
	struct launch_view view;
};

static void trial_make(struct trial *trial, struct arena *arena, struct ptx_module *module, const char *name)
{
	struct ptx_function *function = ptx_module_find(module, name);
	struct sass_code *code = arena_alloc(arena, sizeof *code);

	memset(trial, 0, sizeof *trial);
	ptx_function_analyse(arena, function);
	code->control = arena_array(arena, function->insn_count, sizeof *code->control);
	function->sass = code;
	trial->launch.kernel = &trial->kernel;
	trial->buffers[0].bytes = 4096;
	trial->arguments[0].kind = ARGUMENT_POINTER;
	trial->arguments[1] = (struct argument){.kind = ARGUMENT_VALUE, .value = 5};
	trial->input = (struct evaluate_input){.module = module,
	                                       .function = function,
	                                       .grid = {4, 1, 1},
	                                       .block = {64, 1, 1},
	                                       .arguments = trial->arguments,
	                                       .buffers = trial->buffers,
	                                       .buffer_count = 1};
	trial->view.launch = &trial->launch;
	trial->view.machine_code = (struct code_view){.module = module, .function = function, .input = &trial->input};
}

static void trials_make(struct arena **arena, struct trial *a, struct trial *b, const char *name)
{
	struct diagnostics diagnostics;
	struct ptx_module *module;

	*arena = arena_create();
	diagnostics_init(&diagnostics, *arena);
	module = ptx_parse(*arena, "same", source, strlen(source), &diagnostics);
	assert_non_null(module);
	trial_make(a, *arena, module, "first");
	trial_make(b, *arena, module, name);
}

static void test_names(void **state)
{
	struct arena *arena;
	struct trial a, b;

	(void)state;
	trials_make(&arena, &a, &b, "second");
	assert_true(code_same(&a.view, &a.view));
	assert_true(code_same(&a.view, &b.view));
	assert_true(code_hash(&a.view.machine_code) == code_hash(&b.view.machine_code));
	arena_release(arena);
}

static void test_code(void **state)
{
	struct arena *arena;
	struct trial a, b;

	(void)state;
	trials_make(&arena, &a, &b, "third");
	assert_false(code_same(&a.view, &b.view));
	assert_true(code_hash(&a.view.machine_code) != code_hash(&b.view.machine_code));
	arena_release(arena);
}

static void test_scheduling(void **state)
{
	struct arena *arena;
	struct trial a, b;

	(void)state;
	trials_make(&arena, &a, &b, "second");
	((struct sass_control *)b.view.machine_code.function->sass->control)[2].stall = 9;
	assert_false(code_same(&a.view, &b.view));
	arena_release(arena);
}

static void test_launch(void **state)
{
	const struct kernel_resources resources = {.registers = 40};
	struct arena *arena;
	struct trial a, b;

	(void)state;
	trials_make(&arena, &a, &b, "second");
	b.arguments[1].value = 6;
	assert_false(code_same(&a.view, &b.view));
	b.arguments[1].value = 5;
	b.buffers[0].bytes = 8192;
	assert_false(code_same(&a.view, &b.view));
	b.buffers[0].bytes = 4096;
	b.buffers[0].content.kind = CONTENT_SEQUENCE;
	assert_false(code_same(&a.view, &b.view));
	b.buffers[0].content.kind = CONTENT_UNKNOWN;
	b.input.grid[0] = 8;
	assert_false(code_same(&a.view, &b.view));
	b.input.grid[0] = 4;
	b.kernel.shared_bytes = 1024;
	assert_false(code_same(&a.view, &b.view));
	b.kernel.shared_bytes = 0;
	b.view.resources = &resources;
	assert_false(code_same(&a.view, &b.view));
	b.view.resources = NULL;
	assert_true(code_same(&a.view, &b.view));
	b.view.machine_code.input = NULL;
	assert_false(code_same(&a.view, &b.view));
	arena_release(arena);
}

/* What an evaluation holds for: the same body on the same input, whatever is scheduled; with the names that its
 * assumptions have, where it is known. */
static void test_evaluation(void **state)
{
	struct evaluation evaluation = {.assumption_count = 0};
	struct arena *arena;
	struct trial a, b;

	(void)state;
	trials_make(&arena, &a, &b, "second");
	assert_true(code_evaluates_same(&a.view.machine_code, &b.view.machine_code));
	a.view.machine_code.evaluation = &evaluation;
	assert_true(code_evaluates_same(&a.view.machine_code, &b.view.machine_code));
	((struct sass_control *)b.view.machine_code.function->sass->control)[2].stall = 9;
	assert_true(code_hash(&a.view.machine_code) == code_hash(&b.view.machine_code));
	assert_true(code_evaluates_same(&a.view.machine_code, &b.view.machine_code));
	b.buffers[0].name = "p";
	assert_false(code_evaluates_same(&a.view.machine_code, &b.view.machine_code));
	a.buffers[0].name = "q";
	assert_false(code_evaluates_same(&a.view.machine_code, &b.view.machine_code));
	a.buffers[0].name = "p";
	assert_true(code_evaluates_same(&a.view.machine_code, &b.view.machine_code));
	b.arguments[1].value = 6;
	assert_false(code_evaluates_same(&a.view.machine_code, &b.view.machine_code));
	b.arguments[1].value = 5;
	((struct ptx_function *)b.view.machine_code.function)->sass = NULL;
	assert_false(code_evaluates_same(&a.view.machine_code, &b.view.machine_code));
	((struct ptx_function *)a.view.machine_code.function)->sass = NULL;
	assert_true(code_evaluates_same(&a.view.machine_code, &b.view.machine_code));
	arena_release(arena);
	trials_make(&arena, &a, &b, "third");
	a.view.machine_code.evaluation = &evaluation;
	assert_false(code_evaluates_same(&a.view.machine_code, &b.view.machine_code));
	arena_release(arena);
}

/* An assumption that names a variable of the function is that function's alone. */
static void test_local_names(void **state)
{
	struct assumption assumption = {.text = "taken to be anywhere in tile, for each lane"};
	struct evaluation evaluation = {.assumptions = &assumption, .assumption_count = 1};
	struct ptx_variable one = {.name = "tile", .count = 8}, other = {.name = "other", .count = 8};
	struct arena *arena;
	struct trial a, b;

	(void)state;
	trials_make(&arena, &a, &b, "second");
	a.view.machine_code.evaluation = &evaluation;
	((struct ptx_function *)a.view.machine_code.function)->locals = &one;
	((struct ptx_function *)b.view.machine_code.function)->locals = &other;
	((struct ptx_function *)a.view.machine_code.function)->local_count = 1;
	((struct ptx_function *)b.view.machine_code.function)->local_count = 1;
	assert_false(code_evaluates_same(&a.view.machine_code, &b.view.machine_code));
	assert_true(code_evaluates_same(&a.view.machine_code, &a.view.machine_code));
	assumption.text = "taken to be anywhere, for each lane";
	assert_true(code_evaluates_same(&a.view.machine_code, &b.view.machine_code));
	arena_release(arena);
}

/* Programs compiled apart have modules of their own, whose variables have nothing to do with each other. */
static void test_modules(void **state)
{
	static const char with_table[] =
		".version 8.0\n.target sm_90\n.address_size 64\n.global .align 4 .b8 table[16];\n"
		".visible .entry first() {\n.reg .b32 %r<9>;\nld.global.u32 %r2, [table+4];\nret;\n}\n";
	const char *const sources[] = {source, with_table};
	struct evaluation evaluation = {.assumption_count = 0};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct arena *arena = arena_create();
		struct ptx_module *modules[2];
		struct diagnostics diagnostics;
		struct trial a, b, same;

		diagnostics_init(&diagnostics, arena);
		for (unsigned m = 0; m < 2; m++)
			modules[m] = ptx_parse(arena, "same", sources[i], strlen(sources[i]), &diagnostics);
		assert_int_equal(diagnostics.errors, 0);
		trial_make(&a, arena, modules[0], "first");
		trial_make(&b, arena, modules[1], "first");
		trial_make(&same, arena, modules[0], "first");
		a.view.machine_code.evaluation = &evaluation;
		assert_true(code_evaluates_same(&a.view.machine_code, &same.view.machine_code));
		assert_int_equal(code_evaluates_same(&a.view.machine_code, &b.view.machine_code), i == 0);
		assert_int_equal(code_same(&a.view, &b.view), i == 0);
		arena_release(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),   cmocka_unit_test(test_code),       cmocka_unit_test(test_scheduling),
		cmocka_unit_test(test_launch),  cmocka_unit_test(test_evaluation), cmocka_unit_test(test_local_names),
		cmocka_unit_test(test_modules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
