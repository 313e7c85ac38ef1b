/*
 * Builds a program against the stand-in for the CUDA runtime, and runs it in its box.
 */
#include "model/observe/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECONDS_USUAL 60.0
#define RESIDENT_BYTES_MOST ((uint64_t)4 << 30)
#define SHOWN_BYTES 300
/* glibc's malloc() fills memory with zeros, and freed memory with ones: what is not set is the same in each run. */
#define FRESH_MEMORY_ZERO "MALLOC_PERTURB_=255"

bool observe_fail(struct observed_program *program, const char *text)
{
	program->failure = text;
	return false;
}

/* ---- building ---------------------------------------------------------------------------------- */

/* What nvcc or the linker says first of what is wrong. */
static const char *complaint(struct arena *arena, const char *output)
{
	static const char *const words[] = {"error", "undefined reference", "cannot find"};
	const char *best = NULL;
	for (unsigned i = 0; i < ARRAY_COUNT(words); i++) {
		const char *found = strstr(output, words[i]);
		best = found && (!best || found < best) ? found : best;
	}
	if (!best)
		return *output ? arena_strndup(arena, output, SHOWN_BYTES) : "it printed nothing";
	while (best > output && best[-1] != '\n')
		best--;
	size_t length = strcspn(best, "\n");
	return arena_strndup(arena, best, length < SHOWN_BYTES ? length : SHOWN_BYTES);
}

bool observe_nvcc_run(struct observed_program *program, const struct nvcc_call *call, const char *what)
{
	struct process_result result = nvcc_call_run(call);
	if (result.status == 0 && !result.timed_out)
		return true;
	const char *said = result.status < 0 ? strerror(result.error)
	                   : result.timed_out
	                           ? "nvcc took too long (--limit-seconds)"
	                           : complaint(program->arena,
	                                       nvcc_call_restored(call, result.err_length ? result.err : result.out));
	return observe_fail(program, arena_printf(program->arena, "cannot build %s: %s", what, said));
}

/* Functions that the toolkit has no more and older programs call: the stand-in has them. */
static const char removed_names[] = "#include <cuda_runtime_api.h>\n"
				    "#if CUDART_VERSION >= 13000\n"
				    "#ifdef __cplusplus\n"
				    "extern \"C\" {\n"
				    "#endif\n"
				    "cudaError_t cudaThreadSynchronize(void);\n"
				    "cudaError_t cudaThreadExit(void);\n"
				    "#ifdef __cplusplus\n"
				    "}\n"
				    "#endif\n"
				    "#endif\n";

static void build_flag_add(struct nvcc_call *call, const char *flag)
{
	if (strncmp(flag, "-L", 2) == 0)
		nvcc_call_path(call, "-L", flag + 2);
	else
		nvcc_call_word(call, flag);
}

/* The folder of the program's own files. */
static const char *folder_of(const struct observed_program *program)
{
	return program->request->folder ? program->request->folder
	                                : compile_folder(program->arena, program->request->path);
}

static bool program_build(struct observed_program *program)
{
	const struct observe_request *request = program->request;
	struct nvcc_call *call = &program->call;
	if (file_write(arena_printf(program->arena, "%s/removed.h", call->directory), removed_names,
	               strlen(removed_names)) != 0)
		return observe_fail(program, strerror(errno));
	const char *const words[] = {
		"-w",   "-O2", "-no-compress", "-cudart",
		"none", "-o",  "program",      arena_printf(program->arena, "-arch=%s", request->target)};
	for (unsigned i = 0; i < ARRAY_COUNT(words); i++)
		nvcc_call_word(call, words[i]);
	nvcc_call_word(call, "-include");
	nvcc_call_word(call, "removed.h");
	nvcc_call_path(call, "-I", folder_of(program));
	if (!nvcc_call_flags(call, request->flags, request->flag_count))
		return observe_fail(program, strerror(errno));
	nvcc_call_path(call, "", request->path);
	for (unsigned i = 0; i < request->other_count; i++)
		nvcc_call_path(call, "", request->others[i]);
	nvcc_call_word(call, "all.o");
	nvcc_call_word(call, "unknown.o");
	for (unsigned i = 0; i < request->build_flag_count; i++)
		build_flag_add(call, request->build_flags[i]);
	nvcc_call_word(call, "-lpthread");
	nvcc_call_word(call, "-ldl");
	return observe_nvcc_run(program, call, "the program");
}

static double host_seconds_most(const struct observed_program *program)
{
	return program->request->limits.seconds > 0 ? program->request->limits.seconds : SECONDS_USUAL;
}

static void kernels_build(struct observed_program *program)
{
	const char *path = arena_printf(program->arena, "%s/program", program->call.directory);
	const char *folder = arena_printf(program->arena, "%s/kernels", program->call.directory);
	program->problem = "--kernel-seconds 0";
	if (program->request->kernel_seconds <= 0)
		return;
	if (mkdir(folder, 0700) != 0)
		program->problem = strerror(errno);
	else
		observe_kernels_build(program, path, folder, host_seconds_most(program));
}

struct observed_program *observe_build(struct arena *arena, const struct observe_request *request)
{
	struct observed_program *program = arena_alloc(arena, sizeof *program);
	*program = (struct observed_program){.arena = arena, .request = request};
	if (!nvcc_call_begin(&program->call, arena, request->toolkit->nvcc, request->limits))
		observe_fail(program, arena_printf(arena, "cannot make a temporary folder: %s", strerror(errno)));
	else if (observe_standin_build(program) && program_build(program))
		kernels_build(program);
	return program;
}

const char *observe_failure(const struct observed_program *program)
{
	return program->failure;
}

const char *observe_kernels_missing(const struct observed_program *program)
{
	return program->kernels ? NULL : program->problem;
}

const char *const *observe_kernel_names(const struct observed_program *program, unsigned *count)
{
	*count = program->kernel_count;
	return program->kernel_names;
}

void observe_release(struct observed_program *program)
{
	nvcc_call_end(&program->call);
}

/* ---- running --------------------------------------------------------------------------------------- */

/* A run under way. */
struct program_run {
	struct observed_program *program;
	const struct observe_how *how;
	const char *box; /* the folder that it may write to */
	const char *log, *copies, *memory, *shapes;
};

/* A word of the command line. A path that leads somewhere from where the user stands alone is made absolute, as the
 * program runs elsewhere. */
static const char *word_adapted(const struct observed_program *program, const char *word, const char *folder)
{
	if (word[0] == '/' || word[0] == '-' || !*word || access(word, F_OK) != 0 ||
	    access(arena_printf(program->arena, "%s/%s", folder, word), F_OK) == 0)
		return word;
	char *absolute = realpath(word, NULL);
	const char *copy = absolute ? arena_strdup(program->arena, absolute) : word;
	free(absolute);
	return copy;
}

static uint64_t resident_bytes_most(const struct observed_program *program)
{
	return program->request->limits.bytes ? program->request->limits.bytes : RESIDENT_BYTES_MOST;
}

static const char *const *environment_make(const struct program_run *run)
{
	static const char *const passed[] = {"PATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "OMP_NUM_THREADS"};
	const struct observed_program *program = run->program;
	struct arena *arena = program->arena;
	const char **list = NULL;
	unsigned count = 0;
	for (unsigned i = 0; i < ARRAY_COUNT(passed); i++)
		if (getenv(passed[i]))
			ARENA_PUSH(arena, list, count, arena_printf(arena, "%s=%s", passed[i], getenv(passed[i])));
	ARENA_PUSH(arena, list, count, arena_printf(arena, "TMPDIR=%s", run->box));
	ARENA_PUSH(arena, list, count, arena_printf(arena, "COALESCE_OBSERVATION_LOG=%s", run->log));
	if (program->kernels) {
		ARENA_PUSH(arena, list, count, arena_printf(arena, "COALESCE_KERNELS=%s", program->kernels));
		ARENA_PUSH(arena, list, count,
		           arena_printf(arena, "COALESCE_KERNEL_SECONDS=%g", program->request->kernel_seconds));
		ARENA_PUSH(arena, list, count,
		           arena_printf(arena, "COALESCE_KERNEL_BYTES=%llu",
		                        (unsigned long long)resident_bytes_most(program) / 2));
	}
	if (run->how->clock_speed > 0) {
		ARENA_PUSH(arena, list, count, arena_printf(arena, "COALESCE_CLOCK_SPEED=%g", run->how->clock_speed));
		ARENA_PUSH(arena, list, count, arena_printf(arena, "COALESCE_COPIES=%s", run->copies));
		ARENA_PUSH(arena, list, count, FRESH_MEMORY_ZERO);
	}
	if (run->how->shapes) {
		ARENA_PUSH(arena, list, count, arena_printf(arena, "COALESCE_SHAPES=%s", run->shapes));
		ARENA_PUSH(arena, list, count, arena_printf(arena, "COALESCE_MEMORY=%s", run->memory));
	}
	if (run->how->shown)
		ARENA_PUSH(arena, list, count, arena_printf(arena, "COALESCE_MEMORY_SHOWN=%s", run->how->shown));
	if (run->how->reversed)
		ARENA_PUSH(arena, list, count, "COALESCE_KERNELS_REVERSED=1");
	ARENA_PUSH(arena, list, count, NULL);
	return list;
}

/* That of kernels included. */
static double seconds_most(const struct observed_program *program)
{
	return host_seconds_most(program) + (program->kernels ? program->request->kernel_seconds : 0);
}

static struct process_result process_of(const struct program_run *run, const char *folder, const char *copy)
{
	struct observed_program *program = run->program;
	const struct observe_box box = {run->box, seconds_most(program)};
	const struct process_box process_box = {.enter = observe_box_enter,
	                                        .context = &box,
	                                        .environment = environment_make(run),
	                                        .resident_bytes = resident_bytes_most(program)};
	const char **argv = NULL;
	unsigned count = 0;
	ARENA_PUSH(program->arena, argv, count, arena_printf(program->arena, "%s/program", program->call.directory));
	for (unsigned i = 0; i < program->request->argument_count; i++)
		ARENA_PUSH(program->arena, argv, count, word_adapted(program, program->request->arguments[i], folder));
	ARENA_PUSH(program->arena, argv, count, NULL);
	return process_run_limited(program->arena,
	                           &(struct process_request){.argv = argv,
	                                                     .directory = copy,
	                                                     .limits = {.seconds = seconds_most(program)},
	                                                     .box = &process_box});
}

/* How the program ended, in words that follow "ended with". */
static const char *ending(const struct observed_program *program, const struct process_result *result)
{
	if (result->swelled)
		return "more memory than it may use (--limit-memory)";
	if (result->hung)
		return "nothing done for long";
	if (result->timed_out)
		return arena_printf(program->arena, "more than %g s of processor time (--limit-seconds)",
		                    host_seconds_most(program));
	if (result->status > 128)
		return arena_printf(program->arena, "signal %d", result->status - 128);
	return arena_printf(program->arena, "status %d", result->status);
}

static bool box_make(struct program_run *run)
{
	struct observed_program *program = run->program;
	run->box = arena_printf(program->arena, "%s/box%u", program->call.directory, program->runs++);
	run->log = arena_printf(program->arena, "%s/log", run->box);
	run->copies = arena_printf(program->arena, "%s/copies", run->box);
	run->memory = arena_printf(program->arena, "%s/memory", run->box);
	run->shapes = arena_printf(program->arena, "%s/shapes", run->box);
	const char *shapes = run->how->shapes ? run->how->shapes : "";
	return mkdir(run->box, 0700) == 0 && file_write(run->log, "", 0) == 0 && file_write(run->copies, "", 0) == 0 &&
	       file_write(run->memory, "", 0) == 0 && file_write(run->shapes, shapes, strlen(shapes)) == 0;
}

bool observe_run(struct observed_program *program, const struct observe_how *how, struct observed_end *end)
{
	const char *folder = folder_of(program), *copy;
	struct program_run run = {.program = program, .how = how};
	if (!box_make(&run))
		return observe_fail(program,
		                    arena_printf(program->arena, "cannot write temporary files: %s", strerror(errno)));
	copy = observe_folder_copy(program->arena, folder, run.box);
	const struct process_result result = process_of(&run, folder, copy ? copy : run.box);
	if (result.status < 0 || result.status == PROCESS_NOT_STARTED)
		return observe_fail(program, "the program cannot be kept in a box on this system, and was not run");
	*end = (struct observed_end){.ended = ending(program, &result),
	                             .limited = result.timed_out || result.status > 128,
	                             .status = result.status,
	                             .out = result.out,
	                             .out_length = result.out_length,
	                             .err = result.err,
	                             .log = run.log,
	                             .copies = run.copies,
	                             .memory = run.memory,
	                             .box = run.box,
	                             .directory = program->call.directory};
	return true;
}
