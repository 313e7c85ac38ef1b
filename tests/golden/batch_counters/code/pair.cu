struct pair
{
	float a, b;
};

__global__ void add(const struct pair *p, float *sum, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		sum[i] = p[i].a + p[i].b;
}

template <int STRIDE> __global__ void turn(const float *in, float *out)
{
	__shared__ float tile[32 * STRIDE];
	tile[threadIdx.y * STRIDE + threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
	__syncthreads();
	out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x * STRIDE + threadIdx.y];
}

int main()
{
	struct pair *p;
	float *sum;
	cudaMalloc(&p, N * sizeof *p);
	cudaMalloc(&sum, N * sizeof *sum);
	add<<<N / 256, 256>>>(p, sum, N);
	add<<<N / 256, 256>>>(p, sum, N / 2);
	turn<32><<<1, dim3(32, 32)>>>(sum, sum + 1024);
	turn<33><<<1, dim3(32, 32)>>>(sum, sum + 1024);
}
