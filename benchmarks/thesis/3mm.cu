/*
 * 3MM of the thesis's Table 4.2: E = A.B, F = C.D, G = E.F, all N x N.
 *
 * The form that the columns ask for, where nvcc 13 would make other code of PolyBench's: the sum is read and written in device memory in every trip (it would
 * be kept in a register), and B's element is read just before A's, in one statement, so that they overlap and A takes back B's transactions by eqs. 6 and 7.
 */
#ifndef N
#define N 8192
#endif
/* Memory accesses stay on their side of it. It is no instruction. */
#define ORDER() asm volatile("" ::: "memory")

/* E = A.B */
__global__ void mm3_kernel1(const float *A, const float *B, float *E)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;

	if (i < N && j < N) {
#pragma unroll 4
		for (int k = 0; k < N; k++) {
			float right = B[k * N + j]; ORDER(); float left = A[i * N + k];
			E[i * N + j] += left * right;
			ORDER();
		}
	}
}

/* F = C.D */
__global__ void mm3_kernel2(const float *C, const float *D, float *F)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;

	if (i < N && j < N) {
#pragma unroll 4
		for (int k = 0; k < N; k++) {
			float right = D[k * N + j]; ORDER(); float left = C[i * N + k];
			F[i * N + j] += left * right;
			ORDER();
		}
	}
}

/* G = E.F */
__global__ void mm3_kernel3(const float *E, const float *F, float *G)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;

	if (i < N && j < N) {
#pragma unroll 4
		for (int k = 0; k < N; k++) {
			float right = F[k * N + j]; ORDER(); float left = E[i * N + k];
			G[i * N + j] += left * right;
			ORDER();
		}
	}
}

int main(void)
{
	size_t bytes = (size_t)N * N * sizeof(float);
	float *A, *B, *C, *D, *E, *F, *G;

	cudaMalloc(&A, bytes);
	cudaMalloc(&B, bytes);
	cudaMalloc(&C, bytes);
	cudaMalloc(&D, bytes);
	cudaMalloc(&E, bytes);
	cudaMalloc(&F, bytes);
	cudaMalloc(&G, bytes);
	dim3 block(32, 8);
	dim3 grid((N + block.x - 1) / block.x, (N + block.y - 1) / block.y);
	mm3_kernel1<<<grid, block>>>(A, B, E);
	mm3_kernel2<<<grid, block>>>(C, D, F);
	mm3_kernel3<<<grid, block>>>(E, F, G);
	return cudaDeviceSynchronize() != cudaSuccess;
}
