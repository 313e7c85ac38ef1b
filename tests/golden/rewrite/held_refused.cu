// Refused, with the construct: a local pointer into the middle of an array behind a member.
// incomplete: refused, so that there is nothing to run
#include <cstdio>
#include <cstdlib>

struct rec { float x, y, vx, vy; };
struct arguments { rec *p; int n; };

__global__ void step(arguments a)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	rec *q = a.p + 3;

	if (i + 3 < a.n)
		q[i].x += q[i].vx;
}

int main()
{
	const int n = 64;
	rec *host = (rec *)calloc(n, sizeof(rec));
	arguments a;

	a.n = n;
	cudaMalloc(&a.p, n * sizeof(rec));
	cudaMemcpy(a.p, host, n * sizeof(rec), cudaMemcpyHostToDevice);
	step<<<2, 32>>>(a);
	cudaMemcpy(host, a.p, n * sizeof(rec), cudaMemcpyDeviceToHost);
	printf("%g\n", host[9].x);
	cudaFree(a.p);
	free(host);
	return 0;
}
