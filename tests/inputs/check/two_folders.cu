// same soa: status 0, 1 line of output, and 1 copy to the host
// same aosa: status 0, 1 line of output, and 1 copy to the host
// same asta: status 0, 1 line of output, and 1 copy to the host
// others: folder/kernel.cu
#include <cstdio>
#include "two_folders.h"
__global__ void move(body *p);
int main()
{
	static body h[64];
	body *d;
	for (int i = 0; i < 64; i++)
		h[i] = {1.0f * i, 2, 3};
	cudaMalloc(&d, sizeof h);
	cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
	move<<<2, 32>>>(d);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("%g\n", h[3].x);
	cudaFree(d);
	return 0;
}
