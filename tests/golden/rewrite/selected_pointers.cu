// Pointers that are one of two others; a list of pointers that are freed.
#include <stdio.h>
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
	cell *a, *b;
	int *other;

	for (int i = 0; i < N; i++)
		host[i].value = i * i % 17;
	cudaMalloc(&a, N * sizeof(cell));
	cudaMalloc(&b, N * sizeof(cell));
	cudaMalloc(&other, N * sizeof(int));
	cudaMemcpy(a, host, N * sizeof(cell), cudaMemcpyHostToDevice);
	cudaMemcpy(b, host, N * sizeof(cell), cudaMemcpyHostToDevice);
	for (int t = 0; t < 5; t++) {
		cell *now = t % 2 == 0 ? a : b;
		diffuse<<<2, 32>>>(now, t % 2 == 0 ? b : a);
	}
	cell *last = b;
	diffuse<<<2, 32>>>(last, a);
	cudaMemcpy(host, a, N * sizeof(cell), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%g %g\n", host[i].value, host[i].weight);
	void *all[] = {a, other, b};
	for (void *p : all)
		cudaFree(p);
	return 0;
}
