// Copies of whole arrays of records between device arrays, and a fill, in a stream and without one.
#include <cstdio>
struct row { float x, y, z; };
__global__ void step(const row *a, row *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		b[i].x = a[i].x + a[i].y;
		b[i].y = a[i].y * 0.5f;
		b[i].z = a[i].z + i;
	}
}
int main()
{
	int n = 1000;
	row *h = new row[n](), *a, *b;
	cudaStream_t stream;
	float sum = 0;

	cudaStreamCreate(&stream);
	for (int i = 0; i < n; i++)
		h[i].y = i;
	cudaMalloc(&a, n * sizeof(row));
	cudaMalloc(&b, n * sizeof(row));
	cudaMemsetAsync(b, 0, n * sizeof(row), stream);
	cudaMemcpy(a, h, n * sizeof(row), cudaMemcpyHostToDevice);
	for (int i = 0; i < 10; i++) {
		step<<<(n + 255) / 256, 256, 0, stream>>>(a, b, n);
		cudaMemcpyAsync(a, b, n * sizeof(row), cudaMemcpyDeviceToDevice, stream);
	}
	cudaStreamSynchronize(stream);
	cudaMemcpyAsync(b, a, 33 * sizeof(row), cudaMemcpyDeviceToDevice);
	cudaMemcpy(h, b, n * sizeof(row), cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i++)
		sum += h[i].x * (i % 7) + h[i].z;
	printf("%g\n", sum);
	cudaFree(a);
	cudaFree(b);
	delete[] h;
	return 0;
}
