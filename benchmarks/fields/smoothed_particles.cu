/*
 * Smoothed particle hydrodynamics: densities and forces from the particles in the 27 cells around each. Particles are sorted by cell, eight to a cell, the cells of a cube of
 * side cells row by row.
 */
#include <cstdio>
#include <cuda_runtime.h>

#define PER_CELL 8

struct particle {
	float x, y, z, vx, vy, vz, mass, density, pressure;
};

__global__ void __launch_bounds__(128) densities(particle *particles, float reach, int side)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, cell = i / PER_CELL;
	int cx = cell % side, cy = cell / side % side, cz = cell / (side * side);
	if (cx < 1 || cy < 1 || cz < 1 || cx >= side - 1 || cy >= side - 1 || cz >= side - 1)
		return;
	float x = particles[i].x, y = particles[i].y, z = particles[i].z, sum = 0.0f;
	for (int c = 0; c < 27; c++) {
		int from = (((cz + c / 9 - 1) * side + cy + c / 3 % 3 - 1) * side + cx + c % 3 - 1) * PER_CELL;
		for (int k = 0; k < PER_CELL; k++) {
			float dx = particles[from + k].x - x, dy = particles[from + k].y - y, dz = particles[from + k].z - z;
			float inside = fmaxf(reach - (dx * dx + dy * dy + dz * dz), 0.0f);
			sum += particles[from + k].mass * inside * inside * inside;
		}
	}
	particles[i].density = sum;
	particles[i].pressure = 2.0f * fmaxf(sum - 1.0f, 0.0f);
}

__global__ void __launch_bounds__(256) move(particle *particles, float step, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float slower = 1.0f / (1.0f + step * particles[i].pressure);
	particles[i].vx *= slower;
	particles[i].vy *= slower;
	particles[i].vz = particles[i].vz * slower - 9.81f * step;
	particles[i].x += step * particles[i].vx;
	particles[i].y += step * particles[i].vy;
	particles[i].z += step * particles[i].vz;
}

int main()
{
	particle *particles;
	cudaMalloc(&particles, (1 << 24) * sizeof(particle));
	cudaMemset(particles, 0, (1 << 24) * sizeof(particle));
	densities<<<256, 128>>>(particles, 1.5f, 16);
	densities<<<2048, 128>>>(particles, 1.5f, 32);
	densities<<<16384, 128>>>(particles, 1.5f, 64);
	move<<<1024, 256>>>(particles, 0.01f, 262144);
	move<<<8192, 256>>>(particles, 0.01f, 2097152);
	move<<<65536, 256>>>(particles, 0.01f, 16777216);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
