/*
 * What waits behind stores: one warp does something again and again, each time with what the last time gave, while other warps store without end, of its scheduler or of others, whole lines or 32 of them at
 * a time. Prints CSV, cycles of one time: benchmarks/measured/behind-h200.csv. What goes through the scheduler's queue of memory instructions takes longer beside warps of its own scheduler.
 */
#include <cstdio>
#include <cuda_runtime.h>

#define STORE(address, value) asm volatile("st.global.u32 [%0],%1;" ::"l"(address), "r"(value) : "memory")
#define CLOCK(now) asm volatile("mov.u32 %0,%%clock;" : "=r"(now)::"memory")
#define WARPS 16
#define TIMES 64
#define STORES_MOST 100000
#define PLACES 128

enum kind { NOTHING, SMID, CONSTANT, SHUFFLE, SHARED, SPECIAL, KINDS };
static const char *const names[KINDS] = {"nothing", "S2R", "LDC", "SHFL", "LDS", "MUFU"};

__constant__ unsigned table[1024];

template <int KIND> static __device__ __forceinline__ unsigned once(unsigned x, unsigned shared)
{
	unsigned y = x;
	float number;
	if (KIND == SMID)
		asm volatile("mov.u32 %0,%%smid;" : "=r"(y));
	if (KIND == CONSTANT)
		y = table[x & 1023];
	if (KIND == SHUFFLE)
		asm volatile("shfl.sync.idx.b32 %0,%1,3,31,0xffffffff;" : "=r"(y) : "r"(x));
	if (KIND == SHARED)
		asm volatile("ld.shared.u32 %0,[%1];" : "=r"(y) : "r"(shared + (x & 124)) : "memory");
	if (KIND == SPECIAL) {
		asm volatile("ex2.approx.ftz.f32 %0,%1;" : "=f"(number) : "f"(__uint_as_float(x)));
		y = __float_as_uint(number);
	}
	return y;
}

/* The first time is not counted; 200 sleeps let the queues fill before. */
template <int KIND> static __device__ __forceinline__ void repeat(unsigned shared, unsigned *result)
{
	unsigned start, now, x = threadIdx.x;
	for (int i = 0; i < 200; i++)
		__nanosleep(20);
	x = once<KIND>(x, shared);
	CLOCK(start);
#pragma unroll 1
	for (int i = 0; i < TIMES; i++) {
		x = once<KIND>(x, shared);
		asm volatile("add.u32 %0,%0,%1;" : "+r"(x) : "r"(x));
	}
	CLOCK(now);
	if (threadIdx.x == 0) {
		result[0] = now - start;
		result[1] = x;
	}
}

/* Warp 0 repeats, those of `mask` store until it is done. */
template <int KIND>
static __global__ void __launch_bounds__(WARPS * 32) behind(char *target, unsigned mask, unsigned lines, unsigned *result)
{
	__shared__ unsigned room[64];
	__shared__ volatile unsigned over;
	unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	room[threadIdx.x % 64] = 0;
	over = 0;
	__syncthreads();
	if (warp == 0) {
		repeat<KIND>((unsigned)__cvta_generic_to_shared(room), result);
		over = 1;
	} else if (mask >> warp & 1) {
		char *mine = target + (size_t)warp * (1 << 20) + lane % lines * 128 + lane / lines * 4;
		for (int i = 0; i < STORES_MOST && !over; i += 8)
#pragma unroll
			for (int j = 0; j < 8; j++)
				STORE(mine + (i + j) % PLACES * 4096, i);
	}
}

static char *target;
static unsigned *device_result;

template <int KIND> static void measure()
{
	static const struct {
		const char *name;
		unsigned mask;
	} stores[] = {{"none", 0},
	              {"one of the same scheduler", 0x0010},
	              {"three of the same scheduler", 0x1110},
	              {"three of another scheduler", 0x2220},
	              {"twelve of all", 0xfff0}};
	for (auto &beside : stores)
		for (unsigned lines : {1, 32}) {
			unsigned result[2];
			for (int i = 0; i < 2; i++)
				behind<KIND><<<1, WARPS * 32>>>(target, beside.mask, lines, device_result);
			cudaMemcpy(result, device_result, sizeof result, cudaMemcpyDeviceToHost);
			printf("%s,%s,%u,%.1f\n", names[KIND], beside.name, lines, (double)result[0] / TIMES);
		}
}

int main()
{
	cudaMalloc(&target, (size_t)32 << 20);
	cudaMalloc(&device_result, 64);
	printf("instruction,stores,lines,cycles\n");
	measure<NOTHING>();
	measure<SMID>();
	measure<CONSTANT>();
	measure<SHUFFLE>();
	measure<SHARED>();
	measure<SPECIAL>();
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
