// Kernels take one struct with a pointer for each member; the host fills it.
#include <stdio.h>

struct particle {
	float x, y, z;
	int cell, kind;
};

__global__ void sort(particle *p, float *lengths, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	lengths[i] = p[i].x * p[i].x + p[i].y * p[i].y + p[i].z * p[i].z;
	p[i].cell = (int)p[i].x * 16 + p[i].kind;
}

int main(void)
{
	const int n = 1000;
	particle *all = new particle[n];
	particle *p;
	float *lengths;

	for (int i = 0; i < n; i++)
		all[i] = particle{i * 0.5f, 1, 2, 0, i % 3};
	cudaMalloc(&p, n * sizeof(particle));
	cudaMalloc(&lengths, n * sizeof(float));
	cudaMemcpy(p, all, n * sizeof(particle), cudaMemcpyHostToDevice);
	sort<<<8, 128>>>(p, lengths, n);
	cudaMemcpy(all, p, n * sizeof(particle), cudaMemcpyDeviceToHost);
	printf("%d\n", all[n - 1].cell);
	cudaFree(p);
	cudaFree(lengths);
	delete[] all;
	return 0;
}
