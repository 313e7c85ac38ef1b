/*
 * Temperatures of a chip under its power, one step in time: a five-point stencil over n x n cells.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct cell {
	float temperature, power;
};

__global__ void __launch_bounds__(256) step(const cell *from, cell *to, float rx, float ry, float rz, float dt, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= n || y >= n)
		return;
	int i = y * n + x, left = x > 0 ? i - 1 : i, right = x < n - 1 ? i + 1 : i, above = y > 0 ? i - n : i, below = y < n - 1 ? i + n : i;
	float here = from[i].temperature, power = from[i].power;
	float change = power + (from[left].temperature + from[right].temperature - 2.0f * here) * rx +
	               (from[above].temperature + from[below].temperature - 2.0f * here) * ry + (80.0f - here) * rz;
	to[i].temperature = here + dt * change;
	to[i].power = power;
}

int main()
{
	cell *a;
	cudaMalloc(&a, (1 << 26) * sizeof(cell));
	cudaMemset(a, 0, (1 << 26) * sizeof(cell));
	cell *b;
	cudaMalloc(&b, (1 << 26) * sizeof(cell));
	cudaMemset(b, 0, (1 << 26) * sizeof(cell));
	step<<<dim3(32, 32), dim3(16, 16)>>>(a, b, 0.1f, 0.2f, 0.01f, 0.05f, 512);
	step<<<dim3(128, 128), dim3(16, 16)>>>(a, b, 0.1f, 0.2f, 0.01f, 0.05f, 2048);
	step<<<dim3(512, 512), dim3(16, 16)>>>(a, b, 0.1f, 0.2f, 0.01f, 0.05f, 8192);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
