// same: status 0, 0 lines of output, and 0 copies to the host; in device memory 3 arrays and members after 1 launch
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
	body *d;
	cudaMalloc(&d, n * sizeof(body));
	cudaMemset(d, 0, n * sizeof(body));
	step<<<1, 64>>>(d, n);
	cudaDeviceSynchronize();
	cudaFree(d);
	return 0;
}
