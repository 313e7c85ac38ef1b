// Records that are copied on the device, then changed, in a loop: the kernel reads the copy.
#include <cstdlib>
#include <cuda_runtime.h>

struct body {
	float x, y, z, vx, vy, vz, mass, charge;
};

__global__ void turn(body *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = b[i].x;
	b[i].x = -b[i].y;
	b[i].y = x;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1 << 18;
	body *first, *second;
	cudaMalloc(&first, n * sizeof(body));
	cudaMalloc(&second, n * sizeof(body));
	cudaMemset(first, 0, n * sizeof(body));
	for (int step = 0; step < 20; step++) {
		cudaMemcpy(second, first, n * sizeof(body), cudaMemcpyDeviceToDevice);
		turn<<<(n + 255) / 256, 256>>>(second, n);
	}
	cudaDeviceSynchronize();
	cudaFree(first);
	cudaFree(second);
}
