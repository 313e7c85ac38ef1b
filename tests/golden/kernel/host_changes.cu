/* What calls may change that are not followed: lambdas given to the library, functions that call themselves. */
#include <algorithm>
#include <numeric>
#include <vector>

struct node {
	int left, right;
};

__global__ void fill(float *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i] = 1;
}

static int build(std::vector<node> &nodes, std::vector<float> &keys, int first, int count)
{
	int id = (int)nodes.size(), middle = count / 2;

	nodes.push_back(node());
	if (count > 4) {
		std::nth_element(keys.begin() + first, keys.begin() + first + middle, keys.begin() + first + count,
		                 [](float a, float b) { return a < b; });
		nodes[id].left = build(nodes, keys, first, middle);
		nodes[id].right = build(nodes, keys, first + middle, count - middle);
	}
	return id;
}

static void more(std::vector<int> &list)
{
	list.push_back(1);
}

static void append(std::vector<int> &list, int depth)
{
	if (depth > 3)
		return;
	more(list);
	append(list, depth + 1);
}

int main()
{
	std::vector<float> keys(100000);
	std::vector<node> nodes;
	std::vector<int> order(30), list(20), found;
	int sum = 5, steps = 0, limit = 3;
	float *p;

	cudaMalloc(&p, keys.size() * sizeof(float));
	build(nodes, keys, 0, (int)keys.size());
	append(list, 0);
	std::iota(order.begin(), order.end(), 0);
	std::sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
	fill<<<1, 32>>>(p, (int)keys.size());
	fill<<<1, 64>>>(p, (int)order.size());
	std::for_each(order.begin(), order.end(), [&](int x) {
		sum += x;
		++steps;
		if (x <= limit)
			found.push_back(x);
	});
	fill<<<1, 96>>>(p, limit);
	/* None of these is known. */
	fill<<<1, 128>>>(p, (int)nodes.size());
	fill<<<1, 160>>>(p, (int)list.size());
	fill<<<1, 192>>>(p, sum);
	fill<<<1, 224>>>(p, steps);
	fill<<<1, 256>>>(p, (int)found.size());
}
