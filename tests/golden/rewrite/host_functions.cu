// Host functions that take device pointers: their parameters and what is passed for them change too.
#include <stdio.h>
#define N 43

struct point {
	float x, y;
};

static void fetch(point *host, const point *device, int n);

__global__ void turn(point *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		float x = p[i].x;
		p[i].x = -p[i].y;
		p[i].y = x;
	}
}

static void run(point *device, int n, int times)
{
	for (int t = 0; t < times; t++)
		turn<<<2, 32>>>(device, n);
}

static void fetch(point *host, const point *device, int n)
{
	cudaMemcpy(host, device, n * sizeof(*device), cudaMemcpyDeviceToHost);
}

int main(void)
{
	static point host[N];
	point *points, *others;

	for (int i = 0; i < N; i++)
		host[i] = point{1.0f * i, 2.0f};
	cudaMalloc(&points, N * sizeof(point));
	cudaMalloc(&others, N * sizeof(point));
	cudaMemcpy(points, host, N * sizeof(point), cudaMemcpyHostToDevice);
	cudaMemcpy(others, points, N * sizeof(point), cudaMemcpyDeviceToDevice);
	run(points, N, 3);
	run(others, N, 1);
	fetch(host, points, N);
	for (int i = 0; i < N; i++)
		printf("%g %g\n", host[i].x, host[i].y);
	fetch(host, others, N);
	for (int i = 0; i < N; i++)
		printf("%g %g\n", host[i].x, host[i].y);
	cudaFree(points);
	cudaFree(others);
	return 0;
}
