// References and pointers to elements, stepped and compared; the pointer of one scalar.
#include <stdio.h>
#define N 37

struct cell {
	float value;
	int count;
};

__global__ void sweep(cell *cells, const cell *other, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	cell &c = cells[i];
	const cell &left = other[i > 0 ? i - 1 : i];
	const cell *right = other + (i + 1 < n ? i + 1 : i);

	c.value += left.value * right->value;
	for (const cell *p = other, *end = other + 3; p != end; ++p)
		c.count += p->count;
	cell *q = &cells[i];
	q->count *= 2;
	(*q).value += q[0].count;
	float *scalar = &cells[i].value;
	*scalar += 1;
}

__global__ void walk(cell *p, int n)
{
	if (threadIdx.x > 0)
		return;
	for (int i = 0; i < n; i++, p++)
		p->count += i;
	p -= n;
	p[0].count = 99;
	*p = p[1];
}

int main(void)
{
	static cell host[N];
	cell *cells, *other;

	for (int i = 0; i < N; i++)
		host[i] = cell{0.5f * i, i};
	cudaMalloc(&cells, sizeof(host));
	cudaMalloc(&other, sizeof(host));
	cudaMemcpy(cells, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMemcpy(other, host, sizeof(host), cudaMemcpyHostToDevice);
	sweep<<<2, 32>>>(cells, other, N);
	walk<<<1, 32>>>(cells, N);
	cudaMemcpy(host, cells, sizeof(host), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%g %d\n", host[i].value, host[i].count);
	cudaFree(cells);
	cudaFree(other);
	return 0;
}
