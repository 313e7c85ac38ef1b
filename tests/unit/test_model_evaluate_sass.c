/*
 * Machine code of kept kernels against their PTX, by the brute-force interpreter: the same memory in the end, the same
 * requests. The evaluator against the interpreter on machine code. Executed instructions against Nsight Compute's,
 * measured on an H200.
 */
#include "tests/ptx_interpreter/compare.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define MEMORY_BYTES (1u << 20)
#define RESERVED_SHARED 1024 /* bytes that the system keeps at the start of a block's shared memory */

/* What a launch asked of each buffer. */
struct traffic {
	const struct ptx_function *function;
	double requests[2][TRIAL_ARGUMENTS], bytes[2][TRIAL_ARGUMENTS], sectors[2][TRIAL_ARGUMENTS], wavefronts;
};

struct side {
	struct interpreter_memory memory[TRIAL_ARGUMENTS];
	struct traffic traffic;
	struct interpreter_result *result;
};

static void see_request(void *context, const struct interpreter_event *event)
{
	struct traffic *traffic = context;
	const struct ptx_insn *insn = &traffic->function->insns[event->insn];
	bool stores = ptx_insn_flags(insn) & FLAG_STORE;
	struct interpreter_insn counted = {0};
	unsigned buffer;
	int64_t offset;

	if (event->kind != INTERPRETER_REQUEST || !event->mask || event->called)
		return;
	interpreter_count(&counted, event->space, event->address, event->mask, ptx_insn_access_bytes(insn), false);
	traffic->wavefronts += counted.wavefronts;
	if (event->space != SPACE_GLOBAL ||
	    !content_locate(event->address[__builtin_ctz(event->mask)], TRIAL_ARGUMENTS, &buffer, &offset))
		return;
	traffic->requests[stores][buffer]++;
	traffic->bytes[stores][buffer] += __builtin_popcount(event->mask) * (double)ptx_insn_access_bytes(insn);
	traffic->sectors[stores][buffer] += counted.sectors;
}

/* Numbers near one as floats, different at each place; declared content where there is some. */
static void fill(const struct memory_buffer *buffer, uint8_t *data)
{
	for (size_t i = 0; i < MEMORY_BYTES / 4; i++) {
		int64_t value = 0x3f800000 + (int64_t)(i * 2654435761u >> 9 & 0x7fffff);
		struct content_place place;
		uint64_t piece;

		if (content_find(&buffer->content, (int64_t)(4 * i), &place) && content_piece(&place, 4, &piece) == 4)
			value = (int64_t)piece;
		for (unsigned j = 0; j < 4; j++)
			data[4 * i + j] = (uint8_t)((uint64_t)value >> (8 * j));
	}
}

static void parameters_write(const struct trial *trial, const struct ptx_function *function, uint8_t *bytes)
{
	for (unsigned i = 0; i < trial->argument_count && i < function->parameter_count; i++) {
		const struct argument *argument = &trial->arguments[i];
		uint64_t value = (uint64_t)argument->value,
			 size = ptx_type_bytes((enum ptx_type)function->parameters[i].type);

		if (argument->kind == ARGUMENT_POINTER)
			value += content_address(argument->buffer);
		memcpy(bytes + function->parameters[i].offset, &value, size);
	}
}

static void interpret_side(struct arena *arena, const struct trial *trial, const struct ptx_module *module,
                           const struct ptx_function *function, interpreter_watch *watch, void *context,
                           struct side *side)
{
	uint8_t *parameters = arena_alloc(arena, 8192);
	struct interpreter_launch launch = {.module = module,
	                                    .function = function,
	                                    .parameters = parameters,
	                                    .dynamic_shared_bytes = trial->dynamic_shared_bytes,
	                                    .parameter_bytes = 8192,
	                                    .memory = side->memory,
	                                    .memory_count = trial->buffer_count,
	                                    .step_limit = 50000000};

	memset(side, 0, sizeof(*side));
	side->traffic.function = function;
	memcpy(launch.grid, trial->grid, sizeof(launch.grid));
	memcpy(launch.block, trial->block, sizeof(launch.block));
	for (unsigned i = 0; i < trial->buffer_count; i++) {
		side->memory[i] =
			(struct interpreter_memory){content_address(i), arena_alloc(arena, MEMORY_BYTES), MEMORY_BYTES};
		fill(&trial->buffers[i], side->memory[i].data);
	}
	parameters_write(trial, function, parameters);
	side->result = interpret(arena, &launch, watch, context ? context : &side->traffic);
	if (side->result->error)
		fail_msg("%s %s: %s", trial->name, trial->kernel, side->result->error);
}

/* What counts an instruction without saying what it does, and data that nobody reads, have no effect on the
 * interpreter. */
static void prepare_machine_code(struct arena *arena, struct ptx_function *function)
{
	unsigned control = FLAG_EXIT | FLAG_BARRIER | FLAG_CALL | FLAG_BRANCH;

	for (size_t i = 0; i < function->insn_count; i++) {
		struct ptx_insn *insn = &function->insns[i];

		if (insn->operation == OP_OPAQUE || (insn->operand_count == 0 && !(ptx_insn_flags(insn) & control)))
			insn->operation = OP_pmevent;
	}
	function->shared_bytes += RESERVED_SHARED;
	ptx_function_analyse(arena, function); /* lanes meet at post-dominators, as in the interpreter */
}

static void compare_memory(const struct trial *trial, const struct side *ptx, const struct side *sass)
{
	for (unsigned i = 0; i < trial->buffer_count; i++)
		for (size_t at = 0; at < MEMORY_BYTES; at += 4)
			if (memcmp(ptx->memory[i].data + at, sass->memory[i].data + at, 4) != 0)
				fail_msg("%s %s: buffer %u differs at byte %zu", trial->name, trial->kernel, i, at);
}

static void compare_traffic(const struct trial *trial, const struct traffic *ptx, const struct traffic *sass)
{
	for (unsigned i = 0; i < 2 * TRIAL_ARGUMENTS; i++) {
		unsigned stores = i / TRIAL_ARGUMENTS, buffer = i % TRIAL_ARGUMENTS;

		if (ptx->requests[stores][buffer] != sass->requests[stores][buffer] ||
		    ptx->bytes[stores][buffer] != sass->bytes[stores][buffer] ||
		    ptx->sectors[stores][buffer] != sass->sectors[stores][buffer])
			fail_msg("%s %s: %s of buffer %u: %g requests, %g bytes, %g sectors in PTX; %g, %g, %g in "
			         "machine code",
			         trial->name, trial->kernel, stores ? "stores" : "loads", buffer,
			         ptx->requests[stores][buffer], ptx->bytes[stores][buffer],
			         ptx->sectors[stores][buffer], sass->requests[stores][buffer],
			         sass->bytes[stores][buffer], sass->sectors[stores][buffer]);
	}
	assert_true(ptx->wavefronts == sass->wavefronts);
}

static struct evaluate_input input_of(const struct trial *trial, const struct ptx_module *module,
                                      const struct ptx_function *function)
{
	struct evaluate_input input = {.module = module,
	                               .function = function,
	                               .arguments = trial->arguments,
	                               .buffers = trial->buffers,
	                               .buffer_count = trial->buffer_count,
	                               .dynamic_shared_bytes = trial->dynamic_shared_bytes,
	                               .branch_probability = 0.5,
	                               .step_limit = 20000000};

	memcpy(input.grid, trial->grid, sizeof(input.grid));
	memcpy(input.block, trial->block, sizeof(input.block));
	return input;
}

static struct evaluation *evaluate_trial(struct arena *arena, const struct trial *trial,
                                         const struct ptx_module *module, const struct ptx_function *function)
{
	struct evaluate_input input = input_of(trial, module, function);

	return exec_evaluate(arena, &input);
}

/* Traces of all warps against the interpreter. */
static void compare_traces(struct arena *arena, const struct trial *trial, const struct ptx_module *module,
                           const struct ptx_function *function)
{
	struct evaluate_input input = input_of(trial, module, function);
	struct text difference = {0};
	struct trace_watch *watch = trace_watch_make(arena, &input, &difference);
	struct side side;

	interpret_side(arena, trial, module, function, trace_watch_see, watch, &side);
	if (difference.length)
		fail_msg("%s %s: %s", trial->name, trial->kernel, difference.data);
	assert_true(trace_watch_events(watch) > 0 && !trace_watch_lost(watch));
}

/* Where the evaluation averages over alignments, sectors are near the truth; what is executed is exact always. */
static void compare_evaluation(const struct trial *trial, const struct ptx_function *function,
                               const struct evaluation *evaluation, const struct interpreter_result *truth)
{
	for (size_t i = 0; i < function->insn_count; i++) {
		const struct insn_totals *got = &evaluation->insns[i];
		const struct interpreter_insn *is = &truth->insns[i];

		bool same = got->issued == is->issued && got->executions == is->executions && got->lanes == is->lanes;

		if (evaluation->exact)
			same &= got->sectors == is->sectors && got->wavefronts == is->wavefronts;
		if (!same)
			fail_msg("%s %s: instruction %zu, %s: issued %g, executed %g with %g sectors; is %g, %g, %g",
			         trial->name, trial->kernel, i, function->insns[i].spelling, got->issued,
			         got->executions, got->sectors, is->issued, is->executions, is->sectors);
	}
}

static struct ptx_module *machine_code_read(struct arena *arena, const char *cubin_path)
{
	size_t stem = strlen(cubin_path) - strlen("cubin"), cubin_length, json_length;
	const char *cubin = file_read(arena, cubin_path, &cubin_length);
	const char *json = file_read(arena, arena_printf(arena, "%.*sjson", (int)stem, cubin_path), &json_length);
	struct diagnostics diagnostics;
	struct ptx_module *module;

	diagnostics_init(&diagnostics, arena);
	assert_non_null(cubin);
	assert_non_null(json);
	module = sass_parse_listing(arena, cubin_path, cubin, cubin_length, json, json_length, &diagnostics);
	if (!module || diagnostics.count)
		fail_msg("%s: %s", cubin_path, diagnostics.count ? diagnostics.list[0].message : "not read");
	return module;
}

static struct ptx_module *ptx_read(struct arena *arena, const struct trial *trial)
{
	struct diagnostics diagnostics;
	struct ptx_module *module;

	diagnostics_init(&diagnostics, arena);
	module = ptx_parse(arena, trial->name, trial->text, strlen(trial->text), &diagnostics);
	assert_non_null(module);
	for (size_t i = 0; i < module->function_count; i++)
		if (module->functions[i].has_body)
			ptx_function_analyse(arena, &module->functions[i]);
	return module;
}

static void compare_launch(const struct trial *trial, const char *cubin_path)
{
	struct arena *arena = arena_create();
	struct ptx_module *module = ptx_read(arena, trial), *machine_code = machine_code_read(arena, cubin_path);
	struct ptx_function *function = ptx_module_find(module, trial->kernel),
			    *made = ptx_module_find(machine_code, trial->kernel);
	struct side ptx, sass;
	const struct evaluation *evaluation;

	assert_non_null(function);
	assert_non_null(made);
	assert_int_equal(made->sass->opaque, 0);
	prepare_machine_code(arena, made);
	interpret_side(arena, trial, module, function, see_request, NULL, &ptx);
	interpret_side(arena, trial, machine_code, made, see_request, NULL, &sass);
	compare_memory(trial, &ptx, &sass);
	if (!trial->estimated)
		compare_traffic(trial, &ptx.traffic, &sass.traffic);
	evaluation = evaluate_trial(arena, trial, machine_code, made);
	if (evaluation->assumption_count > 1 || (evaluation->assumption_count && !evaluation->assumptions[0].usual))
		fail_msg("%s %s: assumed: %s", trial->name, trial->kernel, evaluation->assumptions[0].text);
	compare_evaluation(trial, made, evaluation, sass.result);
	compare_traces(arena, trial, machine_code, made);
	arena_release(arena);
}

static void test_as_ptx(void **state)
{
	struct arena *arena = arena_create();
	glob_t files;
	size_t launches = 0;

	(void)state;
	assert_int_equal(glob("tests/inputs/sass/*.cubin", 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		const char *path = files.gl_pathv[i], *name = strrchr(path, '/') + 1;
		size_t count;
		struct trial *trials = trials_read(
			arena, arena_printf(arena, "tests/inputs/sass/%.*s.ptx", (int)strcspn(name, "."), name),
			&count);

		for (size_t j = 0; j < count; j++)
			compare_launch(&trials[j], path);
		launches += count;
	}
	globfree(&files);
	arena_release(arena);
	assert_true(launches >= 80);
}

/* smsp__inst_executed.sum of Nsight Compute on an H200, from benchmarks/measured/counters-h200.json. */
static const struct {
	const char *program, *kernel;
	uint32_t grid[3], block[3];
	int64_t numbers[8]; /* of the parameters that are no pointers, by their position */
	double executed;
} measured[] = {
	{"corr_aos", "mean_kernel", {2, 1, 1}, {256, 1, 1}, {0}, 25360},
	{"corr_aos", "reduce_kernel", {16, 63, 1}, {32, 8, 1}, {0}, 304768},
	{"corr_aos", "corr_kernel", {2, 1, 1}, {256, 1, 1}, {0}, 6643587},
	{"idw_asta", "idw", {20, 1, 1}, {256, 1, 1}, {0, 4001, 0, 0, 0, 5003}, 16654427},
	{"2mm_asta", "mm2_kernel1", {16, 63, 1}, {32, 8, 1}, {0}, 76232768},
	{"2mm_asta", "mm2_kernel2", {16, 63, 1}, {32, 8, 1}, {0}, 76232768},
	{"syr2k_soa", "syr2k_kernel", {16, 63, 1}, {32, 8, 1}, {0, 0, 0, 0x3fc00000, 0x40000000}, 44832768},
};

static const struct ptx_function *kernel_find(const struct ptx_module *module, const char *part)
{
	for (size_t i = 0; i < module->function_count; i++)
		if (strstr(module->functions[i].name, part))
			return &module->functions[i];
	return NULL;
}

static double executed_instructions(const struct ptx_function *function, const struct evaluation *evaluation)
{
	double executed = 0;

	for (size_t i = 0; i < function->insn_count; i++)
		executed += function->insns[i].synthetic ? 0 : evaluation->insns[i].issued;
	return executed;
}

static void test_as_hardware(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(measured); i++) {
		struct arena *arena = arena_create();
		struct trial trial = {.name = measured[i].program, .kernel = measured[i].kernel, .buffer_count = 8};
		const struct ptx_module *module = machine_code_read(
			arena, arena_printf(arena, "tests/inputs/sass/measured/%s.cubin", trial.name));
		const struct ptx_function *function = kernel_find(module, trial.kernel);
		double executed;

		assert_non_null(function);
		memcpy(trial.grid, measured[i].grid, sizeof(trial.grid));
		memcpy(trial.block, measured[i].block, sizeof(trial.block));
		for (unsigned k = 0; k < function->parameter_count; k++) {
			bool pointer = function->parameters[k].type == PTX_u64;

			trial.arguments[k] = (struct argument){.kind = pointer ? ARGUMENT_POINTER : ARGUMENT_VALUE,
			                                       .buffer = k,
			                                       .value = measured[i].numbers[k]};
		}
		executed = executed_instructions(function, evaluate_trial(arena, &trial, module, function));
		if (executed != measured[i].executed)
			fail_msg("%s %s: %.0f instructions, the hardware counts %.0f", trial.name, trial.kernel,
			         executed, measured[i].executed);
		arena_release(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_ptx), cmocka_unit_test(test_as_hardware)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
