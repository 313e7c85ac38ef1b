// Vector types of the toolkit are records too; their declaration is in no file of the user.
#include <stdio.h>
#define N 35

__global__ void length(const float4 *__restrict__ v, float3 *u)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < N) {
		u[i].x = v[i].x * v[i].x + v[i].w;
		u[i].y = v[i].y;
		u[i].z = v[i].z - u[i].x;
	}
}

int main(void)
{
	static float4 in[N];
	static float3 out[N];
	float4 *v;
	float3 *u;

	for (int i = 0; i < N; i++)
		in[i] = make_float4(i, 2 * i, 3 * i, 1);
	cudaMalloc(&v, N * sizeof(float4));
	cudaMalloc(&u, N * sizeof(float3));
	cudaMemcpy(v, in, N * sizeof(float4), cudaMemcpyHostToDevice);
	length<<<2, 32>>>(v, u);
	cudaMemcpy(out, u, N * sizeof(float3), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%g %g %g\n", out[i].x, out[i].y, out[i].z);
	cudaFree(v);
	cudaFree(u);
	return 0;
}
