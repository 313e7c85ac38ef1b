// Limits of the device that decide on grid and block.
__global__ void fill(float *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] = 1.0f;
}

static void sizes(int n, int &blocks, int &threads)
{
	cudaDeviceProp prop;
	cudaGetDeviceProperties(&prop, 0);
	threads = n < prop.maxThreadsDim[0] ? n : 256;
	blocks = (n + threads - 1) / threads;
	if (blocks > prop.maxGridSize[0]) {
		blocks /= 2;
		threads *= 2;
	}
}

int main()
{
	float *p;
	int blocks, threads;
	cudaMalloc(&p, 4 << 20);
	sizes(1 << 20, blocks, threads);
	fill<<<blocks, threads>>>(p, 1 << 20);
	sizes(100, blocks, threads);
	fill<<<blocks, threads>>>(p, 100);
}
