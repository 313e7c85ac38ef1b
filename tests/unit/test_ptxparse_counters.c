/* Loop counters, steps, bounds: the method of the thesis and the shapes that compilers give it. */
#include "ptxparse/ptxparse.h"

#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

static struct arena *arena;
static const struct ptx_function *function;

static int begin(void **state)
{
	(void)state;
	arena = arena_create();
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_release(arena);
	return 0;
}

static const struct ptx_cfg *analyse(const char *body)
{
	struct diagnostics diagnostics;
	char *text =
		arena_printf(arena,
	                     ".version 9.0\n.target sm_90\n.address_size 64\n.entry k() {\n"
	                     ".reg .pred %%p<9>; .reg .b32 %%r<30>; .reg .f32 %%f<9>; .reg .b64 %%d<9>;\n%s\nret;\n}\n",
	                     body);
	struct ptx_module *module;
	diagnostics_init(&diagnostics, arena);
	module = ptx_parse(arena, "test.ptx", text, strlen(text), &diagnostics);
	assert_non_null(module);
	assert_int_equal(diagnostics.count, 0);
	ptx_function_analyse(arena, &module->functions[0]);
	function = &module->functions[0];
	return function->cfg;
}

static const struct ptx_loop *only_loop(const char *body)
{
	const struct ptx_cfg *cfg = analyse(body);
	assert_int_equal(cfg->loop_count, 1);
	return &cfg->loops[0];
}

static void assert_counter(const struct ptx_loop *loop, const char *name, int64_t step, unsigned compare)
{
	assert_int_not_equal(loop->counter, PTX_NO_REGISTER);
	assert_string_equal(function->registers[loop->counter].name, name);
	assert_true(loop->step == step);
	assert_int_equal(loop->compare_insn, compare);
}

static void assert_no_counter(const struct ptx_loop *loop)
{
	assert_int_equal(loop->counter, PTX_NO_REGISTER);
	assert_int_equal(loop->step, 0);
	assert_int_equal(loop->compare_insn, UINT32_MAX);
}

/* Section 3.3: the setp that decides the back branch, the add in the body. */
static void the_method_of_the_thesis(void **state)
{
	const struct ptx_loop *loop = only_loop("mov.u32 %r1, 0;\nL: add.f32 %f1, %f1, %f2; add.s32 %r1, %r1, 4;\n"
	                                        "setp.lt.s32 %p1, %r1, %r2;\n@%p1 bra L;");
	(void)state;
	assert_counter(loop, "%r1", 4, 3);
	assert_int_equal(loop->bound.kind, OPERAND_REGISTER);
	assert_string_equal(function->registers[loop->bound.reg].name, "%r2");
	assert_true(loop->innermost);
	assert_int_equal(loop->depth, 1);
}

static void a_counter_that_goes_down_to_zero(void **state)
{
	const struct ptx_loop *loop = only_loop("L: add.s32 %r1, %r1, -4; setp.ne.s32 %p1, %r1, 0; @%p1 bra L;");
	(void)state;
	assert_counter(loop, "%r1", -4, 1);
	assert_int_equal(loop->bound.kind, OPERAND_IMMEDIATE);
	assert_int_equal(loop->bound.value, 0);
}

static void subtraction_counts_down(void **state)
{
	(void)state;
	assert_counter(only_loop("L: sub.s32 %r1, %r1, 3; setp.gt.s32 %p1, %r1, %r2; @%p1 bra L;"), "%r1", -3, 1);
}

static void a_pointer_counts(void **state)
{
	(void)state;
	assert_counter(only_loop("L: add.s64 %d1, %d1, 48; setp.ne.s64 %p1, %d1, %d2; @%p1 bra L;"), "%d1", 48, 1);
}

static void the_counter_may_stand_on_the_right(void **state)
{
	const struct ptx_loop *loop = only_loop("L: add.s32 %r1, %r1, 2; setp.gt.s32 %p1, %r2, %r1; @%p1 bra L;");
	(void)state;
	assert_counter(loop, "%r1", 2, 1);
	assert_string_equal(function->registers[loop->bound.reg].name, "%r2");
}

static void copies_are_followed(void **state)
{
	(void)state;
	assert_counter(
		only_loop("mov.u32 %r1, 0;\nL: mov.u32 %r2, %r1; add.s32 %r3, %r2, 5; setp.lt.s32 %p1, %r3, %r9;\n"
	                  "mov.u32 %r1, %r3; @%p1 bra L;"),
		"%r3", 5, 3);
}

static void several_additions_add_up(void **state)
{
	(void)state;
	assert_counter(only_loop("L: add.s32 %r2, %r1, 5; add.s32 %r1, %r2, -2; setp.lt.s32 %p1, %r1, 90; @%p1 bra L;"),
	               "%r1", 3, 2);
}

/* What is compared is ahead of the counter by a constant, which is no part of the step. */
static void the_compared_value_may_run_ahead(void **state)
{
	(void)state;
	assert_counter(only_loop("L: add.s32 %r2, %r1, 5; add.s32 %r1, %r1, 2; setp.lt.s32 %p1, %r2, 90; @%p1 bra L;"),
	               "%r2", 2, 2);
}

/* Without optimisation: the test stands in the header, negated, and the branch back is unconditional. */
static void the_test_may_stand_in_the_header(void **state)
{
	(void)state;
	assert_counter(only_loop("H: setp.lt.s32 %p1, %r1, %r5; not.pred %p2, %p1; @%p2 bra E;\n"
	                         "add.f32 %f1, %f1, %f1; add.s32 %r1, %r1, 1; bra.uni H;\nE:"),
	               "%r1", 1, 0);
}

static void the_test_may_stand_in_the_middle(void **state)
{
	(void)state;
	assert_counter(only_loop("H: @%p5 bra M; add.f32 %f1, %f1, %f1;\nM: setp.ge.s32 %p1, %r1, %r5; @%p1 bra E;\n"
	                         "add.s32 %r1, %r1, 7; bra.uni H;\nE:"),
	               "%r1", 7, 2);
}

static void an_early_exit_does_not_hide_the_counter(void **state)
{
	(void)state;
	assert_counter(only_loop("H: setp.eq.s32 %p2, %r7, 3; @%p2 bra E; add.s32 %r1, %r1, 1;\n"
	                         "setp.lt.s32 %p1, %r1, %r5; @%p1 bra H;\nE:"),
	               "%r1", 1, 3);
}

static void a_step_that_is_no_constant_is_zero(void **state)
{
	(void)state;
	assert_counter(only_loop("L: add.s32 %r1, %r1, %r8; setp.lt.s32 %p1, %r1, %r2; @%p1 bra L;"), "%r1", 0, 1);
}

static void what_is_no_counter(void **state)
{
	(void)state;
	assert_no_counter(only_loop("L: ld.global.u32 %r1, [%d1]; setp.ne.s32 %p1, %r1, 0; @%p1 bra L;"));
	assert_no_counter(only_loop("L: shl.b32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 64; @%p1 bra L;"));
	assert_no_counter(only_loop("L: add.s32 %r2, %r2, 1; @%p1 bra L;"));
	assert_no_counter(only_loop("L: add.s32 %r2, %r2, 1; bra L;"));
	assert_no_counter(only_loop("L: add.f32 %f1, %f1, %f2; setp.lt.f32 %p1, %f1, %f3; @%p1 bra L;"));
}

/* Added twice on one path and once on the other, or only under a condition: no step. */
static void conditional_updates_are_no_step(void **state)
{
	(void)state;
	assert_no_counter(only_loop("L: @%p2 add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, %r2; @%p1 bra L;"));
	assert_no_counter(only_loop("L: @%p2 bra M; add.s32 %r1, %r1, 1;\nM: setp.lt.s32 %p1, %r1, %r2; @%p1 bra L;"));
	assert_no_counter(only_loop("L: add.s32 %r1, %r1, 1; @%p2 bra M; add.s32 %r1, %r1, 1;\n"
	                            "M: setp.lt.s32 %p1, %r1, %r2; @%p1 bra L;"));
}

static void an_inner_loops_addition_is_no_step_of_the_outer(void **state)
{
	const struct ptx_cfg *cfg = analyse("O: mov.u32 %r2, 0;\n"
	                                    "I: add.s32 %r2, %r2, 1; add.s32 %r1, %r1, 1;\n"
	                                    "setp.lt.s32 %p1, %r2, 9; @%p1 bra I;\n"
	                                    "setp.lt.s32 %p2, %r1, %r3; @%p2 bra O;");
	(void)state;
	assert_int_equal(cfg->loop_count, 2);
	assert_no_counter(&cfg->loops[0]);
	assert_false(cfg->loops[0].innermost);
	assert_counter(&cfg->loops[1], "%r2", 1, 3);
	assert_int_equal(cfg->loops[1].parent, 0);
	assert_int_equal(cfg->loops[1].depth, 2);
}

static void nests_have_a_counter_each(void **state)
{
	const struct ptx_cfg *cfg = analyse("mov.u32 %r1, 0;\nO: mov.u32 %r2, 0;\n"
	                                    "I: add.s32 %r2, %r2, 8; setp.ne.s32 %p1, %r2, 64; @%p1 bra I;\n"
	                                    "add.s32 %r1, %r1, 1; setp.ne.s32 %p2, %r1, %r3; @%p2 bra O;");
	(void)state;
	assert_counter(&cfg->loops[0], "%r1", 1, 6);
	assert_counter(&cfg->loops[1], "%r2", 8, 3);
}

static void an_irreducible_region_has_no_counter(void **state)
{
	const struct ptx_loop *loop =
		only_loop("@%p2 bra M;\nL: add.s32 %r1, %r1, 1;\nM: setp.lt.s32 %p1, %r1, 9; @%p1 bra L;");
	(void)state;
	assert_true(loop->irreducible);
	assert_no_counter(loop);
}

/* Two loops of one place, the bodies and steps given. */
#define UNROLLED(first, first_step, second, second_step)                                                               \
	".loc 1 5 3\n"                                                                                                 \
	"A: " first "add.s32 %r1, %r1, " first_step "; setp.ne.s32 %p1, %r1, 0; @%p1 bra A;\n"                         \
	"B: " second "add.s32 %r2, %r2, " second_step "; setp.ne.s32 %p2, %r2, 0; @%p2 bra B;"
#define LOAD "ld.global.f32 %f1, [%d1];"
#define LOAD_2 "ld.global.v2.f32 {%f1, %f2}, [%d1];"
#define STORE "st.global.f32 [%d2], %f1;"
#define ADD "add.f32 %f3, %f3, %f1;"

static void a_remainder_loop_tells_the_unroll_factor(void **state)
{
	const struct ptx_cfg *cfg = analyse(UNROLLED(LOAD_2 LOAD_2 STORE STORE STORE STORE, "-4", LOAD STORE, "-1"));
	(void)state;
	assert_int_equal(cfg->loops[0].unroll_factor, 4);
	assert_int_equal(cfg->loops[1].unroll_factor, 1);
	assert_int_equal(cfg->loops[1].remainder_of, 0);
	assert_int_equal(cfg->loops[0].remainder_of, PTX_NO_LOOP);
	cfg = analyse(UNROLLED(LOAD, "2", LOAD LOAD LOAD, "-3"));
	assert_int_equal(cfg->loops[1].unroll_factor, 3);
	assert_int_equal(cfg->loops[0].remainder_of, 1);
	cfg = analyse(UNROLLED(ADD ADD, "2", ADD, "1"));
	assert_int_equal(cfg->loops[0].unroll_factor, 2);
}

/* The source goes by 5: one counter by 20, the other by trips. */
static void the_counters_may_be_of_different_units(void **state)
{
	const struct ptx_cfg *cfg = analyse(UNROLLED(STORE STORE STORE STORE, "20", STORE, "1"));
	(void)state;
	assert_int_equal(cfg->loops[0].unroll_factor, 4);
	assert_int_equal(cfg->loops[1].remainder_of, 0);
}

static void loops_that_are_no_remainder_of_each_other(void **state)
{
	static const char *const bodies[] = {
		UNROLLED(LOAD LOAD LOAD LOAD STORE, "-4", LOAD STORE, "-1"), /* the stores do not fit */
		UNROLLED(LOAD LOAD LOAD, "-4", LOAD, "-1"),                  /* the step is no multiple */
		UNROLLED(LOAD, "-4", LOAD, "-1"),
		UNROLLED(LOAD LOAD, "-2", LOAD, "%r5"),
		".loc 1 4 3\nA: " LOAD LOAD "add.s32 %r1, %r1, 2; setp.ne.s32 %p1, %r1, 0; @%p1 bra A;\n"
		".loc 1 9 3\nB: " LOAD "add.s32 %r2, %r2, 1; setp.ne.s32 %p2, %r2, 0; @%p2 bra B;",
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(bodies); i++) {
		const struct ptx_cfg *cfg = analyse(bodies[i]);
		assert_int_equal(cfg->loop_count, 2);
		for (unsigned l = 0; l < 2; l++) {
			assert_int_equal(cfg->loops[l].unroll_factor, 1);
			assert_int_equal(cfg->loops[l].remainder_of, PTX_NO_LOOP);
		}
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_method_of_the_thesis),
		TEST(a_counter_that_goes_down_to_zero),
		TEST(subtraction_counts_down),
		TEST(a_pointer_counts),
		TEST(the_counter_may_stand_on_the_right),
		TEST(copies_are_followed),
		TEST(several_additions_add_up),
		TEST(the_compared_value_may_run_ahead),
		TEST(the_test_may_stand_in_the_header),
		TEST(the_test_may_stand_in_the_middle),
		TEST(an_early_exit_does_not_hide_the_counter),
		TEST(a_step_that_is_no_constant_is_zero),
		TEST(what_is_no_counter),
		TEST(conditional_updates_are_no_step),
		TEST(an_inner_loops_addition_is_no_step_of_the_outer),
		TEST(nests_have_a_counter_each),
		TEST(an_irreducible_region_has_no_counter),
		TEST(a_remainder_loop_tells_the_unroll_factor),
		TEST(the_counters_may_be_of_different_units),
		TEST(loops_that_are_no_remainder_of_each_other),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
