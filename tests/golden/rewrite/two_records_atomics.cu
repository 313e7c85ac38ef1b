// k-means: two record types in one kernel, atomics on members, an assignment kernel and an update kernel that share one array.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

struct Point { float x, y; int cluster; };
struct Centroid { float x, y; float sum_x, sum_y; unsigned int count; };

__device__ float sq(float v) { return v * v; }

__device__ float distance2(const Point &p, const Centroid &c)
{
	return sq(p.x - c.x) + sq(p.y - c.y);
}

__global__ void assign(Point *points, const Centroid *centroids, int n, int k)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		Point &p = points[i];
		int best = 0;
		float bestDistance = 1e30f;
		for (int c = 0; c < k; ++c) {
			float d = distance2(p, centroids[c]);
			if (d < bestDistance) {
				bestDistance = d;
				best = c;
			}
		}
		p.cluster = best;
	}
}

__global__ void accumulate(const Point *points, Centroid *centroids, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	int c = points[i].cluster;
	atomicAdd(&centroids[c].sum_x, points[i].x);
	atomicAdd(&centroids[c].sum_y, points[i].y);
	atomicAdd(&centroids[c].count, 1u);
}

__global__ void update(Centroid *centroids, int k)
{
	int c = threadIdx.x;
	if (c < k) {
		Centroid *me = &centroids[c];
		if (me->count > 0) {
			me->x = me->sum_x / me->count;
			me->y = me->sum_y / me->count;
		}
		me->sum_x = me->sum_y = 0.0f;
		me->count = 0;
	}
}

int main()
{
	const int n = 200, k = 5;
	std::vector<Point> points(n);
	std::vector<Centroid> centroids(k);
	for (int i = 0; i < n; ++i)
		points[i] = Point{(float)((i * 37) % 101), (float)((i * 53) % 89), -1};
	for (int c = 0; c < k; ++c)
		centroids[c] = Centroid{points[c].x, points[c].y, 0, 0, 0};

	Point *dPoints = nullptr;
	Centroid *dCentroids = nullptr;
	cudaMalloc(&dPoints, n * sizeof(Point));
	cudaMalloc(&dCentroids, k * sizeof(Centroid));
	cudaMemcpy(dPoints, points.data(), n * sizeof(Point), cudaMemcpyHostToDevice);
	cudaMemcpy(dCentroids, centroids.data(), k * sizeof(Centroid), cudaMemcpyHostToDevice);
	for (int it = 0; it < 5; ++it) {
		assign<<<(n + 63) / 64, 64>>>(dPoints, dCentroids, n, k);
		accumulate<<<(n + 63) / 64, 64>>>(dPoints, dCentroids, n);
		update<<<1, 32>>>(dCentroids, k);
	}
	cudaMemcpy(points.data(), dPoints, n * sizeof(Point), cudaMemcpyDeviceToHost);
	cudaMemcpy(centroids.data(), dCentroids, k * sizeof(Centroid), cudaMemcpyDeviceToHost);
	for (int c = 0; c < k; ++c)
		printf("%g %g\n", centroids[c].x, centroids[c].y);
	for (int i = 0; i < n; i += 10)
		printf("%d ", points[i].cluster);
	printf("\n");
	cudaFree(dPoints);
	cudaFree(dCentroids);
	return 0;
}
