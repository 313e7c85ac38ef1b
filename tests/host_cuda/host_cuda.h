/*
 * Stand-ins for the CUDA builtins and runtime, so that plain CUDA programs run on a CPU with a C++ compiler: device memory is host memory, and
 * threads run one after another, in order. Kernels with barriers or warp operations need HOST_CUDA_BARRIERS: see barriers.h.
 *
 * Include it before everything else (-include); tests/host_cuda/run.py turns k<<<grid, block>>>(arguments) into host_cuda_launch(...).
 */
#ifndef TESTS_HOST_CUDA_H
#define TESTS_HOST_CUDA_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __constant__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))

struct dim3 {
	unsigned x, y, z;
	dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z)
	{
	}
};

#define HOST_CUDA_VECTORS(T, name)                                                                                                 \
	struct alignas(2 * sizeof(T)) name##2                                                                                      \
	{                                                                                                                          \
		T x, y;                                                                                                            \
	};                                                                                                                         \
	struct name##3                                                                                                             \
	{                                                                                                                          \
		T x, y, z;                                                                                                         \
	};                                                                                                                         \
	struct alignas(sizeof(T) < 8 ? 4 * sizeof(T) : 16) name##4                                                                 \
	{                                                                                                                          \
		T x, y, z, w;                                                                                                      \
	};                                                                                                                         \
	static inline name##2 make_##name##2(T x, T y)                                                                             \
	{                                                                                                                          \
		return name##2 {x, y};                                                                                             \
	}                                                                                                                          \
	static inline name##3 make_##name##3(T x, T y, T z)                                                                        \
	{                                                                                                                          \
		return name##3 {x, y, z};                                                                                          \
	}                                                                                                                          \
	static inline name##4 make_##name##4(T x, T y, T z, T w)                                                                   \
	{                                                                                                                          \
		return name##4 {x, y, z, w};                                                                                       \
	}
HOST_CUDA_VECTORS(float, float)
HOST_CUDA_VECTORS(double, double)
HOST_CUDA_VECTORS(int, int)
HOST_CUDA_VECTORS(unsigned char, uchar)
HOST_CUDA_VECTORS(unsigned, uint)
HOST_CUDA_VECTORS(short, short)

static uint3 threadIdx, blockIdx;
static dim3 blockDim, gridDim;

/* ---- launches ---------------------------------------------------------------------- */

#if defined(HOST_CUDA_BARRIERS)
#include "barriers.h"
#elif !defined(HOST_CUDA_OWN_LAUNCHES)
/* HOST_CUDA_ORDER=alternate: every second launch runs its threads in reverse, so that results that depend on their order differ. */
template <typename F> static void host_cuda_launch(dim3 grid, dim3 block, F kernel)
{
	static bool reverse;
	size_t threads = (size_t)block.x * block.y * block.z, count = threads * grid.x * grid.y * grid.z;

	gridDim = grid;
	blockDim = block;
	for (size_t n = 0; n < count; n++) {
		unsigned b = (unsigned)((reverse ? count - 1 - n : n) / threads),
			 t = (unsigned)((reverse ? count - 1 - n : n) % threads);

		blockIdx = uint3{b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y};
		threadIdx = uint3{t % block.x, t / block.x % block.y, t / block.x / block.y};
		kernel();
	}
	reverse ^= getenv("HOST_CUDA_ORDER") != NULL;
}
#endif

/* ---- the runtime ---------------------------------------------------------------------- */

enum cudaError_t {
	cudaSuccess = 0,
	cudaErrorMemoryAllocation = 2,
	cudaErrorNoDevice = 100,
	cudaErrorNotReady = 600,
	cudaErrorIllegalAddress = 700
};
/* What a launch left behind. */
static cudaError_t host_cuda_error = cudaSuccess;

enum cudaMemcpyKind {
	cudaMemcpyHostToHost,
	cudaMemcpyHostToDevice,
	cudaMemcpyDeviceToHost,
	cudaMemcpyDeviceToDevice,
	cudaMemcpyDefault
};

template <typename T> static cudaError_t cudaMalloc(T **pointer, size_t bytes)
{
	*pointer = (T *)aligned_alloc(256, (bytes + 255) / 256 * 256);
	if (*pointer)
		memset(*pointer, 0xee, bytes);
	return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}

template <typename T> static cudaError_t cudaMallocManaged(T **pointer, size_t bytes)
{
	return cudaMalloc(pointer, bytes);
}

static inline cudaError_t cudaFree(void *pointer)
{
	free(pointer);
	return cudaSuccess;
}

static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind)
{
	memcpy(to, from, bytes);
	return cudaSuccess;
}

static inline cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                                       cudaMemcpyKind)
{
	for (size_t row = 0; row < height; row++)
		memcpy((char *)to + row * to_pitch, (const char *)from + row * from_pitch, width);
	return cudaSuccess;
}

static inline cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
	memset(to, value, bytes);
	return cudaSuccess;
}

static inline cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
	for (size_t row = 0; row < height; row++)
		memset((char *)to + row * pitch, value, width);
	return cudaSuccess;
}

static inline cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
	return cudaMalloc(pointer, bytes);
}

static inline cudaError_t cudaFreeHost(void *pointer)
{
	return cudaFree(pointer);
}

/* ---- streams: everything waits ------------------------------------------------------------ */

typedef struct host_cuda_stream *cudaStream_t;

static inline cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
	*stream = NULL;
	return cudaSuccess;
}

static inline cudaError_t cudaStreamDestroy(cudaStream_t)
{
	return cudaSuccess;
}

static inline cudaError_t cudaStreamSynchronize(cudaStream_t)
{
	return host_cuda_error;
}

static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t = NULL)
{
	return cudaMemcpy(to, from, bytes, kind);
}

static inline cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                            size_t height, cudaMemcpyKind kind, cudaStream_t = NULL)
{
	return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

template <typename T> static cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t)
{
	return cudaMalloc(pointer, bytes);
}

static inline cudaError_t cudaFreeAsync(void *pointer, cudaStream_t)
{
	return cudaFree(pointer);
}

static inline cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t = NULL)
{
	return cudaMemset(to, value, bytes);
}

static inline cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t = NULL)
{
	return cudaMemset2D(to, pitch, value, width, height);
}

static inline cudaError_t cudaGetLastError(void)
{
	return host_cuda_error;
}

static inline cudaError_t cudaDeviceSynchronize(void)
{
	return host_cuda_error;
}

static inline const char *cudaGetErrorString(cudaError_t error)
{
	switch (error) {
	case cudaSuccess:
		return "no error";
	case cudaErrorMemoryAllocation:
		return "out of memory";
	case cudaErrorNoDevice:
		return "no CUDA-capable device is detected";
	default:
		return "an illegal memory access was encountered";
	}
}

/* ---- device functions ---------------------------------------------------------------------- */

template <typename T> static T atomicAdd(T *address, T value)
{
	T old = *address;

	*address = old + value;
	return old;
}

template <typename T> static T atomicCAS(T *address, T compare, T value)
{
	T old = *address;

	*address = old == compare ? value : old;
	return old;
}

template <typename T> static T atomicExch(T *address, T value)
{
	T old = *address;

	*address = value;
	return old;
}

static inline float rsqrtf(float x)
{
	return 1.0f / sqrtf(x);
}

static inline float __fadd_rn(float a, float b)
{
	return a + b;
}

static inline float __fmul_rn(float a, float b)
{
	return a * b;
}

static inline float __fmaf_rn(float a, float b, float c)
{
	return fmaf(a, b, c);
}

static inline float __ldg(const float *p)
{
	return *p;
}

using std::max;
using std::min;

#endif
