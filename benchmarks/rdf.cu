/*
 * Radial distribution function: a histogram of the distances between atoms i and (i + d) % N, one launch per d.
 * With three arrays and atomics in device memory, and with float4 records and a histogram in shared memory.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 16384
#endif
#ifndef SHIFTS
#define SHIFTS 16
#endif
#define BINS 512
#define BLOCK 512
#define WIDTH 0.004f

#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                 \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

__device__ float distance(float dx, float dy, float dz)
{
	float sum = __fadd_rn(__fadd_rn(__fmul_rn(dx, dx), __fmul_rn(dy, dy)), __fmul_rn(dz, dz));

	return __fsqrt_rn(sum);
}

__global__ void rdf_arrays(const float *x, const float *y, const float *z, int *histogram, int d)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < N) {
		int j = (i + d) % N;
		int bin = (int)__fdiv_rn(distance(x[i] - x[j], y[i] - y[j], z[i] - z[j]), WIDTH);

		if (bin < BINS)
			atomicAdd(&histogram[bin], 1);
	}
}

__global__ void rdf_float4(const float4 *atom, int *histogram, int d)
{
	__shared__ int part[BINS];
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
		part[bin] = 0;
	__syncthreads();
	if (i < N) {
		float4 a = atom[i];
		float4 b = atom[(i + d) % N];
		int bin = (int)__fdiv_rn(distance(a.x - b.x, a.y - b.y, a.z - b.z), WIDTH);

		if (bin < BINS)
			atomicAdd(&part[bin], 1);
	}
	__syncthreads();
	for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
		atomicAdd(&histogram[bin], part[bin]);
}

/* The histogram may differ where rounding moves a distance over the border of a bin. */
static int differ(const int *have, const int *want)
{
	int moved = 0;

	for (int bin = 0; bin < BINS; bin++)
		moved += abs(have[bin] - want[bin]);
	return moved > 2 * (SHIFTS * (N / 1000) + 1);
}

static void expected(const float *x, const float *y, const float *z, int *histogram)
{
	for (int d = 1; d <= SHIFTS; d++)
		for (int i = 0; i < N; i++) {
			int j = (i + d) % N;
			float dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
			int bin = (int)(sqrtf(dx * dx + dy * dy + dz * dz) / WIDTH);

			if (bin < BINS)
				histogram[bin]++;
		}
}

int main(void)
{
	float *x_host = (float *)malloc(N * sizeof(float));
	float *y_host = (float *)malloc(N * sizeof(float));
	float *z_host = (float *)malloc(N * sizeof(float));
	float4 *atom_host = (float4 *)malloc(N * sizeof(float4));
	int want[BINS] = {0}, have_arrays[BINS], have_float4[BINS];
	float *x, *y, *z;
	float4 *atom;
	int *histogram_arrays, *histogram_float4;
	unsigned state = 1;

	for (int i = 0; i < N; i++) {
		x_host[i] = atom_host[i].x = (float)((state = state * 1664525u + 1013904223u) >> 8) / 16777216.0f;
		y_host[i] = atom_host[i].y = (float)((state = state * 1664525u + 1013904223u) >> 8) / 16777216.0f;
		z_host[i] = atom_host[i].z = (float)((state = state * 1664525u + 1013904223u) >> 8) / 16777216.0f;
		atom_host[i].w = 0.0f;
	}
	CHECK(cudaMalloc(&x, N * sizeof(float)));
	CHECK(cudaMalloc(&y, N * sizeof(float)));
	CHECK(cudaMalloc(&z, N * sizeof(float)));
	CHECK(cudaMalloc(&atom, N * sizeof(float4)));
	CHECK(cudaMalloc(&histogram_arrays, BINS * sizeof(int)));
	CHECK(cudaMalloc(&histogram_float4, BINS * sizeof(int)));
	CHECK(cudaMemcpy(x, x_host, N * sizeof(float), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(y, y_host, N * sizeof(float), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(z, z_host, N * sizeof(float), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(atom, atom_host, N * sizeof(float4), cudaMemcpyHostToDevice));
	CHECK(cudaMemset(histogram_arrays, 0, BINS * sizeof(int)));
	CHECK(cudaMemset(histogram_float4, 0, BINS * sizeof(int)));

	dim3 block(BLOCK);
	dim3 grid((N + BLOCK - 1) / BLOCK);
	for (int d = 1; d <= SHIFTS; d++) {
		rdf_arrays<<<grid, block>>>(x, y, z, histogram_arrays, d);
		rdf_float4<<<grid, block>>>(atom, histogram_float4, d);
	}
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(have_arrays, histogram_arrays, BINS * sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(have_float4, histogram_float4, BINS * sizeof(int), cudaMemcpyDeviceToHost));

	expected(x_host, y_host, z_host, want);
	int wrong = differ(have_arrays, want) + differ(have_float4, want);
	printf("rdf: %d atoms, %d shifts, %d of 2 histograms wrong\n", N, SHIFTS, wrong);

	CHECK(cudaFree(x));
	CHECK(cudaFree(y));
	CHECK(cudaFree(z));
	CHECK(cudaFree(atom));
	CHECK(cudaFree(histogram_arrays));
	CHECK(cudaFree(histogram_float4));
	free(x_host);
	free(y_host);
	free(z_host);
	free(atom_host);
	return wrong != 0;
}
