// Two kernels in a time loop: forces from one array, then both arrays move.
#include <cstdlib>
#include <cuda_runtime.h>

struct body {
	float x, y, z, vx, vy, vz, mass, charge;
};
struct force {
	float fx, fy, fz, potential;
};

__global__ void forces(const body *b, force *f, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	f[i].fx = -b[i].x * b[i].charge;
	f[i].fy = -b[i].y * b[i].charge;
	f[i].fz = -b[i].z * b[i].charge;
	f[i].potential = b[i].x * b[i].x + b[i].y * b[i].y;
}

__global__ void push(body *b, const force *f, int n, float dt)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	b[i].vx += dt * f[i].fx;
	b[i].vy += dt * f[i].fy;
	b[i].vz += dt * f[i].fz;
	b[i].x += dt * b[i].vx;
	b[i].y += dt * b[i].vy;
	b[i].z += dt * b[i].vz;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1 << 18;
	body *b;
	force *f;
	cudaMalloc(&b, n * sizeof(body));
	cudaMalloc(&f, n * sizeof(force));
	cudaMemset(b, 0, n * sizeof(body));
	for (int step = 0; step < 20; step++) {
		forces<<<(n + 255) / 256, 256>>>(b, f, n);
		push<<<(n + 255) / 256, 256>>>(b, f, n, 0.01f);
	}
	cudaDeviceSynchronize();
	cudaFree(b);
	cudaFree(f);
}
