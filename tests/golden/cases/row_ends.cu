/* Rows of 40 elements: between arrays of beginnings and of ends, and a warp for each row. */
__global__ void ends(const int *begin, const int *end, const float *values, float *out)
{
	int r = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	for (int j = begin[r]; j < end[r]; j++)
		sum += values[j];
	out[r] = sum;
}

__global__ void warps(const int *row, const float *values, float *out, int n)
{
	int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
	int end = row[r + 1];
	float sum = 0;

	for (int j = row[r] + (threadIdx.x & 31); j < end; j += 32)
		sum += values[j];
	out[r * 32 + (threadIdx.x & 31)] = sum;
}

__global__ void queued(const int *queue, const int *row, const float *values, float *out)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, node = queue[t];
	float sum = 0;

	for (int j = row[node]; j < row[node + 1]; j++)
		sum += values[j];
	out[t] = sum;
}

int main()
{
	int n = 16384, *begin, *end, *queue;
	float *values, *out;

	cudaMalloc(&begin, (n + 1) * sizeof(int));
	cudaMalloc(&end, n * sizeof(int));
	cudaMalloc(&queue, n * sizeof(int));
	cudaMalloc(&values, 40 * n * sizeof(float));
	cudaMalloc(&out, 32 * n * sizeof(float));
	ends<<<n / 256, 256>>>(begin, end, values, out);
	warps<<<n / 8, 256>>>(begin, values, out, n);
	queued<<<n / 256, 256>>>(queue, begin, values, out);
}
