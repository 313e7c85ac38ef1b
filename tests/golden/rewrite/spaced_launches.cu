/* Launches whose brackets are set apart, as some editors format them. */
struct point {
	float x, y, m;
};

#define BLOCK 128
#define LAUNCH(kernel, n, ...) kernel << <(n) / BLOCK, BLOCK >> > (__VA_ARGS__)

__global__ void move(point *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i].x += p[i].y;
}

template <int STEP> __global__ void scale(point *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i].m *= STEP;
}

int main()
{
	int n = 1 << 20;
	point *p;

	cudaMalloc(&p, n * sizeof(point));
	move << <n >> 7, BLOCK >> > (p, n);
	move <<<dim3(n / BLOCK), dim3(BLOCK) >>
		> (p, n);
	scale<3> << <n / BLOCK, BLOCK>>> (p, n);
	LAUNCH(move, n, p, n);
	cudaFree(p);
	return 0;
}
