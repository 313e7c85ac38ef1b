// A record that is written aligned: aos takes the alignment away.
#include <stdio.h>
#define N 40

struct __align__(16) color {
	float r, g, b;
};

__global__ void gray(color *c)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < N)
		c[i].r = c[i].g = c[i].b = (c[i].r + c[i].g + c[i].b) / 3;
}

int main(void)
{
	color host[N], *device;

	for (int i = 0; i < N; i++)
		host[i] = color{1.0f * i, 2.0f, 3.0f};
	cudaMalloc(&device, N * sizeof(color));
	cudaMemcpy(device, host, N * sizeof(color), cudaMemcpyHostToDevice);
	gray<<<2, 32>>>(device);
	cudaMemcpy(host, device, N * sizeof(color), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%g %g %g\n", host[i].r, host[i].g, host[i].b);
	cudaFree(device);
	return 0;
}
