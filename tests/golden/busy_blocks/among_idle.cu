// The same work at the front of a grid, in every second block of one, and in a grid of its own: idle blocks between do not make the launch longer.
__global__ void front(int m, int busy, const float *x, float *out)
{
	if (blockIdx.x >= busy)
		return;
	float a = 0;
	for (int j = 0; j < m; j++)
		a += x[j] + a * 0.5f;
	out[blockIdx.x * blockDim.x + threadIdx.x] = a;
}
__global__ void every_second(int m, const float *x, float *out)
{
	if (blockIdx.x == 1)
		return;
	float a = 0;
	for (int j = 0; j < m; j++)
		a += x[j] + a * 0.5f;
	out[blockIdx.y * blockDim.x + threadIdx.x] = a;
}
__global__ void alone(int m, const float *x, float *out)
{
	float a = 0;
	for (int j = 0; j < m; j++)
		a += x[j] + a * 0.5f;
	out[blockIdx.x * blockDim.x + threadIdx.x] = a;
}
int main()
{
	float *x, *out;
	cudaMalloc(&x, 2000 * sizeof(float));
	cudaMalloc(&out, 4096 * 256 * sizeof(float));
	front<<<100000, 256>>>(2000, 528, x, out);
	every_second<<<dim3(2, 4096), 256>>>(2000, x, out);
	alone<<<4096, 256>>>(2000, x, out);
}
