/*
 * Launches whose declared content scatters addresses or decides branches, as nvcc compiled them
 * (tests/inputs/ptx/sampled): what is said with the default steps, from a sample, against the same with as many steps
 * as exactness takes. The difference must be within five of the standard errors that are stated with it, executions of
 * scattered requests must be exact, and the steps must not grow with the launch.
 */
#include "tests/ptx_interpreter/compare.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#define MOST_STEPS 80000
#define EXACT_STEPS 400000000

struct totals {
	double instructions, touched, executions;
};

static struct evaluation *evaluate_trial(struct arena *arena, const struct trial *trial, uint64_t step_limit,
                                         struct totals *totals)
{
	struct diagnostics diagnostics;
	struct evaluate_input input = {.arguments = trial->arguments,
	                               .buffers = trial->buffers,
	                               .buffer_count = trial->buffer_count,
	                               .branch_probability = 0.5,
	                               .step_limit = step_limit};
	struct ptx_function *function;
	struct evaluation *evaluation;

	diagnostics_init(&diagnostics, arena);
	input.module = ptx_parse(arena, trial->name, trial->text, strlen(trial->text), &diagnostics);
	assert_non_null(input.module);
	function = ptx_module_find(input.module, trial->kernel);
	assert_non_null(function);
	ptx_function_analyse(arena, function);
	input.function = function;
	memcpy(input.grid, trial->grid, sizeof(input.grid));
	memcpy(input.block, trial->block, sizeof(input.block));
	evaluation = exec_evaluate(arena, &input);
	*totals = (struct totals){.instructions = evaluation->warp_instructions};
	for (size_t i = 0; i < function->insn_count; i++) {
		totals->touched += evaluation->insns[i].sectors + evaluation->insns[i].wavefronts;
		totals->executions += evaluation->insns[i].executions;
	}
	return evaluation;
}

static bool is_near(double got, double truth, double share)
{
	return fabs(got - truth) <= share * truth;
}

static void check_trial(struct arena *arena, const struct trial *trial)
{
	struct totals got, truth, again;
	const struct evaluation *exact = evaluate_trial(arena, trial, EXACT_STEPS, &truth);
	const struct evaluation *sampled = evaluate_trial(arena, trial, 0, &got);
	double allowed = 5 * sampled->standard_error + 1e-9;

	if (!exact->exact || exact->sampled_warps)
		fail_msg("%s: %s is not exact with all steps", trial->name, trial->kernel);
	if (sampled->exact || !sampled->sampled_warps || !sampled->assumption_count)
		fail_msg("%s: %s was to be sampled", trial->name, trial->kernel);
	if (sampled->steps > MOST_STEPS)
		fail_msg("%s: %s took %lu steps", trial->name, trial->kernel, (unsigned long)sampled->steps);
	if (!(sampled->standard_error < 0.2))
		fail_msg("%s: %s: standard error %g", trial->name, trial->kernel, sampled->standard_error);
	if (!is_near(got.instructions, truth.instructions, allowed) || !is_near(got.touched, truth.touched, allowed))
		fail_msg("%s: %s: %.0f instructions, %.0f touched; exactly %.0f, %.0f; standard error %g, %lu warps",
		         trial->name, trial->kernel, got.instructions, got.touched, truth.instructions, truth.touched,
		         sampled->standard_error, (unsigned long)sampled->sampled_warps);
	if (!strncmp(trial->kernel, "gather", 6) &&
	    (got.instructions != truth.instructions || got.executions != truth.executions))
		fail_msg("%s: %s: only sectors may be estimated: %.17g instructions, %.17g executions; exactly %.17g, "
		         "%.17g",
		         trial->name, trial->kernel, got.instructions, got.executions, truth.instructions,
		         truth.executions);
	evaluate_trial(arena, trial, 0, &again);
	assert_memory_equal(&got, &again, sizeof(got));
}

static void test_scattered(void **state)
{
	struct arena *arena = arena_create();
	size_t count;
	struct trial *trials = trials_read(arena, "tests/inputs/ptx/sampled/scattered.ptx", &count);

	(void)state;
	assert_true(count >= 8);
	for (size_t i = 0; i < count; i++)
		check_trial(arena, &trials[i]);
	arena_release(arena);
}

/* Two members of a record that are both uniform are no copies of each other. */
static void test_members_are_independent(void **state)
{
	struct content content = {.kind = CONTENT_UNIFORM, .high = 1000, .element_bytes = 4, .stride_bytes = 12};
	struct content other = content;
	unsigned equal = 0;

	(void)state;
	other.seed = 4;
	for (int64_t i = 0; i < 10000; i++) {
		int64_t a = 0, b = 0;

		assert_true(content_value(&content, i, &a) && content_value(&other, i, &b));
		equal += a == b;
	}
	assert_in_range(equal, 1, 40);
}

/* Bytes of elements, whatever they are loaded by: halves of one, several in a row, none beyond the last. */
static void test_pieces(void **state)
{
	const int64_t values[] = {0x1122334455667788, -2};
	const struct content wide = {.kind = CONTENT_VALUES, .values = values, .count = 2, .element_bytes = 8};
	struct content_place place;
	uint64_t piece = 0;

	(void)state;
	assert_true(content_find(&wide, 0, &place) && content_piece(&place, 4, &piece) == 4);
	assert_int_equal(piece, 0x55667788);
	assert_true(content_find(&wide, 4, &place) && content_piece(&place, 8, &piece) == 4);
	assert_int_equal(piece, 0x11223344);
	assert_true(content_find(&wide, 14, &place) && content_piece(&place, 1, &piece) == 1);
	assert_int_equal(piece, 0xff);
	assert_true(content_find(&wide, 16, &place));
	assert_int_equal(content_piece(&place, 4, &piece), 0);
}

/* An element of a member has one value, wherever a layout puts it. */
static void test_members_in_layouts(void **state)
{
	const struct content records = {.kind = CONTENT_UNIFORM,
	                                .high = 1000,
	                                .seed = 5,
	                                .element_bytes = 4,
	                                .stride_bytes = 12,
	                                .offset_bytes = 4},
			     arrays = {.kind = CONTENT_UNIFORM, .high = 1000, .seed = 5, .element_bytes = 4},
			     tiles = {.kind = CONTENT_UNIFORM,
	                              .high = 1000,
	                              .seed = 5,
	                              .element_bytes = 4,
	                              .offset_bytes = 128,
	                              .tile = 32,
	                              .tile_bytes = 384};

	(void)state;
	for (int64_t i = 0; i < 1000; i++) {
		const struct content *lists[] = {&records, &arrays, &tiles};
		const int64_t offsets[] = {12 * i + 4, 4 * i, i / 32 * 384 + 128 + i % 32 * 4};
		uint64_t pieces[3];

		for (unsigned l = 0; l < 3; l++) {
			struct content_place place;

			assert_true(content_find(lists[l], offsets[l], &place) && place.index == i && place.byte == 0);
			assert_int_equal(content_piece(&place, 4, &pieces[l]), 4);
		}
		assert_true(pieces[0] == pieces[1] && pieces[1] == pieces[2]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_scattered),
	                                   cmocka_unit_test(test_members_are_independent),
	                                   cmocka_unit_test(test_pieces), cmocka_unit_test(test_members_in_layouts)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
