/*
 * Gravity from a tree, as Barnes and Hut: each body has a list of the nodes that it interacts with, near ones and lumps of far ones; the tree walk that made the
 * lists is over. Lists lie so that neighbouring threads read neighbouring places.
 */
#include <cstdio>
#include <cuda_runtime.h>

#define LIST 64

struct node {
	float x, y, z, mass, size;
	int children;
};

struct body {
	float x, y, z, ax, ay, az;
};

__global__ void __launch_bounds__(128) attract(body *bodies, const node *nodes, const int *list, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = bodies[i].x, y = bodies[i].y, z = bodies[i].z, ax = 0.0f, ay = 0.0f, az = 0.0f;
	for (int k = 0; k < LIST; k++) {
		int j = list[k * n + i];
		float dx = nodes[j].x - x, dy = nodes[j].y - y, dz = nodes[j].z - z;
		float square = dx * dx + dy * dy + dz * dz + 1e-4f, inverse = rsqrtf(square), pull = nodes[j].mass * inverse * inverse * inverse;
		ax += dx * pull;
		ay += dy * pull;
		az += dz * pull;
	}
	bodies[i].ax = ax;
	bodies[i].ay = ay;
	bodies[i].az = az;
}

int main()
{
	body *bodies;
	cudaMalloc(&bodies, (1 << 21) * sizeof(body));
	cudaMemset(bodies, 0, (1 << 21) * sizeof(body));
	node *nodes;
	cudaMalloc(&nodes, (1 << 20) * sizeof(node));
	cudaMemset(nodes, 0, (1 << 20) * sizeof(node));
	int *list;
	cudaMalloc(&list, 64 * (1 << 21) * sizeof(int));
	cudaMemset(list, 0, 64 * (1 << 21) * sizeof(int));
	attract<<<128, 128>>>(bodies, nodes, list, 16384);
	attract<<<1024, 128>>>(bodies, nodes, list, 131072);
	attract<<<16384, 128>>>(bodies, nodes, list, 2097152);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
