// Accesses behind the end of an array whose size is known are said; those that a guard, or a shorter loop, keeps inside are not.
__global__ void near(float *a, int n)
{
	__shared__ float s[64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	s[threadIdx.x + 1] = i;
	if (i < n)
		a[i] = s[threadIdx.x];
	if (i < n - 1)
		a[i + 1] = 0;
	a[i + 1] = 1;
	for (int k = 0; k < 4; k++)
		a[4 * i + k] = 2;
	a[n - 1 - i] = 3;
	if (i > 0)
		a[i - 1] = 4;
}
int main()
{
	float *a;
	cudaMalloc(&a, 4096 * sizeof(float));
	near<<<64, 64>>>(a, 4096);
}
