/*
 * Stand-ins for CUDA on the host, so that a kernel's source compiles as plain C++ and can be run thread by thread.
 *
 * The translation unit is compiled with -fsanitize=thread: the compiler then calls a function before each access to memory. trace.cpp has those
 * functions; they write down the accesses to the arrays that the kernel is given. Loads and stores keep their places in the program, barriers do
 * nothing: addresses that depend on what another thread wrote are not compared.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __constant__
#define __forceinline__ inline
#define __restrict__ __restrict
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)

struct uint3 {
	unsigned x, y, z;
};
struct dim3 {
	unsigned x, y, z;
};
extern const uint3 &threadIdx, &blockIdx;
extern const dim3 &blockDim, &gridDim;
static const int warpSize = 32;

/* With an assignment of their own, because g++ writes the result of a function to its place without telling. */
#define VECTOR(name, type)                                                                                                         \
	struct name##2                                                                                                             \
	{                                                                                                                          \
		type x, y;                                                                                                         \
		name##2 &operator=(const name##2 & v)                                                                              \
		{                                                                                                                  \
			x = v.x;                                                                                                   \
			y = v.y;                                                                                                   \
			return *this;                                                                                              \
		}                                                                                                                  \
	};                                                                                                                         \
	struct name##3                                                                                                             \
	{                                                                                                                          \
		type x, y, z;                                                                                                      \
		name##3 &operator=(const name##3 & v)                                                                              \
		{                                                                                                                  \
			x = v.x;                                                                                                   \
			y = v.y;                                                                                                   \
			z = v.z;                                                                                                   \
			return *this;                                                                                              \
		}                                                                                                                  \
	};                                                                                                                         \
	struct __attribute__((aligned(sizeof(type) * 4 > 16 ? 16 : sizeof(type) * 4))) name##4                                     \
	{                                                                                                                          \
		type x, y, z, w;                                                                                                   \
		name##4 &operator=(const name##4 & v)                                                                              \
		{                                                                                                                  \
			x = v.x;                                                                                                   \
			y = v.y;                                                                                                   \
			z = v.z;                                                                                                   \
			w = v.w;                                                                                                   \
			return *this;                                                                                              \
		}                                                                                                                  \
	};
VECTOR(float, float)
VECTOR(double, double)
VECTOR(int, int)
VECTOR(uchar, unsigned char)
#undef VECTOR
static inline float3 make_float3(float x, float y, float z)
{
	return {x, y, z};
}
static inline float4 make_float4(float x, float y, float z, float w)
{
	return {x, y, z, w};
}
static inline int2 make_int2(int x, int y)
{
	return {x, y};
}

static inline int min(int a, int b)
{
	return a < b ? a : b;
}
static inline int max(int a, int b)
{
	return a < b ? b : a;
}
static inline void __syncthreads()
{
}
static inline unsigned __umul24(unsigned a, unsigned b)
{
	return a * b;
}

enum { TRACE_LOAD, TRACE_STORE, TRACE_ATOMIC };
extern "C" void trace_access(const volatile void *address, size_t size, int kind);

#define SILENT __attribute__((no_sanitize_thread, noinline))
template <typename T, typename F> SILENT T atomic_change(T *place, F change)
{
	T old = *place;
	trace_access(place, sizeof(T), TRACE_ATOMIC);
	*place = change(old);
	return old;
}
template <typename T> SILENT T atomicAdd(T *place, T value)
{
	return atomic_change(place, [=](T old) SILENT { return old + value; });
}
template <typename T> SILENT T atomicMax(T *place, T value)
{
	return atomic_change(place, [=](T old) SILENT { return old < value ? value : old; });
}
template <typename T> SILENT T atomicCAS(T *place, T with, T value)
{
	return atomic_change(place, [=](T old) SILENT { return old == with ? value : old; });
}
template <typename T> SILENT T cached_load(const T *place)
{
	trace_access(place, sizeof(T), TRACE_LOAD);
	return *place;
}
#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_BLOCK 2
#define __NV_THREAD_SCOPE_DEVICE 4
#define __NV_THREAD_SCOPE_SYSTEM 5
template <typename T> SILENT T __nv_atomic_load_n(const T *place, int)
{
	return cached_load(place);
}
template <typename T> SILENT void __nv_atomic_store_n(T *place, T value, int, int)
{
	trace_access(place, sizeof(T), TRACE_STORE);
	*place = value;
}
template <typename T> SILENT T __nv_atomic_fetch_add(T *place, T value, int, int)
{
	return atomicAdd(place, value);
}
inline void __nv_atomic_thread_fence(int, int)
{
}
#define __ldg cached_load
#define __ldcg cached_load
template <typename T> SILENT void __stcs(T *place, T value)
{
	trace_access(place, sizeof(T), TRACE_STORE);
	*place = value;
}

/* ---- running a kernel ------------------------------------------------------------- */

void *trace_array(int parameter);

/* The value of parameter number i: arrays of the trace, integers 5 + i, everything else zero. */
template <typename T> struct argument {
	static T make(int)
	{
		return T();
	}
};
template <typename T> struct argument<T *> {
	static T *make(int i)
	{
		return (T *)trace_array(i);
	}
};
template <> struct argument<int> {
	static int make(int i)
	{
		return 5 + i;
	}
};
template <> struct argument<unsigned> {
	static unsigned make(int i)
	{
		return 5 + (unsigned)i;
	}
};
template <> struct argument<long> {
	static long make(int i)
	{
		return 5 + i;
	}
};
template <> struct argument<unsigned long> {
	static unsigned long make(int i)
	{
		return 5 + (unsigned long)i;
	}
};
template <> struct argument<long long> {
	static long long make(int i)
	{
		return 5 + i;
	}
};
template <> struct argument<unsigned long long> {
	static unsigned long long make(int i)
	{
		return 5 + (unsigned long long)i;
	}
};

bool trace_next_thread(int kernel);
template <int... I> struct positions {
};
template <int N, int... I> struct count : count<N - 1, N - 1, I...> {
};
template <int... I> struct count<0, I...> {
	typedef positions<I...> list;
};

template <typename... A, int... I> void run_all(int kernel, void (*f)(A...), positions<I...>)
{
	while (trace_next_thread(kernel))
		f(argument<A>::make(I)...);
}
template <typename... A> void run(int kernel, void (*f)(A...))
{
	run_all(kernel, f, typename count<sizeof...(A)>::list());
}
void run_kernels();
