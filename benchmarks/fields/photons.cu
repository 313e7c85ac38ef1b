/*
 * Photons through turbid matter, as in Monte Carlo modelling of light in tissue (Wang, Jacques, Zheng): each takes some steps, is scattered by the function of Henyey and
 * Greenstein, loses weight, and leaves what it lost in the cell where it is.
 */
#include <cstdio>
#include <cuda_runtime.h>

#define SIDE 64

struct photon {
	float x, y, z, ux, uy, uz, weight;
	unsigned seed;
};

__device__ float uniform(unsigned &seed)
{
	seed = seed * 1664525u + 1013904223u;
	return (float)(seed >> 8) * (1.0f / 16777216.0f) + 1e-7f;
}

__global__ void __launch_bounds__(128) walk(photon *photons, float *absorbed, int steps, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = photons[i].x, y = photons[i].y, z = photons[i].z, ux = photons[i].ux, uy = photons[i].uy, uz = photons[i].uz, weight = photons[i].weight;
	unsigned seed = photons[i].seed + i * 747796405u;
	for (int s = 0; s < steps; s++) {
		float length = -__logf(uniform(seed)) * 0.1f;
		x += length * ux;
		y += length * uy;
		z += length * uz;
		float loss = 0.05f * weight, g = 0.9f, part = (1.0f - g * g) / (1.0f - g + 2.0f * g * uniform(seed));
		weight -= loss;
		int cell = (((int)(z * 16.0f) & (SIDE - 1)) * SIDE + ((int)(y * 16.0f) & (SIDE - 1))) * SIDE + ((int)(x * 16.0f) & (SIDE - 1));
		atomicAdd(&absorbed[cell], loss);
		float cosine = (1.0f + g * g - part * part) / (2.0f * g), sine = sqrtf(fmaxf(1.0f - cosine * cosine, 0.0f)), azimuth = 6.2831853f * uniform(seed);
		float across = sine * __cosf(azimuth), beside = sine * __sinf(azimuth), nx = ux * cosine + uz * across, ny = uy * cosine + beside;
		uz = uz * cosine - ux * across;
		ux = nx;
		uy = ny;
		float inverse = rsqrtf(ux * ux + uy * uy + uz * uz + 1e-12f);
		ux *= inverse;
		uy *= inverse;
		uz *= inverse;
	}
	photons[i].x = x;
	photons[i].y = y;
	photons[i].z = z;
	photons[i].ux = ux;
	photons[i].uy = uy;
	photons[i].uz = uz;
	photons[i].weight = weight;
	photons[i].seed = seed;
}

int main()
{
	photon *photons;
	cudaMalloc(&photons, (1 << 22) * sizeof(photon));
	cudaMemset(photons, 0, (1 << 22) * sizeof(photon));
	float *absorbed;
	cudaMalloc(&absorbed, SIDE * SIDE * SIDE * sizeof(float));
	cudaMemset(absorbed, 0, SIDE * SIDE * SIDE * sizeof(float));
	walk<<<512, 128>>>(photons, absorbed, 4, 65536);
	walk<<<4096, 128>>>(photons, absorbed, 4, 524288);
	walk<<<32768, 128>>>(photons, absorbed, 1, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
