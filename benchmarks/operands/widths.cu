/*
 * Which stores become one before they go to the L2: two or three of each thread, of 1 to 16 bytes each, into records side by side, by one warp, several, and all SMs, with the value there or loaded first. Run under Nsight Compute, which
 * counts what the L2 is asked for: benchmarks/measured/widths-h200.csv.
 */
#include <cstdio>
#include <cuda_runtime.h>
template <int B> struct word;
template <> struct word<1> {
	typedef unsigned char type;
};
template <> struct word<2> {
	typedef unsigned short type;
};
template <> struct word<4> {
	typedef unsigned type;
};
template <> struct word<8> {
	typedef uint2 type;
};
template <> struct word<16> {
	typedef uint4 type;
};
template <class T> static __device__ T make(unsigned x)
{
	return (T)x;
}
template <> __device__ uint2 make<uint2>(unsigned x)
{
	return make_uint2(x, x);
}
template <> __device__ uint4 make<uint4>(unsigned x)
{
	return make_uint4(x, x, x, x);
}

/* Two or three stores of A, B, C bytes at AT_B and AT_C of records of STRIDE bytes. */
template <int STRIDE, int A, int B, int AT_B, int C, int AT_C>
static __global__ void __launch_bounds__(1024) pair(char *memory, const unsigned *from, int loaded)
{
	size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
	char *p = memory + i * STRIDE;
	unsigned x = threadIdx.x;
	if (loaded)
		x = from[i];
	asm volatile("" ::: "memory");
	*(typename word<A>::type *)p = make<typename word<A>::type>(x);
	asm volatile("" ::: "memory");
	*(typename word<B>::type *)(p + AT_B) = make<typename word<B>::type>(x + 1);
	asm volatile("" ::: "memory");
	if (C)
		*(typename word < C ? C : 1 > ::type *)(p + AT_C) = make<typename word<C ? C : 1>::type>(x + 2);
}
static char *memory;
static unsigned *from;
template <int STRIDE, int A, int B, int AT_B, int C, int AT_C> static void all()
{
	pair<STRIDE, A, B, AT_B, C, AT_C><<<132, 32>>>(memory, from, 0);
	pair<STRIDE, A, B, AT_B, C, AT_C><<<132, 128>>>(memory, from, 0);
	pair<STRIDE, A, B, AT_B, C, AT_C><<<132, 1024>>>(memory, from, 0);
	pair<STRIDE, A, B, AT_B, C, AT_C><<<132, 128>>>(memory, from, 1);
	pair<STRIDE, A, B, AT_B, C, AT_C><<<8192, 128>>>(memory, from, 0);
	pair<STRIDE, A, B, AT_B, C, AT_C><<<8192, 128>>>(memory, from, 1);
}
int main()
{
	cudaMalloc(&memory, 256 << 20);
	cudaMalloc(&from, 64 << 20);
	all<8, 4, 4, 4, 0, 0>();
	all<16, 4, 4, 4, 0, 0>();
	all<16, 1, 4, 4, 0, 0>();
	all<16, 2, 4, 4, 0, 0>();
	all<16, 1, 1, 4, 0, 0>();
	all<16, 2, 2, 4, 0, 0>();
	all<16, 4, 8, 8, 0, 0>();
	all<16, 8, 8, 8, 0, 0>();
	all<24, 8, 8, 8, 4, 16>();
	all<24, 4, 4, 8, 4, 16>();
	all<24, 8, 8, 8, 0, 0>();
	all<32, 4, 4, 4, 0, 0>();
	all<32, 4, 4, 24, 0, 0>();
	all<32, 1, 4, 24, 0, 0>();
	all<32, 4, 8, 24, 0, 0>();
	all<32, 8, 8, 8, 0, 0>();
	all<32, 8, 8, 24, 0, 0>();
	all<32, 16, 4, 16, 0, 0>();
	all<32, 16, 8, 16, 0, 0>();
	all<32, 16, 16, 16, 0, 0>();
	all<64, 4, 4, 4, 0, 0>();
	all<64, 16, 16, 16, 0, 0>();
	all<16, 1, 2, 8, 0, 0>();
	all<16, 2, 1, 8, 0, 0>();
	all<16, 4, 1, 8, 4, 12>();
	all<16, 1, 4, 8, 1, 12>();
	all<16, 1, 1, 8, 4, 12>();
	all<16, 4, 4, 8, 2, 12>();
	all<16, 4, 2, 8, 4, 12>();
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
