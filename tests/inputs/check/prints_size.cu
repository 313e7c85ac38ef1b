// different aosa: line 2 of its output is .a record takes 16 bytes., not .a record takes 12 bytes.
// same soa: status 0, 3 lines of output, and 1 copy to the host
// The size of the record is that of its layout where the layout keeps the record.
#include <cstdio>
struct body {
	float x, y, z;
};

__global__ void step(body *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i].x += p[i].y * p[i].z;
}

int main()
{
	const int n = 40;
	static body h[n];
	body *d;
	for (int i = 0; i < n; i++)
		h[i] = {1.0f * i, 2, 3};
	cudaMalloc(&d, n * sizeof(body));
	cudaMemcpy(d, h, n * sizeof(body), cudaMemcpyHostToDevice);
	step<<<1, 64>>>(d, n);
	cudaMemcpy(h, d, n * sizeof(body), cudaMemcpyDeviceToHost);
	printf("%g\na record takes %d bytes\n%g\n", h[1].x, (int)sizeof(body), h[39].x);
	cudaFree(d);
	return 0;
}
