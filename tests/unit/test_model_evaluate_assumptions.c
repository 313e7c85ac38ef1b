/*
 * What an evaluation assumes of data: special cases of arithmetic do not occur, an unknown index stays within its
 * table, a guard on data leaves what does not depend on it alone; and the verifier notices counts that cannot be.
 */
#include "model/execute/execute.h"
#include "model/execute/trace/trace.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define HEAD                                                                                                           \
	".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"k.cu\"\n"                                            \
	".global .align 16 .b8 table[128] = {1};\n"
#define KERNEL                                                                                                         \
	".visible .entry k(.param .u64 p, .param .u32 n) {\n"                                                          \
	".reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %d<20>; .reg .f32 %f<9>; .reg .f64 %g<9>;\n"                    \
	".loc 1 1 1\n"                                                                                                 \
	"ld.param.u64 %d1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; mul.wide.u32 %d2, %r2, 4; add.s64 %d3, "   \
	"%d1, %d2;\n"

struct launch {
	struct arena *arena;
	struct evaluate_input input;
	struct evaluation *evaluation;
	struct memory_buffer buffer;
	struct argument arguments[2];
};

/* One block of 64 threads runs the body; n is 100. */
static void launch(struct launch *launch, const char *body)
{
	struct arena *arena = arena_create();
	const char *text = arena_printf(arena, "%s%s%s ret; }\n", HEAD, KERNEL, body);
	struct diagnostics diagnostics;
	struct ptx_function *function;

	*launch = (struct launch){.arena = arena, .buffer = {.name = "p", .bytes = 65536}};
	launch->arguments[0] = (struct argument){.kind = ARGUMENT_POINTER};
	launch->arguments[1] = (struct argument){.kind = ARGUMENT_VALUE, .value = 100};
	launch->input = (struct evaluate_input){.grid = {1, 1, 1},
	                                        .block = {64, 1, 1},
	                                        .arguments = launch->arguments,
	                                        .buffers = &launch->buffer,
	                                        .buffer_count = 1,
	                                        .branch_probability = 0.5};
	diagnostics_init(&diagnostics, arena);
	launch->input.module = ptx_parse(arena, "k.ptx", text, strlen(text), &diagnostics);
	if (!launch->input.module)
		fail_msg("%s", diagnostics.list[0].message);
	launch->input.function = function = ptx_module_find(launch->input.module, "k");
	ptx_function_analyse(arena, function);
	launch->evaluation = exec_evaluate(arena, &launch->input);
}

/* Of the n-th instruction with that spelling. */
static const struct insn_totals *totals_of(const struct launch *launch, const char *spelling, unsigned n)
{
	const struct ptx_function *function = launch->input.function;

	for (size_t i = 0; i < function->insn_count; i++)
		if (strcmp(function->insns[i].spelling, spelling) == 0 && n-- == 0)
			return &launch->evaluation->insns[i];
	fail_msg("no %s", spelling);
	return NULL;
}

static void expect_assumed(const struct launch *launch, unsigned count, const char *first)
{
	if (launch->evaluation->assumption_count != count ||
	    (count && !strstr(launch->evaluation->assumptions[0].text, first)))
		fail_msg("%u assumed, the first one: %s", launch->evaluation->assumption_count,
		         launch->evaluation->assumption_count ? launch->evaluation->assumptions[0].text : "none");
}

/* Stores that each body leaves unexecuted where the number is an ordinary one, and those that all lanes execute. */
static void expect_skipped(const char *test, bool holds)
{
	struct launch run;
	char body[1024];

	snprintf(body, sizeof body,
	         "ld.global.f32 %%f1, [%%d3]; ld.global.f64 %%g1, [%%d3]; mov.b32 %%r3, %%f1; abs.f32 %%f2, %%f1; "
	         "abs.f64 %%g2, "
	         "%%g1;\n%s\n"
	         "@%%p1 bra YES; st.global.u8 [%%d3], %%r2; bra END; YES: st.global.u16 [%%d3], %%r2; END:",
	         test);
	launch(&run, body);
	if (totals_of(&run, "st.global.u16", 0)->lanes != (holds ? 64 : 0) ||
	    totals_of(&run, "st.global.u8", 0)->lanes != (holds ? 0 : 64))
		fail_msg("%s: %g lanes take the branch", test, totals_of(&run, "st.global.u16", 0)->lanes);
	expect_assumed(&run, 1, "special cases of arithmetic");
	assert_true(run.evaluation->assumptions[0].usual);
	assert_false(run.evaluation->exact);
	arena_release(run.arena);
}

static void test_special_cases(void **state)
{
	(void)state;
	expect_skipped("setp.ltu.f32 %p1, %f2, 0f47CE4780;", true);
	expect_skipped("setp.ge.f32 %p1, %f2, 0f47CE4780;", false);
	expect_skipped("setp.ltu.f64 %p1, %g2, 0d41E0000000000000;", true);
	expect_skipped("setp.eq.f32 %p1, %f2, 0f7F800000;", false);
	expect_skipped("setp.gtu.f64 %p1, %g2, 0d7FF0000000000000;", false);
	expect_skipped("setp.lt.u32 %p1, %r3, 2139095040;", true);
	expect_skipped("setp.gt.u32 %p1, %r3, 2139095039;", false);
	expect_skipped("setp.nan.f32 %p1, %f1, %f1;", false);
	expect_skipped("setp.num.f32 %p1, %f1, %f1;", true);
	expect_skipped("setp.gtu.f32 %p2, %f2, 0f7F800000; setp.eq.f32 %p3, %f1, 0f3F800000; or.pred %p1, %p2, %p3;",
	               false);
}

/* The same numbers where nothing says that a library function looks for them: half of the lanes. */
static void expect_half(const char *test)
{
	struct launch run;
	char body[1024];

	snprintf(body, sizeof body,
	         "ld.global.f32 %%f1, [%%d3]; mov.b32 %%r3, %%f1; abs.f32 %%f2, %%f1;\n%s\n@%%p1 bra YES; st.global.u8 "
	         "[%%d3], "
	         "%%r2; YES:",
	         test);
	launch(&run, body);
	if (totals_of(&run, "st.global.u8", 0)->lanes != 32)
		fail_msg("%s: %g lanes fall through", test, totals_of(&run, "st.global.u8", 0)->lanes);
	expect_assumed(&run, 1, "branch on data loaded from p: its condition is assumed to hold for 50 % of the lanes");
	arena_release(run.arena);
}

static void test_ordinary_comparisons(void **state)
{
	(void)state;
	expect_half("setp.eq.f32 %p1, %f1, 0f3F800000;");
	expect_half("setp.eq.f32 %p1, %f1, 0f00000000;");
	expect_half("setp.lt.f32 %p1, %f1, 0f7F800000;");
	expect_half("setp.gt.s32 %p1, %r3, 1048575;");
	expect_half("setp.lt.f32 %p1, %f2, 0f41000000;");
}

/* A program that waits for an infinite number does wait; known numbers are compared as they are. */
static void test_special_cases_that_matter(void **state)
{
	struct launch run;

	(void)state;
	launch(&run, "L: ld.global.f32 %f1, [%d3]; abs.f32 %f2, %f1; setp.lt.f32 %p1, %f2, 0f7F800000; @%p1 bra L;");
	expect_assumed(&run, 1, "trips of the loop depend on data loaded from p");
	arena_release(run.arena);
	launch(&run,
	       "mov.f32 %f1, 0f48000000; abs.f32 %f2, %f1; setp.ltu.f32 %p1, %f2, 0f47CE4780; @%p1 bra E; st.global.u8 "
	       "[%d3], %r2; E:");
	assert_true(totals_of(&run, "st.global.u8", 0)->lanes == 64);
	expect_assumed(&run, 0, "");
	arena_release(run.arena);
}

/* All lanes of both warps of a request that touches the table lie in its one line, whatever the data are. */
static void test_table(void **state)
{
	struct launch run;
	const uint32_t block[3] = {0, 0, 0};
	struct tracer *tracer;
	struct trace *trace;
	struct trace_event event;
	unsigned seen = 0;

	(void)state;
	launch(&run, "ld.global.u32 %r3, [%d3]; and.b32 %r3, %r3, 3; mul.wide.u32 %d4, %r3, 16; mov.u64 %d5, table; "
	             "add.s64 %d6, "
	             "%d5, %d4;\n"
	             "ld.global.nc.f64 %g1, [%d6]; ld.global.f32 %f1, [%d3+4096];");
	expect_assumed(&run, 1, "anywhere in table");
	assert_true(totals_of(&run, "ld.global.nc.f64", 0)->lines == 2);
	assert_true(totals_of(&run, "ld.global.nc.f64", 0)->is_table && !totals_of(&run, "ld.global.f32", 0)->is_table);
	assert_true(totals_of(&run, "ld.global.nc.f64", 0)->sectors <= 8);
	tracer = tracer_make(run.arena, &run.input);
	trace = trace_open(tracer, block, 0);
	while (trace_next(trace, &event)) {
		uint64_t address[WARP_LANES];

		if (event.kind != TRACE_REQUEST || event.bytes != 8)
			continue;
		seen++;
		trace_lanes(&event, address);
		for (unsigned lane = 0; lane < WARP_LANES; lane++)
			assert_true(address[lane] / 128 == address[0] / 128 && address[lane] % 8 == 0);
	}
	assert_int_equal(seen, 1);
	assert_true(trace_assumed(trace));
	trace_close(trace);
	arena_release(run.arena);
}

static void expect_events_alike(struct trace *a, struct trace *b)
{
	struct trace_event one, other;
	uint64_t lanes[2][WARP_LANES];
	bool more = true;

	while (more) {
		more = trace_next(a, &one);
		assert_int_equal(more, trace_next(b, &other));
		if (!more)
			break;
		assert_int_equal(one.kind, other.kind);
		assert_int_equal(one.insn, other.insn);
		assert_int_equal(one.mask, other.mask);
		trace_lanes(&one, lanes[0]);
		trace_lanes(&other, lanes[1]);
		assert_memory_equal(lanes[0], lanes[1], sizeof(lanes[0]));
	}
}

/* A warp whose events are kept tells them again, and goes on where it was left. */
static void test_kept(void **state)
{
	static const uint32_t block[3] = {0, 0, 0};
	struct launch run;
	struct tracer *plain, *keeping;

	(void)state;
	launch(&run, "ld.global.u32 %r3, [%d3]; and.b32 %r3, %r3, 3; mul.wide.u32 %d4, %r3, 16; mov.u64 %d5, table; "
	             "add.s64 %d6, "
	             "%d5, %d4;\n"
	             "ld.global.nc.f64 %g1, [%d6]; ld.global.f32 %f1, [%d3+4096];");
	plain = tracer_make(run.arena, &run.input);
	keeping = tracer_make(run.arena, &run.input);
	tracer_keep(keeping);
	for (unsigned events = 0; events < 4; events++) {
		struct trace *trace = trace_open(keeping, block, 0), *fresh;
		struct trace_event event;

		for (unsigned i = 0; i < events; i++)
			assert_true(trace_next(trace, &event));
		trace_close(trace);
		trace = trace_open(keeping, block, 0);
		fresh = trace_open(plain, block, 0);
		if (events == 3)
			expect_events_alike(trace, fresh);
		trace_close(trace);
		trace_close(fresh);
	}
	expect_events_alike(trace_open(keeping, block, 0), trace_open(plain, block, 0));
	arena_release(run.arena);
}

/* A pointer that is loaded leads anywhere, also beside a table. */
static void test_no_table(void **state)
{
	struct launch run;

	(void)state;
	launch(&run,
	       "ld.global.u64 %d4, [%d3]; mov.u64 %d5, table; add.s64 %d6, %d5, %d4; ld.global.nc.f64 %g1, [%d6];");
	expect_assumed(&run, 1, "anywhere, for each lane");
	assert_false(totals_of(&run, "ld.global.nc.f64", 0)->is_table);
	arena_release(run.arena);
}

/* A branch on a number that all lanes have in common moves a pointer on: where it is then is not known, but lanes stay
 * side by side. */
static void test_guarded_step(void **state)
{
	struct launch run;

	(void)state;
	launch(&run, "mov.u32 %r5, 0; L: ld.global.u32 %r3, [%d1]; setp.gt.s32 %p1, %r3, 0; @!%p1 bra M; add.s64 %d3, "
	             "%d3, 4096;\n"
	             "M: ld.global.f32 %f1, [%d3]; ld.global.f32 %f2, [%d2+512]; add.s32 %r5, %r5, 1; setp.lt.s32 %p2, "
	             "%r5, %r1; "
	             "@%p2 bra L;");
	assert_true(totals_of(&run, "ld.global.f32", 0)->sectors == 800);
	assert_true(totals_of(&run, "ld.global.f32", 0)->known < 1);
	assert_true(totals_of(&run, "ld.global.f32", 1)->sectors == 800);
	assert_true(totals_of(&run, "ld.global.f32", 1)->known == 1);
	expect_assumed(&run, 1, "its condition is assumed to hold for 50 % of the time, for all lanes alike");
	arena_release(run.arena);
}

/* Some lanes go a step further from a place that is not known: all are still where they are known to be from each
 * other. */
static void test_guarded_lanes(void **state)
{
	struct launch run;

	(void)state;
	launch(&run,
	       "ld.global.u32 %r3, [%d1]; add.s32 %r4, %r3, %r2; ld.global.u32 %r5, [%d3]; setp.gt.s32 %p1, %r5, 0; "
	       "@!%p1 bra M;\n"
	       "add.s32 %r4, %r4, 1024; M: mul.wide.s32 %d4, %r4, 4; add.s64 %d5, %d1, %d4; ld.global.f32 %f1, [%d5];");
	expect_assumed(&run, 1, "its condition is assumed to hold for 50 % of the lanes");
	assert_true(totals_of(&run, "ld.global.f32", 0)->lines <= 2 * 2);
	arena_release(run.arena);
	launch(&run, "ld.global.u32 %r3, [%d1]; add.s32 %r4, %r3, %r2; ld.global.u32 %r5, [%d3]; setp.gt.s32 %p1, %r5, "
	             "0; @!%p1 bra M;\n"
	             "ld.global.u32 %r4, [%d1+64]; M: mul.wide.s32 %d4, %r4, 4; add.s64 %d5, %d1, %d4; ld.global.f32 "
	             "%f1, [%d5];");
	expect_assumed(&run, 2, "its condition is assumed to hold for 50 % of the lanes");
	assert_non_null(strstr(run.evaluation->assumptions[1].text, "anywhere"));
	arena_release(run.arena);
}

/* ---- the verifier ---------------------------------------------------------------------- */

/* Whether exec_check() ends the program on these counts. */
static bool is_refused(const struct launch *run)
{
	int status = 0;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(1);
		exec_check(run->input.function, run->evaluation);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == EXIT_BUG));
	return WEXITSTATUS(status) == EXIT_BUG;
}

/* Sets a count to something that it cannot be, sees it refused, and puts it back. */
static void expect_refused(const struct launch *run, double *count, double wrong)
{
	double right = *count;

	*count = wrong;
	assert_true(is_refused(run));
	*count = right;
	assert_false(is_refused(run));
}

static void test_verifier(void **state)
{
	struct launch run;
	struct insn_totals *load;
	struct evaluation *evaluation;

	(void)state;
	launch(&run, "mov.u32 %r5, 0; L: ld.global.f32 %f1, [%d3]; add.s32 %r5, %r5, 1; setp.lt.s32 %p1, %r5, %r1; "
	             "@%p1 bra L;");
	evaluation = run.evaluation;
	load = (struct insn_totals *)totals_of(&run, "ld.global.f32", 0);
	assert_true(evaluation->exact && load->issued == 200 && load->lanes == 6400);
	assert_false(is_refused(&run));
	expect_refused(&run, &load->issued, -10);
	expect_refused(&run, &load->executions, 300);
	expect_refused(&run, &load->lanes, 33 * 200);
	expect_refused(&run, &load->sectors, NAN);
	expect_refused(&run, &load->sectors, 1e5);
	expect_refused(&run, &load->conflicts, load->wavefronts + 5);
	expect_refused(&run, &evaluation->warp_instructions, INFINITY);
	expect_refused(&run, &evaluation->warps, -1);
	expect_refused(&run, &evaluation->divergent_branches, -1);
	expect_refused(&run, &evaluation->loops[0].trips, NAN);
	expect_refused(&run, &evaluation->blocks[1].flow.lanes, evaluation->blocks[1].flow.lanes + 32);
	expect_refused(&run, &evaluation->blocks[1].edges[0].lanes, evaluation->blocks[1].edges[0].lanes + 1e4);
	arena_release(run.arena);
}

/* A vote on what always holds is cast by the lanes that are there: of those that data leave, the highest stores, and
 * their number of words. */
static void test_vote_of_some(void **state)
{
	struct launch run;

	(void)state;
	launch(&run, "ld.global.f32 %f1, [%d3]; setp.lt.f32 %p1, %f1, 0f3F000000; @%p1 bra END; vote.sync.ballot.b32 "
	             "%r5, 1, -1;\n"
	             "bfind.u32 %r6, %r5; mov.u32 %r7, %laneid; setp.eq.s32 %p2, %r6, %r7; @!%p2 bra END; popc.b32 "
	             "%r8, %r5;\n"
	             "mul.wide.u32 %d4, %r8, 4; add.s64 %d5, %d1, %d4; st.global.u32 [%d5], %r8; END:");
	const struct insn_totals *store = totals_of(&run, "st.global.u32", 0);
	assert_true(store->executions == 2 && store->lanes == 2 && store->known == 1);
	arena_release(run.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vote_of_some),
		cmocka_unit_test(test_special_cases),
		cmocka_unit_test(test_ordinary_comparisons),
		cmocka_unit_test(test_special_cases_that_matter),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_no_table),
		cmocka_unit_test(test_guarded_step),
		cmocka_unit_test(test_guarded_lanes),
		cmocka_unit_test(test_verifier),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
