// Whole records of plain members: listed where they are read, assigned one by one where a statement writes them.
#include <stdio.h>
#define N 39

struct vector {
	float x, y;
};
struct body {
	vector position;
	float mass;
};

__global__ void copy(body *to, const body *from, float3 *v, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		body b = from[n - 1 - i];
		auto p = from[i].position;

		b.mass += p.x;
		if (i % 2)
			to[i] = b;
		else
			to[i] = from[i];
		to[i].position = vector{b.position.y, p.y};
		v[i] = make_float3(v[i].z, v[i].x, from[i].mass);
	}
}

int main(void)
{
	static body host[N];
	static float3 v_host[N];
	body *to, *from;
	float3 *v;

	for (int i = 0; i < N; i++) {
		host[i] = body{{(float)i, i / 2.0f}, 7.0f + i};
		v_host[i] = make_float3(i, 2 * i, 3 * i);
	}
	cudaMalloc(&to, N * sizeof(body));
	cudaMalloc(&from, N * sizeof(body));
	cudaMalloc(&v, N * sizeof(float3));
	cudaMemcpy(from, host, N * sizeof(body), cudaMemcpyHostToDevice);
	cudaMemcpy(v, v_host, N * sizeof(float3), cudaMemcpyHostToDevice);
	copy<<<2, 32>>>(to, from, v, N);
	cudaMemcpy(host, to, N * sizeof(body), cudaMemcpyDeviceToHost);
	cudaMemcpy(v_host, v, N * sizeof(float3), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%g %g %g %g %g %g\n", host[i].position.x, host[i].position.y, host[i].mass, v_host[i].x, v_host[i].y,
		       v_host[i].z);
	cudaFree(to);
	cudaFree(from);
	cudaFree(v);
	return 0;
}
