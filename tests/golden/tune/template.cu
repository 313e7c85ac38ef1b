/* args: --tune ROWS=1,2,4 --tune T=float,double */
template <typename T, int BLOCK, int ROWS> __global__ void scale(T *a, T f)
{
	int i = blockIdx.x * BLOCK * ROWS + threadIdx.x;
	for (int row = 0; row < ROWS; row++)
		a[i + row * BLOCK] *= f;
}
constexpr int B = 128;

int main()
{
	double *a;
	cudaMalloc(&a, (1 << 20) * sizeof *a);
	scale<double, B, 1><<<(1 << 20) / (B * 4), B>>>(a, 2);
	return 0;
}
