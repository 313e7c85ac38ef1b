// Device functions that take the array, an element's address or reference; one is also called with a local record.
#include <stdio.h>
#define N 36

struct point {
	float x, y;
};

__device__ float norm(const point &p);

__device__ void move(point *p, int i, float by)
{
	point &q = p[i];

	q.x += by;
	q.y -= by * norm(q);
}

__device__ float norm(const point &p)
{
	return p.x * p.x + p.y * p.y;
}

template <int STEP>
__device__ point *ahead(struct point *p)
{
	return p + STEP;
}

__device__ float sum(const point *p, int n)
{
	float s = 0;

	for (int i = 0; i < n; i++, p++)
		s += norm(*p) + p->x;
	return s;
}

__global__ void shake(point *__restrict__ points, float *sums, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i + 4 >= n)
		return;
	point local = {1, 2};
	move(points, i, norm(local));
	move(&local, 0, 1);
	sums[i] = sum(points + i, 1) + norm(points[i]) + norm(local) + ahead<0>(points + i)->y;
}

int main(void)
{
	static point host[N];
	static float sums_host[N];
	point *points;
	float *sums;

	for (int i = 0; i < N; i++)
		host[i] = point{0.25f * i, 1.0f};
	cudaMalloc(&points, N * sizeof(point));
	cudaMalloc(&sums, N * sizeof(float));
	cudaMemset(sums, 0, N * sizeof(float));
	cudaMemcpy(points, host, N * sizeof(point), cudaMemcpyHostToDevice);
	shake<<<2, 32>>>(points, sums, N);
	cudaMemcpy(host, points, N * sizeof(point), cudaMemcpyDeviceToHost);
	cudaMemcpy(sums_host, sums, N * sizeof(float), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%g %g %g\n", host[i].x, host[i].y, sums_host[i]);
	cudaFree(points);
	cudaFree(sums);
	return 0;
}
