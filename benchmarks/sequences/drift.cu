// A time loop that moves bodies in place: one kernel over one array, fifty times.
#include <cstdlib>
#include <cuda_runtime.h>

struct body {
	float x, y, z, vx, vy, vz, mass, charge;
};

__global__ void drift(body *b, int n, float dt)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	b[i].x += dt * b[i].vx;
	b[i].y += dt * b[i].vy;
	b[i].z += dt * b[i].vz;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1 << 18;
	body *b;
	cudaMalloc(&b, n * sizeof(body));
	cudaMemset(b, 0, n * sizeof(body));
	for (int step = 0; step < 50; step++)
		drift<<<(n + 255) / 256, 256>>>(b, n, 0.01f);
	cudaDeviceSynchronize();
	cudaFree(b);
}
