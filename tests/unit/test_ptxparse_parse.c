/* What the parser makes of each form of PTX: operands, registers, scopes, labels, calls, variables, places. */
#include "ptxparse/ptxparse.h"

#include <inttypes.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#define HEAD ".version 9.0\n.target sm_90\n.address_size 64\n"
#define REGISTERS                                                                                                      \
	".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %d<9>; .reg .f64 %fd<9>;\n"

/* The text that the last test parsed lives until the next. */
static struct arena *arena;
static struct diagnostics diagnostics;

static int begin(void **state)
{
	(void)state;
	arena = arena_create();
	diagnostics_init(&diagnostics, arena);
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_release(arena);
	return 0;
}

static struct ptx_module *parse_any(const char *text)
{
	return ptx_parse(arena, "test.ptx", text, strlen(text), &diagnostics);
}

/* Text after the head, without any diagnostic. */
static struct ptx_module *parse(const char *text)
{
	struct ptx_module *module = parse_any(arena_printf(arena, "%s%s", HEAD, text));
	for (size_t i = 0; i < diagnostics.count; i++)
		print_error("%u:%u: %s\n", diagnostics.list[i].place.line, diagnostics.list[i].place.column,
		            diagnostics.list[i].message);
	assert_non_null(module);
	assert_int_equal(diagnostics.count, 0);
	return module;
}

/* The body of a kernel with some registers of each type. */
static struct ptx_function *body(const char *text)
{
	struct ptx_module *module = parse(arena_printf(arena, ".entry k() {\n%s%s\n}\n", REGISTERS, text));
	return &module->functions[module->function_count - 1];
}

static const struct ptx_insn *insn(const char *text)
{
	struct ptx_function *function = body(text);
	assert_int_equal(function->insn_count, 1);
	return &function->insns[0];
}

static void assert_error(const char *text, const char *message, unsigned line, unsigned column)
{
	assert_null(parse_any(text));
	assert_int_equal(diagnostics.errors, 1);
	assert_string_equal(diagnostics.list[diagnostics.count - 1].message, message);
	assert_int_equal(diagnostics.list[diagnostics.count - 1].place.line, line);
	assert_int_equal(diagnostics.list[diagnostics.count - 1].place.column, column);
	assert_string_equal(diagnostics.list[diagnostics.count - 1].place.file, "test.ptx");
}

static void assert_warning(const char *message, unsigned line, unsigned column)
{
	assert_int_equal(diagnostics.count, 1);
	assert_int_equal(diagnostics.list[0].severity, SEVERITY_WARNING);
	assert_string_equal(diagnostics.list[0].message, message);
	assert_int_equal(diagnostics.list[0].place.line, line);
	assert_int_equal(diagnostics.list[0].place.column, column);
}

/* ---- spellings ----------------------------------------------------------------------------- */

static void every_mnemonic_of_the_table_is_known(void **state)
{
	static const struct {
		const char *mnemonic;
		enum ptx_operation operation;
	} rows[] = {
#define X(mnemonic, operation, destinations, reading) {mnemonic, OP_##operation},
#include "ptxparse/text/opcodes.def"
#undef X
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		if (rows[i].operation == OP_bra || rows[i].operation == OP_brx_idx || rows[i].operation == OP_call)
			continue;
		assert_int_equal(insn(arena_printf(arena, "%s.b32 %%r1, %%r2;", rows[i].mnemonic))->operation,
		                 rows[i].operation);
		assert_int_equal(insn(arena_printf(arena, "%s.sync::x %%r1;", rows[i].mnemonic))->operation,
		                 rows[i].operation);
	}
	for (unsigned i = OP_OPAQUE + 1; i < OP_COUNT; i++) {
		size_t row = 0;
		if (i == OP_nop) /* of machine code alone */
			continue;
		while (row < ARRAY_COUNT(rows) && rows[row].operation != i)
			row++;
		if (row == ARRAY_COUNT(rows))
			fail_msg("no spelling gives %s", ptx_operation_name(i));
	}
}

static void modifiers_are_decoded(void **state)
{
	const struct ptx_insn *i = insn("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%f1,%f2,%f3,%f4}, [%d1];");
	(void)state;
	assert_int_equal(i->operation, OP_ld);
	assert_int_equal(i->space, SPACE_GLOBAL);
	assert_int_equal(i->type, PTX_f32);
	assert_int_equal(i->vector, 4);
	assert_int_equal(i->cache, CACHE_NO_ALLOCATE);
	assert_true(i->noncoherent);
	assert_int_equal(ptx_insn_access_bytes(i), 16);
	assert_int_equal(ptx_insn_flags(i), FLAG_LOAD);
	assert_string_equal(i->spelling, "ld.global.nc.L1::no_allocate.L2::128B.v4.f32");
	i = insn("st.volatile.shared::cta.u8 [%r1], %r2;");
	assert_int_equal(i->space, SPACE_SHARED);
	assert_true(i->volatile_access);
	assert_int_equal(ptx_insn_access_bytes(i), 1);
	assert_int_equal(i->destinations, 0);
	i = insn("ld.u64 %d1, [%d2];");
	assert_int_equal(i->space, SPACE_GENERIC);
	i = insn("atom.global.acq_rel.gpu.cas.b64 %d1, [%d2], %d3, %d4;");
	assert_int_equal(i->atomic, ATOMIC_CAS);
	assert_int_equal(i->type, PTX_b64);
	assert_int_equal(ptx_insn_flags(i), FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC);
	i = insn("red.shared.and.b32 [%r1], 1;");
	assert_int_equal(i->atomic, ATOMIC_AND);
	assert_int_equal(i->space, SPACE_SHARED);
	i = insn("setp.geu.and.f64 %p1|%p2, %fd1, %fd2, !%p3;");
	assert_int_equal(i->compare, COMPARE_GE);
	assert_true(i->unordered);
	assert_int_equal(i->boolean, BOOLEAN_AND);
	assert_int_equal(i->destinations, 2);
	assert_true(i->operands[4].negated);
	i = insn("setp.lo.u32 %p1, %r1, %r2;");
	assert_int_equal(i->compare, COMPARE_LT);
	assert_false(i->unordered);
	i = insn("mul.hi.u32 %r1, %r2, %r3;");
	assert_int_equal(i->mode, MODE_HI);
	i = insn("mad.wide.s16 %r1, %h2, %h3, %r4;");
	assert_int_equal(i->mode, MODE_WIDE);
	assert_int_equal(i->type, PTX_s16);
	i = insn("cvt.rzi.sat.s32.f64 %r1, %fd1;");
	assert_int_equal(i->type, PTX_s32);
	assert_int_equal(i->source_type, PTX_f64);
	assert_int_equal(i->mode, MODE_RZI);
	assert_true(i->saturate);
	i = insn("add.cc.u32 %r1, %r2, %r3;");
	assert_true(i->carry);
	i = insn("cp.async.ca.shared.global [%r1], [%d1], 8;");
	assert_int_equal(i->space, SPACE_GLOBAL);
	assert_int_equal(ptx_insn_access_bytes(i), 8);
	i = insn("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r2,%r3,%r4}, [%r5];");
	assert_int_equal(ptx_insn_access_bytes(i), 16);
	i = insn("ld .global .v2 .f32 {%f1, %f2}, [%d1];");
	assert_int_equal(i->space, SPACE_GLOBAL);
	assert_int_equal(ptx_insn_access_bytes(i), 8);
}

static void the_longest_mnemonic_decides(void **state)
{
	(void)state;
	assert_int_equal(insn("div.rn.f32 %f1, %f2, %f3;")->operation, OP_div);
	assert_int_equal(insn("div.approx.ftz.f32 %f1, %f2, %f3;")->operation, OP_div_approx);
	assert_int_equal(insn("cp.async.wait_all;")->operation, OP_cp_async_wait);
	assert_int_equal(insn("cvta.to.global.u64 %d1, %d2;")->operation, OP_cvta_to);
	assert_int_equal(insn("cvta.global.u64 %d1, %d2;")->operation, OP_cvta);
	assert_int_equal(insn("bar.warp.sync -1;")->operation, OP_bar_warp_sync);
	assert_int_equal(insn("barrier.cta.sync.aligned 0;")->operation, OP_bar_sync);
	assert_int_equal(insn("tcgen05.wait::ld.sync.aligned;")->operation, OP_tcgen05_control);
}

static void the_type_chooses_the_unit(void **state)
{
	(void)state;
	assert_int_equal(ptx_insn_unit(insn("add.s32 %r1, %r2, %r3;")), UNIT_INT);
	assert_int_equal(ptx_insn_unit(insn("add.f32 %f1, %f2, %f3;")), UNIT_FP32);
	assert_int_equal(ptx_insn_unit(insn("add.f64 %fd1, %fd2, %fd3;")), UNIT_FP64);
	assert_int_equal(ptx_insn_unit(insn("fma.rn.f16x2 %r1, %r2, %r3, %r4;")), UNIT_FP16);
	assert_int_equal(ptx_insn_unit(insn("mad.lo.s32 %r1, %r2, %r3, %r4;")), UNIT_INT_MULTIPLY);
	assert_int_equal(ptx_insn_unit(insn("mul.f32 %f1, %f2, %f3;")), UNIT_FP32);
	assert_int_equal(ptx_insn_unit(insn("setp.lt.f32 %p1, %f2, %f3;")), UNIT_SHIFT_COMPARE);
	assert_int_equal(ptx_insn_unit(insn("setp.lt.f64 %p1, %fd2, %fd3;")), UNIT_FP64);
	assert_int_equal(ptx_insn_unit(insn("set.lt.u32.f64 %r1, %fd2, %fd3;")), UNIT_FP64);
	assert_int_equal(ptx_insn_unit(insn("cvt.s64.s32 %d1, %r2;")), UNIT_INT);
	assert_int_equal(ptx_insn_unit(insn("cvt.rn.f32.s32 %f1, %r2;")), UNIT_CONVERT);
	assert_int_equal(ptx_insn_unit(insn("bar.sync 0;")), UNIT_BARRIER);
	assert_int_equal(ptx_insn_latency(insn("div.s32 %r1, %r2, %r3;")), LATENCY_SEQUENCE);
}

static void unknown_instructions_are_opaque_with_one_warning(void **state)
{
	struct ptx_module *module =
		parse_any(HEAD ".entry k() {\n.reg .b32 %r<4>;\n"
	                       "  frob.f32 %r1, [%r2], 3; frob.f32 [%r1];\nadd.s32 %r1, %r2, 1;\n}\n");
	const struct ptx_insn *insns;
	(void)state;
	assert_non_null(module);
	assert_warning("unknown instruction 'frob.f32'", 6, 3);
	insns = module->functions[0].insns;
	assert_int_equal(module->functions[0].insn_count, 3);
	assert_int_equal(insns[0].operation, OP_OPAQUE);
	assert_int_equal(insns[0].destinations, 1);
	assert_int_equal(insns[0].operand_count, 3);
	assert_int_equal(insns[1].destinations, 0);
	assert_int_equal(insns[2].operation, OP_add);
}

static void unknown_directives_are_warned_of(void **state)
{
	(void)state;
	assert_non_null(parse_any(HEAD ".entry k() {\n.frob 1, x;\nret;\n}\n"));
	assert_warning("unknown directive '.frob'", 5, 1);
}

static void warnings_do_not_grow_without_bound(void **state)
{
	struct text text = {0};
	(void)state;
	text_puts(&text, HEAD ".entry k() {\n");
	for (int i = 0; i < 1000; i++)
		text_puts(&text, "frob;\n");
	text_puts(&text, "}\n");
	assert_non_null(parse_any(text.data));
	assert_int_equal(diagnostics.count, 201);
	assert_string_equal(diagnostics.list[200].message, "800 more lines with warnings are not listed");
	text_release(&text);
}

/* ---- operands --------------------------------------------------------------------------------- */

static void operands_of_all_kinds(void **state)
{
	struct ptx_function *f = body("mov.u32 %r1, %tid.x;\nmul.wide.s32 %d1, %r1, -4;\nmov.u64 %d2, sym+8;\n"
	                              "st.global.v2.f32 [%d1+-16], {%f1, 0f3F800000};\nld.param.u32 %r2, [p+4];\n"
	                              "atom.add.u32 _, [%d1], %clock;\nld.shared.u32 %r3, [16];");
	(void)state;
	assert_int_equal(f->insns[0].operands[0].kind, OPERAND_REGISTER);
	assert_int_equal(f->insns[0].operands[1].kind, OPERAND_SPECIAL);
	assert_int_equal(f->insns[0].operands[1].value, SPECIAL_TID_X);
	assert_int_equal(f->insns[1].operation, OP_mul);
	assert_int_equal(f->insns[1].operands[2].kind, OPERAND_IMMEDIATE);
	assert_int_equal(f->insns[1].operands[2].value, -4);
	assert_int_equal(f->insns[2].operands[1].kind, OPERAND_SYMBOL);
	assert_string_equal(f->insns[2].operands[1].symbol, "sym");
	assert_int_equal(f->insns[2].operands[1].value, 8);
	assert_int_equal(f->insns[3].operands[0].kind, OPERAND_ADDRESS);
	assert_int_equal(f->insns[3].operands[0].value, -16);
	assert_int_equal(f->insns[3].operands[0].reg, f->insns[1].operands[0].reg);
	assert_int_equal(f->insns[3].operands[1].kind, OPERAND_VECTOR);
	assert_int_equal(f->insns[3].operands[1].count, 2);
	assert_int_equal(f->insns[3].operands[1].elements[1].value, 0x3F800000);
	assert_int_equal(f->insns[4].operands[1].reg, PTX_NO_REGISTER);
	assert_string_equal(f->insns[4].operands[1].symbol, "p");
	assert_int_equal(f->insns[4].operands[1].value, 4);
	assert_int_equal(f->insns[5].operands[0].kind, OPERAND_SINK);
	assert_int_equal(f->insns[5].operands[2].value, SPECIAL_OTHER);
	assert_null(f->insns[6].operands[1].symbol);
	assert_int_equal(f->insns[6].operands[1].value, 16);
}

static void texture_operands_are_an_address_and_a_vector(void **state)
{
	const struct ptx_insn *i = insn("tex.2d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [t, s, {%r1, %r2}];");
	(void)state;
	assert_int_equal(i->destinations, 1);
	assert_int_equal(i->operand_count, 4);
	assert_int_equal(i->space, SPACE_TEXTURE);
	assert_string_equal(i->operands[1].symbol, "t");
	assert_int_equal(i->operands[2].kind, OPERAND_ADDRESS);
	assert_int_equal(i->operands[3].kind, OPERAND_VECTOR);
}

static void pairs_are_two_destinations(void **state)
{
	const struct ptx_insn *i = insn("shfl.sync.bfly.b32 %r1|%p1, %r2, 16, 31, -1;");
	(void)state;
	assert_int_equal(i->operation, OP_shfl_bfly);
	assert_int_equal(i->destinations, 2);
	assert_int_equal(i->operand_count, 6);
	i = insn("elect.sync _|%p1, -1;");
	assert_int_equal(i->destinations, 2);
	assert_int_equal(i->operands[0].kind, OPERAND_SINK);
}

static void an_address_in_front_is_no_destination(void **state)
{
	(void)state;
	assert_int_equal(insn("mbarrier.arrive.shared.b64 %d1, [%r1];")->destinations, 1);
	assert_int_equal(insn("mbarrier.arrive.shared.b64 [%r1];")->destinations, 0);
	assert_int_equal(insn("multimem.red.global.add.u32 [%d1], %r2;")->destinations, 0);
}

static void guards(void **state)
{
	struct ptx_function *f = body("@%p1 ret;\n@!%p2 add.s32 %r1, %r1, 1;\nret;");
	(void)state;
	assert_true(f->insns[0].guarded && !f->insns[0].guard_negated);
	assert_true(f->insns[1].guarded && f->insns[1].guard_negated);
	assert_string_equal(f->registers[f->insns[1].guard].name, "%p2");
	assert_false(f->insns[2].guarded);
	assert_int_equal(f->insns[2].guard, PTX_NO_REGISTER);
}

static void literals_fit_the_type_of_the_instruction(void **state)
{
	(void)state;
	assert_int_equal(insn("mov.f32 %f1, 1.5;")->operands[1].value, 0x3FC00000);
	assert_int_equal(insn("mov.f32 %f1, 0d3FF8000000000000;")->operands[1].value, 0x3FC00000);
	assert_true(insn("add.f64 %fd1, %fd2, 0f3FC00000;")->operands[2].value == INT64_C(0x3FF8000000000000));
	assert_true(insn("mov.f64 %fd1, -1.5;")->operands[1].value == (int64_t)UINT64_C(0xBFF8000000000000));
	assert_int_equal(insn("mov.f32 %f1, 0fff800000;")->operands[1].value, 0xFF800000);
	assert_int_equal(insn("setp.lt.f32 %p1, %f1, 2.0;")->operands[2].value, 0x40000000);
	assert_true(insn("cvt.f32.f64 %f1, 2.0;")->operands[1].value == INT64_C(0x4000000000000000));
	assert_int_equal(insn("mov.f32 %f1, 0f7F800001;")->operands[1].value, 0x7F800001);
	assert_int_equal(insn("mov.f32 %f1, 1.0/4.0*3+0f3F800000-1;")->operands[1].value, 0x3F400000);
	assert_true(insn("mov.b64 %d1, 18446744073709551615;")->operands[1].value == -1);
}

static void constant_expressions(void **state)
{
	static const struct {
		const char *text;
		int64_t value;
	} rows[] = {
		{"1+2*3", 7},
		{"(1+2)*3", 9},
		{"7-2-1", 4},
		{"-7/2", -3},
		{"-7 % 3", -1},
		{"0xFFU", 255},
		{"017", 15},
		{"0b101", 5},
		{"1<<4|3", 19},
		{"~0", -1},
		{"!5", 0},
		{"!0", 1},
		{"-1>>1", -1},
		{"0xFFFFFFFFFFFFFFFF>>60", 15},
		{"-1 < 0", 1},
		{"(.u64) -1 < 0", 0},
		{"-1 < 0U", 0},
		{"3 == 3 && 2 != 2 || 1", 1},
		{"1 ? 2 : 3", 2},
		{"0 ? 2 : 0 ? 3 : 4", 4},
		{"5 & 6 ^ 1", 5},
		{"10 / 3 * 3", 9},
		{"WARP_SZ * 2", 64},
		{"1 << 64", 0},
		{"2 >= 3", 0},
		{"2 <= 3", 1},
		{"- - 4", 4},
		{"(.s64) 4", 4},
		{"0x8000000000000000 / 2", INT64_C(1) << 62},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		const struct ptx_insn *mov = insn(arena_printf(arena, "mov.b64 %%d1, %s;", rows[i].text));
		if (mov->operands[1].value != rows[i].value)
			fail_msg("%s gave %" PRId64, rows[i].text, mov->operands[1].value);
	}
	assert_int_equal(insn("ld.shared.u32 %r1, [%r2+8-2*3];")->operands[1].value, 2);
	assert_int_equal(insn("mov.u64 %d1, sym-4+1;")->operands[1].value, -3);
}

static void array_elements_are_addresses(void **state)
{
	struct ptx_function *f = body(".shared .f64 a[4]; ld.shared.f64 %fd1, a[2];");
	(void)state;
	assert_int_equal(f->insns[0].operands[1].kind, OPERAND_ADDRESS);
	assert_string_equal(f->insns[0].operands[1].symbol, "a");
	assert_int_equal(f->insns[0].operands[1].value, 16);
}

static void an_index_in_a_register_makes_an_unknown_address(void **state)
{
	struct ptx_module *module = parse_any(HEAD ".global .u32 a[4];\n.entry k() {\n.reg .b32 %r<4>;\n"
	                                           "ld.global.u32 %r1, a[%r2+1];\nadd.s32 %r1, %r1, %r1;\n}\n");
	const struct ptx_function *f = &module->functions[0];
	(void)state;
	assert_warning("the address of an element whose index is a register is not followed", 7, 20);
	assert_int_equal(f->insns[0].operands[1].kind, OPERAND_ADDRESS);
	assert_null(f->insns[0].operands[1].symbol);
	assert_int_equal(f->register_count, 2);
	assert_true(f->insns[0].operands[1].reg != f->insns[0].operands[0].reg);
}

static void parts_of_registers_are_the_registers(void **state)
{
	struct ptx_function *f = body("vadd.u32.u32.u32 %r1, %r2.b0, %r3.h1; mov.u32 %r2, %r3;");
	(void)state;
	assert_int_equal(f->insns[0].operands[1].reg, f->insns[1].operands[0].reg);
	assert_int_equal(f->insns[0].operands[2].reg, f->insns[1].operands[1].reg);
}

/* ---- registers and scopes ------------------------------------------------------------------------ */

static void registers_are_numbered_by_first_use(void **state)
{
	struct ptx_function *f = body("add.s32 %r5, %r3, %r5;\n@%p2 mov.u32 %r0, 1;");
	(void)state;
	assert_int_equal(f->register_count, 4);
	assert_string_equal(f->registers[0].name, "%r5");
	assert_string_equal(f->registers[1].name, "%r3");
	assert_int_equal(f->registers[0].type, PTX_b32);
	assert_int_equal(f->registers[3].type, PTX_pred);
	assert_int_equal(f->insns[0].operands[2].reg, 0);
}

static void nested_scopes_have_their_own_registers(void **state)
{
	struct ptx_function *f =
		body("mov.u32 %r1, 1;\n{ .reg .u32 %r1, %t; mov.u32 %r1, 2; mov.u32 %t, %r2; }\n"
	             "{ .reg .f32 %r<2>; mov.f32 %r1, 0f00000000; mov.u32 %r2, 2; }\nmov.u32 %r1, %r2;");
	uint32_t outer = f->insns[0].operands[0].reg;
	(void)state;
	assert_true(f->insns[1].operands[0].reg != outer);
	assert_true(f->insns[3].operands[0].reg != outer);
	assert_int_equal(f->registers[f->insns[3].operands[0].reg].type, PTX_f32);
	assert_int_equal(f->insns[4].operands[0].reg, f->insns[2].operands[1].reg);
	assert_int_equal(f->insns[5].operands[0].reg, outer);
	assert_int_equal(f->insns[5].operands[1].reg, f->insns[2].operands[1].reg);
}

static void register_names_that_end_in_digits(void **state)
{
	struct ptx_function *f = body(".reg .b64 %r1<30>; mov.b64 %r112, 0; mov.b32 %r8, 0; mov.b64 %r10, 0;");
	(void)state;
	assert_int_equal(f->registers[0].type, PTX_b64);
	assert_int_equal(f->registers[1].type, PTX_b32);
	assert_int_equal(f->registers[2].type, PTX_b64);
}

static void undeclared_registers_are_warned_of(void **state)
{
	(void)state;
	assert_non_null(parse_any(HEAD ".entry k() {\n.reg .b32 %r<5>;\nmov.u32 %r5, %r4;\n}\n"));
	assert_warning("the register '%r5' is not declared", 6, 9);
}

static void vector_registers_stand_for_their_elements(void **state)
{
	struct ptx_function *f =
		body(".reg .v2 .f32 v; mov.f32 v.y, 1.0; ld.global.v2.f32 v, [%d1]; mov.f32 %f1, v.x;");
	(void)state;
	assert_string_equal(f->registers[0].name, "v.y");
	assert_int_equal(f->insns[1].operands[0].kind, OPERAND_VECTOR);
	assert_int_equal(f->insns[1].operands[0].elements[1].reg, 0);
	assert_int_equal(f->insns[1].operands[0].elements[0].reg, f->insns[2].operands[1].reg);
}

/* ---- labels ------------------------------------------------------------------------------------------ */

static void labels_are_instruction_indices(void **state)
{
	struct ptx_function *f = body("A: bra %b;\nmov.u32 %r1, 1;\n%b: @%p1 bra A;\nbra.uni END;\nEND:");
	(void)state;
	assert_int_equal(f->insns[0].operands[0].kind, OPERAND_LABEL);
	assert_int_equal(f->insns[0].operands[0].value, 2);
	assert_int_equal(f->insns[2].operands[0].value, 0);
	assert_int_equal(f->insns[3].operands[0].value, 4);
	assert_true(f->insns[3].uniform);
	assert_int_equal(f->insn_count, 4);
}

static void each_scope_has_its_own_labels(void **state)
{
	struct ptx_function *f = body("W: bra D;\n{ W: bra D; bra W; bra OUT; D: mov.u32 %r1, 1; }\n"
	                              "{ W: bra D; { bra W; } D: mov.u32 %r1, 2; }\nD: bra W; OUT: ret;");
	(void)state;
	assert_int_equal(f->insns[0].operands[0].value, 8);
	assert_int_equal(f->insns[1].operands[0].value, 4);
	assert_int_equal(f->insns[2].operands[0].value, 1);
	assert_int_equal(f->insns[3].operands[0].value, 9);
	assert_int_equal(f->insns[5].operands[0].value, 7);
	assert_int_equal(f->insns[6].operands[0].value, 5);
	assert_int_equal(f->insns[8].operands[0].value, 0);
}

static void indexed_branches_carry_their_targets(void **state)
{
	struct ptx_function *f = body("T: .branchtargets A, B, A;\nbrx.idx %r1, T;\nA: ret;\nB: exit;");
	const struct ptx_operand *list = &f->insns[0].operands[1];
	(void)state;
	assert_int_equal(list->kind, OPERAND_VECTOR);
	assert_int_equal(list->count, 3);
	assert_int_equal(list->elements[1].kind, OPERAND_LABEL);
	assert_int_equal(list->elements[1].value, 2);
	assert_int_equal(list->elements[2].value, 1);
}

/* ---- functions and calls --------------------------------------------------------------------------------- */

static void calls_give_results_callee_arguments(void **state)
{
	struct ptx_module *module = parse(
		".extern .func (.param .b32 r) f (.param .b64 a, .param .b32 b);\n.func die () .noreturn;\n"
		".entry k() { .reg .b64 %d<4>; .param .b64 p; .param .b32 q; .param .b32 rv;\n"
		"call.uni (rv), f, (p, q);\npr: .callprototype (.param .b32 _) _ (.param .b64 _, .param .b32 _);\n"
		"call (rv), %d1, (p, q), pr;\ncall die;\nret; }");
	const struct ptx_function *k = ptx_module_find(module, "k");
	(void)state;
	assert_int_equal(k->insn_count, 4);
	assert_int_equal(k->insns[0].destinations, 1);
	assert_int_equal(k->insns[0].operand_count, 4);
	assert_string_equal(k->insns[0].operands[0].symbol, "rv");
	assert_string_equal(k->insns[0].operands[1].symbol, "f");
	assert_string_equal(k->insns[0].operands[3].symbol, "q");
	assert_true(k->insns[0].uniform);
	assert_int_equal(k->insns[1].operands[1].kind, OPERAND_REGISTER);
	assert_int_equal(k->insns[1].operand_count, 4);
	assert_int_equal(k->insns[2].destinations, 0);
	assert_true(k->insns[2].no_return);
	assert_true(ptx_insn_flags(&k->insns[2]) & FLAG_EXIT);
	assert_false(k->insns[0].no_return);
}

static void functions_have_parameters_results_and_attributes(void **state)
{
	struct ptx_module *module = parse(
		".func (.param .align 8 .b8 r[16]) f (.param .b32 a);\n"
		".visible .entry k (.param .u64 .ptr .global .align 1 a, .param .u8 b, .param .align 8 .b8 c[12],\n"
		".param .f64 d)\n"
		".maxntid 256, 2\n.reqntid 32\n.minnctapersm 3\n.maxnreg 64\n.pragma \"x\";\n{ ret; }\n"
		".func (.param .align 8 .b8 r[16]) f (.param .b32 a) { ret; }\n.alias g, f;\n");
	const struct ptx_function *k = ptx_module_find(module, "k"), *f = ptx_module_find(module, "f");
	(void)state;
	assert_int_equal(module->function_count, 2);
	assert_ptr_equal(f, &module->functions[0]);
	assert_true(f->has_body && !f->is_kernel);
	assert_int_equal(f->result_count, 1);
	assert_int_equal(f->results[0].count, 16);
	assert_true(k->is_kernel);
	assert_int_equal(k->parameter_count, 4);
	assert_int_equal(k->parameters[0].align_bytes, 8);
	assert_int_equal(k->parameters[1].offset, 8);
	assert_int_equal(k->parameters[2].offset, 16);
	assert_int_equal(k->parameters[2].count, 12);
	assert_int_equal(k->parameters[3].offset, 32);
	assert_int_equal(k->parameters[3].type, PTX_f64);
	assert_int_equal(k->maximum_threads[0], 256);
	assert_int_equal(k->maximum_threads[1], 2);
	assert_int_equal(k->maximum_threads[2], 1);
	assert_int_equal(k->required_threads[0], 32);
	assert_int_equal(k->minimum_blocks, 3);
	assert_int_equal(k->maximum_registers, 64);
}

/* ---- variables --------------------------------------------------------------------------------------------- */

static void variables_with_initial_values(void **state)
{
	struct ptx_module *module = parse(
		".global .align 4 .b8 a[8] = {1, 2, 255};\n.const .f32 b[] = {1.0, 0f40000000};\n"
		".global .u16 c[2][3] = {{1}, {2, 3}};\n.global .u64 d = generic(a)+0;\n.global .u32 e[2] = {a, 1};\n"
		".global .v2 .u8 f = {7, 8};\n.global .b8 g[4] = {0xFF(a), 0, mask(a)};\n"
		".global .samplerref s = {addr_mode_0 = wrap, force_unnormalized_coords = 1};\n"
		".extern .shared .align 16 .b8 h[];\n"
		".global .attribute(.managed) .s32 i, j[2];\n");
	static const uint8_t bytes_a[] = {1, 2, 255}, bytes_b[] = {0, 0, 128, 63, 0, 0, 0, 64};
	static const uint8_t bytes_c[] = {1, 0, 0, 0, 0, 0, 2, 0, 3, 0};
	const struct ptx_variable *v = module->variables;
	(void)state;
	assert_int_equal(module->variable_count, 11);
	assert_int_equal(v[0].count, 8);
	assert_int_equal(v[0].initial_bytes, 3);
	assert_memory_equal(v[0].initial, bytes_a, 3);
	assert_int_equal(v[1].count, 2);
	assert_memory_equal(v[1].initial, bytes_b, 8);
	assert_int_equal(v[2].count, 6);
	assert_int_equal(v[2].initial_bytes, 10);
	assert_memory_equal(v[2].initial, bytes_c, 10);
	assert_null(v[3].initial);
	assert_null(v[4].initial);
	assert_int_equal(v[5].count, 2);
	assert_int_equal(v[5].align_bytes, 2);
	assert_int_equal(v[5].initial[1], 8);
	assert_null(v[6].initial);
	assert_int_equal(v[7].type, PTX_samplerref);
	assert_true(v[8].is_extern && v[8].count == 0 && v[8].space == SPACE_SHARED);
	assert_int_equal(v[9].count, 1);
	assert_int_equal(v[10].count, 2);
}

static void variables_lie_apart_in_their_spaces(void **state)
{
	struct ptx_module *module = parse(".shared .b8 m[5];\n.extern .shared .b8 x[];\n.entry k() {\n"
	                                  ".shared .f64 a[2]; .local .align 16 .b8 s[20]; .shared .b8 b[3];\n"
	                                  ".local .b32 t; ret; }");
	const struct ptx_function *k = &module->functions[0];
	(void)state;
	assert_int_equal(module->variables[0].offset, 0);
	assert_int_equal(k->local_count, 4);
	assert_int_equal(k->locals[0].offset, 8);
	assert_int_equal(k->locals[2].offset, 24);
	assert_int_equal(k->shared_bytes, 27);
	assert_int_equal(k->locals[1].offset, 0);
	assert_int_equal(k->locals[3].offset, 20);
	assert_int_equal(k->local_bytes, 24);
	assert_ptr_equal(ptx_variable_find(module, k, "b"), &k->locals[2]);
	assert_ptr_equal(ptx_variable_find(module, k, "m"), &module->variables[0]);
	assert_null(ptx_variable_find(module, NULL, "a"));
}

/* ---- places ---------------------------------------------------------------------------------------------------- */

static void places_follow_inlining(void **state)
{
	struct ptx_module *module =
		parse(".entry k() {\nret;\n.loc 1 3 7\nret;\n.loc 2 5 1, function_name $I, inlined_at 1 3 7\nret;\n"
	              ".loc 2 9 2, function_name $I+3, inlined_at 2 5 1\nret;\n.loc 1 3 7\nret;\n}\n"
	              ".file 1 \"a.cu\"\n.file 2 \"dir/b.h\", 5, 6\n.section .debug_str { $I: .b8 102,111,0,103\n.b8 "
	              "0\n }\n");
	const struct ptx_function *k = &module->functions[0];
	const struct ptx_place *places = module->places;
	(void)state;
	assert_int_equal(k->insns[0].place, 0);
	assert_null(places[0].place.file);
	assert_string_equal(places[k->insns[1].place].place.file, "a.cu");
	assert_int_equal(places[k->insns[1].place].place.line, 3);
	assert_int_equal(places[k->insns[1].place].place.column, 7);
	assert_null(places[k->insns[1].place].function);
	assert_string_equal(places[k->insns[2].place].place.file, "dir/b.h");
	assert_string_equal(places[k->insns[2].place].function, "fo");
	assert_int_equal(places[k->insns[2].place].inlined_at, k->insns[1].place);
	assert_string_equal(places[k->insns[3].place].function, "g");
	assert_int_equal(places[k->insns[3].place].inlined_at, k->insns[2].place);
	assert_int_equal(k->insns[4].place, k->insns[1].place);
	assert_int_equal(module->place_count, 4);
}

static void debug_sections_are_skipped(void **state)
{
	struct ptx_module *module =
		parse(".section .debug_info {\n.b32 .debug_abbrev\nL: .b64 A-L\n.b64 A+4\n.b8 -1, 2\n"
	              ".b32 .debug_line+8\n}\n.entry k() { ret; }");
	(void)state;
	assert_int_equal(module->function_count, 1);
}

static void comments_and_lines(void **state)
{
	struct ptx_function *f = body("// ret;\n/* ret;\n ** // */ ret; /* */ /**/ exit; // x");
	(void)state;
	assert_int_equal(f->insn_count, 2);
	assert_int_equal(f->insns[0].line, 8);
	assert_int_equal(f->insns[1].operation, OP_exit);
}

/* ---- errors ---------------------------------------------------------------------------------------- */

static void what_is_cut_off_is_an_error(void **state)
{
	(void)state;
	assert_error(HEAD ".entry k() {\nret;\n", "unexpected end of file", 6, 1);
}

static void a_missing_brace_is_found_at_the_next_function(void **state)
{
	(void)state;
	assert_error(HEAD ".entry k() {\nret;\n.entry l() { ret; }\n", "unexpected .entry", 6, 1);
}

static void a_cut_number_is_an_error(void **state)
{
	(void)state;
	assert_error(HEAD ".entry k() { mov.f32 %f1, 0f3F80", "this is neither a number nor a name", 4, 27);
}

static void an_open_comment_is_an_error(void **state)
{
	(void)state;
	assert_error(HEAD "/* never\nclosed", "the comment is not closed", 4, 1);
}

static void an_open_string_is_an_error(void **state)
{
	(void)state;
	assert_error(HEAD ".file 1 \"x.cu\n", "the string is not closed", 4, 9);
}

static void a_syntax_error_names_what_was_expected(void **state)
{
	(void)state;
	assert_error(HEAD ".entry k() {\n  add.s32 %r1 %r2;\n}\n", "unexpected a name, expecting ';'", 5, 15);
}

static void text_that_is_no_ptx(void **state)
{
	(void)state;
	assert_error("", "there is no .version directive: this is not PTX", 1, 1);
}

static void a_picture_is_no_ptx(void **state)
{
	(void)state;
	assert_error("\x89PNG\r\n\x1a\n", "unexpected character", 1, 1);
}

static void a_branch_to_nowhere_is_an_error(void **state)
{
	(void)state;
	assert_error(HEAD ".entry k() {\n { L: ret; }\n  bra L;\n}\n", "there is no label 'L'", 6, 3);
}

static void a_label_twice_is_an_error(void **state)
{
	(void)state;
	assert_error(HEAD ".entry k() {\nL: ret;\nL: ret;\n}\n", "the label 'L' is defined twice", 6, 1);
}

static void a_function_twice_is_an_error(void **state)
{
	(void)state;
	assert_error(HEAD ".entry k() { ret; }\n.entry k() { ret; }\n", "the function 'k' is defined twice", 5, 8);
}

static void division_by_zero_is_an_error(void **state)
{
	(void)state;
	assert_error(HEAD ".global .u32 a = 1/0;\n", "division by zero", 4, 20);
}

static void too_many_values_are_an_error(void **state)
{
	(void)state;
	assert_error(HEAD ".global .u32 a[2] = {1, 2, 3};\n", "more initial values than the variable has room for", 4,
	             29);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_mnemonic_of_the_table_is_known),
		TEST(modifiers_are_decoded),
		TEST(the_longest_mnemonic_decides),
		TEST(the_type_chooses_the_unit),
		TEST(unknown_instructions_are_opaque_with_one_warning),
		TEST(unknown_directives_are_warned_of),
		TEST(warnings_do_not_grow_without_bound),
		TEST(operands_of_all_kinds),
		TEST(texture_operands_are_an_address_and_a_vector),
		TEST(pairs_are_two_destinations),
		TEST(an_address_in_front_is_no_destination),
		TEST(guards),
		TEST(literals_fit_the_type_of_the_instruction),
		TEST(constant_expressions),
		TEST(array_elements_are_addresses),
		TEST(an_index_in_a_register_makes_an_unknown_address),
		TEST(parts_of_registers_are_the_registers),
		TEST(registers_are_numbered_by_first_use),
		TEST(nested_scopes_have_their_own_registers),
		TEST(register_names_that_end_in_digits),
		TEST(undeclared_registers_are_warned_of),
		TEST(vector_registers_stand_for_their_elements),
		TEST(labels_are_instruction_indices),
		TEST(each_scope_has_its_own_labels),
		TEST(indexed_branches_carry_their_targets),
		TEST(calls_give_results_callee_arguments),
		TEST(functions_have_parameters_results_and_attributes),
		TEST(variables_with_initial_values),
		TEST(variables_lie_apart_in_their_spaces),
		TEST(places_follow_inlining),
		TEST(debug_sections_are_skipped),
		TEST(comments_and_lines),
		TEST(what_is_cut_off_is_an_error),
		TEST(a_missing_brace_is_found_at_the_next_function),
		TEST(a_cut_number_is_an_error),
		TEST(an_open_comment_is_an_error),
		TEST(an_open_string_is_an_error),
		TEST(a_syntax_error_names_what_was_expected),
		TEST(text_that_is_no_ptx),
		TEST(a_picture_is_no_ptx),
		TEST(a_branch_to_nowhere_is_an_error),
		TEST(a_label_twice_is_an_error),
		TEST(a_function_twice_is_an_error),
		TEST(division_by_zero_is_an_error),
		TEST(too_many_values_are_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
