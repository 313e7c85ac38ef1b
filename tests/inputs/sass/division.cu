// launch _Z15divide_unsignedPjj grid 5 block 256 args p0 7
// launch _Z15divide_unsignedPjj grid 5 block 256 args p0 1000
// launch _Z13divide_signedPii grid 5 block 96 args p0 13
// launch _Z13divide_signedPii grid 5 block 96 args p0 -13
// launch _Z17remainder_in_loopPiii grid 3 block 64 args p0 37 9
// launch _Z14divide_uniformPiii grid 20 block 64 args p0 3 64
// launch _Z11divide_longPiy grid 5 block 64 args p0 11
// launch _Z11divide_longPiy grid 5 block 64 args p0 0x300000007
// Divisions by numbers that are known only when the kernel runs: ptxas writes out a sequence for each.
__global__ void divide_unsigned(unsigned *a, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	a[i / n] = i % n;
}

__global__ void divide_signed(int *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	a[200 + i / n] = i % n;
}

__global__ void remainder_in_loop(int *a, int n, int m)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	for (int j = 0; j < m; j++)
		a[(i + j) % n] += 1;
}

__global__ void divide_uniform(int *a, int n, int m)
{
	int i = threadIdx.x;

	a[i + blockIdx.x / n * m] = blockIdx.x % n;
}

__global__ void divide_long(int *a, unsigned long long n)
{
	unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;

	a[i / n] = i % n;
}
