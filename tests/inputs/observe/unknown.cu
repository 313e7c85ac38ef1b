// A function of the runtime that the stand-in does not have returns an error, which the program sees.
// launch: fill 2x1x1 32x1x1 0 1
// says: functions that --observe does not know, and sees an error; give --grid and --block where launches are missing: cudaIpcGetMemHandle
__global__ void fill(int *x)
{
	x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
int main()
{
	int *x;
	cudaIpcMemHandle_t handle;
	cudaMalloc(&x, 64 * sizeof(int));
	if (cudaIpcGetMemHandle(&handle, x) == cudaSuccess)
		return 1;
	fill<<<2, 32>>>(x);
	return cudaDeviceSynchronize();
}
