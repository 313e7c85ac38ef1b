// launch _Z8switchedPiii grid 2 block 64 args p0 0 100
// launch _Z8switchedPiii grid 2 block 64 args p0 1 100
// launch _Z8switchedPiii grid 2 block 64 args p0 3 100
// launch _Z8switchedPiii grid 2 block 64 args p0 5 100
// launch _Z8switchedPiii grid 2 block 64 args p0 7 100
// launch _Z8switchedPiii grid 2 block 64 args p0 8 100
// launch _Z6calledPfi grid 2 block 64 estimated args p0 5
// launch _Z6partedPii grid 2 block 96 estimated args p0 50
// launch _Z10left_earlyPii grid 2 block 64 args p0 13
// launch _Z6ballotPii grid 2 block 64 args p0 13
// launch _Z6nestedPfii grid 2,2 block 8,8 args p0 40 3
// Jump tables, calls, lanes that part and meet, loops left early.
__global__ void switched(int *p, int k, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int v = p[i];

	switch (k) {
	case 0: v += 3; break;
	case 1: v *= 7; p[i + n] = 1; break;
	case 2: v ^= p[i + 1]; break;
	case 3: v = v / n; break;
	case 4: v = __popc(v); p[i + 5] = 2; break;
	case 5: v = p[i + 9] * v; break;
	case 6: p[i + 77] = 4; break;
	case 7: p[3] = v;
	}
	p[i] = v;
}

__device__ __noinline__ float summed(const float *a, float x, int n)
{
	float s = 0;

	for (int i = 0; i < n; i++)
		s += a[i] * x;
	return s;
}

__global__ void called(float *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	a[1000 + i] = summed(a, a[i], n) + summed(a + i, a[i * 3], n + 1);
}

__global__ void parted(int *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0;

	if (i % 3 == 0) {
		for (int j = 0; j < i % 7; j++)
			s += a[j];
		a[i] = s;
	} else if (i % 3 == 1) {
		for (int j = 0; j < 5; j++)
			s += a[j * n];
		a[i + 500] = s;
	}
	a[1000 + i] = s * i;
}

__global__ void left_early(int *a, int n)
{
	int i = threadIdx.x;

	while (true) {
		a[i]++;
		if (i > n)
			break;
		i += 3;
		if (i == 30)
			continue;
		a[i + 100]--;
	}
}

__global__ void ballot(int *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned b = __ballot_sync(~0u, i % 3 == 0);
	int v = __shfl_xor_sync(~0u, i, n & 31);

	a[i] = __popc(b & ((1u << (i & 31)) - 1));
	a[200 + v] = __shfl_up_sync(~0u, v, 2);
	a[400 + i] = __any_sync(~0u, i > 40) + __all_sync(~0u, i >= 0);
}

__global__ void nested(float *a, int n, int k)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

	for (int z = 0; z < k; z++)
		for (int w = z; w < k + 2; w++)
			a[(z * n + y) * n + x] += a[(w * n + x) * n + y];
}
