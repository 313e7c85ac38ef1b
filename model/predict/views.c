/*
 * One launch in one variant as cost models see it: its code in both forms, what it is called with, and what it
 * executes.
 */
#include "model/predict/predict.h"

#include "base/lookup/lookup.h"
#include "base/threads/threads.h"

#include <math.h>
#include <string.h>

#define MATTERS 0.01 /* of what a launch does */
/* instructions of one warp, about a quarter of an hour: no limit of steps comes near its end; chosen */
#define ENDLESS 1e12

/* What ptxas says of a kernel. registers: of each thread, where somebody knows better; else 0. */
static const struct kernel_resources *resources_of(struct arena *arena, const struct compilation *compilation,
                                                   const char *name, unsigned registers)
{
	const struct kernel_resources *found = compile_resources(compilation, name);
	if (!found || registers == 0)
		return found;
	struct kernel_resources *own = arena_alloc(arena, sizeof *own);
	*own = *found;
	own->registers = registers;
	return own;
}

struct launch_view *predict_view(struct arena *arena, const struct prediction *result,
                                 const struct predict_options *options, const struct launch_case *launch,
                                 const struct variant *variant, struct diagnostics *diagnostics)
{
	struct launch_view *view = arena_alloc(arena, sizeof *view);
	*view = (struct launch_view){.machine = result->machine,
	                             .readings = &options->readings,
	                             .analysis = result->analysis,
	                             .launch = launch,
	                             .groups = &result->groups,
	                             .placements = variant->rewritten->placements,
	                             .kernel = code_kernel_in(variant->rewritten, launch->kernel)};
	if (!variant->has_code)
		return view;
	const struct compilation *compilation = code_compilation(variant, launch->kernel, result->analysis);
	view->ptx.module = compilation ? compilation->module : variant->own;
	view->ptx.function = view->ptx.module
	                             ? code_function(arena, variant, view->ptx.module, launch->kernel, result->analysis)
	                             : NULL;
	if (!view->ptx.function) {
		diagnostics_report(diagnostics, SEVERITY_WARNING, launch->kernel->place,
		                   "the compiler's output has no code for kernel %s", launch->kernel->name);
		return NULL;
	}
	if (compilation) {
		view->resources = resources_of(arena, compilation, view->ptx.function->name, options->registers);
		view->machine_code.module = compilation->machine_code;
	}
	if (view->machine_code.module)
		view->machine_code.function = ptx_module_find(view->machine_code.module, view->ptx.function->name);
	return view;
}

/* Whether how often loops turn depends on data, which an option says. */
static bool is_told(const struct evaluation *evaluation)
{
	bool told = false;
	for (unsigned i = 0; i < evaluation->assumption_count; i++)
		told |= evaluation->assumptions[i].guess == GUESS_TRIPS;
	return told;
}

/* Marks the guards on data of which the user says how often they hold. Returns how many there are. */
static unsigned guards_told(struct arena *arena, const struct evaluation *evaluation, struct evaluate_input *input)
{
	enum guard_doubt *doubts = arena_array(arena, input->function->insn_count + 1, sizeof *doubts);
	unsigned count = 0;
	for (unsigned i = 0; i < evaluation->assumption_count && input->shares; i++) {
		const struct assumption *assumption = &evaluation->assumptions[i];
		if (assumption->guess != GUESS_BRANCH || !input->shares[assumption->insn].told)
			continue;
		doubts[assumption->insn] = assumption->common ? GUARD_COMMON : GUARD_OF_LANES;
		count++;
	}
	input->guard_doubts = count ? doubts : NULL;
	return count;
}

/* Instructions executed, and sectors and passes of requests. */
struct work_done {
	double instructions, requested;
};

static struct work_done work_done(struct arena *arena, const struct evaluate_input *input, double probability)
{
	struct evaluate_input one = *input;
	one.branch_probability = probability;
	one.shares = NULL;
	const struct evaluation *evaluation = exec_evaluate(arena, &one);
	struct work_done done = {.instructions = evaluation->warp_instructions};
	for (size_t i = 0; i < input->function->insn_count; i++)
		done.requested += evaluation->insns[i].sectors + evaluation->insns[i].wavefronts;
	return done;
}

/* Whether it is more than branches that is not known, or they make a difference: all taken, or none. */
static bool doubts_matter(struct arena *arena, const struct evaluate_input *input, const struct evaluation *evaluation,
                          unsigned doubts)
{
	for (unsigned i = 0; i < evaluation->assumption_count; i++)
		doubts -= evaluation->assumptions[i].guess != GUESS_OTHER;
	if (doubts)
		return true;
	struct work_done none = work_done(arena, input, 0), all = work_done(arena, input, 1);
	return fabs(all.instructions - none.instructions) > MATTERS * evaluation->warp_instructions ||
	       fabs(all.requested - none.requested) > MATTERS * fmax(all.requested, none.requested);
}

/*
 * Evaluates it anew with what contents are supposed to be, and keeps that, where addresses or branches depend on
 * something, no option says it, and less of it is left unknown.
 */
static void code_view_suppose(struct arena *arena, struct code_view *code, struct evaluate_input *input)
{
	unsigned doubts = exec_doubts(input, code->evaluation), told = guards_told(arena, code->evaluation, input);
	if (doubts <= told || is_told(code->evaluation) || !doubts_matter(arena, input, code->evaluation, doubts))
		return;
	input->supposes = true;
	const struct evaluation *supposing = exec_evaluate(arena, input);
	if (exec_doubts(input, supposing) < doubts)
		code->evaluation = supposing;
	else
		input->supposes = false;
}

/* Whether all guards that are not known hold as often as predicates are assumed to. */
static bool is_usual(const struct branch_options *branches)
{
	return !branches->told && !branches->line_count && branches->probability == EXEC_BRANCH_PROBABILITY;
}

/* What one form of the code is evaluated with, where there is one. */
static void code_view_prepare(struct arena *arena, const struct launch_view *view,
                              const struct predict_options *options, struct code_view *code,
                              const struct evaluate_input *how)
{
	struct evaluate_input *input = arena_alloc(arena, sizeof *input);
	if (!code->function)
		return;
	*input = *how;
	input->module = code->module;
	input->function = code->function;
	if (!is_usual(&options->branches))
		input->shares = code_guard_shares(arena, view, code, &options->branches);
	if (!options->trips_told)
		input->loop_ranges = code_loop_ranges(arena, view, code, options->trips_side);
	code->input = input;
}

/* Places the arguments of a row's view. */
static void view_prepare(struct arena *arena, const struct predict_options *options, struct launch_view *view)
{
	struct evaluate_input how = {.dynamic_shared_bytes = view->launch->dynamic_shared_bytes,
	                             .branch_probability = options->branches.probability,
	                             .unknown_trips = options->unknown_trips};
	if (!view->ptx.function)
		return;
	how.arguments = code_arguments(arena, view);
	how.buffers = view->buffers;
	how.buffer_count = view->buffer_count;
	how.constants = code_constants(arena, view->launch);
	how.constant_count = view->launch->kernel->constant_count;
	memcpy(how.grid, view->launch->grid, sizeof how.grid);
	memcpy(how.block, view->launch->block, sizeof how.block);
	code_view_prepare(arena, view, options, &view->ptx, &how);
	code_view_prepare(arena, view, options, &view->machine_code, &how);
}

struct evaluate_job {
	struct arena *arena;
	struct code_view *code;
	struct evaluate_input *input;
	bool executed; /* it is what the launch's time is found by */
};
/* What is evaluated, found by its code's hash. */
struct evaluate_jobs {
	struct evaluate_job *list;
	unsigned count;
	struct lookup by_code;
};

/* Whether more steps may bring an evaluation that was cut short to its end. */
static bool is_worth_following(const struct evaluation *evaluation)
{
	return evaluation && evaluation->cut && !evaluation->misses_calls &&
	       evaluation->warp_instructions < ENDLESS * evaluation->warps;
}

/* Goes further where that was cut short. */
static void evaluate_job_follow(const struct evaluate_job *job)
{
	if (!job->executed || job->input->step_limit == EXEC_STEPS_FURTHER ||
	    !is_worth_following(job->code->evaluation))
		return;
	job->input->step_limit = EXEC_STEPS_FURTHER;
	job->code->evaluation = exec_evaluate(job->arena, job->input);
}

static void evaluate_job_run(void *context, unsigned index)
{
	const struct evaluate_job *job = (const struct evaluate_job *)context + index;
	const uint64_t limit = job->input->step_limit;
	job->code->evaluation = exec_evaluate(job->arena, job->input);
	evaluate_job_follow(job);
	code_view_suppose(job->arena, job->code, job->input);
	evaluate_job_follow(job);
	job->input->step_limit = limit; /* by which code that does the same is found */
}

/* The first of the jobs whose code evaluates the same, or NULL; of one not evaluated yet, whose code may. */
static struct evaluate_job *job_alike(const struct evaluate_jobs *jobs, uint64_t hash, const struct code_view *code)
{
	const struct lookup_entry *entry = lookup_first(&jobs->by_code, hash);
	while (entry && !code_evaluates_same(jobs->list[entry->position].code, code))
		entry = lookup_next(&jobs->by_code, entry);
	return entry ? &jobs->list[entry->position] : NULL;
}

static struct evaluate_job *job_add(struct arena *arena, struct evaluate_jobs *jobs, uint64_t hash,
                                    struct evaluate_job job)
{
	lookup_add(arena, &jobs->by_code, hash, jobs->count);
	ARENA_PUSH(arena, jobs->list, jobs->count, job);
	return &jobs->list[jobs->count - 1];
}

/* Adds the code to what is evaluated, unless there is some that may be the same. */
static void evaluate_jobs_add(struct arena *arena, struct evaluate_jobs *jobs, struct code_view *code, bool executed)
{
	uint64_t hash = code->input ? code_hash(code) : 0;
	if (code->input && !job_alike(jobs, hash, code))
		job_add(arena, jobs, hash,
		        (struct evaluate_job){arena_create_within(arena), code, (struct evaluate_input *)code->input,
		                              executed});
}

/* Evaluates what was left out: as what it is the same as, or by itself. */
static void evaluate_rest(struct arena *arena, struct evaluate_jobs *jobs, struct code_view *code, bool executed)
{
	if (!code->input || code->evaluation)
		return;
	uint64_t hash = code_hash(code);
	struct evaluate_input *input = (struct evaluate_input *)code->input;
	const struct evaluate_job *alike = job_alike(jobs, hash, code);
	if (!alike) {
		evaluate_job_run(job_add(arena, jobs, hash, (struct evaluate_job){arena, code, input, executed}), 0);
		return;
	}
	input->supposes = alike->code->input->supposes;
	input->guard_doubts = alike->code->input->guard_doubts;
	code->evaluation = alike->code->evaluation;
}

double predict_evaluate_rows(struct arena *arena, const struct prediction *result,
                             const struct predict_options *options, unsigned threads)
{
	struct evaluate_jobs jobs = {0};
	for (unsigned c = 0; c < result->case_count; c++)
		for (unsigned r = 0; r < result->cases[c].row_count; r++) {
			struct launch_view *view = result->cases[c].rows[r].view;
			view_prepare(arena, options, view);
			evaluate_jobs_add(arena, &jobs, &view->ptx, !view->machine_code.function);
			evaluate_jobs_add(arena, &jobs, &view->machine_code, true);
		}
	double elsewhere = threads_run(threads, jobs.count, evaluate_job_run, jobs.list);
	for (unsigned c = 0; c < result->case_count; c++)
		for (unsigned r = 0; r < result->cases[c].row_count; r++) {
			evaluate_rest(arena, &jobs, &result->cases[c].rows[r].view->ptx, false);
			evaluate_rest(arena, &jobs, &result->cases[c].rows[r].view->machine_code, true);
		}
	return elsewhere;
}

static void code_view_follow(struct arena *arena, struct code_view *code, uint64_t steps)
{
	if (!is_worth_following(code->evaluation))
		return;
	struct evaluate_input *further = arena_alloc(arena, sizeof *further);
	*further = *code->input;
	further->step_limit = steps;
	code->input = further;
	code->evaluation = exec_evaluate(arena, further);
}

void predict_view_follow(struct arena *arena, struct launch_view *view, uint64_t steps)
{
	code_view_follow(arena, &view->ptx, steps);
	code_view_follow(arena, &view->machine_code, steps);
}
