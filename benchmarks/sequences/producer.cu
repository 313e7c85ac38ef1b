// A producer and its consumer in a loop: the second kernel reads what the first has just written.
#include <cstdlib>
#include <cuda_runtime.h>

struct body {
	float x, y, z, vx, vy, vz, mass, charge;
};

__global__ void produce(body *b, int n, float t)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	b[i].x = t + i;
	b[i].y = t - i;
	b[i].z = t;
	b[i].mass = 1;
}

__global__ void consume(const body *b, float *energy, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	energy[i] = b[i].mass * (b[i].x + b[i].y + b[i].z);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1 << 18;
	body *b;
	float *energy;
	cudaMalloc(&b, n * sizeof(body));
	cudaMalloc(&energy, n * sizeof(float));
	for (int step = 0; step < 20; step++) {
		produce<<<(n + 255) / 256, 256>>>(b, n, 1.0f);
		consume<<<(n + 255) / 256, 256>>>(b, energy, n);
	}
	cudaDeviceSynchronize();
	cudaFree(b);
	cudaFree(energy);
}
