// Two arrays that change places after each step.
#include <stdio.h>
#include <utility>
#define N 50

struct cell {
	float value;
	double weight;
};

__global__ void diffuse(const cell *in, cell *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i > 0 && i < N - 1) {
		out[i].value = (in[i - 1].value + in[i + 1].value) / 2;
		out[i].weight = in[i].weight + 1;
	}
}

int main(void)
{
	static cell host[N];
	cell *now, *next;

	for (int i = 0; i < N; i++)
		host[i].value = i * i % 17;
	cudaMalloc(&now, N * sizeof(cell));
	cudaMalloc(&next, N * sizeof(cell));
	cudaMemcpy(now, host, N * sizeof(cell), cudaMemcpyHostToDevice);
	cudaMemcpy(next, host, N * sizeof(cell), cudaMemcpyHostToDevice);
	for (int t = 0; t < 5; t++) {
		diffuse<<<2, 32>>>(now, next);
		std::swap(now, next);
	}
	cudaMemcpy(host, now, N * sizeof(cell), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%g %g\n", host[i].value, host[i].weight);
	cudaFree(now);
	cudaFree(next);
	return 0;
}
