// The device pointers are members of a class, made in its constructor and given back in its destructor; other objects are reached by name.
#include <cstdio>
#include <utility>

struct body {
	float x, y, v;
};

__global__ void drift(const body *in, body *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		out[i].x = in[i].x + in[i].v;
		out[i].y = in[i].y;
		out[i].v = in[i].v;
	}
}

class Simulation {
public:
	explicit Simulation(int n) : count(n)
	{
		cudaMalloc(&now, n * sizeof(body));
		cudaMalloc((void **)&next, n * sizeof *next);
		cudaMemset(now, 0, n * sizeof(body));
	}
	~Simulation()
	{
		cudaFree(now);
		cudaFree(this->next);
	}
	void fill(const body *from)
	{
		cudaMemcpy(now, from, count * sizeof(body), cudaMemcpyHostToDevice);
	}
	void read(body *to)
	{
		cudaMemcpy(to, now, count * sizeof(body), cudaMemcpyDeviceToHost);
	}
	void step()
	{
		drift<<<(count + 127) / 128, 128>>>(now, next, count);
		std::swap(now, next);
	}

private:
	int count;
	body *now = nullptr, *next = nullptr;
};

int main()
{
	const int n = 100;
	body bodies[n];
	Simulation simulation(n);

	for (int i = 0; i < n; i++) {
		bodies[i].x = i;
		bodies[i].y = -i;
		bodies[i].v = 0.5f * i;
	}
	simulation.fill(bodies);
	for (int t = 0; t < 3; t++)
		simulation.step();
	simulation.read(bodies);
	for (int i = 0; i < n; i += 9)
		printf("%g %g %g\n", bodies[i].x, bodies[i].y, bodies[i].v);
	return 0;
}
