/* args: --model hong-kim --machine h200,a100 --tune block=32,256,1024 */
/* One block for two GPUs. */
__global__ void add(const float *a, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = a[i] + 1;
}
int main()
{
	float *a, *out;
	int n = 1 << 20;
	cudaMalloc(&a, n * sizeof *a);
	cudaMalloc(&out, n * sizeof *out);
	add<<<n / 256, 256>>>(a, out, n);
	return 0;
}
