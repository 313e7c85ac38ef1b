// The grid of a reduction shrinks; dynamic shared memory follows the block.
// run: 1000000
// launch: reduce 3907x1x1 256x1x1 1024 1
// launch: reduce 16x1x1 256x1x1 1024 1
// launch: reduce 1x1x1 256x1x1 1024 1
#include <cstdlib>
__global__ void reduce(const int *in, int *out, int n)
{
	extern __shared__ int part[];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	part[threadIdx.x] = i < n ? in[i] : 0;
	__syncthreads();
	for (int s = blockDim.x / 2; s > 0; s >>= 1) {
		if (threadIdx.x < s)
			part[threadIdx.x] += part[threadIdx.x + s];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = part[0];
}
int main(int argc, char **argv)
{
	int n = atoi(argv[1]), *a, *b;
	cudaMalloc(&a, n * sizeof(int));
	cudaMalloc(&b, n * sizeof(int));
	do {
		int blocks = (n + 255) / 256;
		reduce<<<blocks, 256, 256 * sizeof(int)>>>(a, b, n);
		int *t = a;
		a = b;
		b = t;
		n = blocks;
	} while (n > 1);
	return cudaThreadSynchronize(); // of old toolkits
}
