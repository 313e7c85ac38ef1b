/*
 * The two roads to code: programs beside each other, what NVRTC is not asked for, and what it does not take.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "model/compile/compile.h"

static const char *const texts[] = {
	"namespace coalesce_0 { __global__ void scale(float *a) { a[threadIdx.x] *= 2; } }\n",
	"namespace coalesce_1 { template <typename T> __global__ void scale(T *a) { a[2 * threadIdx.x] *= 2; } }\n"};
static const char *const instances[] = {"coalesce_0::scale", "coalesce_1::scale<double>"};

struct compiler {
	struct arena *arena;
	struct toolkit toolkit;
	struct diagnostics diagnostics;
	struct compile_request request;
};

static int setup(void **state)
{
	struct arena *arena = arena_create();
	struct compiler *compiler = arena_alloc(arena, sizeof *compiler);

	compiler->arena = arena;
	compiler->toolkit = toolkit_find(arena);
	diagnostics_init(&compiler->diagnostics, arena);
	compiler->request = (struct compile_request){.toolkit = &compiler->toolkit,
	                                             .target = "sm_90",
	                                             .source_path = "tests/unit/test_model_compile.c",
	                                             .machine_code = true};
	*state = compiler;
	return 0;
}

static int teardown(void **state)
{
	struct compiler *compiler = *state;

	arena_release(compiler->arena);
	return 0;
}

/* Opens NVRTC; the test is skipped where there is none. */
static void nvrtc_require(struct compiler *compiler, bool ahead)
{
	const char *reason;

	if (compiler->toolkit.reason || !nvrtc_open(compiler->arena, &compiler->toolkit, &reason))
		skip();
	compiler->request.warming = nvrtc_warm_begin(compiler->arena, &compiler->toolkit, "sm_90", ahead);
}

static void functions_equal(const struct ptx_module *a, const struct ptx_module *b)
{
	assert_non_null(a);
	assert_non_null(b);
	assert_int_equal(a->function_count, b->function_count);
	for (size_t f = 0; f < a->function_count; f++) {
		assert_string_equal(a->functions[f].name, b->functions[f].name);
		assert_int_equal(a->functions[f].insn_count, b->functions[f].insn_count);
		for (size_t i = 0; i < a->functions[f].insn_count; i++)
			assert_string_equal(a->functions[f].insns[i].spelling, b->functions[f].insns[i].spelling);
	}
}

/* Two programs at once give what each gives alone. */
static void programs_beside_each_other(void **state)
{
	struct compiler *compiler = *state;
	struct compile_program programs[] = {{texts[0], &instances[0], 1}, {texts[1], &instances[1], 1}};
	struct tool_time time = {{0, 0}, 0};
	struct compilation **both;
	const char *refusal = NULL;

	nvrtc_require(compiler, true);
	both = compile_programs(compiler->arena, &compiler->request, programs, 2, 2, &refusal, &time,
	                        &compiler->diagnostics);
	assert_null(refusal);
	assert_non_null(both);
	assert_true(time.spent.processor > 0 && time.elsewhere > 0);
	for (unsigned p = 0; p < 2; p++) {
		struct compile_request request = compiler->request;
		struct compilation *alone;

		request.text = texts[p];
		request.instances = &instances[p];
		request.instance_count = 1;
		alone = compile_text(compiler->arena, &request, &compiler->diagnostics);
		assert_non_null(alone);
		assert_string_equal(alone->compiler, "nvrtc");
		functions_equal(both[p]->module, alone->module);
		functions_equal(both[p]->machine_code, alone->machine_code);
		assert_int_equal(both[p]->resources[0].registers, alone->resources[0].registers);
	}
	assert_int_equal(compiler->diagnostics.count, 0);
}

/* One program that NVRTC does not take leaves all to nvcc, with the reason. */
static void one_program_refused(void **state)
{
	struct compiler *compiler = *state;
	struct compile_program programs[] = {{texts[0], &instances[0], 1},
	                                     {"#include <cooperative_groups.h>\n", NULL, 0}};
	struct tool_time time = {{0, 0}, 0};
	const char *refusal = NULL;

	nvrtc_require(compiler, false);
	assert_null(compile_programs(compiler->arena, &compiler->request, programs, 2, 2, &refusal, &time,
	                             &compiler->diagnostics));
	assert_non_null(strstr(refusal, "cooperative_groups"));
	programs[1].text = "__global__ void k(int *a) { __shared__ int s[32]; s[threadIdx.x] = 1; a[0] = s[1]; }";
	assert_null(compile_programs(compiler->arena, &compiler->request, programs, 2, 2, &refusal, &time,
	                             &compiler->diagnostics));
	assert_non_null(strstr(refusal, "shared memory"));
	assert_int_equal(compiler->diagnostics.count, 0);
}

/* Headers of the host are no hindrance; a table of kernels is, since the device's code would take their addresses. */
static void a_table_of_kernels_is_nvccs(void **state)
{
	struct compiler *compiler = *state;
	const char *kernel =
		"#include <functional>\n#include <utility>\n__global__ void k(int *a) { a[threadIdx.x] = 1; }\n";
	struct compilation *plain, *kept;

	nvrtc_require(compiler, false);
	compiler->request.text = kernel;
	plain = compile_text(compiler->arena, &compiler->request, &compiler->diagnostics);
	compiler->request.text =
		arena_printf(compiler->arena, "%sstatic void (*table[])(int *) = {k};\nvoid *used = table;\n", kernel);
	kept = compile_text(compiler->arena, &compiler->request, &compiler->diagnostics);
	assert_non_null(plain);
	assert_non_null(kept);
	assert_string_equal(plain->compiler, "nvrtc");
	assert_string_equal(kept->compiler, "nvcc");
	assert_non_null(strstr(kept->refusal, "table"));
	assert_int_equal(compile_resources(kept, "_Z1kPi")->registers, compile_resources(plain, "_Z1kPi")->registers);
}

/* What is wrong is the user's to read: nvcc says it. */
static void an_error_is_nvccs(void **state)
{
	struct compiler *compiler = *state;

	nvrtc_require(compiler, false);
	compiler->request.text = "__global__ void k(int *a) { a[0] = nothing; }";
	assert_null(compile_text(compiler->arena, &compiler->request, &compiler->diagnostics));
	assert_true(compiler->diagnostics.errors > 0);
	assert_non_null(strstr(compiler->diagnostics.list[0].message, "nothing"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(programs_beside_each_other, setup, teardown),
		cmocka_unit_test_setup_teardown(one_program_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(a_table_of_kernels_is_nvccs, setup, teardown),
		cmocka_unit_test_setup_teardown(an_error_is_nvccs, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
