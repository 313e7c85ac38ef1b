/*
 * k-means: every point finds the nearest of the centres; then each adds itself to the sums of its own.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct point {
	float x, y, z, w;
	int nearest;
};

struct centre {
	float x, y, z, w;
};

struct sum {
	float x, y, z, w;
	unsigned count;
};

__global__ void __launch_bounds__(256) assign(point *points, const centre *centres, int k, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = points[i].x, y = points[i].y, z = points[i].z, w = points[i].w, least = 1e30f;
	int nearest = 0;
	for (int c = 0; c < k; c++) {
		float dx = x - centres[c].x, dy = y - centres[c].y, dz = z - centres[c].z, dw = w - centres[c].w;
		float distance = dx * dx + dy * dy + dz * dz + dw * dw;
		if (distance < least) {
			least = distance;
			nearest = c;
		}
	}
	points[i].nearest = nearest;
}

__global__ void __launch_bounds__(256) add_up(const point *points, sum *sums, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int c = points[i].nearest & 63;
	atomicAdd(&sums[c].x, points[i].x);
	atomicAdd(&sums[c].y, points[i].y);
	atomicAdd(&sums[c].z, points[i].z);
	atomicAdd(&sums[c].w, points[i].w);
	atomicAdd(&sums[c].count, 1u);
}

int main()
{
	point *points;
	cudaMalloc(&points, (1 << 24) * sizeof(point));
	cudaMemset(points, 0, (1 << 24) * sizeof(point));
	centre *centres;
	cudaMalloc(&centres, 256 * sizeof(centre));
	cudaMemset(centres, 0, 256 * sizeof(centre));
	sum *sums;
	cudaMalloc(&sums, 256 * sizeof(sum));
	cudaMemset(sums, 0, 256 * sizeof(sum));
	assign<<<512, 256>>>(points, centres, 64, 131072);
	assign<<<4096, 256>>>(points, centres, 64, 1048576);
	assign<<<65536, 256>>>(points, centres, 16, 16777216);
	add_up<<<128, 256>>>(points, sums, 32768);
	add_up<<<1024, 256>>>(points, sums, 262144);
	add_up<<<4096, 256>>>(points, sums, 1048576);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
