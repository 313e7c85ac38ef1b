/*
 * Calls replaced by copies of what they call: the interpreter executes as many instructions with them as without, and
 * leaves the same in memory.
 */
#include "tests/ptx_interpreter/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define WORDS 4096

static struct ptx_module *parse(struct arena *arena, const char *text)
{
	struct diagnostics diagnostics;

	diagnostics_init(&diagnostics, arena);
	return ptx_parse(arena, "calls", text, strlen(text), &diagnostics);
}

/* Executes the kernel of a trial on two buffers, the first of which holds numbers; returns the second one. */
static const uint8_t *execute(struct arena *arena, const struct trial *trial, bool copies, double *instructions,
                              size_t *calls)
{
	struct ptx_module *module = parse(arena, trial->text);
	struct ptx_function *kernel = ptx_module_find(module, trial->kernel);
	struct interpreter_memory memory[2];
	uint8_t *parameters = arena_alloc(arena, 64);
	struct interpreter_launch launch = {.module = module,
	                                    .function = kernel,
	                                    .parameters = parameters,
	                                    .parameter_bytes = 64,
	                                    .memory = memory,
	                                    .memory_count = 2,
	                                    .step_limit = 1000000};
	struct interpreter_result *result;

	if (copies)
		ptx_calls_copy(arena, module, kernel);
	for (size_t i = 0; i < module->function_count; i++)
		ptx_function_analyse(arena, &module->functions[i]);
	for (unsigned i = 0; i < 3; i++) {
		uint64_t value = i < 2 ? content_address(i) : (uint64_t)trial->arguments[2].value;

		memcpy(parameters + kernel->parameters[i].offset, &value, i < 2 ? 8 : 4);
	}
	for (unsigned i = 0; i < 2; i++)
		memory[i] = (struct interpreter_memory){content_address(i), arena_alloc(arena, 4 * WORDS), 4 * WORDS};
	for (unsigned i = 0; i < WORDS; i++)
		memcpy(memory[0].data + 4 * i, &(float){(float)(i % 97)}, 4);
	memcpy(launch.grid, trial->grid, sizeof(launch.grid));
	memcpy(launch.block, trial->block, sizeof(launch.block));
	result = interpret(arena, &launch, NULL, NULL);
	assert_null(result->error);
	*instructions = result->warp_instructions;
	*calls = 0;
	for (size_t i = 0; i < kernel->insn_count; i++)
		*calls += kernel->insns[i].operation == OP_call;
	return memory[1].data;
}

static void test_copies_do_the_same(void **state)
{
	struct arena *arena = arena_create();
	size_t count, calls, left;
	struct trial *trials = trials_read(arena, "tests/inputs/ptx/calls.ptx", &count);

	(void)state;
	assert_true(count >= 5);
	for (size_t i = 0; i < count; i++) {
		double called, copied;
		const uint8_t *truth = execute(arena, &trials[i], false, &called, &calls),
			      *other = execute(arena, &trials[i], true, &copied, &left);

		assert_true(calls > 0 && left <= 1); /* one where recursion is not followed any deeper */
		assert_true(called == copied);
		assert_true(called == copied);
		assert_true(called == copied);
		if (memcmp(truth, other, 4 * WORDS))
			fail_msg("%s leaves other numbers", trials[i].kernel);
	}
	arena_release(arena);
}

static const char functions[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
				".func leaf(.param .b32 a) { .reg .b32 %r<2>; ld.param.u32 %r1, [a]; ret; }\n"
				".extern .func beyond(.param .b32 a);\n"
				".func twice(.param .b32 a) { .reg .b32 %r<2>; ld.param.u32 %r1, [a];"
				" { .param .b32 b; st.param.b32 [b], %r1; call twice, (b); call twice, (b); } ret; }\n";

static size_t calls_left(const char *body, size_t *insns)
{
	struct arena *arena = arena_create();
	struct ptx_module *module = parse(
		arena,
		arena_printf(arena, "%s.entry k() { .reg .b32 %%r<3>; .reg .b64 %%rd<3>; mov.u32 %%r1, 1; %s ret; }\n",
	                     functions, body));
	struct ptx_function *kernel = ptx_module_find(module, "k");
	size_t calls = 0;

	ptx_calls_copy(arena, module, kernel);
	*insns = kernel->insn_count;
	for (size_t i = 0; i < kernel->insn_count; i++)
		calls += kernel->insns[i].operation == OP_call;
	arena_release(arena);
	return calls;
}

/* What cannot be followed stays a call; code does not grow without end. */
static void test_calls_stay(void **state)
{
	size_t insns;

	(void)state;
	assert_int_equal(calls_left("{ .param .b32 b; st.param.b32 [b], %r1; call leaf, (b); }", &insns), 0);
	assert_int_equal(calls_left("{ .param .b32 b; st.param.b32 [b], %r1; call beyond, (b); }", &insns), 1);
	assert_int_equal(insns, 4);
	assert_true(calls_left("{ .param .b32 b; st.param.b32 [b], %r1; call twice, (b); }", &insns) > 2);
	assert_true(insns < 200000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_copies_do_the_same),
	                                   cmocka_unit_test(test_calls_stay)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
