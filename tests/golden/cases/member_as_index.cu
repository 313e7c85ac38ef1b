// Members of records that other arrays are indexed by.
struct edge {
	int source, target;
	float weight;
};
__device__ unsigned histogram[256];
__global__ void relax(const edge *edges, float *distance, int n)
{
	int e = blockIdx.x * blockDim.x + threadIdx.x;
	if (e >= n)
		return;
	float candidate = distance[edges[e].source] + edges[e].weight;
	if (candidate < distance[edges[e].target])
		atomicAdd(&histogram[edges[e].target & 255], 1u);
}
int main()
{
	edge *edges;
	float *distance;
	cudaMalloc(&edges, 65536 * sizeof(edge));
	cudaMalloc(&distance, 4000 * sizeof(float));
	relax<<<256, 256>>>(edges, distance, 65536);
}
