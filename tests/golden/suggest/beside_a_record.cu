// A file that has a record gets its verdict for that: what separate arrays would gain is not predicted.
struct Point {
	float x, y;
};

__global__ void move(Point *p, const float *u, const float *v, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		p[i].x += u[i];
		p[i].y += v[i];
	}
}

int main()
{
	const int n = 1 << 16;
	Point *p;
	float *u, *v;

	cudaMalloc(&p, n * sizeof(Point));
	cudaMalloc(&u, n * sizeof(float));
	cudaMalloc(&v, n * sizeof(float));
	move<<<n / 256, 256>>>(p, u, v, n);
	return 0;
}
