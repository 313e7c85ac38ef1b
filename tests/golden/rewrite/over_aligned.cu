// A record that is aligned to more than any layout asks for keeps that where it stays a record.
#include <stdio.h>
#define N 40

struct alignas(32) wide {
	float x;
};
struct __attribute__((aligned(8))) pair {
	float a, b, c;
};

__global__ void mix(wide *w, pair *p)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < N) {
		w[i].x += p[i].a;
		p[i].c = w[i].x * p[i].b;
	}
}

int main(void)
{
	static wide hw[N];
	static pair hp[N];
	wide *w;
	pair *p;

	for (int i = 0; i < N; i++) {
		hw[i].x = i;
		hp[i].a = hp[i].b = 0.5f * i;
	}
	cudaMalloc(&w, N * sizeof(wide));
	cudaMalloc(&p, N * sizeof(*p));
	cudaMemcpy(w, hw, N * sizeof(wide), cudaMemcpyHostToDevice);
	cudaMemcpy(p, hp, N * sizeof(*p), cudaMemcpyHostToDevice);
	mix<<<2, 32>>>(w, p);
	cudaMemcpy(hw, w, N * sizeof(wide), cudaMemcpyDeviceToHost);
	cudaMemcpy(hp, p, N * sizeof(*p), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%g %g\n", hw[i].x, hp[i].c);
	cudaFree(w);
	cudaFree(p);
	return 0;
}
