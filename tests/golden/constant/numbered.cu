/* Words of constant memory that registers number: other ones for each lane, or the loop's; and one that the code names, of which nothing is said. */
__constant__ float words[256];

__global__ void lanes(float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = words[i % 255] + words[7];
}

__global__ void loop(const float *in, float *out, int taps)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < taps; k++)
		sum += words[k] * in[i + k];
	out[i] = sum;
}

int main()
{
	float *in, *out;
	cudaMalloc(&in, 131328 * sizeof(float));
	cudaMalloc(&out, 131072 * sizeof(float));
	lanes<<<512, 256>>>(out, 131072);
	loop<<<512, 256>>>(in, out, 256);
	cudaDeviceSynchronize();
	return 0;
}
