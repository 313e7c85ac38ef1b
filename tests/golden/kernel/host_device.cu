// What the runtime tells of the device and of occupancy.
#include <algorithm>
__global__ void k(float *a, int n) { a[threadIdx.x] = n; }
int main() {
	cudaDeviceProp properties;
	int count, grid, block, active, threads = 128;
	float *a;
	cudaMalloc(&a, 4096);
	if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess)
		return 1;
	cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
	k<<<4 * properties.multiProcessorCount, properties.warpSize>>>(a, count);
	cudaOccupancyMaxPotentialBlockSize(&grid, &block, k, 0, 0);
	k<<<grid, block>>>(a, 1);
	cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, k, threads, 0);
	k<<<std::min(active * count, 4096), threads>>>(a, 2);
}
