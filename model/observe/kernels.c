/*
 * The kernels of a program that was built, as a shared object that runs them on this CPU. Their PTX stands in the
 * program's fat binaries, of which each is found by its magic number.
 */
#include "model/cpu/cpu.h"
#include "model/observe/fatbin.h"
#include "model/observe/internal.h"

#include <string.h>

#define SOURCES_MOST 1024

/* What was found so far. */
struct kernel_search {
	struct arena *arena;
	struct observed_program *program;
	const char *data;
	size_t length;
	struct cpu_source *sources;
	unsigned count;
};

/* Adds a module, unless it is there or is no PTX. */
static void source_add(struct kernel_search *search, const char *begin, size_t bytes)
{
	size_t length = strnlen(begin, bytes);
	const char *hash = cpu_hash(search->arena, begin, length);
	struct diagnostics diagnostics;

	for (unsigned i = 0; i < search->count; i++)
		if (strcmp(search->sources[i].hash, hash) == 0)
			return;
	diagnostics_init(&diagnostics, search->arena);
	const char *text = arena_strndup(search->arena, begin, length);
	const struct ptx_module *module = ptx_parse(search->arena, "the program's PTX", text, length, &diagnostics);
	if (!module || search->count == SOURCES_MOST)
		return;
	ARENA_PUSH(search->arena, search->sources, search->count, (struct cpu_source){module, hash});
	for (size_t f = 0; f < module->function_count; f++)
		if (module->functions[f].is_kernel)
			ARENA_PUSH(search->arena, search->program->kernel_names, search->program->kernel_count,
			           module->functions[f].name);
}

/* Takes the PTX out of a fat binary that begins at an offset. Returns where it ends; 0 where there is none. */
static size_t fatbin_take(struct kernel_search *search, size_t at)
{
	struct fatbin_header header;
	struct fatbin_entry entry;

	if (search->length - at < sizeof header)
		return 0;
	memcpy(&header, search->data + at, sizeof header);
	if (header.magic != FATBIN_MAGIC || header.header_bytes < sizeof header ||
	    header.header_bytes > search->length - at || header.bytes > search->length - at - header.header_bytes)
		return 0;
	size_t next = at + header.header_bytes, end = next + header.bytes;
	while (end - next > sizeof entry) {
		memcpy(&entry, search->data + next, sizeof entry);
		if (entry.header_bytes < sizeof entry || entry.header_bytes > end - next ||
		    entry.bytes > end - next - entry.header_bytes)
			break;
		if (entry.kind == FATBIN_PTX)
			source_add(search, search->data + next + entry.header_bytes, entry.bytes);
		next += entry.header_bytes + entry.bytes;
	}
	return end;
}

void observe_kernels_build(struct observed_program *program, const char *file, const char *folder, double seconds)
{
	struct arena *arena = program->arena;
	struct kernel_search search = {.arena = arena, .program = program};
	struct text text = {0};

	program->problem = "the program has no PTX";
	search.data = file_read(arena, file, &search.length);
	for (size_t at = 0; search.data && at + sizeof(struct fatbin_header) <= search.length;) {
		size_t end = fatbin_take(&search, at);
		at = end ? (end + 7) / 8 * 8 : at + 8;
	}
	if (search.count) {
		cpu_translate(arena, search.sources, search.count, &text);
		program->kernels = cpu_build(arena, folder, &text, seconds, &program->problem);
	}
	text_release(&text);
}
