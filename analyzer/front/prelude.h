/*
 * The texts that parse.c puts in front of a source file: what nvcc knows and clang's headers lack. Names begin with
 * PRELUDE_ and prelude_.
 */
#ifndef COALESCE_ANALYZER_FRONT_PRELUDE_H
#define COALESCE_ANALYZER_FRONT_PRELUDE_H

#define PRELUDE_VARIABLES                                                                                              \
	"#pragma GCC system_header\n"                                                                                  \
	"#ifndef __CUDA_BUILTIN_VARS_H\n"                                                                              \
	"#define __CUDA_BUILTIN_VARS_H\n"                                                                              \
	"struct uint3; struct dim3;\n"                                                                                 \
	"#define COALESCE_VARIABLE(name) struct __cuda_builtin_##name##_t { unsigned int x, y, z; "                    \
	"__attribute__((device)) operator dim3() const; __attribute__((device)) operator uint3() const; }; "           \
	"extern const __attribute__((device)) __attribute__((weak)) __cuda_builtin_##name##_t name;\n"                 \
	"COALESCE_VARIABLE(threadIdx)\nCOALESCE_VARIABLE(blockIdx)\n"                                                  \
	"COALESCE_VARIABLE(blockDim)\nCOALESCE_VARIABLE(gridDim)\n"                                                    \
	"#undef COALESCE_VARIABLE\n"                                                                                   \
	"__attribute__((device)) const int warpSize = 32;\n"                                                           \
	"#endif\n"

/* Functions of nvcc's device headers that clang's lack. */
#define PRELUDE_STORES                                                                                                 \
	"#define COALESCE_STORE(name) template <typename T, typename U> static inline __attribute__((device)) "        \
	"void name(T *where, U value) { *where = value; }\n"                                                           \
	"COALESCE_STORE(__stwb)\nCOALESCE_STORE(__stcg)\nCOALESCE_STORE(__stcs)\nCOALESCE_STORE(__stwt)\n"             \
	"#undef COALESCE_STORE\n"

/* nvcc's min and max for the host; clang has them for the device only. */
#define PRELUDE_MINIMA                                                                                                 \
	"#define COALESCE_MINIMA(T) static inline __attribute__((host)) T min(T a, T b) { return a < b ? a : b; } "    \
	"static inline __attribute__((host)) T max(T a, T b) { return a < b ? b : a; }\n"                              \
	"COALESCE_MINIMA(int)\nCOALESCE_MINIMA(unsigned)\nCOALESCE_MINIMA(long)\nCOALESCE_MINIMA(unsigned long)\n"     \
	"COALESCE_MINIMA(long long)\nCOALESCE_MINIMA(unsigned long long)\nCOALESCE_MINIMA(float)\n"                    \
	"COALESCE_MINIMA(double)\n#undef COALESCE_MINIMA\n"

/*
 * Texture and surface references, removed in CUDA 12, and runtime calls removed at one time or another; real ones are
 * preferred to these.
 */
#define PRELUDE_REMOVED                                                                                                \
	"#if CUDART_VERSION >= 12000\n"                                                                                \
	"template <class T, int D = 1, enum cudaTextureReadMode M = cudaReadModeElementType> struct "                  \
	"__attribute__((device_builtin_texture_type)) texture "                                                        \
	"{ int normalized, filterMode, addressMode[3]; cudaChannelFormatDesc channelDesc; };\n"                        \
	"#define COALESCE_FETCH(name) template <class T, int D, enum cudaTextureReadMode M, typename... A> "           \
	"__attribute__((device)) T name(texture<T, D, M>, A...);\n"                                                    \
	"COALESCE_FETCH(tex1Dfetch)\nCOALESCE_FETCH(tex1D)\nCOALESCE_FETCH(tex2D)\nCOALESCE_FETCH(tex3D)\n"            \
	"COALESCE_FETCH(tex1DLayered)\nCOALESCE_FETCH(tex2DLayered)\nCOALESCE_FETCH(texCubemap)\n"                     \
	"COALESCE_FETCH(tex1DLod)\nCOALESCE_FETCH(tex2DLod)\nCOALESCE_FETCH(tex3DLod)\n"                               \
	"COALESCE_FETCH(tex1DGrad)\nCOALESCE_FETCH(tex2DGrad)\nCOALESCE_FETCH(tex3DGrad)\n"                            \
	"COALESCE_FETCH(tex2Dgather)\n#undef COALESCE_FETCH\n"                                                         \
	"template <class T, int D = 1> struct __attribute__((device_builtin_surface_type)) surface { };\n"             \
	"#define COALESCE_SURFACE(name) template <class V, class T, int D, typename... A> "                            \
	"__attribute__((device)) void name##read(V *, surface<T, D>, A...); "                                          \
	"template <class V, class T, int D, typename... A> __attribute__((device)) V name##read(surface<T, D>, "       \
	"A...); "                                                                                                      \
	"template <class V, class T, int D, typename... A> __attribute__((device)) void name##write(V, "               \
	"surface<T, D>, A...);\n"                                                                                      \
	"COALESCE_SURFACE(surf1D)\nCOALESCE_SURFACE(surf2D)\nCOALESCE_SURFACE(surf3D)\n"                               \
	"COALESCE_SURFACE(surf1DLayered)\nCOALESCE_SURFACE(surf2DLayered)\n#undef COALESCE_SURFACE\n#endif\n"          \
	"#define COALESCE_REMOVED(name) template <typename... A> static inline cudaError_t name(const A &...) "        \
	"{ return cudaSuccess; }\n"                                                                                    \
	"COALESCE_REMOVED(cudaBindTexture)\nCOALESCE_REMOVED(cudaBindTexture2D)\n"                                     \
	"COALESCE_REMOVED(cudaBindSurfaceToArray)\nCOALESCE_REMOVED(cudaGetTextureReference)\n"                        \
	"COALESCE_REMOVED(cudaGetSurfaceReference)\nCOALESCE_REMOVED(cudaGetTextureAlignmentOffset)\n"                 \
	"COALESCE_REMOVED(cudaBindTextureToArray)\nCOALESCE_REMOVED(cudaUnbindTexture)\n"                              \
	"COALESCE_REMOVED(cudaThreadSynchronize)\nCOALESCE_REMOVED(cudaThreadExit)\n"                                  \
	"COALESCE_REMOVED(cudaThreadSetCacheConfig)\nCOALESCE_REMOVED(cudaThreadGetCacheConfig)\n"                     \
	"COALESCE_REMOVED(cudaThreadSetLimit)\nCOALESCE_REMOVED(cudaThreadGetLimit)\n"                                 \
	"COALESCE_REMOVED(cudaDeviceSetSharedMemConfig)\nCOALESCE_REMOVED(cudaFuncSetSharedMemConfig)\n"               \
	"COALESCE_REMOVED(cudaSetDoubleForDevice)\nCOALESCE_REMOVED(cudaSetDoubleForHost)\n"                           \
	"COALESCE_REMOVED(cudaConfigureCall)\nCOALESCE_REMOVED(cudaSetupArgument)\nCOALESCE_REMOVED(cudaLaunch)\n"     \
	"COALESCE_REMOVED(cudaProfilerInitialize)\n#undef COALESCE_REMOVED\n"

/* Built-in functions of nvcc that no header declares. */
static const char atomics[] =
	"#pragma GCC system_header\n"
	"#define COALESCE_ATOMIC template <typename T> static inline __attribute__((device))\n"
	"#define COALESCE_FETCH(name) COALESCE_ATOMIC T __nv_atomic_fetch_##name(T *, T, int, int = 0); "
	"COALESCE_ATOMIC void __nv_atomic_##name(T *, T, int, int = 0);\n"
	"COALESCE_FETCH(add)\nCOALESCE_FETCH(sub)\nCOALESCE_FETCH(and)\nCOALESCE_FETCH(or)\nCOALESCE_FETCH(xor)\n"
	"COALESCE_FETCH(min)\nCOALESCE_FETCH(max)\n"
	"COALESCE_ATOMIC T __nv_atomic_load_n(const T *, int, int = 0);\n"
	"COALESCE_ATOMIC void __nv_atomic_load(const T *, T *, int, int = 0);\n"
	"COALESCE_ATOMIC void __nv_atomic_store_n(T *, T, int, int = 0);\n"
	"COALESCE_ATOMIC void __nv_atomic_store(T *, T *, int, int = 0);\n"
	"COALESCE_ATOMIC T __nv_atomic_exchange_n(T *, T, int, int = 0);\n"
	"COALESCE_ATOMIC void __nv_atomic_exchange(T *, T *, T *, int, int = 0);\n"
	"COALESCE_ATOMIC bool __nv_atomic_compare_exchange_n(T *, T *, T, bool, int, int, int = 0);\n"
	"COALESCE_ATOMIC bool __nv_atomic_compare_exchange(T *, T *, T *, bool, int, int, int = 0);\n"
	"static inline __attribute__((device)) void __nv_atomic_thread_fence(int, int = 0);\n"
	"#undef COALESCE_FETCH\n#undef COALESCE_ATOMIC\n"
	"#define __NV_ATOMIC_RELAXED 0\n#define __NV_ATOMIC_CONSUME 1\n#define __NV_ATOMIC_ACQUIRE 2\n"
	"#define __NV_ATOMIC_RELEASE 3\n#define __NV_ATOMIC_ACQ_REL 4\n#define __NV_ATOMIC_SEQ_CST 5\n"
	"#define __NV_THREAD_SCOPE_THREAD 1\n#define __NV_THREAD_SCOPE_BLOCK 2\n#define __NV_THREAD_SCOPE_CLUSTER 3\n"
	"#define __NV_THREAD_SCOPE_DEVICE 4\n#define __NV_THREAD_SCOPE_SYSTEM 5\n";

/* Sources choose by __NVCC__; the toolkit's own headers that do, and ask nvcc for more then, are read before it is
 * defined. */
#define PRELUDE_COMPILER                                                                                               \
	"#if __has_include(<nv/target>)\n#include <nv/target>\n#endif\n"                                               \
	"#if __has_include(<cuda/std/__cccl/compiler.h>)\n#include <cuda/std/__cccl/compiler.h>\n#endif\n"             \
	"#define __NVCC__ 1\n"

static const char prelude_toolkit[] =
	PRELUDE_VARIABLES "#include <__clang_cuda_runtime_wrapper.h>\n" PRELUDE_STORES PRELUDE_MINIMA PRELUDE_REMOVED
			  "extern \"C\" cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, void * = 0);\n#include "
			  "\"/coalesce/atomics.h\"\n" PRELUDE_COMPILER;

/* What simple kernels need of the toolkit's headers, where there are none. */
static const char prelude_bare[] =
	"typedef __SIZE_TYPE__ size_t;\n#define __CUDACC__ 1\n#define __NVCC__ 1\n"
	"#define __global__ __attribute__((global))\n#define __device__ __attribute__((device))\n"
	"#define __host__ __attribute__((host))\n#define __shared__ __attribute__((shared))\n"
	"#define __constant__ __attribute__((constant))\n#define __forceinline__ inline "
	"__attribute__((always_inline))\n"
	"#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))\n"
	"#define __align__(n) __attribute__((aligned(n)))\n" PRELUDE_VARIABLES
	"struct uint3 { unsigned int x, y, z; };\n"
	"struct dim3 { unsigned int x, y, z; __attribute__((host)) __attribute__((device)) "
	"dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {} };\n"
	"enum cudaError_t { cudaSuccess = 0 };\n"
	"extern \"C\" cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, void * = 0);\n"
	"__attribute__((device)) void __syncthreads();\n";

#endif
