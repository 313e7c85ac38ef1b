// Loops of launches are counted: nested, triangular, with breaks, and a thousand million times in no time.
__global__ void k(float *a, int n) { a[threadIdx.x] = n; }
__global__ void bitonic(int *a, int j, int k) { a[threadIdx.x] = a[threadIdx.x ^ j] + k; }
int main(int argc, char **argv) {
	float *a;
	int *b, n = 1 << 20, m = 4;
	cudaMalloc((void **)&a, n * sizeof(float));
	cudaMalloc((void **)&b, n * sizeof(int));
	for (int i = 0; i < 1000000000; i++)
		k<<<n / 256, 256>>>(a, n);
	for (long i = 0; i < 1000000000000L; i += 3)
		for (int j = 1000000; j != 0; j -= 2)
			k<<<3, 32>>>(a, 1);
	for (int kk = 2; kk <= n; kk <<= 1)
		for (int j = kk >> 1; j > 0; j >>= 1)
			bitonic<<<n / 512, 512>>>(b, j, kk);
	while (m--)
		k<<<1, 32>>>(a, m);
	do {
		k<<<2, 32>>>(a, 3);
		m++;
	} while (m < 7);
	for (int t = 0; t < n - 1; t++)
		k<<<(n - t + 255) / 256, 256>>>(a, t);
	for (float x = 0; x < 10; x += 0.5f)
		k<<<4, 32>>>(a, 1);
	for (int i = 0;; i++) {
		if (i % 2)
			continue;
		if (i > 7)
			break;
		k<<<5, 32>>>(a, i);
	}
	for (int i = 0; i < 100; i++) {
		k<<<6, 32>>>(a, 0);
		if (cudaDeviceSynchronize() != cudaSuccess)
			return 1;
		if (argc > i)
			break;
	}
	int p = 1;
	while (p < n)
		p *= 2;
	k<<<p / 1024, 32>>>(a, p);
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < i; j++)
			if (j % 2 == 0)
				k<<<7 + i, 32>>>(a, j);
}
