// Two sets of separate arrays for one kernel: the kernel can be rewritten, the host side would need two arrays of records.
// args: --group x,y
// incomplete: the host side is left as it is
__global__ void add(const float *x, float *y)
{
	y[threadIdx.x] += x[threadIdx.x];
}

int main(void)
{
	float *a, *b, *c, *d;

	cudaMalloc(&a, 32 * sizeof(float));
	cudaMalloc(&b, 32 * sizeof(float));
	cudaMalloc(&c, 32 * sizeof(float));
	cudaMalloc(&d, 32 * sizeof(float));
	add<<<1, 32>>>(a, b);
	add<<<1, 32>>>(c, d);
	return 0;
}
