/*
 * Copies and memsets, whole and of rectangles, and the program's variables in device memory. They happen at once: a
 * stream keeps nothing back.
 */
#include "model/observe/runtime/device.h"
#include "model/observe/runtime/runtime.h"

#include <stdlib.h>
#include <string.h>

#define EVENTS_SEEN 512

enum direction { TO_DEVICE, TO_HOST, ON_DEVICE, ON_HOST, DIRECTIONS, SET = DIRECTIONS };
static bool results_read;

/* Logs a copy or memset, equal ones as one event. */
static void transfer_log(enum direction direction, bool pinned, size_t bytes)
{
	static const char *const names[] = {"to device", "to host", "on device", "on host"};
	static struct {
		unsigned event;
		size_t bytes;
		enum direction direction;
		bool pinned;
		struct runtime_counter counter;
	} seen[EVENTS_SEEN];
	unsigned slot = (unsigned)((bytes * 31 + 2 * direction + pinned) % EVENTS_SEEN);
	if (seen[slot].event == 0 || seen[slot].bytes != bytes || seen[slot].direction != direction ||
	    seen[slot].pinned != pinned) {
		seen[slot].event = runtime_event_new();
		seen[slot].bytes = bytes;
		seen[slot].direction = direction;
		seen[slot].pinned = pinned;
		seen[slot].counter =
			direction == SET
				? runtime_log_counted("{\"set\":%u,\"bytes\":%zu", seen[slot].event, bytes)
				: runtime_log_counted("{\"copy\":%u,\"kind\":\"%s\",\"pinned\":%s,\"bytes\":%zu",
		                                      seen[slot].event, names[direction], pinned ? "true" : "false",
		                                      bytes);
	}
	runtime_count(&seen[slot].counter);
	runtime_order(seen[slot].event);
	runtime_work(1e-9 * DEVICE_LAUNCH_NANOSECONDS + (double)bytes / DEVICE_LINK_BYTES_PER_SECOND);
}

bool runtime_results_read(void)
{
	bool read = results_read;
	results_read = false;
	return read;
}

/* ---- rectangles ------------------------------------------------------------------------ */

/* Boxes of bytes: rows of `width` bytes, `height` of them in each of `depth` slices. */
struct byte_box {
	char *to;
	const char *from;
	size_t to_pitch, from_pitch, to_slice, from_slice, width, height, depth;
};

static bool is_device(const struct runtime_allocation *allocation)
{
	return allocation && (allocation->kind == RUNTIME_DEVICE || allocation->kind == RUNTIME_VARIABLE ||
	                      allocation->kind == RUNTIME_MANAGED);
}

/* Memory of the host that the device reads itself. */
static bool is_pinned(const struct runtime_allocation *allocation)
{
	return allocation && (allocation->kind == RUNTIME_PINNED || allocation->kind == RUNTIME_REGISTERED);
}

static size_t box_span(size_t pitch, size_t slice, const struct byte_box *box)
{
	return (box->depth - 1) * slice + (box->height - 1) * pitch + box->width;
}

/* Whether an allocation, where the address lies in one, has so many bytes from there on. */
static bool has_room(const struct runtime_allocation *allocation, const char *address, size_t bytes)
{
	return !allocation || (size_t)(allocation->base + allocation->size - address) >= bytes;
}

static enum direction direction_of(const struct runtime_allocation *to, const struct runtime_allocation *from)
{
	if (is_device(to))
		return is_device(from) ? ON_DEVICE : TO_DEVICE;
	return is_device(from) ? TO_HOST : ON_HOST;
}

/* What the source's writer means for the target of a copy. */
static void writer_copy(struct runtime_allocation *to, const struct runtime_allocation *from, size_t bytes)
{
	runtime_written(to, RUNTIME_COPY, bytes);
	if (!from || from->writer != RUNTIME_KERNEL)
		return;
	to->writer = RUNTIME_KERNEL;
	to->passed_count = from->passed_count;
	memcpy(to->passed, from->passed, sizeof to->passed);
}

static cudaError_t box_copy(const struct byte_box *box, enum cudaMemcpyKind kind)
{
	struct runtime_allocation *to = runtime_find(box->to), *from = runtime_find(box->from);
	if (box->width == 0 || box->height == 0 || box->depth == 0)
		return cudaSuccess;
	if (!box->to || !box->from || (kind == cudaMemcpyHostToDevice && !to) ||
	    (kind == cudaMemcpyDeviceToHost && !from) ||
	    !has_room(to, box->to, box_span(box->to_pitch, box->to_slice, box)) ||
	    !has_room(from, box->from, box_span(box->from_pitch, box->from_slice, box)))
		return cudaErrorInvalidValue;
	for (size_t z = 0; z < box->depth; z++)
		for (size_t y = 0; y < box->height; y++)
			memmove(box->to + z * box->to_slice + y * box->to_pitch,
			        box->from + z * box->from_slice + y * box->from_pitch, box->width);
	if (to)
		writer_copy(to, from, box->width * box->height * box->depth);
	results_read |= from && from->writer == RUNTIME_KERNEL && !is_device(to);
	transfer_log(direction_of(to, from), is_pinned(to) || is_pinned(from), box->width * box->height * box->depth);
	if (direction_of(to, from) == TO_HOST)
		for (size_t z = 0; z < box->depth; z++)
			runtime_keep(box->to + z * box->to_slice, box->to_pitch, box->width, box->height);
	return cudaSuccess;
}

static void box_replay(void *context)
{
	box_copy(context, cudaMemcpyDefault);
}

/* Copies now, or at each launch of the graph that is captured. */
static cudaError_t box_ask(struct byte_box box, enum cudaMemcpyKind kind)
{
	runtime_enter();
	if (runtime_captured(box_replay, &box, sizeof box))
		return runtime_end(cudaSuccess);
	return runtime_end(box_copy(&box, kind));
}

static struct byte_box line_box(void *to, const void *from, size_t bytes)
{
	return (struct byte_box){.to = to, .from = from, .width = bytes, .height = 1, .depth = 1};
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
	return box_ask(line_box(to, from, bytes), kind);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	(void)stream;
	return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
	(void)to_device;
	(void)from_device;
	return cudaMemcpy(to, from, bytes, cudaMemcpyDefault);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                                cudaStream_t stream)
{
	(void)stream;
	return cudaMemcpyPeer(to, to_device, from, from_device, bytes);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind)
{
	return box_ask((struct byte_box){.to = to,
	                                 .from = from,
	                                 .to_pitch = to_pitch,
	                                 .from_pitch = from_pitch,
	                                 .width = width,
	                                 .height = height,
	                                 .depth = 1},
	               kind);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	(void)stream;
	return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

/* ---- arrays ------------------------------------------------------------------------------ */

/* What a cudaArray_t points to: rows without gaps. */
struct device_array {
	struct runtime_allocation *memory;
	struct cudaChannelFormatDesc format;
	struct cudaExtent extent; /* in elements; 0: that axis is not there */
	size_t element_bytes;
};

static struct device_array *array_of(cudaArray_const_t handle)
{
	return (struct device_array *)(uintptr_t)handle;
}

static size_t at_least_1(size_t number)
{
	return number ? number : 1;
}

cudaError_t cudaMalloc3DArray(cudaArray_t *handle, const struct cudaChannelFormatDesc *format, struct cudaExtent extent,
                              unsigned flags)
{
	struct device_array *array = calloc(1, sizeof *array);
	(void)flags;
	if (!array)
		return cudaErrorMemoryAllocation;
	array->format = *format;
	array->extent = extent;
	array->element_bytes = (size_t)(format->x + format->y + format->z + format->w) / 8;
	runtime_enter();
	array->memory = runtime_allocate(array->element_bytes * at_least_1(extent.width) * at_least_1(extent.height) *
	                                         at_least_1(extent.depth),
	                                 RUNTIME_DEVICE);
	*handle = (cudaArray_t)array;
	return runtime_end(array->memory ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaMallocArray(cudaArray_t *handle, const struct cudaChannelFormatDesc *format, size_t width,
                            size_t height, unsigned flags)
{
	return cudaMalloc3DArray(handle, format, (struct cudaExtent){width, height, 0}, flags);
}

cudaError_t cudaFreeArray(cudaArray_t handle)
{
	if (!handle)
		return cudaSuccess;
	runtime_enter();
	if (array_of(handle)->memory)
		runtime_release(array_of(handle)->memory);
	free(array_of(handle));
	return runtime_end(cudaSuccess);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent, unsigned *flags,
                             cudaArray_t handle)
{
	if (format)
		*format = array_of(handle)->format;
	if (extent)
		*extent = array_of(handle)->extent;
	if (flags)
		*flags = 0;
	return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *format, cudaArray_const_t handle)
{
	*format = array_of(handle)->format;
	return cudaSuccess;
}

static size_t array_pitch(const struct device_array *array)
{
	return array->extent.width * array->element_bytes;
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind)
{
	const struct device_array *array = array_of(to);
	return cudaMemcpy2D(array->memory->base + y * array_pitch(array) + x, array_pitch(array), from, pitch, width,
	                    height, kind);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                     size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	(void)stream;
	return cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, enum cudaMemcpyKind kind)
{
	const struct device_array *array = array_of(from);
	return cudaMemcpy2D(to, pitch, array->memory->base + y * array_pitch(array) + x, array_pitch(array), width,
	                    height, kind);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind)
{
	const struct device_array *array = array_of(to);
	return cudaMemcpy(array->memory->base + y * array_pitch(array) + x, from, bytes, kind);
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind)
{
	const struct device_array *array = array_of(from);
	return cudaMemcpy(to, array->memory->base + y * array_pitch(array) + x, bytes, kind);
}

/* One side of a 3D copy: the first byte, and how far rows and slices are apart. */
struct copy_side {
	char *first;
	size_t pitch, slice;
};

static struct copy_side side_of(cudaArray_t handle, struct cudaPitchedPtr pitched, struct cudaPos at)
{
	const struct device_array *array = array_of(handle);
	struct copy_side side = {.first = array ? array->memory->base : pitched.ptr};
	side.pitch = array ? array_pitch(array) : pitched.pitch;
	side.slice = side.pitch * at_least_1(array ? array->extent.height : pitched.ysize);
	side.first += at.z * side.slice + at.y * side.pitch + at.x * (array ? array->element_bytes : 1);
	return side;
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy)
{
	struct copy_side to = side_of(copy->dstArray, copy->dstPtr, copy->dstPos);
	struct copy_side from = side_of(copy->srcArray, copy->srcPtr, copy->srcPos);
	const struct device_array *array = array_of(copy->dstArray ? copy->dstArray : copy->srcArray);
	return box_ask((struct byte_box){.to = to.first,
	                                 .from = from.first,
	                                 .to_pitch = to.pitch,
	                                 .from_pitch = from.pitch,
	                                 .to_slice = to.slice,
	                                 .from_slice = from.slice,
	                                 .width = copy->extent.width * (array ? array->element_bytes : 1),
	                                 .height = copy->extent.height,
	                                 .depth = copy->extent.depth},
	               copy->kind);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy, cudaStream_t stream)
{
	(void)stream;
	return cudaMemcpy3D(copy);
}

/* ---- memsets ------------------------------------------------------------------------------ */

struct fill {
	char *to;
	int value;
	size_t pitch, width, height;
};

static cudaError_t fill_do(const struct fill *fill)
{
	struct runtime_allocation *to = runtime_find(fill->to);
	if (fill->width == 0 || fill->height == 0)
		return cudaSuccess;
	if (!to || !has_room(to, fill->to, (fill->height - 1) * fill->pitch + fill->width))
		return cudaErrorInvalidValue;
	for (size_t y = 0; y < fill->height; y++)
		memset(fill->to + y * fill->pitch, fill->value, fill->width);
	runtime_written(to, RUNTIME_SET, fill->width * fill->height);
	transfer_log(SET, false, fill->width * fill->height);
	return cudaSuccess;
}

static void fill_replay(void *context)
{
	fill_do(context);
}

static cudaError_t fill_ask(struct fill fill)
{
	runtime_enter();
	if (runtime_captured(fill_replay, &fill, sizeof fill))
		return runtime_end(cudaSuccess);
	return runtime_end(fill_do(&fill));
}

cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
	return fill_ask((struct fill){to, value, 0, bytes, 1});
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
	(void)stream;
	return cudaMemset(to, value, bytes);
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
	return fill_ask((struct fill){to, value, pitch, width, height});
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
	(void)stream;
	return cudaMemset2D(to, pitch, value, width, height);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent extent)
{
	return cudaMemset2D(to.ptr, to.pitch, value, extent.width, extent.height * extent.depth);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr to, int value, struct cudaExtent extent, cudaStream_t stream)
{
	(void)stream;
	return cudaMemset3D(to, value, extent);
}
