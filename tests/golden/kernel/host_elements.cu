/* Elements of containers that host code sets member by member, and what leaves them unknown again. */
#include <vector>

struct layer {
	int begin, count;
	int shape[2];
	void clear() { count = 0; }
};

__global__ void fill(float *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i] = 1;
}

int main()
{
	const int layer_count = 12;
	std::vector<layer> layers(layer_count), cleared(3), pointed(3), shaped(3);
	std::vector<std::vector<int>> lists = {{1, 2}, {3}};
	int n = 0;
	float *p;

	for (int l = 0; l < layer_count; ++l) {
		layers[l].begin = n;
		layers[l].count = (l == 0 || l == layer_count - 1) ? 1500 : 700 + 3 * l;
		n += layers[l].count;
	}
	cudaMalloc(&p, n * sizeof(float));
	fill<<<(n + 255) / 256, 256>>>(p, n);
	fill<<<layers[3].begin, 256>>>(p, layers[3].count);
	cleared[1].count = 5;
	cleared[1].clear();
	fill<<<1, 32>>>(p, cleared[1].count);
	layer *first = pointed.data();
	pointed[0].count = 6;
	first->count = 7;
	fill<<<1, 64>>>(p, pointed[0].count);
	shaped[2].count = 8;
	shaped[2].shape[0] = 9;
	fill<<<1, 96>>>(p, shaped[2].shape[0]);
	lists[0].push_back(4);
	fill<<<1, 128>>>(p, (int)lists[0].size());
}
