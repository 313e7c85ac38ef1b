// Two kernels that inline the same function: which of their lines calls it.
__device__ inline float half_of(float x)
{
	return 0.5f * x;
}

__global__ void first(float *a)
{
	a[threadIdx.x] = half_of(a[threadIdx.x]);
}

__global__ void second(float *a, const float *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	a[i] = b[i] + half_of(a[i]);
}
