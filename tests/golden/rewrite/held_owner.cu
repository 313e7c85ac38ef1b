// A class owns a record of device pointers that kernels take by value: allocated, copied, exchanged and freed through it; elements that are
// named by address, lent to functions, changed by atomics; pointers that are compared with null.
#include <cstdio>
#include <cstdlib>
#include <utility>

struct particle { float x, y, vx, vy; };
struct buffers {
	particle *from, *to;
	int count;
};

__device__ float energy(const particle &p) { return p.vx * p.vx + p.vy * p.vy; }
__device__ void bounce(particle &p) { p.vx = -p.vx; }

__global__ void step(buffers b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (b.from == nullptr || !b.to || i >= b.count)
		return;
	particle *p = &b.to[i];
	p->x = b.from[i].x + b.from[i].vx;
	p->y = b.from[i].y + energy(b.from[i]);
	p->vx = b.from[i].vx;
	p->vy = b.from[i].vy;
	if (p->x > 50)
		bounce(b.to[i]);
	atomicAdd(&b.to[0].vy, 1.f);
}

class simulation {
	buffers device;

public:
	simulation(const particle *host, int count)
	{
		device.count = count;
		cudaMalloc((void **)&device.from, count * sizeof(particle));
		cudaMalloc(&device.to, count * sizeof(particle));
		cudaMemcpy(device.from, host, count * sizeof(particle), cudaMemcpyHostToDevice);
		cudaMemset(device.to, 0, count * sizeof(particle));
	}
	~simulation()
	{
		cudaFree(device.from);
		cudaFree(device.to);
	}
	void run(int steps)
	{
		for (int s = 0; s < steps; s++) {
			step<<<(device.count + 31) / 32, 32>>>(device);
			std::swap(device.from, device.to);
		}
		particle *spare = device.from;
		device.from = device.to;
		device.to = spare;
	}
	void read(particle *host) const
	{
		cudaMemcpy(host, device.to, device.count * sizeof(particle), cudaMemcpyDeviceToHost);
	}
};

int main()
{
	const int count = 100;
	particle *host = (particle *)malloc(count * sizeof(particle));
	double sum = 0;

	for (int i = 0; i < count; i++)
		host[i] = {i * 1.f, i % 5 * 1.f, i % 3 * 1.f, i % 7 * 1.f};
	{
		simulation s(host, count);
		s.run(3);
		s.read(host);
	}
	for (int i = 0; i < count; i++)
		sum += host[i].x * (i % 11) + host[i].y + host[i].vx + (i ? host[i].vy : 0);
	printf("%.4f\n", sum);
	free(host);
	return 0;
}
