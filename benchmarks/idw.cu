/*
 * Inverse distance weighting: a height at each query point, from scattered data points, weights 1 / distance^2.
 * One thread per query; all threads read the same data point at the same time, so each read is a broadcast.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef POINTS
#define POINTS 16384
#endif
#ifndef QUERIES
#define QUERIES 16384
#endif
#define SAMPLES 32

#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                 \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

struct point {
	float x, y, z;
};

__global__ void idw(const struct point *data, int points, const float *query_x, const float *query_y, float *height,
                    int queries)
{
	int q = blockIdx.x * blockDim.x + threadIdx.x;

	if (q < queries) {
		float x = query_x[q];
		float y = query_y[q];
		float weights = 0.0f;
		float sum = 0.0f;

		for (int i = 0; i < points; i++) {
			float dx = data[i].x - x;
			float dy = data[i].y - y;
			float weight = 1.0f / (dx * dx + dy * dy);

			weights += weight;
			sum += weight * data[i].z;
		}
		height[q] = sum / weights;
	}
}

static float random_float(unsigned *state)
{
	*state = *state * 1664525u + 1013904223u;
	return (float)(*state >> 8) / 16777216.0f;
}

/* Data points lie in the unit square, queries in a square beside it, so that no distance is zero. */
static void initialise(struct point *data, float *query_x, float *query_y)
{
	unsigned state = 1;

	for (int i = 0; i < POINTS; i++) {
		data[i].x = random_float(&state);
		data[i].y = random_float(&state);
		data[i].z = 1.0f + random_float(&state);
	}
	for (int q = 0; q < QUERIES; q++) {
		query_x[q] = 1.01f + random_float(&state);
		query_y[q] = random_float(&state);
	}
}

static double expected(const struct point *data, float x, float y)
{
	double weights = 0.0, sum = 0.0;

	for (int i = 0; i < POINTS; i++) {
		double dx = data[i].x - x, dy = data[i].y - y;
		double weight = 1.0 / (dx * dx + dy * dy);

		weights += weight;
		sum += weight * data[i].z;
	}
	return sum / weights;
}

int main(void)
{
	struct point *data_host = (struct point *)malloc(POINTS * sizeof(struct point));
	float *query_x_host = (float *)malloc(QUERIES * sizeof(float));
	float *query_y_host = (float *)malloc(QUERIES * sizeof(float));
	float *height_host = (float *)malloc(QUERIES * sizeof(float));
	struct point *data;
	float *query_x, *query_y, *height;

	initialise(data_host, query_x_host, query_y_host);
	CHECK(cudaMalloc(&data, POINTS * sizeof(struct point)));
	CHECK(cudaMalloc(&query_x, QUERIES * sizeof(float)));
	CHECK(cudaMalloc(&query_y, QUERIES * sizeof(float)));
	CHECK(cudaMalloc(&height, QUERIES * sizeof(float)));
	CHECK(cudaMemcpy(data, data_host, POINTS * sizeof(struct point), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(query_x, query_x_host, QUERIES * sizeof(float), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(query_y, query_y_host, QUERIES * sizeof(float), cudaMemcpyHostToDevice));

	dim3 block(256);
	dim3 grid((QUERIES + block.x - 1) / block.x);
	idw<<<grid, block>>>(data, POINTS, query_x, query_y, height, QUERIES);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(height_host, height, QUERIES * sizeof(float), cudaMemcpyDeviceToHost));

	int wrong = 0;
	for (int s = 0; s < SAMPLES; s++) {
		int q = (int)((long long)s * (QUERIES - 1) / (SAMPLES - 1));
		double want = expected(data_host, query_x_host[q], query_y_host[q]);

		wrong += !(fabs(height_host[q] - want) <= 1e-3 * fabs(want));
	}
	printf("idw: %d queries, %d points, %d of %d samples wrong\n", QUERIES, POINTS, wrong, SAMPLES);

	CHECK(cudaFree(data));
	CHECK(cudaFree(query_x));
	CHECK(cudaFree(query_y));
	CHECK(cudaFree(height));
	free(data_host);
	free(query_x_host);
	free(query_y_host);
	free(height_host);
	return wrong != 0;
}
