// A device function that takes pointers to two records.
struct node {
	int left, right;
	float threshold;
};

struct sample {
	float value;
	int id;
};

__device__ int walk(const node *nodes, const sample *s)
{
	int at = 0;

	while (nodes[at].left >= 0)
		at = s->value < nodes[at].threshold ? nodes[at].left : nodes[at].right;
	return at + s->id;
}

__global__ void place(const node *nodes, const sample *samples, int *leaves, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		leaves[i] = walk(nodes, &samples[i]);
}
