/* What the host's code plainly puts into members of records: numbers, random ones of a range, multiples of the element's number, running sums. */
#include <cstdlib>
struct node { int start, count; bool alive; short kind; unsigned color, other; int parent; float weight; int late, size, place; };
struct list { int used; node *items; };
__global__ void k(const node *n, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (n[i].alive && n[i].parent < 100000)
		out[i] = n[n[i].parent].weight + n[i].start + n[i].count + n[i].kind + n[i].color + n[i].other + n[i].late;
}
static void add(list *l, float weight)
{
	l->items[l->used].alive = true;
	l->items[l->used].weight = weight;
	l->used++;
}
int main()
{
	const int n = 100000, colors = 16, first = 2, last = 10;
	node *h = (node *)malloc(n * sizeof(node)), *d;
	list l = {0, h};
	float *out;
	int at = 0, size, place = 0;

	for (int i = 0; i < n; i++)
		add(&l, 1);
	for (int i = 0; i < n; i++) {
		int count = (rand() % (last - first + 1)) + first;

		h[i].start = at;
		h[i].count = count;
		at += count;
		h[i].kind = 3;
		h[i].color = rand() & (colors - 1);
		h[i].other = i % 2 ? 1 : 0;
		h[i].parent = 2 * i;
		size = 4 + rand() % 5;
		h[i].size = size;
		h[i].place = place;
		place += h[i].size;
		if (i > 5)
			h[i].late = 1;
	}
	cudaMalloc(&d, n * sizeof(node));
	cudaMalloc(&out, n * sizeof(float));
	cudaMemcpy(d, h, n * sizeof(node), cudaMemcpyHostToDevice);
	k<<<n / 256, 256>>>(d, out);
}
