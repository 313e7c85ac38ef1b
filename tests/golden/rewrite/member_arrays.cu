// Member arrays: p_w[e][k] in separate arrays, inner tiles in tiles.
#include <stdio.h>
#define N 40

struct item {
	float w[3];
	int id;
	short m[2][2];
};

__global__ void shift(item *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		for (int k = 0; k < 3; k++)
			p[i].w[k] += p[i].id + k;
		p[i].m[i % 2][p[i].id & 1] = p[i].w[0] + p[i].m[1][1];
	}
}

int main(void)
{
	static item host[N];
	item *device;

	for (int i = 0; i < N; i++)
		host[i] = item{{1, 2, 3}, i * 3, {{(short)i, 2}, {3, 4}}};
	cudaMalloc(&device, N * sizeof(item));
	cudaMemcpy(device, host, N * sizeof(item), cudaMemcpyHostToDevice);
	shift<<<2, 32>>>(device, N);
	cudaMemcpy(host, device, N * sizeof(item), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%g %g %g %d %d %d %d %d\n", host[i].w[0], host[i].w[1], host[i].w[2], host[i].id, host[i].m[0][0],
		       host[i].m[0][1], host[i].m[1][0], host[i].m[1][1]);
	cudaFree(device);
	return 0;
}
