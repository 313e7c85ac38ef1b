// What the host copies to the device is read at once, by a kernel that runs once.
#include <cstdlib>
#include <cuda_runtime.h>

struct body {
	float x, y, z, vx, vy, vz, mass, charge;
};

__global__ void momentum(const body *b, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	out[i] = b[i].mass * (b[i].vx + b[i].vy + b[i].vz);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1 << 18;
	body *host = (body *)calloc(n, sizeof(body)), *b;
	float *out;
	cudaMalloc(&b, n * sizeof(body));
	cudaMalloc(&out, n * sizeof(float));
	cudaMemcpy(b, host, n * sizeof(body), cudaMemcpyHostToDevice);
	momentum<<<(n + 255) / 256, 256>>>(b, out, n);
	cudaDeviceSynchronize();
	cudaFree(b);
	cudaFree(out);
	free(host);
}
