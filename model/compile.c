/*
 * Compilation: one nvcc run turns the translation unit with all layout variants into a cubin and keeps the PTX on the way;
 * ptxas -v says registers and spills of each kernel. What the compiler does with a layout is the reason why this tool reads
 * PTX at all, so every layout is compiled for real.
 */
#include "model/model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

static void report_compiler_output(struct arena *arena, const char *output, struct diagnostics *diagnostics)
{
	bool any = false;
	for (const char *line = output; *line;) {
		size_t length = strcspn(line, "\n");
		struct place place;
		const char *message;
		if (front_end_message(arena, line, length, &place, &message)) {
			diagnostics_report(diagnostics, SEVERITY_ERROR, place, "nvcc: %s", message);
			any = true;
		}
		line += length + (line[length] == '\n');
	}
	if (!any)
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0}, "nvcc failed: %s",
		                   *output ? output : "it printed nothing");
}

static uint64_t number_before(const char *line, const char *what)
{
	const char *found = strstr(line, what);
	if (!found)
		return 0;
	while (found > line && found[-1] == ' ')
		found--;
	while (found > line && found[-1] >= '0' && found[-1] <= '9')
		found--;
	return strtoull(found, NULL, 10);
}

static const char *entry_name(struct arena *arena, const char *line)
{
	const char *begin = strstr(line, "Compiling entry function '");
	if (!begin)
		return NULL;
	begin += strlen("Compiling entry function '");
	return arena_strndup(arena, begin, strcspn(begin, "'"));
}

/* Reads what `ptxas -v` prints: three lines for each entry function. */
static void resources_read(struct arena *arena, const char *output, struct compilation *compilation)
{
	struct kernel_resources *current = NULL;
	for (const char *next = output; *next;) {
		size_t length = strcspn(next, "\n");
		char *line = arena_strndup(arena, next, length);
		const char *name = entry_name(arena, line);
		if (name) {
			ARENA_PUSH(arena, compilation->resources, compilation->resource_count,
			           (struct kernel_resources){.mangled = name});
			current = &compilation->resources[compilation->resource_count - 1];
		} else if (current && strstr(line, "bytes stack frame")) {
			current->stack_bytes = number_before(line, "bytes stack frame");
			current->spill_store_bytes = number_before(line, "bytes spill stores");
			current->spill_load_bytes = number_before(line, "bytes spill loads");
		} else if (current && strstr(line, " registers")) {
			current->registers = (unsigned)number_before(line, "registers");
			current->barriers = (unsigned)number_before(line, "barriers");
			current->shared_bytes = number_before(line, "bytes smem");
		}
		next += length + (next[length] == '\n');
	}
}

static const char *folder_of(struct arena *arena, const char *path)
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

/* An -I folder that is not absolute is relative to where the user stands, not to the folder nvcc runs in. */
static const char *flag_absolute(struct arena *arena, const char *flag)
{
	if (strncmp(flag, "-I", 2) != 0 || flag[2] == '/')
		return flag;
	char *absolute = realpath(flag + 2, NULL);
	const char *result = absolute ? arena_printf(arena, "-I%s", absolute) : flag;
	free(absolute);
	return result;
}

/* relocatable: code that other files complete, with device functions that are declared here and defined there. */
static const char *const *nvcc_arguments(struct arena *arena, const struct toolkit *toolkit, const char *target,
                                         const char *source_path, const char *directory, const char *const *flags,
                                         unsigned flag_count, bool relocatable)
{
	const char **arguments = NULL;
	unsigned count = 0;
	const char *fixed[] = {toolkit->nvcc,
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
	                       arena_printf(arena, "-arch=%s", target),
	                       arena_printf(arena, "-I%s", folder_of(arena, source_path))};
	for (unsigned i = 0; i < ARRAY_COUNT(fixed); i++)
		ARENA_PUSH(arena, arguments, count, fixed[i]);
	for (unsigned i = 0; i < flag_count; i++)
		ARENA_PUSH(arena, arguments, count, flag_absolute(arena, flags[i]));
	if (relocatable)
		ARENA_PUSH(arena, arguments, count, "-rdc=true");
	ARENA_PUSH(arena, arguments, count, "variants.cu");
	ARENA_PUSH(arena, arguments, count, NULL);
	return arguments;
}

static void module_analyse(struct arena *arena, struct ptx_module *module)
{
	for (size_t i = 0; i < module->function_count; i++)
		if (module->functions[i].has_body && !module->functions[i].cfg)
			ptx_function_analyse(arena, &module->functions[i]);
}

/* Reads the machine code that ptxas made. NULL where there is no disassembler, or it fails (reported as a warning). */
static const struct ptx_module *machine_code_read(struct arena *arena, const struct toolkit *toolkit, const char *directory,
                                                  struct diagnostics *diagnostics)
{
	const char *disassembler = nvdisasm_find(arena, toolkit);
	const char *arguments[] = {disassembler, "-json", "-g", "variants.cubin", NULL};
	size_t length = 0;
	const char *cubin = file_read(arena, arena_printf(arena, "%s/variants.cubin", directory), &length);
	if (!disassembler || !cubin) {
		diagnostics_report(diagnostics, SEVERITY_WARNING, (struct place){NULL, 0, 0},
		                   "the machine code is not read: nvdisasm was not found; tools/setup installs it");
		return NULL;
	}
	struct process_result run = process_run(arena, arguments, directory, NVCC_LIMIT_SECONDS);
	if (run.status != 0) {
		diagnostics_report(diagnostics, SEVERITY_WARNING, (struct place){NULL, 0, 0},
		                   "the machine code is not read: %s: %s", disassembler,
		                   run.status < 0 ? strerror(run.error) : run.err);
		return NULL;
	}
	return sass_parse(arena, "variants.cubin", cubin, length, diagnostics);
}

static struct compilation *compile_in(struct arena *arena, const struct toolkit *toolkit, const char *target,
                                      const char *source_path, const char *directory, const char *const *flags, unsigned flag_count,
                                      bool machine_code, struct diagnostics *diagnostics)
{
	struct compilation *compilation = arena_alloc(arena, sizeof *compilation);
	struct process_result run =
		process_run(arena, nvcc_arguments(arena, toolkit, target, source_path, directory, flags, flag_count, false),
	                    directory, NVCC_LIMIT_SECONDS);
	compilation->nvcc_seconds = run.seconds;
	if (run.status > 0 && strstr(run.err, "Unresolved extern function")) {
		run = process_run(arena, nvcc_arguments(arena, toolkit, target, source_path, directory, flags, flag_count, true),
		                  directory, NVCC_LIMIT_SECONDS);
		compilation->nvcc_seconds += run.seconds;
	}
	if (run.timed_out || run.status < 0) {
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0}, "nvcc (%s) %s", toolkit->nvcc,
		                   run.timed_out ? "did not finish in time" : strerror(run.error));
		return NULL;
	}
	if (run.status != 0) {
		report_compiler_output(arena, run.err_length ? run.err : run.out, diagnostics);
		return NULL;
	}
	resources_read(arena, run.err, compilation);
	size_t length = 0;
	const char *path = arena_printf(arena, "%s/variants.ptx", directory);
	const char *ptx = file_read(arena, path, &length);
	struct ptx_module *module = ptx ? ptx_parse(arena, "variants.ptx", ptx, length, diagnostics) : NULL;
	if (!module)
		return NULL;
	module_analyse(arena, module);
	compilation->module = module;
	if (machine_code)
		compilation->machine_code = machine_code_read(arena, toolkit, directory, diagnostics);
	return compilation;
}

struct compilation *compile_variants(struct arena *arena, const struct toolkit *toolkit, const char *target,
                                     const char *source_path, const char *text, const char *const *flags, unsigned flag_count,
                                     bool machine_code, struct diagnostics *diagnostics)
{
	struct compilation *compilation = NULL;
	char *directory = temporary_directory(arena);
	if (!directory || file_write(arena_printf(arena, "%s/variants.cu", directory), text, strlen(text)) != 0)
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0},
		                   "cannot write a temporary file for nvcc: %s", strerror(errno));
	else
		compilation =
			compile_in(arena, toolkit, target, source_path, directory, flags, flag_count, machine_code, diagnostics);
	if (directory)
		directory_remove(directory);
	return compilation;
}

const struct ptx_module *ptx_file_read(struct arena *arena, const char *path, struct diagnostics *diagnostics)
{
	size_t length = 0;
	const char *text = file_read(arena, path, &length);
	if (!text)
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){path, 0, 0}, "%s", strerror(errno));
	struct ptx_module *module = text ? ptx_parse(arena, path, text, length, diagnostics) : NULL;
	if (module)
		module_analyse(arena, module);
	return module;
}

const struct kernel_resources *compilation_resources(const struct compilation *compilation, const char *mangled)
{
	for (unsigned i = 0; i < compilation->resource_count; i++)
		if (strcmp(compilation->resources[i].mangled, mangled) == 0)
			return &compilation->resources[i];
	return NULL;
}
