/* Lanes of a warp that raise one counter get numbers in a row; those that raise counters of their own may get any. */
struct pair {
	unsigned key, value;
};
__global__ void append(const pair *p, pair *q, unsigned *count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned at = atomicAdd(count, 1u);
	q[at].key = p[i].value;
	q[at].value = p[i].key;
}
__global__ void append_if(const pair *p, pair *q, unsigned *count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (p[i].key > 50)
		q[atomicAdd(count, 1u)].key = p[i].value;
}
__global__ void once(const pair *p, pair *q, unsigned *count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
	unsigned first = 0;
	if (lane == 0)
		first = atomicAdd(count, 32u);
	first = __shfl_sync(0xffffffff, first, 0);
	q[first + lane].key = p[i].value;
}
__global__ void blocks(const pair *p, pair *q, unsigned *count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned at = atomicInc(&count[blockIdx.x], 1000000u);
	q[blockIdx.x * 256 + at].key = p[i].value;
}
__global__ void ring(const pair *p, pair *q, unsigned *count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	q[atomicAdd(count, 1u) % 1000].key = p[i].value;
}
__global__ void cells(const pair *p, pair *q, unsigned *count, const int *cell)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	q[atomicAdd(&count[cell[i]], 1u)].key = p[i].value;
}
int main()
{
	pair *p, *q;
	unsigned *count;
	int *cell;

	cudaMalloc(&p, (1 << 20) * sizeof(pair));
	cudaMalloc(&q, (1 << 20) * sizeof(pair));
	cudaMalloc(&count, 4096 * sizeof(unsigned));
	cudaMalloc(&cell, (1 << 20) * sizeof(int));
	append<<<4096, 256>>>(p, q, count);
	append_if<<<4096, 256>>>(p, q, count);
	once<<<4096, 256>>>(p, q, count);
	blocks<<<4096, 256>>>(p, q, count);
	ring<<<4096, 256>>>(p, q, count);
	cells<<<4096, 256>>>(p, q, count, cell);
}
