/*
 * Stand-ins for what a measuring program (`coalesce bundle`) asks of the CUDA runtime, beyond host_cuda.h: launches through addresses of arguments, events,
 * and a device. The device has 64 KiB of L2 cache; a launch takes the time that a CPU needs for it.
 *
 * HOST_CUDA_DEVICES=0 in the environment: there is no device. HOST_CUDA_MEMORY=BYTES: free device memory. HOST_CUDA_FAULT=N: kernels with N parameters fail;
 * HOST_CUDA_NEVER_ENDS=N: they never end.
 */
#ifndef TESTS_HOST_CUDA_RUNTIME_H
#define TESTS_HOST_CUDA_RUNTIME_H

#include "../host_cuda.h"

#include <chrono>
#include <utility>

typedef std::chrono::steady_clock::time_point host_cuda_time;
struct host_cuda_event {
	host_cuda_time time;
};
typedef host_cuda_event *cudaEvent_t;

struct cudaDeviceProp {
	char name[256];
	int l2CacheSize, major, minor, multiProcessorCount;
};
struct cudaFuncAttributes {
	int numRegs;
};
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };

static inline long long host_cuda_setting(const char *name, long long otherwise)
{
	const char *text = getenv(name);
	return text ? atoll(text) : otherwise;
}

/* ---- launches ------------------------------------------------------------------------- */

template <typename... P, size_t... I> static void host_cuda_call(void (*code)(P...), void **arguments, std::index_sequence<I...>)
{
	code(*(typename std::remove_const<P>::type *)arguments[I]...);
}

static bool host_cuda_is_stuck;

template <typename... P>
static cudaError_t cudaLaunchKernel(void (*code)(P...), dim3 grid, dim3 block, void **arguments, size_t, cudaStream_t)
{
	if ((long long)sizeof...(P) == host_cuda_setting("HOST_CUDA_FAULT", -1))
		host_cuda_error = cudaErrorIllegalAddress;
	host_cuda_is_stuck |= (long long)sizeof...(P) == host_cuda_setting("HOST_CUDA_NEVER_ENDS", -1);
	if (host_cuda_error == cudaSuccess)
		host_cuda_launch(grid, block, [&] { host_cuda_call(code, arguments, std::index_sequence_for<P...>()); });
	return cudaSuccess;
}

/* ---- device, memory, events ---------------------------------------------------------------- */

static inline cudaError_t cudaGetDeviceCount(int *count)
{
	*count = (int)host_cuda_setting("HOST_CUDA_DEVICES", 1);
	return *count ? cudaSuccess : cudaErrorNoDevice;
}
static inline cudaError_t cudaSetDevice(int)
{
	return cudaSuccess;
}
static inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int)
{
	*properties = cudaDeviceProp{"a \"CPU\"", 65536, 9, 0, 1};
	return cudaSuccess;
}
static inline cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
	*available = *total = (size_t)host_cuda_setting("HOST_CUDA_MEMORY", 1ll << 30);
	return cudaSuccess;
}
static inline cudaError_t cudaDriverGetVersion(int *version)
{
	*version = 13000;
	return cudaSuccess;
}
static inline cudaError_t cudaRuntimeGetVersion(int *version)
{
	*version = 13000;
	return cudaSuccess;
}
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *)
{
	attributes->numRegs = 16;
	return cudaSuccess;
}
static inline cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int)
{
	return cudaSuccess;
}
template <typename T> static cudaError_t cudaGetSymbolAddress(void **address, T &variable)
{
	*address = (void *)&variable;
	return cudaSuccess;
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *event)
{
	static host_cuda_event events[2];
	static int count;
	*event = &events[count++ % 2];
	return cudaSuccess;
}
static inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t)
{
	event->time = std::chrono::steady_clock::now();
	return cudaSuccess;
}
static inline cudaError_t cudaEventSynchronize(cudaEvent_t)
{
	return host_cuda_error;
}
static inline cudaError_t cudaEventQuery(cudaEvent_t)
{
	return host_cuda_is_stuck ? cudaErrorNotReady : host_cuda_error;
}
static inline cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop)
{
	*milliseconds = std::chrono::duration<float, std::milli>(stop->time - start->time).count() + 1e-3f;
	return cudaSuccess;
}

/* ---- device functions ------------------------------------------------------------------------- */

template <typename T> static T atomicMax(T *address, T value)
{
	T old = *address;
	*address = old > value ? old : value;
	return old;
}
template <typename T> static T atomicMin(T *address, T value)
{
	T old = *address;
	*address = old < value ? old : value;
	return old;
}
#define __fadd_rn(a, b) ((a) + (b))
#define __fmul_rn(a, b) ((a) * (b))
#define __fdiv_rn(a, b) ((a) / (b))
#define __fsqrt_rn(a) sqrtf(a)

#endif
