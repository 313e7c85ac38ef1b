// Records passed to functors by reference, and methods called through a local name: copied, lent, and what changes written back.
#include <cstdio>

struct particle {
	float x, y, vx, vy;

	__device__ void turn()
	{
		float old = vx;
		vx = -vy;
		vy = old;
	}
};

struct integrate {
	float dt;
	__device__ void operator()(particle &p) const
	{
		p.x += p.vx * dt;
		p.y += p.vy * dt;
	}
};

struct stop {
	__device__ void operator()(particle &p) const { p.vx = 0; }
};

__device__ void move(particle &p, float dt)
{
	p.x += p.vx * dt;
}

__device__ void jump(particle &p, float by)
{
	float *values = &p.x;

	values[1] += by;
}

template <class F>
__global__ void for_each(particle *p, int n, F f)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		f(p[i]);
}

__global__ void turn_all(particle *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	particle &q = p[n - 1 - i];
	q.turn();
	q.x += 1;
}

__global__ void move_all(particle *p, float dt, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		move(p[i], dt);
}

template <class F>
__global__ void jump_all(particle *p, F f, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		f(p[i], 0.5f);
}

struct jumps {
	__device__ void operator()(particle &p, float by) const { jump(p, by); }
};

int main()
{
	const int n = 70;
	particle host[n], *p;

	for (int i = 0; i < n; i++)
		host[i] = {1.0f * i, 2.0f * i, 3.0f, 0.5f * i};
	cudaMalloc(&p, sizeof(host));
	cudaMemcpy(p, host, sizeof(host), cudaMemcpyHostToDevice);
	for_each<<<3, 32>>>(p, n, integrate{0.25f});
	turn_all<<<3, 32>>>(p, n);
	for_each<<<3, 32>>>(p, n, stop{});
	move_all<<<3, 32>>>(p, 0.125f, n);
	jump_all<<<3, 32>>>(p, jumps{}, n);
	cudaMemcpy(host, p, sizeof(host), cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i += 23)
		printf("%g %g %g %g\n", host[i].x, host[i].y, host[i].vx, host[i].vy);
	cudaFree(p);
	return 0;
}
