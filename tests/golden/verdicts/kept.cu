// Records of kernels that keep their layout are no choice of the program.
#include "kept.h"
template <typename T> __global__ void norm(const vec<T> *p, T *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = length2(p[i]);
}
__global__ void scale(vec<float> *p, float factor, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i].x *= factor;
}
int main()
{
	const int n = 1 << 20;
	vec<float> *p;
	vec<double> *d;
	float *out;
	double *outd;
	cudaMalloc(&p, n * sizeof(*p));
	cudaMalloc(&out, n * sizeof(*out));
	cudaMalloc(&d, n * sizeof(*d));
	cudaMalloc(&outd, n * sizeof(*outd));
	norm<<<n / 256, 256>>>(p, out, n);
	norm<<<n / 256, 256>>>(d, outd, n);
	scale<<<n / 256, 256>>>(p, 2.0f, n);
}
