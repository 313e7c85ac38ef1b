/* What must hold of estimates, what no launch can be faster than, and which launches run. */
#include "model/cost/cost.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

static const struct machine *h200(struct arena *arena)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	const struct machine *machine = machine_load(arena, "h200", &diagnostics);
	assert_non_null(machine);
	return machine;
}

static struct estimate good_estimate(void)
{
	struct estimate estimate = {.cycles_per_warp = 100, .time_seconds = 1e-6, .occupancy = 0.5};
	estimate.counts = (struct counts){.warp_instructions = 1000,
	                                  .ld_requests = 10,
	                                  .ld_sectors = 40,
	                                  .l1_hit_rate = NAN,
	                                  .l2_read_sectors = 40,
	                                  .l2_hit_rate = 0.5};
	return estimate;
}

/* ---- check.c ------------------------------------------------------------------------- */

static void assert_broken(const struct launch_view *view, struct estimate estimate, const char *part)
{
	const char *problem = cost_check(view, &estimate);
	if (!problem || !strstr(problem, part))
		fail_msg("'%s' does not speak of '%s'", problem ? problem : "nothing", part);
}

static void test_checks(void **state)
{
	struct arena *arena = arena_create();
	struct launch_view view = {.machine = h200(arena)};
	struct limit limit = {"issue", -1};
	struct access_estimate access = {.hit_rate = 1.5};
	struct estimate estimate = good_estimate();
	(void)state;
	assert_null(cost_check(&view, &estimate));
	estimate.time_seconds = NAN;
	assert_broken(&view, estimate, "time");
	estimate.time_seconds = INFINITY;
	assert_broken(&view, estimate, "time");
	estimate.time_seconds = 0;
	assert_broken(&view, estimate, "time is 0");
	estimate = good_estimate();
	estimate.counts.l2_hit_rate = 1.1;
	assert_broken(&view, estimate, "hit rate");
	estimate = good_estimate();
	estimate.counts.st_sectors = -1;
	assert_broken(&view, estimate, "count");
	estimate = good_estimate();
	estimate.occupancy = 2;
	assert_broken(&view, estimate, "occupancy");
	estimate = good_estimate();
	estimate.limits = &limit;
	estimate.limit_count = 1;
	assert_broken(&view, estimate, "limit");
	estimate = good_estimate();
	estimate.accesses = &access;
	estimate.access_count = 1;
	assert_broken(&view, estimate, "access");
	arena_release(arena);
}

/* One load executed 10 times, 40 sectors, in 1000 instructions: no more of either can be counted. */
static void test_traffic(void **state)
{
	struct arena *arena = arena_create();
	struct insn_totals totals = {.executions = 10, .sectors = 40};
	struct evaluation evaluation = {.insns = &totals, .warp_instructions = 1000};
	struct ptx_insn insn = {0};
	struct ptx_function function = {.insns = &insn, .insn_count = 1};
	struct launch_view view = {.machine = h200(arena), .ptx = {.function = &function, .evaluation = &evaluation}};
	struct counts counts = good_estimate().counts;
	double partitions = view.machine->l2_partitions.value;
	(void)state;
	assert_null(cost_traffic_check(&view, &counts));
	counts.l2_read_sectors = 40 * partitions + 1;
	assert_non_null(strstr(cost_traffic_check(&view, &counts), "sectors"));
	counts = good_estimate().counts;
	counts.ld_requests = 600;
	counts.st_requests = 401;
	assert_non_null(strstr(cost_traffic_check(&view, &counts), "requests"));
	arena_release(arena);
}

/* ---- floor.c ----------------------------------------------------------------------------- */

static void test_floors(void **state)
{
	struct arena *arena = arena_create();
	const struct machine *machine = h200(arena);
	struct estimate estimate = good_estimate();
	(void)state;
	cost_floor_apply(machine, &estimate);
	assert_true(estimate.time_seconds == 1e-6);
	cost_floor_note(arena, machine, "thesis", &estimate);
	assert_int_equal(estimate.note_count, 0);
	estimate.counts.dram_read_bytes = machine->dram_bandwidth_bytes_per_second.value * 1e-3;
	cost_floor_note(arena, machine, "thesis", &estimate);
	assert_int_equal(estimate.note_count, 1);
	assert_true(estimate.time_seconds == 1e-6);
	cost_floor_apply(machine, &estimate);
	assert_true(fabs(estimate.time_seconds - 1e-3) < 1e-12);
	assert_true(fabs(estimate.cycles_per_warp - 100e3) < 1e-6);
	assert_string_equal(estimate.bound, "dram");
	estimate.counts.warp_instructions = 1e12;
	cost_floor_apply(machine, &estimate);
	assert_string_equal(estimate.bound, "issue");
	estimate = good_estimate();
	estimate.time_seconds = 0;
	cost_floor_apply(machine, &estimate);
	assert_true(estimate.time_seconds == machine->launch_overhead_seconds.value);
	arena_release(arena);
}

/* ---- runs.c --------------------------------------------------------------------------------- */

static void test_launches_that_cannot_run(void **state)
{
	struct arena *arena = arena_create();
	struct kernel kernel = {.shared_bytes = 1024};
	struct launch_case launch = {.kernel = &kernel, .grid = {1, 1, 1}, .block = {1024, 1, 1}};
	struct kernel_resources resources = {.registers = 64, .shared_bytes = 1024};
	struct launch_view view = {.machine = h200(arena), .launch = &launch, .resources = &resources};
	(void)state;
	assert_null(cost_launch_problem(arena, &view));
	launch.block[1] = 2;
	assert_non_null(strstr(cost_launch_problem(arena, &view), "2048 threads"));
	launch.block[1] = 1;
	resources.registers = 65;
	assert_non_null(strstr(cost_launch_problem(arena, &view), "registers"));
	resources.registers = 64;
	launch.dynamic_shared_bytes = 1 << 20;
	assert_non_null(strstr(cost_launch_problem(arena, &view), "shared memory"));
	arena_release(arena);
}

/* What the programming guide says of every compute capability from 5.0 on. */
static void test_extents_that_cannot_run(void **state)
{
	struct arena *arena = arena_create();
	struct kernel kernel = {.shared_bytes = 0};
	struct launch_case launch = {.kernel = &kernel, .grid = {INT32_MAX, 65535, 65535}, .block = {1, 1, 64}};
	struct launch_view view = {.machine = h200(arena), .launch = &launch};
	(void)state;
	assert_null(cost_launch_problem(arena, &view));
	launch.block[2] = 65;
	assert_non_null(strstr(cost_launch_problem(arena, &view), "blockDim.z is 65, and at most 64"));
	launch.block[2] = 64;
	launch.grid[2] = 65536;
	assert_non_null(strstr(cost_launch_problem(arena, &view), "gridDim.z is 65536, and at most 65535"));
	launch.grid[0] = 1u << 31;
	assert_non_null(strstr(cost_launch_problem(arena, &view), "gridDim.x is 2147483648, and at most 2147483647"));
	launch.refused = (struct refused_extent){"gridDim", 1, -4};
	assert_non_null(strstr(cost_launch_problem(arena, &view), "gridDim.y is -4, and at least 1"));
	arena_release(arena);
}

/* Above 48 KB a launch has to ask first; an H200's block has at most 227 KB. */
static void test_shared_memory_of_a_block(void **state)
{
	struct arena *arena = arena_create();
	struct kernel kernel = {.name = "k", .shared_bytes = 1024};
	struct launch_case launch = {
		.kernel = &kernel, .grid = {1, 1, 1}, .block = {32, 1, 1}, .dynamic_shared_bytes = 47 << 10};
	struct launch_view view = {.machine = h200(arena), .launch = &launch};
	(void)state;
	assert_null(cost_launch_asks(arena, &view));
	launch.dynamic_shared_bytes = (47 << 10) + 1;
	assert_non_null(strstr(cost_launch_asks(arena, &view), "49153 bytes"));
	launch.dynamic_shared_bytes = 226 << 10;
	assert_null(cost_launch_problem(arena, &view));
	launch.dynamic_shared_bytes = (226 << 10) + 1;
	assert_non_null(strstr(cost_launch_problem(arena, &view), "at most 232448"));
	arena_release(arena);
}

static void test_clusters(void **state)
{
	struct arena *arena = arena_create();
	struct kernel kernel = {.name = "k"};
	struct launch_case launch = {.kernel = &kernel, .grid = {48, 1, 1}, .block = {32, 1, 1}};
	struct ptx_function function = {.cluster_blocks = {8, 1, 1}};
	struct launch_view view = {.machine = h200(arena), .launch = &launch, .ptx = {.function = &function}};
	(void)state;
	assert_null(cost_launch_problem(arena, &view));
	assert_null(cost_launch_asks(arena, &view));
	function.cluster_blocks[0] = 16;
	assert_null(cost_launch_problem(arena, &view));
	assert_non_null(strstr(cost_launch_asks(arena, &view), "16 blocks"));
	function.cluster_blocks[0] = 32;
	assert_non_null(strstr(cost_launch_problem(arena, &view), "a cluster has 32 blocks, and at most 16"));
	function.cluster_blocks[0] = 5;
	assert_non_null(strstr(cost_launch_problem(arena, &view), "no multiple of the cluster's 5"));
	arena_release(arena);
}

/* A store counts only where it is executed; reading parameters is no effect. */
static void test_launches_that_do_nothing(void **state)
{
	struct arena *arena = arena_create();
	struct insn_totals totals[2] = {{.executions = 1}, {.executions = 0}};
	struct evaluation evaluation = {.insns = totals};
	struct ptx_insn insns[2] = {{.operation = OP_ld, .space = SPACE_PARAM},
	                            {.operation = OP_st, .space = SPACE_GLOBAL}};
	struct ptx_function function = {.insns = insns, .insn_count = 2};
	struct kernel kernel = {.access_count = 1};
	struct launch_case launch = {.kernel = &kernel};
	struct launch_view view = {
		.machine = h200(arena), .launch = &launch, .ptx = {.function = &function, .evaluation = &evaluation}};
	(void)state;
	assert_true(cost_launch_does_nothing(&view));
	evaluation.warp_instructions = 1e9;
	assert_false(cost_launch_does_nothing(&view));
	evaluation.warp_instructions = 1;
	totals[1].executions = 1;
	assert_false(cost_launch_does_nothing(&view));
	view.ptx.evaluation = NULL;
	assert_false(cost_launch_does_nothing(&view));
	kernel.access_count = 0;
	assert_true(cost_launch_does_nothing(&view));
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_checks),
		cmocka_unit_test(test_traffic),
		cmocka_unit_test(test_floors),
		cmocka_unit_test(test_launches_that_cannot_run),
		cmocka_unit_test(test_extents_that_cannot_run),
		cmocka_unit_test(test_shared_memory_of_a_block),
		cmocka_unit_test(test_clusters),
		cmocka_unit_test(test_launches_that_do_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
