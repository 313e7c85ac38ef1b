// args: --machine v100
__global__ void scale(float *p, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		p[i] *= 2;
}
int main()
{
	cudaDeviceProp properties;
	cudaGetDeviceProperties(&properties, 0);
	float *p;
	int n = 1 << 20, block, grid, processors;
	cudaMalloc(&p, n * sizeof(float));
	scale<<<4 * properties.multiProcessorCount, properties.warpSize>>>(p, n);
	cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
	scale<<<processors, 128>>>(p, n);
	cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale, 0, 0);
	scale<<<grid, block>>>(p, n);
}
