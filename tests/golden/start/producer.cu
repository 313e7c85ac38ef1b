/* args: --start program */
/* A consumer finds in the L2 what its producer stored; what nobody used before comes from DRAM. */
__global__ void make(float *a)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	a[i] = i;
}

__global__ void take(const float *a, const float *b, float *c)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	c[i] = a[i] + b[i];
}

int main()
{
	const int n = 1 << 18;
	float *a, *b, *c;
	cudaMalloc(&a, n * sizeof(float));
	cudaMalloc(&b, n * sizeof(float));
	cudaMalloc(&c, n * sizeof(float));
	make<<<n / 256, 256>>>(a);
	take<<<n / 256, 256>>>(a, b, c);
	cudaFree(a);
	cudaFree(b);
	cudaFree(c);
}
