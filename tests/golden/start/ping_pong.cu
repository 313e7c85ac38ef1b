/* args: --start program */
/* Records that two buffers hand to each other stay in the L2, in each layout. */
struct cell {
	float a, b, c, d;
};

__global__ void step(const cell *from, cell *to)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	to[i].a = from[i].a + from[i].b;
	to[i].b = from[i].b;
}

int main()
{
	const int n = 1 << 17;
	cell *p, *q;
	cudaMalloc(&p, n * sizeof(cell));
	cudaMalloc(&q, n * sizeof(cell));
	for (int i = 0; i < 50; i++) {
		step<<<n / 256, 256>>>(p, q);
		step<<<n / 256, 256>>>(q, p);
	}
	cudaFree(p);
	cudaFree(q);
}
