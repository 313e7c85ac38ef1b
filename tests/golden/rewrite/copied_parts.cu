// Copies of parts of arrays: between two device arrays, and between host and device.
#include <cstdio>
struct row { float x, y, z; };
__global__ void step(const row *a, row *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { b[i].x = a[i].x + a[i].y; b[i].y = a[i].y * 0.5f; b[i].z = a[i].z + i; } }
int main()
{
	int n = 4096, half = n / 2;
	row *h = new row[n](), *a, *b;
	for (int i = 0; i < n; i++) h[i].y = i;
	cudaMalloc(&a, n * sizeof(row));
	cudaMalloc(&b, n * sizeof(row));
	cudaMemset(b, 0, n * sizeof(row));
	cudaMemcpy(a, h, half * sizeof(row), cudaMemcpyHostToDevice);
	cudaMemcpy(a + half, h + half, half * sizeof(row), cudaMemcpyHostToDevice);
	for (int i = 0; i < 10; i++) {
		step<<<16, 256>>>(a, b, n);
		cudaMemcpy(&a[i], b, (n - i) * sizeof(row), cudaMemcpyDeviceToDevice);
	}
	cudaMemcpyAsync(a, b + half, 33 * sizeof(row), cudaMemcpyDeviceToDevice);
	cudaMemcpy(h + 1, &a[1], (n - 1) * sizeof(row), cudaMemcpyDeviceToHost);
	float s = 0;
	for (int i = 0; i < n; i++) s += h[i].x * (i % 7) + h[i].z;
	printf("%g\n", s);
	cudaFree(a);
	cudaFree(b);
	delete[] h;
	return 0;
}
