/*
 * Charged particles in a uniform magnetic field: every thread reads one record of eight floats and writes six of them.
 * A pure stream; and a second kernel that needs one member only.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N (1 << 20)
#endif
#define BLOCK 256
#define STEP 0.01f
#define FIELD 0.5f

#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                 \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

struct particle {
	float x, y, z;
	float vx, vy, vz;
	float mass, charge;
};

__global__ void push(struct particle *particles, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count) {
		float turn = STEP * FIELD * particles[i].charge / particles[i].mass;
		float vx = particles[i].vx + turn * particles[i].vy;
		float vy = particles[i].vy - turn * particles[i].vx;

		particles[i].vx = vx;
		particles[i].vy = vy;
		particles[i].x += STEP * vx;
		particles[i].y += STEP * vy;
		particles[i].z += STEP * particles[i].vz;
	}
}

__global__ void sum_charge(const struct particle *particles, float *total, int count)
{
	float part = 0.0f;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x)
		part += particles[i].charge;
	atomicAdd(total, part);
}

static float random_float(unsigned *state)
{
	*state = *state * 1664525u + 1013904223u;
	return (float)(*state >> 8) / 16777216.0f;
}

static int differ(float have, double want)
{
	return !(fabs(have - want) <= 1e-4 * (fabs(want) + 1.0));
}

int main(void)
{
	struct particle *old = (struct particle *)malloc(N * sizeof(struct particle));
	struct particle *particles_host = (struct particle *)malloc(N * sizeof(struct particle));
	float total_host = 0.0f;
	struct particle *particles;
	float *total;
	double charge = 0.0;
	unsigned state = 1;

	for (int i = 0; i < N; i++) {
		old[i].x = random_float(&state);
		old[i].y = random_float(&state);
		old[i].z = random_float(&state);
		old[i].vx = random_float(&state) - 0.5f;
		old[i].vy = random_float(&state) - 0.5f;
		old[i].vz = random_float(&state) - 0.5f;
		old[i].mass = 1.0f + random_float(&state);
		old[i].charge = (float)(1 + i % 3);
		charge += old[i].charge;
	}
	CHECK(cudaMalloc(&particles, N * sizeof(struct particle)));
	CHECK(cudaMalloc(&total, sizeof(float)));
	CHECK(cudaMemcpy(particles, old, N * sizeof(struct particle), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(total, &total_host, sizeof(float), cudaMemcpyHostToDevice));

	dim3 block(BLOCK);
	dim3 grid((N + BLOCK - 1) / BLOCK);
	push<<<grid, block>>>(particles, N);
	sum_charge<<<132, BLOCK>>>(particles, total, N);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(particles_host, particles, N * sizeof(struct particle), cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(&total_host, total, sizeof(float), cudaMemcpyDeviceToHost));

	int wrong = !(fabs(total_host - charge) <= 1e-3 * charge);
	for (int i = 0; i < N; i++) {
		double turn = STEP * FIELD * old[i].charge / old[i].mass;
		double vx = old[i].vx + turn * old[i].vy, vy = old[i].vy - turn * old[i].vx;

		wrong += differ(particles_host[i].vx, vx) || differ(particles_host[i].vy, vy) ||
		         differ(particles_host[i].x, old[i].x + STEP * vx) || differ(particles_host[i].y, old[i].y + STEP * vy) ||
		         differ(particles_host[i].z, old[i].z + STEP * old[i].vz);
	}
	printf("particles: %d particles, %d results wrong\n", N, wrong);

	CHECK(cudaFree(particles));
	CHECK(cudaFree(total));
	free(old);
	free(particles_host);
	return wrong != 0;
}
