/*
 * Allocations: mappings that take pages when they are touched, in a table sorted by address. All of them are zero at
 * first.
 */
#include "model/observe/runtime/device.h"
#include "model/observe/runtime/runtime.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static struct {
	struct runtime_allocation **list; /* by base */
	size_t count, capacity, used;
	unsigned ids;
} table;

/* The position of the last allocation that begins at the address or before it, plus one. */
static size_t position_after(const void *address)
{
	size_t low = 0, high = table.count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if ((const char *)address >= table.list[middle]->base)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct runtime_allocation *runtime_find(const void *address)
{
	size_t after = position_after(address);
	struct runtime_allocation *found = after ? table.list[after - 1] : NULL;
	return found && (size_t)((const char *)address - found->base) < found->size ? found : NULL;
}

static struct runtime_allocation *table_add(char *base, size_t size, enum runtime_kind kind)
{
	if (table.count == table.capacity) {
		size_t capacity = table.capacity ? 2 * table.capacity : 64;
		void *list = realloc(table.list, capacity * sizeof *table.list);
		if (!list)
			return NULL;
		table.list = list;
		table.capacity = capacity;
	}
	struct runtime_allocation *allocation = calloc(1, sizeof *allocation);
	if (!allocation)
		return NULL;
	*allocation =
		(struct runtime_allocation){.base = base, .size = size, .id = ++table.ids, .kind = kind, .version = 1};
	size_t at = position_after(base);
	memmove(table.list + at + 1, table.list + at, (table.count - at) * sizeof *table.list);
	table.list[at] = allocation;
	table.count++;
	return allocation;
}

static void allocation_log(const struct runtime_allocation *allocation)
{
	static const char *const names[] = {"device", "managed", "pinned", "variable", "registered"};
	static struct {
		unsigned event;
		size_t size;
		enum runtime_kind kind;
		struct runtime_counter counter;
	} seen[256];
	unsigned slot = (unsigned)((allocation->size * 31 + allocation->kind) % 256);
	if (seen[slot].event == 0 || seen[slot].size != allocation->size || seen[slot].kind != allocation->kind) {
		seen[slot].event = runtime_event_new();
		seen[slot].size = allocation->size;
		seen[slot].kind = allocation->kind;
		seen[slot].counter = runtime_log_counted("{\"allocate\":%u,\"kind\":\"%s\",\"bytes\":%zu",
		                                         seen[slot].event, names[allocation->kind], allocation->size);
	}
	runtime_count(&seen[slot].counter);
	runtime_order(seen[slot].event);
}

struct runtime_allocation *runtime_allocate(size_t size, enum runtime_kind kind)
{
	if (kind != RUNTIME_PINNED && size > DEVICE_MEMORY_BYTES - table.used)
		return NULL;
	void *base =
		mmap(NULL, size ? size : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct runtime_allocation *allocation = base == MAP_FAILED ? NULL : table_add(base, size, kind);
	if (!allocation)
		return NULL;
	table.used += kind == RUNTIME_PINNED ? 0 : size;
	allocation_log(allocation);
	return allocation;
}

void runtime_release(struct runtime_allocation *allocation)
{
	runtime_digest_release(allocation);
	size_t at = position_after(allocation->base);
	memmove(table.list + at - 1, table.list + at, (table.count - at) * sizeof *table.list);
	table.count--;
	if (allocation->kind != RUNTIME_REGISTERED) {
		munmap(allocation->base, allocation->size ? allocation->size : 1);
		table.used -= allocation->kind == RUNTIME_PINNED ? 0 : allocation->size;
	}
	free(allocation);
}

void runtime_written(struct runtime_allocation *allocation, enum runtime_writer writer, size_t bytes)
{
	allocation->version++;
	if (allocation->writer == RUNTIME_KERNEL && bytes < allocation->size)
		return;
	allocation->writer = writer;
	allocation->passed_count = 0;
}

void runtime_passed_add(struct runtime_allocation *allocation, unsigned kernel, unsigned argument)
{
	allocation->writer = RUNTIME_KERNEL;
	for (unsigned i = 0; i < allocation->passed_count && i < RUNTIME_KERNELS_MOST; i++)
		if (allocation->passed[i].kernel == kernel && allocation->passed[i].argument == argument)
			return;
	if (allocation->passed_count < RUNTIME_KERNELS_MOST)
		allocation->passed[allocation->passed_count] = (struct runtime_passed){kernel, argument};
	allocation->passed_count++;
}

size_t runtime_used(void)
{
	return table.used;
}

/* ---- what programs call ------------------------------------------------------------------ */

static cudaError_t memory_give(void **pointer, size_t size, enum runtime_kind kind)
{
	if (!pointer)
		return cudaErrorInvalidValue;
	*pointer = NULL;
	if (size == 0)
		return cudaSuccess;
	struct runtime_allocation *allocation = runtime_allocate(size, kind);
	if (!allocation)
		return cudaErrorMemoryAllocation;
	*pointer = allocation->base;
	return cudaSuccess;
}

static cudaError_t memory_take(void *pointer)
{
	struct runtime_allocation *allocation = runtime_find(pointer);
	if (!pointer)
		return cudaSuccess;
	if (!allocation || allocation->base != pointer)
		return cudaErrorInvalidValue;
	runtime_release(allocation);
	return cudaSuccess;
}

cudaError_t cudaMalloc(void **pointer, size_t size)
{
	runtime_enter();
	return runtime_end(memory_give(pointer, size, RUNTIME_DEVICE));
}

cudaError_t cudaMallocManaged(void **pointer, size_t size, unsigned flags)
{
	(void)flags;
	runtime_enter();
	return runtime_end(memory_give(pointer, size, RUNTIME_MANAGED));
}

cudaError_t cudaMallocHost(void **pointer, size_t size)
{
	runtime_enter();
	return runtime_end(memory_give(pointer, size, RUNTIME_PINNED));
}

cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned flags)
{
	(void)flags;
	return cudaMallocHost(pointer, size);
}

cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream)
{
	(void)stream;
	return cudaMalloc(pointer, size);
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
	(void)pool;
	(void)stream;
	return cudaMalloc(pointer, size);
}

#define PITCH_BYTES 512

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
	*pitch = (width + PITCH_BYTES - 1) / PITCH_BYTES * PITCH_BYTES;
	return cudaMalloc(pointer, *pitch * height);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent)
{
	pitched->xsize = extent.width;
	pitched->ysize = extent.height;
	return cudaMallocPitch(&pitched->ptr, &pitched->pitch, extent.width, extent.height * extent.depth);
}

cudaError_t cudaFree(void *pointer)
{
	runtime_enter();
	return runtime_end(memory_take(pointer));
}

cudaError_t cudaFreeHost(void *pointer)
{
	return cudaFree(pointer);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
	(void)stream;
	return cudaFree(pointer);
}

cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned flags)
{
	(void)flags;
	runtime_enter();
	if (!pointer || runtime_find(pointer))
		return runtime_end(cudaErrorInvalidValue);
	return runtime_end(table_add(pointer, size, RUNTIME_REGISTERED) ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaHostUnregister(void *pointer)
{
	return cudaFree(pointer);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
	(void)flags;
	*device = host;
	return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *unused, size_t *total)
{
	runtime_enter();
	*total = DEVICE_MEMORY_BYTES;
	*unused = DEVICE_MEMORY_BYTES - table.used;
	return runtime_end(cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
	runtime_enter();
	const struct runtime_allocation *allocation = runtime_find(pointer);
	memset(attributes, 0, sizeof *attributes);
	attributes->type = !allocation                           ? cudaMemoryTypeUnregistered
	                   : allocation->kind == RUNTIME_MANAGED ? cudaMemoryTypeManaged
	                   : allocation->kind == RUNTIME_PINNED || allocation->kind == RUNTIME_REGISTERED
	                           ? cudaMemoryTypeHost
	                           : cudaMemoryTypeDevice;
	attributes->devicePointer = allocation ? (void *)(uintptr_t)pointer : NULL;
	attributes->hostPointer =
		allocation && attributes->type != cudaMemoryTypeDevice ? (void *)(uintptr_t)pointer : NULL;
	return runtime_end(cudaSuccess);
}
