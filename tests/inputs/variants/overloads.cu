// Kernels and device functions of one name for different types; which is meant is decided by the arguments.
struct point {
	float x, y, z;
};

struct wide_point {
	double x, y, z;
};

__device__ float length(const point &p) { return p.x * p.x + p.y * p.y + p.z * p.z; }

__device__ double length(const wide_point &p) { return p.x * p.x + p.y * p.y + p.z * p.z; }

__device__ float length(float a, float b) { return a * a + b * b; }

__global__ void measure(const point *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = length(p[i]) + length(p[i].x, p[i].y);
}

__global__ void measure(const wide_point *p, double *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = length(p[i]);
}

int main()
{
	const int n = 1 << 20;
	point *p;
	wide_point *q;
	float *a;
	double *b;
	cudaMalloc(&p, n * sizeof(point));
	cudaMalloc(&q, n * sizeof(wide_point));
	cudaMalloc(&a, n * sizeof(float));
	cudaMalloc(&b, n * sizeof(double));
	measure<<<n / 256, 256>>>(p, a, n);
	measure<<<n / 256, 256>>>(q, b, n);
	return 0;
}
