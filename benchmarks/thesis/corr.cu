/*
 * CORR of the thesis's Table 4.2: correlations between N variables (columns of data) with N observations each, PolyBench's naive kernels. Of the table's columns
 * for this program only the orders are reached (docs/thesis.md).
 */
#ifndef N
#define N 8192
#endif
#define EPSILON 0.005f

__global__ void mean_kernel(const float *data, float *mean)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;

	if (j < N) {
		mean[j] = 0.0f;
#pragma unroll 4
		for (int i = 0; i < N; i++)
			mean[j] += data[i * N + j];
		mean[j] /= (float)N;
	}
}

__global__ void std_kernel(const float *data, const float *mean, float *stddev)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;

	if (j < N) {
		stddev[j] = 0.0f;
#pragma unroll 4
		for (int i = 0; i < N; i++)
			stddev[j] += (data[i * N + j] - mean[j]) * (data[i * N + j] - mean[j]);
		stddev[j] = sqrtf(stddev[j] / (float)N);
		if (stddev[j] <= EPSILON)
			stddev[j] = 1.0f;
	}
}

__global__ void reduce_kernel(float *data, const float *mean, const float *stddev)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;

	if (i < N && j < N) {
		data[i * N + j] -= mean[j];
		data[i * N + j] /= sqrtf((float)N) * stddev[j];
	}
}

__global__ void corr_kernel(const float *data, float *symmat)
{
	int j1 = blockIdx.x * blockDim.x + threadIdx.x;

	if (j1 < N) {
		symmat[j1 * N + j1] = 1.0f;
		for (int j2 = j1 + 1; j2 < N; j2++) {
			symmat[j1 * N + j2] = 0.0f;
#pragma unroll 4
			for (int i = 0; i < N; i++)
				symmat[j1 * N + j2] += data[i * N + j1] * data[i * N + j2];
			symmat[j2 * N + j1] = symmat[j1 * N + j2];
		}
	}
}

int main(void)
{
	size_t bytes = (size_t)N * N * sizeof(float);
	float *data, *mean, *stddev, *symmat;

	cudaMalloc(&data, bytes);
	cudaMalloc(&mean, N * sizeof(float));
	cudaMalloc(&stddev, N * sizeof(float));
	cudaMalloc(&symmat, bytes);
	dim3 row_block(256);
	dim3 row_grid((N + row_block.x - 1) / row_block.x);
	dim3 block(32, 8);
	dim3 grid((N + block.x - 1) / block.x, (N + block.y - 1) / block.y);
	mean_kernel<<<row_grid, row_block>>>(data, mean);
	std_kernel<<<row_grid, row_block>>>(data, mean, stddev);
	reduce_kernel<<<grid, block>>>(data, mean, stddev);
	corr_kernel<<<row_grid, row_block>>>(data, symmat);
	return cudaDeviceSynchronize() != cudaSuccess;
}
