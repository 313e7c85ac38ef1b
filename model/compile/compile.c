/*
 * Which compiler is asked, and what is read of its output.
 */
#include "base/toolkit/toolkit.h"
#include "model/compile/compile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- what ptxas says ------------------------------------------------------------------- */

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

/* ---- code ------------------------------------------------------------------------------ */

static void module_analyse(struct arena *arena, struct ptx_module *module, bool follow)
{
	for (size_t i = 0; i < module->function_count && follow; i++)
		if (module->functions[i].is_kernel && module->functions[i].has_body && !module->functions[i].cfg)
			ptx_calls_copy(arena, module, &module->functions[i]);
	for (size_t i = 0; i < module->function_count; i++)
		if (module->functions[i].has_body && !module->functions[i].cfg)
			ptx_function_analyse(arena, &module->functions[i]);
}

/* Whether a compiler's name of a file is what stands for the path in #line: layouts write `_` for what no tool reads in
 * a name. */
static bool stands_for(const char *name, const char *path)
{
	while (*name && (*name == *path || (*name == '_' && (*path == '"' || *path == '\\')))) {
		name++;
		path++;
	}
	return *name == *path;
}

/* Gives places in the source file its own name again. */
static void places_rename(struct ptx_module *module, const char *path)
{
	if (!path || !strpbrk(path, "\"\\"))
		return;
	for (size_t i = 0; module && i < module->place_count; i++)
		if (module->places[i].place.file && stands_for(module->places[i].place.file, path))
			module->places[i].place.file = path;
}

struct compilation *compile_output_read(struct arena *arena, const struct compile_request *request,
                                        const struct compile_output *output, struct diagnostics *diagnostics)
{
	struct compilation *compilation = arena_alloc(arena, sizeof *compilation);
	struct ptx_module *module = ptx_parse(arena, "variants.ptx", output->ptx, output->ptx_length, diagnostics);

	if (!module)
		return NULL;
	places_rename(module, request->source_path);
	ptx_fill(module, request->contents, request->content_count);
	module_analyse(arena, module, true);
	resources_read(arena, output->messages, compilation);
	compilation->time = output->time;
	compilation->module = module;
	if (request->machine_code && output->cubin) {
		struct ptx_module *code =
			sass_parse_filled(arena, "variants.cubin", output->cubin, output->cubin_length,
		                          request->contents, request->content_count, diagnostics);
		places_rename(code, request->source_path);
		compilation->machine_code = code;
	}
	return compilation;
}

/* ---- the roads ------------------------------------------------------------------------- */

const struct nvrtc *compile_nvrtc_wanted(const struct compile_request *request, const char **refusal,
                                         struct tool_time *time)
{
	const struct nvrtc *nvrtc;

	*refusal = NULL;
	if (request->road == COMPILE_NVCC || !request->warming)
		return NULL;
	*refusal = compile_nvrtc_refusal(request);
	if (*refusal)
		return NULL;
	nvrtc = nvrtc_warm_end(request->warming, refusal, time);
	return *refusal ? NULL : nvrtc;
}

const char *compile_first_error(struct arena *arena, const char *messages)
{
	const char *error = strstr(messages, "error"), *begin = error;

	if (!error)
		return "NVRTC failed";
	while (begin > messages && begin[-1] != '\n')
		begin--;
	return arena_strndup(arena, begin, strcspn(begin, "\n"));
}

/* What a road gave, and which it was. */
struct taken_road {
	struct compile_output output;
	const char *compiler, *refusal;
};

static struct taken_road road_take(struct arena *arena, const struct compile_request *request,
                                   struct diagnostics *diagnostics)
{
	struct taken_road road = {.compiler = "nvrtc"};
	struct tool_time tried = {0};
	const struct nvrtc *nvrtc = compile_nvrtc_wanted(request, &road.refusal, &tried);

	if (nvrtc) {
		road.output = compile_nvrtc(arena, nvrtc, request);
		tried = road.output.time = clock_tools_sum(road.output.time, tried);
		if (!road.output.failed)
			return road;
		road.refusal = compile_first_error(arena, road.output.messages);
	}
	road.compiler = "nvcc";
	road.output = compile_nvcc(arena, request, diagnostics);
	if (request->exceeded && road.output.exceeded)
		*request->exceeded = true;
	road.output.time = clock_tools_sum(road.output.time, tried);
	return road;
}

struct compilation *compile_text(struct arena *arena, const struct compile_request *request,
                                 struct diagnostics *diagnostics)
{
	struct taken_road road = road_take(arena, request, diagnostics);
	if (request->time)
		*request->time = clock_tools_sum(*request->time, road.output.time);
	struct compilation *compilation =
		road.output.failed ? NULL : compile_output_read(arena, request, &road.output, diagnostics);

	if (compilation) {
		compilation->compiler = road.compiler;
		compilation->refusal = road.refusal;
	}
	return compilation;
}

const struct ptx_module *compile_read_ptx(struct arena *arena, const char *path, bool follow,
                                          struct diagnostics *diagnostics)
{
	size_t length = 0;
	const char *text = file_read(arena, path, &length);
	if (!text)
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){path, 0, 0}, "%s", strerror(errno));
	struct ptx_module *module = text ? ptx_parse(arena, path, text, length, diagnostics) : NULL;
	if (module)
		module_analyse(arena, module, follow);
	return module;
}

const struct kernel_resources *compile_resources(const struct compilation *compilation, const char *mangled)
{
	for (unsigned i = 0; i < compilation->resource_count; i++)
		if (strcmp(compilation->resources[i].mangled, mangled) == 0)
			return &compilation->resources[i];
	return NULL;
}
