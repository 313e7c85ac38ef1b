/* args: --compare-kernels 'sum<256>,sum<128>' */
template <int block> __global__ void sum(const float *in, float *out)
{
	__shared__ float part[block];
	int t = threadIdx.x;
	part[t] = in[blockIdx.x * block + t];
	__syncthreads();
	for (int s = block / 2; s > 0; s /= 2) {
		if (t < s)
			part[t] += part[t + s];
		__syncthreads();
	}
	if (t == 0)
		out[blockIdx.x] = part[0];
}

int main()
{
	float *in, *out;
	cudaMalloc(&in, (1 << 20) * sizeof(float));
	cudaMalloc(&out, (1 << 14) * sizeof(float));
	sum<128><<<(1 << 20) / 128, 128>>>(in, out);
	return 0;
}
