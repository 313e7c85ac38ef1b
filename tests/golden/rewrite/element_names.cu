// Local names of elements: references, addresses, sums; the index is kept where it may change.
#include <cstdio>
#include <cstdlib>

struct Node {
	float x, y;
	int next[2];
	struct Weights {
		float a, b;
	} w;
};

__global__ void relax(Node *nodes, const Node *fixed, const int *order, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	Node &q = nodes[i];
	const Node *r = &fixed[order[i]];
	auto &w = nodes[i].w;
	q.x += r->y * w.a + r->w.b;
	atomicAdd(&q.y, r->x);
	for (int k = 0; k < 2; k++) {
		const Node *t = fixed + q.next[k];
		w.b += t->x;
		i += n;
	}
	q.next[0] = i;
}

int main()
{
	const int n = 100;
	Node *host = (Node *)malloc(n * sizeof(Node)), *nodes, *fixed;
	int *order, *order_host = (int *)malloc(n * sizeof(int));
	double sum = 0;

	for (int i = 0; i < n; i++) {
		host[i] = {i * 0.5f, 1.0f * (i % 7), {(i * 3) % n, (i * 5) % n}, {0.25f * i, 2.0f}};
		order_host[i] = (i * 7) % n;
	}
	cudaMalloc(&nodes, n * sizeof(Node));
	cudaMalloc(&fixed, n * sizeof(Node));
	cudaMalloc(&order, n * sizeof(int));
	cudaMemcpy(nodes, host, n * sizeof(Node), cudaMemcpyHostToDevice);
	cudaMemcpy(fixed, host, n * sizeof(Node), cudaMemcpyHostToDevice);
	cudaMemcpy(order, order_host, n * sizeof(int), cudaMemcpyHostToDevice);
	relax<<<4, 32>>>(nodes, fixed, order, n);
	cudaMemcpy(host, nodes, n * sizeof(Node), cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i++)
		sum += host[i].x + 2 * host[i].y + host[i].next[0] + 3 * host[i].w.b;
	printf("%g\n", sum);
	cudaFree(nodes);
	cudaFree(fixed);
	cudaFree(order);
	free(host);
	free(order_host);
	return 0;
}
