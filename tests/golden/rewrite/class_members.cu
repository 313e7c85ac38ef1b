// The device pointers are members of a class, made in its constructor and given back in its destructor; other objects are reached by name.
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
	Simulation simulation(4096);

	simulation.step();
	return cudaDeviceSynchronize();
}
