// What is done with device pointers.
#include <cstdio>
#include <cstdlib>
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { fprintf(stderr, "%s\n", cudaGetErrorString(e)); exit(1); } } while (0)
struct particle { float x, y; };
__global__ void k(particle *p, float *q) { q[threadIdx.x] = p[threadIdx.x].x; }
static float *shared_by_all;
int main() {
	const int n = 256;
	particle *host = (particle *)malloc(n * sizeof(particle)), *p, *copy = NULL;
	float *q;
	CHECK(cudaMalloc((void **)&p, n * sizeof *p));
	CHECK(cudaMalloc(&copy, n * sizeof(particle)));
	cudaMallocManaged(&q, n * sizeof(q[0]));
	cudaMalloc(&shared_by_all, 64);
	CHECK(cudaMemcpy(p, host, n * sizeof(particle), cudaMemcpyHostToDevice));
	cudaMemcpy(copy, p, sizeof(particle) * n, cudaMemcpyDeviceToDevice);
	cudaMemset(q, 0, n * 4);
	k<<<1, n>>>(p, q);
	k<<<1, n>>>(copy + 1, shared_by_all);
	CHECK(cudaMemcpy(host, p, n * sizeof(particle), cudaMemcpyDeviceToHost));
	printf("%p %f\n", (void *)p, q[3]);
	CHECK(cudaFree(p));
	cudaFree(copy);
	cudaFree(q);
	free(host);
}
