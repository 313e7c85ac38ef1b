// The record stands in a header, and is copied as a whole.
#include <cstdio>
#include "header_record.h"

__global__ void fold(sample_t *samples, const sample_t *others, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		sample_t s = samples[i];
		const sample_t &o = others[i];
		s.value += o.value * o.weight;
		s.count++;
		samples[i] = s;
	}
}

int main()
{
	const int n = 64;
	sample_t host[n], *samples, *others;
	double sum = 0;

	for (int i = 0; i < n; i++)
		host[i] = {1.0f * i, 0.5f, i};
	cudaMalloc(&samples, sizeof(host));
	cudaMalloc(&others, sizeof(host));
	cudaMemcpy(samples, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMemcpy(others, host, sizeof(host), cudaMemcpyHostToDevice);
	fold<<<2, 32>>>(samples, others, n);
	cudaMemcpy(&host, samples, sizeof(host), cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i++)
		sum += host[i].value + host[i].count;
	printf("%g\n", sum);
	cudaFree(samples);
	cudaFree(others);
	return 0;
}
