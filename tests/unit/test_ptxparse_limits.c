/*
 * Inputs that nobody writes: they end in a module or a diagnostic, in seconds and in memory of the order of the text.
 * Truncated and mutated files of a real compiler likewise.
 */
#include "base/clock/clock.h"
#include "ptxparse/ptxparse.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define HEAD ".version 9.0\n.target sm_90\n.address_size 64\n"
/* Generous, for sanitizers and busy machines; what is quadratic takes minutes. */
#define LIMIT_SECONDS 20
/* The parse, the graph and the lists of blocks of loops. */
#define LIMIT_BYTES_PER_BYTE 400

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
	return 0;
}

static void repeat(const char *text, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		text_puts(&input, text);
}

static void use(struct arena *arena, struct ptx_module *module)
{
	struct text out = {0};
	for (size_t i = 0; i < module->function_count; i++)
		if (module->functions[i].has_body)
			ptx_function_analyse(arena, &module->functions[i]);
	ptx_dump_cfg(&out, module);
	ptx_dump_memory(&out, module);
	text_release(&out);
}

/* Parses, analyses and dumps the input; returns the error's message, or "" where it was accepted. */
static const char *outcome(void)
{
	static char message[300];
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	double start = clock_thread().processor;
	struct ptx_module *module;
	diagnostics_init(&diagnostics, arena);
	module = ptx_parse(arena, "limits.ptx", input.data, input.length, &diagnostics);
	assert_int_equal(module != NULL, diagnostics.errors == 0);
	message[0] = 0;
	for (size_t i = 0; i < diagnostics.count; i++)
		if (diagnostics.list[i].severity == SEVERITY_ERROR)
			snprintf(message, sizeof message, "%s", diagnostics.list[i].message);
	if (module)
		use(arena, module);
	assert_true(clock_thread().processor - start < LIMIT_SECONDS);
	assert_true(arena_bytes(arena) < 100000 + LIMIT_BYTES_PER_BYTE * input.length);
	arena_release(arena);
	return message;
}

static void a_register_range_costs_nothing(void **state)
{
	(void)state;
	repeat(".entry k() { .reg .b32 %r<4000000000>, %s<18446744073709551615>; mov.b32 %r3999999999, %s7; }", 1);
	assert_string_equal(outcome(), "");
}

static void an_array_costs_nothing(void **state)
{
	(void)state;
	repeat(".global .b8 a[9000000000000000];\n.global .b8 b[2][4000000000000] = {{1}, {2}};\n", 1);
	assert_string_equal(outcome(), "");
}

static void an_array_that_is_too_large(void **state)
{
	(void)state;
	repeat(".global .b8 a[4000000000][4000000000][4000000000];\n", 1);
	assert_string_equal(outcome(), "the array is too large");
}

static void a_million_elements_in_a_vector(void **state)
{
	(void)state;
	repeat(".entry k() { .reg .b32 %r<9>; mov.b32 {%r0", 1);
	repeat(", %r1", 1000000);
	repeat("}, %r1; }", 1);
	assert_string_equal(outcome(), "a vector of more than 65535 elements");
}

static void a_million_operands(void **state)
{
	(void)state;
	repeat(".entry k() { .reg .b32 %r<9>; mov.b32 %r0", 1);
	repeat(", %r1", 1000000);
	repeat("; }", 1);
	assert_string_equal(outcome(), "more than 255 operands");
}

static void a_hundred_thousand_nested_braces(void **state)
{
	(void)state;
	repeat(".entry k() { ", 1);
	repeat("{", 100000);
	repeat("}", 100001);
	assert_string_equal(outcome(), "scopes nest deeper than 100");
}

static void a_hundred_thousand_scopes_side_by_side(void **state)
{
	(void)state;
	repeat(".entry k() {\n", 1);
	repeat("{ .reg .b32 %t<4>, t; L: mov.b32 %t1, t; bra L; }\n", 100000);
	repeat("}", 1);
	assert_string_equal(outcome(), "");
}

static void deep_expressions(void **state)
{
	(void)state;
	repeat(".global .u32 a = ", 1);
	repeat("(", 100000);
	assert_string_equal(outcome(), "nested too deeply");
}

static void deep_initial_values(void **state)
{
	(void)state;
	repeat(".global .u32 a[] = ", 1);
	repeat("{", 100000);
	assert_string_equal(outcome(), "nested too deeply");
}

/* Back branches to a hundred thousand labels, the loops nested in each other. */
static void a_hundred_thousand_nested_loops(void **state)
{
	(void)state;
	repeat(".entry k() { .reg .pred %p<2>; .reg .b32 %r<9>;\n", 1);
	for (unsigned i = 0; i < 100000; i++)
		text_printf(&input, "L%u: add.s32 %%r1, %%r1, 1;\n", i);
	for (unsigned i = 100000; i-- > 0;)
		text_printf(&input, "setp.lt.s32 %%p1, %%r1, 9; @%%p1 bra L%u;\n", i);
	repeat("}", 1);
	assert_string_equal(outcome(), "");
}

/* Every block branches to the last one, and every label is the target of many. */
static void a_hundred_thousand_exits(void **state)
{
	(void)state;
	repeat(".entry k() { .reg .pred %p<2>; .reg .b32 %r<9>;\n", 1);
	for (unsigned i = 0; i < 100000; i++)
		text_printf(&input, "L%u: @%%p1 bra END; @%%p0 bra L%u;\n", i, i / 2);
	repeat("END: ret; }", 1);
	assert_string_equal(outcome(), "");
}

static void tangled_branches(void **state)
{
	uint64_t seed = 7;
	(void)state;
	repeat(".entry k() { .reg .pred %p<2>;\n", 1);
	for (unsigned i = 0; i < 50000; i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1;
		text_printf(&input, "L%u: @%%p1 bra L%u;\n", i, (unsigned)(seed >> 40) % 50000);
	}
	repeat("}", 1);
	assert_string_equal(outcome(), "");
}

static void large_tables_of_targets(void **state)
{
	(void)state;
	repeat(".entry k() { .reg .b32 %r<2>;\n", 1);
	for (unsigned i = 0; i < 60000; i++)
		text_printf(&input, "L%u: mov.u32 %%r1, 0;\n", i);
	repeat("T: .branchtargets L0", 1);
	for (unsigned i = 1; i < 60000; i++)
		text_printf(&input, ", L%u", i);
	repeat(";\n", 1);
	repeat("brx.idx %r1, T;\n", 10);
	repeat("}", 1);
	assert_string_equal(outcome(), "");
}

static void one_endless_name(void **state)
{
	(void)state;
	repeat(".entry ", 1);
	repeat("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 60000);
	assert_string_equal(outcome(), "unexpected end of file, expecting a directive or .pragma or ';' or '{'");
}

static void one_endless_comment(void **state)
{
	(void)state;
	repeat("/* ", 1000000);
	assert_string_equal(outcome(), "the comment is not closed");
}

static void many_places(void **state)
{
	(void)state;
	repeat(".entry k() {\n", 1);
	for (unsigned i = 0; i < 50000; i++)
		text_printf(&input, ".loc 1 %u 1, function_name $I+%u, inlined_at 1 %u 1\nret;\n", i, i, i / 2);
	repeat("}\n.section .debug_str { $I:\n", 1);
	repeat(".b8 65\n", 100000);
	repeat("}", 1);
	assert_string_equal(outcome(), "");
}

static void redeclarations(void **state)
{
	(void)state;
	repeat(".entry k() { ", 1);
	repeat(".reg .b32 %r<7>, %a; mov.b32 %r6, %a;\n", 100000);
	repeat("}", 1);
	assert_string_equal(outcome(), "");
}

/* ---- real files, cut and changed ------------------------------------------------------------- */

static char *real_file(struct arena *arena, size_t *length)
{
	char *text = file_read(arena, "tests/golden/ptx/real_idw_sm90.ptx", length);
	assert_non_null(text);
	return text;
}

/* Cut anywhere, it is an error unless only what follows the last function is missing. */
static void a_real_file_cut_anywhere(void **state)
{
	struct arena *arena = arena_create();
	size_t length;
	const char *text = real_file(arena, &length), *body_end = strstr(text, "\n}\n");
	unsigned accepted = 0;
	(void)state;
	assert_non_null(body_end);
	for (size_t cut = (size_t)(strchr(text, '(') - text); cut < (size_t)(body_end - text); cut += 7) {
		text_release(&input);
		text_append(&input, text, cut);
		accepted += outcome()[0] == 0;
	}
	assert_int_equal(accepted, 0);
	arena_release(arena);
}

/* Changed bytes: an error or a module, and no third. */
static void a_real_file_with_changed_bytes(void **state)
{
	static const char bytes[] = "{}[]();,.:@!%<>\"'+-*/ \n0127axLr_$\\\x01\xff";
	struct arena *arena = arena_create();
	uint64_t seed = 3;
	size_t length;
	const char *text = real_file(arena, &length);
	unsigned accepted = 0;
	(void)state;
	for (unsigned i = 0; i < 1500; i++) {
		text_release(&input);
		text_append(&input, text, length);
		for (unsigned k = 0; k <= i % 3; k++) {
			seed = seed * UINT64_C(6364136223846793005) + 1;
			input.data[(seed >> 33) % length] = bytes[(seed >> 20) % (sizeof bytes - 1)];
		}
		accepted += outcome()[0] == 0;
	}
	assert_in_range(accepted, 1, 1400);
	arena_release(arena);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_register_range_costs_nothing),
		TEST(an_array_costs_nothing),
		TEST(an_array_that_is_too_large),
		TEST(a_million_elements_in_a_vector),
		TEST(a_million_operands),
		TEST(a_hundred_thousand_nested_braces),
		TEST(a_hundred_thousand_scopes_side_by_side),
		TEST(deep_expressions),
		TEST(deep_initial_values),
		TEST(a_hundred_thousand_nested_loops),
		TEST(a_hundred_thousand_exits),
		TEST(tangled_branches),
		TEST(large_tables_of_targets),
		TEST(one_endless_name),
		TEST(one_endless_comment),
		TEST(many_places),
		TEST(redeclarations),
		TEST(a_real_file_cut_anywhere),
		TEST(a_real_file_with_changed_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
