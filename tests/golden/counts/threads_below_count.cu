// Threads below a count that is not known: half of the warps ask for all that theirs need. Lanes below one: half of the lanes of each warp.
struct pair {
	float a, b;
};
__global__ void threads(const unsigned *start, const pair *from, pair *to)
{
	__shared__ unsigned first, count;
	if (threadIdx.x == 0) {
		first = start[blockIdx.x];
		count = start[blockIdx.x + 1] - first;
	}
	__syncthreads();
	if (threadIdx.x < count)
		to[first + threadIdx.x].a = from[first + threadIdx.x].a;
}
__global__ void lanes(const unsigned *start, const pair *from, pair *to)
{
	__shared__ unsigned first, count;
	if (threadIdx.x == 0) {
		first = start[blockIdx.x];
		count = start[blockIdx.x + 1] - first;
	}
	__syncthreads();
	if (threadIdx.x % 32 < count)
		to[first + threadIdx.x].a = from[first + threadIdx.x].a;
}
int main()
{
	unsigned *start;
	pair *from, *to;
	cudaMalloc(&start, 1025 * sizeof(unsigned));
	cudaMalloc(&from, 131072 * sizeof(pair));
	cudaMalloc(&to, 131072 * sizeof(pair));
	threads<<<1024, 128>>>(start, from, to);
	lanes<<<1024, 128>>>(start, from, to);
}
