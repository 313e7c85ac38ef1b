/* args: --tune launch_bounds=0,8 --tune block=128,256 */
/* The bound names the block that the launch has, so that another block is another text. */
__global__ void mix(const float *a, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v[40], sum = 0;
	for (int k = 0; k < 40; k++)
		v[k] = a[i + k * n];
	for (int k = 0; k < 40; k++)
		sum = sum * v[k] + v[39 - k];
	out[i] = sum;
}
__global__ void __launch_bounds__(256) twice(float *a)
{
	a[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}
int main()
{
	float *a, *out;
	int n = 1 << 16;
	cudaMalloc(&a, 40 * n * sizeof *a);
	cudaMalloc(&out, n * sizeof *out);
	mix<<<n / 256, 256>>>(a, out, n);
	twice<<<n / 256, 256>>>(out);
	return 0;
}
