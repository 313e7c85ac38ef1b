/* Long loops of host code that count what they make: walked by stretches of iterations that do the same. */
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

struct spring {
	int a, b;
	float rest;
};

__global__ void step(float *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i] = 1;
}

static float positive(float x)
{
	if (x < 0)
		return 0;
	return x;
}

static void add(std::vector<spring> &springs, int a, int b)
{
	spring made = {a, b, positive(a * 0.5f)};

	springs.push_back(made);
}

static void add_some(std::vector<spring> &springs, int a)
{
	if (rand() % 2)
		return;
	add(springs, a, a);
}

int main()
{
	const int width = 300, height = 200, many = 100000;
	std::mt19937 engine(1);
	std::uniform_real_distribution<float> jitter(0, 1);
	std::vector<spring> springs, some;
	std::vector<int> few, kept;
	int inner = 5, boundary = 0, flag = 0, last = -1, a = 1, b = 2, swapped = 0, chosen = 0, down = 0;
	float *p, height_sum = 0;

	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++) {
			height_sum += jitter(engine);
			if (x + 1 < width)
				add(springs, x, x + 1);
			if (y + 1 < height)
				add(springs, x, x + width);
			if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
				boundary++;
			else
				inner += 2;
		}
	for (int i = 0; i < many; i++) {
		if (i == 5)
			flag = 7;
		last = i;
		add_some(some, i);
		if (few.size() < 10)
			few.push_back(i);
		swapped += a;
		std::swap(a, b);
	}
	for (int i = 0; i < many; i++) {
		if (rand() % 3 == 0)
			continue;
		chosen++;
	}
	for (int i = 0, k = 0; i < many; i++, k++)
		kept.push_back(k);
	for (int i = 999; i >= 0; i--) {
		down += i < 100;
		if (i > 990)
			down += 2;
	}
	cudaMalloc(&p, springs.size() * sizeof(spring));
	step<<<(springs.size() + 255) / 256, 256>>>(p, (int)springs.size());
	step<<<1, 32>>>(p, boundary);
	step<<<1, 64>>>(p, inner);
	step<<<1, 96>>>(p, (int)kept.size());
	step<<<1, 128>>>(p, down);
	step<<<1, 160>>>(p, flag);
	step<<<1, 192>>>(p, last);
	/* What depends on data, or on what is not the same in all iterations. */
	step<<<1, 224>>>(p, (int)some.size());
	step<<<1, 256>>>(p, (int)few.size());
	step<<<1, 288>>>(p, swapped);
	step<<<1, 320>>>(p, chosen);
}
