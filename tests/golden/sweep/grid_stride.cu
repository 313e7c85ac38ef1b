/* args: --sweep grid=16:1024:x8 */
__global__ void sum(const float *in, float *out, int n)
{
	float s = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		s += in[i];
	out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

int main()
{
	float *in, *out;
	cudaMalloc(&in, 1000000 * sizeof(float));
	cudaMalloc(&out, 1000000 * sizeof(float));
	sum<<<64, 256>>>(in, out, 1000000);
	return 0;
}
