// Each repetition begins anew with what it takes smaller and smaller.
__global__ void reduce(float *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] += p[i + n];
}

int main()
{
	float *p;
	int n;
	cudaMalloc(&p, 4 << 20);
	for (int round = 0; round < 300; round++) {
		n = 1 << 16;
		while (n > 1 << 14) {
			n /= 2;
			reduce<<<(n + 255) / 256, 256>>>(p, n);
		}
	}
	reduce<<<1, 256>>>(p, n);
}
