// *p, p->m, (p + e)->m, (*(p + e)).m: an index that is not written is 0.
// back: d_count,d_sum
#include <stdio.h>

struct cell {
	int count, sum;
};

__global__ void forms(cell *c, int n)
{
	int i = threadIdx.x;

	if (i == 0) {
		c->count = n;
		(*c).sum = c->count + 1;
	} else {
		(c + i)->count = (c[8].sum + 1) * i;
		(*(c + i)).sum = (c + i)->count + 1;
	}
}

int main(void)
{
	cell h[9], *d;

	cudaMalloc(&d, sizeof(h));
	cudaMemset(d, 0, 9 * sizeof(cell));
	forms<<<1, 7>>>(d, 5);
	cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
	for (int i = 0; i < 9; i++)
		printf("%d %d\n", h[i].count, h[i].sum);
	cudaFree(d);
	return 0;
}
