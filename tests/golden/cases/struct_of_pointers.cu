// args: --extent m.columns=40000
#include <cstdlib>
struct matrix {
	const int *rows, *columns;
	const float *values;
	int n;
};
struct vectors {
	const float *x;
	float *y;
};
__global__ void multiply(matrix m, vectors v)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	if (row >= m.n)
		return;
	for (int i = m.rows[row]; i < m.rows[row + 1]; i++)
		sum += m.values[i] * v.x[m.columns[i]];
	v.y[row] = sum;
}
int main()
{
	matrix m;
	vectors v;
	m.n = 4096;
	cudaMalloc(&m.rows, (m.n + 1) * sizeof(int));
	cudaMalloc(&m.columns, 10 * m.n * sizeof(int));
	cudaMalloc(&m.values, 10 * m.n * sizeof(float));
	cudaMalloc(&v.x, m.n * sizeof(float));
	cudaMalloc(&v.y, m.n * sizeof(float));
	multiply<<<16, 256>>>(m, v);
}
