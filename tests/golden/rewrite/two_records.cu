// Two record types in one kernel, and one array used by two kernels.
#include <stdio.h>
#define N 34

struct source {
	float a, b;
};
struct target {
	float c;
	int d;
};

__global__ void first(const source *s, target *t)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < N) {
		t[i].c = s[i].a - s[i].b;
		t[i].d = i;
	}
}

__global__ void second(target *t)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < N)
		t[i].d += (int)t[i].c;
}

int main(void)
{
	static source in[N];
	static target out[N];
	source *s;
	target *t;

	for (int i = 0; i < N; i++)
		in[i] = source{3.0f * i, 1.0f};
	cudaMalloc(&s, sizeof(in));
	cudaMalloc(&t, sizeof(out));
	cudaMemcpy(s, in, sizeof(in), cudaMemcpyHostToDevice);
	first<<<2, 32>>>(s, t);
	second<<<2, 32>>>(t);
	cudaMemcpy(out, t, sizeof(out), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%g %d\n", out[i].c, out[i].d);
	cudaFree(s);
	cudaFree(t);
	return 0;
}
