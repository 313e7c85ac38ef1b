// Operators and methods of a record that is a member of the elements.
#include <stdio.h>
#define N 41

struct vec {
	float x, y;

	__host__ __device__ vec operator+(const vec &o) const { return {x + o.x, y + o.y}; }
	__host__ __device__ vec operator*(float s) const { return {x * s, y * s}; }
	__host__ __device__ vec operator-() const { return {-x, -y}; }
	__host__ __device__ vec &operator+=(const vec &o)
	{
		x += o.x;
		y += o.y;
		return *this;
	}
	__host__ __device__ float operator[](int i) const { return i ? y : x; }
	__host__ __device__ float dot(const vec &o) const { return x * o.x + y * o.y; }
	__host__ __device__ void turn(float s) { x += s * y; }
	__host__ __device__ vec &halve() { return *this = *this * 0.5f; }
	friend __host__ __device__ vec operator-(const vec &a, const vec &b) { return {a.x - b.x, a.y - b.y}; }
};

__host__ __device__ inline vec &operator-=(vec &a, const vec &b)
{
	return a = a - b;
}

struct body {
	vec at, speed;
	float mass;
};

__global__ void move(body *bodies, const body *old, vec pull, float dt)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= N)
		return;
	body &b = bodies[i];
	const body *o = &old[i];
	auto before = b.speed;

	b.speed = b.speed + pull * dt;
	b.at += b.speed * dt;
	b.at -= -o->at * 0.5f;
	b.speed.turn(dt);
	b.speed.halve();
	b.mass += b.at.dot(o->speed) + (b.at - o->at)[1] + o->at[0] + before.y;
}

int main(void)
{
	static body host[N];
	body *bodies, *old;

	for (int i = 0; i < N; i++)
		host[i] = body{{0.5f * i, 1}, {2, 0.25f * i}, 3};
	cudaMalloc(&bodies, sizeof(host));
	cudaMalloc(&old, sizeof(host));
	cudaMemcpy(bodies, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMemcpy(old, host, sizeof(host), cudaMemcpyHostToDevice);
	move<<<2, 32>>>(bodies, old, vec{0, -9.5f}, 0.125f);
	cudaMemcpy(host, bodies, sizeof(host), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%g %g %g %g %g\n", host[i].at.x, host[i].at.y, host[i].speed.x, host[i].speed.y, host[i].mass);
	cudaFree(bodies);
	cudaFree(old);
	return 0;
}
