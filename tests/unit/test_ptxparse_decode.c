/*
 * The decoder of machine instructions: against nvdisasm's kept listings, row by row of its tables, and on bytes that
 * are no code.
 */
#include "ptxparse/ptxparse.h"
#include "ptxparse/sass/decode/decode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <glob.h>
#include <cmocka.h>

static char *dump(const struct ptx_module *module, struct arena *arena)
{
	struct text text = {0};
	char *copy;

	ptx_dump_sass(&text, module);
	copy = arena_strdup(arena, text.data);
	text_release(&text);
	return copy;
}

/* What a kept cubin's kernels do comes out the same by the decoder and by nvdisasm's listing. */
static void test_kept_cubins(void **state)
{
	glob_t files;

	(void)state;
	assert_int_equal(glob("tests/inputs/sass/*.json", 0, NULL, &files), 0);
	assert_true(files.gl_pathc >= 16);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		struct arena *arena = arena_create();
		struct diagnostics diagnostics;
		const char *path = files.gl_pathv[i];
		size_t cubin_length, json_length;
		const char *json = file_read(arena, path, &json_length);
		const char *cubin =
			file_read(arena, arena_printf(arena, "%.*s.cubin", (int)strlen(path) - 5, path), &cubin_length);
		struct ptx_module *ours, *theirs;

		diagnostics_init(&diagnostics, arena);
		ours = sass_parse(arena, "kept", cubin, cubin_length, &diagnostics);
		theirs = sass_parse_listing(arena, "kept", cubin, cubin_length, json, json_length, &diagnostics);
		assert_non_null(ours);
		assert_non_null(theirs);
		assert_int_equal(diagnostics.count, 0);
		assert_string_equal(dump(ours, arena), dump(theirs, arena));
		arena_release(arena);
	}
	globfree(&files);
}

static void code_put(uint8_t code[static 16], uint64_t low, uint64_t high)
{
	for (unsigned i = 0; i < 8; i++) {
		code[i] = (uint8_t)(low >> (8 * i));
		code[8 + i] = (uint8_t)(high >> (8 * i));
	}
}

static const char *decoded(struct arena *arena, unsigned architecture, uint64_t low, uint64_t high, bool *known)
{
	struct text text = {0};
	struct sass_insn insn;
	uint8_t code[16];
	const char *copy;

	code_put(code, low, high);
	*known = decode_insn(decode_open(arena, architecture), code, 0x100, &insn);
	decode_print(&text, &insn, false);
	copy = arena_strdup(arena, text.data);
	text_release(&text);
	return copy;
}

/* One of each kind of operand, as nvdisasm prints them. */
static void test_instructions(void **state)
{
	static const struct {
		unsigned architecture;
		uint64_t high, low;
		const char *text;
	} expected[] = {
		{90, 0x000fe20000000800, 0x00000a00ff017b82, "LDC R1, c[0x0][0x28]"},
		{90, 0x000ea8000c1e1900, 0x0000000804087981, "LDG.E R8, desc[UR8][R4.64]"},
		{75, 0x000fe400078e00ff, 0x00000a00ff017624, "IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]"},
		{80, 0x000162000c1e1900, 0x0000000402117981, "LDG.E R17, [R2.64]"},
		{90, 0x080fe20000000000, 0x3f80000007077423, "FFMA R7, R7, R0.reuse, 1"},
		{90, 0x000fea0003800000, 0x0000000000000947, "@P0 BRA 0x110"},
		{100, 0x000e220008000800, 0x00006c00ff0477ac, "LDCU UR4, c[0x0][0x360]"},
		{120, 0x000fe20007ffe0ff, 0x00000001000f7810, "IADD3 R15, PT, PT, R0, 0x1, RZ"},
		{90, 0x000fe40000703c20, 0x000000000000781c, "PLOP3.LUT P0, PT, P0, P1, P2, 0xe0, 0x0"},
	};
	struct arena *arena = arena_create();

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(expected); i++) {
		bool known;
		const char *text = decoded(arena, expected[i].architecture, expected[i].low, expected[i].high, &known);

		assert_true(known);
		assert_string_equal(text, expected[i].text);
	}
	arena_release(arena);
}

static uint64_t random_number(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Every row of the tables can be read, whatever stands in the fields, and every instruction can be printed. */
static void test_all_forms(void **state)
{
	static const unsigned architectures[] = {75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121};
	uint64_t random = 88172645463325252u;
	unsigned known = 0;

	(void)state;
	for (size_t a = 0; a < ARRAY_COUNT(architectures); a++) {
		struct arena *arena = arena_create();
		struct decode *decode = decode_open(arena, architectures[a]);
		struct text text = {0};

		for (unsigned code = 0; code < 4096; code++)
			for (unsigned trial = 0; trial < 8; trial++) {
				struct sass_insn insn;
				uint8_t bytes[16];
				uint64_t fill = trial == 0 ? 0 : trial == 1 ? ~UINT64_C(0) : random_number(&random);

				code_put(bytes, (fill & ~UINT64_C(0xfff)) | code,
				         trial < 2 ? fill : random_number(&random));
				known += decode_insn(decode, bytes, 16 * code, &insn);
				assert_non_null(insn.opcode);
				assert_true(insn.operand_count <= SASS_OPERANDS);
				text.length = 0;
				decode_print(&text, &insn, false);
			}
		text_release(&text);
		arena_release(arena);
	}
	assert_true(known > 5000);
}

/* Some bytes of a cubin changed: an error or a module, never anything else. */
static void test_changed_bytes(void **state)
{
	static const char *const names[] = {"transpose.sm_90", "control.sm_120", "division.sm_75", "wide.sm_90"};
	uint64_t random = 1;

	(void)state;
	for (size_t k = 0; k < ARRAY_COUNT(names); k++)
		for (unsigned trial = 0; trial < 200; trial++) {
			struct arena *arena = arena_create();
			struct diagnostics diagnostics;
			size_t length;
			char *cubin =
				file_read(arena, arena_printf(arena, "tests/inputs/sass/%s.cubin", names[k]), &length);
			struct ptx_module *module;

			diagnostics_init(&diagnostics, arena);
			assert_non_null(cubin);
			for (unsigned changes = 1 + trial % 20; changes; changes--)
				cubin[random_number(&random) % length] = (char)random_number(&random);
			module = sass_parse(arena, "changed", cubin,
			                    trial % 9 ? length : random_number(&random) % length, &diagnostics);
			assert_true((module != NULL) == (diagnostics.errors == 0));
			arena_release(arena);
		}
}

/* An opcode of no row: one instruction, of unknown effect, with one warning. */
static void test_unknown_form(void **state)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	size_t length, changed = 0;
	char *cubin = file_read(arena, "tests/inputs/sass/idw.sm_90.cubin", &length);
	const struct ptx_module *before, *after;
	struct text listing = {0};

	(void)state;
	diagnostics_init(&diagnostics, arena);
	before = sass_parse(arena, "idw", cubin, length, &diagnostics);
	for (size_t i = 0; i + 16 <= length; i += 16)
		if ((cubin[i] & 0xff) == 0x25 && ((unsigned char)cubin[i + 1] & 0x0f) == 0x8 && cubin[i + 15] == 0) {
			cubin[i] = (char)0xff;
			changed++;
		}
	assert_true(changed >= 2);
	after = sass_parse(arena, "idw", cubin, length, &diagnostics);
	assert_non_null(before);
	assert_non_null(after);
	assert_int_equal(diagnostics.errors, 0);
	assert_int_equal(diagnostics.count, 1);
	assert_int_equal(before->functions[0].sass->opaque, 0);
	assert_int_equal(after->functions[0].sass->opaque, changed);
	diagnostics_init(&diagnostics, arena);
	assert_true(sass_list(&listing, arena, "idw", cubin, length, &diagnostics));
	assert_int_equal(diagnostics.errors, 0);
	assert_int_equal(diagnostics.count, 1);
	assert_string_equal(diagnostics.list[0].message, "machine instruction '?0x8ff' is not known");
	assert_non_null(strstr(listing.data, "?0x8ff"));
	text_release(&listing);
	arena_release(arena);
}

/* The line table: plain lines, and functions inlined in functions, as nvdisasm -gi shows them. */
static void test_lines(void **state)
{
	static const char *const expected[] = {"FMUL R0, R0, 0.5 ", "lines.cu:4 < lines.cu:9 < lines.cu:22\n",
	                                       "@P0 EXIT ",         "lines.cu:21\n",
	                                       "FADD R6, -R6, R7 ", "lines.cu:14\n"};
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	size_t length;
	char *cubin = file_read(arena, "tests/inputs/sass/lines/lines.sm_90.cubin", &length);
	struct text text = {0};

	(void)state;
	diagnostics_init(&diagnostics, arena);
	assert_non_null(cubin);
	assert_true(sass_list(&text, arena, "lines", cubin, length, &diagnostics));
	assert_non_null(strstr(text.data, "  $_Z5linesPfPKfi$_Z8far_fromff:\n"));
	assert_non_null(strstr(text.data, "    0x00f0  B------ R1 W5 - S01  LDG.E R7, desc[UR4][R4.64] "));
	for (size_t i = 0; i < ARRAY_COUNT(expected); i += 2) {
		const char *line = strstr(text.data, expected[i]);

		assert_non_null(line);
		line = strchr(line, '\n') - strlen(expected[i + 1]) + 1;
		assert_memory_equal(line, expected[i + 1], strlen(expected[i + 1]));
	}
	text_release(&text);
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kept_cubins),  cmocka_unit_test(test_instructions),
		cmocka_unit_test(test_all_forms),    cmocka_unit_test(test_changed_bytes),
		cmocka_unit_test(test_unknown_form), cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
