/*
 * What the kernels share: counters, and loads and stores that the compiler neither drops, merges nor moves, each of one
 * to four 32-bit words. Loaded words must be used (see NEVER), else ptxas drops the load.
 */
#ifndef CALIBRATE_KERNELS_H
#define CALIBRATE_KERNELS_H

#include "calibrate.h"

/*
 * A value that no folded result takes, as the highest bit of all data that is folded is 0 (see fill). A kernel that
 * returns on it makes all that follows wait for its loads.
 */
#define NEVER 0xdbd1e995u

typedef unsigned long long address_t;

static __device__ __forceinline__ long long cycle_counter()
{
	long long value;
	asm volatile("mov.u64 %0, %%clock64;" : "=l"(value)::"memory");
	return value;
}

/*
 * The cycle counter once every warp of the block is here. Two barriers: a warp may read the counter after it arrived at
 * a barrier and before the others did (BAR.SYNC.DEFER_BLOCKING), but it arrives at the second only when all have left
 * the first.
 */
static __device__ __forceinline__ long long cycle_counter_together()
{
	__syncthreads();
	__syncthreads();
	return cycle_counter();
}

static __device__ __forceinline__ unsigned long long nanosecond_timer()
{
	unsigned long long value;
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value)::"memory");
	return value;
}

static __device__ __forceinline__ unsigned multiprocessor()
{
	unsigned value;
	asm volatile("mov.u32 %0, %%smid;" : "=r"(value));
	return value;
}

/* Lane 0 of each warp writes its span. */
static __device__ __forceinline__ void span_write(span *spans, long long start, long long stop)
{
	unsigned warps = (blockDim.x + 31) / 32;
	if (threadIdx.x % 32 == 0)
		spans[blockIdx.x * warps + threadIdx.x / 32] = span{start, stop};
}

/* How an access goes: the default way, past the L1, or to shared memory. */
enum path { PATH_L1, PATH_L2, PATH_SHARED };

#define LOADS(NAME, PREFIX, CONSTRAINT, TYPE)                                                                          \
	static __device__ __forceinline__ void NAME(unsigned(&v)[1], address_t a)                                      \
	{                                                                                                              \
		asm volatile(PREFIX ".u32 %0, [%1];" : "=r"(v[0]) : CONSTRAINT((TYPE)a));                              \
	}                                                                                                              \
	static __device__ __forceinline__ void NAME(unsigned(&v)[2], address_t a)                                      \
	{                                                                                                              \
		asm volatile(PREFIX ".v2.u32 {%0, %1}, [%2];" : "=r"(v[0]), "=r"(v[1]) : CONSTRAINT((TYPE)a));         \
	}                                                                                                              \
	static __device__ __forceinline__ void NAME(unsigned(&v)[4], address_t a)                                      \
	{                                                                                                              \
		asm volatile(PREFIX ".v4.u32 {%0, %1, %2, %3}, [%4];"                                                  \
		             : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])                                          \
		             : CONSTRAINT((TYPE)a));                                                                   \
	}
LOADS(load_default, "ld.global", "l", address_t)
LOADS(load_past_l1, "ld.global.cg", "l", address_t)
LOADS(load_shared, "ld.shared", "r", unsigned)

#define STORES(NAME, PREFIX, CONSTRAINT, TYPE)                                                                         \
	static __device__ __forceinline__ void NAME(const unsigned(&v)[1], address_t a)                                \
	{                                                                                                              \
		asm volatile(PREFIX ".u32 [%0], %1;" ::CONSTRAINT((TYPE)a), "r"(v[0]) : "memory");                     \
	}                                                                                                              \
	static __device__ __forceinline__ void NAME(const unsigned(&v)[2], address_t a)                                \
	{                                                                                                              \
		asm volatile(PREFIX ".v2.u32 [%0], {%1, %2};" ::CONSTRAINT((TYPE)a), "r"(v[0]), "r"(v[1]) : "memory"); \
	}                                                                                                              \
	static __device__ __forceinline__ void NAME(const unsigned(&v)[4], address_t a)                                \
	{                                                                                                              \
		asm volatile(PREFIX ".v4.u32 [%0], {%1, %2, %3, %4};" ::CONSTRAINT((TYPE)a), "r"(v[0]), "r"(v[1]),     \
		             "r"(v[2]), "r"(v[3])                                                                      \
		             : "memory");                                                                              \
	}
STORES(store_default, "st.global", "l", address_t)
STORES(store_shared, "st.shared", "r", unsigned)

template <path PATH, int WORDS> static __device__ __forceinline__ void load(unsigned (&v)[WORDS], address_t a)
{
	if constexpr (PATH == PATH_L1)
		load_default(v, a);
	else if constexpr (PATH == PATH_L2)
		load_past_l1(v, a);
	else
		load_shared(v, a);
}

template <path PATH, int WORDS> static __device__ __forceinline__ void store(const unsigned (&v)[WORDS], address_t a)
{
	if constexpr (PATH == PATH_SHARED)
		store_shared(v, a);
	else
		store_default(v, a);
}

/* All words of a load folded into one. */
template <int WORDS> static __device__ __forceinline__ unsigned fold(const unsigned (&v)[WORDS])
{
	unsigned result = v[0];
#pragma unroll
	for (int i = 1; i < WORDS; i++)
		result ^= v[i];
	return result;
}

/* The address of a thread's shared memory as the shared instructions take it. */
static __device__ __forceinline__ address_t shared_address(const void *pointer)
{
	return __cvta_generic_to_shared(pointer);
}

#endif
