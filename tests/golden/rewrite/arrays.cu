// Separate arrays as one record; qualifiers only where all members have them; an index that is a member.
// args: --group values,next,out
#include <stdio.h>
#define N 45

__global__ void gather(const float *__restrict__ values, const int *__restrict__ next, float *__restrict__ out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = values[next[i]] + 1.0f;
}

__global__ void chain(const float *__restrict__ v, const int *__restrict__ to,
                      int n, float *other)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		other[i] = v[to[to[i]]];
}

int main(void)
{
	float values_host[N], out_host[N], other_host[N];
	int next_host[N];
	float *d_values, *d_out, *d_other;
	int *d_next;

	for (int i = 0; i < N; i++) {
		values_host[i] = 0.5f * i;
		next_host[i] = (i * 7 + 3) % N;
	}
	cudaMalloc(&d_values, N * sizeof(float));
	cudaMalloc(&d_next, N * sizeof(int));
	cudaMalloc(&d_out, N * sizeof(float));
	cudaMalloc(&d_other, N * sizeof(float));
	cudaMemcpy(d_values, values_host, N * sizeof(float), cudaMemcpyHostToDevice);
	cudaMemcpy(d_next, next_host, sizeof(next_host), cudaMemcpyHostToDevice);
	gather<<<2, 32>>>(d_values, d_next, d_out, N);
	chain<<<2, 32>>>(d_values, d_next, N, d_other);
	cudaMemcpy(out_host, d_out, N * sizeof(float), cudaMemcpyDeviceToHost);
	cudaMemcpy(other_host, d_other, N * sizeof(float), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%g %g\n", out_host[i], other_host[i]);
	cudaFree(d_values);
	cudaFree(d_next);
	cudaFree(d_out);
	cudaFree(d_other);
	return 0;
}
