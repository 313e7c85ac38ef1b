// Inlined functions, and a function that is called: what the line table says of them.
__device__ inline float half_of(float x)
{
	return 0.5f * x;
}

__device__ inline float quarter_of(float x)
{
	return half_of(half_of(x));
}

__device__ __noinline__ float far_from(float x, float y)
{
	float d = x - y;
	return d * d;
}

__global__ void lines(float *a, const float *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		a[i] = quarter_of(b[i]) + far_from(a[i], b[i + 1]);
}
