// Memory that is really used is limited; device memory that nobody touches is not.
// flags: --limit-memory 512
// launch: fill 2x1x1 32x1x1 0 1
// says: the program ended with more memory than it may use (--limit-memory)
#include <cstdlib>
#include <cstring>
__global__ void fill(char *x)
{
	x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
int main()
{
	char *x;
	if (cudaMalloc(&x, 40ULL << 30) != cudaSuccess)
		return 1;
	fill<<<2, 32>>>(x);
	for (size_t i = 0;; i++)
		memset(malloc(1 << 20), 1, 1 << 20);
}
