/*
 * Launches. Those of one kernel with the same grid, block, shared memory, scalars and bytes behind each pointer are one
 * line, which counts them. Of pointers only what they point to matters: memory that is allocated anew for each launch
 * does not make a new line.
 */
#include "model/observe/runtime/device.h"
#include "model/observe/runtime/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLASSES_MOST 50000
#define ARGUMENT_BYTES_MOST 32768
#define POINTERS_MOST 256
#define SHARED_USUAL 49152
#define WAITING_MOST 200000 /* launches while the host reads their results, which never come */

struct launch_class {
	uint64_t hash;
	size_t key_bytes;
	unsigned char *key;
	unsigned event;
	struct runtime_counter counter, executed, skipped;
	const char *why;           /* the last reason why one did not run */
	struct launch_class *next; /* in its slot */
};
static struct {
	struct launch_class *slots[65536];
	unsigned count, kernels, refused;
	bool cut, follows;
	uint64_t waiting;
} launches;

/* ---- arguments ------------------------------------------------------------------------------ */

static size_t arguments_bytes(const struct runtime_kernel *kernel)
{
	size_t bytes = 0;
	for (unsigned p = 0; p < kernel->parameter_count; p++) {
		size_t end = (size_t)kernel->parameters[p].offset + kernel->parameters[p].size;
		bytes = end > bytes ? end : bytes;
	}
	return bytes < ARGUMENT_BYTES_MOST ? bytes : ARGUMENT_BYTES_MOST;
}

static bool parameter_fits(const struct runtime_parameter *parameter)
{
	return (size_t)parameter->offset + parameter->size <= ARGUMENT_BYTES_MOST;
}

/* Finds the pointers among the words of all arguments. */
static unsigned pointers_find(const struct runtime_kernel *kernel, const unsigned char *arguments,
                              struct runtime_pointer *pointers)
{
	unsigned count = 0;
	for (unsigned p = 0; p < kernel->parameter_count; p++) {
		const struct runtime_parameter *parameter = &kernel->parameters[p];
		for (unsigned at = 0; parameter_fits(parameter) && at + 8 <= parameter->size; at += 8) {
			char *address;
			memcpy(&address, arguments + parameter->offset + at, sizeof address);
			struct runtime_allocation *to = runtime_find(address);
			if (to && count < POINTERS_MOST)
				pointers[count++] = (struct runtime_pointer){p, at, to, (size_t)(address - to->base)};
		}
	}
	return count;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void kernel_log(struct runtime_kernel *kernel)
{
	char *name = runtime_log_text(kernel->name);
	if (kernel->id == 0) {
		kernel->id = ++launches.kernels;
		runtime_log("{\"kernel\":%u,\"name\":\"%s\",\"registers\":%u,\"shared\":%u}", kernel->id,
		            name ? name : "", kernel->registers, kernel->shared_bytes);
	}
	free(name);
}

static void argument_print(FILE *out, const struct runtime_parameter *parameter, const unsigned char *bytes)
{
	for (unsigned i = 0; parameter_fits(parameter) && i < parameter->size; i++)
		fprintf(out, "%02x", bytes[parameter->offset + i]);
}

static void pointer_print(FILE *out, const struct runtime_kernel *kernel, const struct runtime_pointer *pointer)
{
	static const char *const writers[] = {"nobody", "host", "copy", "set", "kernel", "executed"};
	const struct runtime_allocation *to = pointer->to;
	unsigned content = runtime_content(pointer->to, kernel->parameters[pointer->argument].content_most);
	enum runtime_writer writer = to->writer;
	if (writer == RUNTIME_NOBODY &&
	    (to->kind == RUNTIME_MANAGED || to->kind == RUNTIME_PINNED || to->kind == RUNTIME_REGISTERED))
		writer = RUNTIME_HOST;
	fprintf(out,
	        "{\"argument\":%u,\"at\":%u,\"allocation\":%u,\"offset\":%zu,\"bytes\":%zu,\"writer\":\"%s\","
	        "\"content\":%u,",
	        pointer->argument, pointer->at, to->id, pointer->offset, to->size, writers[writer], content);
	fprintf(out, "\"passed\":[");
	for (unsigned i = 0; i < to->passed_count && i < RUNTIME_KERNELS_MOST; i++)
		fprintf(out, "%s[%u,%u]", i ? "," : "", to->passed[i].kernel, to->passed[i].argument);
	fprintf(out, "],\"more\":%s}", to->passed_count > RUNTIME_KERNELS_MOST ? "true" : "false");
}

/* The line of a launch, without how often. masked: the arguments, with pointers as 0. */
static char *launch_text(const struct runtime_launch *launch, unsigned event, const unsigned char *masked,
                         const struct runtime_pointer *pointers, unsigned pointer_count)
{
	const struct runtime_kernel *kernel = launch->kernel;
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	if (!out)
		return NULL;
	fprintf(out,
	        "{\"launch\":%u,\"of\":%u,\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"shared\":%zu,\"cooperative\":%s,",
	        event, kernel->id, launch->grid.x, launch->grid.y, launch->grid.z, launch->block.x, launch->block.y,
	        launch->block.z, launch->shared, launch->cooperative ? "true" : "false");
	fprintf(out, "\"follows\":%s,\"arguments\":[", launches.follows ? "true" : "false");
	for (unsigned p = 0; p < kernel->parameter_count; p++) {
		fprintf(out, "%s\"", p ? "," : "");
		argument_print(out, &kernel->parameters[p], masked);
		fprintf(out, "\"");
	}
	fprintf(out, "],\"pointers\":[");
	for (unsigned i = 0; i < pointer_count; i++) {
		fprintf(out, "%s", i ? "," : "");
		pointer_print(out, kernel, &pointers[i]);
	}
	fprintf(out, "]");
	return fclose(out) == 0 ? text : NULL;
}

/* ---- classes --------------------------------------------------------------------------------- */

static uint64_t hash_bytes(const unsigned char *bytes, size_t count)
{
	uint64_t hash = UINT64_C(14695981039346656037);
	for (size_t i = 0; i < count; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
	return hash;
}

struct key_head {
	struct runtime_kernel *kernel;
	unsigned grid[3], block[3];
	size_t shared;
	uint64_t cooperative;
};

/* Writes what makes launches equal; in `masked` pointers become 0. Returns its size. */
static size_t key_make(const struct runtime_launch *launch, unsigned char *masked, size_t bytes,
                       const struct runtime_pointer *pointers, unsigned pointer_count, unsigned char *key)
{
	struct key_head head = {launch->kernel,
	                        {launch->grid.x, launch->grid.y, launch->grid.z},
	                        {launch->block.x, launch->block.y, launch->block.z},
	                        launch->shared,
	                        launch->cooperative};
	size_t size = sizeof head + bytes;
	for (unsigned i = 0; i < pointer_count; i++)
		memset(masked + launch->kernel->parameters[pointers[i].argument].offset + pointers[i].at, 0, 8);
	memcpy(key, &head, sizeof head);
	memcpy(key + sizeof head, masked, bytes);
	for (unsigned i = 0; i < pointer_count; i++, size += sizeof(size_t)) {
		size_t left = pointers[i].to->size - pointers[i].offset;
		memcpy(key + size, &left, sizeof left);
	}
	return size;
}

static struct launch_class *class_find(uint64_t hash, const unsigned char *key, size_t key_bytes)
{
	struct launch_class *class = launches.slots[hash % 65536];
	while (class &&
	       (class->hash != hash || class->key_bytes != key_bytes || memcmp(class->key, key, key_bytes) != 0))
		class = class->next;
	return class;
}

static struct launch_class *class_add(uint64_t hash, const unsigned char *key, size_t key_bytes)
{
	struct launch_class *class = launches.count < CLASSES_MOST ? calloc(1, sizeof *class) : NULL;
	unsigned char *copy = class ? malloc(key_bytes) : NULL;
	if (!copy) {
		if (!launches.cut)
			runtime_log("{\"cut\":\"launches\"}");
		launches.cut = true;
		return NULL;
	}
	memcpy(copy, key, key_bytes);
	*class = (struct launch_class){.hash = hash, .key_bytes = key_bytes, .key = copy, .event = runtime_event_new()};
	class->next = launches.slots[hash % 65536];
	launches.slots[hash % 65536] = class;
	launches.count++;
	return class;
}

/* ---- one launch -------------------------------------------------------------------------------- */

static cudaError_t launch_check(const struct runtime_launch *launch)
{
	const struct runtime_kernel *kernel = launch->kernel;
	const dim3 *grid = &launch->grid, *block = &launch->block;
	uint64_t threads = (uint64_t)block->x * block->y * block->z;
	unsigned most = kernel->threads_most ? kernel->threads_most : 1024;
	int dynamic = kernel->dynamic_shared_most > 0 ? kernel->dynamic_shared_most
	                                              : SHARED_USUAL - (int)kernel->shared_bytes;
	if (threads == 0 || threads > most || block->z > 64 || grid->x == 0 || grid->y == 0 || grid->z == 0 ||
	    grid->x > INT32_MAX || grid->y > 65535 || grid->z > 65535)
		return cudaErrorInvalidConfiguration;
	return (int64_t)launch->shared > dynamic ? cudaErrorInvalidValue : cudaSuccess;
}

static void refused_log(const struct runtime_launch *launch, cudaError_t error)
{
	char *name = runtime_log_text(launch->kernel->name);
	if (launches.refused++ < 64)
		runtime_log("{\"refused\":\"%s\",\"error\":%d,\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"shared\":%zu}",
		            name ? name : "", (int)error, launch->grid.x, launch->grid.y, launch->grid.z,
		            launch->block.x, launch->block.y, launch->block.z, launch->shared);
	free(name);
}

/* A host that launches again and again until a result comes ends here, where no kernel computes one. */
static void waiting_check(void)
{
	if (runtime_results_read()) {
		launches.follows = true;
		launches.waiting++;
	}
	if (launches.waiting < WAITING_MOST)
		return;
	runtime_log("{\"stopped\":\"results\"}");
	_Exit(3);
}

static struct launch_class *class_of(const struct runtime_launch *launch, const unsigned char *arguments,
                                     const struct runtime_pointer *pointers, unsigned pointer_count)
{
	static unsigned char key[sizeof(struct key_head) + ARGUMENT_BYTES_MOST + POINTERS_MOST * sizeof(size_t)];
	static unsigned char masked[ARGUMENT_BYTES_MOST];
	size_t bytes = arguments_bytes(launch->kernel);
	memcpy(masked, arguments, bytes);
	size_t key_bytes = key_make(launch, masked, bytes, pointers, pointer_count, key);
	uint64_t hash = hash_bytes(key, key_bytes);
	struct launch_class *class = class_find(hash, key, key_bytes);
	if (class || !(class = class_add(hash, key, key_bytes)))
		return class;
	char *text = launch_text(launch, class->event, masked, pointers, pointer_count);
	if (text)
		class->counter = runtime_log_counted("%s", text);
	free(text);
	return class;
}

/* Notes whether a launch of the class ran, or why it did not. */
static void outcome_log(struct launch_class *class, const char *why, bool fault)
{
	if (!why && !class->executed.digits)
		class->executed = runtime_log_counted("{\"executed\":%u", class->event);
	if (why && (!class->why || strcmp(class->why, why) != 0)) {
		char *text = runtime_log_text(why);
		class->why = why;
		class->skipped = runtime_log_counted("{\"skipped\":%u,\"why\":\"%s\",\"fault\":%s", class->event,
		                                     text ? text : "", fault ? "true" : "false");
		free(text);
	}
	runtime_count(why ? &class->skipped : &class->executed);
}

static void pointer_written(const struct runtime_kernel *kernel, const struct runtime_pointer *pointer, bool skipped)
{
	if (skipped)
		runtime_passed_add(pointer->to, kernel->id, pointer->argument);
	else
		pointer->to->writer = RUNTIME_EXECUTED;
}

cudaError_t runtime_launch(const struct runtime_launch *launch, const unsigned char *arguments)
{
	static struct runtime_pointer pointers[POINTERS_MOST];
	struct runtime_kernel *kernel = launch->kernel;
	cudaError_t error = launch_check(launch);
	if (error != cudaSuccess) {
		refused_log(launch, error);
		return error;
	}
	kernel_log(kernel);
	waiting_check();
	unsigned pointer_count = pointers_find(kernel, arguments, pointers);
	struct launch_class *class = class_of(launch, arguments, pointers, pointer_count);
	if (class) {
		runtime_count(&class->counter);
		runtime_order(class->event);
	}
	bool fault;
	const char *why = runtime_execute(launch, arguments, pointers, pointer_count, &fault);
	if (class && class->counter.digits)
		outcome_log(class, why, fault);
	for (unsigned i = 0; i < pointer_count; i++)
		if (!kernel->parameters[pointers[i].argument].is_const)
			pointer_written(kernel, &pointers[i], why != NULL);
	runtime_digest_launch(kernel, pointers, pointer_count);
	double threads = (double)launch->grid.x * launch->grid.y * launch->grid.z * launch->block.x * launch->block.y *
	                 launch->block.z;
	runtime_work(1e-9 * (DEVICE_LAUNCH_NANOSECONDS + threads * 1e6 / DEVICE_CLOCK_KHZ / DEVICE_MULTIPROCESSORS));
	return cudaSuccess;
}

/* ---- what programs call ------------------------------------------------------------------------ */

/* A launch that a graph keeps: its arguments lie behind it. */
struct kept_launch {
	struct runtime_launch launch;
	unsigned char arguments[ARGUMENT_BYTES_MOST];
};

static void launch_replay(void *context)
{
	const struct kept_launch *kept = context;
	runtime_launch(&kept->launch, kept->arguments);
}

static cudaError_t launch_ask(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
                              bool cooperative)
{
	static struct kept_launch kept;
	runtime_enter();
	struct runtime_kernel *kernel = runtime_kernel_find(function);
	if (!kernel)
		return runtime_end(cudaErrorInvalidDeviceFunction);
	kept.launch = (struct runtime_launch){kernel, grid, block, shared, cooperative};
	size_t bytes = arguments_bytes(kernel);
	memset(kept.arguments, 0, bytes);
	for (unsigned p = 0; arguments && p < kernel->parameter_count; p++)
		if (parameter_fits(&kernel->parameters[p]))
			memcpy(kept.arguments + kernel->parameters[p].offset, arguments[p], kernel->parameters[p].size);
	if (runtime_captured(launch_replay, &kept, offsetof(struct kept_launch, arguments) + bytes))
		return runtime_end(cudaSuccess);
	return runtime_end(runtime_launch(&kept.launch, kept.arguments));
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
                             cudaStream_t stream)
{
	(void)stream;
	return launch_ask(function, grid, block, arguments, shared, false);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
                                        cudaStream_t stream)
{
	(void)stream;
	return launch_ask(function, grid, block, arguments, shared, true);
}

#if CUDART_VERSION >= 11080
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **arguments)
{
	return launch_ask(function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes, false);
}
#endif

#if CUDART_VERSION >= 13000
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                               cudaStream_t stream);

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function)
{
	runtime_enter();
	*kernel = (cudaKernel_t)runtime_kernel_find(function);
	return runtime_end(*kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *function)
{
	return __cudaGetKernel(kernel, function);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                               cudaStream_t stream)
{
	return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                                    cudaStream_t stream);
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                                    cudaStream_t stream)
{
	return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
#endif

/* The configuration between <<<>>> and the call, of each thread. */
static _Thread_local struct {
	dim3 grid, block;
	size_t shared;
	void *stream;
} pushed[16];
static _Thread_local unsigned pushed_count;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream)
{
	if (pushed_count == 16)
		return 1;
	pushed[pushed_count].grid = grid;
	pushed[pushed_count].block = block;
	pushed[pushed_count].shared = shared;
	pushed[pushed_count++].stream = stream;
	return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
	if (pushed_count == 0)
		return cudaErrorMissingConfiguration;
	*grid = pushed[--pushed_count].grid;
	*block = pushed[pushed_count].block;
	*shared = pushed[pushed_count].shared;
	*(void **)stream = pushed[pushed_count].stream;
	return cudaSuccess;
}
