// The records are instances of a class template, two of them in one program, with operators that take them whole.
#include <cstdio>

namespace math {
template <typename T> struct Vec3 {
	T x, y, z;
	__host__ __device__ Vec3 operator+(const Vec3 &o) const
	{
		return {x + o.x, y + o.y, z + o.z};
	}
};
}

template <typename T> __global__ void scale(math::Vec3<T> *p, T by, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i].y = by * p[i].x;
}

__global__ void add(const math::Vec3<float> *a, math::Vec3<float> *b, const math::Vec3<double> *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		b[i] = a[i] + b[i];
		b[i].z += (float)c[i].y;
	}
}

int main()
{
	const int n = 64;
	math::Vec3<float> host[n];
	math::Vec3<double> wide[n];
	math::Vec3<float> *a, *b = nullptr;
	math::Vec3<double> *c;

	for (int i = 0; i < n; i++) {
		host[i] = {1.0f * i, 2.0f * i, 3.0f};
		wide[i] = {0.5 * i, 1.0, 2.0};
	}
	cudaMalloc(&a, n * sizeof(math::Vec3<float>));
	cudaMalloc(&b, sizeof(host));
	cudaMalloc(&c, n * sizeof(*c));
	cudaMemcpy(a, host, n * sizeof(math::Vec3<float>), cudaMemcpyHostToDevice);
	cudaMemcpy(b, host, n * sizeof(host[0]), cudaMemcpyHostToDevice);
	cudaMemcpy(c, wide, n * sizeof(*c), cudaMemcpyHostToDevice);
	scale<double><<<2, 32>>>(c, 3.0, n);
	add<<<2, 32>>>(a, b, c, n);
	cudaMemcpy(host, b, n * sizeof(*b), cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i += 9)
		printf("%g %g %g\n", host[i].x, host[i].y, host[i].z);
	cudaFree(a);
	cudaFree(b);
	cudaFree(c);
	return 0;
}
