/*
 * The whole pipeline: analyse the source, find records and launches, write all layouts, compile them in one nvcc run, evaluate what each launch executes,
 * estimate its time, rank.
 */
#include "model/internal.h"

#include <limits.h>
#include <math.h>
#include <string.h>

struct pipeline {
	struct arena *arena;
	const struct predict_options *options;
	struct diagnostics *diagnostics;
	struct prediction *result;
	struct toolkit toolkit;
	struct variants variants;
	struct launch_case *launches;
	unsigned launch_count;
	const char **flags; /* of both compilers */
	unsigned flag_count;
};

/* ---- front: machine, model, source, groups, launches --------------------------------- */

static enum exit_code front(struct pipeline *pipeline, const char **target)
{
	struct prediction *result = pipeline->result;
	bool exact = true;
	result->model = cost_model_find(pipeline->options->model);
	if (!result->model) {
		diagnostics_report(pipeline->diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0}, "unknown model '%s'",
		                   pipeline->options->model);
		return EXIT_USAGE;
	}
	result->machine = machine_load(pipeline->arena, pipeline->options->machine, pipeline->diagnostics);
	if (!result->machine)
		return machine_failure(pipeline->diagnostics);
	*target = machine_target(pipeline->arena, result->machine, &exact);
	if (!exact)
		diagnostics_report(pipeline->diagnostics, SEVERITY_NOTE, (struct place){NULL, 0, 0},
		                   "the CUDA toolkit cannot compile for %s any more; %s code is read instead",
		                   result->machine->name, *target);
	pipeline->toolkit = toolkit_find(pipeline->arena);
	if (pipeline->toolkit.reason) {
		diagnostics_report(pipeline->diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0}, "%s",
		                   pipeline->toolkit.reason);
		return EXIT_TOOL_MISSING;
	}
	return EXIT_VERDICT;
}

/* The flags of both compilers: those of the build (-p), then the user's own. Returns false when the build's cannot be read. */
static bool flags_collect(struct pipeline *pipeline)
{
	const struct analyzer_options *analyzer = &pipeline->options->analyzer;
	if (pipeline->options->build_directory) {
		unsigned count = 0;
		const char *const *flags = compile_commands_flags(pipeline->arena, pipeline->options->build_directory,
		                                                  analyzer->path, &count, pipeline->diagnostics);
		if (!flags && pipeline->diagnostics->errors)
			return false;
		for (unsigned i = 0; flags && i < count; i++)
			ARENA_PUSH(pipeline->arena, pipeline->flags, pipeline->flag_count, flags[i]);
	}
	for (unsigned i = 0; i < analyzer->flag_count; i++)
		ARENA_PUSH(pipeline->arena, pipeline->flags, pipeline->flag_count, analyzer->flags[i]);
	return true;
}

static bool source_analyse(struct pipeline *pipeline, const char *target)
{
	struct analyzer_options options = pipeline->options->analyzer;
	if (!flags_collect(pipeline))
		return false;
	options.flags = pipeline->flags;
	options.flag_count = pipeline->flag_count;
	options.cuda_root = pipeline->toolkit.root;
	options.cuda_cccl = pipeline->toolkit.cccl;
	options.architecture = target;
	pipeline->result->analysis = analyze_file(pipeline->arena, &options, pipeline->diagnostics);
	if (pipeline->result->analysis)
		pipeline->result->clang_seconds = pipeline->result->analysis->clang_seconds;
	return pipeline->result->analysis != NULL;
}

/* ---- one launch case in one variant ------------------------------------------------------ */

uint64_t group_elements(const struct launch_case *launch, const struct layout_groups *groups,
                        const struct variant_parameter *parameter)
{
	uint64_t elements = launch->extents[parameter->original->index];
	for (unsigned b = 0; b < groups->binding_count; b++) {
		const struct layout_binding *binding = &groups->bindings[b];
		bool same = binding->kernel == launch->kernel && binding->group == parameter->group &&
		            parameter->group->form == FORM_ARRAYS;
		if (same && launch->extents[binding->parameter->index] > elements)
			elements = launch->extents[binding->parameter->index];
	}
	return elements;
}

const struct placement *placement_of(const struct layout_groups *groups, struct placement *const *placements,
                                     const struct layout_group *group)
{
	for (unsigned g = 0; g < groups->count; g++)
		if (groups->list[g] == group)
			return placements[g];
	return NULL;
}

struct arguments {
	struct argument *list;
	struct memory_buffer *buffers;
	struct buffer_owner *owners;
	unsigned buffer_count;
};

/* A declared member as it lies in a buffer that holds records of this form: at `place`, or as the record has it. */
static struct content member_placed(const struct member_content *member, const struct field_place *place)
{
	struct content content = member->content;
	if (!place) {
		content.stride_bytes = (unsigned)member->parameter->type.size_bytes;
		content.offset_bytes = (unsigned)member->leaf->offset_bytes;
		return content;
	}
	content.offset_bytes = (unsigned)place->offset_bytes;
	if (place->tile > 1) {
		content.tile = (unsigned)place->tile;
		content.tile_bytes = (unsigned)place->tile_bytes;
	} else {
		content.stride_bytes = (unsigned)place->tile_bytes;
	}
	return content;
}

/* The declared contents of the members that lie in a buffer, as a list: the first by value. */
static struct content members_content(struct arena *arena, const struct launch_case *launch,
                                      const struct variant_parameter *parameter, const struct placement *placement)
{
	struct content list = {.kind = CONTENT_UNKNOWN};
	for (unsigned m = 0; m < launch->member_count; m++) {
		const struct member_content *member = &launch->members[m];
		const struct field_place *place = NULL;
		if (member->parameter != parameter->original || member->leaf->count > 1)
			continue;
		for (unsigned f = 0; placement && f < placement->group->field_count; f++)
			if (strcmp(placement->group->fields[f].path, member->leaf->path) == 0)
				place = &placement->fields[f];
		if (placement && (!place || place->buffer != parameter->buffer))
			continue;
		struct content placed = member_placed(member, place);
		if (list.kind != CONTENT_UNKNOWN) {
			struct content *rest = arena_alloc(arena, sizeof *rest);
			*rest = list;
			placed.next = rest;
		}
		list = placed;
	}
	return list;
}

static void pointer_argument(struct arena *arena, const struct estimate_input *input, unsigned index, struct arguments *arguments)
{
	const struct variant_parameter *parameter = &input->variant->parameters[index];
	const struct launch_case *launch = input->launch;
	struct buffer_owner owner = {.parameter = parameter->original,
	                             .group = parameter->group,
	                             .array = parameter->array,
	                             .buffer = parameter->buffer};
	struct memory_buffer buffer = {.name = parameter->original->name};
	if (parameter->group) {
		owner.placement = placement_of(input->groups, input->placements, parameter->group);
		buffer.bytes = placement_buffer_bytes(owner.placement, parameter->buffer,
		                                      group_elements(launch, input->groups, parameter));
	} else {
		buffer.bytes = launch->extents[parameter->original->index] * parameter->original->type.size_bytes;
		buffer.content = launch->contents[parameter->original->index];
	}
	if (buffer.content.kind == CONTENT_UNKNOWN)
		buffer.content = members_content(arena, launch, parameter, owner.placement);
	arguments->list[index] = (struct argument){.kind = ARGUMENT_POINTER, .buffer = arguments->buffer_count};
	arguments->buffers[arguments->buffer_count] = buffer;
	arguments->owners[arguments->buffer_count++] = owner;
}

static struct arguments arguments_make(struct arena *arena, const struct estimate_input *input)
{
	unsigned count = input->variant->parameter_count;
	struct arguments arguments = {0};
	arguments.list = arena_array(arena, count + input->code->parameter_count + 1, sizeof *arguments.list);
	arguments.buffers = arena_array(arena, count + 1, sizeof *arguments.buffers);
	arguments.owners = arena_array(arena, count + 1, sizeof *arguments.owners);
	for (unsigned p = 0; p < count; p++) {
		const struct parameter *original = input->variant->parameters[p].original;
		if (original->is_pointer)
			pointer_argument(arena, input, p, &arguments);
		else if (input->launch->known[original->index])
			arguments.list[p] =
				(struct argument){.kind = ARGUMENT_VALUE, .value = input->launch->values[original->index]};
	}
	return arguments;
}

static void evaluate_variant(struct arena *arena, struct estimate_input *input, const struct ptx_module *machine_code)
{
	struct arguments arguments = arguments_make(arena, input);
	struct evaluate_input evaluation = {.module = input->module,
	                                    .function = input->code,
	                                    .dynamic_shared_bytes = input->launch->dynamic_shared_bytes,
	                                    .arguments = arguments.list,
	                                    .buffers = arguments.buffers,
	                                    .buffer_count = arguments.buffer_count,
	                                    .branch_probability = input->options->branch_probability,
	                                    .unknown_trips = input->options->unknown_trips};
	memcpy(evaluation.grid, input->launch->grid, sizeof evaluation.grid);
	memcpy(evaluation.block, input->launch->block, sizeof evaluation.block);
	input->buffers = arguments.buffers;
	input->owners = arguments.owners;
	input->buffer_count = arguments.buffer_count;
	input->evaluation = exec_evaluate(arena, &evaluation);
	evaluation.module = machine_code;
	evaluation.function = machine_code ? ptx_module_find(machine_code, input->code->name) : NULL;
	if (evaluation.function)
		input->machine_evaluation = exec_evaluate(arena, &evaluation);
}

const struct variant_kernel *kernel_in(const struct rewritten *rewritten, const struct kernel *kernel)
{
	for (unsigned k = 0; k < rewritten->kernel_count; k++)
		if (rewritten->kernels[k].kernel == kernel)
			return &rewritten->kernels[k];
	bug("a rewritten file lacks a kernel");
}

/* The input of an estimate of one launch in one variant, evaluated; NULL where the kernel has no code there. */
static struct estimate_input *input_make(struct pipeline *pipeline, const struct launch_case *launch, const struct variant *variant)
{
	struct prediction *result = pipeline->result;
	struct estimate_input *input = arena_alloc(pipeline->arena, sizeof *input);
	*input = (struct estimate_input){.machine = result->machine,
	                                 .analysis = result->analysis,
	                                 .options = pipeline->options,
	                                 .launch = launch,
	                                 .groups = &result->groups,
	                                 .placements = variant->rewritten->placements,
	                                 .variant = kernel_in(variant->rewritten, launch->kernel)};
	if (!variant->module)
		return input;
	struct ptx_function *code = variant_function(pipeline->arena, variant, launch->kernel, result->analysis);
	if (!code) {
		diagnostics_report(pipeline->diagnostics, SEVERITY_WARNING, launch->kernel->place,
		                   "the compiler's output has no code for kernel %s", launch->kernel->name);
		return NULL;
	}
	input->module = variant->module;
	input->code = code;
	input->resources = variant->own_code ? NULL : compilation_resources(result->compilation, code->name);
	evaluate_variant(pipeline->arena, input, variant->own_code ? NULL : result->compilation->machine_code);
	return input;
}

/* ---- rows and verdicts of one case ---------------------------------------------------------- */

static bool kernel_uses(const struct layout_groups *groups, const struct kernel *kernel, const struct layout_group *group)
{
	for (unsigned b = 0; b < groups->binding_count; b++)
		if (groups->bindings[b].kernel == kernel && groups->bindings[b].group == group)
			return true;
	return false;
}

bool row_wanted(const struct prediction *result, const struct kernel *kernel, const struct variant *variant)
{
	bool uses_any = false;
	for (unsigned g = 0; g < result->groups.count; g++)
		uses_any = uses_any || kernel_uses(&result->groups, kernel, result->groups.list[g]);
	if (variant->group == UINT_MAX)
		return !uses_any;
	return kernel_uses(&result->groups, kernel, result->groups.list[variant->group]) &&
	       kernel_in(variant->rewritten, kernel)->changed;
}

static void case_note_once(struct arena *arena, struct case_result *result, const char *text)
{
	for (unsigned i = 0; i < result->note_count; i++)
		if (strcmp(result->notes[i], text) == 0)
			return;
	ARENA_PUSH(arena, result->notes, result->note_count, text);
}

static void row_add(struct pipeline *pipeline, struct case_result *result, const struct variant *variant, bool estimate)
{
	struct ranked_layout row = {.layout = variant->layout, .tile = variant->tile};
	if (variant->group != UINT_MAX)
		row.group = pipeline->result->groups.list[variant->group];
	struct estimate_input *input = input_make(pipeline, result->launch, variant);
	row.input = input;
	if (!input)
		return;
	if (estimate)
		row.estimate = pipeline->result->model->estimate(pipeline->arena, input);
	ARENA_PUSH(pipeline->arena, result->rows, result->row_count, row);
	for (unsigned i = 0; estimate && i < row.estimate->note_count; i++)
		case_note_once(pipeline->arena, result, row.estimate->notes[i]);
}

static double *row_times(struct arena *arena, const struct case_result *result)
{
	double *times = arena_array(arena, result->row_count + 1, sizeof *times);
	for (unsigned r = 0; r < result->row_count; r++)
		times[r] = result->rows[r].estimate->time_seconds;
	return times;
}

static void case_verdicts(struct pipeline *pipeline, struct case_result *result)
{
	struct arena *arena = pipeline->arena;
	double *times = row_times(arena, result);
	for (unsigned g = 0; g < pipeline->result->groups.count; g++) {
		struct verdict verdict = {.group = pipeline->result->groups.list[g]};
		unsigned *rows = NULL, count = 0, written = UINT_MAX;
		for (unsigned r = 0; r < result->row_count; r++) {
			if (result->rows[r].group != verdict.group)
				continue;
			if (result->rows[r].layout == verdict.group->written)
				written = r;
			ARENA_PUSH(arena, rows, count, r);
		}
		if (count == 0)
			continue;
		verdict_rank(arena, times, rows, count, written, &verdict);
		verdict.why = verdict_why(arena, result, &verdict);
		ARENA_PUSH(arena, result->verdicts, result->verdict_count, verdict);
	}
}

static struct case_result case_run(struct pipeline *pipeline, const struct launch_case *launch, bool estimate)
{
	struct case_result result = {.launch = launch};
	for (unsigned i = 0; i < launch->note_count; i++)
		case_note_once(pipeline->arena, &result, launch->notes[i]);
	for (unsigned v = 0; v < pipeline->variants.count; v++)
		if (row_wanted(pipeline->result, launch->kernel, &pipeline->variants.list[v]))
			row_add(pipeline, &result, &pipeline->variants.list[v], estimate);
	if (estimate)
		case_verdicts(pipeline, &result);
	result.confidence = launch->assumed ? CONFIDENCE_LOW : result.note_count > 0 ? CONFIDENCE_MEDIUM : CONFIDENCE_HIGH;
	return result;
}

/* ---- the program: one layout has to serve all launches --------------------------------------- */

/* Time of a case with one group in one layout; cases that do not use the group take the time of their written layout. */
static double case_time(const struct case_result *result, const struct program_row *row)
{
	double written = NAN;
	for (unsigned r = 0; r < result->row_count; r++) {
		const struct ranked_layout *ranked = &result->rows[r];
		if (ranked->group == row->group && ranked->layout == row->layout && ranked->tile == row->tile)
			return ranked->estimate->time_seconds;
		if (!ranked->group || ranked->layout == ranked->group->written)
			written = ranked->estimate->time_seconds;
	}
	return written;
}

static void program_add(struct pipeline *pipeline, const struct variant *variant)
{
	struct prediction *result = pipeline->result;
	struct program_row row = {.group = result->groups.list[variant->group], .layout = variant->layout, .tile = variant->tile};
	for (unsigned c = 0; c < result->case_count; c++)
		row.time_seconds += case_time(&result->cases[c], &row) * (double)result->cases[c].launch->launches;
	if (!isnan(row.time_seconds))
		ARENA_PUSH(pipeline->arena, result->program, result->program_count, row);
}

static void program_verdicts(struct pipeline *pipeline)
{
	struct prediction *result = pipeline->result;
	double *times = arena_array(pipeline->arena, result->program_count + 1, sizeof *times);
	for (unsigned r = 0; r < result->program_count; r++)
		times[r] = result->program[r].time_seconds;
	for (unsigned g = 0; g < result->groups.count; g++) {
		struct verdict verdict = {.group = result->groups.list[g]};
		unsigned *rows = NULL, count = 0, written = UINT_MAX;
		for (unsigned r = 0; r < result->program_count; r++) {
			if (result->program[r].group != verdict.group)
				continue;
			if (result->program[r].layout == verdict.group->written)
				written = r;
			ARENA_PUSH(pipeline->arena, rows, count, r);
		}
		if (count == 0)
			continue;
		verdict_rank(pipeline->arena, times, rows, count, written, &verdict);
		ARENA_PUSH(pipeline->arena, result->program_verdicts, result->program_verdict_count, verdict);
	}
}

/* ---- the stages in order -------------------------------------------------------------------------- */

static const struct named_value *ptx_file_of(const struct predict_options *options, const struct variant *variant)
{
	for (unsigned i = 0; i < options->ptx_file_count && variant->layout; i++)
		if (strcmp(options->ptx_files[i].name, variant->layout->name) == 0)
			return &options->ptx_files[i];
	return NULL;
}

/* Reads the user's own PTX for the layouts that have one. *missing: whether some row is left for nvcc. */
static bool own_code_read(struct pipeline *pipeline, bool *missing)
{
	*missing = pipeline->options->ptx_file_count == 0 || pipeline->variants.count == 1;
	for (unsigned v = 1; v < pipeline->variants.count; v++) {
		struct variant *variant = &pipeline->variants.list[v];
		const struct named_value *file = ptx_file_of(pipeline->options, variant);
		if (!file) {
			*missing = true;
			continue;
		}
		variant->module = ptx_file_read(pipeline->arena, file->value, pipeline->diagnostics);
		variant->own_code = true;
		if (!variant->module)
			return false;
	}
	return true;
}

static bool compile_all(struct pipeline *pipeline, const char *target)
{
	unsigned count;
	bool missing;
	if (!own_code_read(pipeline, &missing))
		return false;
	if (!missing)
		return true;
	struct rewritten **distinct = variants_distinct(pipeline->arena, &pipeline->variants, &count);
	const struct analyzer_options *analyzer = &pipeline->options->analyzer;
	char *text = layout_variants(pipeline->arena, pipeline->result->analysis, distinct, count);
	pipeline->result->compilation =
		compile_variants(pipeline->arena, &pipeline->toolkit, target, analyzer->path, text, pipeline->flags,
	                         pipeline->flag_count, pipeline->options->machine_code, pipeline->diagnostics);
	if (!pipeline->result->compilation)
		return false;
	pipeline->result->nvcc_seconds = pipeline->result->compilation->nvcc_seconds;
	for (unsigned v = 0; v < pipeline->variants.count; v++)
		if (!pipeline->variants.list[v].own_code)
			pipeline->variants.list[v].module = pipeline->result->compilation->module;
	return true;
}

/* Without --group, says which separate arrays could be one record. */
static void groups_suggest(struct pipeline *pipeline)
{
	struct group_suggestions suggestions = analysis_suggest_groups(pipeline->arena, pipeline->result->analysis);
	for (unsigned i = 0; i < suggestions.count && pipeline->options->layouts.group_count == 0; i++) {
		const struct group_suggestion *suggestion = &suggestions.list[i];
		const char *names = suggestion->members[0]->name;
		for (unsigned m = 1; m < suggestion->member_count; m++)
			names = arena_printf(pipeline->arena, "%s,%s", names, suggestion->members[m]->name);
		diagnostics_report(pipeline->diagnostics, SEVERITY_NOTE, suggestion->kernel->place,
		                   "arrays of kernel %s have equal index sets and could form one record: --group %s",
		                   suggestion->kernel->name, names);
	}
}

static void variants_prepare(struct pipeline *pipeline)
{
	struct variant_request request = {.analysis = pipeline->result->analysis,
	                                  .groups = &pipeline->result->groups,
	                                  .rank = pipeline->options->rank,
	                                  .rank_count = pipeline->options->rank_count,
	                                  .tiles = pipeline->options->tiles,
	                                  .tile_count = pipeline->options->tile_count,
	                                  .diagnostics = pipeline->diagnostics};
	variants_make(pipeline->arena, &request, &pipeline->variants);
}

static enum exit_code stages(struct pipeline *pipeline, enum predict_stage last)
{
	const char *target = NULL;
	enum exit_code code = front(pipeline, &target);
	if (code != EXIT_VERDICT)
		return code;
	struct prediction *result = pipeline->result;
	if (!source_analyse(pipeline, target))
		return EXIT_INPUT;
	if (last == STAGE_KERNEL)
		return EXIT_VERDICT;
	if (!layout_groups_find(pipeline->arena, result->analysis, &pipeline->options->layouts, &result->groups,
	                        pipeline->diagnostics))
		return EXIT_INPUT;
	if (!cases_find(pipeline->arena, result->analysis, &pipeline->options->cases, &pipeline->launches, &pipeline->launch_count,
	                pipeline->diagnostics))
		return EXIT_USAGE;
	groups_suggest(pipeline);
	variants_prepare(pipeline);
	if (last == STAGE_GROUPS)
		return EXIT_VERDICT;
	if (!pipeline->launch_count) {
		diagnostics_report(pipeline->diagnostics, SEVERITY_ERROR, (struct place){result->analysis->path, 0, 0},
		                   "no kernel here has code of its own: templates need instances for types that have a name");
		return EXIT_INPUT;
	}
	if ((result->model->reads_ptx || last < STAGE_ESTIMATE) && !compile_all(pipeline, target))
		return EXIT_INPUT;
	if (last == STAGE_COMPILE)
		return EXIT_VERDICT;
	for (unsigned c = 0; c < pipeline->launch_count; c++)
		ARENA_PUSH(pipeline->arena, result->cases, result->case_count,
		           case_run(pipeline, &pipeline->launches[c], last == STAGE_ESTIMATE));
	if (last != STAGE_ESTIMATE)
		return EXIT_VERDICT;
	for (unsigned v = 0; v < pipeline->variants.count; v++)
		if (pipeline->variants.list[v].group != UINT_MAX)
			program_add(pipeline, &pipeline->variants.list[v]);
	program_verdicts(pipeline);
	return EXIT_VERDICT;
}

struct prediction *predict(struct arena *arena, const struct predict_options *options, enum predict_stage last,
                           struct diagnostics *diagnostics, enum exit_code *exit_code)
{
	double begin = clock_seconds();
	struct pipeline pipeline = {.arena = arena, .options = options, .diagnostics = diagnostics};
	pipeline.result = arena_alloc(arena, sizeof *pipeline.result);
	*exit_code = stages(&pipeline, last);
	pipeline.result->own_seconds = clock_seconds() - begin - pipeline.result->clang_seconds - pipeline.result->nvcc_seconds;
	return *exit_code == EXIT_VERDICT ? pipeline.result : NULL;
}
