/*
 * Words at random places beside streams: each thread reads a word of a granule of 64 bytes of its own drawing, reads and writes so many times 16 bytes of its own beside, and stores a word. Prints CSV: benchmarks/measured/crowd-h200.csv,
 * to which Nsight Compute adds DRAM's bytes.
 *
 * megabytes: of the granules that are drawn from; read, written: bytes of each thread beside.
 */
#include <cstdio>
#include <cuda_runtime.h>
#define THREADS (1 << 23)
#define BLOCK 256

struct granule {
	float word[16];
};

static __device__ unsigned draw(unsigned i)
{
	i ^= i >> 16;
	i *= 0x7feb352du;
	i ^= i >> 15;
	i *= 0x846ca68bu;
	return i ^ i >> 16;
}

template <int READ, int WRITTEN>
static __global__ void __launch_bounds__(BLOCK)
	crowd(const granule *set, const float4 *source, float4 *target, float *out, unsigned count)
{
	int i = blockIdx.x * BLOCK + threadIdx.x;
	unsigned place = __umulhi(draw(i), count);
	float sum = set[place].word[0];
#pragma unroll
	for (int k = 0; k < READ; k++)
		sum += source[k * THREADS + i].x;
#pragma unroll
	for (int k = 0; k < WRITTEN; k++)
		target[k * THREADS + i] = make_float4(sum, sum, sum, sum);
	out[i] = sum;
}

static granule *set;
static float4 *source, *target;
static float *out;

template <int READ, int WRITTEN> static void measure()
{
	for (int megabytes : {8, 16, 24, 32, 40, 48, 64, 96, 128, 256}) {
		cudaEvent_t begin, end;
		float least = 1e30f, ms;
		cudaEventCreate(&begin);
		cudaEventCreate(&end);
		for (int i = 0; i < 5; i++) {
			cudaEventRecord(begin);
			crowd<READ, WRITTEN><<<THREADS / BLOCK, BLOCK>>>(set, source, target, out, megabytes * 16384u);
			cudaEventRecord(end);
			cudaEventSynchronize(end);
			cudaEventElapsedTime(&ms, begin, end);
			least = ms < least ? ms : least;
		}
		printf("%d,%d,%d,%.1f\n", megabytes, READ * 16, WRITTEN * 16, least * 1000);
	}
}

int main()
{
	cudaMalloc(&set, 256 << 20);
	cudaMalloc(&source, 4 * sizeof(float4) * THREADS);
	cudaMalloc(&target, 4 * sizeof(float4) * THREADS);
	cudaMalloc(&out, sizeof(float) * THREADS);
	printf("megabytes,read,written,us\n");
	measure<0, 0>();
	measure<1, 0>();
	measure<4, 0>();
	measure<0, 1>();
	measure<0, 4>();
	measure<2, 2>();
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
