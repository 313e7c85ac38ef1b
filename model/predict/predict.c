/*
 * The method: analyse the source, find records and launches, write all layouts, compile them in one run, evaluate what
 * each launch executes, estimate its time, rank. The table of passes at the end is the whole of it; a stage is what can
 * be asked for (--dump), and ends with its last pass.
 */
#include "base/threads/threads.h"
#include "base/toolkit/toolkit.h"
#include "model/observe/observe.h"
#include "model/predict/predict.h"
#include "model/trust/trust.h"

#include <limits.h>
#include <string.h>

struct pipeline {
	struct arena *arena;
	const struct predict_options *options;
	enum predict_stage last;
	struct diagnostics *diagnostics;
	struct prediction *result;
	const char *target; /* architecture to compile for */
	struct toolkit toolkit;
	unsigned idle_cores;
	struct nvrtc_warming *warming; /* or NULL: nvcc compiles */
	bool compiled;                 /* variants without code have none: theirs does not compile */
	struct variants variants;
	struct launch_case *launches;
	unsigned launch_count, flag_count;
	const struct observation *observation; /* or NULL */
	const struct case_observed *observed;
	const char **flags; /* of both compilers */
};

static void report(struct pipeline *pipeline, enum severity severity, const char *file, const char *text)
{
	diagnostics_report(pipeline->diagnostics, severity, (struct place){file, 0, 0}, "%s", text);
}

/* ---- kernel: machine, model, source ---------------------------------------------------- */

static enum exit_code model_choose(struct pipeline *pipeline)
{
	pipeline->result->model = cost_model_find(pipeline->options->model);
	if (pipeline->result->model)
		return EXIT_VERDICT;
	report(pipeline, SEVERITY_ERROR, NULL, cost_model_unknown(pipeline->arena, pipeline->options->model));
	return EXIT_USAGE;
}

static enum exit_code machine_choose(struct pipeline *pipeline)
{
	bool exact = true;
	const struct machine *machine =
		machine_load(pipeline->arena, pipeline->options->machine, pipeline->diagnostics);
	if (!machine)
		return machine_failure(pipeline->diagnostics);
	pipeline->result->machine = machine;
	predict_targets_check(machine, pipeline->options, pipeline->diagnostics);
	pipeline->target = machine_target(pipeline->arena, machine, &exact);
	if (!exact)
		report(pipeline, SEVERITY_NOTE, NULL,
		       arena_printf(
			       pipeline->arena,
			       "the toolkit cannot compile for %s any more, so %s code is read: install an older one",
			       machine->name, pipeline->target));
	return EXIT_VERDICT;
}

static enum exit_code toolkit_require(struct pipeline *pipeline)
{
	pipeline->toolkit = toolkit_find(pipeline->arena);
	if (!pipeline->toolkit.reason)
		return EXIT_VERDICT;
	report(pipeline, SEVERITY_ERROR, NULL, pipeline->toolkit.reason);
	return EXIT_TOOL_MISSING;
}

/* The flags of both compilers: those of the build (-p), then the user's own. Returns false when the build's cannot be
 * read. */
static bool flags_collect(struct pipeline *pipeline)
{
	const struct analyzer_options *analyzer = &pipeline->options->analyzer;
	if (pipeline->options->build_directory) {
		unsigned count = 0;
		const char *const *flags = analysis_build_flags(pipeline->arena, pipeline->options->build_directory,
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

static enum exit_code compiler_warm(struct pipeline *pipeline)
{
	if (!pipeline->warming && pipeline->last >= STAGE_COMPILE && pipeline->options->compiler != COMPILE_NVCC)
		pipeline->warming = nvrtc_warm_begin(pipeline->arena, &pipeline->toolkit, pipeline->target,
		                                     pipeline->idle_cores > 1);
	return EXIT_VERDICT;
}

/* The text of all source files; NULL where the first cannot be read. */
static const char *sources_text(struct pipeline *pipeline)
{
	const struct analyzer_options *analyzer = &pipeline->options->analyzer;
	const char *all = file_read(pipeline->arena, analyzer->path, NULL);
	for (unsigned o = 0; all && o < analyzer->other_count; o++) {
		const char *other = file_read(pipeline->arena, analyzer->others[o], NULL);
		all = arena_printf(pipeline->arena, "%s\n%s", all, other ? other : "");
	}
	return all;
}

/* A function that names the instances of the file's templates which the user names, so that there are such; NULL where
 * he names none. */
static const char *instances_text(struct pipeline *pipeline)
{
	const struct case_options *cases = &pipeline->options->cases;
	const char *file = cases->kernel_count ? sources_text(pipeline) : NULL, *body = "";
	for (unsigned i = 0; file && i < cases->kernel_count; i++) {
		size_t length = strcspn(cases->kernels[i], "<");
		const char *name = arena_strndup(pipeline->arena, cases->kernels[i], length);
		if (cases->kernels[i][length] && length > 0 && !strpbrk(cases->kernels[i], "*?[") && strstr(file, name))
			body = arena_printf(pipeline->arena, "%s(void)&%s; ", body, cases->kernels[i]);
	}
	return *body ? arena_printf(pipeline->arena, "static inline void coalesce_instances() { %s}\n", body) : NULL;
}

/* NVRTC is opened while another process reads the source. Not before that is forked: it must not inherit locks that a
 * thread holds. */
static void analysis_accompany(void *context, bool forked)
{
	struct pipeline *pipeline = context;
	if (forked)
		compiler_warm(pipeline);
	else
		nvrtc_warm_wait(pipeline->warming);
}

static enum exit_code program_observe(struct pipeline *pipeline)
{
	if (!flags_collect(pipeline))
		return EXIT_INPUT;
	struct observe_request request = {
		.flags = pipeline->flags, .flag_count = pipeline->flag_count, .target = pipeline->target};
	request.toolkit = &pipeline->toolkit;
	request.machine = pipeline->result->machine;
	return predict_program_observe(pipeline->arena, pipeline->options, &request, &pipeline->observation,
	                               pipeline->diagnostics);
}

static enum exit_code source_analyse(struct pipeline *pipeline)
{
	struct analyzer_options options = pipeline->options->analyzer;
	const struct analyzer_device device = predict_device(pipeline->result->machine);
	options.flags = pipeline->flags;
	options.flag_count = pipeline->flag_count;
	options.cuda_root = pipeline->toolkit.root;
	options.cuda_cccl = pipeline->toolkit.cccl;
	options.architecture = pipeline->target;
	options.appended = instances_text(pipeline);
	options.device = &device;
	options.arguments = pipeline->observation && !options.arguments ? (const char *[]){NULL} : options.arguments;
	options.accompany = analysis_accompany;
	options.accompany_context = pipeline;
	pipeline->idle_cores = threads_idle_cores();
	struct analysis *analysis = analyze_file(pipeline->arena, &options, pipeline->diagnostics);
	pipeline->result->analysis = analysis;
	if (!analysis)
		return EXIT_INPUT;
	pipeline->result->time.clang = analysis->clang;
	if (pipeline->observation)
		pipeline->observed =
			observe_take(pipeline->arena, analysis, pipeline->observation, pipeline->diagnostics);
	return EXIT_VERDICT;
}

/* ---- groups: records, launches, the layouts to compare ------------------------------------ */

static enum exit_code groups_find(struct pipeline *pipeline)
{
	bool found = layout_groups_find(pipeline->arena, pipeline->result->analysis, &pipeline->options->layouts,
	                                &pipeline->result->groups, pipeline->diagnostics);
	return found ? EXIT_VERDICT : EXIT_INPUT;
}

static enum exit_code launches_find(struct pipeline *pipeline)
{
	struct case_options cases = pipeline->options->cases;
	cases.observed = pipeline->observed;
	bool found = case_find_all(pipeline->arena, pipeline->result->analysis, &cases, &pipeline->launches,
	                           &pipeline->launch_count, pipeline->diagnostics);
	return found ? EXIT_VERDICT : EXIT_USAGE;
}

/* Without --group, says which separate arrays could be one record. */
static enum exit_code groups_suggest(struct pipeline *pipeline)
{
	struct group_suggestions suggestions =
		analysis_suggest_groups(pipeline->arena, pipeline->result->analysis, SUGGESTIONS_MOST);
	for (unsigned i = 0; i < suggestions.count && !pipeline->options->suggests_nothing &&
	                     pipeline->options->layouts.group_count == 0;
	     i++) {
		const struct group_suggestion *suggestion = &suggestions.list[i];
		diagnostics_report(pipeline->diagnostics, SEVERITY_NOTE, suggestion->kernel->place,
		                   "arrays of kernel %s are indexed alike (%s): %s ranks them as one record",
		                   suggestion->kernel->name, suggestion->roles, suggestion->option);
	}
	return EXIT_VERDICT;
}

static enum exit_code variants_write(struct pipeline *pipeline)
{
	struct variant_request request = {.analysis = pipeline->result->analysis,
	                                  .groups = &pipeline->result->groups,
	                                  .rank = pipeline->options->rank,
	                                  .rank_count = pipeline->options->rank_count,
	                                  .tiles = pipeline->options->tiles,
	                                  .tile_count = pipeline->options->tile_count,
	                                  .diagnostics = pipeline->diagnostics};
	code_variants(pipeline->arena, &request, &pipeline->variants);
	pipeline->result->layouts_asked = pipeline->options->rank_count;
	return EXIT_VERDICT;
}

/* ---- compile ---------------------------------------------------------------------------------- */

static enum exit_code launches_require(struct pipeline *pipeline)
{
	if (pipeline->launch_count)
		return EXIT_VERDICT;
	report(pipeline, SEVERITY_ERROR, pipeline->result->analysis->path,
	       "no kernel here has code of its own: templates need instances for types that have a name");
	return EXIT_INPUT;
}

static struct code_build build_of(struct pipeline *pipeline)
{
	const struct predict_options *options = pipeline->options;
	const struct analysis *analysis = pipeline->result->analysis;
	return (struct code_build){.analysis = analysis,
	                           .groups = &pipeline->result->groups,
	                           .variants = &pipeline->variants,
	                           .ptx_files = options->ptx_files,
	                           .ptx_file_count = options->ptx_file_count,
	                           .request = {.toolkit = &pipeline->toolkit,
	                                       .target = pipeline->target,
	                                       .source_path = options->analyzer.path,
	                                       .flags = pipeline->flags,
	                                       .flag_count = pipeline->flag_count,
	                                       .machine_code = !options->no_machine_code,
	                                       .contents = code_symbols(pipeline->arena, analysis),
	                                       .content_count = analysis->host_symbol_count,
	                                       .road = options->compiler,
	                                       .warming = pipeline->warming,
	                                       .limits = options->analyzer.limits,
	                                       .store = options->store},
	                           .programs = options->one_program ? 1 : pipeline->idle_cores,
	                           .diagnostics = pipeline->diagnostics};
}

/* A model that reads the source alone needs no compiler, unless its stages are asked for. */
static enum exit_code variants_compile(struct pipeline *pipeline)
{
	struct prediction *result = pipeline->result;
	if (!result->model->reads_ptx && pipeline->last == STAGE_ESTIMATE)
		return EXIT_VERDICT;
	struct code_build build = build_of(pipeline);
	pipeline->compiled = code_build(pipeline->arena, &build);
	result->compilations = build.compilations;
	result->compilation_count = build.compilation_count;
	result->time.compiler = build.time.spent;
	result->time.own[STAGE_COMPILE].processor += build.time.elsewhere;
	return pipeline->compiled ? EXIT_VERDICT : EXIT_INPUT;
}

/* ---- evaluate: rows, and what each executes --------------------------------------------------- */

static struct case_result case_rows(struct pipeline *pipeline, const struct launch_case *launch)
{
	struct case_result result = {.launch = launch};
	for (unsigned i = 0; i < launch->note_count; i++)
		predict_note_once(pipeline->arena, &result, launch->notes[i]);
	for (unsigned v = 0; v < pipeline->variants.count; v++) {
		const struct variant *variant = &pipeline->variants.list[v];
		struct ranked_layout row = {.layout = variant->layout, .tile = variant->tile};
		if (!code_variant_wanted(&pipeline->result->groups, &pipeline->variants, launch->kernel, variant) ||
		    (pipeline->compiled && !variant->has_code))
			continue;
		if (variant->group != UINT_MAX)
			row.group = pipeline->result->groups.list[variant->group];
		row.view = predict_view(pipeline->arena, pipeline->result, pipeline->options, launch, variant,
		                        pipeline->diagnostics);
		if (row.view)
			ARENA_PUSH(pipeline->arena, result.rows, result.row_count, row);
	}
	return result;
}

static enum exit_code rows_make(struct pipeline *pipeline)
{
	struct prediction *result = pipeline->result;
	for (unsigned c = 0; c < pipeline->launch_count; c++) {
		struct case_result rows = case_rows(pipeline, &pipeline->launches[c]);
		if (rows.row_count)
			ARENA_PUSH(pipeline->arena, result->cases, result->case_count, rows);
	}
	if (result->case_count)
		return EXIT_VERDICT;
	report(pipeline, SEVERITY_ERROR, result->analysis->path, "no kernel has code to predict: see the warnings");
	return EXIT_INPUT;
}

static enum exit_code launches_run(struct pipeline *pipeline)
{
	return predict_refuse_unable(pipeline->arena, pipeline->result, pipeline->diagnostics);
}

/* Cores that nobody uses: as many as when the program began, or as now, where what ran then was soon over. */
static void idle_cores_find(struct pipeline *pipeline)
{
	unsigned now = threads_idle_cores();
	pipeline->idle_cores = now > pipeline->idle_cores ? now : pipeline->idle_cores;
}

static enum exit_code rows_evaluate(struct pipeline *pipeline)
{
	idle_cores_find(pipeline);
	pipeline->result->time.own[STAGE_EVALUATE].processor +=
		predict_evaluate_rows(pipeline->arena, pipeline->result, pipeline->options, pipeline->idle_cores);
	predict_follow_further(pipeline->arena, pipeline->result);
	predict_starts_find(pipeline->arena, pipeline->result, pipeline->options->start);
	return EXIT_VERDICT;
}

static enum exit_code launches_act(struct pipeline *pipeline)
{
	return predict_refuse_idle(pipeline->result, pipeline->diagnostics);
}

static enum exit_code launches_compare(struct pipeline *pipeline)
{
	return predict_refuse_unlike(pipeline->result, pipeline->diagnostics);
}

/* ---- estimate ------------------------------------------------------------------------------------ */

static enum exit_code rows_estimate(struct pipeline *pipeline)
{
	struct prediction *result = pipeline->result;
	idle_cores_find(pipeline);
	result->time.own[STAGE_ESTIMATE].processor +=
		predict_estimate_rows(pipeline->arena, result, pipeline->idle_cores);
	for (unsigned c = 0; c < result->case_count; c++)
		predict_case_conclude(pipeline->arena, result, &result->cases[c]);
	return predict_refuse_timeless(result, pipeline->diagnostics);
}

static enum exit_code cases_rank(struct pipeline *pipeline)
{
	for (unsigned c = 0; c < pipeline->result->case_count; c++)
		verdict_case(pipeline->arena, pipeline->result, &pipeline->result->cases[c]);
	return EXIT_VERDICT;
}

static enum exit_code rows_advise(struct pipeline *pipeline)
{
	if (pipeline->options->advise)
		predict_advise(pipeline->arena, pipeline->result, pipeline->idle_cores);
	return EXIT_VERDICT;
}

static enum exit_code program_rank(struct pipeline *pipeline)
{
	verdict_program(pipeline->arena, pipeline->result, &pipeline->variants);
	predict_transfers(pipeline->arena, pipeline->result, pipeline->observation);
	return EXIT_VERDICT;
}

static enum exit_code records_combine(struct pipeline *pipeline)
{
	struct code_build build = build_of(pipeline);
	if (pipeline->options->combines && pipeline->compiled && build.ptx_file_count == 0)
		predict_combination(pipeline->arena, pipeline->result, pipeline->options, pipeline->variants.list,
		                    &build);
	return EXIT_VERDICT;
}

static enum exit_code kernels_compare(struct pipeline *pipeline)
{
	verdict_kernels(pipeline->arena, pipeline->options, pipeline->result);
	return EXIT_VERDICT;
}

/* ---- the passes in order --------------------------------------------------------------------------- */

/* What of a prediction is made anew: all; what depends on how the source is compiled; or what depends on what is
 * launched, or on which machine beyond its code. */
enum renewal { RENEW_ALL, RENEW_CODE, RENEW_LAUNCHES };
static const struct pass {
	enum predict_stage stage;
	enum renewal renewal; /* the least in which it runs */
	enum exit_code (*run)(struct pipeline *pipeline);
} passes[] = {
	{STAGE_KERNEL, RENEW_ALL, model_choose},
	{STAGE_KERNEL, RENEW_LAUNCHES, machine_choose},
	{STAGE_KERNEL, RENEW_ALL, toolkit_require},
	{STAGE_KERNEL, RENEW_ALL, program_observe},
	{STAGE_KERNEL, RENEW_ALL, source_analyse},
	{STAGE_GROUPS, RENEW_ALL, compiler_warm},
	{STAGE_GROUPS, RENEW_ALL, groups_find},
	{STAGE_GROUPS, RENEW_LAUNCHES, launches_find},
	{STAGE_GROUPS, RENEW_ALL, groups_suggest},
	{STAGE_GROUPS, RENEW_CODE, variants_write},
	{STAGE_COMPILE, RENEW_CODE, launches_require},
	{STAGE_COMPILE, RENEW_CODE, variants_compile},
	{STAGE_EVALUATE, RENEW_LAUNCHES, rows_make},
	{STAGE_EVALUATE, RENEW_LAUNCHES, launches_run},
	{STAGE_EVALUATE, RENEW_LAUNCHES, rows_evaluate},
	{STAGE_ESTIMATE, RENEW_LAUNCHES, launches_act},
	{STAGE_ESTIMATE, RENEW_LAUNCHES, launches_compare},
	{STAGE_ESTIMATE, RENEW_LAUNCHES, rows_estimate},
	{STAGE_ESTIMATE, RENEW_LAUNCHES, cases_rank},
	{STAGE_ESTIMATE, RENEW_LAUNCHES, program_rank},
	{STAGE_ESTIMATE, RENEW_LAUNCHES, kernels_compare},
	{STAGE_ESTIMATE, RENEW_ALL, rows_advise},
	{STAGE_ESTIMATE, RENEW_ALL, records_combine},
};

/* Runs a pass, and adds what it took to its stage. */
static enum exit_code pass_run(struct pipeline *pipeline, const struct pass *pass)
{
	struct duration begin = clock_thread(), *spent = &pipeline->result->time.own[pass->stage];
	enum exit_code code = pass->run(pipeline);
	*spent = clock_sum(*spent, clock_thread_since(begin));
	return code;
}

/* Takes the tools' part out of the stages that called them. */
static void time_divide(struct prediction *result)
{
	struct duration *analysis = &result->time.own[STAGE_KERNEL], *code = &result->time.own[STAGE_COMPILE];
	if (result->analysis)
		analysis->processor += result->analysis->elsewhere.processor;
	*analysis = clock_difference(*analysis, result->time.clang);
	*code = clock_difference(*code, result->time.compiler);
}

static struct prediction *passes_run(struct pipeline *pipeline, enum renewal renewal, enum exit_code *exit_code)
{
	struct prediction *result = pipeline->result;
	result->pipeline = pipeline;
	*exit_code = EXIT_VERDICT;
	for (size_t p = 0; p < ARRAY_COUNT(passes) && passes[p].stage <= pipeline->last && *exit_code == EXIT_VERDICT;
	     p++)
		if (passes[p].renewal >= renewal && !(result->machine && passes[p].run == machine_choose))
			*exit_code = pass_run(pipeline, &passes[p]);
	return *exit_code == EXIT_VERDICT ? result : NULL;
}

struct prediction *predict(struct arena *arena, const struct predict_options *options, enum predict_stage last,
                           struct diagnostics *diagnostics, enum exit_code *exit_code)
{
	struct pipeline *pipeline = arena_alloc(arena, sizeof *pipeline);
	*pipeline = (struct pipeline){.arena = arena, .options = options, .last = last, .diagnostics = diagnostics};
	pipeline->result = arena_alloc(arena, sizeof *pipeline->result);
	struct prediction *result = passes_run(pipeline, RENEW_ALL, exit_code);
	time_divide(pipeline->result);
	return result;
}

/* A prediction that goes on from the source of another one, and from its code unless that is renewed. */
static struct pipeline *pipeline_from(struct arena *arena, const struct prediction *first,
                                      const struct predict_options *options, struct diagnostics *diagnostics)
{
	struct pipeline *pipeline = arena_alloc(arena, sizeof *pipeline);
	struct prediction *result = arena_alloc(arena, sizeof *result);
	*pipeline = *first->pipeline;
	pipeline->arena = arena;
	pipeline->options = options;
	pipeline->diagnostics = diagnostics;
	pipeline->launches = NULL;
	pipeline->launch_count = 0;
	*result = (struct prediction){
		.analysis = first->analysis,
		.machine = strcmp(options->machine, first->pipeline->options->machine) == 0 ? first->machine : NULL,
		.model = first->model,
		.groups = first->groups,
		.layouts_asked = first->layouts_asked,
		.compilations = first->compilations,
		.compilation_count = first->compilation_count};
	pipeline->result = result;
	return pipeline;
}

struct prediction *predict_again(struct arena *arena, const struct prediction *first,
                                 const struct predict_options *options, struct diagnostics *diagnostics,
                                 enum exit_code *exit_code)
{
	return passes_run(pipeline_from(arena, first, options, diagnostics), RENEW_LAUNCHES, exit_code);
}

struct prediction *predict_recompiled(struct arena *arena, const struct prediction *first,
                                      const struct predict_options *options, struct diagnostics *diagnostics,
                                      enum exit_code *exit_code)
{
	struct pipeline *pipeline = pipeline_from(arena, first, options, diagnostics);
	pipeline->variants = (struct variants){0};
	pipeline->flags = NULL;
	pipeline->flag_count = 0;
	*exit_code = EXIT_INPUT;
	return flags_collect(pipeline) ? passes_run(pipeline, RENEW_CODE, exit_code) : NULL;
}
