/* Of one copy nobody knows how large it is: the table and the sum say so. */
#include <cstdio>
#include <cstdlib>
__global__ void scale(float *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		a[i] *= 2;
}

__global__ void shift(float *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		a[i] += 2;
}

int main()
{
	const int n = 1 << 20;
	float *a = (float *)malloc(n * sizeof(float)), *d;
	size_t some = rand();
	cudaMalloc(&d, n * sizeof(float));
	cudaMemcpy(d, a, n * sizeof(float), cudaMemcpyHostToDevice);
	scale<<<n / 256, 256>>>(d, n);
	shift<<<n / 256, 256>>>(d, n);
	cudaMemcpy(a, d, some, cudaMemcpyDeviceToHost);
	cudaFree(d);
	free(a);
	return 0;
}
