// Where the first blocks of a grid go, and how long they take, when the grid's other blocks end at once: how many SMs got how many of them.
//
//     nvcc -O3 -arch=sm_90 -o placement placement.cu && ./placement >../measured/placement-h100.csv
#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void place(int busy, int rounds, unsigned *sm, float *out)
{
	unsigned id;

	if (blockIdx.x >= (unsigned)busy)
		return;
	asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
	if (threadIdx.x == 0)
		sm[blockIdx.x] = id;
	float a = threadIdx.x;
	for (int i = 0; i < rounds; i++)
		a = a * 1.0001f + 0.5f;
	out[blockIdx.x * blockDim.x + threadIdx.x] = a;
}

int main()
{
	unsigned *sm;
	float *out;
	cudaDeviceProp properties;
	cudaEvent_t begin, end;

	cudaGetDeviceProperties(&properties, 0);
	cudaMalloc(&sm, 1 << 20);
	cudaMalloc(&out, 1 << 26);
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	printf("threads,busy,grid,us,sms_by_busy_blocks\n");
	for (int threads : {64, 128, 256, 512, 1024})
		for (int busy : {132, 264, 391, 528, 1056, 2112})
			for (int grid : {busy, busy + busy / 4, 2 * busy, 4 * busy, 16 * busy, 100096}) {
				std::vector<unsigned> host(busy), count(properties.multiProcessorCount), histogram(64);
				std::vector<float> times;

				for (int repeat = 0; repeat < 7; repeat++) {
					float ms;
					cudaEventRecord(begin);
					place<<<grid, threads>>>(busy, 20000, sm, out);
					cudaEventRecord(end);
					cudaEventSynchronize(end);
					cudaEventElapsedTime(&ms, begin, end);
					times.push_back(ms * 1e3f);
				}
				std::sort(times.begin(), times.end());
				cudaMemcpy(host.data(), sm, busy * sizeof(unsigned), cudaMemcpyDeviceToHost);
				for (unsigned id : host)
					count[id]++;
				for (unsigned n : count)
					histogram[std::min(n, 63u)]++;
				printf("%d,%d,%d,%.1f,", threads, busy, grid, times[3]);
				for (int n = 0, any = 0; n < 64; n++)
					if (histogram[n])
						printf("%s%d:%u", any++ ? " " : "", n, histogram[n]);
				printf("\n");
			}
	return 0;
}
