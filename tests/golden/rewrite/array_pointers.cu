// Separate arrays whose pointers are passed on, offset and stepped: they become pointers to a member of the records.
// args: --group a,b,c
#include <stdio.h>
#define N 8
typedef float real;

__device__ real dot(const real *row, const real *column, int n)
{
	real sum = 0;

	for (int k = 0; k < n; k++, column += n)
		sum += row[k] * *column;
	return sum;
}

__global__ void multiply(const real *a, const real *b, real *c, int n)
{
	int i = threadIdx.y, j = threadIdx.x;
	const real *row = &a[i * n];
	real *out = c + i * n;

	out[j] = dot(row, b + j, n) + row[0];
	real &last = c[i * n + j];
	last += 1;
}

int main(void)
{
	static real host_a[N * N], host_b[N * N], host_c[N * N];
	real *a, *b, *c;

	for (int i = 0; i < N * N; i++) {
		host_a[i] = i;
		host_b[i] = i % 5;
	}
	cudaMalloc(&a, N * N * sizeof(real));
	cudaMalloc(&b, N * N * sizeof(real));
	cudaMalloc(&c, N * N * sizeof(real));
	cudaMemcpy(a, host_a, N * N * sizeof(real), cudaMemcpyHostToDevice);
	cudaMemcpy(b, host_b, N * N * sizeof(real), cudaMemcpyHostToDevice);
	multiply<<<1, dim3(N, N)>>>(a, b, c, N);
	cudaMemcpy(host_c, c, N * N * sizeof(real), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N * N; i++)
		printf("%g\n", host_c[i]);
	cudaFree(a);
	cudaFree(b);
	cudaFree(c);
	return 0;
}
