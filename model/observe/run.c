/*
 * Builds a program against the stand-in for the CUDA runtime, runs it in its box, and reads what it recorded.
 */
#include "model/observe/internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RUNTIME_FOLDER "model/observe/runtime"
#define SECONDS_USUAL 60.0
#define LOG_BYTES_MOST ((off_t)300 << 20)
#define RESIDENT_BYTES_MOST ((uint64_t)4 << 30)
#define SHOWN_BYTES 300

/* The files of the stand-in. */
static const struct {
	const char *name;
	const char *const *lines; /* up to NULL */
} parts[] = {
#include "model/observe/runtime.inc"
};

/* One observation under way. */
struct observe_run {
	struct arena *arena;
	const struct observe_request *request;
	struct diagnostics *diagnostics;
	struct nvcc_call call; /* of the program's build; its folder holds all there is */
	const char *kernels;   /* the shared object of its kernels; NULL: they do not run, for this reason: */
	const char *problem;
	const char *box; /* the folder that the program may write to */
	const char *log;
};

static bool fail(const struct observe_run *run, const char *text)
{
	diagnostics_report(run->diagnostics, SEVERITY_ERROR, (struct place){run->request->path, 0, 0}, "--observe: %s", text);
	return false;
}

/* ---- the stand-in ----------------------------------------------------------------------------- */

static bool text_save(const struct observe_run *run, const char *name, struct text *text)
{
	const char *path = arena_printf(run->arena, "%s/%s", run->call.directory, name);
	bool saved = file_write(path, text->data ? text->data : "", text->length) == 0;
	text_release(text);
	return saved;
}

/* The device that the program may ask for, as the header device.h. */
static void device_write(struct text *out, const struct machine *machine)
{
	const struct {
		const char *name;
		double value;
	} rows[] = {
		{"MAJOR", machine->capability_major},
		{"MINOR", machine->capability_minor},
		{"MULTIPROCESSORS", machine->sm_count.value},
		{"WARP_LANES", machine->sm_warp_lanes.value},
		{"SHARED_PER_BLOCK",
	         machine->sm_shared_memory_bytes.value - machine->sm_shared_memory_reserved_per_block_bytes.value},
		{"SHARED_PER_MULTIPROCESSOR", machine->sm_shared_memory_bytes.value},
		{"SHARED_RESERVED", machine->sm_shared_memory_reserved_per_block_bytes.value},
		{"REGISTERS", machine->sm_registers.value},
		{"THREADS_PER_MULTIPROCESSOR", machine->sm_max_warps.value * machine->sm_warp_lanes.value},
		{"BLOCKS_PER_MULTIPROCESSOR", machine->sm_max_blocks.value},
		{"L2_BYTES", machine->l2_size_bytes.value},
		{"LINK_BYTES_PER_SECOND", machine->link_bandwidth_bytes_per_second.value},
		{"LAUNCH_NANOSECONDS", machine->launch_overhead_seconds.value * 1e9},
		{"CLOCK_KHZ", machine->sm_clock_hz.value / 1e3},
		/* A bus and a clock that give the bandwidth: programs multiply both. */
		{"MEMORY_BITS", 4096},
		{"MEMORY_CLOCK_KHZ", machine->dram_bandwidth_bytes_per_second.value / (2 * 4096 / 8) / 1e3},
	};
	text_printf(out, "#define DEVICE_NAME \"%s\"\n", machine->name);
	text_printf(out, "#define DEVICE_MEMORY_BYTES ((size_t)%.0f)\n", machine->dram_size_bytes.value);
	for (unsigned i = 0; i < ARRAY_COUNT(rows); i++)
		text_printf(out, "#define DEVICE_%s %.0f\n", rows[i].name, rows[i].value);
}

static bool runtime_write(const struct observe_run *run)
{
	struct text device = {0};
	if (directory_create(arena_printf(run->arena, "%s/" RUNTIME_FOLDER, run->call.directory)) != 0 ||
	    directory_create(arena_printf(run->arena, "%s/model/cpu/support", run->call.directory)) != 0)
		return false;
	for (unsigned p = 0; p < ARRAY_COUNT(parts); p++) {
		struct text text = {0};
		for (const char *const *line = parts[p].lines; *line; line++)
			text_puts(&text, *line);
		if (!text_save(run, parts[p].name, &text))
			return false;
	}
	device_write(&device, run->request->machine);
	return text_save(run, RUNTIME_FOLDER "/device.h", &device);
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

static bool build_run(const struct observe_run *run, const struct nvcc_call *call, const char *what)
{
	struct process_result result = nvcc_call_run(call);
	if (result.status == 0 && !result.timed_out)
		return true;
	const char *said = result.status < 0 ? strerror(result.error)
	                   : result.timed_out
	                           ? "nvcc took too long (--limit-seconds)"
	                           : complaint(run->arena, nvcc_call_restored(call, result.err_length ? result.err : result.out));
	return fail(run, arena_printf(run->arena, "cannot build %s: %s", what, said));
}

/* The stand-in is compiled alone: macros of the user's flags are not for it. */
static bool runtime_compile(const struct observe_run *run)
{
	struct nvcc_call call = run->call;
	const char *const words[] = {"-c",
	                             "-w",
	                             "-O1",
	                             "-I",
	                             run->call.directory,
	                             "-odir",
	                             run->call.directory,
	                             RUNTIME_FOLDER "/all.c",
	                             RUNTIME_FOLDER "/unknown.c"};
	call.words = NULL;
	call.word_count = 0;
	nvcc_call_word(&call, run->request->toolkit->nvcc);
	for (unsigned i = 0; i < ARRAY_COUNT(words); i++)
		nvcc_call_word(&call, words[i]);
	return build_run(run, &call, "the stand-in for the CUDA runtime");
}

/* Where the compiled stand-in for this toolkit and machine is kept; NULL: nowhere. */
static const char *cache_folder(const struct observe_run *run)
{
	const struct toolkit *toolkit = run->request->toolkit;
	const char *cache = directory_cache(run->arena);
	struct text all = {0};
	uint64_t hash = UINT64_C(14695981039346656037);
	text_printf(&all, "%s %s\n", toolkit->root, toolkit->version);
	device_write(&all, run->request->machine);
	for (unsigned p = 0; p < ARRAY_COUNT(parts); p++)
		for (const char *const *line = parts[p].lines; *line; line++)
			text_puts(&all, *line);
	for (size_t i = 0; i < all.length; i++)
		hash = (hash ^ (uint8_t)all.data[i]) * UINT64_C(1099511628211);
	text_release(&all);
	return cache ? arena_printf(run->arena, "%s/observe-%016llx", cache, (unsigned long long)hash) : NULL;
}

static const char *const runtime_objects[] = {"all.o", "unknown.o"};

static bool objects_copy(const struct observe_run *run, const char *from, const char *to)
{
	for (unsigned i = 0; i < ARRAY_COUNT(runtime_objects); i++) {
		size_t length;
		const char *object = file_read(run->arena, arena_printf(run->arena, "%s/%s", from, runtime_objects[i]), &length);
		if (!object || file_write(arena_printf(run->arena, "%s/%s", to, runtime_objects[i]), object, length) != 0)
			return false;
	}
	return true;
}

static bool runtime_build(const struct observe_run *run)
{
	const char *cache = cache_folder(run);
	if (cache && objects_copy(run, cache, run->call.directory))
		return true;
	if (!runtime_write(run))
		return fail(run, arena_printf(run->arena, "cannot write temporary files: %s", strerror(errno)));
	if (!runtime_compile(run))
		return false;
	if (cache && directory_create(cache) == 0)
		objects_copy(run, run->call.directory, cache);
	return true;
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

static bool program_build(struct observe_run *run)
{
	const struct observe_request *request = run->request;
	struct nvcc_call *call = &run->call;
	if (file_write(arena_printf(run->arena, "%s/removed.h", call->directory), removed_names, strlen(removed_names)) != 0)
		return fail(run, strerror(errno));
	const char *const words[] = {"-w",   "-O2", "-no-compress", "-cudart",
	                             "none", "-o",  "program",      arena_printf(run->arena, "-arch=%s", request->target)};
	for (unsigned i = 0; i < ARRAY_COUNT(words); i++)
		nvcc_call_word(call, words[i]);
	nvcc_call_word(call, "-include");
	nvcc_call_word(call, "removed.h");
	nvcc_call_path(call, "-I", compile_folder(run->arena, request->path));
	if (!nvcc_call_flags(call, request->flags, request->flag_count))
		return fail(run, strerror(errno));
	nvcc_call_path(call, "", request->path);
	for (unsigned i = 0; i < request->other_count; i++)
		nvcc_call_path(call, "", request->others[i]);
	nvcc_call_word(call, "all.o");
	nvcc_call_word(call, "unknown.o");
	for (unsigned i = 0; i < request->build_flag_count; i++)
		build_flag_add(call, request->build_flags[i]);
	nvcc_call_word(call, "-lpthread");
	nvcc_call_word(call, "-ldl");
	return build_run(run, call, "the program");
}

/* ---- running --------------------------------------------------------------------------------------- */

/* A word of the command line. A path that leads somewhere from where the user stands alone is made absolute, as the program runs elsewhere. */
static const char *word_adapted(const struct observe_run *run, const char *word, const char *folder)
{
	if (word[0] == '/' || word[0] == '-' || !*word || access(word, F_OK) != 0 ||
	    access(arena_printf(run->arena, "%s/%s", folder, word), F_OK) == 0)
		return word;
	char *absolute = realpath(word, NULL);
	const char *copy = absolute ? arena_strdup(run->arena, absolute) : word;
	free(absolute);
	return copy;
}

static uint64_t resident_bytes_most(const struct observe_run *run)
{
	return run->request->limits.bytes ? run->request->limits.bytes : RESIDENT_BYTES_MOST;
}

static const char *const *environment_make(const struct observe_run *run)
{
	static const char *const passed[] = {"PATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "OMP_NUM_THREADS"};
	const char **list = NULL;
	unsigned count = 0;
	for (unsigned i = 0; i < ARRAY_COUNT(passed); i++)
		if (getenv(passed[i]))
			ARENA_PUSH(run->arena, list, count, arena_printf(run->arena, "%s=%s", passed[i], getenv(passed[i])));
	ARENA_PUSH(run->arena, list, count, arena_printf(run->arena, "TMPDIR=%s", run->box));
	ARENA_PUSH(run->arena, list, count, arena_printf(run->arena, "COALESCE_OBSERVATION_LOG=%s", run->log));
	if (run->kernels) {
		ARENA_PUSH(run->arena, list, count, arena_printf(run->arena, "COALESCE_KERNELS=%s", run->kernels));
		ARENA_PUSH(run->arena, list, count,
		           arena_printf(run->arena, "COALESCE_KERNEL_SECONDS=%g", run->request->kernel_seconds));
		ARENA_PUSH(
			run->arena, list, count,
			arena_printf(run->arena, "COALESCE_KERNEL_BYTES=%llu", (unsigned long long)resident_bytes_most(run) / 2));
	}
	ARENA_PUSH(run->arena, list, count, NULL);
	return list;
}

static double host_seconds_most(const struct observe_run *run)
{
	return run->request->limits.seconds > 0 ? run->request->limits.seconds : SECONDS_USUAL;
}

/* That of kernels included. */
static double seconds_most(const struct observe_run *run)
{
	return host_seconds_most(run) + (run->kernels ? run->request->kernel_seconds : 0);
}

static struct process_result program_run(const struct observe_run *run, const char *folder, const char *copy)
{
	const struct observe_box box = {run->box, seconds_most(run)};
	const struct process_box process_box = {.enter = observe_box_enter,
	                                        .context = &box,
	                                        .environment = environment_make(run),
	                                        .resident_bytes = resident_bytes_most(run)};
	const char **argv = NULL;
	unsigned count = 0;
	ARENA_PUSH(run->arena, argv, count, arena_printf(run->arena, "%s/program", run->call.directory));
	for (unsigned i = 0; i < run->request->argument_count; i++)
		ARENA_PUSH(run->arena, argv, count, word_adapted(run, run->request->arguments[i], folder));
	ARENA_PUSH(run->arena, argv, count, NULL);
	return process_run_limited(run->arena, &(struct process_request){.argv = argv,
	                                                                 .directory = copy,
	                                                                 .limits = {.seconds = seconds_most(run)},
	                                                                 .box = &process_box});
}

/* How the program ended, in words that follow "ended with". */
static const char *ending(const struct observe_run *run, const struct process_result *result)
{
	if (result->swelled)
		return "more memory than it may use (--limit-memory)";
	if (result->hung)
		return "nothing done for long";
	if (result->timed_out)
		return arena_printf(run->arena, "more than %g s of processor time (--limit-seconds)", host_seconds_most(run));
	if (result->status > 128)
		return arena_printf(run->arena, "signal %d", result->status - 128);
	return arena_printf(run->arena, "status %d", result->status);
}

/* ---- what it recorded -------------------------------------------------------------------------------- */

static void json_text(struct text *out, const char *text)
{
	text_puts(out, "\"");
	for (; *text; text++) {
		if ((unsigned char)*text < 0x20)
			text_printf(out, "\\u%04x", (unsigned)*text);
		else
			text_printf(out, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
	}
	text_puts(out, "\"");
}

/* The head of a recording, which is no part of the program's log. */
static void head_write(const struct observe_run *run, const char *ended, struct text *out)
{
	text_puts(out, "{\"schema\":\"coalesce-observation/1\",\"program\":[");
	json_text(out, run->request->path);
	for (unsigned i = 0; i < run->request->argument_count; i++) {
		text_puts(out, ",");
		json_text(out, run->request->arguments[i]);
	}
	text_puts(out, "],\"machine\":");
	json_text(out, run->request->machine->name);
	text_puts(out, ",\"ended\":");
	json_text(out, ended);
	text_puts(out, "}\n");
}

/* The whole lines of the log, behind the head. False where there is none. */
static bool log_take(const struct observe_run *run, struct text *recording)
{
	struct stat status;
	size_t length = 0;
	const char *log = stat(run->log, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= LOG_BYTES_MOST
	                          ? file_read(run->arena, run->log, &length)
	                          : NULL;
	if (!log)
		return false;
	length = strnlen(log, length);
	while (length && log[length - 1] != '\n')
		length--;
	text_append(recording, log, length);
	return true;
}

/* The last line that the program printed, to say why it made no launch. */
static const char *last_words(const struct observe_run *run, const struct process_result *result)
{
	const char *said = result->err_length ? result->err : result->out;
	size_t length = strlen(said);
	while (length && said[length - 1] == '\n')
		length--;
	size_t begin = length;
	while (begin && said[begin - 1] != '\n' && length - begin < SHOWN_BYTES)
		begin--;
	return length ? arena_printf(run->arena, "; it said: %s", arena_strndup(run->arena, said + begin, length - begin)) : "";
}

static const struct observation *recording_take(const struct observe_run *run, const struct process_result *result)
{
	const char *ended = ending(run, result), *problem = NULL;
	const struct observation *observation = NULL;
	struct text recording = {0};
	head_write(run, ended, &recording);
	if (log_take(run, &recording))
		observation = observe_parse(run->arena, recording.data, recording.length, &problem);
	if (!observation)
		fail(run, problem ? arena_printf(run->arena, "the program spoiled its recording: %s", problem)
		                  : "the program removed its recording");
	else if (observation->launch_count == 0)
		observation = (fail(run, arena_printf(run->arena, "the program launched no kernel; it ended with %s%s", ended,
		                                      last_words(run, result))),
		               NULL);
	else if (run->request->store && file_write(run->request->store, recording.data, recording.length) != 0)
		observation =
			(fail(run, arena_printf(run->arena, "cannot write %s: %s", run->request->store, strerror(errno))), NULL);
	text_release(&recording);
	return observation;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static void kernels_build(struct observe_run *run)
{
	const char *program = arena_printf(run->arena, "%s/program", run->call.directory);
	const char *folder = arena_printf(run->arena, "%s/kernels", run->call.directory);
	run->problem = "--kernel-seconds 0";
	if (run->request->kernel_seconds <= 0)
		return;
	if (mkdir(folder, 0700) != 0)
		run->problem = strerror(errno);
	else
		run->kernels = observe_kernels_build(run->arena, program, folder, host_seconds_most(run), &run->problem);
}

static void box_note(const struct observe_run *run)
{
	const char *kernels = run->kernels
	                              ? arena_printf(run->arena, "its kernels ran there, too, for at most %g s (--kernel-seconds)",
	                                             run->request->kernel_seconds)
	                              : arena_printf(run->arena, "its kernels did not run: %s", run->problem);
	diagnostics_report(run->diagnostics, SEVERITY_NOTE, (struct place){run->request->path, 0, 0},
	                   "--observe ran this program on the CPU, in a box without network and new processes%s; %s",
	                   observe_box_keeps_files() ? ", in a copy of its folder"
	                                             : ", in a copy of its folder, though this system lets it write elsewhere",
	                   kernels);
}

static const struct observation *run_all(struct observe_run *run)
{
	const char *folder = compile_folder(run->arena, run->request->path), *copy;
	run->box = arena_printf(run->arena, "%s/box", run->call.directory);
	run->log = arena_printf(run->arena, "%s/log", run->box);
	if (mkdir(run->box, 0700) != 0 || file_write(run->log, "", 0) != 0)
		return fail(run, arena_printf(run->arena, "cannot write temporary files: %s", strerror(errno))), NULL;
	if (!runtime_build(run) || !program_build(run))
		return NULL;
	kernels_build(run);
	copy = observe_folder_copy(run->arena, folder, run->box);
	const struct process_result result = program_run(run, folder, copy ? copy : run->box);
	if (result.status < 0 || result.status == PROCESS_NOT_STARTED)
		return fail(run, "the program cannot be kept in a box on this system, and was not run"), NULL;
	box_note(run);
	return recording_take(run, &result);
}

const struct observation *observe_program(struct arena *arena, const struct observe_request *request,
                                          struct diagnostics *diagnostics)
{
	struct observe_run run = {.arena = arena, .request = request, .diagnostics = diagnostics};
	const struct observation *observation = NULL;
	if (nvcc_call_begin(&run.call, arena, request->toolkit->nvcc, request->limits))
		observation = run_all(&run);
	else
		fail(&run, arena_printf(arena, "cannot make a temporary folder: %s", strerror(errno)));
	nvcc_call_end(&run.call);
	return observation;
}
