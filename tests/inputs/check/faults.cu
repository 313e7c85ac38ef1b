// not checked: kernel step of the program did not run to its end on this CPU: it accesses an address that is not in its memory
#include <cstdio>
struct body {
	float x, y, z;
};

__global__ void step(body *p, float *unset, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i].x += p[i].y * unset[i];
}

int main()
{
	const int n = 40;
	static body h[n];
	body *d;
	cudaMalloc(&d, n * sizeof(body));
	cudaMemcpy(d, h, n * sizeof(body), cudaMemcpyHostToDevice);
	step<<<1, 64>>>(d, NULL, n);
	cudaMemcpy(h, d, n * sizeof(body), cudaMemcpyDeviceToHost);
	printf("%g\n", h[1].x);
	cudaFree(d);
	return 0;
}
