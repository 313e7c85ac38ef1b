/*
 * Any bytes: the first choose a launch and arguments, the rest is PTX. Every kernel is evaluated with few steps, and
 * the first one traced; neither may crash, hang or use unbounded memory, and counts are never negative or not numbers.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/execute/trace/trace.h"

#define HEAD_BYTES 16
#define MOST_ARGUMENTS 64
#define MOST_EVENTS 3000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void arguments_choose(const uint8_t *head, const struct ptx_function *function, struct argument *arguments,
                             uint8_t *bytes)
{
	for (size_t i = 0; i < function->parameter_count && i < MOST_ARGUMENTS; i++) {
		uint8_t choice = head[8 + i % 8];

		arguments[i].kind = i % 2 && choice < 200 ? ARGUMENT_VALUE
		                    : choice < 230        ? ARGUMENT_POINTER
		                                          : (enum argument_kind)(choice % 3);
		arguments[i].value = arguments[i].kind == ARGUMENT_VALUE ? (int64_t)choice << (choice % 3 * 4) : 0;
		arguments[i].buffer = choice % 4;
		arguments[i].bytes = bytes;
	}
}

static void numbers_check(const struct ptx_function *function, const struct evaluation *evaluation)
{
	if (!(evaluation->warp_instructions >= -0.5) || isinf(evaluation->warp_instructions))
		abort();
	for (size_t i = 0; i < function->insn_count; i++) {
		const struct insn_totals *totals = &evaluation->insns[i];

		if (!(totals->executions >= -0.5) || !(totals->lanes >= -0.5) || !(totals->sectors >= -0.5) ||
		    !(totals->wavefronts >= -0.5))
			abort();
	}
}

/* A warp's events, a few of them: lanes are those of the block, instructions in it, and it ends. */
static void trace_use(struct arena *arena, const struct evaluate_input *input)
{
	struct tracer *tracer = tracer_make(arena, input);
	uint64_t address[WARP_LANES];
	struct trace_event event = {.kind = TRACE_EXIT};
	const uint32_t first[3] = {0, 0, 0};
	struct trace *trace;
	unsigned left = MOST_EVENTS;

	if (!tracer_warps(tracer))
		return;
	trace = trace_open(tracer, first, tracer_warps(tracer) - 1);
	while (left && trace_next(trace, &event)) {
		const struct ptx_basic_block *block = &input->function->cfg->blocks[event.block];

		if (event.insn < block->first || event.insn >= block->first + block->count)
			abort();
		trace_lanes(&event, address);
		left--;
	}
	if (left && (event.kind != TRACE_EXIT || trace_next(trace, &event)))
		abort();
	trace_close(trace);
}

static void function_use(struct arena *arena, const struct ptx_module *module, const struct ptx_function *function,
                         const uint8_t *head, bool trace)
{
	static const uint32_t blocks[][3] = {{32, 1, 1}, {256, 1, 1},  {33, 1, 1}, {16, 16, 1},
	                                     {8, 4, 2},  {1024, 1, 1}, {5, 7, 3},  {1, 1, 1}};
	struct memory_buffer buffers[4] = {
		{.bytes = 4096},
		{.content = {.kind = CONTENT_SEQUENCE, .element_bytes = 4}},
		{.content = {.kind = CONTENT_UNIFORM, .high = 100, .element_bytes = 4, .stride_bytes = 12}}};
	struct argument arguments[MOST_ARGUMENTS] = {{0}};
	uint8_t *bytes = arena_alloc(arena, 1 << 16);
	struct evaluate_input input = {.module = module,
	                               .function = function,
	                               .arguments = arguments,
	                               .buffers = buffers,
	                               .buffer_count = 4,
	                               .branch_probability = head[0] / 255.0,
	                               .step_limit = 2000,
	                               .dynamic_shared_bytes = head[1]};
	struct text out = {0};

	if (function->parameter_count > MOST_ARGUMENTS)
		return;
	for (size_t i = 0; i < function->parameter_count; i++)
		if (function->parameters[i].count * 16 > 1 << 16)
			return;
	arguments_choose(head, function, arguments, bytes);
	memcpy(input.block, blocks[head[2] % ARRAY_COUNT(blocks)], sizeof(input.block));
	input.grid[0] = head[3] % 8 ? head[3] : 1u << (head[4] % 31);
	input.grid[1] = 1 + head[5] % 9;
	input.grid[2] = 1 + head[6] % 2;
	const struct evaluation *evaluation = exec_evaluate(arena, &input);
	numbers_check(function, evaluation);
	exec_dump(&out, module, function, evaluation);
	text_release(&out);
	if (trace && function->insn_count)
		trace_use(arena, &input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena;
	struct diagnostics diagnostics;
	struct ptx_module *module;

	if (size < HEAD_BYTES)
		return 0;
	arena = arena_create();
	diagnostics_init(&diagnostics, arena);
	module = ptx_parse(arena, "fuzz.ptx", (const char *)data + HEAD_BYTES, size - HEAD_BYTES, &diagnostics);
	for (size_t i = 0; module && i < module->function_count; i++)
		if (module->functions[i].has_body)
			ptx_function_analyse(arena, &module->functions[i]);
	for (size_t i = 0; module && i < module->function_count && i < 8; i++)
		if (module->functions[i].has_body)
			function_use(arena, module, &module->functions[i], data, i == 0);
	arena_release(arena);
	return 0;
}
