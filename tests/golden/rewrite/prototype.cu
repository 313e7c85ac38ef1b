// A kernel declared before it is defined, in a namespace; the records' declaration goes before both.
#include <stdio.h>

struct node {
	int left, right;
};

namespace tree {

__global__ void link(node *nodes, int);

} // namespace tree

int main(void)
{
	node host[5], *device;

	cudaMalloc(&device, sizeof(host));
	tree::link<<<1, 5>>>(device, 5);
	cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost);
	for (int i = 0; i < 5; i++)
		printf("%d %d\n", host[i].left, host[i].right);
	cudaFree(device);
	return 0;
}

namespace tree {

/* Links node i with its children. */
__global__ void link(node *nodes, int n)
{
	int i = threadIdx.x;

	nodes[i].left = 2 * i + 1 < n ? 2 * i + 1 : -1;
	nodes[i].right = nodes[i].left < 0 || 2 * i + 2 >= n ? -1 : 2 * i + 2;
}

} // namespace tree
