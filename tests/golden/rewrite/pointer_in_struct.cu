// A host struct that holds the device pointers, managed memory, and a record with an enum, a bool and a 64-bit key.
#include <stdio.h>
#include <stdint.h>

enum kind { EMPTY, LEAF, INNER };
struct node { uint64_t key; enum kind kind; bool dirty; int children[2]; float box[2][3]; };
struct tree { struct node *nodes; int count; };

__global__ void refit(node *nodes, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count || nodes[i].kind != INNER)
		return;
	for (int side = 0; side < 2; side++)
		for (int axis = 0; axis < 3; axis++) {
			float a = nodes[nodes[i].children[0]].box[side][axis];
			float b = nodes[nodes[i].children[1]].box[side][axis];
			nodes[i].box[side][axis] = side ? fmaxf(a, b) : fminf(a, b);
		}
	nodes[i].dirty = false;
	nodes[i].key ^= (uint64_t)i << 33;
}

static void tree_refit(struct tree *t)
{
	refit<<<(t->count + 31) / 32, 32>>>(t->nodes, t->count);
}

int main(void)
{
	enum { COUNT = 63 };
	struct node host[COUNT];
	struct tree t;

	for (int i = 0; i < COUNT; i++) {
		host[i].key = i;
		host[i].kind = i < 31 ? (i < 15 ? EMPTY : INNER) : LEAF;
		host[i].dirty = true;
		host[i].children[0] = i < 31 ? 2 * i + 1 : 0;
		host[i].children[1] = i < 31 ? 2 * i + 2 : 0;
		for (int side = 0; side < 2; side++)
			for (int axis = 0; axis < 3; axis++)
				host[i].box[side][axis] = (i * 7 + axis * 3) % 13 + side;
	}
	t.count = COUNT;
	cudaMalloc(&t.nodes, COUNT * sizeof(struct node));
	cudaMemcpy(t.nodes, host, COUNT * sizeof(struct node), cudaMemcpyHostToDevice);
	tree_refit(&t);
	cudaMemcpy(host, t.nodes, COUNT * sizeof(struct node), cudaMemcpyDeviceToHost);
	for (int i = 0; i < COUNT; i++)
		printf("%llu %d %g %g\n", (unsigned long long)host[i].key, host[i].dirty, host[i].box[0][0], host[i].box[1][2]);
	cudaFree(t.nodes);
	return 0;
}
