// Each thread goes from its own number on: more trips are listed than most threads have, never less.
__global__ void sums(const float *in, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
#pragma unroll 1
	for (int k = 0; k < (int)blockIdx.x; k++)
		sum += in[k * n + i];
	out[i] = sum;
}
int main()
{
	float *in, *out;
	cudaMalloc(&in, 512 * 512 * 4);
	cudaMalloc(&out, 512 * 4);
	sums<<<8, 64>>>(in, out, 512);
}
