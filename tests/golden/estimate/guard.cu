struct pair { float a, b; };
__global__ void copy(const pair *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = p[i].a + p[i].b;
}
void launch(const pair *p, float *out) { copy<<<4, 64>>>(p, out, 200); }
