// Neighbouring elements that bound a loop go up evenly.
struct P { int c; float v; };
__global__ void k(const int *row, const P *a, const float *x, float *o, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float s = 0;
		for (int j = row[i]; j < row[i + 1]; j++)
			s += a[j].v * x[a[j].c];
		o[i] = s;
	}
}
int main()
{
	const int n = 65536;
	int *r;
	P *a;
	float *x, *o;
	cudaMalloc(&r, (n + 1) * 4);
	cudaMalloc(&a, 10 * n * sizeof(P));
	cudaMalloc(&x, n * 4);
	cudaMalloc(&o, n * 4);
	k<<<n / 256, 256>>>(r, a, x, o, n);
}
