// launch _Z6stridePfxx grid 2 block 64 args p0 3 5
// launch _Z4bitsPyy grid 2 block 64 args p0 0x123456789abc
// launch _Z5smallPsPhi grid 2 block 64 args p0 p1 5
// launch _Z7logicalPjj grid 2 block 64 args p0 13
// launch _Z4meanPdPKdi grid 2 block 64 args p0 p1 100
// 64-bit arithmetic on pairs of registers, narrow types, logic by tables.
__global__ void stride(float *a, long long n, long long m)
{
	long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;

	for (long long j = i * n; j < i * n + m; j += 2)
		a[j] = a[j * 2 + 1] * 2;
	if (i * n > m * m)
		a[i + n * m] = 1;
	if ((unsigned long long)i < (unsigned long long)n)
		a[2 * i + 3000] = 3;
	a[4000 + (i << 3) - (i >> 1)] = 1;
}

__global__ void bits(unsigned long long *a, unsigned long long n)
{
	unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x;

	a[i] = (i * n) ^ (n >> i % 40) ^ (n << (i & 15));
	a[200 + (i * n >> 20) % 100] = __umul64hi(i << 40, n);
	a[400 + i] = min(i * n % 1000, n / (i + 1));
	a[600 + i] = __popcll(n * i);
	a[800 + ((long long)(i - 60) >> 3)] = (long long)(i - 60) * (long long)n;
}

__global__ void small(short *a, unsigned char *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	a[i] = b[i * 2] + (short)n * a[i + 7];
	b[i + 300] = (unsigned char)(a[i] >> 2);
	a[500 + (short)(i * n)] = i;
	a[1000 + (signed char)(i * 3)] = 1;
}

__global__ void logical(unsigned *a, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	a[__brev(i) >> 24] = __popc(i) + ((i ^ n) & ~(n << 3) | (i & 5));
	a[300 + ((i << 3) | (i >> 5)) % 512] = min(i, n) + max(i, n) + abs((int)(n - i));
	a[1024 + __byte_perm(i, n, 0x2103) % 97] = i;
	a[2000 + ((i >> 3) & 7) * 8 + (i & 7)] = 1;
}

__global__ void mean(double *a, const double *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		a[i] = b[i] / a[i + 1];
}
