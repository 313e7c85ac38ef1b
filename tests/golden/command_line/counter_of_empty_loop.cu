// A loop without a body is there for its counter: a member, a variable, one of another loop.
__global__ void fill(float *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] = 1.0f;
}

int main()
{
	float *p;
	dim3 grid;
	unsigned target = 700;
	int blocks, log;
	cudaMalloc(&p, 4 << 20);
	for (grid.x = 1; grid.x < target; grid.x *= 2)
		;
	fill<<<grid, 64>>>(p, 65536);
	for (blocks = 1; blocks * 3 < 1000; blocks += 5) {
	}
	fill<<<blocks, 64>>>(p, 65536);
	for (log = 0; 1 << log < 900; log++)
		;
	fill<<<1 << log, 64>>>(p, 65536);
}
