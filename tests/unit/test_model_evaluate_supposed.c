/* Content that nobody declares: a histogram of what an array of real numbers holds, evaluated with and without what
 * they are supposed to be. */
#include "model/execute/execute.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define BLOCKS 64
#define THREADS 256

/* Bin 100 * x of each x below 1.25 is counted. */
static const char *const histogram =
	".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry count(.param .u64 x, .param .u64 bins) {\n"
	".reg .b32 %r<9>;\n.reg .f32 %f<4>;\n.reg .b64 %rd<9>;\n.reg .pred %p<2>;\n"
	"ld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [bins];\n"
	"mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\nmad.lo.s32 %r4, %r1, %r2, %r3;\n"
	"mul.wide.s32 %rd3, %r4, 4;\nadd.s64 %rd4, %rd1, %rd3;\nld.global.f32 %f1, [%rd4];\n"
	"setp.ge.f32 %p1, %f1, 0f3FA00000;\n@%p1 bra done;\n"
	"mul.f32 %f2, %f1, 0f42C80000;\ncvt.rzi.s32.f32 %r5, %f2;\nmul.wide.s32 %rd5, %r5, 4;\nadd.s64 %rd6, %rd2, "
	"%rd5;\n"
	"red.global.add.u32 [%rd6], 1;\ndone:\nret;\n}\n";

static void test_values(void **state)
{
	struct content single = {.kind = CONTENT_REAL, .element_bytes = 4},
		       wide = {.kind = CONTENT_REAL, .element_bytes = 8};
	double sum = 0;

	(void)state;
	for (int64_t i = 0; i < 10000; i++) {
		int64_t low, bits;
		float number;
		double exact;

		assert_true(content_value(&single, i, &low) && content_value(&wide, i, &bits));
		memcpy(&number, &low, sizeof(number));
		memcpy(&exact, &bits, sizeof(exact));
		assert_true(number >= 0.5F && number <= 1.5F && exact >= 0.5 && exact < 1.5);
		assert_true(fabs((double)number - exact) < 1e-7);
		sum += exact;
	}
	assert_true(sum > 9900 && sum < 10100);
	single.element_bytes = 2;
	assert_false(content_value(&single, 0, &(int64_t){0}));
}

/* A launch of kernel count on two buffers. */
static struct evaluate_input launch_of(struct arena *arena, const char *text, const struct memory_buffer buffers[2])
{
	static const struct argument arguments[] = {{.kind = ARGUMENT_POINTER},
	                                            {.kind = ARGUMENT_POINTER, .buffer = 1}};
	struct diagnostics diagnostics;
	struct evaluate_input input = {.grid = {BLOCKS, 1, 1},
	                               .block = {THREADS, 1, 1},
	                               .arguments = arguments,
	                               .buffers = buffers,
	                               .buffer_count = 2,
	                               .branch_probability = EXEC_BRANCH_PROBABILITY};
	diagnostics_init(&diagnostics, arena);
	input.module = ptx_parse(arena, "trial", text, strlen(text), &diagnostics);
	input.function = ptx_module_find(input.module, "count");
	ptx_function_analyse(arena, ptx_module_find(input.module, "count"));
	return input;
}

static const struct insn_totals *atomic_of(const struct ptx_function *function, const struct evaluation *evaluation)
{
	for (uint32_t i = 0; i < function->insn_count; i++)
		if (function->insns[i].operation == OP_red)
			return &evaluation->insns[i];
	return NULL;
}

static void test_followed(void **state)
{
	struct arena *arena = arena_create();
	struct memory_buffer buffers[] = {
		{.name = "x",
	         .bytes = 4 * BLOCKS * THREADS,
	         .content = {.kind = CONTENT_REAL, .supposed = true, .element_bytes = 4, .stride_bytes = 4}},
		{.name = "bins", .bytes = 4 * 200}};
	struct evaluate_input input = launch_of(arena, histogram, buffers);
	const struct evaluation *unknown, *supposed;
	const struct insn_totals *atomic;

	(void)state;
	unknown = exec_evaluate(arena, &input);
	assert_int_equal(exec_doubts(&input, unknown), 2);
	assert_true(atomic_of(input.function, unknown)->known == 0);
	input.supposes = true;
	supposed = exec_evaluate(arena, &input);
	assert_int_equal(exec_doubts(&input, supposed), 0);
	atomic = atomic_of(input.function, supposed);
	assert_true(atomic->known == 1);
	assert_true(atomic->lanes > 0.72 * BLOCKS * THREADS && atomic->lanes < 0.78 * BLOCKS * THREADS);
	assert_true(atomic->addresses / atomic->executions > 15 && atomic->addresses / atomic->executions < 24);
	assert_non_null(strstr(supposed->assumptions[0].text, "numbers loaded from x decide"));
	arena_release(arena);
}

/* Of x only the low byte is loaded, as compilers narrow x & 255, and says which word of the table is counted. */
static const char *const narrowed =
	".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry count(.param .u64 x, .param .u64 table) {\n"
	".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
	"ld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [table];\n"
	"mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\nmad.lo.s32 %r4, %r1, %r2, %r3;\n"
	"mul.wide.s32 %rd3, %r4, 4;\nadd.s64 %rd4, %rd1, %rd3;\nld.global.u8 %r5, [%rd4];\n"
	"mul.wide.u32 %rd5, %r5, 4;\nadd.s64 %rd6, %rd2, %rd5;\nred.global.add.u32 [%rd6], 1;\nret;\n}\n";

/* Content counts as far as it is loaded; where nothing is declared, the address still says which buffer it leads to. */
static void test_narrowed(void **state)
{
	struct arena *arena = arena_create();
	struct memory_buffer buffers[] = {{.name = "x",
	                                   .bytes = 4 * BLOCKS * THREADS,
	                                   .content = {.kind = CONTENT_SEQUENCE, .step = 256, .element_bytes = 4}},
	                                  {.name = "table", .bytes = 4 * 1024}};
	struct evaluate_input input = launch_of(arena, narrowed, buffers);
	const struct insn_totals *atomic;

	(void)state;
	atomic = atomic_of(input.function, exec_evaluate(arena, &input));
	assert_true(atomic->known == 1 && atomic->buffer == 1);
	assert_true(atomic->addresses == atomic->executions); /* 256 i, of which the low byte is 0 */
	buffers[0].content.step = 257;
	atomic = atomic_of(input.function, exec_evaluate(arena, &input));
	assert_true(atomic->addresses == atomic->executions * 32);
	buffers[0].content = (struct content){0};
	atomic = atomic_of(input.function, exec_evaluate(arena, &input));
	assert_true(atomic->known == 0 && atomic->buffer == 1);
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_followed),
	                                   cmocka_unit_test(test_narrowed)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
