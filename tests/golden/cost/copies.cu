/* What two kernels and the copies beside them cost: pageable and pinned memory, both ways, through a macro that checks. */
#include <cstdio>
#include <cstdlib>
#define CHECK(call) \
	do { \
		cudaError_t error = (call); \
		if (error != cudaSuccess) \
			exit(1); \
	} while (0)

__global__ void scale(float *a, float by, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		a[i] *= by;
}

__global__ void add(float *a, const float *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		a[i] += b[i];
}

int main()
{
	const int n = 1 << 20;
	float *a, *b, *d_a, *d_b;
	a = (float *)malloc(n * sizeof(float));
	CHECK(cudaMallocHost(&b, n * sizeof(float)));
	CHECK(cudaMalloc(&d_a, n * sizeof(float)));
	CHECK(cudaMalloc(&d_b, n * sizeof(float)));
	CHECK(cudaMemcpy(d_a, a, n * sizeof(float), cudaMemcpyHostToDevice));
	for (int t = 0; t < 10; t++) {
		CHECK(cudaMemcpy(d_b, b, n * sizeof(float), cudaMemcpyHostToDevice));
		add<<<n / 256, 256>>>(d_a, d_b, n);
	}
	scale<<<n / 256, 256>>>(d_a, 0.5f, n);
	CHECK(cudaMemcpy(a, d_a, n * sizeof(float), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(d_a));
	CHECK(cudaFree(d_b));
	CHECK(cudaFreeHost(b));
	free(a);
	return 0;
}
