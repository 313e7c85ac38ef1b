// The program repeats a kernel until events say that it took long enough, and sizes its grid by the GPU.
// launch: work 264x1x1 512x1x1 0 3
// launch: work 528x1x1 512x1x1 0 1
#include <cstdio>
__global__ void work(float *x)
{
	x[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}
int main()
{
	cudaDeviceProp properties;
	cudaEvent_t begin, end;
	cudaStream_t stream;
	float *x, total = 0;
	int blocks = 0, runs = 0;
	cudaGetDeviceProperties(&properties, 0);
	cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work, 512, 0);
	cudaStreamCreate(&stream);
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	cudaMallocAsync((void **)&x, properties.multiProcessorCount * 4 * 512 * sizeof(float), stream);
	for (; total <= 0 || runs < 3; runs++) {
		float ms = 0;
		cudaEventRecord(begin, stream);
		work<<<2 * properties.multiProcessorCount, 512, 0, stream>>>(x);
		cudaEventRecord(end, stream);
		cudaEventSynchronize(end);
		cudaEventElapsedTime(&ms, begin, end);
		total += ms;
	}
	if (blocks != 4)
		return 1;
	work<<<blocks * properties.multiProcessorCount, 512, 0, stream>>>(x);
	cudaFreeAsync(x, stream);
	return cudaStreamSynchronize(stream) || total > 1000;
}
