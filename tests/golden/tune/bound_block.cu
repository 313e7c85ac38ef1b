/* args: --top 6 */
/* What a block sums up stays with the block's size. */
__global__ void sums(const float *a, float *out, int n)
{
	__shared__ float parts[256];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	parts[threadIdx.x] = i < n ? a[i] : 0;
	for (int half = blockDim.x / 2; half > 0; half /= 2) {
		__syncthreads();
		if (threadIdx.x < half)
			parts[threadIdx.x] += parts[threadIdx.x + half];
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = parts[0];
}

int main()
{
	float *a, *out;
	int n = 1 << 20;
	cudaMalloc(&a, n * sizeof *a);
	cudaMalloc(&out, n / 256 * sizeof *out);
	sums<<<n / 256, 256>>>(a, out, n);
	return 0;
}
