/*
 * Energy per detector: events are streamed, two of their four members are used, sums of records grow by atomic addition.
 * Both the input and the output are arrays of records.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N (1 << 20)
#endif
#ifndef DETECTORS
#define DETECTORS 1024
#endif
#define BLOCK 256
#define BLOCKS 512

#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                 \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

struct event {
	int detector;
	float energy;
	float time;
	int run;
};

struct sum {
	unsigned count;
	float energy;
};

__global__ void accumulate(const struct event *events, struct sum *sums, int count)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
		int detector = events[i].detector;

		atomicAdd(&sums[detector].count, 1u);
		atomicAdd(&sums[detector].energy, events[i].energy);
	}
}

int main(void)
{
	struct event *events_host = (struct event *)malloc(N * sizeof(struct event));
	struct sum *sums_host = (struct sum *)calloc(DETECTORS, sizeof(struct sum));
	double *energy = (double *)calloc(DETECTORS, sizeof(double));
	unsigned *hits = (unsigned *)calloc(DETECTORS, sizeof(unsigned));
	struct event *events;
	struct sum *sums;
	unsigned state = 1;

	for (int i = 0; i < N; i++) {
		state = state * 1664525u + 1013904223u;
		events_host[i].detector = (int)((state >> 10) % DETECTORS);
		events_host[i].energy = 0.5f + (float)(state >> 24) / 256.0f;
		events_host[i].time = (float)i;
		events_host[i].run = i / 1000;
		energy[events_host[i].detector] += events_host[i].energy;
		hits[events_host[i].detector]++;
	}
	CHECK(cudaMalloc(&events, N * sizeof(struct event)));
	CHECK(cudaMalloc(&sums, DETECTORS * sizeof(struct sum)));
	CHECK(cudaMemcpy(events, events_host, N * sizeof(struct event), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(sums, sums_host, DETECTORS * sizeof(struct sum), cudaMemcpyHostToDevice));

	accumulate<<<BLOCKS, BLOCK>>>(events, sums, N);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(sums_host, sums, DETECTORS * sizeof(struct sum), cudaMemcpyDeviceToHost));

	int wrong = 0;
	for (int d = 0; d < DETECTORS; d++)
		wrong += sums_host[d].count != hits[d] || !(fabs(sums_host[d].energy - energy[d]) <= 1e-3 * energy[d]);
	printf("histogram_record: %d events, %d of %d detectors wrong\n", N, wrong, DETECTORS);

	CHECK(cudaFree(events));
	CHECK(cudaFree(sums));
	free(events_host);
	free(sums_host);
	free(energy);
	free(hits);
	return wrong != 0;
}
