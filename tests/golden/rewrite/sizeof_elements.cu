// Sizes and types of elements are those of the record, in whatever way they are asked for.
#include <stdio.h>
#define N 16

struct item {
	float x;
	double z;
	short w[7];
};

__global__ void fill(item *p, const item *q, double *o, int n)
{
	int i = threadIdx.x;

	if (i < n) {
		decltype(q[i].z) z = q[i].z;

		o[i] = sizeof(p[i]) + 100 * sizeof(item) + 10000 * sizeof *p + p[i].x + z;
		o[i] += 1e6 * sizeof(p[0].z) + 1e7 * sizeof p[i].w + 1e8 * alignof(decltype(p[i].w[1]));
		o[i] += 1e9 * sizeof((*p).w[0]) + 1e10 * sizeof(q->x);
	}
}

int main(void)
{
	item host[N], *p;
	double back[N], *o;

	for (int i = 0; i < N; i++)
		host[i] = item{i * 1.5f, 1.0 / (i + 1), {(short)i, 2, 3}};
	cudaMalloc(&p, N * sizeof(item));
	cudaMalloc(&o, N * sizeof(double));
	cudaMemcpy(p, host, N * sizeof(item), cudaMemcpyHostToDevice);
	fill<<<1, N>>>(p, p, o, N);
	cudaMemcpy(back, o, N * sizeof(double), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%.17g\n", back[i]);
	cudaFree(p);
	cudaFree(o);
	return 0;
}
