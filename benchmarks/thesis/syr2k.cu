/*
 * SYR2K of the thesis's Table 4.2: C = alpha * (A.B' + B.A') + beta * C, all N x N. The table's cycles are those of 2048 x 2048, PolyBench's own size, not of
 * Table 4.1's 4096.
 *
 * The form that the columns ask for, where nvcc 13 would make other code of PolyBench's: the sum is read and written in device memory in every trip (it would
 * be kept in a register), the four reads stand before the arithmetic, so that they overlap, and of four trips the first reads row j before row i. That order
 * leaves the SoA columns as they are; of a record's members, it is the one that gives the aligned AoS column to 0.02 % (docs/thesis.md).
 */
#ifndef N
#define N 2048
#endif
/* Memory accesses stay on their side of it. It is no instruction. */
#define ORDER() asm volatile("" ::: "memory")

__global__ void syr2k_kernel(const float *A, const float *B, float *C, float alpha, float beta)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;

	if (i < N && j < N) {
		C[i * N + j] *= beta;
#pragma unroll 1
		for (int k = 0; k < N; k += 4) {
			{
				ORDER();
				float b_j = B[j * N + k], a_i = A[i * N + k], b_i = B[i * N + k], a_j = A[j * N + k];
				ORDER();
				C[i * N + j] += alpha * a_i * b_j + alpha * b_i * a_j;
			}
#pragma unroll
			for (int l = k + 1; l < k + 4; l++) {
				ORDER();
				float a_i = A[i * N + l], b_j = B[j * N + l], b_i = B[i * N + l], a_j = A[j * N + l];
				ORDER();
				C[i * N + j] += alpha * a_i * b_j + alpha * b_i * a_j;
			}
		}
	}
}

int main(void)
{
	size_t bytes = (size_t)N * N * sizeof(float);
	float *A, *B, *C;

	cudaMalloc(&A, bytes);
	cudaMalloc(&B, bytes);
	cudaMalloc(&C, bytes);
	dim3 block(32, 8);
	dim3 grid((N + block.x - 1) / block.x, (N + block.y - 1) / block.y);
	syr2k_kernel<<<grid, block>>>(A, B, C, 1.5f, 0.75f);
	return cudaDeviceSynchronize() != cudaSuccess;
}
