/* A loop that launches, and between launches calls what goes through all elements. */
#include <vector>

struct atom {
	float x;
};

__global__ void build(atom *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i].x = 1;
}

static void bin(const std::vector<atom> &atoms, std::vector<int> &start, std::vector<int> &list)
{
	start.assign(9001, 0);
	std::vector<int> cell(atoms.size());
	for (size_t i = 0; i < atoms.size(); i++) {
		cell[i] = (int)atoms[i].x;
		start[cell[i] + 1]++;
	}
	for (int c = 0; c < 9000; c++)
		start[c + 1] += start[c];
	std::vector<int> fill(start.begin(), start.end() - 1);
	for (size_t i = 0; i < atoms.size(); i++)
		list[fill[cell[i]]++] = (int)i;
}

int main()
{
	const int n = 100000;
	std::vector<atom> atoms(n);
	std::vector<int> start, list(n);
	atom *p;

	cudaMalloc(&p, n * sizeof(atom));
	for (int step = 0; step < 10; step++) {
		if (step % 5 == 0) {
			bin(atoms, start, list);
			build<<<1000, 256>>>(p, (int)start.size());
		}
		build<<<100, 256>>>(p, n);
	}
}
