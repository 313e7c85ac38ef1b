/* Containers and numbers that are members of objects, and grow in methods and functions. */
#include <vector>

struct mesh {
	std::vector<int> edges;
	int boundary = 0;
	int inner = 0;
	void add(int x)
	{
		edges.push_back(x);
		if (x < 10)
			boundary++;
		inner++;
	}
	int size() const { return (int)edges.size(); }
};

struct lists {
	std::vector<int> list;
	int count;
	lists(int n) : count(n)
	{
		for (int i = 0; i < n; i++)
			list.push_back(i);
	}
};

struct plain {
	std::vector<int> list;
	int count;
};

__global__ void fill(float *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i] = 1;
}

static plain make(int n)
{
	plain made;

	made.count = 0;
	for (int i = 0; i < n; i++) {
		made.list.push_back(i);
		made.count += 2;
	}
	return made;
}

int main()
{
	mesh grid;
	lists known(9000);
	plain made = make(6000);
	float *p;

	for (int i = 0; i < 7000; i++)
		grid.add(i);
	cudaMalloc(&p, grid.size() * sizeof(float));
	fill<<<1, 32>>>(p, grid.size());
	fill<<<1, 64>>>(p, grid.boundary);
	fill<<<1, 96>>>(p, grid.inner);
	fill<<<1, 128>>>(p, (int)known.list.size());
	fill<<<1, 160>>>(p, (int)made.list.size());
	fill<<<1, 192>>>(p, made.count);
}
