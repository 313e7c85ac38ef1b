/*
 * Records read through an index array: which elements meet in one warp depends on the content of the index,
 * here a permutation far from any order (`--index neighbour=uniform:0:...` says so to the predictor).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N (1 << 20)
#endif
#define BLOCK 256

#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                 \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

struct sample {
	float position, weight, value, error;
};

__global__ void gather(const struct sample *samples, const int *neighbour, float *result, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count) {
		int j = neighbour[i];
		float distance = samples[j].position - samples[i].position;

		result[i] = samples[j].weight * samples[j].value / (1.0f + distance * distance);
	}
}

int main(void)
{
	struct sample *samples_host = (struct sample *)malloc(N * sizeof(struct sample));
	int *neighbour_host = (int *)malloc(N * sizeof(int));
	float *result_host = (float *)malloc(N * sizeof(float));
	struct sample *samples;
	int *neighbour;
	float *result;

	for (int i = 0; i < N; i++) {
		samples_host[i].position = (float)(i % 1021) * 0.125f;
		samples_host[i].weight = 1.0f + (float)(i % 11);
		samples_host[i].value = 0.5f + (float)(i % 23);
		samples_host[i].error = 0.0f;
		neighbour_host[i] = (int)((i * 1664525ll + 1013904223ll) % N);
	}
	CHECK(cudaMalloc(&samples, N * sizeof(struct sample)));
	CHECK(cudaMalloc(&neighbour, N * sizeof(int)));
	CHECK(cudaMalloc(&result, N * sizeof(float)));
	CHECK(cudaMemcpy(samples, samples_host, N * sizeof(struct sample), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(neighbour, neighbour_host, N * sizeof(int), cudaMemcpyHostToDevice));

	dim3 block(BLOCK);
	dim3 grid((N + BLOCK - 1) / BLOCK);
	gather<<<grid, block>>>(samples, neighbour, result, N);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(result_host, result, N * sizeof(float), cudaMemcpyDeviceToHost));

	int wrong = 0;
	for (int i = 0; i < N; i++) {
		const struct sample *there = &samples_host[neighbour_host[i]];
		double distance = (double)there->position - samples_host[i].position;
		double want = there->weight * there->value / (1.0 + distance * distance);

		wrong += !(fabs(result_host[i] - want) <= 1e-4 * fabs(want));
	}
	printf("gather: %d samples, %d wrong\n", N, wrong);

	CHECK(cudaFree(samples));
	CHECK(cudaFree(neighbour));
	CHECK(cudaFree(result));
	free(samples_host);
	free(neighbour_host);
	free(result_host);
	return wrong != 0;
}
