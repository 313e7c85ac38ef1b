/*
 * One nvcc run turns the translation unit with all layout variants into a cubin and keeps the PTX on the way; ptxas -v
 * says registers and spills of each kernel. Another one says whether a whole program compiles.
 */
#include "model/compile/compile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COMPILED_FILE "variants.cu"

/* Reads "FILE(LINE): error: MESSAGE" (or warning) of nvcc's front end; returns false for any other line. */
static bool front_end_message(struct arena *arena, const char *line, size_t length, struct place *place,
                              const char **message)
{
	char *text = arena_strndup(arena, line, length);
	char *close = strstr(text, "): error");
	char *open = close;
	while (open && open > text && *open != '(')
		open--;
	if (!close || open == text)
		return false;
	*open = '\0';
	*place = (struct place){text, (unsigned)strtoul(open + 1, NULL, 10), 0};
	const char *colon = strchr(close + 3, ':');
	*message = colon ? colon + 1 + strspn(colon + 1, " ") : close + 3;
	return true;
}

/* Reads "FILE:LINE:COLUMN: error: MESSAGE" of the host's compiler; returns false for any other line. */
static bool host_compiler_message(struct arena *arena, const char *line, size_t length, struct place *place,
                                  const char **message)
{
	char *text = arena_strndup(arena, line, length);
	char *colon = text + strcspn(text, ":"), *end;
	*message = strstr(text, "error: ");
	if (!*message || !*colon)
		return false;
	unsigned long number = strtoul(colon + 1, &end, 10);
	if (end == colon + 1 || *end != ':' || end > *message)
		return false;
	*colon = '\0';
	*place = (struct place){text, (unsigned)number, 0};
	*message += strlen("error: ");
	return true;
}

/* Of the text that all layouts are written into, which the user does not know, no line is said. */
static struct place place_known(const struct compile_request *request, struct place place)
{
	return strcmp(place.file, COMPILED_FILE) == 0 ? (struct place){request->source_path, 0, 0} : place;
}

static void report_compiler_output(struct arena *arena, const struct compile_request *request, const char *output,
                                   struct diagnostics *diagnostics)
{
	bool any = false;
	for (const char *line = output; *line;) {
		size_t length = strcspn(line, "\n");
		struct place place;
		const char *message;
		if (front_end_message(arena, line, length, &place, &message) ||
		    host_compiler_message(arena, line, length, &place, &message)) {
			diagnostics_report(diagnostics, SEVERITY_ERROR, place_known(request, place), "nvcc: %s",
			                   message);
			any = true;
		}
		line += length + (line[length] == '\n');
	}
	if (!any)
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0}, "nvcc failed: %s",
		                   *output ? output : "it printed nothing");
}

const char *compile_folder(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	if (slash == path)
		return "/";
	char *folder = slash ? arena_strndup(arena, path, (size_t)(slash - path)) : arena_strdup(arena, ".");
	char *absolute = realpath(folder, NULL);
	if (!absolute)
		return folder;
	folder = arena_strdup(arena, absolute);
	free(absolute);
	return folder;
}

const char *compile_flag(struct arena *arena, const char *flag)
{
	size_t length = strncmp(flag, "-I", 2) == 0 ? 2 : 0;
	if ((length == 0 && flag[0] == '-') || flag[length] == '/')
		return flag;
	char *absolute = realpath(flag + length, NULL);
	const char *result = absolute ? arena_printf(arena, "%.*s%s", (int)length, flag, absolute) : flag;
	free(absolute);
	return result;
}

/* The first arguments, then the folder of the source, then the user's flags, then the file. False with errno set. */
static bool arguments_add(struct nvcc_call *call, const struct compile_request *request, const char *const first[],
                          unsigned first_count, const char *file)
{
	for (unsigned i = 0; i < first_count; i++)
		nvcc_call_word(call, first[i]);
	nvcc_call_word(call, arena_printf(call->arena, "-arch=%s", request->target));
	nvcc_call_path(call, "-I", compile_folder(call->arena, request->source_path));
	if (!nvcc_call_flags(call, request->flags, request->flag_count))
		return false;
	nvcc_call_word(call, file);
	return true;
}

static struct tool_time time_of(const struct process_result *run)
{
	return (struct tool_time){{run->seconds, run->processor_seconds}, run->processor_seconds};
}

/* Why nvcc did not end by itself, or NULL. */
static const char *limit_reached(struct arena *arena, const struct nvcc_call *call, const struct process_result *run)
{
	if (run->hung)
		return arena_printf(arena, "hangs: it did not work for %g s",
		                    process_hang_seconds(call->limits.seconds));
	if (run->timed_out)
		return arena_printf(arena, "took more than %g s of processor time (--limit-seconds)",
		                    call->limits.seconds);
	if (run->status > 0 && (strstr(run->err, "bad_alloc") || strstr(run->err, "ut of memory")))
		return arena_printf(arena, "ran out of memory (limit: %llu MiB, --limit-memory)",
		                    (unsigned long long)(call->limits.bytes >> 20));
	return NULL;
}

/* Code that other files complete, with device functions that are declared here and defined there, is asked for once
 * more. */
static struct process_result run_complete(struct nvcc_call *call, struct tool_time *time)
{
	struct process_result run = nvcc_call_run(call);

	*time = time_of(&run);
	if (run.status > 0 && strstr(run.err, "Unresolved extern function")) {
		nvcc_call_word(call, "-rdc=true");
		run = nvcc_call_run(call);
		*time = clock_tools_sum(*time, time_of(&run));
	}
	return run;
}

static void report_nvcc(const struct compile_request *request, struct diagnostics *diagnostics, const char *words)
{
	diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0}, "nvcc (%s) %s",
	                   request->toolkit->nvcc, words);
}

/* Whether a run went well; what is wrong is reported. */
static bool run_good(struct nvcc_call *call, const struct compile_request *request, const struct process_result *run,
                     struct diagnostics *diagnostics, bool *exceeded)
{
	const char *limit = limit_reached(call->arena, call, run);

	*exceeded = limit != NULL;
	if (limit)
		report_nvcc(request, diagnostics, limit);
	else if (run->status < 0)
		report_nvcc(request, diagnostics, strerror(run->error));
	else if (run->status != 0)
		report_compiler_output(call->arena, request,
		                       nvcc_call_restored(call, run->err_length ? run->err : run->out), diagnostics);
	return run->status == 0 && !limit;
}

static struct compile_output nvcc_in(struct nvcc_call *call, const struct compile_request *request,
                                     struct diagnostics *diagnostics)
{
	struct arena *arena = call->arena;
	struct compile_output output = {.failed = true};
	struct process_result run = run_complete(call, &output.time);

	if (!run_good(call, request, &run, diagnostics, &output.exceeded))
		return output;
	output.messages = run.err;
	output.ptx = file_read(arena, arena_printf(arena, "%s/variants.ptx", call->directory), &output.ptx_length);
	output.cubin =
		file_read(arena, arena_printf(arena, "%s/variants.cubin", call->directory), &output.cubin_length);
	output.failed = !output.ptx;
	if (output.failed)
		report_nvcc(request, diagnostics, "wrote no PTX, though it says that all went well");
	return output;
}

static void report_unwritable(struct diagnostics *diagnostics)
{
	diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0},
	                   "cannot write a temporary file for nvcc: %s", strerror(errno));
}

struct compile_output compile_nvcc(struct arena *arena, const struct compile_request *request,
                                   struct diagnostics *diagnostics)
{
	struct compile_output output = {.failed = true};
	struct nvcc_call call;
	bool begun = nvcc_call_begin(&call, arena, request->toolkit->nvcc, request->limits);
	const char *words[] = {"-cubin", "-lineinfo", "-w",           "-Xptxas", "-v",
	                       "-keep",  "-keep-dir", call.directory, "-o",      "variants.cubin"};

	if (begun &&
	    file_write(arena_printf(arena, "%s/" COMPILED_FILE, call.directory), request->text,
	               strlen(request->text)) == 0 &&
	    arguments_add(&call, request, words, ARRAY_COUNT(words), COMPILED_FILE))
		output = nvcc_in(&call, request, diagnostics);
	else
		report_unwritable(diagnostics);
	nvcc_call_end(&call);
	return output;
}

/* ---- whole programs ---------------------------------------------------------------------- */

static bool check_in(struct nvcc_call *call, const struct compile_request *request, struct diagnostics *diagnostics)
{
	struct tool_time ignored;
	struct process_result run = run_complete(call, &ignored);
	bool exceeded;

	if (run.status < 0) {
		diagnostics_report(diagnostics, SEVERITY_NOTE, (struct place){NULL, 0, 0},
		                   "the result was not compiled: nvcc (%s) cannot be run: %s; see `coalesce doctor`",
		                   request->toolkit->nvcc, strerror(run.error));
		return true;
	}
	return run_good(call, request, &run, diagnostics, &exceeded);
}

/* Writes the text and its headers; returns 0, or -1 with errno. */
static int program_write(struct arena *arena, const struct compile_request *request, const char *directory)
{
	int failed = file_write(arena_printf(arena, "%s/" COMPILE_CHECKED_FILE, directory), request->text,
	                        strlen(request->text));

	for (unsigned h = 0; h < request->header_count && !failed; h++)
		failed = file_write(arena_printf(arena, "%s/%s", directory, request->headers[h].name),
		                    request->headers[h].text, strlen(request->headers[h].text));
	return failed;
}

bool compile_check_program(struct arena *arena, const struct compile_request *request, struct diagnostics *diagnostics)
{
	static const char *const words[] = {"-c", "-w", "-o", "/dev/null"};
	struct nvcc_call call;
	bool compiles = false;

	if (nvcc_call_begin(&call, arena, request->toolkit->nvcc, request->limits) &&
	    program_write(arena, request, call.directory) == 0 &&
	    arguments_add(&call, request, words, ARRAY_COUNT(words), COMPILE_CHECKED_FILE))
		compiles = check_in(&call, request, diagnostics);
	else
		report_unwritable(diagnostics);
	nvcc_call_end(&call);
	return compiles;
}
