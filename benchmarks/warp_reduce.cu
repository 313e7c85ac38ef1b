/*
 * Sum of doubles and of complex numbers: grid-stride loop, shuffles within the warp, one atomic addition per warp.
 * The launch configuration decides: with more blocks come more atomics on one address.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N (1 << 22)
#endif
#ifndef BLOCKS
#define BLOCKS 1024
#endif
#ifndef BLOCK
#define BLOCK 256
#endif

#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                 \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

struct complex {
	double re, im;
};

__device__ double warp_sum(double value)
{
	for (int offset = warpSize >> 1; offset > 0; offset >>= 1)
		value += __shfl_down_sync(0xffffffff, value, offset);
	return value;
}

__global__ void reduce_doubles(const double *input, double *sum, int count)
{
	double part = 0.0;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x)
		part += input[i];
	part = warp_sum(part);
	if ((threadIdx.x & (warpSize - 1)) == 0)
		atomicAdd(sum, part);
}

/* Two doubles per load. */
__global__ void reduce_double2(const double *input, double *sum, int count)
{
	double part = 0.0;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count / 2; i += blockDim.x * gridDim.x) {
		double2 pair = reinterpret_cast<const double2 *>(input)[i];

		part += pair.x + pair.y;
	}
	part = warp_sum(part);
	if ((threadIdx.x & (warpSize - 1)) == 0)
		atomicAdd(sum, part);
}

__global__ void reduce_complex(const struct complex *values, struct complex *total, int count)
{
	struct complex part = {0.0, 0.0};

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
		part.re += values[i].re;
		part.im += values[i].im;
	}
	part.re = warp_sum(part.re);
	part.im = warp_sum(part.im);
	if ((threadIdx.x & (warpSize - 1)) == 0) {
		atomicAdd(&total[0].re, part.re);
		atomicAdd(&total[0].im, part.im);
	}
}

static int differ(const char *name, double have, double want)
{
	int wrong = !(fabs(have - want) <= 1e-9 * fabs(want));

	if (wrong)
		printf("%s: %.17g instead of %.17g\n", name, have, want);
	return wrong;
}

int main(void)
{
	double *input_host = (double *)malloc(N * sizeof(double));
	struct complex *values_host = (struct complex *)malloc(N * sizeof(struct complex));
	double sums_host[2] = {0.0, 0.0};
	struct complex total_host = {0.0, 0.0};
	double *input, *sums;
	struct complex *values, *total;
	double want = 0.0, want_re = 0.0, want_im = 0.0;

	for (int i = 0; i < N; i++) {
		want += input_host[i] = 1.0 / (i % 1000 + 1);
		want_re += values_host[i].re = i % 17 * 0.25;
		want_im += values_host[i].im = i % 13 * 0.5;
	}
	CHECK(cudaMalloc(&input, N * sizeof(double)));
	CHECK(cudaMalloc(&sums, 2 * sizeof(double)));
	CHECK(cudaMalloc(&values, N * sizeof(struct complex)));
	CHECK(cudaMalloc(&total, sizeof(struct complex)));
	CHECK(cudaMemcpy(input, input_host, N * sizeof(double), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(sums, sums_host, 2 * sizeof(double), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(values, values_host, N * sizeof(struct complex), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(total, &total_host, sizeof(struct complex), cudaMemcpyHostToDevice));

	reduce_doubles<<<BLOCKS, BLOCK>>>(input, sums, N);
	reduce_double2<<<BLOCKS, BLOCK>>>(input, sums + 1, N);
	reduce_complex<<<BLOCKS, BLOCK>>>(values, total, N);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(sums_host, sums, 2 * sizeof(double), cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(&total_host, total, sizeof(struct complex), cudaMemcpyDeviceToHost));

	int wrong = differ("reduce_doubles", sums_host[0], want) + differ("reduce_double2", sums_host[1], want) +
	            differ("reduce_complex re", total_host.re, want_re) + differ("reduce_complex im", total_host.im, want_im);
	printf("warp_reduce: %d values, %d of 4 sums wrong\n", N, wrong);

	CHECK(cudaFree(input));
	CHECK(cudaFree(sums));
	CHECK(cudaFree(values));
	CHECK(cudaFree(total));
	free(input_host);
	free(values_host);
	return wrong != 0;
}
