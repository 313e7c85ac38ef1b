/*
 * One nvcc run turns the translation unit with all layout variants into a cubin and keeps the PTX on the way; ptxas -v says registers and spills of each kernel.
 * Another one says whether a whole program compiles.
 */
#include "model/compile/compile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COMPILED_FILE "variants.cu"
#define NVCC_LIMIT_SECONDS 300.0

/* Reads "FILE(LINE): error: MESSAGE" (or warning) of nvcc's front end; returns false for any other line. */
static bool front_end_message(struct arena *arena, const char *line, size_t length, struct place *place, const char **message)
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
static bool host_compiler_message(struct arena *arena, const char *line, size_t length, struct place *place, const char **message)
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
			diagnostics_report(diagnostics, SEVERITY_ERROR, place_known(request, place), "nvcc: %s", message);
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

/* The first arguments, then the program's own flags, then the file; relocatable: code that other files complete, with device functions that are declared here and defined there. */
static const char *const *arguments_complete(struct arena *arena, const struct compile_request *request, const char *const first[],
                                             unsigned first_count, bool relocatable, const char *file)
{
	const char **arguments = NULL;
	unsigned count = 0;
	for (unsigned i = 0; i < first_count; i++)
		ARENA_PUSH(arena, arguments, count, first[i]);
	for (unsigned i = 0; i < request->flag_count; i++)
		ARENA_PUSH(arena, arguments, count, compile_flag(arena, request->flags[i]));
	if (relocatable)
		ARENA_PUSH(arena, arguments, count, "-rdc=true");
	ARENA_PUSH(arena, arguments, count, file);
	ARENA_PUSH(arena, arguments, count, NULL);
	return arguments;
}

static const char *const *nvcc_arguments(struct arena *arena, const struct compile_request *request, const char *directory,
                                         bool relocatable)
{
	const char *fixed[] = {request->toolkit->nvcc,
	                       "-cubin",
	                       "-lineinfo",
	                       "-w",
	                       "-Xptxas",
	                       "-v",
	                       "-keep",
	                       "-keep-dir",
	                       directory,
	                       "-o",
	                       "variants.cubin",
	                       arena_printf(arena, "-arch=%s", request->target),
	                       arena_printf(arena, "-I%s", compile_folder(arena, request->source_path))};
	return arguments_complete(arena, request, fixed, ARRAY_COUNT(fixed), relocatable, COMPILED_FILE);
}

static struct tool_time time_of(const struct process_result *run)
{
	return (struct tool_time){{run->seconds, run->processor_seconds}, run->processor_seconds};
}

static struct compile_output nvcc_in(struct arena *arena, const struct compile_request *request, const char *directory,
                                     struct diagnostics *diagnostics)
{
	struct compile_output output = {.failed = true};
	struct process_result run =
		process_run(arena, nvcc_arguments(arena, request, directory, false), directory, NVCC_LIMIT_SECONDS);

	output.time = time_of(&run);
	if (run.status > 0 && strstr(run.err, "Unresolved extern function")) {
		run = process_run(arena, nvcc_arguments(arena, request, directory, true), directory, NVCC_LIMIT_SECONDS);
		output.time = clock_tools_sum(output.time, time_of(&run));
	}
	if (run.timed_out || run.status < 0) {
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0}, "nvcc (%s) %s", request->toolkit->nvcc,
		                   run.timed_out ? "did not finish in time" : strerror(run.error));
		return output;
	}
	if (run.status != 0) {
		report_compiler_output(arena, request, run.err_length ? run.err : run.out, diagnostics);
		return output;
	}
	output.messages = run.err;
	output.ptx = file_read(arena, arena_printf(arena, "%s/variants.ptx", directory), &output.ptx_length);
	output.cubin = file_read(arena, arena_printf(arena, "%s/variants.cubin", directory), &output.cubin_length);
	output.failed = !output.ptx;
	return output;
}

struct compile_output compile_nvcc(struct arena *arena, const struct compile_request *request, struct diagnostics *diagnostics)
{
	struct compile_output output = {.failed = true};
	char *directory = directory_temporary(arena);

	if (!directory || file_write(arena_printf(arena, "%s/variants.cu", directory), request->text, strlen(request->text)) != 0)
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0},
		                   "cannot write a temporary file for nvcc: %s", strerror(errno));
	else
		output = nvcc_in(arena, request, directory, diagnostics);
	if (directory)
		directory_remove(directory);
	return output;
}

/* ---- whole programs ---------------------------------------------------------------------- */

static struct process_result check_run(struct arena *arena, const struct compile_request *request, const char *directory,
                                       bool relocatable)
{
	const char *fixed[] = {request->toolkit->nvcc,
	                       "-c",
	                       "-w",
	                       "-o",
	                       "/dev/null",
	                       arena_printf(arena, "-arch=%s", request->target),
	                       arena_printf(arena, "-I%s", compile_folder(arena, request->source_path))};
	return process_run(arena, arguments_complete(arena, request, fixed, ARRAY_COUNT(fixed), relocatable, COMPILE_CHECKED_FILE),
	                   directory, NVCC_LIMIT_SECONDS);
}

static bool check_in(struct arena *arena, const struct compile_request *request, const char *directory,
                     struct diagnostics *diagnostics)
{
	struct process_result run = check_run(arena, request, directory, false);

	if (run.status > 0 && strstr(run.err, "Unresolved extern function"))
		run = check_run(arena, request, directory, true);
	if (run.status < 0 && !run.timed_out) {
		diagnostics_report(diagnostics, SEVERITY_NOTE, (struct place){NULL, 0, 0},
		                   "the result was not compiled: nvcc (%s) cannot be run: %s", request->toolkit->nvcc,
		                   strerror(run.error));
		return true;
	}
	if (run.timed_out)
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0}, "nvcc (%s) did not finish in time",
		                   request->toolkit->nvcc);
	else if (run.status != 0)
		report_compiler_output(arena, request, run.err_length ? run.err : run.out, diagnostics);
	return run.status == 0;
}

/* Writes the text and its headers; returns 0, or -1 with errno. */
static int program_write(struct arena *arena, const struct compile_request *request, const char *directory)
{
	int failed = file_write(arena_printf(arena, "%s/" COMPILE_CHECKED_FILE, directory), request->text, strlen(request->text));

	for (unsigned h = 0; h < request->header_count && !failed; h++)
		failed = file_write(arena_printf(arena, "%s/%s", directory, request->headers[h].name), request->headers[h].text,
		                    strlen(request->headers[h].text));
	return failed;
}

bool compile_check_program(struct arena *arena, const struct compile_request *request, struct diagnostics *diagnostics)
{
	char *directory = directory_temporary(arena);
	bool compiles = false;

	if (!directory || program_write(arena, request, directory) != 0)
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0},
		                   "cannot write a temporary file for nvcc: %s", strerror(errno));
	else
		compiles = check_in(arena, request, directory, diagnostics);
	if (directory)
		directory_remove(directory);
	return compiles;
}
