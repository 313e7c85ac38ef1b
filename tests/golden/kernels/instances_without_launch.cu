/* args: --compare-kernels 'sum<64>,sum<512>' */
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

