// Names made of others collide: members and arrays with underscores, records of one name in two namespaces.
#include <cstdio>

namespace front {
struct cell {
	float x, y;
};
}
namespace back {
struct cell {
	float u, v;
};
}
struct pair {
	float c, b_c;
};

__global__ void mix(front::cell *p, back::cell *q, const pair *r, const pair *s, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		p[i].x += q[i].u + p[i].y;
		q[i].v = r[i].c * s[i].b_c;
	}
}

int main()
{
	const int n = 64;
	front::cell *p, out[n];
	back::cell *q;
	pair *a, *a_b, host[n];
	double sum = 0;

	for (int i = 0; i < n; i++)
		host[i] = {1.0f * i, 2.0f};
	cudaMalloc(&p, n * sizeof(front::cell));
	cudaMalloc(&q, n * sizeof(back::cell));
	cudaMalloc(&a, n * sizeof(pair));
	cudaMalloc(&a_b, n * sizeof(pair));
	cudaMemcpy(p, host, n * sizeof(front::cell), cudaMemcpyHostToDevice);
	cudaMemcpy(q, host, n * sizeof(back::cell), cudaMemcpyHostToDevice);
	cudaMemcpy(a, host, n * sizeof(pair), cudaMemcpyHostToDevice);
	cudaMemcpy(a_b, host, n * sizeof(pair), cudaMemcpyHostToDevice);
	mix<<<2, 32>>>(p, q, a, a_b, n);
	mix<<<2, 32>>>(p, q, a_b, a, n);
	cudaMemcpy(out, p, n * sizeof(front::cell), cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i++)
		sum += out[i].x;
	printf("%g\n", sum);
	cudaFree(p);
	cudaFree(q);
	cudaFree(a);
	cudaFree(a_b);
	return 0;
}
