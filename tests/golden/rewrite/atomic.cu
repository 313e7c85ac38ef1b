// The address of one scalar is as good in any layout.
#include <stdio.h>

struct bin {
	int hits;
	float weight;
};

__global__ void count(bin *bins, int n)
{
	atomicAdd(&bins[threadIdx.x % n].hits, 1);
	atomicAdd(&bins[threadIdx.x % n].weight, 0.5f);
}

int main(void)
{
	bin host[7] = {}, *bins;

	cudaMalloc(&bins, sizeof(host));
	cudaMemcpy(bins, host, sizeof(host), cudaMemcpyHostToDevice);
	count<<<2, 32>>>(bins, 7);
	cudaMemcpy(host, bins, sizeof(host), cudaMemcpyDeviceToHost);
	for (int i = 0; i < 7; i++)
		printf("%d %g\n", host[i].hits, host[i].weight);
	cudaFree(bins);
	return 0;
}
