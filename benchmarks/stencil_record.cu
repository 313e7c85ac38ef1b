/*
 * A five-point stencil on a grid of records: heat flows between cells of different conductivity.
 * Of the neighbours two members are read, of the cell itself all; written is one member of another array of the same type.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 2048
#endif
#define STEP 0.1f

#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                 \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

struct cell {
	float heat, conductivity, capacity, source;
};

__global__ void diffuse(const struct cell *now, struct cell *next, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x > 0 && x < n - 1 && y > 0 && y < n - 1) {
		int i = y * n + x;
		float flow = now[i - 1].conductivity * (now[i - 1].heat - now[i].heat) +
		             now[i + 1].conductivity * (now[i + 1].heat - now[i].heat) +
		             now[i - n].conductivity * (now[i - n].heat - now[i].heat) +
		             now[i + n].conductivity * (now[i + n].heat - now[i].heat);

		next[i].heat = now[i].heat + STEP * (now[i].conductivity * flow + now[i].source) / now[i].capacity;
	}
}

static double flow_from(const struct cell *from, const struct cell *to)
{
	return from->conductivity * ((double)from->heat - to->heat);
}

int main(void)
{
	size_t count = (size_t)N * N, bytes = count * sizeof(struct cell);
	struct cell *now_host = (struct cell *)malloc(bytes);
	struct cell *next_host = (struct cell *)malloc(bytes);
	struct cell *now, *next;

	for (size_t i = 0; i < count; i++) {
		now_host[i].heat = (float)(i * 7 % 1009) * 0.01f;
		now_host[i].conductivity = 0.5f + (float)(i % 13) * 0.02f;
		now_host[i].capacity = 1.0f + (float)(i % 7) * 0.1f;
		now_host[i].source = (float)(i % 31 == 0);
	}
	CHECK(cudaMalloc(&now, bytes));
	CHECK(cudaMalloc(&next, bytes));
	CHECK(cudaMemcpy(now, now_host, bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(next, now_host, bytes, cudaMemcpyHostToDevice));

	dim3 block(32, 8);
	dim3 grid((N + block.x - 1) / block.x, (N + block.y - 1) / block.y);
	diffuse<<<grid, block>>>(now, next, N);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(next_host, next, bytes, cudaMemcpyDeviceToHost));

	int wrong = 0;
	for (int y = 0; y < N; y++)
		for (int x = 0; x < N; x++) {
			const struct cell *c = &now_host[(size_t)y * N + x];
			double want = c->heat;

			if (x > 0 && x < N - 1 && y > 0 && y < N - 1) {
				double flow = flow_from(c - 1, c) + flow_from(c + 1, c) + flow_from(c - N, c) + flow_from(c + N, c);

				want += STEP * (c->conductivity * flow + c->source) / c->capacity;
			}
			wrong += !(fabs(next_host[(size_t)y * N + x].heat - want) <= 1e-4 * (fabs(want) + 1.0));
		}
	printf("stencil_record: %d x %d cells, %d wrong\n", N, N, wrong);

	CHECK(cudaFree(now));
	CHECK(cudaFree(next));
	free(now_host);
	free(next_host);
	return wrong != 0;
}
