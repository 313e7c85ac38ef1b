/* Rows that begin somewhere and have so many elements: of a record's members, and of arrays. */
struct node {
	int first, count;
};

__global__ void members(const node *nodes, const int *edges, int *out)
{
	int r = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;

	for (int j = nodes[r].first; j < nodes[r].first + nodes[r].count; j++)
		sum += edges[j];
	out[r] = sum;
}

__global__ void arrays(const long long *first, const int *count, const int *edges, int *out)
{
	int r = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;

	for (long long j = first[r]; j < first[r] + count[r]; j++)
		sum += edges[j];
	out[r] = sum;
}

int main()
{
	int n = 16384, *count, *edges, *out;
	long long *first;
	node *nodes;

	cudaMalloc(&nodes, n * sizeof(node));
	cudaMalloc(&first, n * sizeof(long long));
	cudaMalloc(&count, n * sizeof(int));
	cudaMalloc(&edges, 6 * n * sizeof(int));
	cudaMalloc(&out, n * sizeof(int));
	members<<<n / 256, 256>>>(nodes, edges, out);
	arrays<<<n / 256, 256>>>(first, count, edges, out);
}
