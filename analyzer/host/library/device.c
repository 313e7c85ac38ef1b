/*
 * What the CUDA runtime tells host code of the device and of kernels on it: properties, attributes, occupancy.
 */
#include "analyzer/host/library/library.h"

#include <string.h>

/* X(member of cudaDeviceProp, number of the attribute, value); device is the one that is asked for. */
#define DEVICE_NUMBERS(X)                                                                                              \
	X("multiProcessorCount", 16, device->multiprocessors)                                                          \
	X("maxThreadsPerMultiProcessor", 39, device->threads_per_multiprocessor)                                       \
	X("maxThreadsPerBlock", 1, 1024)                                                                               \
	X("warpSize", 10, 32)                                                                                          \
	X("sharedMemPerBlock", 8, 48 << 10)                                                                            \
	X("sharedMemPerBlockOptin", 97, device->shared_bytes_per_block)                                                \
	X("sharedMemPerMultiprocessor", 81, device->shared_bytes_per_multiprocessor)                                   \
	X("regsPerBlock", 12, 65536)                                                                                   \
	X("regsPerMultiprocessor", 82, 65536)                                                                          \
	X("l2CacheSize", 38, device->l2_bytes)                                                                         \
	X("totalGlobalMem", -1, device->memory_bytes)                                                                  \
	X("major", 75, device->architecture / 10)                                                                      \
	X("minor", 76, device->architecture % 10)                                                                      \
	X("concurrentKernels", 31, 1)                                                                                  \
	X("managedMemory", 83, 1)                                                                                      \
	X("cooperativeLaunch", 95, 1)                                                                                  \
	X("canMapHostMemory", 19, 1)

/* The number of that name, or of that attribute where there is no name; NULL where it is none of them or the device is
 * not known. */
static const struct host_constant *device_number(struct host *host, const char *name, int64_t attribute)
{
	const struct analyzer_device *device = host->options->device;

	if (!device)
		return NULL;
#define X(member, number, value)                                                                                       \
	if (name ? strcmp(name, member) == 0 : attribute == (number))                                                  \
		return host_integer(host, (int64_t)(value));
	DEVICE_NUMBERS(X)
#undef X
	return NULL;
}

/* An element of the properties that are arrays, the same for all GPUs since 2012. */
static const struct host_constant *device_limit(struct host *host, const char *name, int64_t axis)
{
	static const int64_t grid[] = {INT32_MAX, 65535, 65535}, block[] = {1024, 1024, 64};
	bool is_grid = strcmp(name, "maxGridSize") == 0, is_block = strcmp(name, "maxThreadsDim") == 0;

	if (!(is_grid || is_block) || axis < 0 || axis >= 3)
		return NULL;
	return host_integer(host, is_grid ? grid[axis] : block[axis]);
}

const struct host_constant *host_device_property(struct host *host, const struct node *node)
{
	const struct node *member = node->kind == NODE_SUBSCRIPT ? node_strip_casts(node->children[0]) : node;
	const struct source_type *type =
		member->kind == NODE_MEMBER && member->child_count ? member->children[0]->type : NULL;
	const struct host_constant *axis;

	type = type ? type_strip_reference(type) : NULL;
	type = type && type->shape == SHAPE_POINTER ? type->target : type;
	if (!type || strcmp(type->type.spelling, "cudaDeviceProp") != 0)
		return NULL;
	if (node == member)
		return device_number(host, member->declaration->name, -1);
	axis = host_evaluate(host, node->children[1]);
	return axis->kind == CONSTANT_INTEGER ? device_limit(host, member->declaration->name, axis->value) : NULL;
}

/* cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, shared, limit): as if registers and shared memory left room
 * for the largest block. */
static const struct host_constant *largest_block(struct host *host, const struct node *node,
                                                 const struct host_constant *const *arguments, unsigned limit_position)
{
	static const char reason[] = "the occupancy calculator is taken to give the largest block";
	const struct analyzer_device *device = host->options->device;
	const struct host_constant *limit = node->child_count > limit_position + 1 ? arguments[limit_position] : NULL;
	int64_t block = 1024;

	if (limit && limit->kind == CONSTANT_INTEGER && limit->value > 0 && limit->value < block)
		block = limit->value;
	host_set_argument(host, node_argument(node, 1), host_assume(host, host_integer(host, block), reason));
	host_set_argument(host, node_argument(node, 0),
	                  device ? host_assume(host,
	                                       host_integer(host, (int64_t)device->multiprocessors *
	                                                                  (device->threads_per_multiprocessor / block)),
	                                       reason)
	                         : host_unknown(host, "the device is not known"));
	return host_integer(host, 0);
}

/* cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel, block, shared): as if threads alone were the limit. */
static const struct host_constant *active_blocks(struct host *host, const struct node *node,
                                                 const struct host_constant *const *arguments)
{
	const struct analyzer_device *device = host->options->device;

	if (!device || arguments[2]->kind != CONSTANT_INTEGER || arguments[2]->value <= 0)
		return NULL;
	host_set_argument(host, node_argument(node, 0),
	                  host_assume(host,
	                              host_integer(host, device->threads_per_multiprocessor / arguments[2]->value),
	                              "the occupancy calculator is taken to be limited by threads alone"));
	return host_integer(host, 0);
}

const struct host_constant *host_device_call(struct host *host, const struct node *node,
                                             const struct host_constant *const *arguments)
{
	const char *name = node->declaration->name;
	unsigned count = node->child_count - 1;
	const struct host_constant *value;

	if (strncmp(name, "cuda", 4) != 0)
		return NULL;
	if (strcmp(name, "cudaDeviceGetAttribute") == 0 && count == 3 && arguments[1]->kind == CONSTANT_INTEGER) {
		value = device_number(host, NULL, arguments[1]->value);
		host_set_argument(host, node_argument(node, 0),
		                  value ? value : host_unknown(host, "the device is not known"));
		return host_integer(host, 0);
	}
	if (strcmp(name, "cudaOccupancyMaxPotentialBlockSize") == 0 && count >= 3)
		return largest_block(host, node, arguments, 4);
	if (strcmp(name, "cudaOccupancyMaxActiveBlocksPerMultiprocessor") == 0 && count >= 4)
		return active_blocks(host, node, arguments);
	if (strcmp(name, "cudaGetDeviceCount") == 0 && count == 1) {
		host_set_argument(host, node_argument(node, 0), host_integer(host, 1));
		return host_integer(host, 0);
	}
	if (strcmp(name, "cudaGetDevice") == 0 && count == 1) {
		host_set_argument(host, node_argument(node, 0), host_integer(host, 0));
		return host_integer(host, 0);
	}
	return NULL;
}
