// Arrays of records behind members of a record that kernels take by value: named in place, through local pointers and references, copied as
// whole records, passed to device functions as pointers; given by lists, by assignments and by a constructor.
#include <cstdio>
#include <cstdlib>

struct body { float x, y, z, vx, vy, vz; int hits; };
struct range { body *data = nullptr; int count = 0; };
struct arguments {
	const body *from;
	body *to;
	float dt;
	range all;
};
struct mover {
	body *p, *q;
	float dt;
	mover(body *first, body *second, float step) : p(first), q(second), dt(step) {}
	__device__ void operator()(int i) const
	{
		const body &b = p[i];
		q[i].x = b.x + b.vx * dt;
		q[i].hits = b.hits + 1;
	}
};

__device__ float speed(const body *p, int i);
__device__ float speed(const body *p, int i) { return p[i].vx * p[i].vx + p[i].vy * p[i].vy; }
__device__ void bump(body *p, int i, int by) { p[i].hits += by; }

__global__ void step(arguments a)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	const body *from = a.from;
	body *to = a.to;
	if (i >= a.all.count)
		return;
	to[i].x = from[i].x + from[i].vx * a.dt;
	to[i].y = a.from[i].y + speed(a.from, i);
	(a.to + i)->z = speed(from, (i + 1) % a.all.count);
	bump(a.to, i, 2);
	bump(to, (i * 7) % a.all.count == i ? i : i, 1);
	a.all.data[i].vz += 1;
}

__global__ void copy(arguments a)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < a.all.count) {
		body b = a.from[i];
		b.hits *= 2;
		a.to[i] = b;
	}
}

template <class F> __global__ void run(F f, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		f(i);
}

static arguments make(body *a, body *b, int n)
{
	arguments made = {a, b, 0.5f};
	made.all.data = a;
	made.all.count = n;
	return made;
}

int main()
{
	const int n = 333;
	body *host = (body *)malloc(n * sizeof(body)), *a, *b;
	double sum = 0;
	for (int i = 0; i < n; i++) {
		body value = {i * 0.25f, i % 7 * 1.0f, 0, i % 5 * 1.0f, i % 3 * 1.0f, 0, i % 4};
		host[i] = value;
	}
	cudaMalloc(&a, n * sizeof(body));
	cudaMalloc(&b, n * sizeof(body));
	cudaMemcpy(a, host, n * sizeof(body), cudaMemcpyHostToDevice);
	cudaMemset(b, 0, n * sizeof(body));
	arguments args = make(a, b, n), back;
	step<<<(n + 63) / 64, 64>>>(args);
	back = args;
	back.from = b;
	back.to = a;
	copy<<<(n + 63) / 64, 64>>>(back);
	run<<<(n + 63) / 64, 64>>>(mover(a, b, 0.125f), n);
	mover other(b, args.all.data, 0.25f);
	run<<<(n + 63) / 64, 64>>>(other, n);
	cudaMemcpy(host, back.to, n * sizeof(body), cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i++)
		sum += host[i].x * (i + 1) + host[i].y + host[i].z * 3 + host[i].vx + host[i].vz + host[i].hits * (i % 11);
	printf("%.6f\n", sum);
	cudaFree(a);
	cudaFree(b);
	free(host);
	return 0;
}
