// Members are vector classes that hold an array: operators and methods get copies, what changes them is written back.
#include <stdio.h>
#define N 70

template <class T, int COUNT> struct vec {
	T e[COUNT];
	__host__ __device__ vec &operator+=(const vec &o)
	{
		for (int k = 0; k < COUNT; k++)
			e[k] += o.e[k];
		return *this;
	}
	__host__ __device__ void scale(T f)
	{
		for (int k = 0; k < COUNT; k++)
			e[k] *= f;
	}
	__host__ __device__ T dot(const vec &o) const
	{
		T sum = 0;
		for (int k = 0; k < COUNT; k++)
			sum += e[k] * o.e[k];
		return sum;
	}
};
template <class T, int COUNT> __host__ __device__ vec<T, COUNT> operator+(const vec<T, COUNT> &a, const vec<T, COUNT> &b)
{
	vec<T, COUNT> sum = a;
	sum += b;
	return sum;
}
typedef vec<float, 3> v3;

struct rec {
	v3 place, speed;
	float size;
};

__global__ void move(rec *r)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < N)
		r[i].place += r[i].speed;
}

__global__ void change(rec *r)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= N)
		return;
	r[i].speed.scale(0.5f);
	r[i].size = r[i].place.dot(r[i].speed);
}

__global__ void assign(rec *r)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	v3 one = {{1, 2, 3}};

	if (i < N)
		r[i].place = r[i].place + one;
}

__global__ void read(const rec *r, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < N) {
		v3 sum = r[i].place;
		sum += r[i].speed;
		out[i] = sum.dot(r[(i + 1) % N].place) + r[i].place.e[i % 3];
	}
}

int main(void)
{
	static rec host[N];
	static float sums[N];
	rec *device;
	float *out;

	for (int i = 0; i < N; i++)
		host[i] = rec{{{1.0f * i, 2, 3}}, {{0.5f, 1.0f * (i % 4), 2}}, 1};
	cudaMalloc(&device, N * sizeof(rec));
	cudaMalloc(&out, N * sizeof(float));
	cudaMemcpy(device, host, N * sizeof(rec), cudaMemcpyHostToDevice);
	move<<<3, 32>>>(device);
	change<<<3, 32>>>(device);
	assign<<<3, 32>>>(device);
	read<<<3, 32>>>(device, out);
	cudaMemcpy(host, device, N * sizeof(rec), cudaMemcpyDeviceToHost);
	cudaMemcpy(sums, out, N * sizeof(float), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%g %g %g %g %g %g\n", host[i].place.e[0], host[i].place.e[2], host[i].speed.e[1], host[i].speed.e[2],
		       host[i].size, sums[i]);
	cudaFree(device);
	cudaFree(out);
	return 0;
}
