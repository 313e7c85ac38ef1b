// different aosa: after launch 2 \(kernel step\), element 3 of array 'sizes' in device memory is 16, not 12
// same soa: status 0, 0 lines of output, and 0 copies to the host; in device memory 4 arrays and members after 3 launches
// Only device memory shows what differs.
struct body {
	float x, y, z;
};

__global__ void step(body *p, int *sizes, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		p[i].x += p[i].y * p[i].z;
		if (i == 3 && p[i].x > 12)
			sizes[i] = sizeof(body);
	}
}

int main()
{
	const int n = 40;
	static body h[n];
	body *d;
	int *sizes;
	for (int i = 0; i < n; i++)
		h[i] = {1.0f * i, 2, 3};
	cudaMalloc(&d, n * sizeof(body));
	cudaMalloc(&sizes, n * sizeof(int));
	cudaMemcpy(d, h, n * sizeof(body), cudaMemcpyHostToDevice);
	for (int t = 0; t < 3; t++)
		step<<<1, 64>>>(d, sizes, n);
	cudaDeviceSynchronize();
	cudaFree(d);
	cudaFree(sizes);
	return 0;
}
