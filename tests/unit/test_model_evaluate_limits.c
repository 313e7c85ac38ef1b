/*
 * Kernels made to be hard: many labels, deep nests, endless loops, recursion, huge tables, straight lines without end.
 * The evaluation ends, within its steps, with counts that are numbers.
 */
#include "model/execute/execute.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define HEAD ".version 9.0\n.target sm_90\n.address_size 64\n"
#define REGISTERS ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<9>;\n"
#define MOST_STEPS 1000000
#define WARPS 40 /* run at least once to the end of a straight line */

static struct text input;

static int begin(void **state)
{
	(void)state;
	text_puts(&input, HEAD);
	return 0;
}

static int end(void **state)
{
	(void)state;
	text_release(&input);
	memset(&input, 0, sizeof(input));
	return 0;
}

/* Evaluates kernel k(p: buffer of indices, n: number), and checks what must hold of any evaluation. Returns its
 * instructions. */
static double outcome(uint32_t blocks)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	const struct memory_buffer buffer = {
		.name = "p", .bytes = 4096, .content = {.kind = CONTENT_UNIFORM, .high = 1000, .element_bytes = 4}};
	const struct argument arguments[] = {{.kind = ARGUMENT_POINTER}, {.kind = ARGUMENT_VALUE, .value = 1000000}};
	struct evaluate_input launch = {.grid = {blocks, 1, 1},
	                                .block = {128, 1, 1},
	                                .arguments = arguments,
	                                .buffers = &buffer,
	                                .buffer_count = 1,
	                                .branch_probability = 0.5};
	struct ptx_function *function;
	const struct evaluation *evaluation;
	double instructions;

	diagnostics_init(&diagnostics, arena);
	launch.module = ptx_parse(arena, "hard.ptx", input.data, input.length, &diagnostics);
	if (!launch.module)
		fail_msg("%s", diagnostics.list[0].message);
	for (size_t i = 0; i < launch.module->function_count; i++)
		if (launch.module->functions[i].has_body)
			ptx_function_analyse(arena, &launch.module->functions[i]);
	launch.function = function = ptx_module_find(launch.module, "k");
	assert_non_null(function);
	evaluation = exec_evaluate(arena, &launch);
	instructions = evaluation->warp_instructions;
	assert_true(evaluation->steps <= MOST_STEPS + WARPS * function->insn_count);
	assert_true(instructions > 0 && !isinf(instructions));
	for (size_t i = 0; i < function->insn_count; i++)
		assert_true(evaluation->insns[i].executions >= -0.5 && evaluation->insns[i].sectors >= -0.5);
	arena_release(arena);
	return instructions;
}

static void kernel_begin(void)
{
	text_puts(&input,
	          ".entry k(.param .u64 p, .param .u32 n) {\n" REGISTERS
	          "ld.param.u64 %d1, [p]; ld.param.u32 %r2, [n]; mov.u32 %r3, %tid.x; mul.wide.u32 %d2, %r3, 4;\n"
	          "add.s64 %d3, %d1, %d2; ld.global.u32 %r4, [%d3];\n");
}

/* Instructions of a kernel whose threads go on where a quarter of their number, by way of a product in a register, is
 * small. */
static double quarter_of(const char *product)
{
	end(NULL);
	begin(NULL);
	kernel_begin();
	text_printf(&input, "mul.hi.u32 %s, %%r3, 0x80000001; shr.u32 %%r6, %s, 1; setp.ge.u32 %%p1, %%r6, 10;\n",
	            product, product);
	text_puts(&input, "@%p1 bra L; st.global.u32 [%d3], %r4;\nL: ret; }\n");
	return outcome(1);
}

/* Warps 0 and 1 of 4 hold numbers below 40. */
static void number_replaced_by_its_product(void **state)
{
	(void)state;
	double apart = quarter_of("%r5"), in_place = quarter_of("%r3");
	assert_true(apart == in_place);
}

static void many_labels(void **state)
{
	(void)state;
	kernel_begin();
	for (unsigned i = 0; i < 100000; i++)
		text_printf(&input, "setp.lt.s32 %%p1, %%r3, %u; @%%p1 bra L%u; add.s32 %%r3, %%r3, 1;\nL%u:\n",
		            i % 200, i, i);
	text_puts(&input, "st.global.u32 [%d3], %r3; ret; }\n");
	outcome(1000);
}

static void deep_loops(void **state)
{
	(void)state;
	kernel_begin();
	for (unsigned i = 0; i < 200; i++)
		text_printf(&input, ".reg .b32 %%i%u; mov.u32 %%i%u, 0; L%u:\n", i, i, i);
	text_puts(&input, "ld.global.f32 %f1, [%d3];\n");
	for (unsigned i = 200; i-- > 0;)
		text_printf(&input, "add.s32 %%i%u, %%i%u, 1; setp.lt.s32 %%p1, %%i%u, %%r2; @%%p1 bra L%u;\n", i, i, i,
		            i);
	text_puts(&input, "ret; }\n");
	outcome(1000);
}

static void endless_loops(void **state)
{
	(void)state;
	kernel_begin();
	text_puts(&input, "L: add.s32 %r5, %r5, 4; ld.global.f32 %f1, [%d3]; bra L; }\n");
	outcome(1000);
}

/* Which way a loop goes, and how long it is, is in memory. */
static void random_walk(void **state)
{
	(void)state;
	kernel_begin();
	text_puts(&input, "L: mul.wide.u32 %d4, %r4, 4; add.s64 %d5, %d1, %d4; ld.global.u32 %r4, [%d5];\n"
	                  "and.b32 %r6, %r4, 1; setp.eq.s32 %p1, %r6, 0; @%p1 bra EVEN; add.s32 %r4, %r4, 3;\n"
	                  "EVEN: setp.ne.s32 %p2, %r4, 77; @%p2 bra L; ret; }\n");
	outcome(100000);
}

/* Loops whose counts multiply: a million times a million trips that differ. */
static void random_nest(void **state)
{
	(void)state;
	kernel_begin();
	text_puts(&input, "mov.u32 %r5, 0;\nO: mov.u32 %r6, 0;\nI: xor.b32 %r7, %r6, %r5; and.b32 %r7, %r7, 1023; "
	                  "mul.wide.u32 %d4, %r7, 4;\n"
	                  "add.s64 %d5, %d1, %d4; ld.global.u32 %r8, [%d5]; setp.gt.u32 %p1, %r8, 500; @%p1 bra S; "
	                  "ld.global.f32 %f1, "
	                  "[%d5+64];\n"
	                  "S: add.s32 %r6, %r6, 1; setp.lt.s32 %p2, %r6, %r2; @%p2 bra I;\n"
	                  "add.s32 %r5, %r5, 1; setp.lt.s32 %p3, %r5, %r2; @%p3 bra O; ret; }\n");
	outcome(100000);
}

static void recursion(void **state)
{
	(void)state;
	text_puts(&input, ".func f(.param .b32 a) { " REGISTERS
	                  "ld.param.u32 %r1, [a]; { .param .b32 b; st.param.b32 [b], %r1; call f, (b);"
	                  " call f, (b); } ret; }\n");
	kernel_begin();
	text_puts(&input, "{ .param .b32 b; st.param.b32 [b], %r3; call f, (b); } ret; }\n");
	outcome(1000);
}

static void large_tables(void **state)
{
	(void)state;
	kernel_begin();
	text_puts(&input, "and.b32 %r4, %r4, 8191;\nT: .branchtargets L0");
	for (unsigned i = 1; i < 8192; i++)
		text_printf(&input, ", L%u", i);
	text_puts(&input, ";\nbrx.idx %r4, T;\n");
	for (unsigned i = 0; i < 8192; i++)
		text_printf(&input, "L%u: st.global.u32 [%%d3+%u], %%r3; bra END;\n", i, 4 * i);
	text_puts(&input, "END: ret; }\n");
	outcome(100000);
}

static void straight_lines(void **state)
{
	(void)state;
	kernel_begin();
	for (unsigned i = 0; i < 100000; i++)
		text_printf(&input,
		            "add.s32 %%r3, %%r3, %u; mul.wide.u32 %%d4, %%r3, 4; add.s64 %%d5, %%d1, %%d4; "
		            "ld.global.u32 %%r5, "
		            "[%%d5];\n",
		            i);
	text_puts(&input, "ret; }\n");
	outcome(1000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(many_labels),  TEST(deep_loops),     TEST(endless_loops),
		TEST(random_walk),  TEST(random_nest),    TEST(recursion),
		TEST(large_tables), TEST(straight_lines), TEST(number_replaced_by_its_product),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
