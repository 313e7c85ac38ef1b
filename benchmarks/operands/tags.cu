/*
 * What loads take the L1 by the lines that a warp touches: lane l loads a word of line l * stride, or of a line at random, always the same ones, so that all hit; and words of records at
 * random places of a set that the L2 has. Prints CSV, cycles of the SM for each load, 32 warps: benchmarks/measured/tags-h200.csv.
 */
#include <cstdio>
#include <cuda_runtime.h>

#define WARPS 32
#define LOADS 4
#define ROUNDS 64
#define LINE_WORDS 32
#define SET_WORDS ((size_t)1 << 31)
#define RECORDS_WORDS ((size_t)1 << 20)

template <int WORDS> struct vector;
template <> struct vector<1> {
	typedef float type;
};
template <> struct vector<2> {
	typedef float2 type;
};
template <> struct vector<4> {
	typedef float4 type;
};
static __device__ float sum_of(float v)
{
	return v;
}
static __device__ float sum_of(float2 v)
{
	return v.x + v.y;
}
static __device__ float sum_of(float4 v)
{
	return v.x + v.y + v.z + v.w;
}

/* stride: 0, lines at random. nothing: 0, which the compiler does not know. */
template <int WORDS>
static __global__ void __launch_bounds__(WARPS * 32) hit(const float *memory, unsigned stride, unsigned seed, size_t nothing,
                                                         float *sink, long long *cycles)
{
	typedef typename vector<WORDS>::type word;
	const word *words = (const word *)memory;
	unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	size_t place[LOADS];
	float sum = 0;
	for (int k = 0; k < LOADS; k++) {
		unsigned first = warp % 2 + k * 2, random = (((first * 32 + lane + seed * 977) * 2654435761u) >> 12) % 512;
		place[k] = (stride ? first + (size_t)lane * stride : random) * (LINE_WORDS / WORDS) + lane % (LINE_WORDS / WORDS);
		sum += sum_of(words[place[k]]);
	}
	__syncthreads();
	long long start = clock64();
#pragma unroll 1
	for (int round = 0; round < ROUNDS; round++) {
		words += nothing;
		sum += sum_of(words[place[0]]) + sum_of(words[place[1]]) + sum_of(words[place[2]]) + sum_of(words[place[3]]);
	}
	long long end = clock64();
	__syncthreads();
	sink[blockIdx.x * WARPS * 32 + threadIdx.x] = sum;
	if (threadIdx.x == 0)
		cycles[blockIdx.x] = end - start;
}

/* The first LOADS words of records of so many words, of which the set has 2^n. */
static __global__ void __launch_bounds__(WARPS * 32) miss(const float *memory, unsigned record, unsigned mask, float *sink, long long *cycles)
{
	unsigned thread = blockIdx.x * WARPS * 32 + threadIdx.x;
	float sum = 0;
	for (unsigned i = thread; i <= mask; i += gridDim.x * WARPS * 32)
		sum += memory[(size_t)i * record];
	__syncthreads();
	long long start = clock64();
#pragma unroll 1
	for (unsigned round = 0; round < ROUNDS; round++) {
		const float *words = memory + (size_t)(((thread * ROUNDS + round) * 2654435761u >> 9) & mask) * record;
		sum += words[0] + words[1] + words[2] + words[3];
	}
	__syncthreads();
	long long end = clock64();
	sink[thread] = sum;
	if (threadIdx.x == 0)
		cycles[blockIdx.x] = end - start;
}

static float *memory, *sink;
static long long *cycles;
static int sms;

static double mean(void)
{
	long long each[1024], sum = 0;
	cudaMemcpy(each, cycles, sms * sizeof *each, cudaMemcpyDeviceToHost);
	for (int s = 0; s < sms; s++)
		sum += each[s];
	return (double)sum / sms / (ROUNDS * LOADS * WARPS);
}

template <int WORDS> static void measure(unsigned stride, unsigned seed)
{
	hit<WORDS><<<sms, WARPS * 32>>>(memory, stride, seed, 0, sink, cycles);
	printf("%s,%d,%u,%.2f\n", stride ? "stride" : "random", WORDS, stride ? stride : seed, mean());
}

int main()
{
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
	cudaMalloc(&memory, SET_WORDS * sizeof *memory);
	cudaMalloc(&sink, (size_t)sms * WARPS * 32 * sizeof *sink);
	cudaMalloc(&cycles, 1024 * sizeof *cycles);
	cudaMemset(memory, 0, SET_WORDS * sizeof *memory);
	printf("lines,words,at,cycles\n");
	for (unsigned stride = 1; stride <= 64; stride++)
		measure<1>(stride, 0);
	for (unsigned shift = 7; shift <= 13; shift++)
		for (unsigned odd = 1; odd < 16 && odd << shift <= 8192; odd += 2)
			measure<1>(odd << shift, 0);
	for (unsigned stride = 1; stride <= 32; stride++) {
		measure<2>(stride, 0);
		measure<4>(stride, 0);
	}
	for (unsigned seed = 1; seed <= 8; seed++)
		measure<1>(0, seed);
	for (unsigned record : {4, 8, 12, 16, 20, 24, 32}) {
		unsigned count = 1;
		while (2 * count * record <= RECORDS_WORDS * 7 / 5)
			count *= 2;
		miss<<<sms, WARPS * 32>>>(memory, record, count - 1, sink, cycles);
		printf("records,%u,%u,%.2f\n", record, count, mean());
	}
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
