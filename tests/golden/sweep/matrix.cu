/* args: --sweep n=512:8192:x4 */
__global__ void transpose(const float *in, float *out, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < n && y < n)
		out[x * n + y] = in[y * n + x];
}

int main()
{
	float *in, *out;
	int n = 1024;
	cudaMalloc(&in, n * n * sizeof(float));
	cudaMalloc(&out, n * n * sizeof(float));
	transpose<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(in, out, n);
	return 0;
}
