/* The evaluator's answer held against the interpreter's, number by number. */
#include "tests/ptx_interpreter/compare.h"

#include <string.h>

#define MEMORY_BYTES (1u << 20)
#define MOST_DIFFERENCES 12

/* Sample requests of the evaluation, and whether they were seen; addresses that no footprint has; and the traces of all
 * warps. */
struct samples {
	const struct evaluation *evaluation;
	bool *seen;
	double *outside; /* by instruction */
	struct trace_watch *traces;
};

static void see_request(struct samples *samples, const struct interpreter_event *event)
{
	const struct insn_totals *totals = &samples->evaluation->insns[event->insn];
	bool same = totals->sample_mask == event->mask;
	bool window = event->space == SPACE_SHARED || event->space == SPACE_LOCAL;

	if (event->kind != INTERPRETER_REQUEST || !event->mask || event->called)
		return;
	for (unsigned lane = 0; lane < WARP_LANES && same; lane++)
		if (event->mask >> lane & 1)
			same = totals->sample_address[lane] == event->address[lane] ||
			       (window && (totals->sample_address[lane] & UINT32_MAX) == event->address[lane]);
	samples->seen[event->insn] |= same;
}

/* Whether an access at the address is one of the footprint's, from one of its axes on. */
static bool footprint_has(const struct footprint *print, uint32_t axis, uint64_t base, uint64_t address)
{
	uint64_t rest = 0, slope, first;

	if (axis == print->axis_count || address < base)
		return base == address;
	for (uint32_t a = axis + 1; a < print->axis_count; a++)
		rest += (uint64_t)(print->axes[a].slope * (print->axes[a].count - 1));
	slope = (uint64_t)print->axes[axis].slope;
	first = address - base > rest ? (address - base - rest + slope - 1) / slope : 0;
	for (uint64_t i = first; i < (uint64_t)print->axes[axis].count && base + i * slope <= address; i++)
		if (footprint_has(print, axis + 1, base + i * slope, address))
			return true;
	return false;
}

static bool is_tracked(const struct evaluation *evaluation, uint32_t insn, uint64_t address)
{
	bool found = evaluation->untracked[insn];

	for (size_t i = 0; i < evaluation->footprint_count && !found; i++)
		found = evaluation->footprints[i].insn == insn &&
		        footprint_has(&evaluation->footprints[i], 0, evaluation->footprints[i].base, address);
	return found;
}

/* The first and the last lane of a request. */
static void see_footprint(struct samples *samples, const struct interpreter_event *event)
{
	if (event->kind != INTERPRETER_REQUEST || event->space != SPACE_GLOBAL || !event->mask)
		return;
	unsigned lanes[2] = {(unsigned)__builtin_ctz(event->mask), 31 - (unsigned)__builtin_clz(event->mask)};

	for (unsigned i = 0; i < 2; i++)
		samples->outside[event->insn] +=
			!is_tracked(samples->evaluation, event->insn, event->address[lanes[i]]);
}

static void see(void *context, const struct interpreter_event *event)
{
	struct samples *samples = context;

	see_request(samples, event);
	see_footprint(samples, event);
	trace_watch_see(samples->traces, event);
}

/* Fills a buffer as its content is declared; with small numbers where it is not. */
static void fill(const struct memory_buffer *buffer, uint8_t *data, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		data[i] = i % 4 == 3 ? 0x3f : i % 4 == 2 ? (uint8_t)(0x80 + (i / 4 % 7 << 4)) : 0;
	for (size_t i = 0; i < bytes; i++) {
		struct content_place place;
		uint64_t piece;

		if (content_find(&buffer->content, (int64_t)i, &place) && content_piece(&place, 1, &piece))
			data[i] = (uint8_t)piece;
	}
}

static void parameters_write(const struct trial *trial, const struct ptx_function *function, uint8_t *bytes)
{
	for (unsigned i = 0; i < trial->argument_count && i < function->parameter_count; i++) {
		const struct argument *argument = &trial->arguments[i];
		uint64_t size =
			ptx_type_bytes((enum ptx_type)function->parameters[i].type) * function->parameters[i].count;
		uint64_t value = (uint64_t)argument->value;

		if (argument->kind == ARGUMENT_POINTER)
			value += content_address(argument->buffer);
		for (uint64_t j = 0; j < size; j++)
			bytes[function->parameters[i].offset + j] = argument->kind == ARGUMENT_BYTES
			                                                    ? argument->bytes[j]
			                                            : j < 8 ? (uint8_t)(value >> (8 * j))
			                                                    : 0;
	}
}

static struct interpreter_result *oracle(struct arena *arena, const struct trial *trial,
                                         const struct ptx_module *module, const struct ptx_function *function,
                                         struct samples *samples)
{
	struct interpreter_memory memory[TRIAL_ARGUMENTS];
	uint8_t *parameters = arena_alloc(arena, 8192);
	struct interpreter_launch launch = {.module = module,
	                                    .function = function,
	                                    .dynamic_shared_bytes = trial->dynamic_shared_bytes,
	                                    .parameters = parameters,
	                                    .parameter_bytes = 8192,
	                                    .memory = memory,
	                                    .memory_count = trial->buffer_count,
	                                    .step_limit = trial->oracle_limit ? trial->oracle_limit : 2000000};

	memcpy(launch.grid, trial->grid, sizeof(launch.grid));
	memcpy(launch.block, trial->block, sizeof(launch.block));
	for (unsigned i = 0; i < trial->buffer_count; i++) {
		memory[i].address = content_address(i);
		memory[i].bytes = trial->buffers[i].bytes ? trial->buffers[i].bytes : MEMORY_BYTES;
		memory[i].data = arena_alloc(arena, memory[i].bytes);
		fill(&trial->buffers[i], memory[i].data, memory[i].bytes);
	}
	parameters_write(trial, function, parameters);
	return interpret(arena, &launch, see, samples);
}

static void differ(struct text *out, unsigned *count, const char *what, size_t index, double got, double truth)
{
	if (got == truth)
		return;
	if (++*count <= MOST_DIFFERENCES)
		text_printf(out, "%s %zu: %.15g, is %.15g\n", what, index, got, truth);
}

static void compare_insns(struct trial_result *result, const struct samples *samples, unsigned *count)
{
	struct text *out = &result->difference;

	for (size_t i = 0; i < result->function->insn_count; i++) {
		const struct insn_totals *got = &result->evaluation->insns[i];
		const struct interpreter_insn *truth = &result->truth->insns[i];
		const struct ptx_insn *insn = &result->function->insns[i];

		differ(out, count, "addresses in no footprint", i, samples->outside[i], 0);
		differ(out, count, "issued", i, got->issued, truth->issued);
		differ(out, count, "executions", i, got->executions, truth->executions);
		differ(out, count, "lanes", i, got->lanes, truth->lanes);
		if (ptx_insn_flags(insn) & FLAG_CALL)
			continue;
		differ(out, count, "sectors", i, got->sectors, truth->sectors);
		differ(out, count, "lines", i, got->lines, truth->lines);
		differ(out, count, "wavefronts", i, got->wavefronts, truth->wavefronts);
		differ(out, count, "conflicts", i, got->conflicts, truth->conflicts);
		differ(out, count, "addresses", i, got->addresses, truth->addresses);
		if (got->sample_mask)
			differ(out, count, "sample address", i, samples->seen[i], 1);
	}
}

static void compare_all(struct trial_result *result, const struct samples *samples)
{
	unsigned count = 0;
	struct text *out = &result->difference;

	differ(out, &count, "warps", 0, result->evaluation->warps, result->truth->warps);
	differ(out, &count, "warp instructions", 0, result->evaluation->warp_instructions,
	       result->truth->warp_instructions);
	differ(out, &count, "divergent branches", 0, result->evaluation->divergent_branches,
	       result->truth->divergent_branches);
	for (uint32_t i = 0; i < result->function->cfg->loop_count; i++) {
		differ(out, &count, "loop entries", i, result->evaluation->loops[i].entries,
		       result->truth->loops[i].entries);
		differ(out, &count, "loop trips", i, result->evaluation->loops[i].trips, result->truth->loops[i].trips);
	}
	compare_insns(result, samples, &count);
	if (count > MOST_DIFFERENCES)
		text_printf(out, "and %u more\n", count - MOST_DIFFERENCES);
}

static struct ptx_module *prepare(struct arena *arena, const struct trial *trial, struct text *out)
{
	struct diagnostics diagnostics;
	struct ptx_module *module;

	diagnostics_init(&diagnostics, arena);
	module = ptx_parse(arena, trial->name, trial->text, strlen(trial->text), &diagnostics);
	if (!module || diagnostics.count) {
		text_printf(out, "not parsed: %s\n", diagnostics.count ? diagnostics.list[0].message : "?");
		return NULL;
	}
	for (size_t i = 0; i < module->function_count; i++)
		if (module->functions[i].is_kernel)
			ptx_calls_copy(arena, module, &module->functions[i]);
	for (size_t i = 0; i < module->function_count; i++)
		if (module->functions[i].has_body)
			ptx_function_analyse(arena, &module->functions[i]);
	return module;
}

void trial_run(struct arena *arena, const struct trial *trial, struct trial_result *result)
{
	struct evaluate_input input = {.arguments = trial->arguments,
	                               .buffers = trial->buffers,
	                               .dynamic_shared_bytes = trial->dynamic_shared_bytes,
	                               .buffer_count = trial->buffer_count,
	                               .branch_probability = 0.5,
	                               .step_limit = trial->step_limit};
	struct samples samples;
	double start;

	memset(result, 0, sizeof(*result));
	input.module = prepare(arena, trial, &result->difference);
	if (!input.module)
		return;
	input.function = result->function = ptx_module_find(input.module, trial->kernel);
	memcpy(input.grid, trial->grid, sizeof(input.grid));
	memcpy(input.block, trial->block, sizeof(input.block));
	start = clock_seconds();
	result->evaluation = exec_evaluate(arena, &input);
	result->seconds = clock_seconds() - start;
	samples.evaluation = result->evaluation;
	samples.seen = arena_array(arena, result->function->insn_count, sizeof(bool));
	samples.outside = arena_array(arena, result->function->insn_count, sizeof(double));
	samples.traces = trace_watch_make(arena, &input, &result->difference);
	result->truth = oracle(arena, trial, input.module, result->function, &samples);
	result->events = trace_watch_events(samples.traces);
	result->skipped = result->truth->error != NULL;
	if (result->skipped)
		text_printf(&result->difference, "interpreter: %s\n", result->truth->error);
	else
		compare_all(result, &samples);
	if (!trial->estimated && trace_watch_lost(samples.traces))
		text_puts(&result->difference, "traces: something was assumed\n");
}
