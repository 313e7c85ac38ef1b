/*
 * All-pairs gravity: accelerate reads every body in every thread (a broadcast), move streams over bodies and velocities.
 * Two record types with different access patterns.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 16384
#endif
#define BLOCK 256
#define SAMPLES 16
#define SOFTENING 0.01f
#define STEP 0.001f

#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                 \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

struct body {
	float x, y, z, mass;
};

struct velocity {
	float x, y, z;
};

__global__ void accelerate(const struct body *bodies, struct velocity *velocities, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count) {
		float x = bodies[i].x, y = bodies[i].y, z = bodies[i].z;
		float ax = 0.0f, ay = 0.0f, az = 0.0f;

		for (int j = 0; j < count; j++) {
			float dx = bodies[j].x - x;
			float dy = bodies[j].y - y;
			float dz = bodies[j].z - z;
			float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
			float pull = bodies[j].mass * inverse * inverse * inverse;

			ax += pull * dx;
			ay += pull * dy;
			az += pull * dz;
		}
		velocities[i].x += STEP * ax;
		velocities[i].y += STEP * ay;
		velocities[i].z += STEP * az;
	}
}

__global__ void move(struct body *bodies, const struct velocity *velocities, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count) {
		bodies[i].x += STEP * velocities[i].x;
		bodies[i].y += STEP * velocities[i].y;
		bodies[i].z += STEP * velocities[i].z;
	}
}

static float random_float(unsigned *state)
{
	*state = *state * 1664525u + 1013904223u;
	return (float)(*state >> 8) / 16777216.0f;
}

/* The x velocity of body i, at rest before, after one step */
static double expected(const struct body *bodies, int i)
{
	double sum = 0.0;

	for (int j = 0; j < N; j++) {
		double dx = (double)bodies[j].x - bodies[i].x, dy = (double)bodies[j].y - bodies[i].y;
		double dz = (double)bodies[j].z - bodies[i].z;

		sum += bodies[j].mass * dx / pow(dx * dx + dy * dy + dz * dz + SOFTENING, 1.5);
	}
	return STEP * sum;
}

int main(void)
{
	struct body *bodies_host = (struct body *)malloc(N * sizeof(struct body));
	struct body *moved_host = (struct body *)malloc(N * sizeof(struct body));
	struct velocity *velocities_host = (struct velocity *)calloc(N, sizeof(struct velocity));
	struct body *bodies;
	struct velocity *velocities;
	unsigned state = 1;

	for (int i = 0; i < N; i++) {
		bodies_host[i].x = random_float(&state);
		bodies_host[i].y = random_float(&state);
		bodies_host[i].z = random_float(&state);
		bodies_host[i].mass = 1.0f + random_float(&state);
	}
	CHECK(cudaMalloc(&bodies, N * sizeof(struct body)));
	CHECK(cudaMalloc(&velocities, N * sizeof(struct velocity)));
	CHECK(cudaMemcpy(bodies, bodies_host, N * sizeof(struct body), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(velocities, velocities_host, N * sizeof(struct velocity), cudaMemcpyHostToDevice));

	dim3 block(BLOCK);
	dim3 grid((N + BLOCK - 1) / BLOCK);
	accelerate<<<grid, block>>>(bodies, velocities, N);
	move<<<grid, block>>>(bodies, velocities, N);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(moved_host, bodies, N * sizeof(struct body), cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(velocities_host, velocities, N * sizeof(struct velocity), cudaMemcpyDeviceToHost));

	int wrong = 0;
	for (int s = 0; s < SAMPLES; s++) {
		int i = s * (N - 1) / (SAMPLES - 1);
		double want = expected(bodies_host, i);

		wrong += !(fabs(velocities_host[i].x - want) <= 1e-3 * (fabs(want) + STEP * N * 0.01) &&
		           fabs(moved_host[i].x - (bodies_host[i].x + STEP * want)) <= 1e-3);
	}
	printf("nbody: %d bodies, %d of %d samples wrong\n", N, wrong, SAMPLES);

	CHECK(cudaFree(bodies));
	CHECK(cudaFree(velocities));
	free(bodies_host);
	free(moved_host);
	free(velocities_host);
	return wrong != 0;
}
