// Records in a record whose members are arrays, with operators and methods: functions make one of its scalars' arrays.
#include <cstdio>
#include <cstdlib>

struct v3 {
	float e[3];
	__host__ __device__ v3 &operator+=(const v3 &o) { e[0] += o.e[0]; e[1] += o.e[1]; e[2] += o.e[2]; return *this; }
	__host__ __device__ float dot(const v3 &o) const { return e[0] * o.e[0] + e[1] * o.e[1] + e[2] * o.e[2]; }
};
struct rec { v3 place, speed; float size; };

__global__ void move(rec *r, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	r[i].place += r[i].speed;
	r[i].size = r[i].place.dot(r[i].speed);
	if (i % 2)
		r[i].speed = r[i].place;
}

int main()
{
	const int n = 100;
	rec *r, *host = (rec *)malloc(n * sizeof(rec));
	float sum = 0;

	for (int i = 0; i < n; i++)
		host[i] = {{{i * 1.f, 2.f, 3.f}}, {{1.f, i * 0.5f, 0.f}}, 0.f};
	cudaMalloc(&r, n * sizeof(rec));
	cudaMemcpy(r, host, n * sizeof(rec), cudaMemcpyHostToDevice);
	move<<<(n + 31) / 32, 32>>>(r, n);
	cudaMemcpy(host, r, n * sizeof(rec), cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i++)
		sum += host[i].place.e[1] * (i % 7) + host[i].size + host[i].speed.e[0] * 3;
	printf("%g\n", sum);
	cudaFree(r);
	free(host);
	return 0;
}
