#include <cstdio>

#define COUNT 4096
/* A member of a member has the same name, and another one the name that its references would get. */
struct inner {
	float2 k;
	char id[3];
};
struct outer {
	inner k;
	float k_reference;
	int id;
};

__global__ void add(outer *all, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	outer *one = &all[i];
	outer whole = *one;
	inner part = one->k;
	part.k.x += whole.k_reference;
	one->k = part;
	one->id += whole.k.id[1];
}

int main()
{
	outer *device, host[COUNT];
	float sum = 0;

	for (int i = 0; i < COUNT; i++)
		host[i] = {{{i * 0.5f, 1.0f}, {1, 2, 3}}, i * 0.25f, i};
	cudaMalloc(&device, sizeof(host));
	cudaMemcpy(device, host, sizeof(host), cudaMemcpyHostToDevice);
	add<<<COUNT / 128, 128>>>(device, COUNT);
	cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost);
	for (int i = 0; i < COUNT; i++)
		sum += host[i].k.k.x + host[i].id;
	printf("%g\n", sum);
	cudaFree(device);
	return 0;
}
