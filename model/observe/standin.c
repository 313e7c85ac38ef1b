/*
 * The stand-in for the CUDA runtime: its files are written, compiled for this toolkit and machine, and kept for the
 * next program.
 */
#include "model/observe/internal.h"

#include <errno.h>
#include <string.h>

#define RUNTIME_FOLDER "model/observe/runtime"

/* The files of the stand-in. */
static const struct {
	const char *name;
	const char *const *lines; /* up to NULL */
} parts[] = {
#include "model/observe/runtime.inc"
};

static bool text_save(struct observed_program *program, const char *name, struct text *text)
{
	const char *path = arena_printf(program->arena, "%s/%s", program->call.directory, name);
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

static bool runtime_write(struct observed_program *program)
{
	struct text device = {0};
	if (directory_create(arena_printf(program->arena, "%s/" RUNTIME_FOLDER, program->call.directory)) != 0 ||
	    directory_create(arena_printf(program->arena, "%s/model/cpu/support", program->call.directory)) != 0)
		return false;
	for (unsigned p = 0; p < ARRAY_COUNT(parts); p++) {
		struct text text = {0};
		for (const char *const *line = parts[p].lines; *line; line++)
			text_puts(&text, *line);
		if (!text_save(program, parts[p].name, &text))
			return false;
	}
	device_write(&device, program->request->machine);
	return text_save(program, RUNTIME_FOLDER "/device.h", &device);
}

/* The stand-in is compiled alone: macros of the user's flags are not for it. */
static bool runtime_compile(struct observed_program *program)
{
	struct nvcc_call call = program->call;
	const char *const words[] = {"-c",
	                             "-w",
	                             "-O1",
	                             "-I",
	                             program->call.directory,
	                             "-odir",
	                             program->call.directory,
	                             RUNTIME_FOLDER "/all.c",
	                             RUNTIME_FOLDER "/unknown.c"};
	call.words = NULL;
	call.word_count = 0;
	nvcc_call_word(&call, program->request->toolkit->nvcc);
	for (unsigned i = 0; i < ARRAY_COUNT(words); i++)
		nvcc_call_word(&call, words[i]);
	return observe_nvcc_run(program, &call, "the stand-in for the CUDA runtime");
}

/* Where the compiled stand-in for this toolkit and machine is kept; NULL: nowhere. */
static const char *cache_folder(struct observed_program *program)
{
	const struct toolkit *toolkit = program->request->toolkit;
	const char *cache = directory_cache(program->arena);
	struct text all = {0};
	uint64_t hash = UINT64_C(14695981039346656037);
	text_printf(&all, "%s %s\n", toolkit->root, toolkit->version);
	device_write(&all, program->request->machine);
	for (unsigned p = 0; p < ARRAY_COUNT(parts); p++)
		for (const char *const *line = parts[p].lines; *line; line++)
			text_puts(&all, *line);
	for (size_t i = 0; i < all.length; i++)
		hash = (hash ^ (uint8_t)all.data[i]) * UINT64_C(1099511628211);
	text_release(&all);
	return cache ? arena_printf(program->arena, "%s/observe-%016llx", cache, (unsigned long long)hash) : NULL;
}

static const char *const runtime_objects[] = {"all.o", "unknown.o"};

static bool objects_copy(struct observed_program *program, const char *from, const char *to)
{
	for (unsigned i = 0; i < ARRAY_COUNT(runtime_objects); i++) {
		size_t length;
		const char *object = file_read(
			program->arena, arena_printf(program->arena, "%s/%s", from, runtime_objects[i]), &length);
		if (!object ||
		    file_write(arena_printf(program->arena, "%s/%s", to, runtime_objects[i]), object, length) != 0)
			return false;
	}
	return true;
}

bool observe_standin_build(struct observed_program *program)
{
	const char *cache = cache_folder(program);
	if (cache && objects_copy(program, cache, program->call.directory))
		return true;
	if (!runtime_write(program))
		return observe_fail(program,
		                    arena_printf(program->arena, "cannot write temporary files: %s", strerror(errno)));
	if (!runtime_compile(program))
		return false;
	if (cache && directory_create(cache) == 0)
		objects_copy(program, program->call.directory, cache);
	return true;
}
