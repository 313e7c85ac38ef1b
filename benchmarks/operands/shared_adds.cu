/*
 * Atomic additions in shared memory: floats and doubles, which are a loop around an exchange; integers, added and counted; by the number of places.
 */
#include <cstdio>
#include <cuda_runtime.h>

#define N (1 << 24)
#define BLOCKS 528
#define THREADS 256

/* A place that looks random, of a power of two. */
__device__ unsigned place_of(unsigned i, unsigned places)
{
	i *= 2654435761u;
	i ^= i >> 15;
	i *= 2246822519u;
	return (i ^ i >> 13) & (places - 1);
}

template <class number, unsigned places> __device__ void add_up(const number *values, number *sums)
{
	__shared__ number part[places];
	for (unsigned i = threadIdx.x; i < places; i += THREADS)
		part[i] = 0;
	__syncthreads();
	for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < N; i += BLOCKS * THREADS)
		atomicAdd(&part[place_of(i, places)], values[i]);
	__syncthreads();
	for (unsigned i = threadIdx.x; i < places; i += THREADS)
		sums[blockIdx.x * places + i] = part[i];
}

__global__ void floats_64(const float *values, float *sums) { add_up<float, 64>(values, sums); }
__global__ void floats_512(const float *values, float *sums) { add_up<float, 512>(values, sums); }
__global__ void floats_4096(const float *values, float *sums) { add_up<float, 4096>(values, sums); }
__global__ void doubles_512(const double *values, double *sums) { add_up<double, 512>(values, sums); }
__global__ void integers_64(const int *values, int *sums) { add_up<int, 64>(values, sums); }
__global__ void integers_512(const int *values, int *sums) { add_up<int, 512>(values, sums); }

template <unsigned places> __device__ void count_up(const int *values, int *sums)
{
	__shared__ int part[places];
	for (unsigned i = threadIdx.x; i < places; i += THREADS)
		part[i] = 0;
	__syncthreads();
	for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < N; i += BLOCKS * THREADS)
		atomicAdd(&part[place_of(i, places)], 1);
	__syncthreads();
	for (unsigned i = threadIdx.x; i < places; i += THREADS)
		sums[blockIdx.x * places + i] = part[i] + values[i];
}

/* One addition of the hardware for all lanes at a place. */
__global__ void counts_512(const int *values, int *sums) { count_up<512>(values, sums); }

int main()
{
	float *f, *fs;
	double *d, *ds;
	int *i, *is;
	cudaMalloc(&f, N * sizeof(float));
	cudaMalloc(&d, N * sizeof(double));
	cudaMalloc(&i, N * sizeof(int));
	cudaMalloc(&fs, BLOCKS * 4096 * sizeof(float));
	cudaMalloc(&ds, BLOCKS * 4096 * sizeof(double));
	cudaMalloc(&is, BLOCKS * 4096 * sizeof(int));
	floats_64<<<BLOCKS, THREADS>>>(f, fs);
	floats_512<<<BLOCKS, THREADS>>>(f, fs);
	floats_4096<<<BLOCKS, THREADS>>>(f, fs);
	doubles_512<<<BLOCKS, THREADS>>>(d, ds);
	integers_64<<<BLOCKS, THREADS>>>(i, is);
	integers_512<<<BLOCKS, THREADS>>>(i, is);
	counts_512<<<BLOCKS, THREADS>>>(i, is);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
