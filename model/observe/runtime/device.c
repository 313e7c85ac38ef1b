/*
 * The device as the program may ask for it: one, with the numbers of device.h.
 */
#include "model/observe/runtime/device.h"
#include "model/observe/runtime/runtime.h"

#include <cuda_occupancy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct cudaDeviceProp device;

static void limits_fill(void)
{
	device.warpSize = DEVICE_WARP_LANES;
	device.memPitch = INT32_MAX;
	device.maxThreadsPerBlock = 1024;
	memcpy(device.maxThreadsDim, (int[3]){1024, 1024, 64}, sizeof device.maxThreadsDim);
	memcpy(device.maxGridSize, (int[3]){INT32_MAX, 65535, 65535}, sizeof device.maxGridSize);
	device.totalConstMem = 65536;
	device.textureAlignment = 512;
	device.texturePitchAlignment = 32;
	device.maxTexture1D = 131072;
	memcpy(device.maxTexture2D, (int[2]){131072, 65536}, sizeof device.maxTexture2D);
	memcpy(device.maxTexture3D, (int[3]){16384, 16384, 16384}, sizeof device.maxTexture3D);
	device.surfaceAlignment = 512;
}

static void abilities_fill(void)
{
	device.concurrentKernels = device.canMapHostMemory = device.unifiedAddressing = device.managedMemory = 1;
	device.concurrentManagedAccess = device.computePreemptionSupported = device.cooperativeLaunch = 1;
	device.streamPrioritiesSupported = device.globalL1CacheSupported = device.localL1CacheSupported = 1;
	device.hostRegisterSupported = device.memoryPoolsSupported = device.ECCEnabled = 1;
	device.canUseHostPointerForRegisteredMem = 1;
	device.asyncEngineCount = 3;
	device.pciBusID = 1;
}

static void chip_fill(void)
{
	snprintf(device.name, sizeof device.name, "%s", DEVICE_NAME);
	device.totalGlobalMem = DEVICE_MEMORY_BYTES;
	device.major = DEVICE_MAJOR;
	device.minor = DEVICE_MINOR;
	device.multiProcessorCount = DEVICE_MULTIPROCESSORS;
	device.sharedMemPerBlock = 49152;
	device.sharedMemPerBlockOptin = DEVICE_SHARED_PER_BLOCK;
	device.sharedMemPerMultiprocessor = DEVICE_SHARED_PER_MULTIPROCESSOR;
	device.reservedSharedMemPerBlock = DEVICE_SHARED_RESERVED;
	device.regsPerBlock = device.regsPerMultiprocessor = DEVICE_REGISTERS;
	device.maxThreadsPerMultiProcessor = DEVICE_THREADS_PER_MULTIPROCESSOR;
	device.maxBlocksPerMultiProcessor = DEVICE_BLOCKS_PER_MULTIPROCESSOR;
	device.l2CacheSize = DEVICE_L2_BYTES;
	device.memoryBusWidth = DEVICE_MEMORY_BITS;
#if CUDART_VERSION < 13000
	device.clockRate = DEVICE_CLOCK_KHZ;
	device.memoryClockRate = DEVICE_MEMORY_CLOCK_KHZ;
	device.deviceOverlap = 1;
#endif
}

const struct cudaDeviceProp *runtime_device(void)
{
	if (device.warpSize == 0) {
		limits_fill();
		abilities_fill();
		chip_fill();
	}
	return &device;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int number)
{
	runtime_enter();
	if (number == 0)
		*properties = *runtime_device();
	return runtime_end(number == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaGetDeviceCount(int *count)
{
	*count = 1;
	return cudaSuccess;
}

cudaError_t cudaGetDevice(int *number)
{
	*number = 0;
	return cudaSuccess;
}

cudaError_t cudaSetDevice(int number)
{
	runtime_enter();
	return runtime_end(number == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaChooseDevice(int *number, const struct cudaDeviceProp *wanted)
{
	(void)wanted;
	*number = 0;
	return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
	*version = CUDART_VERSION;
	return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
	*version = CUDART_VERSION;
	return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int number, int peer)
{
	(void)number;
	(void)peer;
	*can = 0;
	return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
	*value = limit == cudaLimitStackSize ? 1024 : limit == cudaLimitPrintfFifoSize ? 1 << 20 : 8 << 20;
	return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int bytes, int number)
{
	(void)number;
	snprintf(text, (size_t)bytes, "0000:01:00.0");
	return cudaSuccess;
}

/* Attributes that the properties have too, and constants. */
static int64_t attribute_value(enum cudaDeviceAttr attribute)
{
	const struct cudaDeviceProp *d = runtime_device();
	const struct {
		enum cudaDeviceAttr attribute;
		int64_t value;
	} rows[] = {
		{cudaDevAttrMaxThreadsPerBlock, d->maxThreadsPerBlock},
		{cudaDevAttrMaxBlockDimX, 1024},
		{cudaDevAttrMaxBlockDimY, 1024},
		{cudaDevAttrMaxBlockDimZ, 64},
		{cudaDevAttrMaxGridDimX, INT32_MAX},
		{cudaDevAttrMaxGridDimY, 65535},
		{cudaDevAttrMaxGridDimZ, 65535},
		{cudaDevAttrMaxSharedMemoryPerBlock, (int64_t)d->sharedMemPerBlock},
		{cudaDevAttrMaxSharedMemoryPerBlockOptin, (int64_t)d->sharedMemPerBlockOptin},
		{cudaDevAttrMaxSharedMemoryPerMultiprocessor, (int64_t)d->sharedMemPerMultiprocessor},
		{cudaDevAttrReservedSharedMemoryPerBlock, (int64_t)d->reservedSharedMemPerBlock},
		{cudaDevAttrTotalConstantMemory, (int64_t)d->totalConstMem},
		{cudaDevAttrWarpSize, d->warpSize},
		{cudaDevAttrMaxPitch, (int64_t)d->memPitch},
		{cudaDevAttrMaxRegistersPerBlock, d->regsPerBlock},
		{cudaDevAttrMaxRegistersPerMultiprocessor, d->regsPerMultiprocessor},
		{cudaDevAttrClockRate, DEVICE_CLOCK_KHZ},
		{cudaDevAttrMemoryClockRate, DEVICE_MEMORY_CLOCK_KHZ},
		{cudaDevAttrGlobalMemoryBusWidth, d->memoryBusWidth},
		{cudaDevAttrTextureAlignment, (int64_t)d->textureAlignment},
		{cudaDevAttrMultiProcessorCount, d->multiProcessorCount},
		{cudaDevAttrL2CacheSize, d->l2CacheSize},
		{cudaDevAttrMaxThreadsPerMultiProcessor, d->maxThreadsPerMultiProcessor},
		{cudaDevAttrMaxBlocksPerMultiprocessor, d->maxBlocksPerMultiProcessor},
		{cudaDevAttrComputeCapabilityMajor, d->major},
		{cudaDevAttrComputeCapabilityMinor, d->minor},
		{cudaDevAttrCanMapHostMemory, 1},
		{cudaDevAttrConcurrentKernels, 1},
		{cudaDevAttrUnifiedAddressing, 1},
		{cudaDevAttrManagedMemory, 1},
		{cudaDevAttrConcurrentManagedAccess, 1},
		{cudaDevAttrCooperativeLaunch, 1},
		{cudaDevAttrMemoryPoolsSupported, 1},
		{cudaDevAttrAsyncEngineCount, d->asyncEngineCount},
		{cudaDevAttrStreamPrioritiesSupported, 1},
		{cudaDevAttrHostRegisterSupported, 1},
		{cudaDevAttrComputePreemptionSupported, 1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].attribute == attribute)
			return rows[i].value;
	return 0;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int number)
{
	runtime_enter();
	*value = (int)attribute_value(attribute);
	return runtime_end(number == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

/* ---- functions and occupancy -------------------------------------------------------------------- */

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function)
{
	runtime_enter();
	const struct runtime_kernel *kernel = runtime_kernel_find(function);
	if (!kernel)
		return runtime_end(cudaErrorInvalidDeviceFunction);
	memset(attributes, 0, sizeof *attributes);
	attributes->numRegs = (int)kernel->registers;
	attributes->sharedSizeBytes = kernel->shared_bytes;
	attributes->localSizeBytes = kernel->local_bytes;
	attributes->maxThreadsPerBlock = kernel->threads_most ? (int)kernel->threads_most : 1024;
	attributes->binaryVersion = attributes->ptxVersion = 10 * DEVICE_MAJOR + DEVICE_MINOR;
	attributes->maxDynamicSharedSizeBytes =
		kernel->dynamic_shared_most > 0 ? kernel->dynamic_shared_most : 49152 - (int)kernel->shared_bytes;
	attributes->preferredShmemCarveout = kernel->carveout;
	return runtime_end(cudaSuccess);
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
	runtime_enter();
	struct runtime_kernel *kernel = runtime_kernel_find(function);
	if (!kernel)
		return runtime_end(cudaErrorInvalidDeviceFunction);
	if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
		if (value < 0 || value > DEVICE_SHARED_PER_BLOCK - (int)kernel->shared_bytes)
			return runtime_end(cudaErrorInvalidValue);
		kernel->dynamic_shared_most = value;
	}
	if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
		kernel->carveout = value;
	return runtime_end(cudaSuccess);
}

static struct cudaOccDeviceProp occupancy_device(void)
{
	const struct cudaDeviceProp *d = runtime_device();
	struct cudaOccDeviceProp properties;
	memset(&properties, 0, sizeof properties);
	properties.computeMajor = d->major;
	properties.computeMinor = d->minor;
	properties.maxThreadsPerBlock = d->maxThreadsPerBlock;
	properties.maxThreadsPerMultiprocessor = d->maxThreadsPerMultiProcessor;
	properties.regsPerBlock = d->regsPerBlock;
	properties.regsPerMultiprocessor = d->regsPerMultiprocessor;
	properties.warpSize = d->warpSize;
	properties.sharedMemPerBlock = d->sharedMemPerBlock;
	properties.sharedMemPerMultiprocessor = d->sharedMemPerMultiprocessor;
	properties.numSms = d->multiProcessorCount;
	properties.sharedMemPerBlockOptin = d->sharedMemPerBlockOptin;
	properties.reservedSharedMemPerBlock = d->reservedSharedMemPerBlock;
	return properties;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int threads,
                                                                   size_t shared, unsigned flags)
{
	(void)flags;
	runtime_enter();
	const struct runtime_kernel *kernel = runtime_kernel_find(function);
	struct cudaOccDeviceProp properties = occupancy_device();
	struct cudaOccFuncAttributes attributes;
	struct cudaOccDeviceState state;
	struct cudaOccResult result;
	memset(&attributes, 0, sizeof attributes);
	memset(&state, 0, sizeof state);
	*blocks = 0;
	if (!kernel)
		return runtime_end(cudaErrorInvalidDeviceFunction);
	attributes.maxThreadsPerBlock = kernel->threads_most ? (int)kernel->threads_most : 1024;
	attributes.numRegs = (int)kernel->registers;
	attributes.sharedSizeBytes = kernel->shared_bytes;
	attributes.maxDynamicSharedSizeBytes =
		kernel->dynamic_shared_most > 0 ? (size_t)kernel->dynamic_shared_most : 49152;
	attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
	if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state, threads, shared) ==
	    CUDA_OCC_SUCCESS)
		*blocks = result.activeBlocksPerMultiprocessor;
	return runtime_end(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads, size_t shared)
{
	return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks, int threads)
{
	(void)function;
	(void)threads;
	*bytes = blocks > 0 ? DEVICE_SHARED_PER_MULTIPROCESSOR / (size_t)blocks - DEVICE_SHARED_RESERVED : 0;
	return cudaSuccess;
}

/* ---- errors in words -------------------------------------------------------------------------------- */

static const struct {
	cudaError_t error;
	const char *name, *text;
} error_rows[] = {
	{cudaSuccess, "cudaSuccess", "no error"},
	{cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
	{cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
	{cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
	{cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
	{cudaErrorMissingConfiguration, "cudaErrorMissingConfiguration", "__global__ function call is not configured"},
	{cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
	{cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
	{cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
	{cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
	{cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
};

const char *cudaGetErrorName(cudaError_t error)
{
	for (size_t i = 0; i < sizeof error_rows / sizeof *error_rows; i++)
		if (error_rows[i].error == error)
			return error_rows[i].name;
	return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
	for (size_t i = 0; i < sizeof error_rows / sizeof *error_rows; i++)
		if (error_rows[i].error == error)
			return error_rows[i].text;
	return "unrecognized error code";
}
