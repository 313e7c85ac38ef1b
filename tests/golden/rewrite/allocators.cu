// Managed and stream-ordered memory, as long as only kernels touch it.
struct point {
	float x, y;
};

__global__ void move(point *p, const point *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i].x += q[i].y;
}

void run(int n, cudaStream_t stream)
{
	point *p, *q;

	cudaMallocManaged(&p, n * sizeof(point));
	cudaMallocAsync((void **)&q, n * sizeof(point), stream);
	move<<<n / 256, 256, 0, stream>>>(p, q, n);
	cudaFreeAsync(q, stream);
	cudaFree(p);
}
