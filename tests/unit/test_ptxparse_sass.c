/*
 * The reader of machine code: what it makes of kept cubins, and of inputs that are not what they should be.
 */
#include "ptxparse/ptxparse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct files {
	struct arena *arena;
	struct diagnostics diagnostics;
	char *cubin, *json;
	size_t cubin_length, json_length;
	struct ptx_module *module;
};

static void files_parse(struct files *files)
{
	files->module = sass_parse_listing(files->arena, "kept", files->cubin, files->cubin_length, files->json,
	                                   files->json_length, &files->diagnostics);
}

static void files_read(struct files *files, const char *name)
{
	files->arena = arena_create();
	diagnostics_init(&files->diagnostics, files->arena);
	files->cubin = file_read(files->arena, arena_printf(files->arena, "tests/inputs/sass/%s.cubin", name),
	                         &files->cubin_length);
	files->json = file_read(files->arena, arena_printf(files->arena, "tests/inputs/sass/%s.json", name),
	                        &files->json_length);
	assert_non_null(files->cubin);
	assert_non_null(files->json);
}

static void files_open(struct files *files, const char *name)
{
	files_read(files, name);
	files_parse(files);
	assert_non_null(files->module);
	assert_int_equal(files->diagnostics.count, 0);
}

static size_t count_operation(const struct ptx_function *function, enum ptx_operation operation)
{
	size_t count = 0;

	for (size_t i = 0; i < function->insn_count; i++)
		count += function->insns[i].operation == operation;
	return count;
}

/* Replaces a text in the listing by one of the same length, everywhere. Returns how often. */
static unsigned replace(struct files *files, const char *old, const char *new)
{
	unsigned count = 0;

	assert_int_equal(strlen(old), strlen(new));
	for (char *at = strstr(files->json, old); at; at = strstr(at, old)) {
		memcpy(at, new, strlen(new));
		count++;
	}
	return count;
}

static void test_kernel(void **state)
{
	struct files files;
	const struct ptx_function *function;
	uint32_t machine = 0, address = 0;

	(void)state;
	files_open(&files, "idw.sm_90");
	assert_string_equal(files.module->target, "sm_90");
	assert_int_equal(files.module->function_count, 1);
	function = &files.module->functions[0];
	assert_true(function->is_kernel);
	assert_int_equal(function->parameter_count, 6);
	assert_string_equal(function->parameters[1].name, "_Z3idwPK5pointiPKfS3_Pfi_param_1");
	assert_int_equal(function->parameters[1].type, PTX_u32);
	assert_int_equal(function->parameters[5].offset, 40);
	assert_int_equal(function->sass->register_count, 23);
	assert_int_equal(function->cfg->loop_count, 2);
	for (size_t i = 0; i < function->insn_count; i++) {
		if (function->insns[i].synthetic)
			continue;
		assert_true(machine == 0 || function->sass->control[i].address > address);
		address = function->sass->control[i].address;
		assert_int_equal(function->insns[i].line, address / 16 + 1);
		machine++;
	}
	assert_int_equal(machine, 163);
	arena_release(files.arena);
}

/* LDC R1, c[0x0][0x28] has the encoding 0x000fe20000000800: stall 1, no yield (that bit is 0 where there is one), no
 * barriers. */
static void test_control_fields(void **state)
{
	struct files files;
	const struct sass_code *code;
	const struct ptx_function *function;

	(void)state;
	files_open(&files, "idw.sm_90");
	function = &files.module->functions[0];
	code = function->sass;
	assert_string_equal(function->insns[0].spelling, "LDC");
	assert_int_equal(code->control[0].stall, 1);
	assert_false(code->control[0].yield);
	assert_int_equal(code->control[0].write_barrier, 7);
	assert_int_equal(code->control[0].read_barrier, 7);
	assert_int_equal(code->control[0].wait_mask, 0);
	assert_int_equal(code->control[0].unit, UNIT_LOAD_STORE);
	for (size_t i = 0; i < function->insn_count; i++)
		if (!strcmp(function->insns[i].spelling, "LDG.E"))
			assert_true(code->control[i].write_barrier < 6);
	arena_release(files.arena);
}

/* Nothing is kept for reuse where an instruction yields (benchmarks/operands/variants.py), so that ptxas never asks for
 * both; either is common. */
static void test_reuse_never_yields(void **state)
{
	static const char *const names[] = {"idw.sm_90", "syr2k.sm_90", "corr.sm_90", "transpose.sm_90",
	                                    "gather.sm_90"};
	unsigned kept = 0, yielding = 0;
	(void)state;
	for (size_t n = 0; n < ARRAY_COUNT(names); n++) {
		struct files files;
		files_open(&files, names[n]);
		for (size_t f = 0; f < files.module->function_count; f++)
			for (size_t i = 0; i < files.module->functions[f].insn_count; i++) {
				const struct sass_control *control = &files.module->functions[f].sass->control[i];
				assert_false(control->reuse && control->yield);
				kept += control->reuse != 0;
				yielding += control->yield;
			}
		arena_release(files.arena);
	}
	assert_true(kept > 0 && yielding > 0);
}

/* Halves that belong together come out as one 64-bit value: nothing is packed. */
static void test_addresses_are_whole(void **state)
{
	static const char *const names[] = {"idw.sm_90", "syr2k.sm_90", "corr.sm_90", "transpose.sm_90",
	                                    "gather.sm_90"};

	(void)state;
	for (size_t k = 0; k < ARRAY_COUNT(names); k++) {
		struct files files;

		files_open(&files, names[k]);
		for (size_t f = 0; f < files.module->function_count; f++) {
			const struct ptx_function *function = &files.module->functions[f];

			assert_int_equal(function->sass->opaque, 0);
			for (size_t i = 0; i < function->insn_count; i++)
				for (unsigned j = 0; j < function->insns[i].operand_count; j++)
					if (function->insns[i].operation == OP_mov)
						assert_int_not_equal(function->insns[i].operands[j].kind,
						                     OPERAND_VECTOR);
		}
		arena_release(files.arena);
	}
}

static void test_divisions_are_found(void **state)
{
	static const struct {
		const char *kernel;
		size_t divisions;
	} expected[] = {{"_Z15divide_unsignedPjj", 1},
	                {"_Z13divide_signedPii", 1},
	                {"_Z17remainder_in_loopPiii", 5},
	                {"_Z14divide_uniformPiii", 1}};
	static const char *const names[] = {"division.sm_75", "division.sm_90", "division.sm_120"};

	(void)state;
	for (size_t k = 0; k < ARRAY_COUNT(names); k++) {
		struct files files;

		files_open(&files, names[k]);
		for (size_t i = 0; i < ARRAY_COUNT(expected); i++) {
			const struct ptx_function *function = ptx_module_find(files.module, expected[i].kernel);

			assert_non_null(function);
			assert_int_equal(count_operation(function, OP_div), expected[i].divisions);
		}
		arena_release(files.arena);
	}
}

static void test_slow_paths_are_cold(void **state)
{
	struct files files;

	(void)state;
	files_open(&files, "idw.sm_90");
	assert_int_equal(files.module->functions[0].sass->cold_calls, 6);
	arena_release(files.arena);
	files_open(&files, "transpose.sm_90");
	assert_int_equal(files.module->functions[0].sass->cold_calls, 0);
	arena_release(files.arena);
}

/* Lanes of a branch meet where BSSY says, and nowhere in a kernel that does not say. */
static void test_meeting_places(void **state)
{
	struct files files;
	const struct ptx_function *function;
	unsigned meetings = 0;

	(void)state;
	files_open(&files, "control.sm_90");
	function = ptx_module_find(files.module, "_Z6partedPii");
	assert_non_null(function);
	for (uint32_t b = 0; b < function->cfg->block_count; b++)
		meetings += function->cfg->blocks[b].post_dominator != PTX_NO_BASIC_BLOCK;
	assert_true(meetings > 0);
	arena_release(files.arena);
	files_open(&files, "syr2k.sm_90");
	for (uint32_t b = 0; b < files.module->functions[0].cfg->block_count; b++)
		assert_int_equal(files.module->functions[0].cfg->blocks[b].post_dominator, PTX_NO_BASIC_BLOCK);
	arena_release(files.arena);
}

/* Called functions are copied to their calls, tables of targets are read. */
static void test_calls_and_tables(void **state)
{
	struct files files;
	const struct ptx_function *function;

	(void)state;
	files_open(&files, "control.sm_90");
	function = ptx_module_find(files.module, "_Z6calledPfi");
	assert_non_null(function);
	assert_true(function->cfg->loop_count >= 2);
	assert_int_equal(count_operation(function, OP_call), 0);
	function = ptx_module_find(files.module, "_Z8switchedPiii");
	assert_non_null(function);
	assert_true(count_operation(function, OP_brx_idx) >= 2);
	for (size_t i = 0; i < function->insn_count; i++)
		if (function->insns[i].operation == OP_brx_idx)
			assert_int_equal(function->insns[i].operands[1].count, 3);
	arena_release(files.arena);
}

static void test_unknown_opcode(void **state)
{
	struct files files;

	(void)state;
	files_read(&files, "idw.sm_90");
	assert_true(replace(&files, "\"IMAD.WIDE\"", "\"QMAD.WIDE\"") >= 2);
	files_parse(&files);
	assert_non_null(files.module);
	assert_true(files.module->functions[0].sass->opaque >= 2);
	assert_int_equal(files.diagnostics.count, 1);
	assert_int_equal(files.diagnostics.errors, 0);
	assert_non_null(strstr(files.diagnostics.list[0].message, "QMAD.WIDE"));
	arena_release(files.arena);
}

static char *dump(const struct ptx_module *module, struct arena *arena)
{
	struct text text = {0};
	char *copy;

	ptx_dump_sass(&text, module);
	copy = arena_strdup(arena, text.data);
	text_release(&text);
	return copy;
}

/* nvdisasm 13.2 leaves out the comma before an address. */
static void test_missing_comma(void **state)
{
	struct files files;
	char *with, *without;

	(void)state;
	files_open(&files, "reduction.sm_90");
	with = dump(files.module, files.arena);
	assert_true(replace(&files, ",[R", " [R") > 0);
	for (char *at = files.json; *at; at++)
		if (!strncmp(at, " [R", 3))
			memmove(at, at + 1, strlen(at));
	files.json_length = strlen(files.json);
	files_parse(&files);
	assert_non_null(files.module);
	without = dump(files.module, files.arena);
	assert_string_equal(with, without);
	arena_release(files.arena);
}

static void expect_error(struct files *files)
{
	files_parse(files);
	if (!files->module)
		assert_true(files->diagnostics.errors > 0);
}

static void test_wrong_input(void **state)
{
	struct files files, other;

	(void)state;
	files_read(&files, "transpose.sm_90");
	files_read(&other, "gather.sm_90");
	files.json = other.json;
	files.json_length = other.json_length;
	expect_error(&files);
	assert_null(files.module);
	files.json = arena_strdup(files.arena, "[]");
	files.json_length = 2;
	expect_error(&files);
	assert_null(files.module);
	files.cubin = arena_strdup(files.arena, "no cubin");
	files.cubin_length = 8;
	expect_error(&files);
	assert_null(files.module);
	arena_release(files.arena);
	arena_release(other.arena);
}

static void test_cut_off(void **state)
{
	struct files files;
	size_t cubin_length, json_length;

	(void)state;
	files_read(&files, "transpose.sm_90");
	cubin_length = files.cubin_length;
	json_length = files.json_length;
	for (size_t length = 0; length < cubin_length; length += 97) {
		files.cubin_length = length;
		expect_error(&files);
	}
	files.cubin_length = cubin_length;
	for (size_t length = 0; length < json_length; length += 61) {
		files.json_length = length;
		expect_error(&files);
		assert_null(files.module);
	}
	arena_release(files.arena);
}

static uint32_t random_number(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* One that listings are made of. */
static char random_character(uint32_t *state)
{
	static const char characters[] = "0123456789RPUXZ[],.x-!\"{}";

	return characters[random_number(state) % (sizeof(characters) - 1)];
}

/* Some bytes changed, in the cubin or in the listing: an error or a module, never anything else. */
static void test_changed_bytes(void **state)
{
	static const char *const names[] = {"transpose.sm_90", "control.sm_120", "division.sm_75", "wide.sm_90"};
	uint32_t random = 1;

	(void)state;
	for (size_t k = 0; k < ARRAY_COUNT(names); k++)
		for (unsigned trial = 0; trial < 250; trial++) {
			struct files files;
			bool in_cubin = trial % 5 == 0;
			char *bytes;
			size_t length;

			files_read(&files, names[k]);
			bytes = in_cubin ? files.cubin : files.json;
			length = in_cubin ? files.cubin_length : files.json_length;
			for (unsigned changes = 1 + trial % 3; changes; changes--)
				bytes[random_number(&random) % length] =
					in_cubin ? (char)random_number(&random) : random_character(&random);
			expect_error(&files);
			arena_release(files.arena);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_control_fields),
		cmocka_unit_test(test_reuse_never_yields),
		cmocka_unit_test(test_addresses_are_whole),
		cmocka_unit_test(test_divisions_are_found),
		cmocka_unit_test(test_slow_paths_are_cold),
		cmocka_unit_test(test_meeting_places),
		cmocka_unit_test(test_calls_and_tables),
		cmocka_unit_test(test_unknown_opcode),
		cmocka_unit_test(test_missing_comma),
		cmocka_unit_test(test_wrong_input),
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_changed_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
