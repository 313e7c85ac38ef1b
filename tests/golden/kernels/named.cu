/* args: --compare-kernels 'last,copy<2>' */
template <int step> __global__ void copy(const int *in, int *out)
{
	int i = (blockIdx.x * blockDim.x + threadIdx.x) * step;
	out[i] = in[i];
}

__global__ void last(const int *in, int *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = in[i + 1];
}

int main()
{
	int *in, *out;
	cudaMalloc(&in, 8 * 65537 * sizeof(int));
	cudaMalloc(&out, 8 * 65537 * sizeof(int));
	copy<1><<<256, 256>>>(in, out);
	copy<2><<<256, 256>>>(in, out);
	last<<<256, 256>>>(in, out);
	return 0;
}
