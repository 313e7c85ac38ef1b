// Indices, types and calls that come from macros.
// args: --group A,B
#include <stdio.h>
#define N 12
#define IDX(i, j) ((i) * N + (j))
#define DATA_TYPE float
#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t e = call;                                                                                  \
		if (e != cudaSuccess)                                                                                  \
			printf("%s\n", cudaGetErrorString(e));                                                         \
	} while (0)

__global__ void transpose(const DATA_TYPE *A, DATA_TYPE *B)
{
	int i = threadIdx.x, j = threadIdx.y;

	B[IDX(j, i)] = A[IDX(i, j)] + A[N - 1];
}

int main(void)
{
	static DATA_TYPE host[N][N];
	DATA_TYPE *A, *B;
	dim3 block(N, N);

	for (int i = 0; i < N * N; i++)
		host[i / N][i % N] = i;
	CHECK(cudaMalloc(&A, sizeof(DATA_TYPE) * N * N));
	CHECK(cudaMalloc(&B, sizeof(DATA_TYPE) * N * N));
	CHECK(cudaMemcpy(A, host, sizeof(DATA_TYPE) * N * N, cudaMemcpyHostToDevice));
	transpose<<<1, block>>>(A, B);
	CHECK(cudaMemcpy(host, B, sizeof(DATA_TYPE) * N * N, cudaMemcpyDeviceToHost));
	for (int i = 0; i < N; i++)
		printf("%g %g\n", host[i][0], host[2][i]);
	CHECK(cudaFree(A));
	CHECK(cudaFree(B));
	return 0;
}
