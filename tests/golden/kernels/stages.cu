/* One goes on with what the other makes: no variants of one job. */
__global__ void filter_rows(const float *in, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = 0.5f * (in[i] + in[i + 1]);
}

__global__ void filter_columns(const float *in, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = 0.5f * (in[i] + in[i + 256]);
}

int main()
{
	float *a, *b, *c;
	cudaMalloc(&a, 70000 * sizeof(float));
	cudaMalloc(&b, 70000 * sizeof(float));
	cudaMalloc(&c, 70000 * sizeof(float));
	filter_rows<<<256, 256>>>(a, b);
	filter_columns<<<256, 256>>>(b, c);
	return 0;
}
