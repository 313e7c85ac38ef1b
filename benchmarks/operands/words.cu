/*
 * What loads of the words of records take, one after the other and all on their way at once: each thread has a record, its neighbour the next one, or the 389th from it among those of the block.
 * Prints CSV, cycles of the SM for each load: benchmarks/measured/words-h200.csv.
 *
 * `where`: the same records again and again (hit), new ones each round that the L2 has (l2), or DRAM (dram, all SMs); `record`: words; `width`: of a load; `loads`: of each record.
 */
#include <cstdio>
#include <cuda_runtime.h>
#define SETS ((size_t)2 << 30)
#define APART 389
template <int V> struct vec;
template <> struct vec<1> {
	typedef float type;
};
template <> struct vec<2> {
	typedef float2 type;
};
template <> struct vec<4> {
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

template <int V, int N>
static __global__ void __launch_bounds__(1024) words(const float *memory, int record, size_t set, size_t step, size_t wrap,
                                                     int rounds, bool permuted, float *sink, long long *cycles)
{
	typedef typename vec<V>::type word;
	float sum = 0;
	const float *base = memory + blockIdx.x * set;
	size_t own = (size_t)(permuted ? (threadIdx.x * APART + 71) % blockDim.x : threadIdx.x) * record, at = 0;
	__syncthreads();
	long long start = clock64();
#pragma unroll 1
	for (int round = 0; round < rounds; round++) {
		const word *p = (const word *)(base + at + own);
		word v[N];
#pragma unroll
		for (int k = 0; k < N; k++)
			v[k] = p[k];
#pragma unroll
		for (int k = 0; k < N; k++)
			sum += sum_of(v[k]);
		at += step;
		if (at >= wrap)
			at = 0;
	}
	__syncthreads();
	long long end = clock64();
	sink[blockIdx.x * 1024 + threadIdx.x] = sum;
	if (threadIdx.x == 0)
		cycles[blockIdx.x] = end - start;
}

static float *memory, *sink;
static long long *cycles;
static long long host[1024];

template <int V, int N> static void measure(int record, const char *where, int blocks, int warps, bool permuted)
{
	size_t chunk = (size_t)warps * 32 * record; /* words of a round */
	size_t set_words = where[0] == 'h'   ? chunk
	                   : where[0] == 'l' ? ((size_t)(blocks > 16 ? 200 : 1024) << 10) / 4
	                                     : ((size_t)12 << 20) / 4;
	size_t chunks = set_words / chunk;
	if (!chunks)
		chunks = 1;
	if (where[0] == 'l' && chunks * chunk * 4 < 300000 && blocks <= 16)
		return;
	int rounds = where[0] == 'h' ? 64 : where[0] == 'l' ? 64 : (int)chunks;
	size_t set = chunks * chunk + 32 * 64;
	set = set / 32 * 32;
	for (int i = 0; i < 3; i++) {
		if (where[0] == 'd')
			cudaMemset(memory + SETS / 4, 0, 128 << 20);
		else
			words<V, N><<<blocks, warps * 32>>>(memory, record, set, chunk, chunks * chunk, (int)chunks, permuted, sink,
			                                    cycles);
		words<V, N><<<blocks, warps * 32>>>(memory, record, set, chunk, chunks * chunk, rounds, permuted, sink, cycles);
	}
	cudaMemcpy(host, cycles, blocks * sizeof(long long), cudaMemcpyDeviceToHost);
	double sum = 0;
	for (int b = 0; b < blocks; b++)
		sum += host[b];
	printf("%s,%s,%d,%d,%d,%d,%d,%.2f\n", permuted ? "permuted" : "in order", where, record, V, N, blocks, warps,
	       sum / blocks / rounds / N / warps);
}

template <int V, int N> static void all(int record, bool permuted = false)
{
	for (int warps : {8, 16, 32}) {
		measure<V, N>(record, "hit", 8, warps, permuted);
		measure<V, N>(record, "l2", 8, warps, permuted);
		measure<V, N>(record, "dram", 132, warps, permuted);
	}
}
template <int R> static void rec()
{
	all<1, R>(R);
	all<1, R>(R, true);
	all<1, 1>(R, true);
	if (R > 2)
		all<1, 2>(R);
	all<1, 1>(R);
	if (R % 2 == 0)
		all<2, (R + 1) / 2>(R);
	if (R % 4 == 0)
		all<4, (R + 3) / 4>(R);
}
int main()
{
	cudaMalloc(&memory, SETS + (128 << 20));
	cudaMemset(memory, 0, SETS);
	cudaMalloc(&sink, 1 << 20);
	cudaMalloc(&cycles, 1 << 16);
	printf("order,where,record,width,loads,blocks,warps,cycles\n");
	rec<2>();
	rec<3>();
	rec<4>();
	rec<5>();
	rec<6>();
	rec<8>();
	rec<9>();
	rec<10>();
	rec<12>();
	rec<14>();
	rec<16>();
	rec<18>();
	rec<20>();
	rec<21>();
	rec<24>();
	rec<28>();
	rec<32>();
	cudaError_t e = cudaDeviceSynchronize();
	if (e != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(e));
	return e != cudaSuccess;
}
