/* What loops of host code change by another name: a pointer that moves, a reference to one of two, a static variable, a loop's own variable. */
#include <vector>

__global__ void fill(float *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i] = 1;
}

static int calls()
{
	static int made = 0;

	return made++;
}

static void skip(int &i)
{
	i++;
}

int main()
{
	const int many = 70000;
	std::vector<int> low, high;
	int before = 0, behind = 0, first = 0, skipped = 0;
	int *counted = &before;
	float *p;

	cudaMalloc(&p, many * sizeof(float));
	for (int i = 0; i < many; i++) {
		(*counted)++;
		counted = i == 9 ? &behind : counted;
	}
	for (int i = 0; i < many; i++) {
		std::vector<int> &list = i < 100 ? low : high;

		list.push_back(i);
	}
	fill<<<1, 32>>>(p, before);
	fill<<<1, 64>>>(p, behind);
	fill<<<1, 96>>>(p, (int)low.size());
	fill<<<1, 128>>>(p, (int)high.size());
	for (int i = 0; i < many; i++)
		first += calls() < 3;
	for (int i = 0; i < many; i++) {
		skipped++;
		skip(i);
	}
	/* Neither is known. */
	fill<<<1, 160>>>(p, first);
	fill<<<1, 192>>>(p, skipped);
}
