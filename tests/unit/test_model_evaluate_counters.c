/*
 * Requests and sectors of the five programs in all layouts against what Nsight Compute counted on an H200
 * (benchmarks/measured/counters-h200.json), from the PTX that was measured (tests/inputs/ptx/h200). They must be equal.
 * Stores of kernels that branch on their data are left out; instructions of PTX and of the machine are not the same,
 * and not compared.
 */
#include "tests/ptx_interpreter/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <jansson.h>
#include <string.h>

#define COUNTER(what, direction) "l1tex__t_" what "_pipe_lsu_mem_global_op_" direction ".sum"

/* "corr_aos" and ["-DN=512"] -> tests/inputs/ptx/h200/corr_aos_512.ptx: the digits of the flags. */
static char *ptx_path(struct arena *arena, const json_t *program)
{
	const char *file = json_string_value(json_object_get(program, "file"));
	char *path = arena_printf(arena, "tests/inputs/ptx/h200/%.*s_%64s", (int)strcspn(file, "."), file, "");
	char *end = strchr(path, ' ');
	const json_t *flags = json_object_get(program, "flags");

	for (size_t i = 0; i < json_array_size(flags); i++)
		for (const char *at = json_string_value(json_array_get(flags, i)); *at; at++)
			if (*at >= '0' && *at <= '9')
				*end++ = *at;
	strcpy(end, ".ptx");
	return path;
}

static const struct evaluation *evaluate_trial(struct arena *arena, const struct trial *trial,
                                               const struct ptx_function **function)
{
	struct diagnostics diagnostics;
	struct ptx_module *module;
	struct evaluate_input input = {.arguments = trial->arguments,
	                               .buffers = trial->buffers,
	                               .buffer_count = trial->buffer_count,
	                               .branch_probability = 0.5};

	diagnostics_init(&diagnostics, arena);
	module = ptx_parse(arena, trial->name, trial->text, strlen(trial->text), &diagnostics);
	assert_non_null(module);
	*function = ptx_module_find(module, trial->kernel);
	ptx_function_analyse(arena, ptx_module_find(module, trial->kernel));
	input.module = module;
	input.function = *function;
	memcpy(input.grid, trial->grid, sizeof(input.grid));
	memcpy(input.block, trial->block, sizeof(input.block));
	return exec_evaluate(arena, &input);
}

static void check_counter(const struct trial *trial, const json_t *counts, const char *name, double got)
{
	double measured = json_number_value(json_object_get(counts, name));

	if (!json_object_get(counts, name) || got != measured)
		fail_msg("%s: %s: %s: %.15g, measured %.15g", trial->name, trial->kernel, name, got, measured);
}

static void check_launch(struct arena *arena, const struct trial *trial, const json_t *counts)
{
	const struct ptx_function *function;
	const struct evaluation *evaluation = evaluate_trial(arena, trial, &function);
	double requests[2] = {0}, sectors[2] = {0};

	for (size_t i = 0; i < function->insn_count; i++) {
		bool store = function->insns[i].operation == OP_st;

		if (function->insns[i].space != SPACE_GLOBAL || (!store && function->insns[i].operation != OP_ld))
			continue;
		requests[store] += evaluation->insns[i].executions;
		sectors[store] += evaluation->insns[i].sectors;
	}
	if (evaluation->exact == trial->estimated)
		fail_msg("%s: %s: exactness is not what the head of the file says", trial->name, trial->kernel);
	check_counter(trial, counts, COUNTER("requests", "ld"), requests[0]);
	check_counter(trial, counts, COUNTER("sectors", "ld"), sectors[0]);
	if (trial->estimated)
		return;
	check_counter(trial, counts, COUNTER("requests", "st"), requests[1]);
	check_counter(trial, counts, COUNTER("sectors", "st"), sectors[1]);
}

/* The trial of the kernel that a launch was of: "idw(const point *, ...)" is in "_Z3idwPK5pointi...". */
static const struct trial *trial_of(const struct trial *trials, size_t count, const char *kernel)
{
	size_t length = strcspn(kernel, "(");

	for (size_t i = 0; i < count; i++) {
		const char *name = trials[i].kernel + 2 + strspn(trials[i].kernel + 2, "0123456789");

		if (!strncmp(name, kernel, length))
			return &trials[i];
	}
	return NULL;
}

/* Checks all launches of a program whose PTX is kept; returns how many. */
static size_t check_program(const json_t *program)
{
	struct arena *arena = arena_create();
	size_t count;
	const struct trial *trials = trials_read(arena, ptx_path(arena, program), &count);
	const json_t *launches = count ? json_object_get(program, "launches") : NULL;

	for (size_t i = 0; i < json_array_size(launches); i++) {
		const json_t *launch = json_array_get(launches, i);
		const struct trial *trial =
			trial_of(trials, count, json_string_value(json_object_get(launch, "kernel")));

		if (!trial)
			fail_msg("%s: no PTX kept", ptx_path(arena, program));
		check_launch(arena, trial, json_object_get(launch, "counts"));
	}
	arena_release(arena);
	return json_array_size(launches);
}

static void test_five_programs(void **state)
{
	json_t *file = json_load_file("benchmarks/measured/counters-h200.json", 0, NULL);
	const json_t *programs = json_object_get(file, "programs");
	size_t launches = 0;

	(void)state;
	assert_non_null(file);
	for (size_t i = 0; i < json_array_size(programs); i++)
		launches += check_program(json_array_get(programs, i));
	json_decref(file);
	assert_true(launches >= 88);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_five_programs)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
