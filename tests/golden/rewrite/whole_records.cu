// Whole records read, written, copied, passed by value; records in records too.
#include <stdio.h>
#define N 41

struct vector {
	float x, y;
};
struct body {
	vector position;
	float mass;
	int history[3];
};

__device__ float weight(body b)
{
	return b.mass * b.position.x;
}

__device__ vector operator+(const vector &a, const vector &b)
{
	return vector{a.x + b.x, a.y + b.y};
}

__global__ void rotate(const body *__restrict__ from, body *to, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	body b = from[i];
	auto copy = from[(i + 1) % n];

	b.history[i % 3] = (int)weight(from[i]);
	copy.mass += 1;
	to[i] = b;
	to[i].position = copy.position + from[i].position;
	to[i].mass += copy.mass + to[i].history[1];
	auto place = to[i].position;
	place.x = 1000;
	to[i].history[2] = (int)place.x;
}

int main(void)
{
	static body host[N];
	body *from, *to;

	for (int i = 0; i < N; i++)
		host[i] = body{{(float)i, 1.0f}, 2.0f + i, {i, 1, 2}};
	cudaMalloc(&from, sizeof(host));
	cudaMalloc(&to, sizeof(host));
	cudaMemcpy(from, host, sizeof(host), cudaMemcpyHostToDevice);
	rotate<<<2, 32>>>(from, to, N);
	cudaMemcpy(host, to, sizeof(host), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%g %g %g %d %d %d\n", host[i].position.x, host[i].position.y, host[i].mass, host[i].history[0],
		       host[i].history[1], host[i].history[2]);
	cudaFree(from);
	cudaFree(to);
	return 0;
}
