/* Kernels whose names begin with one word and which write what is alike: three variants, twice each. */
__global__ void sumPlain(const float *in, float *out)
{
	__shared__ float part[256];
	int t = threadIdx.x;
	part[t] = in[blockIdx.x * 256 + t];
	__syncthreads();
	for (int s = 1; s < 256; s *= 2) {
		int i = 2 * s * t;
		if (i < 256)
			part[i] += part[i + s];
		__syncthreads();
	}
	if (t == 0)
		out[blockIdx.x] = part[0];
}

__global__ void sumSequential(const float *in, float *out)
{
	__shared__ float part[256];
	int t = threadIdx.x;
	part[t] = in[blockIdx.x * 256 + t];
	__syncthreads();
	for (int s = 128; s > 0; s /= 2) {
		if (t < s)
			part[t] += part[t + s];
		__syncthreads();
	}
	if (t == 0)
		out[blockIdx.x] = part[0];
}

template <int count> __global__ void sum_many(const float *in, float *out)
{
	float sum = 0;
	for (int k = 0; k < count; k++)
		sum += in[(blockIdx.x * 256 + threadIdx.x) * count + k];
	atomicAdd(&out[blockIdx.x % 16], sum);
}

__global__ void clear(float *out)
{
	out[threadIdx.x] = 0;
}

int main()
{
	float *in, *out;
	cudaMalloc(&in, (1 << 20) * sizeof(float));
	cudaMalloc(&out, (1 << 12) * sizeof(float));
	clear<<<1, 256>>>(out);
	for (int n = 0; n < 1; n++) {
		sumPlain<<<1024, 256>>>(in, out);
		sumSequential<<<1024, 256>>>(in, out);
		sum_many<4><<<256, 256>>>(in, out);
	}
	sumPlain<<<4096, 256>>>(in, out);
	sumSequential<<<4096, 256>>>(in, out);
	sum_many<8><<<512, 256>>>(in, out);
	return 0;
}
